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

// noise fills in what chance in the rows leaves of PRAGMA, of the second measure, and of what tuning gains. Where rows have groups, whole groups are drawn anew.
func (r *run) noise(classes []string) {
	rows := r.rows(classes)
	if r.report.Groups = rows.Groups(); r.report.Groups > 0 && r.report.Groups < vote.FewGroups {
		return
	}
	by := r.Pragma
	if r.Loss != nil {
		by = r.Loss
	}
	var plains, tuneds, before, after, gains []float64
	rows.Resample(rand.New(rand.NewPCG(r.Seed, noiseStream)), resamples, func(a, b *vote.Confusion) {
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
	for i, truth := range plain.truth {
		w := plain.weight[i]
		pair.Add(truth, plain.decided[i], tuned.decided[i], w/repeats, w)
		if plain.group != nil {
			pair.Join(plain.group[i], truth, plain.decided[i], tuned.decided[i], w/repeats)
		}
	}
	return pair
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
