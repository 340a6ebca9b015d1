package foreign

import (
	"encoding/json"
	"io"

	randomforest "github.com/malaschitz/randomForest"
	"github.com/rfpragma/rfpragma/bench/set"
)

// deepest is the depth that trees of malaschitz may reach. It needs one: where none of the
// features drawn can part a node, all its rows go to one side, again and again.
const deepest = 100

// malaschitz holds a forest of malaschitz/randomForest. By itself that takes the mean of the
// shares in the leaves and stops at depth 10 and at leaves of up to 50 rows; here leaves are of
// one row, and each tree has one vote. It keeps no out-of-bag votes, and a missing cell goes left.
type malaschitz struct{ forest *randomforest.Forest }

func growMalaschitz(x set.Matrix, y []int, _ int, c Config) Forest {
	f := &randomforest.Forest{
		Data:     randomforest.ForestData{X: rowsOf(x), Class: y},
		LeafSize: 1, MFeatures: c.Mtry, MaxDepth: deepest,
	}
	randomforest.NumWorkers = c.Workers
	f.Train(c.Trees)
	return malaschitz{f}
}

func (m malaschitz) Votes(x set.Matrix, workers int) []uint32 {
	k := m.forest.Classes
	rows, votes := rowsOf(x), make([]uint32, x.Rows*k)
	inParts(x.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			for t := range m.forest.Trees {
				if c := decision(leaf(&m.forest.Trees[t].Root, rows[i])); c >= 0 {
					votes[i*k+c]++
				}
			}
		}
	})
	return votes
}

// leaf returns the shares of the classes in the leaf that the row comes to.
func leaf(b *randomforest.Branch, row []float64) []float64 {
	for !b.IsLeaf {
		if row[b.Attribute] > b.Value {
			b = b.Branch1
		} else {
			b = b.Branch0
		}
	}
	return b.LeafValue
}

// decision returns the class with the largest share, the first of equals; -1 for a leaf that no
// row came to.
func decision(share []float64) int {
	best, top := -1, 0.0
	for c, s := range share {
		if s > top {
			best, top = c, s
		}
	}
	return best
}

func (m malaschitz) Nodes() int {
	n := 0
	for t := range m.forest.Trees {
		n += branches(&m.forest.Trees[t].Root)
	}
	return n
}

func branches(b *randomforest.Branch) int {
	if b.IsLeaf {
		return 1
	}
	return 1 + branches(b.Branch0) + branches(b.Branch1)
}

func (m malaschitz) Write(w io.Writer) error { return json.NewEncoder(w).Encode(m.forest) }
