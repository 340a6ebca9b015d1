package calib_test

import (
	"encoding/json"
	"fmt"

	"github.com/rfpragma/rfpragma/calib"
)

// Eight rows, the share of votes for "ill" of each, and who was ill.
func ExampleFitIsotonic() {
	share := []float64{0, .1, .2, .2, .4, .5, .7, .9}
	ill := []bool{false, false, true, false, false, true, true, true}
	m, err := calib.FitIsotonic(share, ill, nil, true)
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
	m, err := calib.FitSigmoid(share, ill, nil, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("20 of 20 → %.3f\n", m.Prob(calib.Smooth(20, 20)))
	// Output:
	// 20 of 20 → 0.952
}

// Three classes: a map for each, and probabilities that sum to 1. The maps are kept as JSON.
func ExampleFitOneVsRest() {
	share := []float64{
		.8, .1, .1,
		.5, .3, .2,
		.2, .7, .1,
		.3, .5, .2,
		.1, .2, .7,
		.3, .4, .3,
	}
	truth := []int{0, 0, 1, 1, 2, 2}
	maps, err := calib.FitOneVsRest(calib.PlattRaw.Fit, share, truth, nil, 3)
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
		maps, err := method.FitClasses(rows)
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
	m, err := calib.FitVennAbers(share, ill, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []float64{.1, .45, .9} {
		low, high := m.Interval(s)
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

func ExampleReliability() {
	prob := []float64{.1, .2, .3, .7, .8, .9}
	hit := []bool{false, true, false, true, true, true}
	for _, b := range calib.Reliability(prob, hit, nil, 2) {
		fmt.Printf("%.1f–%.1f: %.0f rows, said %.2f, was %.2f (%.2f–%.2f)\n", b.Low, b.High, b.Count, b.Mean, b.Share, b.ShareLow, b.ShareHigh)
	}
	// Output:
	// 0.0–0.5: 3 rows, said 0.20, was 0.33 (0.06–0.79)
	// 0.5–1.0: 3 rows, said 0.80, was 1.00 (0.44–1.00)
}
