package parallel

import (
	"io"
	"sync"
)

// Ordered has workers at work on items at the same time, where items come and go one after the
// other: next fills in the next item and returns [io.EOF] after the last one, work is what takes
// long, and done gets the items in the order in which they came. An item belongs to a worker,
// who uses it again and again; at first it is the zero value of T.
//
// It returns the first error in the order of the items, whatever the number of workers, and a
// panic as a [Fault]. Nothing is begun after an error, and nobody is at work when it returns.
func Ordered[T any](workers int, next, work, done func(*T) error) error {
	q := queue[T]{next: next, work: work, done: done, last: make(chan struct{})}
	close(q.last)
	var all sync.WaitGroup
	for range workers - 1 {
		all.Go(q.run)
	}
	q.run()
	all.Wait()
	return q.err
}

// queue is what the workers of Ordered share.
type queue[T any] struct {
	next, work, done func(*T) error

	mu    sync.Mutex    // held while an item comes
	ended bool          // no more are to come
	last  chan struct{} // closed when the item that came last has gone

	err error // the first one; for the worker whose turn it is to hand on its item
}

// run works on items until there are no more.
func (q *queue[T]) run() {
	var item T
	for {
		before, gone, err := q.take(&item)
		if gone == nil {
			return
		}
		ended := err == io.EOF //nolint:errorlint // an error that wraps it is a failure
		if err == nil {
			err = Safely(func() error { return q.work(&item) })
		}
		<-before
		if q.err == nil && err == nil {
			err = Safely(func() error { return q.done(&item) })
		}
		if q.err == nil && !ended {
			q.err = err
		}
		if q.err != nil {
			q.end()
		}
		close(gone)
	}
}

// take fills in the next item. It returns two channels, closed when the item before has gone and
// to be closed when this one has, and nil for the latter where no item is to come.
func (q *queue[T]) take(item *T) (before, gone chan struct{}, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended {
		return nil, nil, nil
	}
	err = Safely(func() error { return q.next(item) })
	q.ended = err != nil
	before, gone = q.last, make(chan struct{})
	q.last = gone
	return before, gone, err
}

// end lets no more items come.
func (q *queue[T]) end() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
}
