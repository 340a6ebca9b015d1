package anneal

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// finish turns what the searches found into a result. It believes none of them: every
// candidate is decided anew by the rule that all others use.
type finish struct {
	table     *vote.Table
	histogram *vote.Table
	measure   pragma.Measure
	problem   *problem
	search    Search
	base      pragma.Measure // the measure without floors
	given     bool           // weights are judged, nothing is searched for
	shared    sharedWeights  // of classes of few rows, as soon as doubt has found them
}

// candidate is a set of weights, scaled, whose loss on the histogram has been verified.
type candidate struct {
	weights vote.Weights
	loss    float64
}

func (f *finish) verify(w vote.Weights) candidate {
	w = f.problem.scaled(w)
	if w.Check(len(f.table.Classes)) != nil {
		return candidate{w, math.Inf(1)}
	}
	return candidate{w, finite(f.measure.Loss(f.histogram.Confuse(w)))}
}

// result chooses among the found states and fills in the result but for its method.
func (f *finish) result(ctx context.Context, found []*state) (Result, error) {
	ones := slices.Repeat(vote.Weights{1}, len(f.table.Classes))
	plain := f.verify(ones)
	best := plain
	for _, s := range found {
		if c := f.verify(f.problem.byClass(s.weights)); better(c.loss, best.loss) ||
			same(c.loss, best.loss) && farther(best.weights, c.weights) {
			best = c
		}
	}
	if better(best.loss, plain.loss) {
		s := f.problem.start(f.problem.byRank(best.weights))
		if err := s.centre(ctx); err != nil {
			return Result{}, err
		}
		if c := f.verify(f.problem.byClass(s.weights)); !better(best.loss, c.loss) {
			best = c
		}
	}
	r := Result{Weights: best.weights, Loss: f.measure.Loss(f.table.Confuse(best.weights)),
		Plain: f.measure.Loss(f.table.Confuse(nil))}
	if !better(finite(r.Loss), finite(r.Plain)) {
		r.Weights, r.Loss = ones, r.Plain
	}
	if math.IsNaN(r.Loss) || math.IsInf(r.Loss, 0) {
		return Result{}, fmt.Errorf("%w: it is %v under all weights that were tried; correct it so that it is finite",
			errMeasure, r.Loss)
	}
	return r, nil
}

// last settles the weights, and fills in what depends on them.
func (f *finish) last(ctx context.Context, r *Result) error {
	r.Warnings = f.warnings()
	lowest := r.Weights
	if err := f.doubt(ctx, r); err != nil {
		return err
	}
	r.Origins = f.origins(lowest, r)
	s := f.problem.start(f.problem.byRank(r.Weights))
	if err := f.intervals(ctx, s, r); err != nil {
		return err
	}
	tuned := f.table.Confuse(r.Weights)
	r.Loss, r.Plain = f.base.Loss(tuned), f.base.Loss(f.table.Confuse(nil))
	return f.floors(ctx, tuned)
}

// doubt puts what resamples agree on in the place of the weights of the lowest loss, if Choice is Careful: all the
// way, or as far as the loss may rise and the floors are still reached. Several weights whose gain is not proven,
// or gone, give way to a single number, see unproven.
func (f *finish) doubt(ctx context.Context, r *Result) error {
	plain := slices.Repeat(vote.Weights{1}, len(r.Weights))
	if f.search.Choice == Lowest || f.table.Source == vote.Train || slices.Equal(r.Weights, plain) {
		return nil
	}
	sample := newSample(f.problem, f.table)
	shrunk, err := sample.shrink(ctx, r.Weights, f.search, f.bags())
	if err != nil {
		return err
	}
	if f.shared, err = f.search.share(ctx, sample, sharedBelow, f.bags()); err != nil {
		return err
	}
	r.Weights, shrunk = f.shared.in(r.Weights), f.shared.in(shrunk)
	limit, within := f.verify(r.Weights).loss, !f.search.missed(f.histogram.Confuse(r.Weights))
	if se := sample.standardError(r.Weights, f.base, f.search.Seed); se > 0 {
		x := min(se/limit/vague, 1)
		limit += float64(allowed * se * x * x / (1 - float64(x*x)))
	}
	for part := 4; part > 0; part-- {
		c := f.verify(between(r.Weights, shrunk, float64(part)/4))
		if c.loss > limit || within && f.search.missed(f.histogram.Confuse(c.weights)) {
			continue
		}
		if r.Weights = c.weights; !better(c.loss, f.verify(plain).loss) {
			return f.unproven(ctx, sample, r, note.New("the search finds other weights on other samples of these rows"))
		}
		break
	}
	return f.prove(ctx, sample, r)
}

