package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Of 200 rows 20 are ill. By hand: the tuned rule finds 18 of them with 100 alarms, so 18 of 100 alarms are right and half of the rows are
// alarms; half of these are 2500 of 10,000, and the first digit of that is 2000.
func TestFlood(t *testing.T) {
	plain, tuned := [][]float64{{8, 12}, {2, 178}}, [][]float64{{18, 2}, {82, 98}}
	wanting := func(x, y float64, interval [2]float64, more ...func(*verdict)) func(*verdict) {
		return func(v *verdict) {
			v.prefs = []pragma.Preference{{Theta: 10, X: x, Y: y}, pragma.Neutral()}
			ill := v.report.Rules.Tuned.Classes["ill"]
			ill.PrecisionInterval, ill.RecallInterval = &interval, &interval
			v.report.Rules.Tuned.Classes["ill"] = ill
			for _, f := range more {
				f(v)
			}
		}
	}
	floored := func(what pragma.Figure) func(*verdict) {
		return func(v *verdict) {
			v.floors, v.report.Votes, v.weights = []pragma.Floor{{Class: 0, What: what, Limit: 0.1}}, votesFor(), vote.Weights{1, 1}
		}
	}
	requiring := func(recall float64) func(*verdict) {
		return func(v *verdict) {
			floored(pragma.RecallFloor)(v)
			v.floors[0].Limit = recall
		}
	}
	below := `Fewer alarms are right than your x, 30 of 100: x is no floor, it says what finding all would be worth to you.` + "\n" +
		`For fewer alarms take --measure pragma:s=-1, by which much recall does not make up for little precision, or add --require 'ill:alerts<=2000/10000', or add --require 'ill:precision>=0.3'.`
	fewer := []alternative{{Alerts: 0.1}}
	const noFloor, alarms = "is no floor", "rows are alarms"
	for _, tc := range []struct {
		name        string
		change      func(*verdict)
		want, never string
	}{
		{"below x", wanting(0.3, 0.6, [2]float64{0.1, 0.25}), below, alarms},
		{"below x by chance", wanting(0.3, 0.6, [2]float64{0.1, 0.35}), `50 of 100 rows are alarms, and most of them wrong.` + "\n" + `Fewer alarms are right than your x, 30 of 100, though the range reaches that: x is no floor, it says what finding all would be worth to you.` + "\n" + `For fewer alarms take`, "none"},
		{"as many right as x, as they are written", wanting(0.18, 0.6, [2]float64{0.1, 0.25}), `50 of 100 rows are alarms, and most of them wrong.` + "\n" + `For fewer alarms take`, noFloor},
		{"many", wanting(0.1, 0.9, [2]float64{0.1, 0.25}), `little precision, or add --require 'ill:alerts<=2000/10000'.`, noFloor},
		{"of a model", wanting(0.1, 0.9, [2]float64{0.1, 0.25}, func(v *verdict) { v.rows = "these rows" }), "For fewer alarms, and less recall, tune the model again: take", noFloor},
		// By hand, of votesFor: 40 alarms are those of 20 votes and more, half of the ill among them; by one vote 39 of 59 are right.
		{"what limits cost on the rows", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, func(v *verdict) { v.rows, v.report.Votes, v.weights = "these rows", votesFor(), vote.Weights{1, 1} }),
			`add --require 'ill:alerts<=2000/10000' (recall up to 50 % on these rows), or add --require 'ill:precision>=0.3' (recall up to 98 % on these rows).`, alarms},
		{"a limit that nothing keeps", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, func(v *verdict) {
			v.rows, v.report.Votes, v.weights = "these rows", votesFor(), vote.Weights{1, 1}
			v.report.Votes.Counts = slices.Repeat([]uint32{25, 75}, 200)
		}), "by which much recall does not make up for little precision.", "--require"},
		{"limited", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, floored(pragma.Alerts)), "", "For fewer alarms"},
		{"beside a recall that takes few", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, floored(pragma.RecallFloor)), `little precision, or add --require 'ill:alerts<=2000/10000'.`, "ill:precision"},
		{"beside a recall that takes more", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, requiring(0.9)), `little precision, or add --require 'ill:alerts<=3080/10000'.`, "ill:precision"},
		{"beside a recall that takes as many", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, requiring(0.9), func(v *verdict) { v.report.Votes.Counts = slices.Repeat([]uint32{25, 75}, 200) }), "by which much recall does not make up for little precision.", "--require"},
		{"beside a recall that is out of reach", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, requiring(1)), "is not kept", "For fewer alarms"},
		{"beside another class", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, func(v *verdict) { v.floors = []pragma.Floor{{Class: 1, What: pragma.RecallFloor, Limit: 0.1}} }), "by which much recall does not make up for little precision.", "--require"},
		{"another surface", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, func(v *verdict) { v.measure = "pragma:s=-1" }), `For fewer alarms add --require 'ill:alerts<=2000/10000', or`, alarms},
		{"with a table", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, func(v *verdict) { v.others = fewer }), `than your x, 30 of 100: x is no floor, it says what finding all would be worth to you.`, "For fewer alarms"},
		{"another measure", wanting(0.3, 0.6, [2]float64{0.1, 0.25}, func(v *verdict) { v.measure = "f1" }), "", "For fewer alarms"},
		{"below y", wanting(0.2, 0.1, [2]float64{0, 0.19}), "than your x, 20 of 100", "To find more"},
	} {
		if got := spoken(plain, tuned, tc.change); !strings.Contains(got, tc.want) || strings.Contains(got, tc.never) {
			t.Errorf("%s: no %q, or %q, in\n%s", tc.name, tc.want, tc.never, got)
		}
	}
	flooded := [][]float64{{18, 2}, {102, 78}} // 60 of 100 rows
	for _, tc := range []struct {
		name   string
		change func(*verdict)
		want   string
	}{
		{"more than half, below x", wanting(0.3, 0.6, [2]float64{0.1, 0.2}), "60 of 100 rows are alarms, and most of them wrong.\nFewer alarms are right than your x, 30 of 100: x is no floor, it says what finding all would be worth to you.\nFor fewer alarms take"},
		{"more than half, below x, with a table", wanting(0.3, 0.6, [2]float64{0.1, 0.2}, func(v *verdict) { v.others = fewer }),
			"60 of 100 rows are alarms, and most of them wrong; for fewer take one of the other choices below.\nFewer alarms are right than your x, 30 of 100: x is no floor"},
		{"more than half, with a table", wanting(0.1, 0.9, [2]float64{0.1, 0.2}, func(v *verdict) { v.others = fewer }), "60 of 100 rows are alarms, and most of them wrong; for fewer take one of the other choices below."},
		{"more than half, by costs", wanting(0.1, 0.9, [2]float64{0.1, 0.2}, func(v *verdict) { v.measure = "cost" }), "60 of 100 rows are alarms, and most of them wrong.\nFor fewer alarms add --require 'ill:alerts<=3000/10000'."},
		{"more than half, by costs, with a table", wanting(0.1, 0.9, [2]float64{0.1, 0.2}, func(v *verdict) { v.measure, v.others = "cost", fewer }), "60 of 100 rows are alarms, and most of them wrong; for fewer take one of the other choices below."},
	} {
		if got := spoken(plain, flooded, tc.change); !strings.Contains(got, tc.want) {
			t.Errorf("%s: no %q in\n%s", tc.name, tc.want, got)
		}
	}
	some := [][]float64{{8, 12}, {30, 162}} // fewer than 1 in 4 rows, so that nobody is told that they are many
	if got := spoken(plain, some, wanting(0.3, 0.6, [2]float64{0.1, 0.35})); !strings.Contains(got, "30 of 100, though the range reaches that") || strings.Contains(got, "For fewer alarms") {
		t.Errorf("some alarms, fewer right than x by chance:\n%s", got)
	}
	few := [][]float64{{4, 16}, {0, 180}}
	for _, tc := range []struct {
		name        string
		change      func(*verdict)
		want, never string
	}{
		{"fewer than y", wanting(0.9, 0.5, [2]float64{0.1, 0.4}, func(v *verdict) { v.report.Rules.Tuned.Classes["ill"] = sure(v.report.Rules.Tuned.Classes["ill"]) }),
			`Fewer are found than your y, 50 of 100: y is no floor, it says what alarms that are never wrong would be worth to you. To find more add --require 'ill:recall>=0.5'.`, "For fewer alarms"},
		{"with a table", wanting(0.9, 0.5, [2]float64{0.1, 0.4}, func(v *verdict) {
			v.report.Rules.Tuned.Classes["ill"], v.others = sure(v.report.Rules.Tuned.Classes["ill"]), []alternative{{Recall: 0.5}}
		}), `Fewer are found than your y, 50 of 100: y is no floor, it says what alarms that are never wrong would be worth to you.`, "To find more"},
		{"beside a floor", wanting(0.9, 0.5, [2]float64{0.1, 0.4}, func(v *verdict) {
			v.report.Rules.Tuned.Classes["ill"] = sure(v.report.Rules.Tuned.Classes["ill"])
			v.floors = []pragma.Floor{{Class: 0, What: pragma.PrecisionFloor, Limit: 0.1}}
		}), `would be worth to you.`, "To find more"},
		{"fewer than y by chance", wanting(0.9, 0.5, [2]float64{0.1, 0.6}, func(v *verdict) { v.report.Rules.Tuned.Classes["ill"] = sure(v.report.Rules.Tuned.Classes["ill"]) }),
			`Fewer are found than your y, 50 of 100, though the range reaches that: y is no floor, it says what alarms that are never wrong would be worth to you.`, "To find more"},
		{"where recall matters more", wanting(0.2, 0.5, [2]float64{0.1, 0.4}), "", noFloor},
	} {
		if got := spoken(plain, few, tc.change); !strings.Contains(got, tc.want) || strings.Contains(got, tc.never) {
			t.Errorf("%s: no %q, or %q, in\n%s", tc.name, tc.want, tc.never, got)
		}
	}
}

