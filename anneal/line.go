package anneal

import (
	"context"
	"math"
	"slices"
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

// cut is where a row turns to the class whose weight grows.
type cut struct {
	at    float64
	row   int32
	rival int32 // rank that decides the row below the cut
}

// inOrder is faster than cmp.Compare, which minds NaN.
func inOrder(a, b cut) int {
	switch {
	case a.at < b.at:
		return -1
	case a.at > b.at:
		return 1
	}
	return 0
}

// along returns the line of the given rank through s, which is left as it was. A row with v
// votes for the class turns to it at τ = max w·v of the other classes / v; equal
// ratios of whole numbers give equal quotients, so with two classes, the other weight being
// 1, the cuts are exact.
func (s *state) along(ctx context.Context, rank int) (line, error) {
	cuts := make([]cut, 0, len(s.voters[rank]))
	for _, v := range s.voters[rank] {
		rival, top := s.winner[v.row], s.top[v.row]
		if rival == rank {
			rival, top = s.best(v.row, rank)
			if rival < 0 {
				continue // all its votes are for the class
			}
			s.turn(v.row, rank, rival)
		}
		cuts = append(cuts, cut{top / v.votes, int32(v.row), int32(rival)})
	}
	slices.SortFunc(cuts, inOrder)
	l := line{loss: []float64{s.evaluate()}}
	for i, c := range cuts {
		s.turn(int(c.row), int(c.rival), rank)
		if i+1 < len(cuts) && cuts[i+1].at <= c.at*dust {
			continue
		}
		l.cuts = append(l.cuts, c.at)
		l.loss = append(l.loss, s.evaluate())
		if i%1024 == 0 && ctx.Err() != nil {
			return line{}, ctx.Err()
		}
	}
	for _, c := range cuts {
		if s.winner[c.row] != rank {
			s.turn(int(c.row), rank, int(c.rival))
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
