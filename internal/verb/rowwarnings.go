package verb

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
)

// byImportance puts warnings of columns that are not as in training in the order of how much the model decides by them.
// The others stay where they are.
func byImportance(m *rfpragma.Model, warnings []error) []error {
	bears, part := m.Forest.Importance(), map[string]float64{}
	for j, f := range m.Forest.Schema {
		part[f.Name] = bears[j]
	}
	var at []int
	var of []error
	for i, w := range warnings {
		if view.ColumnDrift(w) != nil {
			at, of = append(at, i), append(of, w)
		}
	}
	slices.SortStableFunc(of, func(a, b error) int {
		return cmp.Compare(part[view.ColumnDrift(b).Column], part[view.ColumnDrift(a).Column])
	})
	out := slices.Clone(warnings)
	for i, to := range at {
		out[to] = of[i]
	}
	return out
}

// firstColumns keeps so many warnings of columns of a file that are not as in training as are told one by one, and
// names the others in one.
func firstColumns(file string, warnings []error) []error {
	var out []error
	var more []string
	last, shown := 0, 0
	for _, w := range warnings {
		if d := view.ColumnDrift(w); d == nil {
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

// decidedWords says how many rows are decided as which class, the most first.
func decidedWords(classes []string, as []int) string {
	order := make([]int, len(as))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return as[b] - as[a] })
	parts := make([]string, len(order))
	for i, c := range order {
		parts[i] = fmt.Sprintf("%d as %s", as[c], english.Quote(classes[c]))
	}
	return english.First(parts)
}

// fittedOnWarnings says that figures of the model on the rows are too good, as its weights or maps were made of
// these very rows; nothing if they were not.
func fittedOnWarnings(in *view.ModelRows) []error {
	what := ""
	switch weights, maps := in.Model.FittedOn(in.Frame); {
	case weights && maps:
		what = "weights were tuned and its maps fitted"
	case weights:
		what = "weights were tuned"
	case maps:
		what = "maps were fitted"
	default:
		return nil
	}
	return []error{fmt.Errorf("%s: the model's %s on these very rows, so that its figures on them flatter; judge it on "+
		"rows that came later", in.Name, what)}
}

// overlapWarnings says that some rows are of the training of the model, which knows them by heart, or there twice;
// nothing if no more are than chance makes.
func overlapWarnings(k rfpragma.Overlap, classes []string, name string) []error {
	var warnings []error
	if k.Again > 0 {
		warnings = append(warnings, fmt.Errorf(
			"%s: about %d of these %d rows %s the same label and features as an earlier one, far more than in training; %s: "+
				"else they count twice, and the ranges are too narrow",
			name, k.Again, k.Rows, english.Verb(k.Again, "has", "have"), csvtext.EnteredTwice(k.Again)))
	}
	if were := overlapWords(k, classes); were != "" {
		warnings = append(warnings, fmt.Errorf(
			"%s: %s in the training, alike in label and features; trees know such rows by heart, so that what follows "+
				"flatters; give rows that came later", name, were))
	}
	return warnings
}

// overlapWords says how many rows were in the training, of all and of the classes of which more are; "" where no more
// are than chance makes.
func overlapWords(k rfpragma.Overlap, classes []string) string {
	var were []string
	if k.Same > 0 {
		were = append(were, fmt.Sprintf("%d of these %d rows%s", k.Same, k.Rows, byChance(k.Chance)))
	}
	same := k.Same // of all that are told
	for _, of := range k.Classes {
		if float64(of.Same)/float64(of.Rows) > float64(k.Same)/float64(k.Rows)+moreOfAClass {
			were = append(were, fmt.Sprintf("%d of the %d rows of %s%s", of.Same, of.Rows, english.Quote(classes[of.Class]),
				byChance(of.Chance)))
			same += of.Same
		}
	}
	if were == nil {
		return ""
	}
	return fmt.Sprintf("about %s %s", english.First(were), english.Verb(same, "was", "were"))
}

// moreOfAClass is by how much the share of known rows of a class is above that of all rows where the class is named.
const moreOfAClass = 0.1

// byChance says how many rows would be known if all were new.
func byChance(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (by chance it would be about %d)", n)
}

// longListWarnings warns of lists that are longer than there are rows.
func longListWarnings(lists []eval.TopList, top []eval.TopListFigures) []error {
	var warnings []error
	for i, l := range lists {
		if all := top[i].Rows; top[i].Share == 1 && top[i].Lists == 0 && l.Rows > all {
			warnings = append(warnings, fmt.Errorf("--top %s: there are only %s rows, so that all are on the list",
				csvtext.Quoted(top[i].Class+"="+layout.Count(l.Rows)), layout.Rows(all)))
		}
	}
	return warnings
}

// unknownClassWarnings are the warnings of rows of classes that the model does not know, or that were left out of
// its training, with what these rows are decided as.
func unknownClassWarnings(in *view.ModelRows) []error {
	left, unknown := view.LeftOut(in.Unknown)
	var warnings []error
	for _, w := range in.Frame.Warnings {
		switch {
		case errors.Is(w, dataset.ErrClassLeftOut):
			warnings = append(warnings, fmt.Errorf("%w: %s", w, decidedText(in, left)))
		case ofUnknownClass(w):
			warnings = append(warnings, fmt.Errorf("%w: %s; %s", w, decidedText(in, unknown), cli.Renamed(unknown)))
		}
	}
	return warnings
}

// decidedText says what rows of these classes are decided as.
func decidedText(in *view.ModelRows, classes []view.UnknownInfo) string {
	rows, decided := view.RowsOf(classes), map[string]int{}
	for _, u := range classes {
		for class, n := range u.Decided {
			decided[class] += n
		}
	}
	var parts []string
	for _, class := range append(slices.Clone(in.Model.Classes()), predictions.Undecided) {
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
	return fmt.Sprintf("%s decided %s", who, english.First(parts))
}

func ofUnknownClass(warning error) bool {
	return errors.Is(warning, dataset.ErrUnknownClass) || errors.Is(warning, dataset.ErrClassLeftOut)
}

// rowWarnings are the other warnings of the rows, of few columns one by one.
func rowWarnings(in *view.ModelRows) []error {
	return firstColumns(in.Name, slices.DeleteFunc(slices.Clone(in.Frame.Warnings),
		func(w error) bool { return ofUnknownClass(w) || in.Lacks.Answers(w) }))
}

// noneDecided refuses to judge rows of a file none of which is decided.
func noneDecided(name string) error {
	return fmt.Errorf("%s: every row that has a label lacks most of what the model decides by, so that --withhold "+
		"leaves none to judge; leave it out to see what they would be decided as", name)
}

// countedWords says what rows without a name are called, and how they get one.
func countedWords(file string) string {
	return fmt.Sprintf("Column \"row\" counts the rows of %s from 1; a column that names them, such as the number of a "+
		"customer, can be carried along with --id COLUMN.", file)
}
