package forest

import "math/bits"

// Large nodes: the codes are put into at most maxBins bins, and the classes of each bin are
// counted. The cuts between bins are offered at once. For the cuts within a bin there is a
// bound: as a function of the class weights on the left, the score is convex, and within a bin
// those weights lie in a box between their values at its two ends, so the score is at most
// its largest value at a corner of the box. Only bins whose bound reaches the best score are
// looked into, by sorting their rows. On most data these hold a few rows in a hundred; and fewer when the
// bins of all features of the node wait until the cuts between bins of each have been offered. So a
// feature may be looked into after one that was drawn later: of equal scores that of the one drawn first
// wins nevertheless, see take.

const (
	maxBins   = 1 << 10
	mostLater = 1 << 15 // counts of bins that wait at most; what is more is looked into at once
)

// bounds is the scratch of the search by bins.
type bounds struct {
	bins  []int32   // the weights at hand, bins × classes
	look  []bool    // by bin: it may hold a better cut
	l, r  []float64 // by class, the weights left and right
	atBin []float64 // by class, the weight left of a bin

	later     []waiting // by their order of draws
	laterBins []int32   // their counts
}

// waiting are the bins of a feature that are looked into later.
type waiting struct {
	cut
	drawn       int
	least       uint32
	shift, bins int
	counts      []int32
	huge        bool      // they are those of the column, see huge.go
	start, end  []float64 // see entropy
}

func (b *bounds) init(d *coded) {
	b.look = make([]bool, maxBins+1)
	b.l, b.r = make([]float64, d.k), make([]float64, d.k)
	b.atBin = make([]float64, d.k)
}

// coarse looks for the best cut by bins.
func (g *grower) coarse(c cut, keys []uint64, least, most uint32) {
	wanted := min(10, max(4, bits.Len(uint(len(keys)))-5-bits.Len(uint(g.data.k/4))))
	if g.ways.binBits > 0 {
		wanted = g.ways.binBits
	}
	shift := max(0, bits.Len32(most-least)-wanted)
	bins := int((most-least)>>shift) + 1
	g.bins = room(&g.hist, bins*g.data.k)
	clear(g.bins)
	countKeys(g.bins, keys, least, shift, g.data.k)
	for pass := range 2 {
		c.leftPass = pass == 1
		if c.leftPass && c.gaps == 0 {
			return
		}
		g.offerBins(c, least, shift, bins)
		if shift == 0 || c.gaps == 0 && g.wait(c, least, shift, bins, false) {
			continue
		}
		if g.markBins(c.leftPass, bins) > 0 {
			g.lookInto(c, g.picked(keys, least, shift), least, shift)
		}
	}
}

// wait puts the bins at hand on the list of those that are looked into when all features were tried, if there is room.
func (g *grower) wait(c cut, least uint32, shift, bins int, huge bool) bool {
	at := len(g.laterBins)
	if at+len(g.bins) > g.ways.mostLater {
		return false
	}
	g.laterBins = append(g.laterBins, g.bins...)
	w := waiting{cut: c, drawn: g.drawn, least: least, shift: shift, bins: bins, counts: g.laterBins[at:], huge: huge}
	if g.entropy != nil {
		w.start, w.end = g.entropy.keep(bins)
	}
	g.later = append(g.later, w)
	return true
}

// lookLater looks into the bins that wait.
func (g *grower) lookLater() {
	for i := range g.later {
		l := &g.later[i]
		g.bins, g.drawn = l.counts, l.drawn
		if g.entropy != nil {
			g.entropy.start, g.entropy.end = l.start, l.end
		}
		if g.markBins(false, l.bins) > 0 {
			g.lookInto(l.cut, g.pickedAgain(&g.cols[l.feature], l.least, l.shift, l.huge), l.least, l.shift)
		}
	}
	if g.entropy != nil {
		g.entropy.later = g.entropy.later[:0]
	}
}

