package cli

import (
	"context"
	"sync/atomic"
	"time"
)

// Grace is what a verb needs of whoever heeds signals.
type Grace struct {
	more    atomic.Int64
	hangups atomic.Bool
}

type graceKey struct{}

// With returns ctx for a verb that may need g.
func (g *Grace) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, graceKey{}, g)
}

// More returns how long the verb needs to end after a signal, beside what every verb has.
func (g *Grace) More() time.Duration { return time.Duration(g.more.Load()) }

// Hangups tells whether SIGHUP is for the verb, and does not end it.
func (g *Grace) Hangups() bool { return g.hangups.Load() }

// ServesOn says that the verb of ctx needs so long to end after a signal, and that SIGHUP does not end it.
func ServesOn(ctx context.Context, d time.Duration) {
	if g, is := ctx.Value(graceKey{}).(*Grace); is {
		g.more.Store(int64(d))
		g.hangups.Store(true)
	}
}
