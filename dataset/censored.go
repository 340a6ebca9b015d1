package dataset

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/option"
)

// censored returns the number of a cell that says that a value is below it (low) or above, as laboratories write
// "<0.05" for what is too little to be measured; "" where the cell says nothing of the kind.
func censored(cell string) (number string, low bool) {
	if cell == "" || strings.IndexByte("<>\xe2", cell[0]) < 0 { // nearly all cells
		return "", false
	}
	for _, sign := range []string{"<=", ">=", "<", ">", "≤", "≥"} {
		rest, found := strings.CutPrefix(cell, sign)
		if !found {
			continue
		}
		rest = strings.TrimSpace(rest)
		if csvtext.LooksNumeric(rest) {
			return rest, sign[0] == '<' || sign == "≤"
		}
		return "", false
	}
	return "", false
}

func isCensored(cell string) bool {
	number, _ := censored(cell)
	return number != ""
}

// uncensoring says what to write for the first of the cells that are low, and for the first that are high, and, ""
// for nothing, what the decimal mark of their numbers needs beside in a file with that one.
func uncensoring(decimal byte, cells []sighting) (text, hint string) {
	var low, high string
	for i := range cells {
		cell := cells[i].cell
		switch number, below := censored(cell); {
		case below && low == "":
			low = fmt.Sprintf("%s as %.64s (or half of it)", csvtext.Show(cell), number)
			hint = csvtext.DecimalHint(number, decimal)
		case !below && number != "" && high == "":
			high = fmt.Sprintf("%s as %.64s", csvtext.Show(cell), number)
			hint = csvtext.DecimalHint(number, decimal)
		}
	}
	switch {
	case high == "":
		return "write " + low + option.Text(", as {missing} would lose that the value is low"), hint
	case low == "":
		return "write " + high + option.Text(", as {missing} would lose that the value is high"), hint
	}
	return "write " + low + " and " + high + option.Text(", as {missing} would lose that the values are low and high"),
		hint
}
