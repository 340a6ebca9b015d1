package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/csvtext"
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
	classes := describe(args[0], frame).Classes
	p.warnBeside(page, slices.DeleteFunc(slices.Clone(m.Warnings), func(w error) bool { return ofSingle(classes, w) })) // the reading has told of it
	p.warn(rarerInModel(m))
	p.say("Model written to %s%s.", to, was)
	if err := p.showModel(c, page, m, form, fileText(called(args[0]))); err != nil {
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
		asked.show(to, false)
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

// showModel shows a model: how it was grown, if it is not new its preference, its classes and what their weights mean. The rows of the training are named as in a command.
func (p *program) showModel(c *cli.Context, to *page, m *rfpragma.Model, form, training string) error {
	prefs, err := m.Spec.Resolve(m.Classes())
	if err != nil {
		return err
	}
	words, command := modelWords(m, prefs), c.Command.Name
	more, ask := moreWords(c, m, aimOf(m, prefs), training)
	switch form {
	case "json":
		all := words
		if more != "" {
			all = append(slices.Clip(words), strings.TrimSpace(more+" "+ask))
		}
		err = p.writeJSON(describeModel(m, prefs, p.remarks(all), command))
	case "csv":
		err = p.weightsCSV(m.Classes(), modelWeights(m))
	}
	if err != nil || to.silent() {
		return err
	}
	r := m.Provenance
	to.say(fmt.Sprintf("%s (%s), mtry %d, bag %s%s, seed %d, grown on %s with %s",
		english.Plural(m.Forest.Trees(), "tree"), english.Plural(m.Forest.Nodes(), "node"), r.Mtry, bagText(r.Growth(), m.Classes()), growthWords(r.Growth()), r.Seed,
		english.Plural(r.Rows, "row"), english.Plural(len(m.Forest.Schema), "feature")))
	if chosen := choiceWords(m); chosen != "" {
		to.say(chosen)
	}
	if command != "train" {
		aimOf(m, prefs).show(to, false)
	}
	to.table(weightTable(m))
	if command == "train" && p.together() {
		words = tunedWords(m, prefs) // warnings have told the rest
	}
	to.say(words...)
	if more != "" {
		to.say(more)
	}
	if ask != "" {
		to.command(ask)
	}
	return nil
}

// moreWords say how more is found of a class, where that may be meant, and with which command on the rows of the training; "" where it is the same one with one more flag.
func moreWords(c *cli.Context, m *rfpragma.Model, of *aim, training string) (words, command string) {
	require, class := foundMore(m, of)
	switch {
	case require == "":
		return "", ""
	case training == "":
		return fmt.Sprintf("If more of %q must be found, add %s.", of.classes[class], require), ""
	}
	flags := givenFlags(c, fitFlags())
	again := (&modelRows{model: m, aim: of}).anew(c, "train", training, m.Provenance.Reading.Target)
	return fmt.Sprintf("If more of %q must be found, train again:", of.classes[class]), spaced([]string{again}, "", append(flags, require, "-o NEW.rfp"))
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

// ruleWords says how a model decides.
func ruleWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	lines := votedWords(m, prefs)
	if len(m.Classes()) == 2 && !m.Provenance.ByCost {
		lines = append(lines, modelPricing(m, prefs).words(m.Weights, observed(m), modelPrice(m))...)
	}
	return lines
}

// votedWords says the same, but for the price of a miss.
func votedWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	if m.Provenance.ByCost {
		return nil
	}
	why := unprovenInModel(m, aimOf(m, prefs))
	if why == nil {
		why = evenWords(m, prefs)
	}
	return append(weightWords(m.Classes(), m.Weights, m.Forest.TieOrder(), m.Forest.Trees(), prefs), why...)
}

// modelWords says how a model decides, and what is known of how well.
func modelWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	words := tunedWords(m, prefs)
	if len(m.Classes()) > 2 { // of two it is said how many votes are enough
		words = append(words, trainingWords(m.Warnings, anneal.ErrEdge)...)
	}
	if !later(m.Provenance.Votes) {
		words = append(words, orderedWords(m.Provenance.Ordered, &m.Provenance.Reading, m.Forest.Schema)...)
	}
	return words
}

func tunedWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	r, lines := m.Provenance, slices.Concat(ruleWords(m, prefs), promisedWords(m, prefs), floodedWords(m, prefs), forwardWords(&m.Provenance))
	if r.Loss == nil {
		return append(lines, fmt.Sprintf("No row had %s to tune on.", votesOf(r.Votes)))
	}
	if r.Choice == rfpragma.Given {
		return append(lines, fmt.Sprintf("On the %s %s. The weights were not tuned: they were given, by number or by rule.", votesOf(r.Votes), lossWords(r.Measure, *r.Plain, *r.Loss)))
	}
	text, these, cv := fmt.Sprintf("On the %s it was tuned on, %s", votesOf(r.Votes), lossWords(r.Measure, *r.Plain, *r.Loss)), "These figures are optimistic", "cv"
	if r.Votes == vote.Forward {
		these, cv = "All these figures are optimistic, as the weights were chosen on these rows", "cv "+csvtext.Flag("time", r.Reading.Time, "COL")
	}
	if *r.Plain == *r.Loss {
		return append(lines, text+unmovedInModel(m, prefs)+"; rfpragma "+cv+" tells what to expect on new rows.")
	}
	return append(lines, text+". "+these+": rfpragma "+cv+" tells what to expect on new rows.")
}

// unmovedInModel says why tuning has moved nothing, where nothing else does.
func unmovedInModel(m *rfpragma.Model, prefs []pragma.Preference) string {
	switch {
	case slices.Min(m.Weights) < slices.Max(m.Weights) || assess.Unproven(m.Warnings) != nil || evenWords(m, prefs) != nil:
		return ""
	case len(m.Provenance.Floors) > 0:
		return ", which keeps what you require; no other weights are proven to lose less"
	}
	const unproven = "; no other weights are proven to lose less"
	if require, _ := foundMore(m, aimOf(m, prefs)); require != "" { // which is told next
		return unproven
	}
	return unproven + ", but you can say what must hold (--require)"
}
