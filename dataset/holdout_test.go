package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestHoldOutIsStratified(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 500 {
		f, share := randomFrame(r), 0.05+0.9*r.Float64()
		out, err := HoldOut(f, share, uint64(trial))
		if n := math.Round(float64(f.Rows()) * share); n == 0 || int(n) == f.Rows() {
			if err == nil {
				t.Fatalf("trial %d: one side of %d rows has none, and there is no error", trial, f.Rows())
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows, apart := make([]float64, len(f.Classes)+1), make([]float64, len(f.Classes)+1)
		all := 0.0
		for i := range out {
			rows[f.stratum(i)]++
			if out[i] {
				apart[f.stratum(i)]++
				all++
			}
		}
		for c := range rows {
			if math.Abs(apart[c]-share*rows[c]) > 1 {
				t.Fatalf("trial %d: of %v rows of class %d %v are kept apart, share %v", trial, rows[c], c, apart[c], share)
			}
		}
		if math.Abs(all-share*float64(f.Rows())) > 0.5+1e-9 {
			t.Fatalf("trial %d: of %d rows %v are kept apart, share %v", trial, f.Rows(), all, share)
		}
	}
}

func TestHoldOutKeepsGroupsTogether(t *testing.T) {
	f := &Frame{Classes: []string{"a", "b"}}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		f.Truth = append(f.Truth, r.IntN(10)/9)
		f.Group = append(f.Group, r.IntN(200))
	}
	out, err := HoldOut(f, 0.25, 3)
	if err != nil {
		t.Fatal(err)
	}
	side, rows, apart := map[int]bool{}, [2]float64{}, [2]float64{}
	for i, g := range f.Group {
		if was, seen := side[g]; seen && was != out[i] {
			t.Fatalf("group %d is on both sides", g)
		}
		side[g] = out[i]
		rows[f.Truth[i]]++
		if out[i] {
			apart[f.Truth[i]]++
		}
	}
	for c := range rows {
		if part := apart[c] / rows[c]; math.Abs(part-0.25) > 0.02 {
			t.Errorf("of class %d a part of %v is kept apart, want about 0.25", c, part)
		}
	}
}

func TestHoldOutTakesTheLatestRows(t *testing.T) {
	f := &Frame{Classes: []string{"a"}, Truth: make([]int, 8), Time: &Column{Field: Field{Name: "day"},
		Values: []float64{3, 1, 2, 4, 4, 1, 2, 3}}}
	out, err := HoldOut(f, 0.3, 0) // 2.4 rows: the two of day 4 are nearer than the four from day 3 on
	if err != nil {
		t.Fatal(err)
	}
	if want := []bool{false, false, false, true, true, false, false, false}; !slices.Equal(out, want) {
		t.Errorf("kept apart are %v, want %v", out, want)
	}
}

func TestHoldOutRefuses(t *testing.T) {
	for _, tc := range []struct {
		f     *Frame
		share float64
		want  string
	}{
		{&Frame{Classes: []string{"a"}, Truth: make([]int, 9)}, 1, "not between 0 and 1"},
		{&Frame{Classes: []string{"a"}, Truth: make([]int, 9)}, math.NaN(), "not between 0 and 1"},
		{&Frame{Classes: []string{"a"}, Truth: make([]int, 9)}, 0.01, "leaves one side without rows"},
		{&Frame{Classes: []string{"a"}, Truth: make([]int, 3), Group: []int{1, 1, 1}}, 0.3, "leaves one side without rows"},
		{&Frame{Classes: []string{"a"}, Truth: make([]int, 2), Time: &Column{Field: Field{Name: "day"},
			Values: []float64{3, 3}}}, 0.5, "all are of one time"},
	} {
		if _, err := HoldOut(tc.f, tc.share, 0); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("the error is %v, want one that says %q", err, tc.want)
		}
	}
}
