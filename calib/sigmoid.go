package calib

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// epsilon bounds the scores of a logit-scale [Sigmoid]: they are clipped into
// [Epsilon, 1−Epsilon], so that 0 and 1 have finite log odds.
const epsilon = 1e-15

// Sigmoid is Platt's map p = 1 / (1 + exp(A·s + B)), where s is the score (any real number)
// or, with Logit, its log odds ln(score/(1−score)) (score in [0, 1], see [epsilon]). It
// increases where A < 0.
type Sigmoid struct {
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	Logit bool    `json:"logit"`
}

// Prob returns the probability at score.
func (m Sigmoid) Prob(score float64) float64 {
	s := score
	if m.Logit {
		s = logit(score)
	}
	s = min(max(s, -math.MaxFloat64), math.MaxFloat64) // 0·∞ is no number
	p, _, _ := logistic(float64(m.A*s) + m.B)
	return p
}

// logit returns the log odds of p, clipped by Epsilon.
func logit(p float64) float64 {
	p = min(max(p, epsilon), 1-epsilon)
	return portable.Log(p) - portable.Log1p(-p)
}

// logistic returns p = 1/(1+exp(f)), q = 1 − p and ln(1+exp(−|f|)), none of which overflows
// or cancels.
func logistic(f float64) (p, q, tail float64) {
	e := portable.Exp(-math.Abs(f))
	p, q = sides(f, e)
	return p, q, portable.Log1p(e)
}

// sides returns p and q of logistic, given exp(−|f|).
func sides(f, e float64) (p, q float64) {
	large, small := 1/(1+e), e/(1+e)
	if f > 0 {
		return small, large
	}
	return large, small
}

// negligible is the share of the weight below which a score is left out of the fit of a
// sigmoid: it is of no account, but far from the others it could spoil the scale.
const negligible = 1e-12

// sigmoidOf fits Platt's map by maximum likelihood. With N₊ and N₋ the weights of hits and of the other rows,
// a hit has the target (N₊+1)/(N₊+2) and another row 1/(N₋+2), which keeps the map finite even if the scores
// separate the classes. If scores rank the classes backwards the map falls (A > 0). If all scores are equal it
// is constant: the mean of the targets. On the logit scale, a common factor on all odds changes B but no
// probability.
//
// Shapes, weights and errors are those of [isotonicOf]; on the logit scale, a score outside [0, 1] is an error
// too. A score with less than 1e-12 of the weight counts in N₊ and N₋ only. Source: Platt, Advances in Large
// Margin Classifiers, 1999; solved as in Lin, Lin and Weng, Machine Learning 68 (2007) 267-276.
func sigmoidOf(score []float64, hit []bool, weight []float64, logitScale bool) (Sigmoid, error) {
	groups, err := pool(score, hit, weight, logitScale)
	if err != nil {
		return Sigmoid{}, err
	}
	if logitScale {
		for i := range groups {
			groups[i].score = logit(groups[i].score)
		}
	}
	hits, misses := totals(groups)
	l, scale := newLikelihood(groups, hits, misses)
	flat := Sigmoid{B: l.flat(), Logit: logitScale}
	if scale == 0 {
		return flat, nil
	}
	at := [2]float64{0, portable.Log((misses + 1) / (hits + 1))}
	if len(l.z) > manyScores {
		if near, err := l.coarse().minimise(at, 200); err == nil {
			at = near
		}
	}
	at, err = l.minimise(at, 200)
	if err != nil {
		return Sigmoid{}, err
	}
	m := Sigmoid{A: at[0] / scale / 2, Logit: logitScale}
	m.B = at[1] - float64(at[0]*(l.centre/scale))
	if !finite(m.A) || !finite(m.B) {
		return flat, nil // the scores lie too close together for any finite A
	}
	return m, nil
}

// likelihood is the negative log likelihood of a sigmoid of a·z + b, per unit of weight,
// where z is the standardised score. It keeps value and derivatives at the point last evaluated.
type likelihood struct {
	centre    float64   // of half the scores: z = (score/2 − centre)/scale
	z         []float64 // weighted mean 0, variance 1
	hit, miss []float64 // weight of a group's targets, and of their complements; all sum to 1

	at [2]float64 // where they were evaluated last
	derivatives
}

