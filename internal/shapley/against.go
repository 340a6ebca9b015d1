package shapley

// known says which of two rows leads on by its cell of a feature.
type known struct {
	feature int32
	own     bool // the row to be explained, and not the other
}

// against is the memory of [Tree.AddAgainst].
type against struct {
	side  []int8  // by feature: 1 for the row, -1 for the other, 0 where both or none
	trail []known // the features whose side is set
	todo  []branch
}

// branch is a node that is still to be visited, with what led to it.
type branch struct {
	node  int32
	trail int // how much of the trail was set
	by    known
}

// AddAgainst adds to dst (one number for each feature) the interventional parts of a row against another one, times
// weight. Left and other (as long as Tests) say where the two rows go left. The parts sum up to the value of the leaf
// of the row less that of the other.
//
// Where both go the same way that is the way; where they part both ways are followed, and the feature that parts
// them is on the side of one of them from there on. A leaf reached by n features of the row and m of the other pays n
// features (n-1)!·m!/(n+m)! each, and the others take n!·(m-1)!/(n+m)! each from it.
func (t *Tree) AddAgainst(dst []float64, left, other []bool, weight float64, r *Room) {
	if len(t.tests) == 0 {
		return
	}
	for len(r.side) < len(dst) {
		r.side = append(r.side, 0)
	}
	r.todo, r.trail = append(r.todo[:0], branch{node: 0}), r.trail[:0]
	for len(r.todo) > 0 {
		b := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		r.back(b.trail)
		if b.node != 0 {
			r.take(b.by)
		}
		t.follow(dst, b.node, left, other, weight, r)
	}
	r.back(0)
}

// back takes sides back until the trail is so long.
func (r *against) back(trail int) {
	for _, k := range r.trail[trail:] {
		r.side[k.feature] = 0
	}
	r.trail = r.trail[:trail]
}

// take puts a feature on a side.
func (r *against) take(k known) {
	r.trail = append(r.trail, k)
	r.side[k.feature] = -1
	if k.own {
		r.side[k.feature] = 1
	}
}

// follow goes down from a node to a leaf. It leaves the other way to be done where the rows part.
func (t *Tree) follow(dst []float64, node int32, left, other []bool, weight float64, r *Room) {
	for node >= 0 {
		n := &t.nodes[node]
		if n.feature < 0 {
			r.pay(dst, n.value*weight)
			return
		}
		own, theirs := n.right, n.right
		if left[n.test] {
			own = n.left
		}
		if other[n.test] {
			theirs = n.left
		}
		side := r.side[n.feature]
		switch {
		case own == theirs || side > 0:
			node = own
		case side < 0:
			node = theirs
		default:
			if theirs >= 0 {
				r.todo = append(r.todo, branch{theirs, len(r.trail), known{n.feature, false}})
			}
			r.take(known{n.feature, true})
			node = own
		}
	}
}

// pay gives a leaf's value to the features that led to it.
func (r *against) pay(dst []float64, value float64) {
	if value == 0 {
		return
	}
	own, theirs := 0, 0
	for _, k := range r.trail {
		if k.own {
			own++
		} else {
			theirs++
		}
	}
	gain, loss := value*orders(own, theirs), value*orders(theirs, own)
	for _, k := range r.trail {
		if k.own {
			dst[k.feature] += gain
		} else {
			dst[k.feature] -= loss
		}
	}
}

// orders returns (n-1)!·m!/(n+m)!, 0 for n = 0: in how many of all orders of n+m features a certain one of the n is
// the last of them and before all m.
func orders(n, m int) float64 {
	if n == 0 {
		return 0
	}
	share := 1 / float64(n+m)
	for i := 1; i <= min(m, n-1); i++ { // one divided by n+m-1 over m
		share *= float64(i) / float64(n+m-i)
	}
	return share
}
