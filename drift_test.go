package rfpragma

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/vote"
)

// Of 1000 rows 10 in 100 are of the class; 80 are found, and 40 others decided as it: precision 2/3. Where 1 in 100
// is of it, and as many of each class are decided so, 8 are right of 8 + 990·40/900 = 52: 8/52.
func TestRarer(t *testing.T) {
	if got, want := rarer(0.1, 0.01)(80.0/120), 8.0/52; math.Abs(got-want) > 1e-12 {
		t.Errorf("precision %v, want %v", got, want)
	}
	for _, tc := range []struct{ was, is, p, want float64 }{{0.1, 0.2, 0.5, 0.5}, {0.1, 0.1, 0.5, 0.5}, {0.1, 0.01, 0, 0},
		{0.1, 0.01, 1, 1}, {0.1, 0, 0.5, 0}, {1, 0.5, 0.5, 0}} {
		if got := rarer(tc.was, tc.is)(tc.p); got != tc.want {
			t.Errorf("from %v to %v precision %v becomes %v, want %v", tc.was, tc.is, tc.p, got, tc.want)
		}
	}
}

// votesOf returns votes of ten trees that a majority decides, by counts of rows: [truth][decision].
func votesOf(counts [2][2]int) *vote.Table {
	table := &vote.Table{Classes: []string{"ill", "well"}, Share: []float64{0.5, 0.5}, Trees: 10, Source: vote.Holdout}
	for truth, line := range counts {
		for decision, n := range line {
			for range n {
				votes := []uint32{2, 2}
				votes[decision] = 8
				table.Truth, table.Counts = append(table.Truth, truth), append(table.Counts, votes...)
			}
		}
	}
	return table
}

// By hand: 100 of 500 rows are ill, 80 of them are found, and of 100 decided as ill 80 are. A case weight of 3 for
// all rows is none; where every other row has weight 2 and the others 1, 100 rows are worth (150)²/250 = 90.
func TestFiguresOf(t *testing.T) {
	table := votesOf([2][2]int{{80, 20}, {20, 380}})
	check := func(name string, want float64) {
		t.Helper()
		ill, well := FiguresOf(table, vote.Weights{1, 1})[0], FiguresOf(table, vote.Weights{1, 1})[1]
		near := func(o *Observed, value, rows float64) bool {
			return math.Abs(o.Value-value) < 1e-12 && math.Abs(o.Rows-rows*want) < 1e-9
		}
		if !near(ill.Share, 0.2, 500) || !near(ill.Recall, 0.8, 100) || !near(ill.Precision, 0.8, 100) || !near(well.Recall,
			0.95, 400) || !near(well.Precision, 0.95, 400) {
			t.Errorf("%s: ill %+v %+v %+v, well %+v %+v", name, ill.Share, ill.Recall, ill.Precision, well.Recall,
				well.Precision)
		}
	}
	check("plain", 1)
	table.Weight = make([]float64, table.Rows())
	for i := range table.Weight {
		table.Weight[i] = 3e200
	}
	check("weights of 3e200", 1)

	none := FiguresOf(votesOf([2][2]int{{0, 0}, {0, 5}}), vote.Weights{1, 1})
	if none[0].Recall != nil || none[0].Precision != nil || none[0].Share.Value != 0 || none[1].Recall.Value != 1 {
		t.Errorf("without rows of a class %+v, %+v", none[0], none[1])
	}
	if empty := FiguresOf(&vote.Table{Classes: []string{"a", "b"}, Share: []float64{0.5, 0.5}},
		nil); empty[0].Share != nil {
		t.Errorf("without rows %+v", empty[0])
	}
}

// By hand: of 500 rows of weights 1 and 100 in turn, all alike, (250·101)²/(250·10001) = 255.02 is the effective
// number; nobody knows it of their sum.
func TestFiguresOfUnevenWeights(t *testing.T) {
	table := votesOf([2][2]int{{500, 0}, {0, 3}})
	for i := range table.Truth {
		table.Weight = append(table.Weight, []float64{1, 100}[i%2])
	}
	if got, want := FiguresOf(table, nil)[0].Recall.Rows, 250*101.0*101/10001; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v rows, want %v", got, want)
	}
	if got := FiguresOf(table.Condense(), nil); got != nil {
		t.Errorf("of sums: %+v", got)
	}
	m := &Model{Forest: &forest.Forest{Classes: table.Classes}, Provenance: Provenance{Figures: FiguresOf(table, nil)}}
	if got := m.Drift(table.Condense()); got != nil {
		t.Errorf("of sums: drift %+v", got)
	}
}

