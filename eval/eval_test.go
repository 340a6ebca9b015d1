package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// oracle is a classifier whose votes stand in the data: column "votes" of the frame holds
// the number of votes, of ten, for class 1.
type oracle struct {
	classes []string
	share   []float64
	weights vote.Weights
}

func (o oracle) Votes(_ context.Context, f *dataset.Frame) (*vote.Table, error) {
	t := &vote.Table{Classes: o.classes, Truth: f.Truth, Weight: f.Weight, Amount: f.Amount, Share: o.share,
		Source: vote.Holdout, Trees: 10}
	for _, v := range f.Columns[0].Values {
		t.Counts = append(t.Counts, uint32(10-v), uint32(v))
	}
	return t, nil
}

func (o oracle) VoteWeights() vote.Weights { return o.weights }

func (o oracle) Probabilities(dst []float64, votes []uint32) {
	dst[1] = float64(votes[1]) / 10
	dst[0] = 1 - dst[1]
}

// frame has 16 rows of class "no" with 0 to 4 votes and 4 of class "yes" with 2, 4, 6, 8.
func frame() *dataset.Frame {
	f := &dataset.Frame{Classes: []string{"no", "yes"}, Columns: []dataset.Column{{Field: dataset.Field{Name: "votes"}}}}
	add := func(class int, votes ...float64) {
		for _, v := range votes {
			f.Columns[0].Values = append(f.Columns[0].Values, v)
			f.Truth = append(f.Truth, class)
		}
	}
	add(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 4)
	add(1, 2, 4, 6, 8)
	return f
}

// learner returns an oracle that weighs a vote for "yes" three times.
func learner(seen *[]int) Learner {
	return func(_ context.Context, train *dataset.Frame, _ uint64) (Classifier, []error, error) {
		*seen = append(*seen, train.Rows())
		return oracle{train.Classes, []float64{0.8, 0.2}, vote.Weights{1, 3}}, []error{errors.New("a warning")}, nil
	}
}

