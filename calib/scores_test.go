package calib

import (
	"math"
	"testing"
)

// scoreCase is a score worked by hand.
type scoreCase struct {
	name         string
	prob, weight []float64
	truth        []int
	k            int
	want         float64
}

func TestScores(t *testing.T) {
	for _, s := range []struct {
		name  string
		score func(prob []float64, truth []int, weight []float64, k int) float64
		cases []scoreCase
	}{
		{"Brier", Brier, []scoreCase{
			{"two classes, halved", []float64{.3, .7, .9, .1}, nil, []int{1, 0}, 2, (.09 + .01) / 2},
			{"three classes, not halved", []float64{.5, .3, .2}, nil, []int{1}, 3, .25 + .49 + .04},
			{"worst of two", []float64{1, 0}, nil, []int{1}, 2, 1},
			{"worst of three", []float64{1, 0, 0}, nil, []int{1}, 3, 2},
			{"perfect", []float64{1, 0, 0, 1}, nil, []int{0, 1}, 2, 0},
			{"weighted", []float64{.3, .7, .9, .1}, []float64{3, 1}, []int{1, 0}, 2, (3*.09 + .01) / 4},
			{"unknown class and weight 0 are skipped", []float64{.3, .7, nan, nan, nan, nan}, []float64{1, 1, 0}, []int{1, -1, 0}, 2, .09},
			{"NaN shows", []float64{nan, .7}, nil, []int{1}, 2, nan},
			{"no rows", nil, nil, nil, 2, nan},
			{"no known row", []float64{.3, .7}, nil, []int{-1}, 2, nan},
		}},
		{"LogLoss", LogLoss, []scoreCase{
			{"two classes", []float64{.5, .5, .75, .25}, nil, []int{1, 1}, 2, 1.5 * math.Ln2},
			{"three classes, weighted", []float64{.5, .25, .25, .25, .5, .25}, []float64{2, 1}, []int{0, 0}, 3, 4. / 3 * math.Ln2},
			{"K275 wrong beyond doubt", []float64{1, 0}, nil, []int{1}, 2, 34.538776394910684},
			{"K275 right beyond doubt", []float64{0, 1}, nil, []int{1}, 2, 9.992007221626415e-16},
			{"NaN shows", []float64{nan, nan}, nil, []int{1}, 2, nan},
			{"no rows", nil, nil, nil, 3, nan},
		}},
	} {
		for _, tc := range s.cases {
			got := s.score(tc.prob, tc.truth, tc.weight, tc.k)
			if !near(got, tc.want, 1e-15) && !(math.IsNaN(got) && math.IsNaN(tc.want)) {
				t.Errorf("%s, %s: got %.17g, want %.17g", s.name, tc.name, got, tc.want)
			}
		}
	}
}

func TestShapesPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"calib: 3 probabilities and 0 weights for 2 rows and 2 classes": func() { Brier(make([]float64, 3), []int{0, 1}, nil, 2) },
		"calib: 4 probabilities and 1 weights for 2 rows and 2 classes": func() { LogLoss(make([]float64, 4), []int{0, 1}, []float64{1}, 2) },
		"calib: 1 probabilities, 0 labels, 0 weights, 5 bins":           func() { Reliability([]float64{.5}, nil, nil, 5) },
		"calib: 1 probabilities, 1 labels, 2 weights, 5 bins":           func() { Reliability([]float64{.5}, []bool{true}, []float64{1, 1}, 5) },
		"calib: 1 probabilities, 1 labels, 0 weights, 0 bins":           func() { Reliability([]float64{.5}, []bool{true}, nil, 0) },
	} {
		func() {
			defer func() {
				if got := recover(); got != name {
					t.Errorf("panic %v, want %s", got, name)
				}
			}()
			call()
		}()
	}
}

func TestWilsonEdges(t *testing.T) {
	if low, high := Wilson(0, 0, Z95); low != 0 || high != 1 {
		t.Errorf("n = 0: got %g, %g", low, high)
	}
	for _, n := range []float64{1e-9, .5, 1, 3.7, 10, 1e6, 1e15} {
		for _, share := range []float64{0, .001, .3, .5, .999, 1} {
			low, high := Wilson(share*n, n, Z95)
			p := share * n / n
			if !(low >= 0 && low <= p && p <= high && high <= 1) || (share == 0 && low != 0) || (share == 1 && high != 1) {
				t.Errorf("Wilson(%g·%g) = %g, %g", share, n, low, high)
			}
		}
	}
	if low, high := Wilson(3, 10, 0); low != .3 || high != .3 {
		t.Errorf("z = 0: got %g, %g", low, high)
	}
}

