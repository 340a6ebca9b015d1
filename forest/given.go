package forest

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
)

// Given is a forest that another program grew, see [Assemble].
type Given struct {
	Schema     dataset.Schema
	Classes    []string
	Share      []float64     // len k, of the classes among the training rows; nil if not known, then all are equal
	Trees      [][]GivenNode // node 0 is the root
	Sums       *Sums         // what leaves hold; nil if each leaf is a vote
	Importance []float64     // len p, at least 0; nil if not known, then a feature counts by the nodes that ask for it
}

// GivenNode is a node of a tree that another program grew.
type GivenNode struct {
	Feature     int                  // index; -1 of a leaf
	At          float64              // of a numeric feature: cells <= At go left
	Level       func(level int) bool // of a categorical one: whether a level, by its index, goes left
	MissingLeft bool                 // whether missing cells, and unknown levels, go left
	Left, Right int                  // indices of the children

	Vote int       // of a leaf, its class, where leaves vote
	Leaf []float64 // of a leaf, its numbers, where they are added up, see Sums
}

// Assemble makes a forest of the trees that another program grew. It has no bags: votes out of bag are not to be had.
//
// Errors: [ErrFormat] for trees that are none, features, classes and cuts that there are not, and numbers that are not
// finite.
func Assemble(g Given) (*Forest, error) {
	k, p := len(g.Classes), len(g.Schema)
	switch {
	case k < 2:
		return nil, fmt.Errorf("%w: %d classes; there must be two or more", ErrFormat, k)
	case p < 1:
		return nil, fmt.Errorf("%w: there are no features", ErrFormat)
	case len(g.Trees) < 1 || len(g.Trees) > MaxTrees:
		return nil, fmt.Errorf("%w: %d trees; there must be from 1 to %d", ErrFormat, len(g.Trees), MaxTrees)
	}
	f := &Forest{Schema: g.Schema, Classes: g.Classes, Share: g.Share, sums: g.Sums}
	if f.Share == nil {
		f.Share = slices.Repeat([]float64{1 / float64(k)}, k)
	}
	a := &assembly{Forest: f, asked: make([]float64, p)}
	for t, nodes := range g.Trees {
		order, err := a.arranged(nodes)
		if err != nil {
			return nil, fmt.Errorf("%w: tree %d: %w", ErrFormat, t+1, err)
		}
		a.orders = append(a.orders, order)
	}
	if err := a.numberCuts(g.Trees); err != nil {
		return nil, err
	}
	for t, nodes := range g.Trees {
		a.addTree(nodes, a.orders[t])
	}
	if err := a.credit(g.Importance); err != nil {
		return nil, err
	}
	if f.sums != nil {
		if err := f.sums.check(len(f.trees), k, p); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
	}
	return f, nil
}

// assembly is a forest in the making.
type assembly struct {
	*Forest
	orders [][]arrangedNode
	asked  []float64 // by feature, the nodes that ask for it
	leaves int
	codes  int // in the sets of all nodes
}

// arrangedNode is a given node in its place in a tree.
type arrangedNode struct {
	node  int
	child uint32 // of a node that splits
	leaf  bool
}

// arranged puts the nodes of a tree in the order of grownTree.
func (a *assembly) arranged(nodes []GivenNode) ([]arrangedNode, error) {
	if len(nodes) == 0 || len(nodes) > mostNodes {
		return nil, fmt.Errorf("%d nodes; there must be from 1 to %d", len(nodes), mostNodes)
	}
	seen := make([]bool, len(nodes))
	out := []arrangedNode{{node: 0}}
	for todo := []uint32{0}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, err := a.splitting(nodes, seen, out[at].node)
		if err != nil {
			return nil, err
		}
		out[at].node = i
		if nodes[i].Feature < 0 {
			out[at].leaf = true
			a.leaves++
			continue
		}
		next := uint32(len(out))
		a.asked[nodes[i].Feature]++
		out[at].child = next
		out = append(out, arrangedNode{node: nodes[i].Left}, arrangedNode{node: nodes[i].Right})
		todo = append(todo, next+1, next)
	}
	return out, nil
}

// splitting returns the first node, from i on, that does not send every row the same way, and checks those that it
// passes. Such a node is one of a categorical feature; it is none here.
func (a *assembly) splitting(nodes []GivenNode, seen []bool, i int) (int, error) {
	for {
		if i < 0 || i >= len(nodes) {
			return 0, fmt.Errorf("a child %d of %d nodes", i, len(nodes))
		}
		if seen[i] {
			return 0, fmt.Errorf("node %d has two parents", i)
		}
		seen[i] = true
		n := &nodes[i]
		switch {
		case n.Feature >= len(a.Schema):
			return 0, fmt.Errorf("node %d asks for feature %d of %d", i, n.Feature, len(a.Schema))
		case n.Feature < 0:
			return i, a.checkLeaf(n, i)
		case a.Schema[n.Feature].Kind == dataset.Categorical:
			codes := len(a.set(n))
			if a.codes += codes; a.codes > mostCodes && len(a.Schema[n.Feature].Levels) >= mostBits {
				return 0, fmt.Errorf("node %d: its sets of levels have more than %d members", i, mostCodes)
			}
			if codes > 0 {
				return i, nil
			}
			i = n.Right
			if n.MissingLeft {
				i = n.Left
			}
		case math.IsNaN(n.At) || math.IsInf(n.At, 0):
			return 0, fmt.Errorf("node %d has a threshold of %v", i, n.At)
		default:
			return i, nil
		}
	}
}

