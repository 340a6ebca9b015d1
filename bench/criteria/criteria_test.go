package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
)

// A small study runs, reports every criterion, and finds Gini no different from itself.
func TestStudy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("x,y,class\n")
	for i := range 150 {
		class, more := "no", 0.0
		if i%5 == 0 {
			class, more = "yes", 1.5
		}
		fmt.Fprintf(&text, "%v,%v,%s\n", rng.NormFloat64()+more, rng.NormFloat64(), class)
	}
	path := filepath.Join(t.TempDir(), "small.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := study{seeds: 2, folds: 3, trees: 20, log: filepath.Join(t.TempDir(), "log.csv")}
	if err := s.set(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if len(s.records) != len(preferences)*len(criteria) {
		t.Fatalf("%d records", len(s.records))
	}
	for _, r := range s.records {
		for f, loss := range r.loss {
			same := r.more[f] == 0 && r.se[f] == 0
			if !(loss > 0 && loss < 1) || same != (r.criterion == criteria[0]) {
				t.Errorf("%s, %s, %s: %v, %+v ± %v", r.preference, r.criterion, names[f], loss, r.more[f], r.se[f])
			}
		}
		if !(r.time > 0 && r.nodes > 3) {
			t.Errorf("%s: %v times as long, %v nodes", r.criterion, r.time, r.nodes)
		}
	}
	if log, err := os.ReadFile(s.log); err != nil || strings.Count(string(log), "\nsmall,") != len(s.records)*figures {
		t.Errorf("the log: %v\n%s", err, log)
	}
	var out strings.Builder
	s.report(&out)
	for _, line := range []string{"**priority**", "**moderate**", "| hellinger |", "| small, 2 classes | 0."} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no %q in\n%s", line, out.String())
		}
	}
}

// What is judged, by hand: of five rows two are decided wrongly by Gini and one by the other; log losses differ by 0.1, 0.1, 0.1, 0.1 and 0.6, so by
// 0.2 ± √(0.04/5) in the mean.
func TestRecord(t *testing.T) {
	frame := &dataset.Frame{Classes: []string{"no", "yes"}, Truth: []int{0, 0, 0, 1, 1}, Columns: []dataset.Column{{Values: make([]float64, 5)}}}
	m := pragma.Accuracy
	gini := &trial{measure: m, decided: [2][]int{{0, 0, 1, 1, 0}, {0, 0, 0, 1, 1}}, logLoss: make([]float64, 5), seconds: []float64{1, 1}, nodes: []float64{5}}
	other := &trial{measure: m, decided: [2][]int{{0, 0, 0, 1, 0}, {0, 0, 0, 1, 1}}, logLoss: []float64{0.1, 0.1, 0.1, 0.1, 0.6}, seconds: []float64{2, 4}, nodes: []float64{7, 9}}
	var r record
	r.add(frame, other, gini, 1)
	for what, pair := range map[string][2]float64{
		"loss": {r.loss[0], 0.2}, "difference": {r.more[0], -0.2}, "tuned": {r.loss[1], 0}, "its error": {r.se[1], 0},
		"log loss": {r.loss[2], 0.2}, "its difference": {r.more[2], 0.2}, "and error": {r.se[2], math.Sqrt(0.04 / 5)}, "time": {r.time, 3}, "nodes": {r.nodes, 8},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if r.se[0] <= 0 {
		t.Error("a difference without a standard error")
	}
}
