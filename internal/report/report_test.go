package report_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Numbers of rows are called sums of weights where they are.
func TestUnit(t *testing.T) {
	if unit := made(t, input(t, []string{"a", "b"}, 100)).Unit; unit != "rows" {
		t.Errorf("rows are called %q", unit)
	}
	heavy := table([]string{"a", "b"}, 100)
	heavy.Weight = slices.Repeat([]float64{1.5}, 100)
	if unit := made(t, inputOf(t, heavy)).Unit; unit != "case weight" {
		t.Errorf("rows of weight 1.5 are called %q", unit)
	}
}

// At every weight of a sweep the figures are those of a table that is decided anew.
func TestSweepIsDecidedAnew(t *testing.T) {
	for _, classes := range [][]string{{"well", "ill"}, {"a", "b", "c", "d"}} {
		in := input(t, classes, 400)
		r := made(t, in)
		for c := range r.Classes {
			if r.Classes[c].Charts == nil {
				continue
			}
			s := r.Classes[c].Charts.Sweep
			if !slices.IsSorted(s.Weights) || !slices.Contains(s.Weights, report.Number(in.Weights[c])) {
				t.Errorf("%s: the weights %v do not rise, or leave out %v", classes[c], s.Weights, in.Weights[c])
			}
			for g, w := range s.Weights {
				weights := slices.Clone(in.Weights)
				weights[c] = float64(w)
				m := in.Eval.Votes.Confuse(weights)
				accuracy, _ := m.Accuracy()
				want := [4]float64{m.Hits(c), m.Predicted(c), (1 - accuracy) * m.Total(), in.Loss.Loss(m)}
				for i, got := range []report.Number{s.Found[g], s.Named[g], s.Wrong[g], s.Loss[g]} {
					if math.Abs(float64(got)-want[i]) > 1e-9 {
						t.Errorf("%s at weight %v: figure %d is %v, want %v", classes[c], w, i, got, want[i])
					}
				}
			}
		}
	}
}

// At every weight of a sweep it stands which floors are missed, as a table that is decided anew has it, and the best
// weights are of those that miss none.
func TestSweepOfFloors(t *testing.T) {
	for _, tc := range []struct {
		floors []pragma.Floor
		says   string // of the last class
	}{
		{nil, ""},
		{[]pragma.Floor{{Class: 2, What: pragma.PrecisionFloor, Limit: 0.99}},
			" Hatched weights break what you require."},
		{[]pragma.Floor{{Class: 2, What: pragma.PrecisionFloor, Limit: 0.5}, {Class: 0, What: pragma.RecallFloor,
			Limit: 0.3}}, " Hatched weights break what you require."},
		{[]pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 1}},
			" No weight of this class alone keeps what you require."},
	} {
		in := input(t, []string{"a", "b", "c"}, 400)
		in.Floors = tc.floors
		r := made(t, in)
		for c := range r.Classes {
			s := r.Classes[c].Charts.Sweep
			for g, w := range s.Weights {
				weights := slices.Clone(in.Weights)
				weights[c] = float64(w)
				m, missed := in.Eval.Votes.Confuse(weights), []int{}
				for i, f := range tc.floors {
					if f.Missing(m) > 0 {
						missed = append(missed, i)
					}
				}
				if len(tc.floors) > 0 && !slices.Equal(s.Broken[g], missed) {
					t.Errorf("%v: class %d at weight %v: missed are %v, want %v", r.Required, c, w, s.Broken[g], missed)
				}
			}
			kept, best := bestOf(in, c)
			weights := slices.Clone(in.Weights)
			weights[c] = inMiddle(float64(s.Plateau[0]), float64(s.Plateau[1]))
			m := in.Eval.Votes.Confuse(weights)
			if keeps, loss := keeps(in, m), in.Loss.Loss(m); keeps != kept || math.Abs(loss-best) > 1e-9 ||
				math.Abs(float64(s.Least)-best) > 1e-9 {
				t.Errorf("%v: class %d: the best weights are %v, with a loss of %v (%v is said) and %v kept, want %v and %v",
					r.Required, c, s.Plateau, loss, s.Least, keeps, best, kept)
			}
		}
		if says := r.Classes[2].Charts.Says.Sweep; !strings.Contains(says, tc.says) || tc.floors == nil &&
			strings.Contains(says, "require") {
			t.Errorf("%v: %q does not say %q", r.Required, says, tc.says)
		}
	}
}

