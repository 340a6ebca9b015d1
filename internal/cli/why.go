package cli

import (
	"slices"
	"strconv"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
)

// WhyFlags ask why rows are decided as they are.
func WhyFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "reasons", Category: "Output", DefaultText: "none",
			Usage: "N or `CLASS=N`: cells a decision, or CLASS, owes most to"},
		&urfave.StringFlag{Name: "change", Category: "Output", DefaultText: "none",
			Usage: "N or `CLASS=N`: fewest cells that turn the decision"},
		List(urfave.StringSliceFlag{Name: "keep", Category: "Output", Usage: "`COLUMNS` that --change keeps"}),
		&urfave.StringFlag{Name: "shap", Category: "Output", DefaultText: "none",
			Usage: "`CLASS` or CLASS=log-odds: what cells add to its votes"},
		&urfave.StringFlag{Name: "background", Category: "Output",
			Usage: "`FILE` of usual rows for --shap: those of the training"},
	}
}

// ReadWhy reads these flags; where they name no class a list has those of its own.
func (p *Program) ReadWhy(c *urfave.Context, m *rfpragma.Model, of *view.Goal, list *predictions.Top) (
	a predictions.Asked, err error) {
	if a.Reasons, err = readCells(c, "reasons", of, "for what speaks for that class"); err != nil {
		return a, err
	}
	if list != nil && a.Reasons.Class == "" {
		a.Reasons.Class = list.Name
	}
	if a.Change, err = readCells(c, "change", of, "for what turns rows into that class"); err != nil {
		return a, err
	}
	if a.Keep, err = Names("keep", c.StringSlice("keep")); err != nil {
		return a, err
	}
	for _, field := range m.Forest.Schema {
		a.Columns = append(a.Columns, field.Name)
	}
	unknown := slices.IndexFunc(a.Keep, func(name string) bool { return !slices.Contains(a.Columns, name) })
	switch {
	case a.Change.Most > forest.MostChanged:
		return a, Usagef("--change %s; choose 1 to %d cells", c.String("change"), forest.MostChanged)
	case c.IsSet("keep") && !c.IsSet("change"):
		return a, Usagef("--keep says what --change is to keep; give that, or leave it out")
	case unknown >= 0:
		return a, Usagef("--keep: %w", nearest.Unknown("column", a.Keep[unknown], a.Columns))
	case m.Provenance.ByCost && len(m.Classes()) > 2 && c.IsSet("change"):
		return a, Usagef("--change: the model decides %s by expected cost; changes are found for two, or where vote "+
			"weights decide", english.Plural(len(m.Classes()), "class"))
	}
	err = p.readParts(c, m, &a)
	return a, err
}

// readCells reads a flag that takes N or CLASS=N.
func readCells(c *urfave.Context, flag string, of *view.Goal, what string) (r predictions.Reasoned, err error) {
	text := c.String(flag)
	if !c.IsSet(flag) {
		return r, nil
	}
	name, number, named := cutLast(text, "=")
	if !named {
		name, number = "", text
	}
	likely, _ := of.Likely()
	r.Class = name
	r.Most, err = strconv.Atoi(number)
	switch {
	case named && !slices.Contains(of.Classes, name):
		return r, Usagef("--%s %s: %w", flag, english.Quote(text), nearest.Unknown("class", name, of.Classes))
	case err != nil:
		return r, Usagef("--%s %s: %s is no number of cells; write such as --%[1]s 3, or --%[1]s %[4]s %s", flag,
			english.Quote(text), english.Quote(number), csvtext.Quoted(likely+"=3"), what)
	case r.Most < 1:
		return r, Usagef("--%s %s; choose 1 or more", flag, text)
	}
	return r, nil
}

// readParts reads --shap and --background.
func (p *Program) readParts(c *urfave.Context, m *rfpragma.Model, a *predictions.Asked) error {
	text, file := c.String("shap"), c.String("background")
	switch {
	case !c.IsSet("shap") && !c.IsSet("background"):
		return nil
	case !c.IsSet("shap"):
		return Usagef("--background has the usual rows for --shap; give that, or leave it out")
	case file == "":
		return Usagef("--shap needs usual rows, from which parts count; name those of the training: --background train.csv")
	}
	a.PartsOf = text
	class, scale, scaled := cutLast(text, "=")
	if scaled = scaled && !slices.Contains(m.Classes(), text); scaled {
		a.PartsOf = class
	}
	switch {
	case !slices.Contains(m.Classes(), a.PartsOf):
		return Usagef("--shap %s: %w", english.Quote(text), nearest.Unknown("class", a.PartsOf, m.Classes()))
	case scaled && scale != "log-odds":
		return Usagef("--shap %s: write CLASS, or CLASS=log-odds", english.Quote(text))
	}
	background, err := p.background(c, m, file)
	if err != nil {
		return err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	a.LogOdds = scaled
	a.Parts, err = explain.New(c.Context, m, background, explain.Options{Class: a.PartsOf, LogOdds: scaled,
		Workers: workers})
	return err
}

// background reads usual rows for a model.
func (p *Program) background(c *urfave.Context, m *rfpragma.Model, path string) (*dataset.Frame, error) {
	o := dataset.Options{Schema: m.Forest.Schema, Missing: m.Provenance.Reading.Missing}
	in, err := p.OpenTable(c, path, &o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	RecallColumns(c, &o, m.Provenance.Reading, in.Source.Columns(), "weight")
	frame, err := dataset.Read(in.Source, o)
	if err == nil && frame.Rows() == 0 {
		err = NoRows(in.Source.Name())
	}
	return frame, err
}
