package main

import (
	"math"
	"strings"
	"testing"
)

// turns returns runs of a side on letter: fit seconds and accuracies by seed.
func turns(side string, fit, accuracy []float64) []result {
	var runs []result
	for i := range fit {
		r := result{
			Date: "2026-01-02", Set: "letter", Rows: 16000, Features: 16, Classes: 26, Tests: 4000, Side: side,
			Cores: 2, Threads: 2, Trees: 100, Seed: i + 1, Status: ok, told: nothingTold(), score: nothingScored(),
		}
		r.Version = "1.0 of " + side
		r.FitS, r.Accuracy = number(fit[i]), number(accuracy[i])
		r.PredictS, r.FitMB, r.PeakMB = r.FitS/10, 10*r.FitS, 20*r.FitS
		r.Recall, r.LogLoss = r.Accuracy, 1-r.Accuracy
		runs = append(runs, r)
	}
	return runs
}

func contestOf(t *testing.T, all ...[]result) contest {
	t.Helper()
	var runs []result
	for _, r := range all {
		runs = append(runs, r...)
	}
	c := gather(tables[0], runs)
	if len(c) != 1 {
		t.Fatalf("%d sets", len(c))
	}
	return c[0]
}

func TestSEDifference(t *testing.T) {
	m := func(sd float64, n int) moments { return moments{0, sd, n} }
	for _, tc := range []struct {
		a, b moments
		want float64 // by hand
	}{
		{m(6, 4), m(8, 4), 5},                      // √(3² + 4²)
		{m(6, 4), m(math.NaN(), 1), math.Sqrt(45)}, // √(3² + 6²), the spread of a taken for b
		{m(math.NaN(), 1), m(6, 4), math.Sqrt(45)},
		{m(math.NaN(), 1), m(math.NaN(), 1), 0},
	} {
		if got := seDifference(tc.a, tc.b); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("seDifference(%v, %v) = %g, want %g", tc.a, tc.b, got, tc.want)
		}
	}
}

var (
	mine   = turns(us, []float64{1, 2, 3}, []float64{0.95, 0.96, 0.97})            // mean 0.96, se 0.01/√3
	close3 = []float64{0.94, 0.95, 0.96}                                           // 0.01 less, the same se: 1.22 se of the difference
	far3   = []float64{0.92, 0.93, 0.94}                                           // 0.03 less: 3.67 se
	quick  = turns("ranger", []float64{2, 2, 2}, far3)                             // fastest, but less accurate
	equal  = turns("ydf", []float64{4, 6, 8}, close3)                              // fastest that counts
	slow   = turns("scikit-learn", []float64{9, 8, 7}, []float64{0.97, 0.98, 0.9}) // counts, slower
	single = turns("xgboost", []float64{5}, []float64{0.95})                       // counts: 0.01 less is 0.87 se, with our spread for its own
)

func TestFastestOfEqualAccuracy(t *testing.T) {
	c := contestOf(t, mine, quick, equal, slow)
	if got := c.fastest(fitS); got != "ydf" {
		t.Errorf("fastest = %q, want ydf", got)
	}
	if got := c.fastestOfAll(fitS); got != "ranger" {
		t.Errorf("fastest of all = %q, want ranger", got)
	}
	// By hand: 6 by 2; the turns 4/1, 6/2, 8/3.
	if of, low, high := c.ratio("ydf", fitS); of != 3 || low != 8.0/3 || high != 4 {
		t.Errorf("ratio = %g (%g–%g), want 3 (2.67–4)", of, low, high)
	}
	if got, want := c.faster(fitS), "3.00 (2.67–4.00), ydf; 1.00 (0.667–2.00), ranger †"; got != want {
		t.Errorf("faster = %q, want %q", got, want)
	}
	if got := contestOf(t, mine, quick, slow, single).fastest(fitS); got != "xgboost" {
		t.Errorf("fastest with a single turn = %q, want xgboost", got)
	}
	if got := contestOf(t, mine, quick).fastest(fitS); got != "" {
		t.Errorf("fastest of none = %q", got)
	}
	if got := contestOf(t, mine).faster(fitS); got != "–" {
		t.Errorf("faster of none = %q", got)
	}
}

