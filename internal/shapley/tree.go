package shapley

// Node is a node of a tree. Its children stand behind it in the list that has them all; node 0 is the root.
type Node struct {
	Feature     int // that it asks for; -1 of a leaf
	Left, Right int // the indices of its children
	Cover       float64
	Value       float64 // of a leaf
}

// Tree is a tree that is ready to be split into parts.
type Tree struct {
	nodes []inner
	steps []step
	deep  int // the most steps of a path,
	most  int // and the most features
	rule  rule
	tests []int
	base  float64
}

// inner is a node where leaves that are not 0 lie below.
type inner struct {
	feature     int
	left, right int // nodes, -1 where all leaves are 0
	test        int // its index in tests
	value       float64
}

// step is the way into a node from its parent. Steps stand in the order of a walk that takes a node before those
// below it.
type step struct {
	test    int32 // the question at the parent,
	left    bool  // and the answer that leads here
	leaf    bool
	feature int32
	depth   int32 // from 1
	before  int32 // the depth of the step before it on this path that asks for the same feature, 0 for none
	part    float64
	z       float64 // the product of the parts of all steps on this path that ask for the feature, up to this one
	value   float64 // of a leaf
}

// New prepares a tree. Nodes that have no cover at all, as no row came to them, are weighed by the number of their
// leaves.
func New(nodes []Node) *Tree {
	t := &Tree{nodes: make([]inner, len(nodes))}
	cover, counts := covers(nodes)
	for i := len(nodes) - 1; i >= 0; i-- {
		n := &nodes[i]
		t.nodes[i] = inner{feature: n.Feature, left: -1, right: -1, test: -1, value: n.Value}
		if n.Feature < 0 {
			continue
		}
		if counts[n.Left] {
			t.nodes[i].left = n.Left
		}
		if counts[n.Right] {
			t.nodes[i].right = n.Right
		}
	}
	for i, n := range t.nodes {
		if n.left >= 0 || n.right >= 0 {
			t.nodes[i].test = len(t.tests)
			t.tests = append(t.tests, i)
		}
	}
	t.walk(cover)
	t.rule = newRule((t.most + 1) / 2)
	return t
}

// covers returns which share of the cover of its parent each node has, and whether a leaf below it is not 0.
func covers(nodes []Node) (part []float64, counts []bool) {
	part, counts = make([]float64, len(nodes)), make([]bool, len(nodes))
	leaves := make([]float64, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		n := &nodes[i]
		if n.Feature < 0 {
			leaves[i], counts[i] = 1, n.Value != 0
			continue
		}
		leaves[i] = leaves[n.Left] + leaves[n.Right]
		counts[i] = counts[n.Left] || counts[n.Right]
		left, right := nodes[n.Left].Cover, nodes[n.Right].Cover
		if left+right == 0 {
			left, right = leaves[n.Left], leaves[n.Right]
		}
		part[n.Left], part[n.Right] = left/(left+right), right/(left+right)
	}
	return part, counts
}

// walk lists the steps, given the part of its parent's cover that each node has.
func (t *Tree) walk(part []float64) {
	type ahead struct {
		node, depth, features int     // above it
		reach                 float64 // the part of the cover of the root
	}
	todo, path := []ahead{{reach: 1}}, []int{}
	into := make([]step, len(t.nodes)) // by node
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := &t.nodes[at.node]
		path = append(path[:min(at.depth, len(path))], at.node)
		if at.depth > 0 {
			s := &into[at.node]
			s.depth, s.part, s.z, s.value, s.leaf = int32(at.depth), part[at.node], part[at.node], n.value, n.feature < 0
			for d := at.depth - 1; d > 0; d-- {
				if earlier := &into[path[d]]; earlier.feature == s.feature {
					s.before, s.z = int32(d), s.z*earlier.z
					break
				}
			}
			if s.before == 0 {
				at.features++
			}
			t.steps = append(t.steps, *s)
			t.deep = max(t.deep, at.depth)
		}
		if n.feature < 0 {
			t.base += float64(at.reach * n.value)
			t.most = max(t.most, at.features)
			continue
		}
		for _, child := range []int{n.right, n.left} {
			if child >= 0 {
				into[child] = step{test: int32(n.test), left: child == n.left, feature: int32(n.feature)}
				todo = append(todo, ahead{child, at.depth + 1, at.features, at.reach * part[child]})
			}
		}
	}
}

// Tests returns the indices of the nodes whose answers [Tree.Add] needs.
func (t *Tree) Tests() []int { return t.tests }

// Steps returns how much there is to do for each row.
func (t *Tree) Steps() int { return len(t.steps) }

// Base returns what the tree says when no cell is known, path-dependent: the mean of its leaves by their covers.
func (t *Tree) Base() float64 { return t.base }
