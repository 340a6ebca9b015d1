package anneal

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// A table is a sample of rows. How much weights owe to chance is seen on resamples of it, and what they
// will gain on new rows by cross-validation on the table itself. No forest is grown for either.
//
// A row of weight w counts as w rows, in units of the largest number that all cells of the histogram are multiples of:
// weights that are all 7, or all rows seven times, tell no more than once. Where there is no such number, a cell
// counts as many rows as its weight has in it of the mean weight of a row.

const (
	bags      = 60  // resamples to search on, of small tables,
	someBags  = 20  // of large ones,
	fewBags   = 10  // and in a cross-validation
	parts     = 10  // of the cross-validation
	resamples = 400 // for a standard error or an interval
)

// What is drawn at random here, beside the chains and starts of [Search.run], each from a stream of its own.
const (
	dealStream  = 1 << 33
	bagStream   = 1 << 34 // plus the number of the resample
	errorStream = 1 << 35
	trialStream = 1 << 36
)

// sample is a histogram as a sample of rows.
type sample struct {
	*problem
	cells []int     // in an order that neither the names nor the order of the classes change
	rank  []int     // by class
	rows  []float64 // by cell: how many it counts as, whole
	each  []float64 // by cell: what a row of it weighs, see vote.Table.RowWeights
	// by cell, 0, 1, ... in the order of their coming; nil where rows have none, or all are of one, which cannot be
	// parted
	group []int
}

// newSample counts the rows of p, which is made of t. Where what is at stake differs from row to row, or rows have
// groups, each row is a cell of its own.
func newSample(p *problem, t *vote.Table) *sample {
	counts, n := p.weight, 0
	for i := range t.Judged() {
		if t.WeightOf(i) > 0 {
			n += t.TimesOf(i)
		}
	}
	if t.Count != nil || t.Group != nil {
		var rows []int
		for i := range t.Judged() {
			if t.WeightOf(i) > 0 {
				rows = append(rows, i)
			}
		}
		t = t.Take(rows)
		if t.Weight == nil {
			t.Weight = slices.Repeat([]float64{1}, t.Rows())
		}
		p = newProblem(t, p.measure)
		if counts = t.Count; counts == nil {
			counts = p.weight
		}
	}
	s := &sample{problem: p, cells: make([]int, len(p.weight)), rank: make([]int, len(p.classes)),
		rows: asRows(counts, n), group: numbered(t.Group)}
	s.each = s.rowWeights(t)
	for rank, c := range p.order {
		s.rank[c] = rank
	}
	k := len(p.classes)
	for i := range s.cells {
		s.cells[i] = i
	}
	slices.SortFunc(s.cells, func(i, j int) int {
		return cmp.Or(slices.Compare(p.dense[i*k:i*k+k], p.dense[j*k:j*k+k]),
			cmp.Compare(s.rank[p.truth[i]], s.rank[p.truth[j]]), cmp.Compare(p.weight[i], p.weight[j]))
	})
	return s
}

// rowWeights returns by cell what a row of it weighs, as far as t tells.
func (s *sample) rowWeights(t *vote.Table) []float64 {
	if t.Count == nil && t.Group == nil && !tables.MixedWeights(t) {
		return t.RowWeights()
	}
	each := make([]float64, len(s.rows))
	if t.Count == nil && t.Group != nil {
		for i := range each {
			each[i] = s.weight[i] / float64(t.TimesOf(i))
		}
		return each
	}
	for i, n := range s.rows {
		each[i] = s.weight[i] / n
	}
	return each
}

// numbered numbers groups in the order of their coming; nil where there are not two.
func numbered(groups []int) []int {
	number, by := map[int]int{}, make([]int, len(groups))
	for i, g := range groups {
		if _, known := number[g]; !known {
			number[g] = len(number)
		}
		by[i] = number[g]
	}
	if len(number) < 2 {
		return nil
	}
	return by
}

// asRows returns as how many rows each cell counts, whole, given its weight and how many rows there are in all.
func asRows(weights []float64, n int) []float64 {
	sum, unit := 0.0, 0.0 // the greatest common divisor, next to nothing of weights that have none
	for _, w := range weights {
		sum += w
		unit = divisor(unit, w)
	}
	rows := make([]float64, len(weights))
	for i, w := range weights {
		rows[i] = max(1, math.Round(float64(w/sum*float64(n))))
		// less, where the sums of cells share more than the weight of a row
		if all := sum / unit; all >= float64(n) && all <= mostCopies*float64(n) {
			rows[i] = math.Round(w / unit)
		}
	}
	return rows
}

// mostCopies is how many rows a row can count as in the mean.
const mostCopies = 1 << 20

// divisor returns the greatest common divisor (Euclid).
func divisor(a, b float64) float64 {
	for b > 0 {
		a, b = b, math.Mod(a, b)
	}
	return a
}

