package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
)

// lgbSection is a part of a model of LightGBM: its head or a tree, by key.
type lgbSection map[string]string

// lgbModel is a model of LightGBM on its way.
type lgbModel struct {
	forest.Given
	coded []levels // by feature, of categorical ones
	kinds []int    // by feature, its type of missing values and 1, once a node has told it
}

// What a decision of LightGBM is, in its decision_type.
const (
	lgbCategorical = 1
	lgbDefaultLeft = 2
	lgbNone        = 0 // types of missing values, shifted by 2: a missing cell is 0,
	lgbZero        = 1 // a 0 is a missing cell,
	lgbNaN         = 2 // or a missing cell is one
)

// readLightGBM reads a model that LightGBM saved as text: boosted trees of any kind, or a forest.
func readLightGBM(text string, o Options) (*Forest, error) {
	head, trees, pandas, err := lgbSections(text)
	if err != nil {
		return nil, err
	}
	m := &lgbModel{}
	link, objective, err := m.goal(head, len(trees), o)
	if err != nil {
		return nil, err
	}
	names := strings.Fields(head["feature_names"])
	if p, err := strconv.Atoi(head["max_feature_idx"]); err != nil || p+1 != len(names) || p >= mostFeatures {
		return nil, fmt.Errorf("%d feature_names, and max_feature_idx %s", len(names),
			english.Quote(head["max_feature_idx"]))
	}
	m.Schema, m.coded, m.kinds = numeric(names), make([]levels, len(names)), make([]int, len(names))
	if err := m.categories(head, trees, pandas); err != nil {
		return nil, err
	}
	gain := make([]float64, len(names))
	for i, tree := range trees {
		nodes, err := m.tree(tree, gain)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		m.Trees = append(m.Trees, nodes)
		m.Sums.Class = append(m.Sums.Class, i%len(m.Sums.Base))
	}
	if slices.Contains(m.kinds, lgbZero+1) {
		m.Sums.Zeros = make([]bool, len(names))
		for j, kind := range m.kinds {
			m.Sums.Zeros[j] = kind == lgbZero+1
		}
	}
	m.Sums.Link, m.Importance = link, gain
	return assemble(m.Given, "LightGBM "+head["version"]+", "+objective, o)
}

// lgbSections cuts a file into its head, its trees and the categories that pandas had.
func lgbSections(text string) (head lgbSection, trees []lgbSection, pandas string, err error) {
	head = lgbSection{}
	at, ended := head, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		key, value, _ := strings.Cut(line, "=")
		switch {
		case key == "Tree":
			if value != strconv.Itoa(len(trees)) {
				return nil, nil, "", fmt.Errorf("tree %s after %d trees; copy the file again", english.Quote(value), len(trees))
			}
			at = lgbSection{}
			trees = append(trees, at)
		case line == "end of trees":
			ended = true
			at = lgbSection{}
		case strings.HasPrefix(line, "pandas_categorical:"):
			pandas = strings.TrimPrefix(line, "pandas_categorical:")
		case strings.HasPrefix(line, "[categorical_feature: "):
			head["categorical_feature"] = strings.Trim(strings.TrimPrefix(line, "[categorical_feature: "), "]")
		case line != "" && !ended:
			at[key] = value
		}
	}
	if !ended || len(trees) == 0 {
		return nil, nil, "", fmt.Errorf("the file is cut short after %d trees; copy it again", len(trees))
	}
	return head, trees, pandas, nil
}

// goal reads what the model decides, and how its sums are made.
func (m *lgbModel) goal(head lgbSection, trees int, o Options) (forest.Link, string, error) {
	words := strings.Fields(head["objective"])
	if len(words) == 0 {
		return 0, "", errors.New("the model has no objective, so what it decides is not known; train it with a built-in one")
	}
	k, err := strconv.Atoi(head["num_class"])
	per, err2 := strconv.Atoi(head["num_tree_per_iteration"])
	if err != nil || err2 != nil || per < 1 || per > mostClasses || trees%per != 0 {
		return 0, "", fmt.Errorf("num_class %s, num_tree_per_iteration %s, and %d trees", english.Quote(head["num_class"]),
			english.Quote(head["num_tree_per_iteration"]), trees)
	}
	m.Sums = &forest.Sums{Base: make([]float64, per), Divide: 1, Scale: 1, Class: []int{}}
	for _, word := range words[1:] {
		if value, found := strings.CutPrefix(word, "sigmoid:"); found {
			if m.Sums.Scale, err = strconv.ParseFloat(value, 64); err != nil {
				return 0, "", fmt.Errorf("sigmoid %s is no number", english.Quote(value))
			}
		}
	}
	link := forest.Logistic
	switch words[0] {
	case "binary":
		k = 2
	case "multiclass":
		link = forest.Softmax
	case "multiclassova":
	default:
		return 0, "", fmt.Errorf("the objective %s; it must be binary, multiclass or multiclassova", english.Quote(words[0]))
	}
	if _, average := head["average_output"]; average {
		m.Sums.Divide = float64(trees / per)
	}
	m.Classes, err = o.labels(k)
	return link, words[0], err
}

