package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/internal/xlsx"
)

var errEmptyOutput = Usagef("--output is empty; name a file, or - for stdout")

// WriteTo writes to stdout for "-", else to a file, whole or not at all, as long as ctx lasts. A table in CSV becomes a
// spreadsheet where the name of the file says so.
func (p *Program) WriteTo(ctx context.Context, path string, write func(io.Writer) error) error {
	heeded := func(w io.Writer) error { return write(&heedful{ctx, w}) }
	switch path {
	case "-":
		return heeded(p.Stdout)
	case "":
		return errEmptyOutput
	}
	if strings.EqualFold(filepath.Ext(path), spreadsheet) {
		return p.ToFile(ctx, path, func() error {
			return atomicfile.Write(path, func(w io.Writer) error {
				sheet := xlsx.FromCSV(w, "rows")
				return cmp.Or(heeded(sheet), sheet.Close())
			})
		})
	}
	return p.ToFile(ctx, path, func() error { return atomicfile.Write(path, heeded) })
}

// spreadsheet is the ending of a file in which a table of CSV becomes a spreadsheet.
const spreadsheet = ".xlsx"

// resultForms are the forms of a result that the ending of a name says, and resultProducts the files of each form.
var (
	resultForms    = map[string]string{".json": "json", ".csv": "csv", spreadsheet: "csv", ".md": "markdown"}
	resultProducts = map[string]Product{"table": textProduct, "json": DataProduct, "csv": TableProduct,
		"markdown": documentProduct}
)

// KeepResult returns the action of a verb that prints its result, which goes to the file of --output if there is
// one, once it is whole, in the form that --format or else the name of the file says, and is shown on stdout as
// well. A result that shows drift is one all the same.
func (p *Program) KeepResult(act urfave.ActionFunc) urfave.ActionFunc {
	return func(c *urfave.Context) error {
		to := c.String("output")
		if to == "-" {
			return act(c)
		}
		if to == "" {
			return errEmptyOutput
		}
		if form, known := resultForms[strings.ToLower(filepath.Ext(to))]; known && !c.IsSet("format") {
			if err := c.Set("format", form); err != nil {
				return err
			}
		}
		if file, known := resultProducts[c.String("format")]; known {
			if err := p.MayWrite(c, "output", file); err != nil {
				return err
			}
		}
		stdout, result := p.Stdout, new(bytes.Buffer)
		p.Stdout, p.Beside = &Remember{W: result}, stdout
		err := act(c)
		p.Stdout = stdout
		if drift := (DriftError{}); err != nil && !errors.As(err, &drift) {
			return err
		}
		failed := p.WriteTo(c.Context, to, func(w io.Writer) error {
			_, err := result.WriteTo(w)
			return err
		})
		if failed == nil {
			p.Say("Result written to %s.", p.Written(to))
		}
		return cmp.Or(failed, err)
	}
}

// ToFile returns what save does, which writes to the file path. What is there and is no regular
// file, such as a pipe nobody reads, may hold it up, and is waited for as long as ctx lasts. A
// regular file is waited for in any case: no temporary file stays behind.
func (p *Program) ToFile(ctx context.Context, path string, save func() error) error {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		if p.replaced == nil {
			p.replaced = map[string]bool{}
		}
		p.replaced[path] = err == nil
		return save()
	}
	_, err := table.Await(ctx, func() (struct{}, error) { return struct{}{}, save() })
	return err
}

// Written names a file that was written, and says whether another one was there.
func (p *Program) Written(path string) string {
	if p.replaced[path] {
		return path + " (replaced)"
	}
	return path
}

// AndWritten goes on with the file that a result was written to; "" of stdout.
func (p *Program) AndWritten(path string) string {
	if path == "-" {
		return ""
	}
	return " and written to " + p.Written(path)
}

// SaveModel saves a model, and says which one it is in place of, or that it replaces another file, "" of none. Where
// that is of other classes or columns it warns, also when quiet: to train a model anew is routine, and to lose that
// of another task is not.
func (p *Program) SaveModel(ctx context.Context, m *rfpragma.Model, path string) (string, error) {
	var was *rfpragma.Model
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() { // a pipe may hold up who reads it
		was, _ = rfpragma.Load(path)
	}
	if err := p.ToFile(ctx, path, func() error { return m.Save(path) }); err != nil || was == nil {
		return strings.TrimPrefix(p.Written(path), path), err
	}
	others := ""
	switch {
	case !alike(was.Classes(), m.Classes()):
		others = "classes, " + nearest.List(was.Classes()) + ", "
	case !alike(columnsOf(was), columnsOf(m)):
		others = "columns "
	}
	if others != "" {
		p.Warn([]error{fmt.Errorf("%s: the model that was there is of other %sthan the new one, and is replaced", path,
			others)})
	}
	return ", in place of another model", nil
}

