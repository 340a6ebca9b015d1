package verb

import (
	"cmp"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/view"
)

func tallyCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "tally",
		Usage:     "count the votes for a part of the rows, as a task of many",
		ArgsUsage: "TREES.part... DATA, or MODEL.rfp DATA",
		Description: `  rfpragma tally trees-0.part trees-1.part data.csv --part 3/100 -o votes-3.part
  rfpragma tally model.rfp later.csv --part 3/100 -o votes-3.part    of rows the model has not seen
  rfpragma tally model.rfp later.csv > votes.csv                     to be tuned anywhere
  cat later.csv | rfpragma tally model.rfp - > votes.csv

With the trees of grow, DATA is what they were grown on, and each row has the votes of those
trees whose bag left it out: bags are drawn again, nothing of them is stored. Part I of N has the
rows of the numbers I, I+N, I+2N, ..., so that a row has its number whatever N is; each task reads
the whole file, and votes on its rows alone. Rows of equal votes and label are counted as one.

A file called .csv, and stdout, get the plain form, which rfpragma tune reads, and which any
database makes of votes by GROUP BY: true class, votes for each class, and the count of such rows.
All steps: rfpragma help parts.`,
		Flags: slices.Concat([]urfave.Flag{
			partFlag("rows"),
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Category: "Output",
				Usage: "`FILE` of votes to write; - is stdout"},
			&urfave.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data",
				Usage: "`COLUMN` of the labels, of rows for a model"},
			&urfave.StringFlag{Name: "weight", DefaultText: "as in growing", Category: "Data",
				Usage: "`COLUMN` of case weights, of rows for a model"},
			&urfave.StringFlag{Name: "amount", Category: "Data",
				Usage: "`COLUMN` of what is at stake in a row, for costs by amount"},
		}, cli.Only(cli.DataFlags(), "input-format", "sep", "decimal", "drop-unlabelled"),
			cli.Without(cli.OutputFlags(view.AllForms),
				"format")),
		Action: func(c *urfave.Context) error { return tally(p, c) },
	}
}

func tally(p *cli.Program, c *urfave.Context) error {
	args := c.Args().Slice()
	if len(args) < 2 {
		return cli.Usagef("%s takes %s, %d given; rfpragma help %s shows examples", c.Command.Name, c.Command.ArgsUsage,
			len(args), c.Command.Name)
	}
	s, to, o, err := readTask(p, c, cli.VotesProduct)
	if err != nil {
		return err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	voters, data := args[:len(args)-1], args[len(args)-1]
	by, err := readStored(c.Context, voters)
	if err != nil {
		return cmp.Or(cli.SwappedArguments(c, args, cli.KindTrees, "the file of trees"), cli.SwappedArguments(c, args,
			rfpragma.Magic,
			"the model"), err)
	}
	var votes *rfpragma.Tally
	switch {
	case len(by.votes) > 0 || len(by.models) > 0 && len(voters) > 1:
		return cli.Usagef("tally takes one model, or the trees of grow, and then the rows; rfpragma help tally shows " +
			"examples")
	case len(by.models) > 0:
		votes, err = tallyModel(p, c, by.models[0], data, o, s, workers)
	default:
		votes, err = tallyTrees(p, c, by.trees, data, o, s, workers)
	}
	if err != nil {
		return err
	}
	if s.of == 1 && votes.TrainedOn() {
		return errTrainedOn(cli.InputName(data))
	}
	votes.Amount = o.Amount
	if err := writeTally(p, c.Context, to, votes); err != nil {
		return err
	}
	p.Say("Votes of %s counted%s.", english.Plural(votes.Rows, "row"), p.AndWritten(to))
	return nil
}

// tallyTrees counts out-of-bag votes for training rows.
func tallyTrees(p *cli.Program, c *urfave.Context, parts []*rfpragma.Part, data string, o dataset.Options, s portion,
	workers int) (*rfpragma.Tally, error) {
	if o.Target != "" || o.Weight != "" || o.DropUnlabelled {
		return nil, cli.Usagef("--target, --weight and --drop-unlabelled are for the rows of a model; trees know the " +
			"columns that they were grown with: leave them out")
	}
	trees, err := rfpragma.MergeParts(parts...)
	if err != nil {
		return nil, err
	}
	known := trees.Options()
	known.Comma, known.Decimal, known.Amount = o.Comma, o.Decimal, o.Amount
	rows, err := p.OpenRows(c, data, known, dataset.Reading{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return trees.Tally(c.Context, rows.EachBlock, s.part, s.of, workers)
}

// tallyModel counts the votes of a model for new rows.
func tallyModel(p *cli.Program, c *urfave.Context, m *rfpragma.Model, data string, o dataset.Options, s portion,
	workers int) (*rfpragma.Tally, error) {
	was := m.Provenance.Reading
	o.Schema, o.Classes, o.Positive, o.Merge, o.Missing = m.Forest.Schema, m.Classes(), was.Positive, was.Merge,
		was.Missing
	if o.Target == "" {
		o.Target = was.Target
	}
	rows, err := p.OpenRows(c, data, o, was, "weight")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t, err := m.Tally(c.Context, rows.EachBlock, s.part, s.of, workers)
	if err != nil {
		return nil, err
	}
	if err := p.WarnUnlessMisfit(rows.Warnings()); err != nil {
		return nil, err
	}
	p.Warn(rows.Warnings())
	return t, nil
}
