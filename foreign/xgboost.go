package foreign

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// xgbFile is a model of XGBoost as it saves it.
type xgbFile struct {
	Version []int `json:"version"`
	Learner struct {
		Attributes   map[string]string `json:"attributes"`
		FeatureNames []string          `json:"feature_names"`
		FeatureTypes []string          `json:"feature_types"`
		Booster      xgbBooster        `json:"gradient_booster"`
		Param        struct {
			Base     string `json:"base_score"`
			Classes  string `json:"num_class"`
			Features string `json:"num_feature"`
			Targets  string `json:"num_target"`
		} `json:"learner_model_param"`
		Objective struct {
			Name string `json:"name"`
		} `json:"objective"`
	} `json:"learner"`
}

type xgbBooster struct {
	Name  string `json:"name"`
	Model struct {
		Cats struct {
			Enc []struct {
				Offsets []int     `json:"offsets"`
				Values  []float64 `json:"values"`
			} `json:"enc"`
		} `json:"cats"`
		Param struct {
			Parallel string `json:"num_parallel_tree"`
		} `json:"gbtree_model_param"`
		Class []int     `json:"tree_info"`
		Trees []xgbTree `json:"trees"`
	} `json:"model"`
}

// xgbTree has its nodes side by side; a leaf has no left child, and its number among the conditions.
type xgbTree struct {
	Left        []int     `json:"left_children"`
	Right       []int     `json:"right_children"`
	Feature     []int     `json:"split_indices"`
	At          []float32 `json:"split_conditions"`
	DefaultLeft []xgbFlag `json:"default_left"`
	Kind        []int     `json:"split_type"`
	Gain        []float64 `json:"loss_changes"`
	Categories  []int     `json:"categories"`
	Nodes       []int     `json:"categories_nodes"`
	Segments    []int     `json:"categories_segments"`
	Sizes       []int     `json:"categories_sizes"`
	Param       struct {
		LeafSize string `json:"size_leaf_vector"`
	} `json:"tree_param"`
}

// xgbFlag is a truth value, which versions write as true or 1.
type xgbFlag bool

func (f *xgbFlag) UnmarshalJSON(b []byte) error {
	*f = string(b) == "1" || string(b) == "true"
	return nil
}

// readXGBoost reads boosted trees or a forest of XGBoost. A model that stopped early has the trees up to its best
// round, as in its interface of scikit-learn.
func readXGBoost(text []byte, o Options) (*Forest, error) {
	var file xgbFile
	if err := decode(text, &file); err != nil {
		return nil, err
	}
	l := &file.Learner
	if l.Booster.Name != "gbtree" {
		return nil, fmt.Errorf("the booster %s; it must be gbtree", english.Quote(l.Booster.Name))
	}
	g, err := file.goal(o)
	if err != nil {
		return nil, err
	}
	coded, err := file.schema(&g)
	if err != nil {
		return nil, err
	}
	trees, err := file.rounds(len(g.Sums.Base))
	if err != nil {
		return nil, err
	}
	g.Importance = make([]float64, len(g.Schema))
	for i := range trees {
		nodes, err := trees[i].nodes(coded, g.Importance)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		g.Trees = append(g.Trees, nodes)
		g.Sums.Class = append(g.Sums.Class, l.Booster.Model.Class[i])
	}
	var version []string
	for _, n := range file.Version {
		version = append(version, strconv.Itoa(n))
	}
	return assemble(g, "XGBoost "+strings.Join(version, ".")+", "+l.Objective.Name, o)
}

