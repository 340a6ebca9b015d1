package export

import (
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
)

// undecided is what is decided of a row that a person is to look at, as in the decisions of the command.
const undecided = "undecided"

// newFormula returns the formula of a model.
func newFormula(m *rfpragma.Model) (*formula, error) {
	f := &formula{}
	counts := f.add(step{do: votes, width: len(m.Classes())})
	p, err := f.chances(m, counts)
	if err != nil {
		return nil, err
	}
	f.probabilities = p
	if err := f.decide(m, counts); err != nil {
		return nil, err
	}
	if !f.finite() {
		return nil, refuse("the maps or weights of the model hold a number that is not finite; fit the model again")
	}
	return f, nil
}

// chances is the probabilities of the classes, as of [rfpragma.Model.Probabilities].
func (f *formula) chances(m *rfpragma.Model, counts vector) (vector, error) {
	k, trees := len(m.Classes()), float64(m.Forest.Trees())
	own := f.over(counts, f.number(m.Forest.Unit()))
	var p vector
	if len(m.Maps.Maps) == k && !slices.ContainsFunc(m.Maps.Maps, fitted) {
		p = f.over(f.plus(own, f.number(1/float64(k))), f.number(trees+1))
	} else {
		var err error
		if p, err = f.mapped(m.Maps, f.over(f.plus(own, f.number(0.5)), f.number(trees+1))); err != nil {
			return 0, err
		}
	}
	to, from := m.Provenance.Prevalence, m.Provenance.MapShare
	if to == nil {
		return p, nil
	}
	if len(from) != k {
		from = m.Forest.Share
	}
	factor := make([]float64, k)
	for c := range factor {
		factor[c] = to[c] / from[c]
	}
	most := slices.Max(factor)
	for c := range factor {
		factor[c] /= most
	}
	return f.normalised(f.times(p, f.number(factor...)), p), nil
}

func fitted(m calib.Map) bool { return m != calib.Identity{} }

// decide is the decision, as of [rfpragma.Model.Predict]. The labels are in the order in which classes win ties.
func (f *formula) decide(m *rfpragma.Model, counts vector) error {
	ties, r := m.Forest.TieOrder(), &m.Provenance
	weight := slices.Clone([]float64(m.Weights))
	for _, c := range ties {
		f.labels = append(f.labels, m.Classes()[c])
	}
	weighed := f.take(f.times(counts, f.number(weight...)), ties...)
	f.decision = f.apply(first, weighed)
	if r.ByCost {
		f.byCost(m, ties)
	}
	if r.Review == nil {
		return nil
	}
	if slices.Contains(f.labels, undecided) {
		return refuse("a class is named %s, as are the rows that the model leaves to people; rename the class, and train "+
			"again", english.Quote(undecided))
	}
	f.review(weighed, r.Review)
	return nil
}

// byCost replaces the decision by that of the least expected cost, on rows whose amount is known if it counts.
func (f *formula) byCost(m *rfpragma.Model, ties []int) {
	costs := m.Provenance.CostsOf()
	stake, zero := f.number(0), f.number(0)
	if costs.Amounts() {
		f.amount = m.Provenance.Reading.Amount
		stake = f.add(step{do: amount, width: 1})
	}
	known := func(then, otherwise vector) vector { // from 0 on, and finite
		if f.amount == "" {
			return then
		}
		then = f.apply(ifLess, stake, zero, otherwise, then)
		then = f.apply(ifLess, f.number(math.MaxFloat64), stake, otherwise, then)
		return f.apply(ifLess, f.number(-1), stake, then, otherwise) // NaN comes to otherwise
	}
	at := known(stake, zero)
	all := zero
	for _, truth := range ties {
		row := make([]float64, len(ties))
		for i, decision := range ties {
			row[i] = costs.Matrix[truth][decision]
		}
		cost := f.times(f.take(f.probabilities, truth), f.number(row...))
		if len(costs.ByAmount) > 0 && costs.ByAmount[truth] {
			cost = f.times(cost, at)
		}
		all = f.plus(all, cost)
	}
	f.decision = known(f.apply(first, f.minus(zero, all)), f.decision)
}

// review leaves rows undecided whose largest weighted vote, of those in the order of ties, is less than a margin times
// the second largest.
func (f *formula) review(weighed vector, r *rfpragma.Reviewing) {
	k := len(f.labels)
	places := make([]float64, k)
	for i := range places {
		places[i] = float64(i)
	}
	zero, place, winner := f.number(0), f.number(places...), f.apply(first, weighed)
	same := func(a, b, then, otherwise vector) vector {
		return f.apply(ifLess, a, b, otherwise, f.apply(ifLess, b, a, otherwise, then))
	}
	others := same(place, winner, f.number(-1), weighed)
	second := f.apply(first, others)
	top, runnerUp := f.largest(weighed), f.largest(others)
	times := f.over(top, f.apply(ifLess, zero, runnerUp, runnerUp, f.number(1)))
	held := f.number(float64(k))
	close := held
	if r.Class != "" {
		class := f.number(float64(slices.Index(f.labels, r.Class)))
		close = same(winner, class, held, same(second, class, held, f.decision))
	}
	close = f.apply(ifLess, times, f.number(r.Margin), close, f.decision)
	f.decision = f.apply(ifLess, zero, runnerUp, close, f.decision)
	f.labels = append(f.labels, undecided)
}

// largest is the largest component.
func (f *formula) largest(a vector) vector {
	top := f.take(a, 0)
	for c := 1; c < f.steps[a].width; c++ {
		top = f.apply(maximum, top, f.take(a, c))
	}
	return top
}

// amountColumn returns which feature the amount of a row is, -1 if none is.
func (f *formula) amountColumn(schema dataset.Schema) int {
	return slices.IndexFunc(schema, func(field dataset.Field) bool {
		return f.amount != "" && field.Name == f.amount && field.Kind == dataset.Numeric
	})
}
