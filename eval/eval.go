// Package eval says honestly what to expect of a model on new rows.
//
// [CrossValidate] is nested: within each training part everything is fitted anew, the trees,
// the weights and the maps, and the test part only judges. Beside the honest figures stand
// the optimistic ones, of weights tuned on the very votes they are judged on; the difference
// is what one would fool oneself by. [Evaluate] judges a fitted model on labelled rows.
package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Classifier is what a [Learner] returns: votes, and what it has learned to do with them.
type Classifier interface {
	// Votes returns the raw votes for the rows of frame, with the classes of the training frame.
	Votes(ctx context.Context, frame *dataset.Frame) (*vote.Table, error)
	// VoteWeights returns the weights tuned on the training part.
	VoteWeights() vote.Weights
	// Probabilities writes the calibrated probabilities of a row with these votes into dst.
	Probabilities(dst []float64, votes []uint32)
}

// Learner is anything that can be trained: our forest, a peer, a baseline. The seed differs
// between the repeats of a cross-validation. The warnings of the training are the second result.
type Learner func(ctx context.Context, train *dataset.Frame, seed uint64) (Classifier, []error, error)

// Tuner finds weights and maps on a table of votes; the optimistic rule is made with it.
type Tuner func(ctx context.Context, table *vote.Table) (vote.Weights, func(dst []float64, votes []uint32), error)

// Config says how to cross-validate.
type Config struct {
	Folds   int    // 0 means 10
	Repeats int    // with other folds each; 0 means 1
	Seed    uint64 // repeat r draws its folds from Seed + r
	// FoldOf, len n, gives the folds 0, 1, ... of all repeats instead of drawing them.
	FoldOf []int

	Pragma   pragma.Measure // what the rules are judged by
	Loss     pragma.Measure // a second measure to judge by; nil for none
	Priority []bool         // by class, whether it belongs to the priority mean MP; nil for none
	// Raw writes the uncalibrated probabilities of a row with these votes into dst.
	Raw  func(dst []float64, votes []uint32)
	Tune Tuner

	Progress func(done, total int) // called after each fold; may be nil
}

// Report is the outcome of a cross-validation. Counts are means over the repeats.
type Report struct {
	Rules         Rules         `json:"rules"`
	WeightsByFold []FoldWeights `json:"weights_by_fold"`
	Unvoted       int           `json:"unvoted"` // rows that no fold could judge
	Warnings      []error       `json:"-"`
}

// Rules are the ways to decide that are compared on the same votes.
type Rules struct {
	Plain      Rule `json:"plain"`            // majority vote
	Prior      Rule `json:"prior"`            // weights 1/share of the training rows
	Tuned      Rule `json:"tuned"`            // weights tuned within the training part: honest
	Optimistic Rule `json:"tuned_optimistic"` // weights tuned on the votes that are judged
}

// FoldWeights are the weights tuned in one fold.
type FoldWeights struct {
	Repeat  int                `json:"repeat"`
	Fold    int                `json:"fold"`
	Weights map[string]float64 `json:"weights"` // by class name
}

// CrossValidate trains with learn on all folds but one, judges on that one, for each.
// Errors: usage errors of [dataset.Folds], those of learn, [ErrNoLabels], and that of ctx.
func CrossValidate(ctx context.Context, frame *dataset.Frame, learn Learner, c Config) (*Report, error) {
	if c.Folds == 0 {
		c.Folds = 10
	}
	c.Repeats = max(c.Repeats, 1)
	if c.FoldOf != nil {
		c.Folds, c.Repeats = slices.Max(c.FoldOf)+1, 1
	}
	run := &run{Config: c, frame: frame, learn: learn, report: &Report{}}
	for r := range c.Repeats {
		if err := run.repeat(ctx, r); err != nil {
			return nil, err
		}
	}
	if run.plain.total.Total() == 0 {
		return nil, ErrNoLabels
	}
	run.finish()
	return run.report, nil
}

// run is a cross-validation under way.
type run struct {
	Config
	frame  *dataset.Frame
	learn  Learner
	report *Report

	plain, prior, tuned, optimistic judge
	trainings                       int
	warned                          []*repeated
}

// repeated is a warning and the number of trainings that gave it.
type repeated struct {
	warning error
	times   int
}