// deal deals the rows into parts, those of each class in turn, and returns their weights by part and
// cell. Which cell comes first is random; so the order of the rows never matters. Groups are dealt whole.
func (s *sample) deal(seed uint64) ([][]float64, error) {
	if s.group != nil {
		return s.dealGroups(seed)
	}
	order := slices.Clone(s.cells)
	rng := rand.New(rand.NewPCG(seed, dealStream))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.rank[s.truth[i]], s.rank[s.truth[j]]) })
	dealt := make([][]float64, parts)
	for f := range dealt {
		dealt[f] = make([]float64, len(s.rows))
	}
	next := 0
	for _, i := range order {
		each, more := math.Trunc(s.rows[i]/parts), int(math.Mod(s.rows[i], parts))
		for f := range parts {
			n := each
			if (f-next+parts)%parts < more {
				n++
			}
			dealt[f][i] = float64(n * (s.weight[i] / s.rows[i]))
		}
		next = (next + more) % parts
	}
	return dealt, nil
}

// dealGroups deals groups as folds of a cross-validation are dealt, into fewer parts where they are fewer.
func (s *sample) dealGroups(seed uint64) ([][]float64, error) {
	rows := &dataset.Frame{Classes: s.classes, Group: s.group}
	for _, c := range s.truth {
		rows.Truth = append(rows.Truth, int(c))
	}
	foldOf, err := dataset.Folds(rows, min(parts, rows.MostFolds()), seed)
	if err != nil {
		return nil, err
	}
	dealt := make([][]float64, slices.Max(foldOf)+1)
	for f := range dealt {
		dealt[f] = make([]float64, len(s.rows))
	}
	for i, f := range foldOf {
		dealt[f][i] = s.weight[i]
	}
	return dealt, nil
}

// weighing returns the problem with other weights of its rows.
func (p *problem) weighing(weights []float64) *problem {
	q := *p
	q.weight = onGrid(weights)
	q.index = nil
	return &q
}

// shrink searches on resamples, from w on, and returns what the weights found there have in common.
func (s *sample) shrink(ctx context.Context, w vote.Weights, search Search, bags int) (vote.Weights, error) {
	found := make([]vote.Weights, bags)
	group, inner := parallel.WithContext(ctx)
	group.SetLimit(search.Workers)
	for b := range bags {
		group.Go(func() (err error) {
			found[b], err = s.again(inner, w, rand.New(rand.NewPCG(search.Seed, bagStream+uint64(b))))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	out := make(vote.Weights, len(w))
	for c := range out {
		sum, squares := 0.0, 0.0
		for _, v := range found {
			l := portable.Log(v[c])
			sum += l
			squares += float64(l * l)
		}
		n := float64(bags)
		mean := sum / n
		if out[c] = 1; mean != 0 {
			square := float64(mean * mean)
			variance := max(0, squares/n-square)
			if len(w) == 2 { // a single weight is not better for being shrunk
				variance = 0
			}
			out[c] = portable.Exp(float64(mean * (square / (square + variance))))
		}
	}
	return out, nil
}

// resampled draws the rows anew, or as many of the groups that they are of.
func (s *sample) resampled(rng *rand.Rand) *problem {
	weights := make([]float64, len(s.weight))
	if s.group != nil {
		at := map[int]int{} // of the groups that have rows here
		for i, g := range s.group {
			if _, known := at[g]; s.weight[i] > 0 && !known {
				at[g] = len(at)
			}
		}
		drawn := make([]float64, len(at))
		for range drawn {
			drawn[rng.IntN(len(drawn))]++
		}
		for i, g := range s.group {
			if s.weight[i] > 0 {
				weights[i] = float64(drawn[at[g]] * s.weight[i])
			}
		}
		return s.weighing(weights)
	}
	for _, i := range s.cells {
		weights[i] = portable.Poisson(rng, s.rows[i]) * (s.weight[i] / s.rows[i])
	}
	return s.weighing(weights)
}

// A search sets out anew on each resample where the histogram has at most so many votes above 0, and the table so
// many classes: the time it takes grows with the square of their number.
const (
	mostAnew        = 1 << 15
	mostClassesAnew = 100
)

// large tells whether a table is too large to set out anew on each resample.
func (p *problem) large() bool {
	return len(p.entries) > mostAnew || len(p.order) > mostClassesAnew
}

// again searches on a resample: with more than two classes anew on small tables, on large ones, where
// resamples differ little, once along each class from w on.
func (s *sample) again(ctx context.Context, w vote.Weights, rng *rand.Rand) (vote.Weights, error) {
	q := s.resampled(rng)
	if len(s.classes) == 2 || !s.large() {
		found, err := q.quick(ctx, 2)
		if err != nil {
			return nil, err
		}
		return s.scaled(s.byClass(found)), nil
	}
	found := q.start(s.byRank(w))
	for rank := range found.weights {
		if err := found.lower(ctx, rank); err != nil {
			return nil, err
		}
	}
	return s.scaled(s.byClass(found.weights)), nil
}

// quick returns weights of a low loss: for two classes of the lowest, else of the lowest that is found along one class
// at a time from so many starts, of which the first two are not drawn at random.
func (p *problem) quick(ctx context.Context, starts int) ([]float64, error) {
	if len(p.order) == 2 {
		s, err := p.sweep(ctx)
		if err != nil {
			return nil, err
		}
		return s.weights, nil
	}
	var best *state
	for i := range starts {
		s := p.start(p.outset(i, nil))
		if err := s.descend(ctx); err != nil {
			return nil, err
		}
		if err := s.centre(ctx); err != nil {
			return nil, err
		}
		if best == nil || better(s.loss, best.loss) {
			best = s
		}
	}
	return best.weights, nil
}
