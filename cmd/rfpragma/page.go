package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"github.com/rfpragma/rfpragma/internal/shorten"
)

// pageWidth is the number of columns that a page takes at most. A single word that is longer, such as
// the path of a file, is not broken.
const pageWidth = 100

// page shows a result to people, block by block with an empty line between them: for a terminal, or
// in Markdown for a document.
type page struct {
	w        io.Writer
	markdown bool
	begun    bool
	cut      map[string]string // names of classes that are cut in every table
}

// page returns the page of the result in that form. That of a form for programs is seen beside the file that the result goes to; where it goes to none, what is written on it is lost.
func (p *program) page(form string) *page {
	switch {
	case form != "table" && form != "markdown":
		return &page{w: p.beside}
	case p.beside != io.Discard:
		return &page{w: io.MultiWriter(p.stdout, p.beside), markdown: form == "markdown"}
	}
	return &page{w: p.stdout, markdown: form == "markdown"}
}

// before writes what there is to say before long work, and returns a function to call when the work has succeeded. On a terminal it is seen at
// once. Elsewhere it waits for the result: what is refused leaves nothing behind.
func (p *program) before(to *page, write func()) (succeeded func()) {
	if out, ok := to.w.(*remember); ok && terminal(out.w) {
		write()
		return func() {}
	}
	out, held := to.w, new(bytes.Buffer)
	to.w = held
	write()
	return func() {
		to.w = out
		_, _ = held.WriteTo(out) // an error is remembered
	}
}

// terminal tells whether f, which is read or written, is one.
func terminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// silent tells whether nobody sees what is written: the result has a form for programs, and goes to no file.
func (g *page) silent() bool { return g.w == io.Discard }

// block begins a new block.
func (g *page) block() {
	if g.begun {
		fmt.Fprintln(g.w)
	}
	g.begun = true
}

// say writes sentences, each from the beginning of a line.
func (g *page) say(sentences ...string) {
	if len(sentences) == 0 {
		return
	}
	g.block()
	for _, s := range sentences {
		switch s = printable(s); {
		case !g.markdown:
			fmt.Fprintln(g.w, wrapped(s, pageWidth))
		case len(sentences) > 1:
			fmt.Fprintf(g.w, "- %s\n", markdown.Replace(s))
		default:
			fmt.Fprintln(g.w, markdown.Replace(s))
		}
	}
}

// command writes a command line to be copied, broken between its flags where it is wider than the page,
// and not within quotes, where a break would be a part of the text.
func (g *page) command(line string) {
	g.block()
	if line = printable(line); !g.markdown {
		line = "Next: " + line
	}
	if g.markdown {
		fmt.Fprintf(g.w, "```sh\n%s\n```\n", line)
		return
	}
	words := strings.Split(line, " --")
	shown := words[0]
	for _, word := range words[1:] {
		last := shown[strings.LastIndex(shown, "\n")+1:]
		if quoted := (strings.Count(shown, "'")-strings.Count(shown, `'\''`))%2 == 1; !quoted && displayWidth(last+" --"+word) > pageWidth-2 {
			shown += " \\\n "
		}
		shown += " --" + word
	}
	fmt.Fprintln(g.w, shown)
}

// nameWidth is how wide the name of a class is in a table at most: what the widest of them leaves, but where figures have uncommonly many digits.
const nameWidth = 12

// call has all tables show each class by the same name, cut where it is wide; in Markdown nothing is cut.
func (g *page) call(classes []string) *page {
	if g.cut = map[string]string{}; !g.markdown {
		names := make([]string, len(classes))
		for c, name := range classes {
			names[c] = printable(name)
		}
		for c, short := range shortened(names, nameWidth) {
			g.cut[classes[c]] = short
		}
	}
	return g
}

// called returns what a cell says with the name by which tables show a class, which it is or has in quotes.
func (g *page) called(cell string) string {
	if short, ok := g.cut[cell]; ok {
		return short
	}
	before, rest, _ := strings.Cut(cell, `"`)
	if name, after, ok := strings.Cut(rest, `"`); ok {
		return before + `"` + cmp.Or(g.cut[name], name) + `"` + after
	}
	return cell
}

// table writes a table, unless it has no rows.
func (g *page) table(t *grid) {
	if len(t.rows) == 0 {
		return
	}
	g.block()
	if t.title != "" {
		fmt.Fprintln(g.w, t.title+":")
		if g.markdown {
			fmt.Fprintln(g.w)
		}
	}
	for _, cells := range t.rows {
		for j, cell := range cells[:t.left+1] {
			if t.head[j] != "feature" { // which may be named as a class is
				cells[j] = g.called(cell)
			}
		}
	}
	for j, head := range t.head {
		t.head[j] = g.called(head)
	}
	for line := range strings.Lines(t.render(g.markdown)) {
		fmt.Fprintln(g.w, strings.TrimRight(line, " \n"))
	}
}

