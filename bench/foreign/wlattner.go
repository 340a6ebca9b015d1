package foreign

import (
	"encoding/gob"
	"io"
	"strconv"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/wlattner/rf/forest"
	"github.com/wlattner/rf/tree"
)

// wlattner holds a forest of wlattner/rf. Missing cells go left: it does not know them.
type wlattner struct {
	forest *forest.Classifier
	class  []int // ours, by theirs, which is in the order of the training rows
	k      int
}

func growWlattner(x set.Matrix, y []int, k int, c Config) Forest {
	labels := make([]string, len(y))
	for i, class := range y {
		labels[i] = strconv.Itoa(class)
	}
	f := forest.NewClassifier(forest.NumTrees(c.Trees), forest.MaxFeatures(c.Mtry), forest.NumWorkers(c.Workers))
	f.Fit(rowsOf(x), labels)
	grown := wlattner{forest: f, k: k}
	seen := make([]bool, k)
	for _, class := range y {
		if !seen[class] {
			seen[class] = true
			grown.class = append(grown.class, class)
		}
	}
	return grown
}

func (f wlattner) Votes(x set.Matrix, workers int) []uint32 {
	rows, votes := rowsOf(x), make([]uint32, x.Rows*f.k)
	inParts(x.Rows, workers, func(from, to int) {
		for _, t := range f.forest.Trees {
			for i, theirs := range t.Predict(rows[from:to]) {
				votes[(from+i)*f.k+f.class[theirs]]++
			}
		}
	})
	return votes
}

func (f wlattner) Nodes() int {
	n := 0
	for _, t := range f.forest.Trees {
		n += nodes(t.Root)
	}
	return n
}

func nodes(n *tree.Node) int {
	if n == nil {
		return 0
	}
	return 1 + nodes(n.Left) + nodes(n.Right)
}

func (f wlattner) Write(w io.Writer) error { return gob.NewEncoder(w).Encode(f.forest) }
