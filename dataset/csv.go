package dataset

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// ReadCSV reads a whole file whose first line names the columns. The name is for messages. A first column
// without a name, in which R and pandas write the names of the rows, is left out, and so are columns at the
// right end with neither a name nor content.
//
// Without o.Schema it reads data to train on: o.Target must be set, and kinds, levels and classes are inferred
// from the whole file by the rules at the top of this package. The columns are coded, see [Codes], and reading
// takes little more memory than they do. Levels are sorted by their bytes; so are classes, or by value if all
// are integers. With o.Schema it reads data for a model, see [Reader], whose columns are not coded; a file
// without rows is then an empty frame.
//
// Frame.Warnings lists what was read but is doubtful: labels that were trimmed or differ only in case; a class
// of one row or without weight; columns that are empty, never change, have a level for each row, hold dates or
// tell the class alone; names that repeat; rows in the order of what may be a time (see [Frame.Ordered]);
// numbers that lost digits; rows that were dropped.
//
// Errors: *ParseError for a fault in the data, with its place; *UsageError for options that the file cannot
// meet; *LimitError. An error of r is wrapped, so that [errors.As] finds it.
func ReadCSV(r io.Reader, name string, o Options) (*Frame, error) {
	if err := o.check(name); err != nil {
		return nil, err
	}
	s, err := openCSV(r, name, &o)
	if err != nil {
		return nil, err
	}
	return Read(s, o)
}

