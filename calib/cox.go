package calib

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Estimate is a fitted number and its standard error.
type Estimate struct {
	Value float64 `json:"value"` // the estimate
	SE    float64 `json:"se"`    // its standard error
}

var unknown = Estimate{math.NaN(), math.NaN()}

func (e Estimate) orUnknown() Estimate {
	if !finite(e.Value) || !finite(e.SE) {
		return unknown
	}
	return e
}

// cox fits the outcome on the log odds x of the probabilities: the intercept a of
// logit P(hit) = a + x, and the slope b of logit P(hit) = c + b·x.
func (s *Sample) cox() (intercept, slope Estimate) {
	x := make([]float64, len(s.cells))
	for i, c := range s.cells {
		x[i] = logit(c.prob)
	}
	return s.intercept(x), s.slope(x)
}

// intercept solves Σ w·P(a + x) = Σ w·hit for a: the sum grows with a, and the solution lies
// between those for all x being the largest, and the least.
func (s *Sample) intercept(x []float64) Estimate {
	if s.all.hit == 0 || s.all.miss == 0 {
		return unknown
	}
	centre := portable.Log(s.all.hit / s.all.miss)
	low, high := centre-x[len(x)-1], centre-x[0]
	a, information := low+float64((high-low)/2), 0.0
	for range 100 { // by Newton's method, by halves where that leaves the bracket
		var excess, curvature sum
		for i, c := range s.cells {
			q, p, _ := logistic(a + x[i])
			excess.add(float64(c.miss*p) - float64(c.hit*q))
			curvature.add(float64(c.weight() * p * q))
		}
		information = curvature.value()
		if excess.value() > 0 {
			high = a
		} else {
			low = a
		}
		next := a - excess.value()/information
		if !(next >= low && next <= high) {
			next = low + float64((high-low)/2)
		}
		if math.Abs(next-a) <= 1e-15*max(1, math.Abs(a)) {
			break
		}
		a = next
	}
	return Estimate{a, 1 / math.Sqrt(information/s.all.weight()*s.all.rows())}.orUnknown()
}

// slope is unknown where no finite one is best: where the log odds do not overlap, that is,
// are all equal, of one class, or parted between the classes but for a single value.
func (s *Sample) slope(x []float64) Estimate {
	if !s.overlap(x) {
		return unknown
	}
	var mean, spread sum
	for i, c := range s.cells {
		mean.add(float64(c.weight() / s.all.weight() * x[i]))
	}
	for i, c := range s.cells {
		spread.add(float64(c.weight() / s.all.weight() * square(x[i]-mean.value())))
	}
	deviation := math.Sqrt(spread.value())
	l := &likelihood{z: make([]float64, len(x)), hit: make([]float64, len(x)), miss: make([]float64, len(x))}
	for i, c := range s.cells {
		l.z[i] = (x[i] - mean.value()) / deviation
		l.hit[i], l.miss[i] = c.hit/s.all.weight(), c.miss/s.all.weight()
	}
	at, err := l.minimise([2]float64{0, portable.Log(s.all.miss / s.all.hit)}, 200)
	b := Estimate{-at[0] / deviation, 1 / (deviation * math.Sqrt(l.spread*s.all.rows()))}
	if err != nil {
		return unknown // parted but for next to no weight
	}
	return b.orUnknown()
}

// overlap reports whether each class reaches into the other: the condition for a best finite
// slope (Albert and Anderson, Biometrika 71 (1984) 1-10).
func (s *Sample) overlap(x []float64) bool {
	inf := math.Inf(1)
	lowHit, highHit, lowMiss, highMiss := inf, -inf, inf, -inf
	for i, c := range s.cells {
		if c.hit > 0 {
			lowHit, highHit = min(lowHit, x[i]), x[i]
		}
		if c.miss > 0 {
			lowMiss, highMiss = min(lowMiss, x[i]), x[i]
		}
	}
	return lowHit < highMiss && lowMiss < highHit
}
