package forest

import (
	"math"
	"math/bits"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// Huge nodes, those of more than hugeRows rows. What takes long there is to go through all
// rows once for every feature tried, and with a rare class trees are chains: each node has
// nearly all the rows of its parent. So the counts of a feature's bins are kept from one node
// to the next below it, and the rows that have left are taken off: they stand on a stack, see stack.go.
// And with a rare class the few rows of the bins to be looked into are found through the order of
// the column, without a pass through the node. The bins are the same for all nodes: bin b holds the codes from
// b<<shift + 1.
//
// In data of chains the bin of each row with a wide code is kept in a byte: four times as many as of the codes fit
// into the cache. The rows of huge nodes are counted, picked and parted by these bytes, and codes are read only of
// rows in the few bins where they matter. So all that pays from chainRows rows on. Nearly all rows being of one
// class, they are counted without their class, and the rare ones, which are listed, counted singly after that.

const (
	hugeRows   = 4096
	chainRows  = 512
	hugeBits   = 8       // 2 to this power bins at most
	mostKept   = 1 << 16 // features × classes whose counts are kept: 64 MiB in each worker
	mostLevels = 8       // nodes, one below the other, of which they are kept,
	fewKept    = 1 << 13 // as long as these are no more
)

// keptLevels returns of how many nodes, one below the other, counts are kept.
func keptLevels(classes, features int) int {
	return min(mostLevels, max(1, fewKept/(classes*features)))
}

// kept are the counts of a feature's bins for the rows of a node. Those of a node that is its larger part, or the
// larger part of that, and so on, are the same but for the rows that stand on the stack since.
type kept struct {
	stamp   uint32
	top     int // of the stack
	waiting int // nodes that wait below it on the list: fewer, and nobody needs these counts any more
	counts  []int32
}

// hugeScratch is what the search of huge nodes needs.
type hugeScratch struct {
	kept    [][]kept // by feature, those of a node, then of one below it
	weights []int32  // counts that are not kept

	// In data of chains:
	member      []uint32 // by row: stamp of the node it is in, kept up for huge nodes; of rows out of bag, and outside
	payloads    []uint32 // by row: class and times, as in a row
	stamps      uint32   // given out so far
	rare        []row    // the rows in the bag that are not of the most common class; those of a huge node are a range
	spared      []row
	takes       bool     // rows are taken out, see stack.go
	taken       []uint64 // a bit for each row in the bag that is, then for those out of it
	top, oobTop int      // of the stacks
}

func (s *hugeScratch) init(w *growth) {
	d := w.coded
	for i := range d.columns {
		if s.kept == nil && d.columns[i].bins > 0 && w.cfg.MaxLeaves == 0 {
			s.kept = make([][]kept, len(d.columns))
			for f := range s.kept {
				s.kept[f] = make([]kept, 0, keptLevels(d.k, len(d.columns)))
			}
		}
		if s.member == nil && d.columns[i].order != nil {
			s.member, s.payloads = make([]uint32, len(d.class)), make([]uint32, len(d.class))
			s.takes = d.takesOut(w.cfg)
		}
	}
}

// startTree stamps the rows as those of the root.
func (g *grower) startTree() {
	g.stamps = 1
	for f := range g.kept {
		g.kept[f] = g.kept[f][:0]
	}
	if g.member == nil {
		return
	}
	clear(g.member)
	g.rare = g.rare[:0]
	for _, r := range g.inBag {
		g.member[r.id()], g.payloads[r.id()] = 1, r.payload()
		if r.class() > 0 {
			g.rare = append(g.rare, r)
		}
	}
	for _, id := range g.outOfBag {
		g.member[id] = outside + 1
	}
}

// stampSmall gives the rows of the smaller child of a huge node a stamp of their own, and parts its rare rows: those
// of the smaller child come first.
func (g *grower) stampSmall(small, large *task) {
	g.stamps++
	small.stamp = g.stamps
	if g.member == nil {
		return
	}
	for _, r := range g.inBag[small.lo:small.hi] {
		g.member[r.id()] = g.stamps
	}
	for _, id := range g.outOfBag[small.oobLo:small.oobHi] {
		g.member[id] = outside + g.stamps
	}
	rare, spared := g.rare[g.at.rareLo:g.at.rareHi], room(&g.spared, g.at.rareHi-g.at.rareLo)
	n := partBy(rare, rare, spared, func(r row) uint32 { return isZero(g.member[r.id()] ^ g.stamps) })
	copy(rare[n:], spared)
	small.rareLo, small.rareHi = g.at.rareLo, g.at.rareLo+n
	large.rareLo, large.rareHi = g.at.rareLo+n, g.at.rareHi
}

// isZero returns 1 if x is 0, else 0, without a branch.
func isZero(x uint32) uint32 { return uint32(vector.Below(x, 1)) }

// keepBins makes bins of codes, 2 to the power of binBits at most.
func (c *codedColumn) keepBins(binBits int) {
	c.shift = max(0, bits.Len32(c.most-1)-binBits)
	c.bins = int((c.most-1)>>c.shift) + 1
}

// keepOrder notes the rows in the order of their codes, where the bins begin, and of wide codes the bins, 256 at
// most. What it needs for that, 4 bytes a code, it leaves for the next column.
func (c *codedColumn) keepOrder(scratch *[]uint32) {
	var ends []uint32
	if c.wide != nil {
		c.order, ends = rowOrder(c.wide, c.most, scratch)
	} else {
		c.order, ends = rowOrder(c.narrow, c.most, scratch)
	}
	c.starts = make([]uint32, c.bins+1)
	for bin := range c.starts {
		c.starts[bin] = ends[min(uint32(bin)<<c.shift, c.most)]
	}
	if c.wide != nil {
		c.bin = make([]uint8, len(c.wide))
		for i, code := range c.wide {
			c.bin[i] = uint8((code - 1) >> c.shift)
		}
	}
}

// huge looks for the best cut of a feature in a huge node. It returns false, having offered
// nothing, when all rows are in one bin.
func (g *grower) huge(feature int, col *codedColumn) bool {
	shift, bins := col.shift, col.bins
	g.bins = g.nodeCounts(feature, col)
	filled := 0
	for b := 0; b < len(g.bins) && filled < 2; b += g.data.k {
		if !isEmpty(g.bins[b : b+g.data.k]) {
			filled++
		}
	}
	if filled < 2 {
		g.wholeNode()
		return false
	}
	g.tried++
	c := cut{feature: feature}
	g.offerBins(c, 1, shift, bins)
	if shift > 0 && !g.wait(c, 1, shift, bins, true) && g.markBins(false, bins) > 0 {
		g.lookInto(c, g.pickedAgain(col, 1, shift, true), 1, shift)
	}
	return true
}

// nodeCounts returns the counts of the node's rows by bin and class. Where the bins of rows are kept, nearly all
// rows are of the most common class: so the rows are counted without their class, and the rare ones of the node then
// given theirs.
func (g *grower) nodeCounts(feature int, col *codedColumn) []int32 {
	k := g.data.k
	if col.bin == nil {
		return g.keptCounts(feature, col, col.bins*k)
	}
	counts := room(&g.hist, col.bins*k)
	clear(counts)
	for bin, weight := range g.keptCounts(feature, col, 1<<hugeBits)[:col.bins] {
		counts[bin*k] = weight
	}
	for _, r := range g.rare[g.at.rareLo:g.at.rareHi] {
		bin, weight := int(col.bin[r.id()])*k, int32(r.times())
		counts[bin] -= weight
		counts[bin+int(r.class())] += weight
	}
	return counts
}

// keptCounts returns the counts of so many bins, or of bins and classes: from those kept of a node
// above, if fewer rows have left than stayed, else by counting.
func (g *grower) keptCounts(feature int, col *codedColumn, size int) []int32 {
	counts := room(&g.weights, size)
	if g.kept != nil {
		kept := g.kept[feature]
		for len(kept) > 0 && kept[len(kept)-1].waiting > len(g.todo) {
			kept = kept[:len(kept)-1]
		}
		if last := len(kept) - 1; last >= 0 && kept[last].stamp == g.at.stamp {
			k := &kept[last]
			if left := g.inBag[k.top:g.top]; len(left) < g.at.size() {
				g.addCounts(k.counts, col, left, -1)
				k.top, g.kept[feature] = g.top, kept
				return k.counts
			}
			kept = kept[:last]
		}
		if g.kept[feature] = kept; len(kept) < cap(kept) {
			counts = g.keep(feature, size, g.at.stamp, g.top, len(g.todo))
		}
	}
	g.wholeNode()
	clear(counts)
	g.addCounts(counts, col, g.rows, 1)
	return counts
}

// keep returns the counts of so many bins that are to be kept, for the rows of a node.
func (g *grower) keep(feature, size int, stamp uint32, top, waiting int) []int32 {
	at := len(g.kept[feature])
	g.kept[feature] = g.kept[feature][:at+1]
	k := &g.kept[feature][at]
	if k.counts == nil {
		k.counts = make([]int32, size)
	}
	k.stamp, k.top, k.waiting = stamp, top, waiting
	return k.counts
}

// addCounts adds the weights of rows, times the sign, to the counts of their bins.
func (g *grower) addCounts(counts []int32, col *codedColumn, rows []row, sign int32) {
	switch {
	case col.bin != nil:
		addWeights(counts, rows, col.bin, sign)
	case g.vectors.bagPacks && col.wide != nil:
		addPacked(counts, rows, col.wide, col.shift, g.data.k, sign)
	case g.vectors.bagPacks:
		addPacked(counts, rows, col.narrow, col.shift, g.data.k, sign)
	case col.wide != nil:
		addCounts(counts, rows, col.wide, col.shift, g.data.k, sign)
	default:
		addCounts(counts, rows, col.narrow, col.shift, g.data.k, sign)
	}
}

// addPacked is addCounts by packed weights, with vectors.
//
//go:noinline
func addPacked[C code](counts []int32, rows []row, codes []C, shift, k int, sign int32) {
	var fetched, narrow [fetchRows]uint32
	var packed [fetchRows]uint64
	var bins [1 << hugeBits]uint64
	for len(rows) > 0 {
		vector.Fetch(fetched[:], rows, codes)
		some := rows[:min(len(rows), fetchRows)]
		rows = rows[len(some):]
		vector.Weigh(narrow[:], packed[:], some)
		vector.Count(bins[:], fetched[:len(some)], packed[:], 1, shift)
	}
	for bin, weight := range bins {
		if weight == 0 {
			continue
		}
		for class := range k {
			counts[bin*k+class] += sign * int32(weight>>(vector.WideBits*class)&(1<<vector.WideBits-1))
		}
	}
}

// fetchRows is how many codes are fetched before something is done with them. (What is done in between would keep
// the processor from asking for the next ones: 1 to 2 % of a tree on 500,000 waves.)
const fetchRows = 256

//go:noinline
func addCounts[C code](counts []int32, rows []row, codes []C, shift, k int, sign int32) {
	var fetched [fetchRows]uint32
	for len(rows) > 0 {
		vector.Fetch(fetched[:], rows, codes)
		some := rows[:min(len(rows), fetchRows)]
		rows = rows[len(some):]
		for i, r := range some {
			counts[int((fetched[i]-1)>>(shift&31))*k+int(uint32(r)>>16)] += sign * int32(r&0xffff)
		}
	}
}

// pickedInOrder returns the keys of the rows in the marked bins, sorted, through the order of
// the column; nil if there is none, or the rows of those bins are too many for that to pay.
func (g *grower) pickedInOrder(col *codedColumn) []uint64 {
	if col.order == nil {
		return nil
	}
	inBins := 0
	for b := range col.bins {
		if g.look[b] {
			inBins += int(col.starts[b+1] - col.starts[b])
		}
	}
	if 2*inBins > len(g.rows) {
		return nil
	}
	keys, n := room(&g.keys, inBins+1), 0
	for b := range col.bins {
		if g.look[b] {
			n += g.membersOf(keys[n:], col.order[col.starts[b]:col.starts[b+1]])
		}
	}
	keys = keys[:n]
	for i, row := range keys {
		keys[i] = uint64(col.at(uint32(row)))<<32 | uint64(g.payloads[row])
	}
	return keys
}

// membersOf writes those of the rows that are in the node, and returns their number; there is room for one more.
func (g *grower) membersOf(to []uint64, rows []uint32) int {
	var stamps [fetchRows]uint32
	n, stamp := 0, g.at.stamp
	for len(rows) > 0 {
		vector.Fetch(stamps[:], rows, g.member)
		some := rows[:min(len(rows), fetchRows)]
		rows = rows[len(some):]
		for i, row := range some {
			to[n] = uint64(row)
			n += int(isZero(stamps[i] ^ stamp))
		}
	}
	return n
}

// pickedInNode returns the keys of the rows in the marked bins, sorted, by going through the node.
func (g *grower) pickedInNode(col *codedColumn, least uint32, shift int) []uint64 {
	g.wholeNode()
	n, keys := 0, room(&g.picks, len(g.rows)+1)
	switch {
	case col.bin != nil && least == 1 && shift == col.shift:
		n = pickByBin(keys, g.rows, col.bin, col.wide, g.look)
	case col.wide != nil:
		n = pickMarked(keys, g.rows, col.wide, g.look, least, shift)
	default:
		n = pickMarked(keys, g.rows, col.narrow, g.look, least, shift)
	}
	return g.sortPicked(keys[:n])
}

// pickMarked writes the keys of the rows in the marked bins, and returns their number.
//
//go:noinline
func pickMarked[C code](keys []uint64, rows []row, codes []C, look []bool, least uint32, shift int) int {
	var fetched [fetchRows]uint32
	n := 0
	for len(rows) > 0 {
		vector.Fetch(fetched[:], rows, codes)
		some := rows[:min(len(rows), fetchRows)]
		rows = rows[len(some):]
		for i, r := range some {
			c := fetched[i]
			keys[n] = uint64(c)<<32 | uint64(uint32(r))
			if look[(c-least)>>(shift&31)] {
				n++
			}
		}
	}
	return n
}

// pickByBin is pickMarked for rows whose bins are known.
//
//go:noinline
func pickByBin(keys []uint64, rows []row, bins []uint8, codes []uint32, look []bool) int {
	n := 0
	look = look[:math.MaxUint8+1]
	for _, r := range rows {
		if look[bins[r>>32]] {
			keys[n] = uint64(codes[r>>32])<<32 | uint64(uint32(r))
			n++
		}
	}
	return n
}

// settleInOrder is settle through the order of the column. It returns false, having done nothing, where the bin has
// more rows than the node.
func (g *grower) settleInOrder(col *codedColumn) bool {
	bin, lower := (g.best.lower-1)>>col.shift, g.best.lower
	if int(col.starts[bin+1]-col.starts[bin]) > len(g.rows) {
		return false
	}
	i := int(col.starts[bin+1]) - 1
	for g.member[col.order[i]] != g.at.stamp || col.at(col.order[i]) > lower {
		i--
	}
	j := int(col.starts[bin])
	for g.member[col.order[j]] != g.at.stamp || col.at(col.order[j]) <= lower {
		j++
	}
	g.best.lower, g.best.upper = col.at(col.order[i]), col.at(col.order[j])
	return true
}

// addWeights adds the weights of rows, times the sign, to their bins, without their class.
func addWeights(weights []int32, rows []row, bins []uint8, sign int32) {
	if sign > 0 {
		vector.CountByID((*[1 << hugeBits]int32)(weights), rows, bins)
		return
	}
	var left [1 << hugeBits]int32
	vector.CountByID(&left, rows, bins)
	for bin, weight := range left {
		weights[bin] -= weight
	}
}
