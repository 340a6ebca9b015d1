package serve

import (
	"sync"
	"sync/atomic"
	"time"
)

// traffic counts requests.
type traffic struct {
	inFlight atomic.Int64
	unlogged atomic.Int64 // requests refused, as they could not be logged
	reloads  [2]atomic.Int64
	mu       sync.Mutex
	routes   []*routeCount
}

func newTraffic() *traffic { return new(traffic) }

// latencies are the upper ends of the bins of durations, in seconds.
var latencies = [...]float64{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
	5, 10}

// routeCount counts the requests of a route by their status, and how long they took.
type routeCount struct {
	name  string
	codes [600]atomic.Int64
	bins  [len(latencies) + 1]atomic.Int64
	nanos atomic.Int64
}

// route returns the count of a route, which several paths may share.
func (t *traffic) route(name string) *routeCount {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.routes {
		if r.name == name {
			return r
		}
	}
	r := &routeCount{name: name}
	t.routes = append(t.routes, r)
	return r
}

func (r *routeCount) add(code int, took time.Duration) {
	r.codes[min(max(code, 0), len(r.codes)-1)].Add(1)
	bin, seconds := 0, took.Seconds()
	for bin < len(latencies) && seconds > latencies[bin] {
		bin++
	}
	r.bins[bin].Add(1)
	r.nanos.Add(int64(took))
}

// reloaded counts models that were read anew, or not.
func (t *traffic) reloaded(ok bool) {
	if ok {
		t.reloads[0].Add(1)
	} else {
		t.reloads[1].Add(1)
	}
}
