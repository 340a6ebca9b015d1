package verb

import (
	"io"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/view"
)

func mergeCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "merge",
		Usage:     "put trees and votes together: tune, calibrate, and save a model",
		ArgsUsage: "PART...",
		Description: `  rfpragma merge trees-0.part trees-1.part votes-0.part votes-1.part --prefer ill -o model.rfp
  rfpragma merge trees-0.part trees-1.part -o trees.part     trees alone: the part that they make up
  rfpragma merge votes-0.part votes-1.part -o votes.csv      votes alone: for rfpragma tune

Trees and votes make the model that train --votes oob makes on one machine, with the same bytes.
Files come in any order. The error names any that is missing, occurs twice, or belongs to other
data, settings or trees. All steps: rfpragma help parts.
` + cli.PreferHelp,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "`FILE` to write: the model, trees or votes; required"},
			&urfave.StringFlag{Name: "calibrate", Value: "auto", Category: "Fitting",
				Usage: "`MAP`: platt, isotonic, beta, auto, ...; see help maps"},
			cli.AcceptBest(),
		}, cli.PreferFlags(), cli.SearchFlags(), []urfave.Flag{cli.DecideFlag()}, cli.WeightFlags(),
			cli.OutputFlags(view.AllForms)),
		Action: func(c *urfave.Context) error { return merge(p, c) },
	}
}

func merge(p *cli.Program, c *urfave.Context) error {
	form, err := cli.ResultForm(c)
	if err != nil {
		return err
	}
	args := c.Args().Slice()
	if len(args) == 0 {
		return cli.Usagef("merge takes %s, none given; rfpragma help merge shows examples", c.Command.ArgsUsage)
	}
	to := c.String("output")
	if to == "" {
		return errNoOutput
	}
	if _, err := mergeConfig(c, 0, nil); err != nil {
		return err
	}
	if err := p.CheckWish(c); err != nil {
		return err
	}
	given, err := readStored(c.Context, args)
	if err != nil {
		return err
	}
	if len(given.models) > 0 {
		return cli.Usagef("merge takes the trees of grow and the votes of tally, and a model is whole already; rfpragma " +
			"tune and rfpragma calibrate change one")
	}
	trees, votes, err := given.merged()
	if err != nil {
		return err
	}
	out := cli.VotesProduct
	switch {
	case votes == nil:
		out = cli.TreesProduct
	case trees != nil:
		out = cli.ModelProduct
	}
	if err := writable(p, c, out); err != nil {
		return err
	}
	switch {
	case votes == nil:
		err = p.WriteTo(c.Context, to, func(w io.Writer) error { _, err := trees.WriteTo(w); return err })
	case trees != nil:
		return mergeModel(p, c, form, trees, votes, to)
	default:
		if plainVotes(to) { // which does not say what is missing
			if err := usable(votes, votes.Name); err != nil {
				return err
			}
		}
		err = writeTally(p, c.Context, to, votes)
	}
	if err == nil {
		p.Say("%s merged%s.", english.Plural(len(args), "file"), p.AndWritten(to))
	}
	return err
}

// merged puts trees together, and votes; nil where there are none.
func (s *stored) merged() (trees *rfpragma.Part, votes *rfpragma.Tally, err error) {
	if len(s.trees) > 0 {
		if trees, err = rfpragma.MergeParts(s.trees...); err != nil {
			return nil, nil, err
		}
	}
	if len(s.votes) > 0 {
		votes, err = rfpragma.MergeTallies(s.votes...)
	}
	return trees, votes, err
}

// mergeConfig reads how votes are tuned and calibrated on. Nil classes are not known yet.
func mergeConfig(c *urfave.Context, workers int, classes []string) (cfg rfpragma.Config, err error) {
	if cfg.Search, err = cli.Search(c, workers, classes); err != nil {
		return cfg, err
	}
	cfg.Calibration, err = cli.ParseMap(c)
	return cfg, err
}

// mergeModel tunes and calibrates on the votes of the trees.
func mergeModel(p *cli.Program, c *urfave.Context, form string, trees *rfpragma.Part, votes *rfpragma.Tally,
	to string) error {
	if err := modelOutput(p, c); err != nil {
		return err
	}
	workers, err := p.Threads(c)
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
		return cli.Usagef("--amount %s: the votes were counted with the amounts of column %s; count them again with "+
			"rfpragma tally --amount, or name that column", english.Quote(column), english.Quote(votes.Amount))
	}
	page := p.Page(form).Call(table.Classes)
	of := subject{english.Plural(trees.Trees, "tree"), votes.Rows, len(trees.Forest.Schema), table.Classes,
		view.ClassWeightsOf(table), table.TieOrder(), nil}
	spec, succeeded, err := readWish(p, c, page, &cfg, of)
	if err != nil {
		return err
	}
	m, err := trees.Fit(c.Context, votes, spec, cfg)
	if err != nil {
		return cli.OfferBest(err)
	}
	m.Warnings = append(spec.Warnings(table.Classes, m.Forest.Share), m.Warnings...)
	was, err := p.SaveModel(c.Context, m, to)
	if err != nil {
		return err
	}
	succeeded()
	p.Warn(m.Warnings)
	p.Say("Model written to %s%s.", to, was)
	return showModel(p, c, page, m, form)
}
