package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/pragma"
)

func (p *program) trainCommand() *cli.Command {
	return &cli.Command{
		Name:      "train",
		Usage:     "grow, tune, calibrate, and save a model",
		ArgsUsage: "DATA.csv",
		Description: `  rfpragma train data.csv --prefer ill -o model.rfp
  rfpragma train data.csv --target outcome --prefer-file prefs.json --trees 1000 -o model.rfp
` + preferHelp + mapHelp,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "model `FILE` to write; required"},
			acceptBest(),
		}, dataFlags(), preferFlags(), forestFlags(), fitFlags(), runFlags("table, json")),
		Action: p.train,
	}
}

func (p *program) train(c *cli.Context) error {
	p.quiet = c.Bool("quiet")
	form, err := format(c, "table", "json")
	if err != nil {
		return err
	}
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	to := c.String("output")
	if to == "" {
		return usagef("--output is missing; name the model file to write, such as -o model.rfp")
	}
	if to == "-" {
		return usagef("--output -: a model is no text for stdout; name a file, such as -o model.rfp")
	}
	if err := atomicfile.Check(to); err != nil {
		return err
	}
	if err := apart("output", to, args[0], c.String("prefer-file"), c.String("costs")); err != nil {
		return err
	}
	frame, err := p.readLabelled(c, args[0])
	if err != nil {
		return err
	}
	m, err := p.fit(c, frame)
	if err != nil {
		return err
	}
	if err := toFile(c.Context, to, func() error { return m.Save(to) }); err != nil {
		return err
	}
	p.warn(m.Warnings)
	p.say("Model written to %s.", to)
	return p.showModel(m, form, "train")
}

// fit fits a model as the flags say.
func (p *program) fit(c *cli.Context, frame *dataset.Frame) (*rfpragma.Model, error) {
	cfg, err := p.fitConfig(c, frame)
	if err != nil {
		return nil, err
	}
	spec, err := p.preference(c, frame.Classes, frame.ClassWeights())
	if err != nil {
		return nil, err
	}
	l, err := p.loss(c, spec, frame.Classes)
	if err != nil {
		return nil, err
	}
	cfg.Measure, cfg.MeasureName, cfg.Costs, cfg.AcceptBest = l.measure, l.name, l.costs, c.Bool("accept-best")
	progress := p.growing(&cfg, frame)
	m, err := rfpragma.Fit(c.Context, frame, spec, cfg)
	progress.end()
	if err != nil {
		return nil, err
	}
	m.Warnings = append(spec.Warnings(frame.Classes, m.Forest.Share), m.Warnings...)
	return m, nil
}

// growing shows the trees that a fit of cfg to frame grows.
func (p *program) growing(cfg *rfpragma.Config, frame *dataset.Frame) *progress {
	g := p.progress("tree")
	g.total = cfg.Forest.Trees * cfg.Forests(frame)
	cfg.Forest.Progress = g.add
	return g
}

// modelInfo is a model in JSON, without its trees.
type modelInfo struct {
	SchemaVersion int                       `json:"schema_version"`
	Command       string                    `json:"command"`
	Classes       []modelClass              `json:"classes"`
	Features      []modelFeature            `json:"features"`
	Trees         int                       `json:"trees"`
	Nodes         int                       `json:"nodes"`
	Spec          string                    `json:"spec"`
	Preferences   map[string]preferenceInfo `json:"preferences"`
	Provenance    rfpragma.Provenance       `json:"provenance"`
	Warnings      []string                  `json:"warnings"`
	Words         []string                  `json:"words"`
}

type modelClass struct {
	Label   string            `json:"label"`
	Share   float64           `json:"share"` // of the training rows
	Weight  float64           `json:"weight"`
	Plateau rfpragma.Interval `json:"plateau"`
}

type modelFeature struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Levels []string `json:"levels,omitempty"`

	Impurity float64 `json:"impurity"` // its part of the fall of impurity
}

func (p *program) showModel(m *rfpragma.Model, form, command string) error {
	prefs, err := m.Spec.Resolve(m.Classes())
	if err != nil {
		return err
	}
	words := modelWords(m, prefs)
	if form == "json" {
		return p.writeJSON(describeModel(m, prefs, words, command))
	}
	r := m.Provenance
	fmt.Fprintf(p.stdout, "%d trees (%d nodes), mtry %d, bag %s%s, seed %d, grown on %d rows with %d features\n",
		m.Forest.Trees(), m.Forest.Nodes(), r.Mtry, r.Bag, growthWords(r.Growth()), r.Seed, r.Rows, len(m.Forest.Schema))
	showPreferences(p.stdout, m.Classes(), prefs)
	fmt.Fprintln(p.stdout)
	g := &grid{head: []string{"class", "share of rows", "vote weight", "as good from", "to"}}
	for c, name := range m.Classes() {
		plateau := r.Plateau[c]
		g.add(name, percent(m.Forest.Share[c]), weightText(m.Weights[c]), weightText(plateau.Low), weightText(plateau.High))
	}
	g.write(p.stdout)
	fmt.Fprintln(p.stdout)
	showWords(p.stdout, words)
	return nil
}

func describeModel(m *rfpragma.Model, prefs []pragma.Preference, words []string, command string) modelInfo {
	info := modelInfo{
		SchemaVersion: schemaVersion, Command: command, Trees: m.Forest.Trees(), Nodes: m.Forest.Nodes(), Spec: m.Spec.String(),
		Preferences: preferences(m.Classes(), prefs), Provenance: m.Provenance, Warnings: []string{}, Words: words,
	}
	for c, name := range m.Classes() {
		info.Classes = append(info.Classes, modelClass{name, m.Forest.Share[c], m.Weights[c], m.Provenance.Plateau[c]})
	}
	impurity := m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		info.Features = append(info.Features, modelFeature{f.Name, f.Kind.String(), f.Levels, impurity[j]})
	}
	for _, w := range m.Warnings {
		info.Warnings = append(info.Warnings, w.Error())
	}
	return info
}

func modelWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	r := m.Provenance
	lines := weightWords(m.Classes(), m.Weights, m.Forest.Share, m.Forest.Trees(), prefs)
	if len(m.Classes()) == 2 {
		lines = append(lines, priceWords(m.Classes(), m.Maps, calib.Method(r.Calibration), m.Weights, m.Forest.Share, m.Forest.Trees(), mattersMore(m.Forest.Share, prefs))...)
	}
	if r.Loss == nil {
		return append(lines, fmt.Sprintf("No row had %s votes to tune on.", r.Votes))
	}
	return append(lines, fmt.Sprintf("On the %s votes it was tuned on, %s. That is optimistic: rfpragma cv tells what to expect on new rows.",
		r.Votes, lossWords(r.Measure, *r.Plain, *r.Loss)))
}
