package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// undecided stands in the place of a decision that is withheld.
const undecided = "undecided"

// withholdFlag is that of the verbs that decide rows, or judge what is decided.
func withholdFlag() cli.Flag {
	return &cli.BoolFlag{Name: "withhold", DisableDefaultText: true, Category: "Output", Usage: "leave rows undecided that lack most of what the model decides by"}
}

// withhold reads --withhold, for the rows that the model of l finds.
func (l *lacking) withhold(c *cli.Context) error {
	if l.withheld = c.Bool("withhold"); !l.withheld {
		return nil
	}
	if err := tellApart(l.model.Classes()); err != nil {
		return err
	}
	if !l.possible() {
		return usagef("--withhold: the model does not know what the cells of its training were like, so that it finds no row that lacks most of what it decides by; train it anew")
	}
	return nil
}

// tellApart refuses a class that a withheld decision would be taken for.
func tellApart(classes []string) error {
	for _, class := range classes {
		if strings.EqualFold(class, undecided) {
			return usagef("--withhold writes %q as the decision of rows that lack most of what the model decides by, and %s is a class of the model; leave out --withhold: predict tells in column \"lacks\" which rows these are", undecided, english.Quote(class))
		}
	}
	return nil
}

// withholds tells whether no decision is written of a row that lacks such cells.
func (f *rowForm) withholds(lacks []rfpragma.MissingCell) bool { return f.withhold && lacks != nil }

// withheldInfo is what becomes of labelled rows whose decision is withheld.
type withheldInfo struct {
	Rows    float64         `json:"rows"`    // weight of these rows
	Classes []withheldClass `json:"classes"` // in the order of the model

	above string // what they lack that bears most
	among string // which rows are counted, after the word rows; "" of all
	also  string // what else to know of what figures are of, after them

	byFold map[int]float64 // weight of the rows of each fold of a cross-validation, from 1, and of all of them, 0
}

// withheldClass is how many of them are of a class.
type withheldClass struct {
	Class     string   `json:"class"`     // its name
	Rows      float64  `json:"rows"`      // weight of its rows, decided or not
	Undecided float64  `json:"undecided"` // of these, those whose decision is withheld
	Found     float64  `json:"found"`     // of these, those that are decided as the class
	Decided   *float64 `json:"decided"`   // recall of the rows that are decided; null where there are none
	All       *float64 `json:"all"`       // recall of all its rows; null where there are none
}

func newWithheld(classes []string) *withheldInfo {
	info := &withheldInfo{Classes: make([]withheldClass, len(classes))}
	for c, name := range classes {
		info.Classes[c].Class = name
	}
	return info
}

