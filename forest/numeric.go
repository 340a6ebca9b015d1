package forest

import (
	"math/bits"
	"slices"
)

// The search for the best cut of a numeric feature, for whole weights. What a node costs is
// decided by its size and by how many codes it has:
//
//	few codes                     count the classes of each code, walk over the counts
//	up to boundRows rows          sort the rows by code, walk over them
//	more rows                     count the classes of bins of codes; look only into those
//	                              bins that can hold a better cut (bounds.go)
//	more than hugeRows rows       the same, with counts kept from node to node (huge.go)
//
// All offer the same best cut: they differ in which cuts they can rule out at once.

// scratch is what the search needs and no node keeps.
type scratch struct {
	ways ways

	left []int64 // by class, the weight left of the cut
	miss []int64 // by class, the weight of the rows that miss the feature
	hist []int32 // codes or bins × classes
	bounds
}

func (s *scratch) init(d *coded) {
	n := len(d.class)
	s.ways = ways{histPerRow, boundRows * max(1, d.k/3), 0, hugeRows, true}
	s.left, s.miss = make([]int64, d.k), make([]int64, d.k)
	s.hist = make([]int32, max(histPerRow*n, maxBins*d.k)+d.k)
	s.bounds.init(d)
}

const (
	histPerRow = 4   // a histogram pays up to so many counts a row
	boundRows  = 256 // rows from which bins are worth their bounds, with few classes
)

// ways says when each way is taken. Tests take every way everywhere.
type ways struct {
	histPerRow int  // count codes up to so many counts a row
	sortRows   int  // sort up to so many rows
	binBits    int  // 2 to this power bins; 0 means as many as fit the rows
	hugeRows   int  // keep counts above so many rows
	pairs      bool // split nodes of two rows at once
}

// tally is a cut on its way through the rows: the weight on its left and the sums of the
// squared class weights on either side.
type tally struct{ weight, squaresL, squaresR int64 }

// numeric looks for the best cut of a numeric feature. Rows that miss it are tried on the
// right, then on the left; "known or missing" is a cut as well.
func (g *grower) numeric(feature int, col *codedColumn) {
	if len(g.rows) > g.ways.hugeRows && col.order != nil && g.huge(feature, col) {
		return
	}
	var least, most uint32
	if col.wide != nil {
		least, most = gather(g.keys, g.rows, col.wide)
	} else {
		least, most = gather(g.keys, g.rows, col.narrow)
	}
	if least == most {
		return // constant, also when all is missing
	}
	g.tried++
	known, gaps := len(g.rows), 0
	if least == 0 {
		known, least = g.setMissingAside()
		gaps = len(g.rows) - known
	}
	keys := g.keys[:known]
	c := cut{feature: feature, gaps: gaps}
	span := int(most-least) + 1
	switch {
	case span*g.data.k <= g.ways.histPerRow*known:
		g.count(keys, least, span)
		g.bothPasses(c, func(c cut, t tally) { g.walkCounts(c, t, least, span) })
	case known <= g.ways.sortRows:
		keys = g.sorted(keys, least, most)
		g.bothPasses(c, func(c cut, t tally) { g.walkKeys(c, t, keys, true) })
	default:
		g.coarse(c, keys, least, most)
	}
}

// gather writes a key for each row: its code above its class and weight. It returns the range
// of the codes; 0 is a missing cell.
func gather[C code](keys []uint64, rows []row, codes []C) (least, most uint32) {
	least = ^uint32(0)
	keys = keys[:len(rows)]
	for i, r := range rows {
		c := uint32(codes[r.id()])
		keys[i] = uint64(c)<<32 | r.payload()
		least, most = min(least, c), max(most, c)
	}
	return least, most
}

// setMissingAside moves the keys of missing cells behind the others, sums their classes in
// g.miss, and returns the number of the others and their least code.
func (g *grower) setMissingAside() (known int, least uint32) {
	clear(g.miss)
	least = ^uint32(0)
	for _, key := range g.keys[:len(g.rows)] {
		if key>>32 == 0 {
			g.miss[uint32(key)>>16] += int64(key & 0xffff)
			continue
		}
		g.keys[known] = key
		known++
		least = min(least, uint32(key>>32))
	}
	return known, least
}

// bothPasses walks with the missing cells on the right, then on the left.
func (g *grower) bothPasses(c cut, walk func(cut, tally)) {
	clear(g.left)
	walk(c, tally{squaresR: g.squares})
	if c.gaps == 0 {
		return
	}
	c.leftPass = true
	walk(c, g.missingLeft())
}

