package eval

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of 20 rows that most trees call a, with shares 0.50 to 0.97, the lower ten are b.
func TestVoteSpread(t *testing.T) {
	table := &vote.Table{Classes: []string{"a", "b"}, Source: vote.Holdout, Trees: 200}
	for i := range 20 {
		table.Truth = append(table.Truth, 1-i/10)
		table.Counts = append(table.Counts, uint32(101+5*i), uint32(99-5*i))
	}
	h := SpreadOf(table)
	if err := h.Sound(2); err != nil {
		t.Fatal(err)
	}
	// deciles of the ten wrong ones and of the ten right ones, but for those within 10 trees of 200: 0.95 and above
	if want := 16; len(h.Cuts[0]) != want || len(h.Cuts[1]) != 0 || len(h.Rows) != want+2 {
		t.Errorf("%d cuts, %d parts: %+v", len(h.Cuts[0]), len(h.Rows), h)
	}
	right, wrong := 0.0, 0.0
	for b, rows := range h.Rows {
		if right, wrong = right+rows[0], wrong+rows[1]; b < 8 && rows[0] > 0 || b > 9 && rows[1] > 0 {
			t.Errorf("part %d has %v", b, rows)
		}
	}
	if right != 10 || wrong != 10 || h.partOf([]uint32{0, 0}, table.Rule(nil)) != -1 {
		t.Errorf("%v rows of a, %v of b", right, wrong)
	}
	if table.Source = vote.Train; SpreadOf(table) != nil {
		t.Error("votes of training say nothing of new rows")
	}
	for name, bad := range map[string]*VoteSpread{"no parts": {}, "a cut twice": {Cuts: [][]float64{{0.5, 0.5}, {}},
		Rows: [][]float64{{1, 0}, {1, 0}, {1, 0}, {1, 0}}}, "a weight below 0": {Cuts: [][]float64{{}, {}},
		Rows: [][]float64{{-1, 2}, {1, 0}}}, "no rows": {Cuts: [][]float64{{}, {}}, Rows: [][]float64{{0, 0}, {0, 0}}}} {
		if bad.Sound(2) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The shares of the classes are those of the highest likelihood, by trying all of a grid, and the ends of their interval
// are where it falls by 1.92; by hand: of 1000 rows, 100 in a part that only the first class has, it has a tenth.
func TestSharesOfVotes(t *testing.T) {
	u := &Unlabelled{Classes: []string{"a", "b"}, Order: []int{1, 0}, Base: []float64{0.02, 0.98}, Rows: 1e9,
		Spread: &VoteSpread{Cuts: [][]float64{{}, {0.7}}, Rows: [][]float64{{3e6, 0}, {5e6, 3e8}, {12e6, 6.8e8}}}}
	w := &Watch{}
	for part, rows := range []float64{15, 320, 665} {
		w.Gather(&Watch{Rows: rows, Cells: []WatchedCell{{Part: part, Decision: min(part, 1), Rows: rows,
			Expected: []float64{0.02 * rows, 0.98 * rows}, Noise: []float64{0.0196 * rows, 0.0196 * rows}}}})
	}
	if err := u.check(); err != nil {
		t.Fatal(err)
	}
	e := newEstimating(u, w)
	if math.Abs(e.shares[0]-0.1) > 0.002 { // 15 rows are 0.15 of its rows
		t.Errorf("shares %v", e.shares)
	}
	best, at := math.Inf(-1), 0.0
	for share := 0.0005; share < 0.4; share += 0.0005 {
		if fit := e.fits([]float64{share, 1 - share}); fit > best {
			best, at = fit, share
		}
	}
	if math.Abs(e.shares[0]-at) > 0.0006 {
		t.Errorf("a share of %v, and of the highest likelihood is %v", e.shares[0], at)
	}
	ends := e.shareEnds(0)
	for _, end := range ends {
		if fall := best - e.fits([]float64{end, 1 - end}); math.Abs(fall-1.92) > 0.02 {
			t.Errorf("at %v the likelihood falls by %v", end, fall)
		}
	}
	if !(ends[0] < at && at < ends[1]) || !e.shifted() {
		t.Errorf("ends %v, shifted %v", ends, e.shifted())
	}
}

// That all of 80 rows are found is no surprise where 0.8 are expected to be missed: by the Poisson distribution it is so
// in 45 of 100 cases. Where 8 are expected to be missed it happens in 3 of 10,000.
func TestEveryRowFoundIsExpected(t *testing.T) {
	if f := among(79.2, 0.8, 0.8, 0.8); f.Interval[1] != 1 || f.Interval[0] < 0.9 {
		t.Errorf("0.8 of 80 are expected to be missed, and the band is %v", f.Interval)
	}
	if f := among(72, 8, 8, 8); f.Interval[1] > 0.99 {
		t.Errorf("8 of 80 are expected to be missed, and the band is %v", f.Interval)
	}
	if f := exact(0.01, 80, 0.8); f.Interval[0] != 0 {
		t.Errorf("0.8 of 80 alarms are expected to be right, and the band is %v", f.Interval)
	}
}
