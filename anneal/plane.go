package anneal

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/vote"
)

// The lowest loss of three classes. With the weights 1, x and y of the three ranks, a row prefers the second rank
// to the first beyond x = a, its votes for the first over those for the second; the third to the first beyond y =
// b, and the third to the second beyond y/x = c, both alike. So three families of straight lines, in logarithms,
// part all weights there are into cells within which nothing changes, and a walk through them finds the lowest loss
// (for any fixed number of classes that takes polynomial time: Bourke, Deng, Scott, Schapire, Vinodchandran,
// Machine Learning 71, 2008).
//
// Between two neighbouring values of a, the strip, the rows that have larger ones are those of the left: they are
// decided as the first rank, or as the third beyond b; the others, of the right, as the second, or as the third
// beyond c. So a cell of a strip is a place among the b of the left and one among the c of the right.

// mostCells is the largest number of cells that are looked at: some seconds.
const mostCells = 1 << 25

// planeSide are the rows of one side of a strip, by the value at which they turn to the third rank.
type planeSide struct {
	at  []float64   // different values, ascending, from 0 to +Inf, both included
	sum [][]float64 // by place g, between at[g] and at[g+1]: the weight of rows turned, by kind
	all []float64   // the weight of all rows, by kind
}

// plane is the walk.
type plane struct {
	*problem
	a, b, c  []float64 // by row
	byB, byC []int32   // the rows in the order of b and of c
	kind     []int32   // by row: its class, and in which slices it is
	kinds    []kindOf
	counts   *vote.Confusion
	cells    []float64
	best     float64
	x, y     float64
}

// kindOf is what rows of a kind have in common.
type kindOf struct {
	truth int
	in    uint64
}

// plane returns the state of the lowest loss of three classes. It is nil if there are too many cells.
func (p *problem) plane(ctx context.Context) (*state, error) {
	w := &plane{problem: p, counts: p.confusion(), cells: make([]float64, 9), best: math.Inf(1), x: 1, y: 1}
	w.lines()
	w.sort()
	values := distinct(w.a)
	if len(values)*len(p.truth)+len(distinct(w.b))*len(distinct(w.c)) > mostCells {
		return nil, nil
	}
	bounds := slices.Concat([]float64{0}, values, []float64{math.Inf(1)})
	for g := range len(bounds) - 1 {
		if bounds[g+1] <= bounds[g]*dust {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.strip(bounds[g], bounds[g+1])
	}
	return p.start([]float64{1, w.x, w.y}), nil
}

// lines computes a, b and c. A row with votes for the third rank alone is always on the left, with b = 0.
func (w *plane) lines() {
	n := len(w.truth)
	w.a, w.b, w.c = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		v0, v1, v2 := w.votes(i, 0), w.votes(i, 1), w.votes(i, 2)
		w.a[i], w.b[i], w.c[i] = over(v0, v1), over(v0, v2), over(v1, v2)
		w.byB, w.byC = append(w.byB, int32(i)), append(w.byC, int32(i))
	}
	slices.SortFunc(w.byB, func(i, j int32) int { return cmp.Compare(w.b[i], w.b[j]) })
	slices.SortFunc(w.byC, func(i, j int32) int { return cmp.Compare(w.c[i], w.c[j]) })
}

// sort finds the kinds of the rows: the classes, in their order, then those of rows in slices as they come.
func (w *plane) sort() {
	at := map[kindOf]int32{}
	for c := range w.classes {
		at[kindOf{truth: c}] = int32(c)
		w.kinds = append(w.kinds, kindOf{truth: c})
	}
	w.kind = w.truth
	if w.in == nil {
		return
	}
	w.kind = make([]int32, len(w.truth))
	for i, truth := range w.truth {
		k := kindOf{int(truth), w.in[i]}
		if _, known := at[k]; !known {
			at[k] = int32(len(w.kinds))
			w.kinds = append(w.kinds, k)
		}
		w.kind[i] = at[k]
	}
}

// over returns v/w, or +Inf if w is 0.
func over(v, w float64) float64 {
	if w == 0 {
		return math.Inf(1)
	}
	return v / w
}

// distinct returns the different values but 0 and +Inf, ascending.
func distinct(values []float64) []float64 {
	sorted := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v == 0 || math.IsInf(v, 1) })
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// strip goes through the cells with x between two values.
func (w *plane) strip(low, high float64) {
	left := w.side(w.byB, w.b, func(i int32) bool { return w.a[i] >= high })
	right := w.side(w.byC, w.c, func(i int32) bool { return w.a[i] < high })
	first := 0
	for g := range left.sum {
		for first+1 < len(right.sum) && right.at[first+1] <= left.at[g]/high {
			first++
		}
		for h := first; h < len(right.sum) && (h == first || right.at[h] < over(left.at[g+1], low)); h++ {
			w.cell(low, high, left, right, g, h)
		}
	}
}

// side sums up the rows of one side, which come in the order of at.
func (w *plane) side(rows []int32, at []float64, isIn func(int32) bool) planeSide {
	k := len(w.kinds)
	s := planeSide{at: []float64{0}, sum: [][]float64{make([]float64, k)}, all: make([]float64, k)}
	for _, i := range rows {
		if !isIn(i) {
			continue
		}
		v, kind := at[i], w.kind[i]
		s.all[kind] += w.weight[i]
		if math.IsInf(v, 1) {
			continue
		}
		if v > s.at[len(s.at)-1]*dust {
			s.at = append(s.at, v)
			s.sum = append(s.sum, slices.Clone(s.sum[len(s.sum)-1]))
		}
		s.sum[len(s.sum)-1][kind] += w.weight[i]
	}
	s.at = append(s.at, math.Inf(1))
	return s
}

// cell looks at the weights of a strip at a place of either side, if there are any.
func (w *plane) cell(low, high float64, left, right planeSide, g, h int) {
	x0, x1 := max(low, left.at[g]/right.at[h+1]), min(high, over(left.at[g+1], right.at[h]))
	if !(x0*dust < x1) {
		return
	}
	w.count(w.counts, left, right, g, h, 0)
	for at, name := range w.slices {
		w.count(w.counts.Slice(name), left, right, g, h, 1<<at)
	}
	loss := finite(w.measure.Loss(w.counts))
	if better(w.best, loss) {
		return
	}
	x := middle(x0, x1)
	y := middle(max(left.at[g], x*right.at[h]), min(left.at[g+1], x*right.at[h+1]))
	if !ordinary(x) || !ordinary(y) || !better(loss, w.best) && away(x)*away(y) >= away(w.x)*away(w.y) {
		return
	}
	w.best, w.x, w.y = loss, x, y
}

// count fills a matrix with the rows of a cell that are in a slice, or with all where that is 0.
func (w *plane) count(to *vote.Confusion, left, right planeSide, g, h int, slice uint64) {
	k := len(w.classes)
	clear(w.cells)
	for i, kind := range w.kinds {
		if kind.in&slice != slice {
			continue
		}
		l, r, t := left.sum[g][i], right.sum[h][i], kind.truth*k
		w.cells[t+w.order[0]] += left.all[i] - l
		w.cells[t+w.order[1]] += right.all[i] - r
		w.cells[t+w.order[2]] += l + r
	}
	_ = to.Fill(w.cells) // as many as it has
}
