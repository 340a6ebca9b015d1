package risk

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// drawn returns votes of 100 trees for n rows, a share of them ill, who get more votes for it.
func drawn(rng *rand.Rand, n int, ill float64) *vote.Table {
	t := &vote.Table{Classes: []string{"ill", "well"}, Source: vote.Holdout, Trees: 100, Share: []float64{ill, 1 - ill}}
	for range n {
		truth, at := 1, -1.6
		if rng.Float64() < ill {
			truth, at = 0, 0.4
		}
		v := uint32(100 / (1 + math.Exp(-(at + rng.NormFloat64()))))
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, v, 100-v)
	}
	return t
}

// fewAlarms and fewMissed are losses that pull against floors of recall, and against all others.
func fewAlarms(m *vote.Confusion) float64 {
	alerts, _ := m.Alerts(0)
	return alerts
}

func fewMissed(m *vote.Confusion) float64 {
	recall, _ := m.Recall(0)
	return 1 - recall
}

// pathFor lays a path that leads across the floors, to the lowest loss without them.
func pathFor(t *testing.T, c Control, votes *vote.Table) []vote.Weights {
	t.Helper()
	m := pragma.Func(fewMissed)
	if c.Floors[0].What == pragma.RecallFloor {
		m = fewAlarms
	}
	best, err := anneal.Search{Choice: anneal.Lowest}.Weights(context.Background(), votes, m)
	if err != nil {
		t.Fatal(err)
	}
	path, err := c.Path(context.Background(), votes, anneal.Search{}, m, best.Weights)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func floor(what pragma.Figure, limit float64) pragma.Floor {
	return pragma.Floor{What: what, Limit: limit}
}

var north = vote.Slice{Column: "region", Value: "north"}

// inNorth has two of five rows in a slice, where rows get fewer votes for ill.
func inNorth(t *vote.Table) *vote.Table {
	in := make([]uint64, t.Rows())
	for i := range in {
		if i%5 < 2 {
			votes := t.Votes(i)
			votes[0] -= votes[0] / 4
			votes[1], in[i] = 100-votes[0], 1
		}
	}
	t.Slices, t.In = []vote.Slice{north}, in
	return t
}

// A floor of a slice is tested on its rows alone, of equal weight, of several, and in groups.
func TestSliceIsTestedAlone(t *testing.T) {
	table := inNorth(drawn(rand.New(rand.NewPCG(3, 4)), 2000, 0.3))
	var rows []int
	for i, in := range table.In {
		if in == 1 {
			rows = append(rows, i)
		}
	}
	weighed, grouped := *table, *table
	for i := range table.Truth {
		weighed.Weight = append(weighed.Weight, float64(1+i%3))
		grouped.Group = append(grouped.Group, i/4)
	}
	for name, all := range map[string]*vote.Table{"equal": table, "weighed": &weighed, "grouped": &grouped} {
		for _, what := range []pragma.Figure{pragma.RecallFloor, pragma.PrecisionFloor, pragma.FalseAlarms, pragma.Alerts} {
			of := floor(what, 0.3)
			alone := Control{Confidence: 0.95, Floors: []pragma.Floor{of}, Heaviest: 12}
			of.Slice = north
			here := Control{Confidence: 0.95, Floors: []pragma.Floor{of}, Heaviest: 12}
			want, _ := alone.Test(context.Background(), []vote.Weights{{1, 1}}, all.Take(rows))
			got, _ := here.Test(context.Background(), []vote.Weights{{1, 1}}, all)
			a, b := want.Checks[0], got.Checks[0]
			if math.Abs(a.P-b.P) > 1e-12 || a.Of != b.Of || math.Abs(a.Value-b.Value) > 1e-12 || a.Of == 0 {
				t.Errorf("%s, %s: %+v, alone %+v", name, what, b, a)
			}
		}
	}
	of := floor(pragma.RecallFloor, 0.3)
	of.Slice = north
	c := Control{Confidence: 0.95, Floors: []pragma.Floor{of}}
	table.Slices, table.In = nil, nil
	if _, err := c.Test(context.Background(), []vote.Weights{{1, 1}}, table); !errors.Is(err, ErrSetting) {
		t.Errorf("without slices: %v", err)
	}
}

// The promise: of 400 samples at most 5 % and two standard errors lead to weights that break a constraint on the
// population that they are drawn from, and most lead to some weights.
func TestPromiseHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tuned, population := inNorth(drawn(rng, 2000, 0.1)), inNorth(drawn(rng, 30_000, 0.1))
	ofNorth := floor(pragma.RecallFloor, 0.8)
	ofNorth.Slice = north
	for _, floors := range [][]pragma.Floor{
		{floor(pragma.RecallFloor, 0.8)}, {floor(pragma.PrecisionFloor, 0.4)}, {floor(pragma.Alerts, 0.1)},
		{floor(pragma.RecallFloor, 0.6), floor(pragma.FalseAlarms, 0.15)}, {ofNorth},
	} {
		c := Control{Confidence: 0.95, Floors: floors}
		path := pathFor(t, c, tuned)
		const draws = 400
		broken, sure := 0, 0
		for range draws {
			rows := make([]int, 1500)
			for i := range rows {
				rows[i] = rng.IntN(population.Rows())
			}
			found, err := c.Test(context.Background(), path, population.Take(rows))
			if errors.Is(err, ErrUnsure) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			sure++
			m := population.Confuse(found.Weights)
			if slices.ContainsFunc(floors, func(f pragma.Floor) bool { return f.Missing(m) > 0 }) {
				broken++
			}
		}
		if share := float64(broken) / draws; share > 0.05+2*math.Sqrt(0.05*0.95/draws) {
			t.Errorf("%v: broken in %.3f of the samples", floors, share)
		}
		if sure < draws*8/10 {
			t.Errorf("%v: weights in %d of %d samples", floors, sure, draws)
		}
		t.Logf("%v: sure in %d, broken in %d of %d", floors, sure, broken, draws)
	}
}

