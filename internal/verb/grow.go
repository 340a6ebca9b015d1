package verb

import (
	"io"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

func growCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "grow",
		Usage:     "grow a part of the trees of a model, as a task of many",
		ArgsUsage: "DATA",
		Description: `  rfpragma grow data.csv --part 3/100 -o trees-3.part
  rfpragma grow data.csv --bag hash:30 --part 3/100 -o trees-3.part   in memory for those rows alone

The flags mean the same as for train, and must be the same for all parts. Give the preference or
costs to merge, not here. With --bag hash:ROWS, and without --weight and --group, the file is read
twice, and only the rows in the bags of the part are held. All steps: rfpragma help parts.`,
		Flags: slices.Concat([]urfave.Flag{
			partFlag("trees"),
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "`FILE` of trees to write; - is stdout; required"},
			cli.List(urfave.StringSliceFlag{Name: "prefer", Category: "Forest",
				Usage: "`SPEC` of what matters, for --criterion pragma (or repeated)"}),
			&urfave.StringFlag{Name: "prefer-file", Category: "Forest", Usage: "JSON `FILE` with the same"},
		}, cli.DataFlags(), cli.ForestFlags(), cli.Without(cli.RunFlags(view.AllForms), "format")),
		Action: func(c *urfave.Context) error { return grow(p, c) },
	}
}

func grow(p *cli.Program, c *urfave.Context) error {
	args, err := cli.Arguments(c, 1, 1)
	if err != nil {
		return err
	}
	s, to, o, err := readTask(p, c, cli.TreesProduct)
	if err != nil {
		return err
	}
	if c.IsSet("prefer") || c.IsSet("prefer-file") {
		if forest.Criterion(c.String("criterion")) != forest.Pragma {
			return cli.Usagef("--prefer is for --criterion pragma here; give it to rfpragma merge, which tunes the votes")
		}
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	if _, err := cli.ForestConfig(c, &dataset.Frame{}, workers); err != nil {
		return err
	}
	if _, _, err := p.ReadSpec(c); err != nil {
		return err
	}
	made, err := growPart(p, c, args[0], o, s)
	if err != nil {
		return err
	}
	if err := p.WriteTo(c.Context, to, func(w io.Writer) error { _, err := made.WriteTo(w); return err }); err != nil {
		return err
	}
	if from := made.Forest.First(); to != "-" {
		p.Say("Trees %d to %d of %d written to %s.", from, from+made.Forest.Trees()-1, made.Trees, p.Written(to))
	}
	return nil
}

// growPart grows the trees of a part on rows that come by, if that is enough, else on all rows at once.
func growPart(p *cli.Program, c *urfave.Context, path string, o dataset.Options, s portion) (*rfpragma.Part, error) {
	if o.Target == "" {
		return nil, cli.Usagef("--target is empty; name the column of the labels")
	}
	if _, hash := forest.Bag(c.String("bag")).Rows(); hash && path != "-" && o.Weight == "" && o.Group == "" {
		outline, err := outline(p, c, path, o)
		if err != nil {
			return nil, err
		}
		if !outline.Weighted {
			return growScan(p, c, path, o, outline, s)
		}
	}
	frame, err := p.ReadLabelled(c, path)
	if err != nil {
		return nil, err
	}
	g, err := readGrowth(p, c, frame, frame.ClassWeights(), view.TieOrder(frame), s)
	if err != nil {
		return nil, err
	}
	defer g.end()
	p.Warn(frame.Warnings)
	return rfpragma.GrowPart(c.Context, frame, g.Config, g.from, g.to)
}

// outline reads a file to learn what is in it.
func outline(p *cli.Program, c *urfave.Context, path string, o dataset.Options) (*dataset.Outline, error) {
	in, err := p.OpenTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return dataset.ReadOutline(in.Source, o)
}

// growScan reads the file again, for the rows.
func growScan(p *cli.Program, c *urfave.Context, path string, o dataset.Options, outline *dataset.Outline,
	s portion) (*rfpragma.Part, error) {
	shape, weights := &dataset.Frame{Classes: outline.Classes}, make([]float64, len(outline.Classes))
	for _, f := range outline.Schema {
		shape.Columns = append(shape.Columns, dataset.Column{Field: f})
	}
	for class, n := range outline.Rows {
		weights[class] = float64(n)
	}
	g, err := readGrowth(p, c, shape, weights, vote.TieOrder(weights, outline.First), s)
	if err != nil {
		return nil, err
	}
	defer g.end()
	o.Schema, o.Classes, o.Target = outline.Schema, outline.Classes, outline.Reading.Target
	rows, err := p.OpenRows(c, path, o, dataset.Reading{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rfpragma.GrowScan(c.Context, outline, rows.EachBlock, g.Config, g.from, g.to)
}

// growth is how the trees of a part are grown, and which: those from one number to below another. They are shown
// growing until end is called.
type growth struct {
	forest.Config
	from, to int
	end      func()
}

// readGrowth reads how the trees of a part are grown on data of the columns and classes of shape, which win ties in
// that order.
func readGrowth(p *cli.Program, c *urfave.Context, shape *dataset.Frame, weights []float64, order []int,
	s portion) (g growth, err error) {
	workers, err := p.Threads(c)
	if err != nil {
		return g, err
	}
	whole := rfpragma.Config{TuneForest: rfpragma.TuneOff}
	if whole.Forest, err = cli.ForestConfig(c, shape, workers); err != nil {
		return g, err
	}
	if whole.Forest.Criterion == forest.Pragma {
		spec, err := p.ReadPreference(c, shape.Classes, weights, order)
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
	shown := p.Progress("trees")
	shown.Total, shown.Least = g.to-g.from, 2*workers
	shown.Job = "Growing " + cli.Plural(shown.Total, "tree")
	g.Progress, g.end = shown.Add, shown.End
	return g, nil
}
