package calib

import "math"

// ECEBins is the number of equally wide bins of [Report.ECE].
const ECEBins = 10

// Report holds the figures that judge the probabilities of a [Sample]. A figure that is not defined is NaN, in
// JSON null; all others are finite.
type Report struct {
	Weight   float64 `json:"weight"`   // summed weight of the rows
	Rows     float64 `json:"rows"`     // effective number of rows, see Sample
	Distinct int     `json:"distinct"` // number of different probabilities
	Share    float64 `json:"share"`    // share of hits
	Mean     float64 `json:"mean"`     // mean probability; near Share if calibrated in the large

	// The Brier score and the log loss, with their parts. The scores are those of the functions Brier and
	// LogLoss, for two classes.
	Brier   CORP `json:"brier"`
	LogLoss CORP `json:"log_loss"`
	// The standard errors of the scores, over rows drawn anew. NaN if Rows is 1.
	BrierSE   float64 `json:"brier_se"`
	LogLossSE float64 `json:"log_loss_se"`
	// Excluded is the weight of the rows of probability 0 that were hits, or 1 that were not. If it is above 0,
	// the log loss and its MCB are in truth infinite (DSC and UNC never are): the figures above count 34.54 for
	// such a row, see Clip.
	Excluded float64 `json:"excluded"`
	Murphy   Murphy  `json:"murphy"` // the Brier score on the distinct probabilities, see Decompose
	ECE      float64 `json:"ece"`    // of ECEBins equally wide bins, see the function ECE

	// Cox's calibration intercept and slope (Biometrika 45 (1958) 562-565). The intercept is a in logit P(hit)
	// = a + logit p: 0 if calibrated, above if the probabilities are too low on average. The slope is b in
	// logit P(hit) = c + b·logit p: 1 if calibrated, below if they are too extreme. Probabilities are clipped
	// as for the log loss. The standard errors are those of maximum likelihood for Rows rows. The intercept is
	// NaN for rows of one class. So is the slope, which is also NaN if all probabilities are equal or if they
	// separate the classes, because then no finite one is best.
	Intercept Estimate `json:"intercept"`
	Slope     Estimate `json:"slope"`
	// Z is about standard normal if the probabilities are calibrated, that is, beyond ±1.96 in 5 % of the
	// samples (Spiegelhalter, Statistics in Medicine 5 (1986) 421-433). It is NaN if all probabilities are 0, ½
	// or 1.
	Z float64 `json:"z"`

	// AUC is the area under the ROC curve: the share of pairs of a hit and another row in
	// which the hit has the larger probability, a tie counting ½ (Hanley and McNeil, Radiology
	// 143 (1982) 29-36). NaN for rows of one class.
	AUC float64 `json:"auc"`
	// AUCSE is its standard error (DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988) 837-845), 0 if the
	// probabilities separate the classes. NaN where it would be too small by chance: with effectively fewer
	// than 10 rows of either class, or if all rows of one class beat equally many of the other, as they do if
	// they tie, but not all or none.
	AUCSE float64 `json:"auc_se"`
	// TiedPairs is the share of these pairs that tie. Isotonic maps make ties, which show here and in Distinct.
	// NaN for rows of one class.
	TiedPairs float64 `json:"tied_pairs"`
	// AveragePrecision is the area under the precision-recall curve, as steps: the mean, over all hits, of the
	// precision among the rows with at least the hit's probability. So rows that tie enter together. NaN
	// without a hit.
	AveragePrecision float64 `json:"average_precision"`
}

// Report computes the figures, in time proportional to the distinct probabilities.
func (s *Sample) Report() Report {
	n := s.all.weight()
	r := Report{
		Weight: s.unscaled(n), Rows: s.all.rows(), Distinct: len(s.cells), Share: s.all.hit / n,
		Murphy: decompose(s.values),
	}
	var mean sum
	for _, c := range s.cells {
		mean.add(float64(c.weight() * c.prob))
		switch c.prob {
		case 0:
			r.Excluded += s.unscaled(c.hit)
		case 1:
			r.Excluded += s.unscaled(c.miss)
		}
	}
	r.Mean = min(mean.value()/n, 1)
	r.Brier, r.LogLoss = s.corp()
	r.BrierSE = s.scoreSE(r.Brier.Score, quadratic)
	r.LogLossSE = s.scoreSE(r.LogLoss.Score, logarithmic)
	r.ECE, _ = ECE(s.Reliability(ECEBins))
	r.Intercept, r.Slope = s.cox()
	r.Z = s.spiegelhalter()
	r.AUC, r.TiedPairs = s.auc()
	r.AUCSE = s.sureSE(r.AUC)
	r.AveragePrecision = s.averagePrecision()
	return r
}

