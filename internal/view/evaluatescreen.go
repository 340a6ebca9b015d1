package view

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// Result is what evaluate finds: of the rows, of drift since the training, and of what cv promised.
func (in *ModelRows) Result(report *eval.Report, drift *rfpragma.Comparison) *result {
	m := in.Model
	_, mapped := m.FittedOn(in.Frame)
	var columns []string
	for _, d := range ColumnDrifts(in.Frame.Warnings) {
		if !in.Lacks.Answers(d) {
			columns = append(columns, d.Column)
		}
	}
	r := &result{
		title: "ON THESE ROWS", aim: in.Aim, promise: in.Expected, lists: listTexts(m.Classes(), in.Lists), fixed: true,
		Subject: &assess.Subject{
			Goal: in.Aim.goal(), Report: report, Rows: codes.GivenRows, Decided: in.Withheld.Decided(),
			DecidedIn: in.Withheld.DecidedIn,
			Weights:   m.Weights, Unlike: columns != nil, Remaps: m.Provenance.Prevalence == nil && !mapped && columns == nil,
		},
	}
	where := r.Subject.Where()
	return r.found(slices.Concat(assess.Drift(where, drift, columns), assess.Promises(where, in.Expected.promises()))...)
}

// about says what was judged.
func (in *ModelRows) about() string {
	return fmt.Sprintf("%s: %s, %s%s", in.Name, WeighedRows(in.Frame.Rows(), in.Frame.Weight), in.known(),
		Unjudged(Describe(in.Name, in.Frame)))
}

// Show writes how a model did on labelled rows.
func (in *ModelRows) Show(to *layout.Page, r *result, details bool) {
	to.Say(in.about())
	r.Show(to, details)
	to.Table(in.Expected.lists())
	to.Table(in.moneyTable())
	if !details {
		return
	}
	to.Say(slices.Concat(MergedWords(in.Frame), withheldWords(in.Withheld, in.Frame.Weight != nil))...)
	to.Table(WithheldTable(in.Withheld, tables.Unit(in.Frame.Weight != nil)))
	in.Aim.Show(to)
	to.Say(in.costsWords()...)
	to.Table(in.costTable())
	to.Table(in.Expected.table())
	ShowRules(to, in.Aim, in.Model.Weights, r.Subject.Report)
}
