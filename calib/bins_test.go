package calib

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// compareBins leaves out the intervals, which follow from share and rows.
func compareBins(t *testing.T, name string, got, want []Bin) {
	t.Helper()
	for i := range want {
		want[i].ShareLow, want[i].ShareHigh = Wilson(want[i].Share*want[i].Rows, want[i].Rows, Z95)
	}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-15)); d != "" {
		t.Errorf("%s: %s", name, d)
	}
}

func TestBins(t *testing.T) {
	prob := []float64{0, .5, .25, 1, .125, .875, .49}
	hit := []bool{true, false, true, true, false, true, false}
	weight := []float64{1, 2, 1, 1, 1, 1, 0}
	s := mustSample(t, prob, hit, weight, nil)
	compareBins(t, "uniform", s.Reliability(4), []Bin{ // by hand
		{Low: 0, High: .25, Count: 2, Rows: 2, Mean: .0625, Share: .5, Within: .0625*.0625 + 2*.0625*.5},
		{Low: .25, High: .5, Count: 1, Rows: 1, Mean: .25, Share: 1},
		{Low: .5, High: .75, Count: 2, Rows: 1, Mean: .5, Share: 0},
		{Low: .75, High: 1, Count: 2, Rows: 2, Mean: .9375, Share: 1, Within: .0625 * .0625},
	})
	// In the order of the probabilities the middles of the rows are at .5 1.5 2.5 4 5.5 6.5 of 7,
	// and the bins meet at 3.5.
	compareBins(t, "two quantiles", s.Quantiles(2), []Bin{
		{Low: 0, High: .25, Count: 3, Rows: 3, Mean: .125, Share: 2. / 3, Within: (2*.125*.125 + 2*.125*(1-2./3) +
			2*.125*(2./3-1)) / 3},
		{Low: .5, High: 1, Count: 4, Rows: 16. / 6, Mean: (1 + .875 + 1) / 4, Share: .5, Within: (2*.21875*.21875 +
			.15625*.15625 + .28125*.28125 - 2*(.21875+.15625*.5+.28125*.5)) / 4},
	})
	compareBins(t, "curve", s.Curve(), []Bin{
		{Low: 0, High: .5, Count: 5, Rows: 25. / 7, Mean: (1 + .25 + .125) / 5, Share: .4, Within: s.Curve()[0].Within},
		{Low: .875, High: 1, Count: 2, Rows: 2, Mean: .9375, Share: 1, Within: .0625 * .0625},
	})
	if got := len(s.Values()); got != 6 {
		t.Errorf("%d values", got)
	}
	compareBins(t, "empty bins", mustSample(t, []float64{1}, []bool{true}, nil, nil).Reliability(2), []Bin{
		{Low: 0, High: .5, ShareHigh: 1},
		{Low: .5, High: 1, Count: 1, Rows: 1, Mean: 1, Share: 1},
	})
}

// A probability that many rows share is a bin of its own, and those without a row are left out.
func TestQuantilesOfTies(t *testing.T) {
	prob, hit := []float64{.9, .1, .1, .1, .1, .1, .2, .3}, make([]bool, 8)
	table := mustSample(t, prob, hit, nil, nil).Quantiles(4)
	var counts []float64
	for _, b := range table {
		counts = append(counts, b.Count)
	}
	if d := cmp.Diff([]float64{5, 1, 2}, counts); d != "" {
		t.Error(d)
	}
	if got := mustSample(t, prob, hit, nil, nil).Quantiles(1); len(got) != 1 || got[0].Count != 8 {
		t.Errorf("one bin: %+v", got)
	}
}

// The interval of a bin rests on its effective number of rows: weights of another unit do not
// make it narrower, and a table of counts may say that they are rows.
func TestBinsOfWeights(t *testing.T) {
	prob, hit := []float64{.3, .3, .3, .3}, []bool{true, false, true, false}
	plain := mustSample(t, prob, hit, nil, nil).Values()[0]
	heavy := mustSample(t, prob, hit, []float64{100, 100, 100, 100}, nil).Values()[0]
	rows := mustSample(t, prob[:2], hit[:2], []float64{200, 200}, []float64{200, 200}).Values()[0]
	low, high := Wilson(2, 4, Z95)
	if plain.Rows != 4 || heavy.Rows != 4 || plain.ShareLow != low || heavy.ShareHigh != high {
		t.Errorf("plain %+v, heavy %+v, want %g to %g", plain, heavy, low, high)
	}
	low, high = Wilson(200, 400, Z95)
	if rows.Rows != 400 || rows.ShareLow != low || rows.ShareHigh != high {
		t.Errorf("counts %+v, want %g to %g", rows, low, high)
	}
	uneven := mustSample(t, prob, hit, []float64{3, 1, 1, 1}, nil).Values()[0]
	if uneven.Rows != 3 || uneven.Count != 6 { // 6²/(9+1+1+1)
		t.Errorf("uneven %+v", uneven)
	}
}

func TestTablesWithoutRows(t *testing.T) {
	mean, largest := ECE(nil)
	m := Decompose([]Bin{{High: 1, ShareHigh: 1}})
	for _, f := range []float64{mean, largest, m.Reliability, m.Resolution, m.Uncertainty, m.Within} {
		if !math.IsNaN(f) {
			t.Errorf("got %g, want NaN", f)
		}
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
