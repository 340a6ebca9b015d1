package anneal

import (
	"context"
	"math"
)

// line is the loss along the weight of one class, the other weights fixed: constant between
// neighbouring cuts. Loss[g] is that between cuts[g-1] and cuts[g]; before the first cut and
// after the last it goes on to 0 and to infinity.
type line struct {
	cuts []float64
	loss []float64 // one longer than cuts
}

// dust is the ratio of two cuts that differ by rounding alone, or so little that no weight
// lies between them for certain.
const dust = 1 + 1e-14

// cut is where a row turns from one rank to another.
type cut struct {
	at       float64
	row      int32
	from, to int32
}

// along returns the line of the given rank through s, which is left as it was. A row with v
// votes for the class turns to it at τ = max w·v of the other classes / v; equal
// ratios of whole numbers give equal quotients, so with two classes, the other weight being
// 1, the cuts are exact.
func (s *state) along(ctx context.Context, rank int) (line, error) {
	cuts := s.cuts[0][:0]
	for _, row := range s.voters[rank] {
		i, rival := int(row), int(s.winner[row])
		if rival == rank {
			if rival, _ = s.best(i, rank); rival < 0 {
				continue // all its votes are for the class
			}
			s.turn(i, rank, rival)
		}
		cuts = append(cuts, cut{s.weights[rival] * s.votes(i, rival) / s.votes(i, rank), row, int32(rival), int32(rank)})
	}
	cuts = s.sorted(cuts)
	l, err := s.walk(ctx, cuts)
	for _, c := range cuts {
		if int(s.winner[c.row]) != rank {
			s.turn(int(c.row), rank, int(c.from))
		}
	}
	return l, err
}

// walk turns the rows of cuts, in their order, and returns the loss between them.
func (s *state) walk(ctx context.Context, cuts []cut) (line, error) {
	l := line{loss: []float64{s.evaluate()}}
	for i, c := range cuts {
		s.turn(int(c.row), int(c.from), int(c.to))
		if i+1 < len(cuts) && cuts[i+1].at <= c.at*dust {
			continue
		}
		l.cuts = append(l.cuts, c.at)
		l.loss = append(l.loss, s.evaluate())
		if i%1024 == 0 && ctx.Err() != nil {
			return l, ctx.Err()
		}
	}
	return l, ctx.Err()
}

// interval returns the ends of piece g, and of all pieces of the same loss around it.
func (l line) interval(g int) (low, high float64) {
	from, to := g, g
	for from > 0 && same(l.loss[from-1], l.loss[g]) {
		from--
	}
	for to < len(l.cuts) && same(l.loss[to+1], l.loss[g]) {
		to++
	}
	low, high = 0, math.Inf(1)
	if from > 0 {
		low = l.cuts[from-1]
	}
	if to < len(l.cuts) {
		high = l.cuts[to]
	}
	return low, high
}

// lowest returns the middle of the interval of the lowest loss, of several the one whose
// middle is nearest to 1, and the loss. Weights that are not ordinary are left out.
func (l line) lowest() (weight, loss float64) {
	weight, loss = 1, math.Inf(1)
	for g := 0; g < len(l.loss); g++ {
		if better(loss, l.loss[g]) {
			continue
		}
		low, high := l.interval(g)
		w := middle(low, high)
		if ordinary(w) && (better(l.loss[g], loss) || away(w) < away(weight)) {
			weight, loss = w, l.loss[g]
		}
		for g < len(l.cuts) && l.cuts[g] < high { // on to the end of the interval
			g++
		}
	}
	return weight, loss
}

// around returns the interval in which the loss stays what it is at weight. A weight on a
// cut, where ties decide, belongs to the side that has its loss, or is alone.
func (l line) around(weight, loss float64) (low, high float64) {
	low, high = weight, weight
	for g := range l.loss {
		below := g == len(l.cuts) || weight <= l.cuts[g]*dust
		above := g == 0 || weight*dust >= l.cuts[g-1]
		if below && above && same(l.loss[g], loss) {
			from, to := l.interval(g)
			low, high = min(low, from), max(high, to)
		}
	}
	return low, high
}

// middle returns the geometric mean of an interval; at an open end it goes beyond the other
// by a factor of 2.
func middle(low, high float64) float64 {
	switch {
	case low == 0 && math.IsInf(high, 1):
		return 1
	case low == 0:
		return high / 2
	case math.IsInf(high, 1):
		return 2 * low
	}
	return math.Sqrt(low) * math.Sqrt(high)
}

// away tells how far a weight is from 1, by ratio.
func away(w float64) float64 { return max(w, 1/w) }

// ordinary tells whether products and ratios of such weights and votes stay finite.
func ordinary(w float64) bool {
	const limit = 1 << 400
	return w > 1.0/limit && w < limit
}
