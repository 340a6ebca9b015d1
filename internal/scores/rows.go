package scores

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// Any tells whether something is wrong.
func (f *RowFaults) Any() bool { return f.first != nil }

// RowFaults are what is wrong with rows: with the first one all, and the numbers of some others.
type RowFaults struct {
	first error
	more  []string
	count int // of the others
}

// Note notes what is wrong with a row, if anything. The error goes on where it is said which row.
func (f *RowFaults) Note(row int, err error) {
	const most = 10
	switch {
	case err == nil:
	case f.first == nil:
		f.first = fmt.Errorf("row %d %w", row, err)
	default:
		if f.count++; f.count <= most {
			f.more = append(f.more, strconv.Itoa(row))
		} else if f.count == most+1 {
			f.more = append(f.more, "...")
		}
	}
}

// Err is the error for the rows of a file, nil where nothing is wrong.
func (f *RowFaults) Err(name string) error {
	switch {
	case f.first == nil:
		return nil
	case f.count == 0:
		return &dataset.ParseError{File: name, Err: f.first}
	}
	return &dataset.ParseError{File: name, Err: fmt.Errorf("%w; %s at fault, too: %s", f.first, english.Plural(f.count,
		"more row")+english.Verb(f.count, " is", " are"), strings.Join(f.more, ", "))}
}

// rowScores writes into dst, by class, the scores of row i: those of a column for each class, or the score of the
// second class and what it lacks of 1. An error goes on where its caller has said which row.
func rowScores(dst []float64, columns []dataset.Column, i int) error {
	if len(columns) == 1 {
		v := columns[0].At(i)
		if math.IsNaN(v) {
			return errors.New("has no score; fill the cell, or leave the row out")
		}
		dst[0], dst[1] = 1-v, v
		return nil
	}
	for c := range columns {
		if dst[c] = columns[c].At(i); !(dst[c] >= 0) {
			return fmt.Errorf("has the score %v of class %s; scores of several columns are numbers from 0 on", dst[c],
				english.Quote(columns[c].Name))
		}
	}
	if slices.Max(dst) == 0 {
		return errors.New("has no score above 0; leave it out")
	}
	return nil
}

// toShares divides scores by their sum; whole votes are smoothed.
func toShares(row []float64, votes bool) {
	unit := 1.0
	if !votes {
		unit = slices.Max(row) // the sum of the largest numbers is none
	}
	for c := range row {
		row[c] /= unit
	}
	sum := portable.Total(row)
	for c, v := range row {
		if votes {
			row[c] = calib.Smooth(v, sum)
		} else {
			row[c] = v / sum
		}
	}
}
