package view

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
)

// No map because none was asked for is told from no map because none is better.
func TestCalibrationWords(t *testing.T) {
	for _, tc := range []struct {
		asked, method calib.Method
		want          string
	}{
		{calib.None, calib.None, "No map is fitted, as you asked."},
		{calib.Auto, calib.None, "No map is fitted: by cross-validation none that auto tries is proven to do better than " +
			"no map. Figures are cross-validated: of rows that the maps have not seen."},
		{calib.Auto, "beta", "The map is beta, which auto has picked. Figures are cross-validated: of rows that the " +
			"maps have not seen."},
		{"platt", "platt", "The map is platt. Figures are cross-validated: of rows that the maps have not seen."},
	} {
		s := Calibrated{Frame: &dataset.Frame{Classes: []string{"ill", "well"}}, Asked: tc.asked, Method: tc.method}
		if got := s.Words()[0]; got != tc.want {
			t.Errorf("%s of %s: %s", tc.method, tc.asked, got)
		}
	}
	s := Calibrated{Asked: "auto:coupled", Method: "platt:coupled", Before: "raw",
		Judged: CrossJudged{map[string]eval.Judged{"a": {}, "b": {}, "c": {}}, 0.2, 0.1}}
	if got := s.figures(); !strings.HasSuffix(got,
		" The log loss of all classes together is 0.1000, raw 0.2000; auto:coupled goes by that.") {
		t.Error(got)
	}
}
