// Package eval estimates honestly how well a model does on new rows.
//
// [CrossValidate] is nested: within each training part everything is fitted anew, the trees, the weights and
// the maps, and the test part only judges. Beside the honest figures stand the optimistic ones, of weights
// tuned on the very votes that they are judged on; the difference is by how much one would deceive oneself.
// [Evaluate] judges a fitted model on labelled rows.
package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Classifier is what a [Learner] returns: it gives votes, and what it has learned to do with them.
type Classifier interface {
	// Votes returns the raw votes for the rows of frame, with the classes of the training frame. A row without
	// a known class in the result is not judged.
	Votes(ctx context.Context, frame *dataset.Frame) (*vote.Table, error)
	// VoteWeights returns the weights tuned on the training part. Nil is the majority vote, for a classifier
	// that has no weights to report.
	VoteWeights() vote.Weights
	// Probabilities writes the calibrated probabilities of a row with these votes into dst (both len k).
	Probabilities(dst []float64, votes []uint32)
}

// Decider is a [Classifier] that need not decide by its vote weights: DecideFor says what it decides for a row with
// these votes (len k) and that amount at stake, NaN if rows have none.
type Decider interface {
	Classifier
	DecideFor(votes []uint32, amount float64) int
}

// Learner is anything that can be trained: a forest of this module, a competitor, a baseline. The seed differs
// between the repeats of a cross-validation. The second result holds the warnings of the training; a warning
// that has a method Merge(error) (error, bool) is merged with those of other trainings for which that returns
// true.
type Learner func(ctx context.Context, train *dataset.Frame, seed uint64) (Classifier, []error, error)

// Tuner finds weights and maps on a table of votes; it makes the optimistic rule.
type Tuner func(ctx context.Context, table *vote.Table) (vote.Weights, func(dst []float64, votes []uint32), error)

// Config says how to cross-validate. Pragma, Raw and Tune are required by [CrossValidate], and left out of what
// rfpragma.CrossValidate takes; the zero value of the others is valid.
type Config struct {
	Folds   int    // 0 means 10, or, for rows in the order of time, as many as possible up to 10
	Repeats int    // each with other folds, or, for rows in the order of time, only with another seed; 0 means 1
	Seed    uint64 // repeat r, counted from 0, draws its folds from Seed + r and trains with that seed
	// FoldOf (len n) gives the fold of each row, 0, 1, ... without a gap, instead of drawing them; then Folds
	// and Repeats are left out. Nil draws the folds.
	FoldOf []int

	Pragma pragma.Measure // required: the measure that the rules are judged by
	Loss   pragma.Measure // a second measure to judge by; nil for none
	// Costs are those behind Loss, if that is a cost; then the rules are also judged in units of cost. Without
	// a matrix there are none.
	Costs pragma.Costs
	// ByCost says that a [Decider] decides by the least expected cost under Costs. Then the optimistic rule does so,
	// too, and the vote weights are judged beside, see [Rules].Weights.
	ByCost   bool
	Priority []int     // the classes of the mean MP, see [Means]; nil if all matter alike
	Top      []TopList // lists of the likeliest rows to judge as well; may be nil
	// Raw writes the uncalibrated probabilities of a row with these votes into dst (both len k). Required.
	Raw  func(dst []float64, votes []uint32)
	Tune Tuner // required: makes the optimistic rule

	Progress func(done, total int) // called after each fold; may be nil
	HeldOut  func(HeldOut)         // called with the rows of each fold, one fold after another; may be nil
}

// HeldOut is the rows of a fold, with what was trained on the other rows to decide them.
type HeldOut struct {
	Repeat, Fold int // counted from 0
	// index into [Report].Blocks of the block of these rows; 0 if rows have no time
	Block int
	// indices of the rows in the frame, including those that cannot be judged, without a label or a vote
	Rows  []int
	Votes *vote.Table // the votes for these rows, in this order; must not be changed
	Rule  vote.Rule   // the vote weights
	// what is decided of these rows, in this order: by the vote weights, unless by a [Decider]
	Decided       []int
	Probabilities func(dst []float64, votes []uint32) // gives calibrated probabilities, see [Classifier]
}