// categories reads the categories of categorical features: those of pandas in their order, or numbers.
func (m *lgbModel) categories(head lgbSection, trees []lgbSection, pandas string) error {
	var known [][]any
	if pandas != "" && pandas != "null" {
		if err := decode([]byte(pandas), &known); err != nil {
			return fmt.Errorf("pandas_categorical: %w", err)
		}
	}
	infos := strings.Fields(head["feature_infos"])
	if len(infos) != len(m.Schema) {
		return fmt.Errorf("%d feature_infos for %d features", len(infos), len(m.Schema))
	}
	asked := lgbCategoricals(trees, len(m.Schema))
	for code := range strings.SplitSeq(head["categorical_feature"], ",") { // also those that no tree asks for
		if j, err := strconv.Atoi(code); err == nil && j >= 0 && j < len(asked) {
			asked[j] = true
		}
	}
	for j := range m.Schema {
		categorical := asked[j] || infos[j] != "none" && !strings.HasPrefix(infos[j], "[")
		if !categorical {
			continue
		}
		var names []string
		if known != nil {
			if len(known) == 0 {
				return fmt.Errorf("feature %s has categories, and pandas_categorical none", english.Quote(m.Schema[j].Name))
			}
			for _, v := range known[0] {
				names = append(names, categoryText(v))
			}
			known = known[1:]
		} else if infos[j] != "none" {
			for code := range strings.SplitSeq(infos[j], ":") {
				if !strings.HasPrefix(code, "-") {
					names = append(names, code)
				}
			}
		}
		l, err := newLevels(names)
		if err != nil {
			return fmt.Errorf("feature %s: %w", english.Quote(m.Schema[j].Name), err)
		}
		if pandas == "" || pandas == "null" || pandas == "[]" { // names are codes
			for i, name := range l.names {
				if l.code[i], err = strconv.Atoi(name); err != nil {
					return fmt.Errorf("category %s of feature %s", english.Quote(name), english.Quote(m.Schema[j].Name))
				}
			}
		}
		m.coded[j], m.Schema[j].Kind, m.Schema[j].Levels = l, dataset.Categorical, l.names
	}
	return nil
}

// lgbCategoricals tells which features some node has categories of.
func lgbCategoricals(trees []lgbSection, p int) []bool {
	asked := make([]bool, p)
	for _, t := range trees {
		if t["num_cat"] == "0" {
			continue
		}
		features, kinds := strings.Fields(t["split_feature"]), strings.Fields(t["decision_type"])
		for i := range min(len(features), len(kinds)) {
			j, err := strconv.Atoi(features[i])
			kind, err2 := strconv.Atoi(kinds[i])
			if err == nil && err2 == nil && j >= 0 && j < p && kind&lgbCategorical != 0 {
				asked[j] = true
			}
		}
	}
	return asked
}

