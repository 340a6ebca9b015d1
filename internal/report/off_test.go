package report

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
)

// group is a group of rows of probabilities from one to another, of which so many are expected to be of the class
// and so many are.
func group(low, high, rows, expected, came float64) calib.Bin {
	return calib.Bin{Low: low, High: high, Count: rows, Rows: rows, Mean: expected / rows, Share: came / rows}
}

// By hand: of 443 rows 57 are expected, with a standard error of √(57·0.871) = 7.0, and 35 came; of 290 rows 9.1 are
// expected, and by the distribution of Poisson 18 and more come 6 times in 1000.
func TestOff(t *testing.T) {
	right, unknown := calib.Estimate{Value: 1, SE: 0.1}, calib.Estimate{Value: math.NaN(), SE: math.NaN()}
	tenths := []calib.Bin{group(0, 0.1, 2600, 80, 95), group(0.1, 0.2, 443, 57, 35), group(0.2, 0.3, 0, 0, 0),
		group(0.9, 1, 3, 2.8, 0)}
	ranks := []calib.Bin{group(0.001, 0.0243, 1200, 12, 13), group(0.0263, 0.0434, 290, 9.1, 18), group(0.0449, 0.09, 1000,
		60, 62), group(0.0901, 0.95, 570, 65, 50)}
	for _, tc := range []struct {
		name             string
		slope, intercept calib.Estimate
		bins, ranks      []calib.Bin
		groups           float64
		weighed          bool
		want             string
	}{
		{"high ones first", right, calib.Estimate{SE: 0.1}, tenths, ranks, 0, false,
			`too high at 10–20 % (57 expected, 35 came) and too low at 2.6–4.4 % (9.1 expected, 18 came).`},
		{"of weights", right, calib.Estimate{SE: 0.1}, tenths, nil, 0, true, `too high at 10–20 % (57 expected, 35 came).`},
		{"groups that are alike", right, calib.Estimate{SE: 0.1}, tenths, ranks, 300, false, ""},
		{"by chance", right, calib.Estimate{SE: 0.1}, tenths[:1], ranks[2:], 0, false, ""},
		// 95 of 80 are 1.7 standard errors
		{"as a whole, and shown by what chance makes once in 20 times", right, calib.Estimate{Value: 0.4, SE: 0.1},
			tenths[:1], nil, 0, false, ""},
		{"by the slope", calib.Estimate{Value: 0.5, SE: 0.1}, unknown, []calib.Bin{group(0, 0.1, 500, 5, 11),
			group(0.1, 0.2, 300, 45, 44), group(0.5, 0.6, 50, 27, 19)}, nil, 0, false,
			`too high at 50–60 % (27 expected, 19 came) and too low at 0–10 % (5 expected, 11 came).`},
		{"side by side", unknown, calib.Estimate{Value: -1, SE: 0.1}, nil, []calib.Bin{group(0, 0.1, 100, 5, 5),
			group(0.11, 0.2, 100, 15, 5), group(0.21, 0.3, 100, 25, 10), group(0.31, 0.4, 100, 35, 34)}, 0, false,
			`too high at 11–30 % (40 expected, 15 came).`},
		{"in the same direction", unknown, calib.Estimate{Value: -1, SE: 0.1}, nil, []calib.Bin{group(0.11, 0.2, 100, 15, 5),
			group(0.21, 0.3, 100, 25, 25), group(0.31, 0.4, 100, 35, 20)}, 0, false,
			`too high at 31–40 % (35 expected, 20 came), 11–20 % (15 expected, 5 came).`},
		{"next to nothing", calib.Estimate{Value: 0.97, SE: 0.001}, unknown, []calib.Bin{group(0.15, 0.25, 1e6, 2e5, 1.95e5)},
			nil, 0, false, ""},
		{"a handful", unknown, calib.Estimate{Value: -1, SE: 0.1}, []calib.Bin{group(0.8, 0.9, 9, 7.6, 0)}, nil, 0, false,
			""},
		{"a few that came where fewer were expected", right, calib.Estimate{SE: 0.1}, nil,
			[]calib.Bin{group(0, 0.001, 400, 0.4, 2), group(0.1, 0.1, 400, 40, 40)}, 0, false, ""},
		{"none is expected", right, calib.Estimate{SE: 0.1}, nil, []calib.Bin{group(0, 0, 400, 0, 12), group(1, 1, 40, 40,
			20)}, 0, false, `too high at 100 % (40 expected, 20 came) and too low at 0 % (0 expected, 12 came).`},
		{"nothing known", unknown, unknown, nil, nil, 0, false, ""},
	} {
		r := &eval.Report{Weighed: tc.weighed, EffectiveGroups: tc.groups,
			Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
				Figures: calib.Report{Rows: 3043, Slope: tc.slope, Intercept: tc.intercept}, Bins: tc.bins, Quantiles: tc.ranks,
			}}}}
		want := tc.want
		if want != "" {
			want = `The probabilities of "ill" are ` + want
		}
		if got := off(r, "ill"); got != want {
			t.Errorf("%s: %q, want %q", tc.name, got, want)
		}
	}
	if got := off(&eval.Report{}, "ill"); got != "" {
		t.Errorf("of a class whose probabilities are not judged it is said %q", got)
	}
}