// Report is the outcome of a cross-validation or an evaluation. Counts are means over the repeats.
type Report struct {
	Rules Rules `json:"rules"` // ways to decide, compared on the same votes
	// by class; of two classes only the one that matters: that of priority, else the one rarer in training
	Probabilities map[string]Judged `json:"probabilities"`
	// share of the rows, by weight, that the largest calibrated probability and the tuned votes decide alike
	Agreement float64 `json:"agreement"`
	// share of the rows, by weight, for which the tuned votes decide neither for that class nor for the one of the
	// plain vote
	Moved float64 `json:"-"`
	// what tuning gains; absent for costs by amount, and if there are few groups
	Gain *Gain `json:"gain,omitempty"`
	// the blocks of rows in the order of time. The first is not judged; figures of the report that are not of a block
	// are of the latest
	Blocks []Block `json:"blocks,omitempty"`
	// the rows of all blocks but the first together; absent if a single block is judged
	Together *Block `json:"together,omitempty"`
	// number of groups that the judged rows belong to, if they have any
	Groups int `json:"groups,omitempty"`
	// number of groups of equal weight that would tell as much, see effective.Share; with fewer than 10 there is
	// neither a gain nor an interval of PRAGMA
	EffectiveGroups float64 `json:"effective_groups,omitempty"`
	// weights of each fold, except folds that have none
	WeightsByFold []FoldWeights    `json:"weights_by_fold"`
	Top           []TopListFigures `json:"top,omitempty"` // what the lists that were asked for are worth
	// number of rows without a vote, which are not judged
	Unvoted float64 `json:"unvoted"`
	// by class, what it costs to decide all rows as that class; absent without costs
	Always   map[string]float64 `json:"cost_of_always,omitempty"`
	Warnings []error            `json:"-"`
	// whether rows have case weights, so that numbers of rows are sums of weights
	Weighed bool `json:"-"`

	// What was wanted, as rfpragma.CrossValidate and Model.Evaluate know it; else without classes.
	Goal pragma.Goal `json:"-"`

	// What the figures are made of: the rows that were judged, with the votes of trees that have not seen them,
	// in the order of the repeats and folds, and what the tuned rule decided for each. In each repeat a row has
	// its weight divided by the number of repeats.
	Votes   *vote.Table `json:"-"`
	Decided []int       `json:"-"` // len n, index into the classes
}

// Rules are the ways to decide that are compared on the same votes.
type Rules struct {
	Plain Rule  `json:"plain"`          // majority vote
	Prior Rule  `json:"prior"`          // weights 1/share of the training rows
	Cost  *Rule `json:"cost,omitempty"` // weights by what errors cost, see pragma.Costs.Weights; nil without costs
	// The vote weights, if the tuned rule decides by expected cost instead, see [Config].ByCost; else nil. Its gain is
	// there also for costs by amount, in the unit of Loss.
	Weights    *Rule `json:"weights,omitempty"`
	Tuned      Rule  `json:"tuned"`      // what was tuned within the training part, weights or maps: honest
	Optimistic Rule  `json:"optimistic"` // what was tuned on the very votes that are judged
}

// FoldWeights are the weights tuned in one fold.
type FoldWeights struct {
	Repeat  int                `json:"repeat"`  // from 1
	Fold    int                `json:"fold"`    // from 1
	Weights map[string]float64 `json:"weights"` // by class name
	// By class name, where its weight comes from: own, shrunk, shared or one, see anneal.Origin; nil where the
	// classifier has no method WeightOrigins that tells.
	Origins map[string]string `json:"origins,omitempty"`
}

