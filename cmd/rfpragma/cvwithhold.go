package main

import (
	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
)

// foldsWithheld are the rows of a cross-validation whose decision is withheld by the model of their fold.
type foldsWithheld struct {
	*withheldInfo
	lacks *lacking                 // of the first repeat
	cells [][]rfpragma.MissingCell // by row of the fold that is judged; nil where it has no model
}

// withhold reads --withhold.
func (job *cvJob) withhold(c *cli.Context) error {
	if !c.Bool("withhold") {
		return nil
	}
	if err := tellApart(job.frame.Classes); err != nil {
		return err
	}
	of := &foldsWithheld{withheldInfo: newWithheld(job.frame.Classes), lacks: &lacking{lost: map[string]*lost{}}}
	of.byFold = map[int]float64{}
	if job.withheld = of.withheldInfo; job.blocks != nil {
		of.among = " of the latest block"
	}
	job.fit.Withhold = of.find
	if job.rows != nil {
		job.rows.lacks = make([][]rfpragma.MissingCell, job.frame.Rows())
		job.rows.form.lacks, job.rows.form.withhold = true, true
	}
	held := job.eval.HeldOut
	job.eval.HeldOut = func(h eval.HeldOut) {
		of.count(job, h)
		if held != nil {
			held(h)
		}
	}
	return nil
}

// find finds the rows of a fold that are left undecided by the model of the others.
func (of *foldsWithheld) find(m *rfpragma.Model, rows *dataset.Frame) ([]bool, error) {
	of.lacks.decidedBy(m)
	var err error
	if of.cells, err = of.lacks.in(rows); err != nil {
		return nil, err
	}
	withheld := make([]bool, len(of.cells))
	for i, cells := range of.cells {
		withheld[i] = cells != nil
	}
	return withheld, nil
}

// count counts those of a fold, once it is judged.
func (of *foldsWithheld) count(job *cvJob, h eval.HeldOut) {
	cells := of.cells
	if of.cells = nil; cells == nil {
		return
	}
	if h.Repeat == 0 && job.rows != nil {
		for i, row := range h.Rows {
			job.rows.lacks[row] = cells[i]
		}
	}
	for i, row := range h.Rows {
		if cells[i] != nil && job.frame.Truth[row] >= 0 {
			of.byFold[h.Fold+1] += job.frame.WeightOf(row)
			of.byFold[0] += job.frame.WeightOf(row)
		}
	}
	if !job.tells(h) {
		return
	}
	rows, labelled := job.frame.Take(h.Rows), *h.Votes
	labelled.Truth = rows.Truth
	if of.add(&labelled, cells, func(i int) int { return h.Decided[i] }); h.Repeat == 0 {
		of.lacks.add(rows, cells, 0)
		of.above = of.lacks.above()
	}
}
