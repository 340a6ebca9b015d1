package rfpragma

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
	"github.com/rfpragma/rfpragma/vote"
)

// surely are settings that make sure of a recall of the made-up payments, whose classes are fraud and ok.
func surely(recall float64, s Sure) Config {
	return Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1}, Sure: s,
		Search: anneal.Search{Floors: []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: recall}}}}
}

func TestFitSurely(t *testing.T) {
	frame := dataset.Fraud(6000, 1)
	merely := mustFit(t, frame, nil, surely(0.7, Sure{}))
	m := mustFit(t, frame, nil, surely(0.7, Sure{Confidence: 0.95, Share: 0.4}))
	g := m.Provenance.Guarantee
	if merely.Provenance.Guarantee != nil || g == nil || !g.Sure || !g.Apart || g.Units != 2400 || len(g.Tests) != 1 ||
		g.Tests[0].Constraint != "fraud:recall>=0.7" || g.Tests[0].P > 0.05 || m.Provenance.Rows != 3600 {
		t.Fatalf("the record is %+v", g)
	}
	rest, kept := deal(6000, nil, 0.4, 1)
	if !m.TrainedOn(frame.Take(rest)) {
		t.Error("the forest is of other rows than those not kept apart")
	}
	votes, err := m.Votes(context.Background(), frame.Take(kept))
	if err != nil {
		t.Fatal(err)
	}
	if recall, _ := votes.Confuse(m.Weights).Recall(0); recall != *g.Tests[0].Value {
		t.Errorf("recall on the rows kept apart is %v, and %v in the record", recall, *g.Tests[0].Value)
	}
	fresh := dataset.Fraud(20_000, 2)
	if votes, err = m.Votes(context.Background(), fresh); err != nil {
		t.Fatal(err)
	}
	if recall, _ := votes.Confuse(m.Weights).Recall(0); recall < 0.7 {
		t.Errorf("recall on new rows is %v", recall)
	}
	again := fileOf(t, m)
	if read, err := ReadModel(strings.NewReader(string(again))); err != nil || read.Provenance.Guarantee == nil ||
		*read.Provenance.Guarantee.Tests[0].Value != *g.Tests[0].Value {
		t.Errorf("read again: %v", err)
	}
	if other, err := m.WithWeights(vote.Weights{1, 1}); err != nil || other.Provenance.Guarantee != nil {
		t.Errorf("other weights have the same record, or %v", err)
	}
}

// Out-of-bag votes are tested on as they are, and the record says that no rows were kept apart.
func TestFitSurelyOnVotes(t *testing.T) {
	m := mustFit(t, dataset.Fraud(4000, 1), nil, surely(0.6, Sure{Confidence: 0.9, OnVotes: true}))
	if g := m.Provenance.Guarantee; g == nil || !g.Sure || g.Apart || g.Units != 4000 || m.Provenance.Rows != 4000 {
		t.Errorf("the record is %+v", g)
	}
}

// Too few rows are an error that tells how many it takes, or where the best is accepted a warning.
func TestFitUnsure(t *testing.T) {
	frame, c := dataset.Fraud(1000, 1), surely(0.8, Sure{Confidence: 0.95})
	_, err := Fit(context.Background(), frame, nil, c)
	var unsure *risk.UnsureError
	if !errors.As(err, &unsure) || unsure.Units != 500 || !strings.Contains(err.Error(), "by option OnVotes") {
		t.Fatalf("of 1,000 rows: %v", err)
	}
	c.AcceptBest = true
	m := mustFit(t, frame, nil, c)
	if g := m.Provenance.Guarantee; g == nil || g.Sure ||
		!slices.ContainsFunc(m.Warnings, func(w error) bool { return errors.Is(w, risk.ErrUnsure) }) {
		t.Errorf("the record is %+v, and warnings %v", g, m.Warnings)
	}
	_ = fileOf(t, m)
}

