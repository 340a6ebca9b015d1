package eval

import (
	"context"
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func crossValidated(t *testing.T, f *dataset.Frame, c Config) *Report {
	t.Helper()
	report, err := CrossValidate(context.Background(), f, learner(new([]int)), c)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// An interval rests on the rows there are, whatever their weights are measured in.
func TestIntervalsForgetTheUnit(t *testing.T) {
	want := crossValidated(t, frame(), config(t)).Rules.Tuned.Classes["yes"]
	for _, unit := range []float64{1, 1000, 0.125, 0x1p-600, 0x1p+900} {
		for _, repeats := range []int{1, 3} {
			f, c := frame(), config(t)
			c.Repeats = repeats
			for range f.Truth {
				f.Weight = append(f.Weight, unit)
			}
			got := crossValidated(t, f, c).Rules.Tuned.Classes["yes"]
			for i := range 2 {
				if !near(got.RecallInterval[i], want.RecallInterval[i]) || !near(got.PrecisionInterval[i],
					want.PrecisionInterval[i]) {
					t.Errorf("unit %g, %d repeats: recall %v, precision %v; without weights %v, %v", unit, repeats,
						*got.RecallInterval, *got.PrecisionInterval, *want.RecallInterval, *want.PrecisionInterval)
				}
			}
		}
	}
}

// By hand: the rows of "yes", with 2, 4, 6 and 8 votes, weigh 1, 1, 2 and 4, so the effective
// number is (1+1+2+4)²/(1+1+4+16) = 64/22, and recall with weight 3 is 7/8, all but the first.
// Decided as "yes" are beside them one row of "no", with 4 votes, that weighs 3: precision is
// 7/10, of (3+1+2+4)²/(9+1+4+16) = 100/30 rows.
func TestIntervalOfUnequalWeights(t *testing.T) {
	f := frame()
	for range f.Truth {
		f.Weight = append(f.Weight, 1)
	}
	copy(f.Weight[15:], []float64{3, 1, 1, 2, 4})
	c := config(t)
	got := crossValidated(t, f, c).Rules.Tuned.Classes["yes"]
	c.Repeats = 3
	if again := crossValidated(t, f, c).Rules.Tuned.Classes["yes"]; !near(got.Rows, 64.0/22) || !near(again.Rows,
		got.Rows) {
		t.Errorf("%v rows, of three repeats %v; want 64/22", got.Rows, again.Rows)
	}
	for _, tc := range []struct {
		name    string
		share   *float64
		between *[2]float64
		want, n float64
	}{
		{"recall", got.Recall, got.RecallInterval, 7.0 / 8, 64.0 / 22},
		{"precision", got.Precision, got.PrecisionInterval, 7.0 / 10, 100.0 / 30},
	} {
		low, high := calib.Wilson(tc.want*tc.n, tc.n, calib.Z95)
		if !near(*tc.share, tc.want) || !near(tc.between[0], low) || !near(tc.between[1], high) {
			t.Errorf("%s %v in %v, want %v in %v to %v", tc.name, *tc.share, *tc.between, tc.want, low, high)
		}
	}
}

// By hand: of two folds the scores of the first weigh more. Row 0, truth 0, has 2 of 10 votes for
// class 1 and weighs 3: (0.2)² = 0.04; row 1, truth 1, has 6 and weighs 1: (0.4)² = 0.16.
func TestScoresAreWeighted(t *testing.T) {
	f := &dataset.Frame{
		Classes: []string{"no", "yes"}, Truth: []int{0, 1}, Weight: []float64{3, 1},
		Columns: []dataset.Column{{Field: dataset.Field{Name: "votes"}, Values: []float64{2, 6}}},
	}
	c := config(t)
	c.Folds = 0 // FoldOf gives them
	c.FoldOf = []int{0, 1}
	r := crossValidated(t, f, c).Rules
	brier := (3*0.04 + 0.16) / 4
	logLoss := -(3*math.Log(0.8) + math.Log(0.6)) / 4
	for _, rule := range []Rule{r.Plain, r.Prior, r.Tuned, r.Optimistic} {
		if !near(rule.Brier, brier) || !near(rule.LogLoss, logLoss) {
			t.Errorf("Brier %v, log loss %v; want %v, %v", rule.Brier, rule.LogLoss, brier, logLoss)
		}
	}
}

// undecided gives a probability of one half whatever the votes.
type undecided struct{ oracle }

func (undecided) Probabilities(dst []float64, _ []uint32) { dst[0], dst[1] = 0.5, 0.5 }

// Plain and prior rule are judged by the raw probabilities, the tuned one by those of the
// classifier: an even guess has the Brier score 1/4.
func TestWhoseProbabilities(t *testing.T) {
	learn := func(_ context.Context, train *dataset.Frame, _ uint64) (Classifier, []error, error) {
		return undecided{oracle{train.Classes, []float64{0.8, 0.2}, vote.Weights{1, 3}}}, nil, nil
	}
	report, err := CrossValidate(context.Background(), frame(), learn, config(t))
	if err != nil {
		t.Fatal(err)
	}
	raw := (6*0.01 + 3*0.04 + 0.16 + 0.64 + 0.36 + 0.16 + 0.04) / 20
	for name, tc := range map[string]struct{ got, want float64 }{
		"plain":      {report.Rules.Plain.Brier, raw},
		"prior":      {report.Rules.Prior.Brier, raw},
		"tuned":      {report.Rules.Tuned.Brier, 0.25},
		"optimistic": {report.Rules.Optimistic.Brier, raw}, // those of Tune
	} {
		if !near(tc.got, tc.want) {
			t.Errorf("%s: Brier %v, want %v", name, tc.got, tc.want)
		}
	}
}

// Ties go to the class with more of all rows, not of those that one fold was trained on: here
// the folds say class 0, the frame class 1.
func TestOptimisticTies(t *testing.T) {
	f := &dataset.Frame{
		Classes: []string{"a", "b"}, Truth: []int{0, 1, 1, 1},
		Columns: []dataset.Column{{Field: dataset.Field{Name: "votes"}, Values: []float64{0, 5, 5, 10}}},
	}
	c := config(t)
	c.Folds = 0 // FoldOf gives them
	c.FoldOf, c.Pragma = []int{0, 0, 1, 1}, pragma.Accuracy
	c.Tune = func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
		return vote.Weights{1, 1}, oracle{}.Probabilities, nil
	}
	r := crossValidated(t, f, c).Rules
	if r.Plain.Pragma != 0.5 || r.Optimistic.Pragma != 0 {
		t.Errorf("plain %v, want 0.5: both ties lost; optimistic %v, want 0: both won", r.Plain.Pragma, r.Optimistic.Pragma)
	}
}

// A class without rows changes no mean, also where another is taken for it.
func TestMeansOfAClassWithoutRows(t *testing.T) {
	m := vote.NewConfusion([]string{"a", "b", "c"})
	m.Add(0, 0, 3)
	m.Add(0, 2, 1)
	got := MeansOf(m, []int{0, 2})
	if got.Priority.Recall != 0.75 || got.Priority.Precision != 1 || *got.All != *got.Priority || got.Others != nil {
		t.Errorf("priority %+v, all %+v, others %+v", got.Priority, got.All, got.Others)
	}
}
