package c45

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/portable"
)

const (
	minCases = 2.0  // in at least two branches of a split
	gap      = 1e-5 // numbers that differ by less are not cut apart
	small    = 1e-6 // sums that differ by less are equal
)

// row is a training row, or the part of one that a missing cell has left in a branch.
type row struct {
	id     int32
	weight float64
}

// cell is a known number of a row.
type cell struct {
	value, weight float64
	class         int
}

// split parts rows by a feature.
type split struct {
	feature int
	cut     float64 // of a numeric feature: the first kid is "at most the cut"
	gain    float64 // of information, in bits for each row; of a numeric feature less what the choice of the cut costs
	ratio   float64 // of the gain to the information of the branches themselves
}

// grower grows and prunes a tree.
type grower struct {
	ctx    context.Context
	frame  *dataset.Frame
	all    []row
	many   []bool      // columns of so many levels that the mean gain is taken without them
	values [][]float64 // by column the numbers of all rows, ascending; nil before they are asked for
	cells  []cell      // room to sort in
}

// newGrower takes the rows of frame that count.
func newGrower(ctx context.Context, frame *dataset.Frame) *grower {
	g := &grower{ctx: ctx, frame: frame, many: make([]bool, len(frame.Columns)), values: make([][]float64, len(frame.Columns))}
	total := 0.0
	for i, c := range frame.Truth {
		if w := frame.WeightOf(i); c >= 0 && w > 0 {
			g.all = append(g.all, row{int32(i), w})
			total += w
		}
	}
	for j, c := range frame.Columns {
		g.many[j] = c.Kind == dataset.Categorical && float64(len(c.Levels)) > float64(0.3*total)-small
	}
	if !slices.Contains(g.many, false) {
		clear(g.many)
	}
	return g
}

// grow returns the tree before pruning.
func (g *grower) grow() (*node, error) {
	root := g.node(g.all)
	list := []*node{root}
	for i := 0; i < len(list); i++ {
		n := list[i]
		found, err := g.best(n)
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		if n.split = *found; g.frame.Columns[n.feature].Kind == dataset.Numeric {
			n.cut = g.lowered(n.feature, n.cut)
		}
		var parts [][]row
		parts, n.shares = g.part(n, n.rows)
		for _, rows := range parts {
			n.kids = append(n.kids, g.node(rows))
		}
		list = append(list, n.kids...)
	}
	return root, nil
}

// node returns a leaf of rows.
func (g *grower) node(rows []row) *node {
	return &node{rows: rows, counts: g.count(rows)}
}

// count returns the weight of rows by class.
func (g *grower) count(rows []row) []float64 {
	counts := make([]float64, len(g.frame.Classes))
	for _, r := range rows {
		counts[g.frame.Truth[r.id]] += r.weight
	}
	return counts
}

// part parts rows as n does. A row whose cell is missing goes to each kid in part, by the shares of the rows
// whose cell is known.
func (g *grower) part(n *node, rows []row) (parts [][]row, shares []float64) {
	column, branches := &g.frame.Columns[n.feature], 2
	if column.Kind == dataset.Categorical {
		branches = len(column.Levels)
	}
	parts, shares = make([][]row, branches), make([]float64, branches)
	var missing []row
	for _, r := range rows {
		if b := n.branch(column.At(int(r.id)), column.Kind); b < 0 {
			missing = append(missing, r)
		} else {
			parts[b] = append(parts[b], r)
			shares[b] += r.weight
		}
	}
	known := sum(shares)
	for b := range shares {
		if shares[b] /= known; known < small { // nothing to go by
			shares[b] = 1 / float64(branches)
		}
		if shares[b] <= small {
			continue
		}
		for _, r := range missing {
			parts[b] = append(parts[b], row{r.id, r.weight * shares[b]})
		}
	}
	return parts, shares
}

// best returns the split of the highest gain ratio among those that gain as much as splits do on average; nil
// where the rows are of one class, or no split is allowed.
func (g *grower) best(n *node) (top *split, err error) {
	total := sum(n.counts)
	if total-slices.Max(n.counts) < small {
		return nil, nil
	}
	var found []split
	mean, counted := 0.0, 0.0
	for j, column := range g.frame.Columns {
		if err := g.ctx.Err(); err != nil {
			return nil, err
		}
		search := g.numeric
		if column.Kind == dataset.Categorical {
			search = g.categorical
		}
		s, ok := search(j, n.rows, total)
		if ok {
			found = append(found, s)
		}
		if ok && !g.many[j] {
			mean += s.gain
			counted++
		}
	}
	for i, s := range found {
		if counted > 0 && s.gain >= mean/counted-1e-3 && s.ratio > small && (top == nil || s.ratio > top.ratio+small) {
			top = &found[i]
		}
	}
	return top, nil
}

