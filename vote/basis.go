package vote

import "math"

// Basis is the rows that a share is of, and tells how many they come to. Rows of a group are alike, and tell less than as many rows of their own: where rows have groups the number is
// n = p(1−p)/v, where that is less than [Kish.Rows], for a share p with the variance v = G/(G−1)·Σ(y−p·m)²/(Σm)² of a ratio over the G groups that have such rows, of weight m, of which y
// are hits (Rao and Scott, Biometrics 48 (1992) 577-585), times (z/t)² for the normal quantile z and Student's t of G−1 degrees of freedom at 95 %, as few groups do not say well how much they differ
// (Korn and Graubard, Survey Methodology 24 (1998) 193-201). Where all rows are hits or none is, nothing tells how alike they are, and a group counts as one row: n = (Σm)²/Σm².
//
// The zero value is of no rows. Each is added, see [Kish.Add], and one of a group joins that, too.
type Basis struct {
	Kish
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
	variance, squares, freedom := b.variance(p)
	if p == 0 || p == 1 || freedom < 1 {
		return min(n, 1/squares)
	}
	wider := z95 / t95(freedom)
	return min(n, p*(1-p)/variance*(wider*wider))
}

// Margin returns the square of half the width that the 95 % interval of the share p would have by the variance of the groups alone, t²·v; 0 where there are not two.
func (b *Basis) Margin(p float64) float64 {
	variance, _, freedom := b.variance(p)
	if freedom < 1 {
		return 0
	}
	return variance * (t95(freedom) * t95(freedom))
}

// variance returns v, Σm²/(Σm)² and the degrees of freedom G−1.
func (b *Basis) variance(p float64) (variance, squares float64, freedom int) {
	sum, groups := 0.0, b.Groups()
	for _, all := range b.all {
		sum += all
	}
	for g, all := range b.all {
		all /= sum
		away := b.hits[g]/sum - float64(p*all)
		squares += float64(all * all)
		variance += float64(away * away)
	}
	return variance * (float64(groups) / float64(groups-1)), squares, groups - 1
}

// z95 is the normal quantile of two-sided 95 % intervals.
const z95 = 1.959963984540054

// t95 returns Student's quantile of two-sided 95 % intervals, the same on every processor, as figures made with it are kept in models: the closed forms of 1 and 2 degrees of freedom, above them
// Fisher's expansion at the normal quantile, right to two in a thousand. Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
func t95(freedom int) float64 {
	switch freedom {
	case 1:
		return 12.706204736432095
	case 2:
		return 4.302652729911275
	}
	n := float64(freedom)
	return z95 + (2.372271+(2.822499+(2.555850+1.589534/n)/n)/n)/n
}

// Wider tells by what factor an interval of z standard errors of a share that groups tell of has to be wider than one of which [Basis.Effective] tells the rows, as Student's t of few
// degrees of freedom grows more than at 95 %; 1 for rows without groups, which are none, and infinite for a single group.
func Wider(z float64, groups int) float64 {
	switch groups {
	case 0:
		return 1
	case 1:
		return math.Inf(1)
	}
	return student(z, groups-1) / z * (z95 / student(z95, groups-1))
}

// student returns Student's quantile where the normal one is z, from 1.9 on: the closed forms of 1 degree of freedom, as a series, and of 2, above them Fisher's expansion as in t95, right to
// a fiftieth at z = 3.4 and 4 degrees or more.
func student(z float64, freedom int) float64 {
	both := math.Erfc(z / math.Sqrt2) // the tails
	switch freedom {
	case 1:
		x := float64(math.Pi / 2 * both)
		return 1/x - float64(x/3) - float64(float64(x*x*x)/45)
	case 2:
		return (1 - both) * math.Sqrt(2/both/(2-both))
	}
	n, s := float64(freedom), float64(z*z)
	terms := [4]float64{
		(s + 1) / 4,
		(float64((float64(5*s)+16)*s) + 3) / 96,
		(float64((float64((float64(3*s)+19)*s)+17)*s) - 15) / 384,
		(float64((float64((float64((float64(79*s)+776)*s)+1482)*s)-1920)*s) - 945) / 92160,
	}
	sum := 0.0
	for i := len(terms) - 1; i >= 0; i-- {
		sum = (sum + terms[i]) / n
	}
	return z + float64(z*sum)
}

// Groups returns the number of groups that the rows are of; 0 where they have none.
func (b *Basis) Groups() int {
	groups := 0
	for _, all := range b.all {
		if all > 0 {
			groups++
		}
	}
	return groups
}
