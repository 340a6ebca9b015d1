package forest

import (
	"context"
	"slices"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// In data of chains a worker draws the bags of several trees at once. Each of them comes to need the counts of
// nearly all features in nodes of most rows. The weights of a row in all these trees lie side by side, and are added
// to its bins at once, as many as there are lanes in a vector: so a count of the root costs a tenth of what it does
// in one tree, and a tree only counts the rows that have left the root since.

const (
	batchTrees = vector.Trees
	batchLeast = 4    // trees that pay for counting
	batchRows  = 2048 // whose weights are put side by side at a time, near the processor
)

// batch is what a worker has drawn.
type batch struct {
	first   int       // its first tree,
	trees   int       // and their number
	drawn   [][]uint8 // by tree, by row, how often it is in the bag
	times   []uint8   // the same of one tree, by id
	counted bool
	bins    []*vector.TreeCounts // by feature, of each tree the weights of its rows by bin; nil if they are not counted
	weights [][batchTrees]uint16
}

func (b *batch) init(w *growth) {
	if !w.batches {
		return
	}
	b.bins, b.weights = make([]*vector.TreeCounts, len(w.columns)), make([][batchTrees]uint16, batchRows)
	for j := range w.columns {
		if w.columns[j].bin != nil {
			b.bins[j] = new(vector.TreeCounts)
		}
	}
}

// has tells whether the bag of a tree is drawn.
func (b *batch) has(number int) bool { return b.first <= number && number < b.first+b.trees }

// takesBatches tells whether trees are counted together.
func (d *coded) takesBatches() bool {
	binned := slices.ContainsFunc(d.columns, func(c codedColumn) bool { return c.bin != nil })
	return binned && d.k*len(d.columns) <= fewKept && vector.Available() && slices.Max(d.whole) < 256
}

// draw draws the bags of trees.
func (g *grower) draw(ctx context.Context, from, to int) error {
	d, b, n := g.data, &g.batch, len(g.data.class)
	b.trees, b.counted = 0, false
	for len(b.drawn) < to-from {
		b.drawn = append(b.drawn, make([]uint8, n))
	}
	for t, drawn := range b.drawn[:to-from] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.ids == nil {
			d.draw(drawn, g.cfg, from+t)
			continue
		}
		// Draws go to rows at random: to note them by id first is quicker than to look up the place of each.
		times := room(&b.times, n)
		d.draw(times, g.cfg, from+t)
		for at, id := range d.ids {
			drawn[at] = times[id]
		}
	}
	b.first, b.trees = from, to-from
	if g.batches && b.trees >= batchLeast {
		g.countTrees()
	}
	return nil
}

// countTrees counts the rows of the bags that are drawn.
func (g *grower) countTrees() {
	b, whole := &g.batch, g.data.whole
	for _, bins := range b.bins {
		if bins != nil {
			clear(bins[:])
		}
	}
	for lo := 0; lo < len(whole); lo += batchRows {
		hi := min(lo+batchRows, len(whole))
		weights := b.weights[:hi-lo]
		for t, drawn := range b.drawn[:b.trees] {
			for i, times := range drawn[lo:hi] {
				weights[i][t] = uint16(times) * whole[lo+i]
			}
		}
		for j, bins := range b.bins {
			if bins != nil {
				vector.CountTrees(bins, g.data.columns[j].bin[lo:hi], weights)
			}
		}
	}
	b.counted = true
}

// takeCounts makes what was counted for a tree the counts of its root, which weighs so much. A count that did not fit
// into its 16 bits has lost a multiple of 2¹⁶, and then those of its feature do not sum up to the weight.
func (g *grower) takeCounts(number int, weight float64) {
	if !g.batch.counted || g.kept == nil {
		return
	}
	for j, bins := range g.batch.bins {
		if bins == nil {
			continue
		}
		counts := g.keep(j, 1<<hugeBits, 1, len(g.inBag), 0)
		sum := uint64(0)
		for bin := range counts {
			n := bins[bin][number-g.batch.first]
			counts[bin] = int32(n)
			sum += uint64(n)
		}
		if float64(sum) != weight {
			g.kept[j] = g.kept[j][:0]
		}
	}
}
