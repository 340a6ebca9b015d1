package dataset

import (
	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// training reads rows whose types are not known yet.
type training struct {
	*table
	layout
	o       *Options
	missing words
	columns []inference // one for each feature
	labels  labels
	side    side
	brief   bool // an outline: no row is kept,
	weighed bool // but whether one has a weight beside its cells
}

// newTraining finds the columns of t, and refuses a table that is known to be too large.
func newTraining(t *table, o *Options) (*training, error) {
	l, err := arrange(t, o)
	if err != nil {
		return nil, err
	}
	if err := t.use(&l); err != nil {
		return nil, err
	}
	if err := t.checkMemory(&l, o.Memory); err != nil {
		return nil, err
	}
	text := make(map[string]bool, len(o.Categorical))
	for _, name := range o.Categorical {
		text[name] = true
	}
	tr := &training{table: t, layout: l, o: o, missing: newWords(o.Missing), columns: make([]inference, len(l.features))}
	for i, j := range l.features {
		tr.columns[i] = inference{at: j, name: t.header[j], forced: text[t.header[j]] || t.Text(j), answer: true}
	}
	return tr, nil
}

func (tr *training) row(cells []Cell) error {
	raw := cells[tr.target]
	cell := raw.trimmed()
	if tr.missing.missing(cell) {
		tr.labels.skip(tr.Pos(0))
		return nil
	}
	label := cell.String()
	if err := tr.labels.add(tr.table, tr.target, label, len(cell.text) < len(raw.text), tr.brief); err != nil {
		return err
	}
	if !tr.brief {
		if err := tr.side.add(tr.table, &tr.layout, cells); err != nil {
			return err
		}
	}
	for i := range tr.columns {
		c := &tr.columns[i]
		cell := cells[c.at].trimmed()
		c.answer = c.answer && cell.String() == label
		if tr.missing.missing(cell) {
			c.addMissing()
		} else if err := c.add(tr.table, cell); err != nil {
			return err
		}
	}
	return nil
}

// frame ends the reading. Faults of the whole file come in the order in which they would be
// mended: rows, columns, labels, weights.
func (tr *training) frame() (*Frame, error) {
	if err := tr.checkRows(); err != nil {
		return nil, err
	}
	if err := tr.checkMixed(); err != nil {
		return nil, err
	}
	f := &Frame{
		Columns: make([]Column, len(tr.columns)), Weight: tr.side.weight, Amount: tr.side.amount, Group: tr.side.group, ID: tr.side.id,
		Reading: tr.reading(),
	}
	classes, of, err := tr.labels.classes(tr.table, tr.o)
	if err != nil {
		return nil, err
	}
	f.Classes, f.Truth = classes, tr.labels.truth(of)
	if f.Weight != nil {
		if err := checkWeights(tr.table, tr.o.Weight, f.Weight); err != nil {
			return nil, err
		}
	}
	var coder Coder
	for i := range tr.columns {
		f.Columns[i] = tr.columns[i].column(&coder)
	}
	f.Warnings = tr.warnings(f)
	return f, nil
}

// reading is what must be known to read another file alike.
func (tr *training) reading() Reading {
	return Reading{Target: tr.o.Target, Positive: tr.o.Positive, Missing: tr.o.Missing, Amount: tr.o.Amount}
}

func (tr *training) checkRows() error {
	skipped, column := tr.labels.skipped, tr.o.Target
	switch {
	case skipped > 0 && !tr.o.DropUnlabelled:
		first := tr.labels.places[0]
		return &ParseError{File: tr.file, Line: first.Line, Row: first.Row, Field: column, Err: tr.labels.unlabelled()}
	case tr.labels.labelled() > 0:
		return nil
	case skipped > 0:
		return tr.fileFaultf(column, "no rows are left: none of the %s has a label", csvtext.Plural(skipped, "row"))
	default:
		return tr.fileFaultf("", "no rows; add at least one")
	}
}
