package main

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) growCommand() *cli.Command {
	return &cli.Command{
		Name:      "grow",
		Usage:     "grow a part of the trees of a model, as a task of many",
		ArgsUsage: "DATA",
		Description: `  rfpragma grow data.csv --part 3/100 -o trees-3.part
  rfpragma grow data.csv --bag hash:30 --part 3/100 -o trees-3.part   in memory for those rows alone

The flags mean the same as for train, and must be the same for all parts. Give the preference or
costs to merge, not here. With --bag hash:ROWS, and without --weight and --group, the file is read
twice, and only the rows in the bags of the part are held. All steps: rfpragma help parts.`,
		Flags: slices.Concat([]cli.Flag{
			partFlag("trees"),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "`FILE` of trees to write; - is stdout; required"},
			list(cli.StringSliceFlag{Name: "prefer", Category: "Forest", Usage: "`SPEC` of what matters, for --criterion pragma (or repeated)"}),
			&cli.StringFlag{Name: "prefer-file", Category: "Forest", Usage: "JSON `FILE` with the same"},
		}, dataFlags(), forestFlags(), without(runFlags(allForms), "format")),
		Action: p.grow,
	}
}

func (p *program) grow(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	s, to, o, err := p.task(c, treesProduct)
	if err != nil {
		return err
	}
	if c.IsSet("prefer") || c.IsSet("prefer-file") {
		if forest.Criterion(c.String("criterion")) != forest.Pragma {
			return usagef("--prefer is for --criterion pragma here; give it to rfpragma merge, which tunes the votes")
		}
	}
	workers, err := p.threads(c)
	if err != nil {
		return err
	}
	if _, err := forestConfig(c, &dataset.Frame{}, workers); err != nil {
		return err
	}
	if _, _, err := p.spec(c); err != nil {
		return err
	}
	made, err := p.growPart(c, args[0], o, s)
	if err != nil {
		return err
	}
	if err := p.writeTo(c.Context, to, func(w io.Writer) error { _, err := made.WriteTo(w); return err }); err != nil {
		return err
	}
	if from := made.Forest.First(); to != "-" {
		p.say("Trees %d to %d of %d written to %s.", from, from+made.Forest.Trees()-1, made.Trees, p.written(to))
	}
	return nil
}

// growPart grows the trees of a part on rows that come by, if that is enough, else on all rows at once.
func (p *program) growPart(c *cli.Context, path string, o dataset.Options, s portion) (*rfpragma.Part, error) {
	if o.Target == "" {
		return nil, usagef("--target is empty; name the column of the labels")
	}
	if _, hash := forest.Bag(c.String("bag")).Rows(); hash && path != "-" && o.Weight == "" && o.Group == "" {
		outline, err := p.outline(c, path, o)
		if err != nil {
			return nil, err
		}
		if !outline.Weighted {
			return p.growScan(c, path, o, outline, s)
		}
	}
	frame, err := p.readLabelled(c, path)
	if err != nil {
		return nil, err
	}
	g, err := p.growth(c, frame, frame.ClassWeights(), tieOrder(frame), s)
	if err != nil {
		return nil, err
	}
	defer g.end()
	p.warn(frame.Warnings)
	return rfpragma.GrowPart(c.Context, frame, g.Config, g.from, g.to)
}

// outline reads a file to learn what is in it.
func (p *program) outline(c *cli.Context, path string, o dataset.Options) (*dataset.Outline, error) {
	in, err := p.openTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return dataset.ReadOutline(in.source, o)
}

// growScan reads the file again, for the rows.
func (p *program) growScan(c *cli.Context, path string, o dataset.Options, outline *dataset.Outline, s portion) (*rfpragma.Part, error) {
	shape, weights := &dataset.Frame{Classes: outline.Classes}, make([]float64, len(outline.Classes))
	for _, f := range outline.Schema {
		shape.Columns = append(shape.Columns, dataset.Column{Field: f})
	}
	for class, n := range outline.Rows {
		weights[class] = float64(n)
	}
	g, err := p.growth(c, shape, weights, vote.TieOrder(weights, outline.First), s)
	if err != nil {
		return nil, err
	}
	defer g.end()
	o.Schema, o.Classes, o.Target = outline.Schema, outline.Classes, outline.Reading.Target
	rows, err := p.openRows(c, path, o, dataset.Reading{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rfpragma.GrowScan(c.Context, outline, rows.each, g.Config, g.from, g.to)
}

// growth is how the trees of a part are grown, and which: those from one number to below another. They are shown growing until end is called.
type growth struct {
	forest.Config
	from, to int
	end      func()
}

// growth reads how the trees of a part are grown on data of the columns and classes of shape, which win ties in that order.
func (p *program) growth(c *cli.Context, shape *dataset.Frame, weights []float64, order []int, s portion) (g growth, err error) {
	workers, err := p.threads(c)
	if err != nil {
		return g, err
	}
	whole := rfpragma.Config{TuneForest: rfpragma.TuneOff}
	if whole.Forest, err = forestConfig(c, shape, workers); err != nil {
		return g, err
	}
	if whole.Forest.Criterion == forest.Pragma {
		spec, err := p.preference(c, shape.Classes, weights, order)
		if err != nil {
			return g, err
		}
		if whole, err = whole.Preferring(spec, shape.Classes); err != nil {
			return g, err
		}
	}
	g.Config = whole.Forest
	if g.from, g.to, err = s.trees(g.Trees); err != nil {
		return g, err
	}
	shown := p.progress("trees")
	shown.total, shown.least = g.to-g.from, 2*workers
	shown.job = "Growing " + plural(shown.total, "tree")
	g.Progress, g.end = shown.add, shown.end
	return g, nil
}
