package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dressed"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// mixture counts the cells of a column that are numbers and those that are not, among these those that say "less" or
// "more" of a number.
type mixture struct {
	name                     string
	numbers, texts, censored sightings
}

// noteText notes a cell that is no number, in that column of the table.
func (m *mixture) noteText(t *table, at int, cell *Cell) {
	m.texts.note(t, at, cell)
	if isCensored(cell.text) {
		m.censored.note(t, at, cell)
	}
}

// merge adds the cells of a part.
func (m *mixture) merge(part *mixture) {
	m.numbers.merge(&part.numbers)
	m.texts.merge(&part.texts)
	m.censored.merge(&part.censored)
}

func (m *mixture) clear() {
	m.numbers.clear()
	m.texts.clear()
	m.censored.clear()
}

// notNumbers says which of so many cells are no numbers. Why is what else is to be said of that.
func (m *mixture) notNumbers(total, why string) string {
	return fmt.Sprintf("%d of %s %s%s: %s", m.texts.count, total, english.Verb(m.texts.count, "is not a number",
		"are not numbers"), why, &m.texts)
}

// cure says how what is no number becomes one, in a file with that decimal mark, or by which flags the column can be
// read otherwise.
func (m *mixture) cure(decimal byte, flags ...string) string {
	first, them := m.texts.first[0].cell, english.Verb(m.texts.count, "it", "them")
	switch {
	case m.censored.count > 0:
		return m.uncensoring(decimal, flags)
	case csvtext.LooksNumeric(first):
		return m.rewriting(decimal, them)
	case isDressed(first):
		return "write " + them + " as " + english.Verb(m.texts.count, "a bare number", "bare numbers") + orUse(nil, flags)
	}
	text := "correct " + them
	switch {
	case m.texts.has(isTotal):
		text = "remove a line that is the total of others, else " + text
	case m.texts.has(m.isName):
		text = "remove a line that repeats the names of the columns, else " + text
	case m.texts.count == 1 && m.numbers.count > 1 && m.texts.first[0].at.Line == 2 && !missingWords[first]:
		text = "remove line 2 if it is a second line of names or of units, else " + text
	}
	return text + orUse(m.missingFlags(), flags) + m.decimalHint(decimal)
}

// uncensoring is the cure where there are censored numbers, maybe beside other cells.
func (m *mixture) uncensoring(decimal byte, flags []string) string {
	text, hint := uncensoring(decimal, m.censored.first)
	missing := m.missingFlags()
	switch {
	case m.texts.has(csvtext.LooksNumeric):
		text += "; " + m.rewriting(decimal, "other numbers")
		if missing != nil {
			text += "; for words use " + strings.Join(missing, " ")
		}
		return text
	case m.texts.count > m.censored.count:
		text += "; correct the other cells" + orUse(missing, flags)
	case flags != nil && m.dressFlag() != "":
		text += ", or use " + m.dressFlag()
	}
	return text + hint
}

// isDressed tells whether a cell is a number that wears something.
func isDressed(cell string) bool {
	_, ok := dressed.Unit(cell)
	return ok
}

// unitCure says how cells become numbers of a unit.
func (m *mixture) unitCure(decimal byte) string {
	them := english.Verb(m.texts.count, "it", "them")
	if isDressed(m.texts.first[0].cell) {
		return "convert " + them + option.Text(", or correct the unit of {number}")
	}
	return "correct " + them + orUse(m.missingFlags(), nil) + m.decimalHint(decimal)
}

// hasCensored reports whether among the words there are censored numbers, and none that only look like numbers.
func (m *mixture) hasCensored() bool {
	return m.censored.count > 0 && !m.texts.has(csvtext.LooksNumeric)
}

// orUse goes on with flags, the missing ones in one step.
func orUse(missing, flags []string) string {
	if missing != nil {
		flags = append([]string{strings.Join(missing, " ")}, flags...)
	}
	if flags == nil {
		return ""
	}
	return ", or use " + strings.Join(flags, ", ")
}

// rewriting says how what looks like numbers becomes numbers: it, or them.
func (m *mixture) rewriting(decimal byte, them string) string {
	switch {
	case m.decimalComma(decimal):
		return csvtext.DecimalCure() + "; else write " + them + " with plain digits and a decimal point"
	case decimal == ',':
		return "write " + them + option.Text(
			" with plain digits and a decimal comma, or leave {decimal} out where the mark is a point")
	}
	return "write " + them + " with plain digits and a decimal point"
}

// decimalHint is what a mixture of words and numbers with a comma needs beside, "" for nothing.
func (m *mixture) decimalHint(decimal byte) string {
	if m.decimalComma(decimal) {
		return "; " + csvtext.DecimalCure()
	}
	return ""
}

// decimalComma reports whether the numbers of the column seem to have a decimal comma, unknown so
// far: some have one, and none has a point.
func (m *mixture) decimalComma(decimal byte) bool {
	point := func(cell string) bool { return strings.Contains(cell, ".") && csvtext.LooksNumeric(cell) }
	return decimal != ',' && m.texts.has(csvtext.HasDecimalComma) && !m.numbers.has(point) && !m.texts.has(point)
}

// numberFlag is the flag to read the number among words as missing, if there is but one, in few cells; else "".
func (m *mixture) numberFlag() string {
	number := m.numbers.first[0].cell
	if m.numbers.count > mostSightings || m.numbers.has(func(cell string) bool { return cell != number }) {
		return ""
	}
	return csvtext.Flag("missing", m.name+"="+number, "COLUMN=NUMBER")
}

// isTotal tells whether a word, in English or German, may begin a line that adds up others: as missing it would make
// a row of it.
func isTotal(word string) bool {
	return slices.Contains([]string{"total", "totals", "grand total", "subtotal", "sum", "summe", "gesamt", "gesamtsumme",
		"zwischensumme"}, strings.ToLower(strings.Trim(word, ": ")))
}

// isName tells whether a cell is the name of its column, as where a line of names stands amid the rows.
func (m *mixture) isName(cell string) bool { return cell == m.name }

// missingFlags offer to read the words among the numbers as missing, unless they look like
// numbers, with a unit or without, or censored ones, which are worth more than that, or like those of totals or
// names. Several different ones with digits in them are numbers written in some other way.
func (m *mixture) missingFlags() []string {
	var flags []string
	for _, p := range m.texts.first {
		flag := missingFlag(m.name, p.cell)
		value := csvtext.LooksNumeric(p.cell) || isDressed(p.cell)
		if !value && !isTotal(p.cell) && !m.isName(p.cell) && !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	if len(flags) > 2 && !m.texts.has(func(cell string) bool { return !strings.ContainsAny(cell, "0123456789") }) {
		return nil
	}
	return flags
}
