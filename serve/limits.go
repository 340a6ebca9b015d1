package serve

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// limits bound what requests take at a time.
type limits struct {
	bytes  *semaphore.Weighted // of bodies that are being read or decided
	places *semaphore.Weighted // requests that are being decided
	wait   time.Duration
	most   int64 // bytes of a body
}

var errBusy = scoring.Refusef(http.StatusServiceUnavailable, "the server is busy; ask again a little later")

// enter waits for n units of what is limited, and returns what gives them back.
func (l *limits) enter(ctx context.Context, of *semaphore.Weighted, n int64) (leave func(), err error) {
	if !of.TryAcquire(n) {
		inner, cancel := context.WithTimeout(ctx, l.wait)
		defer cancel()
		if of.Acquire(inner, n) != nil {
			return nil, errBusy
		}
	}
	return func() { of.Release(n) }, nil
}

// body reads the body of a request into a batch. Leave gives back the bytes that it takes.
func (l *limits) body(w http.ResponseWriter, r *http.Request, b *scoring.Batch) (leave func(), err error) {
	size := r.ContentLength
	if size < 0 || r.Header.Get("Content-Encoding") != "" {
		size = l.most
	}
	if size > l.most {
		return nil, &http.MaxBytesError{Limit: l.most}
	}
	if leave, err = l.enter(r.Context(), l.bytes, size); err != nil {
		return nil, err
	}
	from, err := plain(r, func(from io.ReadCloser) io.ReadCloser { return http.MaxBytesReader(w, from, l.most) })
	if err == nil {
		b.Body, err = readAll(from, b.Body)
	}
	if err != nil {
		leave()
		return nil, bodyError(err)
	}
	return leave, nil
}

// plain returns the body as it was before it was compressed, of which limit limits the bytes before and after.
func plain(r *http.Request, limit func(io.ReadCloser) io.ReadCloser) (io.Reader, error) {
	switch how := r.Header.Get("Content-Encoding"); how {
	case "", "identity":
		return limit(r.Body), nil
	case "gzip":
		inner, err := gzip.NewReader(limit(r.Body))
		if err != nil {
			return nil, err
		}
		return limit(inner), nil
	default:
		return nil, scoring.Refusef(http.StatusUnsupportedMediaType,
			"Content-Encoding %.40q is not known; send gzip, or none", how)
	}
}

// readAll appends all that is read to a slice.
func readAll(from io.Reader, to []byte) ([]byte, error) {
	for {
		if len(to) == cap(to) {
			to = append(to, 0)[:len(to)]
		}
		n, err := from.Read(to[len(to):cap(to)])
		to = to[:len(to)+n]
		if err == io.EOF {
			return to, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// bodyError says of a body that did not come whole what is wrong with it.
func bodyError(err error) error {
	var known *scoring.Refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &known), errors.As(err, &large), errors.Is(err, os.ErrDeadlineExceeded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return scoring.Refusef(http.StatusBadRequest, "the body ends too early; send all of it")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return scoring.Refusef(http.StatusBadRequest, "the body is no sound gzip; compress it again")
	}
	return scoring.Refusef(http.StatusBadRequest, "the body did not come whole: %v; send it again", err)
}
