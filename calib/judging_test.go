package calib

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
)

func mustSample(t testing.TB, prob []float64, hit []bool, weight, square []float64) *Sample {
	t.Helper()
	s, err := NewSample(prob, hit, weight, square)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// judged is one case of testdata/judging.csv.
type judged struct {
	prob, weight []float64
	hit          []bool
}

// judgingCases returns the cases by name.
func judgingCases(t testing.TB) map[string]*judged {
	t.Helper()
	cases := map[string]*judged{}
	for _, row := range readCSV(t, "testdata/judging.csv") {
		c := cases[row[0]]
		if c == nil {
			c = &judged{}
			cases[row[0]] = c
		}
		c.prob = append(c.prob, number(t, row[1]))
		c.hit = append(c.hit, row[2] == "1")
		c.weight = append(c.weight, number(t, row[3]))
	}
	if len(cases) != 8 {
		t.Fatalf("testdata/judging.csv has %d cases, want 8", len(cases))
	}
	return cases
}

// scikit is testdata/judging.json, the work of testdata/judging.py.
type scikit struct {
	Cases []struct {
		Case              string
		AUC, Brier        float64
		AveragePrecision  float64 `json:"average_precision"`
		LogLoss           float64 `json:"log_loss"`
		Uniform, Quantile [][]float64
	}
	Pinball struct{ Target, Forecast, Weight, Tau, Loss []float64 }
}

func readScikit(t *testing.T) scikit {
	t.Helper()
	data, err := os.ReadFile("testdata/judging.json")
	if err != nil {
		t.Fatal(err)
	}
	var s scikit
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Cases) != 8 || len(s.Pinball.Tau) != 5 {
		t.Fatalf("testdata/judging.json has %d cases and %d losses, want 8 and 5", len(s.Cases), len(s.Pinball.Tau))
	}
	return s
}

func TestReportAgreesWithSklearn(t *testing.T) {
	cases := judgingCases(t)
	for _, want := range readScikit(t).Cases {
		c := cases[want.Case]
		s := mustSample(t, c.prob, c.hit, c.weight, nil)
		r := s.Report()
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"AUC", r.AUC, want.AUC},
			{"average precision", r.AveragePrecision, want.AveragePrecision},
			{"Brier", r.Brier.Score, want.Brier},
			{"log loss", r.LogLoss.Score, want.LogLoss},
		} {
			if !near(f.got, f.want, 1e-13) {
				t.Errorf("%s: %s is %.17g, want %.17g", want.Case, f.name, f.got, f.want)
			}
		}
		compareCurve(t, want.Case+", uniform", s.Reliability(10), want.Uniform)
		compareCurve(t, want.Case+", quantile", s.Quantiles(10), want.Quantile)
	}
}

// compareCurve takes mean probabilities and shares of the bins that are not empty.
func compareCurve(t *testing.T, name string, table []Bin, want [][]float64) {
	t.Helper()
	if want == nil {
		return
	}
	n := 0
	for _, b := range table {
		if b.Count == 0 {
			continue
		}
		if n < len(want[0]) && (!near(b.Mean, want[0][n], 1e-14) || !near(b.Share, want[1][n], 1e-14)) {
			t.Errorf("%s: bin %d is %+v, want mean %.17g and share %.17g", name, n, b, want[0][n], want[1][n])
		}
		n++
	}
	if n != len(want[0]) {
		t.Errorf("%s: %d bins, want %d", name, n, len(want[0]))
	}
}

func TestPinballAgreesWithSklearn(t *testing.T) {
	p := readScikit(t).Pinball
	for i, tau := range p.Tau {
		if got := Pinball(p.Target, p.Forecast, p.Weight, tau); !near(got, p.Loss[i], 1e-14) {
			t.Errorf("Pinball at %g is %.17g, want %.17g", tau, got, p.Loss[i])
		}
	}
}

