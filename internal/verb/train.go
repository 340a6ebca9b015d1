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
` + cli.PreferHelp,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "model `FILE` to write; required"},
			cli.AcceptBest(),
		}, cli.DataFlags(), cli.PreferFlags(), cli.ForestFlags(), cli.FitFlags(), []urfave.Flag{cli.DecideFlag()},
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
	if to == "" {
		return cli.Usagef("--output is missing; name the model file to write, such as -o model.rfp")
	}
	if to == "-" {
		return cli.Usagef("--output -: a model is no text for stdout; name a file, such as -o model.rfp")
	}
	if err := p.MayWrite(c, "output", cli.ModelProduct); err != nil {
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
	m, succeeded, err := fit(p, c, page, cli.Called(args[0]), frame)
	if err != nil {
		return err
	}
	was, err := p.Replace(c.Context, m, to)
	if err != nil {
		return err
	}
	succeeded()
	p.Warn(m.Warnings)
	p.Say("Model written to %s%s.", to, was)
	if err := showModel(p, c, page, m, form); err != nil {
		return err
	}
	p.Next(page, "rfpragma predict "+csvtext.Quoted(to)+" NEW.csv -o decisions.csv")
	return nil
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
	spec, err := p.Preference(c, of.classes, of.weights, of.ties)
	if err != nil {
		return nil, nil, err
	}
	prefs, err := spec.Resolve(of.classes)
	if err != nil {
		return nil, nil, err
	}
	l, err := p.Loss(c, spec, of.classes, cfg.Search.Floors)
	if err != nil {
		return nil, nil, err
	}
	cli.Into(l, cfg)
	cfg.AcceptBest = c.Bool("accept-best")
	if cfg.Weights, err = cli.Given(c, of.classes, l.Costs); err != nil {
		return nil, nil, err
	}
	if cfg.ByCost, err = cli.ByCost(c); err != nil {
		return nil, nil, err
	}
	asked := &view.Goal{ByCost: cfg.ByCost, Classes: of.classes, Share: of.weights, Ties: of.ties, Spec: spec,
		Prefs: prefs,
		Loss:  l, Floors: view.FloorTexts(cfg.Search.Floors, of.classes), Given: cfg.Weights != nil}
	p.Warn(asked.Turned())
	return spec, p.Before(to, func() {
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
	if words := cli.MemoryWords(most, cfg.Forest.MaxMemory); words != "" {
		p.Say("%s", words)
	}
	cfg.Forest.Progress = g.Add
	return g
}

// modelInfo is a model in JSON, without its trees.
type modelInfo struct {
	view.Heading
	Classes  []modelClass   `json:"classes"`  // in the order of the model
	Features []modelFeature `json:"features"` // in the order of the model
	Trees    int            `json:"trees"`    // number of trees
	Nodes    int            `json:"nodes"`    // of all trees, leaves included
	// the preference as --prefer takes it; empty where costs or another measure say what is wanted
	Spec        string                         `json:"spec"`
	Preferences map[string]view.PreferenceInfo `json:"preferences"` // what is wanted of each class
	Provenance  rfpragma.Provenance            `json:"provenance"`  // on what and how the model was fitted
	view.Remarks
}

type modelClass struct {
	Label string  `json:"class"` // name of the class
	Share float64 `json:"share"` // of the training rows
	view.Weighed
}

// weightsCSV writes a line for each class.
func weightsCSV(p *cli.Program, classes []string, weights []view.Weighed) error {
	var records [][]string
	for c, w := range weights {
		records = append(records, []string{classes[c], layout.Number(w.Weight), layout.Number(w.Plateau.Low),
			layout.Number(w.Plateau.High), layout.Number(w.Cutoff)})
	}
	return p.WriteCSV([]string{"class", "weight", "plateau_low", "plateau_high", "cutoff"}, records)
}

type modelFeature struct {
	Name   string   `json:"name"`             // of the column
	Kind   string   `json:"kind"`             // numeric or categorical
	Levels []string `json:"levels,omitempty"` // of a categorical feature

	Impurity float64 `json:"impurity"` // its part of the fall of impurity

	// its cells in training, with which those of new rows are compared
	Baseline *dataset.Baseline `json:"baseline,omitempty"`
}

func describeModel(m *rfpragma.Model, prefs []pragma.Preference, said view.Remarks, command string) modelInfo {
	info := modelInfo{
		Heading: view.Heading{SchemaVersion: view.SchemaVersion, Command: command}, Trees: m.Forest.Trees(),
		Nodes: m.Forest.Nodes(), Spec: m.Spec.String(),
		Preferences: view.GoalOf(m, prefs).Preferences(), Provenance: m.Provenance, Remarks: said,
	}
	for c, w := range view.ModelWeights(m) {
		info.Classes = append(info.Classes, modelClass{m.Classes()[c], m.Forest.Share[c], w})
	}
	impurity := m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		info.Features = append(info.Features, modelFeature{f.Name, f.Kind.String(), f.Levels, impurity[j], f.Baseline})
	}
	return info
}

func addChosen(f *view.ChosenForests, settings forest.Config, _ rfpragma.ForestChoice) {
	if f.Times == nil {
		f.Times = map[string]int{}
	}
	f.Times[view.SettingWords(settings)]++
	f.All++
}
