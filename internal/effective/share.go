package effective

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Share is the set of rows that a share is taken of, and computes their effective number. Rows of a group
// resemble each other and tell less than as many independent rows.
//
// If rows have groups, their effective number is n = p(1−p)/v, or [Size.Rows] if that is less. Here p is the
// share and v = Σ(y−p·m)²/(Σm)²/(1−S) the variance of a ratio over groups of weight m, of which y are hits (Rao
// and Scott, Biometrics 48 (1992) 577-585), with S = Σm²/(Σm)². So G groups of equal weight, S = 1/G, have the
// usual factor G/(G−1), and other groups count as 1/S equal ones, Kish's effective number (that unequal groups
// count as fewer: Carter, Schnepel and Steigerwald, Review of Economics and Statistics 99 (2017) 698-709). As a
// few groups show poorly how much groups differ, n is multiplied by (z/t)², for the normal quantile z and
// Student's t of 1/S−1 degrees of freedom at 95 % (Korn and Graubard, Survey Methodology 24 (1998) 193-201).
// With fewer than two groups, 1/S < 2, nothing is known, and n is 0.
//
// If all rows are hits, or none is, nothing shows how alike the rows of a group are; then a group counts as one
// row, v = S·p(1−p). If few are, little shows it, and v is mostly too small. So half a hit of groups that count
// in that way is mixed in: n = (p(1−p) + h)/(v + h·S)·(z/t)², where h is ½ over the number of rows.
// TestCoverageOfGroups of package eval shows the effect on intervals.
//
// Blocks of time are treated differently: their rows count as only as alike as they are seen to be. With
// [Share.Blocks], n = p(1−p)/v without a correction, or [Size.Rows] if that is less; two blocks suffice. A few
// blocks show poorly how much blocks differ, see TestCoverageOfBlocks of package eval, but with Student's t two
// of them would say nothing at all, even if they are as alike as their rows.
//
// The zero value has no rows. Add each row, see [Size.Add], and if it has a group, also Join it to that.
type Share struct {
	Size
	Blocks    bool        // the groups are blocks of time
	number    map[int]int // of each group, in the order of their coming; nil where rows have none
	all, hits []float64   // weight of its rows, and of the hits among them, by number
}

// Join assigns rows that were added, of the given summed weight, to a group and says whether they are hits.
func (b *Share) Join(group int, weight float64, hit bool) {
	if hit {
		b.JoinPart(group, weight, weight)
	} else {
		b.JoinPart(group, weight, 0)
	}
}

// JoinPart is Join for rows of which only a part are hits: hits is the weight of these. Rows of no weight may
// still change the hits of their group.
func (b *Share) JoinPart(group int, weight, hits float64) {
	if weight == 0 && hits == 0 {
		return
	}
	at, known := b.number[group]
	if !known {
		if b.number == nil {
			b.number = map[int]int{}
		}
		at = len(b.all)
		b.number[group] = at
		b.all, b.hits = append(b.all, 0), append(b.hits, 0)
	}
	b.all[at] += weight
	b.hits[at] += hits
}

// Effective returns the effective number of rows for a share p of hits, if each row was added repeats times.
func (b *Share) Effective(p, repeats float64) float64 {
	n := b.Rows() / repeats
	if b.number == nil {
		return n
	}
	groups := b.Groups()
	if b.Blocks {
		if v := b.Variance(p); v > 0 {
			n = min(n, float64(p*(1-p))/v)
		}
		return n
	}
	if few(groups) {
		return 0
	}
	wider, mixed := student(portable.Z95, groups-1)/portable.Z95, 0.5/n
	return min(n, (float64(p*(1-p))+mixed)/(b.Variance(p)+mixed/groups)/(wider*wider))
}

// few tells whether so many groups are too few to know anything by. Their number is rounded.
func few(groups float64) bool { return !(groups >= 2-1e-9) }

// Margin returns t²·v, the square of half the width of the 95 % interval of the share p by the variance between
// groups alone; 0 if there are fewer than two.
func (b *Share) Margin(p float64) float64 {
	groups := b.Groups()
	if few(groups) {
		return 0
	}
	t := student(portable.Z95, groups-1)
	return b.Variance(p) * (t * t)
}

// Groups returns Kish's effective number of groups: how many groups of equal weight would tell as much; 0
// without groups.
func (b *Share) Groups() float64 {
	var groups Size
	for _, all := range b.all {
		groups.Add(all, all)
	}
	return groups.Rows()
}

// Variance returns v, the variance of the share p as the groups show it; 0 if there are fewer than two.
func (b *Share) Variance(p float64) float64 {
	if len(b.all) < 2 {
		return 0
	}
	sum, squares := 0.0, 0.0
	for _, all := range b.all {
		sum += all
	}
	for g, all := range b.all {
		away := b.hits[g]/sum - float64(p*(all/sum))
		squares += float64(away * away)
	}
	return squares / (1 - 1/b.Groups())
}

// Wider returns the factor by which to widen an interval of z standard errors that uses the rows of
// [Share.Effective], as Student's t of few degrees of freedom grows faster with z than at 95 %. Groups is as of
// [Share.Groups]. The factor is 1 without groups, and infinite for fewer than two.
func Wider(z, groups float64) float64 {
	switch {
	case groups == 0:
		return 1
	case few(groups):
		return math.Inf(1)
	}
	return student(z, groups-1) / z * (portable.Z95 / student(portable.Z95, groups-1))
}

// student returns Student's quantile, of one degree of freedom or more, where the normal one is z, the same on
// every processor, as figures made with it are kept in models. At 95 % it is 4 % too large for 2 degrees, and half
// a percent for 4; further out, and for 1, more, always to the safe side. Source: Wallace, Annals of Mathematical
// Statistics 30 (1959) 1121-1130.
func student(z, freedom float64) float64 {
	u := z * (float64(8*freedom) + 3) / (float64(8*freedom) + 1)
	return math.Sqrt(freedom * (portable.Exp(u*u/freedom) - 1))
}
