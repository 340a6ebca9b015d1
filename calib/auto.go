package calib

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// candidates are what [Auto] chooses among, in this order: each takes the place of the one before it if its log
// loss is proven to be lower. Where next to nothing is to gain a map costs more than it brings, and of several that
// are about as good the lowest is so by chance. So half a standard error proves that a map is better than none, and
// two that it is better than another one (the study in bench/calibration). Left out are maps that are never worth
// more than the matrix, which contains them and is drawn to a temperature, and maps in steps, which make rows equal
// that the votes tell apart.
var (
	candidates      = []Method{None, Matrix, Temperature, VennAbersCentred}
	classCandidates = []Method{None, Matrix, Temperature}
	rawCandidates   = []Method{PlattRaw, VennAbersCentred} // for scores that are no shares
)

// Standard errors of the gain.
const (
	overNone    = 0.5
	overAnother = 2
	anyForm     = 3 // of a map of any form, over whatever else
)

// autoFolds is the number of parts of the cross-validation.
const autoFolds = 5

// errFewToCompare is a warning.
var errFewToCompare = errors.New(
	"there are too few rows to choose a calibration method on (two of each of two classes at least), so the simplest is " +
		"taken; add rows")

// choose fits the method that does best in cross-validation, see candidates.
func (r Rows) choose(ctx context.Context, coupling couples) (Set, error) {
	rows, err := known(r.Share, r.Truth, r.Weight, r.K)
	if err != nil {
		return Set{}, err
	}
	if err := rows.check(false); err != nil {
		return Set{}, err
	}
	if r.Plain != nil && len(r.Plain) != len(r.Share) {
		return Set{}, fmt.Errorf("calibration: %d shares and %d plain probabilities; give equally many, or none of the "+
			"latter", len(r.Share), len(r.Plain))
	}
	parts := rows.deal()
	methods := rawCandidates
	if rows.check(true) == nil {
		methods = tried(parts.class)
	}
	if !parts.enough() {
		set, err := methods[0].FitClasses(ctx, r)
		if err == nil {
			set.Warnings = append(set.Warnings, errFewToCompare)
		}
		return set, err
	}
	if coupling != againstRest && r.K > 2 {
		methods = append(slices.Clone(methods), PlattLogit+Method(":"+coupling))
	}
	best := methods[0]
	var losses []float64
	for _, m := range methods {
		loss, err := r.crossLosses(ctx, m, rows, parts)
		if err := ctx.Err(); err != nil {
			return Set{}, err
		}
		proof := float64(overAnother)
		switch {
		case m == VennAbersCentred:
			proof = anyForm
		case best == None:
			proof = overNone
		}
		if err == nil && (losses == nil || parts.better(loss, losses, proof)) {
			best, losses = m, loss
		}
	}
	return best.FitClasses(ctx, r)
}

// mostForMatrix is the largest number of classes for which Matrix is tried, as it has a number for each pair of them.
const mostForMatrix = 50

// tried returns the candidates for shares, given the weight of the rows of each class. The place of Matrix takes
// Vector where there are many classes. Of more than a hundred, that needs ten rows for each of its two numbers a
// class: with fewer it follows chance, and takes minutes.
func tried(class []float64) []Method {
	k := len(class)
	few := k > 100 && summed(0, class) < 20*float64(k)
	switch {
	case k <= 2:
		return candidates
	case k <= mostForMatrix:
		return classCandidates
	case few:
		return []Method{None, Temperature}
	}
	return []Method{None, Vector, Temperature}
}

// better tells whether losses are lower than others, by more than so many standard errors of the difference over
// the rows.
func (d dealt) better(loss, other []float64, proof float64) bool {
	rows, sum, squares := 0.0, 0.0, 0.0
	for _, i := range d.order {
		for fold := range autoFolds {
			at := i*autoFolds + fold
			w, gain := d.held[at], other[at]-loss[at]
			part := float64(w * gain)
			rows, sum, squares = rows+w, sum+part, squares+float64(part*gain)
		}
	}
	mean := sum / rows
	square := float64(mean * mean)
	return mean > 0 && float64(square*rows) > float64(proof*proof*(squares/rows-square))
}

// couples reports whether m fits maps of pairs.
func (m Method) couples() bool { return m != None && m != Temperature && m != Vector && m != Matrix }

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

// crossLosses returns the log loss of the method on rows that it was not fitted on, by row and fold as in held.
func (r Rows) crossLosses(ctx context.Context, m Method, rows *classRows, parts dealt) ([]float64, error) {
	k, losses := r.K, make([]float64, len(parts.held))
	prob := make([]float64, k)
	train := r
	train.Weight = make([]float64, len(r.Truth))
	for fold := range autoFolds {
		for i, w := range rows.weight {
			train.Weight[i] = max(w-parts.held[i*autoFolds+fold], 0)
		}
		set, err := Set{}, error(nil)
		if m != None || r.Plain == nil {
			if set, err = m.FitClasses(ctx, train); err != nil {
				return nil, err
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
			losses[i*autoFolds+fold] = -portable.Log(clip(prob[r.Truth[i]]))
		}
	}
	return losses, nil
}

// fitAuto fits the map that [Auto] picks for two classes.
func fitAuto(score []float64, hit []bool, weight []float64) (Map, error) {
	if _, err := pool(score, hit, weight, false); err != nil {
		return nil, err
	}
	r := Rows{K: 2, Truth: make([]int, len(score)), Weight: weight, inOrder: true}
	for i, s := range score {
		r.Share = append(r.Share, 1-s, s)
		if hit[i] {
			r.Truth[i] = 1
		}
	}
	set, err := Auto.FitClasses(context.Background(), r)
	if err != nil {
		return nil, err
	}
	return set.Maps[0], nil
}