// What glm, reliabilitydiag and rms say, see testdata/judging.R. There a weight is a number of rows, so it is given
// as the square too. The standard errors of glm are those of its last step but one, and the slope of rms is not
// iterated to the last digit.
func TestReportAgreesWithR(t *testing.T) {
	cases, compared := judgingCases(t), 0
	for _, row := range readCSV(t, "testdata/judging-r.csv") {
		c := cases[row[0]]
		s := mustSample(t, c.prob, c.hit, c.weight, c.weight)
		r, parts, curve := s.Report(), Decompose(s.Reliability(5)), s.Curve()
		ece, _ := ECE(s.Reliability(5))
		benefit, err := s.NetBenefit([]float64{.1, .35})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range []struct {
			name           string
			got, tolerance float64
		}{
			{"intercept", r.Intercept.Value, 1e-11}, {"its standard error", r.Intercept.SE, 1e-7},
			{"slope", r.Slope.Value, 1e-9}, {"its standard error", r.Slope.SE, 1e-7},
			{"Brier", r.Brier.Score, 1e-14}, {"MCB", r.Brier.MCB, 1e-14}, {"DSC", r.Brier.DSC, 1e-14}, {"UNC", r.Brier.UNC,
				1e-14},
			{"log loss", r.LogLoss.Score, 1e-13}, {"its MCB", r.LogLoss.MCB, 1e-13}, {"its DSC", r.LogLoss.DSC, 1e-13},
			{"its UNC", r.LogLoss.UNC, 1e-13},
			{"length of the curve", float64(len(curve)), 0},
			{"z", r.Z, 1e-12}, {"slope of rms", r.Slope.Value, 1e-6},
			{"net benefit at 0.1", benefit[0].Model, 1e-14}, {"net benefit at 0.35", benefit[1].Model, 1e-14},
			{"reliability", parts.Reliability, 1e-14}, {"resolution", parts.Resolution, 1e-14}, {"within", parts.Within, 1e-14},
			{"ECE", ece, 1e-14},
			{"SE of Brier", r.BrierSE, 1e-13}, {"SE of log loss", r.LogLossSE, 1e-12}, {"SE of AUC", r.AUCSE, 1e-13},
		} {
			if row[i+1] == "" {
				continue
			}
			compared++
			if want := number(t, row[i+1]); !near(f.got, want, f.tolerance) {
				t.Errorf("%s: %s is %.17g, want %.17g", row[0], f.name, f.got, want)
			}
		}
	}
	if compared != 168 {
		t.Errorf("%d figures compared, want 168", compared)
	}
}

// slides returns the table of a logistic regression on 10,000 test rows from R. Rakotomalala's
// slides on the calibration of scores, with every row at the mean score of its bin.
func slides() (prob []float64, hit []bool) {
	misses, hits := []int{3244, 912, 473, 278, 137}, []int{309, 346, 402, 630, 3269}
	for b, mean := range []float64{.0691, .2914, .4953, .7033, .9494} {
		for i := range misses[b] + hits[b] {
			prob, hit = append(prob, mean), append(hit, i < hits[b])
		}
	}
	return prob, hit
}

