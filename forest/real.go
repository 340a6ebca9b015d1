package forest

import "slices"

// numericReal looks for the best cut of a numeric feature under real weights, in the plainest
// way: sort the rows by code, walk over them, once with missing cells on the right and once
// with them on the left.
func (g *grower) numericReal(feature int, col *codedColumn) {
	keys, missing := g.keys[:0], g.spare[:0]
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
	s := g.newSides()
	g.walkReal(c, s, keys)
	if len(missing) == 0 {
		return
	}
	c.leftPass = true
	s = g.newSides()
	for _, i := range missing {
		s.move(g.rows[i].class(), g.weightOf(g.rows[i]))
	}
	g.walkReal(c, s, keys)
}

func (g *grower) walkReal(c cut, s *sides, keys []uint64) {
	before := uint32(keys[0] >> 32)
	for _, key := range keys {
		if code := uint32(key >> 32); code != before {
			c.lower, c.upper = before, code
			s.offer(c)
			before = code
		}
		r := g.rows[uint32(key)]
		s.move(r.class(), g.weightOf(r))
	}
	if c.gaps > 0 && !c.leftPass {
		c.lower, c.upper = before, ^uint32(0)
		s.offer(c)
	}
}

// sides keeps the class weights left of a cut that moves through the rows, whole or real.
type sides struct {
	g                  *grower
	left               []float64 // by class
	weightL, weightR   float64
	squaresL, squaresR float64 // Σ_c w_c²
	rowsL              int
}

// newSides puts everything to the right.
func (g *grower) newSides() *sides {
	s := &g.realSides
	clear(s.left)
	s.g, s.weightL, s.weightR, s.squaresL, s.squaresR, s.rowsL = g, 0, 0, 0, 0, 0
	for _, w := range g.totals {
		s.weightR += w
		s.squaresR += float64(w * w)
	}
	return s
}

// move takes weight w of a class to the left.
func (s *sides) move(class uint32, w float64) {
	l := s.left[class]
	r := s.g.totals[class] - l
	s.squaresL += float64(w * (float64(2*l) + w))
	s.squaresR -= float64(w * (float64(2*r) - w))
	s.left[class] = l + w
	s.weightL += w
	s.weightR -= w
}

// offer offers the cut.
func (s *sides) offer(c cut) bool {
	if s.g.best.found && !promising(s.g.bar, s.weightL, s.weightR, s.squaresL, s.squaresR) {
		return false
	}
	return s.g.offer(c, s.weightL, s.weightR, s.squaresL, s.squaresR)
}
