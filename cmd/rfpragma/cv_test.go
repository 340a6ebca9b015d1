package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// The total of the progress is the number of trees that are grown, also of those for the votes.
func TestGrowing(t *testing.T) {
	frame := dataset.Wave(60, 3, 1)
	for votes, want := range map[vote.Source]int{vote.OOB: 4, vote.CV: 4 * 6, vote.Train: 4} {
		cfg := rfpragma.Config{Forest: forest.Config{Trees: 4}, Votes: votes}
		p := &program{stderr: new(strings.Builder)}
		g := p.growing(&cfg, frame, cfg.Forests(frame))
		if _, err := rfpragma.Fit(t.Context(), frame, pragma.Spec{"1": pragma.Priority()}, cfg); err != nil {
			t.Fatal(err)
		}
		if g.total != want || g.count != want {
			t.Errorf("votes %s: %d trees grown of %d, want %d", votes, g.count, g.total, want)
		}
	}
}

// In the order of time each training has as many blocks within as its rows have times: the first, of one, has none.
func TestGrowingInTime(t *testing.T) {
	frame := dataset.Wave(90, 2, 1)
	frame.Time = &dataset.Column{Field: dataset.Field{Name: "year"}}
	for i := range frame.Rows() {
		frame.Time.Values = append(frame.Time.Values, float64(i/30))
	}
	job := &cvJob{frame: frame, fit: rfpragma.Config{Forest: forest.Config{Trees: 200}}, eval: eval.Config{Folds: 2, Repeats: 1}}
	var err error
	if job.blocks, err = frame.Blocks(2); err != nil {
		t.Fatal(err)
	}
	p := &program{stderr: new(strings.Builder)}
	g := p.growing(&job.fit, frame, job.forests())
	if _, err := rfpragma.CrossValidate(t.Context(), frame, pragma.Spec{"1": pragma.Priority()}, job.fit, job.eval); err != nil {
		t.Fatal(err)
	}
	if g.total != 600 || g.count != 600 {
		t.Errorf("%d trees grown of %d, want 600", g.count, g.total)
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
