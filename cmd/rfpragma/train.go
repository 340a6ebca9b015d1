package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) trainCommand() *cli.Command {
	return &cli.Command{
		Name:      "train",
		Usage:     "grow, tune, calibrate, and save a model",
		ArgsUsage: "DATA",
		Description: `  rfpragma train data.csv --prefer ill -o model.rfp
  rfpragma train data.csv --target outcome --prefer-file prefs.json --trees 1000 -o model.rfp
` + preferHelp,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "model `FILE` to write; required"},
			acceptBest(),
		}, dataFlags(), preferFlags(), forestFlags(), fitFlags(), []cli.Flag{decideFlag()}, weightFlags(), runFlags(allForms)),
		Action: p.train,
	}
}

func (p *program) train(c *cli.Context) error {
	form, err := resultForm(c)
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
	if err := p.mayWrite(c, "output", modelProduct); err != nil {
		return err
	}
	if _, err := p.fitConfig(c, &dataset.Frame{}); err != nil {
		return err
	}
	if err := p.checkWish(c); err != nil {
		return err
	}
	frame, err := p.readLabelled(c, args[0])
	if err != nil {
		return err
	}
	page := p.page(form).call(frame.Classes)
	m, succeeded, err := p.fit(c, page, called(args[0]), frame)
	if err != nil {
		return err
	}
	was, err := p.replace(c.Context, m, to)
	if err != nil {
		return err
	}
	succeeded()
	p.warn(m.Warnings)
	p.say("Model written to %s%s.", to, was)
	if err := p.showModel(c, page, m, form); err != nil {
		return err
	}
	p.next(page, "rfpragma predict "+quoted(to)+" NEW.csv -o decisions.csv")
	return nil
}

