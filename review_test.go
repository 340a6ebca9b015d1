package rfpragma

import (
	"bytes"
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
	"github.com/rfpragma/rfpragma/vote"
)

// reviewing are settings that leave some rows to people.
func reviewing(r Review) Config {
	return Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1}, Review: r}
}

func TestFitWithReview(t *testing.T) {
	m := mustFit(t, dataset.Fraud(4000, 1), fraudSpec(), reviewing(Review{Share: 0.05, Class: "fraud"}))
	r := m.Provenance.Review
	if r == nil || !(r.Margin > 1) || !(r.Reviewed > 0.02 && r.Reviewed <= 0.05) || r.Class != "" || r.Share != 0.05 {
		t.Fatalf("the record is %+v", r)
	}
	fresh := dataset.Fraud(8000, 2)
	votes, err := m.Votes(context.Background(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	measure, err := m.Measure()
	if err != nil {
		t.Fatal(err)
	}
	looked, helped := 0, vote.NewConfusion(votes.Classes)
	for i := range votes.Truth {
		v := votes.Votes(i)
		x, y := m.Weights[0]*float64(v[0]), m.Weights[1]*float64(v[1])
		if close := max(x, y) < r.Margin*min(x, y); close != m.Close(v) {
			t.Fatalf("votes %v are close: %v", v, !close)
		} else if close {
			looked++
			helped.Add(votes.Truth[i], votes.Truth[i], 1)
		} else {
			helped.Add(votes.Truth[i], m.Decide(v), 1)
		}
	}
	if share := float64(looked) / 8000; math.Abs(share-r.Reviewed) > 0.015 {
		t.Errorf("%v of new rows are looked at, and %v were expected", share, r.Reviewed)
	}
	if loss := measure.Loss(helped); loss > measure.Loss(votes.Confuse(m.Weights))-0.01 {
		t.Errorf("the loss is %v with a person", loss)
	}
	read, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil || *read.Provenance.Review.Loss != *r.Loss {
		t.Fatalf("read again: %v", err)
	}
	row := make([]float64, len(fresh.Columns))
	for i := range 200 {
		fresh.Row(row, i)
		if p, err := read.Predict(row); err != nil || p.Close != m.Close(votes.Votes(i)) {
			t.Fatalf("row %d: %+v, %v", i, p, err)
		}
	}
	if other, err := m.WithWeights(vote.Weights{1, 1}); err != nil || other.Provenance.Review != nil {
		t.Errorf("other weights have the same zone, or %v", err)
	}
	if rarer, err := m.ForPrevalence([]float64{0.01, 0.99}); err != nil || rarer.Provenance.Review == nil {
		t.Errorf("for another prevalence there is no zone, or %v", err)
	}
}

// Of three classes a class has only rows looked at that may be of it.
func TestReviewOfThree(t *testing.T) {
	m := mustFit(t, dataset.Wave(1500, 3, 1), nil, reviewing(Review{Share: 0.1, Class: "2"}))
	votes, err := m.Votes(context.Background(), dataset.Wave(1000, 3, 2))
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for i := range votes.Truth {
		v := votes.Votes(i)
		if m.Close(v) {
			looked++
			if first, second, _ := votes.Rule(m.Weights).TopTwo(v); first != 1 && second != 1 {
				t.Fatalf("votes %v are looked at", v)
			}
		}
	}
	if m.Provenance.Review.Class != "2" || looked < 40 || looked > 160 {
		t.Errorf("%d of 1000 rows are looked at", looked)
	}
}

// A cross-validation, and an evaluation, judge the rows that are decided.
func TestReviewIsNotJudged(t *testing.T) {
	ctx, frame := context.Background(), dataset.Fraud(3000, 1)
	r, err := CrossValidate(ctx, frame, fraudSpec(), reviewing(Review{Share: 0.1}), eval.Config{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if left := float64(r.Votes.Rows()) / 3000; left > 0.96 || left < 0.85 {
		t.Errorf("%v of the rows are judged", left)
	}
	m := mustFit(t, frame, fraudSpec(), reviewing(Review{Share: 0.1}))
	votes, err := m.Votes(ctx, dataset.Fraud(2000, 2))
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Evaluate(ctx, votes, anneal.Search{})
	if err != nil || e.Votes.Rows() > 1950 {
		t.Errorf("%d of 2000 rows are judged, %v", e.Votes.Rows(), err)
	}
	again, err := m.Retune(ctx, dataset.Fraud(2000, 3), nil, fraudSpec(), Config{Review: Review{Share: 0.02}})
	if err != nil || again.Provenance.Review == nil || again.Provenance.Review.Reviewed > 0.02 {
		t.Errorf("tuned again: %v", err)
	}
}

// Chow's rule: what is cheap to look at is looked at more. Costs of 1 to 10, and 0.05 or 0.5 to look.
func TestReviewCost(t *testing.T) {
	share := func(cost float64) float64 {
		c := reviewing(Review{Cost: cost})
		c.Costs = pragma.Costs{Matrix: [][]float64{{0, 10}, {1, 0}}}
		var err error
		if c.Measure, err = c.Costs.Measure(); err != nil {
			t.Fatal(err)
		}
		c.MeasureName = costMeasure
		return mustFit(t, dataset.Fraud(3000, 1), nil, c).Provenance.Review.Reviewed
	}
	cheap, dear := share(0.05), share(0.5)
	if !(cheap > dear && cheap < 1) {
		t.Errorf("%v of the rows are looked at for 0.05 each, %v for 0.5", cheap, dear)
	}
}

func TestReviewSettings(t *testing.T) {
	for _, tc := range []struct {
		r      Review
		change func(*Config)
		want   string
	}{
		{Review{Share: 2}, nil, "option Review of a share 2"},
		{Review{Cost: -1}, nil, "option Cost is -1"},
		{Review{Class: "fraud"}, nil, "how many rows may be looked at"},
		{Review{Share: 0.1, Class: "theft"}, nil, `names class "theft"`},
		{Review{Cost: 1}, nil, "give option Costs, too"},
		{Review{Share: 0.1}, func(c *Config) { c.Costs = stolen }, "costs by amount"},
		{Review{Share: 0.1}, func(c *Config) { c.Weights = func(*vote.Table) vote.Weights { return nil } }, "its own vote weights"},
		{Review{Share: 0.1}, func(c *Config) { c.Sure.Confidence = 0.9 }, "leave one out"},
	} {
		c := reviewing(tc.r)
		if tc.change != nil {
			tc.change(&c)
		}
		if _, err := Fit(context.Background(), dataset.Fraud(300, 1), nil, c); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
	c := reviewing(Review{Share: 0.01})
	c.Search.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 1}, {Class: 0, What: pragma.Alerts, Limit: 0.01}}
	if _, err := Fit(context.Background(), dataset.Fraud(1000, 1), nil, c); !errors.Is(err, anneal.ErrFloors) {
		t.Errorf("floors that cannot be reached: %v", err)
	}
	c.AcceptBest = true
	m := mustFit(t, dataset.Fraud(1000, 1), nil, c)
	if !slices.ContainsFunc(m.Warnings, func(w error) bool { return errors.Is(w, anneal.ErrFloors) }) {
		t.Errorf("warnings: %v", m.Warnings)
	}
}
