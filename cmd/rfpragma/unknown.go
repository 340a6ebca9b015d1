package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// unknownInfo describes the rows of a class that the model does not know.
type unknownInfo struct {
	classInfo
	LeftOut bool           `json:"left_out,omitempty"` // whether --missing left the class out of training
	Decided map[string]int `json:"decided,omitempty"`  // number of the rows by the class that they were decided as; of evaluate alone
}

// unknownClasses are those that the rows of a frame have beside the classes of the model, sorted.
func unknownClasses(f *dataset.Frame) []unknownInfo {
	found := []unknownInfo{}
	for i, label := range f.UnknownLabels {
		if label == "" {
			continue
		}
		at, known := slices.BinarySearchFunc(found, label, func(u unknownInfo, label string) int { return strings.Compare(u.Label, label) })
		if !known {
			found = slices.Insert(found, at, unknownInfo{classInfo: classInfo{Label: label}, LeftOut: f.Reading.LeavesOut(label)})
		}
		found[at].Rows++
		found[at].Weight += f.WeightOf(i)
	}
	return found
}

// unjudged says how many rows are without a label, and how many of classes that the model does not know, or that were left out of its training.
func unjudged(d dataInfo) string {
	text := ""
	if d.Unlabelled > 0 {
		text = fmt.Sprintf(", %d without a label", d.Unlabelled)
	}
	left, unknown := leftOut(d.Unknown)
	for _, of := range []struct {
		classes []unknownInfo
		are     string
	}{{left, "left out of training"}, {unknown, "unknown to the model"}} {
		which := "classes"
		if len(of.classes) == 1 {
			which = fmt.Sprintf("class %s,", english.Quote(of.classes[0].Label))
		}
		if rows := rowsOf(of.classes); rows > 0 {
			text += fmt.Sprintf(", %d of %s %s", rows, which, of.are)
		}
	}
	return text
}

// leftOut parts the classes that were left out of training from those that the model does not know otherwise.
func leftOut(all []unknownInfo) (left, unknown []unknownInfo) {
	for _, u := range all {
		if u.LeftOut {
			left = append(left, u)
		} else {
			unknown = append(unknown, u)
		}
	}
	return left, unknown
}

// rowsOf counts the rows of classes.
func rowsOf(classes []unknownInfo) int {
	rows := 0
	for _, u := range classes {
		rows += u.Rows
	}
	return rows
}

// decideUnknown decides the rows that are of classes that the model does not know.
func (in *modelRows) decideUnknown() {
	in.unknown = unknownClasses(in.frame)
	for i, label := range in.frame.UnknownLabels {
		if label == "" {
			continue
		}
		u := &in.unknown[slices.IndexFunc(in.unknown, func(u unknownInfo) bool { return u.Label == label })]
		if u.Decided == nil {
			u.Decided = map[string]int{}
		}
		decision := undecided
		if in.withheld == nil || in.lacking[i] == nil {
			decision = in.model.Classes()[deciding(in.model, in.votes)(i)]
		}
		u.Decided[decision]++
	}
}

// leastUnknown is how many rows of unknown classes, as a part of those of a class, leave it open how common the class is: they may all be of it.
const leastUnknown = 0.1

// unsure tells whether too many rows are of classes that the model does not know to say how common that class of it is.
func (in *modelRows) unsure(class string) bool {
	unknown := 0.0
	_, classes := leftOut(in.unknown) // in training the others were not there, either
	for _, u := range classes {
		unknown += u.Weight
	}
	return unknown > leastUnknown*in.frame.ClassWeights()[slices.Index(in.frame.Classes, class)]
}

// allSure tells whether it can be said how common the classes are that are told of.
func (in *modelRows) allSure() bool {
	return len(in.unknown) == 0 || !slices.ContainsFunc(in.aim.told(), in.unsure)
}

// known lists the classes with their rows, and with their shares where these are known.
func (in *modelRows) known() string {
	weights := in.frame.ClassWeights()
	if in.allSure() {
		return classShares(in.frame.Classes, weights)
	}
	parts := make([]string, len(weights))
	for c, name := range in.frame.Classes {
		parts[c] = fmt.Sprintf("%q %s", name, count(weights[c]))
	}
	return printable(fmt.Sprintf("%s: %s", english.Plural(len(parts), "class"), few(parts)))
}

// withoutShares leaves out of what is found how common classes are of which that is not known.
func (in *modelRows) withoutShares(found *rfpragma.Comparison) {
	if found == nil {
		return
	}
	if !in.allSure() {
		found.Figures = slices.DeleteFunc(found.Figures, func(figure string) bool { return figure == "share" })
	}
	found.Drift = slices.DeleteFunc(found.Drift, func(d rfpragma.Drift) bool { return d.Figure == "share" && in.unsure(d.Class) })
}

// strange are the warnings of rows of classes that the model does not know, or that were left out of its training, with what these rows are decided as.
func (in *modelRows) strange() []error {
	left, unknown := leftOut(in.unknown)
	var warnings []error
	for _, w := range in.frame.Warnings {
		switch {
		case errors.Is(w, dataset.ErrClassLeftOut):
			warnings = append(warnings, fmt.Errorf("%w: %s", w, in.decidedText(left)))
		case isStrange(w):
			warnings = append(warnings, fmt.Errorf("%w: %s; %s", w, in.decidedText(unknown), renamed(unknown)))
		}
	}
	return warnings
}

// decidedText says what rows of these classes are decided as.
func (in *modelRows) decidedText(classes []unknownInfo) string {
	rows, decided := rowsOf(classes), map[string]int{}
	for _, u := range classes {
		for class, n := range u.Decided {
			decided[class] += n
		}
	}
	var parts []string
	for _, class := range append(slices.Clone(in.model.Classes()), undecided) {
		if n := decided[class]; n == rows {
			parts = append(parts, english.Quote(class))
		} else if n > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d)", english.Quote(class), n))
		}
	}
	who := "they are"
	if rows == 1 {
		who = "it is"
	} else if len(parts) == 1 {
		who = "all are"
	}
	return fmt.Sprintf("%s decided %s", who, few(parts))
}

// renamable adds to the refusal of rows most of which are of classes that the model does not know how to judge them where these are its own by other names, if the verb can.
func renamable(c *cli.Context, f *dataset.Frame, refused error) error {
	_, unknown := leftOut(unknownClasses(f))
	if refused == nil || rowsOf(unknown) <= f.Labelled().Rows() || flagNamed(c.Command.Flags, "merge-labels") == nil {
		return refused
	}
	return fmt.Errorf("%w; %s", refused, renamed(unknown))
}

// renamed says what to do where classes that the model does not know are its own by other names.
func renamed(unknown []unknownInfo) string {
	label := unknown[0].Label
	return fmt.Sprintf("where %s is a class of the model by another name, add %s", english.Quote(label), csvtext.MergeFlag("CLASS", []string{label}))
}

func isStrange(warning error) bool {
	return errors.Is(warning, dataset.ErrUnknownClass) || errors.Is(warning, dataset.ErrClassLeftOut)
}

// warnings are the other warnings of the rows, of few columns one by one.
func (in *modelRows) warnings() []error {
	return firstColumns(in.name, slices.DeleteFunc(slices.Clone(in.frame.Warnings), func(w error) bool { return isStrange(w) || in.lacks.answers(w) }))
}