// By hand: of two cuts the first finds 60 of 60 ill, whose p under 0.95 is 0.95^60 = 0.046; the second finds 59, whose
// p is 0.191. With 58 rows nothing is sure, and it takes 59 ill, one in two rows.
func TestTestByHand(t *testing.T) {
	table := func(ill int) *vote.Table {
		v := &vote.Table{Classes: []string{"ill", "well"}, Source: vote.Holdout, Trees: 10}
		for i := range ill {
			votes := uint32(9)
			if i == 0 {
				votes = 3
			}
			v.Truth, v.Counts = append(v.Truth, 0, 1), append(v.Counts, votes, 10-votes, 1, 9)
		}
		return v
	}
	c := Control{Confidence: 0.95, Floors: []pragma.Floor{floor(pragma.RecallFloor, 0.95)}}
	path := []vote.Weights{{5, 1}, {1, 1}}
	got, err := c.Test(context.Background(), path, table(60))
	if err != nil || got.Passed != 1 || !slices.Equal(got.Weights, path[0]) || got.Checks[0].Of != 60 ||
		got.Checks[0].Value != 1 || math.Abs(got.Checks[0].P-math.Pow(0.95, 60)) > 1e-12 || got.Checks[0].Needed != 0 {
		t.Errorf("of 60 ill: %+v, %v", got, err)
	}
	got, err = c.Test(context.Background(), path, table(50))
	var unsure *UnsureError
	if !errors.As(err, &unsure) || !errors.Is(err, ErrUnsure) || unsure.Needed() != 118 || got.Checks[0].Needed != 118 {
		t.Fatalf("of 50 ill: %+v, %v", got, err)
	}
	const want = "what is required is not sure with 95% confidence: ill:recall>=0.95 is 1 on 50 rows, under the safest " +
		"weights; it takes about 118 rows to test on in place of 100; give more, or ask for " +
		"less, or for less confidence"
	if err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
	if _, err = c.Test(context.Background(), path[1:], table(60)); err == nil ||
		!strings.Contains(err.Error(), "is 0.9833 on 60 rows") || !strings.Contains(err.Error(), "rows to test on in place") {
		t.Errorf("59 of 60 alone: %v", err)
	}
	c.Floors[0].Limit = 0.99
	_, err = c.Test(context.Background(), path[1:], table(60))
	if err == nil || !strings.HasSuffix(err.Error(), "ask for less") {
		t.Errorf("a figure below its limit: %v", err)
	}
}