// pickedAgain returns the keys of the rows in the marked bins, sorted, where those of the node are not at hand.
func (g *grower) pickedAgain(col *codedColumn, least uint32, shift int, huge bool) []uint64 {
	if huge {
		if keys := g.pickedInOrder(col); keys != nil {
			return keys
		}
	}
	return g.pickedInNode(col, least, shift)
}

// startFloats sets the weights by class to the start of a pass, and returns their sum on the left.
func (g *grower) startFloats(leftPass bool) float64 {
	sum := 0.0
	for c := range g.l {
		g.l[c] = 0
		if leftPass {
			g.l[c] = g.miss[c]
			sum += g.l[c]
		}
		g.r[c] = g.totals[c] - g.l[c]
	}
	return sum
}

// steepest bounds the change of the score with the weight that moves: the part of a side, Σ_c w_c²/w,
// changes with w_c by 2p_c - Σ p² , p_c being w_c/w, which lies in [-1, 1]; so both change by 2 at most. (And a
// little more, for rounding.)
const steepest = 2 + 1e-9

// offerBins offers the cuts between bins.
func (g *grower) offerBins(c cut, least uint32, shift, bins int) {
	if g.entropy != nil {
		g.offerBinsByEntropy(c, least, shift, bins)
		return
	}
	k := g.data.k
	weight := g.weight
	nl := g.startFloats(c.leftPass)
	c.coarse = true
	before := -1
	for i := range bins {
		bin := g.bins[i*k : i*k+k]
		var w, sl, sr float64
		for class, n := range bin {
			l, r, m := g.l[class], g.r[class], float64(n)
			sl += float64(l * l)
			sr += float64(r * r)
			w += m
			g.l[class], g.r[class] = l+m, r-m
		}
		if w == 0 {
			continue
		}
		if before >= 0 && promising(g.bar, nl, weight-nl, sl, sr) {
			c.lower, c.upper = least+uint32(before+1)<<shift-1, least+uint32(i)<<shift
			g.offer(c, nl, weight-nl, sl, sr)
		}
		before = i
		nl += w
	}
	if c.gaps > 0 && !c.leftPass {
		var sl, sr float64
		for class, l := range g.l {
			sl += float64(l * l)
			sr += float64(g.r[class] * g.r[class])
		}
		c.lower, c.upper = least+uint32(before+1)<<shift-1, ^uint32(0)
		g.offer(c, nl, weight-nl, sl, sr)
	}
}

// markBins marks the bins that may hold a better cut than the best, and returns their number. Most are ruled out by
// their weight: within a bin the score is at most that at its start plus steepest times its weight. In a bin of one
// class the score is largest at an end, unless that is too close to the side to be a cut.
func (g *grower) markBins(leftPass bool, bins int) int {
	if g.entropy != nil {
		return g.markBinsByEntropy(leftPass, bins)
	}
	k, marked := g.data.k, 0
	nl := g.startFloats(leftPass)
	for i := range bins {
		bin := g.bins[i*k : i*k+k]
		var w, sl, sr float64
		classes := 0
		for class, n := range bin {
			l, r := g.l[class], g.r[class]
			sl += float64(l * l)
			sr += float64(r * r)
			if n != 0 {
				w += float64(n)
				classes++
			}
		}
		g.look[i] = (classes > 1 || classes == 1 && g.cfg.MinLeaf > 1) &&
			promising(g.bar-float64(steepest*w), nl, g.weight-nl, sl, sr) && g.mayBeat(bin, nl, w)
		if g.look[i] {
			marked++
		}
		for class, n := range bin {
			g.l[class] += float64(n)
			g.r[class] -= float64(n)
		}
		nl += w
	}
	return marked
}