// bags is how many resamples to search on.
func (f *finish) bags() int {
	if f.problem.large() {
		return someBags
	}
	return bags
}

// several tells whether more than one weight is searched for; the other classes of two have the weight 1.
func (f *finish) several() bool { return len(f.table.Classes) > 2 }

// prove keeps weights that gain a lot on the table itself, or enough in a cross-validation on it. What floors ask
// for needs no proof, nor does the weight of a class of two as which it is better to decide all rows than as the
// other. Source of the bounds: the study in bench/tuning.
func (f *finish) prove(ctx context.Context, s *sample, r *Result) error {
	if len(f.search.Floors) > 0 || f.leans(r.Weights) {
		return nil
	}
	needs, tells := enough, "the gain over the plain vote is smaller than three standard errors"
	if !f.several() {
		needs, tells = enoughOfOne, "the gain over the plain vote is smaller than 0.7 standard errors"
	}
	here := s.here(r.Weights, f.base, f.search.Seed)
	// which has no standard error
	if here.Plain-here.Loss >= obvious*here.Error || math.IsInf(here.Plain, 1) && !math.IsInf(here.Loss, 1) {
		return nil
	}
	trial, err := s.try(ctx, f.search, f.base, f.search.tune)
	if err != nil {
		return err
	}
	if trial.Plain-trial.Loss > needs*trial.Error {
		r.trial = &trial
		return nil
	}
	return f.unproven(ctx, s, r, note.New(tells))
}

// leans tells whether, of two classes, it is better to decide all rows as the one that w favours than as the other:
// then w goes where the measure points, and few rows are no reason not to follow.
func (f *finish) leans(w vote.Weights) bool {
	if f.several() {
		return false
	}
	var all [2]float64
	for c := range all {
		m := vote.NewConfusion(f.table.Classes)
		for i := range f.histogram.Judged() {
			m.Add(f.histogram.Truth[i], c, f.histogram.WeightOf(i))
		}
		all[c] = finite(f.measure.Loss(m))
	}
	if w[1] > w[0] {
		return better(all[1], all[0])
	}
	return better(all[0], all[1])
}

// Standard errors of the gain.
const (
	obvious       = 10.0 // on the table that the weights were searched on, where some of it is chance
	enough        = 3.0  // in a cross-validation,
	enoughOfPower = 1.0  // of the one number in the place of several weights,
	enoughOfOne   = 0.7  // and of the one weight of two classes
)

// Shrinking may raise the loss on the table at hand by allowed·x²/(1−x²) standard errors, where x is one of them
// over a fifth of the loss: by next to nothing where the loss is known well, and as much as it will where the
// standard error is a fifth of the loss or more, as the lowest loss says little there.
const (
	allowed = 2
	vague   = 0.2
)

// between returns weights on the straight way, in logarithms, from a to b.
func between(a, b vote.Weights, part float64) vote.Weights {
	w := make(vote.Weights, len(a))
	for c := range w {
		from, to := portable.Log(a[c]), portable.Log(b[c])
		w[c] = portable.Exp(from + float64(part*(to-from)))
	}
	return w
}

// farther tells whether a is farther from equal weights than b, by ratio.
func farther(a, b vote.Weights) bool {
	distance := func(w vote.Weights) float64 {
		var sum portable.Sum
		for _, v := range w {
			sum.Add(math.Abs(portable.Log(v)))
		}
		return sum.Value()
	}
	return better(distance(b), distance(a))
}

// intervals fills in Low and High, and warns of weights that leave the votes no say.
func (f *finish) intervals(ctx context.Context, s *state, r *Result) error {
	k := len(f.table.Classes)
	r.Low, r.High = make([]float64, k), make([]float64, k)
	edges := make([]error, k)
	for rank, c := range f.problem.order {
		l, err := s.along(ctx, rank)
		if err != nil {
			return err
		}
		r.Low[c], r.High[c] = l.around(r.Weights[c], s.loss)
		edges[c] = f.edge(l, r.Weights, c)
	}
	if slices.ContainsFunc(r.Weights, func(w float64) bool { return w != 1 }) {
		for _, err := range edges {
			if err != nil {
				r.Warnings = append(r.Warnings, err)
			}
		}
	}
	return nil
}