// A peer for which ours by Gini's index is no match stands beside ours by entropy, if that is one.
func TestBesideEntropy(t *testing.T) {
	by := func(accuracy float64) []result {
		return turns(byEntropy, []float64{3, 3, 3}, []float64{accuracy, accuracy, accuracy})
	}
	better := turns("ydf", []float64{6, 9, 12}, []float64{0.98, 0.99, 1}) // 0.03 and 3.67 se above ours
	for _, tc := range []struct {
		name          string
		theirs, other []result
		beside, want  string
	}{
		{"entropy helps", better, by(0.99), byEntropy, "3.00 (2.00–4.00), ydf beside entropy"}, // 9 by 3
		{"entropy does not", better, by(0.95), us, "4.50 (4.00–6.00), ydf"},                    // 9 by 2
		{"Gini is enough", equal, by(0.99), us, "3.00 (2.67–4.00), ydf"},
		{"no entropy", better, nil, us, "4.50 (4.00–6.00), ydf"},
	} {
		c := contestOf(t, mine, tc.theirs, tc.other)
		if got := c.beside("ydf"); got != tc.beside {
			t.Errorf("%s: beside %s, want %s", tc.name, got, tc.beside)
		}
		if got := c.faster(fitS); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	if got := contestOf(t, mine, better, by(0.99)).within([]string{"ydf"}, accuracy, 1); got != "yes" {
		t.Errorf("by entropy as accurate: %q", got)
	}
	// The fastest is the one with the least ratio: 9 by 3 is less than 8 by 2.
	if got := contestOf(t, mine, better, by(0.99), slow).fastest(fitS); got != "ydf" {
		t.Errorf("fastest %q, want ydf", got)
	}
}

// A peer that misses more of the rarest class does not count, however accurate; one that is behind by a hair does.
func TestEqual(t *testing.T) {
	c := contestOf(t, mine, turns("ydf", []float64{1, 1, 1}, []float64{0.96, 0.96, 0.96}), turns("ranger", []float64{1, 1, 1}, []float64{0.956, 0.956, 0.956}))
	for i := range c.tallies[us].runs {
		c.tallies[us].runs[i].Accuracy, c.tallies[us].runs[i].Recall = 0.96, 0.96
	}
	if !c.equal("ydf") || !c.equal("ranger") { // 0.004 below, without any spread
		t.Error("equal peers do not count")
	}
	c.tallies["ydf"].runs[0].Recall = 0.9 // 0.02 below in the mean, one standard error being 0.02
	if !c.equal("ydf") {
		t.Error("a recall that is lower by chance does not count")
	}
	for i := range c.tallies["ydf"].runs {
		c.tallies["ydf"].runs[i].Recall = 0.9
	}
	if c.equal("ydf") {
		t.Error("a lower recall counts")
	}
}

func TestShareOfMemory(t *testing.T) {
	// By hand: ours 20, ranger 20, scikit-learn 80; ydf is no reference.
	if got := contestOf(t, mine, quick, equal, slow).share(tables[0].references, fitMB); got != "1.00" {
		t.Errorf("share = %q, want 1.00", got)
	}
	if got := contestOf(t, mine, equal, slow).share(tables[0].references, fitMB); got != "0.250" {
		t.Errorf("share = %q, want 0.250", got)
	}
}

func TestWithin(t *testing.T) {
	better := turns("ranger", []float64{1, 1, 1}, []float64{0.96, 0.97, 0.98})   // 0.01 more: 1.22 se
	similar := turns("ranger", []float64{1, 1, 1}, []float64{0.95, 0.965, 0.97}) // 0.0017 more: less than one se
	for _, tc := range []struct {
		name   string
		theirs []result
		v      value
		sign   float64
		want   string
	}{
		{"theirs is better", better, accuracy, 1, "no: 1.2 se worse than ranger"},
		{"theirs is better, less being more", better, logLoss, -1, "no: 1.2 se worse than ranger"},
		{"ours is better", quick, accuracy, 1, "yes"},
		{"ours is better, less being more", quick, logLoss, -1, "yes"},
		{"about the same", similar, accuracy, 1, "yes"},
		{"nobody", nil, accuracy, 1, "–"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := contestOf(t, mine, tc.theirs)
			if got := c.within([]string{"ranger", "scikit-learn", "ranger", ""}, tc.v, tc.sign); got != tc.want {
				t.Errorf("within = %q, want %q", got, tc.want)
			}
		})
	}
	one := contestOf(t, mine[:1], better[:1])
	if got := one.within(tables[0].references, accuracy, 1); got != "no: worse than ranger" {
		t.Errorf("within of a single seed = %q", got)
	}
}

func TestReport(t *testing.T) {
	late := turns("lightgbm", []float64{0}, []float64{0})
	late[0].Status, late[0].told, late[0].score = "over 300 s", nothingTold(), nothingScored()
	var runs []result
	for _, r := range [][]result{mine, quick, equal, single, late} {
		runs = append(runs, r...)
	}
	text, err := report(tables[0], runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Measured 2026-01-02 on 2 cores: 100 trees, 2 threads. Peers: ranger 1.0 of ranger, ydf 1.0 of ydf, xgboost 1.0 of xgboost.\n",
		"| set | rfpragma | ranger | ydf | lightgbm | xgboost | times faster",
		"| letter, 16000 × 16, 26 classes | 2.00 | 2.00 † | 6.00 | over 300 s | 5.00 ‡ | 2.50, xgboost ‡; 1.00 (0.667–2.00), ranger † |",
		"| letter | 20.0 / 40.0 | 20.0 / 40.0 † | 60.0 / 120 | over 300 s | 50.0 / 100 ‡ | 1.00 / 1.00 |",
		"| letter, 3 seeds | 0.96000 ± 0.00577 | 0.93000 ± 0.00577 † | 0.95000 ± 0.00577 | over 300 s | 0.95000 ‡ | yes |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "saved model") {
		t.Errorf("the report shows what is not there:\n%s", text)
	}
}

func TestReportRefused(t *testing.T) {
	with := func(change func(*result)) []result {
		runs := append(turns(us, []float64{1, 1}, []float64{1, 1}), turns("ydf", []float64{1, 1}, []float64{1, 1})...)
		change(&runs[3])
		return runs
	}
	for _, tc := range []struct {
		runs []result
		want string
	}{
		{with(func(r *result) { r.Trees = 10 }), "runs of trees 100 and 10; measure the set letter again"},
		{with(func(r *result) { r.Threads = 4 }), "runs of threads 2 and 4"},
		{with(func(r *result) { r.Version = "2" }), "runs of version of ydf 1.0 of ydf and 2"},
		{nil, "no result of rfpragma"},
		{with(func(*result) {})[2:], "no result of rfpragma"},
	} {
		if _, err := report(tables[0], tc.runs); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("report: %v, want %q", err, tc.want)
		}
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.00123456: "0.00123", 0.2071: "0.207", 9.876: "9.88", 12.34: "12.3", 268.4: "268", 12345.6: "12346"} {
		if got := digits(x); got != want {
			t.Errorf("digits(%g) = %q, want %q", x, got, want)
		}
	}
	if got := digits(math.NaN()); got != "–" {
		t.Errorf("digits(NaN) = %q", got)
	}
}