func TestPublishedTable(t *testing.T) {
	prob, hit := slides()
	s := mustSample(t, prob, hit, nil, nil)
	r, table := s.Report(), s.Reliability(5)
	ece, largest := ECE(table)
	for _, f := range []struct {
		name      string
		got, want float64
		digit     float64
	}{
		// Murphy's terms and the ECE of this table, computed apart.
		{"reliability", r.Murphy.Reliability, .000304522, 5e-10},
		{"resolution", r.Murphy.Resolution, .142516, 5e-7},
		{"uncertainty", r.Murphy.Uncertainty, .249981, 5e-7},
		{"ECE", ece, .015940, 5e-7},
		{"largest error", largest, .4953 - 402./875, 1e-12},
		{"MCB", r.Brier.MCB, .000304522, 5e-10}, // the shares rise, so PAV changes nothing
		{"DSC", r.Brier.DSC, .142516, 5e-7},
		{"within", r.Murphy.Within, 0, 0},
	} {
		if !(math.Abs(f.got-f.want) <= f.digit) {
			t.Errorf("%s is %.9g, want %.9g", f.name, f.got, f.want)
		}
	}
	for b, printed := range []float64{.0870, .2750, .4594, .6938, .9598} {
		bin := table[b]
		if bin.Low != float64(b)/5 || bin.High != float64(b+1)/5 || math.Abs(bin.Share-printed) > 5e-5 ||
			bin.Rows != bin.Count {
			t.Errorf("bin %d is %+v, want a share of %g", b, bin, printed)
		}
		if !(bin.ShareLow < bin.Share && bin.Share < bin.ShareHigh) {
			t.Errorf("bin %d: interval %g to %g around %g", b, bin.ShareLow, bin.ShareHigh, bin.Share)
		}
	}
}

// By hand: probabilities .2 .4 .4 .8 of miss, hit, miss, hit.
func TestReportByHand(t *testing.T) {
	s := mustSample(t, []float64{.8, .4, .2, .4}, []bool{true, true, false, false}, nil, nil)
	r := s.Report()
	if !math.IsNaN(r.AUCSE) {
		t.Errorf("the area of two rows of each class has a standard error, %g", r.AUCSE)
	}
	_, r.AUCSE = s.AUC()
	intercept, slope, z := r.Intercept, r.Slope, r.Z
	r.Intercept, r.Slope, r.Z, r.LogLossSE = Estimate{}, Estimate{}, 0, 0
	want := Report{
		Weight: 4, Rows: 4, Distinct: 3, Share: .5, Mean: .45,
		Brier:   CORP{.15, .15 - .125, .25 - .125, .25},
		LogLoss: CORP{Score: -math.Log(.8*.8*.4*.6) / 4, DSC: math.Ln2 / 2, UNC: math.Ln2},
		Murphy:  Murphy{Reliability: (.04 + .02 + .04) / 4, Resolution: .125, Uncertainty: .25},
		BrierSE: math.Sqrt((.11*.11 + .21*.21 + .01*.01 + .11*.11) / 12), // of .04 .36 .16 .04 about .15
		ECE:     (.2 + .2 + .2) / 4, AUC: .875, TiedPairs: .25, AveragePrecision: (1 + 2./3) / 2,
		// the hits beat .75 and 1 of the others, these are beaten by 1 and .75
		AUCSE: math.Sqrt(2 * (.125*.125 + .125*.125) / 2),
	}
	want.LogLoss.MCB = want.LogLoss.Score - math.Ln2/2
	for i, f := range figures(r) {
		if w := figures(want)[i]; !near(f, w, 1e-15) {
			t.Errorf("figure %d is %.17g, want %.17g of %+v", i, f, w, want)
		}
	}
	// Σ(y−p)(1−2p) = −.2·.6 + (.6−.4)·.2 − .2·.6, Σ(1−2p)²p(1−p) = 2·.36·.16 + 2·.04·.24.
	if !near(z, -.2/math.Sqrt(.1344), 1e-14) {
		t.Errorf("z is %g", z)
	}
	// Parted but for the tie: no slope. At the intercept the probabilities sum to the hits.
	p := func(q float64) float64 { return 1 / (1 + math.Exp(-intercept.Value)*(1-q)/q) }
	if !math.IsNaN(slope.Value) || !near(p(.2)+2*p(.4)+p(.8), 2, 1e-15) {
		t.Errorf("slope %+v, intercept %+v", slope, intercept)
	}
}

