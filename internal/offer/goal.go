package offer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/rfpragma/rfpragma/pragma"
)

// FigureText formats a value of the figure like the limit. If that is a number of so many rows, or a percentage,
// the value is in the same unit: a whole number from 10 on, two digits below, and one below 1, or more digits where
// rounding would hide on which side of the limit it is.
func FigureText(f pragma.Floor, value float64) string {
	whole, unit := f.Unit()
	limit, n := float64(f.Limit*whole), float64(value*whole)
	forms := []string{"%.2g", "%.3g", "%.4g"}
	switch {
	case unit == "":
		forms = forms[2:]
	case n >= 10:
		forms[0] = "%.0f"
	case n < 1 && unit != "%":
		forms = append([]string{"%.1g"}, forms...)
	}
	text := ""
	for _, form := range forms {
		text = fmt.Sprintf(form, n)
		if shown, err := strconv.ParseFloat(text, 64); err == nil && cmp.Compare(shown, limit) == cmp.Compare(n, limit) {
			break
		}
	}
	return text + unit
}

// CostName is the name of a measure that is the mean cost of a row.
const CostName = "cost"

// FloorTexts returns floors in the form that [ParseFloor] reads.
func FloorTexts(floors []pragma.Floor, classes []string) []string {
	var texts []string
	for _, f := range floors {
		texts = append(texts, f.Text(classes))
	}
	return texts
}

// Curved is the measure by the curved surface of a preference, by which much of one of recall and precision does
// not make up for little of the other, see [Spec.Shaped].
const Curved = "pragma:s=-1"

// Curvable tells whether [Curved] can be asked for in the place of the plane: no class has an x or y of 0.
func Curvable(g *pragma.Goal) bool {
	return g.Name == "pragma" && !slices.ContainsFunc(g.Preferences, func(f pragma.Preference) bool {
		return f.X == 0 ||
			f.Y == 0
	})
}
