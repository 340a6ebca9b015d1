package c45

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// node is a leaf, or parts its rows by the cell of a feature.
type node struct {
	rows   []row
	counts []float64 // len k, weight of rows by class

	split
	kids   []*node   // by level, or "at most the cut" and "above it"; nil in a leaf
	shares []float64 // the part of a row whose cell is missing that goes to each kid

	errors float64   // of the subtree: on its own rows in collapse, on new ones in prune
	answer []float64 // in a finished tree: counts, or those of the parent where no row has come
}

// branch returns the kid that a cell leads to, -1 where it is missing.
func (n *node) branch(cell float64, kind dataset.Kind) int {
	switch {
	case cell != cell:
		return -1
	case kind == dataset.Categorical:
		return int(cell)
	case cell <= n.cut:
		return 0
	}
	return 1
}

// list returns the nodes of the subtree, parents before their kids.
func (n *node) list() []*node {
	list := []*node{n}
	for i := 0; i < len(list); i++ {
		list = append(list, list[i].kids...)
	}
	return list
}

// finish lets go of the rows and notes the answers.
func (n *node) finish() {
	n.answer = n.counts
	for _, n := range n.list() {
		n.rows = nil
		for _, kid := range n.kids {
			if kid.answer = kid.counts; sum(kid.counts) < small {
				kid.answer = n.counts
			}
		}
	}
}

// Size returns the number of nodes, leaves included, those to which no row has come too.
func (t *Tree) Size() int { return len(t.root.list()) }

// Leaves returns the number of leaves.
func (t *Tree) Leaves() int {
	leaves := 0
	for _, n := range t.root.list() {
		if n.kids == nil {
			leaves++
		}
	}
	return leaves
}

// String returns the tree as J48 prints it: a line for each branch, a leaf with its class, the weight of its
// rows, and after a slash of those that are of other classes.
func (t *Tree) String() string {
	type step struct {
		node  *node
		depth int
		label string
	}
	var b strings.Builder
	order := vote.TieOrder(t.share, nil)
	for todo := []step{{t.root, -1, ""}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b.WriteString(strings.Repeat("|   ", max(at.depth, 0)) + at.label)
		if at.node.kids == nil {
			b.WriteString(t.leaf(at.node, order))
		}
		if at.depth >= 0 || at.node.kids == nil {
			b.WriteByte('\n')
		}
		for i := len(at.node.kids) - 1; i >= 0; i-- {
			todo = append(todo, step{at.node.kids[i], at.depth + 1, t.test(at.node, i)})
		}
	}
	return b.String()
}

// test words the way to a kid.
func (t *Tree) test(n *node, kid int) string {
	field := &t.Schema[n.feature]
	if field.Kind == dataset.Categorical {
		return field.Name + " = " + field.Levels[kid]
	}
	cut := n.cut
	if math.Abs(cut) < 1e9 {
		cut = math.Round(cut*1e6) / 1e6
	}
	return field.Name + []string{" <= ", " > "}[kid] + strconv.FormatFloat(cut, 'f', -1, 64)
}

// leaf words what a leaf decides.
func (t *Tree) leaf(n *node, order []int) string {
	top, weight := decide(n.answer, order), sum(n.counts)
	wrong := weight - n.counts[top]
	if wrong < small {
		return fmt.Sprintf(": %s (%s)", t.Classes[top], hundredths(weight))
	}
	return fmt.Sprintf(": %s (%s/%s)", t.Classes[top], hundredths(weight), hundredths(wrong))
}

// hundredths returns v with one digit after the point, or two.
func hundredths(v float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.2f", math.Round(v*100)/100), "0")
}
