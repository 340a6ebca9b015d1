package view

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// ByBearing puts warnings of columns that are not as in training in the order of how much the model decides by them.
// The others stay where they are.
func ByBearing(m *rfpragma.Model, warnings []error) []error {
	bears, part := m.Forest.Importance(), map[string]float64{}
	for j, f := range m.Forest.Schema {
		part[f.Name] = bears[j]
	}
	var at []int
	var of []error
	for i, w := range warnings {
		if ColumnDrift(w) != nil {
			at, of = append(at, i), append(of, w)
		}
	}
	slices.SortStableFunc(of, func(a, b error) int {
		return cmp.Compare(part[ColumnDrift(b).Column], part[ColumnDrift(a).Column])
	})
	out := slices.Clone(warnings)
	for i, to := range at {
		out[to] = of[i]
	}
	return out
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

// FirstColumns keeps so many warnings of columns of a file that are not as in training as are told one by one, and
// names the others in one.
func FirstColumns(file string, warnings []error) []error {
	var out []error
	var more []string
	last, shown := 0, 0
	for _, w := range warnings {
		if d := ColumnDrift(w); d == nil {
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
	text := fmt.Errorf("%s: %s not as in training either: %s", file, english.Plural(len(more), "more column")+" "+
		english.Verb(len(more), "is", "are"), nearest.List(more))
	return slices.Insert(out, last, text)
}

// mostDrifted is how many columns are warned of one by one.
const mostDrifted = 5

// BaselineText says what the cells of a column were in training, "" where that is not known.
func BaselineText(f *dataset.Field) string {
	was, text := f.Baseline, ""
	switch {
	case was == nil:
		return ""
	case f.Kind == dataset.Categorical && len(was.Counts) > 0 && was.Missing < was.Rows:
		most := slices.Index(was.Counts, slices.Max(was.Counts))
		text = fmt.Sprintf("%s in %s", english.Quote(f.Levels[most]),
			english.Percent(float64(was.Counts[most])/float64(was.Rows-was.Missing), 1))
	case was.Range != nil:
		ends := english.Values(was.Range[:]...)
		if text = ends[0] + " to " + ends[1]; was.Counts != nil {
			text = layout.SpreadText(was.Range[0], was.Median(), was.Range[1])
		}
	}
	if was.Missing > 0 {
		missing := english.Percent(float64(was.Missing)/float64(was.Rows), 1) + " missing"
		if text != "" {
			missing = "; " + missing
		}
		text += missing
	}
	return text
}

// MostLines is how many classes and columns are shown to a person.
const MostLines = 200

// AndMore says how many lines are not shown.
func AndMore(to *layout.Page, n int, what string) {
	if n > MostLines {
		to.Say(fmt.Sprintf("... and %d more of %d; --format json has every %s.", n-MostLines, n, what))
	}
}

// NextWords says what to think of before the next command: which flags it needs if things are as they seem, and
// whether what it prefers lets nearly all rows be alarms.
func NextWords(v *dataset.Overview, preferred dataset.ClassRows) []string {
	if preferred.Rows == 0 {
		return nil
	}
	var words []string
	var apart, unknown, leaks, without []string
	for _, f := range v.Findings {
		if f.Sort == inspected.Tells {
			leaks, without = append(leaks, f.Columns...), append(without, csvtext.Flag("ignore", f.Columns[0], "COL"))
		}
		if Conditional(v, &f) {
			apart, unknown = append(apart, f.Columns...), append(unknown, f.Flags...)
		}
	}
	if leaks != nil {
		words = append(words, fmt.Sprintf("If %s %s not yet known when a row is to be decided, add %s.", nearest.List(leaks),
			english.Verb(len(leaks), "is", "are"), strings.Join(without, " ")))
	}
	if unknown != nil {
		words = append(words, fmt.Sprintf(
			"Where the number far from all others of %s means that the value is not known, add %s.", nearest.List(apart),
			strings.Join(unknown, " ")))
	}
	for _, f := range v.Findings {
		if f.Choice != "" {
			words = append(words, english.Capital(f.Choice)+".")
		}
	}
	words = slices.Concat(words, namelessWords(v, preferred.Label), rarerWords(v, preferred))
	return append(words, manyWords(v, preferred)...)
}

// manyWords ask for a limit of alarms, where what is preferred lets nearly all rows be alarms.
func manyWords(v *dataset.Overview, preferred dataset.ClassRows) []string {
	const well = 2 // times the share of the class
	p, share := pragma.Priority(), float64(preferred.Rows)/float64(v.Rows-v.Unlabelled)
	if p.X >= well*share {
		return nil
	}
	rows := 5 // of 100: a round number below the share, if there is one
	for _, round := range []int{10, 20, 50} {
		if float64(round) <= 100*share {
			rows = round
		}
	}
	limit := pragma.Floor{What: pragma.Alerts, Typed: fmt.Sprintf("%d/100", rows)}
	return []string{fmt.Sprintf("How many of 100 rows can you look into? If %d, add --require %s: %s of all rows are "+
		"%q, and as --prefer accepts alarms of which %s are right, most rows may become alarms.",
		rows, csvtext.ShellQuoted(limit.Text([]string{preferred.Label})), english.Rounded(english.Percent(share, 1)), preferred.Label,
		english.Rounded(english.Percent(p.X, 1)))}
}

// rarerWords says why a class is preferred that is not the rarest, and how to prefer several.
func rarerWords(v *dataset.Overview, preferred dataset.ClassRows) []string {
	var rarer []string
	rows := make([]float64, len(v.Classes))
	for c, class := range v.Classes {
		cased := slices.ContainsFunc(v.Classes, func(o dataset.ClassRows) bool { // which is proposed to be merged
			return o.Label != class.Label && strings.EqualFold(o.Label, class.Label)
		})
		if rows[c] = float64(class.Rows); !cased && 0 < class.Rows && class.Rows < preferred.Rows {
			rarer = append(rarer, fmt.Sprintf("%.64q has %d", class.Label, class.Rows))
		}
	}
	rarest, least := RarestClass(rows, vote.TieOrder(rows, v.First))
	if v.Classes[rarest].Label != preferred.Label { // some are to be merged
		return nil
	}
	var words []string
	if rarer != nil {
		words = append(words, fmt.Sprintf("Preferred is the rarest class of at least %g rows: %s.", least, english.First(rarer)))
	}
	matter := []string{preferred.Label}
	for c, class := range v.Classes {
		if rows[c] >= least && class.Label != preferred.Label && rare*class.Rows*len(rows) <= v.Rows-v.Unlabelled {
			matter = append(matter, class.Label)
		}
	}
	list := strings.Join(matter, ",")
	if spec, err := pragma.ParseSpec(list); err == nil && 1 < len(matter) && len(matter) <= MostNamed &&
		len(spec) == len(matter) {
		words = append(words, fmt.Sprintf("If several classes matter, name them all: %s.", csvtext.Flag("prefer", list,
			"CLASSES")))
	}
	return words
}

// rare is how many times fewer rows than in the mean of all classes one must have that may well matter beside the
// rarest.
const rare = 2

// ShowClasses shows the classes, and how rare the rarest is. Where there are none a finding says why.
func ShowClasses(to *layout.Page, v *dataset.Overview) {
	if len(v.Classes) == 0 {
		return
	}
	labelled := v.Rows - v.Unlabelled
	g := &layout.Grid{Head: []string{"class", "rows", "share"}}
	rarest, common := v.Classes[0], v.Classes[0]
	for i, c := range v.Classes {
		if i < MostLines {
			g.Add(c.Label, fmt.Sprint(c.Rows), english.Percent(float64(c.Rows)/float64(labelled), 1))
		}
		if c.Rows < rarest.Rows {
			rarest = c
		}
		if c.Rows > common.Rows {
			common = c
		}
	}
	to.Table(g)
	AndMore(to, len(v.Classes), "class")
	if rarest.Rows > 0 && rarest.Rows < common.Rows {
		times := float64(common.Rows) / float64(rarest.Rows)
		ratio := strings.TrimSuffix(fmt.Sprintf("%.1f", times), ".0")
		if times >= 100 {
			ratio = fmt.Sprintf("%.0f", times)
		}
		to.Say(fmt.Sprintf("For one row of %s there are %s of %s.", english.Quote(rarest.Label), ratio,
			english.Quote(common.Label)))
	}
}
