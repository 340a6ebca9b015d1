package calib

import (
	"fmt"
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
	z         []float64 // m·k, standardised logarithms
	x         []float64 // 2k: slopes, offsets
	low, high []float64 // 2k: bounds of x
	share     []float64 // k: weight of a class's targets, or of the others' if that is less

	value    float64
	gradient []float64 // 2k
	hessian  []float64 // 2k·2k, row-major, of which the lower triangle is used
}

// evaluate computes value, gradient and Hessian at x.
func (n *newton) evaluate(x []float64) {
	k := n.k
	d := 2 * k
	n.value, n.gradient, n.hessian = 0, make([]float64, d), make([]float64, d*d)
	p, u := make([]float64, k), make([]float64, d)
	for i, w := range n.weight {
		z, target := n.z[i*k:][:k], n.target[i*k:][:k]
		for c := range k {
			p[c] = float64(x[c]*z[c]) + x[k+c]
		}
		copy(u, p)
		sum := spread(p)
		for c, t := range target {
			n.value += float64(t * (sum - u[c]))
		}
		n.slope(p, z, target)
		for c := range k {
			u[c], u[k+c] = p[c]*z[c], p[c]
		}
		for r := range d {
			row := n.hessian[r*d:]
			left := w * u[r]
			for s := range r + 1 {
				row[s] -= float64(left * u[s])
			}
			c := r % k
			row[r] += float64(left * feature(z, r))
			if r >= k {
				row[c] += float64(w * u[c])
			}
		}
	}
}

// feature returns what multiplies number r of x: a standardised logarithm or 1.
func feature(z []float64, r int) float64 {
	if r < len(z) {
		return z[r]
	}
	return 1
}

// slope adds a row to the gradient. The deviations p − target sum to 0, and that of the most
// likely class, where rounding is coarsest, is made of the others.
func (n *newton) slope(p, z, target []float64) {
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
			n.gradient[c] += float64(d * z[c])
			n.gradient[n.k+c] += d
		}
	}
	n.gradient[top] += float64(rest * z[top])
	n.gradient[n.k+top] += rest
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

// settled is the steepness below which a point counts as the minimum.
const settled = 1e-6

// minimise moves x to the minimum, by at most so many steps. Whether it is the minimum is for
// the gradient to say.
func (n *newton) minimise(steps int) error {
	n.evaluate(n.x)
	for range steps {
		if length := n.descend(); length < shortest {
			break
		}
	}
	n.evaluate(n.x)
	if g := n.steepness(n.x); !(g <= settled) {
		return fmt.Errorf("calibration: the fit did not settle (gradient %.3g); use the method %s", g, IsotonicLinear)
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
		if h := n.hessian[j*d+j]; h > 0 {
			step[j] = -g / h / float64(d)
		}
	}
	return step
}

// search moves x by as much of the step as improves, and returns the length of what is left of
// all of it within the bounds, 0 if no part improves. As in [FitSigmoid], a step improves if the
// value falls by enough or, close to the minimum, if the gradient shrinks.
func (n *newton) search(step []float64) float64 {
	value, gradient, hessian, steepness := n.value, n.gradient, n.hessian, n.steepness(n.x)
	next, length := make([]float64, len(n.x)), 0.0
	for factor := 1.0; ; factor /= 2 {
		slope, moved := 0.0, 0.0
		for j, s := range step {
			next[j] = n.within(j, n.x[j]+float64(factor*s))
			slope += float64(gradient[j] * (next[j] - n.x[j]))
			moved = portable.Hypot(moved, next[j]-n.x[j])
		}
		if factor == 1 {
			length = moved
		}
		if !(moved > shortest) || !finite(moved) {
			break
		}
		n.evaluate(next)
		falls := slope < 0 && n.value-value < 1e-4*slope
		flattens := n.value <= value*(1+1e-12) && n.steepness(next) < steepness
		if falls || flattens {
			copy(n.x, next)
			return length
		}
	}
	n.value, n.gradient, n.hessian = value, gradient, hessian
	return 0
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
// those of scores in a narrow range, have a step all the same.
func (n *newton) solve(held []bool) []float64 {
	const ridge = 1e-11
	var index []int
	for j := range held {
		if !held[j] && n.hessian[j*len(held)+j] > 0 {
			index = append(index, j)
		}
	}
	d := len(index)
	a, b := make([]float64, d*d), make([]float64, d)
	for r, j := range index {
		for s, i := range index[:r+1] {
			a[r*d+s] = n.hessian[j*len(held)+i]
		}
		a[r*d+r] += float64(ridge * a[r*d+r])
		b[r] = -n.gradient[j]
	}
	cholesky(a, b)
	step := make([]float64, len(held))
	for r, j := range index {
		step[j] = b[r]
	}
	return step
}

// cholesky solves A·x = b for a positive definite matrix, given as its lower triangle,
// row-major. It overwrites a, and b with x. Where rounding has left a pivot of 0 or less, a
// small one takes its place.
func cholesky(a, b []float64) {
	d := len(b)
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
