package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/calib"
)

func (p *program) inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "show what a model file holds",
		ArgsUsage: "MODEL.rfp",
		Description: `  rfpragma inspect model.rfp
  rfpragma inspect model.rfp --format json`,
		Flags:  []cli.Flag{&cli.StringFlag{Name: "format", Value: "table", Category: "Output", Usage: "`FORM` of the result: " + allForms}},
		Action: p.inspect,
	}
}

func (p *program) inspect(c *cli.Context) error {
	form, err := resultForm(c)
	if err != nil {
		return err
	}
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	m, err := load(c.Context, args[0])
	if err != nil {
		return err
	}
	to := p.page(form)
	if err := p.showModel(to, m, form, "inspect"); err != nil || to.silent() {
		return err
	}
	r := m.Provenance
	on := fmt.Sprintf("%s votes (%d rows without one)", r.Votes, r.Unvoted)
	if r.MapVotes != "" {
		on = fmt.Sprintf("%s votes for other rows", r.MapVotes)
	}
	probabilities := fmt.Sprintf("%s, fitted on %s", r.Calibration, on)
	if shares := sharesWords(calib.Method(r.Calibration), m.Maps); shares != "" {
		probabilities = shares
	}
	about := []string{"Preference: " + m.Spec.String(), "Probabilities: " + probabilities}
	if r.Prevalence != nil {
		about = append(about, fmt.Sprintf("For a population with the shares of classes %.4g", r.Prevalence))
	}
	to.say(append(about, "Training data: sha256 "+r.Data)...)
	g, impurity := &grid{head: []string{"feature", "kind", "levels", "impurity"}}, m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		levels := ""
		if len(f.Levels) > 0 {
			levels = fmt.Sprint(len(f.Levels))
		}
		g.add(f.Name, f.Kind.String(), levels, percent(impurity[j]))
	}
	to.table(g)
	to.say("Impurity is the part of a feature in what the splits gained; rfpragma importance tells what the votes owe to it.")
	return nil
}
