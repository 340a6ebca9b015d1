package forest

import "github.com/rfpragma/rfpragma/internal/portable"

// offCentred computes scores of the entropy that is largest where the shares of the classes are those among all
// training rows, and not where they are equal: there a node knows no more than anyone (Lallich, Lenca, Vaillant,
// Construction of an off-centered entropy for supervised learning, ASMDA 2007). Of k classes with shares w_c among
// all rows, a side in which they have the shares p_c has the entropy of q_c / Σq_j with
//
//	q_c = p_c / (k·w_c)                          up to p_c = w_c,
//	q_c = (k·(p_c − w_c) + 1 − p_c) / (k·(1−w_c))  beyond.
//
// Of two classes the q_c add up to 1 and the entropy is concave in p_c, so no split raises it; of more that is not
// sure.
//
// The w_c are those of the whole frame, by weight, and not those of a bag. The few rows of a rare class that a bag
// draws say little of how rare it is, and a bag that draws more of them does not make it less rare.
type offCentred struct {
	k     float64   // number of classes that have rows
	prior []float64 // by class, as numbered in the grower
}

func newOffCentred(d *coded, c Config) *offCentred {
	o := &offCentred{prior: make([]float64, d.k)}
	sum := 0.0
	for nr, class := range d.classes { // the same sum whatever the order in which classes are named
		if o.prior[nr] = d.share[class]; c.ClassWeight != nil {
			o.prior[nr] *= c.ClassWeight[class]
		}
		if sum += o.prior[nr]; o.prior[nr] > 0 {
			o.k++
		}
	}
	for nr := range o.prior {
		o.prior[nr] /= sum
	}
	return o
}

func (o *offCentred) score(weights []float64, _ float64, classes []int32) float64 {
	sum, all, first := 0.0, 0.0, 0.0
	for _, c := range classes {
		sum += max(0, weights[c])
	}
	if sum == 0 {
		return 0
	}
	for _, c := range classes {
		p, w, q := max(0, weights[c])/sum, o.prior[c], 0.0
		switch {
		case p == 1: // a side of one class
			return 0
		case p <= w:
			q = p / (o.k * w)
		default:
			q = (float64(o.k*(p-w)) + 1 - p) / (o.k * (1 - w))
		}
		all += q
		if q > 0 {
			first += float64(q * portable.Log(q))
		}
	}
	// of q_c/all: −Σ (q_c/all)·ln(q_c/all) = ln all − Σ q_c·ln q_c / all
	return -sum * max(0, portable.Log(all)-first/all)
}
