package rfpragma

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/ranked"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Observed is a share counted on some rows.
type Observed struct {
	Value float64 `json:"value"` // the share, from 0 to 1
	// number of rows that the share is of; where they have weights or groups, the effective number, by Kish
	Rows float64 `json:"rows"`

	// effective number of the groups that these rows belong to, by Kish; 0 without groups
	Groups float64 `json:"groups,omitempty"`
}

// Interval returns Wilson's 95 % interval of the share, see [calib.Wilson].
func (o *Observed) Interval() [2]float64 {
	low, high := o.interval(calib.Z95)
	return [2]float64{low, high}
}

func (o *Observed) interval(z float64) (low, high float64) {
	wider := effective.Wider(z, o.Groups)
	rows := o.Rows / float64(wider*wider)
	return calib.Wilson(float64(o.Value*rows), rows, z)
}

// ClassFigures says how common a class is among some rows, and how well it is told from the others.
type ClassFigures struct {
	Share *Observed `json:"share"` // share of the rows that belong to the class
	// share of the rows of the class that are decided as it; null if the class has no rows
	Recall    *Observed `json:"recall"`
	Precision *Observed `json:"precision"` // share of the rows decided as the class that belong to it; null if no row is
	// ROC-AUC: among the pairs of a row of the class and a row of another, the share in which the former has
	// the larger share of votes for the class. Its number of rows is that of a share that would be as certain.
	// Absent where the class or the others have fewer than 10 rows, or groups.
	Ranking *Observed `json:"ranking,omitempty"`
}

// FiguresOf returns the figures of each class (length k) when votes are decided under w. They flatter if w was
// tuned on the same votes. It returns nil if rows of different weights were merged, because their number is then
// not known, see [vote.Table.Condense]; if votes or w are not sound; and without rows.
func FiguresOf(votes *vote.Table, w vote.Weights) []ClassFigures {
	if votes.Check() != nil || w.Check(len(votes.Classes)) != nil {
		return nil
	}
	rule := votes.Rule(w)
	return figuresOf(votes, false, func(t *vote.Table, i int) int { return rule.Decide(t.Votes(i)) })
}

