package layout

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/shorten"
)

// PageWidth is the number of columns that a page takes at most, fewer on a narrow terminal. A single word that is
// longer, such as the path of a file, is not broken.
const PageWidth = 100

// Page shows a result to people, block by block with an empty line between them: for a terminal, or
// in Markdown for a document.
type Page struct {
	W        io.Writer
	Markdown bool
	Columns  int // of the terminal that it is for; 0 of none
	begun    bool
	cut      map[string]string // names of classes that are cut in every table
}

// Width is how many columns the page takes at most.
func (g *Page) Width() int {
	if g.Columns > 0 {
		return min(g.Columns, PageWidth)
	}
	return PageWidth
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
			fmt.Fprintln(g.W, wrapped(s, g.Width()))
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
			word) > g.Width()-2 {
			shown += " \\\n "
		}
		shown += " --" + word
	}
	fmt.Fprintln(g.W, shown)
}

// NameWidth is how wide the name of a class is in a table at most: what the widest of them leaves, but where figures
// have uncommonly many digits.
const NameWidth = 12

// Call has all tables show each class by the same name, cut where it is wide; in Markdown nothing is cut.
func (g *Page) Call(classes []string) *Page {
	if g.cut = map[string]string{}; !g.Markdown {
		names := make([]string, len(classes))
		for c, name := range classes {
			names[c] = Printable(name)
		}
		for c, short := range Shortened(names, NameWidth) {
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
	if t.Title != "" {
		fmt.Fprintln(g.W, t.Title+":")
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
	for line := range strings.Lines(t.Render(g.Width(), g.Markdown)) {
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

// terminal is one whose language does not matter: else tables would depend on that of the user.
var terminal = runewidth.Condition{StrictEmojiNeutral: true}

// DisplayWidth is the number of columns that text takes on a terminal, where most characters of East Asia take two.
func DisplayWidth(s string) (width int) {
	for _, r := range s {
		width += terminal.RuneWidth(r)
	}
	return width
}

// Shortened cuts names wider than width.
func Shortened(list []string, width int) []string {
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
