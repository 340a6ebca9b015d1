package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Before a row is voted on its cells are replaced by ranks: of a number how many thresholds of
// its feature lie below it, of a level its index. A node then compares small whole numbers,
// and a number is compared with a threshold only once for all trees.

// noRank stands for a missing cell or an unknown level. A cell goes left of a numeric cut if
// rank + m <= cut + m, where m is 1 if missing cells go left: for this one the sum is then 0.
const noRank = math.MaxUint32

// rank returns the rank of the cell v of a feature.
func (f *Forest) rank(feature int, v float64) uint32 {
	if field := &f.Schema[feature]; field.Kind == dataset.Categorical {
		if v >= 0 && v < float64(len(field.Levels)) {
			return uint32(v)
		}
		return noRank
	}
	if v != v || f.sums != nil && f.sums.missing(feature, v) {
		return noRank
	}
	return f.cuts[feature].rank(v)
}

// next returns the node that follows n for a cell of its feature.
func (f *Forest) next(n node, rank uint32) uint32 {
	l := f.layout
	feature, missing, child := l.featureOf(n), n.missing(), n.child()
	left := rank+missing <= l.cut(n)+missing
	if int(feature) < len(f.cuts) && f.Schema[feature].Kind == dataset.Categorical {
		left = f.cuts[feature].has(l.cut(n), rank+1) != (missing != 0)
	}
	if left {
		return child
	}
	return child + 1
}

// nextOf is next for the cell v of feature j, which n asks for.
func (f *Forest) nextOf(n node, j int, v float64) uint32 {
	if v == v && f.Schema[j].Kind == dataset.Numeric && (f.sums == nil || !f.sums.missing(j, v)) {
		if v <= f.cuts[j].at[f.layout.cut(n)] {
			return n.child()
		}
		return n.child() + 1
	}
	return f.next(n, f.rank(j, v))
}

// stackRanks is the number of features up to which the ranks of a row are kept on the stack.
const stackRanks = 255

// Vote adds the vote of every tree for the row x to votes (len k): 1, or, if votes are soft, [vote.Unit] in
// parts. X (len p) holds numbers, level indices, and NaN where missing. Vote allocates nothing; other lengths
// panic.
func (f *Forest) Vote(votes []uint32, x []float64) {
	p := len(f.Schema)
	if len(x) != p || len(votes) != len(f.Classes) {
		panic(fmt.Sprintf("forest: Vote of %d cells into %d counts; the forest has %d features and %d classes",
			len(x), len(votes), p, len(f.Classes)))
	}
	if f.sums != nil {
		f.voteSums(votes, x)
		return
	}
	if p > stackRanks {
		f.voteCells(votes, x)
		return
	}
	var room [stackRanks + 1]uint32
	ranks := room[:p+1]
	for j, v := range x {
		ranks[j] = f.rank(j, v)
	}
	ranks[p] = noRank
	f.voteRow(votes, ranks)
}

// voteCells casts the votes of all trees for the row x without ranking its cells first.
func (f *Forest) voteCells(votes []uint32, x []float64) {
	t := 0
	for ; t+lanes <= len(f.trees) && !f.categorical; t += lanes {
		var at [lanes]uint32
		trees := (*[lanes][]node)(f.trees[t:])
		for moved := uint32(1); moved != 0; {
			moved = 0
			for i, from := range at {
				at[i] = f.stepTo(trees[i][from], x)
				moved |= from ^ at[i]
			}
		}
		for i, leaf := range at {
			f.cast(votes, f.layout.cut(trees[i][leaf]))
		}
	}
	for _, nodes := range f.trees[t:] {
		n := nodes[0]
		for j := int(f.layout.featureOf(n)); j < len(x); j = int(f.layout.featureOf(n)) {
			n = nodes[f.nextOf(n, j, x[j])]
		}
		f.cast(votes, f.layout.cut(n))
	}
}

// stepTo is next for a numeric cut or a leaf, given the cells of the row.
func (f *Forest) stepTo(n node, x []float64) uint32 {
	j := int(f.layout.featureOf(n))
	if j >= len(x) {
		return n.child()
	}
	v, right := x[j], uint32(0)
	if v > f.thresholds[f.starts[j]+int(f.layout.cut(n))] { // no branch
		right = 1
	}
	if v != v {
		right = 1 - n.missing()
	}
	return n.child() + right
}

