package exchange

import (
	"bufio"
	"io"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/export"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
)

// ExportCommand is the verb that writes a model in other forms.
func ExportCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "export",
		Usage:     "write a saved model as ONNX, JSON or SQL, to decide rows elsewhere",
		ArgsUsage: "MODEL.rfp",
		Description: `  rfpragma export model.rfp -o model.onnx                a graph for onnxruntime and others
  rfpragma export model.rfp -o model.json                for a scorer of your own
  rfpragma export model.rfp --table payments -o score.sql   a statement for PostgreSQL and DuckDB

What is written decides each row as predict does, and gives its probabilities, in one file: trees,
weights, maps, costs, labels, categories, and rows left to people. It does not say which rows lack
most of what decides (the column "lacks" of predict). SQL holds forests of up to 50,000 nodes.
Inputs, outputs and a scorer in Python: docs/export.md.`,
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Category: "Output",
				Usage: "`FILE` to write; - is stdout"},
			&urfave.StringFlag{Name: "format", Category: "Output", DefaultText: "by the name of the file",
				Usage: "`FORM`: onnx, json or sql"},
			&urfave.StringFlag{Name: "table", Category: "Output", Value: "data",
				Usage: "`TABLE` that the statement of SQL decides, or schema.table"},
		},
		Action: func(c *urfave.Context) error { return exportModel(p, c) },
	}
}

// exportForms are the forms of a model.
var exportForms = map[string]struct {
	product cli.Product
	write   func(w io.Writer, m *rfpragma.Model, table string) error
}{
	"onnx": {cli.Product{What: "ONNX", Endings: []string{".onnx"}, May: cli.StartingWith("\x08\x07\x12")},
		func(w io.Writer, m *rfpragma.Model, _ string) error { return export.ONNX(w, m) }},
	"json": {cli.DataProduct, func(w io.Writer, m *rfpragma.Model, _ string) error { return export.JSON(w, m) }},
	"sql": {cli.Product{What: "SQL", Endings: []string{".sql"}, May: cli.StartingWith("/* A forest of ")},
		export.SQL},
}

func exportModel(p *cli.Program, c *urfave.Context) error {
	args, err := cli.Arguments(c, 1, 1)
	if err != nil {
		return err
	}
	to, name := c.String("output"), c.String("format")
	if name == "" {
		name = strings.TrimPrefix(strings.ToLower(filepath.Ext(to)), ".")
	}
	form, known := exportForms[name]
	switch {
	case !known && c.String("format") == "":
		return cli.Usagef("the name of the file, %.256q, does not say the form; end it in .onnx, .json or .sql, or give "+
			"--format", to)
	case !known:
		return cli.Usagef("--format %s is unknown; choose onnx, json or sql", english.Quote(name))
	case c.IsSet("table") && name != "sql":
		return cli.Usagef("--table is of SQL, and the form is %s; leave it out, or choose --format sql", name)
	case slices.Contains(strings.Split(c.String("table"), "."), ""):
		return cli.Usagef("--table %s is no name of a table; write TABLE or SCHEMA.TABLE", english.Quote(c.String("table")))
	}
	if err := p.MayWrite(c, "output", form.product); err != nil {
		return err
	}
	m, _, err := cli.LoadFirst(c, args)
	if err != nil {
		return err
	}
	err = p.WriteTo(c.Context, to, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		if err := form.write(out, m, c.String("table")); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		return err
	}
	if to != "-" {
		p.Say("%s written to %s.", english.Plural(m.Forest.Trees(), "tree"), p.Written(to))
	}
	return nil
}
