package dataset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// countFolds returns the rows by fold and class, unknown last, and checks the range.
func countFolds(t *testing.T, f *Frame, folds []int, k int) [][]int {
	t.Helper()
	if len(folds) != f.Rows() {
		t.Fatalf("%d folds for %d rows", len(folds), f.Rows())
	}
	counts := make([][]int, k)
	for fold := range counts {
		counts[fold] = make([]int, len(f.Classes)+1)
	}
	for i, fold := range folds {
		if fold < 0 || fold >= k {
			t.Fatalf("row %d is in fold %d of %d", i, fold, k)
		}
		counts[fold][f.stratum(i)]++
	}
	return counts
}

func spread(values []int) int { return slices.Max(values) - slices.Min(values) }

// randomFrame has up to 200 rows of 1 to 5 classes of very different size, some unknown.
func randomFrame(r *rand.Rand) *Frame {
	f := &Frame{Classes: []string{"a", "b", "c", "d", "e"}[:1+r.IntN(5)], Truth: make([]int, 2+r.IntN(200))}
	for i := range f.Truth {
		f.Truth[i] = r.IntN(1+r.IntN(len(f.Classes)+1)) - 1
	}
	return f
}

func TestFoldsAreEven(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 500 {
		f := randomFrame(r)
		k := 2 + r.IntN(min(11, f.Rows()-1))
		folds, err := Folds(f, k, uint64(trial))
		if err != nil {
			t.Fatal(err)
		}
		counts := countFolds(t, f, folds, k)
		sizes := make([]int, k)
		for c := range len(f.Classes) + 1 {
			ofClass := make([]int, k)
			for fold := range k {
				ofClass[fold] = counts[fold][c]
				sizes[fold] += counts[fold][c]
			}
			if spread(ofClass) > 1 {
				t.Fatalf("seed %d, trial %d: class %d has %v rows in the folds", seed, trial, c, ofClass)
			}
		}
		if spread(sizes) > 1 {
			t.Fatalf("seed %d, trial %d: folds of %v rows", seed, trial, sizes)
		}
	}
}

func TestFoldsKeepGroupsWhole(t *testing.T) {
	const seed = 8
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 300 {
		f := randomFrame(r)
		f.Group = make([]int, f.Rows())
		distinct := map[int]bool{}
		for i := range f.Group {
			f.Group[i] = r.IntN(1+r.IntN(40)) * 1000
			distinct[f.Group[i]] = true
		}
		if len(distinct) < 2 {
			continue
		}
		k := 2 + r.IntN(min(6, len(distinct)-1))
		folds, err := Folds(f, k, uint64(trial))
		if err != nil {
			t.Fatal(err)
		}
		countFolds(t, f, folds, k)
		home, used := map[int]int{}, make([]bool, k)
		for i, g := range f.Group {
			if fold, seen := home[g]; seen && fold != folds[i] {
				t.Fatalf("seed %d, trial %d: group %d is in folds %d and %d", seed, trial, g, fold, folds[i])
			}
			home[g] = folds[i]
			used[folds[i]] = true
		}
		if slices.Contains(used, false) {
			t.Fatalf("seed %d, trial %d: an empty fold although there are %d groups for %d folds", seed, trial, len(distinct), k)
		}
	}
}

// Many small groups of mixed classes can be dealt nearly evenly, the rare class included.
func TestGroupedFoldsAreClose(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		f := &Frame{Classes: []string{"ok", "rare"}, Truth: make([]int, 1000), Group: make([]int, 1000)}
		for i := range f.Truth {
			f.Group[i] = i / 4
			if r.IntN(20) == 0 {
				f.Truth[i] = 1
			}
		}
		folds, err := Folds(f, 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		ok, rare := make([]int, 5), make([]int, 5)
		for fold, counts := range countFolds(t, f, folds, 5) {
			ok[fold], rare[fold] = counts[0], counts[1]
		}
		if spread(rare) > 1 || spread(ok) > 8 {
			t.Errorf("seed %d: ok %v, rare %v", seed, ok, rare)
		}
	}
}

func TestFoldsDependOnTheSeedAlone(t *testing.T) {
	f := Fraud(300, 1)
	first, _ := Folds(f, 10, 42)
	for range 5 {
		if again, _ := Folds(f, 10, 42); !slices.Equal(again, first) {
			t.Fatal("the same seed gave other folds")
		}
	}
	bare := &Frame{Classes: f.Classes, Truth: f.Truth}
	if again, _ := Folds(bare, 10, 42); !slices.Equal(again, first) {
		t.Error("the features changed the folds")
	}
	if other, _ := Folds(f, 10, 43); slices.Equal(other, first) {
		t.Error("another seed gave the same folds")
	}
	// Each row alone in its group: grouped folds must be stratified as well.
	f.Group = make([]int, 300)
	for i := range f.Group {
		f.Group[i] = i
	}
	alone, err := Folds(f, 10, 42)
	if err != nil {
		t.Fatal(err)
	}
	for _, counts := range countFolds(t, f, alone, 10) {
		if counts[0]+counts[1] != 30 {
			t.Errorf("a fold of %d rows, want 30", counts[0]+counts[1])
		}
	}
}

