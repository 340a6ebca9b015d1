package beamforest

import (
	"bytes"
	"context"
	"fmt"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// tallyFn counts votes for the part of the rows of its number.
type tallyFn struct {
	Count Count
	Run   string
}

// ProcessElement emits the bytes of the votes.
func (f *tallyFn) ProcessElement(ctx context.Context, number int, emit func([]byte)) error {
	votes, err := f.tally(ctx, number)
	if err != nil {
		return err
	}
	votes.Amount = f.Count.Amount
	b, err := bytesOf(votes)
	if err != nil {
		return err
	}
	emit(b)
	return nil
}

func (f *tallyFn) tally(ctx context.Context, number int) (*rfpragma.Tally, error) {
	c := &f.Count
	trees, err := trees.of(f.Run, func() (*rfpragma.Part, error) { return readTrees(ctx, c.Trees) })
	if err != nil {
		return nil, err
	}
	o := trees.Options()
	o.Comma, o.Decimal, o.Amount = c.Comma, c.Decimal, c.Amount
	if scanned(forest.Bag(trees.Grown.Bag), o.Weight, "") {
		return withThread(ctx, func() (*rfpragma.Tally, error) {
			rows, err := openRows(ctx, c.Data, o, 1) // the thread of the element
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			return trees.Tally(ctx, rows.Each, number, c.Parts, 1)
		})
	}
	all, err := blocks.of(f.Run, func() ([]*dataset.Frame, error) { return readBlocks(ctx, c.Data, o) })
	if err != nil {
		return nil, err
	}
	each := func(do func(*dataset.Frame) error) error {
		for _, block := range all {
			if err := do(block); err != nil {
				return err
			}
		}
		return nil
	}
	return withThread(ctx, func() (*rfpragma.Tally, error) { return trees.Tally(ctx, each, number, c.Parts, 1) })
}

// mergeTallies adds up the votes of two files. The sums do not depend on the order, so a runner may
// add up where the votes are counted or where they arrive.
func mergeTallies(a, b []byte) ([]byte, error) {
	x, err := rfpragma.ReadTally(bytes.NewReader(a), "")
	if err != nil {
		return nil, err
	}
	y, err := rfpragma.ReadTally(bytes.NewReader(b), "")
	if err != nil {
		return nil, err
	}
	sum, err := rfpragma.MergeTallies(x, y)
	if err != nil {
		return nil, err
	}
	return bytesOf(sum)
}

// writeVotesFn writes the votes for all rows.
type writeVotesFn struct{ Out string }

// ProcessElement writes the file of votes.
func (f *writeVotesFn) ProcessElement(ctx context.Context, sum []byte) error {
	votes, err := rfpragma.ReadTally(bytes.NewReader(sum), "")
	if err == nil {
		err = votes.Whole()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Out, err)
	}
	return write(ctx, f.Out, votes)
}
