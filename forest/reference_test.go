package forest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// refTree is a forest tree grown in the most obvious way: recursion, values instead of codes,
// every cut tried with its sides counted from scratch. It shares with the real thing only
// the draws (bag and features).
type refTree struct {
	frame  *dataset.Frame
	cfg    Config
	weight []float64 // in-bag weight of each row
	share  []float64
	nodes  []node
	sets   []uint64
}

func growReference(train *dataset.Frame, cfg Config, tree int) Tree {
	cfg = cfg.Resolved(len(train.Columns))
	data, err := encode(context.Background(), train, cfg)
	if err != nil {
		panic(err)
	}
	times := make([]uint32, train.Rows())
	data.draw(times, cfg, tree)
	r := &refTree{frame: train, cfg: cfg, share: data.share, weight: make([]float64, len(times)), nodes: make([]node, 1)}
	var rows []int
	for i, n := range times {
		if n > 0 {
			r.weight[i] = float64(n) * data.weight(i)
			rows = append(rows, i)
		}
	}
	r.grow(0, rows, 0, rootPath(cfg.Seed, tree))
	return Tree{nodes: r.nodes, sets: r.sets}
}

func (r *refTree) counts(rows []int) []float64 {
	sums := make([]float64, len(r.frame.Classes))
	for _, i := range rows {
		sums[r.frame.Truth[i]] += r.weight[i]
	}
	return sums
}

// refCut is a candidate: its goes-left function, and what would be written of it.
type refCut struct {
	score       float64
	feature     int
	left        func(i int) bool
	threshold   float64
	set         []uint64
	missingLeft bool
}

func (r *refTree) grow(at int, rows []int, depth int, p path) {
	counts := r.counts(rows)
	present := 0
	for _, w := range counts {
		if w > 0 {
			present++
		}
	}
	var best *refCut
	if present > 1 && (r.cfg.MaxDepth == 0 || depth < r.cfg.MaxDepth) {
		best = r.bestOfDrawn(rows, p)
	}
	if best == nil {
		winner := 0
		for c := range counts {
			if counts[c] > counts[winner] || counts[c] == counts[winner] && r.share[c] > r.share[winner] {
				winner = c
			}
		}
		r.nodes[at] = node{left: uint32(winner), feature: leafMark}
		return
	}
	nd := node{left: uint32(len(r.nodes)), feature: uint32(best.feature), cut: math.Float64bits(best.threshold)}
	if best.missingLeft {
		nd.feature |= missingLeftMark
	}
	if r.frame.Columns[best.feature].Kind == dataset.Categorical {
		nd.feature |= categoricalMark
		nd.cut = uint64(len(r.sets))
		r.sets = append(r.sets, best.set...)
	}
	r.nodes[at] = nd
	r.nodes = append(r.nodes, node{}, node{})
	var left, right []int
	for _, i := range rows {
		if best.left(i) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	r.grow(int(nd.left), left, depth+1, p.left())
	r.grow(int(nd.left)+1, right, depth+1, p.right())
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
		if i >= r.cfg.Mtry && cuttable > 0 {
			break
		}
		j := i + s.below(len(features)-i)
		features[i], features[j] = features[j], features[i]
		f := features[i]
		cuts := r.cuts(rows, f)
		if cuts != nil {
			cuttable++
		}
		for _, cut := range cuts {
			ok := r.score(rows, cut)
			if ok && (best == nil || cut.score > best.score) {
				best = cut
			}
		}
	}
	return best
}

