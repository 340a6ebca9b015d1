package calib

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// candidates are what [Auto] chooses among, the simplest first. Left out are those that cannot
// win by log loss (MinMax) or hardly differ from another one (IsotonicStep).
var (
	candidates    = []Method{None, Temperature, PlattLogit, PlattRaw, Beta, Vector, IsotonicCentred, IsotonicLinear, VennAbers}
	rawCandidates = []Method{PlattRaw, IsotonicCentred, IsotonicLinear, VennAbers} // for scores that are no shares
)

// autoFolds is the number of parts of the cross-validation.
const autoFolds = 5

// errFewToCompare is a warning.
var errFewToCompare = errors.New("there are too few rows to choose a calibration method on (two of each of two classes at least), so the simplest is taken; add rows")

// choose fits the method that has the lowest log loss in cross-validation; the simpler of two
// that are alike.
func (r Rows) choose(coupling Coupling) (Set, error) {
	rows, err := known(r.Share, r.Truth, r.Weight, r.K)
	if err != nil {
		return Set{}, err
	}
	if err := rows.check(false); err != nil {
		return Set{}, err
	}
	if r.Plain != nil && len(r.Plain) != len(r.Share) {
		return Set{}, fmt.Errorf("calibration: %d shares and %d plain probabilities; give equally many, or none of the latter", len(r.Share), len(r.Plain))
	}
	methods := candidates
	if rows.check(true) != nil {
		methods = rawCandidates
	}
	parts := rows.deal()
	if !parts.enough() {
		set, err := methods[0].FitClasses(r)
		if err == nil {
			set.Warnings = append(set.Warnings, errFewToCompare)
		}
		return set, err
	}
	best, lowest := methods[0], math.Inf(1)
	for _, m := range methods {
		if coupling != AgainstRest && r.K > 2 && m.couples() {
			m += Method(":" + coupling)
		}
		if m == Vector && r.K == 2 {
			continue // that is Beta
		}
		loss, err := r.crossLoss(m, rows, parts)
		if err == nil && loss < lowest*(1-1e-9) {
			best, lowest = m, loss
		}
	}
	return best.FitClasses(r)
}

// couples reports whether m fits maps of pairs.
func (m Method) couples() bool { return m != None && m != Temperature && m != Vector }

// dealt says which part of the weight of each row belongs to which fold. Rows of weight 2 are two
// rows, so the rows of a class lie on a line, in the order of their shares, each as long as its
// weight; the line is cut into units of 1, and the units are shuffled and dealt out. (Dealt out
// in the order of the shares, every fold would be the image of the others, noise and all, and
// the map that follows the noise best would win.) Of a class of more than maxUnits rows units
// are longer, as if there were fewer rows.
type dealt struct {
	order []int     // the rows, sorted
	held  []float64 // n·autoFolds
	class []float64 // weight by class
}

const maxUnits = 1 << 16

func (r *classRows) deal() dealt {
	d := dealt{r.order(true), make([]float64, len(r.truth)*autoFolds), make([]float64, len(r.present))}
	for _, i := range d.order {
		d.class[r.truth[i]] += r.weight[i]
	}
	var foldOf []int // of the units of a class
	class, unit, from := -1, 1.0, 0.0
	for _, i := range d.order {
		if c := r.truth[i]; c != class {
			class, unit, from = c, max(1, d.class[c]/maxUnits), 0
			foldOf = rand.New(rand.NewPCG(uint64(c), autoFolds)).Perm(int(d.class[c]/unit) + 1)
		}
		to := from + r.weight[i]
		for j := int(from / unit); from < to; j++ {
			end := min(float64(j+1)*unit, to)
			d.held[i*autoFolds+foldOf[min(j, len(foldOf)-1)]%autoFolds] += max(end-from, 0)
			from = max(from, end)
		}
	}
	return d
}

// enough reports whether, whatever fold is left out, two classes remain.
func (d dealt) enough() bool {
	n := 0
	for _, w := range d.class {
		if w >= 2 {
			n++
		}
	}
	return n >= 2
}

// crossLoss returns the summed log loss of the method on rows that it was not fitted on.
func (r Rows) crossLoss(m Method, rows *classRows, parts dealt) (float64, error) {
	k, loss := r.K, 0.0
	prob := make([]float64, k)
	train := r
	train.Weight = make([]float64, len(r.Truth))
	for fold := range autoFolds {
		for i, w := range rows.weight {
			train.Weight[i] = max(w-parts.held[i*autoFolds+fold], 0)
		}
		set, err := Set{}, error(nil)
		if m != None || r.Plain == nil {
			if set, err = m.FitClasses(train); err != nil {
				return 0, err
			}
		}
		for _, i := range parts.order {
			held := parts.held[i*autoFolds+fold]
			if held == 0 {
				continue
			}
			if set.Maps == nil {
				copy(prob, r.Plain[i*k:i*k+k])
			} else {
				set.Probabilities(prob, r.Share[i*k:i*k+k])
			}
			loss -= float64(held * portable.Log(min(max(prob[r.Truth[i]], Clip), 1-Clip)))
		}
	}
	return loss, nil
}

// fitAuto fits the map that [Auto] picks for two classes.
func fitAuto(score []float64, hit []bool, weight []float64) (Map, error) {
	if _, err := pool(score, hit, weight, false); err != nil {
		return nil, err
	}
	r := Rows{K: 2, Truth: make([]int, len(score)), Weight: weight}
	for i, s := range score {
		r.Share = append(r.Share, 1-s, s)
		if hit[i] {
			r.Truth[i] = 1
		}
	}
	set, err := Auto.FitClasses(r)
	if err != nil {
		return nil, err
	}
	return set.Maps[0], nil
}
