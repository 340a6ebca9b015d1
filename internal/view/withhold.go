package view

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// WithheldInfo is what becomes of labelled rows whose decision is withheld.
type WithheldInfo struct {
	Rows    float64         `json:"rows"`    // weight of these rows
	Classes []WithheldClass `json:"classes"` // in the order of the model

	Above string `json:"-"` // what they lack that bears most
	Among string `json:"-"` // which rows are counted, after the word rows; "" of all
	Also  string `json:"-"` // what else to know of what figures are of, after them

	// weight of the rows of each fold of a cross-validation, from 1, and of all of them, 0
	ByFold map[int]float64 `json:"-"`
}

// WithheldClass is how many of them are of a class.
type WithheldClass struct {
	Class     string   `json:"class"`     // its name
	Rows      float64  `json:"rows"`      // weight of its rows, decided or not
	Undecided float64  `json:"undecided"` // of these, those whose decision is withheld
	Found     float64  `json:"found"`     // of these, those that are decided as the class
	Decided   *float64 `json:"decided"`   // recall of the rows that are decided; null where there are none
	All       *float64 `json:"all"`       // recall of all its rows; null where there are none
}

// NewWithheld begins to count decisions that are withheld.
func NewWithheld(classes []string) *WithheldInfo {
	info := &WithheldInfo{Classes: make([]WithheldClass, len(classes))}
	for c, name := range classes {
		info.Classes[c].Class = name
	}
	return info
}

// Add counts labelled rows, of which lacking tells what those lack that lack so much, and what is found of each
// class beside them.
func (w *WithheldInfo) Add(votes *vote.Table, lacking [][]rfpragma.MissingCell, decide func(i int) int) {
	for i := range votes.Judged() {
		weight, of := votes.WeightOf(i), &w.Classes[votes.Truth[i]]
		of.Rows += weight
		switch {
		case lacking[i] != nil:
			of.Undecided += weight
			w.Rows += weight
		case decide(i) == votes.Truth[i]:
			of.Found += weight
		}
	}
}

// End closes the counts of rows, each of which was counted so many times.
func (w *WithheldInfo) End(times int) {
	w.Rows /= float64(times)
	for fold := range w.ByFold {
		w.ByFold[fold] /= float64(times)
	}
	for c := range w.Classes {
		of := &w.Classes[c]
		of.Rows, of.Undecided, of.Found = of.Rows/float64(times), of.Undecided/float64(times), of.Found/float64(times)
		share := func(rows float64) *float64 {
			if !(rows > 0) {
				return nil
			}
			part := min(of.Found/rows, 1)
			return &part
		}
		of.Decided, of.All = share(of.Rows-of.Undecided), share(of.Rows)
	}
}

// Share is the part of all labelled rows that is undecided.
func (w *WithheldInfo) Share() float64 {
	var all portable.Sum
	for _, of := range w.Classes {
		all.Add(of.Rows)
	}
	return w.Rows / all.Value()
}

// Decided is the part of all labelled rows that is decided: alarms are so many of these, and fewer of all.
func (w *WithheldInfo) Decided() float64 {
	if w == nil {
		return 1
	}
	return 1 - w.Share()
}

// DecidedIn is that of the rows of a block of time.
func (w *WithheldInfo) DecidedIn(b *eval.Block) float64 {
	rows := rowsIn(b)
	if w == nil || rows == 0 {
		return 1
	}
	return rows / (rows + w.ByFold[b.Fold])
}

// WithheldTable shows of each class how many rows are withheld, and what that makes of its recall; it has no rows where none
// are.
func WithheldTable(w *WithheldInfo, unit string) *layout.Grid {
	g := &layout.Grid{Head: []string{"class", unit, predictions.Undecided, "of the class", "recall of the decided", "recall of all"}}
	if w == nil || w.Rows == 0 {
		return g
	}
	for _, c := range w.Classes {
		part := "n/a"
		if c.Rows > 0 {
			part = english.Percent(c.Undecided/c.Rows, 1)
		}
		g.Add(c.Class, layout.Rows(c.Rows), layout.Rows(c.Undecided), part, layout.PercentOr(c.Decided), layout.PercentOr(c.All))
	}
	return g
}

// showWithheld puts that first among the tables of a page, if there are such rows.
func showWithheld(w *WithheldInfo, page *report.Report, weighed bool) {
	if held := WithheldTable(w, tables.Unit(weighed)); len(held.Rows) > 0 {
		page.Tables = append([]report.Table{titled(held, "Rows that are left undecided")}, page.Tables...)
	}
}

// withheldWords says how many rows are withheld, and of which rows the figures are.
func withheldWords(w *WithheldInfo, weighed bool) []string {
	switch {
	case w == nil:
		return nil
	case w.Rows == 0:
		return []string{fmt.Sprintf("--withhold leaves no row%s undecided: none lacks most of what the model decides by.",
			w.Among)}
	}
	return []string{fmt.Sprintf("%s%s %s most of what the model decides by, above all %s, and %s left undecided. "+
		"Figures are of the other rows%s; alarms in 10,000 rows are of all.",
		weighedText(w.Rows, weighed), w.Among, english.Verb(layout.Rows(w.Rows), "lacks", "lack"), w.Above,
		english.Verb(layout.Rows(w.Rows), "is", "are"), w.Also)}
}

// othersPart is the part of the cells that a warning is of which may be in rows that are decided, and too few to
// warn of for themselves.
const othersPart = 0.1

// Answers tells whether a warning is of missing cells, or values beyond those of training, nearly all of which are
// in rows whose decision is withheld: of those it is said what they lack.
func (l *Lacking) Answers(warning error) bool {
	d := ColumnDrift(warning)
	if l == nil || !l.Withheld || d == nil || l.Lost[d.Column] == nil || d.PSI > 0 {
		return false
	}
	of, beyond := l.Lost[d.Column], float64(d.Beyond*float64(l.all))
	return float64(of.rows-of.far) >= (1-othersPart)*float64(d.Missing) && float64(of.far) >= (1-othersPart)*beyond
}

// Unadvised leaves out of a warning of missing cells the advice to withhold the decision, for who does.
func Unadvised(warning error) error {
	var gaps *dataset.GapsWarning
	if errors.As(warning, &gaps) {
		return errors.New(strings.TrimSuffix(warning.Error(), gaps.Advice))
	}
	return warning
}

// NoneDecided refuses to judge rows of a file none of which is decided.
func NoneDecided(name string) error {
	return fmt.Errorf("%s: every row that has a label lacks most of what the model decides by, so that --withhold "+
		"leaves none to judge; leave it out to see what they would be decided as", name)
}

// FoldsWithheld are the rows of a cross-validation whose decision is withheld by the model of their fold.
type FoldsWithheld struct {
	*WithheldInfo
	Lacks *Lacking                 // of the first repeat
	cells [][]rfpragma.MissingCell // by row of the fold that is judged; nil where it has no model
}

// Find finds the rows of a fold that are left undecided by the model of the others.
func (of *FoldsWithheld) Find(m *rfpragma.Model, rows *dataset.Frame) ([]bool, error) {
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

// Count counts those of a fold, once it is judged.
func (of *FoldsWithheld) Count(job *CVJob, h eval.HeldOut) {
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
