package dataset

import (
	"io"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// ReadCSV reads a whole file with a first line of column names. The name is for messages.
//
// Without o.Schema it reads data to train on: o.Target must be set, and kinds, levels and
// classes are inferred over the whole file, by the rules at the top of this package. The
// columns are coded, see [Codes], and it takes little more memory than they do. Levels
// are sorted by their bytes; classes too, or by value when all are integers. With o.Schema
// it reads data for a model, see [Reader], whose columns are not coded; a file without rows is
// then an empty frame.
//
// Frame.Warnings holds what was read but is doubtful: labels that were trimmed or differ in
// case only, a class of one row or without weight, columns that are empty, never change, have
// a level for each row or repeat the label, numbers that lost digits, rows that were dropped.
//
// Errors: *ParseError for a fault in the data, with its place; *UsageError for options the
// file cannot meet; *LimitError. An error of r is wrapped, so that [errors.As] finds it.
func ReadCSV(r io.Reader, name string, o Options) (*Frame, error) {
	if o.Schema != nil {
		return readKnown(r, name, o)
	}
	if o.Target == "" {
		return nil, csvtext.Usagef("%s: training needs the column of labels; name it with --target", name)
	}
	t, err := open(r, name, &o)
	if err != nil {
		return nil, err
	}
	tr, err := newTraining(t, &o)
	if err != nil {
		return nil, err
	}
	if err := t.Each(tr.row); err != nil {
		return nil, err
	}
	return tr.frame()
}

// open reads the header. A file of a single column, the only one of the schema, is taken at
// its word, whatever the name looks like.
func open(r io.Reader, name string, o *Options) (*csvtext.Reader, error) {
	t, err := csvtext.NewReader(r, name, o.Comma)
	if err != nil {
		return nil, err
	}
	only := ""
	if len(o.Schema) == 1 {
		only = o.Schema[0].Name
	}
	return t, t.CheckSingle(only)
}

func readKnown(r io.Reader, name string, o Options) (*Frame, error) {
	rd, err := NewReader(r, name, o)
	if err != nil {
		return nil, err
	}
	f, err := rd.read(math.MaxInt)
	if err != nil {
		return nil, err
	}
	if o.Weight != "" && f.Rows() > 0 {
		if err := checkWeights(rd.t, o.Weight, f.Weight); err != nil {
			return nil, err
		}
	}
	f.Warnings = rd.Warnings()
	return f, nil
}

// words is a set of texts that mean a missing cell.
type words map[string]bool

func newWords(missing []string) words {
	w := make(words, len(missing))
	for _, m := range missing {
		w[strings.TrimSpace(m)] = true
	}
	return w
}

// missing reports whether a trimmed cell is missing.
func (w words) missing(cell string) bool {
	return cell == "" || len(w) > 0 && w[cell]
}

// index numbers texts in the order of their first appearance.
type index struct {
	of    map[string]int
	names []string
}

// add returns the number of name, a new one if need be. It keeps a copy: a cell is a part of
// the text of its whole row.
func (x *index) add(name string) int {
	if i, ok := x.of[name]; ok {
		return i
	}
	if x.of == nil {
		x.of = make(map[string]int)
	}
	name = strings.Clone(name)
	x.of[name] = len(x.names)
	x.names = append(x.names, name)
	return len(x.names) - 1
}

// full reports whether name is new and there is no room for it.
func (x *index) full(name string) bool {
	if len(x.names) < MaxLevels {
		return false
	}
	_, known := x.of[name]
	return !known
}

// side collects what a row carries beside its features and its label.
type side struct {
	weight []float64
	amount []float64
	id     []string
	group  []int
	groups index
}

func (s *side) add(t *csvtext.Reader, l *layout, cells []string) error {
	if l.weight >= 0 {
		cell := strings.TrimSpace(cells[l.weight])
		w, form := csvtext.ParseNumber(cell)
		if form == csvtext.Word || form == csvtext.Huge || w < 0 {
			return t.Faultf(l.weight, "%s is not a weight; write a finite number that is not negative", csvtext.Show(cell))
		}
		s.weight = append(s.weight, w)
	}
	if l.amount >= 0 {
		v, err := csvtext.Amount(cells[l.amount])
		if err != nil {
			return t.Faultf(l.amount, "%w", err)
		}
		s.amount = append(s.amount, v)
	}
	if l.id >= 0 {
		s.id = append(s.id, strings.Clone(strings.TrimSpace(cells[l.id])))
	}
	if l.group >= 0 {
		cell := strings.TrimSpace(cells[l.group])
		if cell == "" {
			return t.Faultf(l.group, "the row has no group; fill the cell, so that rows that belong together stay together")
		}
		s.group = append(s.group, s.groups.add(cell))
	}
	return nil
}

// checkWeights refuses weights without a usable sum.
func checkWeights(t *csvtext.Reader, column string, weight []float64) error {
	sum := 0.0
	for _, w := range weight {
		sum += w
	}
	switch {
	case sum == 0:
		return t.FileFaultf(column, "all weights are zero; give some row a weight above 0")
	case math.IsInf(sum, 0):
		return t.FileFaultf(column, "the weights add up to more than a number can hold; divide them all by the same number")
	}
	return nil
}
