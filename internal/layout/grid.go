package layout

import (
	"slices"
	"strings"
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

// Without drops the columns that have one of these heads.
func (g *Grid) Without(heads ...string) {
	for _, head := range heads {
		if at := slices.Index(g.Head, head); at >= 0 {
			g.Drop(at)
		}
	}
}

// Render returns the table for a page of some width, or in Markdown, where nothing is cut.
func (g *Grid) Render(width int, inMarkdown bool) string {
	columns := g.Columns()
	if inMarkdown {
		return g.markdown(columns)
	}
	fit(columns, g.Left+1, width, g.Tail)
	widths, sum := widthsOf(columns)
	var b strings.Builder
	for i := range columns[0] {
		g.row(&b, columns, i, widths)
		if i == 0 {
			b.WriteString(strings.Repeat("─", sum) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// row writes a row, in as many lines as its highest cell has. Heads stand at the bottom, other cells at the top.
func (g *Grid) row(b *strings.Builder, columns [][]string, i int, widths []int) {
	cells, high := make([][]string, len(columns)), 0
	for j := range columns {
		cells[j] = strings.Split(columns[j][i], "\n")
		high = max(high, len(cells[j]))
	}
	for line := range high {
		for j, lines := range cells {
			at, cell := line, ""
			if i == 0 {
				at -= high - len(lines)
			}
			if 0 <= at && at < len(lines) {
				cell = lines[at]
			}
			blanks := strings.Repeat(" ", widths[j]-DisplayWidth(cell))
			if g.leftward(j) {
				b.WriteString(" " + cell + blanks + " ")
			} else {
				b.WriteString(" " + blanks + cell + " ")
			}
		}
		b.WriteByte('\n')
	}
}

// leftward tells whether a column is left-aligned.
func (g *Grid) leftward(column int) bool {
	return column <= g.Left || g.Tail && column == len(g.Head)-1
}

// markdown writes the table in Markdown.
func (g *Grid) markdown(columns [][]string) string {
	var b strings.Builder
	for i := range columns[0] {
		b.WriteByte('|')
		for j := range columns {
			b.WriteString(" " + strings.ReplaceAll(markdown.Replace(columns[j][i]), "\n", "<br/>") + " |")
		}
		b.WriteByte('\n')
		if i > 0 {
			continue
		}
		b.WriteByte('|')
		for j := range columns {
			b.WriteString(map[bool]string{true: ":--- |", false: " ---:|"}[g.leftward(j)])
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
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

// leastTail is the width below which the last column is not broken.
const leastTail = 16

// fit has all columns fit the width with a blank on either side of each. It breaks the heads that are wider than their
// cells, the first column's last, and no more than it takes. Where that does not do, it breaks the lines of a tail, and
// then breaks or else cuts the cells of the first n columns, the widest first.
func fit(columns [][]string, n, width int, tail bool) {
	widths, sum := widthsOf(columns)
	for k := 1; k <= len(columns) && sum > width; k++ {
		j := k % len(columns)
		cells := columns[j]
		if at := strings.LastIndexByte(cells[0], ' '); at >= 0 && widest(cells[1:]) < widths[j] {
			cells[0] = cells[0][:at] + "\n" + cells[0][at+1:]
		}
		widths, sum = widthsOf(columns)
	}
	if last := len(columns) - 1; tail && sum > width {
		room := max(widths[last]-(sum-width), leastTail)
		for i, cell := range columns[last] {
			columns[last][i] = wrapped(cell, room)
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

// halved breaks a cell that is wider than width into two lines that are not, at a blank or behind a colon or an
// underline, the second as far in as the first; not ok where that cannot be done.
func halved(cell string, width int) (lines string, ok bool) {
	if widest([]string{cell}) <= width {
		return cell, true
	}
	words := strings.TrimLeft(cell, " ")
	in := cell[:len(cell)-len(words)]
	for at := len(words) - 1; at > 0; at-- {
		if words[at] != ' ' && !strings.ContainsRune(":_", rune(words[at-1])) {
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

// widest is how wide the widest line of cells is.
func widest(cells []string) (most int) {
	for _, cell := range cells {
		for line := range strings.Lines(cell) {
			most = max(most, DisplayWidth(strings.TrimSuffix(line, "\n")))
		}
	}
	return most
}