// Rows of a group are not rows of their own: each four times, in a group of its own, tells what the row alone tells;
// Student's t of so many groups makes it a little less.
func TestFiguresOfGroups(t *testing.T) {
	table := votesOf([2][2]int{{80, 20}, {20, 380}})
	single := FiguresOf(table, nil)
	var rows []int
	for i := range 4 * table.Rows() {
		rows = append(rows, i%table.Rows())
	}
	grouped := table.Take(rows)
	grouped.Group = rows
	for _, votes := range []*vote.Table{grouped, grouped.Condense()} {
		for c, got := range FiguresOf(votes, nil) {
			for i, o := range []*Observed{got.Share, got.Recall, got.Precision} {
				want := []*Observed{single[c].Share, single[c].Recall, single[c].Precision}[i]
				if math.Abs(o.Value-want.Value) > 1e-12 || o.Rows > want.Rows || o.Rows < 0.94*want.Rows {
					t.Errorf("class %d: %+v, of single rows %+v", c, o, want)
				}
			}
		}
	}
}

// A model remembers of grouped rows no more rows than its groups tell, also of two groups, and its file keeps that.
func TestFiguresOfGroupedTraining(t *testing.T) {
	frame := dataset.Fraud(600, 1)
	for _, groups := range []int{2, 60} {
		frame.Group = nil
		for i := range frame.Rows() {
			frame.Group = append(frame.Group, i%groups)
		}
		m, err := ReadModel(bytes.NewReader(fileOf(t, mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 20,
			Seed: 1}}))))
		if err != nil {
			t.Fatal(err)
		}
		if rows := m.Provenance.Figures[0].Share.Rows; groups == 2 && rows > 100 {
			t.Errorf("%d groups: the share of a class is said to be of %v rows", groups, rows)
		}
		votes, err := m.Votes(t.Context(), frame)
		if err != nil || len(votes.Group) != frame.Rows() {
			t.Errorf("votes for %d groups: %d, error %v", groups, len(votes.Group), err)
		}
	}
}

// A class may weigh next to nothing beside another.
func TestFiguresOfLightRows(t *testing.T) {
	table := votesOf([2][2]int{{80, 20}, {20, 480}})
	for _, truth := range table.Truth {
		table.Weight = append(table.Weight, []float64{1e-170, 1}[truth])
	}
	ill := FiguresOf(table, nil)[0]
	if math.Abs(ill.Recall.Value-0.8) > 1e-12 || math.Abs(ill.Recall.Rows-100) > 1e-9 ||
		math.Abs(ill.Share.Rows-500) > 1e-9 {
		t.Errorf("recall %+v, share %+v; want 0.8 of 100 rows, and 500", ill.Recall, ill.Share)
	}
}

// Figures that a model was tuned with, and what rows show. Recall, precision and ranking can fall, a share fall or
// rise: at 1 % in five ways z is 2.878. By Wilson's formula a recall of 0.8 of 100 rows is then 66.4–89.0, one of
// 0.62 is 47.6–74.5, one of 0.61 46.6–73.7: √(13.6² + 12.5²) is 18.5 and more than 18, √(13.6² + 12.7²) is 18.6 and
// less than 19.
func TestDriftByHand(t *testing.T) {
	for _, tc := range []struct {
		name string
		rows [2][2]int
		want string
	}{
		{"as in training", [2][2]int{{80, 20}, {20, 380}}, ""},
		{"better", [2][2]int{{100, 0}, {0, 400}}, ""},
		{"recall lower by what chance makes of it", [2][2]int{{62, 38}, {16, 384}}, ""},
		{"recall lower by more", [2][2]int{{61, 39}, {16, 384}}, "recall of ill"},
		{"recall lower", [2][2]int{{55, 45}, {14, 386}}, "recall of ill, ranking of ill"},
		{"more false alarms", [2][2]int{{80, 20}, {80, 320}}, "precision of ill"},
		{"rarer, else the same", [2][2]int{{16, 4}, {24, 456}}, "share of ill"},
		{"rarer, and more false alarms", [2][2]int{{16, 4}, {96, 384}}, "precision of ill, share of ill"},
		{"more common, else the same", [2][2]int{{240, 60}, {10, 190}}, "share of ill"},
		{"none of the class", [2][2]int{{0, 0}, {25, 475}}, "share of ill"},
		{"many rows, a small fall", [2][2]int{{7500, 2500}, {1900, 38100}}, ""},
		{"no rows", [2][2]int{}, ""},
	} {
		m := &Model{Forest: &forest.Forest{Classes: []string{"ill", "well"}}, Weights: vote.Weights{1, 1}}
		votes := votesOf(tc.rows)
		if found := m.Drift(votes); found != nil {
			t.Errorf("%s: a model without figures shows %v", tc.name, found)
		}
		m.Provenance.Figures = FiguresOf(votesOf([2][2]int{{80, 20}, {20, 380}}), m.Weights)
		var got []string
		found := m.Drift(votes)
		if (found != nil) != (votes.Rows() > 0) {
			t.Errorf("%s: compared %v", tc.name, found)
		}
		if found != nil {
			for _, d := range found.Drift {
				got = append(got, d.Figure+" of "+d.Class)
			}
		}
		if text := strings.Join(got, ", "); text != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, text, tc.want)
		}
	}
}

