package foreign

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
)

// sklearnFile is what the script of the guide writes of a model of scikit-learn.
type sklearnFile struct {
	Version    string          `json:"version"`
	Model      string          `json:"model"`
	Classes    []string        `json:"classes"`
	Features   []string        `json:"features"`
	Importance []float64       `json:"importance"`
	Base       []float64       `json:"base"` // of boosted trees: where the sums begin
	Rate       float64         `json:"rate"` // of boosted trees, what leaves are multiplied by
	Trees      [][]sklearnTree `json:"trees"`
}

// sklearnTree has its nodes side by side; a leaf has no feature, as its left child is -1.
type sklearnTree struct {
	Left      []int       `json:"left"`
	Right     []int       `json:"right"`
	Feature   []int       `json:"feature"`
	Threshold []*float64  `json:"threshold"` // null is infinite
	Missing   []int       `json:"missing_left"`
	Value     [][]float64 `json:"value"`
}

// readSklearn reads a forest or boosted trees of scikit-learn. Forests vote with the mean of the shares in their
// leaves. All but HistGradientBoosting round cells to float32.
func readSklearn(text []byte, o Options) (*Forest, error) {
	var file sklearnFile
	if err := decode(text, &file); err != nil {
		return nil, err
	}
	k, rounds := len(file.Classes), len(file.Trees)
	if k < 2 || k > mostClasses || rounds == 0 || len(file.Features) > mostFeatures {
		return nil, fmt.Errorf("%d classes, %d features, %d trees; a model has from 2 to %d classes, some trees and at "+
			"most %d features", k, len(file.Features), rounds, mostClasses, mostFeatures)
	}
	g := forest.Given{Schema: numeric(file.Features), Classes: file.Classes, Importance: file.Importance}
	boosted := false
	switch file.Model {
	case "RandomForestClassifier", "ExtraTreesClassifier":
		g.Sums = &forest.Sums{Base: make([]float64, k), Divide: float64(rounds), Scale: 1}
	case "GradientBoostingClassifier", "HistGradientBoostingClassifier":
		boosted = true
		g.Sums = &forest.Sums{Base: file.Base, Divide: 1, Scale: 1, Link: forest.Softmax, Class: []int{}}
		if g.Importance = file.Importance; k == 2 {
			g.Sums.Link, g.Sums.Last = forest.Logistic, true // it decides for the second class from 0 on
		}
	default:
		return nil, fmt.Errorf("a model of the kind %s; it must be a RandomForestClassifier, ExtraTreesClassifier, "+
			"GradientBoostingClassifier or HistGradientBoostingClassifier", english.Quote(file.Model))
	}
	for i, round := range file.Trees {
		if boosted && len(round) != len(file.Base) || !boosted && len(round) != 1 {
			return nil, fmt.Errorf("round %d has %d trees", i+1, len(round))
		}
		for c := range round {
			nodes, err := round[c].nodes(&file, boosted)
			if err != nil {
				return nil, fmt.Errorf("tree %d: %w", len(g.Trees)+1, err)
			}
			if g.Trees = append(g.Trees, nodes); boosted {
				g.Sums.Class = append(g.Sums.Class, c)
			}
		}
	}
	return assemble(g, "scikit-learn "+file.Version+", "+file.Model, o)
}

func (t *sklearnTree) nodes(file *sklearnFile, boosted bool) ([]forest.GivenNode, error) {
	n := len(t.Left)
	if err := sameLengths(n, map[string]int{"right": len(t.Right), "feature": len(t.Feature),
		"threshold": len(t.Threshold), "missing_left": len(t.Missing), "value": len(t.Value)}); err != nil {
		return nil, err
	}
	nodes := make([]forest.GivenNode, n)
	for i := range nodes {
		if t.Left[i] < 0 {
			leaf, err := sklearnLeaf(t.Value[i], len(file.Classes), file.Rate, boosted)
			if err != nil {
				return nil, fmt.Errorf("leaf %d: %w", i, err)
			}
			nodes[i] = forest.GivenNode{Feature: -1, Leaf: leaf}
			continue
		}
		at := math.Inf(1)
		if t.Threshold[i] != nil {
			at = *t.Threshold[i]
		}
		if file.Model != "HistGradientBoostingClassifier" {
			at = atMost(at)
		}
		if t.Feature[i] < 0 {
			return nil, fmt.Errorf("node %d asks for feature %d", i, t.Feature[i])
		}
		nodes[i] = forest.GivenNode{Feature: t.Feature[i], At: finite(at), MissingLeft: t.Missing[i] != 0, Left: t.Left[i],
			Right: t.Right[i]}
	}
	return nodes, nil
}

// sklearnLeaf returns what a leaf adds: shares of the classes, which older versions have as counts, or a number.
func sklearnLeaf(value []float64, k int, rate float64, boosted bool) ([]float64, error) {
	if boosted {
		if len(value) != 1 {
			return nil, fmt.Errorf("%d numbers; it must have one", len(value))
		}
		return []float64{float64(value[0] * rate)}, nil
	}
	if len(value) != k {
		return nil, fmt.Errorf("%d numbers for %d classes", len(value), k)
	}
	sum := 0.0
	for _, v := range value {
		sum += v
	}
	if math.Abs(sum-1) < 1e-6 || sum == 0 {
		return value, nil
	}
	shares := make([]float64, k)
	for c, v := range value {
		shares[c] = v / sum
	}
	return shares, nil
}
