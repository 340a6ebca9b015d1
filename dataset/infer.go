package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// inference is a feature column whose kind is found out while it is read. As long as all
// cells agree they are gathered, as numbers or as numbers of levels; when they do not, the
// column is at fault and only places are noted.
type inference struct {
	at     int // column of the file
	name   string
	forced bool // read as text whatever it holds
	answer bool // so far equal to the label in every row

	cells   gathered  // of all rows so far,
	values  []float64 // or of those of a part
	levels  index
	firsts  []first // of a part: where each level stands first
	numeric []bool  // by level: it looks like a number that is not written as one

	numbers, texts   sightings
	marked, censored sightings // those texts that look like numbers, and those that say "less" or "more" of one

	missing, tiny, rounded int
}

// first is where something stands first in a part.
type first struct {
	row int // of the part
	pos Pos
}

// sightings counts cells of one sort and keeps the first five.
type sightings struct {
	count int
	first []sighting
}

type sighting struct {
	at   Pos
	cell string
}

// mostSightings is how many cells are shown in a message.
const mostSightings = 5

func (s *sightings) note(t *table, at int, cell *Cell) {
	s.count++
	if len(s.first) < mostSightings {
		s.first = append(s.first, sighting{t.Pos(at), strings.Clone(cell.String())})
	}
}

// merge adds what was seen in a part.
func (s *sightings) merge(p *sightings) {
	s.count += p.count
	s.first = append(s.first, p.first[:min(len(p.first), mostSightings-len(s.first))]...)
}

func (s *sightings) clear() { *s = sightings{first: s.first[:0]} }

