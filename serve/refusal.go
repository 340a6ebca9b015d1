package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/scoring"
)

// asRefusal finds the status for an error.
func asRefusal(err error) *scoring.Refusal {
	var (
		known  *scoring.Refusal
		syntax *scoring.SyntaxError
		large  *http.MaxBytesError
		limit  *dataset.LimitError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &syntax):
		return &scoring.Refusal{Code: http.StatusBadRequest, Text: err.Error()}
	case errors.As(err, &large):
		return &scoring.Refusal{Code: http.StatusRequestEntityTooLarge,
			Text: fmt.Sprintf("the body has more than %d bytes; send fewer rows at once, or as application/x-ndjson",
				large.Limit)}
	case errors.As(err, &limit):
		return &scoring.Refusal{Code: http.StatusRequestEntityTooLarge, Text: err.Error()}
	case errors.Is(err, context.Canceled):
		return &scoring.Refusal{Code: http.StatusRequestTimeout, Text: "the client has gone"} // and reads no more
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return &scoring.Refusal{Code: http.StatusRequestTimeout,
			Text: "the body did not arrive in time; send it faster, or less of it"}
	}
	return &scoring.Refusal{Code: http.StatusInternalServerError, Text: err.Error()}
}

// refuse answers with an error.
func (s *Server) refuse(w http.ResponseWriter, err error) int {
	r := asRefusal(err)
	body := scoring.AppendText([]byte(`{"error":`), r.Text)
	if r.Rows != nil {
		body = scoring.AppendValue(append(body, `,"rows":`...), r.Rows)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	switch r.Code {
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusRequestTimeout, http.StatusRequestEntityTooLarge:
		h.Set("Connection", "close")
	}
	w.WriteHeader(r.Code)
	_, _ = w.Write(append(body, "}\n"...))
	return r.Code
}
