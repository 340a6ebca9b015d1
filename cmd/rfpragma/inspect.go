package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "look at data before training, or at a model file",
		ArgsUsage: "DATA | MODEL.rfp",
		Description: `  rfpragma inspect data.csv
  rfpragma inspect data.csv --target outcome --format json
  rfpragma inspect model.rfp
  rfpragma inspect model.rfp --format json

Of data it shows the classes, every column, and what to look at before training: columns that
mix numbers and words, that name the rows, that give the answer away, that are constant or
empty; numbers that may stand for a missing cell or for a category; rows that occur twice. It
ends with the command to type next. Of a model it shows what was asked for, the weights, what
became of the classes in training, how rows are read, and the features.`,
		Flags:  append(dataFlags(), resultFlag(), &cli.StringFlag{Name: "format", Value: "table", Category: "Output", Usage: "`FORM` of the result: " + allForms}),
		Action: p.kept(p.inspect),
	}
}

func (p *program) inspect(c *cli.Context) error {
	form, err := resultForm(c)
	if err != nil {
		return err
	}
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	in, err := p.open(c.Context, args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	start := bufio.NewReader(in)
	if head, _ := start.Peek(len(rfpragma.Magic)); string(head) != rfpragma.Magic && filepath.Ext(args[0]) != ".rfp" {
		return p.inspectData(c, &source{start, in.Closer, in.name}, form)
	}
	for _, f := range dataFlags() {
		if name := f.Names()[0]; c.IsSet(name) {
			return usagef("--%s is about data, and %.256q is a model; leave it out", name, in.name)
		}
	}
	return p.inspectModel(c, start, in.name, form)
}

func (p *program) inspectModel(c *cli.Context, in io.Reader, name, form string) error {
	m, err := rfpragma.ReadModel(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	to := p.page(form).call(m.Classes())
	if err := p.showModel(c, to, m, form); err != nil || to.silent() {
		return err
	}
	r := m.Provenance
	probabilities := fmt.Sprintf("%s, fitted on %s", r.Calibration, votesWords(cmp.Or(r.MapVotes, r.Votes), 0))
	if m.Maps.VoteWeights != nil {
		probabilities += ", weighted"
	}
	if shares := modelShares(m); shares != "" {
		probabilities = shares
	}
	about := readingWords(r.Reading)
	if len(m.Spec) > 0 { // else costs or a measure stand above
		about = append(about, "Preference: "+m.Spec.String())
	}
	fitted := "fitted"
	if r.Choice == rfpragma.Given {
		fitted = "given, judged"
	}
	about = append(about,
		fmt.Sprintf("Weights: %s on %s", fitted, votesWords(r.Votes, r.Unvoted)),
		"Probabilities: "+probabilities,
	)
	if r.Prevalence != nil {
		about = append(about, "For "+populationWords(m.Classes(), r.Prevalence))
	}
	to.say(append(about, "Training data: sha256 "+r.Data)...)
	g, impurity := &grid{head: []string{"feature", "kind", "levels", "impurity", "in training"}}, m.Forest.Importance()
	for j, f := range m.Forest.Schema {
		levels := ""
		if len(f.Levels) > 0 {
			levels = fmt.Sprint(len(f.Levels))
		}
		g.add(f.Name, f.Kind.String(), levels, percent(impurity[j]), baselineText(&f))
	}
	to.table(g)
	to.say("Impurity is the part of a feature in what the splits gained; rfpragma importance tells what the votes owe to it.")
	return nil
}

// readingWords says what columns beside the features are for, which labels are of a class of another name, and which cells are missing.
func readingWords(r dataset.Reading) []string {
	var words []string
	for _, known := range []struct{ column, does string }{{r.ID, "names the rows"}, {r.Weight, "weighs the rows"}, {r.Group, "says which rows belong together"}} {
		if known.column != "" {
			words = append(words, fmt.Sprintf("Column %s %s", english.Quote(known.column), known.does))
		}
	}
	if times := r.TimeColumns(); times != nil {
		words = append(words, fmt.Sprintf("%s %s %s when the rows were", english.Verb(len(times), "Column", "Columns"), nearest.List(times), english.Verb(len(times), "says", "say")))
	}
	for _, class := range slices.Sorted(maps.Keys(r.Merge)) {
		words = append(words, fmt.Sprintf("Class %q: the %s %s", class, english.Verb(len(r.Merge[class]), "label", "labels"), nearest.List(r.Merge[class])))
	}
	if r.Positive != "" {
		words = append(words, fmt.Sprintf("All other labels than those of class %q are one class", r.Positive))
	}
	if len(r.Ignore) > 0 {
		words = append(words, "Columns that are left out: "+nearest.List(r.Ignore))
	}
	if len(r.Missing) > 0 {
		words = append(words, "Missing beside the empty cell: "+nearest.List(r.Missing))
	}
	return words
}

// votesWords says where votes come from, and how many of the rows are without one.
func votesWords(source vote.Source, unvoted int) string {
	text := votesOf(source)
	if unvoted > 0 {
		text += fmt.Sprintf(" (%s without one)", english.Plural(unvoted, "row"))
	}
	return text
}