// A model keeps what became of the classes out of bag, in its file too; later payments like those of training show
// no drift, and those of thieves who have learned do. Other weights, and votes of trees on their own rows, leave no
// such figures.
func TestDrift(t *testing.T) {
	race.SkipFigures(t)
	m := mustFit(t, dataset.Fraud(6000, 1), fraudSpec(), Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200,
		Seed: 1}})
	m, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Provenance.Figures[0]; f.Recall.Rows != 119 || f.Share.Rows != 6000 {
		t.Errorf("figures of fraud: %+v, %+v", f.Share, f.Recall)
	}
	for seed := uint64(2); seed < 12; seed++ {
		votes, err := m.Votes(t.Context(), dataset.Fraud(3000, seed))
		if err != nil {
			t.Fatal(err)
		}
		found := m.Drift(votes)
		if found == nil || len(found.Drift) > 0 || found.Better != nil {
			t.Errorf("seed %d: drift where there is none: %+v", seed, found)
		}
		if len(found.NoDrift) != 2 || found.NoDrift[0].Figure != "recall" || found.NoDrift[1].Figure != "ranking" ||
			found.NoDrift[0].Class != "fraud" {
			t.Errorf("seed %d: figures without drift %+v", seed, found.NoDrift)
		}
	}
	votes, err := m.Votes(t.Context(), dataset.DriftedFraud(3000, 2, 0.5))
	if err != nil {
		t.Fatal(err)
	}
	if drift := m.Drift(votes).Drift; len(drift) == 0 || drift[0].Figure != "recall" || drift[0].Class != "fraud" {
		t.Errorf("drift of thieves who have learned: %+v", drift)
	}
	other, err := m.WithWeights(vote.Weights{2, 1})
	if err != nil || other.Provenance.Figures != nil || m.Provenance.Figures == nil {
		t.Errorf("other weights: figures %v, error %v", other.Provenance.Figures, err)
	}
	seen := mustFit(t, dataset.Fraud(300, 1), fraudSpec(), Config{Forest: forest.Config{Trees: 20, Seed: 1},
		Votes: vote.Train})
	if seen.Provenance.Figures != nil {
		t.Errorf("votes of trees on their own rows: figures %+v", seen.Provenance.Figures)
	}
}

// Precision 28 % (25–31) out of bag and 12 % (7–20) on new rows are apart for all who read them; 12 of 100 against
// 20 of 100, 13–29, are not.
func TestFallsWhereIntervalsAreApart(t *testing.T) {
	falls := func(was Observed) bool {
		return comparison{was: &was, is: &Observed{Value: 0.12, Rows: 100}, become: unchanged}.falls(0.0025)
	}
	if !falls(Observed{Value: 0.28, Rows: 900}) {
		t.Error("28 % of 900 and 12 % of 100 are the same")
	}
	if falls(Observed{Value: 0.2, Rows: 100}) {
		t.Error("20 % of 100 and 12 % of 100 are not the same")
	}
}

// After 15 % of 770 rows 1 of 54 is no drift, and none of 54 is, as chance makes that of 0.85^54 = 0.00015; of 20
// rows it makes none of 0.039, so that nothing would be.
func TestBelow(t *testing.T) {
	const level = 0.002
	of := func(hits, rows float64) comparison {
		return comparison{Figure: "recall", was: &Observed{Value: 0.15, Rows: 770}, is: &Observed{Value: hits / rows,
			Rows: rows}, become: unchanged}
	}
	few := of(4, 54)
	if below := few.below(level); !(below > 0 && below < 1.0/54) || !of(0, 54).falls(level) || of(1, 54).falls(level) {
		t.Errorf("of 54 rows it would be a drift below %v", below)
	}
	many := of(700, 5400)
	hits := math.Ceil(5400*many.below(level)) - 1
	if of(700, 5400).falls(level) || !of(hits, 5400).falls(level) || of(hits+1, 5400).falls(level) {
		t.Errorf("of 5400 rows %v are said to be the most that would be a drift", hits)
	}
	least := of(1, 20)
	if below := least.below(level); below != 0 {
		t.Errorf("of 20 rows it would be a drift below %v", below)
	}
}