// walk returns the leaf of a row, of which rank returns the rank of a cell.
func (f *Forest) walk(nodes []node, rank func(feature int) uint32) uint32 {
	for i := uint32(0); ; {
		n := nodes[i]
		j := int(f.layout.featureOf(n))
		if j == len(f.cuts) {
			return i
		}
		i = f.next(n, rank(j))
	}
}

// cast adds the vote of a leaf.
func (f *Forest) cast(votes []uint32, leaf uint32) {
	k := uint32(len(f.Classes))
	switch {
	case !f.soft:
		votes[leaf]++
	case leaf < k:
		votes[leaf] += vote.Unit
	default:
		for c, share := range f.shares[(leaf-k)*k : (leaf-k+1)*k] {
			votes[c] += uint32(share)
		}
	}
}

// lanes is the number of rows that go through a tree, or of trees that a row goes through, side
// by side: while the next node of one is being fetched, the others go on.
const lanes = 8

// voteRow casts the votes of all trees for the row of the given ranks (len p+1).
func (f *Forest) voteRow(votes, ranks []uint32) {
	t := 0
	for ; t+lanes <= len(f.trees) && !f.categorical; t += lanes {
		var at [lanes]uint32
		trees := (*[lanes][]node)(f.trees[t:])
		for moved := uint32(1); moved != 0; {
			moved = 0
			for i, from := range at {
				at[i] = f.layout.step(trees[i], from, ranks, 1, 0)
				moved |= from ^ at[i]
			}
		}
		for i, leaf := range at {
			f.cast(votes, f.layout.cut(trees[i][leaf]))
		}
	}
	for _, nodes := range f.trees[t:] {
		f.cast(votes, f.layout.cut(nodes[f.walk(nodes, func(j int) uint32 { return ranks[j] })]))
	}
}

// step is next for a numeric cut or a leaf, without a branch; the rank of feature j is
// ranks[j·stride + lane].
func (l layout) step(nodes []node, from uint32, ranks []uint32, stride, lane int) uint32 {
	n := uint64(nodes[from])
	m := n >> missingBit & 1
	rank := uint64(ranks[int(n&(1<<missingBit-1)>>(l&63))*stride+lane] + uint32(m))
	return uint32(n>>childBit) + uint32((n&(1<<(l&63)-1)+m-rank)>>63) // one further if the rank is above the cut
}

// Votes returns the votes of all trees for the rows of frame, as holdout votes. Columns are matched by name; a
// level that the forest does not know is a missing cell, and a class that it does not know leaves the truth
// unknown. Workers is how many goroutines vote; 0 means GOMAXPROCS. Errors: those of [dataset.Schema.Conform];
// that of ctx.
func (f *Forest) Votes(ctx context.Context, frame *dataset.Frame, workers int) (*vote.Table, error) {
	frame, err := f.Schema.Conform(frame)
	if err != nil {
		return nil, err
	}
	table, err := f.vote(ctx, frame, workers, nil)
	if err == nil {
		table.Group = frame.Group
	}
	return table, err
}

