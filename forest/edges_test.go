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
	"github.com/rfpragma/rfpragma/vote"

	"github.com/rfpragma/rfpragma/internal/parallel"
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
		c := codedColumn{values: dataset.NumbersOf([]float64{x, next}), most: 2}
		if th := c.threshold(1); th != x {
			t.Errorf("between %b and %b: %b", x, next, th)
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
	cfg := Config{Bag: Balanced, Workers: 1}.Resolved(4)
	data, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	times := make([]uint8, 200)
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
	if _, err := decode(encoded(t, c), c.Schema, c.Classes, c.Share, c.Ties); err != nil {
		t.Error(err)
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
	g := newGrower(newGrowth(data, cfg, 0, 1))
	for looks := range int64(100) {
		ctx := &cancelledAfter{Context: context.Background()}
		ctx.looks.Store(looks)
		if tree, err := g.grow(ctx, 0); !errors.Is(err, context.Canceled) || tree.nodes != nil {
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

// What is said of a bag is checked wherever a bag is asked for.
func TestBagErrors(t *testing.T) {
	frame := learnable(50, 1)
	for _, tc := range []struct {
		cfg  Config
		text string
	}{
		{Config{Fraction: -0.1}, "a fraction of -0.1 of the rows; choose more than 0 and at most 1"},
		{Config{Fraction: 1.1}, "a fraction of 1.1 of the rows"},
		{Config{Fraction: math.NaN()}, "a fraction of NaN of the rows"},
		{Config{Bag: Poisson, NoReplacement: true},
			"a poisson bag cannot be drawn without replacement or for a fraction; leave that out"},
		{Config{Bag: Hash(5), Fraction: 0.5}, "a hash:5 bag cannot be drawn without replacement or for a fraction"},
		{Config{Bag: "hash:0"}, `bag "hash:0"; choose bootstrap`},
		{Config{Bag: "hash:+5"}, `bag "hash:+5"`},
		{Config{Bag: "hash:"}, `bag "hash:"`},
	} {
		_, errBag := timesInBag(frame, tc.cfg, 0)
		_, errRow := rowTimesInBag(tc.cfg, 0, 0, 50)
		_, _, grow := Grow(context.Background(), frame, tc.cfg)
		for _, err := range []error{errBag, errRow, grow, tc.cfg.CheckKinds()} {
			if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("%+v: error %v, want %q", tc.cfg, err, tc.text)
			}
		}
	}
	frame.Truth[3] = -1
	if _, err := timesInBag(frame, Config{}, 0); !errors.Is(err, ErrTrain) {
		t.Errorf("a row without a class: error %v", err)
	}
}

func TestMoreErrors(t *testing.T) {
	for _, tc := range []struct {
		cfg  Config
		text string
	}{
		{Config{Criterion: "variance"}, `criterion "variance"; choose gini, entropy, hellinger, offcentred or pragma`},
		{Config{MaxLeaves: 1}, "at most 1 leaves; choose 2 or more, or 0 for no limit"},
		{Config{MaxLeaves: -2}, "at most -2 leaves"},
		{Config{ClassWeight: []float64{1, math.Inf(1)}}, `class "rare" has weight +Inf`},
	} {
		if _, _, err := Grow(context.Background(), learnable(50, 1), tc.cfg); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), tc.text) {
			t.Errorf("error %v, want %q", err, tc.text)
		}
	}
	many := learnable(50, 1)
	many.Classes = levelNames(math.MaxUint16 + 1)
	if _, _, err := Grow(context.Background(), many, Config{}); !errors.Is(err, ErrTrain) || !strings.Contains(err.Error(),
		"65536 classes; at most 65535 are possible") {
		t.Errorf("error %v", err)
	}
}

// A leaf that is pure but for less than half a thousandth votes as if it were pure; of equal
// remainders the most common classes in the training rows get the rest.
func TestSoftLeafNearlyPure(t *testing.T) {
	for _, tc := range []struct {
		rows []int // of each class, all alike
		want []uint32
	}{
		{[]int{2001, 1}, []uint32{1000, 0}},
		{[]int{1999, 1}, []uint32{1000, 0}}, // 999.5 and 0.5
		{[]int{1998, 1}, []uint32{999, 1}},
		{[]int{1, 1, 1}, []uint32{334, 333, 333}},
		{[]int{1, 4, 1}, []uint32{167, 666, 167}}, // 166.67, 666.67, 166.67, of which the most common is the first
	} {
		frame := &dataset.Frame{Classes: levelNames(len(tc.rows)),
			Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}}}}
		for c, n := range tc.rows {
			for range n {
				frame.Truth = append(frame.Truth, c)
				frame.Columns[0].Values = append(frame.Columns[0].Values, 1)
			}
		}
		cfg := allRows
		cfg.Soft = true
		f, _ := mustGrow(t, frame, cfg)
		if got := votesOf(f, 1); !slices.Equal(got, tc.want) {
			t.Errorf("%v rows: votes %v, want %v", tc.rows, got, tc.want)
		}
		if back, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties); err != nil ||
			!slices.Equal(votesOf(back, 1), tc.want) {
			t.Errorf("%v rows: read back: %v", tc.rows, err)
		}
	}
}

// Voting ends at the next tree after it was cancelled.
func TestVotesCancelled(t *testing.T) {
	f, _ := mustGrow(t, learnable(100, 1), Config{Trees: 20, Seed: 1})
	frame := learnable(100, 2)
	table, err := f.Votes(context.Background(), frame, 0) // as many workers as there are processors
	if err != nil {
		t.Fatal(err)
	}
	for looks := range int64(20) {
		ctx := &cancelledAfter{Context: context.Background()}
		ctx.looks.Store(looks)
		clear(table.Counts)
		if err := f.voteBlock(ctx, table, frame, nil, 0, 100); !errors.Is(err, context.Canceled) ||
			vote.Total(table.Votes(0)) != uint64(looks) {
			t.Errorf("after %d looks: error %v, votes %v", looks, err, table.Votes(0))
		}
	}
}

// A search among very many levels ends soon after it was cancelled, and leaves nothing behind for the next tree.
func TestCancelledAmongLevels(t *testing.T) {
	frame := noisy(1000, 1)
	frame.Classes, frame.Columns = levelNames(30), frame.Columns[2:3]
	frame.Columns[0].Levels = levelNames(500)
	for i := range frame.Truth {
		frame.Truth[i], frame.Columns[0].Values[i] = i%30, float64(i*7%500)
	}
	cfg := Config{Seed: 1, SubsetLevels: 500}.Resolved(1)
	data, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	g := newGrower(newGrowth(data, cfg, 0, 1))
	want, err := g.grow(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for looks := range int64(40) {
		ctx := &cancelledAfter{Context: context.Background()}
		ctx.looks.Store(looks)
		if _, err := g.grow(ctx, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: error %v", looks, err)
		}
		if again, err := g.grow(context.Background(), 0); err != nil || !slices.Equal(again.nodes, want.nodes) ||
			!slices.Equal(again.codes, want.codes) {
			t.Fatalf("after %d looks: another tree, error %v", looks, err)
		}
	}
}

// M325: a panic in a worker is an error of the growing, not the end of the process.
func TestPanicInAWorker(t *testing.T) {
	frame := learnable(100, 1)
	f, _, err := Grow(context.Background(), frame, Config{Trees: 20, Workers: 3, Progress: func() { panic("a bug") }})
	var fault *parallel.Fault
	if f != nil || !errors.As(err, &fault) || fault.Value != "a bug" {
		t.Errorf("error %v", err)
	}
}