// add counts labelled rows, of which lacking tells what those lack that lack so much, and what is found of each class beside them.
func (w *withheldInfo) add(votes *vote.Table, lacking [][]rfpragma.MissingCell, decide func(i int) int) {
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

// end closes the counts of rows, each of which was counted so many times.
func (w *withheldInfo) end(times int) {
	w.Rows /= float64(times)
	for fold := range w.byFold {
		w.byFold[fold] /= float64(times)
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

// share is the part of all labelled rows that is undecided.
func (w *withheldInfo) share() float64 {
	var all portable.Sum
	for _, of := range w.Classes {
		all.Add(of.Rows)
	}
	return w.Rows / all.Value()
}

// decided is the part of all labelled rows that is decided: alarms are so many of these, and fewer of all.
func (w *withheldInfo) decided() float64 {
	if w == nil {
		return 1
	}
	return 1 - w.share()
}

// decidedIn is that of the rows of a block of time.
func (w *withheldInfo) decidedIn(b *eval.Block) float64 {
	rows := rowsIn(b)
	if w == nil || rows == 0 {
		return 1
	}
	return rows / (rows + w.byFold[b.Fold])
}

// table shows of each class how many rows are withheld, and what that makes of its recall; it has no rows where none are.
func (w *withheldInfo) table(unit string) *grid {
	g := &grid{head: []string{"class", unit, undecided, "of the class", "recall of the decided", "recall of all"}}
	if w == nil || w.Rows == 0 {
		return g
	}
	for _, c := range w.Classes {
		part := "n/a"
		if c.Rows > 0 {
			part = percent(c.Undecided / c.Rows)
		}
		g.add(c.Class, rowsText(c.Rows), rowsText(c.Undecided), part, percentOr(c.Decided), percentOr(c.All))
	}
	return g
}

// show puts that first among the tables of a page, if there are such rows.
func (w *withheldInfo) show(page *report.Report, weighed bool) {
	if held := w.table(tables.Unit(weighed)); len(held.rows) > 0 {
		page.Tables = append([]report.Table{held.titled("Rows that are left undecided")}, page.Tables...)
	}
}

// heading says how many rows are withheld, and of which rows the figures are.
func (w *withheldInfo) heading(weighed bool) []string {
	switch {
	case w == nil:
		return nil
	case w.Rows == 0:
		return []string{fmt.Sprintf("--withhold leaves no row%s undecided: none lacks most of what the model decides by.", w.among)}
	}
	return []string{fmt.Sprintf("%s%s %s most of what the model decides by, above all %s, and %s left undecided. Figures are of the other rows%s; alarms in 10,000 rows are of all.",
		weighedText(w.Rows, weighed), w.among, english.Verb(rowsText(w.Rows), "lacks", "lack"), w.above, english.Verb(rowsText(w.Rows), "is", "are"), w.also)}
}

// othersPart is the part of the cells that a warning is of which may be in rows that are decided, and too few to warn of for themselves.
const othersPart = 0.1

// answers tells whether a warning is of missing cells, or values beyond those of training, nearly all of which are in rows whose decision is withheld: of those it is said what they lack.
func (l *lacking) answers(warning error) bool {
	d := columnDrift(warning)
	if l == nil || !l.withheld || d == nil || l.lost[d.Column] == nil || d.PSI > 0 {
		return false
	}
	of, beyond := l.lost[d.Column], float64(d.Beyond*float64(l.all))
	return float64(of.rows-of.far) >= (1-othersPart)*float64(d.Missing) && float64(of.far) >= (1-othersPart)*beyond
}

// vote has the trees vote on all rows, and finds those whose decision is withheld.
func (in *modelRows) vote(c *cli.Context) (err error) {
	l := newLacking(in.model)
	if err = l.withhold(c); err != nil {
		return err
	}
	if in.votes, err = in.model.Forest.Votes(c.Context, in.frame, in.workers); err != nil {
		return err
	}
	if in.lacking, err = l.in(in.frame); err != nil {
		return err
	}
	l.add(in.frame, in.lacking, 0)
	in.lacks, in.told = l, l.warnings(in.name)
	if in.judged, in.decided = in.frame, in.votes; !l.withheld {
		return nil
	}
	held := newWithheld(in.model.Classes())
	held.add(in.votes, in.lacking, deciding(in.model, in.votes))
	held.end(1)
	held.above, held.also = l.above(), ", but for drift"
	var rows []int
	for i, cells := range in.lacking {
		if cells == nil {
			rows = append(rows, i)
		}
	}
	in.judged = in.frame.Take(rows)
	if in.judged.Labelled().Rows() == 0 && held.Rows > 0 {
		return noneDecided(in.name)
	}
	if held.Rows > 0 { // the heading of the result says so, too
		in.told = nil
	}
	in.withheld, in.aim.withheld, in.decided = held, held, in.votes.Take(rows)
	return nil
}

// unadvised leaves out of a warning of missing cells the advice to withhold the decision, for who does.
func unadvised(warning error) error {
	var gaps *dataset.GapsWarning
	if errors.As(warning, &gaps) {
		return errors.New(strings.TrimSuffix(warning.Error(), gaps.Advice))
	}
	return warning
}

// noneDecided refuses to judge rows of a file none of which is decided.
func noneDecided(name string) error {
	return fmt.Errorf("%s: every row that has a label lacks most of what the model decides by, so that --withhold leaves none to judge; leave it out to see what they would be decided as", name)
}
