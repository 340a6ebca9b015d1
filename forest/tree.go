package forest

import (
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// Tree is one tree of a forest, node by node, for whoever writes it in another form.
type Tree struct {
	f     *Forest
	nodes []node
}

// Tree returns tree t of the forest, counted from 0 even if the forest is a part whose first tree has another
// number.
func (f *Forest) Tree(t int) Tree { return Tree{f, f.trees[t]} }

// Nodes returns the number of nodes. Node 0 is the root.
func (t Tree) Nodes() int { return len(t.nodes) }

// Node describes a node of a tree. For a leaf only Leaf, Class and Shares are set.
type Node struct {
	Leaf   bool
	Class  int       // class that the leaf votes for; with soft votes, the one with the largest share
	Shares []float64 // with soft votes, the share of each class; else nil

	Feature     int
	Threshold   float64 // for a numeric feature: numbers <= Threshold go left
	Levels      []int   // for a categorical feature: the levels that go left, ascending
	MissingLeft bool    // whether missing cells, unknown levels and levels that its training rows did not have go left
	Left, Right int     // indices of the children
}

// Node returns node i.
func (t Tree) Node(i int) Node {
	l, n := t.f.layout, t.nodes[i]
	j := int(l.featureOf(n))
	if j == len(t.f.cuts) {
		return t.f.leafNode(l.cut(n))
	}
	out := Node{Feature: j, MissingLeft: n.missing() != 0, Left: int(n.child()), Right: int(n.child()) + 1}
	if c := &t.f.cuts[j]; t.f.Schema[j].Kind == dataset.Numeric {
		out.Threshold = c.at[l.cut(n)]
	} else {
		set := c.set(l.cut(n)) // ascending, of codes, which are levels counted from 1
		for level := range t.f.Schema[j].Levels {
			for len(set) > 0 && set[0] <= uint32(level) { //nolint:gosec // levels are counted by uint32
				set = set[1:]
			}
			if in := len(set) > 0 && set[0] == uint32(level)+1; in != out.MissingLeft { //nolint:gosec // as above
				out.Levels = append(out.Levels, level)
			}
		}
	}
	return out
}

func (f *Forest) leafNode(leaf uint32) Node {
	k := len(f.Classes)
	if !f.soft {
		return Node{Leaf: true, Class: int(leaf)}
	}
	votes := make([]uint32, k)
	f.cast(votes, leaf)
	out := Node{Leaf: true, Shares: make([]float64, k)}
	for c, v := range votes {
		out.Shares[c] = float64(v) / vote.Unit
		if v > votes[out.Class] {
			out.Class = c
		}
	}
	return out
}
