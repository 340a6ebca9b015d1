// Package hints names the commands and flags to try next: those that ask again for what a model remembers, and those
// of time.
package hints

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

// againCommand is the command by which a verb reads rows and grows a forest as for the model, and then does what is
// wished.
func againCommand(in *view.ModelRows, c *urfave.Context, verb, rows string, wish []string) string {
	was, target := in.Model.Provenance.Reading, ""
	if was.Target != "class" {
		target = csvtext.Flag("target", was.Target, "COL")
	}
	flags := cli.GivenFlags(c, cli.Without(cli.DataFlags(), "merge-labels"))
	add := func(name string, values ...string) {
		for _, value := range values {
			if value != "" && !c.IsSet(name) {
				flags = append(flags, csvtext.Flag(name, value, strings.ToUpper(name)))
			}
		}
	}
	add("positive", was.Positive)
	merges := was.Merge
	if in.Frame != nil { // a label that it does not have cannot be asked for
		merges = mergesOf(in.Frame)
	}
	for _, class := range slices.Sorted(maps.Keys(merges)) {
		flags = append(flags, csvtext.Typing("merge-labels", csvtext.Merging(class, merges[class]), "CLASS=LABELS"))
	}
	add("missing", was.Missing...)
	ofLabels := func(word string) bool { return strings.HasPrefix(word, was.Target+"=") }
	if !c.IsSet("drop-unlabelled") && slices.ContainsFunc(was.Missing, ofLabels) {
		flags = append(flags, "--drop-unlabelled")
	}
	number := func(level string) bool { _, form := csvtext.ParseNumber(level); return form != csvtext.Word }
	for _, f := range in.Model.Forest.Schema {
		if f.Kind == dataset.Categorical && slices.ContainsFunc(f.Levels, number) {
			add("categorical", f.Name)
		} else if f.Unit != "" { // of which 1 is none
			add("number", strings.TrimSuffix(f.Name+"="+f.Unit, "=1"))
		}
	}
	for _, known := range [][2]string{{"id", was.ID}, {"weight", was.Weight}, {"group", was.Group}} {
		if hasColumns(in, known[1]) {
			add(known[0], known[1])
		}
	}
	if hasColumns(in, was.TimeColumns()...) {
		add("time", was.Time)
	}
	add("ignore", slices.DeleteFunc(slices.Clone(was.Ignore), func(column string) bool {
		return !hasColumns(in,
			column)
	})...)
	if in.Model.Provenance.CostsOf().Amounts() {
		add("amount", was.Amount)
	}
	return cli.CommandLine([]string{"rfpragma " + verb, rows}, target, slices.Concat(flags, forestFlags(in.Model), wish))
}

// Judging is the command that judges a way to train on rows that a model has seen.
func Judging(in *view.ModelRows, c *urfave.Context) string {
	costs := ""
	if in.Costs.Measure == nil { // else they are given beside those of the model
		costs = c.String("costs")
	}
	return againCommand(in, c, "cv", csvtext.Quoted(c.Args().Get(1)), goalFlags(in, costs))
}

// Refitting is the command that trains the model again with what the flags of tune or calibrate ask for; else
// it is wanted as before.
func Refitting(in *view.ModelRows, c *urfave.Context) string {
	other := cli.Preferred(c) || cli.Measured(c)
	wish := slices.DeleteFunc(goalFlags(in, c.String("costs")), func(flag string) bool {
		return c.IsSet("require") && strings.HasPrefix(flag, "--require ") || other && !strings.HasPrefix(flag, "--require ")
	})
	given := cli.GivenFlags(c, slices.Concat(cli.PreferFlags(), cli.FitFlags(), cli.WeightFlags()))
	return againCommand(in, c, "train", csvtext.Quoted(c.Args().Get(1)), slices.Concat(wish, given,
		[]string{"-o NEW.rfp"}))
}

// mergesOf returns the labels that rows have, by the class that they became.
func mergesOf(f *dataset.Frame) map[string][]string {
	merges := map[string][]string{}
	for class := range f.Reading.Merge {
		for _, l := range view.MergedLabels(f, class) {
			if l.Rows > 0 {
				merges[class] = append(merges[class], l.Label)
			}
		}
		if slices.Equal(merges[class], []string{class}) {
			delete(merges, class)
		}
	}
	return merges
}
