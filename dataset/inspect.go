package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/option"
)

// inspectCSV looks at a file before anything is trained on it. It reads the file as [ReadCSV] reads training
// data, but reports as findings what would stop ReadCSV: columns that mix numbers and words, too many
// categories, rows without a label, labels that cannot be classes. Without o.Target no column is the label, and
// [Overview].Candidates holds guesses. O.Schema and o.Classes are not used.
//
// Errors: those of [ReadCSV] for faults in the text of the file, for columns that it does not have, and for
// weights and groups that are not valid.
func inspectCSV(r io.Reader, name string, o Options) (*Overview, error) {
	o.Schema, o.Classes = nil, nil
	s, err := openCSV(r, name, &o)
	if err != nil {
		return nil, err
	}
	return Inspect(s, o)
}

// Inspect looks at a whole table as [inspectCSV] looks at a file.
func Inspect(s Source, o Options) (*Overview, error) {
	o.Schema, o.Classes = nil, nil
	o = o.cleaned()
	t := newTable(s)
	tr, err := newTraining(t, &o)
	if err != nil {
		return nil, err
	}
	look := &survey{training: tr, stopped: make([]error, len(tr.columns)), texts: make([]map[string]bool, len(tr.columns))}
	if err := t.each(look.row); err != nil || t.faults.Any() {
		return nil, cmp.Or(t.faults.Err(), err)
	}
	if look.rows == 0 {
		return nil, t.fileFaultf("", "no rows; add at least one")
	}
	if o.Weight != "" {
		if err := checkWeights(t, o.Weight, tr.side.weight); err != nil {
			return nil, err
		}
	}
	if look.time, err = tr.when(); err != nil {
		return nil, err
	}
	return look.overview(), nil
}

// survey reads rows as training does, and goes on where that stops.
type survey struct {
	*training
	rows     int
	cell     inference         // room for a cell
	time     *Column           // of the rows, or nil
	labelled []bool            // by row
	unusable error             // why the labels are no classes
	stopped  []error           // by column: why its cells are kept no longer
	texts    []map[string]bool // by column that mixes numbers and words: the words, of which the first are kept
}

// mostTexts is how many words among the numbers of a column are told apart.
const mostTexts = 20

func (s *survey) row(cells []Cell) error {
	if known := s.label(cells); !known && s.o.DropUnlabelled {
		return nil
	}
	s.rows++
	s.stroll(cells)
	if err := s.beside(cells); err != nil {
		return s.pass(err)
	}
	blank := true
	for i := range s.columns {
		c := &s.columns[i]
		cell := cells[c.at].trimmed()
		switch {
		case s.missing.features[i].missing(&cell, c.forced):
			c.missing++
			c.cells.add([]float64{math.NaN()})
			continue
		case s.stopped[i] == nil:
			s.stopped[i] = c.take(s.table, &cell, &s.cell)
		default:
			s.count(c, &cell)
		}
		blank = false
		mixed := c.numbers.count > 0 && c.texts.count > 0
		if mixed {
			s.mixed(i, &cell)
		}
		if mixed || s.stopped[i] != nil { // else it is kept
			c.cells.add([]float64{c.mark(&cell)})
		}
	}
	if blank {
		s.blank.note(s.Pos(0))
	}
	return nil
}

// mark stands for a cell of a column at fault, the same for the same text, so that rows can be compared.
func (c *inference) mark(cell *Cell) float64 {
	v, form := cell.numberIn(c.unit)
	level, known := c.levels.of[cell.String()]
	switch {
	case known: // the column began with texts, and this is one of them
		return float64(level)
	case len(c.levels.names) == 0 && form != csvtext.Word && form != csvtext.Huge:
		return v
	}
	return -1 - float64(float64(mixName(cell.String())>>11)/(1<<53))
}

// mostly is what most cells of a column at fault are.
func (c *inference) mostly() Kind {
	if c.texts.count > c.numbers.count {
		return Categorical
	}
	return Numeric
}

// label takes the label of a row, if there is a column of labels. It is false where the cell is
// missing.
func (s *survey) label(cells []Cell) bool {
	if s.target < 0 {
		return true
	}
	raw := cells[s.target]
	cell := raw.trimmed()
	known := !s.missing.noLabel(cell.String())
	if !known {
		s.labels.skip(s.Pos(0), &s.missing, cell.String())
	} else if s.unusable == nil {
		s.unusable = s.labels.take(s.table, s.target, cell.String(), len(cell.text) < len(raw.text))
	}
	if known || !s.o.DropUnlabelled {
		s.labelled = append(s.labelled, known)
	}
	return known
}

