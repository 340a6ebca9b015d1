package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// The total of the progress is the number of trees that are grown, also of those for the votes.
func TestGrowing(t *testing.T) {
	frame := dataset.Wave(60, 3, 1)
	for votes, want := range map[vote.Source]int{vote.OOB: 4, vote.CV: 4 * 6, vote.Train: 4} {
		cfg := rfpragma.Config{Forest: forest.Config{Trees: 4}, Votes: votes}
		p := &cli.Program{Stderr: new(strings.Builder)}
		g := growing(p, &cfg, frame, cfg.Forests(frame))
		if _, err := rfpragma.Fit(t.Context(), frame, pragma.Spec{"1": pragma.Priority()}, cfg); err != nil {
			t.Fatal(err)
		}
		if g.Total != want || g.Count != want {
			t.Errorf("votes %s: %d trees grown of %d, want %d", votes, g.Count, g.Total, want)
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
	job := &view.CVJob{Frame: frame, Fit: rfpragma.Config{Forest: forest.Config{Trees: 200}}, Eval: eval.Config{Folds: 2,
		Repeats: 1}}
	var err error
	if job.Blocks, err = frame.Blocks(2); err != nil {
		t.Fatal(err)
	}
	p := &cli.Program{Stderr: new(strings.Builder)}
	g := growing(p, &job.Fit, frame, forestsGrown(job))
	if _, err := rfpragma.CrossValidate(t.Context(), frame, pragma.Spec{"1": pragma.Priority()}, job.Fit,
		job.Eval); err != nil {
		t.Fatal(err)
	}
	if g.Total != 600 || g.Count != 600 {
		t.Errorf("%d trees grown of %d, want 600", g.Count, g.Total)
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
	for _, flags := range []string{"--folds 1", "--trees 0", "--mtry 99", "--measure auc", "--search sweeping",
		"--calibrate x", "--prefer nobody", "--inner-folds 1"} {
		got := invoke(t, nil, split("cv "+flags)...)
		if got.code != cli.ExitUsage && got.code != cli.ExitData || strings.Contains(got.stderr, "built-in example") ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("cv %s: exit %d\n%s", flags, got.code, got.stderr)
		}
	}
}
