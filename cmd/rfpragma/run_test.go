package main

import (
	"strings"
	"sync"
)

// watched is a writer that says when it has seen a text.
type watched struct {
	mu   sync.Mutex
	text strings.Builder
	want string
	seen chan struct{}
}

func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := strings.Contains(w.text.String(), w.want)
	w.text.Write(b)
	if !before && strings.Contains(w.text.String(), w.want) {
		close(w.seen)
	}
	return len(b), nil
}
