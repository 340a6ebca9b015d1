package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the page is part of the program
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// The page: markup, style, and the script that page/ makes of its TypeScript.
var (
	//go:embed page.html
	markup string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// Style is that of the page, for pages that share its parts.
func Style() string { return style }

// Figure is a chart as a picture, for readers whose browser runs no scripts.
type Figure struct {
	Name string // name of the chart in the page, such as moves or summary
	SVG  []byte
}

// WriteHTML writes the page. It needs no other file and requests nothing from a server, which its content
// security policy enforces. The script in the page draws the charts; where no script runs, the figures, if any,
// stand in their place. The same report gives the same bytes.
func (r *Report) WriteHTML(w io.Writer, figures []Figure) error {
	page, err := template.New("page").Funcs(template.FuncMap{
		"pieces": pieces, "fixed": func(x float64) string { return fmt.Sprintf("%.2f", x) },
		"chart": chartOf, "sentence": sentence, "whole": whole, "cells": cells, "named": func(t Table,
			names int) named {
			return named{t, names}
		}, "count": count, "option": selectable,
		"turned": turned, "partsChart": partsChart, "rowChart": rowChart,
	}).Parse(markup)
	if err != nil {
		return err
	}
	data, err := json.Marshal(r) // which escapes <, > and &
	if err != nil {
		return err
	}
	code := strings.TrimSpace(script)
	view := view{
		Report: r, JSON: template.JS(data), Script: template.JS(code), Style: template.CSS(style), ScriptSum: sum(code),
		StyleSum: sum(style),
		Figures:  map[string]template.URL{},
	}
	for _, f := range figures {
		view.Figures[f.Name] = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(f.SVG))
	}
	var out bytes.Buffer
	if err := page.Execute(&out, view); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// view is what the markup is filled with.
type view struct {
	*Report
	JSON                template.JS
	Script              template.JS
	Style               template.CSS
	ScriptSum, StyleSum string
	Figures             map[string]template.URL
}

// turning are names in scripts that run from right to left.
var turning = regexp.MustCompile("\"([^\"]*[\u0590-\u08ff][^\"]*)\"")

// ranges are the ends of ranges that lie beside the dash.
var ranges = regexp.MustCompile(`(\d)–(\d)`)

// flags are flags of the command, after a blank or a bracket.
var flags = regexp.MustCompile(`(^|[\s(])(--?[a-z][a-z-]*)`)

// limits are what is required of a class and the like, such as ill:recall>=0.9, in HTML.
var limits = regexp.MustCompile(`(\S*:)([a-z]+(?:&[lg]t;)?=[^\s,;()&]+)`)

// whole keeps numbers and their percent signs on one line, ranges of numbers, flags, and what is required, but for
// the name of the class before it, and such names from turning what follows them.
func whole(text string) template.HTML {
	text = ranges.ReplaceAllString(strings.ReplaceAll(text, " %", "\u00a0%"), "${1}\u2060–\u2060${2}")
	text = template.HTMLEscapeString(turned(text))
	text = limits.ReplaceAllString(text, `$1<wbr><span class="flag">$2</span>`)
	return template.HTML(flags.ReplaceAllString(text, `$1<span class="flag">$2</span>`)) // all else is escaped
}

// turned keeps such names in a text from turning what follows them.
func turned(text string) string { return turning.ReplaceAllString(text, "\"\u2068$1\u2069\"") }

// sentence makes one of a warning: it begins with a capital, unless its first word is a name, and ends with a full
// stop.
func sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if !strings.ContainsFunc(first, func(r rune) bool { return !unicode.IsLower(r) }) && first != "" {
		r, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(r)) + text[size:]
	}
	if strings.HasSuffix(text, "?") {
		return text
	}
	return strings.TrimSuffix(text, ".") + "."
}

// mostCautions is how many warnings are seen at once.
const mostCautions = 3

// Cautions are the gravest warnings.
func (v view) Cautions() []string { return v.Warnings[:min(len(v.Warnings), mostCautions)] }

// MoreCautions are the other warnings.
func (v view) MoreCautions() []string { return v.Warnings[len(v.Cautions()):] }

// FoldsSay is what the chart of the weights of the folds shows.
func (v view) FoldsSay() string { return v.foldsSay() }

// FoldsDiffer tells whether there is anything to be drawn of the weights of the folds.
func (v view) FoldsDiffer() bool { return v.foldsDiffer() }

// Pragma tells whether the loss is PRAGMA.
func (v view) Pragma() bool { return v.ofPragma() }

// named is a table whose first columns are names.
type named struct {
	Table
	Names int
}

