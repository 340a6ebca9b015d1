package calib

import (
	"context"
	"math"
	"slices"
)

// fitMatrix fits structured matrix scaling for k ≥ 3 classes: probabilities proportional to exp(W·ln s + b), where
// W is drawn to the diagonal matrix of a temperature and b to 0, the harder the fewer rows a number of theirs has.
// It returns the diagonal and b as powers, and the rest of W as the cross exponents of a [Set].
//
// With W = t·(I + D) the loss of all rows, of mean weight 1, is increased by k·Σb², by k·Σ of the squared diagonal
// of D, and by k(k−1)·Σ of the other squares. So the minimum is unique and finite, whatever the votes. The slope t
// of the temperature is fitted before, to Platt's targets, as it is not drawn to anything.
//
// Between two classes, votes that go from one to the other must not make the other more likely. So no number of W
// is larger than that on the diagonal in its column: one that would be is made equal. Source: Berta, Holzmüller,
// Jordan and Bach, Structured matrix scaling for multi-class calibration, AISTATS 2026 (arXiv 2511.03685).
func (r *classRows) fitMatrix(ctx context.Context, workers int) (maps []Map, cross []float64, err error) {
	share, count, err := r.merge()
	if err != nil {
		return nil, nil, err
	}
	k := len(r.present)
	for i, s := range share {
		share[i] = logShare(s)
	}
	l := newSoftmax(share, count, k, 1)
	l.workers, l.stopped = workers, func() bool { return ctx.Err() != nil }
	t := l.temperature()
	labels := newSoftmax(share, count, k, 0)
	labels.workers, labels.stopped = l.workers, l.stopped
	d := labels.drawn(t, summed(0, count), float64(k), float64(k*(k-1)), float64(k))
	err = d.minimise()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil { // rounding hides the minimum: weights are very far apart
		maps, err = r.fitPowers(ctx, false, workers)
		return maps, nil, err
	}
	matrix, offset := d.result()
	dominate(matrix, k)
	top := slices.Max(offset)
	maps, cross = make([]Map, k), matrix
	for c := range maps {
		maps[c] = Power{matrix[c*k+c], offset[c] - top}
		cross[c*k+c] = 0
	}
	return maps, cross, nil
}

// dominate brings W (k·k) into the form in which it is stored: on the diagonal numbers from 0 to steepest, beside
// it none that is larger than the diagonal one of its column. What is added to a column changes no probability.
func dominate(w []float64, k int) {
	for c := range k {
		own := w[c*k+c]
		for d := range k {
			w[d*k+c] = min(w[d*k+c], own)
			if own < 0 {
				w[d*k+c] -= own
			}
			w[d*k+c] = min(max(w[d*k+c], -steepest), steepest)
		}
	}
}

// fitDrawnBeta is fitMatrix for two classes: a [BetaCurve] with A and B drawn to the slope t of a temperature and C
// to 0, by half of (A/t − 1)² + (B/t − 1)² + C². The squares of fitMatrix come to twice as much, and drew too hard
// where rows are many. As so little draws them, all is fitted to the targets of [sigmoidOf].
func fitDrawnBeta(score []float64, hit []bool, weight []float64) (BetaCurve, error) {
	groups, err := pool(score, hit, weight, true)
	if err != nil {
		return BetaCurve{}, err
	}
	l := newSoftmax(logsOf(groups), countsOf(groups), 2, 1)
	hits, misses := totals(groups)
	d := l.drawn(l.temperature(), hits+misses, 0.5, math.Inf(1), 1)
	for {
		if err := d.minimise(); err != nil {
			return betaOf(score, hit, weight)
		}
		if !d.bound() {
			break
		}
	}
	w, offset := d.result()
	return BetaCurve{A: min(max(w[3], 0), steepest), B: min(max(w[0], 0), steepest), C: offset[1] - offset[0]}, nil
}

// drawn looks for the D and b of fitMatrix, by Newton's method with steps by conjugate gradients. Its numbers are k
// rows of k + 1: those of D, and the offset. It keeps value and derivatives at the point last evaluated.
type drawn struct {
	*softmax
	t     float64
	x     []float64 // m·k, logarithms times t
	pull  []float64 // k·(k+1): how hard the square of a number is drawn to 0; +Inf holds it where it is
	at    []float64 // k·(k+1)
	value float64

	p, spare []float64 // m·k: the probabilities, and room for those at another point
	gradient []float64 // k·(k+1)
	factors  []float64 // k·(k+1)·(k+1): of each class, the lower Cholesky factor of its block of the Hessian
}

