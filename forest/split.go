package forest

import "slices"

// split is a way to part the rows of a node. Its score is Σ over both sides of
// (Σ_c w_c²)/w, which is the weight of the node minus the summed Gini impurities of the
// sides: larger is better (Breiman, Friedman, Olshen, Stone 1984).
type split struct {
	score       float64
	feature     int
	lower       uint32   // numeric: the codes up to this go left,
	upper       uint32   // and this is the next code in the node
	set         []uint64 // categorical: the levels that go left
	missingLeft bool
	found       bool
}

// sides keeps the class weights left and right of a cut that moves through the rows.
type sides struct {
	total, left        []float64 // by class
	weightL, weightR   float64
	squaresL, squaresR float64 // Σ_c w_c²
	rowsL, rowsR       int     // different rows
}

// reset puts everything to the right.
func (s *sides) reset(rows int) {
	clear(s.left)
	s.weightL, s.weightR, s.squaresL, s.squaresR = 0, 0, 0, 0
	for _, w := range s.total {
		s.weightR += w
		s.squaresR += float64(w * w)
	}
	s.rowsL, s.rowsR = 0, rows
}

// move takes weight w of class c to the left.
func (s *sides) move(c uint32, w float64) {
	l := s.left[c]
	r := s.total[c] - l
	s.squaresL += float64(w * (float64(2*l) + w))
	s.squaresR -= float64(w * (float64(2*r) - w))
	s.left[c] = l + w
	s.weightL += w
	s.weightR -= w
}

// better reports whether the present cut beats best, and its score. Of equal scores the one
// offered first wins: the feature drawn first, then the lower cut. (The lower feature would
// win too often: trees that prefer the same features are less different, and their votes worth less.)
func (s *sides) better(best *split, minLeaf int) (float64, bool) {
	if s.rowsL < minLeaf || s.rowsR < minLeaf || !(s.weightL > 0 && s.weightR > 0) {
		return 0, false
	}
	if best.found {
		// Most cuts are turned down here, without a division.
		scale := s.weightL * s.weightR
		sum := float64(s.squaresL*s.weightR) + float64(s.squaresR*s.weightL)
		if sum < best.score*scale*(1-1e-12) {
			return 0, false
		}
	}
	score := s.squaresL/s.weightL + s.squaresR/s.weightR
	return score, !best.found || score > best.score
}

// numeric looks for the best cut of a numeric feature over the rows of a node. Cells that
// are missing are tried on either side; with them, "known or missing" is a cut as well.
func (g *grower) numeric(feature int, rows []row) {
	col := &g.data.columns[feature]
	least, most, gaps := g.gather(col, rows)
	known := len(rows) - gaps
	if known == 0 || least == most && gaps == 0 {
		return
	}
	g.tried++
	span := int(most-least) + 1
	if span*(g.data.k+1) <= 4*known {
		g.histogram(g.keys[:known], rows, least, span)
		g.scanHistogram(feature, col, rows, least, span, gaps)
		return
	}
	g.sortKeys(known, least, span)
	g.scanKeys(feature, col, rows, gaps)
}

// gather writes a key (code, position) for each row with a known cell, in g.keys, followed
// by the positions of the rows with a missing one, and returns the range of the codes.
func (g *grower) gather(col *codedColumn, rows []row) (least, most uint32, gaps int) {
	least, most = ^uint32(0), 0
	keys := g.keys[:len(rows)]
	known := 0
	for i := range rows {
		code := col.codes[rows[i].id]
		if code == col.missing {
			gaps++
			keys[len(rows)-gaps] = uint64(i)
			continue
		}
		keys[known] = uint64(code)<<32 | uint64(i)
		known++
		least, most = min(least, code), max(most, code)
	}
	return least, most, gaps
}

// startLeft resets the sides and, if asked to, moves the rows with a missing cell left.
func (g *grower) startLeft(rows []row, gaps int, missingLeft bool) {
	g.sides.reset(len(rows))
	if !missingLeft {
		return
	}
	for _, key := range g.keys[len(rows)-gaps : len(rows)] {
		r := &rows[key]
		g.sides.move(r.class, r.weight)
	}
	g.sides.rowsL, g.sides.rowsR = gaps, len(rows)-gaps
}

