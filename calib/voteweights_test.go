package calib

import (
	"math"
	"math/rand/v2"
	"testing"
)

// votesOfTwo returns made-up rows of two classes whose shares of 100 votes tell the classes apart, but not as odds
// would.
func votesOfTwo(seed uint64) Rows {
	r := rand.New(rand.NewPCG(seed, 5))
	rows := Rows{K: 2}
	for range 400 {
		p := r.Float64() * r.Float64()
		votes, truth := 0.0, 0
		for range 100 {
			if r.Float64() < p {
				votes++
			}
		}
		if r.Float64() < p*p {
			truth = 1
		}
		s := Smooth(votes, 100)
		rows.Share, rows.Truth = append(rows.Share, 1-s, s), append(rows.Truth, truth)
	}
	return rows
}

// Weights on the votes of two classes move all log odds by one number and keep the order. So maps with an offset to
// the log odds, and maps that look at the order alone, give the rows they are fitted on the same probabilities. The
// others do not: a temperature has no offset, the curve of beta is bent elsewhere, and lines between shares are no
// lines between weighted shares.
func TestVoteWeightsOfTwoClasses(t *testing.T) {
	for _, tc := range []struct {
		method Method
		same   bool // at the fitted shares
		new    bool // at other shares, too
	}{
		{PlattLogit, true, true}, {IsotonicStep, true, true}, {VennAbers, true, true}, {None, true, true},
		{IsotonicLinear, true, false},
		{PlattRaw, false, false}, {IsotonicCentred, false, false}, {Beta, false, false}, {Vector, false, false},
		{Matrix, false, false},
		{Temperature, false, false}, {MinMax, false, false}, {VennAbersCentred, false, false},
	} {
		fitted, other := 0.0, 0.0
		for seed := range uint64(3) {
			rows := votesOfTwo(seed)
			plain := refit(t, tc.method, rows)
			rows.VoteWeights = []float64{1, 5}
			weighted := refit(t, tc.method, rows)
			apart := func(share []float64) float64 {
				a, b := make([]float64, 2), make([]float64, 2)
				plain.Probabilities(a, share)
				weighted.Probabilities(b, share)
				return math.Abs(a[1] - b[1])
			}
			for i := range rows.Truth {
				fitted = max(fitted, apart(rows.Share[2*i:2*i+2]))
			}
			for s := 0.005; s < 1; s += 0.00123 { // between the shares of 100 votes
				other = max(other, apart([]float64{1 - s, s}))
			}
		}
		for where, c := range map[string]struct {
			differ float64
			same   bool
		}{"the fitted": {fitted, tc.same}, "new": {other, tc.new}} {
			if c.same && c.differ > 1e-9 || !c.same && c.differ < 1e-4 {
				t.Errorf("%s at %s shares: weights move a probability by %.3g", tc.method, where, c.differ)
			}
		}
	}
}

// With more classes the sum that weighted shares are divided by is another one in each row, and no map of a class
// against the rest takes that back. Between the two classes of a pair it cancels, and the pair is as two classes
// are.
func TestVoteWeightsOfThreeClasses(t *testing.T) {
	for _, method := range allMethods() {
		base, coupling, _ := method.split()
		if base == Auto {
			continue // which picks any of them
		}
		same := base == None || coupling != againstRest && (base == PlattLogit || base == IsotonicStep || base == VennAbers)
		differ := 0.0
		for seed := range uint64(3) {
			rows := classProblem(rand.New(rand.NewPCG(seed, 11)), 3)
			plain := refit(t, method, rows)
			rows.VoteWeights = []float64{1, 5, 2}
			weighted := refit(t, method, rows)
			for i := range rows.Truth {
				p, q := rows.ofRow(plain, i), rows.ofRow(weighted, i)
				for c := range p {
					differ = max(differ, math.Abs(p[c]-q[c]))
				}
			}
		}
		if same && differ > 1e-9 || !same && differ < 1e-4 {
			t.Errorf("%s: weights move a probability by %.3g", method, differ)
		}
	}
}
