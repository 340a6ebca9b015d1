// Package c45 grows a single decision tree as C4.5 does, the control beside which forests are put.
//
// The tree is that of C4.5 release 8 (Quinlan, C4.5: Programs for Machine Learning, 1993; J. Artificial
// Intelligence Research 4, 1996) in the reading of Weka's J48 with its defaults, -C 0.25 -M 2: splits by gain
// ratio, a branch for each level of a categorical column, missing cells as fractions of a row, pessimistic
// pruning with subtree raising. Where Quinlan and J48 differ it does as J48 does; testdata holds what J48 finds.
//
// Nothing is drawn at random. Rows of every branch are kept until the tree is pruned, so growing takes 16 bytes
// for each row and level of the tree.
package c45

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/vote"
)

// Tree is a pruned tree. It is an [eval.Classifier]: its votes for a row are the shares of the classes, in
// thousandths of a vote, and the majority vote decides as the tree does.
type Tree struct {
	Schema  dataset.Schema // the features, len p
	Classes []string       // len k

	share []float64 // len k, of the training rows, for ties
	root  *node
}

var _ eval.Learner = Learn

// Learn is Grow as an [eval.Learner]. Every seed gives the same tree, and there are no warnings.
func Learn(ctx context.Context, train *dataset.Frame, _ uint64) (eval.Classifier, []error, error) {
	tree, err := Grow(ctx, train)
	if err != nil {
		return nil, nil, err
	}
	return tree, nil, nil
}

// Grow grows a tree on the rows of train that have a class and a weight above 0, and prunes it. A row of
// weight 2 is two rows.
//
// Errors: one without such rows, those of [dataset.Frame.Check], and that of ctx.
func Grow(ctx context.Context, train *dataset.Frame) (*Tree, error) {
	if err := train.Check(); err != nil {
		return nil, err
	}
	g := newGrower(ctx, train)
	if len(g.all) == 0 {
		return nil, errors.New("no row to train on has a class and a weight above 0; add labelled rows")
	}
	root, err := g.grow()
	if err != nil {
		return nil, err
	}
	collapse(root)
	if err := g.prune(root); err != nil {
		return nil, err
	}
	root.finish()
	return &Tree{Schema: train.Schema(), Classes: train.Classes, share: eval.Shares(train), root: root}, nil
}

// Votes returns the votes for the rows of frame, as holdout votes. The columns are matched by name; a level
// the tree does not know is a missing cell. The classes must be those of the training rows.
func (t *Tree) Votes(ctx context.Context, frame *dataset.Frame) (*vote.Table, error) {
	frame, err := t.Schema.Conform(frame)
	if err != nil {
		return nil, err
	}
	if frame.Truth != nil && !slices.Equal(frame.Classes, t.Classes) {
		return nil, fmt.Errorf("the classes of the frame are %.200q, those of the tree %.200q; read the rows with the classes of the tree", frame.Classes, t.Classes)
	}
	n, k := frame.Rows(), len(t.Classes)
	table := &vote.Table{
		Classes: t.Classes, Truth: frame.Truth, Weight: frame.Weight, Amount: frame.Amount, Share: t.share,
		Counts: make([]uint32, n*k), Source: vote.Holdout, Soft: true, Trees: 1,
	}
	if table.Truth == nil {
		table.Truth = slices.Repeat([]int{-1}, n)
	}
	order, parts := vote.TieOrder(t.share, nil), make([]float64, k)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.classify(parts, func(j int) float64 { return frame.Columns[j].At(i) })
		thousandths(table.Votes(i), parts, order)
	}
	return table, nil
}

// classify writes the shares of the classes for the row of these cells: a row whose cell is missing goes down
// every branch, in the parts that such training rows did.
func (t *Tree) classify(shares []float64, cell func(feature int) float64) {
	type visit struct {
		node *node
		part float64
	}
	clear(shares)
	list := []visit{{t.root, 1}}
	for i := 0; i < len(list); i++ {
		n, part := list[i].node, list[i].part
		if n.kids == nil {
			scale := part / sum(n.answer)
			for c, w := range n.answer {
				shares[c] += float64(scale * w)
			}
			continue
		}
		if b := n.branch(cell(n.feature), t.Schema[n.feature].Kind); b >= 0 {
			list = append(list, visit{n.kids[b], part})
			continue
		}
		for b, share := range n.shares {
			if share > small {
				list = append(list, visit{n.kids[b], part * share})
			}
		}
	}
}

// equal is what sums in another order may differ by.
const equal = 1e-9

// decide returns the class of the largest weight, of equals the first in order.
func decide(weights []float64, order []int) int {
	top := order[0]
	for _, c := range order {
		if weights[c] > weights[top]+equal {
			top = c
		}
	}
	return top
}

// thousandths writes shares, rounded down, as votes. What rounding leaves goes to the class that is decided
// for, so that the majority vote decides alike.
func thousandths(votes []uint32, shares []float64, order []int) {
	rest := uint32(vote.Unit)
	for c, share := range shares {
		votes[c] = uint32((share + equal) * vote.Unit)
		rest -= votes[c]
	}
	votes[decide(shares, order)] += rest
}

// VoteWeights returns nil: a tree has no weights to tell of.
func (t *Tree) VoteWeights() vote.Weights { return nil }

// Probabilities writes the shares of votes, which are those of the classes in the leaf, into dst.
func (t *Tree) Probabilities(dst []float64, votes []uint32) {
	total := float64(vote.Total(votes))
	for c, v := range votes {
		dst[c] = float64(v) / total
	}
}
