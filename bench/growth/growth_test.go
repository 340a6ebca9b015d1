package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestUpTo(t *testing.T) {
	for _, tc := range []struct {
		most int
		want []int
	}{
		{500, []int{500}},
		{3000, []int{1000, 3000}},
		{2_000_000, []int{1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000}},
	} {
		if got := upTo(tc.most); !slices.Equal(got, tc.want) {
			t.Errorf("upTo(%d) = %d, want %d", tc.most, got, tc.want)
		}
	}
}

func TestExponent(t *testing.T) {
	if got := exponent(10, 7, 1000, 700_000); math.Abs(got-2.5) > 1e-12 { // by hand: 10⁵ from 10²
		t.Errorf("exponent = %g, want 2.5", got)
	}
	square := func(p point) float64 { return 3 * float64(p.size) * float64(p.size) }
	if got := slope(points(1, 2, 5, 9, 70), square); math.Abs(got-2) > 1e-12 {
		t.Errorf("slope of a square = %g", got)
	}
}

func TestReport(t *testing.T) {
	c := curve{what: "rows", on: "made up", nLogN: true, points: points(1, 4, 16)}
	c.points[0].seconds = []float64{1, 9, 2}
	c.points[1].seconds = []float64{8, 30, 16}
	// By hand: medians 2 and 16. Exponents log 8 / log 4; n·log n 8 and 64, thus the same.
	text := report([]curve{c})
	for _, want := range []string{"**Rows** (made up)", "| 4 | 2 | – | – | 1.00 |", "| 16 | 16 | 1.50 | 1.50 | 1.00 |", "the exponent is 1.50; that of n·log n is 1.50."} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// A small measurement from flags to page.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	readme, svg := filepath.Join(folder, "README.md"), filepath.Join(folder, "a.svg")
	if err := os.WriteFile(readme, []byte("# A\n<!-- growth -->\n<!-- /growth -->\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-most", "300", "-trees", "1", "-runs", "1", "-readme", readme, "-svg", svg}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(readme)
	if err != nil || !strings.Contains(string(text), out.String()) || !strings.Contains(string(text), "]("+svg+")") {
		t.Errorf("the page is %q, %v", text, err)
	}
	drawing, err := os.ReadFile(svg)
	if err != nil || !bytes.Contains(drawing, []byte("</svg>")) || !bytes.Contains(drawing, []byte(">features</text>")) {
		t.Errorf("no drawing of all curves: %.300q, %v", drawing, err)
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, []string{"-most", "300"}, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("run: %v, want %v", err, context.Canceled)
	}
}

func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"wave"}, "growth takes flags only"},
		{[]string{"-runs", "0"}, "at least 1"},
	} {
		if err := run(t.Context(), tc.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("run %q: %v, want %q", tc.args, err, tc.want)
		}
	}
}

// Rows of the same arguments are the same, and of all classes.
func TestCloud(t *testing.T) {
	a, b := cloud(60, 20, 5), cloud(60, 20, 5)
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	x, z := make([]float64, 20), make([]float64, 20)
	for i := range 60 {
		a.Row(x, i)
		b.Row(z, i)
		if !slices.Equal(x, z) || a.Truth[i] != i%5 {
			t.Fatalf("row %d: %v and %v, class %d", i, x, z, a.Truth[i])
		}
	}
}
