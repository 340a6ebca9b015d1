package eval

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/vote"
)

// EstimatedGaps finds, like [Slices], the gaps between slices that are beyond chance, but between what is estimated of
// each without labels and of the rows of all others, see [Unlabelled.Infer]; slices of which nothing is estimated have
// none. P is that of a normal difference, each figure varying towards the other as its interval says (the
// square-and-add limits of Newcombe, Statistics in Medicine 17 (1998) 873-890), corrected likewise. What the maps are
// wrong by is in both intervals, so P is rather too large.
func EstimatedGaps(names []string, parts, others []*Estimates) []Gap {
	var gaps []Gap
	for s, name := range names {
		if s >= len(parts) || s >= len(others) || parts[s] == nil || others[s] == nil || parts[s].Void || others[s].Void ||
			len(parts[s].Classes) != len(others[s].Classes) {
			continue
		}
		for c, here := range parts[s].Classes {
			rest := others[s].Classes[c]
			for _, f := range []struct {
				figure     string
				here, rest *Forecast
			}{{"recall", here.Recall, rest.Recall}, {"precision", here.Precision, rest.Precision}} {
				if f.here != nil && f.rest != nil {
					gaps = append(gaps, Gap{Slice: name, Class: here.Class, Figure: f.figure, Value: f.here.Value,
						Others: f.rest.Value, P: apart(f.here, f.rest), Estimated: true})
				}
			}
		}
	}
	return holm(gaps)
}

// apart returns the two-sided p-value that two figures are one.
func apart(a, b *Forecast) float64 {
	if a.Value > b.Value {
		a, b = b, a
	}
	up, down := a.Interval[1]-a.Value, b.Value-b.Interval[0]
	off := math.Sqrt(float64(up*up) + float64(down*down))
	if !(off > 0) {
		if a.Value == b.Value {
			return 1
		}
		return 0
	}
	z := float64(calib.Z95*(b.Value-a.Value)) / off
	return mathext.GammaIncRegComp(0.5, float64(z*z)/2) // of chi-squared with one degree of freedom
}

// CountedGaps finds the gaps between slices as [Slices] does, from their decisions alone: by slice, the rows of each
// true class that are decided as each, whole rows that are independent of each other. Of sums of weights, and of
// matrices of other classes than the first, nothing is told.
func CountedGaps(names []string, counts []*vote.Confusion) []Gap {
	if len(names) != len(counts) || len(counts) == 0 || counts[0] == nil {
		return nil
	}
	all := vote.NewConfusion(counts[0].Classes)
	for _, m := range counts {
		if !whole(m) || all.Merge(m) != nil {
			return nil
		}
	}
	var gaps []Gap
	for s, name := range names {
		m := counts[s]
		for c, class := range all.Classes {
			for _, f := range []struct {
				figure    string
				here, all float64 // rows that the figure is a share of
			}{{"recall", m.True(c), all.True(c)}, {"precision", m.Predicted(c), all.Predicted(c)}} {
				rest, hits := f.all-f.here, all.Hits(c)-m.Hits(c)
				if f.here > 0 && rest > 0 {
					gaps = append(gaps, Gap{Slice: name, Class: class, Figure: f.figure, Value: m.Hits(c) / f.here,
						Others: hits / rest, P: fisher(int(m.Hits(c)), int(f.here), int(hits), int(rest))})
				}
			}
		}
	}
	return holm(gaps)
}

// whole tells whether a matrix has numbers of rows.
func whole(m *vote.Confusion) bool {
	if m == nil || !(m.Total() < 1<<53) {
		return false
	}
	for t := range m.Classes {
		for d := range m.Classes {
			if v := m.At(t, d); v != math.Trunc(v) {
				return false
			}
		}
	}
	return true
}
