package assess

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// group is a group of rows of probabilities from one to another, of which so many are expected to be of the class
// and so many are.
func group(low, high, rows, expected, came float64) calib.Bin {
	return calib.Bin{Low: low, High: high, Count: rows, Rows: rows, Mean: expected / rows, Share: came / rows}
}

// By hand, of 4 rows of a probability of ½: 4 come once in 16 times, as 2·√2·erfc⁻¹(1/8)/2 = 1.53 standard errors
// do, 3 and more five times in 16.
func TestErrorsOf(t *testing.T) {
	for came, want := range map[float64]float64{4: 1.534, 0: 1.534, 3: 0.489, 2: 0} {
		b := group(0.5, 0.5, 4, 2, came)
		if got := errorsOf(&b, 1); math.Abs(got-want) > 0.001 {
			t.Errorf("%v of 4: %v, want %v", came, got, want)
		}
	}
	b := group(0.5, 0.5, 16, 8, 16)
	if got := errorsOf(&b, 4); math.Abs(got-1.534) > 0.001 {
		t.Errorf("of 16 rows of which 4 are alike: %v", got)
	}
}

// By hand: of 443 rows 57 are expected, with a standard error of √(57·0.871) = 7.0, and 35 came. A share of 5.7 %
// given to every row has a Brier score of 0.057·0.943 = 0.0538.
func TestMiscalibrated(t *testing.T) {
	of := func(change func(*Subject)) *Subject {
		return subject(t, func(s *Subject) {
			s.Report.Probabilities = map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
				Figures: calib.Report{Rows: 3043, Share: 0.057, Slope: calib.Estimate{Value: 1, SE: 0.1},
					Intercept: calib.Estimate{SE: 0.1}, Brier: calib.CORP{Score: 0.055, UNC: 0.0538}, LogLoss: calib.CORP{Score: 0.2,
						UNC: 0.2187}},
				Bins: []calib.Bin{group(0, 0.1, 2600, 80, 95), group(0.1, 0.2, 443, 57, 35), group(0.9, 1, 3, 2.8, 0)},
			}}}
			if change != nil {
				change(s)
			}
		})
	}
	f := Miscalibrated(of(nil), "ill")
	if f == nil || f.Code != codes.CalibrationOff || f.Value("rows") != 443 || math.Abs(f.Value("expected")-57) > 1e-9 ||
		math.Abs(f.Value("came")-35) > 1e-9 || f.Value("next_below") != 0.1 || f.Value("next_above") != 0.9 ||
		f.Remedies != nil {
		t.Errorf("%+v", f)
	}
	given := func(s *Subject) { s.Rows, s.Remaps = codes.GivenRows, true }
	if f := Miscalibrated(of(given), "ill"); f == nil || !remedied(f, codes.Recalibrate) { // 173 rows are ill
		t.Errorf("a saved model: %+v", f)
	}
	if f := Miscalibrated(of(func(s *Subject) { given(s); s.Remaps = false }), "ill"); f == nil || f.Remedies != nil {
		t.Errorf("a map of these rows: %+v", f)
	}
	if f := Miscalibrated(of(func(s *Subject) { s.Report.EffectiveGroups = 300 }), "ill"); f != nil {
		t.Errorf("of groups that are alike: %+v", f)
	}
	few := func(s *Subject) { // 7 rows are less than a twentieth of 173, those that are ill
		s.Report.Probabilities["ill"].Calibrated.Bins = []calib.Bin{group(0, 0.01, 2600, 8, 1), group(0.1, 0.2, 443, 57, 57)}
	}
	if f := Miscalibrated(of(few), "ill"); f != nil {
		t.Errorf("of few rows of small probabilities: %+v", f)
	}
	if f := Miscalibrated(of(nil), "well"); f != nil {
		t.Errorf("of no probabilities: %+v", f)
	}
	u := uninformed(of(nil), "ill")
	if u == nil || u.Code != codes.CalibrationUninformed || u.Value("brier") != 0.055 ||
		u.Value("brier_of_share") != 0.0538 || len(u.Figures) != 3 {
		t.Errorf("%+v", u)
	}
	if u := uninformed(of(func(s *Subject) { s.Report.Probabilities["ill"].Calibrated.Figures.Brier.Score = 0.05 }),
		"ill"); u != nil {
		t.Errorf("better than that: %+v", u)
	}
}
