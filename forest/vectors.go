//go:build goexperiment.simd && amd64 && go1.26 && !go1.27

package forest

import (
	"math"
	"math/bits"
	"simd/archsimd"
)

// The search for the best cut of a numeric feature with vectors of AVX-512, where weights are whole,
// the classes three at most, and no cell is missing in the node; and, as large nodes of chains are
// left to huge.go, where there are chainRows rows at most or the trees are no chains:
//
//	up to pairRows rows     compare each code with every other: the weight left of the cut after
//	                        a code is that of all codes up to it, so nothing needs to be sorted
//	up to vectorRows        bins as in bounds.go; the rows of marked bins are compared in this way
//
// The weights of three classes are packed into one number, so that one sum is that of each. All cuts
// are scored, eight at a time, and only the best is offered, of equal ones that of the lowest code.
// All sums are of whole numbers, and what is done with them is what promising and offer do: so
// the best cut is that of the other ways, to the last bit.

const (
	vectorRows = 1 << 16
	pairRows   = 64
	groupMost  = 255 // what the rows of marked bins that are compared at once may weigh

	pairBits   = 10 // bits of a class where rows are compared,
	packedBits = 21 // and elsewhere
	pairMask   = 1<<pairBits - 1
	packedMask = 1<<packedBits - 1
	perVector  = 16 // numbers of 32 bits
)

// vectorScratch is what the search with vectors needs. Weights are packed.
type vectorScratch struct {
	able    bool       // vectors may search the node at hand
	sums    [3]float64 // its weights by class
	codes   []uint32   // of its rows
	weights []uint32   // of its rows, to be compared,
	packed  []uint64   // and to be put into bins

	bins    []uint64 // the weights of the bins,
	before  []uint64 // and of what is left of them
	numbers []uint32 // of the bins: 0, 1, ...
	marks   marks

	marked        []uint32 // the codes of the rows in marked bins,
	markedWeights []uint32
	left          []uint64 // and the weights left of the cuts after them
}

// marks has a bit for each bin.
type marks [maxBins / 32]uint32

// vectorLimit returns up to how many rows a node is searched with vectors: none if the processor has not got them.
func vectorLimit() int {
	if !archsimd.X86.AVX512() {
		return 0
	}
	return vectorRows
}

// vectorMemory returns the bytes of the scratch for data of so many rows.
func vectorMemory(rows int64) int64 {
	const row, fixed = 4 + 4 + 8, maxBins*(8+8+4) + groupMost*(4+4+8)
	return fixed + row*min(rows, int64(vectorLimit()))
}

// makeVectors makes the scratch.
func (g *grower) makeVectors() {
	v, rows := &g.vectors, min(g.ways.vectorRows, len(g.votes))
	v.codes, v.weights, v.packed = make([]uint32, rows+perVector), make([]uint32, rows+perVector), make([]uint64, rows)
	v.bins, v.before, v.numbers = make([]uint64, maxBins), make([]uint64, maxBins+1), make([]uint32, maxBins)
	for i := range v.numbers {
		v.numbers[i] = uint32(i)
	}
	const group = groupMost + perVector
	v.marked, v.markedWeights, v.left = make([]uint32, group), make([]uint32, group), make([]uint64, group)
}

// readyVectors prepares the search of the node at hand.
func (g *grower) readyVectors() {
	v, n := &g.vectors, len(g.rows)
	most := float64(packedMask)
	if n <= g.ways.pairRows {
		most = pairMask
	}
	v.able = n <= g.ways.vectorRows && (n <= g.ways.hugeRows || g.member == nil) && g.data.k <= len(v.sums) && g.data.real == nil && g.weight <= most
	if !v.able {
		return
	}
	if v.codes == nil {
		g.makeVectors()
	}
	copy(v.sums[:], g.totals)
	weights := v.weights[:n]
	for i, r := range g.rows {
		weights[i] = r.times() << (pairBits * r.class() & 31)
	}
	if n <= g.ways.pairRows {
		return
	}
	packed := v.packed[:n]
	for i, r := range g.rows {
		packed[i] = uint64(r.times()) << (packedBits * r.class() & 63)
	}
}

// byVectors looks for the best cut of a numeric feature. It returns false where another way must: what it
// has offered until then is offered again.
func (g *grower) byVectors(feature int, col *codedColumn) bool {
	v, n := &g.vectors, len(g.rows)
	var least, most uint32
	if col.wide != nil {
		least, most = fetch(v.codes, g.rows, col.wide)
	} else {
		least, most = fetch(v.codes, g.rows, col.narrow)
	}
	switch {
	case least == most:
		return true
	case least == 0:
		return false // some cells are missing
	case n <= g.ways.pairRows:
		g.offerPairs(feature, v.codes, v.weights, n, nil, least, 0)
	case !g.offerInBins(feature, least, most):
		return false
	}
	g.tried++
	return true
}