// figuresOf is FiguresOf for any decisions of the rows of a table; these may also go by the amounts of the rows.
func figuresOf(votes *vote.Table, amounts bool, decide func(t *vote.Table, i int) int) []ClassFigures {
	if tables.MixedWeights(votes) {
		return nil
	}
	t, each, k := votes, []float64(nil), len(votes.Classes)
	if votes.Group == nil && !amounts { // in a form that does not depend on the order of the rows
		t, each = votes.Compress(), votes.RowWeights()
	} else {
		for i := range t.Truth {
			each = append(each, t.WeightOf(i)/float64(t.TimesOf(i)))
		}
	}
	m := vote.NewConfusion(t.Classes)
	shares, truths, decisions := make([]effective.Share, k), make([]effective.Share, k), make([]effective.Share, k)
	for i := range t.Judged() {
		truth, decision := t.Truth[i], decide(t, i)
		if decision < 0 || decision >= k {
			return nil
		}
		weight := t.WeightOf(i)
		m.Add(truth, decision, weight)
		add := func(to *effective.Share, hit bool) {
			to.Add(weight, each[i])
			if t.Group != nil {
				to.Join(t.Group[i], weight, hit)
			}
		}
		add(&truths[truth], decision == truth)
		add(&decisions[decision], decision == truth)
		for c := range shares {
			add(&shares[c], c == truth)
		}
	}
	observed := func(part, whole float64, of *effective.Share) *Observed {
		if !(whole > 0) {
			return nil
		}
		share := min(part/whole, 1)
		return &Observed{share, of.Effective(share, 1), of.Groups()}
	}
	out := make([]ClassFigures, k)
	for c := range out {
		out[c] = ClassFigures{
			Share:     observed(m.True(c), m.Total(), &shares[c]),
			Recall:    observed(m.Hits(c), m.True(c), &truths[c]),
			Precision: observed(m.Hits(c), m.Predicted(c), &decisions[c]),
		}
		// of many classes with few rows it would take long to find that out otherwise
		if !(truths[c].Rows() < ranked.Least-1e-6) {
			if area, rows, groups, ok := ranked.Area(t, each, c); ok {
				out[c].Ranking = &Observed{area, rows, groups}
			}
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
		for _, o := range []*Observed{f.Share, f.Recall, f.Precision, f.Ranking} {
			// two groups that differ wholly come to (z/t)² rows, 0.012
			if o != nil && (!(o.Value >= 0 && o.Value <= 1) || !(o.Rows > 0.01 || o.Rows == 0 && o.Groups > 0) ||
				!(o.Groups >= 0)) {
				return fmt.Errorf("figures of class %d: %v of %v rows", c, o.Value, o.Rows)
			}
		}
		if f.Share == nil {
			return fmt.Errorf("figures of class %d without its share", c)
		}
	}
	return nil
}

// Drift is a figure of a class that differs between new rows and the votes that the weights were tuned on.
type Drift struct {
	Class string `json:"class"` // its name
	// what changed: recall, precision or ranking (which became worse), or share (which became larger or smaller)
	Figure string   `json:"figure"`
	Was    Observed `json:"was"` // on the votes that the weights were tuned on
	Is     Observed `json:"is"`  // on these rows
}

// Comparison compares votes for new rows with the votes that the weights of a model were tuned on, see
// [Model.Drift].
type Comparison struct {
	// the figures of [Drift] compared for at least one class, in the order share, recall, precision, ranking
	Figures []string
	Drift   []Drift // what changed by more than chance, in the order of the classes; empty, not nil, if nothing did
	// recalls and rankings that show no drift, in the order of the classes, with the value that would be drift
	NoDrift []Unchanged
	// Recalls and rankings that are better by more than chance and miss 1 by at most half as much as before.
	// New rows seldom are so much better; rows of the training are.
	Better []Drift
}

// Unchanged is a figure of a class that shows no drift, which says little if there are few rows.
type Unchanged struct {
	Drift
	Below float64 `json:"below"` // value below which it would be drift on as many rows; 0 if no value is low enough
}

// What is said to be drift.
const (
	leastChange = 0.1 // by what part a share changes at least
	// by how much ROC-AUC falls at least: where 5 of 100 other rows raise an alarm, recall falls by about a tenth then,
	// for normal scores of any ROC-AUC from 0.7 to 0.99
	leastRanking = 0.02
	// share of the sets of rows like those of training of which a figure or more is said to have changed, at most
	falseAlarms = 0.01
)

// Drift compares votes of m for labelled rows that it has not seen with the votes that its weights were tuned
// on, see [Provenance].Figures. It looks for recalls, precisions and rankings that are lower by more than
// chance, and for classes that are more or less common. Of two classes it compares only the one that was rarer,
// whose figures tell of the other as well. Where a class is rarer than it was, lower precision is drift only if
// it is lower than the rarity alone explains.
//
// It returns nil where nothing can be compared: if votes are not of the model's classes, if the model has no
// figures, if the rows of either side belong to fewer than two groups, by Kish, and if rows of different
// weights were merged, see [vote.Table.Condense].
//
// A figure is lower by more than chance if two tests agree: Newcombe's interval of the difference, made of the
// Wilson intervals of both figures, excludes 0; and if the figure were unchanged, the binomial probability of
// as few hits among as many rows would be below the allowed level. So a single missed row is chance, even where
// nearly all rows used to be found. A change counts only if it is at least a tenth of the former figure, or
// 0.02 of ROC-AUC. The more figures are compared, the lower the level for each (Bonferroni); where rows have
// groups, Student's t widens the intervals. Among sets of rows like those of the training, at most 1 in 100
// shows drift by chance, apart from what the weights owe to the votes that they were tuned on.
//
// Source: Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10.
func (m *Model) Drift(votes *vote.Table) *Comparison {
	if m.checkVotes(votes) != nil {
		return nil
	}
	now := m.figures(votes)
	if len(m.Provenance.Figures) != len(m.Classes()) || m.Provenance.Figures[0].Share == nil ||
		now == nil || now[0].Share == nil || now[0].Share.Rows == 0 ||
		m.Provenance.Figures[0].Share.Rows == 0 {
		return nil
	}
	var all []comparison
	for c, was := range m.Provenance.Figures {
		is, name := now[c], m.Classes()[c]
		if len(now) == 2 && c == m.lesser() {
			continue
		}
		all = append(all,
			comparison{Class: name, Figure: "recall", was: was.Recall, is: is.Recall, become: unchanged},
			comparison{Class: name, Figure: "precision", was: was.Precision, is: is.Precision, become: rarer(was.Share.Value,
				is.Share.Value)},
			comparison{Class: name, Figure: "ranking", was: was.Ranking, is: is.Ranking, become: unchanged},
			comparison{Class: name, Figure: "share", was: was.Share, is: is.Share, become: unchanged})
	}
	// of less than two groups
	all = slices.DeleteFunc(all, func(c comparison) bool {
		return c.was == nil || c.is == nil || c.was.Rows == 0 ||
			c.is.Rows == 0
	})
	ways := 0
	for _, c := range all {
		if ways++; c.Figure == "share" { // may rise, too
			ways++
		}
	}
	level, out := falseAlarms/float64(ways), &Comparison{Drift: []Drift{}}
	for _, c := range all {
		d := Drift{c.Class, c.Figure, *c.was, *c.is}
		switch {
		case c.falls(level) || c.Figure == "share" && c.rises(level):
			out.Drift = append(out.Drift, d)
		case c.better(level):
			out.Better = append(out.Better, d)
		case c.Figure == "recall" || c.Figure == "ranking":
			out.NoDrift = append(out.NoDrift, Unchanged{d, c.below(level)})
		}
	}
	for _, figure := range []string{"share", "recall", "precision", "ranking"} {
		if slices.ContainsFunc(all, func(c comparison) bool { return c.Figure == figure }) {
			out.Figures = append(out.Figures, figure)
		}
	}
	return out
}

// lesser returns of two classes the one that had more rows, of equally common ones the one that matters less, else
// the one that wins ties: its figures follow from those of the other.
func (m *Model) lesser() int {
	if share := m.Provenance.Figures[0].Share.Value; share != 0.5 {
		return second(share < 0.5)
	}
	if prefs, err := m.Spec.Resolve(m.Classes()); err == nil && prefs[0].Theta != prefs[1].Theta {
		return second(prefs[0].Theta > prefs[1].Theta)
	}
	return m.Forest.TieOrder()[0]
}

// second is the index of the second class if it is that one, else of the first.
func second(is bool) int {
	if is {
		return 1
	}
	return 0
}

// comparison is of a figure of a class then and now.
type comparison struct {
	Class, Figure string
	was, is       *Observed
	become        func(share float64) float64 // of what it was, where all that matters stayed the same
}

// falls tells whether the figure is lower, by more than chance and so much that it matters.
func (c comparison) falls(level float64) bool {
	least := (1 - leastChange) * c.become(c.was.Value)
	if c.Figure == "ranking" {
		least = c.was.Value - leastRanking
	}
	return c.is.Value < least && c.lower(level)
}

// below returns under which value the figure, which does not fall, would, if it were of as many rows.
func (c comparison) below(level float64) float64 {
	low, high := 0.0, c.is.Value
	for range 50 {
		at := (low + high) / 2
		other := c
		other.is = &Observed{at, c.is.Rows, c.is.Groups}
		if other.falls(level) {
			low = at
		} else {
			high = at
		}
	}
	return low
}

// rises tells the same of one that is higher.
func (c comparison) rises(level float64) bool {
	return c.was.Value < (1-leastChange)*c.is.Value && c.complement().lower(level)
}

// better tells whether the figure is higher by more than chance, and lacks half of what it did at most.
func (c comparison) better(level float64) bool {
	return (c.Figure == "recall" || c.Figure == "ranking") && 1-c.is.Value <= (1-c.was.Value)/2 &&
		c.complement().lower(level)
}

// complement compares the shares of the rows that are none of the hits.
func (c comparison) complement() comparison {
	c.was, c.is = &Observed{1 - c.was.Value, c.was.Rows, c.was.Groups}, &Observed{1 - c.is.Value, c.is.Rows, c.is.Groups}
	return c
}

// lower tells whether the figure is lower by more than chance: by the distances to the ends of both intervals of z
// standard errors, squared and summed, and by the probability of as few hits.
func (c comparison) lower(level float64) bool {
	z := math.Sqrt2 * math.Erfinv(1-2*level)
	low, _ := c.was.interval(z)
	_, high := c.is.interval(z)
	was := c.become(c.was.Value)
	down, up := was-c.become(low), high-c.is.Value
	return was-c.is.Value > math.Sqrt(float64(down*down)+float64(up*up)) && c.is.asFew(was) < level
}

// asFew returns the probability of that many hits or fewer where the share is p, also of parts of a row.
func (o *Observed) asFew(p float64) float64 {
	hits := float64(o.Value * o.Rows)
	if !(hits < o.Rows) {
		return 1
	}
	return mathext.RegIncBeta(o.Rows-hits, hits+1, 1-p)
}

func unchanged(share float64) float64 { return share }

// rarer returns what becomes of a precision where a class is rarer than it was, and the model does as well on the
// rows of each class. Of a class without rows nothing can be said: what is not a number does not fall.
func rarer(was, is float64) func(float64) float64 {
	if !(is < was) {
		return unchanged
	}
	odds := was / (1 - was) * ((1 - is) / is)
	return func(p float64) float64 { return 1 / (1 + float64((1/p-1)*odds)) }
}
