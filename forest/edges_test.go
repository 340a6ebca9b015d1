package forest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
)

// A level that the schema does not have goes the way of a missing cell; nothing panics.
func TestLevelsOutsideTheSchema(t *testing.T) {
	f, _ := mustGrow(t, learnable(400, 1), Config{Trees: 30, Seed: 1})
	missing, odd := make([]uint32, 2), make([]uint32, 2)
	f.Vote(missing, []float64{0.7, 0.5, math.NaN(), 0.2})
	for _, level := range []float64{99, -1, 4, math.MaxFloat64} {
		clear(odd)
		f.Vote(odd, []float64{0.7, 0.5, level, 0.2})
		if !slices.Equal(odd, missing) {
			t.Errorf("level %v: votes %v, a missing cell has %v", level, odd, missing)
		}
	}
}

// Between neighbouring numbers the threshold is the lower one, whichever way the middle rounds.
func TestThresholdBetweenNeighbours(t *testing.T) {
	x := 1.0
	for range 4 {
		next := math.Nextafter(x, 2)
		c := codedColumn{values: []float64{x, next}, most: 2}
		if th := c.threshold(1, 2); th != x {
			t.Errorf("between %b and %b: %b", x, next, th)
		}
		if c.lastLeft(x, 1, 2) != 1 {
			t.Errorf("code 2 goes left of %b", x)
		}
		x = next
	}
}

// A class without rows takes part in no bag and hinders none.
func TestBalancedBagWithAnAbsentClass(t *testing.T) {
	frame := learnable(200, 1)
	frame.Classes = []string{"common", "rare", "absent"}
	rare := 0
	for _, c := range frame.Truth {
		rare += c
	}
	cfg := Config{Bag: Balanced, Workers: 1}
	data, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	times := make([]uint32, 200)
	data.draw(times, cfg, 0)
	sum := 0
	for _, n := range times {
		sum += int(n)
	}
	if sum != 2*rare {
		t.Errorf("%d draws, want %d of each of two classes", sum, rare)
	}
}

// The weights of a leaf, whole or real, are what MinLeaf is about; and a common factor of all
// weights changes nothing.
func TestRealWeights(t *testing.T) {
	frame := learnable(300, 2)
	frame.Weight = make([]float64, 300)
	for i := range frame.Weight {
		frame.Weight[i] = 0.1 + float64(i%7)/3
	}
	cfg := Config{Trees: 5, Seed: 1}
	a, _ := mustGrow(t, frame, cfg)
	for i := range frame.Weight {
		frame.Weight[i] *= 8
	}
	b, _ := mustGrow(t, frame, cfg)
	if !bytes.Equal(encoded(t, a), encoded(t, b)) {
		t.Error("weights times 8 grow another forest")
	}
	frame.Weight[0], frame.Weight[1] = 1e-300, 1e300
	c, _ := mustGrow(t, frame, cfg)
	for i := range c.Trees {
		if err := c.Trees[i].check(c.Schema, 2); err != nil {
			t.Error(err)
		}
	}
}

func TestWeightsTooLarge(t *testing.T) {
	frame := learnable(50, 1)
	frame.Weight = slices.Repeat([]float64{1e308}, 50)
	_, _, err := Grow(context.Background(), frame, Config{Trees: 1})
	if !errors.Is(err, ErrTrain) || !strings.Contains(err.Error(), "sum to more than a number can hold") {
		t.Errorf("error %v", err)
	}
	_, _, err = Grow(context.Background(), frame, Config{Trees: 1, ClassWeight: []float64{10, 10}})
	if !errors.Is(err, ErrTrain) || !strings.Contains(err.Error(), "is too large for a number") {
		t.Errorf("error %v", err)
	}
}

// cancelledAfter returns a context that ends after so many looks at it.
type cancelledAfter struct {
	context.Context
	looks atomic.Int64
}

func (c *cancelledAfter) Err() error {
	if c.looks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func (c *cancelledAfter) Deadline() (time.Time, bool) { return time.Time{}, false }

// A tree ends at the next look at the context, wherever that is, and nothing half done is returned.
func TestCancelledAnywhere(t *testing.T) {
	frame := noisy(8000, 1) // many nodes, the first large enough to look between features
	cfg := Config{Mtry: 4, Seed: 1}.Resolved(4)
	data, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	g := newGrower(data, cfg)
	for looks := range int64(100) {
		ctx := &cancelledAfter{Context: context.Background()}
		ctx.looks.Store(looks)
		if tree, err := g.grow(ctx, 0, make([]uint32, 16000)); !errors.Is(err, context.Canceled) || tree.nodes != nil {
			t.Fatalf("after %d looks: %d nodes, error %v", looks, len(tree.nodes), err)
		}
		if ctx.looks.Load() < -3 {
			t.Fatalf("it looked on %d times after the end", -ctx.looks.Load())
		}
	}
	grown, _ := mustGrow(t, frame, Config{Trees: 2, Seed: 1})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if table, err := grown.Votes(ctx, frame, 1); !errors.Is(err, context.Canceled) || table != nil {
		t.Errorf("Votes: %v", err)
	}
	if _, _, err := Grow(ctx, frame, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("Grow: %v", err)
	}
}

// A categorical cut on a feature without levels is refused.
func TestDecodeRefusesCutsWithoutLevels(t *testing.T) {
	schema := dataset.Schema{{Name: "c", Kind: dataset.Categorical}}
	f := &Forest{Schema: schema, Classes: []string{"a", "b"}, Trees: []Tree{{nodes: []node{
		{left: 1, feature: categoricalMark}, {feature: leafMark}, {left: 1, feature: leafMark},
	}}}}
	if _, err := Decode(encoded(t, f), schema, f.Classes, nil); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v", err)
	}
}
