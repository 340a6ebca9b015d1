package view

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// ModelOrigin says which file a model is from.
type ModelOrigin struct {
	File   string `json:"file"`   // its name, without the folder
	SHA256 string `json:"sha256"` // of its bytes, as sha256sum prints it
}

// DataInfo describes a frame in JSON.
type DataInfo struct {
	Name string `json:"name"` // of the file
	// those of the classes, those without a label, and those of unknown classes
	Rows       int           `json:"rows"`
	Features   int           `json:"features"`   // columns to learn from, of votes 0
	Classes    []ClassInfo   `json:"classes"`    // in the order of every confusion matrix
	Unlabelled int           `json:"unlabelled"` // rows without a label, which are not judged
	Unknown    []UnknownInfo `json:"unknown"`    // classes that the model does not know, whose rows are not judged
}

// ClassInfo is what JSON tells of a class.
type ClassInfo struct {
	Label  string  `json:"class"`  // name of the class
	Rows   int     `json:"rows"`   // number of its rows
	Weight float64 `json:"weight"` // summed case weights

	Labels []labelInfo `json:"labels,omitempty"` // those of the file that were merged into the class
}

// Describe is what results tell of the data in a frame.
func Describe(name string, f *dataset.Frame) DataInfo {
	d := DataInfo{Name: name, Rows: f.Rows(), Features: len(f.Columns), Classes: make([]ClassInfo, len(f.Classes)),
		Unknown: UnknownClasses(f)}
	for c, w := range f.ClassWeights() {
		d.Classes[c] = ClassInfo{Label: f.Classes[c], Weight: w, Labels: MergedLabels(f, f.Classes[c])}
	}
	for i, c := range f.Truth {
		switch {
		case c >= 0:
			d.Classes[c].Rows++
		case f.UnknownLabels == nil || f.UnknownLabels[i] == "":
			d.Unlabelled++
		}
	}
	return d
}

// ClassWeightsOf is the summed weight of the rows of each class.
func ClassWeightsOf(t *vote.Table) []float64 {
	rows := make([]float64, len(t.Classes))
	for i, c := range t.Truth {
		if c >= 0 {
			rows[c] += t.WeightOf(i)
		}
	}
	return rows
}

// DescribeVotes describes the rows that votes are of, and the frame where they come from one.
func DescribeVotes(name string, t *vote.Table, f *dataset.Frame) DataInfo {
	d := DataInfo{Name: name, Rows: tables.Stands(t), Classes: make([]ClassInfo, len(t.Classes)), Unknown: []UnknownInfo{}}
	if f != nil {
		d.Unknown = UnknownClasses(f)
	}
	for c, w := range ClassWeightsOf(t) {
		d.Classes[c] = ClassInfo{Label: t.Classes[c], Weight: w}
	}
	for i, c := range t.Truth {
		if c >= 0 {
			d.Classes[c].Rows += t.TimesOf(i)
		} else if f == nil || f.UnknownLabels == nil || f.UnknownLabels[i] == "" {
			d.Unlabelled += t.TimesOf(i)
		}
	}
	return d
}

// weighedTable tells whether rows have case weights, beside how many rows each stands for.
func weighedTable(t *vote.Table) bool {
	for i := range t.Rows() {
		if t.WeightOf(i) != float64(t.TimesOf(i)) {
			return true
		}
	}
	return false
}

// ColumnDrift returns what a warning says of a column that is not as in training; nil of any other.
func ColumnDrift(warning error) *dataset.ColumnDrift {
	var d *dataset.ColumnDrift
	errors.As(warning, &d)
	return d
}

// ColumnDrifts are those of some warnings.
func ColumnDrifts(warnings []error) []*dataset.ColumnDrift {
	var out []*dataset.ColumnDrift
	for _, w := range warnings {
		if d := ColumnDrift(w); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// labelInfo counts the rows of a label that is of a class with others.
type labelInfo struct {
	Label string `json:"label"` // as the file has it
	Rows  int    `json:"rows"`  // number of its rows
}

// MergedLabels returns the labels that became a class by --merge-labels, nil where none did, and its own name first
// where rows have it.
func MergedLabels(f *dataset.Frame, class string) []labelInfo {
	from := f.Reading.Merge[class]
	if from == nil {
		return nil
	}
	rows, c := map[string]int{}, slices.Index(f.Classes, class)
	for i, truth := range f.Truth {
		if truth == c {
			rows[predictions.FileLabel(f, i)]++
		}
	}
	if rows[class] > 0 && !slices.Contains(from, class) {
		from = append([]string{class}, from...)
	}
	labels := make([]labelInfo, len(from))
	for i, label := range from {
		labels[i] = labelInfo{label, rows[label]}
	}
	return labels
}

// MergedWords says of each class that several labels became, how many rows each of them has, and of one that the
// file writes otherwise, how.
func MergedWords(f *dataset.Frame) []string {
	var lines []string
	for _, class := range f.Classes {
		var parts []string
		labels := MergedLabels(f, class)
		for _, l := range labels {
			parts = append(parts, fmt.Sprintf("%q (%d)", l.Label, l.Rows))
		}
		what := english.Verb(len(parts), "the label", "the labels")
		if !slices.ContainsFunc(labels, func(l labelInfo) bool { return !strings.EqualFold(l.Label, class) }) {
			what = "written in the file as"
		}
		if parts != nil {
			lines = append(lines, layout.Printable(fmt.Sprintf("Class %q: %s %s", class, what, strings.Join(parts, ", "))))
		}
	}
	return lines
}

// ReadingWords says what columns beside the features are for, which labels are of a class of another name, and which
// cells are missing.
func ReadingWords(r dataset.Reading) []string {
	var words []string
	for _, known := range []struct{ column, does string }{{r.ID, "names the rows"}, {r.Weight, "weighs the rows"},
		{r.Group, "says which rows belong together"}} {
		if known.column != "" {
			words = append(words, fmt.Sprintf("Column %s %s", english.Quote(known.column), known.does))
		}
	}
	if times := r.TimeColumns(); times != nil {
		words = append(words, fmt.Sprintf("%s %s %s when the rows were", english.Verb(len(times), "Column", "Columns"),
			nearest.List(times), english.Verb(len(times), "says", "say")))
	}
	for _, class := range slices.Sorted(maps.Keys(r.Merge)) {
		words = append(words, fmt.Sprintf("Class %q: the %s %s", class, english.Verb(len(r.Merge[class]), "label", "labels"),
			nearest.List(r.Merge[class])))
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
