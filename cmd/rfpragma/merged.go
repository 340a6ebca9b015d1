package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
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
		if truth == c {
			rows[fileLabel(f, i)]++
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

// mergesOf returns the labels that rows have, by the class that they became.
func mergesOf(f *dataset.Frame) map[string][]string {
	merges := map[string][]string{}
	for class := range f.Reading.Merge {
		for _, l := range mergedLabels(f, class) {
			if l.Rows > 0 {
				merges[class] = append(merges[class], l.Label)
			}
		}
		if slices.Equal(merges[class], []string{class}) {
			delete(merges, class)
		}
	}
	return merges
}

// fileLabel is the label of a row as the file has it; "" where there is none.
func fileLabel(f *dataset.Frame, row int) string {
	if f.Merged != nil && f.Merged[row] != "" {
		return f.Merged[row]
	}
	return labelOf(f, row)
}

// foundLabel counts the rows of a label that are judged, and those that are found.
type foundLabel struct {
	name        string
	rows, found int
}

// decidedRows puts decisions of judged rows, in their order, beside all rows of a frame, as [foundLabels] takes them. It is nil where rows with a label are not judged, as they weigh nothing.
func decidedRows(f *dataset.Frame, judged []int) []int {
	decided, at := slices.Repeat([]int{-1}, f.Rows()), 0
	for i, truth := range f.Truth {
		switch {
		case truth < 0:
			continue
		case at == len(judged):
			return nil
		}
		decided[i] = judged[at]
		at++
	}
	if at < len(judged) {
		return nil
	}
	return decided
}

// foundLabels counts the judged rows of each label, by class, of the classes that several labels became. Decided is by row, -1 of one that is not judged, or nil.
func foundLabels(f *dataset.Frame, decided []int) [][]foundLabel {
	rows, found := map[string]int{}, map[string]int{}
	for i, class := range decided {
		if class >= 0 && f.Truth[i] >= 0 {
			rows[fileLabel(f, i)]++
			if class == f.Truth[i] {
				found[fileLabel(f, i)]++
			}
		}
	}
	labels := make([][]foundLabel, len(f.Classes))
	for c, class := range f.Classes {
		for _, l := range mergedLabels(f, class) {
			if rows[l.Label] > 0 {
				labels[c] = append(labels[c], foundLabel{l.Label, rows[l.Label], found[l.Label]})
			}
		}
	}
	return labels
}

// foundByLabel says how many rows of each label are found, of the classes that several labels became of which not the same part is; and when, where rows are judged more than once.
func foundByLabel(f *dataset.Frame, decided []int, when string) []string {
	var lines []string
	for c, labels := range foundLabels(f, decided) {
		var parts []string
		all, hits := 0, 0
		for _, l := range labels {
			parts = append(parts, fmt.Sprintf("%d of %d of %q", l.found, l.rows, l.name))
			all, hits = all+l.rows, hits+l.found
		}
		if slices.ContainsFunc(labels, func(l foundLabel) bool { return l.found*all != hits*l.rows }) {
			lines = append(lines, fmt.Sprintf("Of %q are found%s, by the labels of the file: %s.", f.Classes[c], when, few(parts)))
		}
	}
	return lines
}

// missedLabels returns by class the one label of several that all rows are of which are not found, "" where there is none.
func missedLabels(f *dataset.Frame, decided []int) []string {
	missed := make([]string, len(f.Classes))
	for c, labels := range foundLabels(f, decided) {
		lost := slices.DeleteFunc(slices.Clone(labels), func(l foundLabel) bool { return l.found == l.rows })
		if len(lost) == 1 && len(labels) > 1 {
			missed[c] = lost[0].name
		}
	}
	return missed
}

// mergedWords says of each class that several labels became, how many rows each of them has, and of one that the file writes otherwise, how.
func mergedWords(f *dataset.Frame) []string {
	var lines []string
	for _, class := range f.Classes {
		var parts []string
		labels := mergedLabels(f, class)
		for _, l := range labels {
			parts = append(parts, fmt.Sprintf("%q (%d)", l.Label, l.Rows))
		}
		what := english.Verb(len(parts), "the label", "the labels")
		if !slices.ContainsFunc(labels, func(l labelInfo) bool { return !strings.EqualFold(l.Label, class) }) {
			what = "written in the file as"
		}
		if parts != nil {
			lines = append(lines, printable(fmt.Sprintf("Class %q: %s %s", class, what, strings.Join(parts, ", "))))
		}
	}
	return lines
}
