package anneal

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/paired"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Trial says what a search is worth on rows that it did not see.
type Trial struct {
	Loss      float64         // each row decided by weights that were found without it
	Plain     float64         // all rows decided by equal weights
	Error     float64         // standard error of Plain − Loss
	Interval  [2]float64      // has Loss in 95 of 100 resamples of the rows
	Confusion *vote.Confusion // of the decisions under the weights found
	// Recall and Precision are, for each class, Wilson's intervals at 95 %, see [calib.Wilson], for the
	// effective number of rows; [0, 1] if there are none.
	Recall    [][2]float64
	Precision [][2]float64
	// likewise for each slice of the table, which Confusion counts apart
	SliceRecall    [][][2]float64
	SlicePrecision [][][2]float64
	Groups         int // number of groups that the rows belong to; 0 without groups
	// EffectiveGroups is the number of groups of equal weight that would tell as much, see [effective.Share]. If
	// they are [effective.TooFew], Error and Interval say little.
	EffectiveGroups float64
	Weights         []vote.Weights // for each part, the weights found on the other parts; nil if none were searched
}

// Expect is [Search.Try] for the weights found by [Search.Weights] with the same search, table and measure. It
// reuses the cross-validation if that search has made one. If the weights are 1 each, because nothing else was
// proven to gain, it says what to expect of them. Errors: those of [Search.Weights].
func (s Search) Expect(ctx context.Context, t *vote.Table, m pragma.Measure, found Result) (Trial, error) {
	if found.trial != nil {
		return *found.trial, nil
	}
	if slices.ContainsFunc(found.Weights, func(w float64) bool { return w != 1 }) {
		return s.Try(ctx, t, m)
	}
	f, err := s.prepare(t, m)
	if err != nil {
		return Trial{}, err
	}
	if err := found.Weights.Check(len(t.Classes)); err != nil || found.Weights == nil {
		return Trial{}, fmt.Errorf("%w: what was found has no weights for these classes; give a Result of Weights (%w)",
			ErrSetting,
			cmp.Or(err, vote.ErrShape))
	}
	return newSample(f.problem, t).here(found.Weights, m, f.search.Seed), nil
}

// Try cross-validates the search for weights on t itself. It divides the rows into ten parts, and for each part
// searches for weights on the others and judges them on it. It searches as [Search.Weights] does, but with
// fewer starts and without asking for proof of several weights, or of the one number in their place. Loss is
// that of the decisions on all parts together; the standard error is by resampling the rows. If rows have
// groups, whole groups are divided and resampled. Errors: those of [Search.Weights].
func (s Search) Try(ctx context.Context, t *vote.Table, m pragma.Measure) (Trial, error) {
	f, err := s.prepare(t, m)
	if err != nil {
		return Trial{}, err
	}
	return newSample(f.problem, t).try(ctx, f.search, m, f.search.tune)
}

