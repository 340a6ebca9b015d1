package c45

import (
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// collapse makes every node a leaf whose subtree decides no more training rows right than it does itself.
func collapse(root *node) {
	list := root.list()
	for _, n := range slices.Backward(list) {
		wrong := sum(n.counts) - slices.Max(n.counts)
		if n.errors = wrong; n.kids == nil {
			continue
		}
		n.errors = 0
		for _, kid := range n.kids {
			n.errors += kid.errors
		}
		if n.errors >= wrong-1e-3 {
			n.kids = nil // n.errors stays: whether the nodes above collapse depends on the tree as it was grown
		}
	}
}

// prune takes each node from the leaves up and leaves it as it is, makes it a leaf, or puts its heaviest
// branch in its place, whichever is estimated to make the fewest errors. A branch that was raised has other
// rows than before, and is pruned again.
func (g *grower) prune(root *node) error {
	for todo := root.list(); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		raised, err := g.judge(n)
		if err != nil {
			return err
		}
		if raised {
			todo = append(todo, n.list()...)
		}
	}
	return nil
}

// judge decides about a node whose kids are pruned, and reports whether it has raised a branch.
func (g *grower) judge(n *node) (raised bool, err error) {
	const margin = 0.1 + small // a larger tree must be better by this
	asLeaf, asBranch := pessimistic(n.counts), 0.0
	if n.kids == nil {
		n.errors = asLeaf
		return false, nil
	}
	n.errors = 0
	heaviest, most := n.kids[0], 0.0
	for _, kid := range n.kids {
		n.errors += kid.errors
		if w := sum(kid.counts); w > most-small { // of equals the last
			heaviest, most = kid, w
		}
	}
	below, err := g.send(n.rows, heaviest)
	if err != nil {
		return false, err
	}
	for _, v := range below {
		if v.node.kids == nil {
			asBranch += pessimistic(g.count(v.rows))
		}
	}
	switch {
	case asLeaf < n.errors+margin && asLeaf < asBranch+margin:
		n.kids, n.errors = nil, asLeaf
	case asBranch < n.errors+margin:
		n.split, n.kids, n.shares = heaviest.split, heaviest.kids, below[0].shares
		for _, v := range below[1:] {
			v.node.rows, v.node.counts, v.node.shares = v.rows, g.count(v.rows), v.shares
		}
		raised = true
	}
	return raised, nil
}

// visit is what comes to a node.
type visit struct {
	node   *node
	rows   []row
	shares []float64 // of the rows that go to each kid
}

// send sends rows down the subtree of n, and returns what comes to each node, n first.
func (g *grower) send(rows []row, n *node) ([]visit, error) {
	list := []visit{{node: n, rows: rows}}
	for i := 0; i < len(list); i++ {
		if err := g.ctx.Err(); err != nil {
			return nil, err
		}
		n := list[i].node
		if n.kids == nil {
			continue
		}
		parts, shares := g.part(n, list[i].rows)
		list[i].shares = shares
		for b, kid := range n.kids {
			list = append(list, visit{node: kid, rows: parts[b]})
		}
	}
	return list, nil
}

const (
	confidence = 0.25                // that a leaf is even worse than it is taken to be
	quantile   = 0.67448975019608171 // of the normal distribution at 1-confidence (R: qnorm(0.75))
)

// pessimistic returns the errors that a leaf of rows of these weights by class is estimated to make on as many
// new rows: the upper limit of the binomial distribution.
func pessimistic(counts []float64) float64 {
	n := sum(counts)
	if n < small {
		return 0
	}
	wrong := n - slices.Max(counts)
	return wrong + more(n, wrong)
}

// more returns by how much the upper limit of the errors of n rows lies above the e that were made. Without
// errors it is exact, n·(1 - confidence^(1/n)); from one on it is Wilson's limit with the correction for
// continuity; between them it is a straight line, as it is from n-½ on.
func more(n, e float64) float64 {
	switch {
	case e < 1:
		none := float64(n * (1 - portable.Exp(portable.Log(confidence)/n)))
		if e <= 0 {
			return none
		}
		return none + float64(e*(more(n, 1)-none))
	case e+0.5 >= n:
		return max(n-e, 0)
	}
	const z2 = quantile * quantile
	f := (e + 0.5) / n
	root := math.Sqrt(f/n - float64(f*f/n) + z2/(4*n*n))
	return n*(f+z2/(2*n)+float64(quantile*root))/(1+z2/n) - e
}