// fetch writes the codes of the rows and returns their range.
//
//go:noinline
func fetch[C code](to []uint32, rows []row, codes []C) (least, most uint32) {
	least = ^uint32(0)
	to = to[:len(rows)]
	for i, r := range rows {
		c := uint32(codes[r>>32])
		to[i] = c
		least, most = min(least, c), max(most, c)
	}
	return least, most
}

// offerPairs offers the cuts after n codes, given their weights. Before has for each bin, and at its end for the node,
// the weights left of it that are not among these; nil is for none.
func (g *grower) offerPairs(feature int, codes, weights []uint32, n int, before []uint64, least uint32, shift int) {
	v := &g.vectors
	archsimd.BroadcastUint32x16(math.MaxUint32).StoreSlice(codes[n : n+perVector]) // all is left of these: no cuts
	comparePairs(v.left, codes, weights, n)
	if before != nil {
		for i, c := range codes[:n] {
			v.left[i] += before[(c-least)>>(shift&31)]
		}
		for i := range 8 {
			v.left[n+i] = before[len(before)-1]
		}
	}
	if score, lower, weight := g.bestOf(codes, v.left, n); score > 0 {
		g.offerVector(feature, lower, weight, score)
	}
}

// comparePairs writes for each of n codes the weights of all codes up to it.
func comparePairs(left []uint64, codes, weights []uint32, n int) {
	weights = weights[:n]
	for i := 0; i < n; i += perVector {
		at := archsimd.LoadUint32x16Slice(codes[i:])
		var sum archsimd.Uint32x16
		for j, c := range codes[:n] {
			sum = sum.Add(archsimd.BroadcastUint32x16(weights[j]).Masked(archsimd.BroadcastUint32x16(c).LessEqual(at)))
		}
		spread(sum.GetLo()).StoreSlice(left[i:])
		spread(sum.GetHi()).StoreSlice(left[i+8:])
	}
}

// spread packs weights that are packed by pairBits by packedBits.
func spread(weights archsimd.Uint32x8) archsimd.Uint64x8 {
	x, mask := weights.ExtendToUint64(), archsimd.BroadcastUint64x8(pairMask)
	b, c := x.ShiftAllRight(pairBits).And(mask), x.ShiftAllRight(2*pairBits)
	return x.And(mask).Or(b.ShiftAllLeft(packedBits)).Or(c.ShiftAllLeft(2 * packedBits))
}

// unpack returns the weights of three classes.
func unpack(x archsimd.Uint64x8) (a, b, c archsimd.Float64x8) {
	mask := archsimd.BroadcastUint64x8(packedMask)
	return x.And(mask).ConvertToFloat64(), x.ShiftAllRight(packedBits).And(mask).ConvertToFloat64(), x.ShiftAllRight(2 * packedBits).ConvertToFloat64()
}

// squares returns the sum of squares.
func squares(a, b, c archsimd.Float64x8) archsimd.Float64x8 {
	return a.Mul(a).Add(b.Mul(b)).Add(c.Mul(c))
}

// promisingVector is promising.
func promisingVector(bar, weightL, weightR, squaresL, squaresR archsimd.Float64x8) archsimd.Mask64x8 {
	return squaresL.Mul(weightR).Add(squaresR.Mul(weightL)).GreaterEqual(bar.Mul(weightL.Mul(weightR)))
}

