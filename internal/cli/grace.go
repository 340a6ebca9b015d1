package cli

import (
	"context"
	"sync/atomic"
	"time"
)

// Grace is how long a verb needs to end after a signal, beside what every verb has.
type Grace struct{ more atomic.Int64 }

type graceKey struct{}

// With returns ctx for a verb that may need g.
func (g *Grace) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, graceKey{}, g)
}

// More returns what a verb has said that it needs.
func (g *Grace) More() time.Duration { return time.Duration(g.more.Load()) }

// NeedsToEnd says that the verb of ctx needs so long to end after a signal.
func NeedsToEnd(ctx context.Context, d time.Duration) {
	if g, is := ctx.Value(graceKey{}).(*Grace); is {
		g.more.Store(int64(d))
	}
}
