package verb

import (
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/memory"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

func trainCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "train",
		Usage:     "grow, tune, calibrate, and save a model",
		ArgsUsage: "DATA",
		Description: `  rfpragma train data.csv --prefer ill -o model.rfp
  rfpragma train data.csv --target outcome --prefer-file prefs.json --trees 1000 -o model.rfp
  rfpragma train data.csv --require 'ill:recall>=0.5' --sure 80% -o model.rfp   on new rows, too
  rfpragma train data.csv --prefer ill --review 2% -o model.rfp    2 in 100 rows are left to people
` + cli.PreferHelp,

		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "model `FILE` to write; required"},
			cli.AcceptBest(),
		}, cli.DataFlags(), cli.PreferFlags(), cli.ForestFlags(), cli.FitFlags(), []urfave.Flag{cli.DecideFlag(),
			cli.ScoreFlag()},
			cli.WeightFlags(), cli.RunFlags(view.AllForms)),
		Action: func(c *urfave.Context) error { return train(p, c) },
	}
}

func train(p *cli.Program, c *urfave.Context) error {
	form, err := cli.ResultForm(c)
	if err != nil {
		return err
	}
	args, err := cli.Arguments(c, 1, 1)
	if err != nil {
		return err
	}
	to := c.String("output")
	if err := modelOutput(p, c); err != nil {
		return err
	}
	if _, err := p.FitConfig(c, &dataset.Frame{}); err != nil {
		return err
	}
	if err := p.CheckWish(c); err != nil {
		return err
	}
	frame, err := p.ReadLabelled(c, args[0])
	if err != nil {
		return err
	}
	page := p.Page(form).Call(frame.Classes)
	m, succeeded, err := fit(p, c, page, cli.InputName(args[0]), frame)
	if err != nil {
		return err
	}
	was, err := p.SaveModel(c.Context, m, to)
	if err != nil {
		return err
	}
	succeeded()
	p.Warn(m.Warnings)
	err = showModel(p, c, page, m, form)
	p.Say("Model written to %s%s.", to, was)
	if err != nil {
		return err
	}
	p.Next(page, "rfpragma predict "+csvtext.Quoted(to)+" NEW.csv -o decisions.csv")
	return nil
}

// modelOutput refuses a file for a model that is not named, or cannot be written.
func modelOutput(p *cli.Program, c *urfave.Context) error {
	switch c.String("output") {
	case "":
		return cli.Usagef("--output is missing; name the model file to write, such as -o model.rfp")
	case "-":
		return cli.Usagef("--output -: a model is no text for stdout; name a file, such as -o model.rfp")
	}
	return p.MayWrite(c, "output", cli.ModelProduct)
}

// fit fits a model to the frame of that name as the flags say. Before the long work it says on the page what is
// asked for, see Before.
func fit(p *cli.Program, c *urfave.Context, to *layout.Page, name string, frame *dataset.Frame) (*rfpragma.Model,
	func(),
	error) {
	cfg, err := p.FitConfig(c, frame)
	if err != nil {
		return nil, nil, err
	}
	if cfg.Scores, err = cli.ReadScore(c); err != nil {
		return nil, nil, err
	}
	spec, succeeded, err := readWish(p, c, to, &cfg, subject{name, frame.Rows(), len(frame.Columns), frame.Classes,
		frame.ClassWeights(), view.TieOrder(frame), view.MergedWords(frame)})
	if err != nil {
		return nil, nil, err
	}
	p.Warn(frame.Warnings)
	progress := growing(p, &cfg, frame, cfg.Forests(frame))
	m, err := rfpragma.Fit(c.Context, frame, spec, cfg)
	progress.End()
	if err != nil {
		return nil, nil, cli.OfferBest(err)
	}
	m.Warnings = append(spec.Warnings(frame.Classes, m.Forest.Share), m.Warnings...)
	return m, succeeded, nil
}

// subject is what a model is fitted to.
type subject struct {
	name     string
	rows     int
	features int
	classes  []string
	weights  []float64 // of their rows
	ties     []int     // their order, see [view.Goal]
	merged   []string  // says which labels became one class
}

// readWish reads what is wanted into cfg and says it on the page, see Before.
func readWish(p *cli.Program, c *urfave.Context, to *layout.Page, cfg *rfpragma.Config, of subject) (pragma.Spec,
	func(),
	error) {
	spec, err := p.ReadPreference(c, of.classes, of.weights, of.ties)
	if err != nil {
		return nil, nil, err
	}
	prefs, err := spec.Resolve(of.classes)
	if err != nil {
		return nil, nil, err
	}
	l, err := p.ReadLoss(c, spec, of.classes, cfg.Search.Floors)
	if err != nil {
		return nil, nil, err
	}
	cli.SetLoss(l, cfg)
	cfg.AcceptBest = c.Bool("accept-best")
	if cfg.Weights, err = cli.GivenWeights(c, of.classes, l.Costs); err != nil {
		return nil, nil, err
	}
	if cfg.ByCost, err = cli.DecidesByCost(c); err != nil {
		return nil, nil, err
	}
	asked := &view.Goal{ByCost: cfg.ByCost, Classes: of.classes, Share: of.weights, Ties: of.ties, Spec: spec,
		Prefs: prefs,
		Loss:  l, Floors: view.FloorTexts(cfg.Search.Floors, of.classes), Given: cfg.Weights != nil, Sure: cfg.Sure,
		Review: cfg.Review}
	p.Warn(asked.Turned())
	return spec, p.BeforeWork(to, func() {
		to.Say(append([]string{fmt.Sprintf("%s: %s, %s, %s", of.name, view.WeighedRows(of.rows, of.weights),
			english.Plural(of.features, "feature"), view.ClassShares(of.classes, of.weights))}, of.merged...)...)
		to.Say(asked.Request()...)
	}), nil
}

// growing shows the trees of so many forests that fits of cfg to frame grow, and says what that takes.
func growing(p *cli.Program, cfg *rfpragma.Config, frame *dataset.Frame, forests int) *cli.Progress {
	g := p.Progress("trees")
	g.Total, g.Least = cfg.Forest.Trees*forests, 2*cfg.Forest.Workers
	g.Job = fmt.Sprintf("Growing %s on %s", cli.Plural(g.Total, "tree"), cli.Plural(frame.Rows(), "row"))
	if forests > 1 {
		g.Job = fmt.Sprintf("Growing %s (%s of %s) on %s", cli.Plural(g.Total, "tree"), cli.Plural(forests, "forest"),
			cli.Grouped(cfg.Forest.Trees), cli.Plural(frame.Rows(), "row"))
	}
	_, most := forest.Memory(frame, cfg.Forest)
	if words := memory.Words(most, cfg.Forest.MaxMemory); words != "" {
		p.Say("%s", words)
	}
	cfg.Forest.Progress = g.Add
	return g
}
