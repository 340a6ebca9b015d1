package paired

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/vote"
)

// Where all groups are alike, others like them would give the same figures: no resample can lose what each group
// has. 30 groups of 20 rows, one of them missed in each.
func TestGroupsComeWhole(t *testing.T) {
	p := New([]string{"ill", "well"}, nil)
	for g := range 30 {
		p.Join(g, 0, 1, 0, 1)
		p.Join(g, 1, 1, 1, 12)
		p.Join(g, 1, 1, 1, 7)
	}
	if n, effective := p.Groups(); n != 30 || math.Abs(effective-30) > 1e-12 {
		t.Errorf("%d groups, %v of equal weight", n, effective)
	}
	p.Resample(rand.New(rand.NewPCG(1, 2)), 50, func(a, b *vote.Confusion) {
		if a.At(0, 1) != 30 || a.At(1, 1) != 570 || b.At(0, 0) != 30 || b.At(1, 1) != 570 || a.Total() != 600 ||
			b.Total() != 600 {
			t.Fatalf("%v and %v", a.Rows(), b.Rows())
		}
	})
}

// Groups are drawn one by one, as here, each with its rows in whatever order they came.
func TestGroupsAreDrawnOneByOne(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 97))
		p, n := New([]string{"a", "b", "c"}, []int{2, 0, 1}), 1+rng.IntN(40)
		rows := make([][][4]int, n)
		for range 2 * n {
			g, row := rng.IntN(n), [4]int{rng.IntN(3), rng.IntN(3), rng.IntN(3), 1 + rng.IntN(2)}
			rows[g] = append(rows[g], row)
		}
		rows = slices.DeleteFunc(rows, func(of [][4]int) bool { return of == nil })
		for g, of := range rows {
			for _, r := range of {
				p.Join(g, r[0], r[1], r[2], float64(r[3]))
			}
		}
		again := rand.New(rand.NewPCG(seed, 98))
		p.Resample(rand.New(rand.NewPCG(seed, 98)), 30, func(a, b *vote.Confusion) {
			wantA, wantB := vote.NewConfusion(p.classes), vote.NewConfusion(p.classes)
			for range rows {
				for _, r := range rows[again.IntN(len(rows))] {
					wantA.Add(r[0], r[1], float64(r[3]))
					wantB.Add(r[0], r[2], float64(r[3]))
				}
			}
			if diff := cmp.Diff(a.Rows(), wantA.Rows()) + cmp.Diff(b.Rows(), wantB.Rows()); diff != "" {
				t.Fatalf("seed %d: (-resample +by hand)\n%s", seed, diff)
			}
		})
	}
}

// A share of groups drawn anew has the standard error of their mean: the shares 0, ⅓, ⅔ and 1 have the variance 5/36.
func TestResampleGroups(t *testing.T) {
	p := New([]string{"ill", "well"}, nil)
	for g := range 40 {
		p.Join(g, 0, 0, 0, float64(g%4))
		p.Join(g, 0, 1, 1, float64(3-g%4))
	}
	const times = 4000
	sum, squares := 0.0, 0.0
	p.Resample(rand.New(rand.NewPCG(1, 2)), times, func(a, _ *vote.Confusion) {
		recall, _ := a.Recall(0)
		sum, squares = sum+recall, squares+recall*recall
	})
	if got, want := math.Sqrt(squares/times-sum/times*(sum/times)), math.Sqrt(5.0/36/40); math.Abs(got/want-1) > 0.04 {
		t.Errorf("standard error %v, want %v", got, want)
	}
}