// bestOf returns the best of the cuts after n codes, given the weights left of each: its score, the code and the weight
// on its left. The score is 0 if none is promising. What follows the n in their last vector must be no cut.
func (g *grower) bestOf(codes []uint32, left []uint64, n int) (score float64, code uint32, weight float64) {
	s := &g.vectors.sums
	t0, t1, t2 := archsimd.BroadcastFloat64x8(s[0]), archsimd.BroadcastFloat64x8(s[1]), archsimd.BroadcastFloat64x8(s[2])
	whole, bar, least := archsimd.BroadcastFloat64x8(g.weight), archsimd.BroadcastFloat64x8(g.bar), archsimd.BroadcastFloat64x8(float64(max(1, g.cfg.MinLeaf)))
	var scores, weights archsimd.Float64x8
	var at archsimd.Uint64x8
	found := uint8(0)
	for i := 0; i < n; i += 8 {
		l0, l1, l2 := unpack(archsimd.LoadUint64x8Slice(left[i:]))
		wl := l0.Add(l1).Add(l2)
		wr := whole.Sub(wl)
		sl, sr := squares(l0, l1, l2), squares(t0.Sub(l0), t1.Sub(l1), t2.Sub(l2))
		ok := promisingVector(bar, wl, wr, sl, sr).And(wl.GreaterEqual(least)).And(wr.GreaterEqual(least))
		if ok.ToBits() == 0 {
			continue
		}
		score := sl.Div(wl).Add(sr.Div(wr))
		code := archsimd.LoadUint32x8Slice(codes[i:]).ExtendToUint64()
		ok = ok.And(score.Greater(scores).Or(score.Equal(scores).And(code.Less(at))))
		scores, at, weights = score.Merge(scores, ok), code.Merge(at, ok), wl.Merge(weights, ok)
		found |= ok.ToBits()
	}
	if found == 0 {
		return 0, 0, 0
	}
	var byScore, byWeight [8]float64
	var byCode [8]uint64
	scores.Store(&byScore)
	weights.Store(&byWeight)
	at.Store(&byCode)
	best := 0
	for i, score := range byScore {
		if score > byScore[best] || score == byScore[best] && byCode[i] < byCode[best] {
			best = i
		}
	}
	return byScore[best], uint32(byCode[best]), byWeight[best]
}

// offerVector offers the cut after a code, which need not be one of the node, given its weight on the left.
func (g *grower) offerVector(feature int, code uint32, weight, score float64) {
	if b := &g.best; b.found && (score < b.score || score == b.score && (b.feature != feature || b.lower <= code)) {
		return
	}
	lower, upper := neighbours(g.vectors.codes[:len(g.rows)], code)
	g.take(cut{feature: feature, lower: lower, upper: upper}, weight, g.weight-weight, score)
}

// neighbours returns the largest of the codes up to the given one, and the least above it.
func neighbours(codes []uint32, code uint32) (lower, upper uint32) {
	upper = math.MaxUint32
	at, none := archsimd.BroadcastUint32x16(code), archsimd.BroadcastUint32x16(upper)
	var below archsimd.Uint32x16
	above := none
	for ; len(codes) >= perVector; codes = codes[perVector:] {
		c := archsimd.LoadUint32x16Slice(codes)
		left := c.LessEqual(at)
		below, above = below.Max(c.Masked(left)), above.Min(none.Merge(c, left))
	}
	var b, a [perVector]uint32
	below.Store(&b)
	above.Store(&a)
	for i := range b {
		lower, upper = max(lower, b[i]), min(upper, a[i])
	}
	for _, c := range codes {
		if c <= code {
			lower = max(lower, c)
		} else {
			upper = min(upper, c)
		}
	}
	return lower, upper
}

// offerInBins is coarse. It returns false if it has not offered all that coarse would.
func (g *grower) offerInBins(feature int, least, most uint32) bool {
	v, n := &g.vectors, len(g.rows)
	wanted := min(10, max(4, bits.Len(uint(n))-3))
	if g.ways.binBits > 0 {
		wanted = g.ways.binBits
	}
	shift := max(0, bits.Len32(most-least)-wanted)
	used := int((most-least)>>shift) + 1
	padded := (used + 7) / 8 * 8
	bins, before := v.bins[:padded], v.before[:padded+1]
	clear(bins)
	countPacked(bins, v.codes[:n], v.packed, least, shift)
	sum := uint64(0)
	for i, x := range bins {
		sum += x
		before[i+1] = sum
	}
	if score, bin, weight := g.bestOf(v.numbers, before[1:], used); score > 0 {
		g.offerVector(feature, least+(bin+1)<<shift-1, weight, score)
	}
	if shift == 0 || !g.markVectors(bins, before) {
		return true
	}
	return g.lookIntoMarked(feature, bins, before, least, shift)
}

// lookIntoMarked offers the cuts within the marked bins, of as many at once as may be compared. It returns false if the
// rows of one bin are too many for that.
func (g *grower) lookIntoMarked(feature int, bins, before []uint64, least uint32, shift int) bool {
	v, all := &g.vectors, g.vectors.marks
	clear(v.marks[:])
	group, weight := uint64(0), uint64(0) // of the bins to be looked into at once
	for word, rest := range all {
		for ; rest != 0; rest &= rest - 1 {
			b := word*32 + bits.TrailingZeros32(rest)
			w := bins[b]&packedMask + bins[b]>>packedBits&packedMask + bins[b]>>(2*packedBits)
			if w > groupMost {
				return false
			}
			if weight+w > groupMost {
				g.offerPairs(feature, v.marked, v.markedWeights, g.pickVectors(least, shift), before, least, shift)
				clear(v.marks[:])
				group, weight = 0, 0
			}
			v.marks[word] |= rest & -rest
			before[b] -= group
			group, weight = group+bins[b], weight+w
		}
	}
	g.offerPairs(feature, v.marked, v.markedWeights, g.pickVectors(least, shift), before, least, shift)
	return true
}

