package vote

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Basis is the rows that a share is of, and tells how many they come to. Rows of a group are alike, and tell less than as many rows of their own: where rows have groups the number is
// n = p(1−p)/v, where that is less than [Kish.Rows], for a share p with the variance v = Σ(y−p·m)²/(Σm)²/(1−S) of a ratio over groups of weight m, of which y are hits (Rao and Scott, Biometrics 48 (1992) 577-585).
// S = Σm²/(Σm)²: so G groups of equal weight, S = 1/G, have the usual G/(G−1), and others are as many as 1/S equal ones, Kish's effective number (that unequal groups count as fewer: Carter, Schnepel and
// Steigerwald, Review of Economics and Statistics 99 (2017) 698-709). As few groups do not say well how much they differ, n is multiplied by (z/t)², for the normal quantile z and Student's t of 1/S−1 degrees of
// freedom at 95 % (Korn and Graubard, Survey Methodology 24 (1998) 193-201). Of less than two groups, 1/S < 2, nothing is known, and n is 0.
//
// Where all rows are hits or none is, nothing tells how alike those of a group are; then a group counts as one row, v = S·p(1−p). Where few are, little tells it, and v is mostly too small. So half a hit of
// groups that count so is mixed in: n = (p(1−p) + h)/(v + h·S)·(z/t)², where h is ½ over the number of rows. What that does to intervals is in TestCoverageOfGroups of package eval.
//
// Rows of a block of time are only as alike as they are seen to be: where groups are [Basis.Blocks], n = p(1−p)/v without more, where that is less than [Kish.Rows]; two blocks or more tell it. Few say little of how much
// blocks differ, see TestCoverageOfBlocks of package eval, but with Student's t two of them would say nothing at all, also where they are as alike as their rows.
//
// The zero value is of no rows. Each is added, see [Kish.Add], and one of a group joins that, too.
type Basis struct {
	Kish
	Blocks    bool        // its groups are blocks of time
	number    map[int]int // of each group, in the order of their coming; nil where rows have none
	all, hits []float64   // weight of its rows, and of the hits among them, by number
}

// Join says of what group rows of a weight are that were added, and whether they are hits.
func (b *Basis) Join(group int, weight float64, hit bool) {
	if hit {
		b.JoinPart(group, weight, weight)
	} else {
		b.JoinPart(group, weight, 0)
	}
}

// JoinPart is Join of rows of which a part are hits: hits is what these weigh. Rows of no weight may still move the hits of their group.
func (b *Basis) JoinPart(group int, weight, hits float64) {
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

// Effective returns the number of rows, of which the share p are hits, when each was added so many times.
func (b *Basis) Effective(p, repeats float64) float64 {
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

// Margin returns the square of half the width that the 95 % interval of the share p would have by the variance of the groups alone, t²·v; 0 where there are not two.
func (b *Basis) Margin(p float64) float64 {
	groups := b.Groups()
	if few(groups) {
		return 0
	}
	t := student(portable.Z95, groups-1)
	return b.Variance(p) * (t * t)
}

// Groups returns how many groups of equal weight would tell as much as those that the rows are of, Kish's number; 0 where they have none.
func (b *Basis) Groups() float64 {
	var groups Kish
	for _, all := range b.all {
		groups.Add(all, all)
	}
	return groups.Rows()
}

// Variance returns v, that of the share p by how much groups differ; 0 where there are not two.
func (b *Basis) Variance(p float64) float64 {
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

// Wider tells by what factor an interval of z standard errors of a share that groups tell of has to be wider than one of which [Basis.Effective] tells the rows, as Student's t of few
// degrees of freedom grows more than at 95 %; 1 for rows without groups, which are none, and infinite for less than two.
func Wider(z, groups float64) float64 {
	switch {
	case groups == 0:
		return 1
	case few(groups):
		return math.Inf(1)
	}
	return student(z, groups-1) / z * (portable.Z95 / student(portable.Z95, groups-1))
}

// student returns Student's quantile, of one degree of freedom or more, where the normal one is z, the same on every processor, as figures made with it are kept in models. At 95 % it is 4 % too large for 2 degrees, and
// half a percent for 4; further out, and for 1, more, always to the safe side. Source: Wallace, Annals of Mathematical Statistics 30 (1959) 1121-1130.
func student(z, freedom float64) float64 {
	u := z * (float64(8*freedom) + 3) / (float64(8*freedom) + 1)
	return math.Sqrt(freedom * (portable.Exp(u*u/freedom) - 1))
}
