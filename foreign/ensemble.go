package foreign

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
)

// readONNX reads a tree ensemble of ONNX that decides classes, as ONNX Runtime understands it. A feature that nodes
// compare for equality alone is categorical; its categories are the numbers that they ask for.
func readONNX(text []byte, o Options) (*Forest, error) {
	graph, err := readGraph(text)
	if err != nil {
		return nil, err
	}
	read := graph.classifier
	if graph.kind == "TreeEnsemble" {
		read = graph.ensemble
	}
	t, err := read()
	if err != nil {
		return nil, err
	}
	if len(t.roots) == 0 {
		return nil, errors.New("the model has no trees")
	}
	g := forest.Given{}
	if g.Classes, err = t.classes(o); err != nil {
		return nil, err
	}
	t.most = mostGrowth*len(text) + 1<<16
	if err := t.sums(&g); err != nil {
		return nil, err
	}
	p, single, err := graph.columns(t)
	if err != nil {
		return nil, err
	}
	g.Schema = numeric(numbered("x", p))
	values, err := t.categories(g.Schema)
	if err != nil {
		return nil, err
	}
	if err := t.trees(&g, values, single); err != nil {
		return nil, err
	}
	return assemble(g, "ONNX "+graph.producer+", "+graph.kind, o)
}

// columns returns the number of features, and whether cells are float32.
func (g *onnxGraph) columns(t *onnxTrees) (p int, single bool, err error) {
	inputs := slices.DeleteFunc(g.inputs, func(in onnxInput) bool { return g.fixed[in.name] != nil })
	if len(inputs) != 1 {
		return 0, false, fmt.Errorf("the model has %d inputs; it must have one, a table of numbers", len(inputs))
	}
	in := inputs[0]
	if in.kind != onnxFloat && in.kind != onnxDouble {
		return 0, false, fmt.Errorf("the input is of type %d; it must be of float or double", in.kind)
	}
	p = in.columns
	for i := range t.nodes {
		if n := &t.nodes[i]; !n.isLeaf() && (n.feature < 0 || n.feature >= mostFeatures || in.columns > 0 &&
			n.feature >= p) {
			return 0, false, fmt.Errorf("node %d asks for feature %d of %d", i, n.feature, p)
		}
		if in.columns == 0 {
			p = max(p, t.nodes[i].feature+1)
		}
	}
	return p, !t.double || in.kind == onnxFloat, nil
}

// classes returns the labels: those of the model, or as many as its targets say.
func (t *onnxTrees) classes(o Options) ([]string, error) {
	if t.labels == nil {
		return o.labels(max(2, t.targets))
	}
	if len(t.labels) < 2 || len(t.labels) > mostClasses {
		return nil, fmt.Errorf("%d class labels; there must be from 2 to %d", len(t.labels), mostClasses)
	}
	return t.labels, nil
}

// sums reads how leaves add up.
func (t *onnxTrees) sums(g *forest.Given) error {
	k := len(g.Classes)
	classes := map[int]bool{}
	for _, list := range t.weights {
		for _, w := range list {
			classes[w.class] = true
		}
	}
	m := t.targets
	if m == k && k == 2 && len(classes) == 1 { // the score of the second class, whatever its number
		m = 1
	}
	s := &forest.Sums{Divide: 1, Scale: 1, Single: !t.double, Late: true, Base: make([]float64, m)}
	switch t.post {
	case "NONE":
	case "LOGISTIC":
		s.Link = forest.Logistic
	case "SOFTMAX":
		s.Link = forest.Softmax
	default:
		return fmt.Errorf("the post_transform %s; it must be NONE, LOGISTIC or SOFTMAX", english.Quote(t.post))
	}
	switch {
	case len(t.base) == m:
		copy(s.Base, t.base)
	case len(t.base) == 2 && m == 1:
		s.Base[0] = t.base[1]
	case len(t.base) != 0:
		return fmt.Errorf("%d base_values for %d scores", len(t.base), m)
	}
	if t.mean {
		s.Divide = float64(len(t.roots))
	}
	if s.Class = t.single(m); s.Class == nil && m == 1 {
		return errors.New("a leaf has several weights for one score")
	}
	if g.Sums = s; s.Class == nil && len(t.nodes)*m > t.most {
		return fmt.Errorf("%d nodes with %d scores each are too many", len(t.nodes), m)
	}
	return nil
}

// single returns by tree the sum that its leaves add to; nil where leaves of a tree add to several.
func (t *onnxTrees) single(m int) []int {
	of := slices.Repeat([]int{-1}, len(t.roots))
	for i, list := range t.weights {
		for _, w := range list {
			tree, class := t.nodes[i].tree, w.class
			if m == 1 {
				class = 0
			}
			if tree < 0 {
				continue
			}
			if of[tree] >= 0 && of[tree] != class || len(list) > 1 {
				return nil
			}
			of[tree] = class
		}
	}
	for tree := range of {
		of[tree] = max(of[tree], 0)
	}
	return of
}

