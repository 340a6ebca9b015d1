package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/english"
)

func (p *program) mergeCommand() *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "put trees and votes together: tune, calibrate, and save a model",
		ArgsUsage: "PART...",
		Description: `  rfpragma merge trees-0.part trees-1.part votes-0.part votes-1.part --prefer ill -o model.rfp
  rfpragma merge trees-0.part trees-1.part -o trees.part     trees alone: the part that they make up
  rfpragma merge votes-0.part votes-1.part -o votes.csv      votes alone: for rfpragma tune

Trees and votes make the model that train --votes oob makes on one machine, with the same bytes.
Files come in any order. The error names any that is missing, occurs twice, or belongs to other
data, settings or trees. All steps: rfpragma help parts.
` + preferHelp,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "`FILE` to write: the model, trees or votes; required"},
			&cli.StringFlag{Name: "calibrate", Value: "auto", Category: "Fitting", Usage: "`MAP`: platt, isotonic, beta, auto, ...; see help maps"},
			acceptBest(),
		}, preferFlags(), searchFlags(), []cli.Flag{decideFlag()}, weightFlags(), outputFlags(allForms)),
		Action: p.merge,
	}
}

func (p *program) merge(c *cli.Context) error {
	form, err := resultForm(c)
	if err != nil {
		return err
	}
	args := c.Args().Slice()
	if len(args) == 0 {
		return usagef("merge takes %s, none given; rfpragma help merge shows examples", c.Command.ArgsUsage)
	}
	to := c.String("output")
	if to == "" {
		return errNoOutput
	}
	if _, err := mergeConfig(c, 0, nil); err != nil {
		return err
	}
	if err := p.checkWish(c); err != nil {
		return err
	}
	given, err := readStored(c.Context, args)
	if err != nil {
		return err
	}
	if len(given.models) > 0 {
		return usagef("merge takes the trees of grow and the votes of tally, and a model is whole already; rfpragma tune and rfpragma calibrate change one")
	}
	var trees *rfpragma.Part
	var votes *rfpragma.Tally
	if len(given.trees) > 0 {
		if trees, err = rfpragma.MergeParts(given.trees...); err != nil {
			return err
		}
	}
	if len(given.votes) > 0 {
		if votes, err = rfpragma.MergeTallies(given.votes...); err != nil {
			return err
		}
	}
	out := votesProduct
	switch {
	case votes == nil:
		out = treesProduct
	case trees != nil:
		out = modelProduct
	}
	if err := p.writable(c, out); err != nil {
		return err
	}
	switch {
	case votes == nil:
		err = p.writeTo(c.Context, to, func(w io.Writer) error { _, err := trees.WriteTo(w); return err })
	case trees != nil:
		return p.mergeModel(c, form, trees, votes, to)
	default:
		if plainVotes(to) { // which does not say what is missing
			if err := usable(votes, votes.Name); err != nil {
				return err
			}
		}
		err = p.writeTally(c.Context, to, votes)
	}
	if err == nil {
		p.say("%s merged%s.", english.Plural(len(args), "file"), p.andWritten(to))
	}
	return err
}

// usable refuses votes that say nothing about all of the rows, or about new ones.
func usable(votes *rfpragma.Tally, name string) error {
	if err := votes.Whole(); err != nil {
		return err
	}
	if votes.TrainedOn() {
		return errTrainedOn(name)
	}
	return nil
}

func errTrainedOn(name string) error {
	return fmt.Errorf("%s: %w: these are votes for the rows that the model was trained on; count those for others, or with the trees of grow", cmp.Or(name, "the votes"), anneal.ErrTrain)
}

// mergeConfig reads how votes are tuned and calibrated on. Nil classes are not known yet.
func mergeConfig(c *cli.Context, workers int, classes []string) (cfg rfpragma.Config, err error) {
	if cfg.Search, err = search(c, workers, classes); err != nil {
		return cfg, err
	}
	cfg.Calibration, err = parseMap(c)
	return cfg, err
}

// mergeModel tunes and calibrates on the votes of the trees.
func (p *program) mergeModel(c *cli.Context, form string, trees *rfpragma.Part, votes *rfpragma.Tally, to string) error {
	if to == "-" {
		return usagef("--output -: a model is no text for stdout; name a file, such as -o model.rfp")
	}
	workers, err := p.threads(c)
	if err != nil {
		return err
	}
	table := votes.Table()
	cfg, err := mergeConfig(c, workers, table.Classes)
	if err != nil {
		return err
	}
	cfg.Search.Seed = trees.Grown.Seed
	if column := c.String("amount"); column != votes.Amount {
		return usagef("--amount %s: the votes were counted with the amounts of column %s; count them again with rfpragma tally --amount, or name that column", english.Quote(column), english.Quote(votes.Amount))
	}
	page := p.page(form).call(table.Classes)
	of := subject{english.Plural(trees.Trees, "tree"), votes.Rows, len(trees.Forest.Schema), table.Classes, classWeightsOf(table), table.TieOrder(), nil}
	spec, succeeded, err := p.wish(c, page, &cfg, of)
	if err != nil {
		return err
	}
	m, err := trees.Fit(c.Context, votes, spec, cfg)
	if err != nil {
		return offerBest(err)
	}
	m.Warnings = append(spec.Warnings(table.Classes, m.Forest.Share), m.Warnings...)
	was, err := p.replace(c.Context, m, to)
	if err != nil {
		return err
	}
	succeeded()
	p.warn(m.Warnings)
	p.say("Model written to %s%s.", to, was)
	return p.showModel(c, page, m, form)
}
