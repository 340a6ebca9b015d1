// Package download gets files from the web, and gives up where nothing comes.
package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
)

const (
	// MostBytes is how many bytes a download may have: the public sets have a few megabytes.
	MostBytes = 64 << 20
	// MostSilent is how long a download may be silent.
	MostSilent = 30 * time.Second
)

// Error is a fault on the way to another machine, or there.
type Error struct{ err error }

func (e Error) Error() string { return e.err.Error() }

func (e Error) Unwrap() error { return e.err }

// Get returns what url holds. It ends with ctx, and where nothing comes for as long as
// silent. Tell hears how many bytes have come, of how many, or of 0 if that is not known.
func Get(ctx context.Context, url string, silent time.Duration, tell func(done, total int)) ([]byte, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silent, func() { cancel(fmt.Errorf("nothing came for %v", silent)) })
	defer watch.Stop()

	body, err := transfer(inner, url, func(done, total int) {
		watch.Reset(silent)
		tell(done, total)
	})
	var limit *dataset.LimitError
	switch {
	case err == nil, errors.As(err, &limit):
		return body, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case inner.Err() != nil:
		err = fmt.Errorf("%s: %w", url, context.Cause(inner))
	}
	return nil, Error{err}
}

// transfer gets url.
func transfer(ctx context.Context, url string, heard func(done, total int)) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "rfpragma")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: the server says %s", url, answer.Status)
	}
	if answer.ContentLength > MostBytes {
		return nil, tooLarge(url)
	}
	total, done := int(max(0, answer.ContentLength)), 0
	body, err := ReadAll(Counting(answer.Body, func(n int) {
		done += n
		heard(done, total)
	}), url)
	var limit *dataset.LimitError
	switch {
	case err == nil, errors.As(err, &limit):
		return body, err
	case total > 0:
		return nil, fmt.Errorf("%s: the transfer broke off after %d of %d bytes: %w", url, done, total, err)
	}
	return nil, fmt.Errorf("%s: the transfer broke off after %d bytes: %w", url, done, err)
}

// ReadAll reads what is no larger than a download may be.
func ReadAll(r io.Reader, name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > MostBytes:
		return nil, tooLarge(name)
	}
	return b, nil
}

func tooLarge(name string) error {
	return &dataset.LimitError{Text: fmt.Sprintf("%s: more than %d MB; no public set is as large", name, MostBytes>>20)}
}

// Counting returns r, and tells of each reading how many bytes it gave.
func Counting(r io.Reader, heard func(n int)) io.Reader { return &counting{r, heard} }

type counting struct {
	io.Reader
	heard func(n int)
}

// Read implements [io.Reader].
func (c *counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if n > 0 {
		c.heard(n)
	}
	return n, err
}
