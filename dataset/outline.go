package dataset

import (
	"io"
	"strings"
)

// Outline is what [ReadCSV] finds out about data to train on, without the rows: what must be known of them to read
// them block by block, see [Reader].
type Outline struct {
	Schema  Schema
	Classes []string
	Rows    []int // by class
	Reading Reading

	// Weighted tells whether the format has case weights beside the cells.
	Weighted bool

	strays [][]walk // see Frame
}

// Order returns what goes on to tell in which order the rows are, as [Frame.Ordered] does, once it is given all of them.
func (o *Outline) Order() Order { return Order{time: o.Reading.Time, strays: o.strays} }

// OutlineCSV reads a file as [ReadCSV] does data to train on, and keeps none of its rows: the memory does not grow with the
// file. Columns of case weights, groups and the like are passed over. Errors: as there, but for those about these columns.
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

// ReadOutline is [OutlineCSV] of any table.
func ReadOutline(s Source, o Options) (*Outline, error) {
	o.Schema = nil
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
	found := &Outline{Classes: names, Rows: make([]int, len(names)), Reading: tr.reading(), Weighted: tr.weighed, strays: walksAlong(tr.strays)}
	for label, rows := range tr.labels.rows {
		found.Rows[of[label]] += rows
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
		return Field{Name: c.name, Kind: Numeric}, nil
	}
	f = Field{Name: c.name, Kind: Categorical}
	f.Levels, rank = c.levels.sorted(strings.Compare)
	return f, rank
}
