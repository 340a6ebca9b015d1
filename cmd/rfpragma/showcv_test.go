package main

import (
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
)

// Where the maps of the folds spoil the order of the rows it is told why, and else nothing.
func TestFoldMapWords(t *testing.T) {
	area := func(auc float64) *eval.Judgement { return &eval.Judgement{Figures: calib.Report{AUC: auc}} }
	judged := map[string]eval.Judged{
		"spoilt": {Raw: area(0.7052), Calibrated: area(0.6171)}, "little": {Raw: area(0.7), Calibrated: area(0.69)}, "better": {Raw: area(0.6), Calibrated: area(0.7)},
		"one": {Raw: area(math.NaN()), Calibrated: area(math.NaN())}, "scores": {Calibrated: area(0.5)},
	}
	words := foldMapWords([]string{"spoilt", "little", "better", "one", "scores"}, judged)
	if len(words) != 1 || !strings.Contains(words[0], `rank the rows of "spoilt" worse than the votes do: the ROC area is 0.6171, raw 0.7052.`) {
		t.Errorf("it is said: %q", words)
	}
}
