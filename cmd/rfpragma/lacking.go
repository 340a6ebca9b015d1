package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
)

// lacking finds rows that lack most of what a model decides by: cells that nearly all rows of the training have, and that bear more than half of what its splits gained.
type lacking struct {
	schema dataset.Schema
	bears  []float64 // by feature: that part; 0 of one that many rows of the training lack as well
	rows   int       // how many were found
	first  int       // the number of the first, from 1
	lost   []int     // by feature, how many of them lack it
}

// mostBorne is the part of what the splits gained that a row may lack.
const mostBorne = 0.5

// manyLack is of how many rows of the training one is enough that lacks a cell, for the model to have learnt to decide without it.
const manyLack = 5

func newLacking(m *rfpragma.Model) *lacking {
	l := &lacking{schema: m.Forest.Schema, bears: m.Forest.Importance(), lost: make([]int, len(m.Forest.Schema))}
	for j, f := range l.schema {
		if f.Gaps == nil || manyLack*f.Gaps.Missing >= f.Gaps.Rows {
			l.bears[j] = 0
		}
	}
	return l
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
	const most = 3
	at := make([]int, len(l.bears))
	for j := range at {
		at[j] = j
	}
	weighs := func(j int) float64 { return l.bears[j] * float64(l.lost[j]) }
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(weighs(b), weighs(a)) })
	var names []string
	for _, j := range at[:min(len(at), most)] {
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