// newLikelihood also returns the scale, which is 0 where all scores are equal or too close
// to be told apart. It works on halves of the scores, the range of which never overflows.
func newLikelihood(groups []group, hits, misses float64) (*likelihood, float64) {
	total := hits + misses
	groups = slices.DeleteFunc(groups, func(g group) bool { return g.hit+g.miss < negligible*total })
	n := len(groups)
	l := &likelihood{z: make([]float64, n), hit: make([]float64, n), miss: make([]float64, n)}
	low := float64(groups[0].score / 2)
	width := float64(groups[n-1].score/2) - low
	mean, square := 0.0, 0.0
	for i, g := range groups {
		h, m := g.hit/total, g.miss/total
		// The complements are written out, as 1 minus the target is 0 for very many rows.
		l.hit[i] = float64(h*((hits+1)/(hits+2))) + float64(m/(misses+2))
		l.miss[i] = float64(h/(hits+2)) + float64(m*((misses+1)/(misses+2)))
		if width > 0 {
			l.z[i] = (float64(g.score/2) - low) / width
		}
		mean += float64((h + m) * l.z[i])
	}
	for i, g := range groups {
		l.z[i] -= mean
		square += float64((g.hit + g.miss) / total * l.z[i] * l.z[i])
	}
	deviation := math.Sqrt(square)
	for i := range l.z {
		if deviation > 0 {
			l.z[i] /= deviation
		}
	}
	l.centre = low + float64(mean*width)
	return l, deviation * width
}

// manyScores is from where on the minimum is first looked for on coarser ones.
const manyScores = 1 << 14

// noSlope is the gradient of very many rows that is all rounding.
const noSlope = 1e-14

// coarse returns the likelihood of some thousand scores, each the mean of neighbours: its minimum is next to that of l.
func (l *likelihood) coarse() *likelihood {
	const parts = 1 << 12
	n := len(l.z)
	c := &likelihood{z: make([]float64, parts), hit: make([]float64, parts), miss: make([]float64, parts)}
	for part := range parts {
		weight := 0.0
		for i := part * n / parts; i < (part+1)*n/parts; i++ {
			w := l.hit[i] + l.miss[i]
			weight += w
			c.z[part] += float64(w * l.z[i])
			c.hit[part] += l.hit[i]
			c.miss[part] += l.miss[i]
		}
		c.z[part] /= weight
	}
	return c
}

// flat returns the b of the best constant map.
func (l *likelihood) flat() float64 {
	hit, miss := 0.0, 0.0
	for i := range l.z {
		hit += l.hit[i]
		miss += l.miss[i]
	}
	return portable.Log(miss / hit)
}

// evaluate computes value, gradient and Hessian at x = (a, b).
func (l *likelihood) evaluate(x [2]float64) {
	parts := make([]derivatives, (len(l.z)+chunk-1)/chunk)
	var group sync.WaitGroup
	for p := range parts {
		work := func() { parts[p] = l.part(x, p*chunk, min((p+1)*chunk, len(l.z))) }
		if len(parts) == 1 {
			work()
			continue
		}
		group.Go(work)
	}
	group.Wait()
	all := parts[0]
	for _, d := range parts[1:] {
		all.add(d)
	}
	l.at, l.derivatives = x, all
}

// chunk is how many scores are evaluated together: their sums are added up in order, on however many processors.
const chunk = 1 << 16

// part evaluates the scores from one on to before another one.
func (l *likelihood) part(x [2]float64, from, to int) (d derivatives) {
	many := len(l.z) > manyScores // each of them counts little, and so do the last digits of its logarithm
	var tails logs8
	for i, z := range l.z[from:to] {
		f := float64(x[0]*z) + x[1]
		e := portable.Exp(-math.Abs(f))
		p, q := sides(f, e)
		hit, miss := l.hit[from+i], l.miss[from+i]
		tail := 0.0
		if many {
			tails.add(hit+miss, 1+e)
		} else {
			tail = portable.Log1p(e)
		}
		d.value += float64(hit*(tail+max(f, 0))) + float64(miss*(tail+max(-f, 0)))
		g := float64(hit*q) - float64(miss*p)
		d.gradient[0] += float64(g * z)
		d.gradient[1] += g
		h := float64((hit + miss) * p * q)
		if h == 0 {
			continue
		}
		// Mean and spread in one pass: West, Comm. ACM 22 (1979) 532-535.
		away, before := z-d.mean, d.curvature
		d.curvature += h
		d.mean += float64(away * (h / d.curvature))
		d.spread += float64(h * (before / d.curvature) * away * away)
	}
	d.value += tails.all()
	return d
}

