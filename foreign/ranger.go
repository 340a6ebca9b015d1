package foreign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// rangerFile is what the script of the guide writes of a forest of R's ranger.
type rangerFile struct {
	Version  string              `json:"version"`
	Classes  []string            `json:"classes"`
	Values   []float64           `json:"class_values"` // by number in class.values of the forest, the class, from 1
	Features []string            `json:"features"`
	Levels   map[string][]string `json:"levels"`  // of the features that are factors, in their order
	Ordered  []bool              `json:"ordered"` // by feature, whether its levels are compared by their order
	Trees    []rangerTree        `json:"trees"`
}

type rangerTree struct {
	Left    []int     `json:"left"` // 0 of a leaf
	Right   []int     `json:"right"`
	Feature []int     `json:"feature"`
	At      []exact   `json:"at"`     // of a leaf of a forest that votes, its class in class_values
	Counts  [][]exact `json:"counts"` // of a leaf of a forest of probabilities, shares in the order of class_values
}

// exact is a number that stands in quotes, as R writes no number to its last digit.
type exact float64

func (e *exact) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*e = exact(v)
	return err
}

// readRanger reads a forest of R's ranger: votes, or shares of leaves if it was grown with probability = TRUE.
// Missing cells, which its version 0.14 refuses, go right.
func readRanger(text []byte, o Options) (*Forest, error) {
	var file rangerFile
	if err := decode(text, &file); err != nil {
		return nil, err
	}
	k, p := len(file.Classes), len(file.Features)
	if k < 2 || k > mostClasses || p > mostFeatures || len(file.Ordered) != p || len(file.Trees) == 0 {
		return nil, fmt.Errorf("%d classes, %d features, %d of them said to be ordered or not, %d trees", k, p,
			len(file.Ordered), len(file.Trees))
	}
	for _, v := range file.Values {
		if !(v >= 1 && v <= float64(k)) {
			return nil, fmt.Errorf("class value %v of %d classes", v, k)
		}
	}
	g := forest.Given{Schema: numeric(file.Features), Classes: file.Classes}
	coded := make([]levels, p)
	for j := range g.Schema {
		names, factor := file.Levels[g.Schema[j].Name]
		if !factor {
			continue
		}
		var err error
		if coded[j], err = newLevels(names); err != nil {
			return nil, fmt.Errorf("feature %q: %w", g.Schema[j].Name, err)
		}
		g.Schema[j].Kind, g.Schema[j].Levels = dataset.Categorical, coded[j].names
	}
	kind := "votes"
	if soft := slices.ContainsFunc(file.Trees, func(t rangerTree) bool { return len(t.Counts) > 0 }); soft {
		g.Sums = &forest.Sums{Base: make([]float64, k), Divide: float64(len(file.Trees)), Scale: 1}
		kind = "probabilities"
	}
	for i := range file.Trees {
		nodes, err := file.Trees[i].nodes(&file, coded, g.Sums != nil)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i+1, err)
		}
		g.Trees = append(g.Trees, nodes)
	}
	return assemble(g, "ranger "+file.Version+", "+kind, o)
}

func (t *rangerTree) nodes(file *rangerFile, coded []levels, soft bool) ([]forest.GivenNode, error) {
	n := len(t.Left)
	lengths := map[string]int{"right": len(t.Right), "feature": len(t.Feature), "at": len(t.At)}
	if soft {
		lengths["counts"] = len(t.Counts)
	}
	if err := sameLengths(n, lengths); err != nil {
		return nil, err
	}
	nodes := make([]forest.GivenNode, n)
	for i := range nodes {
		if t.Left[i] == 0 && t.Right[i] == 0 {
			leaf, err := t.leaf(i, file, soft)
			if err != nil {
				return nil, fmt.Errorf("leaf %d: %w", i, err)
			}
			nodes[i] = leaf
			continue
		}
		j, at := t.Feature[i], float64(t.At[i])
		if j < 0 || j >= len(coded) {
			return nil, fmt.Errorf("node %d asks for feature %d of %d", i, j, len(coded))
		}
		nodes[i] = forest.GivenNode{Feature: j, At: finite(at), Left: t.Left[i], Right: t.Right[i]}
		switch l := coded[j]; {
		case l.names == nil:
		case file.Ordered[j]:
			nodes[i].Level = l.left(func(code int) bool { return float64(code+1) <= at })
		case !(at >= 0 && at < 1<<63):
			return nil, fmt.Errorf("node %d has the set of levels %v", i, at)
		default: // a set of levels that go right
			nodes[i].Level = l.left(func(code int) bool { return code > 62 || uint64(at)>>code&1 == 0 })
		}
	}
	return nodes, nil
}

func (t *rangerTree) leaf(i int, file *rangerFile, soft bool) (forest.GivenNode, error) {
	node := forest.GivenNode{Feature: -1}
	if !soft {
		v := float64(t.At[i])
		if !(v >= 1 && v <= float64(len(file.Classes))) {
			return node, fmt.Errorf("class %v of %d", v, len(file.Classes))
		}
		node.Vote = int(v) - 1
		return node, nil
	}
	if len(t.Counts[i]) != len(file.Values) {
		return node, fmt.Errorf("%d shares for %d classes", len(t.Counts[i]), len(file.Values))
	}
	node.Leaf = make([]float64, len(file.Classes))
	for at, share := range t.Counts[i] {
		node.Leaf[int(file.Values[at])-1] = float64(share)
	}
	return node, nil
}