func config(t *testing.T) Config {
	t.Helper()
	m, err := pragma.Spec{"yes": pragma.Priority()}.Measure([]string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Folds: 4, Seed: 1, Pragma: m, Priority: []int{1}, Raw: oracle{}.Probabilities,
		Tune: func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
			return vote.Weights{1, 1.25}, oracle{}.Probabilities, nil // 5 of 10 votes are then enough
		},
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// All figures by hand. Plain vote: 6 of 10 are needed (a tie goes to the larger class), so
// "yes" finds 2 of 4 and nothing wrong. Weight 3: 3 votes of 10 are needed (3·3 > 7), so the
// rows with 4, 6, 8 votes are "yes": 3 of 4 found, one of four alarms false. Prior weights 1 and
// 4: 3 votes again (4·2 = 8 is a tie). Optimistic: 1.25·5 > 5 but 1.25·4 < 6: as the plain vote.
func TestCrossValidateByHand(t *testing.T) {
	var seen []int
	report, err := CrossValidate(context.Background(), frame(), learner(&seen), config(t))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []int{15, 15, 15, 15}) {
		t.Errorf("trained on %v rows, want 15 of 20 each time", seen)
	}
	brier := (6*0.01 + 3*0.04 + 0.16 + 0.64 + 0.36 + 0.16 + 0.04) / 20
	for _, tc := range []struct {
		name      string
		rule      Rule
		confusion [][]float64
		pragma    float64
	}{
		// f(yes) = 1 − 0.9·0.5 − 0.1·1 = 0.45; f(no) = 1 − 0.5·1 − 0.5·16/18 = 1/18
		{"plain", report.Rules.Plain, [][]float64{{16, 0}, {2, 2}}, (10*0.45 + 1.0/18) / 11},
		// f(yes) = 1 − 0.9·0.75 − 0.1·0.75 = 0.25; f(no) = 1 − 0.5·15/16 − 0.5·15/16 = 1/16
		{"tuned", report.Rules.Tuned, [][]float64{{15, 1}, {1, 3}}, (10*0.25 + 1.0/16) / 11},
		{"prior", report.Rules.Prior, [][]float64{{15, 1}, {1, 3}}, (10*0.25 + 1.0/16) / 11},
		{"optimistic", report.Rules.Optimistic, [][]float64{{16, 0}, {2, 2}}, (10*0.45 + 1.0/18) / 11},
	} {
		if !near(tc.rule.Pragma, tc.pragma) {
			t.Errorf("%s: PRAGMA %v, want %v", tc.name, tc.rule.Pragma, tc.pragma)
		}
		for i := range tc.confusion {
			if !slices.Equal(tc.rule.Confusion[i], tc.confusion[i]) {
				t.Errorf("%s: confusion %v, want %v", tc.name, tc.rule.Confusion, tc.confusion)
			}
		}
		if !near(tc.rule.Brier, brier) {
			t.Errorf("%s: Brier %v, want %v", tc.name, tc.rule.Brier, brier)
		}
		if tc.rule.PragmaSD != nil {
			t.Errorf("%s: a spread over one repeat", tc.name)
		}
	}
	tuned := report.Rules.Tuned
	if yes := tuned.Classes["yes"]; *yes.Recall != 0.75 || *yes.Precision != 0.75 || yes.Support != 4 ||
		yes.Predicted != 4 {
		t.Errorf("class yes: %+v", yes)
	}
	lo, hi := calib.Wilson(3, 4, calib.Z95)
	if i := tuned.Classes["yes"].RecallInterval; i[0] != lo || i[1] != hi {
		t.Errorf("interval %v, want %v to %v", *i, lo, hi)
	}
	means := tuned.Means
	if !near(means.Priority.Recall, 0.75) || !near(means.Others.Precision, 15.0/16) || !near(means.All.Recall,
		(4*0.75+15)/20) {
		t.Errorf("means: priority %+v, others %+v, all %+v", *means.Priority, *means.Others, *means.All)
	}
	if g := report.Rules.Prior.Gain; !near(g.Loss, report.Rules.Prior.Pragma-tuned.Pragma) || !(g.StandardError >= 0 &&
		g.StandardError < 0.4) || report.Rules.Plain.Gain != nil {
		t.Errorf("gain on the prior rule %v, of losses %v and %v", g, report.Rules.Prior.Pragma, tuned.Pragma)
	}
	if g, i := report.Gain, tuned.PragmaInterval; !near(g.Loss, report.Rules.Plain.Pragma-tuned.Pragma) ||
		!(g.StandardError > 0.02 && g.StandardError < 0.4) || !(i[0] < tuned.Pragma && i[1] > tuned.Pragma) {
		t.Errorf("gain %+v, interval %v of %v", g, i, tuned.Pragma)
	}
	// Tuned decides two of the 20 rows otherwise than by the larger probability.
	yes := report.Probabilities["yes"]
	if raw := yes.Raw.Figures; len(report.Probabilities) != 1 || !near(raw.Brier.Score, brier) || raw.Rows != 20 ||
		raw.Share != 0.2 || !near(report.Agreement, 0.9) || !near(report.Moved, 0.1) {
		t.Errorf("probabilities of yes: agreement %v, moved %v, %+v", report.Agreement, report.Moved, raw)
	}
	if len(report.WeightsByFold) != 4 || report.WeightsByFold[3].Fold != 4 || report.WeightsByFold[0].Weights["yes"] != 3 {
		t.Errorf("weights by fold: %+v", report.WeightsByFold)
	}
	if len(report.Warnings) != 1 || report.Warnings[0].Error() != "in all 4 trainings: a warning" {
		t.Errorf("warnings %v, want the one, once", report.Warnings)
	}
}

