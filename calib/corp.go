package calib

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// CORP holds the parts of a score S of probabilities: S = MCB − DSC + UNC, except for rounding. PAV denotes the
// probabilities that isotonic regression on the same rows makes of the given ones; then MCB = S(given) −
// S(PAV), UNC = S(share of hits, for all rows), and DSC = UNC − S(PAV). There are no bins to choose, and
// neither MCB nor DSC is negative. PAV flatters a little, because it is fitted and judged on the same rows:
// both are larger than they would be on very many rows. Source: Dimitriadis, Gneiting and Jordan, PNAS 118
// (2021) e2016191118.
type CORP struct {
	Score float64 `json:"score"` // S: lower is better
	MCB   float64 `json:"mcb"`   // miscalibration: what a better map would gain
	DSC   float64 `json:"dsc"`   // discrimination: what the ranking gains over one probability for all
	UNC   float64 `json:"unc"`   // uncertainty: depends on the share of hits alone
}

// Curve returns the CORP reliability curve: the bins that isotonic regression makes, with strictly increasing
// Share; Low and High are the smallest and the largest probability in each, and Share is the recalibrated
// probability of all of them. The intervals take the bins as given, so they are too narrow where chance made a
// bin; see [Sample.Consistency].
func (s *Sample) Curve() []Bin {
	var table []Bin
	from := 0
	for _, b := range pav(s.blocks(nil)) {
		to := from
		for to < len(s.cells) && s.cells[to].prob <= b.last {
			to++
		}
		table = append(table, s.bin(s.cells[from:to]))
		from = to
	}
	return table
}

// blocks returns the cells as [pav] takes them, in place of those given.
func (s *Sample) blocks(blocks []block) []block {
	blocks = blocks[:0]
	for _, c := range s.cells {
		blocks = append(blocks, block{c.prob, c.prob, c.hit, c.weight()})
	}
	return blocks
}

// corp returns the parts of both scores.
func (s *Sample) corp() (brier, logLoss CORP) {
	var squares, logs, fitted, entropy sum
	for _, c := range s.cells {
		squares.add(quadratic(c.prob, c.hit, c.miss))
		logs.add(logarithmic(c.prob, c.hit, c.miss))
	}
	for _, b := range pav(s.blocks(nil)) {
		miss := max(b.weight-b.sum, 0)
		fitted.add(float64(b.sum * (miss / b.weight)))
		entropy.add(surprise(b.sum, b.weight))
		entropy.add(surprise(miss, b.weight))
	}
	n := s.all.weight()
	brier = parts(squares.value()/n, fitted.value()/n, float64(s.all.hit/n*(s.all.miss/n)))
	logLoss = parts(logs.value()/n, entropy.value()/n, (surprise(s.all.hit, n)+surprise(s.all.miss, n))/n)
	return brier, logLoss
}

// parts makes of the scores of the given, the recalibrated and the constant probabilities what
// they are made of. Neither part is below 0, but rounding could take it there.
func parts(score, fitted, constant float64) CORP {
	return CORP{score, max(score-fitted, 0), max(constant-fitted, 0), constant}
}

// quadratic returns the summed squares of a probability for rows of these weights.
func quadratic(p, hit, miss float64) float64 {
	return float64(hit*(1-p)*(1-p)) + float64(miss*p*p)
}

// logarithmic returns the summed logarithmic losses, clipped as in [LogLoss].
func logarithmic(p, hit, miss float64) float64 {
	return -float64(hit*portable.Log(clip(p))) - float64(miss*portable.Log(clip(1-p)))
}

// surprise returns −part·ln(part/whole), 0 for no part.
func surprise(part, whole float64) float64 {
	share := part / whole
	if share == 0 {
		return 0
	}
	return -float64(part * portable.Log(share))
}

// Consistency says what the CORP curve would look like if the probabilities were calibrated.
type Consistency struct {
	Points []bandPoint `json:"points"` // by increasing Prob
	// PValue is how likely calibrated probabilities look as miscalibrated as these, by the MCB of the Brier
	// score: (1 + resamples with as much or more)/(1 + resamples). For calibrated probabilities it is at most
	// 0.05 in at most 5 % of the samples if all rows weigh the same, and about so if they do not. With 99
	// resamples it cannot be below 0.01. As it looks for any deviation, it is slower than [Report].Slope and Z
	// to detect one along a logistic curve.
	PValue float64 `json:"p_value"`
}

