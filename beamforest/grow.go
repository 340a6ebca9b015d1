package beamforest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// scanned tells whether trees of such bags are grown, and vote, without all rows in memory.
func scanned(bag forest.Bag, weight, group string) bool {
	_, hash := bag.Rows()
	return hash && weight == "" && group == ""
}

func (g *Growth) trees() int { return g.Forest.Resolved(1).Trees }

// growFn makes a part of the trees of its number.
type growFn struct {
	Job []byte // a Growth in JSON: Beam would have a schema of it, and there is none of a func
	Run string
}

// ProcessElement emits the bytes of the part.
func (f *growFn) ProcessElement(ctx context.Context, number int, emit func([]byte)) error {
	part, err := f.grow(ctx, number)
	if err != nil {
		return err
	}
	b, err := bytesOf(part)
	if err != nil {
		return err
	}
	emit(b)
	return nil
}

func (f *growFn) grow(ctx context.Context, number int) (*rfpragma.Part, error) {
	var g Growth
	if err := json.Unmarshal(f.Job, &g); err != nil {
		return nil, err
	}
	c := g.Forest
	from, to := g.trees()*number/g.Parts, g.trees()*(number+1)/g.Parts
	c.Workers = 1
	if scanned(c.Bag, g.Options.Weight, g.Options.Group) {
		outline, err := outlines.of(f.Run, func() (*dataset.Outline, error) { return outline(ctx, g.Data, g.Options) })
		if err != nil {
			return nil, err
		}
		return withThread(ctx, func() (*rfpragma.Part, error) { return g.scan(ctx, outline, c, from, to) })
	}
	ground, err := grounds.of(f.Run, func() (*rfpragma.Prepared, error) {
		all, err := frame(ctx, g.Data, g.Options)
		if err != nil {
			return nil, err
		}
		return rfpragma.Prepare(ctx, all, c)
	})
	if err != nil {
		return nil, err
	}
	return withThread(ctx, func() (*rfpragma.Part, error) { return ground.GrowPart(ctx, from, to) })
}

// scan grows trees on rows that come by.
func (g *Growth) scan(ctx context.Context, outline *dataset.Outline, c forest.Config, from, to int) (*rfpragma.Part, error) {
	o := g.Options
	o.Schema, o.Classes = outline.Schema, outline.Classes
	rows, err := openRows(ctx, g.Data, o, 1) // the thread of the element
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rfpragma.GrowScan(ctx, outline, rows.Each, c, from, to)
}

// writeTreesFn puts the parts together and writes them.
type writeTreesFn struct{ Out string }

// ProcessElement writes the file of trees.
func (f *writeTreesFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	var parts []*rfpragma.Part
	for b := []byte(nil); next(&b); {
		part, err := rfpragma.ReadPart(bytes.NewReader(b), "")
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	whole, err := rfpragma.MergeParts(parts...)
	if err == nil {
		err = whole.Whole()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Out, err)
	}
	return write(ctx, f.Out, whole)
}

// bytesOf returns the bytes of a file of w.
func bytesOf(w io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := w.WriteTo(&b)
	return b.Bytes(), err
}
