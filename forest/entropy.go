package forest

import (
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// entropy computes scores of information: of a side Σ_c f(w_c) - f(w) with f(w) = w·ln w.
//
// Of whole weights f is rounded to multiples of a power of two, so coarse that what a tree adds up is exact, and so
// fine that 51 bits stay of the largest: so a sum is the same whatever the order, as that of Gini's squares is, and
// the searches for Gini can keep it up from row to row as well, see numeric.go. The variants of their loops are
// here.
type entropy struct {
	table []float64 // f of 0, 1, ...
	round float64   // x + round - round is x, rounded; 0 where weights are not whole
	slack float64   // by how much rounding may lift a score above its bound
	k     int

	l, r         []float64 // by class, f of the weights left and right
	starts, ends []float64
	start, end   []float64 // by bin at hand, what the left side returns where it begins, and the right one where it ends
	later        []float64 // the same of bins that wait
}

// mostTable is the number of whole weights whose f is kept, by each worker: larger ones are those of few, large nodes.
const mostTable = 1 << 20

// fit rounds f for a tree of whole weights that come to the given sum.
func (e *entropy) fit(weight float64) {
	_, exponent := math.Frexp(weight * portable.Log(max(1, weight)))
	round := 1.5 * math.Ldexp(1, exponent+1) // numbers of this size are multiples of 2^(exponent-51)
	if round != e.round {
		e.round, e.slack, e.table = round, math.Ldexp(float64(4*e.k+8), exponent-51), e.table[:0]
	}
	n := int(min(weight, mostTable)) + 1
	e.table = slices.Grow(e.table, max(0, n-len(e.table)))
	for w := len(e.table); w < n; w++ {
		e.table = append(e.table, e.compute(float64(w)))
	}
}

// f returns w·ln w.
func (e *entropy) f(w float64) float64 {
	if i := int(w); uint(i) < uint(len(e.table)) {
		return e.table[i]
	}
	return e.compute(w)
}

func (e *entropy) compute(w float64) float64 {
	if w <= 0 {
		return 0
	}
	x := float64(w * portable.Log(w))
	return x + e.round - e.round
}

func (e *entropy) score(weights []float64, sum float64, classes []int32) float64 {
	score := 0.0
	for _, c := range classes {
		score += e.f(weights[c])
	}
	return score - e.f(sum)
}

// both returns Σ_c f(l_c) + f(r_c) for the sides of a cut, given the weights on the left.
func (e *entropy) both(left, total []float64) float64 {
	sum := 0.0
	for c, l := range left {
		sum += e.f(l) + e.f(total[c]-l)
	}
	return sum
}

// moved returns by how much that changes where w of a class goes left.
func (e *entropy) moved(l, r, w float64) float64 { return e.f(l+w) + e.f(r-w) - (e.f(l) + e.f(r)) }

// walkKeysByEntropy is walkKeys.
func (g *grower) walkKeysByEntropy(c cut, weight float64, keys []uint64, all bool) {
	e, left, total := g.entropy, g.left, g.totals[:len(g.left)]
	sum, bar := e.both(left, total), g.bar
	before := uint32(keys[0] >> 32)
	for _, key := range keys {
		if code := uint32(key >> 32); code != before {
			if score := sum - (e.f(weight) + e.f(g.weight-weight)); score >= bar {
				c.lower, c.upper = before, code
				g.take(c, weight, g.weight-weight, score)
				bar = g.bar
			}
			before = code
		}
		class, w := uint32(key)>>16, float64(int32(key&0xffff))
		l := left[class]
		sum += e.moved(l, total[class]-l, w)
		weight += w
		left[class] = l + w
	}
	if all && c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		g.offerAt(c, tally{weight: weight})
	}
}

// walkCountsByEntropy is walkCounts.
func (g *grower) walkCountsByEntropy(c cut, weight float64, counts []int32, least uint32) {
	k, e, left, total := g.data.k, g.entropy, g.left, g.totals[:len(g.left)]
	sum := e.both(left, total)
	before := least
	for code := least; len(counts) >= k; code, counts = code+1, counts[k:] {
		if isEmpty(counts[:k]) {
			continue
		}
		if code != before {
			if score := sum - (e.f(weight) + e.f(g.weight-weight)); score >= g.bar {
				c.lower, c.upper = before, code
				g.take(c, weight, g.weight-weight, score)
			}
			before = code
		}
		for class, n := range counts[:len(left)] {
			if n != 0 {
				w, l := float64(n), left[class]
				sum += e.moved(l, total[class]-l, w)
				weight += w
				left[class] = l + w
			}
		}
	}
	if c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		g.offerAt(c, tally{weight: weight})
	}
}

