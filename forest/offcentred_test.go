package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// centredAt returns the criterion of classes with these shares among all rows.
func centredAt(share ...float64) *offCentred {
	d := &coded{k: len(share), share: share}
	for c := range share {
		d.classes = append(d.classes, c)
	}
	return newOffCentred(d, Config{})
}

// The impurity of a side, by hand from the formulas of the paper. Where 20 % of all rows are of the first class, 10
// % of a side count as half of that and so as 1/4, and 60 % as (0.6+1−0.4)/1.6 = 3/4: either has the entropy of 1/4
// and 3/4, ln 4 − 3/4·ln 3. Of three classes with shares 0.5, 0.3 and 0.2 the shares 0.25, 0.45 and 0.3 count as
// 1/6, 10/21 and 5/12.
func TestOffCentredByHand(t *testing.T) {
	quarters := math.Log(4) - 0.75*math.Log(3)
	of := func(parts ...float64) (h float64) {
		sum := 0.0
		for _, q := range parts {
			sum += q
		}
		for _, q := range parts {
			h -= q / sum * math.Log(q/sum)
		}
		return h
	}
	for _, tc := range []struct {
		share, weights []float64
		want           float64
	}{
		{[]float64{0.2, 0.8}, []float64{0.2, 0.8}, math.Log(2)},
		{[]float64{0.2, 0.8}, []float64{0.1, 0.9}, quarters},
		{[]float64{0.2, 0.8}, []float64{0.6, 0.4}, quarters},
		{[]float64{0.2, 0.8}, []float64{1, 0}, 0},
		{[]float64{0.5, 0.3, 0.2}, []float64{0.5, 0.3, 0.2}, math.Log(3)},
		{[]float64{0.5, 0.3, 0.2}, []float64{0.25, 0.45, 0.3}, of(1./6, 10./21, 5./12)},
		{[]float64{0.5, 0.3, 0.2, 0}, []float64{0.5, 0.3, 0.2, 0}, math.Log(3)}, // a class without rows does not count
		{[]float64{0.5, 0.3, 0.2}, []float64{0, 0, 1}, 0},
		{[]float64{0.5, 0.5}, []float64{0.1, 0.9}, of(0.1, 0.9)}, // of classes that are as common it is the entropy itself
	} {
		for _, n := range []float64{1, 200} {
			weights := slices.Clone(tc.weights)
			var present []int32
			for c := range weights {
				if weights[c] *= n; weights[c] > 0 {
					present = append(present, int32(c))
				}
			}
			if got := -centredAt(tc.share...).score(weights, n, present); math.Abs(got-n*tc.want) > 1e-9*n {
				t.Errorf("shares %v of %v: %v, want %v", weights, tc.share, got, n*tc.want)
			}
		}
	}
	if got := centredAt(0.2, 0.8).score([]float64{0, 0}, 0, []int32{0, 1}); got != 0 {
		t.Errorf("a side without rows scores %v", got)
	}
}

// Of two classes no split raises it.
func TestOffCentredIsConcave(t *testing.T) {
	rng, both := rand.New(rand.NewPCG(1, 71)), []int32{0, 1}
	for range 2000 {
		o := centredAt(0.03, 0.97)
		left := []float64{float64(rng.IntN(40)), float64(1 + rng.IntN(400))}
		right := []float64{float64(rng.IntN(40)), float64(1 + rng.IntN(400))}
		all := []float64{left[0] + right[0], left[1] + right[1]}
		if gain := o.score(left, 0, both) + o.score(right, 0, both) - o.score(all, 0, both); gain < -1e-9*(all[0]+all[1]) {
			t.Fatalf("left %v, right %v: gains %v", left, right, gain)
		}
	}
}

// The shares are those of the rows, times the weights of the classes, whatever is drawn.
func TestOffCentredShares(t *testing.T) {
	frame := byHundreds()
	for _, bag := range []Bag{Bootstrap, Balanced} {
		d, err := newCoded(frame, Config{Bag: bag, ClassWeight: []float64{6, 2, 1}}.Resolved(1), nil)
		if err != nil {
			t.Fatal(err)
		}
		o := newOffCentred(d, Config{ClassWeight: []float64{6, 2, 1}})
		for nr, p := range o.prior { // 100·6, 300·2 and 600·1 rows
			if math.Abs(p-1./3) > 1e-12 {
				t.Errorf("class number %d has the share %v, want 1/3", nr, p)
			}
		}
	}
}

// Trees are the same whatever the order of the classes.
func TestOffCentredOfTurnedClasses(t *testing.T) {
	frame := byHundreds()
	turned := *frame
	turned.Classes, turned.Truth = []string{"c", "a", "b"}, slices.Clone(frame.Truth)
	for i, c := range turned.Truth {
		turned.Truth[i] = []int{1, 2, 0}[c]
	}
	cfg := Config{Trees: 10, Criterion: OffCentred, Seed: 2, MinLeaf: 3}
	_, a := mustGrow(t, frame, cfg)
	_, b := mustGrow(t, &turned, cfg)
	for i := range frame.Rows() {
		v, w := a.Votes(i), b.Votes(i)
		if v[0] != w[1] || v[1] != w[2] || v[2] != w[0] {
			t.Fatalf("row %d: votes %v, with turned classes %v", i, v, w)
		}
	}
}