// String lists the cells, each with the lines it stands in.
func (s *sightings) String() string {
	var cells []string
	lines := map[string][]string{}
	for _, p := range s.first {
		if lines[p.cell] == nil {
			cells = append(cells, p.cell)
		}
		lines[p.cell] = append(lines[p.cell], strconv.Itoa(max(p.at.Line, p.at.Row)))
	}
	parts := make([]string, len(cells))
	for i, cell := range cells {
		unit := "line"
		if s.first[0].at.Row > 0 {
			unit = "row"
		}
		if len(lines[cell]) > 1 {
			unit += "s"
		}
		parts[i] = fmt.Sprintf("%s in %s %s", csvtext.Show(cell), unit, strings.Join(lines[cell], ", "))
	}
	if s.count > len(s.first) {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

// any reports whether one of the first cells is such.
func (s *sightings) any(such func(cell string) bool) bool {
	return slices.ContainsFunc(s.first, func(p sighting) bool { return such(p.cell) })
}

// begin makes c the column of an empty part.
func (c *inference) begin(at int, name string, forced bool) {
	c.at, c.name, c.forced, c.answer = at, name, forced, true
	c.values, c.firsts, c.numeric = c.values[:0], c.firsts[:0], c.numeric[:0]
	c.levels.clear()
	c.numbers.clear()
	c.texts.clear()
	c.marked.clear()
	c.censored.clear()
	c.missing, c.tiny, c.rounded = 0, 0, 0
}

func (c *inference) addMissing() {
	c.missing++
	c.values = append(c.values, math.NaN())
}

// add reads a trimmed cell that is not missing, in a row of a part.
func (c *inference) add(t *table, cell *Cell, row int) error {
	if !c.forced {
		v, form := cell.value()
		switch form {
		case csvtext.Huge:
			return t.faultf(c.at, "%s is too large for a number; correct it, or use %s or %s", csvtext.Show(cell.String()), csvtext.Flag("categorical", c.name, "COL"), csvtext.Flag("ignore", c.name, "COL"))
		case csvtext.Tiny:
			c.tiny++
		case csvtext.Rounded:
			c.rounded++
		}
		if form != csvtext.Word {
			c.numbers.note(t, c.at, cell)
			c.values = append(c.values, v)
			return nil
		}
		c.noteText(t, cell)
	}
	if c.numbers.count > 0 {
		return nil // mixed: an error in the end
	}
	level, isNew := c.levels.add(cell.String())
	if isNew {
		c.firsts = append(c.firsts, first{row, t.Pos(c.at)})
		c.numeric = append(c.numeric, !c.forced && csvtext.LooksNumeric(c.levels.names[level]))
	}
	if c.numeric[level] {
		c.marked.note(t, c.at, cell)
	}
	c.values = append(c.values, float64(level))
	return nil
}

// merge adds the cells of a part.
func (c *inference) merge(p *inference, file string) clash {
	c.answer = c.answer && p.answer
	c.missing += p.missing
	c.tiny += p.tiny
	c.rounded += p.rounded
	mixed := c.numbers.count > 0
	c.numbers.merge(&p.numbers)
	c.texts.merge(&p.texts)
	c.marked.merge(&p.marked)
	c.censored.merge(&p.censored)
	if !mixed {
		if fault := c.mergeLevels(p, file); fault.err != nil {
			return fault
		}
	}
	if c.numbers.count == 0 || c.texts.count == 0 {
		c.cells.add(p.values)
	}
	return clash{}
}

// take adds a single cell, a part of its own, for which one is room.
func (c *inference) take(t *table, cell *Cell, one *inference) error {
	one.begin(c.at, c.name, c.forced)
	if err := one.add(t, cell, 0); err != nil {
		return err
	}
	return c.merge(one, t.file).err
}

// mergeLevels adds the levels of a part, and numbers its cells by those of c.
func (c *inference) mergeLevels(p *inference, file string) clash {
	number := make([]float64, len(p.levels.names))
	for i, level := range p.levels.names {
		at := p.firsts[i]
		if len(level) > MaxName {
			return clash{at.row, csvtext.Limitf("%s: column %.64q: a category has more than %d bytes; shorten it, or use %s", at.pos.In(file), c.name, MaxName, csvtext.Flag("ignore", c.name, "COL"))}
		}
		if c.levels.full(level) {
			return clash{at.row, csvtext.Limitf("%s: column %.64q has more than %d categories; if it names the rows use %s, else %s", at.pos.In(file), c.name, MaxLevels, csvtext.Flag("id", c.name, "COL"), csvtext.Flag("ignore", c.name, "COL"))}
		}
		number[i] = float64(c.levels.keep(level))
	}
	if len(number) > 0 && p.numbers.count == 0 {
		for i, level := range p.values {
			if level == level {
				p.values[i] = number[int(level)]
			}
		}
	}
	return clash{}
}

// fault returns what is wrong with the column of a file with that decimal mark, with its first
// place, or "".
func (c *inference) fault(decimal byte) (string, sighting) {
	as := csvtext.Flag("categorical", c.name, "COL") + " or " + csvtext.Flag("ignore", c.name, "COL")
	total := english.Plural(c.numbers.count+c.texts.count, "cell")
	mixed := c.numbers.count > 0 && c.texts.count > 0
	switch {
	case mixed && c.censored.count > 0 && !c.texts.any(csvtext.LooksNumeric):
		return c.censoredFault(decimal, total, as), c.censored.first[0]
	case mixed && csvtext.LooksNumeric(c.texts.first[0].cell):
		return fmt.Sprintf("mixes numbers and what looks like numbers: %d of %s: %s; %s",
			c.texts.count, total, c.texts.String(), c.rewriting(decimal)), c.texts.first[0]
	case mixed && csvtext.HasUnit(c.texts.first[0].cell):
		return fmt.Sprintf("mixes bare numbers and numbers with a currency or %% sign: %d of %s: %s; write them as bare numbers, or use %s",
			c.texts.count, total, c.texts.String(), as), c.texts.first[0]
	case mixed && c.texts.count > c.numbers.count && !c.decimalComma(decimal):
		if flag := c.numberFlag(); flag != "" {
			as = flag + ", " + as
		}
		return fmt.Sprintf("mixes numbers and text: %d of %s %s: %s; correct %s, or use %s",
			c.numbers.count, total, english.Verb(c.numbers.count, "is a number", "are numbers"), c.numbers.String(), english.Verb(c.numbers.count, "it", "them"), as), c.numbers.first[0]
	case mixed:
		return fmt.Sprintf("mixes numbers and text: %d of %s %s: %s; correct %s, or use %s%s%s",
			c.texts.count, total, english.Verb(c.texts.count, "is not a number", "are not numbers"), c.texts.String(), english.Verb(c.texts.count, "it", "them"), c.missingFlags(), as, c.decimalHint(decimal)), c.texts.first[0]
	case c.marked.count > 0:
		return fmt.Sprintf("%d of %s %s: %s; %s, or use %s",
			c.marked.count, total, english.Verb(c.marked.count, "looks like a number but is not written as one", "look like numbers but are not written as such"), c.marked.String(), c.rewriting(decimal), as), c.marked.first[0]
	}
	return "", sighting{}
}

// rewriting says how what looks like numbers becomes numbers.
func (c *inference) rewriting(decimal byte) string {
	switch {
	case c.decimalComma(decimal):
		return csvtext.DecimalCure + "; else write them with plain digits and a decimal point"
	case decimal == ',':
		return "write them with plain digits and a decimal comma, or leave --decimal out where they have a point"
	}
	return "write them with plain digits and a decimal point"
}

// decimalHint is what a mixture of words and numbers with a comma needs beside, "" for nothing.
func (c *inference) decimalHint(decimal byte) string {
	if c.decimalComma(decimal) {
		return "; " + csvtext.DecimalCure
	}
	return ""
}

// decimalComma reports whether the numbers of the column seem to have a decimal comma, unknown so
// far: some have one, and none has a point.
func (c *inference) decimalComma(decimal byte) bool {
	point := func(cell string) bool { return strings.Contains(cell, ".") && csvtext.LooksNumeric(cell) }
	return decimal != ',' && c.texts.any(csvtext.HasDecimalComma) && !c.numbers.any(point) && !c.texts.any(point)
}

// numberFlag is the flag to read the number among words as missing, if there is but one, in few cells; else "".
func (c *inference) numberFlag() string {
	number := c.numbers.first[0].cell
	if c.numbers.count > mostSightings || c.numbers.any(func(cell string) bool { return cell != number }) {
		return ""
	}
	return csvtext.Flag("missing", c.name+"="+number, "COLUMN=NUMBER")
}

// missingFlags offers to read the words among the numbers as missing, unless they look like
// numbers, or censored ones, which are worth more than that.
func (c *inference) missingFlags() string {
	seen := map[string]bool{}
	text := ""
	for _, p := range c.texts.first {
		if csvtext.LooksNumeric(p.cell) || csvtext.HasUnit(p.cell) || isCensored(p.cell) || seen[p.cell] {
			continue
		}
		seen[p.cell] = true
		text += missingFlag(c.name, p.cell) + " "
	}
	if text == "" {
		return ""
	}
	return strings.TrimSpace(text) + ", "
}

// checkMixed says of the first column at fault what is wrong, and names the others.
func (tr *training) checkMixed() error {
	var found *ParseError
	var others []string
	for i := range tr.columns {
		c := &tr.columns[i]
		switch text, first := c.fault(tr.o.Decimal); {
		case text == "":
		case found == nil:
			at := first.at
			found = &ParseError{File: tr.file, Line: at.Line, Column: at.Column, Row: at.Row, Field: c.name, Err: errors.New(text)}
		default:
			others = append(others, c.name)
		}
	}
	switch {
	case found == nil:
		return nil
	case others != nil:
		found.Err = fmt.Errorf("%w; %s at fault, too, %s: rfpragma inspect tells of each", found.Err, are(len(others), "more column"), nearest.List(others))
	}
	return found
}

// column returns what was read, with the levels sorted, and lets go of it.
func (c *inference) column(r *Coder) Column {
	codes := c.cells.codes(r)
	field, rank := c.field()
	if field.Kind == Numeric {
		return Column{Field: field, Codes: codes}
	}
	// Every level occurs and [MaxLevels] fit into narrow codes, so level l has the code l+1.
	for i, code := range codes.Narrow {
		if code > 0 {
			codes.Narrow[i] = uint16(rank[code-1]) + 1
		}
	}
	codes.Distinct = Numbers{}
	return Column{Field: field, Codes: codes}
}
