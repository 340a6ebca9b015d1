package verb

import (
	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/view"
)

// foldsWithheld are the rows of a cross-validation whose decision is withheld by the model of their fold.
type foldsWithheld struct {
	*abstain.WithheldInfo
	Lacks *abstain.Lacking         // of the first repeat
	cells [][]rfpragma.MissingCell // by row of the fold that is judged; nil where it has no model
}

// find finds the rows of a fold that are left undecided by the model of the others.
func (of *foldsWithheld) find(m *rfpragma.Model, rows *dataset.Frame) ([]bool, error) {
	of.Lacks.DecidedBy(m)
	var err error
	if of.cells, err = of.Lacks.In(rows); err != nil {
		return nil, err
	}
	withheld := make([]bool, len(of.cells))
	for i, cells := range of.cells {
		withheld[i] = cells != nil
	}
	return withheld, nil
}

// count counts those of a fold, once it is judged.
func (of *foldsWithheld) count(job *view.CVJob, h eval.HeldOut) {
	cells := of.cells
	if of.cells = nil; cells == nil {
		return
	}
	if h.Repeat == 0 && job.Rows != nil {
		for i, row := range h.Rows {
			job.Rows.Lacks[row] = cells[i]
		}
	}
	for i, row := range h.Rows {
		if cells[i] != nil && job.Frame.Truth[row] >= 0 {
			of.ByFold[h.Fold+1] += job.Frame.WeightOf(row)
			of.ByFold[0] += job.Frame.WeightOf(row)
		}
	}
	if !job.Tells(h) {
		return
	}
	rows, labelled := job.Frame.Take(h.Rows), *h.Votes
	labelled.Truth = rows.Truth
	if of.Add(&labelled, cells, func(i int) int { return h.Decided[i] }); h.Repeat == 0 {
		of.Lacks.Add(rows, cells, 0)
		of.Above = of.Lacks.Above()
	}
}
