// Package abstain finds rows that lack most of what a model decides by, and counts those whose decision is withheld:
// the reject option of classification.
package abstain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/predictions"
)

// Lacking gathers the rows that lack most of what a model decides by, see [rfpragma.Model.MissingCells].
type Lacking struct {
	Model *rfpragma.Model
	bears map[string]float64 // by column, the part of what the splits gained
	all   int                // rows that were looked at
	rows  int                // how many were found
	first int                // the number of the first, from 1
	Lost  map[string]*Lost   // by column

	Withheld bool // their decisions are, see withhold
}

// Lost is what rows that were found have in a column that they lack.
type Lost struct {
	rows    int     // how many of them lack it
	bears   float64 // of the column, summed over them
	far     int     // of these, those with a value far from every value of training
	example string  // the first such value
}

// NewLacking begins to look for rows that lack what a model decides by.
func NewLacking(m *rfpragma.Model) *Lacking {
	l := &Lacking{Lost: map[string]*Lost{}}
	l.DecidedBy(m)
	return l
}

// DecidedBy says by which model the next rows are decided.
func (l *Lacking) DecidedBy(m *rfpragma.Model) {
	l.Model, l.bears = m, map[string]float64{}
	for j, part := range m.Forest.Importance() {
		l.bears[m.Forest.Schema[j].Name] = part
	}
}

// Possible tells whether there can be such rows.
func (l *Lacking) Possible() bool {
	nothing := make([]float64, len(l.Model.Forest.Schema))
	for j, f := range l.Model.Forest.Schema {
		if nothing[j] = math.NaN(); f.Baseline != nil && f.Baseline.Range != nil {
			nothing[j] = math.MaxFloat64
		}
	}
	cells, err := l.Model.MissingCells(nothing)
	return err == nil && cells != nil
}

// In returns by row what the rows of a block lack that lack so much, nil of any other.
func (l *Lacking) In(block *dataset.Frame) ([][]rfpragma.MissingCell, error) {
	found, row := make([][]rfpragma.MissingCell, block.Rows()), make([]float64, len(block.Columns))
	for i := range found {
		block.Row(row, i)
		var err error
		if found[i], err = l.Model.MissingCells(row); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Add counts the rows of a block that were found, before which there are so many others.
func (l *Lacking) Add(block *dataset.Frame, found [][]rfpragma.MissingCell, before int) {
	l.all += len(found)
	for i, cells := range found {
		if cells == nil {
			continue
		}
		if l.rows == 0 {
			l.first = before + i + 1
			if block.Number != nil {
				l.first = block.Number[i]
			}
		}
		l.rows++
		for _, cell := range cells {
			of := l.Lost[cell.Column]
			if of == nil {
				of = &Lost{}
				l.Lost[cell.Column] = of
			}
			of.bears += l.bears[cell.Column]
			if of.rows++; cell.Range != nil {
				if of.far++; of.far == 1 {
					of.example = cell.Value
				}
			}
		}
	}
}

// Above names what bears most of what the rows lack, in all of them, and where there are several in how many.
func (l *Lacking) Above() string {
	var columns []string
	for _, field := range l.Model.Forest.Schema {
		if of := l.Lost[field.Name]; of != nil && of.bears > 0 {
			columns = append(columns, field.Name)
		}
	}
	slices.SortStableFunc(columns, func(a, b string) int { return cmp.Compare(l.Lost[b].bears, l.Lost[a].bears) })
	var names []string
	for i, column := range columns[:min(len(columns), predictions.MostMissing)] {
		names = append(names, english.Quote(column)+l.Lost[column].words(l.rows > 1, i == 0))
	}
	return strings.Join(names, ", ")
}

// words says in brackets in how many rows a column is lacked, if there are several, and what they have there instead
// of a value like those of training.
func (m *Lost) words(several, first bool) string {
	text, far := "", ""
	switch {
	case several && first:
		text = english.Plural(m.rows, "row")
	case several:
		text = fmt.Sprint(m.rows)
	}
	switch {
	case m.far == 0:
	case !several:
		far = m.example + " is far from every value of training"
	case m.far == m.rows && m.far > 1:
		far = "in all of them a value far from every one of training, such as " + m.example
	case m.far == 1:
		far = fmt.Sprintf("in 1 of them %s, far from every value of training", m.example)
	default:
		far = fmt.Sprintf("in %d of them a value far from every one of training, such as %s", m.far, m.example)
	}
	if text != "" && far != "" {
		text += ", "
	}
	if text += far; text == "" {
		return ""
	}
	return " (" + text + ")"
}

// Warnings says that rows of a file were found, and what becomes of their decisions.
func (l *Lacking) Warnings(file string) []error {
	if l.rows == 0 {
		return nil
	}
	which := fmt.Sprintf("row %d lacks", l.first)
	if l.rows > 1 {
		which = fmt.Sprintf("%s, the first of them row %d, lack", english.Plural(l.rows, "row"), l.first)
	}
	so := fmt.Sprintf(option.Text("what is decided of %s rests on the little that is left, however sure the probability "+
		"looks; "+
		"{withhold} leaves %[1]s undecided"), english.Verb(l.rows, "it", "them"))
	if l.Withheld {
		so = english.Verb(l.rows, "it is", "they are") + " left " + predictions.Undecided
	}
	return []error{fmt.Errorf("%s: %s most of what the model decides by, above all %s: %s", file, which, l.Above(), so)}
}
