package cli

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
	// MostRaw is how many bytes a download may have: the public sets have a few megabytes.
	MostRaw = 64 << 20 // bytes of a download: the public sets have a few megabytes
	// MostSilent is how long a download may be silent.
	MostSilent = 30 * time.Second // between two bytes of one
)

// NetworkError is a fault on the way to another machine, or there.
type NetworkError struct{ err error }

func (e NetworkError) Error() string { return e.err.Error() }

func (e NetworkError) Unwrap() error { return e.err }

// Download returns what url holds. It ends with ctx, and where nothing comes for as long as
// silent. Tell hears how many bytes have come, of how many, or of 0 if that is not known.
func Download(ctx context.Context, url string, silent time.Duration, tell func(done, total int)) ([]byte, error) {
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
	return nil, NetworkError{err}
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
	if answer.ContentLength > MostRaw {
		return nil, tooLarge(url)
	}
	total, done := int(max(0, answer.ContentLength)), 0
	body, err := ReadAll(&counting{answer.Body, func(n int) {
		done += n
		heard(done, total)
	}}, url)
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
	b, err := io.ReadAll(io.LimitReader(r, MostRaw+1))
	switch {
	case err != nil:
		return nil, err
	case len(b) > MostRaw:
		return nil, tooLarge(name)
	}
	return b, nil
}

func tooLarge(name string) error {
	return &dataset.LimitError{Text: fmt.Sprintf("%s: more than %d MB; no public set is as large", name, MostRaw>>20)}
}

// counting says how much is read.
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
