package calib

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// steepest bounds the exponents of shares in [BetaCurve] and [Power], and the slope of a
// temperature: ratios of shares are raised to the power of 100 at most. Scores that tell the
// classes apart by a hair would otherwise give a step.
const steepest = 100

// BetaCurve is the map p = 1 / (1 + exp(−(A·ln s − B·ln(1−s) + C))), with A and B in [0, 100],
// which never falls. With A = B = 1 and C = 0 it changes nothing. Scores are clipped by [epsilon].
// Source: Kull, Silva Filho and Flach, AISTATS 2017.
type BetaCurve struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
	C float64 `json:"c"`
}

// Prob returns the probability at score.
func (m BetaCurve) Prob(score float64) float64 {
	rest, own := logs(score)
	p, _, _ := logistic(float64(m.B*rest) - float64(m.A*own) - m.C)
	return p
}

// logs returns the logarithms of 1 − p and of p, clipped by Epsilon.
func logs(p float64) (rest, own float64) {
	p = min(max(p, epsilon), 1-epsilon)
	return portable.Log1p(-p), portable.Log(p)
}

// Power is the map exp(B)·s^A with A in [0, 100] and B ≤ 0. In a [Set] for three or more classes it makes
// temperature scaling (Guo et al. 2017: A is 1/T and B is 0 for each class) or vector scaling (A and B for each
// class), because dividing by the sum makes a softmax of A·ln s + B. Scores are clipped into [Epsilon, 1]. Guo et al.
// fit to the labels; here the targets are those of [sigmoidOf], so 1/T is a little smaller, and finite where votes
// separate the classes.
type Power struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// Prob returns the value at score, in [0, 1].
func (m Power) Prob(score float64) float64 {
	return portable.Exp(float64(m.A*logShare(score)) + m.B)
}

func logShare(s float64) float64 { return portable.Log(min(max(s, epsilon), 1)) }

// betaOf fits Kull's map by maximum likelihood, with the targets of [sigmoidOf], so that it is finite even if
// scores separate the classes, and with A and B in [0, 100]: a coefficient that would be negative is 0, and the
// others are fitted without it. If all scores are equal, or rank the classes backwards, the map is constant:
// the mean of the targets. With a few rows whose weights are ten orders of magnitude apart, rounding can keep
// the fit from settling; A and B are then equal, as in sigmoidOf.
//
// Shapes, weights, units and errors are those of [sigmoidOf] on the logit scale. Source: Kull, Silva Filho and
// Flach, AISTATS 2017.
func betaOf(score []float64, hit []bool, weight []float64) (BetaCurve, error) {
	groups, err := pool(score, hit, weight, true)
	if err != nil {
		return BetaCurve{}, err
	}
	if m, err := fitBeta(groups, 1); err == nil {
		return m, nil
	}
	platt, err := sigmoidOf(score, hit, weight, true)
	if a := -platt.A; err != nil || a >= 0 && a <= steepest {
		return BetaCurve{A: a, B: a, C: -platt.B}, err
	}
	hits, misses := totals(groups)
	return BetaCurve{C: portable.Log((hits + 1) / (misses + 1))}, nil
}

func fitBeta(groups []group, smoothing float64) (BetaCurve, error) {
	slope, offset, err := newSoftmax(logsOf(groups), countsOf(groups), 2, smoothing).vector()
	return BetaCurve{A: slope[1], B: slope[0], C: offset[1] - offset[0]}, err
}

// fitTemperature fits the map of two classes that multiplies log odds by 1/T, a [Sigmoid] with A = −1/T and B = 0,
// by maximum likelihood, with the targets of [sigmoidOf] in place of the labels, which Guo et al. take.
func fitTemperature(score []float64, hit []bool, weight []float64) (Sigmoid, error) {
	groups, err := pool(score, hit, weight, true)
	if err != nil {
		return Sigmoid{}, err
	}
	return Sigmoid{A: -newSoftmax(logsOf(groups), countsOf(groups), 2, 1).temperature(), Logit: true}, nil
}

// logsOf returns the logarithms of 1 − score and score of each group.
func logsOf(groups []group) []float64 {
	log := make([]float64, 2*len(groups))
	for i, g := range groups {
		log[2*i], log[2*i+1] = logs(g.score)
	}
	return log
}

// countsOf returns misses and hits of each group.
func countsOf(groups []group) []float64 {
	count := make([]float64, 2*len(groups))
	for i, g := range groups {
		count[2*i], count[2*i+1] = g.miss, g.hit
	}
	return count
}

