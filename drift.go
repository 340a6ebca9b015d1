package rfpragma

import (
	"fmt"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/vote"
)

// Observed is a share of some rows, as it was counted.
type Observed struct {
	Value float64 `json:"value"` // the share
	Rows  float64 `json:"rows"`  // how many rows it is a share of, the effective number where they have weights, see vote.Kish
}

// Interval returns Wilson's interval at 95 %, see [calib.Wilson].
func (o *Observed) Interval() [2]float64 {
	low, high := calib.Wilson(float64(o.Value*o.Rows), o.Rows, calib.Z95)
	return [2]float64{low, high}
}

// ClassFigures is what becomes of a class on some rows.
type ClassFigures struct {
	Share     *Observed `json:"share"`     // of all rows those of the class
	Recall    *Observed `json:"recall"`    // of the rows of the class those that are found; null where it has none
	Precision *Observed `json:"precision"` // of the rows decided as the class those that are of it; null where there are none
}

// FiguresOf returns by class what becomes of it when votes are decided under w, which flatters if w was tuned on them; nil where votes were merged that had other weights, and nobody knows how many rows they come to.
func FiguresOf(votes *vote.Table, w vote.Weights) []ClassFigures {
	if votes.Uneven() {
		return nil
	}
	t, each, k := votes.Compress(), votes.RowWeights(), len(votes.Classes)
	rule, m := vote.NewRule(w, t.Share, k), vote.NewConfusion(t.Classes)
	var all vote.Kish
	truths, decisions := make([]vote.Kish, k), make([]vote.Kish, k)
	for i, counts := range t.Judged() {
		truth, decision := t.Truth[i], rule.Decide(counts)
		m.Add(truth, decision, t.Weight[i])
		for _, rows := range []*vote.Kish{&all, &truths[truth], &decisions[decision]} {
			rows.Add(t.Weight[i], each[i])
		}
	}
	observed := func(part, whole float64, of *vote.Kish) *Observed {
		if whole == 0 {
			return nil
		}
		return &Observed{part / whole, of.Rows()}
	}
	out := make([]ClassFigures, k)
	for c := range out {
		out[c] = ClassFigures{
			Share:     observed(m.True(c), m.Total(), &all),
			Recall:    observed(m.Hits(c), m.True(c), &truths[c]),
			Precision: observed(m.Hits(c), m.Predicted(c), &decisions[c]),
		}
	}
	return out
}

// checkFigures says what cannot be in the figures of k classes.
func checkFigures(figures []ClassFigures, k int) error {
	if figures != nil && len(figures) != k {
		return fmt.Errorf("figures of %d classes, where there are %d", len(figures), k)
	}
	for c, f := range figures {
		for _, o := range []*Observed{f.Share, f.Recall, f.Precision} {
			if o != nil && (!(o.Value >= 0 && o.Value <= 1) || !(o.Rows > 0.99)) { // at least 1, but for rounding
				return fmt.Errorf("figures of class %d: %v of %v rows", c, o.Value, o.Rows)
			}
		}
		if f.Share == nil {
			return fmt.Errorf("figures of class %d without its share", c)
		}
	}
	return nil
}

// Drift is a figure of a class that is another one on new rows than on the votes that the weights were tuned on.
type Drift struct {
	Class  string   `json:"class"`  // its name
	Figure string   `json:"figure"` // recall, precision, or share, by which the class is more or less common
	Was    Observed `json:"was"`    // on the votes that the weights were tuned on
	Is     Observed `json:"is"`     // on these rows
}

// leastChange is by what part a figure changes at least when it drifts.
const leastChange = 0.1

// Drift compares votes of m for labelled rows that it has not seen with those that its weights were tuned on, see [Provenance].Figures. It returns the recalls and
// precisions that are lower by more than chance, and the classes that are more or less common, in the order of the classes; of two classes only the figures of the one that was
// rarer, which tell of the other. Where a class is rarer than it was, a lower precision is a drift only if it is lower than that alone makes it. A model without such figures shows no drift, nor do merged rows ([vote.Table.Condense]) that had other weights.
//
// A figure is lower by more than chance where its 95 % interval, see [Observed.Interval], lies below that of training, and by a tenth of what it was at least. By
// chance alone a share falls so far 3 times of 1000 where both are equally wide, and 25 times at most where one is much narrower. Source: Schenker and Gentleman, The American Statistician 55 (2001) 182-186.
func (m *Model) Drift(votes *vote.Table) []Drift {
	if m.Provenance.Figures == nil {
		return nil
	}
	var out []Drift
	now := FiguresOf(votes, m.Weights)
	if now == nil {
		return nil
	}
	for c, was := range m.Provenance.Figures {
		is, name := now[c], m.Classes()[c]
		if is.Share == nil {
			return nil
		}
		if len(now) == 2 && (was.Share.Value > 0.5 || was.Share.Value == 0.5 && c == 0) {
			continue
		}
		if falls(was.Recall, is.Recall, unchanged) {
			out = append(out, Drift{name, "recall", *was.Recall, *is.Recall})
		}
		if falls(was.Precision, is.Precision, rarer(was.Share.Value, is.Share.Value)) {
			out = append(out, Drift{name, "precision", *was.Precision, *is.Precision})
		}
		if falls(was.Share, is.Share, unchanged) || falls(is.Share, was.Share, unchanged) {
			out = append(out, Drift{name, "share", *was.Share, *is.Share})
		}
	}
	return out
}

func unchanged(share float64) float64 { return share }

// rarer returns what becomes of a precision where a class is rarer than it was, and the model does as well on the rows of each class. Of a class without
// rows nothing can be said: what is not a number does not fall.
func rarer(was, is float64) func(float64) float64 {
	if !(is < was) {
		return unchanged
	}
	odds := was / (1 - was) * ((1 - is) / is)
	return func(p float64) float64 { return 1 / (1 + float64((1/p-1)*odds)) }
}

// falls tells whether a share has fallen from what becomes of was by more than chance does.
func falls(was, is *Observed, become func(float64) float64) bool {
	return was != nil && is != nil && is.Value < (1-leastChange)*become(was.Value) && is.Interval()[1] < become(was.Interval()[0])
}
