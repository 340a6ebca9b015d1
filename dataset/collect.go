package dataset

import (
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// training reads rows whose types are not known yet.
type training struct {
	*csvtext.Reader
	layout
	o       *Options
	missing words
	columns []inference // one for each feature
	labels  labels
	side    side
}

func newTraining(t *csvtext.Reader, o *Options) (*training, error) {
	l, err := arrange(t, o)
	if err != nil {
		return nil, err
	}
	text := make(map[string]bool, len(o.Categorical))
	for _, name := range o.Categorical {
		text[name] = true
	}
	tr := &training{Reader: t, layout: l, o: o, missing: newWords(o.Missing), columns: make([]inference, len(l.features))}
	for i, j := range l.features {
		tr.columns[i] = inference{at: j, name: t.Header[j], forced: text[t.Header[j]], answer: true}
	}
	return tr, nil
}

func (tr *training) row(cells []string) error {
	raw := cells[tr.target]
	label := strings.TrimSpace(raw)
	if tr.missing.missing(label) {
		tr.labels.skip(tr.Line())
		return nil
	}
	if err := tr.labels.add(tr.Reader, tr.target, label, len(label) < len(raw)); err != nil {
		return err
	}
	if err := tr.side.add(tr.Reader, &tr.layout, cells); err != nil {
		return err
	}
	for i := range tr.columns {
		c := &tr.columns[i]
		cell := strings.TrimSpace(cells[c.at])
		c.answer = c.answer && cell == label
		if tr.missing.missing(cell) {
			c.addMissing()
		} else if err := c.add(tr.Reader, cell); err != nil {
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
		Reading: Reading{Target: tr.o.Target, Positive: tr.o.Positive, Missing: tr.o.Missing, Amount: tr.o.Amount},
	}
	var err error
	if f.Classes, f.Truth, err = tr.labels.classes(tr.Reader, tr.o); err != nil {
		return nil, err
	}
	if f.Weight != nil {
		if err := checkWeights(tr.Reader, tr.o.Weight, f.Weight); err != nil {
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

func (tr *training) checkRows() error {
	skipped, column := tr.labels.skipped, tr.o.Target
	switch {
	case skipped > 0 && !tr.o.DropUnlabelled:
		return &ParseError{File: tr.File, Line: tr.labels.lines[0], Field: column, Err: tr.labels.unlabelled()}
	case len(tr.labels.codes) > 0:
		return nil
	case skipped > 0:
		return tr.FileFaultf(column, "no rows are left: none of the %s has a label", csvtext.Plural(skipped, "row"))
	default:
		return tr.FileFaultf("", "no rows; add at least one below the first line")
	}
}