func (a *assembly) checkLeaf(n *GivenNode, i int) error {
	if a.sums == nil {
		if n.Vote < 0 || n.Vote >= len(a.Classes) {
			return fmt.Errorf("leaf %d votes for class %d of %d", i, n.Vote, len(a.Classes))
		}
		return nil
	}
	if len(n.Leaf) != a.sums.width() {
		return fmt.Errorf("leaf %d has %d numbers; it must have %d", i, len(n.Leaf), a.sums.width())
	}
	return nil
}

// set returns the codes of the levels that go another way than missing cells.
func (a *assembly) set(n *GivenNode) []uint32 {
	var codes []uint32
	for i := range a.Schema[n.Feature].Levels {
		if n.Level(i) != n.MissingLeft {
			codes = append(codes, uint32(i+1))
		}
	}
	return codes
}

// mostCodes bounds the codes in the sets of levels of all nodes, as many levels with a few words each may be claimed by
// a short file.
const mostCodes = 1 << 26

// numberCuts numbers the cuts of numeric features, and chooses the layout.
func (a *assembly) numberCuts(trees [][]GivenNode) error {
	a.cuts = make([]cuts, len(a.Schema))
	sets := make([]int, len(a.Schema))
	for t, order := range a.orders {
		for _, at := range order {
			n := &trees[t][at.node]
			switch {
			case at.leaf:
			case a.Schema[n.Feature].Kind == dataset.Categorical:
				sets[n.Feature]++
			default:
				a.cuts[n.Feature].at = append(a.cuts[n.Feature].at, n.At+0) // -0 becomes 0
			}
		}
	}
	most := len(a.Classes) - 1
	if a.sums != nil {
		most += a.leaves
	}
	for j := range a.cuts {
		if a.Schema[j].Kind == dataset.Categorical {
			a.cuts[j] = newSets(len(a.Schema[j].Levels))
			most = max(most, sets[j]-1)
			continue
		}
		slices.Sort(a.cuts[j].at)
		a.cuts[j].at = slices.Clip(slices.Compact(a.cuts[j].at))
		most = max(most, len(a.cuts[j].at)-1)
	}
	a.index()
	var fits bool
	if a.layout, fits = newLayout(most, len(a.Schema)); !fits {
		return fmt.Errorf("%w: %d cuts or leaves over %d features are too many", ErrFormat, most+1, len(a.Schema))
	}
	return nil
}

// addTree adds a tree whose nodes are in order.
func (a *assembly) addTree(given []GivenNode, order []arrangedNode) {
	nodes, k := make([]node, len(order)), uint32(len(a.Classes))
	for i, at := range order {
		n := &given[at.node]
		var cut uint32
		switch {
		case at.leaf && a.sums != nil:
			width := a.sums.width()
			nodes[i] = a.layout.leaf(k+uint32(len(a.sums.leaves)/width), len(a.Schema), uint32(i))
			a.sums.leaves = append(a.sums.leaves, n.Leaf...)
			continue
		case at.leaf:
			nodes[i] = a.layout.leaf(uint32(n.Vote), len(a.Schema), uint32(i))
			continue
		case a.Schema[n.Feature].Kind == dataset.Categorical:
			cut = a.cuts[n.Feature].add(a.set(n))
		default:
			found, _ := slices.BinarySearch(a.cuts[n.Feature].at, n.At)
			cut = uint32(found)
		}
		nodes[i] = a.layout.pack(cut, uint32(n.Feature), n.MissingLeft, at.child)
	}
	a.trees = append(a.trees, nodes)
}

// credit makes what is known of the importance of the features what their splits gained, of which a tree has 1.
func (a *assembly) credit(importance []float64) error {
	if importance == nil {
		importance = a.asked
	}
	if len(importance) != len(a.Schema) {
		return fmt.Errorf("%w: the importance of %d features, where there are %d", ErrFormat, len(importance), len(a.Schema))
	}
	sum := 0.0
	for _, v := range importance {
		if !(v >= 0) {
			return fmt.Errorf("%w: an importance of %v", ErrFormat, v)
		}
		sum += v
	}
	a.gain = make([]uint64, len(a.Schema))
	for j, v := range importance {
		if sum > 0 && !math.IsInf(sum, 0) {
			a.gain[j] = uint64(v / sum * float64(len(a.trees)) * gainUnit / 2)
		}
	}
	return nil
}
