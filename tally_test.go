package rfpragma

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

func tallyBytes(t *testing.T, tally *Tally) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := tally.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// talliedApart counts the votes of n parts of the rows, having stored each, and merges them in steps.
func talliedApart(t *testing.T, rng *rand.Rand, p *Part, frame *dataset.Frame, n int) *Tally {
	t.Helper()
	var tallies []*Tally
	for _, i := range rng.Perm(n) {
		tally, err := p.Tally(context.Background(), blocks(frame, 1+rng.IntN(200)), i, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		if frame.Amount != nil {
			tally.Amount = "sum"
		}
		back, err := ReadTally(bytes.NewReader(tallyBytes(t, tally)), "")
		if err != nil {
			t.Fatal(err)
		}
		tallies = append(tallies, back)
	}
	if n > 2 {
		some, err := MergeTallies(tallies[1:]...)
		if err != nil {
			t.Fatal(err)
		}
		tallies = []*Tally{some, tallies[0]}
	}
	sum, err := MergeTallies(tallies...)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// Rows without a class have no number when votes are counted: they were left out of training.
func TestTallyPassesOverUnlabelledRows(t *testing.T) {
	frame := dataset.Fraud(200, 1)
	p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 5}, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	want := tallyBytes(t, talliedApart(t, rng, p, frame, 3))
	rows := make([]int, 200)
	for i := range rows {
		rows[i] = i
	}
	more := frame.Take(slices.Insert(rows, 50, 7, 8))
	more.Truth[50], more.Truth[51] = -1, -1
	if got := tallyBytes(t, talliedApart(t, rng, p, more, 3)); !bytes.Equal(got, want) {
		t.Error("two rows without a class in between: other votes")
	}
}

// The votes of all rows have one form, and no other is read.
func TestWholeTallyHasOneForm(t *testing.T) {
	frame := dataset.Fraud(200, 1)
	p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 5}, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	tally, err := p.Tally(context.Background(), blocks(frame, 50), 0, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	tally.Of, tally.Parts = 2, []int{0, 1}
	if _, err := ReadTally(bytes.NewReader(tallyBytes(t, tally)), ""); !errors.Is(err, ErrFormat) {
		t.Errorf("a file of 2 parts of 2: %v", err)
	}
}

// Where a format has weights beside the cells the first rows may have none: they weigh 1.
func TestTallyOfLateWeights(t *testing.T) {
	frame := dataset.Fraud(200, 1)
	frame.Weight = slices.Repeat([]float64{1}, 200)
	for i := 100; i < 200; i++ {
		frame.Weight[i] = float64(i % 3)
	}
	p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 5}, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	late := func(do func(*dataset.Frame) error) error {
		at := 0
		return blocks(frame, 50)(func(f *dataset.Frame) error {
			if at += 50; at <= 100 {
				f.Weight = nil
			}
			return do(f)
		})
	}
	a, err := p.Tally(context.Background(), blocks(frame, 50), 1, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.Tally(context.Background(), late, 1, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(tallyBytes(t, a), tallyBytes(t, b)) {
		t.Error("other votes where the first rows come without weights")
	}
}

// Blocks that are not of the forest are refused, whichever of them it is.
func TestTallyRefusesOtherRows(t *testing.T) {
	frame := dataset.Fraud(120, 1)
	p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 2}, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	bare, fewer, classes, broken := *frame, *frame, *frame, *frame
	bare.Truth, bare.Classes = nil, nil
	fewer.Columns = frame.Columns[1:]
	classes.Classes = []string{"a", "b"}
	broken.Truth = slices.Repeat([]int{9}, 120)
	for _, tc := range []struct {
		block *dataset.Frame
		want  string
	}{
		{&bare, `parts: rows of the classes [] come, and ["fraud" "ok"] are expected, with a label for each row; read them with these classes and their column`},
		{&classes, `parts: rows of the classes ["a" "b"] come, and ["fraud" "ok"] are expected, with a label for each row; read them with these classes and their column`},
		{&fewer, "parts: " + dataset.ErrShape.Error() + ": the frame lacks 1 column of the schema: " +
			strconv.Quote(frame.Columns[0].Name) + "; add what is missing"},
		{&broken, "parts: " + dataset.ErrValue.Error() + ": row 0 has class index 9 of 2 classes; use -1 for unknown"},
	} {
		rows := func(do func(*dataset.Frame) error) error {
			if err := do(frame); err != nil {
				return err
			}
			return do(tc.block)
		}
		_, err := p.Tally(context.Background(), rows, 0, 1, 1)
		if !errors.Is(err, ErrPart) || err.Error() != tc.want {
			t.Errorf("error %v, want %s", err, tc.want)
		}
		outline := &dataset.Outline{Schema: frame.Schema(), Classes: frame.Classes, Rows: []int{10, 230}}
		if _, err := GrowScan(context.Background(), outline, rows, forest.Config{Trees: 2, Bag: forest.Hash(20)}, 0,
			2); !errors.Is(err, ErrPart) || err.Error() != tc.want {
			t.Errorf("scan: error %v, want %s", err, tc.want)
		}
	}
}

// A context that ends stops the reading, and is the one error.
func TestTallyEndsWithItsContext(t *testing.T) {
	frame := dataset.Fraud(120, 1)
	p, err := GrowPart(context.Background(), frame, forest.Config{Trees: 2}, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	read := 0
	_, err = p.Tally(ctx, func(do func(*dataset.Frame) error) error {
		return blocks(frame, 10)(func(f *dataset.Frame) error {
			if read++; read == 3 {
				cancel()
			}
			return do(f)
		})
	}, 0, 1, 1)
	if err != context.Canceled || read != 3 {
		t.Errorf("error %v after %d blocks, want the context's after 3", err, read)
	}
}

// A file may name a forest that its votes are not of: they are not added up.
func TestTalliesOfOtherClasses(t *testing.T) {
	var tallies []*Tally
	for _, frame := range []*dataset.Frame{dataset.Wave(90, 2, 1), dataset.Wave(90, 3, 1)} {
		p, err := GrowPart(t.Context(), frame, forest.Config{Trees: 2}, 0, 2)
		if err != nil {
			t.Fatal(err)
		}
		tally, err := p.Tally(t.Context(), blocks(frame, 50), len(tallies), 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		tally.Forest = strings.Repeat("0", 64)
		if tally, err = ReadTally(bytes.NewReader(tallyBytes(t, tally)), "votes"); err != nil {
			t.Fatal(err)
		}
		tallies = append(tallies, tally)
	}
	if _, err := MergeTallies(tallies...); !errors.Is(err, ErrPart) {
		t.Errorf("votes for two classes and for three: %v", err)
	}
}
