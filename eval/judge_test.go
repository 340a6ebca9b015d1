package eval

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
)

// Rows of weight 2 are judged as two rows are, in whatever unit; those of weight 0 and of unknown class are left
// out; no weights are weights of 1.
func TestJudgeWeighs(t *testing.T) {
	prob := []float64{.9, .1, .3, .7, .4, .6, .2, .8, .5, .5}
	truth := []int{0, 1, 0, -1, 1}
	judge := func(unit float64, weight ...float64) *Judgement {
		for i := range weight {
			weight[i] *= unit
		}
		j, err := Judge(prob, truth, weight, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	few := judge(1, 1, 1, 2, 1, 0)
	if few.Figures.Weight != 4 || !near(few.Figures.Brier.Score, (.01+.09+2*.36)/4) || !near(few.Figures.Share, .25) {
		t.Errorf("by hand: weight 4, Brier score 0.205, share 0.25; got %+v", few.Figures)
	}
	large := judge(1024, 1, 1, 2, 1, 0)
	if large.Figures.Weight != 4096 || large.Figures.Brier != few.Figures.Brier || large.Figures.Rows != few.Figures.Rows {
		t.Errorf("in another unit: %+v, want %+v", large.Figures, few.Figures)
	}
	prob, truth = prob[:8], truth[:4]
	if none, ones := judge(1), judge(1, 1, 1, 1, 1); none.Figures.Weight != 3 || !cmp.Equal(none.Bins, ones.Bins) ||
		!near(none.Figures.Brier.Score, (.01+.09+.36)/3) {
		t.Errorf("without weights: %+v, of weight 1: %+v", none.Figures, ones.Figures)
	}
	truth = slices.Repeat([]int{-1}, 4)
	if _, err := Judge(prob, truth, nil, 2, 1); !errors.Is(err, calib.ErrNoRows) {
		t.Errorf("nothing is known: %v", err)
	}
}

// Of two classes the probabilities of one are judged: the one of priority, else the rarer one.
func TestJudgedClass(t *testing.T) {
	turned := frame()
	for i, c := range turned.Truth {
		turned.Truth[i] = 1 - c
	}
	for _, tc := range []struct {
		name     string
		frame    *dataset.Frame
		priority []int
		want     string
	}{
		{"yes matters", frame(), []int{1}, "yes"},
		{"no matters", frame(), []int{0}, "no"},
		{"yes is rarer", frame(), nil, "yes"},
		{"no is rarer", turned, nil, "no"},
	} {
		var seen []int
		c := config(t)
		c.Priority = tc.priority
		report, err := CrossValidate(context.Background(), tc.frame, learner(&seen), c)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Collect(maps.Keys(report.Probabilities)); len(got) != 1 || got[0] != tc.want {
			t.Errorf("%s: judged are the probabilities of %v, want %s", tc.name, got, tc.want)
		}
	}
}
