package view

import "github.com/rfpragma/rfpragma/internal/english"

// lossUnit names a loss by a measure, with the rows that it is of, and shows losses so, side by side.
func lossUnit(measure string, amounts bool) (label string, show func(losses ...float64) []string) {
	perThousand := func(losses ...float64) []string {
		scaled := make([]float64, len(losses))
		for i, x := range losses {
			scaled[i] = 1000 * x
		}
		return english.Sums(scaled...)
	}
	switch {
	case measure == "cost" && amounts:
		return "cost of all rows", english.Sums
	case measure == "cost":
		return "cost per 1,000 rows", perThousand
	case measure == "accuracy":
		return "errors per 1,000 rows", perThousand
	}
	return "loss by " + measure + " (0 is best)", func(losses ...float64) []string {
		texts := make([]string, len(losses))
		for i, x := range losses {
			texts[i] = english.Fixed(x, 3)
		}
		return texts
	}
}

// endsBy shows the ends of an interval; "" where there is none.
func endsBy(show func(...float64) []string, interval *[2]float64) string {
	if interval == nil {
		return ""
	}
	texts := show(interval[0], interval[1])
	return texts[0] + "–" + texts[1]
}