// categoryText is a category of pandas, in JSON, as a cell of a file names it.
func categoryText(v any) string {
	switch v := v.(type) {
	case float64:
		return dataset.Field{}.Text(v)
	case string:
		return v
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// lgbTree are the lists of a tree.
type lgbTree struct {
	feature, kind, left, right []int
	at, leaf, gain             []float64
	bounds, sets               []int
}

func (t lgbSection) lists() (out lgbTree, err error) {
	whole := func(key string) (list []int) {
		for word := range strings.FieldsSeq(t[key]) {
			n, e := strconv.Atoi(word)
			if e != nil && err == nil {
				err = fmt.Errorf("%s: %s is no whole number", key, english.Quote(word))
			}
			list = append(list, n)
		}
		return list
	}
	real := func(key string) (list []float64) {
		for word := range strings.FieldsSeq(t[key]) {
			v, e := strconv.ParseFloat(word, 64)
			if e != nil && !errors.Is(e, strconv.ErrRange) && err == nil {
				err = fmt.Errorf("%s: %s is no number", key, english.Quote(word))
			}
			list = append(list, v)
		}
		return list
	}
	out = lgbTree{whole("split_feature"), whole("decision_type"), whole("left_child"), whole("right_child"),
		real("threshold"), real("leaf_value"), real("split_gain"), whole("cat_boundaries"), whole("cat_threshold")}
	return out, err
}

// tree returns the nodes of a tree: those that split, then the leaves.
func (m *lgbModel) tree(t lgbSection, gain []float64) ([]forest.GivenNode, error) {
	if linear := t["is_linear"]; linear != "" && linear != "0" {
		return nil, errors.New("its leaves are linear models; train with linear_tree=false")
	}
	l, err := t.lists()
	if err != nil {
		return nil, err
	}
	n := len(l.leaf) - 1
	if n < 0 || t["num_leaves"] != strconv.Itoa(n+1) {
		return nil, fmt.Errorf("%d values of %s leaves; copy the file again", n+1, english.Quote(t["num_leaves"]))
	}
	if n == 0 {
		l = lgbTree{leaf: l.leaf}
	}
	if err := sameLengths(n, map[string]int{"split_feature": len(l.feature), "decision_type": len(l.kind),
		"left_child": len(l.left), "right_child": len(l.right), "threshold": len(l.at)}); err != nil {
		return nil, err
	}
	nodes := make([]forest.GivenNode, 0, 2*n+1)
	child := func(c int) int {
		if c < 0 {
			return n - 1 - c
		}
		return c
	}
	for i := range n {
		node, err := m.node(&l, i)
		if err != nil {
			return nil, fmt.Errorf("node %d: %w", i, err)
		}
		if node.Left, node.Right = child(l.left[i]), child(l.right[i]); len(l.gain) == n {
			gain[node.Feature] += max(0, l.gain[i])
		}
		nodes = append(nodes, node)
	}
	for _, v := range l.leaf {
		nodes = append(nodes, forest.GivenNode{Feature: -1, Leaf: []float64{v}})
	}
	return nodes, nil
}

func (m *lgbModel) node(l *lgbTree, i int) (node forest.GivenNode, err error) {
	j, kind := l.feature[i], l.kind[i]
	if j < 0 || j >= len(m.Schema) {
		return node, fmt.Errorf("feature %d of %d", j, len(m.Schema))
	}
	node = forest.GivenNode{Feature: j, At: finite(l.at[i])}
	if categorical := m.Schema[j].Kind == dataset.Categorical; categorical != (kind&lgbCategorical != 0) {
		return node, fmt.Errorf("feature %s is split by categories at some nodes, and by numbers at others",
			english.Quote(m.Schema[j].Name))
	} else if categorical {
		node.Level, err = m.set(l, i)
		return node, err
	}
	missing := kind >> 2 & 3
	if was := m.kinds[j]; was != 0 && was != missing+1 {
		return node, fmt.Errorf("feature %s has missing values of two types; train it in one go",
			english.Quote(m.Schema[j].Name))
	}
	m.kinds[j] = missing + 1
	switch missing {
	case lgbNone:
		node.MissingLeft = 0 <= node.At
	case lgbZero, lgbNaN:
		node.MissingLeft = kind&lgbDefaultLeft != 0
	default:
		return node, fmt.Errorf("type %d of missing values", missing)
	}
	return node, nil
}

// set returns which levels go left at a node; missing cells go right.
func (m *lgbModel) set(l *lgbTree, i int) (func(level int) bool, error) {
	at := l.at[i]
	if !(at >= 0 && at < float64(len(l.bounds)-1)) || at != math.Trunc(at) {
		return nil, fmt.Errorf("set %v of %d", at, len(l.bounds)-1)
	}
	from, to := l.bounds[int(at)], l.bounds[int(at)+1]
	if from < 0 || to < from || to > len(l.sets) {
		return nil, fmt.Errorf("a set from %d to %d of %d words", from, to, len(l.sets))
	}
	words := l.sets[from:to]
	return m.coded[l.feature[i]].left(func(code int) bool {
		return code >= 0 && code/32 < len(words) && words[code/32]>>(code%32)&1 != 0
	}), nil
}
