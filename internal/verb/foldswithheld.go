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
	flag  bool                     // rows that lack most are left undecided
	model *rfpragma.Model          // of the fold that is judged; nil where it has none
	cells [][]rfpragma.MissingCell // by row of that fold
}

// find finds the rows of a fold whose decision is withheld by the model of the others. Those that are close are not
// judged, either, whether they are found here or not.
func (of *foldsWithheld) find(m *rfpragma.Model, rows *dataset.Frame) ([]bool, error) {
	of.Lacks.DecidedBy(m)
	of.model = m
	var err error
	if of.cells, err = of.Lacks.In(rows); err != nil {
		return nil, err
	}
	withheld := make([]bool, len(of.cells))
	for i, cells := range of.cells {
		withheld[i] = of.flag && cells != nil
	}
	return withheld, nil
}

// count counts those of a fold, once it is judged.
func (of *foldsWithheld) count(job *view.CVJob, h eval.HeldOut) {
	cells, m := of.cells, of.model
	if of.cells, of.model = nil, nil; m == nil {
		return
	}
	why := abstain.Reasons(m, h.Votes, cells, of.flag)
	if h.Repeat == 0 && job.Rows != nil {
		for i, row := range h.Rows {
			job.Rows.Lacks[row], job.Rows.Why[row] = cells[i], why[i]
		}
	}
	for i, row := range h.Rows {
		if why[i] != "" && job.Frame.Truth[row] >= 0 {
			of.ByFold[h.Fold+1] += job.Frame.WeightOf(row)
			of.ByFold[0] += job.Frame.WeightOf(row)
		}
	}
	if !job.Tells(h) {
		return
	}
	rows, labelled := job.Frame.Take(h.Rows), *h.Votes
	labelled.Truth = rows.Truth
	if of.Add(&labelled, why, func(i int) int { return h.Decided[i] }); h.Repeat == 0 && of.flag {
		of.Lacks.Add(rows, cells, 0)
		of.Above = of.Lacks.Above()
	}
}
