package pragma

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/vote"
)

// Cost returns the mean cost of a row, where costs[truth][decision] is the cost of a
// decision, in the units of costs: from the smallest to the largest of them. Without rows it
// is the largest. Each call costs O(k²).
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
	return func(m *vote.Confusion) float64 {
		n, loss := m.Total(), 0.0
		if !(n > 0) {
			return largest
		}
		for truth, row := range costs {
			for decision, v := range row {
				loss += float64(max(m.At(truth, decision), 0) / n * v)
			}
		}
		return min(loss, largest)
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
// Errors: *[SpecError] with the place in the file, which is called name, for a table that does not have
// every class exactly once in both directions, and for the costs that [Cost] refuses; an
// error of r as it is, wrapped with the name.
func ReadCosts(r io.Reader, name string, classes []string) (costs [][]float64, warnings []error, err error) {
	text, err := readText(r, name)
	if err != nil {
		return nil, nil, err
	}
	t := &costTable{csv: csv.NewReader(bytes.NewReader(text)), name: name, classes: classes}
	t.csv.FieldsPerRecord = -1
	header, err := t.next()
	if err != nil {
		return nil, nil, err
	}
	if err := t.plan(header); err != nil {
		return nil, nil, err
	}
	costs = make([][]float64, len(classes))
	for {
		cells, err := t.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = t.row(cells, costs)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for c, row := range costs {
		if row == nil {
			return nil, nil, &SpecError{File: name, Err: fmt.Errorf("there is no row for class %.64q; add one, so that the matrix is square", classes[c])}
		}
	}
	if _, err := Cost(costs); err != nil { // all of them 0
		return nil, nil, &SpecError{File: name, Err: err}
	}
	return costs, costWarnings(costs, classes), nil
}

// costTable is a cost table while it is read.
type costTable struct {
	csv     *csv.Reader
	name    string
	classes []string
	column  []int // the class of each column but the first
}

// next returns the next record, or io.EOF after the header.
func (t *costTable) next() ([]string, error) {
	cells, err := t.csv.Read()
	var bad *csv.ParseError
	switch {
	case errors.As(err, &bad):
		return nil, &SpecError{File: t.name, Line: bad.Line, Column: bad.Column, Err: errors.New("a quote stands in the wrong place or is not closed; quote whole cells only")}
	case errors.Is(err, io.EOF) && t.column == nil:
		return nil, &SpecError{File: t.name, Err: errors.New("the file is empty; write a header actual,predicted_CLASS,... and a row for each class")}
	case errors.Is(err, io.EOF):
		return nil, err
	}
	return cells, nil // nothing else can go wrong with a text in memory
}

// fault places err at cell j of the record last read.
func (t *costTable) fault(j int, err error) error {
	line, column := t.csv.FieldPos(j)
	return &SpecError{File: t.name, Line: line, Column: column, Err: err}
}

// plan finds the class of each column.
func (t *costTable) plan(header []string) error {
	if header[0] != "actual" {
		return t.fault(0, fmt.Errorf("the first column is %.64q; call it actual, with the true class, and the others %sCLASS", header[0], costPrefix))
	}
	t.column = []int{}
	for j, cell := range header[1:] {
		name, ok := strings.CutPrefix(cell, costPrefix)
		if !ok {
			return t.fault(j+1, fmt.Errorf("column %.64q does not name a decision; write %sCLASS", cell, costPrefix))
		}
		c := slices.Index(t.classes, name)
		if c < 0 {
			return t.fault(j+1, vote.Unknown("class", name, t.classes))
		}
		if slices.Contains(t.column, c) {
			return t.fault(j+1, fmt.Errorf("column %.64q stands there twice; remove one", cell))
		}
		t.column = append(t.column, c)
	}
	for c, name := range t.classes {
		if !slices.Contains(t.column, c) {
			return &SpecError{File: t.name, Err: fmt.Errorf("there is no column %.64q; add it, so that the matrix is square", costPrefix+name)}
		}
	}
	return nil
}

// row takes over the costs of one true class.
func (t *costTable) row(cells []string, costs [][]float64) error {
	if len(cells) != len(t.column)+1 {
		return t.fault(0, fmt.Errorf("the row has %d cells, the header %d; the matrix must be square", len(cells), len(t.column)+1))
	}
	truth := slices.Index(t.classes, cells[0])
	if truth < 0 {
		return t.fault(0, vote.Unknown("class", cells[0], t.classes))
	}
	if costs[truth] != nil {
		return t.fault(0, fmt.Errorf("class %.64q has two rows; remove one", cells[0]))
	}
	costs[truth] = make([]float64, len(t.classes))
	for j, c := range t.column {
		v, err := vote.Number(cells[j+1])
		if err == nil {
			err = checkCost(v)
		}
		if err != nil {
			return t.fault(j+1, err)
		}
		costs[truth][c] = v
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
