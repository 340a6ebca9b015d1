package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Several weights found on few rows owe much to chance. There are weights that owe it nothing: the measure itself
// says what it costs to miss a row of a class, and where errors have costs and votes are probabilities that is the
// weight of a vote for it (Elkan, The foundations of cost-sensitive learning, IJCAI 2001). Votes are none, and few
// measures are sums of costs; so these weights go too far. But how far is right is one number, and can be searched
// on few rows, as the one weight of two classes can: the power of the costs, from 0, the plain vote, to 1.

// costs returns by rank the logarithm of what it costs to miss a row, in units of that of the first rank: the loss
// where all rows of the class are missed and dealt to the others by their size, all else being right, less the loss
// where all is right, for each row (whatever is at stake in it). A class without rows, or that costs nothing, has
// the least of the others.
func (s *sample) costs() []float64 {
	k := len(s.classes)
	size, rows, all := make([]float64, k), make([]float64, k), 0.0
	for i, t := range s.truth {
		if s.weight[i] > 0 {
			size[t] += s.weight[i]
			rows[t] += s.rows[i]
			all += s.weight[i]
		}
	}
	right := make([]float64, k*k)
	for c := range k {
		right[c*k+c] = size[c]
	}
	loss := func(cells []float64) float64 {
		m := vote.NewConfusion(s.classes)
		for _, c := range s.order { // so that sums do not depend on how the classes are listed
			for _, d := range s.order {
				m.Add(c, d, cells[c*k+d])
			}
		}
		return finite(s.measure.Loss(m))
	}
	costs, least := make([]float64, k), math.Inf(1)
	for rank, c := range s.order {
		missed := slices.Clone(right)
		for d := range k {
			missed[c*k+d] = size[c] * (size[d] / (all - size[c]))
		}
		missed[c*k+c] = 0
		costs[rank] = (loss(missed) - loss(right)) / rows[c]
		if costs[rank] > 0 && costs[rank] < least {
			least = costs[rank]
		}
	}
	if math.IsInf(least, 1) {
		return make([]float64, k)
	}
	for rank, cost := range costs {
		if !(cost > least && ordinary(cost/least)) {
			cost = least
		}
		costs[rank] = math.Round(portable.Log(cost/least)*(1<<32)) / (1 << 32) // last bits are nothing
	}
	first := costs[0]
	for rank := range costs {
		costs[rank] -= first
	}
	return costs
}

// power returns the power, from 0 to 1, under which the weights whose logarithms are given lose least: the middle
// of the lowest piece of the line between both, of several the first, and 0 if none loses less than the plain vote.
func (p *problem) power(ctx context.Context, direction []float64) (float64, error) {
	s := p.start(slices.Repeat([]float64{1}, len(direction)))
	l, err := s.toward(ctx, direction)
	if err != nil {
		return 0, err
	}
	power, lowest := 0.0, s.loss
	for g, loss := range l.loss {
		if !better(loss, lowest) {
			continue
		}
		if low, high := l.interval(g); low < math.E && high > 1 {
			power, lowest = portable.Log(middle(max(low, 1), min(high, math.E))), loss
		}
	}
	return power, nil
}

// powered returns the costs by rank to the mean of the powers that do best on so many resamples, and that power; or
// weights of 1, and 0, where these do not lose less.
func (s Search) powered(ctx context.Context, rows *sample, bags int) (weights []float64, power float64, err error) {
	costs := rows.costs()
	if power, err = s.meanPower(ctx, rows, costs, bags); err != nil {
		return nil, 0, err
	}
	ones := slices.Repeat([]float64{1}, len(costs))
	weights = make([]float64, len(costs))
	for rank, c := range costs {
		weights[rank] = portable.Exp(float64(power * c))
	}
	if !better(rows.start(slices.Clone(weights)).loss, rows.start(slices.Clone(ones)).loss) {
		return ones, 0, nil
	}
	return weights, power, nil
}

// meanPower returns the mean of the powers of the costs that do best on so many resamples.
func (s Search) meanPower(ctx context.Context, rows *sample, costs []float64, bags int) (power float64, err error) {
	powers := make([]float64, bags)
	group, inner := parallel.WithContext(ctx)
	group.SetLimit(s.Workers)
	for b := range bags {
		group.Go(func() (err error) {
			q := rows.resampled(rand.New(rand.NewPCG(s.Seed, bagStream+uint64(b))))
			powers[b], err = q.power(inner, costs)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	for _, p := range powers {
		power += p / float64(bags)
	}
	return power, nil
}

// tunePower returns the weights of powered, by rank, for a part of a cross-validation.
func (s Search) tunePower(ctx context.Context, part *sample) ([]float64, error) {
	s.Workers = 1
	weights, _, err := s.powered(ctx, part, fewBags)
	return weights, err
}

// unproven puts a power of the costs in the place of several weights whose gain is not proven, or else, and of two
// classes, weights of 1. Why says what is not.
func (f *finish) unproven(ctx context.Context, s *sample, r *Result, why *note.Note) error {
	one, power, trial, err := f.provenPower(ctx, s)
	if err != nil {
		return err
	}
	r.Weights = one
	then, figures := note.New("all votes count the same, as in the plain vote"), note.Cases(nil)
	if power > 0 {
		r.trial = &trial
		then = note.New("all weights follow from one number, larger for classes that are worse to miss")
		figures = note.Case(note.New("; the one number is %v: each weight is what a missed row of the class costs, to that "+
			"power", note.Of("%.2g", power)))
	}
	r.Warnings = append(r.Warnings,
		note.New("these rows do not prove that tuning weights pays, so %v; more rows of rare classes would help",
			note.Case(then)).Wrapping(ErrUnproven).
			With(note.New("Why tuning weights is not proven to pay: %v%v.", note.Case(why), figures)))
	return nil
}

// provenPower returns the weights of powered, their power and what a cross-validation says of it; or weights of 1,
// and 0, where that gains too little.
func (f *finish) provenPower(ctx context.Context, s *sample) (vote.Weights, float64, Trial, error) {
	plain := slices.Repeat(vote.Weights{1}, len(f.table.Classes))
	if !f.several() || len(f.search.Floors) > 0 {
		return plain, 0, Trial{}, nil
	}
	weights, power, err := f.search.powered(ctx, s, f.bags())
	if err != nil || power == 0 {
		return plain, 0, Trial{}, err
	}
	one := f.verify(s.byClass(weights))
	if !better(one.loss, f.verify(plain).loss) {
		return plain, 0, Trial{}, nil
	}
	trial, err := s.try(ctx, f.search, f.base, f.search.tunePower)
	// nor where a resample has no loss, and so the gain no standard error
	if !(trial.Plain-trial.Loss > enoughOfPower*trial.Error) {
		return plain, 0, Trial{}, err
	}
	return one.weights, power, trial, err
}
