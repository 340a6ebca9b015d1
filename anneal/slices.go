package anneal

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// checkSlices refuses floors of rows that the table does not tell from others.
func checkSlices(t *vote.Table, floors []pragma.Floor) error {
	for _, slice := range pragma.Slices(floors) {
		if !slices.Contains(t.Slices, slice) {
			return fmt.Errorf("%w: the votes do not tell which rows have %s in column %s, so nothing can be required of "+
				"these rows; give rows, or votes, with that column", ErrSetting, english.Quote(slice.Value),
				english.Quote(slice.Column))
		}
	}
	return nil
}

// inSlice says of which rows a figure is that is required of others, too.
func inSlice(s vote.Slice) string {
	if s == (vote.Slice{}) {
		return " of all rows"
	}
	return " where " + english.Quote(s.Column) + " is " + english.Quote(s.Value)
}

// fewInSlices warns of floors of slices that few rows tell of.
func (f *finish) fewInSlices() []error {
	var out []error
	for _, floor := range f.search.Floors {
		if floor.Slice == (vote.Slice{}) {
			continue
		}
		at, rows := slices.Index(f.table.Slices, floor.Slice), 0
		for i := range f.table.Judged() {
			if f.table.InOf(i)>>at&1 == 1 && f.table.WeightOf(i) > 0 && counts(floor, f.table.Truth[i]) {
				rows += f.table.TimesOf(i)
			}
		}
		if rows < FewRows {
			out = append(out, note.New("%s is counted on few rows, %v instead of at least %d: it may be kept by chance; more "+
				"rows would help", floor.Text(f.table.Classes), note.Count(rows), FewRows))
		}
	}
	return out
}

// counts tells whether rows of a class tell of a floor, those of precision being at least the rows of its class.
func counts(f pragma.Floor, truth int) bool {
	switch f.What {
	case pragma.RecallFloor, pragma.PrecisionFloor:
		return truth == f.Class
	case pragma.FalseAlarms:
		return truth != f.Class
	}
	return true
}
