package report

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Parts splits the votes for a class into what the cells of the rows add to them, so-called SHAP values: those of a row
// lead from the mean share of the votes to its own. Package explain says how they are computed.
type Parts struct {
	Class    string        `json:"class"`    // class whose votes are split: the one that is shown first
	Base     float64       `json:"base"`     // mean share of the votes for it
	Rows     int           `json:"rows"`     // number of rows that are drawn, and that the means are of
	Columns  []ColumnParts `json:"columns"`  // columns that add anything, at most 100, the largest mean first
	Examples []Example     `json:"examples"` // single rows: alarms that are right, false alarms, then missed rows
}

// ColumnParts says what the cells of a column add to the votes.
type ColumnParts struct {
	Name  string  `json:"name"`  // name of the column
	Mean  float64 `json:"mean"`  // mean size of what its cells add, as a share of the votes; each row by its weight
	Share float64 `json:"share"` // this mean as a share of the sum of those of all columns
	// of each row that is drawn, what its cell adds; only of the ten columns that are drawn
	Parts []Number `json:"parts,omitempty"`
	// of each such row, how high the number in its cell is among the others: 0 is the lowest, 100 the highest; -1 stands
	// for a category or a missing cell
	Places []int `json:"places,omitempty"`
}

// Example is a row of the data whose parts are told.
type Example struct {
	Row     int    `json:"row"`     // its number in the data, counted from 1
	Outcome string `json:"outcome"` // alarm, right; false alarm; or missed
	Waterfall
}

// Waterfall leads from the mean share of the votes to that of a row. Base, the parts of the cells and Others sum up to
// Share, to within 1e-12.
type Waterfall struct {
	Base    float64    `json:"base"`    // mean share of the votes for the class
	Share   float64    `json:"share"`   // share of the votes that the row has
	Cells   []CellPart `json:"cells"`   // cells that add or take most, at most nine, the largest part first
	Others  float64    `json:"others"`  // sum of the parts of all other columns
	Columns int        `json:"columns"` // number of these other columns
}

// CellPart is what a cell adds to the votes.
type CellPart struct {
	Column string  `json:"column"` // name of the column
	Value  string  `json:"value"`  // text of the cell; "" is a missing one
	Part   float64 `json:"part"`   // share of the votes that it adds; below 0, that it takes away
}

// Drawn are the columns that have a strip of their own.
func (p *Parts) Drawn() []ColumnParts {
	for i := range p.Columns {
		if p.Columns[i].Parts == nil {
			return p.Columns[:i]
		}
	}
	return p.Columns
}

// Label names an example, for a choice of them.
func (e *Example) Label() string { return fmt.Sprintf("row %d: %s", e.Row, e.Outcome) }

// Step is a line of a waterfall: what adds a part, in words.
type Step struct {
	Text string
	Part float64
}

// Steps are the lines between the mean share and that of the row.
func (w *Waterfall) Steps() []Step {
	var out []Step
	for i := range w.Cells {
		c := &w.Cells[i]
		text := c.Column + " = " + c.Value
		if c.Value == "" {
			text = c.Column + " is missing"
		}
		out = append(out, Step{text, c.Part})
	}
	if w.Columns > 0 {
		out = append(out, Step{english.Plural(w.Columns, "other column"), w.Others})
	}
	return out
}

// Points writes a part of the votes, in points of their percentage.
func Points(part float64) string {
	text := fmt.Sprintf("%+.1f", 100*part)
	if strings.Trim(text, "+-0.") == "" {
		return "0.0"
	}
	return strings.Replace(text, "-", "\u2212", 1)
}

// partsSay is what the chart of the parts of many rows shows.
func (v view) partsSay() string {
	return fmt.Sprintf("Each dot is one of %s. To the right of the line its cell adds to the votes for %q, to the left "+
		"it takes away. The columns at the top move the votes most.", english.Plural(v.Parts.Rows, "row"), v.Parts.Class)
}

// rowSays is what the chart of the parts of a row shows.
func rowSays(class string, w *Waterfall) string {
	return fmt.Sprintf("A row of which nothing is known gets %.1f %% of the votes for %q, the mean. Its cells lead this "+
		"row to %.1f %%.", 100*w.Base, class, 100*w.Share)
}

// partsTable has the figures behind the chart of the parts of many rows.
func (v view) partsTable() Table {
	t := Table{Head: []string{"column", "mean size of what it adds, points", "of all"}, Rows: [][]string{}}
	for _, c := range v.Parts.Columns {
		t.Rows = append(t.Rows, []string{c.Name, fmt.Sprintf("%.2f", 100*c.Mean), share(c.Share)})
	}
	return t
}

// rowTable has the figures behind the chart of the parts of a row, of all rows, for readers whose browser runs no
// scripts.
func (v view) rowTable() Table {
	t := Table{Head: []string{"row", "cell", "adds, points"}, Rows: [][]string{}}
	for i := range v.Parts.Examples {
		e := &v.Parts.Examples[i]
		t.Rows = append(t.Rows, []string{e.Label(), "mean of all rows", fmt.Sprintf("%.1f %%", 100*e.Base)})
		for _, step := range e.Steps() {
			t.Rows = append(t.Rows, []string{"", step.Text, Points(step.Part)})
		}
		t.Rows = append(t.Rows, []string{"", "this row", fmt.Sprintf("%.1f %%", 100*e.Share)})
	}
	return t
}

// Ranked tells whether columns are drawn by what the splits gained, as nothing better is known of them.
func (v view) Ranked() bool { return len(v.Importance) > 0 && v.Parts == nil }
