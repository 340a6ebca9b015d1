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
	least, most, gaps := ^uint32(0), uint32(0), 0
	for _, r := range g.rows {
		if code := col.at(r.id()); code != 0 {
			least, most = min(least, code), max(most, code)
		} else {
			gaps++
		}
	}
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
	g.offerAt(c, g.sumLeft(func(id uint32) bool { code := col.at(id); return code != 0 && code <= c.lower }))
	if gaps > 0 && least < most {
		c.leftPass = true
		g.offerAt(c, g.sumLeft(func(id uint32) bool { return col.at(id) <= c.lower }))
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

// sumLeft puts the rows that go left to the left.
func (g *grower) sumLeft(left func(id uint32) bool) tally {
	t := g.allRight()
	for _, r := range g.rows {
		if left(r.id()) {
			t.move(g.left, g.totals, r.class(), g.weightOf(r))
		}
	}
	return t
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