// missingLeft starts with the rows that miss the feature on the left.
func (g *grower) missingLeft() tally {
	t := tally{squaresR: g.squares}
	copy(g.left, g.miss)
	for i, m := range g.miss {
		r := g.total[i]
		t.weight += m
		t.squaresL += m * m
		t.squaresR -= m * (2*r - m)
	}
	return t
}

// offerAt offers the cut at a tally.
func (g *grower) offerAt(c cut, t tally) bool {
	return g.offer(c, float64(t.weight), float64(g.weight-t.weight), float64(t.squaresL), float64(t.squaresR))
}

// walkKeys offers every cut between two different codes of sorted keys, and, if the keys are
// all there are, the one between them and missing cells on the right.
func (g *grower) walkKeys(c cut, t tally, keys []uint64, all bool) {
	left, total := g.left, g.total[:len(g.left)]
	bar := g.bar
	before := uint32(keys[0] >> 32)
	for _, key := range keys {
		if code := uint32(key >> 32); code != before {
			if promising(bar, float64(t.weight), float64(g.weight-t.weight), float64(t.squaresL), float64(t.squaresR)) {
				c.lower, c.upper = before, code
				g.offerAt(c, t)
				bar = g.bar
			}
			before = code
		}
		class, w := uint32(key)>>16, int64(key&0xffff)
		l := left[class]
		r := total[class] - l
		t.squaresL += w * (2*l + w)
		t.squaresR -= w * (2*r - w)
		left[class] = l + w
		t.weight += w
	}
	if all && c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		g.offerAt(c, t)
	}
}

// count sums the weights of each code of the keys by class, in g.hist.
func (g *grower) count(keys []uint64, least uint32, span int) {
	k := g.data.k
	h := g.hist[:span*k]
	clear(h)
	for _, key := range keys {
		h[int(uint32(key>>32)-least)*k+int(uint32(key)>>16)] += int32(key & 0xffff)
	}
}

// walkCounts offers every cut between two codes that occur.
func (g *grower) walkCounts(c cut, t tally, least uint32, span int) {
	k := g.data.k
	left, total := g.left, g.total[:len(g.left)]
	bar := g.bar
	before := least
	for i := range span {
		bin := g.hist[i*k : i*k+len(left)]
		was := t
		for class, w32 := range bin {
			if w32 == 0 {
				continue
			}
			w := int64(w32)
			l := left[class]
			r := total[class] - l
			t.squaresL += w * (2*l + w)
			t.squaresR -= w * (2*r - w)
			left[class] = l + w
			t.weight += w
		}
		if t.weight == was.weight {
			continue
		}
		if code := least + uint32(i); code != before {
			if promising(bar, float64(was.weight), float64(g.weight-was.weight), float64(was.squaresL), float64(was.squaresR)) {
				c.lower, c.upper = before, code
				g.offerAt(c, was)
				bar = g.bar
			}
			before = code
		}
	}
	if c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		g.offerAt(c, t)
	}
}

// sorted returns the keys in the order of their codes: few by insertion, more by one pass
// into buckets of codes and insertion within. It may use g.spare.
func (g *grower) sorted(keys []uint64, least, most uint32) []uint64 {
	const few = 24
	if len(keys) <= few {
		insertion(keys)
		return keys
	}
	shift := max(0, bits.Len32(most-least)-bits.Len(uint(len(keys))))
	buckets := int((most-least)>>shift) + 1
	ends := g.starts[:buckets+1]
	clear(ends)
	for _, key := range keys {
		ends[(uint32(key>>32)-least)>>shift+1]++
	}
	largest := uint32(0)
	for i := 1; i < len(ends); i++ {
		largest = max(largest, ends[i])
		ends[i] += ends[i-1]
	}
	out := g.spare[:len(keys)]
	for _, key := range keys {
		at := &ends[(uint32(key>>32)-least)>>shift]
		out[*at] = key
		*at++
	}
	switch {
	case shift == 0:
	case largest <= few:
		insertion(out)
	default:
		slices.Sort(out)
	}
	return out
}

// insertion sorts by whole keys; what comes below the code does not matter to any sum.
func insertion(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		key, j := keys[i], i
		for ; j > 0 && keys[j-1] > key; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = key
	}
}
