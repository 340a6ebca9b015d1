package shapley

// Room is memory for one row at a time; the zero value is ready.
type Room struct {
	// by depth and point of the rule: the product of the factors on the way down, the sum over the leaves below, and
	// one divided by the factor of the feature that led here, where its cell led here
	way, sum, inverse []float64
	on                []bool  // by depth, whether all cells of the feature that led here did
	path              []*step // by depth

	against // of AddAgainst
}

func (r *Room) fit(t *Tree) {
	if n := (t.deep + 1) * len(t.rule.at); len(r.way) < n {
		r.way, r.sum, r.inverse = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	if len(r.on) <= t.deep {
		r.on, r.path = make([]bool, t.deep+1), make([]*step, t.deep+1)
	}
}

// Add adds to dst (one number for each feature) the path-dependent parts of a row. Left (as long as Tests) says
// whether the row goes left at each node of Tests. The parts sum up to the value of the leaf of the row less Base.
func (t *Tree) Add(dst []float64, left []bool, r *Room) {
	if len(t.steps) == 0 {
		return
	}
	r.fit(t)
	copy(r.way, t.rule.weight)
	deep := 0
	for i := range t.steps {
		s := &t.steps[i]
		for ; deep >= int(s.depth); deep-- {
			t.up(dst, deep, r)
		}
		on := left[s.test] == s.left && (s.before == 0 || r.on[s.before])
		if s.leaf {
			t.leaf(dst, s, on, r)
			continue
		}
		deep++
		r.on[deep], r.path[deep] = on, s
		t.down(s, on, r)
	}
	for ; deep > 0; deep-- {
		t.up(dst, deep, r)
	}
}

// row returns what r has of a depth.
func (t *Tree) row(of []float64, depth int32) []float64 {
	points := len(t.rule.at)
	return of[int(depth)*points:][:points]
}

// down takes a step to a node that is no leaf.
func (t *Tree) down(s *step, on bool, r *Room) {
	from, to := t.row(r.way, s.depth-1), t.row(r.way, s.depth)
	to = to[:len(from)]
	clear(t.row(r.sum, s.depth))
	if s.before > 0 {
		if !r.on[s.before] {
			for q, v := range from {
				to[q] = v * s.part
			}
			return
		}
		undo := t.row(r.inverse, s.before)[:len(from)]
		for q, v := range from {
			to[q] = v * undo[q]
		}
		from = to
	}
	at := t.rule.at[:len(from)]
	if !on {
		for q, v := range from {
			to[q] = v * (s.z * (1 - at[q]))
		}
		return
	}
	rest, inverse := 1-s.z, t.row(r.inverse, s.depth)[:len(from)]
	for q, v := range from {
		factor := s.z + float64(rest*at[q])
		to[q] = v * factor
		inverse[q] = 1 / factor
	}
}

// up takes the step at a depth back: the sums below it are complete.
func (t *Tree) up(dst []float64, depth int, r *Room) {
	s := r.path[depth]
	sum, above := t.row(r.sum, s.depth), t.row(r.sum, s.depth-1)
	above = above[:len(sum)]
	for q, v := range sum {
		above[q] += v
	}
	earlier := s.before > 0
	switch {
	case r.on[depth]:
		dst[s.feature] += float64((1 - s.z) * dot(sum, t.row(r.inverse, s.depth)))
	case !earlier || r.on[s.before]:
		dst[s.feature] -= dot(sum, t.rule.rest)
	}
	if earlier && r.on[s.before] {
		dst[s.feature] -= float64((1 - r.path[s.before].z) * dot(sum, t.row(r.inverse, s.before)))
	}
}

// leaf takes the step into a leaf, and back.
func (t *Tree) leaf(dst []float64, s *step, on bool, r *Room) {
	way, above := t.row(r.way, s.depth-1), t.row(r.sum, s.depth-1)
	above = above[:len(way)]
	at := t.rule.at[:len(way)]
	known := 0.0
	if on {
		known = 1
	}
	slope := (known - s.z) * s.value // the factor times the value is base + slope·at
	base := s.z * s.value
	switch {
	case s.before == 0:
		total := 0.0
		for q, v := range way {
			above[q] += float64(v * (base + float64(slope*at[q])))
			total += v
		}
		dst[s.feature] += float64(slope * total)
	case !r.on[s.before]:
		part := s.part * s.value
		for q, v := range way {
			above[q] += float64(v * part)
		}
	default:
		undo := t.row(r.inverse, s.before)[:len(way)]
		total, earlier := 0.0, 0.0
		for q, v := range way {
			v *= undo[q]
			paid := v * (base + float64(slope*at[q]))
			above[q] += paid
			total += v
			earlier += float64(paid * undo[q])
		}
		dst[s.feature] += float64(slope*total) - float64((1-r.path[s.before].z)*earlier)
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}