// bestOf tries a weight of class c between any two at which a row turns: whether what is required can be kept, and
// the least loss then.
func bestOf(in report.Input, c int) (kept bool, least float64) {
	turns := []float64{0, math.Inf(1)}
	for _, votes := range in.Eval.Votes.Judged() {
		for d, v := range votes {
			if d != c && votes[c] > 0 {
				turns = append(turns, in.Weights[d]*float64(v)/float64(votes[c]))
			}
		}
	}
	slices.Sort(turns)
	for i := range len(turns) - 1 {
		weights := slices.Clone(in.Weights)
		if weights[c] = inMiddle(turns[i], turns[i+1]); turns[i+1] <= turns[i]*(1+1e-9) {
			continue
		}
		m := in.Eval.Votes.Confuse(weights)
		switch keeps, loss := keeps(in, m), in.Loss.Loss(m); {
		case i == 0 || keeps && !kept:
			kept, least = keeps, loss
		case keeps == kept:
			least = min(least, loss)
		}
	}
	return kept, least
}

// inMiddle returns a weight between two, of which the first may be 0 and the last without end.
func inMiddle(from, to float64) float64 {
	switch {
	case math.IsInf(to, 1):
		return 2*from + 1
	case from == 0:
		return to / 2
	}
	return math.Sqrt(from * to)
}

// keeps tells whether decisions keep what is required.
func keeps(in report.Input, m *vote.Confusion) bool {
	return !slices.ContainsFunc(in.Floors, func(f pragma.Floor) bool { return f.Missing(m) > 0 })
}

// Of two classes a sweep says how many votes are enough.
func TestSweepVotes(t *testing.T) {
	in := input(t, []string{"well", "ill"}, 300)
	s := made(t, in).Classes[1].Charts.Sweep
	for g, need := range s.Votes {
		rule := in.Eval.Votes.Rule(vote.Weights{in.Weights[0], float64(s.Weights[g])})
		if rule.Decide([]uint32{uint32(trees - need), uint32(need)}) != 1 || need > 1 &&
			rule.Decide([]uint32{uint32(trees - need + 1), uint32(need - 1)}) == 1 {
			t.Errorf("weight %v: %d votes are said to be the least that is enough", s.Weights[g], need)
		}
	}
	for g, w := range s.Weights {
		if inside := w > s.Plateau[0] && w < s.Plateau[1]; s.Loss[g] < s.Least-1e-9 || inside && s.Loss[g] > s.Least+1e-9 {
			t.Errorf("weight %v has the loss %v, the lowest is %v, of %v", w, s.Loss[g], s.Least, s.Plateau)
		}
	}
}

// The histogram counts each row once, where the confusion matrix has it.
func TestVotesCountAllRows(t *testing.T) {
	in := input(t, []string{"a", "b", "c"}, 500)
	r := made(t, in)
	sum := func(counts []report.Number) (n float64) {
		for _, x := range counts {
			n += float64(x)
		}
		return n
	}
	for c := range r.Classes {
		m, v := r.Confusion.Tuned, r.Classes[c].Charts.Votes
		truth, named, total := 0.0, 0.0, 0.0
		for i := range m {
			truth, named = truth+m[c][i], named+m[i][c]
			for j := range m {
				total += m[i][j]
			}
		}
		got := [4]float64{sum(v.Found), sum(v.Missed), sum(v.Alarms), sum(v.Others)}
		if want := [4]float64{m[c][c], truth - m[c][c], named - m[c][c], total - truth - named + m[c][c]}; got != want {
			t.Errorf("class %d: %v rows, the matrix has %v", c, got, want)
		}
		if v.Width != 1 || len(v.Found) != trees+1 {
			t.Errorf("class %d: %d bins of %d votes, want one for each of 0 to %d", c, len(v.Found), v.Width, trees)
		}
	}
}

