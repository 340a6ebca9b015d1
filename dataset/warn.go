package dataset

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// Texts that often stand for a missing cell, and yet may be real: NA is Namibia.
var missingWords = map[string]bool{"NA": true, "N/A": true, "n/a": true, "NaN": true, "nan": true, "NULL": true, "null": true, "?": true}

// warnf returns a warning about a file.
func warnf(file, format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{file}, args...)...)
}

// warnings returns what is doubtful about a frame that was read without a fault.
func (tr *training) warnings(f *Frame) []error {
	found := tr.table.warnings()
	warn := func(format string, args ...any) { found = append(found, warnf(tr.file, format, args...)) }

	if n := tr.labels.skipped; n > 0 {
		warn("%s without a label left out", csvtext.Plural(n, "row"))
	}
	if n := tr.labels.trimmed; n > 0 {
		warn("column %.64q: blanks around the label removed in %s", tr.o.Target, csvtext.Plural(n, "row"))
	}
	tr.warnClasses(f, warn)
	tr.warnDeclared(warn)
	tr.warnColumns(f, warn)
	for i := range tr.columns {
		c := &tr.columns[i]
		if c.rounded > 0 {
			warn("column %.64q: %s above 2^53 lost digits; if it names things use %s", c.name, csvtext.Plural(c.rounded, "whole number"), csvtext.Flag("categorical", c.name, "COL"))
		}
		if c.tiny > 0 {
			warn("column %.64q: %s too close to 0 became 0", c.name, csvtext.Plural(c.tiny, "number"))
		}
		for _, level := range f.Columns[i].Levels {
			if missingWords[level] {
				warn("column %.64q: %q is taken as a category; if it means a missing cell use %s", c.name, level, csvtext.Flag("missing", level, "WORD"))
			}
		}
	}
	return found
}

func (tr *training) warnClasses(f *Frame, warn func(string, ...any)) {
	names, _ := tr.labels.sorted(strings.Compare)
	first := make(map[string]string, len(names))
	for _, name := range names {
		lower := strings.ToLower(name)
		if other, twice := first[lower]; twice {
			warn("column %.64q: the classes %.64q and %.64q differ in case only and are kept apart", tr.o.Target, other, name)
		} else {
			first[lower] = name
		}
	}
	rows := make([]int, len(f.Classes))
	for _, c := range f.Truth {
		rows[c]++
	}
	var single, weightless []string
	for c, weight := range f.ClassWeights() {
		if rows[c] == 1 {
			single = append(single, f.Classes[c])
		}
		if weight == 0 {
			weightless = append(weightless, f.Classes[c])
		}
	}
	if single != nil {
		warn("column %.64q: a single row for %s: too few to learn from and to judge by", tr.o.Target, nearest.List(single))
	}
	if weightless != nil {
		warn("column %.64q: all weights are zero for %s: as good as absent", tr.o.Target, nearest.List(weightless))
	}
}

// warnDeclared names the labels that the format declares and no row has.
func (tr *training) warnDeclared(warn func(string, ...any)) {
	format, ok := tr.Source.(declarer)
	if !ok {
		return
	}
	var absent []string
	for _, label := range format.Declared(tr.target) {
		if _, found := tr.labels.of[strings.TrimSpace(label)]; !found && !tr.missing.blank(strings.TrimSpace(label)) {
			absent = append(absent, label)
		}
	}
	if absent != nil {
		warn("column %.64q: no row has the class %s, which is declared; the model will not know it", tr.o.Target, nearest.List(absent))
	}
}

func (tr *training) warnColumns(f *Frame, warn func(string, ...any)) {
	var empty, constant, names, answers []string
	for i := range tr.columns {
		c, column := &tr.columns[i], &f.Columns[i]
		switch {
		case c.missing == f.Rows():
			empty = append(empty, c.name)
		case f.Rows() > 1 && c.missing == 0 && column.most() == 1:
			constant = append(constant, c.name)
		case len(column.Levels) > 1 && len(column.Levels) == f.Rows():
			names = append(names, c.name)
		case c.answer:
			answers = append(answers, c.name)
		}
	}
	if answers != nil {
		warn("the column is equal to the label in every row and gives the answer away: %s; use --ignore", nearest.List(answers))
	}
	if names != nil {
		warn("the column has a different category in every row, like a name: %s; use --id or --ignore", nearest.List(names))
	}
	if constant != nil {
		warn("the column is the same in every row and cannot help: %s", nearest.List(constant))
	}
	if empty != nil {
		warn("the column has no value in any row and cannot help: %s", nearest.List(empty))
	}
}
