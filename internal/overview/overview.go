// Package overview lays out what inspect finds in a table: for people, as JSON, and as CSV.
package overview

import (
	"fmt"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/view"
)

// Info is what inspect says of data in JSON.
type Info struct {
	SchemaVersion int           `json:"schema_version"` // 1
	Command       string        `json:"command"`        // inspect
	Data          TableInfo     `json:"data"`           // what is in the file
	Columns       []ColumnInfo  `json:"columns"`        // the features, in the order of the file
	Findings      []FindingInfo `json:"findings"`       // what to look at, the gravest first
	// where no column is known to hold the labels: those that may, the likeliest first
	Candidates []string `json:"candidates"`
	// the command to type next; empty where no column looks like the labels
	Next string `json:"next"`
}

// TableInfo is what is in a table.
type TableInfo struct {
	Name       string        `json:"name"`       // of the file
	Rows       int           `json:"rows"`       // number of rows
	Target     *string       `json:"target"`     // the column of the labels; null if none is known
	Unlabelled int           `json:"unlabelled"` // rows without a label
	Classes    []TargetClass `json:"classes"`    // empty where the labels are no classes
	Repeated   int           `json:"repeated"`   // rows whose features are those of an earlier one
	// rows whose features are those of as many or more of another class
	Contradicting int `json:"contradicting"`
}

// TargetClass is a class, as the labels of a table have it.
type TargetClass struct {
	Label string  `json:"class"` // its name
	Rows  int     `json:"rows"`  // number of its rows
	Share float64 `json:"share"` // of the rows with a label
}

// ColumnInfo is what a column holds.
type ColumnInfo struct {
	Name     string      `json:"name"`              // of the column
	Kind     string      `json:"kind"`              // numeric, categorical, or mixed: it cannot be read as it is
	Missing  int         `json:"missing"`           // missing cells
	Numbers  *int        `json:"numbers,omitempty"` // of a mixed column: cells that are numbers
	Texts    *int        `json:"texts,omitempty"`   // of a mixed column: cells that are not
	Distinct *int        `json:"distinct"`          // different values; null for a mixed column
	Min      *float64    `json:"min"`               // lowest value of a numeric column
	Median   *float64    `json:"median"`            // middle value, the lower of two
	Max      *float64    `json:"max"`               // highest value
	Top      []LevelInfo `json:"top"`               // the most frequent levels, or values if there are few: at most five
}

// LevelInfo is a value of a column.
type LevelInfo struct {
	Value string `json:"value"` // as text
	Rows  int    `json:"rows"`  // number of rows that have it
}

// FindingInfo is something to look at before training.
type FindingInfo struct {
	// file, unmet, fault, labels, answer, tells, gaps, names, dates, ordered, calendar, contradicting, repeated,
	// missing, codes, outlying, digits, constant or empty
	Sort    string   `json:"sort"`
	Columns []string `json:"columns"` // the columns it is about
	Text    string   `json:"text"`    // what it is, and how to mend it
	Flags   []string `json:"flags"`   // flags that mend it, and do little harm if nothing is amiss
}

// foundText is all that is said of a finding.
func foundText(f *dataset.Finding) string {
	if f.Choice == "" {
		return f.Text
	}
	return f.Text + "; " + f.Choice
}

// CSV are a header, and a line for each column.
func CSV(v *dataset.Overview) (head []string, records [][]string) {
	for i := range v.Columns {
		c := describe(&v.Columns[i])
		record := []string{c.Name, c.Kind, fmt.Sprint(c.Missing), "", layout.Maybe(c.Min), layout.Maybe(c.Median),
			layout.Maybe(c.Max), "", ""}
		if c.Distinct != nil {
			record[3] = fmt.Sprint(*c.Distinct)
		}
		if len(c.Top) > 0 {
			record[7], record[8] = c.Top[0].Value, fmt.Sprint(c.Top[0].Rows)
		}
		records = append(records, record)
	}
	return []string{"column", "kind", "missing", "distinct", "min", "median", "max", "top", "top_rows"}, records
}

func kindOf(c *dataset.Profile) string {
	if c.Fault != "" {
		return "mixed"
	}
	return c.Kind.String()
}

// Describe is what is said of a table of that name in JSON, with the command to type next.
func Describe(name string, v *dataset.Overview, next string) Info {
	info := Info{
		SchemaVersion: view.SchemaVersion, Command: "inspect", Next: next,
		Data: TableInfo{Name: name, Rows: v.Rows, Unlabelled: v.Unlabelled, Classes: []TargetClass{},
			Repeated: v.Repeated, Contradicting: v.Contradicting},
		Columns: []ColumnInfo{}, Findings: []FindingInfo{}, Candidates: append([]string{}, v.Candidates...),
	}
	if v.Target != "" {
		info.Data.Target = &v.Target
	}
	for _, c := range v.Classes {
		info.Data.Classes = append(info.Data.Classes, TargetClass{c.Label, c.Rows,
			float64(c.Rows) / float64(v.Rows-v.Unlabelled)})
	}
	for i := range v.Columns {
		info.Columns = append(info.Columns, describe(&v.Columns[i]))
	}
	for _, f := range v.Findings {
		info.Findings = append(info.Findings, FindingInfo{f.Sort, append([]string{}, f.Columns...), foundText(&f),
			append([]string{}, f.Flags...)})
	}
	return info
}

func describe(c *dataset.Profile) ColumnInfo {
	info := ColumnInfo{Name: c.Name, Kind: kindOf(c), Missing: c.Missing, Top: []LevelInfo{}}
	if c.Fault != "" {
		info.Numbers, info.Texts = &c.Numbers, &c.Texts
		return info
	}
	info.Distinct = &c.Distinct
	if c.Kind == dataset.Numeric && c.Distinct > 0 {
		info.Min, info.Median, info.Max = &c.Min, &c.Median, &c.Max
	}
	for _, level := range c.Top {
		info.Top = append(info.Top, LevelInfo{level.Text, level.Rows})
	}
	return info
}