// The class that matters most is shown first, and the page begins with its figures.
func TestFirst(t *testing.T) {
	r := made(t, input(t, []string{"a", "b", "c"}, 300))
	if r.First != 2 {
		t.Errorf("class %d is shown first, want the one of priority", r.First)
	}
	if len(r.Key) != 2 || r.Key[0].Name != `"c" found (recall)` {
		t.Errorf("the page begins with %+v", r.Key)
	}
}

// Of classes that matter alike the rarest of those with rows enough is shown first; of such with few rows that with
// most. One that matters more, by its θ or by what its errors cost, is shown first whatever its rows.
func TestFirstOfFewRows(t *testing.T) {
	dear := [][]float64{{0, 1, 1}, {5, 0, 5}, {20, 20, 0}}
	for _, tc := range []struct {
		rows   []int
		matter []int
		spec   pragma.Spec
		costs  [][]float64
		want   int
	}{
		{[]int{200, 40, 3}, []int{1, 2}, nil, nil, 1},
		{[]int{200, 40, 35}, []int{1, 2}, nil, nil, 2},
		{[]int{200, 3, 12}, []int{1, 2}, nil, nil, 2}, // not one that matters less
		{[]int{200, 40, 3}, nil, nil, nil, 1},
		{[]int{200, 40, 3}, []int{2, 1}, pragma.Spec{"b": {Theta: 3, X: 0.3, Y: 0.7}, "c": {Theta: 10, X: 0.2, Y: 0.8}}, nil,
			2},
		{[]int{200, 40, 3}, []int{2, 1}, nil, dear, 2},
		{[]int{200, 40, 0}, []int{2, 1}, nil, dear, 1}, // of no rows there are no charts
	} {
		votes := &vote.Table{Classes: []string{"a", "b", "c"}, Trees: 10, Source: vote.Holdout, Share: []float64{0.8, 0.1,
			0.1}}
		for c, n := range tc.rows {
			for i := range n {
				counts := []uint32{2, 2, 2}
				counts[c] += uint32(i % 4)
				counts[0] += 4 - uint32(i%4)
				votes.Truth, votes.Counts = append(votes.Truth, c), append(votes.Counts, counts...)
			}
		}
		in := inputOf(t, votes)
		in.Spec, in.Matter, in.Costs.Matrix = tc.spec, tc.matter, tc.costs
		r := made(t, in)
		if r.First != tc.want {
			t.Errorf("of %v rows, where %v matter, class %d is shown first, want %d", tc.rows, tc.matter, r.First, tc.want)
		}
		if want := fmt.Sprintf("\u2068b\u2069 (%d rows)</option>", tc.rows[1]); !strings.Contains(page(t, r), want) {
			t.Errorf("the page does not have %q to choose", want)
		}
	}
}

// A class of which something is required that is not kept is shown first, and has the first figures, also where
// others matter more.
func TestFirstOfBroken(t *testing.T) {
	in := input(t, []string{"a", "b", "c"}, 300) // c has priority
	for _, tc := range []struct {
		name   string
		floors []pragma.Floor
		want   int
		keys   int
	}{
		{"kept", []pragma.Floor{{Class: 1, What: pragma.RecallFloor, Limit: 0.001}}, 2, 2},
		{"broken", []pragma.Floor{{Class: 1, What: pragma.Alerts, Limit: 0.001}}, 1, 4},
		{"the first of two", []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: 0.001}, {Class: 1, What: pragma.Alerts,
			Limit: 0.001}}, 0, 4},
	} {
		in.Floors = tc.floors
		r := made(t, in)
		if r.First != tc.want || len(r.Key) != tc.keys || !strings.Contains(r.Key[0].Name, fmt.Sprintf("%q",
			r.Classes[tc.want].Name)) {
			t.Errorf("%s: class %d is shown first, want %d, and the page begins with %+v", tc.name, r.First, tc.want, r.Key)
		}
	}
}

