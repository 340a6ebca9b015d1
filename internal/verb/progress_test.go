package verb

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/pragma"
)

// clocked returns a progress of so many columns, where it writes, and what sets its clock to a
// second after its start.
func clocked(what string, columns int) (*cli.Progress, *bytes.Buffer, func(second float64)) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	start := now
	g := (&cli.Program{Stderr: &out}).Progress(what)
	g.Last, g.Now = start, func() time.Time { return now }
	g.Width = func() int { return columns }
	return g, &out, func(second float64) { now = start.Add(time.Duration(second * float64(time.Second))) }
}

// What is said of a cross-validation beforehand: all its trees are counted, in the folds of the file too.
func TestForetellCrossValidation(t *testing.T) {
	frame := dataset.Wave(60, 3, 1)
	cfg := rfpragma.Config{Forest: forest.Config{Trees: 3, Workers: 1}, Votes: "cv"}
	p := &cli.Program{Stderr: new(strings.Builder)}
	g := growing(p, &cfg, frame, 4*cfg.Forests(frame))
	if _, err := rfpragma.CrossValidate(t.Context(), frame, pragma.Spec{"1": pragma.Priority()}, cfg, eval.Config{Folds: 2,
		Repeats: 2, Progress: g.Parts("fold")}); err != nil {
		t.Fatal(err)
	}
	if want := 4 * 6 * 3; g.Total != want || g.Count != want {
		t.Errorf("%d trees grown of %d, want %d", g.Count, g.Total, want)
	}
	if want := "Growing 72 trees (24 forests of 3) on 60 rows"; g.Job != want {
		t.Errorf("%q, want %q", g.Job, want)
	}
	if want := "fold 4 of 4"; g.Part != want {
		t.Errorf("%q, want %q", g.Part, want)
	}
}
