package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// decisionsFlag is that of the verbs that judge decisions of rows.
func decisionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "decisions", Category: "Output", Usage: "`FILE` to write all rows to: label, decision, probabilities, votes"}
}

// decisions are the lines that --decisions asks for, one for each row of a frame.
type decisions struct {
	path  string
	form  rowForm
	frame *dataset.Frame
	lacks [][]rfpragma.MissingCell // by row, where that is most of what the model decides by; nil of a cross-validation, in which each fold has a model
	lines [][]byte                 // nil of a row that is not judged
	wrong int                      // rows that are decided otherwise than they are labelled
	held  int                      // rows whose decision is withheld
}

// decisions reads --decisions, before long work; it is nil without.
func (p *program) decisions(c *cli.Context) (*decisions, error) {
	path := c.String("decisions")
	if !c.IsSet("decisions") {
		return nil, nil
	}
	if path == "-" {
		return nil, usagef("--decisions -: the result of %s goes to stdout; name a file for the decisions", c.Command.Name)
	}
	out, json := tableProduct, namesLines(path)
	if json {
		out = linesProduct
	}
	return &decisions{path: path, form: rowForm{json: json, fold: c.Command.Name == "cv", actual: true}}, p.mayWrite(c, "decisions", out)
}

// of says whose decisions are wanted: those of all rows of a frame, named by the column id, if any, of that file.
func (d *decisions) of(frame *dataset.Frame, id, file string) error {
	d.frame, d.lines = frame, make([][]byte, frame.Rows())
	d.form.classes, d.form.id, d.form.weight, d.form.label = frame.Classes, id, frame.Weight != nil, frame.Reading.Merge != nil
	return d.form.check(file)
}

// hold takes what is decided of some rows of the frame, nil being all, whose votes are in a table.
func (d *decisions) hold(fold int, rows []int, table *vote.Table, decide func(i int) int, probabilities func(dst []float64, votes []uint32)) {
	line := d.form.lines()
	var one decidedLines
	decideRows(table, decide, probabilities, func(i int, r decided) {
		row := i
		if rows != nil {
			row = rows[i]
		}
		r.fold, r.actual, r.label = fold, labelOf(d.frame, row), fileLabel(d.frame, row)
		if d.frame.ID != nil {
			r.id = d.frame.ID[row]
		}
		if d.lacks != nil {
			r.lacks = d.lacks[row]
		}
		if d.frame.Weight != nil {
			r.weight = d.frame.Weight[row]
		}
		if d.form.withholds(r.lacks) {
			d.held++
		} else if r.actual != "" && r.class >= 0 && r.actual != d.form.classes[r.class] {
			d.wrong++
		}
		number := row + 1
		if d.frame.Number != nil {
			number = d.frame.Number[row]
		}
		one.clear()
		line(&one, r)
		d.lines[row] = one.line(nil, 0, number)
	})
}

// labelOf is the class of a row, known to the model or not; "" where there is none.
func labelOf(f *dataset.Frame, row int) string {
	switch c := f.Truth[row]; {
	case c >= 0:
		return f.Classes[c]
	case f.UnknownLabels != nil:
		return f.UnknownLabels[row]
	}
	return ""
}

// writeDecisions writes what --decisions asks for, if anything, of the rows of a file.
func (p *program) writeDecisions(c *cli.Context, d *decisions, file string) error {
	if d == nil {
		return nil
	}
	err := p.writeTo(c.Context, d.path, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<16)
		d.form.begin(buffered)
		for _, line := range d.lines {
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
	for _, line := range d.lines {
		if line != nil {
			judged++
		}
	}
	held := ""
	if d.held > 0 {
		held = fmt.Sprintf(", and in %d it is withheld, %q", d.held, undecided)
	}
	p.say("Decisions of %s%s written to %s: in %d of them %q is not %q%s.", english.Plural(judged, "row"), when, p.written(d.path), d.wrong, "decision", "actual", held)
	if d.form.label {
		p.say("\"label\" is what the file has, and \"actual\" the class that it was merged into.")
	}
	if d.form.id == "" && c.Args().Len() > 0 {
		p.say("%s", countedWords(file))
	}
	return nil
}
