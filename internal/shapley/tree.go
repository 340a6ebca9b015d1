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
	tests []int
	base  float64

	// of New
	steps []step
	deep  int // the most steps of a path
	rule  rule

	nodes []inner // of NewAgainst
}

// inner is a node where leaves that are not 0 lie below.
type inner struct {
	feature     int32 // -1 of a leaf
	left, right int32 // nodes, -1 where all leaves are 0
	test        int32 // its index in tests, -1 where there is none
	value       float64
}

// step is the way into a node from its parent. Steps stand in the order of a walk that takes a node before those
// below it.
type step struct {
	part    float64 // of the cover of its parent
	z       float64 // the product of the parts of all steps on this path that ask for the feature, up to this one
	value   float64 // of a leaf
	test    int32   // the question at the parent, see Tests
	feature int32   // that it asks for
	depth   int32   // from 1
	before  int32   // the depth of the step before it on this path that asks for the same feature, 0 for none
	left    bool    // whether the answer that leads here is left
	leaf    bool
}

// New prepares a tree for [Tree.Add]. Nodes that have no cover at all, as no row came to them, are weighed by the
// number of their leaves.
func New(nodes []Node) *Tree {
	part, counts := covers(nodes)
	t := &Tree{}
	t.list(nodes, counts)
	most := t.walk(nodes, part, counts)
	t.rule = newRule((most + 1) / 2)
	return t
}

// NewAgainst prepares a tree for [Tree.AddAgainst].
func NewAgainst(nodes []Node) *Tree {
	part, counts := covers(nodes)
	t := &Tree{nodes: make([]inner, len(nodes))}
	reach := make([]float64, len(nodes))
	reach[0] = 1
	for i, n := range nodes {
		in := inner{feature: -1, left: -1, right: -1, test: -1, value: n.Value}
		if n.Feature < 0 {
			t.base += float64(reach[i] * n.Value)
		} else {
			reach[n.Left], reach[n.Right] = reach[i]*part[n.Left], reach[i]*part[n.Right]
			in.feature = int32(n.Feature)
			if counts[n.Left] {
				in.left = int32(n.Left)
			}
			if counts[n.Right] {
				in.right = int32(n.Right)
			}
		}
		t.nodes[i] = in
	}
	t.list(nodes, counts)
	for test, i := range t.tests {
		t.nodes[i].test = int32(test)
	}
	return t
}

// list lists the nodes that are asked.
func (t *Tree) list(nodes []Node, counts []bool) {
	for i, n := range nodes {
		if n.Feature >= 0 && counts[i] {
			t.tests = append(t.tests, i)
		}
	}
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

// walk lists the steps, given the part of its parent's cover that each node has, and where leaves that are not 0 lie
// below. It returns for how many features a path asks at most.
func (t *Tree) walk(nodes []Node, part []float64, counts []bool) (most int) {
	type ahead struct {
		node, depth, features int     // above it
		reach                 float64 // the part of the cover of the root
	}
	tests, into := make([]int32, len(nodes)), make([]step, len(nodes)) // by node
	for test, i := range t.tests {
		tests[i] = int32(test)
	}
	todo, path := []ahead{{reach: 1}}, []int{}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := &nodes[at.node]
		path = append(path[:at.depth], at.node)
		if at.depth > 0 {
			s := &into[at.node]
			s.depth, s.part, s.z, s.value, s.leaf = int32(at.depth), part[at.node], part[at.node], n.Value, n.Feature < 0
			if s.before = before(into, path[:at.depth], s.feature); s.before == 0 {
				at.features++
			} else {
				s.z *= into[path[s.before]].z
			}
			t.steps = append(t.steps, *s)
			t.deep = max(t.deep, at.depth)
		}
		if n.Feature < 0 {
			t.base += float64(at.reach * n.Value)
			most = max(most, at.features)
			continue
		}
		for _, child := range [2]int{n.Right, n.Left} {
			if counts[child] {
				into[child] = step{test: tests[at.node], left: child == n.Left, feature: int32(n.Feature)}
				todo = append(todo, ahead{child, at.depth + 1, at.features, at.reach * part[child]})
			}
		}
	}
	return most
}

// before returns the depth of the last step of a path that asks for a feature, 0 for none.
func before(into []step, path []int, feature int32) int32 {
	for d := len(path) - 1; d > 0; d-- {
		if into[path[d]].feature == feature {
			return int32(d)
		}
	}
	return 0
}

// Tests returns the indices of the nodes whose answers are needed.
func (t *Tree) Tests() []int { return t.tests }

// Base returns what the tree says when no cell is known, path-dependent: the mean of its leaves by their covers.
func (t *Tree) Base() float64 { return t.base }
