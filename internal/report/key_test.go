package report_test

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
)

// A list that was asked for has figures of its own, beside those of the decisions; of several none is picked, and of
// blocks the list is of the latest alone.
func TestKeyOfList(t *testing.T) {
	in := input(t, []string{"well", "ill"}, 400)
	right, found, ends := 0.25, 0.5, &[2]float64{0.2, 0.6}
	list := eval.TopListFigures{Class: "ill", Rows: 40, Precision: &right, PrecisionInterval: ends, Recall: &found,
		RecallInterval: ends}
	in.Eval.Top = []eval.TopListFigures{list}
	r := made(t, in)
	if n := len(r.Key); n != 4 || *r.Key[2].Tuned != found || *r.Key[3].Tuned != right ||
		r.Key[3].Of != `of the rows on the list are "ill" (precision)` || r.Key[2].Plain != nil {
		t.Errorf("the page begins with %+v", r.Key)
	}
	if html := page(t, r); !strings.Contains(html, "are on the list of the likeliest (recall)") || strings.Count(html,
		"<span>plain vote") != 2 {
		t.Error("the list is not among the figures that the page begins with, or stands beside a plain vote")
	}
	list.Lists = 12
	in.Eval.Top = []eval.TopListFigures{list}
	if r = made(t, in); !strings.Contains(r.Key[2].Of, "on the 12 lists of the likeliest") {
		t.Errorf("the page begins with %+v", r.Key)
	}
	in.Later = map[string]eval.Later{}
	if r = made(t, in); len(r.Key) != 2 {
		t.Errorf("the page begins with %+v", r.Key)
	}
	in.Later, in.Eval.Top = nil, []eval.TopListFigures{list, list}
	if r = made(t, in); len(r.Key) != 2 {
		t.Errorf("the page begins with %+v", r.Key)
	}
}

// Of classes of different importance each has its figures, by falling importance; of many there are means.
func TestKey(t *testing.T) {
	in := input(t, []string{"a", "b", "c", "d", "e"}, 300)
	in.Spec = pragma.Spec{"b": {Theta: 5, X: 0.2, Y: 0.8}, "d": pragma.Priority()}
	r := made(t, in)
	if len(r.Key) != 4 || !strings.Contains(r.Key[0].Of, `"d"`) || !strings.Contains(r.Key[2].Of, `"b"`) ||
		*r.Key[3].Tuned != *r.Classes[1].Tuned.Precision {
		t.Errorf("the page begins with %+v", r.Key)
	}
	in.Spec["a"], in.Spec["c"] = pragma.Priority(), pragma.Priority()
	if r = made(t, in); len(r.Key) != 2 ||
		r.Key[0].Of != "of the rows of the 4 classes that matter most are found (recall)" ||
		r.Key[1].Of != "mean precision of the 4 classes that matter most, weighted by their rows" {
		t.Errorf("the page begins with %+v", r.Key)
	}
	in.Spec, in.Matter = pragma.Spec{}, []int{1}
	if r = made(t, in); r.First != 1 || len(r.Key) != 2 || r.Key[0].Of != `of the rows of "b" are found (recall)` {
		t.Errorf("class %d is shown first, and the page begins with %+v", r.First, r.Key)
	}
	plain, tuned, all, now := 211.05, 98.8831, 1422100.0, 197766.2
	rules := &in.Eval.Rules
	rules.Plain.Loss, rules.Tuned.Loss, rules.Plain.Cost, rules.Tuned.Cost, in.Measure = &plain, &tuned, &all, &now, "cost"
	rules.Tuned.LossInterval = &[2]float64{93.1129, 99.9776}
	if r = made(t, in); len(r.Key) != 4 || strings.ReplaceAll(string(report.Shown(r.Key[0]).Ends()), "\u2060",
		"") != "93–100" || r.Key[0].Of != "is the cost of a row" || r.Key[1].Of != "is the cost of all rows" ||
		report.Shown(r.Key[0]).Shown() != "99" || report.Shown(r.Key[1]).ShownPlain() != "1,422,100" {
		t.Errorf("of costs the page begins with %+v", r.Key)
	}
	in.Eval.Always = map[string]float64{"a": 400000, "b": 300000, "c": 900000, "d": 300000.5, "e": 900000}
	r = made(t, in)
	for i, want := range []string{"all as \"b\" 1000", "all as \"b\" 300,000"} {
		if got := strings.NewReplacer("\u2060", "", "\u2068", "", "\u2069", "", "&#34;", "\"", "\u00a0",
			" ").Replace(string(report.Shown(r.Key[i]).ShownAlike())); got != want {
			t.Errorf("beside a cost stands %q, want %q", got, want)
		}
	}
	if got := report.Shown(r.Key[2]).ShownAlike(); got != "" {
		t.Errorf("beside a share stands %q", got)
	}
	in.Floors = []pragma.Floor{{Class: 1, What: pragma.Alerts, Limit: 0.1}}
	if r = made(t, in); r.Key[0].AlikeAs != "d" {
		t.Errorf("beside a cost stands that of all as %q, where b breaks what is required", r.Key[0].AlikeAs)
	}
	in.Floors, in.LaterCost = nil, &eval.Forecast{Value: 120.5, Interval: [2]float64{8, 360}}
	if r = made(t, in); len(r.Key) != 3 || report.Shown(r.Key[0]).Shown() != "120" ||
		strings.ReplaceAll(string(report.Shown(r.Key[0]).LaterEnds()), "\u2060", "") != "8–360" {
		t.Errorf("of costs on later rows the page begins with %+v", r.Key)
	}
	in.LaterCost = nil
	in.Matter, rules.Plain.Means.Priority, rules.Tuned.Means.Priority = nil, nil, nil
	if r = made(t, in); len(r.Key) != 2 || !r.Key[1].Money {
		t.Errorf("of costs alone the page begins with %+v", r.Key)
	}
	in.Measure = "pragma"
	in.Eval.Rules.Plain.Means.Priority, in.Eval.Rules.Tuned.Means.Priority = nil, nil
	if r = made(t, in); len(r.Key) != 2 || r.Key[0].Of != "of all rows are decided rightly (accuracy)" ||
		r.Key[1].Of != "mean precision of all classes, weighted by their rows" {
		t.Errorf("the page begins with %+v", r.Key)
	}
}