// count counts a cell of a column whose cells are kept no longer.
func (s *survey) count(c *inference, cell *Cell) {
	if _, form := cell.numberIn(c.unit); form == csvtext.Word {
		c.noteText(s.table, c.at, cell)
	} else {
		c.numbers.note(s.table, c.at, cell)
	}
}

// mixed keeps the words of a column that mixes them with numbers.
func (s *survey) mixed(i int, cell *Cell) {
	if s.texts[i] == nil {
		s.texts[i] = map[string]bool{}
		for _, level := range s.columns[i].levels.names[:min(len(s.columns[i].levels.names), mostTexts)] {
			s.texts[i][level] = true
		}
	}
	_, form := cell.numberIn(s.columns[i].unit)
	if form == csvtext.Word && len(s.texts[i]) <= mostTexts && !s.texts[i][cell.String()] {
		s.texts[i][strings.Clone(cell.String())] = true
	}
}

// overview looks at the columns that can be read, and puts the others between them.
func (s *survey) overview() *Overview {
	f := &Frame{rows: s.rows, Reading: s.reading(), Time: s.time, strays: walksAlong(s.strays)}
	f.Classes, f.Truth = s.classes()
	faults := make([]string, len(s.columns))
	var coder Coder
	var unread []Column
	for i := range s.columns {
		c := &s.columns[i]
		if faults[i] = s.fault(i); faults[i] == "" {
			f.Columns = append(f.Columns, c.column(&coder))
		} else {
			unread = append(unread, Column{Field: Field{Name: c.name, Kind: c.mostly()}, Codes: c.cells.codes(&coder)})
		}
	}
	v := f.overview(unread, !s.o.DropUnlabelled || s.labels.skipped.Count == 0)
	v.Target, v.Unlabelled = s.o.Target, 0
	for _, known := range s.labelled {
		if !known {
			v.Unlabelled++
		}
	}
	read := v.Columns
	v.Columns = make([]Profile, len(s.columns))
	for i := range s.columns {
		if faults[i] == "" {
			v.Columns[i], read = read[0], read[1:]
			continue
		}
		c := &s.columns[i]
		v.Columns[i] = Profile{Name: c.name, Kind: c.mostly(), Fault: faults[i], Missing: c.missing, Numbers: c.numbers.count,
			Texts: c.texts.count}
	}
	s.addFindings(v, f)
	return v
}

// classes returns the classes, if the labels are such, and the class of each row. Labels that
// are at fault are classes all the same where they are few.
func (s *survey) classes() ([]string, []int) {
	if s.target < 0 || s.unusable != nil {
		return nil, nil
	}
	if len(s.labels.codes) == 0 {
		s.unusable = s.fileFaultf(s.o.Target, "no row has a label; choose another column with {target}")
		return nil, nil
	}
	names, of, err := s.labels.classes(s.table, s.o)
	if err != nil {
		s.unusable = err
		joined, number, err := s.labels.join(s.table, s.o)
		if err != nil || len(joined.names) != 1 {
			return nil, nil
		}
		names, of = joined.names, number
	}
	truth := s.labels.truth(of)
	all := make([]int, s.rows)
	for i, known := range s.labelled {
		all[i] = -1
		if known {
			all[i], truth = truth[0], truth[1:]
		}
	}
	return names, all
}

// fault says why column i cannot be read as it is, and how to mend it; "" where it can.
func (s *survey) fault(i int) string {
	if err := s.stopped[i]; err != nil {
		var at *ParseError
		if errors.As(err, &at) {
			return fmt.Sprintf("%s: %v", Pos{Line: at.Line, Column: at.Column, Row: at.Row}, at.Err)
		}
		return err.Error()
	}
	text, _ := s.columns[i].fault(s.o.Decimal)
	return text
}

