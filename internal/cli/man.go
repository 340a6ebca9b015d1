package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Manual returns the manual page, in the man macros of roff: the texts of the help, in their order.
func Manual(app *urfave.App) string {
	var m roff
	m.line(".TH RFPRAGMA 1")
	m.line(".SH NAME")
	m.text("rfpragma - " + app.Usage)
	m.line(".SH SYNOPSIS")
	m.line(".B rfpragma")
	m.line(".I verb")
	m.text("[flags] [files]")
	m.line(".SH DESCRIPTION")
	m.prose(app.Description)
	m.line(".SH VERBS")
	for _, c := range app.Commands {
		if !c.Hidden {
			m.verb(c)
		}
	}
	for _, t := range Topics() {
		m.line(".SH " + strings.ToUpper(Escaped(strings.ReplaceAll(t.Name, "-", " "))))
		m.prose(t.Text)
	}
	m.line(".SH SEE ALSO")
	m.text("rfpragma help VERB, rfpragma help TOPIC")
	return m.String()
}

// roff collects a page.
type roff struct{ strings.Builder }

// line writes a request.
func (m *roff) line(request string) { m.WriteString(request + "\n") }

// text writes text to be filled.
func (m *roff) text(text string) { m.WriteString(guarded(text) + "\n") }

// prose writes a text of help: paragraphs are filled, what is indented, or has columns,
// stays as it is.
func (m *roff) prose(text string) {
	begun, as, blank := false, false, false // whether lines stay as they are, and whether one was empty
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		indented := strings.HasPrefix(line, " ") || strings.Contains(line, "   ")
		switch {
		case line == "":
			blank = true
			continue
		case indented && !as:
			if begun {
				m.line(".PP")
			}
			m.line(".EX")
		case indented && blank:
			m.line("")
		case !indented && as:
			m.line(".EE")
			m.line(".PP")
		case !indented && blank:
			m.line(".PP")
		}
		begun, as, blank = true, indented, false
		m.text(line)
	}
	if as {
		m.line(".EE")
	}
}

// verb writes what there is to know of a verb.
func (m *roff) verb(c *urfave.Command) {
	m.line(".SS " + Escaped("rfpragma "+c.Name+" [flags] "+c.ArgsUsage))
	m.text(english.Capital(c.Usage) + ".")
	m.line(".PP")
	m.prose(c.Description)
	for _, category := range c.VisibleFlagCategories() {
		m.line(".PP")
		m.text(category.Name() + ":")
		for _, f := range category.Flags() {
			m.flag(f)
		}
	}
}

// flag writes a line of help as a tagged paragraph.
func (m *roff) flag(f urfave.Flag) {
	head, about, _ := strings.Cut(f.String(), "\t")
	m.line(".TP")
	words := strings.Fields(Escaped(head))
	for i, w := range words {
		if strings.HasPrefix(w, `\-`) {
			words[i] = `\fB` + strings.TrimSuffix(w, ",") + `\fR` + w[len(strings.TrimSuffix(w, ",")):]
		} else {
			words[i] = `\fI` + strings.TrimSuffix(w, ",") + `\fR` + w[len(strings.TrimSuffix(w, ",")):]
		}
	}
	m.line(strings.Join(words, " "))
	m.text(strings.TrimSpace(about))
}

// Escaped writes text so that roff shows it as it is, whatever its encoding.
func Escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// guarded is escaped text that begins no request.
func guarded(text string) string {
	text = Escaped(text)
	if slices.ContainsFunc([]string{".", `\(aq`}, func(p string) bool { return strings.HasPrefix(text, p) }) {
		return `\&` + text
	}
	return text
}