// Rows of one weight, whatever it is, and rows merged by that weight, are tested as rows are.
func TestUnitAndMerging(t *testing.T) {
	votes := drawn(rand.New(rand.NewPCG(5, 6)), 3000, 0.1)
	c := Control{Confidence: 0.9, Floors: []pragma.Floor{floor(pragma.RecallFloor, 0.7), floor(pragma.Alerts, 0.3)}}
	path := pathFor(t, c, votes)
	want, err := c.Test(context.Background(), path, votes)
	if err != nil {
		t.Fatal(err)
	}
	weighed := *votes
	weighed.Weight = slices.Repeat([]float64{0.25}, votes.Rows())
	for name, same := range map[string]*vote.Table{"merged": votes.Condense(), "weighed": &weighed} {
		got, err := c.Test(context.Background(), path, same)
		if err != nil || got.Passed != want.Passed || got.Checks[0].P != want.Checks[0].P ||
			got.Checks[1].Of != want.Checks[1].Of {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
}

// Rows of groups tell less than as many rows, and groups of single rows are tested by bets: soundly, and at some cost.
func TestGroupsAndWeights(t *testing.T) {
	votes := drawn(rand.New(rand.NewPCG(7, 8)), 4000, 0.2)
	c := Control{Confidence: 0.95, Floors: []pragma.Floor{floor(pragma.RecallFloor, 0.7)}}
	path := pathFor(t, c, votes)[:1]
	p := func(c Control, v *vote.Table) (float64, int) {
		got, err := c.Test(context.Background(), path, v)
		if err != nil && !errors.Is(err, ErrUnsure) {
			t.Fatal(err)
		}
		return got.Checks[0].P, got.Checks[0].Of
	}
	exact, _ := p(c, votes)
	grouped := func(size int) *vote.Table {
		g := *votes
		for i := range g.Truth {
			g.Group = append(g.Group, i/size)
		}
		return &g
	}
	single, of := p(c, grouped(1))
	twenty, ofTwenty := p(c, grouped(20))
	if !(exact <= single && single < twenty) || of == 0 || ofTwenty > 200 {
		t.Errorf("p is %v of rows, %v of %d groups of one, %v of %d groups of 20", exact, single, of, twenty, ofTwenty)
	}
	heavier := c
	heavier.Heaviest = 100
	if far, _ := p(heavier, grouped(20)); far < twenty {
		t.Errorf("heavier groups that may come have p fall from %v to %v", twenty, far)
	}
	weighed := *votes
	for i := range weighed.Truth {
		weighed.Weight = append(weighed.Weight, 1+float64(i%2))
	}
	if uneven, _ := p(c, &weighed); !(uneven >= exact) || uneven > 0.01 {
		t.Errorf("of rows of two weights p is %v", uneven)
	}
}

// Of groups the units are groups, also in the message.
func TestUnsureGroups(t *testing.T) {
	votes := drawn(rand.New(rand.NewPCG(9, 9)), 60, 0.5)
	for i := range votes.Truth {
		votes.Group = append(votes.Group, i/2)
	}
	c := Control{Confidence: 0.99, Floors: []pragma.Floor{floor(pragma.RecallFloor, 0.9)}}
	_, err := c.Test(context.Background(), []vote.Weights{{1e6, 1}}, votes)
	if err == nil || !strings.Contains(err.Error(), "groups to test on in place of 30") {
		t.Errorf("%v", err)
	}
}

// A limit of the cost holds: of 200 samples few lead to weights that cost more on the population.
func TestCostHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	tuned, population := drawn(rng, 2000, 0.1), drawn(rng, 20_000, 0.1)
	c := Control{Confidence: 0.9, MaxCost: 0.42, Costs: pragma.Costs{Matrix: [][]float64{{0, 5}, {1, 0}}}}
	m, err := c.Costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	best, err := anneal.Search{}.Weights(context.Background(), tuned, m)
	if err != nil {
		t.Fatal(err)
	}
	path, err := c.Path(context.Background(), tuned, anneal.Search{}, m, best.Weights)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the cost is %v", m.Loss(population.Confuse(best.Weights)))
	for _, limit := range []float64{0.9, 1.05} { // of the least that there is: nobody may promise it; and above
		c.MaxCost = limit * m.Loss(population.Confuse(path[0]))
		passed := 0
		for range 200 {
			rows := make([]int, 2000)
			for i := range rows {
				rows[i] = rng.IntN(population.Rows())
			}
			_, err := c.Test(context.Background(), path[:1], population.Take(rows))
			if err == nil {
				passed++
			} else if !errors.Is(err, ErrUnsure) {
				t.Fatal(err)
			}
		}
		if limit < 1 && passed > 20 {
			t.Errorf("a cost that is not kept passes in %d of 200 samples", passed)
		}
	}
	c.MaxCost = 5
	if got, err := c.Test(context.Background(), path, tuned); err != nil || got.Checks[0].P != 0 ||
		got.Checks[0].Name(tuned.Classes) != "cost<=5" {
		t.Errorf("a limit that nothing can exceed: %+v, %v", got, err)
	}
}

// Three classes: each floor holds on the rows of the test, and the path leads on to a lower loss.
func TestThreeClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 2))
	draw := func(n int) *vote.Table {
		v := &vote.Table{Classes: []string{"a", "b", "c"}, Source: vote.Holdout, Trees: 90, Share: []float64{0.1, 0.2, 0.7}}
		for range n {
			truth := []int{0, 1, 1, 2, 2, 2, 2, 2, 2, 2}[rng.IntN(10)]
			var parts [3]float64
			sum := 0.0
			for c := range parts {
				parts[c] = math.Exp(rng.NormFloat64())
				if c == truth {
					parts[c] *= 5
				}
				sum += parts[c]
			}
			a, b := uint32(90*parts[0]/sum), uint32(90*parts[1]/sum)
			v.Truth, v.Counts = append(v.Truth, truth), append(v.Counts, a, b, 90-a-b)
		}
		return v
	}
	tuned, kept := draw(3000), draw(3000)
	m, err := pragma.Spec{"a": pragma.Priority()}.Measure(tuned.Classes)
	if err != nil {
		t.Fatal(err)
	}
	c := Control{Confidence: 0.95, Floors: []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.8},
		{Class: 2, What: pragma.PrecisionFloor, Limit: 0.8}}}
	s := anneal.Search{Floors: c.Floors, Method: anneal.Coordinates}
	best, err := s.Weights(context.Background(), tuned, m)
	if err != nil {
		t.Fatal(err)
	}
	path, err := c.Path(context.Background(), tuned, s, m, best.Weights)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Test(context.Background(), path, kept)
	if err != nil {
		t.Fatal(err)
	}
	fresh := draw(20_000).Confuse(got.Weights)
	for i := range c.Floors {
		if c.Floors[i].Missing(fresh) > 0 {
			t.Errorf("%s is broken", c.Floors[i].Text(tuned.Classes))
		}
	}
	if got.Passed < 2 || len(path) < 3 {
		t.Errorf("%d of %d weights pass", got.Passed, len(path))
	}
}