// countPacked adds the packed weights of codes to their bins of 2^shift codes.
//
//go:noinline
func countPacked(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int) {
	weights = weights[:len(codes)]
	for i, c := range codes {
		bins[(c-least)>>(shift&31)] += weights[i]
	}
}

// markVectors marks the bins that may hold a better cut, as markBins does, and tells whether there are any.
func (g *grower) markVectors(bins, before []uint64) bool {
	v, s := &g.vectors, &g.vectors.sums
	clear(v.marks[:])
	t0, t1, t2 := archsimd.BroadcastFloat64x8(s[0]), archsimd.BroadcastFloat64x8(s[1]), archsimd.BroadcastFloat64x8(s[2])
	whole, bar, steep := archsimd.BroadcastFloat64x8(g.weight), archsimd.BroadcastFloat64x8(g.bar), archsimd.BroadcastFloat64x8(steepest)
	var zero archsimd.Float64x8
	found := false
	for i := 0; i < len(bins); i += 8 {
		m0, m1, m2 := unpack(archsimd.LoadUint64x8Slice(bins[i:]))
		b0, b1, b2 := m0.Greater(zero).ToBits(), m1.Greater(zero).ToBits(), m2.Greater(zero).ToBits()
		marks := b0&b1 | b0&b2 | b1&b2
		if g.cfg.MinLeaf > 1 {
			marks = b0 | b1 | b2
		}
		if marks == 0 {
			continue
		}
		l0, l1, l2 := unpack(archsimd.LoadUint64x8Slice(before[i:]))
		r0, r1, r2 := t0.Sub(l0), t1.Sub(l1), t2.Sub(l2)
		wl := l0.Add(l1).Add(l2)
		low := bar.Sub(steep.Mul(m0.Add(m1).Add(m2)))
		if marks &= promisingVector(low, wl, whole.Sub(wl), squares(l0, l1, l2), squares(r0, r1, r2)).ToBits(); marks == 0 {
			continue
		}
		reached := uint8(0)
		for corner := 1; corner < 1<<g.data.k-1; corner++ {
			c0, c1, c2 := m0.Masked(lanesIf(corner&1)), m1.Masked(lanesIf(corner>>1&1)), m2.Masked(lanesIf(corner>>2&1))
			x0, x1, x2 := l0.Add(c0), l1.Add(c1), l2.Add(c2)
			wl := x0.Add(x1).Add(x2)
			reached |= promisingVector(bar, wl, whole.Sub(wl), squares(x0, x1, x2), squares(r0.Sub(c0), r1.Sub(c1), r2.Sub(c2))).ToBits()
		}
		if marks &= reached; marks != 0 {
			found = true
			v.marks[i/32] |= uint32(marks) << (i & 31)
		}
	}
	return found
}

// lanesIf returns the mask of all lanes for 1, of none for 0.
func lanesIf(bit int) archsimd.Mask64x8 { return archsimd.Mask64x8FromBits(uint8(-bit)) }

// pickVectors writes codes and weights of the rows in marked bins, and returns their number.
func (g *grower) pickVectors(least uint32, shift int) int {
	v, rows, n := &g.vectors, len(g.rows), 0
	first, one, low := archsimd.BroadcastUint32x16(least), archsimd.BroadcastUint32x16(1), archsimd.BroadcastUint32x16(31)
	marks, more := archsimd.LoadUint32x16Slice(v.marks[:perVector]), archsimd.LoadUint32x16Slice(v.marks[perVector:])
	for i := 0; i < rows; i += perVector {
		codes := archsimd.LoadUint32x16Slice(v.codes[i:])
		bin := codes.Sub(first).ShiftAllRight(uint64(shift))
		mark := marks.ConcatPermute(more, bin.ShiftAllRight(5)).ShiftRight(bin.And(low)).And(one)
		picks := mark.Equal(one).ToBits()
		if rest := rows - i; rest < perVector {
			picks &= 1<<rest - 1
		}
		mask := archsimd.Mask32x16FromBits(picks)
		codes.Compress(mask).StoreSlice(v.marked[n:])
		archsimd.LoadUint32x16Slice(v.weights[i:]).Compress(mask).StoreSlice(v.markedWeights[n:])
		n += bits.OnesCount16(picks)
	}
	return n
}
