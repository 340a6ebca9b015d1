package parallel

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// Items go in the order in which they came, each once, whoever worked on them.
func TestOrdered(t *testing.T) {
	type item struct{ n, square, used int }
	for _, workers := range []int{0, 1, 2, 7} {
		const items = 300
		var came int
		var went []int
		var busy, most atomic.Int64
		err := Ordered(workers, func(i *item) error {
			if came == items {
				return io.EOF
			}
			came++
			i.n = came
			i.used++
			return nil
		}, func(i *item) error {
			now := busy.Add(1)
			defer busy.Add(-1)
			if now > most.Load() {
				most.Store(now)
			}
			time.Sleep(time.Duration(rand.IntN(50)) * time.Microsecond)
			i.square = i.n * i.n
			return nil
		}, func(i *item) error {
			went = append(went, i.square)
			return nil
		})
		want := make([]int, items)
		for i := range want {
			want[i] = (i + 1) * (i + 1)
		}
		if err != nil || !slices.Equal(went, want) {
			t.Errorf("%d workers: %v, went %v", workers, err, went)
		}
		if most := int(most.Load()); most > max(workers, 1) {
			t.Errorf("%d workers: %d at work at the same time", workers, most)
		}
	}
}

// The first error in the order of the items is returned, wherever it comes from; what came
// before it has gone, and nothing after it.
func TestOrderedErrors(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		for _, at := range []string{"next", "work", "done", "panic in next", "panic in work", "panic in done"} {
			came, went := 0, 0
			fail := func(where string, n int) error {
				switch {
				case n < 10:
				case at == where:
					return fmt.Errorf("%s %d", where, n)
				case at == "panic in "+where && n == 10:
					panic("a bug")
				}
				return nil
			}
			err := Ordered(workers,
				func(n *int) error { came++; *n = came; return fail("next", came) },
				func(n *int) error {
					if *n == 10 {
						time.Sleep(time.Millisecond) // later ones fail before
					}
					return fail("work", *n)
				},
				func(n *int) error {
					if err := fail("done", *n); err != nil {
						return err
					}
					went++
					return nil
				})
			var fault *Fault
			if isPanic := at[0] == 'p'; isPanic != errors.As(err, &fault) || !isPanic && (err == nil || err.Error() != at+
				" 10") {
				t.Errorf("%d workers, %s: error %v", workers, at, err)
			}
			if went != 9 || came > 10+workers {
				t.Errorf("%d workers, %s: %d came, %d went, want 9 to go", workers, at, came, went)
			}
		}
	}
}
