package calib

import (
	"errors"
	"math"

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
	methods := candidates
	if rows.check(true) != nil {
		methods = rawCandidates
	}
	parts := rows.deal()
	if !parts.enough(r.K) {
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

// dealt says which part of the weight of each row belongs to which fold: rows are dealt to
// the folds in turn, class by class, in the order of their shares. A row of weight 2 is two rows
// next to each other, and the part of a row that has one of a half is found by measure: a
// row covers the stretch from its start to start + weight, and of that line the folds own a
// unit each, in turn.
type dealt struct {
	order []int     // the rows, sorted
	start []float64 // by row: the weight of the rows of its class before it
	class []float64 // weight by class
}

func (r *classRows) deal() dealt {
	d := dealt{r.order(true), make([]float64, len(r.truth)), make([]float64, len(r.present))}
	for _, i := range d.order {
		d.start[i] = d.class[r.truth[i]]
		d.class[r.truth[i]] += r.weight[i]
	}
	return d
}

// enough reports whether, whatever fold is left out, two classes remain.
func (d dealt) enough(k int) bool {
	n := 0
	for _, w := range d.class {
		if w >= 2 {
			n++
		}
	}
	return n >= 2 && k >= 2
}

// held returns the part of the weight of row i that belongs to a fold.
func (d dealt) held(i int, weight float64, fold int) float64 {
	owned := func(x float64) float64 { // by the fold, up to x
		rounds := math.Floor(x / autoFolds)
		return rounds + min(max(x-float64(rounds*autoFolds)-float64(fold), 0), 1)
	}
	return min(max(owned(d.start[i]+weight)-owned(d.start[i]), 0), weight)
}

// crossLoss returns the summed log loss of the method on rows that it was not fitted on.
func (r Rows) crossLoss(m Method, rows *classRows, parts dealt) (float64, error) {
	k, loss := r.K, 0.0
	prob := make([]float64, k)
	train := r
	train.Weight = make([]float64, len(r.Truth))
	for fold := range autoFolds {
		for i, w := range rows.weight {
			train.Weight[i] = w - parts.held(i, w, fold)
		}
		set, err := Set{}, error(nil)
		if m != None || r.Plain == nil {
			if set, err = m.FitClasses(train); err != nil {
				return 0, err
			}
		}
		for _, i := range parts.order {
			held := parts.held(i, rows.weight[i], fold)
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

// fitAuto fits the map that [Auto] picks for two classes. The rows are checked already.
func fitAuto(score []float64, hit []bool, weight []float64) (Map, error) {
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
