package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
)

// labelInfo counts the rows of a label that is of a class with others.
type labelInfo struct {
	Label string `json:"label"` // as the file has it
	Rows  int    `json:"rows"`  // number of its rows
}

// mergedLabels returns the labels that became a class by --merge-labels, nil where none did, and its own name first where rows have it.
func mergedLabels(f *dataset.Frame, class string) []labelInfo {
	from := f.Reading.Merge[class]
	if from == nil {
		return nil
	}
	rows, c := map[string]int{}, slices.Index(f.Classes, class)
	for i, truth := range f.Truth {
		switch {
		case truth != c:
		case f.Merged == nil || f.Merged[i] == "":
			rows[class]++
		default:
			rows[f.Merged[i]]++
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

// mergedWords says of each class that several labels became, how many rows each of them has.
func mergedWords(f *dataset.Frame) []string {
	var lines []string
	for _, class := range f.Classes {
		var parts []string
		for _, l := range mergedLabels(f, class) {
			parts = append(parts, fmt.Sprintf("%q (%d)", l.Label, l.Rows))
		}
		if parts != nil {
			lines = append(lines, printable(fmt.Sprintf("Class %q: the labels %s", class, strings.Join(parts, ", "))))
		}
	}
	return lines
}
