package dataset

import (
	"fmt"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// inference is a feature column whose kind is found out while it is read. As long as all
// cells agree they are gathered, as numbers or as numbers of levels; when they do not, the
// column is at fault and only places are noted.
type inference struct {
	at     int // column of the file
	name   string
	forced bool // read as text whatever it holds
	answer bool // so far equal to the label in every row

	cells   gathered
	levels  index
	numeric []bool // by level: it looks like a number that is not written as one

	numbers, texts, marked sightings // marked are those texts that look like numbers
	missing, tiny, rounded int
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

func (s *sightings) note(t *table, at int, cell *Cell) {
	s.count++
	if len(s.first) < 5 {
		s.first = append(s.first, sighting{t.Pos(at), strings.Clone(cell.String())})
	}
}

// String lists the places, each with its cell.
func (s *sightings) String() string {
	parts := make([]string, len(s.first))
	for i, p := range s.first {
		parts[i] = p.at.String() + " " + csvtext.Show(p.cell)
	}
	if s.count > len(parts) {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

func (c *inference) addMissing() {
	c.missing++
	c.cells.add(math.NaN())
}

// add reads a trimmed cell that is not missing.
func (c *inference) add(t *table, cell Cell) error {
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
			c.numbers.note(t, c.at, &cell)
			c.cells.add(v)
			return nil
		}
	}
	return c.addText(t, &cell)
}

func (c *inference) addText(t *table, from *Cell) error {
	if !c.forced {
		c.texts.note(t, c.at, from)
	}
	if c.numbers.count > 0 {
		return nil // mixed: an error in the end
	}
	cell := from.String()
	if len(cell) > MaxName {
		return csvtext.Limitf("%s: column %.64q: a category has more than %d bytes; shorten it, or use %s", t.place(c.at), c.name, MaxName, csvtext.Flag("ignore", c.name, "COL"))
	}
	if c.levels.full(cell) {
		return csvtext.Limitf("%s: column %.64q has more than %d categories; if it names the rows use %s, else %s", t.place(c.at), c.name, MaxLevels, csvtext.Flag("id", c.name, "COL"), csvtext.Flag("ignore", c.name, "COL"))
	}
	level := c.levels.add(cell)
	if level == len(c.numeric) {
		c.numeric = append(c.numeric, !c.forced && csvtext.LooksNumeric(cell))
	}
	if c.numeric[level] {
		c.marked.note(t, c.at, from)
	}
	c.cells.add(float64(level))
	return nil
}

// fault returns what is wrong with the column, with its first place, or "".
func (c *inference) fault() (string, sighting) {
	as := csvtext.Flag("categorical", c.name, "COL") + " or " + csvtext.Flag("ignore", c.name, "COL")
	total := csvtext.Plural(c.numbers.count+c.texts.count, "cell")
	switch {
	case c.numbers.count > 0 && c.texts.count > 0 && csvtext.LooksNumeric(c.texts.first[0].cell):
		return fmt.Sprintf("mixes numbers and what looks like numbers: %d of %s: %s; write all with plain digits and a decimal point",
			c.texts.count, total, c.texts.String()), c.texts.first[0]
	case c.numbers.count > 0 && c.texts.count > c.numbers.count:
		return fmt.Sprintf("mixes numbers and text: %d of %s are numbers: %s; correct them, or use %s",
			c.numbers.count, total, c.numbers.String(), as), c.numbers.first[0]
	case c.numbers.count > 0 && c.texts.count > 0:
		return fmt.Sprintf("mixes numbers and text: %d of %s are not numbers: %s; correct them, or use %s%s",
			c.texts.count, total, c.texts.String(), c.missingFlags(), as), c.texts.first[0]
	case c.marked.count > 0:
		return fmt.Sprintf("%d of %s look like numbers but are not written as such: %s; write them with plain digits and a decimal point, or use %s",
			c.marked.count, total, c.marked.String(), as), c.marked.first[0]
	}
	return "", sighting{}
}

// missingFlags offers to read the words among the numbers as missing, unless they look like
// numbers, which are worth more than that.
func (c *inference) missingFlags() string {
	seen := map[string]bool{}
	text := ""
	for _, p := range c.texts.first {
		if csvtext.LooksNumeric(p.cell) || seen[p.cell] {
			continue
		}
		seen[p.cell] = true
		text += csvtext.Flag("missing", p.cell, "WORD") + " "
	}
	if text == "" {
		return ""
	}
	return strings.TrimSpace(text) + ", "
}

// checkMixed names every column at fault in a single error.
func (tr *training) checkMixed() error {
	var found *ParseError
	var texts []string
	more := 0
	for i := range tr.columns {
		text, at := tr.columns[i].fault()
		switch {
		case text == "":
		case found == nil:
			found = &ParseError{File: tr.file, Line: at.at.Line, Column: at.at.Column, Row: at.at.Row, Field: tr.columns[i].name}
			texts = append(texts, text)
		case len(texts) < 10:
			texts = append(texts, fmt.Sprintf("column %.64q: %s", tr.columns[i].name, text))
		default:
			more++
		}
	}
	if found == nil {
		return nil
	}
	if more > 0 {
		texts = append(texts, fmt.Sprintf("and %s more", csvtext.Plural(more, "column")))
	}
	found.Err = fmt.Errorf("%s", strings.Join(texts, "; "))
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
