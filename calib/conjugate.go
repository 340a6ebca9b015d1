package calib

// conjugate returns the Newton step of the numbers of x in index, all others being held, by conjugate
// gradients, scaled by the diagonal of the Hessian. It is as exact as the point is near to the minimum: a
// tenth far away, where no step leads there, and the more digits the closer, so that as with exact
// steps these double in the end.
//
// No offset is held for the others to be told apart by, as that would make the numbers depend on each other
// more than they do. What is added to all of them changes nothing, so the gradient has no part that way but for
// rounding, which is taken out, as no step could.
// Source: Nocedal and Wright, Numerical Optimization (2006), algorithm 7.1.
func (n *newton) conjugate(index []int) []float64 {
	d := len(n.x)
	step, residual, direction := make([]float64, d), make([]float64, d), make([]float64, d)
	scale := make([]float64, d)
	stray, all := 0.0, 0.0
	for _, j := range index {
		scale[j] = n.raised(j)
		residual[j] = -n.gradient[j]
		if j >= n.k {
			stray, all = stray+residual[j], all+scale[j]
		}
	}
	length := 0.0 // of the residual, squared
	for _, j := range index {
		if j >= n.k {
			residual[j] -= float64(stray / all * scale[j])
		}
		direction[j] = residual[j] / scale[j]
		length += float64(residual[j] * direction[j])
	}
	enough := length * min(0.01, max(length, 1e-14))
	for range 2 * d {
		curved := n.product(direction)
		along := 0.0
		for _, j := range index {
			along += float64(direction[j] * curved[j])
		}
		if !(along > 0) || n.stopped() {
			break
		}
		far, before := length/along, length
		length = 0
		for _, j := range index {
			step[j] += float64(far * direction[j])
			residual[j] -= float64(far * curved[j])
			length += float64(residual[j] * (residual[j] / scale[j]))
		}
		if !(length > enough) {
			break
		}
		for _, j := range index {
			direction[j] = residual[j]/scale[j] + float64(length/before*direction[j])
		}
	}
	return step
}

// product returns the product of the Hessian and v, a vector like x. In each row what v adds is
// taken relative to the most likely class, next to which the others may be tiny.
func (n *newton) product(v []float64) []float64 {
	k := n.k
	slope, offset := v[:k], v[k:]
	return n.sum(2*k, func(sums []float64, from, to int) {
		bySlope, byOffset, e := sums[:k], sums[k:], make([]float64, k)
		for i := from; i < to; i++ {
			p, z := n.p[i*k:][:k], n.z[i*k:][:k]
			top := 0
			for c := range p {
				e[c] = float64(slope[c]*(z[c]-n.centre[c])) + offset[c]
				if p[c] > p[top] {
					top = c
				}
			}
			mean, most := 0.0, e[top]
			for c := range p {
				e[c] -= most
				mean += float64(p[c] * e[c])
			}
			for c := range p {
				h := float64(n.weight[i] * p[c] * (e[c] - mean))
				bySlope[c] += float64(h * (z[c] - n.centre[c]))
				byOffset[c] += h
			}
		}
	})
}
