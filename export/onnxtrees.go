package export

import (
	"math"
	"math/bits"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// exactSum is up to where float32 holds all whole numbers.
const exactSum = 1 << 24

// countVotes adds the trees to the graph, and returns the counts of the classes as float64. Missing are the words for
// missing cells.
func (g *graph) countVotes(f *forest.Forest, missing []string) string {
	c := newCuts(f)
	cells := g.rankCells(f, c, missing)
	group := int(exactSum / f.Unit())
	all := ""
	for from := 0; from < f.Trees(); from += group {
		e := newEnsemble(f, c)
		for t := from; t < min(from+group, f.Trees()); t++ {
			e.add(f.Tree(t))
		}
		counts := g.cast(g.ml("TreeEnsembleRegressor", []string{cells}, e.attributes()...), typeDouble)
		if all == "" {
			all = counts
		} else {
			all = g.node("Add", []string{all, counts})
		}
	}
	return all
}

// cuts are what the trees of a forest ask of its columns.
type cuts struct {
	thresholds [][]float64 // by feature, ascending; nil for a categorical one
	place      []int       // by feature, its column among those that the trees see; -1 if no tree asks for it
}

func newCuts(f *forest.Forest) *cuts {
	c := &cuts{thresholds: make([][]float64, len(f.Schema)), place: slices.Repeat([]int{-1}, len(f.Schema))}
	for t := range f.Trees() {
		tree := f.Tree(t)
		for i := range tree.Nodes() {
			if n := tree.Node(i); !n.Leaf {
				c.place[n.Feature] = 0
				if f.Schema[n.Feature].Kind == dataset.Numeric {
					c.thresholds[n.Feature] = append(c.thresholds[n.Feature], n.Threshold)
				}
			}
		}
	}
	for j, list := range c.thresholds {
		slices.Sort(list)
		c.thresholds[j] = slices.Compact(list)
	}
	if !slices.Contains(c.place, 0) {
		c.place[0] = 0 // an ensemble of leaves alone needs some column, too
	}
	return c
}

// rankCells puts the columns that the trees see side by side, and notes the place of each: of a number how many
// thresholds lie below it, NaN if it is missing; of a category its number, from 1 on, 0 if it is missing or unknown.
func (g *graph) rankCells(f *forest.Forest, c *cuts, missing []string) string {
	var columns []string
	at := 0
	byLength := make([][]int, bits.UintSize) // so that lists that are searched together are of about one length
	for j, field := range f.Schema {
		switch {
		case c.place[j] < 0:
		case field.Kind == dataset.Numeric:
			length := bits.Len(uint(len(c.thresholds[j])))
			byLength[length] = append(byLength[length], j)
		default:
			c.place[j] = at
			at++
			columns = append(columns, g.levels(g.columns[j], textsOf(field, missing)))
		}
	}
	for _, features := range byLength {
		if len(features) == 0 {
			continue
		}
		var inputs []string
		var lists [][]float64
		for _, j := range features {
			c.place[j] = at
			at++
			inputs, lists = append(inputs, g.columns[j]), append(lists, c.thresholds[j])
		}
		x := g.concat(inputs)
		ranks := g.cast(g.search(x, lists, true), typeFloat)
		present := g.node("Equal", []string{x, x})
		columns = append(columns, g.node("Where", []string{present, ranks, g.float(float32(math.NaN()))}))
	}
	return g.concat(columns)
}

// levels numbers the categories of a column from 1 on; 0 is any other text.
func (g *graph) levels(column string, of map[string]int) string {
	texts := sortedTexts(of)
	numbers := make([]float32, len(texts))
	for i, text := range texts {
		numbers[i] = float32(of[text] + 1)
	}
	if len(texts) == 0 {
		texts, numbers = []string{""}, []float32{0}
	}
	return g.ml("LabelEncoder", []string{column}, textsAttribute("keys_strings", texts),
		floatsAttribute("values_floats", numbers), floatAttribute("default_float", 0))
}

// ensemble are the attributes of a TreeEnsembleRegressor, of which each tree adds to the votes of the classes.
type ensemble struct {
	f    *forest.Forest
	cuts *cuts

	trees, base                            int // those that are added, and their nodes
	tree, node, feature, left, right, gaps []int
	values                                 []float32
	modes                                  []string
	voteTree, voteNode, voteClass          []int
	voteCounts                             []float32
}

func newEnsemble(f *forest.Forest, c *cuts) *ensemble { return &ensemble{f: f, cuts: c} }

// add adds a tree. No two nodes of an ensemble have one number. Numbers could begin anew with each tree, but older
// versions of onnxruntime look them up in a table in which these collide, and take several times as long to load.
func (e *ensemble) add(t forest.Tree) {
	free := t.Nodes()
	for i := range t.Nodes() {
		n := t.Node(i)
		switch {
		case n.Leaf:
			e.leaf(i, n)
		case e.f.Schema[n.Feature].Kind == dataset.Numeric:
			rank, _ := slices.BinarySearch(e.cuts.thresholds[n.Feature], n.Threshold)
			e.split(i, n.Feature, float32(rank), n.Left, n.Right, n.MissingLeft)
		default:
			free = e.set(i, n, free)
		}
	}
	e.trees++
	e.base += free
}

func (e *ensemble) split(node, feature int, rank float32, left, right int, missingLeft bool) {
	gaps := 0
	if missingLeft {
		gaps = 1
	}
	e.put(node, e.cuts.place[feature], "BRANCH_LEQ", rank, left, right, gaps)
}

func (e *ensemble) put(node, feature int, mode string, value float32, left, right, gaps int) {
	e.tree, e.node, e.feature = append(e.tree, e.trees), append(e.node, e.base+node), append(e.feature, feature)
	e.modes, e.values = append(e.modes, mode), append(e.values, value)
	e.left, e.right, e.gaps = append(e.left, e.base+left), append(e.right, e.base+right), append(e.gaps, gaps)
}

func (e *ensemble) leaf(node int, n forest.Node) {
	e.put(node, 0, "LEAF", 0, 0, 0, 0)
	for class, count := range countsOf(e.f, n) {
		if count > 0 {
			e.voteTree, e.voteNode = append(e.voteTree, e.trees), append(e.voteNode, e.base+node)
			e.voteClass, e.voteCounts = append(e.voteClass, class), append(e.voteCounts, float32(count))
		}
	}
}

// countsOf are the counts that a leaf adds to those of the classes.
func countsOf(f *forest.Forest, n forest.Node) []int {
	counts := make([]int, len(f.Classes))
	if n.Shares == nil {
		counts[n.Class] = 1
	}
	for c, share := range n.Shares {
		counts[c] = int(math.Round(share * f.Unit()))
	}
	return counts
}

// set writes a split by a set of levels as a chain of splits by their numbers, one for each place where the numbers
// change sides: some two or three, as levels of one side often lie side by side. All splits of the chain that lead left
// lead to one and the same node, and so do those that lead right. Runtimes allow that where, as here, the way to the
// right goes to the next node of the chain; LightGBM's sets are converted so, too. It returns the next free number.
func (e *ensemble) set(node int, n forest.Node, free int) int {
	left := make([]bool, len(e.f.Schema[n.Feature].Levels)+1)
	left[0] = n.MissingLeft
	for _, level := range n.Levels {
		left[level+1] = true
	}
	side := map[bool]int{true: n.Left, false: n.Right}
	last := len(left) - 1
	for last > 0 && left[last] == left[last-1] {
		last--
	}
	for code := 1; code <= last; code++ {
		if left[code] == left[code-1] {
			continue
		}
		next := free
		if code == last {
			next = side[left[code]]
		} else {
			free++
		}
		e.split(node, n.Feature, float32(code-1), side[left[code-1]], next, false)
		node = next
	}
	return free
}

func (e *ensemble) attributes() []*message {
	return []*message{
		intAttribute("n_targets", len(e.f.Classes)), textAttribute("aggregate_function", "SUM"),
		textAttribute("post_transform", "NONE"),
		intsAttribute("nodes_treeids", e.tree...), intsAttribute("nodes_nodeids", e.node...),
		intsAttribute("nodes_featureids", e.feature...), textsAttribute("nodes_modes", e.modes),
		floatsAttribute("nodes_values", e.values), intsAttribute("nodes_truenodeids", e.left...),
		intsAttribute("nodes_falsenodeids", e.right...), intsAttribute("nodes_missing_value_tracks_true", e.gaps...),
		intsAttribute("target_treeids", e.voteTree...), intsAttribute("target_nodeids", e.voteNode...),
		intsAttribute("target_ids", e.voteClass...), floatsAttribute("target_weights", e.voteCounts),
	}
}