// categories makes features categorical that are compared for equality, and returns their numbers by feature, in the
// order of the levels.
func (t *onnxTrees) categories(schema dataset.Schema) ([][]float64, error) {
	asked := make([]map[float64]bool, len(schema))
	ordered := make([]bool, len(schema))
	for i := range t.nodes {
		n := &t.nodes[i]
		values := n.members
		switch n.mode {
		case "LEAF":
			continue
		case "EQ", "NEQ":
			values = []float64{n.at}
		case "MEMBER":
		default:
			ordered[n.feature] = true
			continue
		}
		if asked[n.feature] == nil {
			asked[n.feature] = map[float64]bool{}
		}
		for _, v := range values {
			asked[n.feature][v] = true
		}
		if n.tracks {
			return nil, fmt.Errorf("node %d sends missing cells where equal ones go, and unknown ones elsewhere", i)
		}
	}
	values := make([][]float64, len(schema))
	for j := range schema {
		if asked[j] == nil {
			continue
		}
		if ordered[j] {
			return nil, fmt.Errorf("feature %d is compared by order at some nodes, and for equality at others", j)
		}
		number := make(map[string]float64, len(asked[j]))
		for v := range asked[j] {
			number[dataset.Field{}.Text(v)] = v
		}
		var names []string
		for name := range number {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			values[j] = append(values[j], number[name])
		}
		schema[j].Kind, schema[j].Levels = dataset.Categorical, names
	}
	return values, nil
}

// trees adds the trees. Nodes keep their order, so they are sought by their place within their tree.
func (t *onnxTrees) trees(g *forest.Given, values [][]float64, single bool) error {
	place, count := make([]int, len(t.nodes)), make([]int, len(t.roots))
	for tree, root := range t.roots {
		if root < 0 || root >= len(t.nodes) {
			return fmt.Errorf("the root of tree %d is node %d of %d", tree, root, len(t.nodes))
		}
		count[tree] = 1 // the root comes first
	}
	for i := range t.nodes {
		if tree := t.nodes[i].tree; tree >= 0 && i != t.roots[tree] {
			place[i] = count[tree]
			count[tree]++
		}
	}
	g.Trees = make([][]forest.GivenNode, len(t.roots))
	for tree, n := range count {
		g.Trees[tree] = make([]forest.GivenNode, n)
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.tree < 0 {
			continue
		}
		if n.isLeaf() {
			g.Trees[n.tree][place[i]] = forest.GivenNode{Feature: -1, Leaf: t.leaf(i, g.Sums)}
			continue
		}
		if n.yes < 0 || n.yes >= len(place) || n.no < 0 || n.no >= len(place) || t.nodes[n.yes].tree != n.tree ||
			t.nodes[n.no].tree != n.tree {
			return fmt.Errorf("node %d has the children %d and %d, which are not of its tree", i, n.yes, n.no)
		}
		node, err := n.given(values, single)
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		if node.Left, node.Right = place[n.yes], place[n.no]; n.mode == "GT" || n.mode == "GTE" || n.mode == "NEQ" {
			node.Left, node.Right = node.Right, node.Left
		}
		g.Trees[n.tree][place[i]] = node
	}
	return nil
}

// given returns a node that asks, as if yes were on the left; for the modes that are the contrary of another it is on
// the right.
func (n *onnxNode) given(values [][]float64, single bool) (node forest.GivenNode, err error) {
	node = forest.GivenNode{Feature: n.feature, MissingLeft: n.tracks}
	at, less := atMost, func(t float64) float64 { return below(float32(t)) }
	if !single {
		at, less = func(t float64) float64 { return t }, func(t float64) float64 { return math.Nextafter(t, math.Inf(-1)) }
	}
	switch n.mode {
	case "LEQ":
		node.At = finite(at(n.at))
	case "LT":
		node.At = finite(less(n.at))
	case "GTE":
		node.At, node.MissingLeft = finite(less(n.at)), !n.tracks
	case "GT":
		node.At, node.MissingLeft = finite(at(n.at)), !n.tracks
	case "EQ", "NEQ", "MEMBER":
		members := slices.Sorted(slices.Values(n.members))
		if n.mode != "MEMBER" {
			members = []float64{n.at}
		}
		number := values[n.feature]
		node.Level = func(level int) bool {
			_, in := slices.BinarySearch(members, number[level])
			return in
		}
	default:
		err = fmt.Errorf("the mode %s", english.Quote(n.mode))
	}
	return node, err
}

// leaf returns what a leaf adds.
func (t *onnxTrees) leaf(i int, s *forest.Sums) []float64 {
	if s.Class != nil {
		if list := t.weights[i]; len(list) > 0 {
			return []float64{list[0].weight}
		}
		return []float64{0}
	}
	sum := make([]float64, len(s.Base))
	for _, w := range t.weights[i] {
		sum[w.class] += w.weight
	}
	return sum
}
