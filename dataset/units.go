package dataset

import (
	"regexp"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// measure is a number with a unit in letters behind it, such as 73 mg.
var measure = regexp.MustCompile(`^(\S+)[ \x{a0}]([\p{L}°µ]+(?:/[\p{L}°]+)?[²³]?)$`)

// isMeasure tells whether a cell is a number with a unit in letters.
func isMeasure(cell string) bool {
	parts := measure.FindStringSubmatch(cell)
	return parts != nil && csvtext.LooksNumeric(parts[1])
}

// unitOf says what makes numbers of nearly all levels no numbers: the sign of a currency or of percent; or of all of
// them the same unit in letters, or brackets. "" where nothing does. A unit that differs, such as year and years, or
// is not of all, is that of names of classes.
func unitOf(levels []string) string {
	signs, brackets, unit := 0, 0, ""
	for i, level := range levels {
		if csvtext.HasUnit(level) {
			signs++
		}
		if inside, ok := strings.CutPrefix(level, "("); ok && csvtext.LooksNumeric(strings.TrimSuffix(inside, ")")) &&
			strings.HasSuffix(inside, ")") {
			brackets++
		}
		parts := measure.FindStringSubmatch(level)
		switch {
		case parts == nil || !csvtext.LooksNumeric(parts[1]), i > 0 && parts[2] != unit:
			unit = ""
		case i == 0:
			unit = parts[2]
		}
	}
	n := len(levels)
	switch {
	case signs > 0 && 10*signs >= 9*n:
		return "a currency or % sign"
	case n > 1 && brackets == n:
		return "brackets"
	case n > 1 && unit != "":
		return "the unit " + english.Quote(unit)
	}
	return ""
}

func unitsText(column, unit string) string {
	return columnText(column, "numbers with %s are taken as categories; write them as bare numbers", unit)
}
