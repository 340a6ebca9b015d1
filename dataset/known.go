package dataset

import (
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// known are rows read for a schema.
type known struct {
	*table
	rd    *Reader
	frame Frame
	side  side
	tally tally
}

// newRows returns no rows of t, with room for more.
func (rd *Reader) newRows(t *table) *known {
	b := &known{table: t, rd: rd, tally: newTally(&rd.o), side: side{groups: rd.groups}}
	b.frame = Frame{compared: true, Columns: make([]Column, len(rd.o.Schema)), Unseen: make([]int, len(rd.o.Schema))}
	for j, field := range rd.o.Schema {
		b.frame.Columns[j] = Column{Field: field, Values: []float64{}}
	}
	if rd.l.target >= 0 {
		b.frame.Classes, b.frame.Truth = rd.o.Classes, []int{}
	}
	return b
}

// clear takes out all rows and keeps their memory.
func (b *known) clear() {
	for j := range b.frame.Columns {
		c := &b.frame.Columns[j]
		c.Values = c.Values[:0]
	}
	clear(b.frame.Unseen)
	b.frame.Truth, b.frame.UnknownLabels, b.frame.Merged = b.frame.Truth[:0], nil, nil
	b.side.clear()
}

// finish gives the frame what stands beside the features.
func (b *known) finish() {
	f := &b.frame
	f.Weight, f.Amount, f.ID, f.Group, f.Per = b.side.weight, b.side.amount, b.side.id, b.side.group, b.side.per
	f.Kept = keptOf(b.rd.o.Keep, b.side.kept)
	if len(f.Weight) == 0 {
		f.Weight = nil // no row has one; those of the block before left room
	}
	if f.UnknownLabels != nil {
		f.UnknownLabels = filled(f.UnknownLabels, len(f.Truth))
	}
	if f.Merged != nil {
		f.Merged = filled(f.Merged, len(f.Truth))
	}
	for j := range b.tally.unseen {
		f.Unseen[j] = b.tally.unseen[j].count
	}
}

func (b *known) row(cells []Cell) error {
	l, f := &b.rd.l, &b.frame
	if l.target >= 0 {
		f.Truth = append(f.Truth, b.class(cells[l.target].trimmed()))
	}
	if err := b.side.add(b.table, l, cells); err != nil {
		return b.pass(err)
	}
	blank := true
	for j, at := range l.features {
		v := math.NaN()
		if cell := cells[at].trimmed(); !b.rd.missing.features[j].missing(&cell, b.rd.levels[j] != nil) {
			var err error
			if v, err = b.value(j, &cell); err != nil {
				return b.pass(err)
			}
		}
		f.Columns[j].Values = append(f.Columns[j].Values, v)
		blank = blank && v != v
	}
	b.tally.rows++
	if l.id >= 0 && isTotal(cells[l.id].String()) {
		b.tally.totals.note(b.Pos(l.id))
	}
	if blank {
		b.tally.blank.note(b.Pos(0))
	}
	return nil
}

// value reads a cell of column j that is not missing.
func (b *known) value(j int, cell *Cell) (float64, error) {
	if levels := b.rd.levels[j]; levels != nil {
		level, known := levels[cell.String()]
		if !known {
			level, known = b.rd.spelt[j].level(cell.String())
		}
		if !known {
			b.tally.unseen[j].note(b.table, b.rd.l.features[j], cell)
			return math.NaN(), nil
		}
		b.tally.met[j]++
		return float64(level), nil
	}
	v, form := cell.numberIn(b.rd.o.Schema[j].Unit)
	at, m := b.rd.l.features[j], &b.tally.mixtures[j]
	switch form {
	case csvtext.Word:
		if b.rd.o.Schema[j].empty() {
			b.tally.words[j].note(b.table, at, cell)
		} else {
			m.noteText(b.table, at, cell)
		}
		return math.NaN(), nil
	case csvtext.Huge:
		return 0, b.faultf(at, "%s is too large for a number; correct it", csvtext.Show(cell.String()))
	case csvtext.Tiny:
		b.tally.tiny[j]++
	case csvtext.Rounded:
		b.tally.rounded[j]++
	}
	m.numbers.note(b.table, at, cell)
	b.tally.beyond[j].note(b.rd.o.Schema[j].Baseline, v)
	return v, nil
}

// faulty reports whether the rows have a fault that is noted, so that others can be told of beside it.
func (b *known) faulty() bool {
	return b.faults.Any() || slices.ContainsFunc(b.tally.mixtures, func(m mixture) bool { return m.texts.count > 0 })
}

func (b *known) class(cell Cell) int {
	label := cell.String()
	if b.rd.missing.noLabel(label) {
		if _, known := b.rd.classes[label]; b.rd.missing.leavesOut(label) && !known {
			b.tally.left++
			b.strange(label, &b.tally.leftOut)
		} else {
			b.tally.unlabelled++
		}
		return -1
	}
	c, found := b.rd.classes[label]
	if !found {
		if name, same := b.rd.labels.same(label); same {
			c, found, label = b.rd.classes[name], true, name
		}
	}
	if found {
		b.tally.classes[c].rows++
		if was, merged := b.rd.merged[label]; merged {
			b.frame.Merged = append(filled(b.frame.Merged, len(b.frame.Truth)), was)
		}
		return c
	}
	if c, found := b.rd.alike[plainly(label)]; found {
		l := &b.tally.classes[c]
		if l.alike++; l.label == "" {
			l.label = strings.Clone(label)
		}
	}
	if b.rd.rest < 0 {
		b.tally.strangers++
		b.strange(label, &b.tally.strange)
	}
	return b.rd.rest
}

// strange keeps the label of a row that is of no class of the model, and adds it to the first of its kind.
func (b *known) strange(label string, kind *[]string) {
	label = strings.Clone(label)
	noteFirst(kind, label)
	b.frame.UnknownLabels = append(filled(b.frame.UnknownLabels, len(b.frame.Truth)), label)
}

// Stream reads all remaining rows, block by block. As many workers as [Options] says read blocks and call work
// on them at the same time; done is called with the blocks one by one, in the order of the file. Both may use
// the frame until done returns. Out, the zero value of T at first and reused by the worker, carries what work
// finds to done.
//
// The error is the first one, in the order of the rows, of reading, work or done. From the first block with
// faulty rows or cells on, done is no longer called; blocks are only read, so that the error can report their
// faults, too. What done sees and what is returned do not depend on the number of workers, except for the sizes
// of blocks.
func Stream[T any](rd *Reader, work, done func(f *Frame, out *T) error) error {
	type block struct {
		rows *known
		err  error
		out  T
	}
	if rd.err != nil {
		return rd.err
	}
	workers, grouped := rd.t.workers(&rd.o), rd.l.group >= 0
	if grouped {
		workers = 1 // groups are numbered in the order of the file
	}
	err := parallel.Ordered(workers,
		func(b *block) error {
			if b.rows == nil {
				b.rows = rd.newRows(&table{})
			}
			b.rows.clear()
			if grouped {
				b.rows.side.groups = rd.groups
			}
			return rd.t.part(b.rows.table)
		},
		func(b *block) error {
			if b.err = b.rows.each(b.rows.row); b.err != nil {
				return nil
			}
			b.rows.finish()
			if b.rows.frame.Rows() > 0 && !b.rows.faulty() && !rd.faulty.Load() {
				return work(&b.rows.frame, &b.out)
			}
			return nil
		},
		func(b *block) error {
			if grouped {
				rd.groups = b.rows.side.groups
			}
			before := rd.faulty.Load()
			rd.t.faults.Merge(&b.rows.faults)
			rd.merge(b.rows)
			switch {
			case !rd.faulty.Load():
				rd.err = b.err
			case b.err != nil || rd.o.Endless && before || rd.t.faults.Full():
				rd.err = rd.fault(true)
			}
			if rd.err != nil || rd.faulty.Load() || b.rows.frame.Rows() == 0 {
				return rd.err
			}
			rd.look(&b.rows.frame)
			return done(&b.rows.frame, &b.out)
		})
	if err == nil && rd.faulty.Load() {
		rd.err = rd.fault(false)
		err = rd.err
	}
	return err
}

// Each calls do with all remaining rows, block by block, in the order of the file: a [Stream] whose work is
// only to read. Do may use the frame until it returns.
func (rd *Reader) Each(do func(f *Frame) error) error {
	return Stream(rd, func(*Frame, *struct{}) error { return nil }, func(f *Frame, _ *struct{}) error { return do(f) })
}

// readAll returns all rows that remain in one frame.
func (rd *Reader) readAll() (*Frame, error) {
	all := &rd.newRows(rd.t).frame
	err := rd.Each(func(f *Frame) error {
		all.add(f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// add adds the rows of a block.
func (f *Frame) add(block *Frame) {
	if f.Weight != nil || block.Weight != nil { // weights of the format may begin in any row
		f.Weight = append(ones(f.Weight, f.Rows()), ones(block.Weight, block.Rows())...)
	}
	if f.UnknownLabels != nil || block.UnknownLabels != nil {
		f.UnknownLabels = append(filled(f.UnknownLabels, f.Rows()), filled(block.UnknownLabels, block.Rows())...)
	}
	if f.Merged != nil || block.Merged != nil {
		f.Merged = append(filled(f.Merged, f.Rows()), filled(block.Merged, block.Rows())...)
	}
	for j, c := range block.Columns {
		f.Columns[j].Values = append(f.Columns[j].Values, c.Values...)
		f.Unseen[j] += block.Unseen[j]
	}
	f.Truth = append(f.Truth, block.Truth...)
	f.Amount = append(f.Amount, block.Amount...)
	f.ID = append(f.ID, block.ID...)
	f.Group = append(f.Group, block.Group...)
	f.Per = append(f.Per, block.Per...)
	if f.Kept == nil {
		f.Kept = keptOf(namesOf(block.Kept), nil)
	}
	for i := range block.Kept {
		f.Kept[i].Cells = append(f.Kept[i].Cells, block.Kept[i].Cells...)
	}
}

// filled returns labels with empty ones after them, n in all.
func filled(labels []string, n int) []string { return append(labels, make([]string, n-len(labels))...) }