// fitPowers fits the maps of k ≥ 3 classes that make a temperature or, with vector, vector
// scaling with slopes in [0, 100]. Slopes below 0 would take a class for less likely the more
// votes it has.
// Source: Guo et al., ICML 2017.
func (r *classRows) fitPowers(ctx context.Context, vector bool, workers int) ([]Map, error) {
	share, count, err := r.merge()
	if err != nil {
		return nil, err
	}
	k := len(r.present)
	for i, s := range share {
		share[i] = logShare(s)
	}
	maps := make([]Map, k)
	l := newSoftmax(share, count, k, 1)
	l.workers, l.stopped = workers, func() bool { return ctx.Err() != nil }
	if !vector {
		a := l.temperature()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for c := range maps {
			maps[c] = Power{A: a}
		}
		return maps, nil
	}
	slope, offset, err := l.vector()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // for the reason that betaOf gives
		return r.fitPowers(ctx, false, workers)
	}
	top := slices.Max(offset)
	for c := range maps {
		maps[c] = Power{slope[c], offset[c] - top}
	}
	return maps, nil
}

// softmax holds what probabilities proportional to exp(a_c·log_ic + b_c) are fitted to.
type softmax struct {
	k      int
	log    []float64 // m·k, logarithms of the shares
	target []float64 // m·k, weight of each class's targets; all sum to 1
	weight []float64 // m, that of a row: the sum of its targets

	workers int         // of many classes
	stopped func() bool // whether nobody wants the result any more; all then ends soon, and means nothing
}

// manyClasses is a number of classes from which on rows are worked on by several, and the Newton step is found
// by conjugate gradients: of n rows that takes O(nk) a step of theirs, where the Hessian takes O(nk²).
const manyClasses = 9

// sum returns the sums of what add adds to them for all rows, some after the other. Of many classes each stretch of
// rows has its own sums, which are put together in the order of the rows, so that they do not depend on the number
// of workers.
func (l *softmax) sum(size int, add func(sums []float64, from, to int)) []float64 {
	total, at, step := make([]float64, size), 0, 1+1<<16/l.k
	type stretch struct {
		from, to int
		sums     []float64
	}
	next := func(s *stretch) error {
		if at == len(l.weight) || l.stopped() {
			return io.EOF
		}
		s.from, s.to = at, min(at+step, len(l.weight))
		at = s.to
		return nil
	}
	if l.k < manyClasses {
		for s := (stretch{}); next(&s) == nil; {
			add(total, s.from, s.to)
		}
		return total
	}
	err := parallel.Ordered(min(l.workers, 1+len(l.weight)/step), next,
		func(s *stretch) error {
			s.sums = append(s.sums[:0], make([]float64, size)...)
			add(s.sums, s.from, s.to)
			return nil
		},
		func(s *stretch) error {
			for j, v := range s.sums {
				total[j] += v
			}
			return nil
		})
	if err != nil {
		panic(err) // a worker's, as it would have been without it
	}
	return total
}

// newSoftmax takes, row by row, the logarithms of the shares and the weights of the classes.
// A row of class c has the target (N_c+s)/(N_c+2s) for c, and the other classes share the rest,
// where N_c is the weight of the class and s is smoothing, 1 but in tests: for two classes the
// targets of [sigmoidOf]. Rows of next to no weight are left out.
func newSoftmax(log, count []float64, k int, smoothing float64) *softmax {
	class, total := make([]float64, k), 0.0
	for i, w := range count {
		class[i%k] += w
		total += w
	}
	l := &softmax{k: k, workers: 1, stopped: func() bool { return false }}
	for i := 0; i < len(count); i += k {
		sum := 0.0
		for _, w := range count[i : i+k] {
			sum += w
		}
		if sum < negligible*total {
			continue
		}
		at := len(l.target)
		l.log, l.target, l.weight = append(l.log, log[i:i+k]...), append(l.target, make([]float64, k)...),
			append(l.weight, sum/total)
		for t, w := range count[i : i+k] {
			if w == 0 {
				continue
			}
			other := w / total * smoothing / (class[t] + float64(2*smoothing)) / float64(k-1)
			for c := range k {
				if c == t {
					l.target[at+c] += w / total * (class[t] + smoothing) / (class[t] + float64(2*smoothing))
				} else {
					l.target[at+c] += other
				}
			}
		}
	}
	return l
}

// temperature returns the slope 1/T in [0, steepest] of the lowest loss, by Newton's method on
// the derivative, which never falls, between bounds that close in.
func (l *softmax) temperature() float64 {
	if d, _ := l.tilt(0); d >= 0 {
		return 0
	}
	if d, _ := l.tilt(steepest); d <= 0 {
		return steepest
	}
	low, high, x := 0.0, float64(steepest), 1.0
	for range 200 {
		d, curvature := l.tilt(x)
		if d > 0 {
			high = x
		} else {
			low = x
		}
		next := x - d/curvature
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		done := math.Abs(next-x) <= 1e-10*x // the digits double with each step
		if x = next; done {
			break
		}
	}
	return x
}

