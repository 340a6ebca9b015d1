package forest

import (
	"context"
)

// What a node takes from a column are the codes of its rows. In the order in which rows come these lie far apart,
// and with very many rows each has to be fetched from beyond the cache. But rows that are in one leaf of a tree are
// mostly together in the nodes of others, too. So before the trees grow, one is grown on few of the rows, all rows
// go down it, and what is kept by row is put in the order of its leaves: then the codes of a node lie in few
// stretches.
//
// It changes no tree. Rows are drawn by id, and votes are given out by id. All else that is done with the rows of a
// node is to count them and to sum their weights, which comes to the same in any order as long as the sums are
// whole, see anyOrder. Trees of hash bags have columns of their own, of few rows.

const (
	orderFrom  = 1 << 16 // rows from which that pays,
	orderTries = 8       // if there are up to so many columns for each that is tried at a node
	orderRows  = 1 << 13 // rows in the bag of the first tree; more take longer and gain no more
)

// reorders tells whether so many rows of so many columns are put in another order, if that changes no tree.
func (c Config) reorders(rows, columns int) bool {
	_, hash := c.Bag.Rows()
	return !hash && rows >= orderFrom && columns <= orderTries*c.Mtry
}

// reorder puts the rows in the order of the leaves of a tree, where that pays.
func (d *coded) reorder(ctx context.Context, c Config) error {
	if !c.reorders(len(d.class), len(d.columns)) || !d.anyOrder(c) {
		return nil
	}
	ids, err := d.byLeaf(ctx, c)
	if err != nil {
		return err
	}
	return d.moveRows(ctx, ids, c.Workers)
}

// anyOrder tells whether trees are the same to the last bit whatever the order of the rows. They are not where sums
// depend on it: those of real weights, of whole ones whose squares are beyond 2⁵³, and of levels that each node
// orders anew (turned.go).
func (d *coded) anyOrder(c Config) bool {
	if d.whole == nil {
		return false
	}
	heaviest := 0
	for _, w := range d.whole {
		heaviest = max(heaviest, int(w))
	}
	if len(d.rows)*heaviest > 1<<26 {
		return false
	}
	for j := range d.columns {
		if presentOf(d.share) > 2 && c.hasRates(d.columns[j].categorical, int(d.columns[j].most), d.share) {
			return false
		}
	}
	return true
}

// byLeaf returns the ids of the rows in the order of the leaves of a tree: first of those out of its bag, then of
// those in it.
func (d *coded) byLeaf(ctx context.Context, c Config) ([]uint32, error) {
	first := Config{Mtry: c.Mtry, SubsetLevels: c.SubsetLevels, NoReplacement: true,
		Fraction: min(1, orderRows/float64(len(d.rows)))}
	w := newGrowth(d, first.Resolved(len(d.columns)), 0, 1)
	w.counts = []uint32{} // the rows out of the bag go down the tree, but their votes are not kept
	g := newGrower(w)
	g.ways.localRows = 0
	g.kept = nil // rows are to end where their leaves are
	if _, err := g.grow(ctx, 0); err != nil {
		return nil, err
	}
	ids := g.outOfBag
	for _, r := range g.inBag {
		ids = append(ids, r.id())
	}
	return ids, nil
}

// moveRows puts the rows in the order of the ids.
func (d *coded) moveRows(ctx context.Context, ids []uint32, workers int) error {
	d.ids = ids
	var spare []uint16
	move(&d.class, &spare, ids, false)
	move(&d.whole, &spare, ids, false)
	return each(ctx, len(d.columns), workers, func(j int, spare *codedColumn) {
		c := &d.columns[j]
		move(&c.narrow, &spare.narrow, ids, c.lent)
		move(&c.wide, &spare.wide, ids, c.lent)
		c.lent = false
	})
}

// move puts what is kept by row, if it is, in the order of the ids. It goes where spare is, and leaves where it was
// as spare, unless that is lent.
func move[T any](rows, spare *[]T, ids []uint32, lent bool) {
	from, to := *rows, *spare
	if from == nil {
		return
	}
	if to == nil {
		to = make([]T, len(ids))
	}
	for at, id := range ids {
		to[at] = from[id]
	}
	*rows, *spare = to, from
	if lent {
		*spare = nil
	}
}

// places returns by id the place, nil where they are the same.
func (d *coded) places() []uint32 {
	if d.ids == nil {
		return nil
	}
	places := make([]uint32, len(d.ids))
	for at, id := range d.ids {
		places[id] = uint32(at)
	}
	return places
}

// byID returns counts, k for each row by place, by id.
func (d *coded) byID(counts []uint32) []uint32 {
	if d.ids == nil || counts == nil {
		return counts
	}
	k, out := d.k, make([]uint32, len(counts))
	for at, id := range d.ids {
		copy(out[int(id)*k:], counts[at*k:(at+1)*k])
	}
	return out
}
