package verb

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/scores"
)

// applyMap writes the probabilities of the rows of a file of scores.
func applyMap(p *cli.Program, c *urfave.Context, from, path, to string) error {
	for _, flag := range []string{"folds", "calibrate", "positive"} {
		if c.IsSet(flag) {
			return cli.Usagef("--%s is for fitting a map, and %s is one; leave it out", flag, from)
		}
	}
	form, err := p.RowForm(c)
	if err != nil {
		return err
	}
	f, err := cli.OpenFile(c.Context, from)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := scores.ReadMap(f, from)
	if err != nil {
		return err
	}
	o, err := p.DataOptions(c)
	if err != nil {
		return err
	}
	o.Target, o.Positive = "", ""
	if m.Score != "" {
		o.Schema = dataset.Schema{{Name: m.Score}}
	} else {
		for _, name := range m.Classes {
			o.Schema = append(o.Schema, dataset.Field{Name: name})
		}
	}
	rows, err := p.OpenRows(c, path, o, dataset.Reading{Target: cmp.Or(c.String("target"), "class")})
	if err != nil {
		return err
	}
	defer rows.Close()
	if to == "" {
		to = "-"
	}
	form.ID, form.Mapped = o.ID, true
	err = p.WriteTo(c.Context, to, func(w io.Writer) error { return mapRows(m, w, rows, form) })
	if err == nil {
		p.Warn(append(m.Met.Warnings(cli.InputName(path)), rows.Warnings()...))
		p.Say("%s mapped%s.", english.Plural(rows.Done, "row"), p.AndWritten(to))
	}
	return err
}

// mapRows streams rows through the map.
func mapRows(m *scores.Map, w io.Writer, rows *cli.Rows, form predictions.RowForm) error {
	name, order, buffered := rows.Source.Name(), m.Order(), bufio.NewWriterSize(w, 1<<16)
	for _, c := range order {
		form.Classes = append(form.Classes, m.Classes[c])
	}
	if err := cli.CheckColumns(&form, name); err != nil {
		return err
	}
	form.Begin(buffered)
	k, most, write := len(m.Classes), 0.0, form.Lines()
	share, prob, d := make([]float64, k), make([]float64, k), predictions.Decided{Prob: make([]float64, k)}
	var one predictions.DecidedLines
	var faults scores.RowFaults
	err := rows.EachBlock(func(frame *dataset.Frame) error {
		for i := range frame.Rows() {
			number := rows.Done + i + 1
			votes, err := m.Shares(share, frame.Columns, i)
			if faults.Note(number, err); faults.Any() || m.Met.Other() {
				continue // to tell of others, too
			}
			most = max(most, votes)
			m.Maps.Probabilities(prob, share)
			for at, c := range order {
				d.Prob[at] = prob[c]
			}
			if frame.ID != nil {
				d.ID = frame.ID[i]
			}
			one.Clear()
			write(&one, d)
			if _, err := buffered.Write(one.Line(buffered.AvailableBuffer(), 0, number)); err != nil {
				return err
			}
		}
		if rows.O.Endless {
			return cmp.Or(faults.Err(name), m.Met.Err(name))
		}
		return nil
	})
	if err = cmp.Or(err, faults.Err(name), m.Met.Err(name)); err != nil {
		return err
	}
	if m.Votes && most == 1 {
		return &dataset.ParseError{File: name, Err: fmt.Errorf("every row has one vote, or shares of 0 and 1; %s",
			scores.WantsVotes)}
	}
	return buffered.Flush()
}