// fit fits a model to the frame of that name as the flags say. Before the long work it says on the page what is asked for, see before.
func (p *program) fit(c *cli.Context, to *page, name string, frame *dataset.Frame) (*rfpragma.Model, func(), error) {
	cfg, err := p.fitConfig(c, frame)
	if err != nil {
		return nil, nil, err
	}
	spec, succeeded, err := p.wish(c, to, &cfg, subject{name, frame.Rows(), len(frame.Columns), frame.Classes, frame.ClassWeights(), tieOrder(frame), mergedWords(frame)})
	if err != nil {
		return nil, nil, err
	}
	p.warn(frame.Warnings)
	progress := p.growing(&cfg, frame, cfg.Forests(frame))
	m, err := rfpragma.Fit(c.Context, frame, spec, cfg)
	progress.end()
	if err != nil {
		return nil, nil, offerBest(err)
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
	ties     []int     // their order, see [aim]
	merged   []string  // says which labels became one class
}

// wish reads what is wanted into cfg and says it on the page, see before.
func (p *program) wish(c *cli.Context, to *page, cfg *rfpragma.Config, of subject) (pragma.Spec, func(), error) {
	spec, err := p.preference(c, of.classes, of.weights, of.ties)
	if err != nil {
		return nil, nil, err
	}
	prefs, err := spec.Resolve(of.classes)
	if err != nil {
		return nil, nil, err
	}
	l, err := p.loss(c, spec, of.classes, cfg.Search.Floors)
	if err != nil {
		return nil, nil, err
	}
	l.into(cfg)
	cfg.AcceptBest = c.Bool("accept-best")
	if cfg.Weights, err = given(c, of.classes, l.costs); err != nil {
		return nil, nil, err
	}
	if cfg.ByCost, err = byCost(c); err != nil {
		return nil, nil, err
	}
	asked := &aim{byCost: cfg.ByCost, classes: of.classes, share: of.weights, ties: of.ties, spec: spec, prefs: prefs, loss: l, floors: floorTexts(cfg.Search.Floors, of.classes), given: cfg.Weights != nil}
	p.warn(asked.turned())
	return spec, p.before(to, func() {
		to.say(append([]string{fmt.Sprintf("%s: %s, %s, %s", of.name, weighedRows(of.rows, of.weights), english.Plural(of.features, "feature"), classShares(of.classes, of.weights))}, of.merged...)...)
		to.say(asked.request()...)
	}), nil
}

// growing shows the trees of so many forests that fits of cfg to frame grow, and says what that takes.
func (p *program) growing(cfg *rfpragma.Config, frame *dataset.Frame, forests int) *progress {
	g := p.progress("trees")
	g.total, g.least = cfg.Forest.Trees*forests, 2*cfg.Forest.Workers
	g.job = fmt.Sprintf("Growing %s on %s", plural(g.total, "tree"), plural(frame.Rows(), "row"))
	if forests > 1 {
		g.job = fmt.Sprintf("Growing %s (%s of %s) on %s", plural(g.total, "tree"), plural(forests, "forest"), grouped(cfg.Forest.Trees), plural(frame.Rows(), "row"))
	}
	_, most := forest.Memory(frame, cfg.Forest)
	if words := memoryWords(most, cfg.Forest.MaxMemory); words != "" {
		p.say("%s", words)
	}
	cfg.Forest.Progress = g.add
	return g
}

// modelInfo is a model in JSON, without its trees.
type modelInfo struct {
	heading
	Classes     []modelClass              `json:"classes"`     // in the order of the model
	Features    []modelFeature            `json:"features"`    // in the order of the model
	Trees       int                       `json:"trees"`       // number of trees
	Nodes       int                       `json:"nodes"`       // of all trees, leaves included
	Spec        string                    `json:"spec"`        // the preference as --prefer takes it; empty where costs or another measure say what is wanted
	Preferences map[string]preferenceInfo `json:"preferences"` // what is wanted of each class
	Provenance  rfpragma.Provenance       `json:"provenance"`  // on what and how the model was fitted
	remarks
}

type modelClass struct {
	Label string  `json:"class"` // name of the class
	Share float64 `json:"share"` // of the training rows
	weighed
}

// weighed is the weight of a class, and what else it is called.
type weighed struct {
	Weight  float64           `json:"weight"`  // multiplies the votes; only ratios count
	Plateau rfpragma.Interval `json:"plateau"` // weights that decide the votes it was tuned on just as well
	Cutoff  float64           `json:"cutoff"`  // 1/weight, summing to 1: the cutoff of R's randomForest
	// Origin is own, shrunk (own, less than half of it kept), shared (follows from one number of all classes) or one;
	// not of two classes, nor where weights were given or are 1 each.
	Origin string `json:"origin,omitempty"`
}

// weigh returns the weights of classes and their plateaus in all words.
func weigh(w vote.Weights, origins []anneal.Origin, plateau func(c int) rfpragma.Interval) []weighed {
	var sum portable.Sum
	for _, v := range w {
		sum.Add(1 / v)
	}
	out := make([]weighed, len(w))
	for c, v := range w {
		out[c] = weighed{Weight: v, Plateau: plateau(c), Cutoff: 1 / v / sum.Value()}
		if slices.ContainsFunc(origins, func(o anneal.Origin) bool { return o != anneal.One }) {
			out[c].Origin = origins[c].String()
		}
	}
	return out
}

// text shows the weight, and where it comes from unless it is its own.
func (w weighed) text() string { return weightText(w.Weight) + originText(w.Origin) }

// originText says in a word where a weight comes from that is not its own.
func originText(origin string) string {
	if origin == anneal.Shared.String() || origin == anneal.Shrunk.String() {
		return " (" + origin + ")"
	}
	return ""
}

// weightsCSV writes a line for each class.
func (p *program) weightsCSV(classes []string, weights []weighed) error {
	var records [][]string
	for c, w := range weights {
		records = append(records, []string{classes[c], number(w.Weight), number(w.Plateau.Low), number(w.Plateau.High), number(w.Cutoff)})
	}
	return p.writeCSV([]string{"class", "weight", "plateau_low", "plateau_high", "cutoff"}, records)
}

type modelFeature struct {
	Name   string   `json:"name"`             // of the column
	Kind   string   `json:"kind"`             // numeric or categorical
	Levels []string `json:"levels,omitempty"` // of a categorical feature

	Impurity float64 `json:"impurity"` // its part of the fall of impurity

	Baseline *dataset.Baseline `json:"baseline,omitempty"` // its cells in training, with which those of new rows are compared
}

// weightTable shows the weights of a model, how far each could move, and what became of the classes under them, if that is known.
func weightTable(m *rfpragma.Model) *grid {
	g := &grid{head: []string{"class", "share", "vote weight", "same loss with"}}
	if m.Provenance.ByCost { // which goes by no weights
		g.head = g.head[:2]
	}
	columns := len(g.head)
	figures := m.Provenance.Figures
	if figures != nil {
		from := string(m.Provenance.Votes)
		if m.Provenance.Votes == vote.Forward {
			from = "in training"
		}
		g.head = append(g.head, "recall "+from, "precision "+from)
	}
	for c, w := range modelWeights(m) {
		cells := []string{m.Classes()[c], percent(m.Forest.Share[c]), w.text(), plateauText(w.Plateau)}[:columns]
		if figures != nil {
			cells = append(cells, observedText(figures[c].Recall, 0), observedText(figures[c].Precision, 0))
		}
		g.add(cells...)
	}
	return g
}

func modelWeights(m *rfpragma.Model) []weighed {
	return weigh(m.Weights, m.Provenance.Origins, func(c int) rfpragma.Interval { return m.Provenance.Plateau[c] })
}

func describeModel(m *rfpragma.Model, prefs []pragma.Preference, said remarks, command string) modelInfo {
	info := modelInfo{
		heading: heading{schemaVersion, command}, Trees: m.Forest.Trees(), Nodes: m.Forest.Nodes(), Spec: m.Spec.String(),
		Preferences: aimOf(m, prefs).preferences(), Provenance: m.Provenance, remarks: said,
	}
	for c, w := range modelWeights(m) {
		info.Classes = append(info.Classes, modelClass{m.Classes()[c], m.Forest.Share[c], w})
	}
	impurity := m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		info.Features = append(info.Features, modelFeature{f.Name, f.Kind.String(), f.Levels, impurity[j], f.Baseline})
	}
	return info
}