// Broad says whether it has more figures in a row than fit on a phone, where each row becomes a block.
func (n named) Broad() bool { return len(n.Head)-n.Names > 3 }

// Lines are the rows that the name in a row stands for: its own, and those below without one; 0 of these.
func (n named) Lines(row int) int {
	if row > 0 && n.Rows[row][0] == "" {
		return 0
	}
	below := slices.IndexFunc(n.Rows[row+1:], func(r []string) bool { return r[0] != "" })
	if below < 0 {
		return len(n.Rows) - row
	}
	return 1 + below
}

// pieces are the parts of a text with names of files that may stand on lines of their own.
func pieces(text string) []string { return joints.FindAllString(text, -1) }

// joints are where such a name may be broken: after these signs, but not within a number.
var joints = regexp.MustCompile(`(?:[^_./-]|[.-]+[0-9])+[_./-]*|[_./-]+`)

// sum is how a content security policy names a script or a style.
func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(h[:])
}

// Shown is the class that is shown first.
func (v view) Shown() *Class { return &v.Classes[v.First] }

// selectable names a class to choose, with how many rows it has.
func selectable(v view, c Class) string {
	rows := english.Plural(count(c.Plain.Support), "row")
	if v.Unit != tables.Unit(false) {
		rows = v.Unit + " " + count(c.Plain.Support)
	}
	return fmt.Sprintf("\u2068%s\u2069 (%s)", c.Name, rows)
}

// Drawn are the classes that have charts.
func (v view) Drawn() []Class {
	return slices.DeleteFunc(slices.Clone(v.Classes), func(c Class) bool { return c.Charts == nil })
}

// Wanted are the different preferences, each with its classes, those that matter most first.
func (v view) Wanted() []wanted {
	var out []wanted
	for _, c := range v.Classes {
		at := slices.IndexFunc(out, func(w wanted) bool { return w.Preference == c.Preference })
		if at < 0 {
			at = len(out)
			out = append(out, wanted{Class: c})
		}
		out[at].Names = append(out[at].Names, c.Name)
	}
	slices.SortStableFunc(out, func(a, b wanted) int { return cmp.Compare(b.Preference.Theta, a.Preference.Theta) })
	return out
}

type wanted struct {
	Class
	Names []string
}

// Matrices are the confusion matrices by name, one where tuning moves no row.
func (v view) Matrices() []matrix {
	if slices.EqualFunc(v.Confusion.Plain, v.Confusion.Tuned, slices.Equal[[]float64]) {
		return []matrix{{"Plain vote and " + v.Rule + ", which decide alike", v.Confusion.Tuned}}
	}
	return []matrix{{"Plain vote", v.Confusion.Plain}, {english.Capital(v.Rule), v.Confusion.Tuned}}
}

type matrix struct {
	Title string
	Cells [][]float64
}

// cell is a cell of a confusion matrix; the shade, 0 to 5, goes by its part of the row.
type cell struct {
	Text, Title string
	Right       bool
	Shade       int
}

// cells makes a row of a matrix.
func cells(classes []Class, truth int, row []float64) []cell {
	total := 0.0
	for _, n := range row {
		total += n
	}
	out := make([]cell, len(row))
	for d, n := range row {
		out[d] = cell{Text: count(n), Right: d == truth}
		if part := n / total; n > 0 {
			for _, from := range []float64{0, 0.02, 0.1, 0.3, 0.6} {
				if part > from {
					out[d].Shade++
				}
			}
			out[d].Title = fmt.Sprintf("%s of %s of %q decided as %q (%s)", count(n), english.Plural(count(total), "row"),
				classes[truth].Name, classes[d].Name, share(part))
		}
	}
	return out
}

// chart is what the markup needs to show a chart.
type chart struct {
	Name, Title, Says, Alt string
	Figure                 template.URL
	Choice                 []Example // rows to choose from
	Table                  *named    // what is behind it; nil where the script makes it
}

func chartOf(v view, name, title, says, alt string) chart {
	return chart{Name: name, Title: title, Says: says, Alt: alt, Figure: v.Figures[name]}
}

// partsChart is that of the parts of many rows, and rowChart that of single ones.
func partsChart(v view) chart {
	c := chartOf(v, "summary", "Many rows, column by column", v.partsSay(),
		"What the cells of each column add to the votes")
	c.Table = &named{v.partsTable(), 1}
	return c
}

func rowChart(v view) chart {
	c := chartOf(v, "waterfall", "One row, cell by cell", rowSays(v.Parts.Class, &v.Parts.Examples[0].Waterfall),
		"From the mean share of the votes to that of a row, cell by cell")
	c.Choice, c.Table = v.Parts.Examples, &named{v.rowTable(), 2}
	return c
}