// try is Try of any way to find weights, by rank, on the rows of all parts but one.
func (s *sample) try(ctx context.Context, search Search, m pragma.Measure,
	tune func(context.Context, *sample) ([]float64, error)) (Trial, error) {
	dealt, err := s.deal(search.Seed)
	if err != nil {
		return Trial{}, err
	}
	found := make([][]float64, len(dealt))
	group, inner := parallel.WithContext(ctx)
	group.SetLimit(search.Workers)
	for f := range dealt {
		group.Go(func() (err error) {
			others := slices.Clone(s.weight)
			for i, w := range dealt[f] {
				others[i] = max(0, others[i]-w)
			}
			part := &sample{s.weighing(others), s.cells, s.rank, make([]float64, len(others)), s.each, s.group}
			for i, w := range others {
				part.rows[i] = max(1, math.Round(float64(s.rows[i]*(w/s.weight[i]))))
			}
			found[f], err = tune(inner, part)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Trial{}, err
	}
	t := s.judge(s.pair(slices.Repeat([]float64{1}, len(s.classes)), found, dealt), m, search.Seed)
	s.slice(&t, found, dealt)
	for _, weights := range found {
		t.Weights = append(t.Weights, s.scaled(s.byClass(weights)))
	}
	return t, nil
}

// Gain returns by how much the loss of trial is lower than that of fixed weights on the same rows, and the
// standard error of that. Trial is the result of [Search.Expect] or [Search.Try] with the same search, table
// and measure. Errors: those of [Search.Weights] and of [vote.Weights.Check].
func (s Search) Gain(t *vote.Table, m pragma.Measure, trial Trial, fixed vote.Weights) (gain, standardError float64,
	err error) {
	f, err := s.prepare(t, m)
	if err != nil {
		return 0, 0, err
	}
	if err := fixed.Check(len(t.Classes)); err != nil {
		return 0, 0, err
	}
	if fixed == nil {
		fixed = slices.Repeat(vote.Weights{1}, len(t.Classes))
	}
	for _, w := range trial.Weights {
		if w == nil {
			return 0, 0, fmt.Errorf("%w: a trial without weights for a part; give one of Expect or Try", ErrSetting)
		}
		if err := w.Check(len(t.Classes)); err != nil {
			return 0, 0, err
		}
	}
	sample := newSample(f.problem, t)
	found, dealt := [][]float64{slices.Repeat([]float64{1}, len(t.Classes))}, [][]float64{sample.weight}
	if trial.Weights != nil {
		if dealt, err = sample.deal(s.Seed); err != nil {
			return 0, 0, err
		}
		found = nil
		for _, w := range trial.Weights {
			found = append(found, sample.byRank(w))
		}
	}
	beside := sample.judge(sample.pair(sample.byRank(fixed), found, dealt), m, s.Seed)
	return beside.Plain - beside.Loss, beside.Error, nil
}

// pair counts what fixed weights decide, and on each part those that were found without it. Weights are by rank.
func (s *sample) pair(fixed []float64, found, dealt [][]float64) *paired.Decisions {
	pair, plain := paired.New(s.classes, s.rank), s.start(fixed)
	for f, weights := range found {
		s.count(pair, plain, s.start(weights), dealt[f])
	}
	return pair
}

// tune returns weights by rank as a search does.
func (s Search) tune(ctx context.Context, part *sample) ([]float64, error) {
	ones := slices.Repeat([]float64{1}, len(part.classes))
	w, err := part.quick(ctx, 1)
	if err != nil || s.Choice == Lowest {
		return w, err
	}
	s.Workers = 1
	lowest := part.byClass(w)
	shrunk, err := part.shrink(ctx, lowest, s, fewBags)
	if err != nil {
		return nil, err
	}
	shared, err := s.share(ctx, part, sharedBelow*(parts-1)/parts, fewBags)
	if err != nil {
		return nil, err
	}
	shrunk = shared.in(shrunk)
	if w = part.byRank(s.keeping(part, lowest, shrunk)); !better(part.start(slices.Clone(w)).loss, part.start(ones).loss) {
		return ones, nil
	}
	return w, nil
}

// keeping returns shrunk weights, or where these miss floors that those of the lowest loss keep the first on the
// way back to them, in quarters, that keep them too.
func (s Search) keeping(part *sample, lowest, shrunk vote.Weights) vote.Weights {
	missed := func(w vote.Weights) bool { return s.missed(part.start(part.byRank(w)).counts) }
	if len(s.Floors) == 0 || missed(lowest) || !missed(shrunk) {
		return shrunk
	}
	for quarters := 3; quarters > 0; quarters-- {
		if w := between(lowest, shrunk, float64(quarters)/4); !missed(w) {
			return w
		}
	}
	return lowest
}

// count adds rows to pair: of each cell a weight, all of it or a part.
func (s *sample) count(pair *paired.Decisions, plain, tuned *state, weight []float64) {
	for i, w := range weight {
		pair.Add(int(s.truth[i]), s.order[plain.winner[i]], s.order[tuned.winner[i]], w, s.each[i])
		if s.group != nil {
			pair.Join(s.group[i], int(s.truth[i]), s.order[plain.winner[i]], s.order[tuned.winner[i]], w)
		}
	}
}

// standardError returns that of the loss under weights.
func (s *sample) standardError(w vote.Weights, m pragma.Measure, seed uint64) float64 {
	pair, tuned := paired.New(s.classes, s.rank), s.start(s.byRank(w))
	s.count(pair, tuned, tuned, s.weight)
	var losses []float64
	pair.Resample(rand.New(rand.NewPCG(seed, errorStream)), resamples,
		func(_, tuned *vote.Confusion) { losses = append(losses, finite(m.Loss(tuned))) })
	return deviation(losses)
}

// here says what weights are worth on the very rows, to which they owe something.
func (s *sample) here(w vote.Weights, m pragma.Measure, seed uint64) Trial {
	pair := paired.New(s.classes, s.rank)
	s.count(pair, s.start(slices.Repeat([]float64{1}, len(s.classes))), s.start(s.byRank(w)), s.weight)
	t := s.judge(pair, m, seed)
	s.slice(&t, [][]float64{s.byRank(w)}, [][]float64{s.weight})
	return t
}

// slice has the matrix of a trial count slices apart, if there are some. Found are weights by rank that decide so much
// of the weight of each cell.
func (s *sample) slice(t *Trial, found, dealt [][]float64) {
	if s.slices == nil {
		return
	}
	t.Confusion = s.confusion()
	pairs := make([]*paired.Decisions, len(s.slices))
	for at := range pairs {
		pairs[at] = paired.New(s.classes, s.rank)
	}
	for f, weights := range found {
		by := s.start(slices.Clone(weights))
		for i, w := range dealt[f] {
			t.Confusion.AddIn(int(s.truth[i]), s.order[by.winner[i]], w, s.inOf(i))
		}
		for at, pair := range pairs {
			within := slices.Clone(dealt[f])
			for i := range within {
				if s.inOf(i)>>at&1 == 0 {
					within[i] = 0
				}
			}
			s.count(pair, by, by, within)
		}
	}
	for at, pair := range pairs {
		recall, precision := s.intervals(pair, t.Confusion.Slice(s.slices[at]))
		t.SliceRecall, t.SlicePrecision = append(t.SliceRecall, recall), append(t.SlicePrecision, precision)
	}
}

// judge says what the second rule of a pair is worth, the first one being plain.
func (s *sample) judge(pair *paired.Decisions, m pragma.Measure, seed uint64) Trial {
	plain, tuned := pair.Confusions()
	var losses, gains []float64
	pair.Resample(rand.New(rand.NewPCG(seed, trialStream)), resamples, func(plain, tuned *vote.Confusion) {
		loss := finite(m.Loss(tuned))
		losses, gains = append(losses, loss), append(gains, finite(m.Loss(plain))-loss)
	})
	t := Trial{Loss: finite(m.Loss(tuned)), Plain: finite(m.Loss(plain)), Error: deviation(gains),
		Interval: central(losses), Confusion: tuned}
	t.Groups, t.EffectiveGroups = pair.Groups()
	t.Recall, t.Precision = s.intervals(pair, tuned)
	return t
}

// intervals returns by class those of the recall and precision of the second rule of a pair, whose matrix is tuned.
func (s *sample) intervals(pair *paired.Decisions, tuned *vote.Confusion) (recalls, precisions [][2]float64) {
	for c := range s.classes {
		hit := func(truth, _, decided int) bool { return truth == c && decided == c }
		recall, _ := tuned.Recall(c)
		precision, _ := tuned.Precision(c)
		recalls = append(recalls, wilson(recall, pair.Share(func(truth, _, _ int) bool { return truth == c }, hit)))
		precisions = append(precisions, wilson(precision,
			pair.Share(func(_, _, decided int) bool { return decided == c }, hit)))
	}
	return recalls, precisions
}

// wilson returns the interval of a share of rows. A resample of rows that are all decided right is all right too,
// and would say that new ones are.
func wilson(share float64, of *effective.Share) [2]float64 {
	share = min(share, 1)
	n := of.Effective(share, 1)
	low, high := calib.Wilson(float64(share*n), n, calib.Z95)
	return [2]float64{low, high}
}

// central returns the ends of the middle 95 of 100 values.
func central(values []float64) [2]float64 {
	n := len(values)
	slices.Sort(values)
	return [2]float64{values[n/40], values[n-1-n/40]}
}

// deviation returns the standard deviation of values.
func deviation(values []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += float64(v * v)
	}
	n := float64(len(values))
	mean := sum / n
	return math.Sqrt(max(0, squares/n-float64(mean*mean)))
}
