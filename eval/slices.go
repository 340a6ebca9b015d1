package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/vote"
)

// Slice says how decisions did on the rows that have one value in a column.
type Slice struct {
	Name    string           `json:"name"`    // the value
	Rows    float64          `json:"rows"`    // weight of the rows that were judged
	Alerts  map[string]Share `json:"alerts"`  // share of the rows that are decided as each class
	Classes map[string]Class `json:"classes"` // figures of each class
}

// Share is a share of rows with its 95 % interval.
type Share struct {
	Value    float64    `json:"value"`    // from 0 to 1
	Interval [2]float64 `json:"interval"` // Wilson's, for the effective number of rows
}

// Gap is a figure of a slice that differs from that of all other rows together by more than chance.
type Gap struct {
	Slice  string  `json:"slice"`
	Class  string  `json:"class"`
	Figure string  `json:"figure"` // recall or precision
	Value  float64 `json:"value"`  // in the slice
	Others float64 `json:"others"` // in all other rows
	// P is that of Fisher's exact test of effective numbers of rows, corrected by Holm for all slices, classes and
	// figures
	P         float64 `json:"p"`
	Estimated bool    `json:"estimated,omitempty"` // both figures are, see [EstimatedGaps]
}

// sureGap is what P of a gap is at most.
const sureGap = 0.05

// Slices judges parts of the rows apart, and finds the gaps between them that are beyond chance, the surest first.
// Decided (len n) has the class that each row of votes is decided as, of (len n) the index of its slice in names, or -1
// for rows of none. Each row comes so many times in votes, see Report.Votes. Names are in the order of the result;
// those without a judged row are left out.
//
// Sources: Fisher, Statistical Methods for Research Workers, 1934; Holm, Scandinavian Journal of Statistics 6 (1979)
// 65-70. With more than 2^53 effective rows nothing is tested.
//
// Errors: those of [vote.Table.Check]; [ErrConfig] if decided or of do not go with votes and names.
func Slices(votes *vote.Table, decided, of []int, names []string, times int) ([]Slice, []Gap, error) {
	if err := votes.Check(); err != nil {
		return nil, nil, err
	}
	if len(decided) != votes.Rows() || len(of) != votes.Rows() || times < 1 {
		return nil, nil, fmt.Errorf("%w: %d rows, %d decisions and %d slices, each row %d times; give one of each a row",
			ErrConfig, votes.Rows(), len(decided), len(of), times)
	}
	k := len(votes.Classes)
	sides := make([][2]sliced, len(names))
	for s := range sides {
		sides[s] = [2]sliced{newSliced(votes.Classes, false), newSliced(votes.Classes, false)}
	}
	for i := range votes.Judged() {
		if of[i] < -1 || of[i] >= len(names) || decided[i] < 0 || decided[i] >= k {
			return nil, nil, fmt.Errorf("%w: row %d is of slice %d and decided as class %d; there are %d slices and %d classes",
				ErrConfig, i, of[i], decided[i], len(names), k)
		}
		for s := range sides {
			if of[i] >= 0 {
				side := 1
				if s == of[i] {
					side = 0
				}
				sides[s][side].add(votes, i, decided[i], groupOf)
			}
		}
	}
	var out []Slice
	var gaps []Gap
	for s, name := range names {
		here := &sides[s][0]
		if here.m.Total() == 0 {
			continue
		}
		out = append(out, here.slice(name, float64(times)))
		gaps = append(gaps, sides[s][0].gaps(name, &sides[s][1], float64(times))...)
	}
	return out, holm(gaps), nil
}

// sliced is the rows of a slice, or those of all others.
type sliced struct {
	m              *vote.Confusion
	all            []effective.Share // by class: all rows, those decided as the class are hits
	truth, decided []effective.Share // by class: its rows, and those decided as it
}

func newSliced(classes []string, blocks bool) sliced {
	k := len(classes)
	s := sliced{vote.NewConfusion(classes), make([]effective.Share, k), make([]effective.Share, k),
		make([]effective.Share, k)}
	for c := range k {
		s.all[c].Blocks, s.truth[c].Blocks, s.decided[c].Blocks = blocks, blocks, blocks
	}
	return s
}

// groupOf returns the group of row i; false where rows have none.
func groupOf(votes *vote.Table, i int) (int, bool) {
	if votes.Group == nil {
		return 0, false
	}
	return votes.Group[i], true
}

// add counts row i of votes, of the group that a function tells.
func (s *sliced) add(votes *vote.Table, i, decision int, groupOf func(*vote.Table, int) (int, bool)) {
	truth, w := votes.Truth[i], votes.WeightOf(i)
	s.m.Add(truth, decision, w)
	count := func(of *effective.Share, hit bool) {
		of.Add(w, w)
		if group, ok := groupOf(votes, i); ok {
			of.Join(group, w, hit)
		}
	}
	for c := range s.all {
		count(&s.all[c], decision == c)
	}
	count(&s.truth[truth], truth == decision)
	count(&s.decided[decision], truth == decision)
}

