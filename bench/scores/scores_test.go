package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// By hand: with p = 0.3 the squared error at q is p(1−p) + (q−p)², and the log loss −p·ln q − (1−p)·ln(1−q). Of an
// exponential amount with a mean of 1 the pinball loss at q is τ(1 − q) + q − 1 + e^−q, the absolute error q − 1 +
// 2e^−q, the squared one (q−1)² + 1.
func TestLosses(t *testing.T) {
	shares, amounts := ofShares(), ofAmounts()
	for _, q := range []float64{0.05, 0.3, 0.49, 0.5, 0.8} {
		wrong := 0.3
		if q >= 0.5 {
			wrong = 0.7
		}
		for i, want := range []float64{-0.3*math.Log(q) - 0.7*math.Log(1-q), 0.21 + (q-0.3)*(q-0.3), 0.3 + 0.4*q, wrong} {
			if got := shares[i].of(q); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s at %g: %.9g, want %.9g", shares[i].name, q, got, want)
			}
		}
	}
	for _, q := range []float64{0, 0.2, 1, 2.5, 4} {
		for i, want := range []float64{0.9*(1-q) + q - 1 + math.Exp(-q), q - 1 + 2*math.Exp(-q), (q-1)*(q-1) + 1} {
			if got := amounts[i].of(q); math.Abs(got-want) > 3e-3 { // as near as 4,000 quantiles come
				t.Errorf("%s at %g: %.9g, want %.9g", amounts[i].name, q, got, want)
			}
		}
	}
	for i, want := range []float64{0.3, 0.3, 0, 0} {
		if got := shares[i].lowest(1); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is lowest at %g, want %g", shares[i].name, got, want)
		}
	}
	for i, want := range []float64{math.Ln10, math.Ln2, 1} {
		if got := amounts[i].lowest(5); math.Abs(got-want) > 2e-3 {
			t.Errorf("%s is lowest at %g, want %g", amounts[i].name, got, want)
		}
	}
}

// The page has what the command makes, figure and table.
func TestPage(t *testing.T) {
	drawn := filepath.Join(t.TempDir(), "scores.svg")
	page := filepath.Join(t.TempDir(), "scores.md")
	text, err := os.ReadFile("../../docs/scores.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-readme", page, "-svg", drawn}); err != nil {
		t.Fatal(err)
	}
	for made, kept := range map[string]string{drawn: "../../docs/figures/scores.svg", page: "../../docs/scores.md"} {
		got, err := os.ReadFile(made)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := os.ReadFile(kept); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the command makes; run it (%v)", kept, err)
		}
	}
}

func TestFlags(t *testing.T) {
	if err := run([]string{"x"}); err == nil || !strings.Contains(err.Error(), `no argument "x"`) {
		t.Errorf("an argument: %v", err)
	}
	if err := run([]string{"-svg", filepath.Join(t.TempDir(), "a.gif")}); err == nil || !strings.Contains(err.Error(), "svg or png") {
		t.Errorf("a.gif: %v", err)
	}
}