// Nobody may change the folds of a seed: they are in published results. Made by Folds itself.
func TestFoldsGolden(t *testing.T) {
	f := &Frame{Classes: []string{"a", "b"}, Truth: []int{0, 0, 0, 0, 0, 0, 1, 1, 1, -1, -1, 0}}
	plain, _ := Folds(f, 3, 2007)
	f.Group = []int{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7}
	grouped, _ := Folds(f, 3, 2007)
	got := fmt.Sprint(plain, grouped)
	if want := "[2 1 0 1 2 0 2 1 0 1 2 0] [0 0 1 1 2 2 1 1 0 0 2 2]"; got != want {
		t.Errorf("folds %s, want %s", got, want)
	}
}

func TestFoldsWithoutLabels(t *testing.T) {
	f := &Frame{Columns: []Column{{Field: Field{Name: "x"}, Values: make([]float64, 10)}}}
	folds, err := Folds(f, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	for fold, counts := range countFolds(t, f, folds, 5) {
		if counts[0] != 2 {
			t.Errorf("fold %d has %d rows, want 2", fold, counts[0])
		}
	}
}

// fixed gives its numbers one after the other.
type fixed []uint64

func (f *fixed) Uint64() uint64 {
	v := (*f)[0]
	*f = (*f)[1:]
	return v
}

// Of the 2^64 numbers 2^64 mod 3 = 1 must be refused, or 0 would come once too often; it is 0,
// whose product has the low half 0 < 1.
func TestBelowRefuses(t *testing.T) {
	source := &fixed{0, 1 << 63}
	if got := below(source, 3); got != 1 || len(*source) != 0 {
		t.Errorf("drew %d with %d numbers left, want 1 and none", got, len(*source))
	}
}

func TestBelowIsEven(t *testing.T) {
	const draws = 60000
	source := rand.NewPCG(9, 9)
	counts := make([]int, 6)
	for range draws {
		counts[below(source, 6)]++
	}
	for face, n := range counts {
		if n < 9500 || n > 10500 { // 10000 expected, 5 standard deviations are 456
			t.Errorf("face %d came %d times of %d", face, n, draws)
		}
	}
}

func TestSplitFold(t *testing.T) {
	train, test := SplitFold([]int{0, 1, 2, 1, 0}, 1)
	if !slices.Equal(train, []int{0, 2, 4}) || !slices.Equal(test, []int{1, 3}) {
		t.Errorf("train on %v, judge by %v", train, test)
	}
}

// Rows of weight 0 are as if absent: the others are dealt as without them, and groups stay together.
// Classes in another order, of other names, leave every row in its fold.
func TestFoldsOfRenamedClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for trial := range 500 {
		f := randomFrame(r)
		for c := range f.Classes { // some equally large
			f.Truth = append(f.Truth, slices.Repeat([]int{c}, 5)...)
		}
		r.Shuffle(len(f.Truth), func(i, j int) { f.Truth[i], f.Truth[j] = f.Truth[j], f.Truth[i] })
		if trial%3 == 0 {
			for range f.Truth {
				f.Group = append(f.Group, r.IntN(len(f.Truth)/2))
			}
		}
		to := r.Perm(len(f.Classes))
		renamed := &Frame{Classes: slices.Repeat([]string{""}, len(to)), Group: f.Group}
		for c, d := range to {
			renamed.Classes[d] = fmt.Sprint("new ", f.Classes[c])
		}
		for _, c := range f.Truth {
			if c >= 0 {
				c = to[c]
			}
			renamed.Truth = append(renamed.Truth, c)
		}
		k := 2 + r.IntN(3)
		want, err := Folds(f, k, uint64(trial))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Folds(renamed, k, uint64(trial))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("trial %d: folds %v, renamed %v (%v)", trial, want, got, err)
		}
		for c, first := range f.FirstRows() {
			if renamed.FirstRows()[to[c]] != first || first != slices.Index(f.Truth, c) {
				t.Fatalf("trial %d: the first row of class %d is %d, renamed %d", trial, c, first, renamed.FirstRows()[to[c]])
			}
		}
	}
}

func TestFoldsWithoutWeight(t *testing.T) {
	f := &Frame{Classes: []string{"a", "b"}}
	without := &Frame{Classes: f.Classes}
	var kept []int
	for i := range 60 {
		truth, group, weight := i*i%7%2, i/3, float64((i+1)%4)
		f.Truth, f.Group, f.Weight = append(f.Truth, truth), append(f.Group, group), append(f.Weight, weight)
		if weight > 0 {
			kept = append(kept, i)
			without.Truth, without.Group = append(without.Truth, truth), append(without.Group, group)
		}
	}
	for range 2 { // with groups, and without
		got, err := Folds(f, 5, 3)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Folds(without, 5, 3)
		if err != nil {
			t.Fatal(err)
		}
		for at, i := range kept {
			if got[i] != want[at] {
				t.Errorf("row %d is in fold %d, without rows of weight 0 in %d", i, got[i], want[at])
			}
		}
		for i := range f.Group {
			for j := range i {
				if f.Group[i] == f.Group[j] && got[i] != got[j] {
					t.Errorf("rows %d and %d of a group are in folds %d and %d", i, j, got[i], got[j])
				}
			}
		}
		if f.MostFolds() != without.MostFolds() {
			t.Errorf("at most %d folds, without rows of weight 0 %d", f.MostFolds(), without.MostFolds())
		}
		f.Group, without.Group = nil, nil
	}
}
