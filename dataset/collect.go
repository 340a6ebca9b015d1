package dataset

import (
	"cmp"
	"io"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// training is what is read to train on: all rows so far, or those of a part.
type training struct {
	*table
	layout
	o       *Options
	missing missing
	columns []inference // one for each feature
	labels  labels
	side    side
	blank   blanks
	strays  []stray    // of the columns that are left out
	dates   []partForm // of several columns of the time
	numbers []int      // of the rows, among those without a label, where these are left out
	brief   bool       // an outline: no row is kept,
	weighed bool       // but whether one has a weight beside its cells
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
	tr := &training{table: t, layout: l, o: o, columns: make([]inference, len(l.features))}
	for i, j := range l.features {
		tr.columns[i] = inference{mixture: mixture{name: t.header[j]}, at: j, unit: l.units[t.header[j]],
			forced: text[t.header[j]] || t.Text(j) && l.units[t.header[j]] == "", answer: true}
	}
	// those of the time are the last
	tr.missing = newMissing(o.Missing, append(t.names(l.features), t.names(l.times)...), o.Target)
	tr.strays, tr.dates = tr.newStrays(false), formsOf(t.names(l.times))
	return tr, nil
}

// trainingPart is a part of the rows and what is wrong with it.
type trainingPart struct {
	training
	err error
}

// read reads all rows, several parts at the same time. What comes of them, the first fault too,
// does not depend on how many workers there are or where a part ends.
func (tr *training) read() error {
	return parallel.Ordered(tr.workers(tr.o),
		func(p *trainingPart) error {
			p.begin(tr)
			return tr.part(p.table)
		},
		func(p *trainingPart) error {
			p.err = p.each(p.row)
			return nil
		},
		func(p *trainingPart) error {
			err := cmp.Or(tr.merge(&p.training), p.err) // that of merging is in a row before that of p.err, or earlier in it
			if err != nil || tr.faults.Full() {
				return cmp.Or(tr.faults.Err(), err)
			}
			return nil
		})
}

// begin makes p an empty part of tr.
func (p *trainingPart) begin(tr *training) {
	if p.table == nil {
		p.training = training{table: &table{}, layout: tr.layout, dates: tr.dates, o: tr.o, missing: tr.missing,
			brief: tr.brief, columns: make([]inference, len(tr.columns))}
	}
	for i := range p.columns {
		c := &tr.columns[i]
		p.columns[i].begin(c.at, c.name, c.unit, c.forced)
	}
	p.labels.clear()
	p.side.clear()
	p.side.groups.clear()
	p.side.dates.clear()
	p.numbers, p.weighed, p.blank = p.numbers[:0], false, blanks{}
	p.strays = tr.newStrays(true)
}

func (tr *training) row(cells []Cell) error {
	raw := &cells[tr.target]
	cell := raw.trimmed()
	label, row := cell.String(), tr.side.rows
	if tr.missing.noLabel(label) {
		tr.labels.skip(tr.Pos(0), &tr.missing, label)
		return nil
	}
	if err := tr.labels.add(tr.table, tr.target, label, len(cell.text) < len(raw.text), row); err != nil {
		return err
	}
	tr.stroll(cells)
	if tr.brief {
		tr.side.rows++
		_, weighed := weightOf(tr.Source)
		tr.weighed = tr.weighed || weighed
	} else if err := tr.beside(cells); err != nil {
		return tr.pass(err)
	} else if tr.o.DropUnlabelled {
		tr.numbers = append(tr.numbers, tr.side.rows+tr.labels.skipped.Count)
	}
	blank := true
	for i := range tr.columns {
		c := &tr.columns[i]
		cell := cells[c.at].trimmed()
		c.answer = c.answer && cell.String() == label
		if tr.missing.features[i].missing(&cell, c.forced) {
			c.addMissing()
			continue
		}
		if err := c.add(tr.table, &cell, row); err != nil {
			return err
		}
		blank = false
	}
	if blank {
		tr.blank.note(tr.Pos(0))
	}
	return nil
}

// merge adds the rows of a part. Of several faults the first one by row counts, and by column
// within a row.
func (tr *training) merge(p *training) error {
	for _, n := range p.numbers {
		tr.numbers = append(tr.numbers, tr.side.rows+tr.labels.skipped.Count+n)
	}
	first := tr.labels.merge(&p.labels, tr.table, tr.o.Target)
	for i := range tr.columns {
		if f := tr.columns[i].merge(&p.columns[i], tr.file); f.err != nil && (first.err == nil || f.row < first.row) {
			first = f
		}
	}
	tr.side.merge(&p.side)
	for i := range p.strays {
		tr.strays[i].merge(&p.strays[i])
	}
	tr.faults.Merge(&p.faults)
	tr.blank.merge(p.blank)
	tr.weighed = tr.weighed || p.weighed
	return first.err
}

// clash is a fault that shows when a part is merged, and the row of the part where it is.
type clash struct {
	row int
	err error
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
		Columns: make([]Column, len(tr.columns)), Weight: tr.side.weight, Amount: tr.side.amount, Group: tr.side.group,
		ID: tr.side.id, Per: tr.side.per, Kept: keptOf(tr.o.Keep, tr.side.kept),
		Reading: tr.reading(), strays: walksAlong(tr.strays),
	}
	classes, of, err := tr.labels.classes(tr.table, tr.o)
	if err != nil {
		return nil, err
	}
	f.Classes, f.Truth = classes, tr.labels.truth(of)
	if f.Merged, err = tr.labels.merged(classes, of, tr.table, tr.o); err != nil {
		return nil, err
	}
	if tr.labels.skipped.Count > 0 {
		f.Number = tr.numbers
	}
	if f.Weight != nil {
		if err := checkWeights(tr.table, tr.o.Weight, f.Weight); err != nil {
			return nil, err
		}
	}
	if f.Time, err = tr.when(); err != nil {
		return nil, err
	}
	if err := tr.code(f.Columns); err != nil {
		return nil, err
	}
	f.Warnings = tr.warnings(f)
	return f, nil
}

