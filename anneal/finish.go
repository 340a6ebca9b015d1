package anneal

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
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
}

// candidate is a set of weights, scaled, whose loss on the histogram has been verified.
type candidate struct {
	weights vote.Weights
	loss    float64
}

func (f *finish) verify(w vote.Weights) candidate {
	w = w.Scaled(f.table.Share)
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
		if c := f.verify(f.problem.byClass(s.weights)); better(c.loss, best.loss) || same(c.loss, best.loss) && farther(best.weights, c.weights) {
			best = c
		}
	}
	evaluations := 0
	if better(best.loss, plain.loss) {
		s := f.problem.start(f.problem.byRank(best.weights))
		if err := s.centre(ctx); err != nil {
			return Result{}, err
		}
		evaluations = s.evaluations
		if c := f.verify(f.problem.byClass(s.weights)); !better(best.loss, c.loss) {
			best = c
		}
	}
	r := Result{Weights: best.weights, Loss: f.measure.Loss(f.table.Confuse(best.weights)), Plain: f.measure.Loss(f.table.Confuse(nil))}
	if !better(finite(r.Loss), finite(r.Plain)) {
		r.Weights, r.Loss = ones, r.Plain
	}
	if math.IsNaN(r.Loss) || math.IsInf(r.Loss, 0) {
		return Result{}, fmt.Errorf("%w: it is %v under all weights that were tried; correct it so that it is finite", ErrMeasure, r.Loss)
	}
	r.Warnings = f.warnings()
	s := f.problem.start(f.problem.byRank(r.Weights))
	err := f.intervals(ctx, s, &r)
	r.Evaluations = evaluations + s.evaluations
	return r, err
}

// farther tells whether a is farther from equal weights than b, by ratio.
func farther(a, b vote.Weights) bool {
	distance := func(w vote.Weights) float64 {
		sum := 0.0
		for _, v := range w {
			sum += math.Abs(portable.Log(v))
		}
		return sum
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
	trees := uint32(min(t.Trees, math.MaxUint32))
	if n == 0 || t.Trees < 2 {
		return nil
	}
	order := vote.TieOrder(t.Share, k)
	other := order[0]
	if other == c {
		other = order[1]
	}
	decided := func(own, others uint32) bool {
		votes := make([]uint32, k)
		votes[c], votes[other] = own, others
		return vote.NewRule(w, t.Share, k).Decide(votes) == c
	}
	switch {
	case w[c] > l.cuts[n-1] && decided(1, trees-1):
		return fmt.Errorf("class %.64q: one vote of %d is now enough to be decided as it, against all others for %.64q; if that alarms too often, raise x of this class", t.Classes[c], trees, t.Classes[other])
	case w[c] < l.cuts[0] && k > 2 && !decided(trees-1, 1):
		return fmt.Errorf("class %.64q: all votes of %d but one, for %.64q, are now not enough to be decided as it; if that misses too much, raise y of this class", t.Classes[c], trees, t.Classes[other])
	}
	return nil
}

// What makes weights uncertain enough to say so.
const (
	fewRows  = 50  // of the rarest class: a recall of 0.8 then has a standard error of 0.06
	fewTrees = 200 // with out-of-bag votes, of which a row has about a third
)

// warnings tells what the table lets fear, whatever weights were found.
func (f *finish) warnings() []error {
	var warnings []error
	t := f.table
	rows, unknown := make([]int, len(t.Classes)), 0
	for i := range t.Judged() {
		if t.WeightOf(i) > 0 {
			rows[t.Truth[i]]++
		}
	}
	for _, c := range t.Truth {
		if c < 0 {
			unknown++
		}
	}
	rarest := -1
	for c, n := range rows {
		if n == 0 {
			warnings = append(warnings, fmt.Errorf("class %.64q has no rows that can be judged: its weight is not tuned for it", t.Classes[c]))
		} else if rarest < 0 || n < rows[rarest] {
			rarest = c
		}
	}
	if n := rows[rarest]; n < fewRows {
		warnings = append(warnings, fmt.Errorf("class %.64q has few rows, %d instead of at least %d: the weights may follow chance; judge them on other rows", t.Classes[rarest], n, fewRows))
	}
	if t.Source == vote.OOB && t.Trees < fewTrees {
		warnings = append(warnings, fmt.Errorf("out-of-bag votes of %d trees are few for each row: the weights fit whole forests badly; grow %d trees, or use cv votes", t.Trees, fewTrees))
	}
	if n := t.Unvoted(); n > 0 {
		warnings = append(warnings, fmt.Errorf("%d of %d rows have no votes and were left out", n, t.Rows()))
	}
	if unknown > 0 {
		warnings = append(warnings, fmt.Errorf("%d of %d rows have no known class and were left out", unknown, t.Rows()))
	}
	return warnings
}