// CrossValidate trains with learn on all folds but one and judges on that one, for each fold.
//
// If frame.Time says when rows were, later rows are judged by earlier ones: the folds are the blocks of
// [dataset.Frame.Blocks] but the first, which is not judged, and each is judged by what was trained on all
// blocks before it. That is the rolling origin of Tashman, International Journal of Forecasting 16 (2000)
// 437-450. As what comes next is most like the latest block, all figures of the report are of the latest block,
// except those of Report.Blocks and Report.Together.
//
// Errors: [ErrConfig], usage errors of [dataset.Folds] and [dataset.Frame.Blocks], those of learn,
// [ErrNoLabels], and that of ctx.
func CrossValidate(ctx context.Context, frame *dataset.Frame, learn Learner, c Config) (*Report, error) {
	if frame == nil || learn == nil {
		return nil, fmt.Errorf("%w: there is no frame, or no learner; give both", ErrConfig)
	}
	if err := c.check(len(frame.Classes)); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(c.Top, func(l TopList) bool { return l.Per != nil }) {
		return nil, fmt.Errorf("%w: Per of a list is not nil; in a cross-validation it is", ErrConfig)
	}
	if err := c.checkFolds(frame.Rows()); err != nil {
		return nil, err
	}
	if err := frame.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if c.Folds == 0 {
		if c.Folds = 10; frame.Time != nil {
			c.Folds = min(c.Folds, max(1, frame.MostBlocks()))
		}
	}
	c.Repeats = max(c.Repeats, 1)
	if c.FoldOf != nil {
		c.Folds = slices.Max(c.FoldOf) + 1
	}
	blocks, err := c.blocks(frame)
	if err != nil {
		return nil, err
	}
	if blocks != nil {
		c.Folds = len(blocks) - 1
	}
	run := newRun(c)
	run.inTime(frame, blocks)
	run.frame, run.learn, run.order, run.report.Weighed = frame, learn, tieOrder(frame), frame.Weight != nil
	for r := range c.Repeats {
		if err := run.repeat(ctx, r); err != nil {
			return nil, err
		}
	}
	if run.plain.total.Total() == 0 {
		return nil, ErrNoLabels
	}
	return run.report, run.finish()
}

// ErrConfig is wrapped by every error about a setting that is not valid.
var ErrConfig = errors.New("configuration")

