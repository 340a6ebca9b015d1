package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/roff"
)

// Manual returns the manual page, in the man macros of roff: the texts of the help, in their order.
func Manual(app *urfave.App) string {
	m := &roff.Page{}
	m.Line(".TH RFPRAGMA 1")
	m.Line(".SH NAME")
	m.Text("rfpragma - " + app.Usage)
	m.Line(".SH SYNOPSIS")
	m.Line(".B rfpragma")
	m.Line(".I verb")
	m.Text("[flags] [files]")
	m.Line(".SH DESCRIPTION")
	m.Prose(app.Description)
	m.Line(".SH VERBS")
	for _, c := range app.Commands {
		if !c.Hidden {
			manVerb(m, c)
		}
	}
	for _, t := range Topics() {
		m.Line(".SH " + strings.ToUpper(roff.Escaped(strings.ReplaceAll(t.Name, "-", " "))))
		m.Prose(t.Text)
	}
	m.Line(".SH SEE ALSO")
	m.Text("rfpragma help VERB, rfpragma help TOPIC")
	return m.String()
}

// manVerb writes what there is to know of a verb.
func manVerb(m *roff.Page, c *urfave.Command) {
	m.Line(".SS " + roff.Escaped("rfpragma "+c.Name+" [flags] "+c.ArgsUsage))
	m.Text(english.Capital(c.Usage) + ".")
	m.Line(".PP")
	m.Prose(c.Description)
	for _, category := range c.VisibleFlagCategories() {
		m.Line(".PP")
		m.Text(category.Name() + ":")
		for _, f := range category.Flags() {
			manFlag(m, f)
		}
	}
}

// manFlag writes a line of help as a tagged paragraph.
func manFlag(m *roff.Page, f urfave.Flag) {
	head, about, _ := strings.Cut(f.String(), "\t")
	m.Line(".TP")
	words := strings.Fields(roff.Escaped(head))
	for i, w := range words {
		if strings.HasPrefix(w, `\-`) {
			words[i] = `\fB` + strings.TrimSuffix(w, ",") + `\fR` + w[len(strings.TrimSuffix(w, ",")):]
		} else {
			words[i] = `\fI` + strings.TrimSuffix(w, ",") + `\fR` + w[len(strings.TrimSuffix(w, ",")):]
		}
	}
	m.Line(strings.Join(words, " "))
	m.Text(strings.TrimSpace(about))
}