// scoreSE returns the standard error of a mean of losses, of a probability for rows of these
// weights.
func (s *Sample) scoreSE(mean float64, loss func(p, hit, miss float64) float64) float64 {
	var squares sum
	for _, c := range s.cells {
		squares.add(float64(c.hitSquare * square(loss(c.prob, 1, 0)-mean)))
		squares.add(float64(c.missSquare * square(loss(c.prob, 0, 1)-mean)))
	}
	return math.Sqrt(varianceOfMean(squares.value(), s.all.weight(), s.all.rows()))
}

// varianceOfMean returns that of a weighted mean, of the sum of squared weights times squared
// deviations, the sum of the weights, and the effective number of rows: as of a sample, NaN for
// one row.
func varianceOfMean(squares, weight, rows float64) float64 {
	if !(rows > 1+1e-9) {
		return math.NaN()
	}
	return squares / weight / weight * (rows / (rows - 1))
}

func (s *Sample) spiegelhalter() float64 {
	var excess, variance sum
	for _, c := range s.cells {
		lean := 1 - float64(2*c.prob)
		excess.add(float64(lean * (float64(c.hit*(1-c.prob)) - float64(c.miss*c.prob))))
		variance.add(float64((c.hitSquare + c.missSquare) * lean * lean * c.prob * (1 - c.prob)))
	}
	if z := excess.value() / math.Sqrt(variance.value()); finite(z) {
		return z
	}
	return math.NaN()
}

func (s *Sample) auc() (area, tied float64) {
	if s.all.hit == 0 || s.all.miss == 0 {
		return math.NaN(), math.NaN()
	}
	var won, ties, below sum
	for _, c := range s.cells {
		// Shares of the classes, as products of weights could be too small.
		hit, miss := c.hit/s.all.hit, c.miss/s.all.miss
		won.add(float64(hit * (below.value() + float64(miss/2))))
		ties.add(float64(hit * miss))
		below.add(miss)
	}
	return min(won.value(), 1), min(ties.value(), 1)
}

// AUC returns the area under the ROC curve and its standard error, as in a [Report], but also for few rows and
// for ties.
func (s *Sample) AUC() (area, se float64) {
	area, _ = s.auc()
	return area, s.aucSE(area)
}

// PlacementValue says where the rows of a probability stand among those of the other class; a tie counts ½. The AUC
// is the mean of Hit over the hits, and of Miss over the other rows.
type PlacementValue struct {
	Prob float64
	Hit  float64 // share of the other rows that a hit of this probability beats
	Miss float64 // share of the hits that beat another row of this probability
}

// PlacementValues returns the placement of each distinct probability, by increasing probability. They are the terms
// of DeLong's standard error, see [Report]. If there are no hits, or no other rows, they are NaN.
func (s *Sample) PlacementValues() []PlacementValue {
	out := make([]PlacementValue, len(s.cells))
	var missesBelow, hitsBelow sum
	for i, c := range s.cells {
		hit, miss := c.hit/s.all.hit, c.miss/s.all.miss
		out[i] = PlacementValue{c.prob, missesBelow.value() + float64(miss/2), 1 - (hitsBelow.value() + float64(hit/2))}
		hitsBelow.add(hit)
		missesBelow.add(miss)
	}
	return out
}

// fewestRanked is how many rows of each class, in effect, the standard error of an area takes.
const fewestRanked = 10

// sureSE is the standard error of an area, NaN where it would be too small by chance.
func (s *Sample) sureSE(area float64) float64 {
	hits, misses := s.aucVariance(area)
	least := min(effective(s.all.hit, s.all.hitSquare), effective(s.all.miss, s.all.missSquare))
	alike := min(hits, misses) < 1e-20 && area > 0 && area < 1 // but for rounding
	if !(least > fewestRanked-1e-9) || alike {
		return math.NaN()
	}
	return math.Sqrt(hits + misses)
}

func (s *Sample) aucSE(area float64) float64 {
	hits, misses := s.aucVariance(area)
	return math.Sqrt(hits + misses)
}

// aucVariance returns the parts of the variance of an area that are due to the hits and to the others.
func (s *Sample) aucVariance(area float64) (ofHits, ofMisses float64) {
	var hits, misses sum
	for i, at := range s.PlacementValues() {
		hits.add(float64(s.cells[i].hitSquare * square(at.Hit-area)))
		misses.add(float64(s.cells[i].missSquare * square(at.Miss-area)))
	}
	ofHits = varianceOfMean(hits.value(), s.all.hit, effective(s.all.hit, s.all.hitSquare))
	return ofHits, varianceOfMean(misses.value(), s.all.miss, effective(s.all.miss, s.all.missSquare))
}

func (s *Sample) averagePrecision() float64 {
	if s.all.hit == 0 {
		return math.NaN()
	}
	var hits, misses, mean sum
	for i := len(s.cells) - 1; i >= 0; i-- {
		c := s.cells[i]
		hits.add(c.hit)
		misses.add(c.miss)
		precision := hits.value() / (hits.value() + misses.value())
		mean.add(float64(c.hit / s.all.hit * precision))
	}
	return min(mean.value(), 1)
}
