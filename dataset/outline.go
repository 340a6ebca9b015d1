package dataset

import (
	"io"
	"slices"
	"strconv"

	"github.com/rfpragma/rfpragma/internal/spelling"
)

// Outline is what [ReadCSV] finds out about training data, without the rows. It is what must be known to read
// the rows block by block, see [Reader].
type Outline struct {
	Schema  Schema
	Classes []string
	Rows    []int // number of rows of each class (len k)
	First   []int // where each class comes first, before or after the others: in the order of [Frame.FirstRows] (len k)
	Reading Reading

	// Weighted reports whether the format gives case weights besides the cells.
	Weighted bool

	strays [][]walk // see Frame
}

// Order returns an [Order] without rows for this table, which finds the same columns as [Frame.Ordered] once it
// is given all rows.
func (o *Outline) Order() Order { return Order{time: o.Reading.Time, strays: o.strays} }

// OutlineCSV reads a file as [ReadCSV] reads training data but keeps no rows, so that memory does not grow with
// the file. Columns of case weights, groups and the like are ignored. Errors: those of ReadCSV, except for
// these columns.
func OutlineCSV(r io.Reader, name string, o Options) (*Outline, error) {
	if err := o.check(name); err != nil {
		return nil, err
	}
	s, err := openCSV(r, name, &o)
	if err != nil {
		return nil, err
	}
	return ReadOutline(s, o)
}

// ReadOutline is [OutlineCSV] for any table.
func ReadOutline(s Source, o Options) (*Outline, error) {
	o.Schema = nil
	o = o.cleaned()
	if err := o.check(s.Name()); err != nil {
		return nil, err
	}
	t := newTable(s)
	tr, err := newTraining(t, &o)
	if err != nil {
		return nil, err
	}
	tr.brief, tr.labels.brief = true, true
	for i := range tr.columns {
		tr.columns[i].cells.brief = true
	}
	if err := tr.read(); err != nil {
		return nil, err
	}
	if err := tr.checkRows(); err != nil {
		return nil, err
	}
	if err := tr.checkMixed(); err != nil {
		return nil, err
	}
	names, of, err := tr.labels.classes(t, &o)
	if err != nil {
		return nil, err
	}
	found := &Outline{Classes: names, Rows: make([]int, len(names)), First: slices.Repeat([]int{len(of)}, len(names)),
		Reading: tr.reading(), Weighted: tr.weighed, strays: walksAlong(tr.strays)}
	for label, rows := range tr.labels.rows {
		found.Rows[of[label]] += rows
		found.First[of[label]] = min(found.First[of[label]], label) // they are in the order of their coming
	}
	for i := range tr.columns {
		field, _ := tr.columns[i].field()
		found.Schema = append(found.Schema, field)
	}
	return found, nil
}

// field returns what is known of the column, and of the levels the place of each among them.
func (c *inference) field() (f Field, rank []int) {
	if !c.forced && c.texts.count == 0 {
		return Field{Name: c.name, Kind: Numeric, Unit: c.unit}, nil
	}
	f = Field{Name: c.name, Kind: Categorical}
	f.Levels, rank = merged(c.levels.names)
	return f, rank
}

// merged returns the levels of a column, sorted, and for each of their texts its place among them: texts that mean the
// same are one level, and truth values are called false and true, from whatever program they come.
func merged(texts []string) (levels []string, rank []int) {
	kept := spelling.Merge(texts, make([]int, len(texts)))
	if spelling.Words(kept) {
		for i, text := range kept {
			value, _ := spelling.Truth(text)
			kept[i] = strconv.FormatBool(value)
		}
	}
	levels = slices.Compact(slices.Sorted(slices.Values(kept)))
	rank = make([]int, len(kept))
	for i, text := range kept {
		rank[i], _ = slices.BinarySearch(levels, text)
	}
	return levels, rank
}