// Repeats judge the same rows again: supports stay, and there is a spread.
func TestRepeats(t *testing.T) {
	var seen []int
	c := config(t)
	c.Repeats = 3
	done := 0
	c.Progress = func(n, total int) {
		if done++; n != done || total != 12 {
			t.Errorf("progress %d of %d, want %d of 12", n, total, done)
		}
	}
	report, err := CrossValidate(context.Background(), frame(), learner(&seen), c)
	if err != nil {
		t.Fatal(err)
	}
	rule := report.Rules.Tuned
	if rule.Classes["yes"].Support != 4 || rule.Confusion[0][0] != 15 {
		t.Errorf("support %v, confusion %v: want those of one repeat", rule.Classes["yes"].Support, rule.Confusion)
	}
	if f := report.Probabilities["yes"].Calibrated.Figures; !near(f.Rows, 20) || !near(f.Weight, 20) ||
		!near(f.Brier.Score, rule.Brier) {
		t.Errorf("probabilities of %v rows, weight %v, Brier %v: want 20, 20, %v", f.Rows, f.Weight, f.Brier.Score,
			rule.Brier)
	}
	if rule.PragmaSD == nil || *rule.PragmaSD > 1e-12 {
		t.Errorf("spread %v, want 0: the votes do not depend on the folds", rule.PragmaSD)
	}
	c.Repeats, c.Progress = 1, nil
	once, err := CrossValidate(context.Background(), frame(), learner(new([]int)), c)
	if err != nil {
		t.Fatal(err)
	}
	if !near(report.Gain.StandardError, once.Gain.StandardError) || !near(rule.PragmaInterval[0],
		once.Rules.Tuned.PragmaInterval[0]) || !near(rule.PragmaInterval[1], once.Rules.Tuned.PragmaInterval[1]) {
		t.Errorf("a row that is judged again is no other row: standard error %v, interval %v; of one repeat %v, %v",
			report.Gain.StandardError, rule.PragmaInterval, once.Gain.StandardError, once.Rules.Tuned.PragmaInterval)
	}
	if len(report.WeightsByFold) != 12 || len(seen) != 12 {
		t.Errorf("%d fold weights, %d trainings, want 12", len(report.WeightsByFold), len(seen))
	}
}

// By hand: where every other repeat has the plain vote the losses by repeat are those of [TestCrossValidateByHand],
// tuned and plain, of which two lie apart by their difference.
func TestSpreadOverRepeats(t *testing.T) {
	c := config(t)
	c.Repeats = 2
	report, err := CrossValidate(context.Background(), frame(), func(_ context.Context, train *dataset.Frame,
		seed uint64) (Classifier, []error, error) {
		return oracle{train.Classes, []float64{0.8, 0.2}, vote.Weights{1, 1 + 2*float64(seed%2)}}, nil, nil
	}, c)
	if err != nil {
		t.Fatal(err)
	}
	want := ((10*0.45 + 1.0/18) - (10*0.25 + 1.0/16)) / 11 / math.Sqrt2
	if sd := report.Rules.Tuned.PragmaSD; sd == nil || !near(*sd, want) {
		t.Errorf("spread %v, want %v", *sd, want)
	}
}

// Of 200 values 190 lie between the sixth and the sixth from above.
func TestCentral(t *testing.T) {
	var values []float64
	for i := range 200 {
		values = append(values, float64((i*77+5)%200))
	}
	if got := central(values); *got != [2]float64{5, 194} {
		t.Errorf("the middle 95 of 100 of 0 to 199 are %v, want 5 to 194", *got)
	}
}

func TestGivenFolds(t *testing.T) {
	var seen []int
	c := config(t)
	c.Folds = 0 // FoldOf gives them
	c.FoldOf = make([]int, 20)
	for i := 15; i < 20; i++ {
		c.FoldOf[i] = 1
	}
	if _, err := CrossValidate(context.Background(), frame(), learner(&seen), c); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []int{5, 15}) {
		t.Errorf("trained on %v rows, want 5 and 15", seen)
	}
}

func TestErrorsAndCancelling(t *testing.T) {
	broken := errors.New("broken")
	bad := func(context.Context, *dataset.Frame, uint64) (Classifier, []error, error) { return nil, nil, broken }
	if _, err := CrossValidate(context.Background(), frame(), bad, config(t)); !errors.Is(err, broken) ||
		!strings.Contains(err.Error(), "fold 1") {
		t.Errorf("error %v, want the learner's with the fold", err)
	}
	c := config(t)
	c.Folds = 1
	var usage *dataset.UsageError
	if _, err := CrossValidate(context.Background(), frame(), bad, c); !errors.As(err, &usage) { // F127
		t.Errorf("1 fold: error %v", err)
	}
	c.Folds = 21
	if _, err := CrossValidate(context.Background(), frame(), bad, c); !errors.As(err, &usage) { // F128
		t.Errorf("more folds than rows: error %v", err)
	}
}

