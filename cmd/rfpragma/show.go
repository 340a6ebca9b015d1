package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// schemaVersion is the version of all JSON output. It changes when a field changes its
// meaning or goes; new fields may come at any time.
const schemaVersion = 1

// writeJSON writes v, indented, numbers unrounded.
func (p *program) writeJSON(v any) error {
	enc := json.NewEncoder(p.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// grid is a table for people: a header, rows of cells, the first column left-aligned.
type grid struct {
	head []string
	rows [][]string
	left int // columns beside the first that are left-aligned
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) write(w io.Writer) {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.Style().Format.Header = text.FormatDefault
	configs := make([]table.ColumnConfig, len(g.head))
	for i := range configs {
		align := text.AlignRight
		if i <= g.left {
			align = text.AlignLeft
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align, WidthMax: 40}
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(row(g.head))
	for _, r := range g.rows {
		t.AppendRow(row(r))
	}
	fmt.Fprintln(w, t.Render())
}

func row(cells []string) table.Row {
	r := make(table.Row, len(cells))
	for i, c := range cells {
		r[i] = printable(c)
	}
	return r
}

// writeCSV writes records with their header.
func (p *program) writeCSV(head []string, records [][]string) error {
	out := csv.NewWriter(p.stdout)
	if err := out.Write(head); err != nil {
		return err
	}
	return out.WriteAll(records)
}

// number writes x so that it reads back as the same number.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// maybe writes x, or nothing where it cannot be computed.
func maybe(x *float64) string {
	if x == nil {
		return ""
	}
	return number(*x)
}

// percent shows a share to a tenth of a percent.
func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// percentOr shows a share, or n/a.
func percentOr(x *float64) string {
	if x == nil {
		return "n/a"
	}
	return percent(*x)
}

// within shows a share with its interval, in whole percents.
func within(x *float64, interval *[2]float64) string {
	if x == nil {
		return "n/a"
	}
	return fmt.Sprintf("%.0f %% (%.0f–%.0f)", 100**x, 100*interval[0], 100*interval[1])
}

// weightText shows a vote weight with three digits.
func weightText(w float64) string {
	switch {
	case math.IsInf(w, 1):
		return "∞"
	case w >= 1000:
		return fmt.Sprintf("%.0f", w)
	}
	return strconv.FormatFloat(w, 'g', 3, 64)
}

// count shows a number of rows, or a sum of weights.
func count(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