// offerBinsByEntropy is offerBins. It notes for each bin what the left side returns where the bin begins, and the
// right one where it ends.
func (g *grower) offerBinsByEntropy(c cut, least uint32, shift, bins int) {
	k, e := g.data.k, g.entropy
	weight := g.startFloats(c.leftPass)
	e.start, e.end = room(&e.starts, bins), room(&e.ends, bins)
	sumL, sumR := 0.0, 0.0
	for class, l := range g.l {
		e.l[class], e.r[class] = e.f(l), e.f(g.r[class])
		sumL, sumR = sumL+e.l[class], sumR+e.r[class]
	}
	left, right := sumL-e.f(weight), sumR-e.f(g.weight-weight)
	c.coarse = true
	before := -1
	for i := range bins {
		bin := g.bins[i*k : i*k+k]
		if isEmpty(bin) {
			continue
		}
		if before >= 0 && left+right >= g.bar {
			c.lower, c.upper = least+uint32(before+1)<<shift-1, least+uint32(i)<<shift
			g.take(c, weight, g.weight-weight, left+right)
		}
		for class, n := range bin {
			if n != 0 {
				w := float64(n)
				l, r := g.l[class]+w, g.r[class]-w
				fl, fr := e.f(l), e.f(r)
				sumL, sumR = sumL+(fl-e.l[class]), sumR+(fr-e.r[class])
				g.l[class], g.r[class], e.l[class], e.r[class] = l, r, fl, fr
				weight += w
			}
		}
		before, e.start[i] = i, left
		left, right = sumL-e.f(weight), sumR-e.f(g.weight-weight)
		e.end[i] = right
	}
	if c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = least+uint32(before+1)<<shift-1, ^uint32(0)
		g.take(c, weight, g.weight-weight, left+right)
	}
}

// keep keeps what was noted of bins that wait.
func (e *entropy) keep(bins int) (start, end []float64) {
	at := len(e.later)
	e.later = append(append(e.later, e.start[:bins]...), e.end[:bins]...)
	return e.later[at : at+bins], e.later[at+bins:]
}

// markBinsByEntropy is markBins, by what offerBinsByEntropy has noted. A side to which rows are added never scores
// more, as the score of a side is convex in its weights and grows in proportion to them: so within a bin a cut
// scores at most what the left side does at the bin's start and the right one at its end.
func (g *grower) markBinsByEntropy(leftPass bool, bins int) int {
	k, e, marked := g.data.k, g.entropy, 0
	weight := g.startFloats(leftPass)
	bar := g.bar - e.slack
	for i := range bins {
		bin := g.bins[i*k : i*k+k]
		classes := 0
		for _, n := range bin {
			if n != 0 {
				classes++
			}
		}
		g.look[i] = (classes > 1 || classes == 1 && g.cfg.MinLeaf > 1) &&
			e.start[i]+e.end[i] >= bar && g.cornerReaches(bar, bin, classes, weight)
		if g.look[i] {
			marked++
		}
		for class, n := range bin {
			g.l[class] += float64(n)
			g.r[class] -= float64(n)
			weight += float64(n)
		}
	}
	return marked
}

// cornerReaches tells whether the score at a corner of the box of a bin reaches the bar, given the classes in it,
// and the weight left of its start. The two ends were cuts themselves, and are none here, unless one may have been
// too close to the side. Of one class and of many it is not asked.
func (g *grower) cornerReaches(bar float64, bin []int32, classes int, weight float64) bool {
	if classes == 1 || classes > 4 {
		return true
	}
	e, n := g.entropy, 0
	var moved, weights [4]float64
	sum := e.both(g.l, g.totals)
	for class, m := range bin {
		if m != 0 {
			weights[n] = float64(m)
			moved[n] = e.moved(g.l[class], g.r[class], weights[n])
			n++
		}
	}
	first, last := 1, 1<<n-2
	if g.cfg.MinLeaf > 1 {
		first, last = 0, 1<<n-1
	}
	for corner := first; corner <= last; corner++ {
		score, w := sum, weight
		for c := range n {
			if corner>>c&1 != 0 {
				score, w = score+moved[c], w+weights[c]
			}
		}
		if score-(e.f(w)+e.f(g.weight-w)) >= bar {
			return true
		}
	}
	return false
}
