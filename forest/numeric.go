package forest

import (
	"math/bits"
	"slices"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// The search for the best cut of a numeric feature, for whole weights. What a node costs is
// decided by its size and by how many codes it has:
//
//	a column of few codes         count the classes of each code, walk over the counts
//	up to boundRows rows          sort the rows by code, walk over them; or count, if the
//	                              node has few codes
//	more rows                     count the classes of bins of codes; look only into those
//	                              bins that can hold a better cut (bounds.go)
//	more than hugeRows rows       the same, with counts kept from node to node (huge.go); where
//	                              trees are chains more than chainRows
//	any of these                  with vectors, on a processor that has them (vectors.go)
//
// All offer the same best cut: they differ in which cuts they can rule out at once. Entropy takes the same ways but
// for the last, with loops of its own (entropy.go).

// scratch is what the search needs and no node keeps.
type scratch struct {
	ways ways

	left   []float64 // by class, the weight left of the cut
	rest   []float64 // by class, the weight right of it, where the criterion asks for it
	miss   []float64 // by class, the weight of the rows that miss the feature
	hist   []int32   // codes or bins × classes
	starts []uint32
	keys   []uint64
	spare  []uint64
	picks  []uint64 // keys of the marked bins
	codes  []uint32 // of a random cut, by row of the node
	leftOf []uint64 // by class, draws left of it
	bounds
}

func (s *scratch) init(d *coded) {
	s.ways = ways{histPerRow, boundRows * max(1, d.k/3), 0, hugeRows, true, localRows, localFrom, localMixed,
		vectorLimit(), pairRows, mostLater}
	s.left, s.rest, s.miss = make([]float64, d.k), make([]float64, d.k), make([]float64, d.k)
	s.hist = make([]int32, maxBins*d.k)
	s.starts = make([]uint32, 1<<mostBuckets+2)
	s.bounds.init(d)
}

const (
	histPerRow = 2   // a histogram pays up to so many counts a row
	boundRows  = 256 // rows from which bins are worth their bounds, with few classes
)

// room returns n elements of what is in s, which grows if need be, and by a little more, since the
// bags of trees differ a little in size.
func room[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n+n/64)
	}
	return (*s)[:n]
}

// ways says when each way is taken. Tests take every way everywhere.
type ways struct {
	histPerRow int  // count codes up to so many counts a row
	sortRows   int  // sort up to so many rows
	binBits    int  // 2 to this power bins; 0 means as many as fit the rows
	hugeRows   int  // keep counts above so many rows
	pairs      bool // split nodes of two rows at once
	localRows  int  // copy subtrees of up to so many rows
	localFrom  int  // of data of so many rows or more,
	localMixed int  // with so many rows of the most common class and of others
	vectorRows int  // search with vectors up to so many rows; 0 where there are none,
	pairRows   int  // and compare all up to so many
	mostLater  int  // counts of bins that wait at most
}

// A key is a row as the search of a feature sees it: the code in the upper half, the payload of
// the row in the lower.

// tally is a cut on its way through the rows: with l_c the weight of class c on its left and
// t_c that in the node, Σ l_c, Σ l_c² and Σ l_c·t_c. Whole weights make them whole numbers,
// which float64 holds exactly up to 2⁵³.
type tally struct{ weight, squares, dot float64 }

// right returns the weight and Σ_c r_c² of the other side, r_c = t_c - l_c.
func (g *grower) right(t tally) (weight, squares float64) {
	return g.weight - t.weight, g.squares - t.dot - t.dot + t.squares
}

// numeric looks for the best cut of a numeric feature. Rows that miss it are tried on the
// right, then on the left; "known or missing" is a cut as well.
func (g *grower) numeric(feature int, col *codedColumn) {
	few := int(col.most+1)*g.data.k <= g.ways.histPerRow*len(g.rows)
	switch {
	case g.vectors.able && g.byVectors(feature, col):
	case len(g.rows) > g.ways.hugeRows && col.bins > 0 && g.huge(feature, col):
	case few:
		g.fewCodes(feature, col)
	default:
		g.byKeys(feature, col)
	}
}

// fewCodes counts the classes of every code of the column.
func (g *grower) fewCodes(feature int, col *codedColumn) {
	k, codes := g.data.k, int(col.most)+1
	h := room(&g.hist, codes*k)
	clear(h)
	if col.wide != nil {
		countCodes(h, g.rows, col.wide, k)
	} else {
		countCodes(h, g.rows, col.narrow, k)
	}
	c := cut{feature: feature}
	for class, n := range h[:k] {
		g.miss[class] = float64(n)
		c.gaps += int(n)
	}
	if least, most := occupied(h[k:], k); least < most || least == most && c.gaps > 0 {
		g.tried++
		g.bothPasses(c, func(c cut, t tally) { g.walkCounts(c, t, h[(least+1)*k:(most+2)*k], uint32(least)+1) })
	}
}

