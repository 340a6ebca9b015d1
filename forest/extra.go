package forest

import (
	"math"
	"slices"
	"sort"
)

// randomCut offers a single cut of a feature, drawn from the seed, the tree, the node and the
// feature alone. Missing cells are tried on either side of it.
func (g *grower) randomCut(feature int, col *codedColumn) {
	draw := g.at.path.cut(feature)
	if col.categorical {
		g.randomLevels(&draw, feature, col)
		return
	}
	least, most, gaps := g.gather(col)
	c := cut{feature: feature, gaps: gaps}
	switch {
	case gaps == len(g.rows) || least == most && gaps == 0:
		return
	case least == most: // known or missing
		c.lower, c.upper = least, ^uint32(0)
	default:
		c.lower = col.random(&draw, least, most)
		c.upper = c.lower + 1
	}
	g.tried++
	g.offerAt(c, g.sumLeft(1, c.lower))
	if gaps > 0 && least < most {
		c.leftPass = true
		g.offerAt(c, g.sumLeft(0, c.lower))
	}
}

// random returns the last code that goes left of a threshold drawn evenly between the numbers
// of two codes.
func (c *codedColumn) random(draw *stream, least, most uint32) uint32 {
	lo, hi := c.value(least), c.value(most)
	u := float64(float64(draw.next()>>11) / (1 << 53))
	t := lo + float64(u*(hi-lo))
	if math.IsInf(hi-lo, 1) {
		t = float64((1-u)*lo) + float64(u*hi)
	}
	between := int(most - least - 1) // the least always goes left, the last never
	return least + uint32(sort.Search(between, func(i int) bool { return c.value(least+1+uint32(i)) > t }))
}

// gather copies the codes of the rows of the node into g.codes, and returns the least and the largest of known
// cells, and the number of missing ones.
func (g *grower) gather(col *codedColumn) (least, most uint32, gaps int) {
	g.codes = g.codes[:0]
	if col.wide != nil {
		for _, r := range g.rows {
			g.codes = append(g.codes, col.wide[r.id()])
		}
	} else {
		for _, r := range g.rows {
			g.codes = append(g.codes, uint32(col.narrow[r.id()]))
		}
	}
	least = ^uint32(0)
	for _, code := range g.codes {
		if code == 0 {
			gaps++
			continue
		}
		least, most = min(least, code), max(most, code)
	}
	return least, most, gaps
}

// sumLeft puts the rows with codes from first to last to the left.
func (g *grower) sumLeft(first, last uint32) tally {
	t := g.allRight()
	if g.data.real == nil {
		g.countLeft(first, last)
		for class, n := range g.leftOf {
			t.move(g.left, g.totals, uint32(class), float64(n))
		}
		return t
	}
	for i, r := range g.rows {
		if code := g.codes[i]; first <= code && code <= last {
			t.move(g.left, g.totals, r.class(), g.weightOf(r))
		}
	}
	return t
}

// countLeft counts by class the draws of rows with codes from first to last, without a branch: which rows these are
// is a matter of chance.
func (g *grower) countLeft(first, last uint32) {
	g.leftOf = append(g.leftOf[:0], make([]uint64, len(g.left))...)
	counts, codes, width := g.leftOf, g.codes[:len(g.rows)], uint64(last-first)+1
	for i, r := range g.rows {
		inside := (uint64(codes[i]-first) - width) >> 63 // 1 or 0
		counts[r.class()] += uint64(r.times()) * inside
	}
}

// randomLevels sends every level of the node to a side by the toss of a coin, and the first
// level left if all would go one way.
func (g *grower) randomLevels(draw *stream, feature int, col *codedColumn) {
	g.countLevels(col)
	defer g.clearLevels()
	if len(g.levels) < 2 {
		return
	}
	g.tried++
	slices.Sort(g.levels)
	var left, right []levelShare
	for _, code := range g.levels {
		if draw.next()>>63 != 0 {
			left = append(left, levelShare{code: code})
		} else {
			right = append(right, levelShare{code: code})
		}
	}
	if len(left) == 0 {
		left, right = right[:1], right[1:]
	}
	if len(right) == 0 {
		left, right = left[:1], left[1:]
	}
	t := g.allRight()
	for _, l := range left {
		g.moveLevel(&t, l.code)
	}
	if g.offerAt(cut{feature: feature, lower: ^uint32(0)}, t) {
		g.keepSet(col, left, right)
	}
}
