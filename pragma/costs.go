package pragma

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

// Cost returns the mean cost of a row, where costs[truth][decision] is the cost of a
// decision, in the units of costs: from the smallest to the largest of them. Without rows it
// is the largest.
//
// Errors (*[SpecError]): costs is not square; a cost is negative or not finite; all costs are 0.
func Cost(costs [][]float64) (Measure, error) {
	largest := 0.0
	for truth, row := range costs {
		if len(row) != len(costs) {
			return nil, &SpecError{Err: fmt.Errorf("the cost matrix is not square: row %d has %d costs for %d classes; give one for each", truth+1, len(row), len(costs))}
		}
		for decision, v := range row {
			if err := checkCost(v); err != nil {
				return nil, &SpecError{Err: fmt.Errorf("row %d, column %d of the cost matrix: %w", truth+1, decision+1, err)}
			}
			largest = max(largest, v)
		}
	}
	if largest == 0 {
		return nil, &SpecError{Err: errors.New("all costs are 0, so all decisions are equally good; give errors a cost above 0")}
	}
	return sum{
		func(m *vote.Confusion, truth int) float64 {
			cost := 0.0
			for decision, v := range costs[truth] {
				cost += float64(max(m.At(truth, decision), 0) * v)
			}
			return cost
		},
		func(m *vote.Confusion, cost float64) float64 {
			n := m.Total()
			if !(n > 0) {
				return largest
			}
			return min(cost/n, largest)
		},
	}, nil
}

func checkCost(v float64) error {
	switch {
	case v < 0:
		return fmt.Errorf("the cost %v is negative; add the same amount to the whole row, so that its smallest cost is 0", v)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("the cost %v is not a finite number; write one", v)
	}
	return nil
}

// costPrefix stands before the class in the header of a cost table.
const costPrefix = "predicted_"

// ReadCosts reads a cost matrix for [Cost] from a CSV table with a row for each true class
// and a column for each decision, both in any order:
//
//	actual,predicted_ill,predicted_well
//	ill,0,5
//	well,1,0
//
// The result is costs[truth][decision] in the order of classes: rows and columns are matched
// by name, never by position. Warnings tells of right decisions that cost something and of
// classes whose decisions are all free.
//
// Errors: *[SpecError] with the place in the file, which is called name, for a table that does
// not have every class exactly once in both directions, for a text that is no CSV, and for the
// costs that [Cost] refuses; an error of r, wrapped with the name.
func ReadCosts(r io.Reader, name string, classes []string) (costs [][]float64, warnings []error, err error) {
	in, err := csvtext.NewReader(r, name, 0)
	if err != nil {
		return nil, nil, asSpec(err)
	}
	t := &costTable{in: in, classes: classes, costs: make([][]float64, len(classes))}
	if err := t.plan(); err != nil {
		return nil, nil, asSpec(err)
	}
	if err := in.Each(t.row); err != nil {
		return nil, nil, asSpec(err)
	}
	for c, row := range t.costs {
		if row == nil {
			return nil, nil, &SpecError{File: name, Err: fmt.Errorf("there is no row for class %.64q; add one, so that the matrix is square", classes[c])}
		}
	}
	if _, err := Cost(t.costs); err != nil { // all of them 0
		return nil, nil, &SpecError{File: name, Err: err}
	}
	return t.costs, costWarnings(t.costs, classes), nil
}

// asSpec returns what is wrong with the text of a cost table as a *[SpecError]. A failed read
// stays what it is.
func asSpec(err error) error {
	var fault *csvtext.ParseError
	var limit *csvtext.LimitError
	switch {
	case errors.As(err, &fault):
		return &SpecError{File: fault.File, Line: fault.Line, Column: fault.Column, Err: fault.Err}
	case errors.As(err, &limit):
		return &SpecError{Err: err} // which has the place in its text
	}
	return err
}

// costTable is a cost table while it is read.
type costTable struct {
	in      *csvtext.Reader
	classes []string
	column  []int // the class of each column but the first
	costs   [][]float64
}

// plan finds the class of each column.
func (t *costTable) plan() error {
	if first := t.in.Header[0]; first != "actual" {
		return t.in.Faultf(0, "the first column is %.64q; call it actual, with the true class, and the others %sCLASS", first, costPrefix)
	}
	for j, cell := range t.in.Header[1:] {
		name, ok := strings.CutPrefix(cell, costPrefix)
		if !ok {
			return t.in.Faultf(j+1, "column %.64q does not name a decision; write %sCLASS", cell, costPrefix)
		}
		c := slices.Index(t.classes, name)
		if c < 0 {
			return t.in.Faultf(j+1, "%w", nearest.Unknown("class", name, t.classes))
		}
		t.column = append(t.column, c)
	}
	for c, name := range t.classes {
		if !slices.Contains(t.column, c) {
			return t.in.FileFaultf("", "there is no column %.64q; add it, so that the matrix is square", costPrefix+name)
		}
	}
	return nil
}

// row takes over the costs of one true class.
func (t *costTable) row(cells []string) error {
	class := strings.TrimSpace(cells[0])
	truth := slices.Index(t.classes, class)
	if truth < 0 {
		return t.in.Faultf(0, "%w", nearest.Unknown("class", class, t.classes))
	}
	if t.costs[truth] != nil {
		return t.in.Faultf(0, "class %.64q has two rows; remove one", class)
	}
	t.costs[truth] = make([]float64, len(t.classes))
	for j, c := range t.column {
		v, err := csvtext.Number(cells[j+1])
		if err == nil {
			err = checkCost(v)
		}
		if err != nil {
			return t.in.Faultf(j+1, "%w", err)
		}
		t.costs[truth][c] = v
	}
	return nil
}

func costWarnings(costs [][]float64, classes []string) []error {
	var warnings []error
	for c, row := range costs {
		switch {
		case slices.Max(row) == 0:
			warnings = append(warnings, fmt.Errorf("all decisions on class %.64q are free: it does not count", classes[c]))
		case row[c] > 0:
			warnings = append(warnings, fmt.Errorf("the right decision on class %.64q costs %v: most cost matrices have 0 on the diagonal", classes[c], row[c]))
		}
	}
	return warnings
}