// CSV opens a CSV file as a [Source]. Of o it uses the separator of the cells, which is found out if not given,
// the decimal mark, and the schema, if any.
func CSV(r io.Reader, name string, o Options) (Source, error) {
	s, err := openCSV(r, name, &o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Read reads a whole table as [ReadCSV] reads a file.
func Read(s Source, o Options) (*Frame, error) {
	if o.Schema != nil {
		return readKnown(s, o)
	}
	if err := o.check(s.Name()); err != nil {
		return nil, err
	}
	o = o.cleaned()
	tr, err := newTraining(newTable(s), &o)
	if err != nil {
		return nil, err
	}
	if err := tr.read(); err != nil {
		return nil, err
	}
	return tr.frame()
}

func readKnown(s Source, o Options) (*Frame, error) {
	rd, err := NewSourceReader(s, o)
	if err != nil {
		return nil, err
	}
	f, err := rd.readAll()
	if err != nil {
		return nil, err
	}
	if f.Weight != nil && f.Rows() > 0 {
		if err := checkWeights(rd.t, o.Weight, f.Weight); err != nil {
			return nil, err
		}
	}
	f.Warnings = rd.Warnings()
	return f, nil
}

// index numbers texts in the order of their first appearance.
type index struct {
	of    map[string]int
	names []string
}

// add returns the number of name, a new one if need be, and whether it is new.
func (x *index) add(name string) (i int, isNew bool) {
	if i, ok := x.of[name]; ok {
		return i, false
	}
	if x.of == nil {
		x.of = make(map[string]int)
	}
	x.of[name] = len(x.names)
	x.names = append(x.names, name)
	return len(x.names) - 1, true
}

// keep is add for a name that is a part of a longer text: a copy of it is kept.
func (x *index) keep(name string) int {
	if i, ok := x.of[name]; ok {
		return i
	}
	i, _ := x.add(strings.Clone(name))
	return i
}

// clear empties x, which keeps its memory.
func (x *index) clear() {
	clear(x.of)
	clear(x.names)
	x.names = x.names[:0]
}

// full reports whether name is new and there is no room for it.
func (x *index) full(name string) bool {
	if len(x.names) < maxLevels {
		return false
	}
	_, known := x.of[name]
	return !known
}

// side collects what a row carries beside its features and its label.
type side struct {
	rows   int
	weight []float64
	amount []float64
	id     []string
	group  []int
	groups index
	time   []int
	dates  index // of time
	per    []string
	pers   map[string]string // the texts of per and kept, of which rows share one each
	kept   [][]string        // by column
}

func (s *side) add(t *table, l *layout, cells []Cell) error {
	s.rows++
	if err := s.weigh(t, l); err != nil {
		return err
	}
	if l.weight >= 0 {
		cell := cells[l.weight].trimmed()
		w, form := cell.value()
		if form == csvtext.Word || form == csvtext.Huge || w < 0 {
			return t.faultf(l.weight, "%s is not a weight; write a finite number that is not negative%s",
				csvtext.Show(cell.String()), cell.decimalHint())
		}
		s.weight = append(s.weight, w)
	}
	if l.amount >= 0 {
		cell := &cells[l.amount]
		v, err := csvtext.Amount(cell.String(), cell.mark())
		if err != nil {
			return t.faultf(l.amount, "%w%s", err, cell.decimalHint())
		}
		s.amount = append(s.amount, v)
	}
	if l.id >= 0 {
		s.id = append(s.id, strings.Clone(cells[l.id].String()))
	}
	if l.group >= 0 {
		cell := cells[l.group].String()
		if cell == "" {
			return t.faultf(l.group, "the row has no group; fill the cell, so that rows that belong together stay together")
		}
		s.group = append(s.group, s.groups.keep(cell))
	}
	if l.per != nil {
		s.per = append(s.per, s.parted(l, cells))
	}
	if s.kept == nil {
		s.kept = make([][]string, len(l.kept))
	}
	for i, j := range l.kept {
		cell := cells[j].trimmed()
		s.kept[i] = append(s.kept[i], s.shared(cell.String()))
	}
	return nil
}

// parted returns what a row has in the columns of Options.Per, as a line of CSV.
func (s *side) parted(l *layout, cells []Cell) string {
	texts := make([]string, len(l.per))
	for i, j := range l.per {
		cell := cells[j].trimmed()
		texts[i] = csvtext.Listed(cell.String())
	}
	return s.shared(strings.Join(texts, ","))
}

// shared returns a text of its own that all rows share which have it.
func (s *side) shared(text string) string {
	if same, ok := s.pers[text]; ok {
		return same
	}
	if s.pers == nil {
		s.pers = map[string]string{}
	}
	text = strings.Clone(text) // a cell alone is a part of its block
	s.pers[text] = text
	return text
}

// repeats counts the rows with the name of an earlier one. Names are told by a hash of 64 bits.
func (s *side) repeats() int {
	hashes := make([]uint64, 0, len(s.id))
	for _, id := range s.id {
		if id != "" {
			hashes = append(hashes, mixName(id))
		}
	}
	slices.Sort(hashes)
	return len(hashes) - len(slices.Compact(hashes))
}

// clear takes out all rows, and keeps their memory and the names of their groups.
func (s *side) clear() {
	*s = side{weight: s.weight[:0], amount: s.amount[:0], id: s.id[:0], group: s.group[:0], groups: s.groups,
		time: s.time[:0], dates: s.dates, per: s.per[:0], pers: s.pers, kept: s.kept}
	for i := range s.kept {
		s.kept[i] = s.kept[i][:0]
	}
}

// merge adds the rows of a part.
func (s *side) merge(p *side) {
	if len(p.weight) > 0 || len(s.weight) > 0 { // weights of the format may begin in any row
		s.weight = append(ones(s.weight, s.rows), ones(p.weight, p.rows)...)
	}
	s.rows += p.rows
	s.amount = append(s.amount, p.amount...)
	s.id = append(s.id, p.id...)
	s.per = append(s.per, p.per...)
	if s.kept == nil {
		s.kept = make([][]string, len(p.kept))
	}
	for i := range p.kept {
		s.kept[i] = append(s.kept[i], p.kept[i]...)
	}
	s.group = s.groups.join(s.group, p.group, &p.groups)
	s.time = s.dates.join(s.time, p.time, &p.dates)
}

// join appends the numbers of names of a part, which are those of its index.
func (x *index) join(to, part []int, of *index) []int {
	number := make([]int, len(of.names))
	for i, name := range of.names {
		number[i] = x.keep(name)
	}
	for _, i := range part {
		to = append(to, number[i])
	}
	return to
}

// ones fills weights up to that many rows.
func ones(weight []float64, rows int) []float64 {
	for len(weight) < rows {
		weight = append(weight, 1)
	}
	return weight
}

// weigh adds the weight that the format has beside the cells of a row, if any. The rows before
// the first such weight weigh 1.
func (s *side) weigh(t *table, l *layout) error {
	w, weighed := weightOf(t.Source)
	switch {
	case weighed && l.weight >= 0:
		return csvtext.Faultf(t.file, t.Pos(0), "",
			option.Text("the row has a weight of its own beside column %s, named by {weight}; drop one of them"),
			english.Quote(t.header[l.weight]))
	case l.weight >= 0 || !weighed && len(s.weight) == 0:
		return nil
	}
	s.weight = append(ones(s.weight, s.rows-1), w)
	return nil
}

// checkWeights refuses weights without a usable sum.
func checkWeights(t *table, column string, weight []float64) error {
	sum := 0.0
	for _, w := range weight {
		sum += w
	}
	switch {
	case sum == 0:
		return t.fileFaultf(column, "all weights are zero; give some row a weight above 0")
	case math.IsInf(sum, 0):
		return t.fileFaultf(column, "the weights add up to more than a number can hold; divide them all by the same number")
	}
	return nil
}
