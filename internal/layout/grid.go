package layout

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Grid is a table for people: a header, rows of cells, the first columns left-aligned. Where it is too wide for the
// page, these are cut.
type Grid struct {
	Title string // what it is of, where others stand beside; "" for none
	Head  []string
	Rows  [][]string
	Left  int  // columns beside the first that are left-aligned; -1 for not even that
	Tail  bool // the last column is left-aligned, too
}

// Add adds a row.
func (g *Grid) Add(cells ...string) { g.Rows = append(g.Rows, cells) }

// Drop takes out a column.
func (g *Grid) Drop(at int) {
	g.Head = slices.Delete(g.Head, at, at+1)
	for i := range g.Rows {
		g.Rows[i] = slices.Delete(g.Rows[i], at, at+1)
	}
}

// Render returns the table for a page of some width, or in Markdown, where nothing is cut.
func (g *Grid) Render(width int, inMarkdown bool) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.Style().Format.Header = text.FormatDefault
	configs := make([]table.ColumnConfig, len(g.Head))
	for i := range configs {
		align := text.AlignRight
		if i <= g.Left || g.Tail && i == len(g.Head)-1 {
			align = text.AlignLeft
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align, VAlignHeader: text.VAlignBottom}
	}
	t.SetColumnConfigs(configs)
	rows := g.Columns()
	if !inMarkdown {
		fit(rows, g.Left+1, width)
	}
	for i := range rows[0] {
		row := make(table.Row, len(rows))
		for j := range rows {
			row[j] = rows[j][i]
			if inMarkdown { // the renderer escapes the bars
				row[j] = strings.ReplaceAll(markdown.Replace(rows[j][i]), `\|`, "|")
			}
		}
		if i == 0 {
			t.AppendHeader(row)
			continue
		}
		t.AppendRow(row)
	}
	if inMarkdown {
		return t.RenderMarkdown()
	}
	return t.Render()
}

// Columns returns the cells by column, the header first.
func (g *Grid) Columns() [][]string {
	out := make([][]string, len(g.Head))
	for j := range out {
		out[j] = append(out[j], Printable(g.Head[j]))
		for _, r := range g.Rows {
			out[j] = append(out[j], Printable(r[j]))
		}
	}
	return out
}

// leastCut is the width below which no column is cut.
const leastCut = 8

// fit has all columns fit the width with a blank on either side of each: it breaks the heads that
// are wider than their cells, and where that does
// not do, it breaks or else cuts the cells of the first n columns, the widest first and no more than it takes.
func fit(columns [][]string, n, width int) {
	widths, sum := widthsOf(columns)
	if sum > width {
		for j, cells := range columns {
			if at := strings.LastIndexByte(cells[0], ' '); at >= 0 && widest(cells[1:]) < widths[j] {
				cells[0] = cells[0][:at] + "\n" + cells[0][at+1:]
			}
		}
		widths, sum = widthsOf(columns)
	}
	for ; sum > width; sum-- {
		most := 0
		for j := range n {
			if widths[j] > widths[most] {
				most = j
			}
		}
		if widths[most] <= leastCut {
			break
		}
		widths[most]--
	}
	for j := range n {
		for i, cut := range Shortened(columns[j], widths[j]) {
			if lines, ok := halved(columns[j][i], widths[j]); ok {
				cut = lines
			}
			columns[j][i] = cut
		}
	}
}

// halved breaks a cell that is wider than width into two lines that are not, at a blank or behind a colon, the
// second as far in as the first; not ok where that cannot be done.
func halved(cell string, width int) (lines string, ok bool) {
	if text.LongestLineLen(cell) <= width {
		return cell, true
	}
	words := strings.TrimLeft(cell, " ")
	in := cell[:len(cell)-len(words)]
	for at := len(words) - 1; at > 0; at-- {
		if words[at] != ' ' && words[at-1] != ':' {
			continue
		}
		first, second := in+strings.TrimRight(words[:at], " "), in+strings.TrimLeft(words[at:], " ")
		if DisplayWidth(first) <= width && DisplayWidth(second) <= width {
			return first + "\n" + second, true
		}
	}
	return "", false
}

// widthsOf returns how wide the columns are, and all of them together with a blank on either side of each.
func widthsOf(columns [][]string) (widths []int, sum int) {
	widths = make([]int, len(columns))
	for j, cells := range columns {
		widths[j] = widest(cells)
		sum += widths[j] + 2
	}
	return widths, sum
}

// widest is how wide the widest of cells is.
func widest(cells []string) int {
	most := 0
	for _, c := range cells {
		most = max(most, text.LongestLineLen(c))
	}
	return most
}
