package dataset

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
)

// LibSVM opens a file in the sparse format of libsvm and svmlight: each line has a label, then index:value for
// the features that are not 0, then perhaps a # and a comment. The name is for messages. Gzip and zstd
// compression and a byte-order mark are recognized by content and removed.
//
// The label is the column class, a number. Feature i is the column fi, for the index i as written: so nobody
// need know whether a file counts from 0 or from 1, and rows for a model find their columns whatever indices
// they happen to have.
//
// With a schema the table has the columns of the schema, other features are left out with a warning, and memory
// does not grow with the file. Without one, the columns are f1 (or f0 if there is an index 0) up to the largest
// index, and the file is read as a whole: its cells that are not 0 take 12 bytes each. As a frame holds all
// cells, a file for which they would take more than memory bytes is a *[LimitError]; 0 means no limit.
//
// The format has no missing cells. A qid:, which groups the rows of a ranking, is refused.
//
// Errors, here and of Next: as for [ReadCSV].
func LibSVM(r io.Reader, name string, schema Schema, memory int64) (Source, error) {
	lines, err := csvtext.NewLines(r, name)
	if err != nil {
		return nil, err
	}
	s := &libsvm{lines: lines, column: map[int]int{}, first: 1, last: -1, memory: memory}
	if schema != nil {
		return s, s.know(schema)
	}
	if err := s.readAll(); err != nil {
		return nil, err
	}
	for i := s.first; i <= s.last; i++ {
		s.add(i)
	}
	s.at = 0
	s.cells = make([]Cell, len(s.names)+1)
	return s, nil
}

// maxIndex is the largest index of a feature, so that there are at most maxColumns columns.
const maxIndex = maxColumns - 2

// libsvm is a sparse file as a source. Column 0 is the label.
type libsvm struct {
	lines  *csvtext.Lines
	names  []string    // of the features
	column map[int]int // of a feature by its index
	cells  []Cell
	memory int64

	current sparseRow
	stamp   []int    // by index: the last line with it
	set     []int    // the columns that the current row has
	strange int      // cells of features unknown to the schema
	foreign []string // the first names of these features

	// Of a file that was read as a whole: the rows, and the least and the largest index.
	rows        []sparseRow
	whole       bool
	held        int64 // bytes of their cells
	at          int
	first, last int
}

// sparseRow is a line: its label, and the features that it names.
type sparseRow struct {
	line   int
	label  float64
	index  []int32
	values []float64
}

// know takes the columns of the table from a schema.
func (s *libsvm) know(schema Schema) error {
	for _, field := range schema {
		digits, isFeature := strings.CutPrefix(field.Name, "f")
		i, err := strconv.Atoi(digits)
		if isFeature && err == nil && i >= 0 && i <= maxIndex && strconv.Itoa(i) == digits {
			s.add(i)
		}
	}
	s.cells = make([]Cell, len(s.names)+1)
	return nil
}

func (s *libsvm) add(i int) {
	s.names = append(s.names, "f"+strconv.Itoa(i))
	s.column[i] = len(s.names)
}

// readAll reads the whole file, to know its largest index.
func (s *libsvm) readAll() error {
	s.whole = true
	var row sparseRow
	for {
		row.index, row.values = row.index[:0], row.values[:0]
		err := s.read(&row)
		if csvtext.Ended(err) {
			break
		}
		if err != nil {
			return err
		}
		s.rows = append(s.rows, sparseRow{row.line, row.label, slices.Clone(row.index), slices.Clone(row.values)})
		s.held += 12 * int64(len(row.index))
		for _, i := range row.index {
			s.first, s.last = min(s.first, int(i)), max(s.last, int(i))
		}
		if err := s.checkMemory(); err != nil {
			return err
		}
	}
	if s.last < 0 && len(s.rows) > 0 {
		return csvtext.Faultf(s.lines.File, Pos{}, "", "no row has a feature; write them as index:value, such as 3:0.5")
	}
	if s.last < 0 {
		s.last = 0 // of an empty file nothing is known but the label
	}
	s.first = min(s.first, s.last)
	return nil
}

// checkMemory refuses rows of which a frame would take too much memory: two bytes a cell at
// least, and eight while one of the last block waits for its code; the rows as they are come on top.
func (s *libsvm) checkMemory() error {
	n, p := int64(len(s.rows)), int64(s.last+1)
	need := p*(2*n+8*min(n, blockRows)+512) + 80*n + s.held
	if s.memory > 0 && need > s.memory {
		return csvtext.Limitf("%s: %d rows of %d features take %d MB as a table, where %d may be taken; leave out rare "+
			"features, or rows",
			s.lines.File, n, p, need>>20, s.memory>>20)
	}
	return nil
}

func (s *libsvm) Name() string      { return s.lines.File }
func (s *libsvm) Columns() []string { return append([]string{"class"}, s.names...) }
func (s *libsvm) Text(int) bool     { return false }
func (s *libsvm) Use([]bool) error  { return nil }
func (s *libsvm) Pos(int) Pos       { return Pos{Line: s.current.line} }

