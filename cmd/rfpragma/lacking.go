package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// lacking finds rows that lack most of what a model decides by: cells that nearly all rows of the training have, and that bear more than half of what its splits gained.
type lacking struct {
	schema dataset.Schema
	bears  []float64 // by feature: that part; 0 of one that many rows of the training lack as well
	order  []int     // the features that bear some, the most first
	rows   int       // how many were found
	first  int       // the number of the first, from 1
	lost   []int     // by feature, how many of them lack it
}

// mostBorne is the part of what the splits gained that a row may lack.
const mostBorne = 0.5

// manyLack is of how many rows of the training one is enough that lacks a cell, for the model to have learnt to decide without it.
const manyLack = 5

// mostLacks is how many columns are named.
const mostLacks = 3

func newLacking(m *rfpragma.Model) *lacking {
	l := &lacking{schema: m.Forest.Schema, bears: m.Forest.Importance(), lost: make([]int, len(m.Forest.Schema))}
	for j, f := range l.schema {
		if f.Gaps == nil || manyLack*f.Gaps.Missing >= f.Gaps.Rows {
			l.bears[j] = 0
		}
		if l.bears[j] > 0 {
			l.order = append(l.order, j)
		}
	}
	slices.SortStableFunc(l.order, func(a, b int) int { return cmp.Compare(l.bears[b], l.bears[a]) })
	return l
}

// possible tells whether there can be such rows.
func (l *lacking) possible() bool {
	all := 0.0
	for _, bears := range l.bears {
		all += bears
	}
	return all > mostBorne
}

// names are the columns that bear most of what a row lacks, a few at most; nil of a row that is not among those found in the block.
func (l *lacking) names(block *dataset.Frame, found []int, row int) []string {
	if _, lacks := slices.BinarySearch(found, row); !lacks {
		return nil
	}
	var names []string
	for _, j := range l.order {
		if v := block.Columns[j].At(row); v != v && len(names) < mostLacks {
			names = append(names, l.schema[j].Name)
		}
	}
	return names
}

// in returns the rows of a block that lack so much, but for those without any value, of which readers tell.
func (l *lacking) in(block *dataset.Frame) []int {
	var rows []int
	for i := range block.Rows() {
		lost, known := 0.0, false
		for j := range block.Columns {
			if v := block.Columns[j].At(i); v != v {
				lost += l.bears[j]
			} else {
				known = true
			}
		}
		if known && lost > mostBorne {
			rows = append(rows, i)
		}
	}
	return rows
}

// add counts the rows of a block that were found, before which there are so many others.
func (l *lacking) add(block *dataset.Frame, found []int, before int) {
	if l.rows == 0 && len(found) > 0 {
		l.first = before + found[0] + 1
		if block.Number != nil {
			l.first = block.Number[found[0]]
		}
	}
	l.rows += len(found)
	for _, i := range found {
		for j := range block.Columns {
			if v := block.Columns[j].At(i); v != v && l.bears[j] > 0 {
				l.lost[j]++
			}
		}
	}
}

// above names what bears most of what the rows lack, in all of them, and where there are several in how many.
func (l *lacking) above() string {
	at := slices.Clone(l.order)
	weighs := func(j int) float64 { return l.bears[j] * float64(l.lost[j]) }
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(weighs(b), weighs(a)) })
	var names []string
	for _, j := range at[:min(len(at), mostLacks)] {
		switch name := english.Quote(l.schema[j].Name); {
		case l.lost[j] == 0:
		case l.rows == 1:
			names = append(names, name)
		case len(names) == 0:
			names = append(names, fmt.Sprintf("%s (%s)", name, english.Plural(l.lost[j], "row")))
		default:
			names = append(names, fmt.Sprintf("%s (%d)", name, l.lost[j]))
		}
	}
	return strings.Join(names, ", ")
}

// of says that rows of a frame, which holds all of a file, were found.
func (l *lacking) of(frame *dataset.Frame, file string) []error {
	l.add(frame, l.in(frame), 0)
	return l.warnings(file)
}

// judged says how such rows of a frame fared, and what the figures of the classes that matter are without them: rows that lack what would tell them apart are mostly decided as the most common class,
// which flatters specificity and NPV. The decisions are those of the labelled rows; nothing is said where some are not judged.
func (l *lacking) judged(f *dataset.Frame, decided, matter []int) []string {
	found := l.in(f)
	with, without, of := vote.NewConfusion(f.Classes), vote.NewConfusion(f.Classes), vote.NewConfusion(f.Classes)
	at := 0
	for i, truth := range f.Truth {
		switch {
		case truth < 0:
			continue
		case at == len(decided):
			return nil
		}
		with.Add(truth, decided[at], f.WeightOf(i))
		if _, lacks := slices.BinarySearch(found, i); lacks {
			of.Add(truth, decided[at], 1)
		} else {
			without.Add(truth, decided[at], f.WeightOf(i))
		}
		at++
	}
	n := int(of.Total())
	if n == 0 || at < len(decided) {
		return nil
	}
	right, them := 0.0, english.Verb(n, "it", "them")
	for c := range f.Classes {
		right += of.Hits(c)
	}
	lines := []string{fmt.Sprintf("%s %s most of what the model decides by: %d decided rightly.", english.Plural(n, "row"), english.Verb(n, "lacks", "lack"), int(right))}
	for _, c := range matter[:min(len(matter), mostNamed)] {
		class, hits := english.Quote(f.Classes[c]), int(of.Hits(c))
		among := "None is of " + class
		if rows := int(of.True(c)); rows > 0 {
			among = fmt.Sprintf("%d %s of %s, and %d of %d found", rows, english.Verb(rows, "is", "are"), class, hits, rows)
		}
		lines = append(lines, fmt.Sprintf("%s; without %s %s.", among, them, figuresWithout(with, without, c, them)))
	}
	return lines
}

// figuresWithout says what the figures of a class are in the second of two matrices, where they differ from those of the first, that of rows with "them".
func figuresWithout(with, without *vote.Confusion, c int, them string) string {
	var figures []string
	for _, figure := range []struct {
		name string
		of   func(*vote.Confusion, int) (float64, bool)
	}{{"recall", (*vote.Confusion).Recall}, {"specificity", (*vote.Confusion).Specificity}, {"NPV", (*vote.Confusion).NegativePredictive}} {
		is, was := shareText(figure.of(without, c)), shareText(figure.of(with, c))
		if is != was {
			figures = append(figures, fmt.Sprintf("%s is %s (with %s %s)", figure.name, is, them, was))
		}
	}
	if figures == nil {
		return "recall, specificity and NPV are the same"
	}
	return joined(figures)
}

// warnings says that rows of a file were found.
func (l *lacking) warnings(file string) []error {
	if l.rows == 0 {
		return nil
	}
	which := fmt.Sprintf("row %d lacks", l.first)
	if l.rows > 1 {
		which = fmt.Sprintf("%s, the first of them row %d, lack", english.Plural(l.rows, "row"), l.first)
	}
	return []error{fmt.Errorf("%s: %s most of what the model decides by, above all %s: what is decided of %s rests on the little that is left, however sure the probability looks",
		file, which, l.above(), english.Verb(l.rows, "it", "them"))}
}
