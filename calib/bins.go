package calib

import (
	"iter"
	"math"
	"slices"
)

// Bin is a row of a reliability table: a range of probabilities and what came of them.
type Bin struct {
	Low       float64 `json:"low"`        // lower end, see the function that made the table
	High      float64 `json:"high"`       // upper end, see the function that made the table
	Count     float64 `json:"count"`      // summed weight of the rows; if it is 0, so are Rows, Mean, Share and Within
	Rows      float64 `json:"rows"`       // effective number of rows, see [Sample]
	Mean      float64 `json:"mean"`       // mean probability given
	Share     float64 `json:"share"`      // share of hits observed
	ShareLow  float64 `json:"share_low"`  // lower end of its 95 % interval, by [Wilson] for Rows rows
	ShareHigh float64 `json:"share_high"` // upper end of that interval
	// Within is the mean of d² − 2·d·(hit − Share) over the rows, where d is a probability less Mean: what the
	// Brier score has beyond that of a bin of equal probabilities.
	Within float64 `json:"within"`
}

// Reliability returns the table behind a reliability diagram: the rows by probability, in
// equally wide bins from 0 to 1. Probabilities are well calibrated where Mean and Share agree.
// A bin goes from Low, included, to High, in the last bin included. It is nil unless bins ≥ 1.
// Source: DeGroot and Fienberg, The Statistician 32 (1983) 12-22.
func (s *Sample) Reliability(bins int) []Bin {
	if bins < 1 {
		return nil
	}
	table := make([]Bin, bins)
	from := 0
	for b := range table {
		to := from
		for to < len(s.cells) && binOf(s.cells[to].prob, bins) == b {
			to++
		}
		table[b] = s.bin(s.cells[from:to])
		table[b].Low, table[b].High = float64(b)/float64(bins), float64(b+1)/float64(bins)
		from = to
	}
	return table
}

// Quantiles returns the table of at most bins bins of about equal weight, in which Low and High are the
// smallest and the largest probability of each. Equal probabilities stay together: a probability goes where the
// middle of its rows falls, and empty bins are left out. It is nil unless bins ≥ 1.
func (s *Sample) Quantiles(bins int) []Bin {
	if bins < 1 {
		return nil
	}
	var table []Bin
	var below sum
	from, last := 0, 0
	for i, c := range s.cells {
		middle := below.value() + float64(c.weight()/2)
		b := min(int(float64(bins)*(middle/s.all.weight())), bins-1)
		if i > from && b != last {
			table = append(table, s.bin(s.cells[from:i]))
			from = i
		}
		last = b
		below.add(c.weight())
	}
	return append(table, s.bin(s.cells[from:]))
}

// Values returns the table with a bin for each distinct probability, which suits vote shares of few trees. All
// its Within are 0.
func (s *Sample) Values() []Bin {
	table := make([]Bin, len(s.cells))
	for i := range table {
		table[i] = s.bin(s.cells[i : i+1])
	}
	return table
}

// bin sums up neighbouring cells, which may be none.
func (s *Sample) bin(cells []cell) Bin {
	if len(cells) == 0 {
		return Bin{ShareHigh: 1}
	}
	all := add(cells)
	weight := all.weight()
	b := Bin{
		Low: cells[0].prob, High: cells[len(cells)-1].prob,
		Count: s.unscaled(weight), Rows: all.rows(), Share: all.hit / weight,
	}
	b.ShareLow, b.ShareHigh = Wilson(float64(b.Share*b.Rows), b.Rows, Z95)
	var mean, within sum
	for _, c := range cells {
		mean.add(float64(c.weight() * c.prob))
	}
	b.Mean = min(max(mean.value()/weight, b.Low), b.High)
	for _, c := range cells {
		d := c.prob - b.Mean
		off := float64(c.hit*(1-b.Share)) - float64(c.miss*b.Share)
		within.add(float64(d*d*c.weight()) - float64(2*d*off))
	}
	b.Within = within.value() / weight
	return b
}

// binOf returns the b with b/bins ≤ p < (b+1)/bins. The product p·bins alone may be rounded
// across an edge.
func binOf(p float64, bins int) int {
	switch {
	case p >= 1:
		return bins - 1
	case !(p > 0):
		return 0
	}
	b := min(int(p*float64(bins)), bins-1)
	switch {
	case p < float64(b)/float64(bins):
		b--
	case b < bins-1 && p >= float64(b+1)/float64(bins):
		b++
	}
	return b
}

// Murphy holds the parts of a Brier score on a table: the score is Reliability − Resolution + Uncertainty +
// Within, except for rounding.
type Murphy struct {
	Reliability float64 `json:"reliability"` // mean of (Mean − Share)²: the miscalibration seen
	Resolution  float64 `json:"resolution"`  // mean of (Share − share of all)²: how much the bins tell
	// share·(1 − share) of all rows: the score of someone who knows only that share
	Uncertainty float64 `json:"uncertainty"`
	Within      float64 `json:"within"` // mean of the bins' Within; 0 if each bin has one probability
}

// Decompose returns Murphy's decomposition on a table of bins, weighted by their Count. On [Sample.Values] it
// is exact, with Within 0. If nearly every row has its own probability that says little, because then
// Resolution is about Uncertainty; use few bins, or [CORP]. Without rows all parts are NaN. Source: Murphy, J.
// Appl. Meteorology 12 (1973) 595-600; within bins, Stephenson, Coelho and Jolliffe, Weather and Forecasting 23
// (2008) 752-757.
func Decompose(table []Bin) Murphy { return decompose(slices.Values(table)) }

func decompose(table iter.Seq[Bin]) Murphy {
	share, _ := meanOfBins(table, func(b Bin) float64 { return b.Share })
	reliability, _ := meanOfBins(table, func(b Bin) float64 { return square(b.Mean - b.Share) })
	resolution, _ := meanOfBins(table, func(b Bin) float64 { return square(b.Share - share) })
	within, _ := meanOfBins(table, func(b Bin) float64 { return b.Within })
	return Murphy{reliability, resolution, float64(share * (1 - share)), within}
}

// values yields of [Sample.Values] what its decomposition needs.
func (s *Sample) values(yield func(Bin) bool) {
	for _, c := range s.cells {
		if !yield(Bin{Count: c.weight(), Mean: c.prob, Share: c.hit / c.weight()}) {
			return
		}
	}
}

// ECE returns the expected calibration error of a table of bins, the mean of |Mean − Share| weighted by their
// Count, in [0, 1], and the largest |Mean − Share|. It depends on the bins and is not 0 even for calibrated
// probabilities, because chance moves the shares: compare only like with like. Without rows both are NaN.
// Source: Naeini, Cooper and Hauskrecht, AAAI 2015.
func ECE(table []Bin) (mean, largest float64) {
	return meanOfBins(slices.Values(table), func(b Bin) float64 { return math.Abs(b.Mean - b.Share) })
}

// meanOfBins returns the mean of a figure by Count, and its largest value.
func meanOfBins(table iter.Seq[Bin], figure func(b Bin) float64) (mean, largest float64) {
	var figures, counts sum
	largest = math.NaN()
	for b := range table {
		if !(b.Count > 0) {
			continue
		}
		f := figure(b)
		figures.add(float64(b.Count * f))
		counts.add(b.Count)
		if !(f <= largest) {
			largest = f
		}
	}
	return figures.value() / counts.value(), largest
}

func square(x float64) float64 { return x * x }