// repeat runs all folds once.
func (r *run) repeat(ctx context.Context, number int) error {
	folds := r.FoldOf
	seed := r.Seed + uint64(number)
	if folds == nil {
		var err error
		if folds, err = dataset.Folds(r.frame, r.Folds, seed); err != nil {
			return err
		}
	}
	pooled := &vote.Table{Classes: r.frame.Classes, Source: vote.CV}
	for fold := range r.Folds {
		inside, outside := dataset.SplitFold(folds, fold)
		if len(outside) == 0 || len(inside) == 0 {
			return fmt.Errorf("fold %d holds %d of %d rows; number the folds from 0 without a gap", fold, len(outside), len(folds))
		}
		table, err := r.fold(ctx, number, fold, inside, outside)
		if err != nil {
			return fmt.Errorf("fold %d: %w", fold+1, err)
		}
		pooled.Append(table)
		pooled.Share = table.Share
		if r.Progress != nil {
			r.Progress(number*r.Folds+fold+1, r.Repeats*r.Folds)
		}
	}
	return r.pool(ctx, pooled)
}

// fold trains on the rows inside and judges on those outside.
func (r *run) fold(ctx context.Context, repeat, fold int, inside, outside []int) (*vote.Table, error) {
	classifier, notes, err := r.learn(ctx, r.frame.Take(inside), r.Seed+uint64(repeat))
	if err != nil {
		return nil, err
	}
	r.trainings++
	r.warn(notes)
	table, err := classifier.Votes(ctx, r.frame.Take(outside))
	if err != nil {
		return nil, err
	}
	w := classifier.VoteWeights()
	r.plain.table(table, nil, r.Raw)
	r.prior.table(table, vote.Prior(table.Share), r.Raw)
	r.tuned.table(table, w, classifier.Probabilities)
	r.report.WeightsByFold = append(r.report.WeightsByFold, FoldWeights{repeat + 1, fold + 1, byName(table.Classes, w)})
	return table, nil
}

// pool tunes on the votes of all folds and judges on the same: the optimistic rule.
func (r *run) pool(ctx context.Context, pooled *vote.Table) error {
	pooled.Share = shares(r.frame)
	w, prob, err := r.Tune(ctx, pooled)
	if err != nil {
		return err
	}
	r.optimistic.table(pooled, w, prob)
	r.report.Unvoted += pooled.Unvoted()
	for _, j := range []*judge{&r.plain, &r.prior, &r.tuned, &r.optimistic} {
		j.endRepeat(r.Pragma)
	}
	return nil
}

func byName(classes []string, w vote.Weights) map[string]float64 {
	named := make(map[string]float64, len(classes))
	for c, name := range classes {
		named[name] = w[c]
	}
	return named
}

func (r *run) finish() {
	r.report.Rules = Rules{
		Plain: r.plain.rule(r.Config), Prior: r.prior.rule(r.Config),
		Tuned: r.tuned.rule(r.Config), Optimistic: r.optimistic.rule(r.Config),
	}
	for _, w := range r.warned {
		warning := w.warning
		if w.times < r.trainings {
			warning = fmt.Errorf("in %d of %d trainings: %w", w.times, r.trainings, warning)
		}
		r.report.Warnings = append(r.report.Warnings, warning)
	}
	for c, name := range r.frame.Classes {
		if r.plain.total.True(c) == 0 {
			r.report.Warnings = append(r.report.Warnings, fmt.Errorf("class %.64q has no row that could be judged; it is left out of the means", name))
		}
	}
}

// warn keeps each warning of a training once, and counts it.
func (r *run) warn(notes []error) {
	for _, note := range notes {
		at := slices.IndexFunc(r.warned, func(w *repeated) bool { return w.warning.Error() == note.Error() })
		if at < 0 {
			at = len(r.warned)
			r.warned = append(r.warned, &repeated{warning: note})
		}
		r.warned[at].times++
	}
}

func shares(f *dataset.Frame) []float64 {
	s := f.ClassWeights()
	sum := 0.0
	for _, w := range s {
		sum += w
	}
	for c := range s {
		s[c] /= sum
	}
	return s
}

// ErrNoLabels is returned when there is nothing to judge by.
var ErrNoLabels = errors.New("no labelled row can be judged")

// Evaluate judges a fitted classifier on labelled rows it has not seen. Prior and optimistic
// rule are as in a cross-validation.
func Evaluate(ctx context.Context, table *vote.Table, fitted Classifier, c Config) (*Report, error) {
	r := &run{Config: c, report: &Report{Unvoted: table.Unvoted()}}
	r.plain.table(table, nil, c.Raw)
	if r.plain.total.Total() == 0 {
		return nil, ErrNoLabels
	}
	r.prior.table(table, vote.Prior(table.Share), c.Raw)
	r.tuned.table(table, fitted.VoteWeights(), fitted.Probabilities)
	w, prob, err := c.Tune(ctx, table)
	if err != nil {
		return nil, err
	}
	r.optimistic.table(table, w, prob)
	for _, j := range []*judge{&r.plain, &r.prior, &r.tuned, &r.optimistic} {
		j.endRepeat(c.Pragma)
	}
	r.frame = &dataset.Frame{Classes: table.Classes}
	r.finish()
	return r.report, nil
}
