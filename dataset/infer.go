package dataset

import (
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
	mixture
	at     int    // column of the file
	forced bool   // read as text whatever it holds
	unit   string // of numbers that wear something; "" for others
	answer bool   // so far equal to the label in every row

	cells   gathered  // of all rows so far,
	values  []float64 // or of those of a part
	levels  index
	firsts  []first // of a part: where each level stands first
	numeric []bool  // by level: it looks like a number that is not written as one

	marked sightings // texts that look like numbers, where there are no others

	missing, tiny, rounded int
	points                 thousands
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

// has reports whether one of the first cells is such.
func (s *sightings) has(such func(cell string) bool) bool {
	return slices.ContainsFunc(s.first, func(p sighting) bool { return such(p.cell) })
}

// begin makes c the column of an empty part.
func (c *inference) begin(at int, name, unit string, forced bool) {
	c.at, c.name, c.unit, c.forced, c.answer = at, name, unit, forced, true
	c.values, c.firsts, c.numeric = c.values[:0], c.firsts[:0], c.numeric[:0]
	c.levels.clear()
	c.clear() // the mixture
	c.marked.clear()
	c.missing, c.tiny, c.rounded, c.points = 0, 0, 0, thousands{}
}

func (c *inference) addMissing() {
	c.missing++
	c.values = append(c.values, math.NaN())
}

// add reads a trimmed cell that is not missing, in a row of a part.
func (c *inference) add(t *table, cell *Cell, row int) error {
	if !c.forced {
		v, form := cell.numberIn(c.unit)
		switch form {
		case csvtext.Huge:
			return t.faultf(c.at, "%s is too large for a number; correct it, or use %s or %s", csvtext.Show(cell.String()),
				csvtext.Flag("categorical", c.name, "COL"), csvtext.Flag("ignore", c.name, "COL"))
		case csvtext.Tiny:
			c.tiny++
		case csvtext.Rounded:
			c.rounded++
		}
		if form != csvtext.Word {
			c.numbers.note(t, c.at, cell)
			if c.unit == "" {
				c.points.note(cell.text, v)
			}
			c.values = append(c.values, v)
			return nil
		}
		c.noteText(t, c.at, cell)
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
	c.points.merge(p.points)
	mixed := c.numbers.count > 0
	c.mixture.merge(&p.mixture)
	c.marked.merge(&p.marked)
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
	one.begin(c.at, c.name, c.unit, c.forced)
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
		if len(level) > maxName {
			return clash{at.row, csvtext.Limitf("%s: column %s: a category has more than %d bytes; shorten it, or use %s",
				at.pos.In(file), english.Quote(c.name), maxName, csvtext.Flag("ignore", c.name, "COL"))}
		}
		if c.levels.full(level) {
			return clash{at.row, csvtext.Limitf(
				"%s: column %s has more than %d categories; if it names the rows use %s, else %s", at.pos.In(file),
				english.Quote(c.name), maxLevels, csvtext.Flag("id", c.name, "COL"), csvtext.Flag("ignore", c.name, "COL"))}
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

// fault returns what is wrong with the column of a file with that decimal mark, or "", and the cells that are.
func (c *inference) fault(decimal byte) (string, *sightings) {
	as := csvtext.Flag("categorical", c.name, "COL") + " or " + csvtext.Flag("ignore", c.name, "COL")
	total := english.Plural(c.numbers.count+c.texts.count, "cell")
	list := func(cells *sightings) string { return fmt.Sprintf("%d of %s: %s; ", cells.count, total, cells) }
	mixed := c.numbers.count > 0 && c.texts.count > 0
	if wears := c.dressFlag(); wears != "" && c.unit == "" {
		as = wears + ", " + as
	}
	switch {
	case c.unit != "" && c.texts.count > 0:
		return c.notNumbers(total, unitWords(c.unit)) + "; " + c.unitCure(decimal), &c.texts
	case mixed && c.hasCensored():
		return "mixes numbers and what is below or above a number: " + list(&c.censored) + c.cure(decimal, as), &c.censored
	case mixed && csvtext.LooksNumeric(c.texts.first[0].cell):
		return "mixes numbers and what looks like numbers: " + list(&c.texts) + c.cure(decimal, as), &c.texts
	case mixed && c.censored.count == 0 && isDressed(c.texts.first[0].cell):
		return "mixes bare numbers and numbers with a unit or a sign: " + list(&c.texts) + c.cure(decimal, as), &c.texts
	case mixed && c.censored.count == 0 && c.texts.count > c.numbers.count && !c.decimalComma(decimal):
		if flag := c.numberFlag(); flag != "" {
			as = flag + ", " + as
		}
		return fmt.Sprintf("mixes numbers and text: %d of %s %s: %s; correct %s, or use %s",
			c.numbers.count, total, english.Verb(c.numbers.count, "is a number", "are numbers"), &c.numbers,
			english.Verb(c.numbers.count, "it", "them"), as), &c.numbers
	case mixed:
		return "mixes numbers and text: " + c.notNumbers(total, "") + "; " + c.cure(decimal, as), &c.texts
	case c.marked.count > 0:
		return fmt.Sprintf("%d of %s %s: %s; %s, or use %s",
			c.marked.count, total, english.Verb(c.marked.count, "looks like a number but is not written as one",
				"look like numbers but are not written as such"), &c.marked,
			c.rewriting(decimal, english.Verb(c.marked.count, "it", "them")), as), &c.marked
	}
	return "", nil
}

// checkMixed says of the first column at fault what is wrong, and names the others.
func (tr *training) checkMixed() error {
	var found []columnFault
	for i := range tr.columns {
		if text, cells := tr.columns[i].fault(tr.o.Decimal); text != "" {
			found = append(found, columnFault{tr.columns[i].name, text, cells})
		}
	}
	return tr.columnsFault(found, func(others []columnFault) string {
		var names []string
		for _, c := range others {
			names = append(names, c.name)
		}
		return nearest.List(names) + ": rfpragma inspect shows the flags that mend them all"
	})
}

// column returns what was read, with the levels sorted, and lets go of it.
func (c *inference) column(r *Coder) Column {
	codes := c.cells.codes(r)
	field, rank := c.field()
	if field.Kind == Numeric {
		return Column{Field: field, Codes: codes}
	}
	// Every level occurs and maxLevels fit into narrow codes, so level l has the code l+1.
	for i, code := range codes.Narrow {
		if code > 0 {
			codes.Narrow[i] = uint16(rank[code-1]) + 1
		}
	}
	codes.Distinct = Numbers{}
	return Column{Field: field, Codes: codes}
}
