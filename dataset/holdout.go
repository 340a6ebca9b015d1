package dataset

import (
	"cmp"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// HoldOut draws the rows to keep apart, about such a share of them, to judge by what was learnt from the others. The
// result (len n) depends only on the labels, the groups, the times, the share and the seed.
//
// With f.Time these are the latest rows; rows of one time stay together. With f.Group the rows of a group stay
// together, and each class keeps the share as well as the groups allow. Else each class keeps the share but for one
// row, and so do all rows.
//
// Errors: *UsageError if share is not between 0 and 1, or if one side would have no rows; those of times that cannot
// be told.
func HoldOut(f *Frame, share float64, seed uint64) ([]bool, error) {
	if !(share > 0 && share < 1) {
		return nil, csvtext.Usagef("the share %v is not between 0 and 1; write for example 0.2", share)
	}
	out := make([]bool, f.Rows())
	var err error
	switch {
	case f.Time != nil:
		err = f.latest(out, share)
	case f.Group != nil:
		f.groupsApart(out, share, seed)
	default:
		f.stratifiedApart(out, share, seed)
	}
	if err != nil {
		return nil, err
	}
	if !slices.Contains(out, true) || !slices.Contains(out, false) {
		return nil, csvtext.Usagef("a share of %v of %s leaves one side without rows; give another share", share,
			english.Plural(f.Rows(), "row"))
	}
	return out, nil
}

// stratifiedApart rounds the sum of what the classes up to each should have, so that no class is off by more than one
// row, and all together by half a row.
func (f *Frame) stratifiedApart(out []bool, share float64, seed uint64) {
	all, taken := 0, 0
	for c, rows := range f.bySize() {
		shuffle(rows, seed, uint64(c))
		all += len(rows)
		n := int(math.Round(float64(all)*share)) - taken
		for _, i := range rows[:n] {
			out[i] = true
		}
		taken += n
	}
}

// groupsApart gives each group, the largest shares of a class first, to the side s where Σ p[s,c]²/share[s] grows
// least, with the parts p of the classes that the side has: the sum over both sides is least where all parts are its
// share.
func (f *Frame) groupsApart(out []bool, share float64, seed uint64) {
	strata := f.strata()
	sides := [2]struct {
		share float64
		part  []float64 // of each class
	}{{1 - share, make([]float64, len(strata))}, {share, make([]float64, len(strata))}}
	own := make([]float64, len(strata)) // the parts that a group has
	for _, rows := range f.groupsBySize(seed) {
		clear(own)
		for _, i := range rows {
			own[f.stratum(i)] += 1 / float64(len(strata[f.stratum(i)]))
		}
		var growth [2]float64
		for s, side := range sides {
			for c, p := range own {
				growth[s] += float64(p * (2*side.part[c] + p) / side.share)
			}
		}
		s := 0
		if growth[1] < growth[0] {
			s = 1
		}
		for c, p := range own {
			sides[s].part[c] += p
		}
		for _, i := range rows {
			out[i] = s == 1
		}
	}
}

// latest takes the rows from the time on that leaves most nearly such a share.
func (f *Frame) latest(out []bool, share float64) error {
	times, distinct, err := f.timesOf()
	if err != nil {
		return err
	}
	if len(distinct) < 2 {
		return csvtext.Usagef("cannot keep later rows apart: all are of one time by column %s; name another column",
			english.Quote(f.Time.Name))
	}
	sorted := slices.Sorted(slices.Values(times))
	want := float64(len(times)) * (1 - share)
	before := func(t float64) float64 { n, _ := slices.BinarySearch(sorted, t); return float64(n) }
	cut := slices.MinFunc(distinct[1:], func(a, b float64) int {
		return cmp.Compare(math.Abs(before(a)-want), math.Abs(before(b)-want))
	})
	for i, t := range times {
		out[i] = t >= cut
	}
	return nil
}
