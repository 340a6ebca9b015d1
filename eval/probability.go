package eval

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Judged holds the figures of the probabilities of a class, against all others, before the maps (as the plain
// rule gives them) and after them (as the tuned rule does).
type Judged struct {
	Raw        *Judgement `json:"raw"`        // before the maps; nil where scores are no probabilities
	Calibrated *Judgement `json:"calibrated"` // after the maps
}

// Judgement holds the figures of probabilities and the tables behind their diagrams.
type Judgement struct {
	Figures   calib.Report `json:"figures"`   // figures of all rows
	Bins      []calib.Bin  `json:"bins"`      // ten bins of equal width, see calib.Sample.Reliability
	Quantiles []calib.Bin  `json:"quantiles"` // ten bins of about as many rows each, see calib.Sample.Quantiles
	Curve     []calib.Bin  `json:"curve"`     // bins of the CORP curve, see calib.Sample.Curve
	// of deciding for the class from a probability on, see calib.Sample.NetBenefit
	Benefit   []calib.Benefit `json:"net_benefit"`
	Decisions []calib.Benefit `json:"-"` // the same at more probabilities: the decision curve
	Cuts      []calib.Cut     `json:"-"` // the ROC and the precision-recall curve, see calib.Sample.Cuts
}

// benefitAt are the probabilities from which on the net benefit of a decision is told.
var benefitAt = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// drawnAt are those of a decision curve, by thousandths from 0 on, as a rare class is decided from little on.
var drawnAt = func() (at []float64) {
	for i := range 1000 {
		at = append(at, float64(i)/1000)
	}
	return at
}()

// curveStep is how far apart the points of a curve are at least.
const curveStep = 0.01

// diagramBins is the number of bins of a diagram.
const diagramBins = 10

// kept are the probabilities that a rule has given, of all repeats.
type kept struct {
	prob   []float64 // n·k, row-major
	truth  []int
	weight []float64
	group  []int   // nil where rows have none
	agreed float64 // weight of the rows for which the largest probability is that of the decision,
	moved  float64 // and of those for which it is neither that nor the plain vote
}

// decide counts the decision of a row with these probabilities, beside that of the plain vote.
func (p *kept) decide(decision, plain int, prob []float64, weight float64) {
	switch {
	case prob[decision] == slices.Max(prob):
		p.agreed += weight
	case decision != plain:
		p.moved += weight
	}
}

func (p *kept) add(prob []float64, truth []int, weight []float64) {
	p.prob, p.truth, p.weight = append(p.prob, prob...), append(p.truth, truth...), append(p.weight, weight...)
}

// judgement judges the probabilities of a class. A row that was judged in each of the repeats is one row.
func (p *kept) judgement(k, class int, repeats float64) (*Judgement, error) {
	n := len(p.truth)
	prob, hit, weight, square := make([]float64, n), make([]bool, n), make([]float64, n), make([]float64, n)
	largest := slices.Max(p.weight) // the unit of the weights below, so that their squares are numbers
	for i, truth := range p.truth {
		prob[i], hit[i] = p.prob[i*k+class], truth == class
		w := p.weight[i] / largest
		weight[i], square[i] = w/repeats, w*w/repeats
		if w*w == 0 {
			weight[i] = 0
		}
	}
	s, err := calib.NewSample(prob, hit, weight, square)
	if err != nil {
		return nil, err
	}
	benefit, err := s.NetBenefit(benefitAt)
	if err != nil {
		return nil, err
	}
	decisions, err := s.NetBenefit(drawnAt)
	if err != nil {
		return nil, err
	}
	j := &Judgement{s.Report(), s.Reliability(diagramBins), s.Quantiles(diagramBins), s.Curve(), benefit, decisions,
		s.Cuts(curveStep)}
	j.Figures.Weight, j.Figures.Excluded = j.Figures.Weight*largest, j.Figures.Excluded*largest
	for _, bins := range [][]calib.Bin{j.Bins, j.Quantiles, j.Curve} {
		for i := range bins {
			bins[i].Count *= largest
		}
	}
	return j, nil
}

// Judge judges the probabilities given for a class, against all others. Prob has n·k elements, row-major; truth
// (−1 where unknown) and weight have n; nil weight means 1 each. Errors: [ErrConfig] for other lengths and a class that
// there is not; those of [calib.NewSample].
func Judge(prob []float64, truth []int, weight []float64, k, class int) (*Judgement, error) {
	if n := len(truth); len(prob) != n*k || weight != nil && len(weight) != n || class < 0 || class >= k {
		return nil, fmt.Errorf("%w: %d probabilities and %d weights for %d rows, and class %d of %d; give one for each row "+
			"and class", ErrConfig, len(prob), len(weight), n, class, k)
	}
	var p kept
	for i, t := range truth {
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		if t >= 0 && w > 0 {
			p.add(prob[i*k:i*k+k], truth[i:i+1], []float64{w})
		}
	}
	if p.truth == nil {
		return nil, calib.ErrNoRows
	}
	return p.judgement(k, class, 1)
}

// judged judges the probabilities of the classes, for two classes of the one that matters: the other one has the
// complement.
func (r *run) judged(classes []string) (map[string]Judged, error) {
	out := map[string]Judged{}
	k, repeats := len(classes), float64(len(r.plain.losses))
	for c, name := range classes {
		if k == 2 && c != r.matters() || r.plain.total.True(c) == 0 {
			continue
		}
		var j Judged
		var err error
		if j.Raw, err = r.plain.kept.judgement(k, c, repeats); err == nil {
			j.Calibrated, err = r.tuned.kept.judgement(k, c, repeats)
		}
		if err != nil {
			return nil, fmt.Errorf("probabilities of class %s: %w", english.Quote(name), err)
		}
		out[name] = j
	}
	return out, nil
}

// matters returns of two classes the one of priority, else the one that was rarer in training.
func (r *run) matters() int {
	if len(r.Priority) > 0 {
		return r.Priority[0]
	}
	return r.order[1]
}