// score fills in the score, and missingLeft where nothing in the node decides it.
func (r *refTree) score(rows []int, cut *refCut) bool {
	var left, right []int
	for _, i := range rows {
		if cut.left(i) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	if len(left) == 0 || len(right) == 0 {
		return false
	}
	side := func(rows []int) (weight, score float64) {
		squares := 0.0
		for _, w := range r.counts(rows) {
			weight += w
			squares += w * w
		}
		return weight, squares / weight
	}
	wl, sl := side(left)
	wr, sr := side(right)
	if least := float64(r.cfg.MinLeaf); least > 1 && (wl < least || wr < least) {
		return false
	}
	cut.score = sl + sr
	col := r.frame.Columns[cut.feature]
	gaps := slices.ContainsFunc(rows, func(i int) bool { return math.IsNaN(col.Values[i]) })
	if !gaps {
		cut.missingLeft = wl >= wr
	}
	if col.Kind == dataset.Categorical {
		cut.set = make([]uint64, (len(col.Levels)+63)/64)
		for level := range col.Levels {
			goesLeft := wl >= wr // levels that are not in the node
			for _, i := range rows {
				if col.Values[i] == float64(level) {
					goesLeft = cut.left(i)
				}
			}
			if goesLeft {
				cut.set[level/64] |= 1 << (level % 64)
			}
		}
		if gaps {
			for _, i := range rows {
				if math.IsNaN(col.Values[i]) {
					cut.missingLeft = cut.left(i)
				}
			}
		} else {
			cut.missingLeft = wl >= wr
		}
	}
	return true
}

func (r *refTree) cuts(rows []int, f int) []*refCut {
	if r.frame.Columns[f].Kind == dataset.Categorical {
		return r.categoricalCuts(rows, f)
	}
	return r.numericCuts(rows, f)
}

func (r *refTree) numericCuts(rows []int, f int) []*refCut {
	x := r.frame.Columns[f].Values
	var values []float64
	gaps := false
	for _, i := range rows {
		if math.IsNaN(x[i]) {
			gaps = true
		} else {
			values = append(values, x[i])
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	var cuts []*refCut
	for _, missingLeft := range []bool{false, true} {
		if missingLeft && !gaps {
			break
		}
		for v := range values {
			t := math.MaxFloat64 // all numbers left, missing cells right
			if v+1 < len(values) {
				lo, hi := values[v], values[v+1]
				t = lo + (hi-lo)/2
				if math.IsInf(hi-lo, 0) {
					t = lo/2 + hi/2
				}
				if t < lo || t >= hi {
					t = lo
				}
			} else if missingLeft || !gaps {
				break
			}
			cuts = append(cuts, &refCut{feature: f, threshold: t, missingLeft: missingLeft, left: func(i int) bool {
				if math.IsNaN(x[i]) {
					return missingLeft
				}
				return x[i] <= t
			}})
		}
	}
	return cuts
}

func (r *refTree) categoricalCuts(rows []int, f int) []*refCut {
	col := r.frame.Columns[f]
	code := func(i int) int {
		if math.IsNaN(col.Values[i]) {
			return 0
		}
		return int(col.Values[i]) + 1
	}
	byLevel := make([][]float64, len(col.Levels)+1)
	for _, i := range rows {
		if byLevel[code(i)] == nil {
			byLevel[code(i)] = make([]float64, len(r.frame.Classes))
		}
		byLevel[code(i)][r.frame.Truth[i]] += r.weight[i]
	}
	var levels, classes []int
	for l, w := range byLevel {
		if w != nil {
			levels = append(levels, l)
		}
	}
	if len(levels) < 2 {
		return nil
	}
	counts := r.counts(rows)
	for _, c := range vote.TieOrder(r.share, len(counts)) { // the more common class first
		if counts[c] > 0 {
			classes = append(classes, c)
		}
	}
	if len(classes) == 2 {
		classes = classes[1:]
	}
	var cuts []*refCut
	for _, c := range classes {
		share := func(l int) float64 {
			sum := 0.0
			for _, w := range byLevel[l] {
				sum += w
			}
			return byLevel[l][c] / sum
		}
		order := slices.Clone(levels)
		slices.SortStableFunc(order, func(a, b int) int {
			if share(a) < share(b) {
				return -1
			}
			if share(a) > share(b) {
				return 1
			}
			return a - b
		})
		for n := 1; n < len(order); n++ {
			left := slices.Clone(order[:n])
			cuts = append(cuts, &refCut{feature: f, left: func(i int) bool { return slices.Contains(left, code(i)) }})
		}
	}
	return cuts
}

// inOrder rewrites a tree so that nodes stand in the order of a walk, left before right: the
// two growers number them differently.
func inOrder(t Tree) (nodes []node, sets [][]uint64) {
	todo := []uint32{0}
	for len(todo) > 0 {
		nd := t.nodes[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		var set []uint64
		if nd.feature&leafMark == 0 {
			todo = append(todo, nd.left+1, nd.left)
			nd.left = 0
			if nd.feature&categoricalMark != 0 {
				set = t.sets[nd.cut:]
				nd.cut = 0
			}
		}
		nodes = append(nodes, nd)
		sets = append(sets, set)
	}
	return nodes, sets
}

// equalTrees compares a fast tree with its reference.
func equalTrees(t *testing.T, frame *dataset.Frame, fast, slow Tree) bool {
	t.Helper()
	a, setsA := inOrder(fast)
	b, setsB := inOrder(slow)
	if len(a) != len(b) {
		t.Errorf("%d nodes, the reference has %d", len(a), len(b))
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("node %d (in order of a walk): %+v, the reference has %+v", i, a[i], b[i])
			return false
		}
		if setsA[i] != nil {
			n := words(frame.Columns[a[i].feature&featureMask].Field)
			if !slices.Equal(setsA[i][:n], setsB[i][:n]) {
				t.Errorf("node %d: set %x, the reference has %x", i, setsA[i][:n], setsB[i][:n])
				return false
			}
		}
	}
	return true
}

// randomFrame makes small, nasty data: ties, missing cells, constants, extreme values,
// categories, duplicates with different labels, weights.
func randomFrame(rng *rand.Rand) *dataset.Frame {
	n, p, k := 2+rng.IntN(40), 1+rng.IntN(6), 2+rng.IntN(4)
	f := &dataset.Frame{Truth: make([]int, n)}
	for c := range k {
		f.Classes = append(f.Classes, string(rune('a'+c)))
	}
	for i := range f.Truth {
		f.Truth[i] = rng.IntN(k)
	}
	f.Truth[0], f.Truth[1] = 0, 1
	for j := range p {
		f.Columns = append(f.Columns, randomColumn(rng, string(rune('A'+j)), n))
	}
	if rng.IntN(3) == 0 {
		f.Weight = make([]float64, n)
		for i := range f.Weight {
			f.Weight[i] = float64(rng.IntN(4))
		}
		f.Weight[0], f.Weight[1] = 1, 2
	}
	return f
}

func randomColumn(rng *rand.Rand, name string, n int) dataset.Column {
	c := dataset.Column{Field: dataset.Field{Name: name}, Values: make([]float64, n)}
	kind := rng.IntN(6)
	levels := 1 + rng.IntN(7)
	if kind == 0 {
		c.Kind = dataset.Categorical
		if rng.IntN(8) == 0 {
			levels = 63 + rng.IntN(3) // around the edge of a word
		}
		for l := range levels {
			c.Levels = append(c.Levels, string([]rune{rune('a' + l/26), rune('a' + l%26)}))
		}
	}
	extremes := []float64{-math.MaxFloat64, math.MaxFloat64, 5e-324, -5e-324, 0, math.Copysign(0, -1), 1, math.Nextafter(1, 2), 1e300, 1e-300}
	gaps := rng.IntN(3) == 0
	for i := range c.Values {
		switch kind {
		case 0, 1:
			c.Values[i] = float64(rng.IntN(levels))
		case 2:
			c.Values[i] = extremes[rng.IntN(len(extremes))]
		case 3:
			c.Values[i] = 7
		default:
			c.Values[i] = rng.Float64()
		}
		if gaps && rng.IntN(3) == 0 {
			c.Values[i] = math.NaN()
		}
	}
	return c
}

func randomConfig(rng *rand.Rand, p int) Config {
	return Config{
		Trees: 2, Mtry: 1 + rng.IntN(p), MinLeaf: 1 + rng.IntN(3)*rng.IntN(2), MaxDepth: rng.IntN(4) * rng.IntN(2),
		Bag: []Bag{Bootstrap, Stratified, Balanced}[rng.IntN(3)], Seed: rng.Uint64(), Workers: 1,
	}
}

// The fast grower equals the reference, node by node.
func TestGrowEqualsReference(t *testing.T) {
	for seed := range uint64(5000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		frame := randomFrame(rng)
		cfg := randomConfig(rng, len(frame.Columns))
		f, _, err := Grow(context.Background(), frame, cfg)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range f.Trees {
			if !equalTrees(t, frame, f.Trees[i], growReference(frame, cfg, i)) {
				t.Fatalf("seed %d, tree %d", seed, i)
			}
		}
	}
}

// keepOrders keeps the orders of the columns, as for data of many rows, in few bins.
func keepOrders(d *coded, frame *dataset.Frame, binBits int) {
	for j := range frame.Columns {
		if d.whole != nil && frame.Columns[j].Kind == dataset.Numeric {
			d.columns[j] = codeColumn(&dataset.Coder{}, &frame.Columns[j], binBits)
		}
	}
}

// Every way to search a numeric feature finds the same tree: each is taken everywhere.
func TestEveryWayEqualsReference(t *testing.T) {
	for name, w := range map[string]ways{
		"sort":          {0, math.MaxInt, 0, math.MaxInt, false},
		"bins":          {0, 0, 0, math.MaxInt, false},
		"two bins":      {0, 0, 1, math.MaxInt, true},
		"many bins":     {0, 0, 10, math.MaxInt, true},
		"count if less": {2, 8, 3, math.MaxInt, true},
		"huge":          {histPerRow, boundRows, 0, 0, false},
		"huge from 9":   {0, 4, 2, 8, true},
	} {
		for seed := range uint64(1500) {
			rng := rand.New(rand.NewPCG(seed, 3))
			frame := randomFrame(rng)
			cfg := randomConfig(rng, len(frame.Columns)).Resolved(len(frame.Columns))
			data, err := encode(context.Background(), frame, cfg)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			keepOrders(data, frame, 1+int(seed%4))
			g := newGrower(data, cfg)
			g.ways = w
			tree, err := g.grow(context.Background(), 0, make([]uint32, frame.Rows()*len(frame.Classes)))
			if err != nil {
				t.Fatal(err)
			}
			if !equalTrees(t, frame, tree, growReference(frame, cfg, 0)) {
				t.Fatalf("%s: seed %d", name, seed)
			}
		}
	}
}