// figures returns all numbers of a report but the Excluded, in order.
func figures(r Report) []float64 {
	return []float64{
		r.Weight, r.Rows, float64(r.Distinct), r.Share, r.Mean,
		r.Brier.Score, r.Brier.MCB, r.Brier.DSC, r.Brier.UNC,
		r.LogLoss.Score, r.LogLoss.MCB, r.LogLoss.DSC, r.LogLoss.UNC,
		r.Murphy.Reliability, r.Murphy.Resolution, r.Murphy.Uncertainty, r.Murphy.Within, r.ECE,
		r.Intercept.Value, r.Intercept.SE, r.Slope.Value, r.Slope.SE, r.Z,
		r.AUC, r.TiedPairs, r.AveragePrecision,
		r.BrierSE, r.LogLossSE, r.AUCSE,
	}
}

func TestReportEdges(t *testing.T) {
	for _, tc := range []struct {
		name      string
		prob      []float64
		hit       []bool
		undefined []string
	}{
		{"one hit", []float64{.3}, []bool{true}, []string{"Intercept", "Slope", "AUC", "TiedPairs", "BrierSE", "LogLossSE",
			"AUCSE"}},
		{"misses alone", []float64{.3, .6}, []bool{false, false}, []string{"Intercept", "Slope", "AUC", "TiedPairs",
			"AveragePrecision", "AUCSE"}},
		{"all equal", []float64{.3, .3, .3}, []bool{true, false, false}, []string{"Slope", "AUCSE"}},
		{"parted", []float64{.3, .4, .6}, []bool{false, false, true}, []string{"Slope", "AUCSE"}},
		{"parted backwards", []float64{.3, .4, .6}, []bool{true, true, false}, []string{"Slope", "AUCSE"}},
		{"sure and right", []float64{0, 1}, []bool{false, true}, []string{"Slope", "Z", "AUCSE"}},
		{"sure and wrong", []float64{0, 1, 0, 1}, []bool{true, false, false, true}, []string{"Z", "AUCSE"}},
		{"few", []float64{.3, .5, .6, .7}, []bool{false, true, false, true}, []string{"AUCSE"}},
		{"8 of a class", slices.Repeat([]float64{.3, .5, .6, .7}, 4), slices.Repeat([]bool{false, true, false, true}, 4),
			[]string{"AUCSE"}},
		{"all defined", slices.Repeat([]float64{.3, .5, .6, .7}, 5), slices.Repeat([]bool{false, true, false, true}, 5), nil},
		{"a class that ties", slices.Repeat([]float64{.3, .5, .6, .5}, 10), slices.Repeat([]bool{false, true, false, true},
			10), []string{"AUCSE"}},
		{"all tie", slices.Repeat([]float64{.5, .5}, 10), slices.Repeat([]bool{false, true}, 10), []string{"Slope", "Z",
			"AUCSE"}},
	} {
		r := mustSample(t, tc.prob, tc.hit, nil, nil).Report()
		var undefined []string
		for _, f := range []struct {
			name  string
			value float64
		}{{"Intercept", r.Intercept.Value}, {"Slope", r.Slope.Value}, {"Z", r.Z}, {"AUC", r.AUC}, {"TiedPairs", r.TiedPairs},
			{"AveragePrecision", r.AveragePrecision}, {"BrierSE", r.BrierSE}, {"LogLossSE", r.LogLossSE}, {"AUCSE", r.AUCSE}} {
			if math.IsNaN(f.value) {
				undefined = append(undefined, f.name)
			}
		}
		if fmt.Sprint(undefined) != fmt.Sprint(tc.undefined) {
			t.Errorf("%s: undefined are %v, want %v", tc.name, undefined, tc.undefined)
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var read Report
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(read) != fmt.Sprint(r) {
			t.Errorf("%s: %s reads as %v, was %v", tc.name, data, read, r)
		}
	}
	r := mustSample(t, []float64{0, 1, .5}, []bool{true, false, true}, []float64{2, 3, 1}, nil).Report()
	if r.Excluded != 5 || !near(r.LogLoss.Score, (5*34.538776394910684+math.Ln2)/6, 1e-15) || !finite(r.LogLoss.MCB) {
		t.Errorf("excluded: %+v", r)
	}
}