//
//go:noinline
func countCodes[C code](h []int32, rows []row, codes []C, k int) {
	for _, r := range rows {
		h[int(codes[r>>32])*k+int(uint32(r)>>16)] += int32(r & 0xffff)
	}
}

// occupied returns the first and the last of the bins of k counts that is not empty; none is
// (0, -1).
func occupied(h []int32, k int) (first, last int) {
	last = len(h)/k - 1
	for last >= 0 && isEmpty(h[last*k:last*k+k]) {
		last--
	}
	for first < last && isEmpty(h[first*k:first*k+k]) {
		first++
	}
	return first, last
}

func isEmpty(bin []int32) bool {
	for _, n := range bin {
		if n != 0 {
			return false
		}
	}
	return true
}

// byKeys makes a key of every row and goes on with those.
func (g *grower) byKeys(feature int, col *codedColumn) {
	keys := room(&g.keys, len(g.rows))
	var least, most uint32
	if col.wide != nil {
		least, most = gather(keys, g.rows, col.wide)
	} else {
		least, most = gather(keys, g.rows, col.narrow)
	}
	if least == most {
		return // constant, also when all is missing
	}
	g.tried++
	c := cut{feature: feature}
	if least == 0 {
		keys, least = g.setMissingAside(keys)
		c.gaps = len(g.rows) - len(keys)
	}
	span := int(most-least) + 1
	switch {
	case len(keys) > few && span*g.data.k <= g.ways.histPerRow*len(keys):
		h := room(&g.hist, span*g.data.k)
		clear(h)
		countKeys(h, keys, least, 0, g.data.k)
		g.bothPasses(c, func(c cut, t tally) { g.walkCounts(c, t, h, least) })
	case len(keys) <= g.ways.sortRows:
		keys = sorted(keys, room(&g.spare, len(keys)), g.starts, least, most)
		g.walkKeys(c, g.allRight(), keys, true)
		if c.gaps > 0 {
			c.leftPass = true
			g.walkKeys(c, g.missingLeft(), keys, true)
		}
	default:
		g.coarse(c, keys, least, most)
	}
}

// gather writes a key for each row and returns the range of the codes; 0 is a missing cell.
// (Hot loops have functions of their own: within a larger one the compiler runs out of registers.)
//
//go:noinline
func gather[C code](keys []uint64, rows []row, codes []C) (least, most uint32) {
	least = ^uint32(0)
	// fewer are as quick one by one; the codes of more are fetched with vectors, where there are any
	if len(rows) < fetchRows/4 {
		keys = keys[:len(rows)]
		for i, r := range rows {
			c := uint32(codes[r>>32])
			keys[i] = uint64(c)<<32 | uint64(uint32(r))
			least, most = min(least, c), max(most, c)
		}
		return least, most
	}
	var fetched [fetchRows]uint32
	for len(rows) > 0 {
		some := rows[:min(len(rows), fetchRows)]
		a, b := vector.FetchRange(fetched[:], some, codes)
		least, most = min(least, a), max(most, b)
		to := keys[:len(some)]
		for i, r := range some {
			to[i] = uint64(fetched[i&(fetchRows-1)])<<32 | uint64(uint32(r))
		}
		keys, rows = keys[len(some):], rows[len(some):]
	}
	return least, most
}

// countKeys adds the weights of the keys to the counts of their bins of 2^shift codes, by class.
//
//go:noinline
func countKeys(h []int32, keys []uint64, least uint32, shift, k int) {
	for _, key := range keys {
		h[int((uint32(key>>32)-least)>>(shift&31))*k+int(uint32(key)>>16)] += int32(key & 0xffff)
	}
}

// setMissingAside sums the classes of the keys of missing cells in g.miss. It returns the
// other keys and their least code.
func (g *grower) setMissingAside(keys []uint64) (known []uint64, least uint32) {
	clear(g.miss)
	least = ^uint32(0)
	n := 0
	for _, key := range keys {
		if key>>32 == 0 {
			g.miss[uint32(key)>>16] += float64(key & 0xffff)
			continue
		}
		keys[n] = key
		n++
		least = min(least, uint32(key>>32))
	}
	return keys[:n], least
}

// bothPasses walks with the missing cells on the right, then on the left.
func (g *grower) bothPasses(c cut, walk func(cut, tally)) {
	walk(c, g.allRight())
	if c.gaps > 0 {
		c.leftPass = true
		walk(c, g.missingLeft())
	}
}

