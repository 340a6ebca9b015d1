// Package finding has what a judgement returns: values that a program can act on, and no prose. Package say puts them
// into words, packages assess and tradeoff make them.
package finding

import (
	"fmt"
	"slices"
)

// Finding is one fact about a result, with the figures that show it and what may be done about it.
type Finding struct {
	// what was found, such as gain.inconclusive; docs/findings.md explains each
	Code     Code     `json:"code"`
	Grade    Grade    `json:"grade"`              // how grave it is: note, caution or serious
	Classes  []string `json:"classes,omitempty"`  // names of the classes that it is about
	Columns  []string `json:"columns,omitempty"`  // names of the columns that it is about
	Part     string   `json:"part,omitempty"`     // value of the column whose rows it is about, where they are parted by it
	Figures  []Figure `json:"figures,omitempty"`  // the figures that show it
	Remedies []Remedy `json:"remedies,omitempty"` // what may be done, the first choice first
	Where    Where    `json:"where"`              // of which rows it is true
	Replaces []Code   `json:"replaces,omitempty"` // codes of findings that need not be told beside it
}

// New returns a finding with the grade of its code.
func New(code Code, where Where, figures ...Figure) Finding {
	return Finding{Code: code, Grade: code.Grade(), Where: where, Figures: figures}
}

// Figure is a number that shows what was found. It is never NaN or infinite.
type Figure struct {
	Name  string  `json:"name"`            // what it is, such as loss or recall
	Class string  `json:"class,omitempty"` // name of the class that it is of
	Value float64 `json:"value"`           // in its unit
	// share (from 0 to 1), rows (a number of rows, or a sum of case weights), loss, cost, area (under the ROC curve),
	// index (of population stability), groups, blocks or trees
	Unit     string      `json:"unit"`
	Interval *[2]float64 `json:"interval,omitempty"` // holds the true figure 95 times of 100
}

// Where says of which rows a finding is true.
type Where struct {
	// new (as a cross-validation speaks of), given, latest_block, all_blocks or mixed (rows with past and future mixed)
	Rows   string `json:"rows"`
	Blocks int    `json:"blocks,omitempty"` // number of judged blocks, of rows in the order of time
	Times  int    `json:"times,omitempty"`  // in how many trainings it was found, if it is of trainings
	Of     int    `json:"of,omitempty"`     // number of these trainings
}

// Figure returns the figure of a name, and whether there is one.
func (f *Finding) Figure(name string) (Figure, bool) {
	at := slices.IndexFunc(f.Figures, func(g Figure) bool { return g.Name == name })
	if at < 0 {
		return Figure{}, false
	}
	return f.Figures[at], true
}

// Value returns the value of the figure of a name, 0 if there is none.
func (f *Finding) Value(name string) float64 {
	g, _ := f.Figure(name)
	return g.Value
}

// Does returns the first remedy that is such an action, nil if there is none.
func (f *Finding) Does(action string) *Remedy {
	for i := range f.Remedies {
		if f.Remedies[i].Do == action {
			return &f.Remedies[i]
		}
	}
	return nil
}

// Remedy is something that may be done about a finding. Fields that its action does not name are empty.
type Remedy struct {
	// require, take_weights, take_measure, ignore_column, more_rows, recalibrate, keep_model, other_choice, by_time,
	// take_list, lowest, be_sure or own_votes
	Do      string   `json:"do"`
	Class   string   `json:"class,omitempty"`   // name of a class
	Column  string   `json:"column,omitempty"`  // name of a column
	Figure  string   `json:"figure,omitempty"`  // what is required: recall, precision, fpr or alerts
	Limit   float64  `json:"limit,omitempty"`   // of that figure, a share
	Name    string   `json:"name,omitempty"`    // of weights or of a measure
	Figures []Figure `json:"figures,omitempty"` // what it would come to, as far as that is known
}

// Grade says how grave a finding is; a graver one is larger.
type Grade int

// The grades.
const (
	Note    Grade = iota + 1 // good to know
	Caution                  // the figures promise less than they seem to, or another choice may be better
	Serious                  // the result should not be used as it is
)

var grades = map[Grade]string{Note: "note", Caution: "caution", Serious: "serious"}

// String returns note, caution or serious.
func (g Grade) String() string { return grades[g] }

// MarshalText returns the grade as a word. Errors: a number that is no grade.
func (g Grade) MarshalText() ([]byte, error) {
	if name, ok := grades[g]; ok {
		return []byte(name), nil
	}
	return nil, fmt.Errorf("%d is no grade of a finding", int(g))
}

// UnmarshalText reads a grade. Errors: another word.
func (g *Grade) UnmarshalText(text []byte) error {
	for of, name := range grades {
		if name == string(text) {
			*g = of
			return nil
		}
	}
	return fmt.Errorf("%q is no grade of a finding; it is note, caution or serious", text)
}

// Sort puts the gravest first and leaves the order of equals.
func Sort(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int { return int(b.Grade) - int(a.Grade) })
}
