package beamforest

import (
	"context"
	"crypto/rand"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
)

// What a worker holds from one element to the next lives as long as its process. Beam makes DoFns anew for each bundle, so
// that there is no other place for it.
var (
	blocks   held[[]*dataset.Frame]
	grounds  held[*rfpragma.Prepared]
	outlines held[*dataset.Outline]
	trees    held[*rfpragma.Part]

	// threads keeps the elements that work at once, and so what they hold, to the processors: runners may hand out more.
	threads = semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))
)

// newRun names a run of a pipeline, so that none gets what another one has read from a file of the same name.
func newRun() string { return rand.Text() }

// held is what a run has loaded last.
type held[T any] struct {
	mu  sync.Mutex
	run string
	get func() (T, error)
}

// of returns what load returned when the run asked first. An error is not held: a file may come back.
func (h *held[T]) of(run string, load func() (T, error)) (T, error) {
	h.mu.Lock()
	if h.get == nil || h.run != run {
		h.run, h.get = run, sync.OnceValues(load)
	}
	get := h.get
	h.mu.Unlock()
	v, err := get()
	if err != nil {
		h.mu.Lock()
		if h.run == run {
			h.get = nil
		}
		h.mu.Unlock()
	}
	return v, err
}

// withThread does work when a thread is free.
func withThread[T any](ctx context.Context, work func() (T, error)) (T, error) {
	if err := threads.Acquire(ctx, 1); err != nil {
		var none T
		return none, err
	}
	defer threads.Release(1)
	return work()
}
