// Package exchange has the verbs that bring models from other programs, and to them.
package exchange

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/foreign"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/view"
)

// Shared are the steps that other verbs take, too.
type Shared struct {
	Output func(p *cli.Program, c *urfave.Context) error // refuses a file that cannot become a model
	Read   func(p *cli.Program, c *urfave.Context, m *rfpragma.Model, path string) (*dataset.Frame, error)
	Show   func(p *cli.Program, c *urfave.Context, to *layout.Page, m *rfpragma.Model, form string) error
}

// ImportCommand is the verb.
func ImportCommand(p *cli.Program, steps Shared) *urfave.Command {
	return &urfave.Command{
		Name:      "import",
		Usage:     "make a model of a forest that another program grew",
		ArgsUsage: "FOREST [DATA]",
		Description: `  rfpragma import forest.json -o model.rfp                      of scikit-learn, ranger
  rfpragma import boosted.txt --classes no,yes -o model.rfp     of LightGBM (text)
  rfpragma import boosted.ubj -o model.rfp                      of XGBoost (JSON, UBJ)
  rfpragma import forest.onnx --features a,b,c,d -o model.rfp   a tree ensemble of ONNX

The model decides as its own program does, and gives its probabilities. DATA are the labelled rows
that the trees were grown on: with them the model tells such rows from new ones, and cells that are
far from theirs. Then tune it for what you prefer, and calibrate it, on rows that the trees have not
seen: rfpragma tune model.rfp later.csv --prefer ill -o tuned.rfp. Scripts for
scikit-learn and ranger: docs/how-to/foreign.md.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "model `FILE` to write; required"},
			&urfave.StringFlag{Name: "classes", Category: "Forest", Usage: "`LABELS` of the classes 0, 1, ... of LightGBM " +
				"and XGBoost: no,yes"},
			&urfave.StringFlag{Name: "features", Category: "Forest", Usage: "`NAMES` of the features, in their order, if the " +
				"forest has none: age,sex"},
			&urfave.StringFlag{Name: "target", DefaultText: "class", Category: "Data", Usage: "`COLUMN` of the labels of DATA"},
		}, cli.NewDataFlags(), cli.OutputFlags(view.AllForms)),
		Action: func(c *urfave.Context) error { return importForest(p, c, steps) },
	}
}

func importForest(p *cli.Program, c *urfave.Context, steps Shared) error {
	form, err := cli.ResultForm(c)
	if err != nil {
		return err
	}
	args, err := cli.Arguments(c, 1, 2)
	if err == nil {
		err = steps.Output(p, c)
	}
	if err != nil {
		return err
	}
	m, err := readForeign(p, c, args[0])
	if err == nil && len(args) > 1 {
		train, err := steps.Read(p, c, m, args[1])
		if err != nil {
			return err
		}
		p.Warn(train.Warnings)
		if m, err = rfpragma.Adopt(m.Forest, m.Provenance.Origin, train); err != nil {
			return fmt.Errorf("%s: %w", cli.InputName(args[1]), err)
		}
	}
	if err != nil {
		return err
	}
	was, err := p.SaveModel(c.Context, m, c.String("output"))
	if err != nil {
		return err
	}
	p.Say("Model written to %s%s.", c.String("output"), was)
	page := p.Page(form).Call(m.Classes())
	err = steps.Show(p, c, page, m, form)
	p.Next(page, "rfpragma tune "+csvtext.Quoted(c.String("output"))+" LATER.csv --prefer CLASS -o tuned.rfp")
	return err
}

// readForeign reads the forest as a model that knows nothing of its training.
func readForeign(p *cli.Program, c *urfave.Context, path string) (*rfpragma.Model, error) {
	comma := func(r rune) bool { return r == ',' }
	in, err := p.OpenInput(c.Context, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := foreign.Read(in.Reader, cli.InputName(path), foreign.Options{
		Classes: strings.FieldsFunc(c.String("classes"), comma), Features: strings.FieldsFunc(c.String("features"), comma)})
	if err != nil {
		return nil, err
	}
	return rfpragma.Adopt(f.Forest, f.Origin, nil)
}
