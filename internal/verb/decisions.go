package verb

import (
	"bufio"
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/vote"
)

// decisionsFlag is that of the verbs that judge decisions of rows.
func decisionsFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "decisions", Category: "Output",
		Usage: "`FILE` to write all rows to: label, decision, votes (.csv, .xlsx, .json)"}
}

// readDecisions reads --decisions, before long work; it is nil without.
func readDecisions(p *cli.Program, c *urfave.Context) (*predictions.Decisions, error) {
	path := c.String("decisions")
	if !c.IsSet("decisions") {
		return nil, nil
	}
	if path == "-" {
		return nil, cli.Usagef("--decisions -: the result of %s goes to stdout; name a file for the decisions",
			c.Command.Name)
	}
	out, json := cli.TableProduct, cli.NamesLines(path)
	if json {
		out = cli.LinesProduct
	}
	return &predictions.Decisions{Path: path, Form: predictions.RowForm{JSON: json, Fold: c.Command.Name == "cv",
			Actual: true, Escape: cli.Escapes(c, path)}},
		p.MayWrite(c, "decisions", out)
}

// nameRows says whose decisions are wanted: those of all rows of a frame, named by the column id, if any, of that file.
func nameRows(d *predictions.Decisions, frame *dataset.Frame, id, file string) error {
	d.Frame, d.Lines = frame, make([][]byte, frame.Rows())
	d.Form.Classes, d.Form.ID, d.Form.Weight, d.Form.Label = frame.Classes, id, frame.Weight != nil,
		frame.Reading.Merge != nil
	return cli.CheckColumns(&d.Form, file)
}

// holdRows takes what is decided of some rows of the frame, nil being all, whose votes are in a table.
func holdRows(d *predictions.Decisions, fold int, rows []int, table *vote.Table, decide func(i int) int,
	probabilities func(dst []float64, votes []uint32)) {
	line := d.Form.Lines()
	var one predictions.DecidedLines
	predictions.DecideRows(table, decide, probabilities, func(i int, r predictions.Decided) {
		row := i
		if rows != nil {
			row = rows[i]
		}
		r.Fold, r.Actual, r.Label = fold, predictions.LabelOf(d.Frame, row), predictions.FileLabel(d.Frame, row)
		if d.Frame.ID != nil {
			r.ID = d.Frame.ID[row]
		}
		if d.Lacks != nil {
			r.Lacks = d.Lacks[row]
		}
		if d.Frame.Weight != nil {
			r.Weight = d.Frame.Weight[row]
		}
		if d.Why != nil {
			r.Close = d.Why[row] == predictions.BecauseClose
		}
		if d.Form.Leaves(&r) {
			d.Held++
		} else if r.Actual != "" && r.Class >= 0 && r.Actual != d.Form.Classes[r.Class] {
			d.Wrong++
		}
		number := row + 1
		if d.Frame.Number != nil {
			number = d.Frame.Number[row]
		}
		one.Clear()
		line(&one, r)
		d.Lines[row] = one.Line(nil, 0, number)
	})
}

// writeDecisions writes what --decisions asks for, if anything, of the rows of a file.
func writeDecisions(p *cli.Program, c *urfave.Context, d *predictions.Decisions, file string) error {
	if d == nil {
		return nil
	}
	err := p.WriteTo(c.Context, d.Path, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<16)
		d.Form.Begin(buffered)
		for _, line := range d.Lines {
			_, _ = buffered.Write(line) // an error comes again below
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	when := ""
	if c.Int("repeats") > 1 {
		when = " in the first repeat"
	}
	judged := 0
	for _, line := range d.Lines {
		if line != nil {
			judged++
		}
	}
	held := ""
	if d.Held > 0 {
		held = fmt.Sprintf(", and in %d it is withheld, %q", d.Held, predictions.Undecided)
	}
	p.Say("Decisions of %s%s written to %s: in %d of them %q is not %q%s.", english.Plural(judged, "row"), when,
		p.Written(d.Path), d.Wrong, "decision", "actual", held)
	if d.Form.Label {
		p.Say("\"label\" is what the file has, and \"actual\" the class that it was merged into.")
	}
	if d.Form.ID == "" && c.Args().Len() > 0 {
		p.Say("%s", countedWords(file))
	}
	return nil
}