// markdown escapes what Markdown takes for its own signs.
var markdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "~", `\~`, "|", `\|`)

// wrapped breaks a sentence between words where it is wider than width; what is broken goes on two blanks in. A number stays
// with its percent sign.
func wrapped(sentence string, width int) string {
	var b strings.Builder
	used := 0
	words := strings.Split(sentence, " ")
	for i := len(words) - 1; i > 0; i-- {
		if strings.HasPrefix(words[i], "%") {
			words[i-1] += " " + words[i]
			words = slices.Delete(words, i, i+1)
		}
	}
	for i, word := range words {
		w := displayWidth(word)
		switch {
		case i == 0:
		case used+1+w > width:
			b.WriteString("\n  ")
			used = 2
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += w
	}
	return b.String()
}

// displayWidth is the number of columns that text takes on a terminal, where most characters of East Asia take two.
func displayWidth(s string) int { return text.StringWidthWithoutEscSequences(s) }

// grid is a table for people: a header, rows of cells, the first columns left-aligned. Where it is too wide for the page,
// these are cut.
type grid struct {
	title string // what it is of, where others stand beside; "" for none
	head  []string
	rows  [][]string
	left  int  // columns beside the first that are left-aligned; -1 for not even that
	tail  bool // the last column is left-aligned, too
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// drop takes out a column.
func (g *grid) drop(at int) {
	g.head = slices.Delete(g.head, at, at+1)
	for i := range g.rows {
		g.rows[i] = slices.Delete(g.rows[i], at, at+1)
	}
}

// render returns the table for a terminal, or in Markdown, where nothing is cut.
func (g *grid) render(inMarkdown bool) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.Style().Format.Header = text.FormatDefault
	configs := make([]table.ColumnConfig, len(g.head))
	for i := range configs {
		align := text.AlignRight
		if i <= g.left || g.tail && i == len(g.head)-1 {
			align = text.AlignLeft
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align, VAlignHeader: text.VAlignBottom}
	}
	t.SetColumnConfigs(configs)
	rows := g.columns()
	if !inMarkdown {
		fit(rows, g.left+1, pageWidth)
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

// columns returns the cells by column, the header first.
func (g *grid) columns() [][]string {
	out := make([][]string, len(g.head))
	for j := range out {
		out[j] = append(out[j], printable(g.head[j]))
		for _, r := range g.rows {
			out[j] = append(out[j], printable(r[j]))
		}
	}
	return out
}

// leastCut is the width below which no column is cut.
const leastCut = 8

// fit has all columns fit the width with a blank on either side of each: it breaks the heads, and where that does not do, it breaks
// or else cuts the cells of the first n columns, the widest first and no more than it takes.
func fit(columns [][]string, n, width int) {
	widths, sum := widthsOf(columns)
	if sum > width {
		for _, cells := range columns {
			if at := strings.LastIndexByte(cells[0], ' '); at >= 0 {
				cells[0] = cells[0][:at] + "\n" + cells[0][at+1:]
			}
		}
		widths, sum = widthsOf(columns)
	}
	for ; sum > width; sum-- {
		widest := 0
		for j := range n {
			if widths[j] > widths[widest] {
				widest = j
			}
		}
		if widths[widest] <= leastCut {
			break
		}
		widths[widest]--
	}
	for j := range n {
		for i, cut := range shortened(columns[j], widths[j]) {
			if lines, ok := halved(columns[j][i], widths[j]); ok {
				cut = lines
			}
			columns[j][i] = cut
		}
	}
}

// halved breaks a cell that is wider than width into two lines that are not, at a blank or behind a colon, the second as far in as the first; not ok where that cannot be done.
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
		if displayWidth(first) <= width && displayWidth(second) <= width {
			return first + "\n" + second, true
		}
	}
	return "", false
}

// widthsOf returns how wide the columns are, and all of them together with a blank on either side of each.
func widthsOf(columns [][]string) (widths []int, sum int) {
	widths = make([]int, len(columns))
	for j, cells := range columns {
		for _, c := range cells {
			widths[j] = max(widths[j], text.LongestLineLen(c))
		}
		sum += widths[j] + 2
	}
	return widths, sum
}

// shortened cuts names wider than width.
func shortened(list []string, width int) []string {
	return shorten.Width(displayWidth).Names(list, width)
}
