package cli

import (
	"encoding/csv"
	"encoding/json"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/view"
)

// ResultForm reads --format of a verb that has all forms.
func ResultForm(c *urfave.Context) (string, error) {
	return Format(c, strings.Split(view.AllForms, ", ")...)
}

// Remarks are the words, and what was warned of so far, of which the details are among the words.
func (p *Program) Remarks(words []string) view.Remarks {
	out := view.Remarks{Warnings: []string{}, Words: append([]string{}, words...)}
	for _, w := range p.Warned {
		out.Warnings = append(out.Warnings, w.Error())
		if detail := note.Detail(w); detail != "" {
			out.Words = append(out.Words, detail)
		}
	}
	return out
}

// WriteJSON writes v, indented, numbers unrounded.
func (p *Program) WriteJSON(v any) error {
	enc := json.NewEncoder(p.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// WriteCSV writes records with their header.
func (p *Program) WriteCSV(head []string, records [][]string) error {
	out := csv.NewWriter(p.Stdout)
	if err := out.Write(head); err != nil {
		return err
	}
	return out.WriteAll(records)
}