// addFindings adds what the rows that were read tell beside the cells that are kept.
func (s *survey) addFindings(v *Overview, f *Frame) {
	note := func(sort, column, text string, flags ...string) {
		v.Findings = append(v.Findings, Finding{Sort: sort, Columns: []string{column}, Text: text, Flags: flags})
	}
	switch {
	case s.labels.skipped.Count == 0 || len(s.labels.codes) == 0:
	case s.o.DropUnlabelled:
		note(inspected.Labels, s.o.Target, s.labels.leftOutText())
	default:
		note(inspected.Labels, s.o.Target, fmt.Sprintf("column %s: %v", english.Quote(s.o.Target), s.labels.unlabelled()),
			option.Text("{drop-unlabelled}"))
	}
	var at *ParseError
	switch {
	case errors.As(s.unusable, &at):
		note(inspected.Labels, s.o.Target, fmt.Sprintf("column %s: %v", english.Quote(s.o.Target), at.Err))
	case s.unusable != nil:
		note(inspected.Labels, s.o.Target, s.unusable.Error())
	}
	if f.Truth != nil {
		warn := func(format string, args ...any) { note(inspected.Labels, s.o.Target, fmt.Sprintf(format, args...)) }
		s.warnClasses(f, warn, func(text, flag string) {
			if flag == "" {
				warn("%s", text)
			} else {
				note(inspected.Labels, s.o.Target, text, flag)
			}
		}, func(text, choice string) {
			v.Findings = append(v.Findings, Finding{Sort: inspected.Labels, Columns: []string{s.o.Target}, Text: text,
				Choice: choice})
		})
		s.warnMerged(warn)
	}
	if text := s.unmetText(); text != "" {
		v.Findings = append(v.Findings, Finding{Sort: inspected.Unmet, Text: text})
	}
	if text, cure := s.repeatsText(); cure != "" {
		note(inspected.Names, s.o.ID, text, cure)
	} else if text != "" {
		note(inspected.Names, s.o.ID, text)
	}
	for i := range s.columns {
		c := &s.columns[i]
		if fault := v.Columns[i].Fault; fault != "" {
			note(inspected.Fault, c.name, fmt.Sprintf("column %s: %s", english.Quote(c.name), fault), s.cure(i)...)
			continue
		}
		if c.rounded > 0 {
			note(inspected.Digits, c.name, roundedText(c.name, c.rounded))
		}
		if c.tiny > 0 {
			note(inspected.Digits, c.name, tinyText(c.name, c.tiny))
		}
		if text := c.points.text(c.name); text != "" {
			note(inspected.Digits, c.name, text)
		}
	}
	if text := s.blank.text(len(s.columns)); text != "" {
		v.Findings = append(v.Findings, Finding{Sort: inspected.File, Text: text})
	}
	for _, w := range s.table.warnings() {
		v.Findings = append(v.Findings, Finding{Sort: inspected.File, Text: strings.TrimPrefix(w.Error(), s.file+": ")})
	}
	v.Findings = inOrder(v.Findings)
}

// cure returns the flags with which column i, which is at fault, can be read, those that its fault proposes first;
// none where a person must decide.
func (s *survey) cure(i int) []string {
	c := &s.columns[i]
	var limit *LimitError
	if errors.As(s.stopped[i], &limit) {
		return []string{csvtext.Flag("ignore", c.name, "COL")} // more categories than can be told apart
	}
	decimal := c.decimalComma(s.o.Decimal)
	if s.stopped[i] != nil || c.censored.count > 0 || !decimal && (c.numbers.count == 0 ||
		csvtext.LooksNumeric(c.texts.first[0].cell) || isDressed(c.texts.first[0].cell)) {
		return nil
	}
	words := slices.Collect(maps.Keys(s.texts[i]))
	if c.numbers.count == 0 {
		words = c.levels.names
	}
	var flags []string
	sure, others := false, false
	for _, word := range words {
		switch {
		case decimal && csvtext.HasDecimalComma(word):
			sure = sure || !maybeThousands(word)
		case missingWords[word]:
			flags = append(flags, missingFlag(c.name, word))
		default:
			others = true
		}
	}
	slices.Sort(flags)
	switch {
	case decimal && (others || !sure):
		return nil
	case decimal:
		return append(flags, option.Text("{decimal} ','"))
	case !others:
		return flags
	case c.texts.count > c.numbers.count && c.numberFlag() != "":
		return []string{c.numberFlag()}
	case c.texts.count > c.numbers.count:
		return []string{csvtext.Flag("categorical", c.name, "COL")}
	}
	return nil
}

// maybeThousands reports whether the comma of a number may as well part its thousands, as in 1,500.
func maybeThousands(number string) bool {
	whole, digits, _ := strings.Cut(strings.TrimLeft(number, "+-"), ",")
	return len(digits) == 3 && len(whole) <= 3 && !strings.HasPrefix(whole, "0") && whole != ""
}
