package rfpragma

import (
	"fmt"
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/monotone"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// ForPrevalence returns a model for a population in which the shares of the classes are share, while the rows
// within each class look as before: say 2 of 1000 are ill, where in training it were 30. The trees and maps are
// shared.
//
// Each probability p_c becomes p'_c, in proportion to p_c·share_c/old_c, where old_c is the share of the class
// among the rows that the maps were fitted on, see [calib.ChangePriors]. The weights change so that between
// each class and the most common one of the training, the decision is made at the same odds of p' as it was of
// p: the price of an error that the weights imply stays. This is exact for rows with votes for these two
// classes alone. Where a map is flat over a range of votes, the decision moves along lines through the middles
// of the flat stretches, so that shares close to the old ones change next to nothing. A model that decides by
// expected cost goes on to do so, under the probabilities p'.
//
// Errors: [ErrConfig] if share is not of length k or has a number that is not finite or not above 0, or if a
// class has no training rows.
func (m *Model) ForPrevalence(share []float64) (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := m.Maps.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if k := m.Maps.Classes(); k != len(m.Classes()) {
		return nil, fmt.Errorf("%w: maps of %d classes, where there are %d; leave the fields of a model as they are",
			ErrConfig, k, len(m.Classes()))
	}
	if m.Provenance.Rows == 0 && m.Provenance.MapShare == nil {
		return nil, fmt.Errorf("%w: how common the classes were in training is not known of this forest of another "+
			"program; calibrate the model on labelled rows first", ErrConfig)
	}
	if len(share) != len(m.Classes()) {
		return nil, fmt.Errorf("%w: %d shares of classes; give one for each of the %d", ErrConfig, len(share),
			len(m.Classes()))
	}
	sum := 0.0
	for _, c := range m.Forest.TieOrder() {
		sum += share[c]
	}
	for c, s := range share {
		if !(s > 0) || !(s/sum > 0) || !(m.Forest.Share[c] > 0) || !(m.mapped()[c] > 0) {
			return nil, fmt.Errorf("%w: class %s is to have a share of %v, and has %v of the rows that the probabilities were "+
				"fitted on; both must be above 0", ErrConfig, english.Quote(m.Classes()[c]), s, m.mapped()[c])
		}
	}
	other := *m
	other.Provenance.Prevalence = make([]float64, len(share))
	for c, s := range share {
		other.Provenance.Prevalence[c] = s / sum
	}
	other.index()
	common := m.Forest.TieOrder()[0]
	w, maps := slices.Repeat(vote.Weights{1}, len(share)), monotone.Rising(m.Maps)
	for c := range w {
		if c != common {
			w[c] = m.samePrice(&other, maps, c, common)
		}
	}
	out, err := other.WithWeights(w)
	if err == nil {
		out.Provenance.ByCost, out.Provenance.Review = m.Provenance.ByCost, m.Provenance.Review
	}
	return out, err
}

// mapped returns the shares of the classes among the rows that the maps were fitted on.
func (m *Model) mapped() []float64 {
	if len(m.Provenance.MapShare) == len(m.Forest.Share) {
		return m.Provenance.MapShare
	}
	return m.Forest.Share
}

// samePrice returns how many votes for class d one for class c is to count as, so that other decides between the two
// at the same probability as m does, on rows that have votes for no other class, by these maps. Where the
// probability is the same over a range of votes it takes of that range what is nearest to that of m.
func (m *Model) samePrice(other *Model, maps calib.Set, c, d int) float64 {
	const all = 1 << 30 // parts of the votes of a row
	aVote := all / float64(m.Forest.Trees())
	votes, p := make([]uint32, len(m.Weights)), make([]float64, len(m.Weights))
	at := func(m *Model, part int) float64 { // the probability of c, if it is c or d, where c has so many parts
		votes[c], votes[d] = uint32(part), uint32(all-part)
		Probabilities(maps, p, votes, aVote)
		m.shifted(p)
		if p[c] == 0 && p[d] == 0 {
			return float64(part) / all
		}
		return p[c] / (p[c] + p[d])
	}
	now := all * (m.Weights[d] / (m.Weights[c] + m.Weights[d]))
	price := at(m, int(now))
	const near = 1e-9 // of one price, relatively
	from := sort.Search(all, func(part int) bool { return at(other, part) >= price*(1-near) })
	to := sort.Search(all, func(part int) bool { return at(other, part) > price*(1+near) })
	edge := min(max(now, float64(from)), float64(to))
	half := float64(aVote / 2) // beyond it nothing changes between the two, but ever more for rows with votes for others
	edge = min(max(edge, min(now, half)), max(now, all-half))
	if edge == now {
		return m.Weights[c] / m.Weights[d]
	}
	return (all - edge) / edge
}

// shifted changes probabilities to those of another prevalence, if the model is for one. They stay as they are where
// only classes have some that are next to never there.
func (m *Model) shifted(dst []float64) {
	if to := m.Provenance.Prevalence; to != nil {
		_ = calib.ChangePriors(dst, dst, m.mapped(), to) // the shares are checked where a model is made and read
	}
}

// undrawn returns by class for how many rows one in a bag stands, up to a factor; nil where bags hold the classes
// as the rows do. The table is of the rows of the training, unless ClassRows are shares.
func (c Config) undrawn(table *vote.Table) []float64 {
	switch f := c.Forest.Resolved(1); {
	case f.Bag == forest.Balanced && table.Share != nil && !slices.Contains(table.Share, 0):
		return table.Share
	case len(f.ClassRows) == len(table.Classes):
		rows := make([]int, len(table.Classes))
		for i, class := range table.Truth {
			if class >= 0 && table.WeightOf(i) > 0 {
				rows[class] += table.TimesOf(i)
			}
		}
		stands := make([]float64, len(rows))
		for class, share := range shared(f.ClassRows, rows) {
			if share == 0 {
				share = f.Fraction
			}
			stands[class] = 1 / share
		}
		if slices.Min(stands) < slices.Max(stands) {
			return stands
		}
	}
	return nil
}

// shared returns forest.Config.ClassRows with numbers of rows replaced by their shares of the rows of each class.
func shared(drawn []float64, rows []int) []float64 {
	out := slices.Clone(drawn)
	for class, draws := range drawn {
		if draws > 1 && class < len(rows) {
			out[class] = draws / max(1, float64(rows[class]))
		}
	}
	return out
}

// unbalanced returns the maps that take back that classes were more or less common in the bags than they are, where
// a row of a class in a bag stands for so many: in the form of maps, so that nobody who applies them need know.
func unbalanced(stands []float64, order []int) calib.Set {
	if len(stands) == 2 {
		curve := calib.BetaCurve{A: 1, B: 1, C: portable.Log(stands[order[1]] / stands[order[0]])}
		return inOrder(calib.Set{Maps: []calib.Map{curve}, Method: calib.None}, order)
	}
	set, largest := calib.Set{Method: calib.None}, slices.Max(stands)
	for _, c := range order {
		set.Maps = append(set.Maps, calib.Power{A: 1, B: portable.Log(stands[c] / largest)})
	}
	return inOrder(set, order)
}