// slice sums up.
func (s *sliced) slice(name string, times float64) Slice {
	out := Slice{Name: name, Rows: s.m.Total() / times, Alerts: map[string]Share{}, Classes: map[string]Class{}}
	for c, class := range s.m.Classes {
		of := ClassOf(s.m, c)
		of.Support, of.Predicted, of.Rows = of.Support/times, of.Predicted/times, s.truth[c].Rows()/times
		_, of.RecallInterval = share(s.m.Hits(c), s.m.True(c), &s.truth[c], times)
		_, of.PrecisionInterval = share(s.m.Hits(c), s.m.Predicted(c), &s.decided[c], times)
		out.Classes[class] = of
		if alerts, interval := share(s.m.Predicted(c), s.m.Total(), &s.all[c], times); alerts != nil {
			out.Alerts[class] = Share{*alerts, *interval}
		}
	}
	return out
}

// RuleSlice says how a rule does on a slice of the rows that something is required of.
type RuleSlice struct {
	Column string `json:"column"` // whose value the rows have in common
	Slice
	Confusion [][]float64 `json:"confusion"` // k×k, rows are the truth, mean over the repeats
}

// rule sums up what a rule does on a slice.
func (s *sliced) rule(of vote.Slice, times float64) RuleSlice {
	out := RuleSlice{Column: of.Column, Slice: s.slice(of.Value, times)}
	for _, line := range s.m.Rows() {
		for d := range line {
			line[d] /= times
		}
		out.Confusion = append(out.Confusion, line)
	}
	return out
}

// SliceOf returns what a rule does on a slice; nil where that is not known.
func (r *Rule) SliceOf(of vote.Slice) *RuleSlice {
	for i := range r.Slices {
		if s := &r.Slices[i]; s.Column == of.Column && s.Name == of.Value {
			return s
		}
	}
	return nil
}

// Counts returns the decisions of a rule among classes as they are counted, those of its slices apart, too.
func (r *Rule) Counts(classes []string) *vote.Confusion {
	names := make([]vote.Slice, len(r.Slices))
	for i, s := range r.Slices {
		names[i] = vote.Slice{Column: s.Column, Value: s.Name}
	}
	fill := func(m *vote.Confusion, rows [][]float64) {
		for truth, line := range rows {
			for decision, n := range line {
				m.Add(truth, decision, n)
			}
		}
	}
	m := vote.NewConfusion(classes, names...)
	fill(m, r.Confusion)
	for i, s := range r.Slices {
		fill(m.Slice(names[i]), s.Confusion)
	}
	return m
}

// gaps compares the figures of a slice with those of the other rows, where both have some.
func (s *sliced) gaps(name string, others *sliced, times float64) []Gap {
	var out []Gap
	for c, class := range s.m.Classes {
		for _, f := range []struct {
			figure     string
			here, rest float64 // weight of all that the figure is a share of
			of, ofRest *effective.Share
		}{
			{"recall", s.m.True(c), others.m.True(c), &s.truth[c], &others.truth[c]},
			{"precision", s.m.Predicted(c), others.m.Predicted(c), &s.decided[c], &others.decided[c]},
		} {
			if f.here == 0 || f.rest == 0 {
				continue
			}
			g := Gap{Slice: name, Class: class, Figure: f.figure, Value: s.m.Hits(c) / f.here, Others: others.m.Hits(c) / f.rest}
			a, n := rowsOf(g.Value, f.of, times)
			b, m := rowsOf(g.Others, f.ofRest, times)
			if n > 0 && m > 0 {
				g.P = fisher(a, n, b, m)
				out = append(out, g)
			}
		}
	}
	return out
}

// rowsOf returns about how many hits of how many independent rows tell as much.
func rowsOf(p float64, of *effective.Share, times float64) (hits, rows int) {
	n := math.Floor(of.Effective(min(p, 1), times) + 1e-9)
	if !(n < 1<<53) {
		return 0, 0
	}
	return int(math.Round(min(p, 1) * n)), int(n)
}

// fisher returns the two-sided p-value of Fisher's exact test that a of n and b of m are drawn with one probability:
// the summed probabilities of all tables of these margins that are no likelier.
func fisher(a, n, b, m int) float64 {
	hits := a + b
	low, high := max(0, hits-m), min(hits, n)
	// from the observed table to both sides, in units of its probability
	const likelier, least = 1 + 1e-7, 1e-18
	sum, tail := 1.0, 1.0
	count := func(term float64) {
		sum += term
		if term <= likelier {
			tail += term
		}
	}
	term := 1.0
	for x := a; x < high; x++ {
		term = float64(term * (float64(n-x) / float64(x+1)) * (float64(hits-x) / float64(m-hits+x+1)))
		count(term)
		if term < least {
			break
		}
	}
	term = 1.0
	for x := a; x > low; x-- {
		term = float64(term * (float64(x) / float64(n-x+1)) * (float64(m-hits+x) / float64(hits-x+1)))
		count(term)
		if term < least {
			break
		}
	}
	return min(1, tail/sum)
}

// holm corrects p-values for their number and returns those that stay small, the smallest first.
func holm(gaps []Gap) []Gap {
	slices.SortStableFunc(gaps, func(a, b Gap) int {
		switch {
		case a.P < b.P:
			return -1
		case a.P > b.P:
			return 1
		}
		return 0
	})
	largest := 0.0
	for i := range gaps {
		largest = max(largest, min(1, float64(len(gaps)-i)*gaps[i].P))
		if gaps[i].P = largest; largest > sureGap {
			return gaps[:i]
		}
	}
	return gaps
}