// allRight starts a pass with all rows on the right.
func (g *grower) allRight() tally {
	clear(g.left)
	return tally{}
}

// missingLeft starts one with the rows that miss the feature on the left.
func (g *grower) missingLeft() tally {
	var t tally
	copy(g.left, g.miss)
	for c, m := range g.miss {
		t.weight += m
		t.squares += float64(m * m)
		t.dot += float64(m * g.totals[c])
	}
	return t
}

// move takes weight w of a class to the left.
func (t *tally) move(left, total []float64, class uint32, w float64) {
	l := left[class]
	t.weight += w
	t.squares += float64(w * (l + l + w))
	t.dot += float64(w * total[class])
	left[class] = l + w
}

// walkKeys offers every cut between two different codes of sorted keys, and, if the keys are
// all there are, the one between them and missing cells on the right. (It is [tally.move] and
// offerAt again, written out so that the sums stay in registers.)
func (g *grower) walkKeys(c cut, t tally, keys []uint64, all bool) {
	if g.entropy != nil {
		g.walkKeysByEntropy(c, t.weight, keys, all)
		return
	}
	left, total := g.left, g.totals[:len(g.left)]
	weight, squares, dot := t.weight, t.squares, t.dot
	whole, node := g.weight, g.squares
	bar := g.bar
	before := uint32(keys[0] >> 32)
	for _, key := range keys {
		if code := uint32(key >> 32); code != before {
			if r, s := whole-weight, node-dot-dot+squares; promising(bar, weight, r, squares, s) {
				c.lower, c.upper = before, code
				g.offer(c, weight, r, squares, s)
				bar = g.bar
			}
			before = code
		}
		class, w := uint32(key)>>16, float64(int32(key&0xffff))
		l := left[class]
		weight += w
		squares += float64(w * (l + l + w))
		dot += float64(w * total[class])
		left[class] = l + w
	}
	if all && c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		g.offerAt(c, tally{weight, squares, dot})
	}
}

// walkCounts offers every cut between two codes that occur; the counts begin with the code
// least, which occurs.
func (g *grower) walkCounts(c cut, t tally, counts []int32, least uint32) {
	if g.entropy != nil {
		g.walkCountsByEntropy(c, t.weight, counts, least)
		return
	}
	k := g.data.k
	left, total := g.left, g.totals[:len(g.left)]
	bar := g.bar
	before := least
	for i := 0; len(counts) >= k; i++ {
		weight, squares, dot := t.weight, t.squares, t.dot
		for class, n := range counts[:len(left)] {
			if n != 0 {
				w, l := float64(n), left[class]
				weight += w
				squares += float64(w * (l + l + w))
				dot += float64(w * total[class])
				left[class] = l + w
			}
		}
		counts = counts[k:]
		if weight == t.weight {
			continue
		}
		if code := least + uint32(i); code != before {
			if r, s := g.right(t); promising(bar, t.weight, r, t.squares, s) {
				c.lower, c.upper = before, code
				g.offer(c, t.weight, r, t.squares, s)
				bar = g.bar
			}
			before = code
		}
		t = tally{weight, squares, dot}
	}
	if c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		g.offerAt(c, t)
	}
}

// mostBuckets is the largest number of buckets, as a power of 2.
const mostBuckets = 16

// few keys are sorted by insertion; so are many that stand in their buckets, if none of these
// holds more than crowd.
const (
	few   = 12
	crowd = 24
)

// sorted returns the keys in the order of their codes: few by insertion, more by one pass
// into buckets of codes, two to four for each key, and insertion within. It may use spare and starts.
func sorted(keys, spare []uint64, starts []uint32, least, most uint32) []uint64 {
	if len(keys) <= few {
		insertion(keys)
		return keys
	}
	shift := max(0, bits.Len32(most-least)-min(bits.Len(uint(len(keys)))+1, mostBuckets))
	buckets := int((most-least)>>shift) + 1
	ends := starts[:buckets+1]
	clear(ends)
	for _, key := range keys {
		ends[(uint32(key>>32)-least)>>shift+1]++
	}
	sum, largest := uint32(0), uint32(0)
	for i, n := range ends {
		largest = max(largest, n)
		sum += n
		ends[i] = sum
	}
	out := spare[:len(keys)]
	for _, key := range keys {
		at := &ends[(uint32(key>>32)-least)>>shift]
		out[*at] = key
		*at++
	}
	switch {
	case shift == 0:
	case largest <= crowd:
		insertion(out)
	default:
		slices.Sort(out)
	}
	return out
}

// insertion sorts by whole keys; what comes below the code does not matter to any sum.
//
//go:noinline
func insertion(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		key, j := keys[i], i
		for ; j > 0 && keys[j-1] > key; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = key
	}
}
