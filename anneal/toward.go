package anneal

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// toward returns the line from s in a direction of the logarithms of the weights: at x the weight
// of rank r is that of s times x to the power of direction[r], so that s is at x = 1 and is left as
// it was. For each row the logarithms of the weighted votes are straight lines of log x, and its
// winners those of their upper envelope, which a row of m classes changes at most m-1 times (Och,
// Minimum error rate training, ACL 2003).
func (s *state) toward(ctx context.Context, direction []float64) (line, error) {
	heights := make([]float64, len(s.weights))
	for r, w := range s.weights {
		heights[r] = portable.Log(w)
	}
	cuts := s.cuts[0][:0]
	var hull []straight
	for i := range s.truth {
		hull = hull[:0]
		for j, e := range s.votesOf(i) {
			hull = append(hull, straight{e.rank, direction[e.rank], heights[e.rank] + s.logs[s.from[i]+j], 0})
		}
		hull = envelope(hull)
		s.turn(i, int(s.winner[i]), int(hull[0].rank))
		for j, h := range hull[1:] {
			cuts = append(cuts, cut{portable.Exp(h.from), int32(i), hull[j].rank, h.rank})
		}
		if i%1024 == 0 && ctx.Err() != nil {
			break
		}
	}
	l, err := s.walk(ctx, s.sorted(cuts))
	s.decide()
	return l, err
}

// straight is the line height + slope·t of a rank, which is the highest from a point on.
type straight struct {
	rank                int32
	slope, height, from float64
}

// envelope returns those of the lines that are the highest somewhere, from the left to the right,
// in the memory of lines.
func envelope(lines []straight) []straight {
	slices.SortFunc(lines, func(a, b straight) int {
		return cmp.Or(cmp.Compare(a.slope, b.slope), cmp.Compare(b.height, a.height), cmp.Compare(a.rank, b.rank))
	})
	hull := lines[:0]
	for _, l := range lines {
		if len(hull) > 0 && l.slope == hull[len(hull)-1].slope {
			continue // as steep, and not higher
		}
		l.from = math.Inf(-1)
		for len(hull) > 0 {
			last := hull[len(hull)-1]
			l.from = (last.height - l.height) / (l.slope - last.slope)
			if l.from > last.from {
				break
			}
			hull = hull[:len(hull)-1]
			l.from = math.Inf(-1)
		}
		hull = append(hull, l)
	}
	return hull
}

// wander looks along so many directions at random, and descends from wherever that gains.
func (s *state) wander(ctx context.Context, rng *rand.Rand, directions int) error {
	for range directions {
		direction := make([]float64, len(s.weights))
		for r := range direction {
			direction[r] = float64(rng.Float64()) - 0.5
		}
		l, err := s.toward(ctx, direction)
		if err != nil {
			return err
		}
		x, loss := l.lowest()
		if !better(loss, s.loss) {
			continue
		}
		before, was := slices.Clone(s.weights), s.loss
		for r := range s.weights {
			s.weights[r] *= portable.Exp(float64(direction[r] * portable.Log(x)))
		}
		if s.decide(); !better(s.loss, was) || slices.ContainsFunc(s.weights, func(w float64) bool { return !ordinary(w) }) {
			copy(s.weights, before)
			s.decide()
			continue
		}
		if err := s.descend(ctx); err != nil {
			return err
		}
	}
	return nil
}
