package dataset

import (
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dressed"
	"github.com/rfpragma/rfpragma/internal/english"
)

// unitsIn returns the units of [Options.Number] by column. The name of a column may have an equals sign in it.
func unitsIn(entries, header []string) map[string]string {
	units := make(map[string]string, len(entries))
	known := make(map[string]bool, len(header))
	for _, name := range header {
		known[name] = true
	}
	for _, entry := range entries {
		column, unit := strings.TrimSpace(entry), dressed.None
		for at := strings.LastIndexByte(column, '='); at > 0 && !known[column]; at = strings.LastIndexByte(column[:at], '=') {
			before, after := strings.TrimSpace(column[:at]), strings.TrimSpace(entry[strings.Index(entry, column[:at])+at+1:])
			if after != "" && (known[before] || strings.IndexByte(column[:at], '=') < 0) {
				column, unit = before, after
				break
			}
		}
		units[column] = unit
	}
	return units
}

// unitWords says what numbers of that unit are, after the word numbers.
func unitWords(unit string) string {
	if unit == "" || unit == dressed.None {
		return ""
	}
	return " in " + english.Quote(unit)
}

// numberFlag is the flag that reads the numbers of a column in that unit.
func numberFlag(column, unit string) string {
	if unit != dressed.None {
		column += "=" + unit
	}
	return csvtext.Flag("number", column, "COLUMN=UNIT")
}

// dressOf says what the numbers of a column wear that is read as categories; ok is false where they are none.
func (c *Column) dressOf() (d dressed.Dress, ok bool) {
	if c.Kind != Categorical {
		return d, false
	}
	return dressed.Of(c.Levels)
}

// dressText says that numbers are taken as categories, and how to have them read.
func dressText(column string, d dressed.Dress) string {
	if d.Pairs {
		return columnText(column, "two numbers in each cell are taken as one category; write them into two columns")
	}
	if d.Times {
		return columnText(column, "times of day or durations are taken as categories; read them as minutes with %s",
			numberFlag(column, d.Unit))
	}
	if d.Mixed {
		return columnText(column, "numbers with %s, are taken as categories; write all in one unit", d.Words)
	}
	if d.Unit == "" {
		return columnText(column, "numbers with %s are taken as categories; write them as bare numbers", d.Words)
	}
	return columnText(column, "numbers with %s are taken as categories; read them as numbers with %s", d.Words,
		numberFlag(column, d.Unit))
}

// dressFlag is the flag that reads the numbers among which are those texts, "" where they wear nothing, or not the
// same.
func (m *mixture) dressFlag() string {
	unit := ""
	for _, p := range m.texts.first {
		of, ok := dressed.Unit(p.cell)
		if !ok || unit != "" && unit != of {
			return ""
		}
		unit = of
	}
	if unit == "" {
		return ""
	}
	return numberFlag(m.name, unit)
}