func TestSettings(t *testing.T) {
	ctx, votes := context.Background(), drawn(rand.New(rand.NewPCG(1, 1)), 50, 0.5)
	good := Control{Confidence: 0.9, Floors: []pragma.Floor{floor(pragma.RecallFloor, 0.5)}}
	matrix := pragma.Costs{Matrix: [][]float64{{0, 1}, {1, 0}}}
	byAmount := pragma.Costs{Matrix: matrix.Matrix, ByAmount: []bool{true, false}}
	train, merged := *votes, *votes
	train.Source = vote.Train
	merged.Weight, merged.Times = slices.Repeat([]float64{1}, 50), slices.Repeat([]int{2}, 50)
	merged.Weight[3] = 9
	for _, tc := range []struct {
		c     Control
		votes *vote.Table
		want  string
	}{
		{Control{Floors: good.Floors}, votes, "confidence 0; choose one from 0.5 to below 1"},
		{Control{Confidence: 0.9}, votes, "nothing is required; give a constraint"},
		{Control{Confidence: 0.9, Floors: []pragma.Floor{{Class: 2}}}, votes, "there is no class 2"},
		{Control{Confidence: 0.9, Floors: []pragma.Floor{floor(pragma.Alerts, 2)}}, votes, "the limit 2 of alerts"},
		{Control{Confidence: 0.9, MaxCost: -1, Costs: matrix}, votes, "at most -1; give a number above 0"},
		{Control{Confidence: 0.9, MaxCost: 1}, votes, "needs the costs of the 2 classes"},
		{Control{Confidence: 0.9, MaxCost: 1, Costs: byAmount}, votes,
			"a cost by amount has no bound"},
		{Control{Confidence: 0.9, Floors: good.Floors, Heaviest: -1}, votes, "the heaviest row weighs -1"},
		{good, &train, "votes of trees for rows that they have seen"},
		{good, &merged, "rows of different weights were merged"},
	} {
		if _, err := tc.c.Test(ctx, []vote.Weights{{1, 1}}, tc.votes); !errors.Is(err, ErrSetting) ||
			!strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
	if _, err := good.Test(ctx, nil, votes); !errors.Is(err, ErrSetting) {
		t.Errorf("no path: %v", err)
	}
	if _, err := good.Test(ctx, []vote.Weights{{1}}, votes); err == nil {
		t.Error("weights of one class pass")
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := good.Test(stopped, []vote.Weights{{1, 1}}, votes); !errors.Is(err, context.Canceled) {
		t.Errorf("when it is stopped: %v", err)
	}
}

// Rows of a group are alike: of 300 samples of 80 groups in which a recall of 0.7 is just not kept, few pass as groups,
// and many if their rows are taken as single ones. Groups have up to six ill rows; of half of them all are found, of
// the others four in ten.
func TestGroupsAreNotRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 5))
	c := Control{Confidence: 0.95, Floors: []pragma.Floor{floor(pragma.RecallFloor, 0.701)}, Heaviest: 6}
	asGroups, asRows := 0, 0
	const draws = 300
	for range draws {
		v := &vote.Table{Classes: []string{"ill", "well"}, Source: vote.Holdout, Trees: 1}
		for g := range 80 {
			recall := 0.4 + 0.6*float64(rng.IntN(2))
			for range 1 + rng.IntN(6) {
				found := uint32(0)
				if rng.Float64() < recall {
					found = 1
				}
				v.Truth, v.Counts, v.Group = append(v.Truth, 0), append(v.Counts, found, 1-found), append(v.Group, g)
			}
		}
		path := []vote.Weights{{1, 1}}
		if _, err := c.Test(context.Background(), path, v); err == nil {
			asGroups++
		}
		v.Group = nil
		if _, err := c.Test(context.Background(), path, v); err == nil {
			asRows++
		}
	}
	if float64(asGroups) > draws*0.05+2*math.Sqrt(draws*0.05*0.95) || asRows < draws/10 {
		t.Errorf("%d of %d samples pass as groups, %d as rows", asGroups, draws, asRows)
	}
}
