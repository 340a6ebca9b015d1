package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rfpragma/rfpragma/vote"
)

// Gain is what tuning gains on new rows: the loss of the plain rule less that of the tuned one, by the second measure if there is one, else by PRAGMA, and the
// standard error of that difference, by resampling of the rows, or of the groups they are of. The same trees and weights judge all resamples: what other training rows would change is not in it.
type Gain struct {
	Loss          float64 `json:"loss"`           // of the plain rule less that of the tuned one; above 0 tuning gains
	StandardError float64 `json:"standard_error"` // of that difference, over resamples of the rows, or of the groups they are of
}

// resamples is how often rows are drawn anew for an interval or a standard error.
const resamples = 400

// noiseStream is the stream of random numbers that resamples come from.
const noiseStream = 1 << 40

// FewGroups is below how many groups nothing is said of noise: a handful of groups, drawn anew, tells little of others.
const FewGroups = 10

// noise fills in what chance in the rows leaves of PRAGMA, of the second measure, and of what tuning gains. Where rows have groups, whole groups are drawn anew.
func (r *run) noise(classes []string) {
	resample := r.rows(classes).Resample
	if r.plain.kept.group != nil {
		groups := r.groups()
		if r.report.Groups = len(groups); len(groups) < FewGroups {
			return
		}
		resample = func(rng *rand.Rand, times int, show func(a, b *vote.Confusion)) {
			resampleGroups(classes, groups, rng, times, show)
		}
	}
	by := r.Pragma
	if r.Loss != nil {
		by = r.Loss
	}
	var plains, tuneds, before, after, gains []float64
	resample(rand.New(rand.NewPCG(r.Seed, noiseStream)), resamples, func(a, b *vote.Confusion) {
		plains, tuneds = append(plains, r.Pragma.Loss(a)), append(tuneds, r.Pragma.Loss(b))
		before, after = append(before, by.Loss(a)), append(after, by.Loss(b))
		gains = append(gains, before[len(before)-1]-after[len(after)-1])
	})
	r.report.Rules.Plain.PragmaInterval, r.report.Rules.Tuned.PragmaInterval = central(plains), central(tuneds)
	if !r.Costs.Amounts() { // a sum of money is not resampled by counts
		if r.Loss != nil {
			r.report.Rules.Plain.LossInterval, r.report.Rules.Tuned.LossInterval = central(before), central(after)
		}
		sd := deviation(gains)
		gain := by.Loss(r.plain.total) - by.Loss(r.tuned.total)
		if !math.IsNaN(gain) && !math.IsInf(gain, 0) && !math.IsNaN(sd) {
			r.report.Gain = &Gain{gain, sd}
		}
	}
}

// rows counts what the plain and the tuned rule decide of the rows. One that was judged in each of the repeats is one row.
func (r *run) rows(classes []string) *vote.Pair {
	plain, tuned, repeats := r.plain.kept, r.tuned.kept, float64(len(r.plain.losses))
	pair := vote.NewPair(classes, nil)
	unit := slices.Max(plain.weight) // so that the squares of the weights are numbers
	for i, truth := range plain.truth {
		w := plain.weight[i] / unit
		pair.Add(truth, plain.decided[i], tuned.decided[i], w/repeats, w*w/repeats)
	}
	return pair
}

// cell is what rows have in common that are of one class and decided alike.
type cell struct{ truth, plain, tuned int }

// weighed are rows of a cell, and what they weigh together.
type weighed struct {
	cell
	weight float64
}

// groups returns by group, in the order of their coming, what becomes of its rows.
func (r *run) groups() [][]weighed {
	plain, tuned := r.plain.kept, r.tuned.kept
	unit := slices.Max(plain.weight)
	type place struct {
		group int
		cell
	}
	number, at := map[int]int{}, map[place]int{}
	var groups [][]weighed
	for i, truth := range plain.truth {
		if plain.weight[i] == 0 {
			continue
		}
		g, known := number[plain.group[i]]
		if !known {
			g = len(groups)
			number[plain.group[i]], groups = g, append(groups, nil)
		}
		of := place{g, cell{truth, plain.decided[i], tuned.decided[i]}}
		j, known := at[of]
		if !known {
			j = len(groups[g])
			at[of], groups[g] = j, append(groups[g], weighed{cell: of.cell})
		}
		groups[g][j].weight += plain.weight[i] / unit
	}
	return groups
}

// resampleGroups shows the matrices of the two rules for as many groups, drawn with replacement, each with all its rows, so many times.
// Source: Davison and Hinkley, Bootstrap Methods and their Application (1997), 3.8; Field and Welsh, Journal of the Royal Statistical Society B 69 (2007) 369-390.
func resampleGroups(classes []string, groups [][]weighed, rng *rand.Rand, times int, show func(a, b *vote.Confusion)) {
	for range times {
		a, b := vote.NewConfusion(classes), vote.NewConfusion(classes)
		for range groups {
			for _, rows := range groups[rng.IntN(len(groups))] {
				a.Add(rows.truth, rows.plain, rows.weight)
				b.Add(rows.truth, rows.tuned, rows.weight)
			}
		}
		show(a, b)
	}
}

// central returns the ends of the middle 95 of 100 values.
func central(values []float64) *[2]float64 {
	slices.Sort(values)
	n := len(values)
	return &[2]float64{values[n/40], values[n-1-n/40]}
}

// deviation returns the standard deviation of a sample; of one value it is NaN. (Package stat of gonum has it too, and with it come matrices, LAPACK and
// linear programs: two megabytes of a command.)
func deviation(sample []float64) float64 {
	d := slices.Clone(sample)
	floats.AddConst(-floats.Sum(d)/float64(len(d)), d)
	return floats.Norm(d, 2) / math.Sqrt(float64(len(d)-1))
}
