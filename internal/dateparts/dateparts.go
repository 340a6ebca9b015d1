// Package dateparts orders and reads the texts of parts of a date.
package dateparts

import (
	"cmp"
	"encoding/csv"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// months are their names, English and German, of which the first three letters stand for them, too.
var months = [][]string{{"january", "januar", "jänner"}, {"february", "februar"}, {"march", "märz", "maerz", "mrz"},
	{"april"}, {"may", "mai"}, {"june", "juni"},
	{"july", "juli"}, {"august"}, {"september", "sept"}, {"october", "oktober"}, {"november"}, {"december", "dezember"}}

// MonthOf returns the number of the month of that name, or of its first three letters; 0 where it is none.
func MonthOf(text string) int {
	text = strings.TrimSuffix(strings.ToLower(text), ".")
	return 1 + slices.IndexFunc(months, func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return text == name || text == string([]rune(name)[:3]) })
	})
}

// TimeColumnsIn returns the columns that a text names, coarse to fine: that of a table that is called so, or
// several, as in a line of CSV.
func TimeColumnsIn(text string, header []string) []string {
	if text == "" {
		return nil
	}
	names, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil || slices.Contains(header, text) {
		return []string{text}
	}
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// PerColumns returns the columns that Options.Per names, in a table that has these.
func PerColumns(text string, columns []string) []string { return TimeColumnsIn(text, columns) }

// PerCells returns the cells that a text of Frame.Per is of.
func PerCells(text string) []string {
	if text == "" {
		return []string{""}
	}
	return TimeColumnsIn(text, nil)
}

// ComparePer orders texts of Frame.Per: cell by cell, numbers by their value, then months by the calendar, then
// others as texts.
func ComparePer(a, b string) int {
	as, bs := PerCells(a), PerCells(b)
	for i := range min(len(as), len(bs)) {
		if order := cmp.Or(compareCells(as[i], bs[i]), cmp.Compare(as[i], bs[i])); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// compareCells is the order of cells by what they are, 0 of texts.
func compareCells(a, b string) int {
	key := func(cell string) (sort int, value float64) {
		if v, form := csvtext.ParseNumber(cell); form != csvtext.Word {
			return 0, v
		}
		if month := MonthOf(cell); month > 0 {
			return 1, float64(month)
		}
		return 2, 0
	}
	sortA, valueA := key(a)
	sortB, valueB := key(b)
	return cmp.Or(cmp.Compare(sortA, sortB), cmp.Compare(valueA, valueB))
}
