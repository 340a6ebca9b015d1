package forest

import (
	"math"

	"github.com/rfpragma/rfpragma/dataset"
)

// Tree is a binary decision tree in flat form. Node 0 is the root; the nodes stand in the order
// in which a walk from it, left before right, comes to their parents, each left child
// directly before the right one.
type Tree struct {
	nodes []node
	sets  []uint64 // the level sets of the categorical nodes, in the order of the walk
}

// node takes 16 bytes. Of a leaf, left is the class it votes for and cut is 0. Of a node
// that splits, left is the index of its left child, and cut holds the bits of the
// threshold (cells <= it go left) or, for a categorical feature, the first word in sets of
// the levels that go left.
type node struct {
	cut     uint64
	left    uint32
	feature uint32 // index of the feature, and the marks below
}

const (
	leafMark        = 1 << 31
	missingLeftMark = 1 << 30 // missing cells and unseen levels go left, else right
	categoricalMark = 1 << 29
	featureMask     = 1<<29 - 1
)

// vote returns the class of the leaf that x (len p) falls into. Levels gives the number of
// levels of each feature; a level outside them takes the way of a missing cell.
func (t *Tree) vote(x []float64, levels []int) uint32 {
	i := uint32(0)
	for {
		nd := &t.nodes[i]
		if nd.feature&leafMark != 0 {
			return nd.left
		}
		i = t.child(nd, x[nd.feature&featureMask], levels)
	}
}

// child returns the node that follows nd for a cell of its feature.
func (t *Tree) child(nd *node, v float64, levels []int) uint32 {
	left := nd.feature&missingLeftMark != 0
	if nd.feature&categoricalMark == 0 {
		if v == v {
			left = v <= math.Float64frombits(nd.cut)
		}
	} else if v >= 0 && v < float64(levels[nd.feature&featureMask]) {
		left = t.sets[nd.cut+uint64(v)/64]>>(uint64(v)%64)&1 != 0
	}
	if left {
		return nd.left
	}
	return nd.left + 1
}

// lanes is the number of rows that go through a tree side by side: while the next node of one
// is being fetched, the others go on.
const lanes = 8

// voteLanes is vote for the rows of cells (lanes × p); it leaves the nodes of the leaves in at.
func (t *Tree) voteLanes(at *[lanes]uint32, cells []float64, p int, levels []int) {
	*at = [lanes]uint32{}
	for moving := true; moving; {
		moving = false
		for k := range at {
			nd := &t.nodes[at[k]]
			f := nd.feature
			if f&leafMark != 0 {
				continue
			}
			moving = true
			v := cells[k*p+int(f&featureMask)]
			if f&categoricalMark != 0 || v != v {
				at[k] = t.child(nd, v, levels)
				continue
			}
			right := uint32(0)
			if v > math.Float64frombits(nd.cut) {
				right = 1
			}
			at[k] = nd.left + right
		}
	}
}

// words returns the number of words a set over the levels of f takes.
func words(f dataset.Field) int { return (len(f.Levels) + 63) / 64 }

// Nodes returns the number of nodes.
func (t *Tree) Nodes() int { return len(t.nodes) }

// Depth returns the number of splits above the deepest leaf.
func (t *Tree) Depth() int {
	depth := make([]int, len(t.nodes))
	deepest := 0
	for i, nd := range t.nodes {
		deepest = max(deepest, depth[i])
		if nd.feature&leafMark == 0 {
			depth[nd.left], depth[nd.left+1] = depth[i]+1, depth[i]+1
		}
	}
	return deepest
}

// inWalkOrder returns a copy of t in the order that [Tree] promises. The nodes of t itself stand
// in the order in which they were grown.
func (t *Tree) inWalkOrder(d *coded) Tree {
	out := Tree{nodes: make([]node, len(t.nodes))}
	type place struct{ from, to uint32 }
	next := uint32(1)
	todo := []place{{0, 0}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		nd := t.nodes[p.from]
		if nd.feature&leafMark == 0 {
			todo = append(todo, place{nd.left + 1, next + 1}, place{nd.left, next})
			nd.left = next
			next += 2
			if nd.feature&categoricalMark != 0 {
				words := uint64(d.columns[nd.feature&featureMask].most+63) / 64
				set := t.sets[nd.cut : nd.cut+words]
				nd.cut = uint64(len(out.sets))
				out.sets = append(out.sets, set...)
			}
		}
		out.nodes[p.to] = nd
	}
	return out
}
