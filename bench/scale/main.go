// Command scale measures the constants of the cost model in docs/scale-out.md, one thread each, in processor time:
// what it takes to grow a tree, to vote on a row, to draw a bag again, to read a cell and to add up votes. Run it in
// the folder bench:
//
//	go run ./scale              # a minute or two on a quiet machine
//	go run ./scale -rows 30000  # a quick look
//	go run ./scale -page ../docs/scale-out.md   # and puts them there
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/measure"
	"github.com/rfpragma/rfpragma/bench/page"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/digest"
)

func main() {
	command.Run("scale", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rows := flags.Int("rows", 300_000, "rows")
	trees := flags.Int("trees", 100, "trees")
	runs := flags.Int("runs", 3, "turns; the least counts")
	to := flags.String("page", "", "also put the table into this page, between its lines <!-- scale --> and <!-- /scale "+
		"-->")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *rows < 1000 || min(*trees, *runs) < 1 {
		return errors.New("scale takes flags only; -rows is at least 1000, -trees and -runs are at least 1")
	}
	var table bytes.Buffer
	out := io.MultiWriter(stdout, &table)
	fmt.Fprintf(out, "Measured %s on %s/%s, one thread, processor time, least of %d turns, %d trees.\n\n| what | on | "+
		"constant |\n|---|---|---|\n",
		time.Now().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, *runs, *trees)
	for _, s := range []struct {
		name  string
		frame *dataset.Frame
	}{
		{"payments", dataset.Fraud(*rows, 1)},
		{"waves", dataset.Wave(*rows/3, 3, 1)},
	} {
		m := &meter{ctx: ctx, name: fmt.Sprintf("%s, %d rows × %d features", s.name, s.frame.Rows(), len(s.frame.Columns)),
			out: out, runs: *runs, trees: *trees, frame: s.frame}
		if err := errors.Join(m.reading(), m.growing(), m.voting()); err != nil {
			return err
		}
	}
	if *to != "" {
		return errors.Join(ctx.Err(), page.Put(*to, "scale", "\n"+table.String()+"\n"))
	}
	return ctx.Err()
}

// meter measures on one set.
type meter struct {
	ctx         context.Context
	name        string
	out         io.Writer
	runs, trees int
	frame       *dataset.Frame
	forest      *forest.Forest
}

// least returns the fewest seconds of a processor that work takes, garbage collection included.
func (m *meter) least(work func() error) (float64, error) {
	best := math.Inf(1)
	for range m.runs {
		start, times := cpu(), 0
		for ; times == 0 || cpu()-start < 0.3; times++ { // processor time comes in steps of 10 ms
			if err := errors.Join(m.ctx.Err(), work()); err != nil {
				return 0, err
			}
		}
		best = min(best, (cpu()-start)/float64(times))
	}
	return best, nil
}

// cpu returns the seconds that this process has run, by the clock where the system does not tell.
func cpu() float64 {
	if s := measure.CPUSeconds(); s == s {
		return s
	}
	return float64(time.Now().UnixNano()) / 1e9
}

func (m *meter) row(what, constant string, values ...any) {
	fmt.Fprintf(m.out, "| %s | %s | %s |\n", what, m.name, fmt.Sprintf(constant, values...))
}

// reading measures the ways to read a file.
func (m *meter) reading() error {
	var text bytes.Buffer
	if err := dataset.WriteCSV(&text, m.frame, "class"); err != nil {
		return err
	}
	n, p, size := float64(m.frame.Rows()), float64(len(m.frame.Columns)+1), float64(text.Len())
	o := dataset.Options{Target: "class"}
	var outline *dataset.Outline
	for _, way := range []struct {
		what string
		read func(io.Reader) error
	}{
		{"read for training (coded, in memory)", func(r io.Reader) (err error) {
			m.frame, err = dataset.ReadCSV(r, "data", o)
			return err
		}},
		{"outline (hash bags, first pass)", func(r io.Reader) (err error) {
			outline, err = dataset.OutlineCSV(r, "data", o)
			return err
		}},
		{"read by blocks (hash bags, second pass; votes)", func(r io.Reader) error {
			o := dataset.Options{Target: "class", Schema: outline.Schema, Classes: outline.Classes}
			rows, err := dataset.NewReader(r, "data", o)
			if err != nil {
				return err
			}
			return rows.Each(func(*dataset.Frame) error { return nil })
		}},
	} {
		s, err := m.least(func() error { return way.read(bytes.NewReader(text.Bytes())) })
		if err != nil {
			return err
		}
		m.row(way.what, "%.0f MB/s, %.0f ns a cell", size/s/1e6, s/n/p*1e9)
	}
	s, err := m.least(func() error { digest.Of(m.frame, nil); return nil })
	m.row("digest", "%.0f ns a row", s/n*1e9)
	return err
}

// growing measures trees of all rows, and of hash bags.
func (m *meter) growing() error {
	n, c := m.frame.Rows(), forest.Config{Trees: m.trees, Seed: 1, Workers: 1}
	c = c.Resolved(len(m.frame.Columns))
	for _, bag := range []forest.Bag{forest.Bootstrap, forest.Hash(n / 10)} {
		rows := float64(n)
		if m, hash := bag.Rows(); hash {
			rows = float64(m)
		}
		c.Bag = bag
		var grown *forest.Forest
		s, err := m.least(func() (err error) {
			grown, err = forest.GrowPart(m.ctx, m.frame, c, 0, m.trees)
			return err
		})
		if err != nil {
			return err
		}
		each, work := s/float64(m.trees), rows*math.Log2(rows)*float64(c.Mtry)
		written, err := grown.WriteTo(io.Discard)
		if err != nil {
			return err
		}
		m.row("grow, "+string(bag), "%.3f s a tree, %.1f ns a row·log₂ rows·mtry", each, each/work*1e9)
		m.row("nodes, "+string(bag), "%.3f a row in the bag; 8 bytes each in memory, %.1f in a file",
			float64(grown.Nodes())/float64(m.trees)/rows, float64(written)/float64(grown.Nodes()))
		if bag == forest.Bootstrap {
			m.forest = grown
		}
	}
	c.Bag, c.Trees = forest.Bootstrap, 1
	least, most := forest.Memory(m.frame, c)
	m.row("memory beside the frame, one thread and tree", "%.0f to %.0f bytes a row", float64(least)/float64(n),
		float64(most)/float64(n))
	return nil
}

// voting measures votes, and what it takes to leave out the trees that have seen a row.
func (m *meter) voting() error {
	n := float64(m.frame.Rows())
	s, err := m.least(func() error { _, err := m.forest.Votes(m.ctx, m.frame, 1); return err })
	if err != nil {
		return err
	}
	m.row("vote", "%.1f ns a tree and row", s/n/float64(m.trees)*1e9)
	for _, bag := range []forest.Bag{forest.Bootstrap, forest.Hash(m.frame.Rows() / 10)} {
		bags, err := m.forest.Bags(m.frame, forest.Config{Bag: bag, Seed: 1})
		if err != nil {
			return err
		}
		again, err := m.least(func() error { _, err := m.forest.OutOfBag(m.ctx, m.frame, nil, bags, 1); return err })
		if err != nil {
			return err
		}
		m.row("vote out of bag, "+string(bag), "%.1f ns a tree and row", again/n/float64(m.trees)*1e9)
	}
	return m.tallies()
}

// tallies measures how votes add up.
func (m *meter) tallies() error {
	part, err := rfpragma.GrowPart(m.ctx, m.frame, forest.Config{Trees: m.trees, Seed: 1, Workers: 1}, 0, m.trees)
	if err != nil {
		return err
	}
	votes, err := part.Tally(m.ctx, func(do func(*dataset.Frame) error) error { return do(m.frame) }, 0, 2, 1)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if _, err := votes.WriteTo(&file); err != nil {
		return err
	}
	s, err := m.least(func() error {
		t, err := rfpragma.ReadTally(bytes.NewReader(file.Bytes()), "votes")
		if err != nil {
			return err
		}
		_, err = rfpragma.MergeTallies(t)
		return err
	})
	m.row("read and add up votes", "%.0f µs for a file of %d bytes, %d lines", s*1e6, file.Len(), votes.Table().Rows())
	return err
}
