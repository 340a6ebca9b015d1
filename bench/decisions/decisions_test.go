package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// A run deals every row to one test part, and says of it what the models that have not seen it say.
func TestRunAndCompare(t *testing.T) {
	folder := t.TempDir()
	frame := dataset.Wave(300, 2, 1)
	if err := os.Mkdir(filepath.Join(folder, "pima"), 0o755); err != nil {
		t.Fatal(err)
	}
	var csv bytes.Buffer
	if err := dataset.WriteCSV(&csv, frame, "class"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "pima", "pima.csv"), csv.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	r := runner{data: folder, seeds: 2, folds: 3, rows: 200, config: rfpragma.Config{Forest: forest.Config{Trees: 30}}}
	files := []string{filepath.Join(folder, "a.json"), filepath.Join(folder, "b.json")}
	for i, leaf := range []int{1, 5} {
		r.config.Forest.MinLeaf = leaf
		if err := r.run(context.Background(), []string{"pima"}, files[i]); err != nil {
			t.Fatal(err)
		}
	}
	outcomes, err := load(files[0])
	if err != nil || len(outcomes) != 2*len(set.Goals) {
		t.Fatalf("%d outcomes, error %v; want %d", len(outcomes), err, 2*len(set.Goals))
	}
	right := 0
	for i, truth := range outcomes[0].Truth {
		if outcomes[0].Plain[i] == truth {
			right++
		}
	}
	if len(outcomes[0].Truth) != 200 || right < 150 || right == 200 {
		t.Errorf("plain votes decide %d of %d rows rightly", right, len(outcomes[0].Truth))
	}
	var out bytes.Buffer
	if err := compareFiles(&out, files[0], files[1]); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "1 sets, 3 cases.") || !strings.Contains(out.String(), "| pima | moderate |") {
		t.Errorf("the comparison is\n%s", out.String())
	}
}

// By hand: two rows of four change, one for the better, and the log loss of every row falls by ln 2.
func TestPaired(t *testing.T) {
	a := outcome{Classes: []string{"a", "b"}, Truth: []int{0, 0, 0, 1}, Decided: []int{0, 0, 1, 0}, Plain: []int{0, 0, 0, 0}, Right: []float64{.4, .4, .4, .4}, Raw: []float64{.4, .4, .4, .4}}
	b := a
	b.Decided, b.Right = []int{0, 0, 1, 1}, []float64{.8, .8, .8, .8}
	for range 6 { // enough rows of either class for a preference
		a.Truth, b.Truth = append(a.Truth, a.Truth...), append(b.Truth, b.Truth...)
		for _, o := range []*outcome{&a, &b} {
			o.Decided, o.Plain = append(o.Decided, o.Decided...), append(o.Plain, o.Plain...)
			o.Right, o.Raw = append(o.Right, o.Right...), append(o.Raw, o.Raw...)
		}
	}
	p, ok, err := paired([]outcome{a}, []outcome{b}, set.Goals[2])
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	// f = 1 − r/2 − p/2 of each class: before a has r 2/3 and p 2/3, b has 0 and 0; after a has 2/3 and 1, b 1 and 1/2
	before, after := (1.0/3+1)/2, ((1-1.0/3-0.5)+0.25)/2
	if math.Abs(p.before-before) > 1e-12 || math.Abs(p.after-after) > 1e-12 {
		t.Errorf("PRAGMA %v and %v, want %v and %v", p.before, p.after, before, after)
	}
	if math.Abs(p.logBefore-p.logAfter-math.Ln2) > 1e-12 || p.logGain > 1e-9 || p.gain <= 0 {
		t.Errorf("log loss %v and %v, standard errors %v and %v", p.logBefore, p.logAfter, p.logGain, p.gain)
	}
}

func TestCompareRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.json")
	b, err := json.Marshal([]outcome{{Set: "pima", Goal: "priority", Classes: []string{"a", "b"}, Truth: []int{0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
	x, y := outcome{Set: "pima", Truth: []int{0, 1}}, outcome{Set: "pima", Truth: []int{1, 0}}
	if _, _, err := paired([]outcome{x}, []outcome{y}, set.Goals[0]); err == nil || !strings.Contains(err.Error(), "not of the same rows") {
		t.Errorf("other rows are compared: %v", err)
	}
	if err := compareFiles(&bytes.Buffer{}, file, file+"x"); err == nil {
		t.Error("a file that is not there is no error")
	}
}
