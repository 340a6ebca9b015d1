package eval

import (
	"math"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// expectation is what probabilities imply: how many rows of each class are decided as each, and the variance of these
// numbers by the chance of the labels; by class with the rows that are left to people, and without them.
type expectation struct {
	rows, noise   *vote.Confusion
	all, allNoise []float64 // by class
	times         []float64 // by class, how many times as common it is as where the maps were fitted
}

// under returns what is expected where the classes have other shares than those that the probabilities are for.
func (e *estimating) under(shares []float64) expectation {
	k := len(e.base)
	out := expectation{vote.NewConfusion(e.Classes), vote.NewConfusion(e.Classes), make([]float64, k), make([]float64, k),
		make([]float64, k)}
	for c, s := range shares {
		if out.times[c] = 1; e.base[c] > 0 {
			out.times[c] = s / e.base[c]
		}
	}
	for _, cell := range e.Cells {
		sum, p := 0.0, make([]float64, k)
		for c := range p {
			p[c] = float64(cell.Expected[c] * out.times[c])
			sum += p[c]
		}
		for c := range p {
			if !(sum > 0) {
				continue
			}
			was, is := cell.Expected[c]/cell.Rows, p[c]/sum
			noise := cell.Noise[c]
			if spread := float64(was * (1 - was)); spread > 0 {
				noise *= float64(is*(1-is)) / spread
			}
			out.all[c] += float64(is * cell.Rows)
			out.allNoise[c] += noise
			if cell.Decision >= 0 {
				out.rows.Add(c, cell.Decision, float64(is*cell.Rows))
				out.noise.Add(c, cell.Decision, noise)
			}
		}
	}
	return out
}

// fillIn fills in what is estimated: the figures under the likeliest shares of the classes, with intervals that hold
// those under all shares that the votes do not contradict, and under those of training.
func (e *estimating) fillIn(out *Estimates) {
	plain := e.under(e.base)
	is := plain
	if out.Shifted {
		is = e.under(e.shares)
	}
	costs := e.Costs
	if !out.Void && len(costs.Matrix) == len(e.Classes) && !costs.Amounts() {
		out.Cost = widened(e.costOf(&is), e.costOf(&plain))
	}
	for c, name := range e.Classes {
		of := ClassEstimate{Class: name, Alerts: plain.rows.Predicted(c) / e.Watch.Rows}
		if e.Alerts != nil {
			of.AlertsWas = e.Alerts[c]
		}
		if !out.Void {
			of.Share, of.Recall, of.Precision = e.shareOf(&is, c), e.recallOf(&is, c), e.precisionOf(&is, c)
			ends := e.shareEnds(c)
			for _, x := range []expectation{plain, e.under(e.fit(c, ends[0])), e.under(e.fit(c, ends[1]))} {
				of.Share = widened(of.Share, e.shareOf(&x, c))
				of.Recall = widened(of.Recall, e.recallOf(&x, c))
				of.Precision = widened(of.Precision, e.precisionOf(&x, c))
				if out.Cost != nil {
					out.Cost = widened(out.Cost, e.costOf(&x))
				}
			}
		}
		out.Classes = append(out.Classes, of)
	}
}

// widened returns a forecast with an interval that also holds another one.
func widened(f, other *Forecast) *Forecast {
	if f == nil || other == nil {
		return f
	}
	f.Interval[0], f.Interval[1] = min(f.Interval[0], other.Interval[0]), max(f.Interval[1], other.Interval[1])
	return f
}

// ofMaps is the variance of an expected number of rows of a class that the maps are wrong by: that of the number among
// the rows that they were fitted on, of which one more is taken to be such.
func (e *estimating) ofMaps(rows, times float64) float64 {
	return float64(e.rest*times) * (rows + float64(e.rest*times))
}

// among is a share a/(a+b) of expected numbers, with the interval of as many rows as have its variance.
func among(a, b, ofA, ofB float64) *Forecast {
	all := a + b
	if !(all > 0) {
		return nil
	}
	p := a / all
	variance := (float64((1-p)*(1-p))*ofA + float64(p*p)*ofB) / float64(all*all)
	near := (a + 0.5) / (all + 1) // of which there is always some variance
	n := near * (1 - near) / variance
	return reachable(p, n, all)
}

// reachable is a share p of a number of rows, with the interval of n rows. As rows are whole, none of them, or all, is
// within it where an end is less than half a row away.
func reachable(p, n, rows float64) *Forecast {
	low, high := calib.Wilson(p*n, n, calib.Z95)
	if low*rows < 0.5 {
		low = 0
	}
	if (1-high)*rows < 0.5 {
		high = 1
	}
	return &Forecast{Value: p, Interval: [2]float64{min(low, p), max(high, p)}}
}

func (e *estimating) recallOf(x *expectation, c int) *Forecast {
	hits, alarms, missed := x.rows.Hits(c), x.rows.Predicted(c), x.rows.True(c)-x.rows.Hits(c)
	wrong := 0.0
	if alarms > 0 {
		wrong = 1 - hits/alarms
	}
	return among(hits, max(0, missed), x.noise.Hits(c)+e.ofMaps(float64(hits*wrong), x.times[c]),
		max(0, x.noise.True(c)-x.noise.Hits(c))+e.ofMaps(max(0, missed), x.times[c]))
}

func (e *estimating) precisionOf(x *expectation, c int) *Forecast {
	hits, alarms := x.rows.Hits(c), x.rows.Predicted(c)
	if !(alarms > 0) {
		return nil
	}
	return exact(hits/alarms, alarms, x.noise.Hits(c)+e.ofMaps(float64(hits*(1-hits/alarms)), x.times[c]))
}

func (e *estimating) shareOf(x *expectation, c int) *Forecast {
	return exact(x.all[c]/e.Watch.Rows, e.Watch.Rows, x.allNoise[c]+e.ofMaps(x.all[c], x.times[c]))
}

// exact is a share p of a known number of rows, of which that many rows have a variance.
func exact(p, rows, variance float64) *Forecast {
	near := (float64(p*rows) + 0.5) / (rows + 1)
	n := near * (1 - near) * rows * rows / variance
	return reachable(p, n, rows)
}

// costOf is the mean cost of a row.
func (e *estimating) costOf(x *expectation) *Forecast {
	costs := e.Costs
	var variance portable.Sum
	for truth, row := range costs.Matrix {
		for decision, cost := range row {
			of := x.noise.At(truth, decision) + e.ofMaps(x.rows.At(truth, decision), x.times[truth])
			variance.Add(float64(cost * cost * of))
		}
	}
	rows := x.rows.Total()
	if !(rows > 0) {
		return nil
	}
	mean, off := costs.Total(x.rows)/rows, calib.Z95*math.Sqrt(variance.Value())/rows
	return &Forecast{Value: mean, Interval: [2]float64{max(0, mean-off), mean + off}}
}