// sure is a class whose precision is known to be high.
func sure(c eval.Class) eval.Class {
	c.PrecisionInterval = &[2]float64{0.95, 1}
	return c
}

// By hand: of two rows each is 50 points of recall. One is found, by the only alarm: a loss of 1 − 0.9·0.5 − 0.1, of which the importance is 10 of 11.
func TestScarce(t *testing.T) {
	one := [][]float64{{1, 1}, {0, 198}}
	want := `Class "ill" has only 2 rows: each that is found or missed moves its recall by 50 points, and 0.4091 of the loss is of this class.`
	if got := spoken(one, one, nil); !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	all := [][]float64{{2, 0}, {2, 196}} // a loss of 1 − 0.9 − 0.1·0.5
	if got, want := spoken(all, all, nil), `by 50 points, and 0.0455 of the loss is of this class, all by false alarms.`; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	want = `Class "ill" has only 1 row, which says nothing of others.`
	if got := spoken([][]float64{{1, 0}, {0, 199}}, [][]float64{{1, 0}, {0, 199}}, func(v *verdict) { v.measure = "f1" }); !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	for ill, few := range map[float64]bool{29: true, 30: false} {
		rows := [][]float64{{ill, 0}, {0, 270}}
		if got := spoken(rows, rows, nil); strings.Contains(got, "has only") != few {
			t.Errorf("%v rows, few: %v; in\n%s", ill, few, got)
		}
	}
	got := spoken([][]float64{{0.04, 0}, {0, 0.36}}, [][]float64{{0.04, 0}, {0, 0.36}}, func(v *verdict) {
		tuned := v.report.Rules.Tuned.Classes
		ill := tuned["ill"]
		ill.Rows = 30
		tuned["ill"] = ill
	})
	if strings.Contains(got, `"ill" has only`) {
		t.Errorf("30 rows of weight 0.0013 are few in\n%s", got)
	}
}

