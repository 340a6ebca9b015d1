package rfpragma

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

// Groups: trees that leave a row out have seen its group, so the votes come from a
// cross-validation by groups, and out-of-bag votes only with a warning.
func TestGroupsAreNotLeaked(t *testing.T) {
	frame := dataset.Fraud(400, 1)
	frame.Group = make([]int, 400)
	for i := range frame.Group {
		frame.Group[i] = i / 8
	}
	cfg := Config{Forest: forest.Config{Trees: 200, Seed: 1}}
	if got := cfg.Source(frame); got != vote.CV || cfg.Forests(frame) != 6 {
		t.Errorf("votes from %q, %d forests", got, cfg.Forests(frame))
	}
	cfg.Votes = vote.OOB
	m := mustFit(t, frame, fraudSpec(), cfg)
	if len(m.Warnings) == 0 || !strings.Contains(m.Warnings[0].Error(), "have seen the others of its group") {
		t.Errorf("warnings %v", m.Warnings)
	}
	frame.Group = make([]int, 400) // a single group
	m = mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 5, Seed: 1}})
	if m.Provenance.Unvoted != 400 || m.Provenance.Loss != nil || m.Provenance.Calibration != "none" {
		t.Errorf("one group: %+v", m.Provenance)
	}
}

// Votes of the folds keep the case weights, and every fold has a forest of its own.
func TestCrossVotesByHand(t *testing.T) {
	frame := dataset.Wave(90, 2, 1)
	frame.Weight = make([]float64, 90)
	for i := range frame.Weight {
		frame.Weight[i] = float64(i % 3)
	}
	c := Config{Folds: 3, Forest: forest.Config{Trees: 7, Seed: 4}}
	_, table, _, err := c.HeldOut(context.Background(), frame)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(table.Weight, frame.Weight) {
		t.Error("the case weights are lost")
	}
	folds, err := dataset.Folds(frame, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{4: true}
	for fold := range 3 {
		seed := derived(4, fold)
		if seen[seed] {
			t.Errorf("fold %d has the seed of another forest", fold)
		}
		seen[seed] = true
		others, rows := dataset.SplitFold(folds, fold)
		grown, _, err := forest.Grow(context.Background(), frame.Take(others), forest.Config{Trees: 7, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		want, err := grown.Votes(context.Background(), frame.Take(rows), 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			if !slices.Equal(table.Votes(row), want.Votes(i)) {
				t.Fatalf("row %d has votes %v, want %v", row, table.Votes(row), want.Votes(i))
			}
		}
	}
}
