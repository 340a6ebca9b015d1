package serve

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connections bounds how many connections are open: where there are more, the one that has been waiting for longest is
// closed, so that those who wait keep nobody out.
type connections struct {
	most    int
	mu      sync.Mutex
	open    map[net.Conn]*list.Element // nil of one that is being answered
	waiting *list.List                 // that are idle, or have sent nothing yet, the one that waits longest first
}

func newConnections(most int) *connections {
	return &connections{most: most, open: map[net.Conn]*list.Element{}, waiting: list.New()}
}

// state follows a connection, see [http.Server].
func (c *connections) state(conn net.Conn, state http.ConnState) {
	if surplus := c.follow(conn, state); surplus != nil {
		_ = surplus.Close() // which its own goroutine finds out
	}
}

// follow notes what a connection does, and returns one that is to be closed.
func (c *connections) follow(conn net.Conn, state http.ConnState) (surplus net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.open[conn]; at != nil {
		c.waiting.Remove(at)
	}
	switch state {
	case http.StateNew, http.StateIdle:
		c.open[conn] = c.waiting.PushBack(conn)
	case http.StateActive:
		c.open[conn] = nil
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	}
	if state != http.StateNew || len(c.open) <= c.most {
		return nil
	}
	longest := c.waiting.Front() // which is conn itself where all others are being answered
	c.waiting.Remove(longest)
	surplus = longest.Value.(net.Conn)
	delete(c.open, surplus)
	return surplus
}