// logs8 sums up weighted logarithms of numbers from 1 to 2. Of eight neighbours of the same weight it takes one, of
// their product.
type logs8 struct {
	weight, product, sum float64
	n                    int
}

func (s *logs8) add(weight, v float64) {
	if s.n == 8 || s.n > 0 && weight != s.weight {
		s.sum, s.n = s.all(), 0
	}
	if s.n == 0 {
		s.weight, s.product = weight, 1
	}
	s.product *= v
	s.n++
}

func (s *logs8) all() float64 {
	if s.n == 0 {
		return s.sum
	}
	return s.sum + float64(s.weight*portable.Log(s.product))
}

// derivatives are the value of a likelihood and what Newton's method needs. The Hessian is that of a regression
// with a weight for each group: their sum, and with them the mean of z and the sum of squares about it.
type derivatives struct {
	value                   float64
	gradient                [2]float64
	curvature, mean, spread float64
}

// add adds those of other scores (the Hessians as in Chan, Golub and LeVeque, The American Statistician 37 (1983)
// 242-247).
func (d *derivatives) add(e derivatives) {
	d.value += e.value
	d.gradient[0] += e.gradient[0]
	d.gradient[1] += e.gradient[1]
	if e.curvature == 0 {
		return
	}
	away, before := e.mean-d.mean, d.curvature
	d.curvature += e.curvature
	d.mean += float64(away * (e.curvature / d.curvature))
	d.spread += e.spread + float64(e.curvature*(before/d.curvature)*away*away)
}

// steepness returns the larger component of the gradient.
func (l *likelihood) steepness() float64 {
	return max(math.Abs(l.gradient[0]), math.Abs(l.gradient[1]))
}

// flatEnough is the gradient, per unit of weight and of standardised score, below which a
// point counts as the minimum.
const flatEnough = 1e-8

// shortest is the length of a step, in log odds (root mean square over the rows), below which
// a step is no step. Where nearly all rows are of one class the curve starts flat, a full step
// is very long, and only a small part of it improves.
const shortest = 1e-12

// minimise returns the minimum, by at most so many steps of Newton's method with backtracking.
// Whether it is the minimum is for the gradient to say, not for the last step's success.
func (l *likelihood) minimise(x [2]float64, steps int) ([2]float64, error) {
	l.evaluate(x)
	for range steps {
		next, length := l.descend(x)
		if length == 0 {
			if l.at != x {
				l.evaluate(x)
			}
			break
		}
		x = next
		if length < shortest || len(l.z) > manyScores && l.steepness() < noSlope {
			break
		}
	}
	if g := l.steepness(); !(g <= flatEnough) {
		return x, fmt.Errorf("calibration: the sigmoid did not settle (gradient %.3g); use the method %s", g, IsotonicLinear)
	}
	return x, nil
}

// descend takes the Newton step from x, the point last evaluated, halved until it improves,
// and returns where it leads and the length of the full step, 0 if no part of it improves. A
// step improves if the value falls by enough (Armijo); close to the minimum, where differences
// of the value are all rounding, if the gradient shrinks.
func (l *likelihood) descend(x [2]float64) ([2]float64, float64) {
	value, steepness, step := l.value, l.steepness(), l.newton()
	length := portable.Hypot(step[0], step[1])
	slope := float64(l.gradient[0]*step[0]) + float64(l.gradient[1]*step[1])
	for factor := 1.0; factor*length > shortest && finite(length); factor /= 2 {
		next := [2]float64{x[0] + float64(factor*step[0]), x[1] + float64(factor*step[1])}
		l.evaluate(next)
		falls := l.value-value < 1e-4*factor*slope
		flattens := l.value <= value*(1+1e-12) && l.steepness() < steepness
		if falls || flattens {
			return next, length
		}
	}
	return x, 0
}

// newton returns the Newton step from the point last evaluated. About the mean score, in the
// weights of the Hessian, slope and offset are independent, so nothing cancels. Where all
// groups but one are so far out on the curve that they weigh nothing, the ridge makes the
// step long instead of infinite.
func (l *likelihood) newton() [2]float64 {
	const ridge = 1e-15
	slope := -(l.gradient[0] - float64(l.mean*l.gradient[1])) / (l.spread + float64(ridge*l.curvature))
	return [2]float64{slope, -l.gradient[1]/l.curvature - float64(l.mean*slope)}
}
