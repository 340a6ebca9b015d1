package dataset

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Folds divides the rows of f into k folds for cross-validation and returns the fold of each row, 0 to k-1 (len
// n). The result depends only on the labels, the groups, k, the seed, and which rows have weight 0. These are
// set aside while the others are divided; then each joins the fold of its group, or the first.
//
// Folds are stratified: the rows of each class, shuffled, are dealt in turn, each class starting where the last
// one stopped. So all folds hold the same number of rows of every class, and of rows altogether, give or take
// one. Neither the names of the classes nor their order change a fold. Rows of unknown class count as a class of
// their own. A class of fewer than k rows is absent from some folds; the caller may want to warn.
//
// With f.Group the rows of a group stay in one fold. The groups are dealt greedily, those with large shares of
// a class first, each to the fold that has least of its classes.
//
// Errors: *UsageError if k < 2 or if there are fewer rows, or groups, than folds.
func Folds(f *Frame, k int, seed uint64) ([]int, error) {
	if slices.Contains(f.Weight, 0) {
		return f.foldWeighed(k, seed)
	}
	n := f.Rows()
	switch {
	case k < 2:
		return nil, csvtext.Usagef("%s; ask for at least 2", english.Plural(k, "fold"))
	case k > n:
		return nil, csvtext.Usagef("%d folds of %s; ask for fewer folds", k, english.Plural(n, "row"))
	case f.Group != nil:
		return foldGroups(f, k, seed)
	}
	folds := make([]int, n)
	next := 0
	for c, rows := range f.bySize() {
		shuffle(rows, seed, uint64(c))
		for _, i := range rows {
			folds[i] = next % k
			next++
		}
	}
	return folds, nil
}

// MostFolds returns the largest k that [Folds] accepts for f: among the rows whose weight is not 0, the number
// of groups, or of rows if there are no groups.
func (f *Frame) MostFolds() int {
	if slices.Contains(f.Weight, 0) {
		f, _ = f.weighed()
	}
	if f.Group == nil {
		return f.Rows()
	}
	return len(f.groups())
}

// weighed returns what [Folds] asks of the rows whose weight is not 0, and which these are.
func (f *Frame) weighed() (part *Frame, rows []int) {
	part = &Frame{Classes: f.Classes}
	for i, w := range f.Weight {
		if w == 0 {
			continue
		}
		rows = append(rows, i)
		if f.Truth != nil {
			part.Truth = append(part.Truth, f.Truth[i])
		}
		if f.Group != nil {
			part.Group = append(part.Group, f.Group[i])
		}
	}
	part.rows = len(rows)
	return part, rows
}

// foldWeighed deals the rows whose weight is not 0, and has the others follow their groups.
func (f *Frame) foldWeighed(k int, seed uint64) ([]int, error) {
	part, rows := f.weighed()
	dealt, err := Folds(part, k, seed)
	if err != nil {
		return nil, err
	}
	folds, ofGroup := make([]int, f.Rows()), map[int]int{}
	for at, i := range rows {
		folds[i] = dealt[at]
		if f.Group != nil {
			ofGroup[f.Group[i]] = dealt[at]
		}
	}
	for i, g := range f.Group {
		folds[i] = ofGroup[g]
	}
	return folds, nil
}

// strata returns the rows of each class, those of unknown class last.
func (f *Frame) strata() [][]int {
	strata := make([][]int, len(f.Classes)+1)
	for i := range f.Rows() {
		c := f.stratum(i)
		strata[c] = append(strata[c], i)
	}
	return strata
}

// bySize returns the rows of each class, large ones first, of equals the one that comes first, so that the names of the
// classes change nothing.
func (f *Frame) bySize() [][]int {
	strata := f.strata()
	slices.SortStableFunc(strata, func(a, b []int) int {
		if by := len(b) - len(a); by != 0 || len(a) == 0 {
			return by
		}
		return a[0] - b[0]
	})
	return strata
}

// stratum returns the class of row i, or the number of classes where it is unknown.
func (f *Frame) stratum(i int) int {
	if f.Truth == nil || f.Truth[i] < 0 {
		return len(f.Classes)
	}
	return f.Truth[i]
}

// foldGroups gives each group to the fold f that has the smallest Σ n[f,c]/N[c]² over the
// group's rows, c being the row's class, n the rows of the fold and N all rows: that is how
// Σ (n[f,c]/N[c])² over folds and classes, least when all shares are even, grows least.
func foldGroups(f *Frame, k int, seed uint64) ([]int, error) {
	groups := f.groupsBySize(seed)
	switch {
	case len(groups) == 1:
		return nil, csvtext.Usagef("cannot split by group: all rows are of one group; choose another group column")
	case len(groups) < k:
		return nil, csvtext.Usagef("cannot split %d groups into %d folds; ask for %d folds or fewer", len(groups), k,
			len(groups))
	}
	strata := f.strata()
	share := func(i int) float64 { return 1 / float64(len(strata[f.stratum(i)])) } // row i of its class
	folds, rowsOf := make([]int, f.Rows()), make([]int, k)
	count := make([][]int, k) // by fold and class
	for fold := range count {
		count[fold] = make([]int, len(strata))
	}
	for _, rows := range groups {
		best, least := 0, 0.0
		for fold := range k {
			cost := 0.0
			for _, i := range rows {
				cost += float64(float64(count[fold][f.stratum(i)]) * share(i) * share(i))
			}
			if fold == 0 || cost < least || cost == least && rowsOf[fold] < rowsOf[best] {
				best, least = fold, cost
			}
		}
		rowsOf[best] += len(rows)
		for _, i := range rows {
			folds[i] = best
			count[best][f.stratum(i)]++
		}
	}
	return folds, nil
}

// groupsBySize returns the rows of each group, those with large shares of a class first, of equals in the order of the
// seed.
func (f *Frame) groupsBySize(seed uint64) [][]int {
	groups, strata := f.groups(), f.strata()
	size := make(map[int]float64, len(groups)) // by first row
	for _, rows := range groups {
		for _, i := range rows {
			size[rows[0]] += 1 / float64(len(strata[f.stratum(i)]))
		}
	}
	shuffle(groups, seed, 0)
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(size[b[0]], size[a[0]]) })
	return groups
}

// groups returns the rows of each group, in the order of their first row.
func (f *Frame) groups() [][]int {
	var groups [][]int
	number := make(map[int]int)
	for i, g := range f.Group {
		at, known := number[g]
		if !known {
			at = len(groups)
			number[g] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// shuffle permutes list by the given stream of the seed (Fisher and Yates).
func shuffle[T any](list []T, seed, stream uint64) {
	source := rand.NewPCG(seed, stream)
	for i := len(list) - 1; i > 0; i-- {
		j := below(source, uint64(i+1))
		list[i], list[j] = list[j], list[i]
	}
}

// below draws evenly from 0 to n-1, n > 0 (Lemire, ACM Trans. Model. Comput. Simul. 29, 2019).
// It is written out so that no other version of a library ever changes a fold.
func below(source rand.Source, n uint64) uint64 {
	high, low := bits.Mul64(source.Uint64(), n)
	for low < n && low < -n%n {
		high, low = bits.Mul64(source.Uint64(), n)
	}
	return high
}

// SplitFold returns the indices of the rows outside of the fold, to train on, and of those in it, to judge by,
// each in ascending order.
func SplitFold(foldOf []int, fold int) (train, test []int) {
	for i, f := range foldOf {
		if f == fold {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}
