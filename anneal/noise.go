package anneal

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
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
	resamples = 200 // for a standard error
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
}

// newSample counts the rows of p, which is made of t.
func newSample(p *problem, t *vote.Table) *sample {
	s := &sample{problem: p, cells: make([]int, len(p.weight)), rank: make([]int, len(p.classes)), rows: make([]float64, len(p.weight))}
	for rank, c := range p.order {
		s.rank[c] = rank
	}
	k := len(p.classes)
	for i := range s.cells {
		s.cells[i] = i
	}
	slices.SortFunc(s.cells, func(i, j int) int {
		return cmp.Or(slices.Compare(p.dense[i*k:i*k+k], p.dense[j*k:j*k+k]), cmp.Compare(s.rank[p.truth[i]], s.rank[p.truth[j]]))
	})
	rows := 0
	for i := range t.Judged() {
		if t.WeightOf(i) > 0 {
			rows++
		}
	}
	sum, unit := 0.0, 0.0 // the greatest common divisor, next to nothing of weights that have none
	for _, w := range p.weight {
		sum += w
		unit = divisor(unit, w)
	}
	for i, w := range p.weight {
		s.rows[i] = max(1, math.Round(float64(w/sum*float64(rows))))
		if sum/unit <= mostCopies*float64(rows) {
			s.rows[i] = math.Round(w / unit)
		}
	}
	return s
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
// cell. Which cell comes first is random; so the order of the rows never matters.
func (s *sample) deal(seed uint64) [][]float64 {
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
	return dealt
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

// mostAnew is how many votes above 0 a histogram may have for a search to set out anew on each resample.
const mostAnew = 1 << 15

// again searches on a resample: with more than two classes anew on small tables, on large ones, where
// resamples differ little, once along each class from w on.
func (s *sample) again(ctx context.Context, w vote.Weights, rng *rand.Rand) (vote.Weights, error) {
	weights := make([]float64, len(s.weight))
	for _, i := range s.cells {
		weights[i] = poisson(rng, s.rows[i]) * (s.weight[i] / s.rows[i])
	}
	q := s.weighing(weights)
	if len(s.classes) == 2 || len(s.entries) <= mostAnew {
		found, err := q.quick(ctx, 2)
		if err != nil {
			return nil, err
		}
		return s.byClass(found).Scaled(s.share), nil
	}
	found := q.start(s.byRank(w))
	for rank := range found.weights {
		if err := found.lower(ctx, rank); err != nil {
			return nil, err
		}
	}
	return s.byClass(found.weights).Scaled(s.share), nil
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

// Trial is what a search is worth on rows that it did not see: the loss there, that of equal weights, and the standard error of the
// difference.
type Trial struct{ Loss, Plain, Error float64 }

// Try cross-validates the search for weights on t itself: rows are dealt into ten parts, weights are
// searched for on all but one, as [Search.Weights] does but with fewer starts, and judged on that one. The loss
// is that of the decisions on all parts together, the standard error by resampling of the rows. Errors: as there.
func (s Search) Try(ctx context.Context, t *vote.Table, m pragma.Measure) (Trial, error) {
	f, err := s.prepare(t, m)
	if err != nil {
		return Trial{}, err
	}
	return newSample(f.problem, t).try(ctx, f.search, m)
}

// try is Try, judged by a measure.
func (s *sample) try(ctx context.Context, search Search, m pragma.Measure) (Trial, error) {
	dealt := s.deal(search.Seed)
	found := make([][]float64, parts)
	group, inner := parallel.WithContext(ctx)
	group.SetLimit(search.Workers)
	for f := range dealt {
		group.Go(func() (err error) {
			others := slices.Clone(s.weight)
			for i, w := range dealt[f] {
				others[i] = max(0, others[i]-w)
			}
			part := &sample{s.weighing(others), s.cells, s.rank, make([]float64, len(others))}
			for i, w := range others {
				part.rows[i] = max(1, math.Round(float64(s.rows[i]*w/s.weight[i])))
			}
			found[f], err = part.tune(inner, search)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Trial{}, err
	}
	cells := map[triple]float64{}
	plain := s.start(slices.Repeat([]float64{1}, len(s.classes)))
	for f, weights := range found {
		tuned := s.start(weights)
		for i, w := range dealt[f] {
			if w > 0 {
				cells[triple{s.truth[i], plain.winner[i], tuned.winner[i]}] += w
			}
		}
	}
	return s.judge(cells, m, search.Seed), nil
}

// tune returns weights by rank as a search does.
func (s *sample) tune(ctx context.Context, search Search) ([]float64, error) {
	ones := slices.Repeat([]float64{1}, len(s.classes))
	w, err := s.quick(ctx, 1)
	if err != nil || search.Choice == Lowest {
		return w, err
	}
	search.Workers = 1
	shrunk, err := s.shrink(ctx, s.byClass(w), search, fewBags)
	if err != nil {
		return nil, err
	}
	if w = s.byRank(shrunk); !better(s.start(slices.Clone(w)).loss, s.start(ones).loss) {
		return ones, nil
	}
	return w, nil
}

// triple is a true class and the ranks that win under equal and under other weights.
type triple struct{ truth, plain, tuned int32 }

// standardError returns that of the loss under weights.
func (s *sample) standardError(w vote.Weights, m pragma.Measure, seed uint64) float64 {
	cells := map[triple]float64{}
	tuned := s.start(s.byRank(w))
	for i, w := range s.weight {
		cells[triple{s.truth[i], 0, tuned.winner[i]}] += w
	}
	return s.spread(cells, rand.New(rand.NewPCG(seed, errorStream)), func(_, tuned *vote.Confusion) float64 { return finite(m.Loss(tuned)) })
}

// judge returns the losses of the decisions in cells, and the standard error of their difference.
func (s *sample) judge(cells map[triple]float64, m pragma.Measure, seed uint64) Trial {
	plain, tuned := s.matrices(s.keys(cells), func(k triple) float64 { return cells[k] })
	return Trial{finite(m.Loss(tuned)), finite(m.Loss(plain)), s.spread(cells, rand.New(rand.NewPCG(seed, trialStream)), func(plain, tuned *vote.Confusion) float64 {
		return finite(m.Loss(plain)) - finite(m.Loss(tuned))
	})}
}

// spread returns the standard deviation of a figure of the decisions in cells over resamples of the rows.
func (s *sample) spread(cells map[triple]float64, rng *rand.Rand, figure func(plain, tuned *vote.Confusion) float64) float64 {
	keys := s.keys(cells)
	total, rows := 0.0, 0.0
	for i, w := range s.weight {
		total, rows = total+w, rows+s.rows[i]
	}
	sum, squares := 0.0, 0.0
	for range resamples {
		v := figure(s.matrices(keys, func(k triple) float64 { return float64(poisson(rng, cells[k]/total*rows) * (total / rows)) }))
		sum += v
		squares += float64(v * v)
	}
	mean := sum / resamples
	return math.Sqrt(max(0, squares/resamples-float64(mean*mean)))
}

// matrices returns the confusion of equal and of tuned weights for cells of the given weights.
func (s *sample) matrices(keys []triple, weight func(triple) float64) (plain, tuned *vote.Confusion) {
	plain, tuned = vote.NewConfusion(s.classes), vote.NewConfusion(s.classes)
	for _, k := range keys {
		w := weight(k)
		plain.Add(int(k.truth), s.order[k.plain], w)
		tuned.Add(int(k.truth), s.order[k.tuned], w)
	}
	return plain, tuned
}

// keys returns the keys of cells in a fixed order.
func (s *sample) keys(cells map[triple]float64) (keys []triple) {
	for k := range cells {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b triple) int {
		return cmp.Or(cmp.Compare(s.rank[a.truth], s.rank[b.truth]), cmp.Compare(a.plain, b.plain), cmp.Compare(a.tuned, b.tuned))
	})
	return keys
}

// poisson draws a variate of the Poisson distribution: by the product of uniform ones (Knuth, TAOCP 2, 3.4.1), for
// a large mean by the normal distribution, which is the sum of twelve uniform ones. (Those of libraries take
// logarithms that are not the same on all machines.)
func poisson(rng *rand.Rand, mean float64) float64 {
	if mean > 64 {
		normal := -6.0
		for range 12 {
			normal += float64(rng.Float64())
		}
		return max(0, math.Round(mean+float64(math.Sqrt(mean)*normal)))
	}
	n, limit := 0.0, portable.Exp(-mean)
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		n++
	}
	return n
}