// bandPoint is the range in which the curve lies at a probability.
type bandPoint struct {
	Prob float64 `json:"prob"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// even is the difference that rounding makes between what is equal.
const even = 1e-12

// positions is the largest number of points of a band.
const positions = 101

// Consistency draws the outcomes anew, resamples times, as if each probability were right, and returns the
// range in which the Share of [Sample.Curve] lies at each probability with the given level, such as 0.9, taken
// for each point alone. The points are the distinct probabilities, or 101 evenly spread ones if there are more.
// The same seed gives the same bits.
//
// It takes time in proportion to resamples times rows. A probability stands for its effective number of rows,
// see [Sample], rounded; if that exceeds 2²⁰, 2²⁰ are drawn, and their deviation from the mean is scaled down
// accordingly. Errors: a level outside (0, 1), resamples < 1; that of ctx. Source: Bröcker and Smith, Weather
// and Forecasting 22 (2007) 651-661; for CORP, Dimitriadis, Gneiting and Jordan (2021); the p-value, Davison
// and Hinkley, Bootstrap Methods, 1997, 4.2.
func (s *Sample) Consistency(ctx context.Context, level float64, resamples int, seed uint64) (Consistency, error) {
	if !(level > 0 && level < 1) || resamples < 1 {
		return Consistency{}, fmt.Errorf(
			"consistency band: level %g from %d resamples; choose a level between 0 and 1, such as 0.9, and at least one "+
				"resample", level, resamples)
	}
	at := s.spread(positions)
	drawn := make([][]float64, len(at))
	observed, worse := s.mcb(s.blocks(nil)), 0
	blocks := make([]block, 0, len(s.cells))
	for r := range resamples {
		if err := ctx.Err(); err != nil {
			return Consistency{}, err
		}
		rng := rand.New(rand.NewPCG(seed, uint64(r)))
		blocks = s.blocks(blocks)
		for i, c := range s.cells {
			blocks[i].sum = float64(c.weight() * drawShare(rng, c.prob, c.rows()))
		}
		if s.mcb(blocks)+float64(even*s.all.weight()) >= observed {
			worse++
		}
		b := 0
		for j, i := range at {
			for blocks[b].last < s.cells[i].prob {
				b++
			}
			drawn[j] = append(drawn[j], blocks[b].mean())
		}
	}
	out := Consistency{PValue: float64(1+worse) / float64(1+resamples)}
	cut := int(float64(float64(resamples)*((1-level)/2)) + even)
	for j, i := range at {
		slices.Sort(drawn[j])
		out.Points = append(out.Points, bandPoint{s.cells[i].prob, drawn[j][cut], drawn[j][resamples-1-cut]})
	}
	return out, nil
}

// spread returns at most so many indices of cells, evenly spread from the first to the last.
func (s *Sample) spread(most int) []int {
	n := len(s.cells)
	at := make([]int, min(n, most))
	for j := range at {
		if at[j] = j; n > most {
			at[j] = j * (n - 1) / (most - 1)
		}
	}
	return at
}

// mcb returns the miscalibration of the Brier score, times the weight, where the outcomes are
// those of blocks, one for each cell, which it pools in place. The pooled ones lie at the start.
func (s *Sample) mcb(blocks []block) float64 {
	var diff sum
	for i, b := range blocks {
		diff.add(quadratic(s.cells[i].prob, b.sum, max(b.weight-b.sum, 0)))
	}
	for _, b := range pav(blocks) {
		diff.add(-float64(b.sum * (max(b.weight-b.sum, 0) / b.weight)))
	}
	return diff.value()
}

// drawShare draws the share of hits of so many rows, each a hit with probability p.
func drawShare(rng *rand.Rand, p, rows float64) float64 {
	const most = 1 << 20
	rows = max(math.Round(rows), 1)
	if rows <= most {
		return float64(drawHits(rng, p, int(rows))) / rows
	}
	off := float64(float64(drawHits(rng, p, most))/most) - p
	return min(max(p+float64(off*math.Sqrt(most/rows)), 0), 1)
}

// drawHits draws how many of n random numbers are below p. It takes them 64 at a time, bit by
// bit from the first, until each has a bit other than p's.
func drawHits(rng *rand.Rand, p float64, n int) int {
	if p >= 1 {
		return n
	}
	hits := 0
	for ; n > 0; n -= 64 {
		open := ^uint64(0) >> (64 - min(n, 64))
		for rest := p; open != 0 && rest > 0; {
			drawn := rng.Uint64()
			rest += rest
			if rest < 1 {
				open &^= drawn
				continue
			}
			rest--
			hits += bits.OnesCount64(open &^ drawn)
			open &= drawn
		}
	}
	return hits
}
