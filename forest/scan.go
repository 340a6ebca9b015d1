package forest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/digest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// Sample collects the rows in the [Hash] bags of some trees while all rows are streamed past it, block by
// block, and grows these trees. They are the same as those of [GrowTrees] on all rows at once, but memory holds
// only the bags: 8 bytes a cell, with a row in several of the bags held once.
type Sample struct {
	cfg    Config
	forest Forest
	draws  []rowDraw
	kept   *dataset.Frame
	bags   [][]int // by tree, places in kept
	rows   []int   // by class, rows that were announced,
	seen   []int   // rows so far,
	first  []int   // and the id of the first of them
	next   uint32  // id of the next row
	digest digest.Digest
}

// NewSample returns an empty sample for the trees numbered from, ..., to-1 of the forest that is grown with c,
// whose bag is a [Hash], on data of the given features and classes. Rows is the number of rows of each class
// (len k). There are no case weights. Errors: [ErrConfig], [ErrTrain].
func NewSample(schema dataset.Schema, classes []string, rows []int, c Config, from, to int) (*Sample, error) {
	c = c.Resolved(len(schema))
	s := &Sample{cfg: c, kept: &dataset.Frame{Classes: classes, Truth: []int{}}, bags: make([][]int, max(0, to-from)),
		rows: slices.Clone(rows), seen: make([]int, len(classes)), first: make([]int, len(classes))}
	for _, field := range schema {
		s.kept.Columns = append(s.kept.Columns, dataset.Column{Field: field, Values: []float64{}})
	}
	if err := s.kept.Check(); err != nil {
		return nil, err
	}
	if err := c.check(s.kept, from, to); err != nil {
		return nil, err
	}
	if _, hash := c.Bag.Rows(); !hash {
		return nil, fmt.Errorf("%w: the trees of a %s bag need all rows; use hash:m", ErrConfig, c.Bag)
	}
	n, present := 0, 0
	for _, r := range rows {
		if n += r; r > 0 {
			present++
		}
	}
	if present < 2 || len(rows) != len(classes) || n > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d rows, of %d of %d classes; give at least two classes rows, and %d rows at most",
			ErrTrain, n, present, len(classes), math.MaxInt32)
	}
	for t := from; t < to; t++ {
		s.draws = append(s.draws, newRowDraw(c, t, n))
	}
	s.forest = Forest{Schema: schema, Classes: slices.Clone(classes), soft: c.Soft, first: from}
	return s, nil
}

// Add adds the next rows, in the order in which they are numbered; their columns are those of the schema.
// Errors: [ErrTrain].
func (s *Sample) Add(block *dataset.Frame) error {
	if block.Weight != nil || len(block.Columns) != len(s.kept.Columns) || !slices.Equal(block.Classes, s.kept.Classes) {
		return fmt.Errorf("%w: a block of %d features and the classes %.64q, with case weights: %v; it has those of the "+
			"sample, without", ErrTrain, len(block.Columns), block.Classes, block.Weight != nil)
	}
	ids := make([]uint32, block.Rows())
	var keep []int
	for i, class := range block.Truth {
		if class < 0 {
			return fmt.Errorf("%w: row %d has no class; leave such rows out", ErrTrain, s.next)
		}
		if s.seen[class]++; s.seen[class] == 1 {
			s.first[class] = int(s.next)
		}
		ids[i] = s.next
		place := len(s.kept.Truth) + len(keep)
		taken := false
		for t := range s.draws {
			if s.draws[t].times(s.next) > 0 {
				s.bags[t] = append(s.bags[t], place)
				taken = true
			}
		}
		if taken {
			keep = append(keep, i)
		}
		s.next++
	}
	s.digest.Add(digest.Of(block, ids))
	for j := range block.Columns {
		for _, i := range keep {
			s.kept.Columns[j].Values = append(s.kept.Columns[j].Values, block.Columns[j].At(i))
		}
	}
	for _, i := range keep {
		s.kept.Truth = append(s.kept.Truth, block.Truth[i])
	}
	return nil
}

// Digest returns the digest of the rows added so far.
func (s *Sample) Digest() digest.Digest { return s.digest }

// Grow grows the trees, after the last row was added. Errors: those of [GrowTrees]; [ErrTrain] if the rows were
// not those announced to NewSample.
func (s *Sample) Grow(ctx context.Context) (*Forest, error) {
	for class, n := range s.seen {
		if n != s.rows[class] {
			return nil, fmt.Errorf("%w: %d rows of class %s have come, and %d were announced; has the data changed meanwhile?",
				ErrTrain, n, english.Quote(s.kept.Classes[class]), s.rows[class])
		}
	}
	if err := s.kept.Check(); err != nil {
		return nil, err
	}
	f, people := s.forest, s.people()
	f.Share, f.Ties, f.origin = people.share, vote.Ties(people.share, people.classes), people.origin(s.cfg, s.digest)
	return people.grow(ctx, &f, s.cfg, len(s.bags),
		func(tree int) *dataset.Frame { return s.kept.Take(s.bags[tree-f.first]) }, 0)
}

// people returns what is known of all rows, once they have come.
func (s *Sample) people() *population {
	sums := make([]float64, len(s.rows))
	for class, r := range s.rows {
		sums[class] = float64(r)
	}
	p := newPopulation(int(s.next), sums, vote.TieOrder(sums, s.first), func(yield func(int, float64) bool) {
		for class, r := range s.rows {
			if r > 0 && !yield(class, 1) {
				return
			}
		}
	}, s.cfg)
	p.rates = p.haveRates(s.forest.Schema, s.cfg)
	return p
}
