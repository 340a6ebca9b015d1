package forest

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/digest"
)

// classRows counts the rows of each class.
func classRows(frame *dataset.Frame) []int {
	rows := make([]int, len(frame.Classes))
	for _, c := range frame.Truth {
		rows[c]++
	}
	return rows
}

// scanned grows trees from rows that come in blocks of up to so many.
func scanned(t *testing.T, frame *dataset.Frame, cfg Config, from, to, block int) *Forest {
	t.Helper()
	s, err := NewSample(frame.Schema(), frame.Classes, classRows(frame), cfg, from, to)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < frame.Rows(); at += block {
		if err := s.Add(frame.Take(upTo(frame.Rows())[at:min(at+block, frame.Rows())])); err != nil {
			t.Fatal(err)
		}
	}
	if s.Digest() != digest.Of(frame, nil) {
		t.Error("the digest of the rows that have come differs from that of the frame")
	}
	f, err := s.Grow(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Trees grown from rows that come by are those grown on all rows at once, byte for byte: whatever the blocks,
// and however the trees are dealt out.
func TestScanEqualsWhole(t *testing.T) {
	inShards(t, rounds(1500), func(t *testing.T, seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 30))
		frame := randomFrame(rng)
		cfg := randomConfig(rng, frame)
		if frame.Weight = nil; !exactWeights(frame, cfg) {
			cfg.ClassWeight = nil
		}
		cfg.Bag, cfg.NoReplacement, cfg.Fraction = Hash(1+rng.IntN(2*frame.Rows())), false, 0
		cfg.Trees = 2 + rng.IntN(6)
		whole, _ := mustGrow(t, frame, cfg)
		mid := 1 + rng.IntN(cfg.Trees-1)
		merged, err := Merge(scanned(t, frame, cfg, mid, cfg.Trees, 1+rng.IntN(20)), scanned(t, frame, cfg, 0, mid, 1+
			rng.IntN(200)))
		if err != nil {
			t.Error(err)
			return false
		}
		return sameBytes(t, merged, whole)
	})
}

// Class weights that are no multiples of each other are scaled alike.
func TestScanWithRealWeights(t *testing.T) {
	frame := learnable(500, 3)
	cfg := Config{Trees: 4, Bag: Hash(100), Seed: 7, ClassWeight: []float64{1, 3.3}}
	whole, _ := mustGrow(t, frame, cfg)
	if !bytes.Equal(encoded(t, scanned(t, frame, cfg, 0, 4, 77)), encoded(t, whole)) {
		t.Error("other trees")
	}
}

func TestScanRefuses(t *testing.T) {
	frame := learnable(50, 3)
	cfg := Config{Trees: 4, Bag: Hash(10), Seed: 7}
	for _, tc := range []struct {
		rows []int
		cfg  Config
		want error
		text string
	}{
		{[]int{25, 25}, Config{}, ErrConfig, "the trees of a bootstrap bag need all rows; use hash:m"},
		{[]int{50, 0}, cfg, ErrTrain, "50 rows, of 1 of 2 classes"},
		{[]int{25, 25}, Config{Bag: Hash(10), Mtry: 99}, ErrConfig, "mtry 99"},
	} {
		if _, err := NewSample(frame.Schema(), frame.Classes, tc.rows, tc.cfg, 0, 2); !errors.Is(err, tc.want) ||
			!strings.Contains(err.Error(), tc.text) {
			t.Errorf("error %v, want %q", err, tc.text)
		}
	}
	s, err := NewSample(frame.Schema(), frame.Classes, classRows(frame), cfg, 0, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		change func(*dataset.Frame)
		text   string
	}{
		{func(f *dataset.Frame) { f.Truth[0] = -1 }, "row 0 has no class; leave such rows out"},
		{func(f *dataset.Frame) { f.Weight = make([]float64, 50) }, "with case weights: true"},
		{func(f *dataset.Frame) { f.Columns = f.Columns[1:] }, "a block of 3 features"},
	} {
		block := frame.Take(upTo(50))
		tc.change(block)
		if err := s.Add(block); !errors.Is(err, ErrTrain) || !strings.Contains(err.Error(), tc.text) {
			t.Errorf("error %v, want %q", err, tc.text)
		}
	}
	if _, err := s.Grow(context.Background()); !errors.Is(err, ErrTrain) || !strings.Contains(err.Error(),
		"has the data changed meanwhile?") {
		t.Errorf("no rows have come: error %v", err)
	}
}
