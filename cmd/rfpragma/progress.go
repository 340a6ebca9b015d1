package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress tells on stderr how far long work is: on a terminal in one line that is written
// over, elsewhere in a line every ten seconds at most.
type progress struct {
	mu       sync.Mutex
	w        io.Writer
	what     string
	terminal bool
	last     time.Time
	silent   bool
	drawn    bool
	count    int // of the total, as add counts
	total    int
}

func (p *program) progress(what string) *progress {
	return &progress{w: p.stderr, what: what, silent: p.quiet, last: time.Now(), terminal: terminal(p.stderr)}
}

// show tells that done of total are done. A total of 0 is not known.
func (g *progress) show(done, total int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	wait := 10 * time.Second
	if g.terminal {
		wait = 100 * time.Millisecond
	}
	if g.silent || time.Since(g.last) < wait {
		return
	}
	g.last = time.Now()
	text := fmt.Sprintf("%s %d", g.what, done)
	if total > 0 {
		text += fmt.Sprintf(" of %d", total)
	}
	if g.terminal {
		fmt.Fprintf(g.w, "\r%s ", text)
		g.drawn = true
		return
	}
	fmt.Fprintln(g.w, text)
}

// end wipes the line.
func (g *progress) end() {
	if g.drawn {
		fmt.Fprintf(g.w, "\r%40s\r", "")
	}
}

// add counts one more of the total.
func (g *progress) add() {
	g.mu.Lock()
	g.count++
	done := g.count
	g.mu.Unlock()
	g.show(done, g.total)
}