// drawn starts from the temperature alone. The strengths are for the diagonal, what is beside it and the offsets,
// of so many rows.
func (l *softmax) drawn(t, rows, diagonal, beside, offset float64) *drawn {
	k := l.k
	d := &drawn{
		softmax: l, t: t, x: make([]float64, len(l.log)), p: make([]float64, len(l.log)), spare: make([]float64, len(l.log)),
		pull: make([]float64, k*(k+1)), at: make([]float64, k*(k+1)),
	}
	for i, v := range l.log {
		d.x[i] = t * v
	}
	for c := range k {
		row := d.pull[c*(k+1):][:k+1]
		for j := range row {
			row[j] = beside / rows
		}
		row[c], row[k] = diagonal/rows, offset/rows
	}
	return d
}

// result returns W and b.
func (d *drawn) result() (w, offset []float64) {
	k := d.k
	for c := range k {
		row := d.at[c*(k+1):][:k+1]
		for j, v := range row[:k] {
			if j == c {
				v++
			}
			w = append(w, d.t*v)
		}
		offset = append(offset, row[k])
	}
	return w, offset
}

// bound holds slopes of two classes that are outside of their bounds on these, and reports whether there were any.
func (d *drawn) bound() bool {
	found := false
	for _, j := range []int{0, 4} {
		if v := d.t * (1 + d.at[j]); !math.IsInf(d.pull[j], 1) && !(v >= 0 && v <= steepest) {
			d.at[j], d.pull[j], found = min(max(v, 0), steepest)/d.t-1, math.Inf(1), true
		}
	}
	return found
}

// unlikely is a probability, see product.
const unlikely = 1e-6

// decrement is the fall of the loss that a Newton step promises below which a point counts as the minimum. What is
// left of the fall is far below the digits of a log loss that anybody reads.
const decrement = 1e-15

// minimise moves to the minimum, or returns an error if it cannot tell that it is there.
func (d *drawn) minimise() error {
	d.evaluate(d.at)
	d.derive()
	for range 200 {
		step := d.step()
		slope := dot(d.gradient, step)
		if slope > -decrement || !d.search(step, slope) {
			if slope > -settled*settled && !d.stopped() {
				return nil
			}
			break
		}
	}
	return errUnsettled
}

// search moves by as much of the step as improves, and reports whether any part does.
func (d *drawn) search(step []float64, slope float64) bool {
	next, value := make([]float64, len(step)), d.value
	d.p, d.spare = d.spare, d.p
	for factor := 1.0; factor > 1e-10; factor /= 2 {
		for j, s := range step {
			next[j] = d.at[j] + float64(factor*s)
		}
		if d.evaluate(next); d.value <= value+float64(1e-4*factor*slope) {
			copy(d.at, next)
			d.derive()
			return true
		}
	}
	d.p, d.spare, d.value = d.spare, d.p, value
	return false
}

// evaluate computes value and probabilities at a point.
func (d *drawn) evaluate(at []float64) {
	k := d.k
	turned := d.turned(at)
	d.value = d.sum(1, func(sums []float64, from, to int) {
		e := make([]float64, k)
		for i := from; i < to; i++ {
			x, p := d.x[i*k:][:k], d.p[i*k:][:k]
			affine(e, turned, x)
			for c, v := range x {
				e[c] += v
			}
			copy(p, e)
			all := spread(p)
			for c, t := range d.target[i*k:][:k] {
				sums[0] += float64(t * (all - e[c]))
			}
		}
	})[0]
	for j, v := range at {
		if !math.IsInf(d.pull[j], 1) {
			d.value += float64(d.pull[j] * v * v)
		}
	}
}

