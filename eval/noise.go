package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rfpragma/rfpragma/vote"
)

// Gain is what tuning gains on new rows: the loss of the plain rule less that of the tuned one, by the second measure if there is one, else by PRAGMA, and the
// standard error of that difference, by resampling of the rows. The same trees and weights judge all resamples: what other training rows would change is not in it.
type Gain struct {
	Loss          float64 `json:"loss"`           // of the plain rule less that of the tuned one; above 0 tuning gains
	StandardError float64 `json:"standard_error"` // of that difference, over resamples of the rows
}

// resamples is how often rows are drawn anew for an interval or a standard error.
const resamples = 400

// noiseStream is the stream of random numbers that resamples come from.
const noiseStream = 1 << 40

// noise fills in what chance in the rows leaves of PRAGMA, and of what tuning gains. Rows that were judged in each of the repeats are one row, and
// so are those of a group that are of one class and decided alike.
func (r *run) noise(classes []string) {
	plain, tuned, repeats := r.plain.kept, r.tuned.kept, float64(len(r.plain.losses))
	pair := vote.NewPair(classes, nil)
	unit := slices.Max(plain.weight) // so that the squares of the weights are numbers
	type alike struct{ group, truth, plain, tuned int }
	number, sums := map[alike]int{}, []float64(nil)
	var kinds []alike
	for i, truth := range plain.truth {
		w := plain.weight[i] / unit
		if plain.group == nil {
			pair.Add(truth, plain.decided[i], tuned.decided[i], w/repeats, w*w/repeats)
			continue
		}
		kind := alike{plain.group[i], truth, plain.decided[i], tuned.decided[i]}
		at, known := number[kind]
		if !known {
			at = len(kinds)
			number[kind], kinds, sums = at, append(kinds, kind), append(sums, 0)
		}
		sums[at] += w / repeats
	}
	for at, kind := range kinds {
		pair.Add(kind.truth, kind.plain, kind.tuned, sums[at], float64(sums[at]*sums[at]))
	}
	by := r.Pragma
	if r.Loss != nil {
		by = r.Loss
	}
	rng := rand.New(rand.NewPCG(r.Seed, noiseStream))
	var plains, tuneds, gains []float64
	pair.Resample(rng, resamples, func(a, b *vote.Confusion) {
		plains, tuneds = append(plains, r.Pragma.Loss(a)), append(tuneds, r.Pragma.Loss(b))
		gains = append(gains, by.Loss(a)-by.Loss(b))
	})
	r.report.Rules.Plain.PragmaInterval, r.report.Rules.Tuned.PragmaInterval = central(plains), central(tuneds)
	if !r.Costs.Amounts() { // a sum of money is not resampled by counts
		sd := deviation(gains)
		gain := by.Loss(r.plain.total) - by.Loss(r.tuned.total)
		if !math.IsNaN(gain) && !math.IsInf(gain, 0) && !math.IsNaN(sd) {
			r.report.Gain = &Gain{gain, sd}
		}
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
