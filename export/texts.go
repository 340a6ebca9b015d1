package export

import (
	"maps"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// truths are the texts that people and programs write for true and false.
var truths = []string{"true", "false", "t", "f", "yes", "no", "y", "n", "1", "0"}

// textsOf returns the index of the category that a text names in a column: each category itself, and what is written
// otherwise but means the same, such as TRUE and t for true, and 1.0 for 1. Words for a missing cell name none.
func textsOf(field dataset.Field, missing []string) map[string]int {
	of := make(map[string]int, len(field.Levels))
	for i, level := range field.Levels {
		if level != "" {
			of[level] = i
		}
	}
	add := func(text string) {
		if _, known := of[text]; known {
			return
		}
		if cell, err := field.Cell(text, missing); err == nil && cell == cell {
			of[text] = int(cell)
		}
	}
	for _, text := range truths {
		add(text)
		add(strings.ToUpper(text))
		add(strings.ToUpper(text[:1]) + text[1:])
	}
	for i, level := range field.Levels {
		pointed := level + ".0"
		_, known := of[pointed]
		if !known && spelling.Key(pointed) == level && !slices.Contains(missing, pointed) &&
			!slices.Contains(missing, field.Name+"="+pointed) {
			of[pointed] = i
		}
	}
	return of
}

// sortedTexts are the texts in an order of their own, so that a file is the same each time.
func sortedTexts(of map[string]int) []string { return slices.Sorted(maps.Keys(of)) }
