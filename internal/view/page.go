package view

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/shorten"
)

// PageWidth is the number of columns that a page takes at most. A single word that is longer, such as
// the path of a file, is not broken.
const PageWidth = 100

// Page shows a result to people, block by block with an empty line between them: for a terminal, or
// in Markdown for a document.
type Page struct {
	W        io.Writer
	Markdown bool
	begun    bool
	cut      map[string]string // names of classes that are cut in every table
}

// Terminal tells whether f, which is read or written, is one.
func Terminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Silent tells whether nobody sees what is written: the result has a form for programs, and goes to no file.
func (g *Page) Silent() bool { return g.W == io.Discard }

// block begins a new block.
func (g *Page) block() {
	if g.begun {
		fmt.Fprintln(g.W)
	}
	g.begun = true
}

// Say writes sentences, each from the beginning of a line.
func (g *Page) Say(sentences ...string) {
	if len(sentences) == 0 {
		return
	}
	g.block()
	for _, s := range sentences {
		switch s = Printable(s); {
		case !g.Markdown:
			fmt.Fprintln(g.W, wrapped(s, PageWidth))
		case len(sentences) > 1:
			fmt.Fprintf(g.W, "- %s\n", markdown.Replace(s))
		default:
			fmt.Fprintln(g.W, markdown.Replace(s))
		}
	}
}

// Command writes a command line to be copied, broken between its flags where it is wider than the page,
// and not within quotes, where a break would be a part of the text.
func (g *Page) Command(line string) {
	g.block()
	if line = Printable(line); !g.Markdown {
		line = "Next: " + line
	}
	if g.Markdown {
		fmt.Fprintf(g.W, "```sh\n%s\n```\n", line)
		return
	}
	words := strings.Split(line, " --")
	shown := words[0]
	for _, word := range words[1:] {
		last := shown[strings.LastIndex(shown, "\n")+1:]
		if quoted := (strings.Count(shown, "'")-strings.Count(shown, `'\''`))%2 == 1; !quoted && DisplayWidth(last+" --"+
			word) > PageWidth-2 {
			shown += " \\\n "
		}
		shown += " --" + word
	}
	fmt.Fprintln(g.W, shown)
}

// nameWidth is how wide the name of a class is in a table at most: what the widest of them leaves, but where figures
// have uncommonly many digits.
const nameWidth = 12

// Call has all tables show each class by the same name, cut where it is wide; in Markdown nothing is cut.
func (g *Page) Call(classes []string) *Page {
	if g.cut = map[string]string{}; !g.Markdown {
		names := make([]string, len(classes))
		for c, name := range classes {
			names[c] = Printable(name)
		}
		for c, short := range shortened(names, nameWidth) {
			g.cut[classes[c]] = short
		}
	}
	return g
}

// called returns what a cell says with the name by which tables show a class, which it is or has in quotes.
func (g *Page) called(cell string) string {
	if short, ok := g.cut[cell]; ok {
		return short
	}
	before, rest, _ := strings.Cut(cell, `"`)
	if name, after, ok := strings.Cut(rest, `"`); ok {
		return before + `"` + cmp.Or(g.cut[name], name) + `"` + after
	}
	return cell
}

// Table writes a table, unless it has no rows.
func (g *Page) Table(t *Grid) {
	if len(t.Rows) == 0 {
		return
	}
	g.block()
	if t.title != "" {
		fmt.Fprintln(g.W, t.title+":")
		if g.Markdown {
			fmt.Fprintln(g.W)
		}
	}
	for _, cells := range t.Rows {
		for j, cell := range cells[:t.Left+1] {
			if t.Head[j] != "feature" { // which may be named as a class is
				cells[j] = g.called(cell)
			}
		}
	}
	for j, head := range t.Head {
		t.Head[j] = g.called(head)
	}
	for line := range strings.Lines(t.render(g.Markdown)) {
		fmt.Fprintln(g.W, strings.TrimRight(line, " \n"))
	}
}

// markdown escapes what Markdown takes for its own signs.
var markdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">",
	`\>`, "#", `\#`, "~", `\~`, "|", `\|`)

// wrapped breaks a sentence between words where it is wider than width; what is broken goes on two blanks in. A
// number stays with its percent sign.
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
		w := DisplayWidth(word)
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

// DisplayWidth is the number of columns that text takes on a terminal, where most characters of East Asia take two.
func DisplayWidth(s string) int { return text.StringWidthWithoutEscSequences(s) }

// Grid is a table for people: a header, rows of cells, the first columns left-aligned. Where it is too wide for the
// page, these are cut.
type Grid struct {
	title string // what it is of, where others stand beside; "" for none
	Head  []string
	Rows  [][]string
	Left  int  // columns beside the first that are left-aligned; -1 for not even that
	tail  bool // the last column is left-aligned, too
}

// Add adds a row.
func (g *Grid) Add(cells ...string) { g.Rows = append(g.Rows, cells) }

// drop takes out a column.
func (g *Grid) drop(at int) {
	g.Head = slices.Delete(g.Head, at, at+1)
	for i := range g.Rows {
		g.Rows[i] = slices.Delete(g.Rows[i], at, at+1)
	}
}

// render returns the table for a terminal, or in Markdown, where nothing is cut.
func (g *Grid) render(inMarkdown bool) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.Style().Format.Header = text.FormatDefault
	configs := make([]table.ColumnConfig, len(g.Head))
	for i := range configs {
		align := text.AlignRight
		if i <= g.Left || g.tail && i == len(g.Head)-1 {
			align = text.AlignLeft
		}
		configs[i] = table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align, VAlignHeader: text.VAlignBottom}
	}
	t.SetColumnConfigs(configs)
	rows := g.Columns()
	if !inMarkdown {
		fit(rows, g.Left+1, PageWidth)
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

// fit has all columns fit the width with a blank on either side of each: it breaks the heads, and where that does
// not do, it breaks or else cuts the cells of the first n columns, the widest first and no more than it takes.
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
		for _, c := range cells {
			widths[j] = max(widths[j], text.LongestLineLen(c))
		}
		sum += widths[j] + 2
	}
	return widths, sum
}

// shortened cuts names wider than width.
func shortened(list []string, width int) []string {
	return shorten.Width(DisplayWidth).Names(list, width)
}

// Printable escapes what steers a terminal, so that a name in the data or of a file can neither
// break a line nor steer a terminal.
func Printable(text string) string {
	if !strings.ContainsFunc(text, csvtext.Steers) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if csvtext.Steers(r) {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// titled is the table as the page of a report shows it.
func (g *Grid) titled(title string) report.Table {
	t := report.Table{Title: title, Head: g.Head}
	for _, cells := range g.Rows {
		line := make([]string, len(cells))
		for i, cell := range cells {
			line[i] = Printable(strings.TrimSpace(cell))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// Fact is a line of a record, of any value.
func Fact(name string, value any) report.Fact {
	return report.Fact{Name: name, Value: Printable(fmt.Sprint(value))}
}