// mayBeat tells whether a cut within a bin of weight w may beat the best, given the weights
// left and right of the bin's start.
func (g *grower) mayBeat(bin []int32, nl, w float64) bool {
	switch len(bin) {
	case 2: // an end scores no more than these: one of the classes makes either side purer
		return g.corner2(float64(bin[0]), 0) || g.corner2(0, float64(bin[1]))
	case 3:
		a, b, c := float64(bin[0]), float64(bin[1]), float64(bin[2])
		return g.corner3(a, 0, 0) || g.corner3(0, b, 0) || g.corner3(0, 0, c) || g.corner3(a, b, 0) || g.corner3(a, 0, c) ||
			g.corner3(0, b, c) ||
			// an end that is too close to the side is no cut, and may score most
			g.cfg.MinLeaf > 1 && (g.corner3(0, 0, 0) || g.corner3(a, b, c))
	}
	// The corners of many classes are many. But the weight on the left is at least that at the
	// start, the weight on the right at least that at the end, and each class's part of the
	// score is convex in its own weight on the left: so the sum over the classes of the larger
	// part at either end is a bound too.
	invL, invR := 1/max(nl, 1), 1/max(g.weight-nl-w, 1)
	bound := 0.0
	for class, n := range bin {
		l, r, m := g.l[class], g.r[class], float64(n)
		l2, r2 := l+m, r-m
		bound += max(float64(l*l*invL)+float64(r*r*invR), float64(l2*l2*invL)+float64(r2*r2*invR))
	}
	return bound >= g.bar
}

// corner2 tells whether the score with so much more of each class on the left may beat the best.
func (g *grower) corner2(a, b float64) bool {
	l0, l1, r0, r1 := g.l[0]+a, g.l[1]+b, g.r[0]-a, g.r[1]-b
	return promising(g.bar, l0+l1, r0+r1, float64(l0*l0)+float64(l1*l1), float64(r0*r0)+float64(r1*r1))
}

func (g *grower) corner3(a, b, c float64) bool {
	l0, l1, l2 := g.l[0]+a, g.l[1]+b, g.l[2]+c
	r0, r1, r2 := g.r[0]-a, g.r[1]-b, g.r[2]-c
	return promising(g.bar, l0+l1+l2, r0+r1+r2, float64(l0*l0)+float64(l1*l1)+float64(l2*l2), float64(r0*r0)+
		float64(r1*r1)+float64(r2*r2))
}

// lookInto offers the cuts within the marked bins, given their keys, sorted.
func (g *grower) lookInto(c cut, picked []uint64, least uint32, shift int) {
	k := g.data.k
	t := g.allRight()
	if c.leftPass {
		t = g.missingLeft()
	}
	c.coarse = false
	bin := 0
	for len(picked) > 0 {
		at := int((uint32(picked[0]>>32) - least) >> shift)
		for ; bin < at; bin++ {
			for class, n := range g.bins[bin*k : bin*k+k] { // the whole bin goes left
				if n != 0 {
					t.move(g.left, g.totals, uint32(class), float64(n))
				}
			}
		}
		n := 1
		for n < len(picked) && int((uint32(picked[n]>>32)-least)>>shift) == at {
			n++
		}
		copy(g.atBin, g.left)
		g.walkKeys(c, t, picked[:n], false)
		copy(g.left, g.atBin)
		picked = picked[n:]
	}
}

// picked returns the keys of the marked bins, sorted.
func (g *grower) picked(keys []uint64, least uint32, shift int) []uint64 {
	n := 0
	out := room(&g.picks, len(keys)+1)
	for _, key := range keys {
		out[n] = key
		if g.look[(uint32(key>>32)-least)>>(shift&31)] {
			n++
		}
	}
	return g.sortPicked(out[:n])
}

// sortPicked returns the keys sorted.
func (g *grower) sortPicked(keys []uint64) []uint64 {
	lo, hi := ^uint32(0), uint32(0)
	for _, key := range keys {
		lo, hi = min(lo, uint32(key>>32)), max(hi, uint32(key>>32))
	}
	return sorted(keys, room(&g.spare, len(keys)), g.starts, lo, hi)
}
