package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/paired"
	"github.com/rfpragma/rfpragma/vote"
)

// Gain is what tuning gains on new rows: the loss of another rule less that of the tuned one, by the second
// measure if there is one, else by PRAGMA, and the standard error of that difference. The error comes from
// resampling the rows, or their groups. The same trees and weights judge all resamples, so it does not include
// what other training rows would change.
type Gain struct {
	// loss of the other rule less that of the tuned one; tuning gains if it is above 0
	Loss float64 `json:"loss"`
	// standard error of that difference, over resamples of the rows, or of their groups
	StandardError float64 `json:"standard_error"`
}

// resamples is how often rows are drawn anew for an interval or a standard error.
const resamples = 2000

// noiseStream is the stream of random numbers that resamples come from.
const noiseStream = 1 << 40

// noise fills in what chance in the rows leaves of PRAGMA, of the second measure, and of what tuning gains. Where
// rows have groups, whole groups are drawn anew.
func (r *run) noise(classes []string) {
	rows, rules := r.rows(classes, &r.plain), &r.report.Rules
	if r.report.Groups, r.report.EffectiveGroups = rows.Groups(); effective.TooFew(r.report.EffectiveGroups) {
		return
	}
	by := r.Pragma
	if r.Loss != nil {
		by = r.Loss
	}
	var plains, tuneds, before, after []float64
	r.resample(rows, func(a, b *vote.Confusion) {
		plains, tuneds = append(plains, r.Pragma.Loss(a)), append(tuneds, r.Pragma.Loss(b))
		before, after = append(before, by.Loss(a)), append(after, by.Loss(b))
	})
	rules.Plain.PragmaInterval, rules.Tuned.PragmaInterval = central(plains), central(tuneds)
	if r.Costs.Amounts() { // a sum of money is not resampled by counts
		if rules.Weights != nil {
			rules.Weights.Gain = r.weights.gain()
		}
		return
	}
	r.report.Gain = gain(by.Loss(r.plain.total), by.Loss(r.tuned.total), before, after) // and then they are sorted
	if r.Loss != nil {
		rules.Plain.LossInterval, rules.Tuned.LossInterval = central(before), central(after)
	}
	for _, other := range []struct {
		judge *judge
		rule  *Rule
	}{{&r.prior, &rules.Prior}, {&r.cost, rules.Cost}, {&r.weights.judge, rules.Weights}} {
		if other.rule == nil {
			continue
		}
		var before, after []float64
		r.resample(r.rows(classes, other.judge), func(a, b *vote.Confusion) {
			before, after = append(before, by.Loss(a)),
				append(after, by.Loss(b))
		})
		other.rule.Gain = gain(by.Loss(other.judge.total), by.Loss(r.tuned.total), before, after)
	}
}

// resample shows the matrices of two rules on other samples of the rows.
func (r *run) resample(rows *paired.Decisions, show func(a, b *vote.Confusion)) {
	rows.Resample(rand.New(rand.NewPCG(r.Seed, noiseStream)), resamples, show)
}

// gain is what tuning gains on another rule, by the losses of both, and those on the same resamples; nil where that
// is no number.
func gain(other, tuned float64, before, after []float64) *Gain {
	gains := slices.Clone(before)
	floats.Sub(gains, after)
	g := Gain{other - tuned, deviation(gains)}
	if math.IsNaN(g.Loss) || math.IsInf(g.Loss, 0) || math.IsNaN(g.StandardError) {
		return nil
	}
	return &g
}

// rows counts what another and the tuned rule decide of the rows. One that was judged in each of the repeats is one
// row.
func (r *run) rows(classes []string, other *judge) *paired.Decisions {
	kept, repeats := r.plain.kept, float64(len(r.plain.losses))
	pair := paired.New(classes, ranks(r.order))
	for i, truth := range kept.truth {
		w := kept.weight[i]
		pair.Add(truth, other.decision[i], r.tuned.decision[i], w/repeats, w)
		if kept.group != nil {
			pair.Join(kept.group[i], truth, other.decision[i], r.tuned.decision[i], w/repeats)
		}
	}
	return pair
}

// ranks returns, by class, its place in an order.
func ranks(order []int) []int {
	rank := make([]int, len(order))
	for at, c := range order {
		rank[c] = at
	}
	return rank
}

// central returns the ends of the middle 95 of 100 values.
func central(values []float64) *[2]float64 {
	slices.Sort(values)
	n := len(values)
	return &[2]float64{values[n/40], values[n-1-n/40]}
}

// deviation returns the standard deviation of a sample; of one value it is NaN. (Package stat of gonum has it too,
// and with it come matrices, LAPACK and linear programs: two megabytes of a command.)
func deviation(sample []float64) float64 {
	d := slices.Clone(sample)
	floats.AddConst(-floats.Sum(d)/float64(len(d)), d)
	return floats.Norm(d, 2) / math.Sqrt(float64(len(d)-1))
}
