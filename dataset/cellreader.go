package dataset

import (
	"math"
	"slices"
)

// A CellReader reads the cells of rows that come one by one as [Field.Cell] does, but works out only once what that
// depends on. It may be used by several goroutines at once.
type CellReader struct {
	columns []cellColumn
}

type cellColumn struct {
	Field
	words     words
	spellings spellings
}

// CellReader returns the reader of the columns; for the words for a missing cell see [Field.Cell].
func (s Schema) CellReader(missing []string) *CellReader {
	names := make([]string, len(s))
	for j := range s {
		names[j] = s[j].Name
	}
	of := newMissing(missing, names, "")
	r := &CellReader{columns: make([]cellColumn, len(s))}
	for j, field := range s {
		r.columns[j] = cellColumn{Field: field, words: of.features[j], spellings: newSpellings(field.Levels)}
	}
	return r
}

// Read reads a cell of column j. Unseen tells that it is missing (NaN) only because the column does not have its
// category. Read allocates nothing, but for errors and for numbers in columns of categories. Errors: those of
// [Field.Cell].
func (r *CellReader) Read(j int, cell Cell) (v float64, unseen bool, err error) {
	c := &r.columns[j]
	v, err = c.read(cell.trimmed(), &c.words, func(text string) float64 {
		level := c.level(text)
		unseen = math.IsNaN(level)
		return level
	})
	return v, unseen, err
}

// level is [Field.Level].
func (c *cellColumn) level(text string) float64 {
	if i, found := slices.BinarySearch(c.Levels, text); found {
		return float64(i)
	}
	if i, known := c.spellings.level(text); known {
		return float64(i)
	}
	return math.NaN()
}