// goal reads what the model decides, and where its sums begin.
func (file *xgbFile) goal(o Options) (g forest.Given, err error) {
	param, name := &file.Learner.Param, file.Learner.Objective.Name
	k, err := strconv.Atoi(param.Classes)
	if err != nil || param.Targets != "" && param.Targets != "1" && param.Targets != "0" {
		return g, fmt.Errorf("num_class %s, num_target %s; a model decides one label", english.Quote(param.Classes),
			english.Quote(param.Targets))
	}
	g.Sums = &forest.Sums{Divide: 1, Scale: 1, Single: true, Class: []int{}}
	m := 1
	switch name {
	case "binary:logistic":
		g.Sums.Link, k = forest.Logistic, 2
	case "multi:softprob", "multi:softmax":
		g.Sums.Link, m = forest.Softmax, k
	default:
		return g, fmt.Errorf("the objective %s; it must be binary:logistic, multi:softprob or multi:softmax",
			english.Quote(name))
	}
	if g.Classes, err = o.labels(k); err != nil {
		return g, err
	}
	words := strings.Split(strings.Trim(param.Base, "[]"), ",")
	if len(words) != 1 && len(words) != m {
		return g, fmt.Errorf("base_score has %d numbers for %d classes", len(words), k)
	}
	g.Sums.Base = make([]float64, m)
	for c := range g.Sums.Base {
		v, err := strconv.ParseFloat(words[c%len(words)], 32)
		if err != nil {
			return g, fmt.Errorf("base_score %s is no number", english.Quote(param.Base))
		}
		if m == 1 { // a probability
			inverse := float64(float32(1 / float32(v)))
			v = -float64(float32(portable.Log(float64(float32(inverse - 1)))))
		}
		g.Sums.Base[c] = v
	}
	return g, nil
}

// schema reads the features, and the categories of those that have some.
func (file *xgbFile) schema(g *forest.Given) ([]levels, error) {
	l := &file.Learner
	names := l.FeatureNames
	p, err := strconv.Atoi(l.Param.Features)
	if err != nil || p < 1 || p > mostFeatures || len(names) > 0 && len(names) != p {
		return nil, fmt.Errorf("num_feature %s, and %d feature_names", english.Quote(l.Param.Features), len(names))
	}
	if len(names) == 0 {
		names = numbered("f", p)
	}
	g.Schema = numeric(names)
	coded, codes := make([]levels, p), l.Booster.largest(p)
	for j := range min(p, len(l.FeatureTypes)) {
		if l.FeatureTypes[j] != "c" {
			continue
		}
		var byCode []string
		if enc := l.Booster.Model.Cats.Enc; j < len(enc) {
			if byCode, err = textsOf(enc[j].Offsets, enc[j].Values); err != nil {
				return nil, fmt.Errorf("the categories of feature %s: %w", english.Quote(names[j]), err)
			}
		}
		if byCode == nil {
			byCode = numbered("", codes[j]+1)
		}
		if coded[j], err = newLevels(byCode); err != nil {
			return nil, fmt.Errorf("feature %s: %w", english.Quote(names[j]), err)
		}
		g.Schema[j].Kind, g.Schema[j].Levels = dataset.Categorical, coded[j].names
	}
	return coded, nil
}

// largest returns by feature the largest code of a category that a node asks for.
func (b *xgbBooster) largest(p int) []int {
	most := make([]int, p)
	for i := range b.Model.Trees {
		t := &b.Model.Trees[i]
		for at, node := range t.Nodes {
			if node < 0 || node >= len(t.Feature) || t.Feature[node] < 0 || t.Feature[node] >= p {
				continue
			}
			set, err := t.set(at)
			for _, code := range set {
				if err == nil && code < mostFeatures {
					most[t.Feature[node]] = max(most[t.Feature[node]], code)
				}
			}
		}
	}
	return most
}

// textsOf returns categories: texts, whose bytes follow each other, or, without offsets, numbers.
func textsOf(offsets []int, values []float64) ([]string, error) {
	var out []string
	if len(offsets) == 0 {
		for _, v := range values {
			out = append(out, dataset.Field{}.Text(v))
		}
		return out, nil
	}
	bytes := make([]byte, len(values))
	for i, v := range values {
		if !(v >= 0 && v < utf8.RuneSelf) {
			return nil, errors.New("some are not ASCII, and XGBoost 3.2 saves of such a text only as many bytes as it has " +
				"characters; rename them and train again")
		}
		bytes[i] = byte(v)
	}
	for i := range offsets[1:] {
		from, to := offsets[i], offsets[i+1]
		if from < 0 || to < from || to > len(bytes) {
			return nil, fmt.Errorf("a text from %d to %d of %d bytes", from, to, len(bytes))
		}
		out = append(out, string(bytes[from:to]))
	}
	return out, nil
}

