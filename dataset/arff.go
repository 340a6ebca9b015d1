package dataset

import (
	"fmt"
	"io"
	"strconv"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// ARFF opens a file in the attribute-relation file format, as Weka and OpenML write it. The name is for
// messages. Gzip and zstd compression and a byte-order mark are recognized by content and removed.
//
// Numeric, real and integer attributes hold plain decimal numbers. A nominal attribute holds categories, even
// where they look like numbers; the order in which they are declared means nothing, and a cell with an
// undeclared category is an error. A string attribute holds categories, too. A date attribute can only be used
// as [Options].Time and must otherwise be ignored; relational attributes are refused. A cell is missing if it
// is a ? without quotes, or empty in quotes. In a sparse row {1 x, 3 .5} an attribute that is not named is 0,
// or the category declared first, as the format defines. If rows have a weight, as in 1, x, {2}, it is their
// case weight.
//
// Errors, here and of Next: as for [ReadCSV].
func ARFF(r io.Reader, name string) (Source, error) {
	lines, err := csvtext.NewLines(r, name)
	if err != nil {
		return nil, err
	}
	a := &arff{lines: lines, time: -1}
	if err := a.readHeader(); err != nil {
		return nil, err
	}
	a.row = make([]Cell, len(a.attributes))
	a.at, a.seen = make([]int, len(a.attributes)), make([]int, len(a.attributes))
	return a, nil
}

// arff is an ARFF file behind its header.
type arff struct {
	lines      *csvtext.Lines
	related    bool // there is a line @relation
	keel       bool // there is one that only KEEL writes
	attributes []attribute
	time       int // the attribute that says when each row was; -1 for none
	row        []Cell
	at         []int // byte of the line where each cell begins
	seen       []int // the last line on which a sparse row names each attribute
	weight     float64
	weighed    bool
}

// attribute is a column as the header declares it.
type attribute struct {
	name   string
	kind   attributeKind
	levels []string // of a nominal one, as declared
	known  map[string]bool
}

type attributeKind uint8

const (
	numericAttribute attributeKind = iota
	nominalAttribute
	stringAttribute
	dateAttribute
)

func (a *arff) Name() string { return a.lines.File }

func (a *arff) Columns() []string {
	names := make([]string, len(a.attributes))
	for j := range a.attributes {
		names[j] = a.attributes[j].name
	}
	return names
}

func (a *arff) Text(j int) bool {
	return a.attributes[j].kind == nominalAttribute || a.attributes[j].kind == stringAttribute
}

func (a *arff) Declared(j int) []string { return a.attributes[j].levels }

func (a *arff) Weight() (float64, bool) { return a.weight, a.weighed }

func (a *arff) Pos(j int) Pos {
	if len(a.at) == 0 {
		return Pos{Line: a.lines.Line()}
	}
	return Pos{Line: a.lines.Line(), Column: a.at[j] + 1}
}

func (a *arff) Warnings() []string {
	if a.related {
		return nil
	}
	return []string{"there is no line @relation, with which an ARFF file begins"}
}

// UseTime implements [timer].
func (a *arff) UseTime(j int) { a.time = j }

func (a *arff) Use(columns []bool) error {
	for j, used := range columns {
		if name := a.attributes[j].name; used && a.attributes[j].kind == dateAttribute && j != a.time {
			return csvtext.Faultf(a.lines.File, Pos{}, name,
				"the attribute holds dates, which are neither numbers nor categories; write what matters of them as numbers, or "+
					"use %s or %s",
				csvtext.Flag("ignore", name, "COL"), csvtext.Flag("time", name, "COL"))
		}
	}
	return nil
}

// Next returns the cells of the next row.
func (a *arff) Next() ([]Cell, error) {
	for {
		text, err := a.lines.Next()
		if err != nil {
			return nil, err
		}
		s := &arffScan{lines: a.lines, text: text}
		if s.done() {
			continue
		}
		a.weight, a.weighed = 1, false
		if text[s.at] == '{' {
			return a.row, a.sparse(s)
		}
		return a.row, a.dense(s)
	}
}

// dense reads a row with a value for each attribute.
func (a *arff) dense(s *arffScan) error {
	for j := 0; ; j++ {
		if j > 0 && !s.done() && s.text[s.at] == '{' {
			return a.close(s, j)
		}
		begin := s.at
		value, quoted, err := s.value(",", "value")
		if err != nil {
			return err
		}
		if j < len(a.attributes) {
			a.at[j] = begin
			if err := a.set(j, value, quoted); err != nil {
				return err
			}
		}
		if s.done() {
			return a.count(j + 1)
		}
		if s.text[s.at] != ',' {
			return s.fault("a comma is missing here; separate the values by commas, and quote one with blanks in it")
		}
		s.at++
	}
}

// close reads the weight at the end of a dense row of n values.
func (a *arff) close(s *arffScan, n int) error {
	if err := a.count(n); err != nil {
		return err
	}
	return a.readWeight(s)
}

func (a *arff) count(n int) error {
	if n == len(a.attributes) {
		return nil
	}
	return csvtext.Faultf(a.lines.File, Pos{Line: a.lines.Line()}, "", "%w",
		&csvtext.RaggedError{Text: fmt.Sprintf(
			"%s where %s are declared; correct the line, and quote a value with a comma in it",
			english.Plural(n, "value"), english.Plural(len(a.attributes), "attribute"))})
}

// readWeight reads {2} up to the end of the line.
func (a *arff) readWeight(s *arffScan) error {
	s.at++
	begin := s.at
	text, _, err := s.value("}", "weight")
	if err != nil {
		return err
	}
	w, form := csvtext.ParseNumber(text)
	if form == csvtext.Word || form == csvtext.Huge || w < 0 {
		return s.faultAt(begin, "%s is not a weight; write a finite number that is not negative", csvtext.Show(text))
	}
	if s.done() || s.text[s.at] != '}' {
		return s.fault("the brace of the weight is not closed here; write {2}")
	}
	s.at++
	a.weight, a.weighed = w, true
	return s.end("weight")
}

// sparse reads a row that names the attributes that are not 0 or the first category.
func (a *arff) sparse(s *arffScan) error {
	for j := range a.attributes {
		a.at[j] = s.at
		switch t := &a.attributes[j]; t.kind {
		case numericAttribute:
			a.row[j] = NumberCell(0)
		case nominalAttribute:
			a.row[j] = TextCell(t.levels[0])
		default:
			a.row[j] = Cell{}
		}
	}
	s.at++
	for first := true; ; first = false {
		if s.done() {
			return s.fault("the brace of the sparse row is never closed; close it on this line")
		}
		if s.text[s.at] == '}' {
			break
		}
		if !first {
			if s.text[s.at] != ',' {
				return s.fault("a comma is missing here; separate the values of a sparse row by commas")
			}
			s.at++
			s.done()
		}
		if err := a.entry(s); err != nil {
			return err
		}
	}
	s.at++
	for j := range a.attributes {
		if t := &a.attributes[j]; t.kind == stringAttribute && a.seen[j] != a.lines.Line() {
			return csvtext.Faultf(a.lines.File, Pos{Line: a.lines.Line()}, t.name,
				"the sparse row leaves out an attribute of strings, for which there is no zero; write it, or ? for a missing one")
		}
	}
	if s.done() {
		return nil
	}
	if s.text[s.at] == ',' {
		s.at++
		if !s.done() && s.text[s.at] == '{' {
			return a.readWeight(s)
		}
	}
	return s.end("sparse row")
}

// entry reads the index and the value of one attribute in a sparse row.
func (a *arff) entry(s *arffScan) error {
	begin := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	digits := s.text[begin:s.at]
	j, err := strconv.Atoi(digits)
	switch {
	case digits == "":
		return s.faultAt(begin, "an entry of a sparse row begins with the index of its attribute, counted from 0; write {1 "+
			"x, 3 .5}")
	case err != nil || j >= len(a.attributes):
		return s.faultAt(begin, "there is no attribute %s: %s are declared, counted from 0; correct the index", digits,
			english.Plural(len(a.attributes), "attribute"))
	case a.seen[j] == a.lines.Line():
		return s.faultAt(begin, "attribute %d is given twice in the row; remove one", j)
	case s.done() || s.at == begin+len(digits) && s.text[s.at] != '\'' && s.text[s.at] != '"':
		return s.faultAt(begin, "the value of attribute %d is missing; write {%d VALUE}", j, j)
	}
	a.seen[j], a.at[j] = a.lines.Line(), s.at
	value, quoted, err := s.value(",}", "value")
	if err != nil {
		return err
	}
	return a.set(j, value, quoted)
}

// set takes value as the cell of attribute j.
func (a *arff) set(j int, value string, quoted bool) error {
	t := &a.attributes[j]
	if !quoted && (value == "?" || a.keel && value == "<null>") {
		a.row[j] = Cell{}
		return nil
	}
	switch t.kind {
	case numericAttribute:
		v, form := csvtext.ParseNumber(value)
		if form == csvtext.Word {
			return csvtext.Faultf(a.lines.File, a.Pos(j), t.name,
				"%s is not a number, as declared; correct it, or write ? for a missing value", csvtext.Show(value))
		}
		a.row[j] = Cell{text: value, number: v, form: form, state: parsed}
		return nil
	case nominalAttribute:
		if !t.known[value] {
			return csvtext.Faultf(a.lines.File, a.Pos(j), t.name,
				"%s is not one of the declared categories (%s); correct it, or declare it", csvtext.Show(value),
				nearest.Suggest(value, t.levels))
		}
	}
	a.row[j] = TextCell(value)
	return nil
}