// vote returns the votes for the rows of frame, which conforms: of all trees or, with bags, of those that left a row
// out.
func (f *Forest) vote(ctx context.Context, frame *dataset.Frame, workers int, bags *bagged) (*vote.Table, error) {
	n, k := frame.Rows(), len(f.Classes)
	table := &vote.Table{
		Classes: f.Classes, Truth: tables.TruthIn(frame, f.Classes), Weight: frame.Weight, Amount: frame.Amount,
		Share: f.Share, Ties: f.Ties,
		Counts: make([]uint32, n*k), Source: vote.Holdout, Soft: f.soft, Trees: len(f.trees),
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows, block := f.blockRows(n, workers), f.voteBlock
	switch {
	case f.sums != nil:
		block, table.Scores, table.Trees = f.voteSummed, true, 0
	case f.sparing() && bags == nil:
		block = f.voteGathered
	case f.sparing():
		block = f.voteUnranked
	}
	group, inner := parallel.WithContext(ctx)
	group.SetLimit(workers)
	for lo := 0; lo < n && inner.Err() == nil; lo += rows {
		group.Go(func() error { return block(inner, table, frame, bags, lo, min(lo+rows, n)) })
	}
	if err := errors.Join(group.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return table, nil
}

// blockRows returns how many of n rows are taken through a tree before the next tree, a multiple of lanes. The ranks
// of a block are read in order, so they need not lie near; the nodes of a tree are read all over, and have to be
// fetched for every block. So blocks are large: their ranks may take 2 MB, but each worker should have some of them.
func (f *Forest) blockRows(n, workers int) int {
	const least, cells = 8 * lanes, 1 << 19
	rows := min(cells/(len(f.Schema)+1), n/(4*workers))
	return max(least, rows/lanes*lanes)
}

// voteBlock fills the counts of rows lo to hi, tree by tree.
func (f *Forest) voteBlock(ctx context.Context, table *vote.Table, frame *dataset.Frame, bags *bagged, lo,
	hi int) error {
	ranks := f.newRanks(hi - lo)
	for j := range f.Schema {
		if f.cuts[j].count() == 0 {
			continue
		}
		col := &frame.Columns[j]
		for i := range hi - lo {
			ranks.set(i, j, f.rank(j, col.At(lo+i)))
		}
	}
	return f.voteRanks(ctx, table.Counts, ranks, bags, lo, hi)
}

// rowRanks are the ranks of the cells of rows. Those of lanes rows stand together, feature by feature: that of feature
// j for row i of them is at j·lanes + i. Rows beyond the last have ranks, too.
type rowRanks struct {
	of     []uint32
	stride int
}

func (f *Forest) newRanks(rows int) rowRanks {
	stride := (len(f.Schema) + 1) * lanes
	return rowRanks{of: make([]uint32, (rows+lanes-1)/lanes*stride), stride: stride}
}

func (r *rowRanks) set(i, j int, rank uint32) { r.of[i/lanes*r.stride+j*lanes+i%lanes] = rank }

// voteRanks fills the counts of rows lo to hi, of which ranks are given, tree by tree.
func (f *Forest) voteRanks(ctx context.Context, counts []uint32, r rowRanks, bags *bagged, lo, hi int) error {
	k, p, rows, ranks, stride := len(f.Classes), len(f.Schema), hi-lo, r.of, r.stride
	gaps := slices.Contains(ranks, noRank)
	for at := p * lanes; gaps && at < len(ranks); at += stride { // else a leaf finds the rank 0, which goes left as well
		for i := range lanes {
			ranks[at+i] = noRank
		}
	}
	in := make([]bool, rows)
	for t, nodes := range f.trees {
		if err := ctx.Err(); err != nil {
			return err
		}
		if bags != nil {
			bags.mark(in, t, lo)
		}
		for i := 0; i < rows; i += lanes {
			var at [lanes]uint32
			if group := ranks[i/lanes*stride : (i/lanes+1)*stride]; gaps || f.categorical {
				f.voteLanes(&at, nodes, group)
			} else {
				f.layout.voteKnown(&at, nodes, group)
			}
			for l := range min(lanes, rows-i) {
				if row := lo + i + l; !in[i+l] {
					f.cast(counts[row*k:row*k+k], f.layout.cut(nodes[at[l]]))
				}
			}
		}
	}
	return nil
}

// featuresPerTree is the number of features for each tree up to which it pays to rank all cells of
// a row: to rank one takes about as long as a few nodes, of which there are a dozen or two on the way.
const featuresPerTree = 8

// sparing tells whether the cells of many rows are left without ranks.
func (f *Forest) sparing() bool { return len(f.Schema) > featuresPerTree*len(f.trees) }

// voteGathered is voteBlock for rows of so many features that few of their cells are asked for, and votes of all trees.
// Cells are asked for in no order. So some rows at a time are first brought near, column by column.
func (f *Forest) voteGathered(ctx context.Context, table *vote.Table, frame *dataset.Frame, _ *bagged, lo,
	hi int) error {
	const gathered = 2 * lanes
	k, p := len(f.Classes), len(f.Schema)
	cells := make([]float64, gathered*p)
	for from := lo; from < hi; from += gathered {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := min(gathered, hi-from)
		for j := range f.cuts {
			if f.cuts[j].count() == 0 {
				continue
			}
			for i := range rows {
				cells[i*p+j] = frame.Columns[j].At(from + i)
			}
		}
		for i := range rows {
			f.voteCells(table.Counts[(from+i)*k:(from+i+1)*k], cells[i*p:(i+1)*p])
		}
	}
	return nil
}

// voteUnranked is voteGathered for votes of the trees that left a row out.
func (f *Forest) voteUnranked(ctx context.Context, table *vote.Table, frame *dataset.Frame, bags *bagged, lo,
	hi int) error {
	k, p := len(f.Classes), uint32(len(f.cuts))
	in := make([]bool, hi-lo)
	for t, nodes := range f.trees {
		if err := ctx.Err(); err != nil {
			return err
		}
		if bags != nil {
			bags.mark(in, t, lo)
		}
		for from := lo; from < hi; from += lanes {
			var at [lanes]uint32
			rows := min(lanes, hi-from)
			for moved := true; moved; {
				moved = false
				for i := range rows {
					n := nodes[at[i]]
					if j := f.layout.featureOf(n); j != p {
						at[i] = f.nextOf(n, int(j), frame.Columns[j].At(from+i))
						moved = true
					}
				}
			}
			for i := range rows {
				if !in[from-lo+i] {
					f.cast(table.Counts[(from+i)*k:(from+i+1)*k], f.layout.cut(nodes[at[i]]))
				}
			}
		}
	}
	return nil
}

// voteLanes finds the leaves of the rows of ranks (p+1 × lanes) in a tree.
func (f *Forest) voteLanes(at *[lanes]uint32, nodes []node, ranks []uint32) {
	if f.categorical {
		for i := range at {
			at[i] = f.walk(nodes, func(j int) uint32 { return ranks[j*lanes+i] })
		}
		return
	}
	l := f.layout
	var a, b, c, d, e, g, h, i uint32 // the lanes, in registers
	for {
		a1, b1, c1, d1 := l.step(nodes, a, ranks, lanes, 0), l.step(nodes, b, ranks, lanes, 1), l.step(nodes, c, ranks, lanes,
			2), l.step(nodes, d, ranks, lanes, 3)
		e1, g1, h1, i1 := l.step(nodes, e, ranks, lanes, 4), l.step(nodes, g, ranks, lanes, 5), l.step(nodes, h, ranks, lanes,
			6), l.step(nodes, i, ranks, lanes, 7)
		if (a^a1)|(b^b1)|(c^c1)|(d^d1)|(e^e1)|(g^g1)|(h^h1)|(i^i1) == 0 {
			break
		}
		a, b, c, d, e, g, h, i = a1, b1, c1, d1, e1, g1, h1, i1
	}
	*at = [lanes]uint32{a, b, c, d, e, g, h, i}
}

// voteKnown is voteLanes for rows without missing cells, and numeric features: in three quarters of
// the time. It asks only after every other step whether all have arrived.
func (l layout) voteKnown(at *[lanes]uint32, nodes []node, ranks []uint32) {
	f, m := l+64-missingBit, uint64(1)<<(l&63)-1 // to take out a feature, and a cut
	var a, b, c, d, e, g, h, i uint32            // the lanes, in registers
	for {
		a, b, c, d = stepKnown(nodes, a, ranks, 0, f, m), stepKnown(nodes, b, ranks, 1, f, m), stepKnown(nodes, c, ranks, 2,
			f, m), stepKnown(nodes, d, ranks, 3, f, m)
		e, g, h, i = stepKnown(nodes, e, ranks, 4, f, m), stepKnown(nodes, g, ranks, 5, f, m), stepKnown(nodes, h, ranks, 6,
			f, m), stepKnown(nodes, i, ranks, 7, f, m)
		a1, b1, c1, d1 := stepKnown(nodes, a, ranks, 0, f, m), stepKnown(nodes, b, ranks, 1, f, m), stepKnown(nodes, c, ranks,
			2, f, m), stepKnown(nodes, d, ranks, 3, f, m)
		e1, g1, h1, i1 := stepKnown(nodes, e, ranks, 4, f, m), stepKnown(nodes, g, ranks, 5, f, m), stepKnown(nodes, h, ranks,
			6, f, m), stepKnown(nodes, i, ranks, 7, f, m)
		if (a^a1)|(b^b1)|(c^c1)|(d^d1)|(e^e1)|(g^g1)|(h^h1)|(i^i1) == 0 {
			break
		}
		a, b, c, d, e, g, h, i = a1, b1, c1, d1, e1, g1, h1, i1
	}
	*at = [lanes]uint32{a, b, c, d, e, g, h, i}
}

// stepKnown is step where no cell is missing: up shifts a feature down, what is above it being
// shifted out, and the bits of cut are those of a cut.
func stepKnown(nodes []node, from uint32, ranks []uint32, lane int, up layout, cut uint64) uint32 {
	n := uint64(nodes[from])
	rank := uint64(ranks[int(n<<(64-missingBit)>>(up&63))*lanes+lane])
	return uint32(n>>childBit) + uint32((n&cut-rank)>>63)
}