// The table of a logistic regression on 10,000 test rows from R. Rakotomalala's slides on
// the calibration of scores, with every row at the mean score of its bin.
func TestReliabilityPublishedTable(t *testing.T) {
	misses, hits := []int{3244, 912, 473, 278, 137}, []int{309, 346, 402, 630, 3269}
	mean := []float64{.0691, .2914, .4953, .7033, .9494}
	printed := []float64{.0870, .2750, .4594, .6938, .9598}
	var prob []float64
	var hit []bool
	for b := range mean {
		for i := range misses[b] + hits[b] {
			prob, hit = append(prob, mean[b]), append(hit, i < hits[b])
		}
	}
	table := Reliability(prob, hit, nil, 5)
	reliability, resolution := 0.0, 0.0
	for b, bin := range table {
		if bin.Low != float64(b)/5 || bin.High != float64(b+1)/5 || bin.Count != float64(misses[b]+hits[b]) {
			t.Errorf("bin %d is %+v", b, bin)
		}
		if !near(bin.Mean, mean[b], 1e-12) || math.Abs(bin.Share-printed[b]) > 5e-5 {
			t.Errorf("bin %d: mean %g and share %g, want %g and %g", b, bin.Mean, bin.Share, mean[b], printed[b])
		}
		if !(bin.ShareLow < bin.Share && bin.Share < bin.ShareHigh) {
			t.Errorf("bin %d: interval %g to %g around %g", b, bin.ShareLow, bin.ShareHigh, bin.Share)
		}
		reliability += bin.Count / 10000 * (bin.Mean - bin.Share) * (bin.Mean - bin.Share)
		resolution += bin.Count / 10000 * (bin.Share - .4956) * (bin.Share - .4956)
	}
	// Murphy's terms of this table, computed apart.
	if math.Abs(reliability-.000304522) > 5e-10 || math.Abs(resolution-.142516) > 5e-7 {
		t.Errorf("reliability %g, resolution %g", reliability, resolution)
	}
}

func TestReliabilityBins(t *testing.T) {
	prob := []float64{0, .5, .25, 1, -3, 7, .49}
	hit := []bool{true, false, true, true, false, true, false}
	weight := []float64{1, 2, 1, 1, 1, 1, 0}
	table := Reliability(prob, hit, weight, 4)
	for b, want := range []Bin{ // by hand
		{Low: 0, High: .25, Count: 2, Mean: -1.5, Share: .5},
		{Low: .25, High: .5, Count: 1, Mean: .25, Share: 1},
		{Low: .5, High: .75, Count: 2, Mean: .5, Share: 0},
		{Low: .75, High: 1, Count: 2, Mean: 4, Share: 1},
	} {
		want.ShareLow, want.ShareHigh = Wilson(want.Share*want.Count, want.Count, Z95)
		if table[b] != want {
			t.Errorf("bin %d is %+v, want %+v", b, table[b], want)
		}
	}
	empty := Reliability(nil, nil, nil, 1)
	if want := (Bin{High: 1, ShareHigh: 1}); len(empty) != 1 || empty[0] != want {
		t.Errorf("without rows: %+v, want %+v", empty, want)
	}
	if got := Reliability([]float64{nan}, []bool{true}, nil, 3); !math.IsNaN(got[0].Mean) || got[0].Count != 1 {
		t.Errorf("NaN: %+v", got)
	}
}

// The edges belong to the bin above, in spite of products such as 0.29·100 = 28.999….
func TestReliabilityEdges(t *testing.T) {
	for _, bins := range []int{1, 3, 5, 7, 10, 49, 100} {
		for b := range bins {
			edge := float64(b) / float64(bins)
			if got := binOf(edge, bins); got != b {
				t.Errorf("%d of %d: bin %d", b, bins, got)
			}
			if got := binOf(math.Nextafter(float64(b+1)/float64(bins), 0), bins); got != b {
				t.Errorf("end of %d of %d: bin %d", b, bins, got)
			}
		}
	}
}
