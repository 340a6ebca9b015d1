package cli

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/rarest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// NextCommand is what to type next: cv where the data can be trained on with the flags that
// mend what is found and a class, which it returns, has rows enough to be preferred, with what to know of the time
// it names; else inspect again. It is empty where no column looks like the labels.
func NextCommand(c *urfave.Context, name string, v *dataset.Overview) (command string, preferred dataset.ClassRows,
	timed []string) {
	again := []string{"rfpragma inspect", FileText(name)}
	target := csvtext.Flag("target", v.Target, "COL")
	given := GivenFlags(c, DataFlags())
	switch {
	case v.Target == "" && len(v.Candidates) > 0:
		return CommandLine(again, csvtext.Flag("target", v.Candidates[0], "COL"), given) + "   # if it holds the labels",
			dataset.ClassRows{}, nil
	case v.Target == "":
		return "", dataset.ClassRows{}, nil
	case v.Target == "class":
		target = ""
	}
	flags, named := slices.Clone(given), c.IsSet("id")
	for _, f := range v.Findings {
		unusable := f.Sort == inspected.Fault || f.Sort == inspected.Labels && len(v.Classes) < 2
		if unusable && len(f.Flags) == 0 {
			return CommandLine(again, target, given) + fmt.Sprintf("   # after mending column %s", english.Quote(f.Columns[0])),
				dataset.ClassRows{}, nil
		}
		if Conditional(v, &f) {
			continue
		}
		for _, flag := range f.Flags {
			if name, names := strings.CutPrefix(flag, "--ignore "); names && f.Sort == inspected.Names && !named {
				flag, named = "--id "+name, true // so that decisions have it
			}
			if !slices.Contains(flags, flag) {
				flags = append(flags, flag)
			}
		}
	}
	if c.String("group") == "" { // beside which no time can be named
		var by []string
		by, timed = TimeFlags(v)
		for _, flag := range by {
			if !slices.Contains(flags, flag) {
				flags = append(flags, flag)
			}
		}
	}
	classes, first := merged(v, flags[len(given):])
	class := rarestOf(classes, first)
	if v.Scarce(class.Rows) {
		return CommandLine(again, target, given) + "   # with more rows", dataset.ClassRows{}, nil
	}
	return CommandLine([]string{"rfpragma cv", FileText(name)}, target, append(flags, csvtext.Flag("prefer",
		pragma.Spec{class.Label: pragma.Find()}.String(), "CLASS"))), class, timed
}

// merged are the classes that there are with the flags that mend what is found: those that differ in case only are
// one, if it is proposed to merge them, named as that of most rows. First is by class its first row.
func merged(v *dataset.Overview, flags []string) (classes []dataset.ClassRows, first []int) {
	if !slices.ContainsFunc(flags, func(flag string) bool { return strings.HasPrefix(flag, "--merge-labels") }) {
		return v.Classes, v.First
	}
	at, most := map[string]int{}, map[string]int{}
	for i, c := range v.Classes {
		lower := strings.ToLower(c.Label)
		k, known := at[lower]
		if !known {
			k, at[lower] = len(classes), len(classes)
			classes, first = append(classes, dataset.ClassRows{}), append(first, v.First[i])
		}
		if classes[k].Rows += c.Rows; c.Rows > most[lower] || !known {
			most[lower], classes[k].Label = c.Rows, c.Label
		}
		first[k] = min(first[k], v.First[i])
	}
	return classes, first
}

// CommandLine puts blanks between the words of a command and its flags.
func CommandLine(command []string, target string, flags []string) string {
	if target != "" {
		command = append(slices.Clone(command), target)
	}
	return strings.Join(append(command, flags...), " ")
}

// FileText is an input as it is typed.
func FileText(name string) string {
	if name == InputName("-") {
		return "-"
	}
	if strings.HasPrefix(name, "-") { // else it would be taken for a flag
		name = "./" + name
	}
	return csvtext.Quote(name, "DATA.csv")
}

// rarestOf is the class that cv would give the priority.
func rarestOf(classes []dataset.ClassRows, first []int) dataset.ClassRows {
	rows := make([]float64, len(classes))
	for c := range classes {
		rows[c] = float64(classes[c].Rows)
	}
	c, _ := rarest.Class(rows, vote.TieOrder(rows, first))
	return classes[c]
}

// GivenFlags returns which of some flags were given, but for the target, ready to paste.
func GivenFlags(c *urfave.Context, flags []urfave.Flag) []string {
	var given []string
	for _, f := range flags {
		name := f.Names()[0]
		_, on := f.(*urfave.BoolFlag)
		switch {
		case name == "target" || !c.IsSet(name):
		case on && c.Bool(name):
			given = append(given, "--"+name)
		case !on:
			values := []string{c.String(name)}
			if _, several := f.(ListFlag); several {
				values = c.StringSlice(name)
			}
			for _, value := range values {
				given = append(given, csvtext.Typing(name, value, strings.ToUpper(name)))
			}
		}
	}
	return given
}

// AfterCV is the command that trains the model of which a cross-validation tells what to expect, with weights that are
// found to do better, or, where what is required is not kept, the cross-validation of one that keeps it surely; "" of
// the built-in example, and where train may refuse to make one.
func AfterCV(job *view.CVJob, c *urfave.Context, report *eval.Report, findings []finding.Finding) string {
	if !c.Args().Present() || slices.ContainsFunc(report.Warnings, view.Refused) {
		return ""
	}
	target, flags := "", GivenFlags(c, DataFlags())
	if c.IsSet("target") {
		target = csvtext.Flag("target", c.String("target"), "COL")
	}
	if c.Bool("ask") { // the answers, and not the questions
		flags = append(flags, csvtext.Typing("prefer", job.Goal.Spec.String(), "SPEC"))
	}
	asked := slices.DeleteFunc(PreferFlags(), func(f urfave.Flag) bool { return f.Names()[0] == "ask" })
	flags = append(flags, GivenFlags(c, slices.Concat(asked, ForestFlags(), FitFlags(), []urfave.Flag{DecideFlag(),
		SeedFlag()}))...)
	for i := range findings {
		f := &findings[i]
		switch sure, weights := f.Does(codes.BeSure), f.Does(codes.TakeWeights); {
		case f.Code == codes.ConstraintBroken && sure != nil:
			folds := slices.DeleteFunc(slices.Clone(c.Command.Flags), func(f urfave.Flag) bool {
				return !slices.Contains([]string{"folds", "repeats", "folds-from"}, f.Names()[0])
			})
			flags = append(append(flags, GivenFlags(c, folds)...), remedyFlag(*sure, nil))
			return CommandLine([]string{"rfpragma cv", FileText(job.Name)}, target, flags)
		case f.Grade > finding.Note && weights != nil && job.Goal.Alone() && !c.IsSet("weights"):
			flags = append(flags, remedyFlag(*weights, nil))
			return CommandLine([]string{"rfpragma train", FileText(job.Name)}, target, append(flags, "-o model.rfp"))
		}
	}
	return CommandLine([]string{"rfpragma train", FileText(job.Name)}, target, append(flags, "-o model.rfp"))
}
