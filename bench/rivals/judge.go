package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// judge fills in the figures of v, and how far they are above those of ours on the same rows.
func (r *result) judge(p *problem, m pragma.Measure, v, ours verdict) error {
	n, k := p.frame.Rows(), len(p.frame.Classes)
	r.Seconds = v.seconds
	r.Pragma, r.PragmaGap, r.PragmaSE = gap(p.frame, m, v.decided, ours.decided)
	gaps := make([]float64, n)
	for i, truth := range p.frame.Truth {
		at := i*k + truth
		gaps[i] = math.Log(max(ours.prob[at], calib.Clip)) - math.Log(max(v.prob[at], calib.Clip))
	}
	r.LogLoss, r.Brier = calib.LogLoss(v.prob, p.frame.Truth, nil, k), calib.Brier(v.prob, p.frame.Truth, nil, k)
	mean, sd := stat.MeanStdDev(gaps, nil)
	r.LogLossGap, r.LogLossSE = mean, stat.StdErr(sd, float64(n))
	r.AUC = 0
	for fold := range outerFolds {
		_, out := dataset.SplitFold(p.outer, fold)
		var prob []float64
		var hit []bool
		for _, row := range out {
			prob, hit = append(prob, min(1, v.prob[row*k+p.rare])), append(hit, p.frame.Truth[row] == p.rare)
		}
		sample, err := calib.NewSample(prob, hit, nil, nil)
		if err != nil {
			return err
		}
		area, _ := sample.AUC()
		r.AUC += area / outerFolds
	}
	return nil
}

// resamples is how often the rows are drawn anew for a standard error.
const resamples = 400

// gap returns the loss of decisions, how far it is above that of others, and the standard error of this difference,
// over resamples of the rows.
func gap(frame *dataset.Frame, m pragma.Measure, decided, others []int) (loss, above, se float64) {
	n := frame.Rows()
	weights, gaps := make([]float64, n), make([]float64, 0, resamples)
	rng := rand.New(rand.NewPCG(7, 7)) // the same resamples for all sides
	for r := range resamples + 1 {
		for i := range weights {
			weights[i] = 1
		}
		if r > 0 {
			clear(weights)
			for range n {
				weights[rng.IntN(n)]++
			}
		}
		a, b := vote.NewConfusion(frame.Classes), vote.NewConfusion(frame.Classes)
		for i, truth := range frame.Truth {
			a.Add(truth, decided[i], weights[i])
			b.Add(truth, others[i], weights[i])
		}
		if r == 0 {
			loss = m.Loss(a)
			above = loss - m.Loss(b)
			continue
		}
		gaps = append(gaps, m.Loss(a)-m.Loss(b))
	}
	return loss, above, stat.PopStdDev(gaps, nil)
}
