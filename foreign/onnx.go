package foreign

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
)

// onnxGraph is what is read of a model of ONNX (github.com/onnx/onnx, onnx.proto): the operator that is an ensemble
// of trees, and the inputs.
type onnxGraph struct {
	producer string
	kind     string // the operator
	attr     map[string]*onnxAttr
	inputs   []onnxInput
	fixed    map[string]*onnxAttr // constants by name, which are no inputs
	factors  [][]string           // the inputs of each product
}

// onnxInput is an input: its type of numbers, and how many columns it has; 0 if that is open.
type onnxInput struct {
	name    string
	kind    uint64
	columns int
}

// onnxAttr is an attribute of an operator.
type onnxAttr struct {
	whole   int64
	text    string
	texts   []string
	wholes  []int64
	numbers []float64 // of floats or a tensor
	double  bool      // whether a tensor is of float64
}

// Types of numbers of ONNX.
const (
	onnxFloat  = 1
	onnxUint8  = 2
	onnxInt32  = 6
	onnxInt64  = 7
	onnxDouble = 11
)

// readGraph finds the ensemble of trees in a model.
func readGraph(model message) (*onnxGraph, error) {
	g := &onnxGraph{fixed: map[string]*onnxAttr{}}
	var beside []string
	err := model.fields(func(f field) error {
		switch f.number {
		case 2:
			g.producer = string(f.bytes)
		case 7:
			return f.bytes.fields(func(f field) error {
				switch f.number {
				case 1:
					other, err := g.node(f.bytes)
					if other != "" {
						beside = append(beside, other)
					}
					return err
				case 5:
					return g.constant(f.bytes)
				case 11:
					return g.input(f.bytes)
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if g.attr == nil {
		return nil, fmt.Errorf("the model has no TreeEnsembleClassifier or TreeEnsemble, but %s",
			english.Quote(strings.Join(beside, ", ")))
	}
	for _, names := range g.factors {
		if !slices.ContainsFunc(names, func(name string) bool {
			c := g.fixed[name]
			return c != nil && len(c.numbers) == 1 && c.numbers[0] == 1
		}) {
			return nil, errors.New("beside its trees the model multiplies scores; convert the trees alone")
		}
	}
	for _, op := range beside {
		if !slices.Contains([]string{"Cast", "Mul", "ZipMap", "Identity", "ArgMax", "Reshape", "Flatten", "ArrayFeatureExtractor"},
			op) {
			return nil, fmt.Errorf("beside its trees the model has an operator %s, which changes cells or scores; convert the "+
				"trees alone", english.Quote(op))
		}
	}
	return g, nil
}

// node reads an operator: that of the trees, or returns the name of another.
func (g *onnxGraph) node(m message) (other string, err error) {
	kind, attrs, inputs := "", []message(nil), []string(nil)
	err = m.fields(func(f field) error {
		switch f.number {
		case 1:
			inputs = append(inputs, string(f.bytes))
		case 4:
			kind = string(f.bytes)
		case 5:
			attrs = append(attrs, f.bytes)
		}
		return nil
	})
	if kind == "Mul" {
		g.factors = append(g.factors, inputs)
	}
	if err != nil || kind != "TreeEnsembleClassifier" && kind != "TreeEnsemble" {
		return kind, err
	}
	if g.attr != nil {
		return "", fmt.Errorf("the model has several ensembles of trees; convert one alone")
	}
	g.kind, g.attr = kind, make(map[string]*onnxAttr, len(attrs))
	for _, a := range attrs {
		name, attr, err := onnxAttribute(a)
		if err != nil {
			return "", err
		}
		g.attr[name] = attr
	}
	return "", nil
}

func onnxAttribute(m message) (name string, a *onnxAttr, err error) {
	a = &onnxAttr{}
	err = m.fields(func(f field) error {
		switch f.number {
		case 1:
			name = string(f.bytes)
		case 3:
			a.whole = int64(f.value)
		case 4:
			a.text = string(f.bytes)
		case 5:
			return a.tensor(f.bytes)
		case 7:
			return f.floats(&a.numbers)
		case 8:
			return f.whole(&a.wholes)
		case 9:
			a.texts = append(a.texts, string(f.bytes))
		}
		return nil
	})
	return name, a, err
}

// tensor reads the numbers of a tensor.
func (a *onnxAttr) tensor(m message) error {
	kind, raw := uint64(0), message(nil)
	err := m.fields(func(f field) (err error) {
		switch f.number {
		case 2:
			kind = f.value
		case 4:
			return f.floats(&a.numbers)
		case 5, 7:
			var list []int64
			err = f.whole(&list)
			for _, v := range list {
				a.numbers = append(a.numbers, float64(v))
			}
		case 9:
			raw = f.bytes
		case 10:
			return f.doubles(&a.numbers)
		}
		return err
	})
	if err != nil {
		return err
	}
	a.double = kind == onnxDouble
	if raw == nil {
		return nil
	}
	all := field{bytes: raw}
	switch kind {
	case onnxFloat:
		return all.floats(&a.numbers)
	case onnxDouble:
		return all.doubles(&a.numbers)
	case onnxUint8:
		for _, b := range raw {
			a.numbers = append(a.numbers, float64(b))
		}
		return nil
	case onnxInt64:
		for ; len(raw) >= 8; raw = raw[8:] {
			a.numbers = append(a.numbers, float64(int64(binary.LittleEndian.Uint64(raw))))
		}
		return nil
	}
	return fmt.Errorf("a tensor of type %d", kind)
}

// constant reads a tensor that has a name.
func (g *onnxGraph) constant(m message) error {
	name, a := "", &onnxAttr{}
	err := m.fields(func(f field) error {
		if f.number == 8 {
			name = string(f.bytes)
		}
		return nil
	})
	if err == nil {
		err = a.tensor(m)
	}
	g.fixed[name] = a
	return err
}

// input reads the name and the shape of an input.
func (g *onnxGraph) input(m message) error {
	in, dims := onnxInput{}, []int64(nil)
	err := m.fields(func(f field) error {
		switch f.number {
		case 1:
			in.name = string(f.bytes)
		case 2: // its type
			return f.bytes.fields(func(f field) error {
				if f.number != 1 {
					return nil
				}
				return f.bytes.fields(func(f field) error {
					switch f.number {
					case 1:
						in.kind = f.value
					case 2:
						return f.bytes.fields(func(f field) error {
							if f.number != 1 {
								return nil
							}
							dims = append(dims, 0)
							return f.bytes.fields(func(f field) error {
								if f.number == 1 {
									dims[len(dims)-1] = int64(f.value)
								}
								return nil
							})
						})
					}
					return nil
				})
			})
		}
		return nil
	})
	if len(dims) == 2 && dims[1] > 0 && dims[1] <= mostFeatures {
		in.columns = int(dims[1])
	}
	g.inputs = append(g.inputs, in)
	return err
}

// onnxNode is a node of a tree: one that asks has a mode.
type onnxNode struct {
	tree    int // its root, or the number of its tree
	feature int
	at      float64
	mode    string
	yes, no int
	tracks  bool // whether missing cells go the way of yes
	members []float64
}

// isLeaf tells a leaf.
func (n *onnxNode) isLeaf() bool { return n.mode == "LEAF" }

// onnxWeight is what a leaf adds to the score of a class.
type onnxWeight struct {
	class  int
	weight float64
}

// onnxTrees is an ensemble of trees of either operator.
type onnxTrees struct {
	nodes   []onnxNode
	weights [][]onnxWeight // by node
	roots   []int
	labels  []string
	targets int
	base    []float64
	post    string
	mean    bool
	double  bool
	most    int // numbers of leaves that a file of its length may have
}

// list returns an attribute that is a list of numbers, of its tensor where it has one.
func (g *onnxGraph) list(name string) []float64 {
	if a := g.attr[name+"_as_tensor"]; a != nil {
		return a.numbers
	}
	if a := g.attr[name]; a != nil {
		return a.numbers
	}
	return nil
}

func (g *onnxGraph) wholes(name string) []int64 {
	if a := g.attr[name]; a != nil {
		return a.wholes
	}
	return nil
}

// classifier reads a TreeEnsembleClassifier, of ai.onnx.ml 1 and 3.
func (g *onnxGraph) classifier() (*onnxTrees, error) {
	trees, ids, features := g.wholes("nodes_treeids"), g.wholes("nodes_nodeids"), g.wholes("nodes_featureids")
	yes, no, tracks := g.wholes("nodes_truenodeids"), g.wholes("nodes_falsenodeids"),
		g.wholes("nodes_missing_value_tracks_true")
	at, modes := g.list("nodes_values"), []string(nil)
	if a := g.attr["nodes_modes"]; a != nil {
		modes = a.texts
	}
	n := len(trees)
	if tracks == nil {
		tracks = make([]int64, n)
	}
	if err := sameLengths(n, map[string]int{"nodes_nodeids": len(ids), "nodes_featureids": len(features),
		"nodes_truenodeids": len(yes), "nodes_falsenodeids": len(no), "nodes_values": len(at), "nodes_modes": len(modes),
		"nodes_missing_value_tracks_true": len(tracks)}); err != nil {
		return nil, err
	}
	t := &onnxTrees{nodes: make([]onnxNode, n), weights: make([][]onnxWeight, n), base: g.list("base_values")}
	place := make(map[[2]int64]int, n)
	number := map[int64]int{}
	for i := range t.nodes {
		key := [2]int64{trees[i], ids[i]}
		if _, twice := place[key]; twice {
			return nil, fmt.Errorf("node %d of tree %d is there twice", ids[i], trees[i])
		}
		place[key] = i
		if _, known := number[trees[i]]; !known {
			number[trees[i]] = len(t.roots)
			t.roots = append(t.roots, i)
		}
	}
	for i := range t.nodes {
		node := onnxNode{feature: int(features[i]), at: at[i], mode: strings.TrimPrefix(modes[i], "BRANCH_"),
			tree: number[trees[i]], tracks: tracks[i] != 0}
		if !node.isLeaf() {
			var known, both bool
			node.yes, known = place[[2]int64{trees[i], yes[i]}]
			node.no, both = place[[2]int64{trees[i], no[i]}]
			if !known || !both {
				return nil, fmt.Errorf("node %d of tree %d has the children %d and %d, which are not there", ids[i], trees[i],
					yes[i], no[i])
			}
		}
		t.nodes[i] = node
	}
	return t, g.classWeights(t, place)
}

// classWeights reads what the leaves of a classifier add, and its labels.
func (g *onnxGraph) classWeights(t *onnxTrees, place map[[2]int64]int) error {
	trees, ids, classes := g.wholes("class_treeids"), g.wholes("class_nodeids"), g.wholes("class_ids")
	weights := g.list("class_weights")
	if err := sameLengths(len(trees), map[string]int{"class_nodeids": len(ids), "class_ids": len(classes),
		"class_weights": len(weights)}); err != nil {
		return err
	}
	if a := g.attr["classlabels_strings"]; a != nil && len(a.texts) > 0 {
		t.labels = a.texts
	} else {
		for _, label := range g.wholes("classlabels_int64s") {
			t.labels = append(t.labels, strconv.FormatInt(label, 10))
		}
	}
	for i, class := range classes {
		at, known := place[[2]int64{trees[i], ids[i]}]
		if !known || class < 0 || class >= int64(len(t.labels)) {
			return fmt.Errorf("weight %d is of node %d of tree %d, class %d of %d", i, ids[i], trees[i], class, len(t.labels))
		}
		t.weights[at] = append(t.weights[at], onnxWeight{int(class), weights[i]})
	}
	t.targets = len(t.labels)
	if t.post = "NONE"; g.attr["post_transform"] != nil {
		t.post = g.attr["post_transform"].text
	}
	if a := g.attr["nodes_values_as_tensor"]; a != nil {
		t.double = a.double
	}
	return nil
}

// ensemble reads a TreeEnsemble, of ai.onnx.ml 5: its leaves follow the nodes.
func (g *onnxGraph) ensemble() (*onnxTrees, error) {
	features, modes, at := g.wholes("nodes_featureids"), g.list("nodes_modes"), g.list("nodes_splits")
	yes, no := g.wholes("nodes_truenodeids"), g.wholes("nodes_falsenodeids")
	yesLeaf, noLeaf := g.wholes("nodes_trueleafs"), g.wholes("nodes_falseleafs")
	tracks, n := g.wholes("nodes_missing_value_tracks_true"), len(features)
	if tracks == nil {
		tracks = make([]int64, n)
	}
	if err := sameLengths(n, map[string]int{"nodes_modes": len(modes), "nodes_splits": len(at),
		"nodes_truenodeids": len(yes), "nodes_falsenodeids": len(no), "nodes_trueleafs": len(yesLeaf),
		"nodes_falseleafs": len(noLeaf), "nodes_missing_value_tracks_true": len(tracks)}); err != nil {
		return nil, err
	}
	targets, weights := g.wholes("leaf_targetids"), g.list("leaf_weights")
	if err := sameLengths(len(targets), map[string]int{"leaf_weights": len(weights)}); err != nil {
		return nil, err
	}
	whole := func(name string, or int64) int64 {
		if a := g.attr[name]; a != nil {
			return a.whole
		}
		return or
	}
	t := &onnxTrees{targets: int(whole("n_targets", 1)), mean: whole("aggregate_function", 1) == 0,
		nodes: make([]onnxNode, n+len(targets)), weights: make([][]onnxWeight, n+len(targets))}
	posts := []string{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}
	post, how := whole("post_transform", 0), whole("aggregate_function", 1)
	if post < 0 || int(post) >= len(posts) || how != 0 && how != 1 || t.targets < 1 || t.targets > mostClasses {
		return nil, fmt.Errorf("post_transform %d, aggregate_function %d, %d targets; a forest takes the mean or the sum",
			post, how, t.targets)
	}
	t.post = posts[post]
	if a := g.attr["nodes_splits"]; a != nil {
		t.double = a.double
	}
	members, err := onnxMembers(g.list("membership_values"), modes)
	if err != nil {
		return nil, err
	}
	child := func(at, leaf int64) int {
		if leaf != 0 {
			at += int64(n)
		}
		return int(at)
	}
	names := []string{"LEQ", "LT", "GTE", "GT", "EQ", "NEQ", "MEMBER"}
	for i := range n {
		if !(modes[i] >= 0 && int(modes[i]) < len(names)) {
			return nil, fmt.Errorf("node %d is of mode %v", i, modes[i])
		}
		t.nodes[i] = onnxNode{feature: int(features[i]), at: at[i], mode: names[int(modes[i])],
			yes: child(yes[i], yesLeaf[i]), no: child(no[i], noLeaf[i]), tracks: tracks[i] != 0, members: members[i]}
	}
	for i, class := range targets {
		if class < 0 || int(class) >= t.targets {
			return nil, fmt.Errorf("leaf %d adds to target %d of %d", i, class, t.targets)
		}
		t.nodes[n+i] = onnxNode{mode: "LEAF"}
		t.weights[n+i] = []onnxWeight{{int(class), weights[i]}}
	}
	for _, root := range g.wholes("tree_roots") {
		t.roots = append(t.roots, int(root))
	}
	return t, t.place()
}

// onnxMembers returns by node the values that its set holds; sets follow each other, each with a NaN behind it.
func onnxMembers(values, modes []float64) ([][]float64, error) {
	members := make([][]float64, len(modes))
	for i, mode := range modes {
		if mode != 6 {
			continue
		}
		end := slices.IndexFunc(values, math.IsNaN)
		if end < 0 {
			return nil, fmt.Errorf("membership_values end before node %d", i)
		}
		members[i], values = values[:end], values[end+1:]
	}
	return members, nil
}

// place finds out which tree each node is of.
func (t *onnxTrees) place() error {
	seen := make([]bool, len(t.nodes))
	for number, root := range t.roots {
		for todo := []int{root}; len(todo) > 0; {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if i < 0 || i >= len(t.nodes) || seen[i] {
				return fmt.Errorf("tree %d has a node %d of %d that is not there, or has two parents", number, i, len(t.nodes))
			}
			seen[i] = true
			n := &t.nodes[i]
			n.tree = number
			// a tree of one leaf is a node whose children are that leaf
			if n.yes == n.no && !n.isLeaf() && n.yes >= 0 && n.yes < len(t.nodes) {
				leaf := n.yes
				*n, t.weights[i] = onnxNode{tree: number, mode: "LEAF"}, t.weights[leaf]
				seen[leaf] = true
				t.nodes[leaf].tree = -1
			}
			if !n.isLeaf() {
				todo = append(todo, n.no, n.yes)
			}
		}
	}
	return nil
}
