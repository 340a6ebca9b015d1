package rfpragma

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// online are the made-up payments of one channel.
var online = vote.Slice{Column: "channel", Value: "online"}

// ofOnline requires a recall of these rows alone.
func ofOnline(recall float64, s Sure) Config {
	c := surely(recall, s)
	c.Search.Floors[0].Slice = online
	return c
}

// aside keeps a column beside the features instead of among them.
func aside(f *dataset.Frame, column string) *dataset.Frame {
	out := *f
	cells, err := f.Cells(column)
	if err != nil {
		panic(err)
	}
	kept := dataset.Kept{Column: column}
	for i := range f.Rows() {
		kept.Cells = append(kept.Cells, cells(i))
	}
	out.Kept, out.Columns = []dataset.Kept{kept}, nil
	for _, c := range f.Columns {
		if c.Name != column {
			out.Columns = append(out.Columns, c)
		}
	}
	return &out
}

// recallOf is the recall of fraud of a channel, counted by hand.
func recallOf(t *testing.T, m *Model, rows *dataset.Frame, channel string) float64 {
	t.Helper()
	votes, err := m.Forest.Votes(context.Background(), rows, 0)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := rows.Cells("channel")
	if err != nil {
		t.Fatal(err)
	}
	found, all := 0.0, 0.0
	for i, truth := range votes.Truth {
		if truth == 0 && cells(i) == channel {
			all++
			if m.Decide(votes.Votes(i)) == 0 {
				found++
			}
		}
	}
	return found / all
}

// What is required of a group is kept on its rows, of a feature and of a column aside, remembered, and judged on new
// rows.
func TestFitWithSlices(t *testing.T) {
	frame, fresh := dataset.Fraud(6000, 1), dataset.Fraud(4000, 2)
	for name, f := range map[string][2]*dataset.Frame{"feature": {frame, fresh},
		"aside": {aside(frame, "channel"), aside(fresh, "channel")}} {
		var tuned *vote.Table
		c := ofOnline(0.95, Sure{})
		c.Tuned = func(votes *vote.Table, _ anneal.Result) { tuned = votes }
		m := mustFit(t, f[0], nil, c)
		if v, ok := c.Search.Floors[0].Value(tuned.Confuse(m.Weights)); !ok || v < 0.95 {
			t.Errorf("%s: recall %v, %v on the votes that weights are searched on", name, v, ok)
		}
		floors, err := m.Floors()
		if err != nil || len(floors) != 1 || floors[0].Slice != online {
			t.Errorf("%s: remembers %v, %v", name, floors, err)
		}
		votes, err := m.Votes(context.Background(), f[1])
		if err != nil {
			t.Fatal(err)
		}
		report, err := m.Evaluate(context.Background(), votes, anneal.Search{})
		if err != nil {
			t.Fatal(err)
		}
		is, want := report.Rules.Tuned.SliceOf(online), recallOf(t, m, f[1], "online")
		if is == nil || *is.Classes["fraud"].Recall != want || is.Classes["fraud"].RecallInterval == nil {
			t.Errorf("%s: %+v, by hand the recall is %v", name, is, want)
		}
		if v, _ := floors[0].Value(report.Rules.Tuned.Counts(m.Classes())); v != want {
			t.Errorf("%s: the matrix of the report has %v, want %v", name, v, want)
		}
		bare := *f[1]
		if bare.Kept = nil; name == "aside" {
			if votes, err = m.Votes(context.Background(), &bare); err != nil || votes.Slices != nil {
				t.Fatalf("without the column: %v, %v", votes.Slices, err)
			}
			if report, err = m.Evaluate(context.Background(), votes, anneal.Search{}); err != nil ||
				report.Rules.Tuned.Slices != nil || len(report.Goal.Floors) != 1 {
				t.Errorf("without the column: %v", err)
			}
		}
		again, err := m.Retune(context.Background(), f[1], nil, nil, Config{Search: anneal.Search{
			Floors: ofOnline(0.6, Sure{}).Search.Floors}})
		if err != nil || recallOf(t, again, f[1], "online") < 0.6 {
			t.Errorf("%s: tuned anew: %v", name, err)
		}
	}
}

// Each fold counts the rows of the group; with repeats they count once.
func TestCrossValidateWithSlices(t *testing.T) {
	frame := aside(dataset.Fraud(3000, 1), "channel")
	cells, _ := frame.Cells("channel")
	rows := 0.0
	for i := range frame.Rows() {
		if cells(i) == "online" {
			rows++
		}
	}
	c := ofOnline(0.9, Sure{})
	c.Forest.Trees = 50
	report, err := CrossValidate(context.Background(), frame, nil, c, eval.Config{Folds: 3, Repeats: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []eval.Rule{report.Rules.Tuned, report.Rules.Plain, report.Rules.Optimistic} {
		is := rule.SliceOf(online)
		if is == nil || is.Rows != rows {
			t.Errorf("%+v, want %v rows", is, rows)
		}
	}
	if report.Votes.Slices == nil {
		t.Error("the held-out votes do not tell which rows are of the group")
	}
}

func TestSlicesSurely(t *testing.T) {
	frame := dataset.Fraud(6000, 1)
	g := mustFit(t, frame, nil, ofOnline(0.6, Sure{Confidence: 0.9, Share: 0.5})).Provenance.Guarantee
	kept := 0
	_, rows := deal(frame.Rows(), nil, 0.5, 1)
	cells, _ := frame.Cells("channel")
	for _, i := range rows {
		if frame.Truth[i] == 0 && cells(i) == "online" {
			kept++
		}
	}
	if g == nil || !g.Sure || g.Tests[0].Constraint != "fraud:recall>=0.6@channel=online" || g.Tests[0].Of != kept {
		t.Errorf("%+v, of %d rows of the group", g, kept)
	}
}

func TestSlicesRefused(t *testing.T) {
	frame := dataset.Fraud(500, 1)
	of := func(column, value string) Config {
		c := ofOnline(0.9, Sure{})
		c.Search.Floors[0].Slice = vote.Slice{Column: column, Value: value}
		return c
	}
	review := ofOnline(0.9, Sure{})
	review.Review = Review{Share: 0.1}
	for want, c := range map[string]Config{
		`unknown column "chanel"; known are`: of("chanel", "online"),
		`column "channel": unknown value "onlin"; known are "chip", "contactless", "online", "phone"; did you mean ` +
			`"online"?`: of("channel", "onlin"),
		"{review} counts alarms": review,
	} {
		want = strings.ReplaceAll(want, "{review}", "Review")
		_, err := Fit(context.Background(), frame, nil, c)
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err = CrossValidate(context.Background(), frame, nil, c, eval.Config{}); !errors.Is(err, ErrConfig) {
			t.Errorf("in a cross-validation: %v, want %s", err, want)
		}
	}
	if got := pragma.Slices(ofOnline(0.9, Sure{}).Search.Floors); len(got) != 1 || got[0] != online {
		t.Errorf("slices %v", got)
	}
}
