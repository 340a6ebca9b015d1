package calib_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rfpragma/rfpragma/calib"
)

// Eight rows, the share of votes for "ill" of each, and who was ill.
func ExampleMethod_Fit_isotonic() {
	share := []float64{0, .1, .2, .2, .4, .5, .7, .9}
	ill := []bool{false, false, true, false, false, true, true, true}
	m, err := calib.IsotonicLinear.Fit(share, ill, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []float64{.1, .3, .45, .8} {
		fmt.Printf("%.2f → %.3f\n", s, m.Prob(s))
	}
	// Output:
	// 0.10 → 0.000
	// 0.30 → 0.333
	// 0.45 → 0.667
	// 0.80 → 1.000
}

// A forest of 20 trees: its votes for "ill", smoothed, then mapped on the scale of log odds.
func ExampleSmooth() {
	votes := []float64{0, 2, 4, 4, 8, 10, 14, 18}
	ill := []bool{false, false, true, false, false, true, true, true}
	share := make([]float64, len(votes))
	for i, v := range votes {
		share[i] = calib.Smooth(v, 20)
	}
	m, err := calib.PlattLogit.Fit(share, ill, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("20 of 20 → %.3f\n", m.Prob(calib.Smooth(20, 20)))
	// Output:
	// 20 of 20 → 0.952
}

// Three classes: a map for each, and probabilities that sum to 1. The maps are kept as JSON.
func ExampleSet_json() {
	share := []float64{
		.8, .1, .1,
		.5, .3, .2,
		.2, .7, .1,
		.3, .5, .2,
		.1, .2, .7,
		.3, .4, .3,
	}
	truth := []int{0, 0, 1, 1, 2, 2}
	maps, err := calib.PlattRaw.FitClasses(context.Background(), calib.Rows{K: 3, Share: share, Truth: truth})
	if err != nil {
		fmt.Println(err)
		return
	}
	prob := make([]float64, 3)
	maps.Probabilities(prob, []float64{.3, .4, .3})
	fmt.Printf("%.2f\n", prob)
	stored, err := json.Marshal(maps)
	fmt.Println(len(stored) > 0, err)
	// Output:
	// [0.26 0.36 0.38]
	// true <nil>
}

// Nine rows: the probability that was given for "ill", and who was ill.
func ExampleSample_Report() {
	prob := []float64{.05, .1, .1, .2, .3, .4, .6, .7, .9}
	ill := []bool{false, false, true, false, false, true, false, true, true}
	s, err := calib.NewSample(prob, ill, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := s.Report()
	fmt.Printf("%.0f rows, %d probabilities; %.0f %% ill, said %.0f %%\n", r.Weight, r.Distinct, 100*r.Share, 100*r.Mean)
	fmt.Printf("Brier %.3f = %.3f − %.3f + %.3f\n", r.Brier.Score, r.Brier.MCB, r.Brier.DSC, r.Brier.UNC)
	fmt.Printf("slope %.2f ± %.2f, intercept %.2f ± %.2f\n", r.Slope.Value, r.Slope.SE, r.Intercept.Value, r.Intercept.SE)
	fmt.Printf("AUC %.3f, average precision %.3f\n", r.AUC, r.AveragePrecision)
	// Output:
	// 9 rows, 8 probabilities; 44 % ill, said 37 %
	// Brier 0.197 = 0.058 − 0.108 + 0.247
	// slope 0.73 ± 0.56, intercept 0.46 ± 0.83
	// AUC 0.775, average precision 0.812
}

// Votes of 4 trees, as a table of counts: how many rows have how many votes, and how many of
// them are ill. The counts are numbers of rows, so they are given twice.
func ExampleNewSample() {
	votes := []float64{0, 1, 2, 3, 4}
	rows, ills := []float64{500, 120, 40, 25, 15}, []float64{5, 15, 14, 17, 14}
	var prob, count []float64
	var hit []bool
	for i, v := range votes {
		prob = append(prob, calib.Smooth(v, 4), calib.Smooth(v, 4))
		hit = append(hit, true, false)
		count = append(count, ills[i], rows[i]-ills[i])
	}
	s, err := calib.NewSample(prob, hit, count, count)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range s.Values() {
		fmt.Printf("said %.2f, was %.3f (%.3f–%.3f) of %.0f\n", b.Mean, b.Share, b.ShareLow, b.ShareHigh, b.Rows)
	}
	m := calib.Decompose(s.Values())
	fmt.Printf("reliability %.4f, resolution %.4f, uncertainty %.4f\n", m.Reliability, m.Resolution, m.Uncertainty)
	// Output:
	// said 0.10, was 0.010 (0.004–0.023) of 500
	// said 0.30, was 0.125 (0.077–0.196) of 120
	// said 0.50, was 0.350 (0.221–0.505) of 40
	// said 0.70, was 0.680 (0.484–0.828) of 25
	// said 0.90, was 0.933 (0.702–0.988) of 15
	// reliability 0.0124, resolution 0.0363, uncertainty 0.0842
}

func ExampleSample_Reliability() {
	prob := []float64{.1, .2, .3, .7, .8, .9}
	hit := []bool{false, true, false, true, true, true}
	s, err := calib.NewSample(prob, hit, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range s.Reliability(2) {
		fmt.Printf("%.1f–%.1f: %.0f rows, said %.2f, was %.2f (%.2f–%.2f)\n", b.Low, b.High, b.Count, b.Mean, b.Share, b.ShareLow, b.ShareHigh)
	}
	// Output:
	// 0.0–0.5: 3 rows, said 0.20, was 0.33 (0.06–0.79)
	// 0.5–1.0: 3 rows, said 0.80, was 1.00 (0.44–1.00)
}

// The CORP curve: no bins to choose.
func ExampleSample_Curve() {
	prob := []float64{.1, .2, .3, .7, .8, .9}
	hit := []bool{false, true, false, true, true, true}
	s, err := calib.NewSample(prob, hit, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range s.Curve() {
		fmt.Printf("%.1f–%.1f → %.2f\n", b.Low, b.High, b.Share)
	}
	// Output:
	// 0.1–0.1 → 0.00
	// 0.2–0.3 → 0.50
	// 0.7–0.9 → 1.00
}

// Are these probabilities right, or too extreme? Of 100 rows each 21, 37, 50 and 61 were ill. If they are right, the curve lies in the
// band at nine of ten points, and a p-value below 0.05 is rare.
func ExampleSample_Consistency() {
	prob := []float64{.1, .1, .3, .3, .5, .5, .7, .7}
	ill := []bool{true, false, true, false, true, false, true, false}
	count := []float64{21, 79, 37, 63, 50, 50, 61, 39}
	s, err := calib.NewSample(prob, ill, count, count)
	if err != nil {
		fmt.Println(err)
		return
	}
	right, err := s.Consistency(context.Background(), 0.9, 999, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, b := range s.Curve() {
		p := right.Points[i]
		fmt.Printf("said %.1f, was %.2f; if right, from %.2f to %.2f\n", p.Prob, b.Share, p.Low, p.High)
	}
	fmt.Printf("p = %.3f\n", right.PValue)
	// Output:
	// said 0.1, was 0.21; if right, from 0.05 to 0.15
	// said 0.3, was 0.37; if right, from 0.23 to 0.37
	// said 0.5, was 0.50; if right, from 0.42 to 0.59
	// said 0.7, was 0.61; if right, from 0.62 to 0.77
	// p = 0.019
}

// Two ways to staff a counter, by the customers that come: one too few is three times as bad as one too many, so the better
// forecast is that of the quantile of order 0.75.
func ExamplePinball() {
	came := []float64{8, 10, 12, 14}
	mean, upper := []float64{11, 11, 11, 11}, []float64{13, 13, 13, 13}
	fmt.Printf("%.2f, %.2f\n", calib.Pinball(came, mean, nil, 0.75), calib.Pinball(came, upper, nil, 0.75))
	// Output: 1.00, 0.75
}

// Is it worth acting on these probabilities, where a missed case is as bad as nine false
// alarms, or as one?
func ExampleSample_NetBenefit() {
	prob := []float64{.05, .1, .1, .2, .3, .4, .6, .7, .9}
	ill := []bool{false, false, true, false, false, true, false, true, true}
	s, err := calib.NewSample(prob, ill, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	curve, err := s.NetBenefit([]float64{.1, .5})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range curve {
		fmt.Printf("at %.1f: %.3f by the probabilities, %.3f for all, 0 for none\n", b.Threshold, b.Model, b.All)
	}
	// Output:
	// at 0.1: 0.395 by the probabilities, 0.383 for all, 0 for none
	// at 0.5: 0.111 by the probabilities, -0.111 for all, 0 for none
}

// Three classes, pair by pair: the map that a method makes of the votes of two classes, and the
// probabilities that agree best with all pairs.
func ExampleMethod_FitClasses() {
	rows := calib.Rows{K: 3, Truth: []int{0, 0, 1, 1, 2, 2}, Share: []float64{
		.8, .1, .1,
		.5, .3, .2,
		.2, .7, .1,
		.3, .5, .2,
		.1, .2, .7,
		.3, .4, .3,
	}}
	prob := make([]float64, 3)
	for _, method := range []calib.Method{calib.Temperature, calib.Vector, "platt:coupled"} {
		maps, err := method.FitClasses(context.Background(), rows)
		if err != nil {
			fmt.Println(err)
			return
		}
		maps.Probabilities(prob, []float64{.3, .4, .3})
		fmt.Printf("%.2f\n", prob)
	}
	// Output:
	// [0.30 0.41 0.30]
	// [0.24 0.35 0.41]
	// [0.28 0.35 0.38]
}

// How much eight rows say of a score: the wider the interval, the less.
func ExampleVennAbersTable_Interval() {
	share := []float64{0, .1, .2, .2, .4, .5, .7, .9}
	ill := []bool{false, false, true, false, false, true, true, true}
	m, err := calib.VennAbers.Fit(share, ill, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []float64{.1, .45, .9} {
		low, high := m.(calib.VennAbersTable).Interval(s)
		fmt.Printf("%.2f: %.2f–%.2f, so %.2f\n", s, low, high, m.Prob(s))
	}
	// Output:
	// 0.10: 0.00–0.40, so 0.29
	// 0.45: 0.25–1.00, so 0.57
	// 0.90: 0.75–1.00, so 0.80
}

// Trained on as many ill rows as well ones, where in truth one in fifty is ill.
func ExampleChangePriors() {
	prob := []float64{.2, .8}
	if err := calib.ChangePriors(prob, prob, []float64{.5, .5}, []float64{.98, .02}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", prob[1])
	// Output:
	// 0.075
}
