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

	"github.com/rfpragma/rfpragma/report"
	"github.com/rfpragma/rfpragma/vote"
)

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

// Of two classes a sweep says how many votes are enough.
func TestSweepVotes(t *testing.T) {
	in := input(t, []string{"well", "ill"}, 300)
	s := made(t, in).Classes[1].Charts.Sweep
	for g, need := range s.Votes {
		rule := vote.NewRule(vote.Weights{in.Weights[0], float64(s.Weights[g])}, in.Eval.Votes.Share, 2)
		if rule.Decide([]uint32{uint32(trees - need), uint32(need)}) != 1 || need > 1 && rule.Decide([]uint32{uint32(trees - need + 1), uint32(need - 1)}) == 1 {
			t.Errorf("weight %v: %d votes are said to be the least that is enough", s.Weights[g], need)
		}
	}
	lowest := slices.Min(s.Loss)
	for g, w := range s.Weights {
		if inside := w >= s.Plateau[0] && w <= s.Plateau[1]; inside && s.Loss[g] != lowest {
			t.Errorf("weight %v of the plateau %v has the loss %v, the lowest is %v", w, s.Plateau, s.Loss[g], lowest)
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
	if len(r.Key) != 2 || *r.Key[0].Tuned != *r.Classes[2].Tuned.Recall || *r.Key[1].Plain != *r.Classes[2].Plain.Precision || !strings.Contains(r.Key[0].Of, `"c"`) {
		t.Errorf("the page begins with %+v", r.Key)
	}
}

func TestSays(t *testing.T) {
	r := made(t, input(t, []string{"well", "ill"}, 400))
	says := r.Classes[1].Charts.Says
	for _, tc := range []struct{ got, want string }{
		{says.Moves, `Tuning takes "ill" from recall`},
		{says.Moves, "Points on one line are equally good by your preference."},
		{says.Votes, `rows of "ill"`},
		{says.Votes, "of 30 votes or more"},
		{says.Sweep, "Under weights in the middle of those of the folds"},
		{says.Reliability, "groups of rows the share that was observed agrees"},
		{says.Curve, "The Brier score of"},
		{says.ROC, `Of two rows, one of "ill" and one of another class`},
		{says.PR, "who ranks the rows by chance has"},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("%q does not say %q", tc.got, tc.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tc := range []struct {
		number report.Number
		want   string
	}{{0.123456789, "0.123457"}, {12, "12"}, {report.Number(math.NaN()), "null"}, {report.Number(math.Inf(1)), "null"}, {1e-9, "1e-9"}} {
		if got, err := json.Marshal(tc.number); err != nil || string(got) != tc.want {
			t.Errorf("%v is %s in JSON, want %s (%v)", float64(tc.number), got, tc.want, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	in := input(t, []string{"a", "b"}, 50)
	in.Weights = in.Weights[:1]
	if _, err := report.New(context.Background(), in); err == nil || err.Error() != "report: votes, decisions and weights do not belong together; give what package eval has returned, and a weight for each class" {
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
			if _, err := fmt.Sscanf(text, "The Brier score of %s is %s less %s for telling the rows apart, plus %s", &score, &all, &told, &off); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			number := func(s string) float64 {
				v, err := strconv.ParseFloat(s, 64)
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
