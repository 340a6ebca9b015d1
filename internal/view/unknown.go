package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/predictions"
)

// UnknownInfo describes the rows of a class that the model does not know.
type UnknownInfo struct {
	ClassInfo
	LeftOut bool `json:"left_out,omitempty"` // whether --missing left the class out of training
	// number of the rows by the class that they were decided as; of evaluate alone
	Decided map[string]int `json:"decided,omitempty"`
}

// UnknownClasses are those that the rows of a frame have beside the classes of the model, sorted.
func UnknownClasses(f *dataset.Frame) []UnknownInfo {
	found := []UnknownInfo{}
	for i, label := range f.UnknownLabels {
		if label == "" {
			continue
		}
		at, known := slices.BinarySearchFunc(found, label, func(u UnknownInfo, label string) int {
			return strings.Compare(
				u.Label, label)
		})
		if !known {
			found = slices.Insert(found, at, UnknownInfo{ClassInfo: ClassInfo{Label: label},
				LeftOut: f.Reading.LeavesOut(label)})
		}
		found[at].Rows++
		found[at].Weight += f.WeightOf(i)
	}
	return found
}

// Unjudged says how many rows are without a label, and how many of classes that the model does not know, or that
// were left out of its training.
func Unjudged(d DataInfo) string {
	text := ""
	if d.Unlabelled > 0 {
		text = fmt.Sprintf(", %d without a label", d.Unlabelled)
	}
	left, unknown := LeftOut(d.Unknown)
	for _, of := range []struct {
		classes []UnknownInfo
		are     string
	}{{left, "left out of training"}, {unknown, "unknown to the model"}} {
		which := "classes"
		if len(of.classes) == 1 {
			which = fmt.Sprintf("class %s,", english.Quote(of.classes[0].Label))
		}
		if rows := RowsOf(of.classes); rows > 0 {
			text += fmt.Sprintf(", %d of %s %s", rows, which, of.are)
		}
	}
	return text
}

// LeftOut parts the classes that were left out of training from those that the model does not know otherwise.
func LeftOut(all []UnknownInfo) (left, unknown []UnknownInfo) {
	for _, u := range all {
		if u.LeftOut {
			left = append(left, u)
		} else {
			unknown = append(unknown, u)
		}
	}
	return left, unknown
}

// RowsOf counts the rows of classes.
func RowsOf(classes []UnknownInfo) int {
	rows := 0
	for _, u := range classes {
		rows += u.Rows
	}
	return rows
}

// DecideUnknown decides the rows that are of classes that the model does not know.
func (in *ModelRows) DecideUnknown() {
	in.Unknown = UnknownClasses(in.Frame)
	for i, label := range in.Frame.UnknownLabels {
		if label == "" {
			continue
		}
		u := &in.Unknown[slices.IndexFunc(in.Unknown, func(u UnknownInfo) bool { return u.Label == label })]
		if u.Decided == nil {
			u.Decided = map[string]int{}
		}
		decision := predictions.Undecided
		if in.Withheld == nil || in.Lacking[i] == nil {
			decision = in.Model.Classes()[predictions.Deciding(in.Model, in.Votes)(i)]
		}
		u.Decided[decision]++
	}
}

// leastUnknown is how many rows of unknown classes, as a part of those of a class, leave it open how common the
// class is: they may all be of it.
const leastUnknown = 0.1

// unsure tells whether too many rows are of classes that the model does not know to say how common that class of it is.
func (in *ModelRows) unsure(class string) bool {
	unknown := 0.0
	_, classes := LeftOut(in.Unknown) // in training the others were not there, either
	for _, u := range classes {
		unknown += u.Weight
	}
	return unknown > leastUnknown*in.Frame.ClassWeights()[slices.Index(in.Frame.Classes, class)]
}

// allSure tells whether it can be said how common the classes are that are told of.
func (in *ModelRows) allSure() bool {
	return len(in.Unknown) == 0 || !slices.ContainsFunc(in.Aim.told(), in.unsure)
}

// known lists the classes with their rows, and with their shares where these are known.
func (in *ModelRows) known() string {
	weights := in.Frame.ClassWeights()
	if in.allSure() {
		return ClassShares(in.Frame.Classes, weights)
	}
	parts := make([]string, len(weights))
	for c, name := range in.Frame.Classes {
		parts[c] = fmt.Sprintf("%q %s", name, layout.Count(weights[c]))
	}
	return layout.Printable(fmt.Sprintf("%s: %s", english.Plural(len(parts), "class"), english.First(parts)))
}

// WithoutShares leaves out of what is found how common classes are of which that is not known.
func (in *ModelRows) WithoutShares(found *rfpragma.Comparison) {
	if found == nil {
		return
	}
	if !in.allSure() {
		found.Figures = slices.DeleteFunc(found.Figures, func(figure string) bool { return figure == "share" })
	}
	found.Drift = slices.DeleteFunc(found.Drift, func(d rfpragma.Drift) bool {
		return d.Figure == "share" &&
			in.unsure(d.Class)
	})
}