// categorical returns the split of rows by the levels of column j, and whether it is allowed.
func (g *grower) categorical(j int, rows []row, total float64) (split, bool) {
	column, k := &g.frame.Columns[j], len(g.frame.Classes)
	counts, known := make([]float64, len(column.Levels)*k), make([]float64, k)
	for _, r := range rows {
		if level := column.At(int(r.id)); level == level {
			counts[int(level)*k+g.frame.Truth[r.id]] += r.weight
			known[g.frame.Truth[r.id]] += r.weight
		}
	}
	gained, large := entropy(known), 0
	branches := make([]float64, len(column.Levels))
	for b := range branches {
		bag := counts[b*k : b*k+k]
		gained -= entropy(bag)
		if branches[b] = sum(bag); branches[b] > minCases-small {
			large++
		}
	}
	return worth(j, gained/total, branches, total), large > 1
}

// numeric returns the cut of column j that gains most, and whether there is one that gains more than
// it costs to say which it is: log₂ of the number of cuts, divided by the weight of the rows (Quinlan 1996).
func (g *grower) numeric(j int, rows []row, total float64) (split, bool) {
	cells := g.sorted(j, rows)
	left, right := make([]float64, len(g.frame.Classes)), make([]float64, len(g.frame.Classes))
	for _, c := range cells {
		right[c.class] += c.weight
	}
	known := entropy(right)
	least := min(max(0.1*sum(right)/float64(len(right)), minCases), 25) - small
	highest, cuts, at := 0.0, 0.0, 0
	var branches []float64
	for i := 1; i < len(cells); i++ {
		last := cells[i-1]
		left[last.class] += last.weight
		right[last.class] -= last.weight
		if last.value+gap >= cells[i].value || sum(left) <= least || sum(right) <= least {
			continue
		}
		if gained := (known - entropy(left) - entropy(right)) / total; gained > highest+small {
			highest, at, branches = gained, i, []float64{sum(left), sum(right)}
		}
		cuts++
	}
	gained := highest - portable.Log(max(cuts, 1))/math.Ln2/total
	if gained <= small {
		return split{}, false
	}
	s := worth(j, gained, branches, total)
	if s.cut = float64(cells[at-1].value/2) + float64(cells[at].value/2); s.cut >= cells[at].value {
		s.cut = cells[at-1].value // there is no number between
	}
	return s, true
}

// sorted returns the known cells of rows in column j, ascending; they are valid until the next call.
func (g *grower) sorted(j int, rows []row) []cell {
	g.cells = g.cells[:0]
	for _, r := range rows {
		if v := g.frame.Columns[j].At(int(r.id)); v == v {
			g.cells = append(g.cells, cell{v, r.weight, g.frame.Truth[r.id]})
		}
	}
	slices.SortFunc(g.cells, func(a, b cell) int { return cmp.Compare(a.value, b.value) })
	return g.cells
}

// lowered returns the largest number of column j in all rows that is not above v, or just so much that rounding
// may have done it: a cut is a number that occurs.
func (g *grower) lowered(j int, v float64) float64 {
	if g.values[j] == nil {
		for _, c := range g.sorted(j, g.all) {
			g.values[j] = append(g.values[j], c.value)
		}
	}
	values := g.values[j]
	return values[sort.Search(len(values), func(i int) bool { return values[i]-v >= small })-1]
}

// worth returns the split of column j that gains so much and has branches of these weights. Rows whose cell is
// missing, which total has too, are one branch more.
func worth(j int, gain float64, branches []float64, total float64) split {
	info := entropy(append(branches, total-sum(branches))) / total
	return split{feature: j, gain: gain, ratio: gain / info}
}

// entropy returns the information of rows of these weights by class, in bits, times their weight n:
// n·log₂ n − Σ w·log₂ w.
func entropy(weights []float64) float64 {
	e := bits(sum(weights))
	for _, w := range weights {
		e -= bits(w)
	}
	return e
}

func bits(w float64) float64 {
	if w < small {
		return 0
	}
	return w * portable.Log(w) / math.Ln2
}

// sum returns the sum of x.
func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}
