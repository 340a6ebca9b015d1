package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
)

// A page that nobody adds figures to begins with those of the classes that matter, by falling importance, and of many
// classes with the share of right decisions. By hand: 3 + 5 of 10 rows are decided rightly.
func TestKey(t *testing.T) {
	in := input(t, []string{"a", "b", "c", "d", "e"}, 300)
	names := func() string {
		var names []string
		for _, line := range made(t, in).Key {
			names = append(names, line.Name)
		}
		return strings.Join(names, "; ")
	}
	for _, tc := range []struct {
		spec pragma.Spec
		want string
	}{
		{pragma.Spec{"b": {Theta: 5, X: 0.2, Y: 0.8}, "d": pragma.Priority()}, `"d" found (recall); alarms for "d" that ` +
			`are right (precision); "b" found (recall); alarms for "b" that are right (precision)`},
		{pragma.Spec{"a": pragma.Priority(), "b": pragma.Priority(), "c": pragma.Priority(), "d": pragma.Priority()},
			"decisions that are right (accuracy)"},
	} {
		if in.Spec = tc.spec; names() != tc.want {
			t.Errorf("the page begins with %s, want %s", names(), tc.want)
		}
	}
	in = input(t, []string{"well", "ill"}, 400)
	tuned, plain := in.Eval.Rules.Tuned.Classes["ill"], in.Eval.Rules.Plain.Classes["ill"]
	recall, was := 0.78, 0.76
	tuned.Recall, tuned.RecallInterval, plain.Recall, plain.Precision = &recall, &[2]float64{0.75, 0.81}, &was, nil
	in.Eval.Rules.Tuned.Classes["ill"], in.Eval.Rules.Plain.Classes["ill"] = tuned, plain
	r := made(t, in)
	if want := (report.Line{Name: `"ill" found (recall)`, Value: "78 %", Interval: "75–81",
		Against: "plain vote 76 %"}); r.Key[0] != want || r.Key[1].Against != "plain vote n/a" {
		t.Errorf("the page begins with %+v, want %+v", r.Key, want)
	}
	if html := page(t, r); !strings.Contains(html, "<dd>78\u00a0%</dd><dd class=\"was\"><span>95&nbsp;% interval 75\u2060–\u206081</span>") {
		t.Error("the figure is not what the page begins with")
	}
	three := input(t, []string{"a", "b", "c"}, 300)
	three.Spec, three.Matter = nil, []int{}
	three.Eval.Rules.Tuned.Confusion = [][]float64{{3, 1, 0}, {0, 5, 1}, {0, 0, 0}}
	if key := made(t, three).Key; len(key) != 1 || key[0].Value != "80 %" {
		t.Errorf("the page begins with %+v, want an accuracy of 80 %%", key)
	}
}

// What a slider tells of a setting is what the rows cost and raise under its weight when they are decided anew:
// alarms of 1,000 rows, recall, and the cost of 1,000 rows, also where costs are by amount and the loss is a sum.
func TestSettingsAreDecidedAnew(t *testing.T) {
	for _, amounts := range []bool{false, true} {
		votes := table([]string{"well", "ill"}, 400)
		costs := pragma.Costs{Matrix: [][]float64{{0, 1}, {5, 0}}}
		if amounts {
			costs.ByAmount = []bool{false, true}
			for i := range votes.Truth {
				votes.Amount = append(votes.Amount, float64(1+i%7))
			}
		}
		in := inputOf(t, votes)
		loss, err := costs.Measure()
		if err != nil {
			t.Fatal(err)
		}
		in.Costs, in.Measure, in.Loss = costs, "cost", loss
		r := made(t, in)
		s := r.Classes[1].Charts.Sweep
		for g, w := range s.Weights {
			weights := []float64{in.Weights[0], float64(w)}
			cost, alarms, found, ill := 0.0, 0.0, 0.0, 0.0
			rule := votes.Rule(weights)
			for i, counts := range votes.Judged() {
				d, truth := rule.Decide(counts), votes.Truth[i]
				paid := costs.Matrix[truth][d]
				if amounts && costs.ByAmount[truth] {
					paid *= votes.Amount[i]
				}
				cost += paid
				alarms, ill = alarms+float64(d), ill+float64(truth)
				found += float64(d * truth)
			}
			for _, f := range []struct {
				name      string
				got, want float64
			}{
				{"alarms", float64(1000 * s.Named[g] / r.Rows), 1000 * alarms / 400},
				{"recall", float64(s.Found[g]) / r.Classes[1].Plain.Support, found / ill},
				{"cost", float64(s.Loss[g] * r.Money), 1000 * cost / 400},
			} {
				if math.Abs(f.got-f.want) > 1e-9*(1+f.want) {
					t.Errorf("by amount %v, weight %v: %s %v, want %v", amounts, w, f.name, f.got, f.want)
				}
			}
		}
	}
	if r := made(t, input(t, []string{"a", "b"}, 100)); r.Money != 0 {
		t.Errorf("a loss that is no cost is told in money, times %v", r.Money)
	}
}
