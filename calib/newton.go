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

// steepness returns the largest component of the gradient along which x could still move.
func (n *newton) steepness(x []float64) float64 {
	largest := 0.0
	for j, g := range n.gradient {
		if n.free(x, j, -g) {
			largest = max(largest, math.Abs(g))
		}
	}
	return largest
}

// free reports whether number j of x can move in that direction.
func (n *newton) free(x []float64, j int, direction float64) bool {
	return direction < 0 && x[j] > n.low[j] || direction > 0 && x[j] < n.high[j]
}

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
	if g := n.steepness(n.x); !(g <= flatEnough) {
		return fmt.Errorf("calibration: the fit did not settle (gradient %.3g); use the method %s", g, IsotonicLinear)
	}
	return nil
}

// descend takes the Newton step from x, cut where it reaches a bound and halved until it
// improves, and returns the length of the full step, 0 if no part of it improves. As in
// [FitSigmoid], a step improves if the value falls by enough or, close to the minimum, if the
// gradient shrinks.
func (n *newton) descend() float64 {
	step := n.step()
	length, slope, reach, limit := 0.0, 0.0, 1.0, -1
	for j, s := range step {
		length = portable.Hypot(length, s)
		slope += float64(n.gradient[j] * s)
		bound := n.low[j]
		if s > 0 {
			bound = n.high[j]
		}
		if s != 0 && (bound-n.x[j])/s < reach {
			reach, limit = (bound-n.x[j])/s, j
		}
	}
	value, steepness := n.value, n.steepness(n.x)
	next := make([]float64, len(n.x))
	for factor := reach; finite(length); factor /= 2 {
		for j, s := range step {
			next[j] = min(max(n.x[j]+float64(factor*s), n.low[j]), n.high[j])
		}
		if factor == reach && limit >= 0 { // on the bound, whatever rounding says
			if next[limit] = n.low[limit]; step[limit] > 0 {
				next[limit] = n.high[limit]
			}
		}
		n.evaluate(next)
		falls := n.value-value <= 1e-4*factor*slope
		flattens := n.value <= value*(1+1e-12) && n.steepness(next) <= steepness
		if falls || flattens {
			copy(n.x, next)
			return length
		}
		if factor*length <= shortest {
			break
		}
	}
	n.evaluate(n.x)
	return 0
}

// step returns the Newton step in the numbers that can move. One that lies on a bound, and
// would leave it, is held there and the step taken without it.
func (n *newton) step() []float64 {
	held := make([]bool, len(n.x))
	for j, g := range n.gradient {
		held[j] = !n.free(n.x, j, -g)
	}
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
