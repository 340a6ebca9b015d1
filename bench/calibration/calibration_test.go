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
)

// A small study runs, reports every way, compares each with none, and judges the probabilities of another program.
func TestStudy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text, peer strings.Builder
	text.WriteString("x,y,class\n")
	for i := range 120 {
		class, x := "no", rng.NormFloat64()
		if i%4 == 0 {
			class, x = "yes", x+1.5
		}
		text.WriteString(strings.Join([]string{number(x), number(rng.NormFloat64()), class}, ",") + "\n")
		peer.WriteString("0.75,0.25\n")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "small.csv")
	for name, content := range map[string]string{path: text.String(), filepath.Join(folder, "small.0.shares.csv"): peer.String()} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := study{seeds: 1, folds: 3, votes: []set.Votes{{Trees: 20, CV: true}, {Trees: 30}}, peers: folder, log: filepath.Join(folder, "log.csv")}
	if err := s.set(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	ways := len(waysOf()) + 1
	var out strings.Builder
	s.report(&out)
	if got, want := strings.Count(out.String(), "\n"), 2+2*ways; got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, out.String())
	}
	if log, err := os.ReadFile(s.log); err != nil || strings.Count(string(log), "small,") != 2*ways {
		t.Errorf("the log: %v\n%s", err, log)
	}
	// The peer gives a class that a quarter of the rows is of a quarter: by hand.
	want := -0.75*math.Log(0.75) - 0.25*math.Log(0.25)
	for _, r := range s.records {
		switch {
		case r.way == "shares" && math.Abs(r.logLoss.loss-want) > 1e-12:
			t.Errorf("log loss of the peer %v, want %v", r.logLoss.loss, want)
		case r.way == raw && (r.logLoss.gain != 0 || r.logLoss.se != 0):
			t.Errorf("%s gains %+v on itself", raw, r.logLoss)
		}
	}
}

// What is exported has a number for each cell and a fold for each seed.
func TestExport(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "small.csv")
	if err := os.WriteFile(path, []byte("x,c,class\n0.5,b,yes\n,a,no\n2,,yes\n3,b,no\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := study{seeds: 2, folds: 2, export: filepath.Join(folder, "out")}
	if err := s.set(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(s.export, "small.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	for i, start := range []string{"x0,x1,class,fold0,fold1", "0.5,1,1,", ",0,0,", "2,,1,", "3,1,0,"} {
		if len(lines) != 5 || !strings.HasPrefix(lines[i], start) || strings.Count(lines[i], ",") != 4 {
			t.Fatalf("line %d does not start with %q:\n%s", i+1, start, b)
		}
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
