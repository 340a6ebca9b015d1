package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
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
	for _, class := range l.model.Classes() {
		if strings.EqualFold(class, undecided) {
			return usagef("--withhold writes %q as the decision of rows that lack most of what the model decides by, and %s is a class of the model; leave out --withhold: column \"lacks\" tells which rows these are", undecided, english.Quote(class))
		}
	}
	if !l.possible() {
		return usagef("--withhold: the model does not know what the cells of its training were like, so that it finds no row that lacks most of what it decides by; train it anew")
	}
	return nil
}

// withholds tells whether no decision is written of a row that lacks such cells.
func (f *rowForm) withholds(lacks []rfpragma.Lack) bool { return f.withhold && lacks != nil }

// withheldInfo is what becomes of labelled rows whose decision is withheld.
type withheldInfo struct {
	Rows    float64         `json:"rows"`    // weight of these rows
	Classes []withheldClass `json:"classes"` // in the order of the model

	above string // what they lack that bears most
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

// withheldOf counts the labelled rows that lack so much, and what is found of each class beside them.
func withheldOf(votes *vote.Table, lacking [][]rfpragma.Lack, decide func(votes []uint32) int) *withheldInfo {
	info := &withheldInfo{Classes: make([]withheldClass, len(votes.Classes))}
	for c, name := range votes.Classes {
		info.Classes[c].Class = name
	}
	for i, counts := range votes.Judged() {
		weight, of := votes.WeightOf(i), &info.Classes[votes.Truth[i]]
		of.Rows += weight
		switch {
		case lacking[i] != nil:
			of.Undecided += weight
			info.Rows += weight
		case decide(counts) == votes.Truth[i]:
			of.Found += weight
		}
	}
	for c := range info.Classes {
		of := &info.Classes[c]
		share := func(rows float64) *float64 {
			if !(rows > 0) {
				return nil
			}
			part := min(of.Found/rows, 1)
			return &part
		}
		of.Decided, of.All = share(of.Rows-of.Undecided), share(of.Rows)
	}
	return info
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

// heading says how many rows are withheld, and of which rows the figures are.
func (w *withheldInfo) heading(weighed bool) []string {
	switch {
	case w == nil:
		return nil
	case w.Rows == 0:
		return []string{"--withhold leaves no row undecided: none lacks most of what the model decides by."}
	}
	return []string{fmt.Sprintf("%s %s most of what the model decides by, above all %s, and %s left undecided. Figures are of the other rows; only drift is looked for in all.",
		weighedText(w.Rows, weighed), english.Verb(rowsText(w.Rows), "lacks", "lack"), w.above, english.Verb(rowsText(w.Rows), "is", "are"))}
}

// words says of classes that matter how many of their rows are withheld, and what is found of the others.
func (w *withheldInfo) words(matter []int, weighed bool) []string {
	if w == nil || w.Rows == 0 {
		return nil
	}
	var lines []string
	for _, c := range matter[:min(len(matter), mostNamed)] {
		switch of := &w.Classes[c]; {
		case of.Undecided == 0:
			lines = append(lines, fmt.Sprintf("None of the undecided is of %s.", english.Quote(of.Class)))
		case of.Decided == nil:
			lines = append(lines, fmt.Sprintf("All %s of %s are undecided.", weighedText(of.Rows, weighed), english.Quote(of.Class)))
		default:
			lines = append(lines, fmt.Sprintf("Of %s of %s %s %s undecided. Recall is %s of those decided, and %s of all.", weighedText(of.Rows, weighed), english.Quote(of.Class),
				rowsText(of.Undecided), english.Verb(rowsText(of.Undecided), "is", "are"), percent(*of.Decided), percent(*of.All)))
		}
	}
	return lines
}

// answers tells whether a warning is of missing cells that are all in rows that were found, if their decision is withheld: of those it is said what they lack.
func (l *lacking) answers(warning error) bool {
	d := columnDrift(warning)
	if l == nil || !l.withheld || d == nil || d.Missing == 0 || d.PSI > 0 || d.Beyond > 0 {
		return false
	}
	of := l.lost[d.Column]
	return of != nil && of.rows-of.far == d.Missing
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
	held := withheldOf(in.votes, in.lacking, in.model.Decide)
	held.above = l.above()
	var rows []int
	for i, cells := range in.lacking {
		if cells == nil {
			rows = append(rows, i)
		}
	}
	in.judged = in.frame.Take(rows)
	if in.judged.Labelled().Rows() == 0 && held.Rows > 0 {
		return fmt.Errorf("%s: every row that has a label lacks most of what the model decides by, so that --withhold leaves none to judge; leave it out to see what they would be decided as", in.name)
	}
	if held.Rows > 0 { // the heading of the result says so, too
		for i, w := range in.told {
			in.told[i] = driftTold{w}
		}
	}
	in.withheld, in.decided = held, in.votes.Take(rows)
	return nil
}
