package eval

import (
	"context"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// run is a cross-validation under way.
type run struct {
	Config
	frame  *dataset.Frame
	learn  Learner
	report *Report
	held   *vote.Table // the judged rows so far
	order  []int       // the classes as those of training are ordered, see vote.Table.TieOrder
	blocks [][]int     // the rows of each block in the order of time; nil for folds

	plain, prior, cost, tuned, optimistic judge
	weights                               untuned             // vote weights beside decisions by expected cost
	within                                []judge             // the tuned rule, by block but the first,
	together                              judge               // and of all these,
	untuned                               map[string]*untuned // on which others stand beside it; nil without costs
	trainings                             int
	warned                                []*repeated
}

// newRun returns a run that keeps of single rows what becomes of them by the plain and the tuned rule.
func newRun(c Config) *run {
	return &run{Config: c, report: &Report{}, plain: judge{kept: &kept{}}, tuned: judge{kept: &kept{}}}
}

// repeat runs all folds once.
func (r *run) repeat(ctx context.Context, number int) error {
	folds := r.FoldOf
	seed := r.Seed + uint64(number)
	if folds == nil && r.blocks == nil {
		var err error
		if folds, err = dataset.Folds(r.frame, r.Folds, seed); err != nil {
			return err
		}
	}
	pooled := &vote.Table{Classes: r.frame.Classes, Share: shares(r.frame), Ties: r.order, Source: vote.CV}
	for fold := range r.Folds {
		inside, outside := r.split(folds, fold)
		table, err := r.fold(ctx, number, fold, inside, outside)
		if err != nil {
			return fmt.Errorf("fold %d: %w", fold+1, err)
		}
		if r.counts(fold) {
			if err := pooled.Append(table); err != nil {
				return fmt.Errorf("fold %d: %w", fold+1, err)
			}
		}
		if r.Progress != nil {
			r.Progress(number*r.Folds+fold+1, r.Repeats*r.Folds)
		}
	}
	return r.pool(ctx, pooled)
}

// fold trains on the rows inside and judges on those outside.
func (r *run) fold(ctx context.Context, repeat, fold int, inside, outside []int) (*vote.Table, error) {
	train := r.frame.Take(inside)
	classifier, notes, err := r.learn(ctx, train, r.Seed+uint64(repeat))
	if err != nil {
		return nil, err
	}
	if err := checkClassifier(classifier, len(train.Classes)); err != nil {
		return nil, err
	}
	r.trainings++
	r.warn(notes, fold == r.Folds-1)
	test := r.frame.Take(outside)
	table, err := classifier.Votes(ctx, test)
	if err != nil {
		return nil, err
	}
	if err := table.Check(); err != nil {
		return nil, fmt.Errorf("%w: votes of the classifier: %w", ErrConfig, err)
	}
	if !slices.Equal(table.Classes, test.Classes) || table.Rows() != test.Rows() {
		return nil, fmt.Errorf("%w: the classifier has votes for %d rows of the classes %.64q, and was given %d of the "+
			"classes %.64q", ErrConfig, table.Rows(), table.Classes, test.Rows(), test.Classes)
	}
	table.Group = test.Group
	by, block := decidedBy(classifier, table), 0
	if r.blocks != nil {
		block = fold + 1
	}
	amounts := tables.MeanAmounts((&vote.Table{Classes: train.Classes, Truth: train.Truth, Weight: train.Weight,
		Amount: train.Amount}))
	if r.counts(fold) {
		err = r.judge(table, by, classifier, amounts)
	}
	if err == nil && block > 0 {
		err = r.inBlock(block, table, by, classifier, amounts)
	}
	if err != nil {
		return nil, err
	}
	w := classifier.VoteWeights()
	if r.HeldOut != nil {
		rule := table.Rule(w)
		r.HeldOut(HeldOut{repeat, fold, block, outside, table, rule, by.all(table, classifier.Probabilities),
			classifier.Probabilities})
	}
	if w != nil {
		r.report.WeightsByFold = append(r.report.WeightsByFold, FoldWeights{repeat + 1, fold + 1, byName(table.Classes, w),
			originsOf(classifier, table.Classes)})
	}
	return table, nil
}

// originsOf returns by class where weights come from; nil where the classifier does not tell.
func originsOf(classifier Classifier, classes []string) map[string]string {
	teller, ok := classifier.(interface{ WeightOrigins() []string })
	if !ok {
		return nil
	}
	var by map[string]string
	for c, origin := range teller.WeightOrigins() {
		if by == nil {
			by = map[string]string{}
		}
		by[classes[c]] = origin
	}
	return by
}

// pool tunes on the votes of all folds and judges on the same: the optimistic rule.
func (r *run) pool(ctx context.Context, pooled *vote.Table) error {
	w, prob, err := r.Tune(ctx, pooled)
	if err != nil {
		return err
	}
	if prob == nil {
		return errNoProbabilities
	}
	if err := r.optimistic.table(pooled, r.optimum(w, pooled), prob, r.Costs); err != nil {
		return err
	}
	r.report.Unvoted += float64(pooled.Unvoted()) / float64(r.Repeats)
	r.endRepeat()
	return nil
}

// hold adds the judged rows of a table to those that were held; nil for none.
func hold(held, t *vote.Table) (*vote.Table, error) {
	if held == nil {
		held = &vote.Table{Classes: t.Classes, Share: t.Share, Ties: t.Ties, Source: t.Source}
	}
	var rows []int
	for i := range t.Judged() {
		rows = append(rows, i)
	}
	return held, held.Append(t.Take(rows))
}

// judge adds the rows of a table, which are decided so by a classifier, to the rules but the optimistic one.
// Amounts are the mean ones by class of the training rows.
func (r *run) judge(t *vote.Table, by decisions, of Classifier, amounts []float64) error {
	var err error
	if r.held, err = hold(r.held, t); err != nil {
		return err
	}
	if err := r.plain.table(t, weighed(nil, t), r.Raw, r.Costs); err != nil {
		return err
	}
	if err := r.prior.table(t, weighed(vote.Prior(t.Share), t), r.Raw, r.Costs); err != nil {
		return err
	}
	if len(r.Costs.Matrix) > 0 {
		if err := r.cost.table(t, weighed(r.Costs.Weights(amounts), t), r.Raw, r.Costs); err != nil {
			return err
		}
	}
	if err := r.tuned.table(t, by, of.Probabilities, r.Costs); err != nil || !r.ByCost {
		return err
	}
	return r.weights.beside(t, weighed(of.VoteWeights(), t), of.Probabilities, r.Costs, r.tuned.decision)
}

// endRepeat closes what the rules have of a repeat.
func (r *run) endRepeat() {
	judges := []*judge{&r.plain, &r.prior, &r.cost, &r.weights.judge, &r.tuned, &r.optimistic, &r.together}
	for b := range r.within {
		judges = append(judges, &r.within[b])
	}
	for _, o := range r.untuned {
		judges = append(judges, &o.judge)
	}
	for _, j := range judges {
		if j.total != nil {
			j.endRepeat(r.Pragma)
		}
	}
}

func byName(classes []string, w vote.Weights) map[string]float64 {
	named := make(map[string]float64, len(classes))
	for c, name := range classes {
		named[name] = w[c]
	}
	return named
}

func (r *run) finish() (err error) {
	r.report.Rules = Rules{
		Plain: r.plain.rule(r.Config), Prior: r.prior.rule(r.Config),
		Tuned: r.tuned.rule(r.Config), Optimistic: r.optimistic.rule(r.Config),
	}
	if len(r.Costs.Matrix) > 0 {
		rule := r.cost.rule(r.Config)
		r.report.Rules.Cost = &rule
		r.report.Always = r.plain.always(r.Costs)
	}
	if r.ByCost {
		rule := r.weights.rule(r.Config)
		r.report.Rules.Weights = &rule
	}
	r.noise(r.frame.Classes)
	r.tell()
	if err := r.tellBlocks(); err != nil {
		return err
	}
	n := r.tuned.total.Total()
	r.report.Agreement, r.report.Moved = r.tuned.kept.agreed/n, r.tuned.kept.moved/n
	if r.report.Probabilities, err = r.judged(r.frame.Classes); err != nil {
		return err
	}
	if r.report.Top, err = r.lists(r.tuned.kept, r.held); err != nil {
		return err
	}
	r.report.Warnings = append(r.report.Warnings, r.trainingWarnings()...)
	for c, name := range r.frame.Classes {
		if r.plain.total.True(c) == 0 {
			where := ""
			if r.blocks != nil {
				where = " in the latest block, which fewer folds make larger"
			}
			r.report.Warnings = append(r.report.Warnings,
				fmt.Errorf("class %s has no row that could be judged%s; it is left out of the means", english.Quote(name), where))
		}
	}
	return nil
}

// tell puts into the report what the figures are made of.
func (r *run) tell() {
	r.report.Votes, r.report.Decided = r.held, r.tuned.decision
	if repeats := len(r.plain.losses); repeats > 1 {
		r.held.Weight = make([]float64, r.held.Rows())
		for i, w := range r.tuned.kept.weight {
			r.held.Weight[i] = w / float64(repeats)
		}
	}
}
