package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// byBearing puts warnings of columns that are not as in training in the order of how much the model decides by them. The others stay where they are.
func byBearing(m *rfpragma.Model, warnings []error) []error {
	bears, part := m.Forest.Importance(), map[string]float64{}
	for j, f := range m.Forest.Schema {
		part[f.Name] = bears[j]
	}
	var at []int
	var of []error
	for i, w := range warnings {
		if columnDrift(w) != nil {
			at, of = append(at, i), append(of, w)
		}
	}
	slices.SortStableFunc(of, func(a, b error) int {
		return cmp.Compare(part[columnDrift(b).Column], part[columnDrift(a).Column])
	})
	out := slices.Clone(warnings)
	for i, to := range at {
		out[to] = of[i]
	}
	return out
}

// columnDrift returns what a warning says of a column that is not as in training; nil of any other.
func columnDrift(warning error) *dataset.ColumnDrift {
	var d *dataset.ColumnDrift
	errors.As(warning, &d)
	return d
}

// columnDrifts are those of some warnings.
func columnDrifts(warnings []error) []*dataset.ColumnDrift {
	var out []*dataset.ColumnDrift
	for _, w := range warnings {
		if d := columnDrift(w); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// firstColumns keeps so many warnings of columns of a file that are not as in training as are told one by one, and names the others in one.
func firstColumns(file string, warnings []error) []error {
	var out []error
	var more []string
	last, shown := 0, 0
	for _, w := range warnings {
		if d := columnDrift(w); d == nil {
			out = append(out, w)
		} else if shown == mostDrifted {
			more = append(more, d.Column)
		} else {
			shown++
			out = append(out, w)
			last = len(out)
		}
	}
	if more == nil {
		return out
	}
	text := fmt.Errorf("%s: %s not as in training either: %s", file, english.Plural(len(more), "more column")+" "+english.Verb(len(more), "is", "are"), nearest.List(more))
	return slices.Insert(out, last, text)
}

// mostDrifted is how many columns are warned of one by one.
const mostDrifted = 5

// baselineText says what the cells of a column were in training, "" where that is not known.
func baselineText(f *dataset.Field) string {
	was, text := f.Baseline, ""
	switch {
	case was == nil:
		return ""
	case f.Kind == dataset.Categorical && len(was.Counts) > 0 && was.Missing < was.Rows:
		most := slices.Index(was.Counts, slices.Max(was.Counts))
		text = fmt.Sprintf("%s in %s", english.Quote(f.Levels[most]), percent(float64(was.Counts[most])/float64(was.Rows-was.Missing)))
	case was.Range != nil:
		ends := english.Values(was.Range[:]...)
		if text = ends[0] + " to " + ends[1]; was.Counts != nil {
			text = spreadText(was.Range[0], was.Median(), was.Range[1])
		}
	}
	if was.Missing > 0 {
		missing := percent(float64(was.Missing)/float64(was.Rows)) + " missing"
		if text != "" {
			missing = "; " + missing
		}
		text += missing
	}
	return text
}
