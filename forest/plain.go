package forest

import "slices"

// plain looks for the best cut of a numeric feature under real weights or for another impurity
// than Gini's, in the plainest way: sort the rows by code, walk over them, once with missing
// cells on the right and once with them on the left.
func (g *grower) plain(feature int, col *codedColumn) {
	keys, missing := room(&g.keys, len(g.rows))[:0], room(&g.spare, len(g.rows))[:0]
	for i, r := range g.rows {
		if code := col.at(r.id()); code != 0 {
			keys = append(keys, uint64(code)<<32|uint64(i))
		} else {
			missing = append(missing, uint64(i))
		}
	}
	slices.Sort(keys)
	if len(keys) == 0 || keys[0]>>32 == keys[len(keys)-1]>>32 && len(missing) == 0 {
		return
	}
	g.tried++
	c := cut{feature: feature, gaps: len(missing)}
	g.walkPlain(c, g.allRight(), keys)
	if len(missing) == 0 {
		return
	}
	c.leftPass = true
	t := g.allRight()
	for _, i := range missing {
		t.move(g.left, g.totals, g.rows[i].class(), g.weightOf(g.rows[i]))
	}
	g.walkPlain(c, t, keys)
}

func (g *grower) walkPlain(c cut, t tally, keys []uint64) {
	before := uint32(keys[0] >> 32)
	for _, key := range keys {
		if code := uint32(key >> 32); code != before {
			c.lower, c.upper = before, code
			g.offerAt(c, t)
			before = code
		}
		r := g.rows[uint32(key)]
		t.move(g.left, g.totals, r.class(), g.weightOf(r))
	}
	if c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		g.offerAt(c, t)
	}
}
