package anneal

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// sweep tries every ratio of two weights, by moving that of the class that loses ties.
func (p *problem) sweep(ctx context.Context) (*state, error) {
	s := p.start([]float64{1, 1})
	l, err := s.along(ctx, 1)
	if err != nil {
		return nil, err
	}
	if w, loss := l.lowest(); better(loss, s.loss) {
		s.set(1, w)
	}
	return s, nil
}

// outset returns the weights, by rank, from which the i-th search sets out: equal ones, those
// of the prior, then random ones, each within a factor of 9 of 1.
func (p *problem) outset(i int, rng *rand.Rand) []float64 {
	w := slices.Repeat([]float64{1}, len(p.order))
	switch {
	case i == 1 && p.share != nil:
		return p.byRank(vote.Prior(p.share))
	case i > 0 && rng != nil:
		for rank := range w {
			w[rank] = factor(rng, 0.8)
		}
	}
	return w
}

// factor draws a factor such that it and its inverse are equally likely, at most
// (1+reach)/(1−reach). It is made of sums and quotients alone, which no machine computes
// differently.
func factor(rng *rand.Rand, reach float64) float64 {
	u := float64((float64(2*rng.Float64()) - 1) * reach)
	return (1 + u) / (1 - u)
}

// coordinates searches along one class at a time, and then in other directions.
func (p *problem) coordinates(ctx context.Context, i int, rng *rand.Rand) (*state, error) {
	s := p.start(p.outset(i, rng))
	if err := s.descend(ctx); err != nil || len(p.order) == 2 {
		return s, err
	}
	return s, s.wander(ctx, rng, min(4*len(p.order), mostStraights/(1+len(p.entries))))
}

// mostStraights is about how many lines of rows a search looks at in directions at random. Where
// there are many classes, few such directions gain.
const mostStraights = 1 << 19

// descend moves one weight after another to where the loss is lowest along it, until no
// class gains.
func (s *state) descend(ctx context.Context) error {
	for idle, rank := 0, 0; idle < len(s.weights); rank = (rank + 1) % len(s.weights) {
		before := s.loss
		if err := s.lower(ctx, rank); err != nil {
			return err
		}
		if idle++; better(s.loss, before) {
			idle = 1
		}
	}
	return nil
}

// lower moves one weight to where the loss is lowest along it.
func (s *state) lower(ctx context.Context, rank int) error {
	l, err := s.along(ctx, rank)
	if err != nil {
		return err
	}
	w, loss := l.lowest()
	if !better(loss, s.loss) {
		return nil
	}
	if s.set(rank, w); !better(s.loss, s.lost) { // rounding put a row on the other side
		s.back()
	}
	return nil
}

// centre moves every weight to the middle of the interval in which the loss stays the same.
func (s *state) centre(ctx context.Context) error {
	for rank := range s.weights {
		l, err := s.along(ctx, rank)
		if err != nil {
			return err
		}
		w := middle(l.around(s.weights[rank], s.loss))
		if !ordinary(w) {
			continue
		}
		s.set(rank, w)
		if better(s.lost, s.loss) {
			s.back()
		}
	}
	return nil
}

// The schedule of annealing: the temperature falls by the same factor from level to level,
// to about 1/30,000 of the first, and the reach of a step evenly from the first to the last.
const (
	levels     = 64
	cooling    = 0.85
	firstReach = 0.8
	lastReach  = 0.05
	trials     = 100 // steps that set the first temperature
)

// anneal walks at random: a step that lowers the loss is taken, one that raises it by d with
// probability exp(−d/temperature). From the best point of the walk it descends.
func (p *problem) anneal(ctx context.Context, i int, rng *rand.Rand, steps int, trace func(Level)) (*state, error) {
	s := p.start(p.outset(i, rng))
	temperature, err := s.temperature(ctx, rng)
	if err != nil {
		return nil, err
	}
	best, lowest := slices.Clone(s.weights), s.loss
	for level := range levels {
		reach := firstReach - float64((firstReach-lastReach)*float64(level)/(levels-1))
		now, taken := steps*(level+1)/levels-steps*level/levels, 0
		for range now {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if !s.step(rng, reach) {
				continue
			}
			if s.loss-s.lost > temperature*exponential(rng) {
				s.back()
				continue
			}
			if taken++; better(s.loss, lowest) {
				lowest = s.loss
				copy(best, s.weights)
			}
		}
		if trace != nil {
			trace(Level{i, level, temperature, s.loss, lowest, float64(taken) / float64(max(1, now))})
		}
		temperature *= cooling
	}
	copy(s.weights, best)
	s.decide()
	return s, s.descend(ctx)
}

// exponential draws a variate that exceeds d with probability exp(−d): the logarithm of a
// uniform one, as ExpFloat64 of package rand is not the same on all machines.
func exponential(rng *rand.Rand) float64 { return -portable.Log(1 - rng.Float64()) }

// step changes the weight of one class at random, unless that leads too far.
func (s *state) step(rng *rand.Rand, reach float64) bool {
	rank := rng.IntN(len(s.weights))
	w := s.weights[rank] * factor(rng, reach)
	if !ordinary(w) {
		return false
	}
	s.set(rank, w)
	return true
}

// temperature returns the mean rise of the loss over trial steps that raise it: half of
// such steps, more or less, are taken at first.
func (s *state) temperature(ctx context.Context, rng *rand.Rand) (float64, error) {
	sum, n := 0.0, 0
	for range trials {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if !s.step(rng, firstReach) {
			continue
		}
		if rise := s.loss - s.lost; rise > 0 && rise < 1e300 {
			sum += rise
			n++
		}
		s.back()
	}
	if n == 0 {
		return 0, nil
	}
	return sum / float64(n), nil
}