// columnsOf are the names of the features of a model.
func columnsOf(m *rfpragma.Model) []string {
	var names []string
	for _, f := range m.Forest.Schema {
		names = append(names, f.Name)
	}
	return names
}

// alike tells whether names are the same, in whatever order.
func alike(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// heedful writes to w as long as ctx lasts.
type heedful struct {
	ctx context.Context
	w   io.Writer
}

// Write implements [io.Writer].
func (h *heedful) Write(b []byte) (int, error) {
	if h.ctx.Err() != nil {
		return 0, context.Cause(h.ctx)
	}
	return h.w.Write(b)
}

// Page returns the page of the result in that form. That of a form for programs is seen beside the file that the
// result goes to; where it goes to none, what is written on it is lost.
func (p *Program) Page(form string) *layout.Page {
	switch {
	case form != "table" && form != "markdown":
		return &layout.Page{W: p.Beside}
	case p.Beside != io.Discard:
		return &layout.Page{W: io.MultiWriter(p.Stdout, p.Beside), Markdown: form == "markdown"}
	}
	to := &layout.Page{W: p.Stdout, Markdown: form == "markdown"}
	if out, ok := p.Stdout.(*Remember); ok {
		to.Columns = TerminalWidth(out.W)()
	}
	return to
}

// BeforeWork writes what there is to say before long work, and returns a function to call when the work has succeeded.
// On a terminal it is seen at once. Elsewhere it waits for the result: what is refused leaves nothing behind.
func (p *Program) BeforeWork(to *layout.Page, write func()) (succeeded func()) {
	if out, ok := to.W.(*Remember); ok && layout.Terminal(out.W) {
		write()
		return func() {}
	}
	out, held := to.W, new(bytes.Buffer)
	to.W = held
	write()
	return func() {
		to.W = out
		_, _ = held.WriteTo(out) // an error is remembered
	}
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

// RowForm reads how a verb that writes rows is to write them, by --format or else by the name of the file, and
// whether --output can take it.
func (p *Program) RowForm(c *urfave.Context) (predictions.RowForm, error) {
	json, out := NamesLines(c.String("output")), TableProduct
	if c.IsSet("format") {
		as, err := Format(c, "csv", "json", "jsonl")
		if err != nil {
			return predictions.RowForm{}, err
		}
		json = as != "csv"
	}
	if json {
		out = LinesProduct
	}
	return predictions.RowForm{JSON: json, Escape: Escapes(c, c.String("output"))}, p.MayWrite(c, "output", out)
}

// EscapeFlag is that of the verbs that write rows as CSV.
func EscapeFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "escape-formulas", DisableDefaultText: true, Category: "Output",
		Usage: "put ' before text in CSV that a spreadsheet takes for a formula"}
}

// Escapes tells whether text that looks like a formula is marked in a file of that name; that of a spreadsheet is text.
func Escapes(c *urfave.Context, path string) bool {
	return c.Bool("escape-formulas") && !strings.EqualFold(filepath.Ext(path), spreadsheet)
}

// CheckColumns refuses an id that is also the name of another column, in that file.
func CheckColumns(f *predictions.RowForm, file string) error {
	others := append(f.Head()[1+len(f.Per):], "probabilities", "votes", "shares")
	if slices.Contains(append(others, f.Per...), f.ID) {
		return Usagef("--id %s is also the name of a column of the output; rename it in %s", english.Quote(f.ID), file)
	}
	others = append(others, f.Keys()[0])
	for i, column := range f.Per {
		if slices.Contains(append(others, f.Per[:i]...), column) {
			return Usagef("--per %s is also the name of a column of the output; rename it in %s", english.Quote(column), file)
		}
	}
	return nil
}

// Next names on a page for people the command that comes after a result; none where it is "".
func (p *Program) Next(to *layout.Page, command string) {
	if command == "" || p.Quiet || to.Silent() || to.Markdown {
		return
	}
	to.Command(command)
}
