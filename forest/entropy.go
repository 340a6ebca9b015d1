package forest

import "github.com/rfpragma/rfpragma/internal/portable"

// entropy computes scores of information: of a side Σ_c w_c·ln w_c - w·ln w.
type entropy struct {
	wlogw []float64 // of whole weights
}

// newEntropy keeps the values for weights up to most.
func newEntropy(most int) *entropy {
	e := &entropy{wlogw: make([]float64, most+1)}
	for w := range e.wlogw[1:] {
		e.wlogw[w+1] = float64(w+1) * portable.Log(float64(w+1))
	}
	return e
}

// f returns w·ln w.
func (e *entropy) f(w float64) float64 {
	if i := int(w); i < len(e.wlogw) && float64(i) == w {
		return e.wlogw[i]
	}
	return float64(w * portable.Log(w))
}

func (e *entropy) score(weights []float64, sum float64, classes []int32) float64 {
	score := 0.0
	for _, c := range classes {
		if w := weights[c]; w > 0 {
			score += e.f(w)
		}
	}
	return score - e.f(sum)
}
