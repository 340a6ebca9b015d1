package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/predictions"
)

// labelInfo counts the rows of a label that is of a class with others.
type labelInfo struct {
	Label string `json:"label"` // as the file has it
	Rows  int    `json:"rows"`  // number of its rows
}

// MergedLabels returns the labels that became a class by --merge-labels, nil where none did, and its own name first
// where rows have it.
func MergedLabels(f *dataset.Frame, class string) []labelInfo {
	from := f.Reading.Merge[class]
	if from == nil {
		return nil
	}
	rows, c := map[string]int{}, slices.Index(f.Classes, class)
	for i, truth := range f.Truth {
		if truth == c {
			rows[predictions.FileLabel(f, i)]++
		}
	}
	if rows[class] > 0 && !slices.Contains(from, class) {
		from = append([]string{class}, from...)
	}
	labels := make([]labelInfo, len(from))
	for i, label := range from {
		labels[i] = labelInfo{label, rows[label]}
	}
	return labels
}

// foundLabel counts the rows of a label that are judged, and those that are found.
type foundLabel struct {
	name        string
	rows, found int
}

// MergedWords says of each class that several labels became, how many rows each of them has, and of one that the
// file writes otherwise, how.
func MergedWords(f *dataset.Frame) []string {
	var lines []string
	for _, class := range f.Classes {
		var parts []string
		labels := MergedLabels(f, class)
		for _, l := range labels {
			parts = append(parts, fmt.Sprintf("%q (%d)", l.Label, l.Rows))
		}
		what := english.Verb(len(parts), "the label", "the labels")
		if !slices.ContainsFunc(labels, func(l labelInfo) bool { return !strings.EqualFold(l.Label, class) }) {
			what = "written in the file as"
		}
		if parts != nil {
			lines = append(lines, layout.Printable(fmt.Sprintf("Class %q: %s %s", class, what, strings.Join(parts, ", "))))
		}
	}
	return lines
}