// drawn returns votes for n rows of k classes, each class half as common, a third, ... as the first, of which so
// many are decided rightly and the others as any class.
func drawn(k, n int, right float64, rng *rand.Rand) *vote.Table {
	t := &vote.Table{Classes: make([]string, k), Share: make([]float64, k), Trees: 1, Source: vote.Holdout}
	total := 0.0
	for c := range k {
		t.Classes[c], t.Share[c] = string(rune('a'+c)), 1/float64(c+1)
		total += t.Share[c]
	}
	for range n {
		truth := 0
		for u := rng.Float64()*total - t.Share[0]; u > 0 && truth < k-1; u -= t.Share[truth] {
			truth++
		}
		decided := truth
		if rng.Float64() >= right {
			decided = rng.IntN(k)
		}
		votes := make([]uint32, k)
		votes[decided] = 1
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, votes...)
	}
	return t
}

// However many classes are looked at, drift shows by chance alone in 1 of 100 sets of rows, and a real fall is
// found. 200 runs have 2 ± 1.4 such sets; 7 or more would have them once in 200 times.
func TestDriftFalseAlarms(t *testing.T) {
	race.SkipFigures(t)
	const runs, trained = 200, 600
	for _, k := range []int{2, 3, 8} {
		found := map[float64]int{}
		for run := range runs {
			rng := rand.New(rand.NewPCG(uint64(run), uint64(k)))
			was := drawn(k, trained, 0.7, rng)
			m := &Model{Forest: &forest.Forest{Classes: was.Classes}, Provenance: Provenance{Figures: FiguresOf(was, nil)}}
			for _, right := range []float64{0.7, 0.4} {
				if len(m.Drift(drawn(k, trained/2, right, rng)).Drift) > 0 {
					found[right]++
				}
			}
		}
		t.Logf("%d classes: drift shows in %d of %d runs without, in %d with", k, found[0.7], runs, found[0.4])
		if found[0.7] > 6 || found[0.4] < runs*9/10 {
			t.Errorf("%d classes: drift shows in %d of %d runs without, in %d with", k, found[0.7], runs, found[0.4])
		}
	}
}

// Among rows of groups, of unequal size and alike with an intraclass correlation of 0.05, drift shows by chance as
// seldom; a real fall is found by 20 groups, and rows of a single one say nothing.
func TestDriftOfGroups(t *testing.T) {
	race.SkipFigures(t)
	const runs, k = 100, 3
	found := map[int][2]int{}
	for _, groups := range []int{1, 4, 8, 20} {
		for run := range runs {
			rng := rand.New(rand.NewPCG(uint64(run), uint64(groups)))
			was := drawnGroups(k, groups, 0.7, 0.05, rng)
			m := &Model{Forest: &forest.Forest{Classes: was.Classes}, Provenance: Provenance{Figures: FiguresOf(was, nil)}}
			count := found[groups]
			for i, right := range []float64{0.7, 0.3} {
				drift := m.Drift(drawnGroups(k, groups, right, 0.05, rng))
				if (drift == nil) != (groups == 1) {
					t.Fatalf("%d groups: %+v", groups, drift)
				}
				if drift != nil && len(drift.Drift) > 0 {
					count[i]++
				}
			}
			found[groups] = count
		}
		t.Logf("%d groups: drift shows in %d of %d runs without, in %d with", groups, found[groups][0], runs,
			found[groups][1])
		if found[groups][0] > 4 {
			t.Errorf("%d groups: drift shows in %d of %d runs without", groups, found[groups][0], runs)
		}
	}
	if found[20][1] < runs*9/10 {
		t.Errorf("20 groups: drift shows in %d of %d runs", found[20][1], runs)
	}
}

// Figures of no rows are those of less than two groups alone.
func TestCheckFiguresOfGroups(t *testing.T) {
	for _, tc := range []struct {
		rows, groups float64
		right        bool
	}{{0, 1.6, true}, {0.0124, 2, true}, {0, 0, false}, {5, -1, false}, {5, math.NaN(), false}} {
		err := checkFigures([]ClassFigures{{Share: &Observed{0.5, tc.rows, tc.groups}}}, 1)
		if (err == nil) != tc.right {
			t.Errorf("%v rows of %v groups: %v", tc.rows, tc.groups, err)
		}
	}
}

// drawnGroups returns rows of groups of 40, 60 and 80, decided rightly as draws from an urn of each group say
// (Pólya), else by chance.
func drawnGroups(k, groups int, right, alike float64, rng *rand.Rand) *vote.Table {
	t := &vote.Table{Classes: make([]string, k)}
	for c := range k {
		t.Classes[c] = strconv.Itoa(c)
	}
	for g := range groups {
		urn, hits := (1-alike)/alike, 0.0
		for i := range 40 + 20*(g%3) {
			truth := rng.IntN(k)
			decided := truth
			if rng.Float64()*(urn+float64(i)) < right*urn+hits {
				hits++
			} else {
				decided = rng.IntN(k)
			}
			votes := make([]uint32, k)
			votes[decided] = 1
			t.Truth, t.Counts, t.Group = append(t.Truth, truth), append(t.Counts, votes...), append(t.Group, g)
		}
	}
	return t
}