// F125: a class no row of which is judged has figures that are not known, not 0.
func TestClassThatIsNotJudged(t *testing.T) {
	f := frame()
	table, err := oracle{f.Classes, []float64{0.8, 0.2}, nil}.Votes(context.Background(), f.Take([]int{0, 1, 2}))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Evaluate(context.Background(), table, oracle{f.Classes, nil, vote.Weights{1, 3}}, config(t))
	if err != nil {
		t.Fatal(err)
	}
	yes := report.Rules.Tuned.Classes["yes"]
	if yes.Recall != nil || yes.RecallInterval != nil || yes.Precision != nil || report.Rules.Tuned.Means.Priority != nil {
		t.Errorf("figures of a class without rows: %+v", yes)
	}
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].Error(),
		`class "yes" has no row that could be judged`) {
		t.Errorf("warnings %v", report.Warnings)
	}
}

func TestEvaluate(t *testing.T) {
	f := frame()
	fitted := oracle{f.Classes, []float64{0.8, 0.2}, vote.Weights{1, 3}}
	table, err := fitted.Votes(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Evaluate(context.Background(), table, fitted, config(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Rules.Tuned.Confusion; got[1][1] != 3 || got[0][1] != 1 {
		t.Errorf("confusion %v", got)
	}
	for i := range table.Truth {
		table.Truth[i] = -1
	}
	if _, err := Evaluate(context.Background(), table, fitted, config(t)); !errors.Is(err, ErrNoLabels) {
		t.Errorf("error %v, want ErrNoLabels", err)
	}
}

// F136: rows that no tree voted on are counted and left out.
func TestUnvotedRows(t *testing.T) {
	f := frame()
	fitted := oracle{f.Classes, []float64{0.8, 0.2}, vote.Weights{1, 3}}
	table, _ := fitted.Votes(context.Background(), f)
	table.Counts[0], table.Counts[1] = 0, 0
	report, err := Evaluate(context.Background(), table, fitted, config(t))
	if err != nil {
		t.Fatal(err)
	}
	if report.Unvoted != 1 || report.Rules.Plain.Classes["no"].Support != 15 {
		t.Errorf("%v unvoted, support %v", report.Unvoted, report.Rules.Plain.Classes["no"].Support)
	}
	if math.IsNaN(report.Rules.Plain.Brier) {
		t.Error("Brier score is NaN")
	}
}

func TestSecondMeasure(t *testing.T) {
	c := config(t)
	c.Loss = pragma.Accuracy
	var seen []int
	report, err := CrossValidate(context.Background(), frame(), learner(&seen), c)
	if err != nil {
		t.Fatal(err)
	}
	if l := report.Rules.Tuned.Loss; l == nil || !near(*l, 2.0/20) {
		t.Errorf("loss %v, want 0.1: two of 20 rows are wrong", l)
	}
	if i := report.Rules.Tuned.LossInterval; i == nil || !(i[0] < 0.1 && i[1] > 0.1 && i[1] < 0.4) {
		t.Errorf("its interval is %v", i)
	}
}

// The standard error of the gain is that over samples: of many sets of rows drawn from the same population the
// gains spread as each of them says.
func TestGainSpreadsAsItSays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	c := config(t)
	c.Raw = fixed{}.Probabilities
	c.Tune = func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
		return vote.Weights{1, 3}, fixed{}.Probabilities, nil
	}
	var gains, errors []float64
	for range 60 {
		f := &dataset.Frame{Classes: []string{"no", "yes"}, Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}}}}
		for range 300 {
			c := 0
			if rng.Float64() < 0.2 {
				c = 1
			}
			f.Truth = append(f.Truth, c)
			f.Columns[0].Values = append(f.Columns[0].Values, float64(c)*1.5+rng.NormFloat64())
		}
		table := &vote.Table{Classes: f.Classes, Truth: f.Truth, Share: []float64{0.8, 0.2}, Source: vote.Holdout, Trees: 100}
		for _, x := range f.Columns[0].Values {
			v := uint32(100 / (1 + math.Exp(2-2*x)))
			table.Counts = append(table.Counts, 100-v, v)
		}
		report, err := Evaluate(context.Background(), table, fixed{}, c)
		if err != nil {
			t.Fatal(err)
		}
		gains, errors = append(gains, report.Gain.Loss), append(errors, report.Gain.StandardError)
	}
	if spread, said := stat.StdDev(gains, nil), stat.Mean(errors, nil); said < 0.75*spread || said > 1.35*spread {
		t.Errorf("gains spread by %v, the standard error says %v", spread, said)
	}
}

// fixed decides with weights of 1 and 3.
type fixed struct{}