// tilt returns the first two derivatives of the loss by the common slope, at x.
func (l *softmax) tilt(x float64) (first, second float64) {
	sums := l.sum(2, func(sums []float64, from, to int) {
		p := make([]float64, l.k)
		for i := from; i < to; i++ {
			w, log, target := l.weight[i], l.log[i*l.k:][:l.k], l.target[i*l.k:][:l.k]
			for c, z := range log {
				p[c] = x * z
			}
			spread(p)
			mean, wanted := 0.0, 0.0
			for c, z := range log {
				mean += float64(p[c] * z)
				wanted += float64(target[c] * z)
			}
			variance := 0.0
			for c, z := range log {
				variance += float64(p[c] * (z - mean) * (z - mean))
			}
			sums[0] += float64(w*mean) - wanted
			sums[1] += float64(w * variance)
		}
	})
	return sums[0], sums[1]
}

// spread turns e into its softmax, and returns the logarithm of the sum of exp(e).
func spread(e []float64) float64 {
	top := e[0]
	for _, v := range e {
		top = max(top, v)
	}
	sum := 0.0
	for c, v := range e {
		e[c] = portable.Exp(v - top)
		sum += e[c]
	}
	for c := range e {
		e[c] /= sum
	}
	return top + portable.Log(sum)
}

// vector returns slopes in [0, steepest] and offsets of the lowest loss, or an error if it cannot
// tell that it is the lowest.
func (l *softmax) vector() (slope, offset []float64, err error) {
	return l.fitVector(l.k < manyClasses)
}

// fitVector is vector, with the Hessian written out or not. It works on the logarithms in units
// of their spread about their mean, class by class.
func (l *softmax) fitVector(dense bool) (slope, offset []float64, err error) {
	k := l.k
	n := newton{
		softmax: l, dense: dense, z: make([]float64, len(l.log)), p: make([]float64, len(l.log)), spare: make([]float64,
			len(l.log)),
		x: make([]float64, 2*k), low: make([]float64, 2*k), high: make([]float64, 2*k),
	}
	sums := l.sums()
	n.share = rarer(sums)
	centre, scale := make([]float64, k), make([]float64, k)
	for c := range k {
		centre[c], scale[c] = l.standardise(n.z, c)
		n.high[c] = steepest * scale[c]
		if c > 0 || !dense { // only differences of offsets count: the first stays, or comes back after each step
			n.low[k+c], n.high[k+c] = math.Inf(-1), math.Inf(1)
		}
	}
	// From slopes of 0, and where weights are so uneven that it gets stuck from slopes of 1, and ½.
	for _, start := range []float64{0, 1, 0.5} {
		for c := range k {
			n.x[c] = min(float64(start*scale[c]), n.high[c])
			n.x[k+c] = portable.Log(sums[c] / sums[0]) // the best with slopes of 0
		}
		if err = n.minimise(400); err == nil {
			break
		}
	}
	slope, offset = make([]float64, k), make([]float64, k)
	for c := range k {
		if scale[c] > 0 {
			slope[c] = min(n.x[c]/scale[c], steepest)
		}
		offset[c] = n.x[k+c] - float64(slope[c]*centre[c])
	}
	return slope, offset, err
}

// sums returns the weight of the targets of each class.
func (l *softmax) sums() []float64 {
	sums := make([]float64, l.k)
	for i, t := range l.target {
		sums[i%l.k] += t
	}
	return sums
}

// rarer returns for each class the weight of its targets or that of all others, whichever is less.
func rarer(sums []float64) []float64 {
	rare := make([]float64, len(sums))
	for c, own := range sums {
		others := 0.0
		for d, sum := range sums {
			if d != c {
				others += sum
			}
		}
		rare[c] = min(own, others)
	}
	return rare
}

// standardise writes the logarithms of class c into z, less their mean and divided by their
// standard deviation, both of which it returns. Where all are equal they are 0.
func (l *softmax) standardise(z []float64, c int) (mean, deviation float64) {
	first := l.log[c] // what is equal must come out as equal
	for i, w := range l.weight {
		mean += float64(w * (l.log[i*l.k+c] - first))
	}
	mean += first
	square := 0.0
	for i, w := range l.weight {
		d := l.log[i*l.k+c] - mean
		square += float64(w * d * d)
	}
	deviation = math.Sqrt(square)
	for i := range l.weight {
		if deviation > 0 {
			z[i*l.k+c] = (l.log[i*l.k+c] - mean) / deviation
		}
	}
	return mean, deviation
}

func (m BetaCurve) check() error {
	if !(m.A >= 0 && m.A <= steepest && m.B >= 0 && m.B <= steepest && finite(m.C)) {
		return fmt.Errorf("beta map has A = %g, B = %g and C = %g; A and B must lie in [0, %d] and C be finite; fit it again",
			m.A, m.B, m.C, steepest)
	}
	return nil
}

func (m Power) check() error {
	if !(m.A >= 0 && m.A <= steepest && m.B <= 0 && finite(m.B)) {
		return fmt.Errorf("power map has A = %g and B = %g; A must lie in [0, %d] and B be finite and not above 0; fit it "+
			"again", m.A, m.B, steepest)
	}
	return nil
}
