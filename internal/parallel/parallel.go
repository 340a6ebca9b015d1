// Package parallel runs goroutines that may be at fault. A panic in a goroutine ends the whole
// process, whoever it belongs to; here it becomes an error like any other, a [Fault].
package parallel

import (
	"context"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Fault is a panic, as an error.
type Fault struct {
	Value any    // what panic was called with
	Stack []byte // where
}

func (f *Fault) Error() string { return fmt.Sprintf("internal fault: %v", f.Value) }

// Group is an errgroup whose members may panic: Wait returns the first error or Fault. Members whose
// turn comes when the context has ended are not run: there may be a hundred, of half a second each.
type Group struct {
	*errgroup.Group
	ctx context.Context
}

// WithContext is that of errgroup.
func WithContext(ctx context.Context) (Group, context.Context) {
	g, ctx := errgroup.WithContext(ctx)
	return Group{g, ctx}, ctx
}

// Go runs f in a goroutine of the group.
func (g Group) Go(f func() error) {
	g.Group.Go(func() error {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		return Safely(f)
	})
}

// Safely runs f and returns its error, or its panic as a Fault.
func Safely(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Fault{v, debug.Stack()}
		}
	}()
	return f()
}
