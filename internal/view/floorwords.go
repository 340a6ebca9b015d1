package view

import (
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
)

// FloorText shows a value of the figure of a floor in the form of its limit.
func FloorText(f pragma.Floor, value float64) string {
	if strings.Contains(f.Typed, "/") {
		return offer.FigureText(f, value)
	}
	return english.Beside(value, f.Limit, 1)
}
