package predictions

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
)

// Whatever the order of the rows, the best are the best.
func TestTopOfAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, keep := 1+r.IntN(60), 1+r.IntN(20)
		var all []ranked
		best := &Top{List: eval.TopList{Rows: float64(keep)}, Lists: map[string]*Best{}}
		for i := range n {
			c := ranked{Rank: Rank{Prob: float64(r.IntN(5)), Votes: float64(r.IntN(3))}, number: i + 1}
			all = append(all, c)
			best.Offer(&DecidedLines{Ranks: []Rank{c.Rank}, Ends: []int{0}, places: []int{0}}, 0, c.number, "")
		}
		slices.SortFunc(all, func(a, b ranked) int { return a.order(&b) })
		got := best.Lists[""].Likeliest(best.List)
		if len(got) != min(n, keep) {
			t.Fatalf("%d of %d rows, want %d", len(got), n, keep)
		}
		for i := range got {
			if got[i].number != all[i].number {
				t.Fatalf("place %d of %d has row %d, want %d", i, keep, got[i].number, all[i].number)
			}
		}
	}
}

// Probabilities are written to six digits, and to six of what they leave to 1: so they are never 0 or 1 where they
// are not, and those of two classes add up to 1.
func TestDigits(t *testing.T) {
	for p, want := range map[float64]string{
		0: "0", 1: "1", 0.5: "0.5", 1.0 / 3: "0.333333", 2.0 / 3: "0.666667", 0.9717991251970497: "0.9717991",
		1 - 0.9717991251970497: "0.0282009",
		1 - 0x1p-53:            "0.9999999999999999", 0x1p-53: "0.000000000000000111022", 9.654321e-7: "0.000000965432",
		0.00009999999: "0.0001", 0.00012345678: "0.000123457", 1 - 0.00012345678: "0.999876543", 0.9: "0.9", 0.95: "0.95",
	} {
		if got := string(AppendProbability(nil, p)); got != want {
			t.Errorf("%v is written as %s, want %s", p, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		p := math.Pow(r.Float64(), 1+20*r.Float64())
		read := func(p float64) float64 {
			v, err := strconv.ParseFloat(string(AppendProbability(nil, p)), 64)
			if err != nil || (v == 0) != (p == 0) || (v == 1) != (p == 1) || math.Abs(v-p) > 5.1e-6*min(p, 1-p)+1e-16 {
				t.Fatalf("%v is read as %v, %v", p, v, err)
			}
			return v
		}
		if a, b := read(p), read(1-p); math.Abs(a+b-1) > 1e-15 {
			t.Fatalf("%v and %v add up to %v", a, b, a+b)
		}
	}
}
