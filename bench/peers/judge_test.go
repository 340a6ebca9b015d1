package main

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScore(t *testing.T) {
	// Class 1 is the rarest in training of those with test rows; class 3 has none of those.
	j, err := newJudge([]int{0, 0, 0, 2, 2, 1, 3}, []int{0, 1, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if j.rare != 1 || j.classes != 4 || j.rows != 7 {
		t.Fatalf("newJudge = %+v", j)
	}
	got := j.score([]float64{
		0.8, 0.1, 0.1, 0, // right
		0.5, 0.5, 0, 0, // a tie: the class with the smaller number, wrong
		0, 2, 0, 0, // right; shares need not sum to 1
		0, 0, 0, 1, // wrong, with no share at all
	})
	// By hand: 2 of 4; 1 of 2; (ln 1/0.8 + ln 2 + 0 + ln 1000) / 4.
	want := (0.22314355131420976 + 0.6931471805599453 + 6.907755278982137) / 4
	if got.Accuracy != 0.5 || got.Recall != 0.5 || math.Abs(float64(got.LogLoss)-want) > 1e-12 {
		t.Errorf("score = %+v, want 0.5, 0.5, %g", got, want)
	}
}

func TestScoreFile(t *testing.T) {
	j, err := newJudge([]int{0, 1}, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	var b []byte
	for _, share := range []float32{0.75, 0.25, 0.5, 0.5} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(share))
	}
	path := filepath.Join(t.TempDir(), "votes")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := j.scoreFile(path)
	if err != nil || got.Accuracy != 0.5 {
		t.Errorf("scoreFile = %+v, %v", got, err)
	}
	j.truth = j.truth[:1]
	if _, err := j.scoreFile(path); err == nil || !strings.Contains(err.Error(), "16 bytes, 1 rows of 2 classes make 8") {
		t.Errorf("scoreFile of other rows: %v", err)
	}
}

func TestLabelsRefused(t *testing.T) {
	for _, tc := range []struct {
		train, truth []int
		want         string
	}{
		{nil, []int{0}, "has no rows"},
		{[]int{0, 1}, []int{2}, "not among 0 to 1"},
		{[]int{0, -1}, []int{0}, "not among 0 to 0"},
	} {
		if _, err := newJudge(tc.train, tc.truth); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("newJudge(%v, %v): %v, want %q", tc.train, tc.truth, err, tc.want)
		}
	}
}
