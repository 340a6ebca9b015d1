package say

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
)

// Who keeps the rows between the ends that are told has those that are counted, and none of the groups beside.
func TestProbabilitiesOfParts(t *testing.T) {
	grid := []calib.Bin{{Low: 0, High: 0.1}, {Low: 0.1, High: 0.2}, {Low: 0.2, High: 0.3}, {Low: 0.3, High: 0.4}}
	ranks := []calib.Bin{{Low: 0.000213, High: 0.0926175}, {Low: 0.0926176, High: 0.0926176},
		{Low: 0.0931, High: 0.164992}, {Low: 0.164993, High: 0.9164}}
	for _, tc := range []struct {
		table []calib.Bin
		at    int
		want  string
	}{
		{grid, 0, "0–10 %"},
		{grid, 2, "20–30 %"},
		{ranks, 0, "0.02130–9.26175 %"},
		{ranks, 1, "9.26176 %"},
		{[]calib.Bin{{Low: 0, High: 0.000111}, {Low: 0.000434901, High: 0.000434901}, {Low: 0.000436, High: 0.1}}, 1,
			"0.043 %"},
		{[]calib.Bin{{Low: 0, High: 0.000111}, {Low: 0.000434901, High: 0.000434901}, {Low: 0.000433, High: 0.1}}, 1,
			"0.0435 %"},
		{ranks, 2, "9.3100–16.4992 %"},
		{ranks, 3, "16.4993–91.6400 %"},
		{[]calib.Bin{{Low: 0.02, High: 0.1611}, {Low: 0.164993, High: 0.9164}}, 1, "16.4–91.7 %"},
	} {
		p := partOf(tc.table, tc.at)
		if got := p.probabilities(); got != tc.want {
			t.Errorf("group %d of %v has %q, want %q", tc.at, tc.table, got, tc.want)
		}
	}
}

// Both ends of a range have as many decimals.
func TestProbabilitiesAlike(t *testing.T) {
	decimals := func(text string) int {
		_, after, _ := strings.Cut(strings.TrimSuffix(text, " %"), ".")
		return len(after)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		ends := make([]float64, 6)
		for i := range ends {
			ends[i] = rng.Float64() * math.Pow10(-rng.IntN(4))
		}
		slices.Sort(ends)
		table := []calib.Bin{{Low: ends[0], High: ends[1]}, {Low: ends[2], High: ends[3]}, {Low: ends[4], High: ends[5]}}
		at := rng.IntN(3)
		p := partOf(table, at)
		low, high, _ := strings.Cut(p.probabilities(), "–")
		if decimals(low) != decimals(high) {
			t.Fatalf("%v: %s–%s", ends, low, high)
		}
	}
}

// partOf is one of a table of groups, with the ends of those beside it.
func partOf(table []calib.Bin, at int) part {
	p := part{low: table[at].Low, high: table[at].High}
	if at > 0 {
		p.below = &table[at-1].High
	}
	if at < len(table)-1 {
		p.above = &table[at+1].Low
	}
	return p
}