func (fixed) Votes(context.Context, *dataset.Frame) (*vote.Table, error) { return nil, nil }
func (fixed) VoteWeights() vote.Weights                                  { return vote.Weights{1, 3} }
func (fixed) Probabilities(dst []float64, votes []uint32) {
	dst[1] = float64(votes[1]) / 100
	dst[0] = 1 - dst[1]
}

// counted is a warning with a number, which goes with those of its kind.
type counted struct {
	kind      string
	low, high int
}

func (c counted) Error() string { return fmt.Sprintf("%s %d-%d", c.kind, c.low, c.high) }

func (c counted) Merge(other error) (error, bool) {
	o, ok := other.(counted)
	if !ok || o.kind != c.kind {
		return nil, false
	}
	return counted{c.kind, min(c.low, o.low), max(c.high, o.high)}, true
}

// tallied is a warning that counts how often it was given, which it does not say.
type tallied int

func (tallied) Error() string { return "few rows" }

func (n tallied) Merge(other error) (error, bool) {
	o, ok := other.(tallied)
	return n + o, ok
}

// What says the same is put together, too: it may have more to tell than it says.
func TestWarningsOfOneTextMerge(t *testing.T) {
	var seen []int
	of := learner(&seen)
	report, err := CrossValidate(t.Context(), frame(), func(ctx context.Context, train *dataset.Frame,
		seed uint64) (Classifier, []error, error) {
		c, _, err := of(ctx, train, seed)
		return c, []error{tallied(1)}, err
	}, config(t))
	var n tallied
	if err != nil || len(report.Warnings) != 1 || !errors.As(report.Warnings[0], &n) || n != 4 {
		t.Errorf("%v, %v, want one warning that was given 4 times", report.Warnings, err)
	}
}

// What trainings warn of with other figures is said once.
func TestWarningsMerge(t *testing.T) {
	var seen []int
	of := learner(&seen)
	notes := [][]error{
		{counted{"rows", 3, 3}, errors.New("once")},
		{counted{"rows", 5, 5}, counted{"trees", 7, 7}},
		{counted{"trees", 9, 9}, counted{"rows", 2, 2}},
		{counted{"rows", 3, 3}},
	}
	learn := func(ctx context.Context, train *dataset.Frame, seed uint64) (Classifier, []error, error) {
		c, _, err := of(ctx, train, seed)
		return c, notes[len(seen)-1], err
	}
	report, err := CrossValidate(t.Context(), frame(), learn, config(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range report.Warnings {
		got = append(got, w.Error())
	}
	if want := []string{"in all 4 trainings: rows 2-5", "in 1 of 4 trainings: once",
		"in 2 of 4 trainings: trees 7-9"}; !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

func TestDeviation(t *testing.T) {
	sample := []float64{3, 1, 4, 1, 5, 9, 2, 6}
	if got, want := deviation(sample), stat.StdDev(sample, nil); math.Abs(got-want) > 1e-15 {
		t.Errorf("deviation %v, gonum's %v", got, want)
	}
	if sample[0] != 3 || !math.IsNaN(deviation(sample[:1])) {
		t.Errorf("sample %v, deviation of one value %v", sample, deviation(sample[:1]))
	}
}

// What would not be used is an error, and so is a measure or a table of costs for other classes.
func TestConfigHasNothingUnused(t *testing.T) {
	three, err := pragma.Spec{"a": pragma.Priority()}.Measure([]string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	frame := &dataset.Frame{Classes: []string{"a", "b"}, Truth: []int{0, 1, 0, 1}}
	learn := func(context.Context, *dataset.Frame, uint64) (Classifier, []error, error) { return nil, nil, nil }
	for what, change := range map[string]func(c *Config){
		"leave Folds and Repeats out": func(c *Config) { c.FoldOf, c.Folds = []int{0, 0, 1, 1}, 3 },
		"once, and there are to be 0": func(c *Config) { c.FoldOf, c.Repeats = []int{0, 0, 1, 1}, 2 },
		"the measure is of 3 classes": func(c *Config) { c.Loss = three },
		"Costs are of 3 classes":      func(c *Config) { c.Costs.Matrix = make([][]float64, 3) },
	} {
		c := Config{Pragma: pragma.Balanced, Raw: func([]float64, []uint32) {},
			Tune: func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
				return nil, nil, nil
			}}
		change(&c)
		if _, err := CrossValidate(context.Background(), frame, learn, c); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %s", err, what)
		}
	}
}
