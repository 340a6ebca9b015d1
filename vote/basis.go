package vote

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

// Effective returns the number of rows, of which the share p are hits, when each was added so many times.
func (b *Basis) Effective(p, repeats float64) float64 {
	n := b.Rows() / repeats
	if b.number == nil {
		return n
	}
	sum := 0.0
	for _, all := range b.all {
		sum += all
	}
	groups, squares, variance := float64(len(b.all)), 0.0, 0.0
	for g, all := range b.all {
		all /= sum
		away := b.hits[g]/sum - float64(p*all)
		squares += float64(all * all)
		variance += float64(away * away)
	}
	if p == 0 || p == 1 || groups == 1 {
		return min(n, 1/squares)
	}
	variance *= groups / (groups - 1)
	wider := z95 / t95(len(b.all)-1)
	return min(n, p*(1-p)/variance*(wider*wider))
}

// z95 is the normal quantile of two-sided 95 % intervals.
const z95 = 1.959963984540054

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
	return z95 + (2.372271+(2.822499+(2.555850+1.589534/n)/n)/n)/n
}
