package foreign

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

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
