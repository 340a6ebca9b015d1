package main

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
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
	shares := []float64{
		0.8, 0.1, 0.1, 0, // right
		0.5, 0.5, 0, 0, // a tie: the class with the smaller number, wrong
		0, 2, 0, 0, // right; shares need not sum to 1
		0, 0, 0, 1, // wrong, with no share at all
	}
	decisions := j.largest(shares)
	if want := []int{0, 0, 1, 3}; !slices.Equal(decisions, want) {
		t.Errorf("largest = %v, want %v", decisions, want)
	}
	got := j.score(shares, decisions)
	// By hand: 2 of 4; 1 of 2; 1 of 1; (ln 1/0.8 + ln 2 + 0 + ln 1000) / 4. PRAGMA: class 1, of θ 10, lacks
	// half of the recall, 0.9 of the loss; class 0, of θ 1, half of the precision, 0.5; class 2 all.
	checkScore(t, got, score{0.5, 0.5, 1, number((10*0.9*0.5 + 0.5*0.5 + 1) / 12), number((0.22314355131420976 + 0.6931471805599453 + 6.907755278982137) / 4)})

	// The same shares and another rule: of class 1 all is found, with one false alarm.
	got = j.score(shares, []int{0, 1, 1, 1})
	checkScore(t, got, score{0.75, 1, number(2. / 3), number((10*0.1/3 + 0 + 1) / 12), got.LogLoss})
	// No tree has a vote for a row: no share, and no fault.
	if got := j.score(make([]float64, 16), decisions); math.Abs(float64(got.LogLoss)-6.907755278982137) > 1e-12 {
		t.Errorf("log loss without a vote = %v, want ln 1000", got.LogLoss)
	}
}

func checkScore(t *testing.T, got, want score) {
	t.Helper()
	for name, pair := range map[string][2]number{
		"accuracy": {got.Accuracy, want.Accuracy}, "recall": {got.Recall, want.Recall}, "precision": {got.Precision, want.Precision},
		"PRAGMA": {got.Pragma, want.Pragma}, "log loss": {got.LogLoss, want.LogLoss},
	} {
		if !(math.Abs(float64(pair[0]-pair[1])) < 1e-12) {
			t.Errorf("%s = %v, want %v", name, pair[0], pair[1])
		}
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
	// Decisions of their own: both rows as class 1.
	write := func(decisions ...int32) {
		t.Helper()
		if err := writeWords(path+decided, decisions); err != nil {
			t.Fatal(err)
		}
	}
	write(1, 1)
	if got, err := j.scoreFile(path); err != nil || got.Accuracy != 0.5 || got.Recall != 0 {
		t.Errorf("scoreFile with decisions = %+v, %v; class 0 is the rarest, the first of equals", got, err)
	}
	for _, tc := range []struct {
		decisions []int32
		want      string
	}{
		{[]int32{1}, "the file of decisions has 4 bytes instead of 8"},
		{[]int32{1, 2}, "a decision is not among 0 to 1"},
	} {
		write(tc.decisions...)
		if _, err := j.scoreFile(path); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("scoreFile of decisions %v: %v, want %q", tc.decisions, err, tc.want)
		}
	}
	j.truth = j.truth[:1]
	if _, err := j.scoreFile(path); err == nil || !strings.Contains(err.Error(), "the file of votes has 16 bytes instead of 8: 1 rows of 2 classes") {
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