// What is optimistic is not to be counted on, and nothing is said where it is no better.
func TestOptimism(t *testing.T) {
	plain := [][]float64{{8, 12}, {2, 178}}
	for loss, want := range map[float64]string{
		0.25: "Tuned and judged on the same votes (optimistic) the loss would be 0.2500; do not count on that.",
		0.3:  "",
		0.35: "",
	} {
		var got []string
		spoken(plain, plain, func(v *verdict) {
			v.report.Rules.Optimistic.Pragma = loss
			got = v.optimism()
		})
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %q, want %q", loss, got, want)
		}
	}
	spoken(plain, plain, func(v *verdict) { // as many decimals as beside the plain vote
		v.measure, v.report.Rules.Plain.Pragma, v.report.Rules.Tuned.Pragma, v.report.Rules.Optimistic.Pragma = "cost", 190.234, 90.9, 84.3478
		if got := v.optimism(); len(got) != 1 || !strings.Contains(got[0], "would be 84;") {
			t.Error(got)
		}
	})
}

// Which class takes priority, where nobody says, is told as what it is.
func TestRarestWords(t *testing.T) {
	classes := []string{"a", "b", "c"}
	for _, tc := range []struct {
		rows []float64
		want string
	}{
		{[]float64{60, 90, 200}, `the rarest class, "a",`},
		{[]float64{2, 90, 200}, `the rarest class of at least 50 rows, "b",`},
		{[]float64{0, 90, 200}, `the rarest class, "b",`},
		{[]float64{60, 60, 200}, `one of the rarest classes, "b",`},
		{[]float64{60, 2, 60}, `one of the rarest classes of at least 50 rows, "c",`},
		{[]float64{2, 9, 200}, `the rarest class, "a",`},
		{[]float64{1, 9, 200}, `the rarest class of at least 2 rows, "b",`},
		{[]float64{9, 10, 200}, `the rarest class of at least 10 rows, "b",`},
		{[]float64{0, 1, 200}, `the rarest class, "b",`},
	} {
		if got := rarestWords(classes, tc.rows, vote.TieOrder(tc.rows, nil)); got != tc.want {
			t.Errorf("of %v rows: %s, want %s", tc.rows, got, tc.want)
		}
	}
}

