package forest

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
)

// draft is a tree while it grows.
type draft struct {
	nodes  []draftNode // in the order in which they were grown
	starts []uint32    // the sets of the categorical nodes, as in cuts
	codes  []uint32
	shares []uint16  // of leaves, in the order in which they were made
	gain   []float64 // by feature, what the splits on it gained
	walk   []place   // scratch
}

// draftNode is a node of a draft. Its cut is a code as in grownTree, of a categorical node the
// number of its set and of a leaf its vote. The left child of a leaf is 0.
type draftNode struct {
	cut, left, feature uint32
	missingLeft        bool
}

// place is where a node stands in the draft and where in the tree.
type place struct{ from, to uint32 }

func (d *draft) clear() {
	d.nodes, d.starts, d.codes, d.shares = append(d.nodes[:0], draftNode{}), append(d.starts[:0], 0), d.codes[:0],
		d.shares[:0]
	clear(d.gain)
}

// addShares returns room for the shares of k classes in one more leaf.
func (d *draft) addShares(k int) []uint16 {
	d.shares = append(d.shares, make([]uint16, k)...)
	return d.shares[len(d.shares)-k:]
}

// leaf makes a node a leaf.
func (d *draft) leaf(at, vote uint32) { d.nodes[at] = draftNode{cut: vote} }

// split splits a node and returns its left child.
func (d *draft) split(at uint32, s *split, gain float64) (left uint32) {
	n := draftNode{s.lower, uint32(len(d.nodes)), uint32(s.feature), s.missingLeft}
	if len(s.set) > 0 {
		n.cut = uint32(len(d.starts) - 1)
		for w, word := range s.set {
			for ; word != 0; word &= word - 1 {
				d.codes = append(d.codes, uint32(64*w+bits.TrailingZeros64(word)))
			}
		}
		d.starts = append(d.starts, uint32(len(d.codes)))
	}
	d.gain[s.feature] += gain
	d.nodes[at] = n
	d.nodes = append(d.nodes, draftNode{}, draftNode{})
	return n.left
}

// The gains of a tree are divided by the weight of its root and kept as whole multiples of
// 1/gainUnit: so their sum over trees does not depend on the order of these.
const gainUnit = 1 << 40

// finish returns the draft as a grown tree, and adds its gains to those of the forest.
func (g *grower) finish(weight float64) grownTree {
	d := &g.draft
	for j, gain := range d.gain {
		if gain > 0 {
			atomic.AddUint64(&g.gain[j], uint64(math.Round(gain/weight*gainUnit)))
		}
	}
	g.markCuts()
	t := grownTree{nodes: make([]node, len(d.nodes))}
	if len(d.starts) > 1 {
		t.starts, t.codes = make([]uint32, 1, len(d.starts)), make([]uint32, 0, len(d.codes))
	}
	l, p, next := g.layout, len(g.data.columns), uint32(1)
	d.walk = append(d.walk[:0], place{})
	for len(d.walk) > 0 {
		at := d.walk[len(d.walk)-1]
		d.walk = d.walk[:len(d.walk)-1]
		n := d.nodes[at.from]
		if n.left == 0 {
			t.nodes[at.to] = l.leaf(n.cut, p, at.to)
			continue
		}
		d.walk = append(d.walk, place{n.left + 1, next + 1}, place{n.left, next})
		t.nodes[at.to] = l.pack(n.cut, n.feature, n.missingLeft, next)
		next += 2
	}
	d.inOrder(&t, g)
	return t
}

// markCuts notes after which codes the tree cuts its features. (All at once: cut by cut, while the tree grows, each
// would wait for the memory that holds its mark.)
func (g *grower) markCuts() {
	for _, n := range g.draft.nodes {
		if n.left == 0 || g.data.columns[n.feature].categorical {
			continue
		}
		word, bit := &g.used[n.feature][n.cut/64], uint64(1)<<(n.cut%64)
		if atomic.LoadUint64(word)&bit == 0 {
			atomic.OrUint64(word, bit)
		}
	}
}

// inOrder copies the sets and the shares into t in the order of its nodes.
func (d *draft) inOrder(t *grownTree, g *grower) {
	if t.starts == nil && len(d.shares) == 0 {
		return
	}
	k, p := uint32(g.data.k), len(g.data.columns)
	for at, n := range t.nodes {
		i := g.layout.cut(n)
		switch j := int(g.layout.featureOf(n)); {
		case j == p && i >= k:
			vote := k + uint32(len(t.shares))/k
			t.nodes[at] = g.layout.leaf(vote, p, uint32(at))
			t.shares = append(t.shares, d.shares[(i-k)*k:(i-k+1)*k]...)
		case j < p && g.data.columns[j].categorical:
			t.codes = append(t.codes, d.codes[d.starts[i]:d.starts[i+1]]...)
			t.starts = append(t.starts, uint32(len(t.codes)))
		}
	}
	t.codes, t.starts, t.shares = slices.Clip(t.codes), slices.Clip(t.starts), slices.Clip(t.shares)
}
