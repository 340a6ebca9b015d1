package eval

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// A configuration that cannot be is refused before anything is trained.
func TestConfigRefused(t *testing.T) {
	given := func(folds ...int) func(*Config) { return func(c *Config) { c.FoldOf = folds } }
	from := func(fold func(i int) int) func(*Config) {
		folds := make([]int, 20)
		for i := range folds {
			folds[i] = fold(i)
		}
		return given(folds...)
	}
	for _, tc := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"nothing", func(c *Config) { *c = Config{} }, "Pragma is nil; it is required"},
		{"no Raw", func(c *Config) { c.Raw = nil }, "Raw is nil; it is required"},
		{"no Tune", func(c *Config) { c.Tune = nil }, "Tune is nil; it is required"},
		{"priority", func(c *Config) { c.Priority = []int{0, 2} }, "Priority has class 2; the 2 classes are counted from 0"},
		{"by cost without costs", func(c *Config) { c.ByCost = true },
			"ByCost is set, and there are no Costs; give those that decide"},
		{"no folds", given([]int{}...), "FoldOf is of 0 rows; give the fold of each of the 20"},
		{"too few", given(0, 1), "FoldOf is of 2 rows; give the fold of each of the 20"},
		{"too many", given(make([]int, 21)...), "FoldOf is of 21 rows"},
		{"negative", from(func(i int) int { return -i }), "FoldOf of row 1 is -1; number the folds from 0 without a gap"},
		{"beyond", from(func(i int) int { return 20 * i }), "FoldOf of row 1 is 20; number"},
		{"a gap", from(func(i int) int { return i % 2 * 2 }),
			"FoldOf has no row in fold 1 of 0 to 2; number the folds from 0 without a gap"},
		{"a gap in front", from(func(i int) int { return 1 + i%2 }), "FoldOf has no row in fold 0 of 0 to 2"},
		{"one fold", from(func(int) int { return 0 }), "FoldOf has all rows in fold 0; give at least two folds"},
	} {
		var seen []int
		c := config(t)
		tc.change(&c)
		_, err := CrossValidate(context.Background(), frame(), learner(&seen), c)
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), tc.want) || len(seen) > 0 {
			t.Errorf("%s: %d trainings and error %v, want %q", tc.name, len(seen), err, tc.want)
		}
	}
	none := &dataset.Frame{Classes: []string{"no", "yes"}}
	c := config(t)
	c.FoldOf = []int{}
	if _, err := CrossValidate(context.Background(), none, learner(new([]int)), c); !errors.Is(err, ErrConfig) {
		t.Errorf("no rows: error %v", err)
	}
	if _, err := Evaluate(context.Background(), &vote.Table{Classes: none.Classes}, oracle{}, Config{}); !errors.Is(err,
		ErrConfig) {
		t.Errorf("Evaluate: error %v", err)
	}
}

// Each repeat trains with a seed of its own, and on folds of its own.
func TestSeedsOfRepeats(t *testing.T) {
	var seeds []uint64
	var rows []*dataset.Frame
	inner := learner(new([]int))
	record := func(ctx context.Context, train *dataset.Frame, seed uint64) (Classifier, []error, error) {
		seeds, rows = append(seeds, seed), append(rows, train)
		return inner(ctx, train, seed)
	}
	c := config(t)
	c.Folds, c.Repeats, c.Seed = 2, 3, 5
	if _, err := CrossValidate(context.Background(), frame(), record, c); err != nil {
		t.Fatal(err)
	}
	if want := []uint64{5, 5, 6, 6, 7, 7}; !slices.Equal(seeds, want) {
		t.Errorf("seeds %v, want %v", seeds, want)
	}
	first, second := rows[0].Columns[0].Values, rows[2].Columns[0].Values
	if slices.Equal(first, second) {
		t.Error("the first two repeats have the same folds")
	}
}

// unvoted leaves rows without a vote for class 1 without any vote, and has no weights.
type unvoted struct{ oracle }

func (u unvoted) Votes(ctx context.Context, f *dataset.Frame) (*vote.Table, error) {
	t, err := u.oracle.Votes(ctx, f)
	for i := range t.Truth {
		if votes := t.Votes(i); votes[1] == 0 {
			votes[0] = 0
		}
	}
	return t, err
}

func (unvoted) VoteWeights() vote.Weights { return nil }

// Of the 20 rows 6 have no vote for class 1, in every repeat.
func TestUnvotedIsAMean(t *testing.T) {
	learn := func(_ context.Context, train *dataset.Frame, _ uint64) (Classifier, []error, error) {
		return unvoted{oracle{train.Classes, []float64{0.8, 0.2}, nil}}, nil, nil
	}
	c := config(t)
	c.Repeats = 4
	report, err := CrossValidate(context.Background(), frame(), learn, c)
	if err != nil {
		t.Fatal(err)
	}
	if report.Unvoted != 6 || report.Rules.Plain.Classes["no"].Support != 10 {
		t.Errorf("%v unvoted, %v judged; want 6 and 10 in a repeat", report.Unvoted, report.Rules.Plain.Classes["no"].Support)
	}
	if len(report.WeightsByFold) != 0 || report.Rules.Tuned.Pragma != report.Rules.Plain.Pragma {
		t.Errorf("a classifier without weights: %+v, PRAGMA %v, plain %v", report.WeightsByFold, report.Rules.Tuned.Pragma,
			report.Rules.Plain.Pragma)
	}
}