// sortKeys sorts the first known keys by code: by counting where codes are few, by
// comparison where they are not. Rows of equal code keep their order either way.
func (g *grower) sortKeys(known int, least uint32, span int) {
	keys := g.keys[:known]
	switch {
	case known <= 16:
		for i := 1; i < len(keys); i++ {
			key, j := keys[i], i
			for ; j > 0 && keys[j-1] > key; j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = key
		}
	case span <= 4*known:
		starts := g.starts[:span+1]
		clear(starts)
		for _, key := range keys {
			starts[uint32(key>>32)-least+1]++
		}
		for i := 1; i < len(starts); i++ {
			starts[i] += starts[i-1]
		}
		sorted := g.spare[:known]
		for _, key := range keys {
			at := &starts[uint32(key>>32)-least]
			sorted[*at] = key
			*at++
		}
		copy(keys, sorted)
	default:
		slices.Sort(keys)
	}
}

// scanKeys offers every cut between two different codes of the sorted keys.
func (g *grower) scanKeys(feature int, col *codedColumn, rows []row, gaps int) {
	keys := g.keys[:len(rows)-gaps]
	s := &g.sides
	for pass := range 2 {
		missingLeft := pass == 1
		if missingLeft && gaps == 0 {
			return
		}
		g.startLeft(rows, gaps, missingLeft)
		before := uint32(keys[0] >> 32)
		for _, key := range keys {
			if code := uint32(key >> 32); code != before {
				g.offer(feature, before, code, gaps, missingLeft)
				before = code
			}
			r := &rows[uint32(key)]
			s.move(r.class, r.weight)
			s.rowsL++
			s.rowsR--
		}
		if gaps > 0 && !missingLeft {
			g.offer(feature, before, col.missing, gaps, false)
		}
	}
}

// histogram sums the class weights, and counts the rows, of each code of the keys.
func (g *grower) histogram(keys []uint64, rows []row, least uint32, span int) {
	stride := g.data.k + 1
	h := g.hist[:span*stride]
	clear(h)
	for _, key := range keys {
		r := &rows[uint32(key)]
		bin := h[int(uint32(key>>32)-least)*stride:][:stride]
		bin[r.class] += r.weight
		bin[stride-1]++
	}
}

// scanHistogram offers every cut between two codes that occur.
func (g *grower) scanHistogram(feature int, col *codedColumn, rows []row, least uint32, span, gaps int) {
	stride := g.data.k + 1
	for pass := range 2 {
		missingLeft := pass == 1
		if missingLeft && gaps == 0 {
			return
		}
		g.startLeft(rows, gaps, missingLeft)
		before := least
		for i := range span {
			bin := g.hist[i*stride : i*stride+stride]
			if bin[stride-1] == 0 {
				continue
			}
			if code := least + uint32(i); code != before {
				g.offer(feature, before, code, gaps, missingLeft)
				before = code
			}
			g.moveBin(bin)
		}
		if gaps > 0 && !missingLeft {
			g.offer(feature, before, col.missing, gaps, false)
		}
	}
}

func (g *grower) moveBin(bin []float64) {
	k := len(bin) - 1
	for c, w := range bin[:k] {
		if w > 0 {
			g.sides.move(uint32(c), w)
		}
	}
	g.sides.rowsL += int(bin[k])
	g.sides.rowsR -= int(bin[k])
}

// offer takes the present cut if it is the best so far. Where no cell was missing, missing
// cells of new rows will go with the heavier side.
func (g *grower) offer(feature int, lower, upper uint32, gaps int, missingLeft bool) {
	if score, ok := g.sides.better(&g.best, g.cfg.MinLeaf); ok {
		if gaps == 0 {
			missingLeft = g.sides.weightL >= g.sides.weightR
		}
		g.best = split{score: score, feature: feature, lower: lower, upper: upper, missingLeft: missingLeft, found: true, set: g.best.set}
	}
}
