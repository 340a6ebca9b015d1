package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/rarest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

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
	return slices.Concat(words, namelessWords(v, preferred.Label), rarerWords(v, preferred))
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
	rarest, least := rarest.Class(rows, vote.TieOrder(rows, v.First))
	if v.Classes[rarest].Label != preferred.Label { // some are to be merged
		return nil
	}
	var words []string
	if rarer != nil {
		words = append(words, fmt.Sprintf("Preferred is the rarest class of at least %g rows: %s.", least,
			english.First(rarer)))
	}
	matter := []string{preferred.Label}
	for c, class := range v.Classes {
		if rows[c] >= least && class.Label != preferred.Label && rare*class.Rows*len(rows) <= v.Rows-v.Unlabelled {
			matter = append(matter, class.Label)
		}
	}
	list := strings.Join(matter, ",")
	if spec, err := pragma.ParseSpec(list); err == nil && 1 < len(matter) && len(matter) <= view.MostNamed &&
		len(spec) == len(matter) {
		words = append(words, fmt.Sprintf("If several classes matter, name them all: %s.", csvtext.Flag("prefer", list,
			"CLASSES")))
	}
	return words
}

// rare is how many times fewer rows than in the mean of all classes one must have that may well matter beside the
// rarest.
const rare = 2

// TimeFlags are those by which rows are judged in the order of a column that may be a time, and what to know of
// them. One of dates is proposed before others, as it has finer times than a year, and left out where it is none, as
// later dates are unknown.
func TimeFlags(v *dataset.Overview) (flags, words []string) {
	var dates, ordered []string
	for _, f := range v.Findings {
		switch f.Sort {
		case inspected.Dates:
			dates = f.Columns
		case inspected.Ordered:
			ordered = f.Columns
		}
	}
	if ordered == nil {
		return nil, nil
	}
	byOrder := csvtext.Flag("time", v.Time, "COL")
	if len(dates) != 1 || slices.Contains(ordered, dates[0]) {
		return []string{byOrder}, []string{fmt.Sprintf(
			"%s has later rows judged by earlier ones, as rows to come will be: leave it out if %s is not time.", byOrder,
			nearest.List(ordered[:1]))}
	}
	byDate, ignored, without := csvtext.Flag("time", dates[0], "COL"), csvtext.Flag("ignore", ordered[0], "COL"),
		csvtext.Flag("ignore", dates[0], "COL")
	return []string{byDate, ignored},
		[]string{fmt.Sprintf("%s has later rows judged by earlier ones, as rows to come will be. If %s does not say when a "+
			"row was, write %s in place of both, and if %s is time add %s.",
			byDate, nearest.List(dates), without, nearest.List(ordered[:1]), byOrder)}
}

// timedText says which columns tell the time, and so are no features, and which features may tell it, too; "" where
// none was named.
func timedText(f *dataset.Frame) string {
	columns := f.Reading.TimeColumns()
	if columns == nil {
		return ""
	}
	n := len(columns)
	text := fmt.Sprintf("%s %s the time and %s.", nearest.List(columns), english.Verb(n, "tells", "tell"),
		english.Verb(n, "is no feature", "are no features"))
	others := f.Calendar()
	if others == nil {
		return text
	}
	return fmt.Sprintf("%s %s %s of a date; %s.", text, nearest.List(others), english.Verb(len(others),
		"stays a feature and looks like a part", "stay features and look like parts"), dataset.CalendarAdvice(others))
}

// namelessWords says how a class gets a name, where two are called by numbers.
func namelessWords(v *dataset.Overview, preferred string) []string {
	if len(v.Classes) != 2 || slices.ContainsFunc(v.Classes, func(c dataset.ClassRows) bool {
		_,
			err := csvtext.Number(c.Label)
		return err != nil
	}) {
		return nil
	}
	return []string{fmt.Sprintf("The classes are called by numbers. If %q is fraud, say, write --merge-labels %s "+
		"--prefer fraud: then results speak of fraud.", preferred, csvtext.Quote("fraud="+preferred, "NAME=LABEL"))}
}

// CandidatesWords says which columns may hold the labels of rows that have none by name.
func CandidatesWords(v *dataset.Overview) string {
	candidates := v.Candidates
	if HoldsDecisions(v) {
		return "These are decisions, as rfpragma predict writes them, and no rows to be decided. To look at those, inspect " +
			"the file that was decided; what the decisions are worth rfpragma evaluate says, of rows with labels."
	}
	if len(candidates) == 0 {
		return unlabelledWords + "No column looks like the labels; where one holds them, name it with --target."
	}
	quoted := make([]string, len(candidates))
	for i, name := range candidates {
		quoted[i] = english.Quote(name)
	}
	return unlabelledWords + "Where a column holds them, which may be " + strings.Join(quoted, " or ") +
		", name it with --target."
}

// HoldsDecisions tells that a table without labels has the columns that predict writes, see [RowForm.head].
func HoldsDecisions(v *dataset.Overview) bool {
	decision, probabilities := false, 0
	for _, column := range v.Columns {
		decision = decision || column.Name == "decision"
		if strings.HasPrefix(column.Name, "probability_") {
			probabilities++
		}
	}
	return decision && probabilities > 1
}

// unlabelledWords says where rows go that need no labels.
const unlabelledWords = "Rows to be decided need no labels: they go to rfpragma predict, with a model. "

// Conditional tells whether a finding is of a number that a person must know the meaning of before it is taken for a
// missing cell.
func Conditional(v *dataset.Overview, f *dataset.Finding) bool {
	return f.Sort == inspected.Missing && slices.ContainsFunc(v.Columns,
		func(c dataset.Profile) bool { return c.Kind == dataset.Numeric && slices.Contains(f.Columns, c.Name) })
}
