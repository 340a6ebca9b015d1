package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// votes returns a table in which the votes for the rare class of its rows are so many more of 20.
func votes(seed uint64, n, more int) *vote.Table {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := &vote.Table{Classes: []string{"no", "yes"}, Share: []float64{0.8, 0.2}, Source: vote.CV, Trees: 20}
	for i := range n {
		truth := 0
		if i%5 == 0 {
			truth = 1
		}
		v := uint32(rng.IntN(8) + more*truth)
		t.Truth = append(t.Truth, truth)
		t.Counts = append(t.Counts, 20-v, v)
	}
	return t
}

// Every way chooses sound weights, and those that look at the votes find that 8 of 20 are enough.
func TestWays(t *testing.T) {
	m, err := pragma.Spec{"yes": pragma.Priority()}.Measure([]string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	table := votes(1, 400, 4)
	plain := m.Loss(table.Confuse(nil))
	for _, w := range ways {
		j := &job{ctx: t.Context(), table: table, measure: m, seed: 3}
		got := w.choose(j)
		if j.err != nil || got.Check(2) != nil {
			t.Errorf("%s: %v, %v", w.name, got, j.err)
		}
		if loss := m.Loss(table.Confuse(got)); w.name != "plain" && w.name != "kappa" && loss >= 0.8*plain {
			t.Errorf("%s: weights %v lose %.3f, the plain vote %.3f", w.name, got, loss, plain)
		}
	}
}

// The standard error of a difference is that of fresh tables of the same kind, and 0 of equal decisions.
func TestStandardError(t *testing.T) {
	a := vote.NewRule(vote.Weights{1, 1}, []int{0, 1})
	b := vote.NewRule(vote.Weights{1, 2}, []int{0, 1})
	decide := func(table *vote.Table, r vote.Rule) (d []int) {
		for i := range table.Rows() {
			d = append(d, r.Decide(table.Votes(i)))
		}
		return d
	}
	sum, squares, estimate := 0.0, 0.0, 0.0
	const tables = 200
	for seed := range uint64(tables) {
		table := votes(seed, 300, 3)
		x, y := decide(table, a), decide(table, b)
		d := lossOf(table, x, pragma.Balanced) - lossOf(table, y, pragma.Balanced)
		sum, squares = sum+d, squares+d*d
		estimate += standardError(table, x, y, pragma.Balanced, seed) / tables
		if standardError(table, x, x, pragma.Balanced, seed) != 0 {
			t.Fatal("equal decisions differ")
		}
	}
	mean := sum / tables
	if spread := math.Sqrt(squares/tables - mean*mean); math.Abs(estimate/spread-1) > 0.2 {
		t.Errorf("standard error %.4f, fresh tables spread by %.4f", estimate, spread)
	}
}

// A small study runs, and reports every way.
func TestStudy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("x,y,class\n")
	for i := range 150 {
		class := "no"
		if i%5 == 0 {
			class = "yes"
		}
		x := rng.NormFloat64()
		if class == "yes" {
			x += 1.5
		}
		text.WriteString(strings.Join([]string{number(x), number(rng.NormFloat64()), class}, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "small.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := study{seeds: 1, folds: 3, preferences: preferences, votes: []set.Votes{{Trees: 20, CV: true}, {Trees: 30}}, log: filepath.Join(t.TempDir(), "log.csv")}
	if err := s.set(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s.report(&out)
	if got, want := strings.Count(out.String(), "\n"), 2+2*3*len(ways); got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, out.String())
	}
	log, err := os.ReadFile(s.log)
	if err != nil || strings.Count(string(log), "small,") != 2*3*len(ways) {
		t.Errorf("the log: %v\n%s", err, log)
	}
	if !strings.Contains(out.String(), "| cv20 | priority | plain | 1 |") {
		t.Errorf("the plain vote is not reported:\n%s", out.String())
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
