package calib_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/calib"
)

func TestCuts(t *testing.T) {
	s, err := calib.NewSample([]float64{0.9, 0.8, 0.8, 0.3, 0.1}, []bool{true, true, false, true, false},
		[]float64{1, 1, 1, 2, 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := []calib.Cut{ // by hand: hits of weight 1, 1, 2, others of 1, 2
		{Prob: 0.9, Recall: 0.25, FalsePositive: 0, Precision: 1},
		{Prob: 0.8, Recall: 0.5, FalsePositive: 1.0 / 3, Precision: 2.0 / 3},
		{Prob: 0.3, Recall: 1, FalsePositive: 1.0 / 3, Precision: 0.8},
		{Prob: 0.1, Recall: 1, FalsePositive: 1, Precision: 4.0 / 7},
	}
	for _, tc := range []struct {
		name string
		step float64
		want []calib.Cut
	}{
		{"all of them", 0, all},
		{"the second is nearer than the step", 0.4, []calib.Cut{all[0], all[2], all[3]}},
		{"the first and the last are always there", 2, []calib.Cut{all[0], all[3]}},
	} {
		if diff := cmp.Diff(tc.want, s.Cuts(tc.step)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// The area under the ROC curve of all cuts, by trapezoids, is the AUC; the steps under the precision-recall curve
// are the average precision.
func TestCutsHaveTheAreas(t *testing.T) {
	prob := []float64{0.1, 0.4, 0.35, 0.8, 0.4, 0.05, 0.7, 0.4}
	hit := []bool{false, false, true, true, true, false, false, true}
	s, err := calib.NewSample(prob, hit, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	roc, steps := 0.0, 0.0
	last := calib.Cut{}
	for _, c := range s.Cuts(0) {
		roc += (c.FalsePositive - last.FalsePositive) * (c.Recall + last.Recall) / 2
		steps += (c.Recall - last.Recall) * c.Precision
		last = c
	}
	if area, se := s.AUC(); area != s.Report().AUC || s.Report().AUCSE >= 0 && se != s.Report().AUCSE {
		t.Errorf("AUC %v ± %v, the report has another", area, se)
	}
	if r := s.Report(); math.Abs(roc-r.AUC) > 1e-12 || math.Abs(steps-r.AveragePrecision) > 1e-12 {
		t.Errorf("areas %v and %v, the report has %v and %v", roc, steps, r.AUC, r.AveragePrecision)
	}
}

func TestCutsOfOneClass(t *testing.T) {
	s, err := calib.NewSample([]float64{0.2, 0.6}, []bool{false, false}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []calib.Cut{{Prob: 0.6, FalsePositive: 0.5}, {Prob: 0.2, FalsePositive: 1}}
	if diff := cmp.Diff(want, s.Cuts(0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
