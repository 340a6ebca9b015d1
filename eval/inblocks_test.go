package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of blocks of 4, 6 and 10 rows 3, 2 and 10 are hits, so p = 3/4, S = 152/400 and v = ((3-3)² + (2-4.5)² +
// (10-7.5)²)/20²/(1-S) = 12.5/248; rows of their own would have 3/16/20, which is less. Blocks that are all alike
// count by their rows, and so does a single one, and those of which all rows are hits.
func TestSharesOfBlocks(t *testing.T) {
	for _, tc := range []struct {
		rows, hits []float64
		want       float64
	}{
		{[]float64{4, 6, 10}, []float64{3, 2, 10}, 3.0 / 16 / (12.5 / 248)},
		{[]float64{4, 8, 8}, []float64{3, 6, 6}, 20},
		{[]float64{20}, []float64{15}, 20},
		{[]float64{5, 15}, []float64{5, 15}, 20},
	} {
		b, rows, hits := effective.Share{Blocks: true}, 0.0, 0.0
		for i, n := range tc.rows {
			for range int(n) {
				b.Add(1, 1)
			}
			b.JoinPart(i, n, tc.hits[i])
			rows, hits = rows+n, hits+tc.hits[i]
		}
		if got := b.Effective(hits/rows, 1); !near(got, tc.want) {
			t.Errorf("%v of %v: as %v rows, want %v", tc.hits, tc.rows, got, tc.want)
		}
	}
}

// Where blocks are alike their intervals are as good as those of rows, and little wider; where they differ,
// intervals of rows hold the share of all such blocks rarely, and those of blocks the oftener the more there are.
func TestCoverageOfBlocks(t *testing.T) {
	const times = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, blocks := range []int{2, 3, 5, 10} {
		for _, p := range []float64{0.1, 0.5} {
			for _, alike := range []float64{0, 0.01, 0.1} {
				held, naive, wide, narrow := 0, 0, 0.0, 0.0
				for range times {
					b, hits := inBlocks(blocks, 100, p, alike, rng)
					share, rows := hits/b.Rows(), b.Rows()
					n := b.Effective(share, 1)
					low, high := calib.Wilson(hits, rows, calib.Z95)
					from, to := calib.Wilson(share*n, n, calib.Z95)
					wide, narrow = wide+to-from, narrow+high-low
					if from <= p && p <= to {
						held++
					}
					if low <= p && p <= high {
						naive++
					}
				}
				t.Logf("%d blocks, %v hits, correlation %v: %d of %d, by rows %d; %.2f as wide", blocks, p, alike, held, times,
					naive, wide/narrow)
				least := map[float64]float64{0: 0.95, 0.01: 0.88, 0.1: map[int]float64{2: 0.73, 3: 0.79, 5: 0.84,
					10: 0.88}[blocks]}[alike]
				if part := float64(held) / times; part < least || alike == 0 && wide > 1.2*narrow || alike == 0.1 &&
					naive > times/2 {
					t.Errorf("%d blocks, %v hits, correlation %v: %d of %d, by rows %d; %.2f as wide", blocks, p, alike, held, times,
						naive, wide/narrow)
				}
			}
		}
	}
}

// inBlocks draws blocks of so many rows from urns, as [ofGroups] does.
func inBlocks(blocks, rows int, p, alike float64, rng *rand.Rand) (b effective.Share, hits float64) {
	b.Blocks = true
	for block := range blocks {
		its := 0.0
		for drawn := range rows {
			b.Add(1, 1)
			if alike == 0 && rng.Float64() < p || alike > 0 && rng.Float64()*((1-alike)/alike+float64(drawn)) < p*(1-alike)/alike+its {
				its++
			}
		}
		b.JoinPart(block, float64(rows), its)
		hits += its
	}
	return b, hits
}

// inOrder returns rows of three times. Those of the first are trained on, of each of the others there are 20, and
// 20 more of "yes", of which as many get 8 votes as it says; the others get 2.
func inOrder(found ...float64) *dataset.Frame {
	f := &dataset.Frame{Classes: []string{"no", "yes"}, Columns: []dataset.Column{{Field: dataset.Field{Name: "votes"}}},
		Time: &dataset.Column{Field: dataset.Field{Name: "year"}}}
	for year, n := range append([]float64{10}, found...) {
		for i := range 40 {
			votes := float64(2)
			if i%2 == 1 && float64(i/2) < n {
				votes = 8
			}
			f.Columns[0].Values, f.Time.Values = append(f.Columns[0].Values, votes), append(f.Time.Values, float64(year))
			f.Truth = append(f.Truth, i%2)
		}
	}
	return f
}

// By hand: of 20 rows of "yes" 18 are found in the first block that is judged, and 2 in the latest. All figures are
// of the latest, 2 of 20; of both together p = 1/2, S = 1/2, and v = ((18-10)² + (2-10)²)/40²/(1-S) = 4/25, as of
// 25/16 rows. Of alike blocks it is by the 40 rows. Of 20 rows of "yes" the list of the 20 likeliest has those that
// are found, and of the others, 18 or 10 of 38 or 30 that tie, a part.
func TestRangesInTime(t *testing.T) {
	for n, f := range map[float64]*dataset.Frame{1.0 / 4 / (4.0 / 25): inOrder(18, 2), 40: inOrder(10, 10)} {
		var held []HeldOut
		c := config(t)
		c.Folds, c.Top = 2, []TopList{{Class: 1, Rows: 20}}
		c.HeldOut = func(h HeldOut) { held = append(held, h) }
		r := crossValidated(t, f, c)
		found := 2.0
		if n == 40 {
			found = 10
		}
		replayed := Replay(held[1:], []vote.Weights{{1, 1}}, 1, c.Pragma, 1).Classes["yes"]
		for what, got := range map[string]Class{"tuned": r.Rules.Tuned.Classes["yes"], "plain": r.Rules.Plain.Classes["yes"],
			"replayed": replayed, "latest": r.Blocks[2].Classes["yes"]} {
			if low, high := calib.Wilson(found, 20, calib.Z95); got.Support != 20 || !near(*got.Recall, found/20) ||
				!near(got.RecallInterval[0], low) || !near(got.RecallInterval[1], high) {
				t.Errorf("%s: recall of %v rows %v in %v, want %v in %v to %v", what, got.Support, *got.Recall, *got.RecallInterval,
					found/20, low, high)
			}
		}
		all := r.Together
		if low, high := calib.Wilson(n/2, n, calib.Z95); all.Classes["yes"].Support != 40 ||
			!near(all.Classes["yes"].RecallInterval[0], low) || !near(all.Classes["yes"].RecallInterval[1], high) {
			t.Errorf("as %v rows: recall in %v, want %v to %v", n, *all.Classes["yes"].RecallInterval, low, high)
		}
		if all.Fold != 0 || all.From != "1" || all.To != "2" || all.Before != 40 || all.Rows != 80 ||
			all.Decided.Total() != 80 {
			t.Errorf("together %+v", all)
		}
		if r.Votes.Rows() != 40 || r.Groups != 0 || r.Rules.Tuned.PragmaInterval == nil || r.Gain == nil {
			t.Errorf("%d rows of %d groups are judged; interval of PRAGMA %v, gain %v", r.Votes.Rows(), r.Groups,
				r.Rules.Tuned.PragmaInterval, r.Gain)
		}
		for b, want := range []float64{20 - found, found} {
			want += (20 - want) * (20 - want) / (40 - want)
			if top := r.Blocks[b+1].Top; len(top) != 1 || !near(top[0].Hits, want) {
				t.Errorf("block %d: list %+v, want %v of the class", b+1, top, want)
			}
		}
		if !near(r.Top[0].Hits, r.Blocks[2].Top[0].Hits) {
			t.Errorf("list of %v, of the latest block %v", r.Top[0].Hits, r.Blocks[2].Top[0].Hits)
		}
		if r := crossValidated(t, f, func() Config { c.Folds = 1; return c }()); r.Together != nil {
			t.Errorf("a single block together: %+v", r.Together)
		}
	}
}

// By hand: a missed row costs 10, and of 20 of 40 rows 2 are missed in the first block that is judged, and 18 in
// the latest: 20 and 180, 0.5 and 4.5 of a row. The variance of the former is (2·9.5² + 38·0.5²)/40², that of the
// 2.5 of both ((20-100)² + (180-100)²)/80²/(1-1/2) = 4 by the blocks; of alike ones, which miss 10 each, by the
// rows (20·7.5² + 60·2.5²)/80². Judged twice, they are no more sure. Every amount of 3 makes that threefold.
func TestMoneyInTime(t *testing.T) {
	for _, tc := range []struct {
		found     [2]float64
		cost      [2]float64
		variances [2]float64
	}{{[2]float64{18, 2}, [2]float64{20, 180}, [2]float64{190.0 / 1600, 4}}, {[2]float64{10, 10}, [2]float64{100, 100},
		[2]float64{750.0 / 1600, 1500.0 / 6400}}} {
		for _, amount := range []float64{0, 3} {
			f, c, times := inOrder(tc.found[:]...), config(t), 1.0
			c.Folds, c.Repeats, c.Costs.Matrix = 2, 2, [][]float64{{0, 1}, {10, 0}}
			if amount > 0 {
				f.Amount, c.Costs.ByAmount, times = slices.Repeat([]float64{amount}, f.Rows()), []bool{true, true}, amount
			}
			c.Loss, _ = c.Costs.Measure()
			r := crossValidated(t, f, c)
			if r.Blocks[0].Cost != nil || r.Blocks[0].Each != nil || r.Blocks[0].Always != nil {
				t.Errorf("the first block, which is not judged, costs %+v", r.Blocks[0])
			}
			for _, b := range []struct {
				of             *Block
				cost, rows, se float64
			}{{&r.Blocks[1], tc.cost[0], 40, math.Sqrt(tc.variances[0])}, {&r.Blocks[2], tc.cost[1], 40, -1},
				{r.Together, tc.cost[0] + tc.cost[1], 80, math.Sqrt(tc.variances[1])}} {
				if !near(*b.of.Cost, times*b.cost) || !near(b.of.Each.Value, times*b.cost/b.rows) || b.se >= 0 &&
					!near(b.of.Each.SE, times*b.se) {
					t.Errorf("found %v, from %s: all cost %v, a row %+v, want %v and %v ± %v", tc.found, b.of.From, *b.of.Cost,
						*b.of.Each, times*b.cost, times*b.cost/b.rows, times*b.se)
				}
				if !near(b.of.Always["no"], times*b.rows*5) || !near(b.of.Always["yes"], times*b.rows/2) {
					t.Errorf("all alike cost %v", b.of.Always)
				}
			}
			for _, name := range []string{"plain", "prior", "cost", "tuned"} { // on both blocks
				rule, tuned := r.Together.Rules[name], *r.Together.Cost
				if m := rule.Confusion; m[0][0]+m[0][1]+m[1][0]+m[1][1] != 80 || name == "tuned" && *rule.Cost != tuned {
					t.Errorf("the %s rule decides %v for %v", name, m, *rule.Cost)
				}
				if of := rule.Gain; amount == 0 && name != "tuned" && !near(of.Loss, (*rule.Cost-tuned)/80) ||
					(of != nil) != (amount == 0 && name != "tuned") {
					t.Errorf("tuning gains %+v on the %s rule, which costs %v, not %v", of, name, *rule.Cost, tuned)
				}
			}
		}
	}
}
