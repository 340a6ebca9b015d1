package verb

import (
	"maps"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/view"
)

// judgingCommand is the command that judges a way to train on rows that a model has seen.
func judgingCommand(in *view.ModelRows, c *urfave.Context) string {
	return anewCommand(in, c, "cv", view.Quoted(c.Args().Get(1)), in.Frame.Reading.Target)
}

// anewCommand is the command that does the work of a verb on the rows of the training, whose labels are in that
// column, with what the model knows of how they are read and what it was tuned for.
func anewCommand(in *view.ModelRows, c *urfave.Context, verb, rows, labels string) string {
	costs := ""
	if verb == "train" || in.Costs.Measure == nil { // else they are given beside those of the model
		costs = c.String("costs")
	}
	return cli.Spaced([]string{grownCommand(in, c, verb, rows, labels)}, "", in.Wanted(costs))
}

// grownCommand is the command that has the rows of the training read, and a forest grown, as for the model.
func grownCommand(in *view.ModelRows, c *urfave.Context, verb, rows, labels string) string {
	was, merges := in.Model.Provenance.Reading, in.Model.Provenance.Reading.Merge
	if in.Frame != nil { // a label that it does not have cannot be asked for
		merges = view.MergesOf(in.Frame)
	}
	flags := cli.GivenFlags(c, slices.DeleteFunc(cli.DataFlags(),
		func(f urfave.Flag) bool { return f.Names()[0] == "merge-labels" }))
	add := func(name, value string) {
		if flag := csvtext.Flag(name, value, strings.ToUpper(name)); value != "" && !c.IsSet(name) && !slices.Contains(flags,
			flag) {
			flags = append(flags, flag)
		}
	}
	target := ""
	if labels != "class" {
		target = csvtext.Flag("target", labels, "COL")
	}
	add("positive", was.Positive)
	for _, class := range slices.Sorted(maps.Keys(merges)) {
		flags = append(flags, csvtext.Typing("merge-labels", csvtext.Merging(class, merges[class]), "CLASS=LABELS"))
	}
	for _, word := range was.Missing {
		if flag := csvtext.Flag("missing", word, "WORD"); !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	for _, f := range in.Model.Forest.Schema {
		number := func(level string) bool { _, form := csvtext.ParseNumber(level); return form != csvtext.Word }
		if f.Kind == dataset.Categorical && slices.ContainsFunc(f.Levels, number) {
			add("categorical", f.Name)
		}
		switch f.Unit {
		case "":
		case "1":
			add("number", f.Name)
		default:
			add("number", f.Name+"="+f.Unit)
		}
	}
	there := func(name, column string) {
		if in.Has(column) {
			add(name, column)
		}
	}
	ofLabels := func(word string) bool { return strings.HasPrefix(word, was.Target+"=") }
	if !c.IsSet("drop-unlabelled") && (slices.ContainsFunc(was.Missing, ofLabels) || in.Frame != nil &&
		view.Describe(in.Name, in.Frame).Unlabelled > 0) {
		flags = append(flags, "--drop-unlabelled")
	}
	there("id", was.ID)
	there("weight", was.Weight)
	there("group", was.Group)
	if in.Has(was.TimeColumns()...) {
		add("time", was.Time)
	}
	for _, column := range was.Ignore {
		there("ignore", column)
	}
	if in.Model.Provenance.CostsOf().Amounts() {
		there("amount", was.Amount)
	}
	return cli.Spaced([]string{"rfpragma " + verb, rows}, target, append(flags, view.ForestOf(in.Model)...))
}

// refittingCommand is the command that trains the model again with what the flags of tune or calibrate ask for; else
// it is wanted as before.
func refittingCommand(in *view.ModelRows, c *urfave.Context) string {
	wish := slices.DeleteFunc(in.Wanted(c.String("costs")), func(flag string) bool {
		switch name, _, _ := strings.Cut(flag, " "); name {
		case "--require":
			return c.IsSet("require")
		case "--measure":
			return c.IsSet("measure") || cli.Preferred(c) || cli.Measured(c)
		}
		return cli.Preferred(c) || cli.Measured(c)
	})
	wish = append(wish, cli.GivenFlags(c, slices.Concat(cli.PreferFlags(), cli.FitFlags(), cli.WeightFlags()))...)
	return cli.Spaced([]string{grownCommand(in, c, "train", view.Quoted(c.Args().Get(1)), in.Frame.Reading.Target)}, "",
		append(wish, "-o NEW.rfp"))
}
