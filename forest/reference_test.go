package forest

import (
	"context"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// refTree is a forest tree grown in the most obvious way: recursion, values instead of codes,
// every cut tried with its sides counted from scratch. It shares with the real thing only
// what is drawn (bag, features, random cuts).
type refTree struct {
	frame  *dataset.Frame
	cfg    Config
	weight []float64 // in-bag weight of each row
	share  []float64
	order  []int // the classes, the most common first
	nodes  []Node
	gain   []float64 // by feature

	prices  []float64 // of the rows by class, for Pragma
	total   float64   // the weight of the root
	quantum float64   // of the scores of entropy, 0 where weights are real
	// by numeric feature, the known cells of all rows that can be drawn, or of a hash bag, ascending, each once
	values [][]float64
	sides  [2][]float64
	rates  []*refRates // by feature; nil for one whose levels have none
	turned []bool      // by feature, whether its levels are ordered anew in each node, see turned_test.go
	folds  []int       // of the rows
	bag    []int
}

func growReference(train *dataset.Frame, cfg Config, tree int) *refTree {
	cfg = cfg.Resolved(len(train.Columns))
	data, err := encode(context.Background(), train, cfg)
	if err != nil {
		panic(err)
	}
	return growReferenceOn(data, train, cfg, tree)
}

// growReferenceOn grows on data that is coded already: of it, only the draws, the weights and the shares are used.
func growReferenceOn(data *coded, train *dataset.Frame, cfg Config, tree int) *refTree {
	times := make([]uint8, train.Rows())
	data.draw(times, cfg, tree)
	r := &refTree{
		frame: train, cfg: cfg, share: data.share, order: data.classes,
		weight: make([]float64, len(times)), gain: make([]float64, len(train.Columns)), values: make([][]float64,
			len(train.Columns)),
		sides: [2][]float64{make([]float64, len(train.Classes)), make([]float64, len(train.Classes))},
	}
	var rows []int
	for i, n := range times {
		if n > 0 {
			r.weight[i] = float64(n) * data.weight(i)
			r.total += r.weight[i]
			rows = append(rows, i)
		}
	}
	if data.real == nil && r.total > 1 { // 51 bits for the score of the root
		r.quantum = math.Exp2(math.Floor(math.Log2(r.total*math.Log(r.total))) - 50)
	}
	r.rate(rows, tree)
	r.grow(rows, rootPath(cfg.Seed, tree))
	return r
}

// refNode is a node that waits for its split.
type refNode struct {
	at, depth int
	rows      []int
	path      path
	best      *refCut
}

func (r *refTree) grow(rows []int, root path) {
	var open []refNode
	add := func(n refNode) {
		n.at = len(r.nodes)
		r.nodes = append(r.nodes, Node{})
		if n.best = r.split(n); n.best == nil {
			r.nodes[n.at] = r.leaf(n.rows)
			return
		}
		open = append(open, n)
	}
	add(refNode{rows: rows, path: root})
	for leaves := 1; len(open) > 0 && (r.cfg.MaxLeaves == 0 || leaves < r.cfg.MaxLeaves); leaves++ {
		next := 0
		for i := range open { // the order matters only where leaves are limited
			if open[i].best.gain > open[next].best.gain {
				next = i
			}
		}
		n := open[next]
		open = slices.Delete(open, next, next+1)
		nd := n.best.node
		r.gain[nd.Feature] += n.best.gain
		var left, right []int
		for _, i := range n.rows {
			if n.best.left(i) {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		nd.Left, nd.Right = len(r.nodes), len(r.nodes)+1
		r.nodes[n.at] = nd
		add(refNode{rows: left, depth: n.depth + 1, path: n.path.left()})
		add(refNode{rows: right, depth: n.depth + 1, path: n.path.right()})
	}
	for _, n := range open {
		r.nodes[n.at] = r.leaf(n.rows)
	}
}

func (r *refTree) counts(rows []int) []float64 {
	sums := make([]float64, len(r.frame.Classes))
	for _, i := range rows {
		sums[r.frame.Truth[i]] += r.weight[i]
	}
	return sums
}

func (r *refTree) leaf(rows []int) Node {
	counts := r.counts(rows)
	winner := r.order[0]
	sum, present := 0.0, 0
	for _, c := range r.order {
		if counts[c] > counts[winner] {
			winner = c
		}
		if counts[c] > 0 {
			present++
		}
		sum += counts[c]
	}
	n := Node{Leaf: true, Class: winner}
	if !r.cfg.Soft {
		return n
	}
	n.Shares = make([]float64, len(counts))
	if present < 2 {
		n.Shares[winner] = 1
		return n
	}
	units, rest := make([]int, len(counts)), vote.Unit
	lost := make([]float64, len(counts))
	for c, w := range counts {
		units[c] = int(w / sum * vote.Unit)
		lost[c] = w/sum*vote.Unit - float64(units[c])
		rest -= units[c]
	}
	for ; rest > 0; rest-- {
		most := r.order[0]
		for _, c := range r.order {
			if lost[c] > lost[most] {
				most = c
			}
		}
		units[most]++
		lost[most] = -1
	}
	n.Class = 0
	for c, u := range units {
		n.Shares[c] = float64(u) / vote.Unit
		if u > units[n.Class] {
			n.Class = c
		}
	}
	return n
}

// refCut is a candidate: the node it would make, its goes-left function, and what it gains.
type refCut struct {
	node        Node
	left        func(i int) bool
	judged      func(i int) bool // left, as the cut is judged; nil means left
	gain, score float64
}

// split returns the best cut of a node, or nil.
func (r *refTree) split(n refNode) *refCut {
	present := 0
	for _, w := range r.counts(n.rows) {
		if w > 0 {
			present++
		}
	}
	if present < 2 || r.cfg.MaxDepth > 0 && n.depth >= r.cfg.MaxDepth {
		return nil
	}
	best := r.bestOfDrawn(n.rows, n.path)
	if best != nil {
		r.complete(best, n.rows)
		_, whole := r.impurity(r.counts(n.rows))
		best.gain = max(0, best.score-whole)
	}
	return best
}

// bestOfDrawn draws features as the real grower does and keeps the best cut.
func (r *refTree) bestOfDrawn(rows []int, p path) *refCut {
	features := make([]int, len(r.frame.Columns))
	for j := range features {
		features[j] = j
	}
	s := p.features()
	var best *refCut
	cuttable := 0
	for i := range features {
		if cuttable >= r.cfg.Mtry {
			break
		}
		j := i + s.below(len(features)-i)
		features[i], features[j] = features[j], features[i]
		cuts := r.cuts(rows, features[i], p)
		if cuts != nil {
			cuttable++
		}
		for _, cut := range cuts {
			if r.judge(rows, cut) && (best == nil || cut.score > best.score) {
				best = cut
			}
		}
	}
	return best
}

// impurity returns the weight of rows of so much weight by class, and their score, see split.
func (r *refTree) impurity(counts []float64) (weight, score float64) {
	sum := 0.0
	for _, w := range counts {
		weight += w
	}
	if r.cfg.Criterion == Pragma {
		return weight, r.pricedGini(counts)
	}
	for _, c := range r.order {
		switch w := counts[c]; {
		case w > 0 && r.cfg.Criterion == Entropy:
			sum += r.wLogW(w)
		case w > 0 && r.cfg.Criterion == Hellinger:
			sum -= math.Sqrt(w * (weight - w))
		case w > 0:
			sum += w * w
		}
	}
	switch r.cfg.Criterion {
	case Entropy:
		return weight, sum - r.wLogW(weight)
	case Hellinger:
		return weight, sum
	default:
		return weight, sum / weight
	}
}

// wLogW returns w·ln w: of whole weights as a multiple of the quantum, which makes sums exact.
func (r *refTree) wLogW(w float64) float64 {
	x := w * portable.Log(w)
	if w == 0 || r.quantum == 0 {
		return x
	}
	return math.RoundToEven(x/r.quantum) * r.quantum
}

// pricedGini returns minus the Gini impurity of rows of the given weights by class, times their price.
func (r *refTree) pricedGini(counts []float64) float64 {
	if r.prices == nil {
		r.prices = r.pricesOf()
	}
	total, cross := 0.0, 0.0
	for _, c := range r.order {
		total += r.prices[c] * counts[c]
	}
	if total == 0 {
		return 0
	}
	for _, c := range r.order {
		v := r.prices[c] * counts[c]
		cross += v * (total - v)
	}
	return -cross / total
}

// pricesOf returns what PRAGMA loses by a row of each class, the largest being 1.
func (r *refTree) pricesOf() []float64 {
	unit, vain, out := 0.0, 0.0, make([]float64, len(r.order))
	for _, p := range r.cfg.Slopes {
		unit = max(unit, p.Recall, p.Precision)
	}
	for _, c := range r.order {
		if r.share[c] > 0 {
			vain += r.cfg.Slopes[c].Precision / unit
		}
	}
	for c, p := range r.cfg.Slopes {
		if s := r.share[c]; s > 0 {
			out[c] = p.Recall/unit/s + max(0, vain-p.Precision/unit)/(1-s)
		}
	}
	most := slices.Max(out)
	for c := range out {
		if most == 0 {
			out[c] = 1
		} else {
			out[c] /= most
		}
	}
	return out
}

// judge fills in the score of a cut that is allowed.
func (r *refTree) judge(rows []int, cut *refCut) bool {
	judged := cut.left
	if cut.judged != nil {
		judged = cut.judged
	}
	left, right := r.sides[0], r.sides[1]
	clear(left)
	clear(right)
	for _, i := range rows {
		if judged(i) {
			left[r.frame.Truth[i]] += r.weight[i]
		} else {
			right[r.frame.Truth[i]] += r.weight[i]
		}
	}
	wl, sl := r.impurity(left)
	wr, sr := r.impurity(right)
	if wl == 0 || wr == 0 {
		return false
	}
	if least := float64(r.cfg.MinLeaf); least > 1 && (wl < least || wr < least) {
		return false
	}
	cut.score = sl + sr
	cut.node.MissingLeft = wl >= wr
	return true
}

// complete says where cells go that are missing, and levels: with the heavier side what the node does not have.
func (r *refTree) complete(cut *refCut, rows []int) {
	nd := &cut.node
	col := &r.frame.Columns[nd.Feature]
	if rates := r.rates[nd.Feature]; rates != nil {
		r.completeRated(cut, rows, rates.level)
		return
	}
	goesLeft := map[int]bool{}
	for _, i := range rows {
		if v := col.At(i); math.IsNaN(v) {
			nd.MissingLeft = cut.left(i)
		} else {
			goesLeft[int(v)] = cut.left(i)
		}
	}
	for level := range col.Levels {
		if left, here := goesLeft[level]; here && left || !here && nd.MissingLeft {
			nd.Levels = append(nd.Levels, level)
		}
	}
}

func (r *refTree) cuts(rows []int, f int, p path) []*refCut {
	if r.frame.Columns[f].Kind == dataset.Categorical && r.rates[f] == nil {
		return r.categoricalCuts(rows, f, p)
	}
	return r.numericCuts(rows, f, p)
}

// walkNodes returns nodes in the order of a walk, left before right, without their places.
func walkNodes(nodes func(i int) Node) []Node {
	var out []Node
	todo := []int{0}
	for len(todo) > 0 {
		n := nodes(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if !n.Leaf {
			todo = append(todo, n.Right, n.Left)
		}
		n.Left, n.Right = 0, 0
		out = append(out, n)
	}
	return out
}

// leafOf returns the leaf of a row, in the bag or not.
func (r *refTree) leafOf(row int) Node {
	n := r.nodes[0]
	for !n.Leaf {
		v := r.frame.Columns[n.Feature].At(row)
		left := v <= n.Threshold
		switch {
		case math.IsNaN(v):
			left = n.MissingLeft
		case r.frame.Columns[n.Feature].Kind == dataset.Categorical:
			left = slices.Contains(n.Levels, int(v))
		}
		if left {
			n = r.nodes[n.Left]
		} else {
			n = r.nodes[n.Right]
		}
	}
	return n
}
