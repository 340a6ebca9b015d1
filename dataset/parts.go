package dataset

import (
	"io"
	"runtime"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// parted is a [Source] whose rows come in parts that can be read at the same time.
type parted interface {
	Part(used Source) (Source, error) // see Source
}

// part makes p the next rows of t, and returns [io.EOF] after the last ones. Of a source without
// parts p must be read before the next one is made.
func (t *table) part(p *table) error {
	p.file, p.header = t.file, t.header
	p.faults.Clear()
	if s, ok := t.Source.(parted); ok {
		next, err := s.Part(p.Source)
		p.Source = next
		return err
	}
	if t.ended {
		return io.EOF
	}
	p.Source = &stretch{Source: t.Source, left: blockRows, ended: &t.ended}
	return nil
}

// workers returns how many can read the parts of t at the same time.
func (t *table) workers(o *Options) int {
	_, many := t.Source.(parted)
	switch {
	case !many:
		return 1
	case o.Workers == 0:
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

// stretch is some rows of a source without parts.
type stretch struct {
	Source
	left  int
	ended *bool // the source has no more rows
}

func (s *stretch) Next() ([]Cell, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	s.left--
	cells, err := s.Source.Next()
	*s.ended = csvtext.Ended(err)
	return cells, err
}

// Weight makes a stretch a [weigher], as its source may be one.
func (s *stretch) Weight() (w float64, weighed bool) { return weightOf(s.Source) }