// rounds returns the trees of the rounds that decide, of m trees or more each.
func (file *xgbFile) rounds(m int) ([]xgbTree, error) {
	model := &file.Learner.Booster.Model
	trees := model.Trees
	if len(trees) == 0 || len(model.Class) != len(trees) {
		return nil, fmt.Errorf("%d trees, and tree_info of %d", len(trees), len(model.Class))
	}
	best, early := file.Learner.Attributes["best_iteration"]
	if !early {
		return trees, nil
	}
	parallel, err := strconv.Atoi(model.Param.Parallel)
	n, err2 := strconv.Atoi(best)
	if err != nil || err2 != nil || n < 0 || parallel < 1 || n >= len(trees) || parallel > len(trees) {
		return nil, fmt.Errorf("best_iteration %s, num_parallel_tree %s", english.Quote(best),
			english.Quote(model.Param.Parallel))
	}
	return trees[:min((n+1)*parallel*m, len(trees))], nil
}

// set returns the categories of a node that has some, by its place among those.
func (t *xgbTree) set(at int) ([]int, error) {
	if at >= len(t.Segments) || at >= len(t.Sizes) {
		return nil, fmt.Errorf("%d nodes of categories, and %d sets", len(t.Nodes), len(t.Segments))
	}
	from, size := t.Segments[at], t.Sizes[at]
	if from < 0 || size < 0 || from > len(t.Categories) || size > len(t.Categories)-from {
		return nil, fmt.Errorf("%d categories from %d on of %d", size, from, len(t.Categories))
	}
	return t.Categories[from : from+size], nil
}

func (t *xgbTree) nodes(coded []levels, gain []float64) ([]forest.GivenNode, error) {
	n := len(t.Left)
	if t.Param.LeafSize != "" && t.Param.LeafSize != "1" && t.Param.LeafSize != "0" {
		return nil, errors.New("its leaves hold several numbers; train with multi_strategy one_output_per_tree")
	}
	if err := sameLengths(n, map[string]int{"right_children": len(t.Right), "split_indices": len(t.Feature),
		"split_conditions": len(t.At), "default_left": len(t.DefaultLeft)}); err != nil {
		return nil, err
	}
	sets := make(map[int]map[int]bool, len(t.Nodes))
	for at, node := range t.Nodes {
		set, err := t.set(at)
		if err != nil {
			return nil, err
		}
		sets[node] = make(map[int]bool, len(set))
		for _, code := range set {
			sets[node][code] = true
		}
	}
	nodes := make([]forest.GivenNode, n)
	for i := range nodes {
		if t.Left[i] < 0 {
			nodes[i] = forest.GivenNode{Feature: -1, Leaf: []float64{float64(t.At[i])}}
			continue
		}
		j := t.Feature[i]
		if j < 0 || j >= len(coded) {
			return nil, fmt.Errorf("node %d asks for feature %d of %d", i, j, len(coded))
		}
		nodes[i] = forest.GivenNode{Feature: j, At: below(t.At[i]), MissingLeft: bool(t.DefaultLeft[i]), Left: t.Left[i],
			Right: t.Right[i]}
		right, categorical := sets[i]
		if categorical != (coded[j].names != nil) || len(t.Kind) == n && categorical != (t.Kind[i] == 1) {
			return nil, fmt.Errorf("node %d splits feature %d, which is categorical or not, in the other way", i, j)
		}
		if categorical {
			nodes[i].Level = coded[j].left(func(code int) bool { return !right[code] })
		}
		if len(t.Gain) == n && t.Gain[i] > 0 && t.Gain[i] < math.MaxFloat32 {
			gain[j] += t.Gain[i]
		}
	}
	return nodes, nil
}