// derive computes the gradient, and the blocks of the Hessian, at the point that the probabilities are of.
func (d *drawn) derive() {
	k := d.k
	n, size := k*(k+1), (k+1)*(k+1)
	sums := d.sum(n+k*size, func(sums []float64, from, to int) {
		feature := make([]float64, k+1)
		feature[k] = 1
		for i := from; i < to; i++ {
			copy(feature, d.x[i*k:][:k])
			p, target := d.p[i*k:][:k], d.target[i*k:][:k]
			for c := range p {
				off, gradient := float64(d.weight[i]*p[c])-target[c], sums[c*(k+1):][:k+1]
				for j, v := range feature {
					gradient[j] += float64(off * v)
				}
				bend := float64(d.weight[i] * p[c] * (1 - p[c]))
				if bend < 1e-6*d.weight[i] { // so small a part speeds nothing up
					continue
				}
				for j, v := range feature {
					h, row := float64(bend*v), sums[n+c*size+j*(k+1):][:j+1]
					for l := range row {
						row[l] += float64(h * feature[l])
					}
				}
			}
		}
	})
	d.gradient, d.factors = sums[:n], sums[n:]
	d.drag(d.gradient, d.at)
	for c := range k {
		block := d.factors[c*size:][:size]
		for j, pull := range d.pull[c*(k+1):][:k+1] {
			if math.IsInf(pull, 1) {
				for l := range k + 1 {
					block[max(j, l)*(k+1)+min(j, l)] = 0
				}
				pull = 0.5
			}
			block[j*(k+1)+j] += 2 * pull
		}
		factor(block, k+1)
	}
}

// drag adds what the pull does to a gradient at a point, or to a product with its direction. What is held has 0.
func (d *drawn) drag(to, at []float64) {
	for j, pull := range d.pull {
		if math.IsInf(pull, 1) {
			to[j] = 0
		} else {
			to[j] += float64(2 * pull * at[j])
		}
	}
}

// product returns the product of the Hessian and v. What a class adds is relative to the mean of its row, by which
// most classes of most rows add next to nothing: where they are less likely than unlikely they are left out, as the
// Hessian need not be exact, the gradient being so.
func (d *drawn) product(v []float64) []float64 {
	k := d.k
	turned := d.turned(v)
	out := d.sum(k*(k+1), func(sums []float64, from, to int) {
		e := make([]float64, k)
		for i := from; i < to; i++ {
			x, p := d.x[i*k:][:k], d.p[i*k:][:k]
			affine(e, turned, x)
			mean := 0.0
			for c, v := range e {
				mean += float64(p[c] * v)
			}
			for c, v := range e {
				if p[c] < unlikely {
					continue
				}
				h, row := float64(d.weight[i]*p[c]*(v-mean)), sums[c*(k+1):][:k+1]
				for j, z := range x {
					row[j] += float64(h * z)
				}
				row[k] += h
			}
		}
	})
	d.drag(out, v)
	return out
}

// step returns the Newton step, by conjugate gradients, the more exact the nearer the minimum is. The blocks of the
// classes precondition it, as the shares of the votes for one class depend on those for the others.
func (d *drawn) step() []float64 {
	n := len(d.at)
	step, residual := make([]float64, n), make([]float64, n)
	for j, g := range d.gradient {
		residual[j] = -g
	}
	direction := d.conditioned(residual)
	length := dot(residual, direction)
	enough := length * min(0.01, max(length, 1e-12))
	for range 2 * n {
		if !(length > 0) || d.stopped() {
			break
		}
		curved := d.product(direction)
		along := dot(direction, curved)
		if !(along > 0) {
			break
		}
		far := length / along
		for j := range step {
			step[j] += float64(far * direction[j])
			residual[j] -= float64(far * curved[j])
		}
		next := d.conditioned(residual)
		before := length
		if length = dot(residual, next); !(length > enough) {
			break
		}
		for j := range direction {
			direction[j] = next[j] + float64(length/before*direction[j])
		}
	}
	return step
}

// conditioned returns the blocks of the Hessian, inverted, times v.
func (d *drawn) conditioned(v []float64) []float64 {
	out, n := slices.Clone(v), d.k+1
	for c := range d.k {
		solve(d.factors[c*n*n:][:n*n], out[c*n:][:n])
	}
	return out
}

// turned returns the numbers by column: what the log share of each class is multiplied by in the k classes, then
// the offsets.
func (d *drawn) turned(at []float64) []float64 {
	k := d.k
	out := make([]float64, len(at))
	for c := range k {
		for j, v := range at[c*(k+1):][:k+1] {
			out[j*k+c] = v
		}
	}
	return out
}

// affine fills e with offset + matrix·x, of turned numbers: sums that do not wait for each other.
func affine(e, turned, x []float64) {
	k := len(e)
	copy(e, turned[k*k:])
	for j, z := range x {
		for c, v := range turned[j*k:][:k] {
			e[c] += float64(v * z)
		}
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}
