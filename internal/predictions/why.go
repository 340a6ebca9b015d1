package predictions

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Asked is what is to be written of why rows are decided as they are; the zero value is nothing.
type Asked struct {
	Reasons, Change Reasoned
	Keep            []string // columns that Change keeps
	Parts           *explain.Explainer
	PartsOf         string // the class whose votes are split into Parts, or the log odds of it,
	LogOdds         bool
	Columns         []string // and the columns that they are of
}

// Reasoned is how many cells there are to be of a row, at most, and of which class; the zero value is none.
type Reasoned struct {
	Most  int
	Class string // "" is that of the decision, and of a change any but that
}

// Why is what there is to write of a row.
type Why struct {
	Reasons []rfpragma.Reason
	Change  *explain.Change // nil where there is none
	Parts   []float64
}

// Any tells whether anything is asked for.
func (a *Asked) Any() bool { return a.Reasons.Most > 0 || a.Change.Most > 0 || a.Parts != nil }

// Of answers for a row of these cells, which is decided as a class, or is on a list of that. Parts are left out if they
// are known, as they are quicker for many rows at once.
func (a *Asked) Of(ctx context.Context, m *rfpragma.Model, cells []float64, decided string, parts []float64) (w Why,
	err error) {
	if err := ctx.Err(); err != nil {
		return w, err
	}
	if a.Reasons.Most > 0 {
		w.Reasons, err = m.Reasons(cells, cmp.Or(a.Reasons.Class, decided), a.Reasons.Most)
		if err != nil {
			return w, err
		}
	}
	if a.Change.Most > 0 {
		w.Change, err = explain.Nearest(ctx, m, cells, explain.ChangeOptions{Class: a.Change.Class, Keep: a.Keep,
			Most: a.Change.Most})
		if err != nil {
			return w, err
		}
	}
	if w.Parts = parts; a.Parts != nil && parts == nil {
		w.Parts, err = a.Parts.Row(ctx, cells)
	}
	return w, err
}

// PartsIn returns the parts of all rows of a frame; nil where they are not asked for.
func (a *Asked) PartsIn(ctx context.Context, frame *dataset.Frame) ([][]float64, error) {
	if a.Parts == nil {
		return nil, nil
	}
	return a.Parts.Rows(ctx, frame)
}

// Words says what stands in the columns, a sentence each.
func (a *Asked) Words(m *rfpragma.Model) []string {
	var words []string
	switch {
	case a.Reasons.Most > 0 && m.Forest.Scored():
		words = append(words, "In column \"reasons\" (+N CLASS) behind a cell says that the share of CLASS, of 1, would be "+
			"less by N if that cell alone were missing.")
	case a.Reasons.Most > 0:
		words = append(words, "In column \"reasons\" (+N CLASS) behind a cell says that N fewer trees would vote CLASS if "+
			"that cell alone were missing.")
	}
	if a.Change.Most > 0 {
		words = append(words, fmt.Sprintf("Column \"change\" has the smallest change of at most %s with which a row would "+
			"be decided otherwise; it is empty where there is none.", english.Plural(a.Change.Most, "cell")))
	}
	if a.Parts != nil {
		what := "its share of the votes for"
		if a.LogOdds {
			what = "the log odds of its probability of"
		}
		words = append(words, fmt.Sprintf("The columns \"shap_...\" of a row sum up, with \"base_%s\", to %s %s.", a.PartsOf,
			what, english.Quote(a.PartsOf)))
	}
	return words
}

// head are the columns of CSV.
func (a *Asked) head() []string {
	var head []string
	if a.Reasons.Most > 0 {
		head = append(head, "reasons")
	}
	if a.Change.Most > 0 {
		head = append(head, "change")
	}
	if a.Parts != nil {
		head = append(head, "base_"+a.PartsOf)
		for _, column := range a.Columns {
			head = append(head, "shap_"+column)
		}
	}
	return head
}

// csv returns what appends the cells of these columns, of a row that is decided as a class.
func (a *Asked) csv(quoted func(string) string) func(to []byte, w *Why, class string) []byte {
	return func(to []byte, w *Why, class string) []byte {
		if a.Reasons.Most > 0 {
			to = append(append(to, ','), quoted(reasonsText(w.Reasons, cmp.Or(a.Reasons.Class, class)))...)
		}
		if a.Change.Most > 0 {
			to = append(append(to, ','), quoted(changeText(w.Change))...)
		}
		if a.Parts != nil {
			to = appendPart(append(to, ','), a.Parts.Base)
			for _, part := range w.Parts {
				to = appendPart(append(to, ','), part)
			}
		}
		return to
	}
}

// json appends the fields.
func (a *Asked) json(to []byte, w *Why, text func(any) string) []byte {
	if a.Reasons.Most > 0 {
		to = append(append(to, `,"reasons":`...), text(w.Reasons)...)
	}
	if a.Change.Most > 0 {
		to = append(append(to, `,"change":`...), text(w.Change)...)
	}
	if a.Parts != nil {
		parts := make(map[string]float64, len(a.Columns))
		for j, column := range a.Columns {
			parts[column] = w.Parts[j]
		}
		to = append(append(to, `,"shap":`...), text(map[string]any{"class": a.PartsOf, "log_odds": a.LogOdds,
			"base": a.Parts.Base, "parts": parts})...)
	}
	return to
}

func appendPart(to []byte, part float64) []byte { return strconv.AppendFloat(to, part, 'f', -1, 64) }

// reasonsText is reasons in one cell, such as TSH=9.2 (+212 ill); FTI=60 (+35 ill).
func reasonsText(reasons []rfpragma.Reason, class string) string {
	parts := make([]string, len(reasons))
	for i, r := range reasons {
		parts[i] = fmt.Sprintf("%s=%s (+%s %s)", r.Column, r.Value, strconv.FormatFloat(r.Votes, 'f', -1, 64), class)
	}
	return strings.Join(parts, "; ")
}

// changeText is a change in one cell, such as TSH=4.1 instead of 9.2; FTI=80 instead of 60.
func changeText(change *explain.Change) string {
	if change == nil {
		return ""
	}
	parts := make([]string, len(change.Cells))
	for i, c := range change.Cells {
		parts[i] = fmt.Sprintf("%s=%s instead of %s", c.Column, c.Value, cmp.Or(c.Was, "missing"))
	}
	return strings.Join(parts, "; ")
}
