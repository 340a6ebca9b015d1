package view

import (
	"github.com/rfpragma/rfpragma/dataset"
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