// check refuses a configuration that cannot judge k classes.
func (c Config) check(k int) error {
	for _, required := range []struct {
		name string
		is   bool
	}{{"Pragma", c.Pragma != nil}, {"Raw", c.Raw != nil}, {"Tune", c.Tune != nil}} {
		if !required.is {
			return fmt.Errorf("%w: %s is nil; it is required", ErrConfig, required.name)
		}
	}
	for _, m := range []pragma.Measure{c.Pragma, c.Loss} {
		if m == nil {
			continue
		}
		if err := pragma.CheckMeasure(m, k); err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	if n := len(c.Costs.Matrix); n != 0 && n != k {
		return fmt.Errorf("%w: Costs are of %d classes, where there are %d; make them for these classes", ErrConfig, n, k)
	}
	if len(c.Costs.Matrix) > 0 {
		if _, err := c.Costs.Measure(); err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	if c.ByCost && len(c.Costs.Matrix) == 0 {
		return fmt.Errorf("%w: ByCost is set, and there are no Costs; give those that decide", ErrConfig)
	}
	for _, class := range c.Priority {
		if class < 0 || class >= k {
			return fmt.Errorf("%w: Priority has class %d; the %d classes are counted from 0", ErrConfig, class, k)
		}
	}
	for _, l := range c.Top {
		if err := l.check(k); err != nil {
			return err
		}
	}
	return nil
}

// checkFolds makes sure that folds that are given are the only ones.
func (c Config) checkFolds(n int) error {
	if c.FoldOf == nil {
		return nil
	}
	if err := checkFolds(c.FoldOf, n); err != nil {
		return err
	}
	if folds := slices.Max(c.FoldOf) + 1; c.Folds != 0 && c.Folds != folds || c.Repeats > 1 {
		return fmt.Errorf("%w: FoldOf gives %d folds, once, and there are to be %d, %d times; leave Folds and Repeats out",
			ErrConfig, folds, c.Folds, max(c.Repeats, 1))
	}
	return nil
}

// checkFolds makes sure that there are at least two folds of n rows, and a row in each.
func checkFolds(foldOf []int, n int) error {
	if len(foldOf) != n || n == 0 {
		return fmt.Errorf("%w: FoldOf is of %d rows; give the fold of each of the %d", ErrConfig, len(foldOf), n)
	}
	filled, last := make([]bool, n), 0
	for i, f := range foldOf {
		if f < 0 || f >= n {
			return fmt.Errorf("%w: FoldOf of row %d is %d; number the folds from 0 without a gap", ErrConfig, i, f)
		}
		filled[f], last = true, max(last, f)
	}
	if gap := slices.Index(filled[:last+1], false); gap >= 0 {
		return fmt.Errorf("%w: FoldOf has no row in fold %d of 0 to %d; number the folds from 0 without a gap", ErrConfig,
			gap, last)
	}
	if last == 0 {
		return fmt.Errorf("%w: FoldOf has all rows in fold 0; give at least two folds", ErrConfig)
	}
	return nil
}

// tieOrder returns the classes of f in the order in which they win ties.
func tieOrder(f *dataset.Frame) []int { return vote.TieOrder(f.ClassWeights(), f.FirstRows()) }

// Shares returns the share of each class in the case weights of f (len k); nil of a frame that [dataset.Frame.Check]
// refuses.
func Shares(f *dataset.Frame) []float64 {
	if f == nil || f.Check() != nil {
		return nil
	}
	return shares(f)
}

func shares(f *dataset.Frame) []float64 {
	s := f.ClassWeights()
	sum := 0.0
	for _, c := range tieOrder(f) { // the same sum however the classes are listed
		sum += s[c]
	}
	for c := range s {
		s[c] /= sum
	}
	return s
}

var errNoProbabilities = fmt.Errorf("%w: Tune returned no function that gives probabilities; return one", ErrConfig)

// checkClassifier refuses one that is nil, or of other weights than for k classes.
func checkClassifier(c Classifier, k int) error {
	if c == nil {
		return fmt.Errorf("%w: there is no classifier; give one", ErrConfig)
	}
	if err := c.VoteWeights().Check(k); err != nil {
		return fmt.Errorf("%w: vote weights of the classifier: %w", ErrConfig, err)
	}
	return nil
}

// ErrNoLabels is returned if there are no rows to judge by.
var ErrNoLabels = errors.New("no labelled row can be judged")

// Evaluate judges a fitted classifier on labelled rows that it has not seen, whose votes are in table. The
// prior and the optimistic rule are as in a cross-validation. Of c it uses what says how to judge. Errors:
// [ErrConfig], [ErrNoLabels], and those of c.Tune.
func Evaluate(ctx context.Context, table *vote.Table, fitted Classifier, c Config) (*Report, error) {
	if err := table.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if err := c.check(len(table.Classes)); err != nil {
		return nil, err
	}
	if err := checkClassifier(fitted, len(table.Classes)); err != nil {
		return nil, err
	}
	if err := checkPer(c.Top, table.Rows()); err != nil {
		return nil, err
	}
	c.Top = ofJudged(c.Top, table)
	r := newRun(c)
	r.report.Unvoted, r.report.Weighed = float64(table.Unvoted()), table.Weight != nil
	if err := r.judge(table, decidedBy(fitted, table), fitted, tables.MeanAmounts(table)); err != nil {
		return nil, err
	}
	if r.plain.total.Total() == 0 {
		return nil, ErrNoLabels
	}
	if r.order = table.TieOrder(); table.Share == nil && table.Ties == nil { // nobody knows how common the classes were
		rows := make([]float64, len(table.Classes))
		for c := range rows {
			rows[c] = r.plain.total.True(c)
		}
		r.order = vote.TieOrder(rows, nil)
	}
	w, prob, err := c.Tune(ctx, table)
	if err != nil {
		return nil, err
	}
	if prob == nil {
		return nil, errNoProbabilities
	}
	if err := r.optimistic.table(table, r.optimum(w, table), prob, c.Costs); err != nil {
		return nil, err
	}
	r.endRepeat()
	r.frame = &dataset.Frame{Classes: table.Classes}
	return r.report, r.finish()
}