// However rare a class is, the curve has both what all rows decided so are worth and where that is nothing.
func TestBenefitOfRareClass(t *testing.T) {
	votes := &vote.Table{Classes: []string{"well", "ill"}, Trees: 10, Source: vote.Holdout, Share: []float64{0.998, 0.002}}
	for i := range 1000 {
		truth, n := 0, uint32(i%3)
		if i < 2 {
			truth, n = 1, 9
		}
		votes.Truth, votes.Counts = append(votes.Truth, truth), append(votes.Counts, 10-n, n)
	}
	b := made(t, inputOf(t, votes)).Classes[1].Charts.Benefit
	if b.From[0] != 0 || b.Model[0] != 0.002 || b.All[0] != 0.002 {
		t.Errorf("from %v on the probabilities are worth %v, and all rows %v; want 0 and the share, 0.002", b.From[0],
			b.Model[0], b.All[0])
	}
	if n := slices.IndexFunc(b.All, func(x report.Number) bool { return x < 0 }); n != 3 || b.From[2] != 0.002 {
		t.Errorf("all rows are worth less than nothing from point %d of %v on, want that after the share", n, b.From)
	}
}

// Classes of few rows are marked, and the chart says so.
func TestFew(t *testing.T) {
	in := input(t, []string{"a", "b", "c", "d"}, 100)
	r := made(t, in)
	for _, c := range r.Classes {
		if c.Few != (c.Plain.Support < 30) {
			t.Errorf("%q has %v rows, few: %v", c.Name, c.Plain.Support, c.Few)
		}
		if !strings.HasSuffix(c.Charts.Says.Moves, "Dashed ones are of classes of fewer than 30 rows.") {
			t.Errorf("%q: %s", c.Name, c.Charts.Says.Moves)
		}
	}
	rule := in.Eval.Rules.Plain.Classes
	few := rule["d"]
	few.Support /= 1000 // a unit is no number
	rule["d"] = few
	if light := made(t, in); light.Classes[3].Few != r.Classes[3].Few {
		t.Errorf("of weights of 0.001: few: %v", light.Classes[3].Few)
	}
	few.Support, few.Rows = 1000, 3
	rule["d"] = few
	if !made(t, in).Classes[3].Few {
		t.Error("three rows of weight 333 are not few")
	}
	if r = made(t, input(t, []string{"a", "b"}, 400)); strings.Contains(r.Classes[1].Charts.Says.Moves, "Dashed") {
		t.Errorf("without such a class: %s", r.Classes[1].Charts.Says.Moves)
	}
}