// code turns what was read into columns. Each worker needs memory to sort a column, which is
// little beside that of eight columns.
func (tr *training) code(columns []Column) error {
	workers := min(tr.workers(tr.o), 1+len(columns)/8)
	next := 0
	return parallel.Ordered(workers,
		func(job *codeJob) error {
			job.column = next
			if next++; job.column == len(columns) {
				return io.EOF
			}
			return nil
		},
		func(job *codeJob) error {
			columns[job.column] = tr.columns[job.column].column(&job.coder)
			return nil
		},
		func(*codeJob) error { return nil })
}

// codeJob is a column to be coded.
type codeJob struct {
	column int
	coder  Coder
}

// reading is what must be known to read another file alike.
func (tr *training) reading() Reading {
	o := tr.o
	return Reading{Target: o.Target, Positive: o.Positive, Merge: o.Merge, Missing: o.Missing, Amount: o.Amount,
		Weight: o.Weight, Group: o.Group, ID: o.ID, Time: tr.timeName(), Ignore: o.Ignore}
}

func (tr *training) checkRows() error {
	skipped, column := tr.labels.skipped.Count, tr.o.Target
	switch {
	case tr.faults.Any():
		return tr.faults.Err()
	case skipped > 0 && !tr.o.DropUnlabelled:
		first := tr.labels.skipped.First[0]
		return &ParseError{File: tr.file, Line: first.Line, Row: first.Row, Field: column, Err: tr.labels.unlabelled()}
	case tr.labels.labelled() > 0:
		return nil
	case skipped > 0:
		return tr.fileFaultf(column, "no rows are left: none of the %s has a label", english.Plural(skipped, "row"))
	default:
		return tr.fileFaultf("", "no rows; add at least one")
	}
}
