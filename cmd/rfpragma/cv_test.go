package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// The classes of the largest importance have priority, not all above the least.
func TestPriority(t *testing.T) {
	for _, tc := range []struct {
		theta []float64
		want  []bool
	}{
		{[]float64{10, 5, 1}, []bool{true, false, false}},
		{[]float64{1, 10, 10}, []bool{false, true, true}},
		{[]float64{3, 3}, nil},
	} {
		var prefs []pragma.Preference
		for _, theta := range tc.theta {
			prefs = append(prefs, pragma.Preference{Theta: theta})
		}
		if got := priority(prefs); !slices.Equal(got, tc.want) {
			t.Errorf("importances %v: priority %v, want %v", tc.theta, got, tc.want)
		}
	}
}

// The total of the progress is the number of trees that are grown, also of those for the votes.
func TestGrowing(t *testing.T) {
	frame := dataset.Wave(60, 3, 1)
	for votes, want := range map[vote.Source]int{vote.OOB: 4, vote.CV: 4 * 6, vote.Train: 4} {
		cfg := rfpragma.Config{Forest: forest.Config{Trees: 4}, Votes: votes}
		p := &program{stderr: new(strings.Builder)}
		g := p.growing(&cfg, frame)
		if _, err := rfpragma.Fit(t.Context(), frame, pragma.Spec{"1": pragma.Priority()}, cfg); err != nil {
			t.Fatal(err)
		}
		if g.total != want || g.count != want {
			t.Errorf("votes %s: %d trees grown of %d, want %d", votes, g.count, g.total, want)
		}
	}
}

// A fold votes with the threads that were asked for.
func TestFoldThreads(t *testing.T) {
	frame := dataset.Wave(60, 3, 1)
	job := &cvJob{frame: frame, spec: pragma.Spec{"1": pragma.Priority()}, fit: rfpragma.Config{Forest: forest.Config{Trees: 2, Workers: 3}}}
	classifier, _, err := job.learn(t.Context(), frame, 1)
	if err != nil {
		t.Fatal(err)
	}
	model, ok := classifier.(fitted)
	if !ok || model.workers != 3 {
		t.Fatalf("%T, want a model that votes with 3 workers", classifier)
	}
	got, err := model.Votes(t.Context(), frame)
	if err != nil {
		t.Fatal(err)
	}
	want, err := model.Model.Votes(t.Context(), frame)
	if err != nil || !slices.Equal(got.Counts, want.Counts) {
		t.Errorf("the votes differ from those of the model: %v", err)
	}
}

// Only rows of a single class leave a fold unjudged; other faults of the rows are told.
func TestLearnFails(t *testing.T) {
	job := &cvJob{spec: pragma.Spec{"1": pragma.Priority()}, fit: rfpragma.Config{Forest: forest.Config{Trees: 2}}}
	frame := dataset.Wave(60, 3, 1)
	frame.Truth[7] = -1
	if _, _, err := job.learn(t.Context(), frame, 1); !errors.Is(err, forest.ErrTrain) || !strings.Contains(err.Error(), "row 7 has no class") {
		t.Errorf("a row without a class: error %v", err)
	}
	frame = dataset.Wave(60, 3, 1)
	frame.Weight = make([]float64, 60)
	if _, _, err := job.learn(t.Context(), frame, 1); !errors.Is(err, forest.ErrTrain) {
		t.Errorf("rows without weight: error %v", err)
	}
	for i, c := range frame.Truth {
		if c == 2 {
			frame.Weight[i] = 1
		}
	}
	classifier, notes, err := job.learn(t.Context(), frame, 1)
	if _, silent := classifier.(mute); err != nil || !silent || len(notes) != 1 || !strings.Contains(notes[0].Error(), "are of a single class") {
		t.Errorf("a single class that counts: %T, %v, %v", classifier, notes, err)
	}
}

// A fold on which nothing could be trained has no say in what the weights are.
func TestMuteFold(t *testing.T) {
	text := "x,class\n0,ill\n"
	for range 19 {
		text += "1,well\n"
	}
	inFolder(t, map[string]string{"in.csv": text})
	r := cvReport(t, "cv in.csv --trees 2 --folds 5 --prefer ill --votes train")
	if len(r.WeightsByFold) != 4 || *r.Unvoted != 4 {
		t.Errorf("weights of %d folds, want 4 of 5; %v rows unvoted, want 4", len(r.WeightsByFold), *r.Unvoted)
	}
}

// Nothing is told of the built-in example before it is clear that it can be judged.
func TestTalkComesLast(t *testing.T) {
	for _, flags := range []string{"--folds 1", "--trees 0", "--mtry 99", "--measure auc", "--search sweeping", "--calibrate x", "--prefer nobody", "--inner-folds 1"} {
		got := invoke(t, nil, split("cv "+flags)...)
		if got.code != exitUsage && got.code != exitData || strings.Contains(got.stderr, "built-in example") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("cv %s: exit %d\n%s", flags, got.code, got.stderr)
		}
	}
}