func TestNumber(t *testing.T) {
	for _, tc := range []struct {
		number report.Number
		want   string
	}{{0.123456789, "0.123457"}, {12, "12"}, {report.Number(math.NaN()), "null"}, {report.Number(math.Inf(1)), "null"},
		{1e-9, "1e-9"}} {
		if got, err := json.Marshal(tc.number); err != nil || string(got) != tc.want {
			t.Errorf("%v is %s in JSON, want %s (%v)", float64(tc.number), got, tc.want, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	in := input(t, []string{"a", "b"}, 50)
	in.Weights = in.Weights[:1]
	if _, err := report.New(context.Background(), in); err == nil ||
		err.Error() != "report: votes, decisions and weights do not belong together; give what package eval has returned, "+
			"and a weight for each class" {
		t.Errorf("a weight short: %v", err)
	}
	in = input(t, []string{"a", "b"}, 50)
	in.Costs.Matrix, in.Costs.ByAmount = [][]float64{{0, 1}, {1, 0}}, []bool{true, false}
	if _, err := report.New(context.Background(), in); err == nil || !strings.Contains(err.Error(), "amount") {
		t.Errorf("costs by amount without amounts: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := report.New(ended, input(t, []string{"a", "b"}, 50)); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

// The parts that are named add up to the score that is named, within the rounding of four numbers.
func TestBrierAddsUp(t *testing.T) {
	for _, rows := range []int{40, 400, 4000} {
		for _, c := range made(t, input(t, []string{"ill", "well"}, rows)).Classes {
			if c.Charts == nil {
				continue
			}
			var score, all, told, off string
			text := c.Charts.Says.Curve
			if _, err := fmt.Sscanf(text, "The line is what each probability should have been, as far as these rows tell; "+
				"right ones lie on the dashed line. The Brier score is %s (0 is best). The same probability for all rows would "+
				"score %s telling the rows apart gains %s and probabilities that are too high or too low lose %s", &score, &all,
				&told, &off); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			number := func(s string) float64 {
				v, err := strconv.ParseFloat(strings.TrimRight(s, ",;"), 64)
				if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				return v
			}
			step := math.Pow(10, float64(strings.IndexByte(score, '.')+1-len(score)))
			if gap := math.Abs(number(all) - number(told) + number(off) - number(score)); gap > 2.001*step {
				t.Errorf("%d rows: %q: the parts are off by %g", rows, text, gap)
			}
		}
	}
}

// A file need not have rows of every class: the page is made, and says of what it has nothing to draw.
func TestAbsentClasses(t *testing.T) {
	for _, tc := range []struct {
		classes []string
		truth   []int // of all rows
		charts  string
		key     string // what the page begins with
	}{
		{[]string{"well", "ill"}, []int{0, 0, 0}, "", `"ill" found (recall)`},
		{[]string{"well", "ill"}, []int{0}, "", `"ill" found (recall)`},
		{[]string{"well", "ill"}, []int{1}, "ill", `"ill" found (recall)`},
		{[]string{"a", "b", "c"}, []int{0, 0}, "a", `"c" found (recall)`},
		{[]string{"a", "b", "c"}, []int{2}, "c", `"c" found (recall)`},
	} {
		votes := table(tc.classes, len(tc.truth))
		votes.Truth = tc.truth
		r := made(t, inputOf(t, votes))
		drawn := []string{}
		for _, c := range r.Classes {
			if c.Charts != nil {
				drawn = append(drawn, c.Name)
			}
		}
		if got := strings.Join(drawn, ","); got != tc.charts || r.Key[0].Name != tc.key {
			t.Errorf("%q, rows of %v: charts of %q, and the page begins with %q", tc.classes, tc.truth, got, r.Key[0].Name)
		}
		text := page(t, r)
		if none := strings.Contains(text, `No row of "<bdi>ill</bdi>" is in the data`); none != (tc.charts == "") ||
			none == strings.Contains(text, `id="chart-votes"`) {
			t.Errorf("%q, rows of %v: the page says that it has nothing to draw: %v", tc.classes, tc.truth, none)
		}
	}
}

// The name of a file may be broken after its signs, and nothing is lost.
func TestTitleMayBreak(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	r.Title = "What it decides on __new-truth.csv"
	if got, want := between(t, page(t, r), "<h1><bdi>", "</bdi>"),
		"What it decides on __<wbr>new-<wbr>truth.<wbr>csv"; got != want {
		t.Errorf("the title is %q, want %q", got, want)
	}
}

// By hand: of ten rows those of "ill" have 9, 6 and 2 of 10 votes, the others 8, 5, 1, 1 and none; 2 votes are
// enough under the weight 5, and 1 is not. Net benefit is hits less p/(1−p) false alarms, by row (Vickers and Elkin
// 2006; dcurves in R).
func TestBenefit(t *testing.T) {
	votes := &vote.Table{Classes: []string{"well", "ill"}, Trees: 10, Source: vote.Holdout, Share: []float64{0.7, 0.3}}
	for i, n := range []uint32{9, 6, 2, 8, 5, 1, 1, 0, 0, 0} {
		truth := 0
		if i < 3 {
			truth = 1
		}
		votes.Truth, votes.Counts = append(votes.Truth, truth), append(votes.Counts, 10-n, n)
	}
	charts := made(t, weighed(t, votes, vote.Weights{1, 5})).Classes[1].Charts
	b := charts.Benefit
	if n := len(b.From); n != 100 || b.From[n-1] != 0.9 {
		t.Errorf("the curve has %d points, of %v; beyond 0.9 nothing is worth anything", n, b.From)
	}
	for _, tc := range []struct{ from, model, all report.Number }{
		{0, 0.3, 0.3},
		{0.05, 0.3 - 0.4/19, 0.3 - 0.7/19},
		{0.2, 0.3 - 0.2*0.25, 0.3 - 0.7*0.25},
		{0.5, 0, 0.3 - 0.7}, // two hits, two false alarms
		{0.8, 0.1 - 0.1*4, 0.3 - 0.7*4},
		{0.9, 0.1, 0.3 - 0.7*9},
	} {
		i := slices.Index(b.From, tc.from)
		if i < 0 || math.Abs(float64(b.Model[i]-tc.model)) > 1e-12 || math.Abs(float64(b.All[i]-tc.all)) > 1e-12 {
			t.Errorf("from %v on: point %d of %v and %v, want %v and %v", tc.from, i, b.Model, b.All, tc.model, tc.all)
		}
	}
	// Between 1 and 2 of 10 votes, smoothed, in the middle by thousandths. Three hits, two false alarms, each at p/(1−p).
	if b.Tuned != 0.151 || b.Asked || math.Abs(float64(b.Worth)-(0.3-0.2*0.151/0.849)) > 1e-12 {
		t.Errorf("the weight decides as from %v on, worth %v; want 0.151 and %v", b.Tuned, b.Worth, 0.3-0.2*0.151/0.849)
	}
	if want := " The tuned rule decides for it from about 15.1 % on, where 5.62 false alarms cost as much as one row " +
		"found is worth. To see it in money run rfpragma cv with --cost ill=… --cost well=…."; !strings.HasSuffix(
		charts.Says.Benefit, want) {
		t.Errorf("%q does not end with %q", charts.Says.Benefit, want)
	}
	// Where costs were asked for, they are the price: a missed row of "ill" costs as much as a third of a false alarm.
	in := weighed(t, votes, vote.Weights{1, 5})
	in.Costs = pragma.Costs{Matrix: [][]float64{{0, 3}, {1, 0}}}
	asked := made(t, in).Classes[1].Charts
	if b := asked.Benefit; b.Tuned != 0.75 || !b.Asked || math.Abs(float64(b.Worth)-(0.3-0.2*3)) > 1e-12 {
		t.Errorf("by costs it pays from %v on, and the decisions are worth %v; want 0.75 and -0.3", b.Tuned, b.Worth)
	}
	if want := `By your costs it pays to decide for it from 75 % on, where 0.333 false alarms cost as much as one row found is worth. At that price to decide none would be worth more: of the rows decided so only 60 % are "ill".`; !strings.HasSuffix(asked.Says.Benefit, want) {
		t.Errorf("%q does not end with %q", asked.Says.Benefit, want)
	}
	// Under a weight by which no row is decided as the class there is no such probability.
	if none := made(t, weighed(t, votes, vote.Weights{1, 0.01})).Classes[1].Charts; !math.IsNaN(
		float64(none.Benefit.Tuned)) || !strings.HasSuffix(none.Says.Benefit,
		"a whole one from 50 % on. To see it in money run rfpragma cv with --cost ill=… --cost well=….") {
		t.Errorf("no row is decided as it: %v, %q", none.Benefit.Tuned, none.Says.Benefit)
	}
}

// What a report cannot do without is asked for.
func TestNewAsksForWhatItNeeds(t *testing.T) {
	in := input(t, []string{"a", "b"}, 200)
	for name, change := range map[string]func(in *report.Input){
		"Eval": func(in *report.Input) { in.Eval = nil }, "Loss": func(in *report.Input) { in.Loss = nil },
		"Measure": func(in *report.Input) { in.Measure = "" },
	} {
		bad := in
		change(&bad)
		if _, err := report.New(t.Context(), bad); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	r, err := report.New(t.Context(), in)
	if err != nil || r.Title == "" {
		t.Errorf("the title is %q, error %v", r.Title, err)
	}
}