func (s *libsvm) Warnings() []string {
	if s.strange == 0 {
		return nil
	}
	return []string{english.Plural(s.strange, "cell") + " of features unknown to the model left out, such as " +
		nearest.List(s.foreign)}
}

// Next returns the cells of the next row.
func (s *libsvm) Next() ([]Cell, error) {
	if !s.whole {
		s.current.index, s.current.values = s.current.index[:0], s.current.values[:0]
		if err := s.read(&s.current); err != nil {
			return nil, err
		}
	} else {
		if s.at == len(s.rows) {
			return nil, io.EOF
		}
		s.current, s.rows[s.at] = s.rows[s.at], sparseRow{}
		s.at++
	}
	if s.set == nil {
		for j := range s.cells {
			s.cells[j] = NumberCell(0)
		}
	}
	for _, j := range s.set {
		s.cells[j] = NumberCell(0)
	}
	s.set = append(s.set[:0], 0)
	s.cells[0] = NumberCell(s.current.label)
	for k, i := range s.current.index {
		j, known := s.column[int(i)]
		if !known {
			s.strange++
			noteFirst(&s.foreign, "f"+strconv.Itoa(int(i)))
			continue
		}
		s.cells[j] = NumberCell(s.current.values[k])
		s.set = append(s.set, j)
	}
	return s.cells, nil
}

// read reads the next line that is not empty.
func (s *libsvm) read(row *sparseRow) error {
	for {
		text, err := s.lines.Next()
		if err != nil {
			return err
		}
		content, _, _ := strings.Cut(text, "#")
		at, word := nextWord(content, 0)
		if word == "" {
			continue
		}
		row.line = s.lines.Line()
		if row.label, err = s.label(at, word); err != nil {
			return err
		}
		for at, word = nextWord(content, at+len(word)); word != ""; at, word = nextWord(content, at+len(word)) {
			if err := s.entry(row, at, word); err != nil {
				return err
			}
		}
		return nil
	}
}

// nextWord returns where the next word of text from at on begins, and the word, "" for none.
func nextWord(text string, at int) (int, string) {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	begin := at
	for at < len(text) && text[at] != ' ' && text[at] != '\t' {
		at++
	}
	return begin, text[begin:at]
}

func (s *libsvm) label(at int, word string) (float64, error) {
	v, form := csvtext.ParseNumber(word)
	switch {
	case form == csvtext.Word && strings.Contains(word, ":"):
		return 0, s.lines.Faultf(at, "", "the line begins with the feature %s; put the label of the row first",
			csvtext.Show(word))
	case form == csvtext.Word && strings.ContainsFunc(word, unicode.IsLetter) && strings.Contains(word, ","):
		return 0, s.lines.Faultf(at, "",
			option.Text("%s is no label; if the file is CSV, name it .csv, or use {input-format csv}"), csvtext.Show(word))
	case form == csvtext.Word && strings.Contains(word, ","):
		return 0, s.lines.Faultf(at, "", "the row has several labels, %s; a row is of one class: make a file for each label",
			csvtext.Show(word))
	case form == csvtext.Word || form == csvtext.Huge:
		return 0, s.lines.Faultf(at, "", "the label %s is not a number; write a number for each class", csvtext.Show(word))
	}
	return v, nil
}

// entry reads index:value.
func (s *libsvm) entry(row *sparseRow, at int, word string) error {
	key, value, found := strings.Cut(word, ":")
	if key == "qid" {
		return s.lines.Faultf(at, "", "qid: groups the rows of a ranking, which is not learned here; remove it")
	}
	i, err := strconv.Atoi(key)
	if !found || err != nil && !errors.Is(err, strconv.ErrRange) || i < 0 || key[0] == '+' || key[0] == '-' {
		return s.lines.Faultf(at, "", "%s is not a feature; write index:value, such as 3:0.5", csvtext.Show(word))
	}
	if i > maxIndex {
		return csvtext.Limitf("%s: the index %.64s is larger than %d; number the features anew", Pos{Line: s.lines.Line(),
			Column: at + 1}.In(s.lines.File), key, maxIndex)
	}
	v, form := csvtext.ParseNumber(value)
	if form == csvtext.Word || form == csvtext.Huge {
		return s.lines.Faultf(at+len(key)+1, "f"+key,
			"%s is not a finite number; correct it, or leave the feature out where it is 0", csvtext.Show(value))
	}
	for len(s.stamp) <= i {
		s.stamp = append(s.stamp, 0)
	}
	if s.stamp[i] == row.line {
		return s.lines.Faultf(at, "", "feature %d is given twice in the row; remove one", i)
	}
	s.stamp[i] = row.line
	row.index, row.values = append(row.index, int32(i)), append(row.values, v)
	return nil
}
