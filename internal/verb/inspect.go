package verb

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
)

func inspectCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "inspect",
		Usage:     "look at data before training, or at a model file",
		ArgsUsage: "DATA | MODEL.rfp",
		Description: `  rfpragma inspect data.csv
  rfpragma inspect data.csv --target outcome --format json
  rfpragma inspect model.rfp
  rfpragma inspect model.rfp --format json

Of data it shows the classes, every column, and what to look at before training: columns that
mix numbers and words, that name the rows, that give the answer away, that are constant or
empty; numbers that may stand for a missing cell or for a category; rows that occur twice. It
ends with the command to type next. Of a model it shows what was asked for, the weights, what
became of the classes in training, how rows are read, and the features.`,
		Flags: append(cli.DataFlags(), cli.ResultFlag(), &urfave.StringFlag{Name: "format", Value: "table",
			Category: "Output", Usage: "`FORM` of the result: " + view.AllForms}),
		Action: p.KeepResult(func(c *urfave.Context) error { return inspect(p, c) }),
	}
}

func inspect(p *cli.Program, c *urfave.Context) error {
	form, err := cli.ResultForm(c)
	if err != nil {
		return err
	}
	args, err := cli.Arguments(c, 1, 1)
	if err != nil {
		return err
	}
	in, err := p.OpenInput(c.Context, args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	start := bufio.NewReader(in)
	if head, _ := start.Peek(len(rfpragma.Magic)); string(head) != rfpragma.Magic && filepath.Ext(args[0]) != ".rfp" {
		return inspectData(p, c, &table.Source{Reader: start, Closer: in.Closer, Name: in.Name}, form)
	}
	for _, f := range cli.DataFlags() {
		if name := f.Names()[0]; c.IsSet(name) {
			return cli.Usagef("--%s is about data, and %.256q is a model; leave it out", name, in.Name)
		}
	}
	return inspectModel(p, c, start, in.Name, form)
}

func inspectModel(p *cli.Program, c *urfave.Context, in io.Reader, name, form string) error {
	m, err := rfpragma.ReadModel(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	to := p.Page(form).Call(m.Classes())
	if err := showModel(p, c, to, m, form); err != nil || to.Silent() {
		return err
	}
	r := m.Provenance
	probabilities := fmt.Sprintf("%s, fitted on %s", r.Calibration, view.VotesWords(cmp.Or(r.MapVotes, r.Votes), 0))
	if m.Maps.VoteWeights != nil {
		probabilities += ", weighted"
	}
	if shares := view.ModelShares(m); shares != "" {
		probabilities = shares
	}
	about := view.ReadingWords(r.Reading)
	if len(m.Spec) > 0 { // else costs or a measure stand above
		about = append(about, "Preference: "+m.Spec.String())
	}
	fitted := "fitted"
	if r.Choice == rfpragma.Given {
		fitted = "given, judged"
	}
	about = append(about,
		fmt.Sprintf("Weights: %s on %s", fitted, view.VotesWords(r.Votes, r.Unvoted)),
		"Probabilities: "+probabilities,
	)
	if r.Prevalence != nil {
		about = append(about, "For "+populationWords(m.Classes(), r.Prevalence))
	}
	if r.Data != "" {
		about = append(about, "Training data: sha256 "+r.Data)
	}
	to.Say(about...)
	g, impurity := &layout.Grid{Head: []string{"feature", "kind", "levels", "impurity", "in training"}},
		m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		levels := ""
		if len(f.Levels) > 0 {
			levels = fmt.Sprint(len(f.Levels))
		}
		g.Add(f.Name, f.Kind.String(), levels, english.Percent(impurity[j], 1), baselineText(&f))
	}
	to.Table(g)
	to.Say("Impurity is the part of a feature in what the splits gained; rfpragma importance tells what the votes owe " +
		"to it.")
	return nil
}
