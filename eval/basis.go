package eval

import (
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/vote"
)

// basis is the rows that a share is of: how many they come to, see [Class].
type basis struct {
	kish      vote.Kish
	number    map[int]int // of each group, in the order of their coming; nil where rows have none
	all, hits []float64   // weight of its rows, and of the hits among them, by number
}

// join adds a row that was added to its group.
func (b *basis) join(group int, weight float64, hit bool) {
	if weight == 0 {
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
	if hit {
		b.hits[at] += weight
	}
}

// rows returns the effective number of rows, of which part are hits, when they have that sum of
// weights and each was judged so many times.
func (b *basis) rows(part, sum, repeats float64) float64 {
	n := b.kish.Rows() / repeats
	if b.number == nil {
		return n
	}
	groups, squares, variance := float64(len(b.all)), 0.0, 0.0
	for g, all := range b.all {
		all /= sum
		away := b.hits[g]/sum - float64(part*all)
		squares += float64(all * all)
		variance += float64(away * away)
	}
	if part == 0 || part == 1 || groups == 1 {
		return min(n, 1/squares)
	}
	variance *= groups / (groups - 1)
	wider := calib.Z95 / t95(len(b.all)-1)
	return min(n, part*(1-part)/variance*(wider*wider))
}

// t95 returns Student's quantile of two-sided 95 % intervals: the closed forms of 1 and 2 degrees of freedom, above them Fisher's expansion at the normal quantile,
// right to two in a thousand. Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
func t95(freedom int) float64 {
	switch freedom {
	case 1:
		return 12.706204736432095
	case 2:
		return 4.302652729911275
	}
	n := float64(freedom)
	return calib.Z95 + (2.372271+(2.822499+(2.555850+1.589534/n)/n)/n)/n
}