// Groups are kept apart whole, and case weights are borne in mind.
func TestFitSurelyGroups(t *testing.T) {
	frame := grouped(dataset.Fraud(3000, 1), 600)
	c := surely(0.3, Sure{Confidence: 0.8, Share: 0.5})
	c.Folds, c.AcceptBest, c.Forest.Trees = 2, true, 50
	m := mustFit(t, frame, nil, c)
	rest, kept := deal(3000, frame.Group, 0.5, 1)
	if g := m.Provenance.Guarantee; !g.Groups || g.Units != 300 || m.Provenance.Rows != len(rest) || len(kept) == 0 {
		t.Errorf("the record is %+v", g)
	}
	for _, i := range kept {
		if slices.ContainsFunc(rest, func(j int) bool { return frame.Group[i] == frame.Group[j] }) {
			t.Fatal("a group is parted")
		}
	}
	if got := heaviest(&dataset.Frame{Truth: []int{0, 0, 0}, Weight: []float64{1, 2, 2.5}, Group: []int{7, 7, 8}}); got != 3 {
		t.Errorf("the heaviest group weighs %v, want 3", got)
	}
}

// A cross-validation makes sure in each training part, and warns once of those that cannot.
func TestCrossValidateSurely(t *testing.T) {
	c := surely(0.6, Sure{Confidence: 0.9, Share: 0.4})
	r, err := CrossValidate(context.Background(), dataset.Fraud(3000, 1), nil, c, eval.Config{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := CrossValidate(context.Background(), dataset.Fraud(3000, 1), nil, surely(0.6, Sure{}), eval.Config{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if sure, merely := r.Rules.Tuned.Classes["fraud"].Recall, plain.Rules.Tuned.Classes["fraud"].Recall; !(*sure > *merely) {
		t.Errorf("recall is %v, and %v without", *sure, *merely)
	}
	c.Search.Floors[0].Limit = 0.97
	if r, err = CrossValidate(context.Background(), dataset.Fraud(600, 1), nil, c, eval.Config{Folds: 3}); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Warnings, func(w error) bool { return errors.Is(w, risk.ErrUnsure) }) {
		t.Errorf("warnings: %v", r.Warnings)
	}
}

// Weights for votes are made sure of on a half of the rows, for a model by other rows.
func TestTuneSurely(t *testing.T) {
	ctx, later := context.Background(), dataset.Fraud(5000, 3)
	m := mustFit(t, dataset.Fraud(2000, 1), nil, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1}})
	c := Config{Search: surely(0.7, Sure{}).Search, Sure: Sure{Confidence: 0.9}}
	other, err := m.Retune(ctx, later, nil, nil, c)
	if err != nil {
		t.Fatal(err)
	}
	if g := other.Provenance.Guarantee; g == nil || !g.Sure || !g.Apart || g.Units != 2500 {
		t.Errorf("the record is %+v", g)
	}
	votes, err := m.Votes(ctx, later)
	if err != nil {
		t.Fatal(err)
	}
	measure, err := m.Spec.Measure(m.Classes())
	if err != nil {
		t.Fatal(err)
	}
	c.Sure.Share = 0.3
	if _, _, err = c.TuneSurely(ctx, votes.Condense(), measure); !errors.Is(err, ErrConfig) {
		t.Errorf("of merged rows, a part of which is to be kept apart: %v", err)
	}
	c.Sure.Share = 0
	found, g, err := c.TuneSurely(ctx, votes.Condense(), measure)
	if err != nil || g.Apart || g.Units != 5000 {
		t.Errorf("on all votes: %+v, %v", g, err)
	}
	c.Weights = func(*vote.Table) vote.Weights { return found.Weights }
	if same, _, err := c.TuneSurely(ctx, votes.Condense(), measure); err != nil || !slices.Equal(same.Weights, found.Weights) {
		t.Errorf("given weights: %v, %v, want %v", same.Weights, err, found.Weights)
	}
}

// Twice as many rows of a class are kept apart as it takes if none is wrong, 59 of them for 95 % and a miss of 5 %
// (0.95^59 = 0.0485, 0.95^58 = 0.0510), from a fifth to a half of all, where the numbers of the classes do not bend the
// test.
func TestSureShare(t *testing.T) {
	floor := func(what pragma.Figure, limit float64) pragma.Floor {
		return pragma.Floor{Class: 1, What: what, Limit: limit}
	}
	frame := func(others, class int) *dataset.Frame {
		return &dataset.Frame{Classes: []string{"well", "ill"}, Truth: append(make([]int, others), slices.Repeat([]int{1}, class)...)}
	}
	weighed := frame(500, 268)
	weighed.Weight = slices.Repeat([]float64{1}, 768)
	for _, tc := range []struct {
		frame  *dataset.Frame
		floors []pragma.Floor
		share  float64 // that is asked for
		want   float64
	}{
		{frame(500, 268), []pragma.Floor{floor(pragma.RecallFloor, 0.95)}, 0, 118. / 268},
		{frame(500, 268), []pragma.Floor{floor(pragma.RecallFloor, 0.95)}, 0.3, 0.3},
		{frame(500, 2000), []pragma.Floor{floor(pragma.RecallFloor, 0.95)}, 0, 0.2},
		{frame(500, 100), []pragma.Floor{floor(pragma.RecallFloor, 0.95)}, 0, 0.5},
		{frame(500, 100), []pragma.Floor{floor(pragma.RecallFloor, 1)}, 0, 0.5},
		{frame(500, 268), []pragma.Floor{floor(pragma.FalseAlarms, 0.05)}, 0, 118. / 500},
		{frame(500, 268), []pragma.Floor{floor(pragma.RecallFloor, 0.95), floor(pragma.FalseAlarms, 0.05)}, 0, 118. / 268},
		{frame(500, 268), []pragma.Floor{floor(pragma.RecallFloor, 0.95), floor(pragma.Alerts, 0.05)}, 0, 0.2},
		{frame(500, 268), []pragma.Floor{floor(pragma.PrecisionFloor, 0.95)}, 0, 0.2},
		{weighed, []pragma.Floor{floor(pragma.RecallFloor, 0.95)}, 0, 0.2},
	} {
		c := Config{Sure: Sure{Confidence: 0.95, Share: tc.share}, Search: anneal.Search{Floors: tc.floors}}
		if got := c.sureShare(tc.frame); math.Abs(got-tc.want) > 1e-5 {
			t.Errorf("of %d rows %v: %v, want %v", tc.frame.Rows(), tc.floors, got, tc.want)
		}
	}
}

func TestSureSettings(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	weighed := *frame
	for i := range frame.Truth {
		weighed.Weight = append(weighed.Weight, 1+float64(i%2))
	}
	timed := *frame
	timed.Time = &dataset.Column{Field: dataset.Field{Name: "year"}, Values: make([]float64, frame.Rows())}
	costs := pragma.Costs{Matrix: [][]float64{{0, 1}, {5, 0}}}
	for _, tc := range []struct {
		frame  *dataset.Frame
		change func(*Config)
		want   string
	}{
		{frame, func(c *Config) { c.Sure = Sure{Share: 0.2} }, "option Sure is missing"},
		{frame, func(c *Config) { c.Sure.Confidence = 95 }, "option Sure is 95"},
		{frame, func(c *Config) { c.Sure.Share = 1 }, "option Share is 1"},
		{frame, func(c *Config) { c.Search.Floors = nil }, "needs something that is required"},
		{frame, func(c *Config) { c.ByCost, c.Costs, c.Search.Floors, c.Sure.MaxCost = true, costs, nil, 1 }, "by expected cost"},
		{frame, func(c *Config) { c.Sure.MaxCost = 1 }, "needs the costs of decisions"},
		{&weighed, func(c *Config) { c.Sure.OnVotes = true }, "rows of different case weights"},
		{&timed, func(*Config) {}, "rows that have a time"},
		{frame.Take([]int{0, 1}), func(c *Config) { c.Sure.Share = 0.2 }, "none are left to keep apart"},
	} {
		c := surely(0.5, Sure{Confidence: 0.9})
		c.Forest.Trees = 20
		tc.change(&c)
		if _, err := Fit(context.Background(), tc.frame, nil, c); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}