// edge warns of a weight so large that one vote for the class is enough, or so small that all
// votes but one are not. That all rows of the table have turned is not enough to say so: the
// rule is asked, with the votes of all trees, against the most common of the other classes.
func (f *finish) edge(l line, w vote.Weights, c int) error {
	t := f.table
	n, k := len(l.cuts), len(t.Classes)
	trees := uint32(min(int64(t.Trees), math.MaxUint32))
	if n == 0 || t.Trees < 2 {
		return nil
	}
	other := f.problem.order[0]
	if other == c {
		other = f.problem.order[1]
	}
	decided := func(own, others uint32) bool {
		votes := make([]uint32, k)
		votes[c], votes[other] = own, others
		return t.Rule(w).Decide(votes) == c
	}
	switch {
	case w[c] > l.cuts[n-1] && decided(1, trees-1):
		return note.New("one vote of %d is now enough for class %s, against all others for %s", trees,
			english.Quote(t.Classes[c]), english.Quote(t.Classes[other])).Wrapping(ErrEdge)
	case w[c] < l.cuts[0] && k > 2 && !decided(trees-1, 1):
		return note.New("all votes of %d but one are now too few for class %s, against that one for %s", trees,
			english.Quote(t.Classes[c]), english.Quote(t.Classes[other])).Wrapping(ErrEdge)
	}
	return nil
}

// FewRows is the number of rows of a class below which its weight may follow chance, and a warning says so: the
// recall 0.8 of 50 rows has a standard error of 0.06.
const FewRows = 50

// fewTrees makes out-of-bag votes uncertain enough to say so: a row has about a third of them.
const fewTrees = 200

// warnings tells what the table lets fear, whatever weights were found.
func (f *finish) warnings() []error {
	var warnings []error
	t := f.table
	rows, unknown := make([]int, len(t.Classes)), 0
	for i := range t.Judged() {
		if t.WeightOf(i) > 0 {
			rows[t.Truth[i]] += t.TimesOf(i)
		}
	}
	for i, c := range t.Truth {
		if c < 0 {
			unknown += t.TimesOf(i)
		}
	}
	rarest, few := -1, 0
	for c, n := range rows {
		if 0 < n && n < FewRows {
			few++
		}
		if n == 0 {
			warnings = append(warnings, fmt.Errorf("class %s has no rows that can be judged: its weight is not tuned for it",
				english.Quote(t.Classes[c])))
		}
	}
	for _, c := range f.problem.order {
		if n := rows[c]; n > 0 && (rarest < 0 || n <= rows[rarest]) {
			rarest = c
		}
	}
	if n := rows[rarest]; n < FewRows && !f.given {
		also := note.New("")
		if more := few - 1; more > 0 {
			also = note.New(" (other classes with few rows: %v)", note.Count(more))
		}
		warnings = append(warnings, note.New(
			"class %s has few rows, %v instead of at least %d%v: the weights may follow chance; more rows would help",
			english.Quote(t.Classes[rarest]), note.Count(n), FewRows, also))
	}
	warnings = append(warnings, f.fewInSlices()...)
	if t.Source == vote.OOB && t.Trees < fewTrees {
		warnings = append(warnings, fmt.Errorf(
			"out-of-bag votes of %s are few for each row: the weights fit whole forests badly; grow %d trees, or use cv votes",
			english.Plural(t.Trees, "tree"), fewTrees))
	}
	if n := t.Unvoted(); n > 0 && t.Source != vote.Forward { // where the first rows have none
		warnings = append(warnings, note.New("rows without votes were left out, %v of %v", note.Count(n),
			note.Count(tables.Stands(t))))
	}
	if unknown > 0 {
		warnings = append(warnings, note.New("rows without a known class were left out, %v of %v", note.Count(unknown),
			note.Count(tables.Stands(t))))
	}
	return warnings
}

// fewInSlices warns of floors of slices that few rows tell of.
func (f *finish) fewInSlices() []error {
	var out []error
	for _, floor := range f.search.Floors {
		if floor.OfAll() {
			continue
		}
		at, rows := slices.Index(f.table.Slices, floor.Slice), 0
		for i := range f.table.Judged() {
			if f.table.InOf(i)>>at&1 == 1 && f.table.WeightOf(i) > 0 && counts(floor, f.table.Truth[i]) {
				rows += f.table.TimesOf(i)
			}
		}
		if rows < FewRows {
			out = append(out, note.New("%s is counted on few rows, %v instead of at least %d: it may be kept by chance; more "+
				"rows would help", floor.Text(f.table.Classes), note.Count(rows), FewRows).Wrapping(ErrFewInSlice))
		}
	}
	return out
}

// counts tells whether rows of a class tell of a floor, those of precision being at least the rows of its class.
func counts(f pragma.Floor, truth int) bool {
	switch f.What {
	case pragma.RecallFloor, pragma.PrecisionFloor:
		return truth == f.Class
	case pragma.FalseAlarms:
		return truth != f.Class
	}
	return true
}
