package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// infer answers POST infer.
func (s *Server) infer(w http.ResponseWriter, r *http.Request) error {
	of, err := s.versioned(r)
	if err != nil {
		return err
	}
	begin, name := time.Now(), r.PathValue("model")
	b := scoring.NewBatch(of.Scorer)
	defer b.Free()
	leave, err := s.limits.body(w, r, b)
	if err != nil {
		return err
	}
	defer leave()
	in, err := scoring.ReadInference(b.Body, r.Header.Get(scoring.HeadLength))
	if err != nil {
		return err
	}
	if err := b.Tensors(in, s.o.MaxRows); err != nil {
		return err
	}
	if err := b.Unfit(); err != nil {
		return err
	}
	b.Sparse = !in.Wants("probabilities")
	nothing := func(to []byte, _, _ int) []byte { return to }
	if err := s.settle(r, name, of, b, begin, nothing); err != nil {
		return err
	}
	words := scoring.Answers{Batch: b, Reasons: min(in.Reasons, of.P), Withhold: s.o.Withhold}
	head, tail := words.Inferred(b.Out[:0], b.Texts[0][:0], name, in)
	b.Out, b.Texts[0] = head, tail
	h := w.Header()
	if h.Set("Content-Type", jsonForm); len(tail) > 0 {
		h.Set(scoring.HeadLength, strconv.Itoa(len(head)))
		h.Set("Content-Type", "application/octet-stream")
	}
	h.Set("Content-Length", strconv.Itoa(len(head)+len(tail)))
	if _, err := w.Write(head); err == nil && len(tail) > 0 {
		_, _ = w.Write(tail) // who is gone needs no answer
	}
	return nil
}
