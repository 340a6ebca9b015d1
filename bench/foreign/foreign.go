// Package foreign grows the random forests of other Go packages and takes the votes of their
// trees, in the form that rfpragma tunes and calibrates. Each of those packages is imported by
// one file alone, its door, which says how it is set and what it cannot do.
//
// It is a module of its own: malaschitz/randomForest brings 246 modules into the graph, of which gonum
// alone is used, and they shall neither choose versions for the benchmarks nor stand in their sums.
package foreign

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/vote"
)

// Config says how a forest is grown: with bootstrap bags and trees of full depth, as far as
// the package can. The seed is the package's own affair: none of them takes one.
type Config struct {
	Trees, Mtry, Workers int    // each at least 1
	Setting              string // one of the peer's Settings; "" is the plain forest
}

// Forest is a grown forest of another package.
type Forest interface {
	// Votes returns for each row of x and each class how many trees vote for it, row by row,
	// len x.Rows*k. A tree may have no vote for a row.
	Votes(x set.Matrix, workers int) []uint32
	Nodes() int              // of all trees, leaves too
	Write(w io.Writer) error // in the package's own form
}

// Peer is a package that grows forests.
type Peer struct {
	Name     string
	Module   string   // its path
	Settings []string // its own ways with rare classes

	// Grow grows a forest on rows x of the classes y, 0 to k-1. Cells are numbers; NaN is missing.
	Grow func(x set.Matrix, y []int, k int, c Config) Forest
}

// Peers returns all peers.
func Peers() []Peer {
	return []Peer{
		{"malaschitz", "github.com/malaschitz/randomForest", nil, growMalaschitz},
		{"CloudForest", "github.com/ryanbressler/CloudForest", []string{cloudBalance, cloudWeights}, growCloudForest},
		{"wlattner", "github.com/wlattner/rf", nil, growWlattner},
	}
}

// Find returns the peer of that name and setting, written NAME or NAME:SETTING.
func Find(name string) (Peer, string, error) {
	first, setting, given := strings.Cut(name, ":")
	for _, p := range Peers() {
		if p.Name == first && (!given || slices.Contains(p.Settings, setting)) {
			return p, setting, nil
		}
	}
	return Peer{}, "", fmt.Errorf("there is no %q among the forests of Go", name)
}

// Votes grows a forest on train and returns its votes on other rows, of the same columns and
// classes. A category is the index of its level, as a number: none of the packages is told more.
func (p Peer) Votes(train, other *dataset.Frame, c Config) *vote.Table {
	f := p.Grow(set.Cells(train), train.Truth, len(train.Classes), c)
	return &vote.Table{
		Classes: train.Classes, Truth: other.Truth, Weight: other.Weight, Share: eval.Shares(train),
		Counts: f.Votes(set.Cells(other), c.Workers), Source: vote.Holdout, Trees: c.Trees,
	}
}

// HeldOut returns for each row of train the votes of a forest that has not seen it, grown on
// the other folds: what weights and maps are fitted on where a package keeps no out-of-bag
// votes. (Votes of trees on their own rows are nearly always right, and worth nothing.)
func (p Peer) HeldOut(train *dataset.Frame, folds int, c Config) (*vote.Table, error) {
	if at := slices.Index(train.Truth, -1); at >= 0 || len(train.Truth) == 0 {
		return nil, fmt.Errorf("row %d has no label; take the labelled rows", at+1)
	}
	foldOf, err := dataset.Folds(train, folds, 1)
	if err != nil {
		return nil, err
	}
	k := len(train.Classes)
	table := &vote.Table{
		Classes: train.Classes, Truth: train.Truth, Weight: train.Weight, Share: eval.Shares(train),
		Counts: make([]uint32, train.Rows()*k), Source: vote.CV, Trees: c.Trees,
	}
	for fold := range folds {
		inside, outside := dataset.SplitFold(foldOf, fold)
		votes := p.Votes(train.Take(inside), train.Take(outside), c)
		for at, i := range outside {
			copy(table.Votes(i), votes.Votes(at))
		}
	}
	return table, nil
}

// rowsOf returns the rows as the packages want them.
func rowsOf(x set.Matrix) [][]float64 {
	cells, rows := make([]float64, len(x.Cells)), make([][]float64, x.Rows)
	for i, v := range x.Cells {
		cells[i] = float64(v)
	}
	for i := range rows {
		rows[i] = cells[i*x.Columns : (i+1)*x.Columns]
	}
	return rows
}

// inParts calls do for as many parts of n things as there are workers, all at once.
func inParts(n, workers int, do func(from, to int)) {
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() { do(w*n/workers, (w+1)*n/workers) })
	}
	group.Wait()
}
