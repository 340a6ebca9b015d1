package pragma

import "github.com/rfpragma/rfpragma/vote"

// Measure is a loss of a confusion matrix: 0 is perfect, lower is better. It is called for
// every step of a search, so it should cost no more than O(k).
type Measure func(*vote.Confusion) float64

// weighing is a preference made ready for use: both weights are >= 0 and add up to 1.
type weighing struct{ theta, recall, precision float64 }

// Measure returns PRAGMA over classes, in that order:
//
//	PRAGMA  = Σ θ·f(r, p) / Σ θ,  in [0, 1]
//	f(r, p) = 1 + α·r + β·p
//
// with the recall r and the precision p of each class. A class that is never predicted has
// precision 0. A class without rows leaves the mean; with no class left PRAGMA is 1.
//
// Errors: those of [Spec.Resolve]. They are checked here, and never again.
func (s Spec) Measure(classes []string) (Measure, error) {
	prefs, err := s.Resolve(classes)
	if err != nil {
		return nil, err
	}
	largest := 0.0
	for _, p := range prefs {
		largest = max(largest, p.Theta)
	}
	weighings := make([]weighing, len(prefs))
	for c, p := range prefs {
		alpha, beta := p.AlphaBeta()
		weighings[c] = weighing{theta: p.Theta / largest, recall: -alpha, precision: -beta}
	}
	return func(m *vote.Confusion) float64 { return plane(weighings, m) }, nil
}

// plane computes f as −α(1−r) − β(1−p), which is the same since α + β = −1, and exactly 0
// for perfect decisions.
func plane(weighings []weighing, m *vote.Confusion) float64 {
	loss, sum := 0.0, 0.0
	for c, w := range weighings {
		r, ok := m.Recall(c)
		if !ok {
			continue
		}
		p, _ := m.Precision(c)
		f := float64(w.recall*(1-r)) + float64(w.precision*(1-p))
		loss += float64(w.theta * f)
		sum += w.theta
	}
	if !(sum > 0) {
		return 1
	}
	return min(loss/sum, 1)
}
