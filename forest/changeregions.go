package forest

import "slices"

// walking is a node that is to be visited, and where rows that come there are.
type walking struct {
	region
	node uint32
}

// split lists where each tree votes which way.
func (s *changeSearch) split() {
	s.regions, s.values = s.regions[:0], s.values[:0]
	for t := range s.f.trees {
		start := walking{region: region{tree: uint32(t)}}
		for d := range s.free {
			start.hi[d] = s.free[d].last
		}
		s.todo = append(s.todo[:0], start)
		for len(s.todo) > 0 {
			at := s.todo[len(s.todo)-1]
			s.todo = s.todo[:len(s.todo)-1]
			s.walk(at)
		}
	}
}

// walk goes on from a node to a leaf, and leaves the other ways to be done.
func (s *changeSearch) walk(at walking) {
	nodes, l := s.f.trees[at.tree], s.f.layout
	for {
		n := nodes[at.node]
		j := int(l.featureOf(n))
		if j == len(s.f.cuts) {
			at.vote = l.cut(n)
			s.regions = append(s.regions, at.region)
			for _, a := range s.functions {
				s.values = append(s.values, s.f.worth(a, at.vote))
			}
			return
		}
		d := slices.IndexFunc(s.free, func(c freeCell) bool { return c.feature == j })
		switch {
		case d < 0:
			at.node = s.f.next(n, s.ranks[j])
		case s.free[d].categorical:
			s.walkLevels(&at, n, d)
		default:
			left, right := at, at
			left.hi[d], right.lo[d] = min(at.hi[d], l.cut(n)), max(at.lo[d], l.cut(n)+1)
			left.node, right.node = n.child(), n.child()+1
			if at = left; left.lo[d] > left.hi[d] {
				at = right
			} else if right.lo[d] <= right.hi[d] {
				s.todo = append(s.todo, right)
			}
		}
	}
}

// walkLevels is walk at a node that asks for a category that may change.
func (s *changeSearch) walkLevels(at *walking, n node, d int) {
	c := &s.free[d]
	words := int(c.last)/64 + 1
	left, right, lefts, rights := make(levelSet, words), make(levelSet, words), 0, 0
	for level := range c.last + 1 {
		switch {
		case !at.levels[d].has(level):
		case s.f.next(n, level) == n.child():
			left[level/64] |= 1 << (level % 64)
			lefts++
		default:
			right[level/64] |= 1 << (level % 64)
			rights++
		}
	}
	switch {
	case rights == 0:
		at.node = n.child()
	case lefts == 0:
		at.node = n.child() + 1
	default:
		other := *at
		other.node, other.levels[d] = n.child()+1, right
		s.todo = append(s.todo, other)
		at.node, at.levels[d] = n.child(), left
	}
}

// worth returns what a leaf adds to a function of the votes.
func (f *Forest) worth(factors []float64, leaf uint32) float64 {
	sum := 0.0
	for c, a := range factors {
		if n := f.castFor(c, leaf); n != 0 {
			sum += float64(a * float64(n))
		}
	}
	return sum
}
