package calib

import (
	"errors"
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// newton looks for the slopes and offsets of a softmax under which its loss is lowest, between
// bounds, by Newton's method: what would leave the bounds stays on them. It keeps value and
// derivatives at the point last evaluated.
//
// The optimisers of gonum would do, but for the bits: its sums run through assembly on one
// processor and through fused multiply-adds on another, and differ in the last digits, which
// are then stored in models.
type newton struct {
	*softmax
	dense     bool      // the Hessian is written out
	z         []float64 // m·k, standardised logarithms
	x         []float64 // 2k: slopes, offsets
	low, high []float64 // 2k: bounds of x
	share     []float64 // k: weight of a class's targets, or of the others' if that is less

	evaluations int
	value       float64
	p, spare    []float64 // m·k: the probabilities, and room for those at another point
	// Derivatives are by slopes about centre, the mean of z in the weights of the Hessian, so
	// that a slope and its offset hardly share anything: rounding would hide a rare class there.
	centre   []float64 // k
	gradient []float64 // 2k
	diagonal []float64 // 2k, of the Hessian
	hessian  []float64 // 2k·2k, row-major, what is below the diagonal; empty unless dense
}

// evaluate computes value, probabilities and derivatives at x.
func (n *newton) evaluate(x []float64) {
	k := n.k
	d := 2 * k
	n.evaluations++
	sums := n.sum(d+1, func(sums []float64, from, to int) {
		rest, e := make([]float64, k), make([]float64, k)
		mass, centre, value := sums[:k], sums[k:d], &sums[d]
		for i := from; i < to; i++ {
			z, p := n.z[i*k:][:k], n.p[i*k:][:k]
			for c := range k {
				e[c] = float64(x[c]*z[c]) + x[k+c]
			}
			copy(p, e)
			sum := spread(p)
			complement(rest, p)
			for c, t := range n.target[i*k:][:k] {
				*value += float64(t * (sum - e[c]))
				h := float64(n.weight[i] * p[c] * rest[c])
				mass[c] += h
				centre[c] += float64(h * z[c])
			}
		}
	})
	n.centre, n.value = sums[k:d], sums[d]
	for c := range k {
		if n.centre[c] /= sums[c]; !finite(n.centre[c]) {
			n.centre[c] = 0 // all probabilities are 0 or 1
		}
	}
	n.derive()
}

// derive computes the derivatives, about the centre, at the point that the probabilities are of.
func (n *newton) derive() {
	k := n.k
	d := 2 * k
	size := 2 * d
	if n.dense {
		size += d * d
	}
	sums := n.sum(size, func(sums []float64, from, to int) {
		rest, e := make([]float64, k), make([]float64, k)
		for i := from; i < to; i++ {
			w, p := n.weight[i], n.p[i*k:][:k]
			for c := range k {
				e[c] = n.z[i*k+c] - n.centre[c]
			}
			n.slope(sums[:d], p, e, n.target[i*k:][:k])
			complement(rest, p)
			n.bend(sums[d:2*d], w, p, rest, e)
			if n.dense {
				n.curve(sums[2*d:], w, p, rest, e)
			}
		}
	})
	n.gradient, n.diagonal, n.hessian = sums[:d], sums[d:2*d], sums[2*d:]
}

// complement fills rest with 1 − p; for the largest p, which may be next to 1, with the sum of
// the others.
func complement(rest, p []float64) {
	top, others := 0, 0.0
	for c := range p {
		rest[c] = 1 - p[c]
		if p[c] > p[top] {
			top = c
		}
	}
	for c := range p {
		if c != top {
			others += p[c]
		}
	}
	rest[top] = others
}

// bend adds a row to the diagonal of the Hessian: w·p_c·(1−p_c) times the square of what a number of
// the class multiplies, z or 1.
func (n *newton) bend(diagonal []float64, w float64, p, rest, z []float64) {
	slope, offset := diagonal[:n.k], diagonal[n.k:]
	for c, lever := range z {
		h := float64(w * p[c] * rest[c])
		slope[c] += float64(h * lever * lever)
		offset[c] += h
	}
}

// curve adds a row to the rest of the Hessian: w·p_c·(1−p_c) for the two numbers of a class and
// −w·p_c·p_d for those of two classes, times what they multiply.
func (n *newton) curve(hessian []float64, w float64, p, rest, z []float64) {
	k := n.k
	d := 2 * k
	p, z = p[:k], z[:k]
	for c := range k {
		slope, cross, offset := hessian[c*d:][:k], hessian[(k+c)*d:][:k], hessian[(k+c)*d+k:][:k]
		own, lever := w*p[c], z[c]
		for b := range c {
			h := -float64(own * p[b])
			cross[b] += float64(h * z[b])
			slope[b] += float64(h * lever * z[b])
			offset[b] += h
		}
		cross[c] += float64(float64(own*rest[c]) * lever)
		for b := c + 1; b < k; b++ {
			h := -float64(own * p[b])
			cross[b] += float64(h * z[b])
		}
	}
}

// slope adds a row to the gradient. The deviations p − target sum to 0, and that of the most
// likely class, where rounding is coarsest, is made of the others.
func (n *newton) slope(gradient, p, z, target []float64) {
	w, top := 0.0, 0
	for c := range p {
		w += target[c]
		if p[c] > p[top] {
			top = c
		}
	}
	rest := 0.0
	for c := range p {
		if c != top {
			d := float64(w*p[c]) - target[c]
			rest -= d
			gradient[c] += float64(d * z[c])
			gradient[n.k+c] += d
		}
	}
	gradient[top] += float64(rest * z[top])
	gradient[n.k+top] += rest
}

// steepness returns the largest component of the gradient, relative to the weight of the class or
// of the others, whichever is less, and times how far x can go that way if that is less than 1.
func (n *newton) steepness(x []float64) float64 {
	largest := 0.0
	for j, g := range n.gradient {
		room := min(1, math.Abs(n.within(j, x[j]-math.Copysign(1, g))-x[j]))
		largest = max(largest, math.Abs(g)*room/n.share[j%n.k])
	}
	return largest
}

// free reports whether number j of x can move in that direction.
func (n *newton) free(x []float64, j int, direction float64) bool {
	return direction < 0 && x[j] > n.low[j] || direction > 0 && x[j] < n.high[j]
}

var errUnsettled = errors.New("calibration: the fit did not settle")

// settled is the steepness below which a point counts as the minimum, and flat the one below which
// nothing better is looked for where an evaluation takes long.
const (
	settled = 1e-6
	flat    = 1e-11
)

// minimise moves x to the minimum, by at most about so many evaluations. Whether it is the minimum
// is for the gradient to say.
func (n *newton) minimise(evaluations int) error {
	n.evaluations = 0
	n.evaluate(n.x)
	for n.evaluations < evaluations && !n.stopped() && (n.dense || n.steepness(n.x) > flat) {
		if length := n.descend(); length < shortest {
			break
		}
	}
	if g := n.steepness(n.x); !(g <= settled) {
		return errUnsettled
	}
	return nil
}

// descend takes the Newton step from x, drawn back to the bounds number by number, and halved
// until it improves. It returns the length of the full step, 0 if no part of it improves. Where
// numbers that the bounds stop spoil the step for the others, they are held, and the others
// have a step of their own.
func (n *newton) descend() float64 {
	held := make([]bool, len(n.x))
	for j, g := range n.gradient {
		held[j] = !n.free(n.x, j, -g)
	}
	for {
		step := n.step(held)
		if length := n.search(step); length > 0 {
			return length
		}
		again := false
		for j, s := range step {
			if n.x[j]+s != n.within(j, n.x[j]+s) {
				held[j], again = true, true
			}
		}
		if !again {
			return n.search(n.alone())
		}
	}
}

// alone returns the step of each number as if it were the only one. It is all that is left where
// weights are so uneven that rounding spoils the step of all.
func (n *newton) alone() []float64 {
	d := len(n.x)
	step := make([]float64, d)
	for j, g := range n.gradient {
		if h := n.diagonal[j] + float64(1e-15*n.diagonal[n.k+j%n.k]); h > 0 {
			step[j] = -g / h / float64(d)
		}
	}
	return step
}

// search moves x by as much of the step as improves, and returns the length of what is left of
// all of it within the bounds, 0 if no part improves. As in [sigmoidOf], a step improves if the
// value falls by enough or, close to the minimum, if the gradient shrinks.
func (n *newton) search(step []float64) float64 {
	before, steepness := *n, n.steepness(n.x)
	n.p, n.spare = n.spare, n.p
	next, length := make([]float64, len(n.x)), 0.0
	for factor := 1.0; ; factor /= 2 {
		slope, moved := before.move(next, step, factor)
		if factor == 1 {
			length = moved
		}
		if !(moved > shortest) || !finite(moved) {
			break
		}
		n.evaluate(next)
		falls := slope < 0 && n.value-before.value < 1e-4*slope
		flattens := n.value <= before.value*(1+1e-12) && n.steepness(next) < steepness
		if falls || flattens {
			copy(n.x, next)
			return length
		}
	}
	before.evaluations = n.evaluations
	*n = before
	return 0
}

// move fills next with where a part of the step leads from x, and returns how steeply the value
// falls that way, and how long it is. It takes the slopes of the step about their centres and
// turns them into slopes about 0; the first offset is 0 again in the end.
func (n *newton) move(next, step []float64, factor float64) (slope, length float64) {
	k := n.k
	for c := range k {
		next[c] = n.within(c, n.x[c]+float64(factor*step[c]))
		a, b := next[c]-n.x[c], float64(factor*step[k+c])
		slope += float64(n.gradient[c]*a) + float64(n.gradient[k+c]*b)
		length = portable.Hypot(length, portable.Hypot(a, b))
		next[k+c] = n.x[k+c] + b - float64(n.centre[c]*a)
	}
	for c := k - 1; c >= 0; c-- {
		next[k+c] -= next[k]
	}
	return slope, length
}

// within returns v, drawn back to the bounds of number j of x.
func (n *newton) within(j int, v float64) float64 { return min(max(v, n.low[j]), n.high[j]) }

// step returns the Newton step in the numbers that are not held. One that lies on a bound, and
// would leave it, is held from now on and the step taken without it.
func (n *newton) step(held []bool) []float64 {
	for {
		step, again := n.solve(held), false
		for j, s := range step {
			if !held[j] && s != 0 && !n.free(n.x, j, s) {
				held[j], again = true, true
			}
		}
		if !again {
			return step
		}
	}
}

// solve returns the Newton step of the numbers that are not held; those held have 0. The
// diagonal is raised by a trifle, so that slopes that hardly differ in what they do, such as
// those of scores in a narrow range, have a step all the same. Where all rows but those of a
// single score are so far out that they weigh nothing, the step is long instead of infinite.
func (n *newton) solve(held []bool) []float64 {
	var index []int
	for j := range held {
		if !held[j] && n.diagonal[n.k+j%n.k] > 0 {
			index = append(index, j)
		}
	}
	if !n.dense {
		return n.conjugate(index)
	}
	d := len(index)
	a, b := make([]float64, d*d), make([]float64, d)
	for r, j := range index {
		for s, i := range index[:r] {
			a[r*d+s] = n.hessian[j*len(held)+i]
		}
		a[r*d+r] = n.raised(j)
		b[r] = -n.gradient[j]
	}
	cholesky(a, b)
	step := make([]float64, len(held))
	for r, j := range index {
		step[j] = b[r]
	}
	return step
}

// raised returns the curvature along number j of x, raised by a trifle.
func (n *newton) raised(j int) float64 {
	const ridge, least = 1e-11, 1e-15
	return n.diagonal[j] + (float64(ridge*n.diagonal[j]) + float64(least*n.diagonal[n.k+j%n.k]))
}

// cholesky solves A·x = b for a positive definite matrix, given as its lower triangle,
// row-major. It overwrites a, and b with x.
func cholesky(a, b []float64) {
	factor(a, len(b))
	solve(a, b)
}

// factor overwrites the lower triangle of a positive definite matrix of d rows with its Cholesky factor.
// Where rounding has left a pivot of 0 or less, a small one takes its place.
func factor(a []float64, d int) {
	for j := range d {
		least := 1e-14 * a[j*d+j]
		for s := range j {
			a[j*d+j] -= float64(a[j*d+s] * a[j*d+s])
		}
		a[j*d+j] = math.Sqrt(max(a[j*d+j], least))
		for r := j + 1; r < d; r++ {
			for s := range j {
				a[r*d+j] -= float64(a[r*d+s] * a[j*d+s])
			}
			a[r*d+j] /= a[j*d+j]
		}
	}
}

// solve overwrites b with the x of A·x = b, given the factor of A.
func solve(a, b []float64) {
	d := len(b)
	for r := range d {
		for s := range r {
			b[r] -= float64(a[r*d+s] * b[s])
		}
		b[r] /= a[r*d+r]
	}
	for r := d - 1; r >= 0; r-- {
		for s := r + 1; s < d; s++ {
			b[r] -= float64(a[s*d+r] * b[s])
		}
		b[r] /= a[r*d+r]
	}
}
