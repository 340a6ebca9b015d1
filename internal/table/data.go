package table

import (
	"context"
	"io"

	"github.com/rfpragma/rfpragma/internal/parallel"
)

// Source is an opened input and the name it has in messages.
type Source struct {
	io.Reader
	io.Closer
	Name string
}

// Await returns what work does, or the cause of the end of ctx if that comes first. The work
// then goes on, and nobody looks at it any more: it is for what cannot be stopped, in a
// process that is about to end.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx) // and nothing is begun that nobody waits for
	}
	done := make(chan outcome, 1)
	go func() {
		var got outcome
		got.err = parallel.Safely(func() (err error) {
			got.value, err = work()
			return err
		})
		done <- got
	}()
	select {
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case got := <-done:
		return got.value, got.err
	}
}