// By hand: of 20 rows of "primary" 6 are missed, 4 of them taken for "compensated", which is not the class of most rows.
func TestKin(t *testing.T) {
	classes := []string{"compensated", "negative", "primary"}
	spoken := func(of [3]float64, change func(*verdict)) string {
		m := [][]float64{{40, 0, 0}, {0, 140, 0}, of[:]}
		v := &verdict{classes: classes, matter: []int{2}, prefs: []pragma.Preference{pragma.Neutral(), pragma.Neutral(), pragma.Priority()}, measure: "pragma", report: &eval.Report{}}
		v.report.Rules.Tuned = ruleOf(classes, m, 0.3)
		change(v)
		return strings.Join(v.kin(), "\n")
	}
	const told = `Of the 6 rows of "primary" that are missed 4 are taken for "compensated". By a preference that is no better than any other miss; if it is less bad to you, say so by --costs.`
	for _, tc := range []struct {
		name   string
		of     [3]float64
		change func(*verdict)
		want   string
	}{
		{"most", [3]float64{4, 2, 14}, func(*verdict) {}, told},
		{"all", [3]float64{4, 0, 16}, func(*verdict) {}, `All 4 rows of "primary" that are missed are taken for "compensated". By a preference that is no better than any other miss; if it is less bad to you, say so by --costs.`},
		{"half", [3]float64{3, 3, 14}, func(*verdict) {}, ""},
		{"for the common class", [3]float64{1, 5, 14}, func(*verdict) {}, ""},
		{"two rows", [3]float64{2, 0, 18}, func(*verdict) {}, ""},
		{"by costs", [3]float64{4, 2, 14}, func(v *verdict) { v.measure = "cost" }, ""},
		{"of a class that is not preferred", [3]float64{4, 2, 14}, func(v *verdict) { v.matter = []int{0} }, ""},
	} {
		if got := spoken(tc.of, tc.change); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
