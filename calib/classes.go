package calib

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
)

// Rows holds the rows that the maps of k ≥ 2 classes are fitted on.
type Rows struct {
	K      int
	Share  []float64 // n·K, row-major: the scores of the classes, such as smoothed vote shares
	Truth  []int     // n; −1 where unknown, the row is skipped
	Weight []float64 // n; nil means 1 each
	// Order has the K classes in the order in which they are taken, so that maps do not depend on how classes are
	// listed; nil means by falling weight, and equals as they are listed.
	Order []int
	// Plain (len n·K) holds the probabilities without maps, with which Auto compares; nil means the shares,
	// divided by their sum.
	Plain []float64
	// VoteWeights (len K, each finite and above 0) multiply the shares of the classes, which are then divided by their
	// sum, before the maps are fitted; nil means 1 each. The maps of the [Set] see shares like that, too. Plain is
	// without them, and so is what [None] gives.
	VoteWeights []float64
	// Workers is the number of goroutines that fit the maps of nine or more classes, if there is one map for
	// each; 0 means runtime.GOMAXPROCS. The result does not depend on it.
	Workers int

	inOrder bool // the classes are listed in their order
}

// FitClasses fits the maps of method m for all classes. For two classes that is the map of the second in the order
// of r, the rarer one unless r says otherwise. For more it is one map for each class, see [oneVsRestOf], or for
// each pair of classes, see [couples]; Temperature and Vector have one fit for all classes, with shares in [0, 1].
// The values of isotonic maps are kept 1/(2n) away from 0 and 1, where n is the summed weight of the rows. Warnings
// are those of [oneVsRestOf]; if they concern pairs of classes, there is one for all pairs.
//
// Errors: those of [Parse] and [oneVsRestOf]; an order that does not have each class once; with pairs, also shares
// outside [0, 1]; that of ctx, which is checked between maps.
func (m Method) FitClasses(ctx context.Context, r Rows) (Set, error) {
	if err := ctx.Err(); err != nil {
		return Set{}, err
	}
	if !r.inOrder {
		if err := checkShapes(r.Share, r.Truth, r.Weight, r.K); err != nil {
			return Set{}, err
		}
		return m.fitInOrder(ctx, r)
	}
	base, coupling, err := m.split()
	if err != nil {
		return Set{}, err
	}
	weights := r.VoteWeights
	if weights != nil && base != None {
		if r, err = r.weighed(); err != nil {
			return Set{}, err
		}
	}
	var set Set
	if base == Auto {
		set, err = r.choose(ctx, coupling)
	} else {
		set, err = r.fit(ctx, base, coupling)
		set.Method = m
	}
	if err != nil {
		return Set{}, err
	}
	if set.Method != None {
		set.VoteWeights = slices.Clone(weights)
	}
	return set, nil
}

// weighed returns rows whose shares are those that the maps are fitted on.
func (r Rows) weighed() (Rows, error) {
	if err := checkVoteWeights(r.VoteWeights, r.K); err != nil {
		return Rows{}, err
	}
	if len(r.Share) != len(r.Truth)*r.K {
		return r, nil // which is an error of every fit
	}
	share := make([]float64, len(r.Share))
	if r.Plain == nil {
		r.Plain = make([]float64, len(r.Share))
		for i := range r.Truth {
			shares(r.Plain[i*r.K:(i+1)*r.K], r.Share[i*r.K:(i+1)*r.K])
		}
	}
	for i := range r.Truth {
		weigh(share[i*r.K:(i+1)*r.K], r.Share[i*r.K:(i+1)*r.K], r.VoteWeights)
	}
	r.Share, r.VoteWeights = share, nil
	return r, nil
}

func (r Rows) fit(ctx context.Context, base Method, coupling couples) (Set, error) {
	native := base == Temperature || base == Vector || base == Matrix
	fit := base.Fit
	if base == IsotonicLinear || base == IsotonicStep || base == IsotonicCentred {
		fit = within(fit)
	}
	fit = until(ctx, fit)
	if r.K <= 2 || coupling == againstRest && !native {
		return oneVsRestOf(fit, r.Share, r.Truth, r.Weight, r.K)
	}
	rows, err := known(r.Share, r.Truth, r.Weight, r.K)
	if err != nil {
		return Set{}, err
	}
	if !native {
		return rows.fitPairs(fit, coupling)
	}
	workers := r.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var set Set
	if base == Matrix {
		set.Maps, set.Cross, err = rows.fitMatrix(ctx, workers)
	} else {
		set.Maps, err = rows.fitPowers(ctx, base == Vector, workers)
	}
	if err != nil {
		return Set{}, err
	}
	for c, m := range set.Maps {
		switch p := m.(Power); {
		case !rows.present[c] && base != Temperature:
			set.Warnings = append(set.Warnings,
				&ClassError{c, fmt.Errorf("it has no row to calibrate on, so its probability is small; add rows of it")})
		case p.A == 0:
			set.Warnings = append(set.Warnings,
				&ClassError{c, fmt.Errorf("its rows have no larger share of the votes for it than other rows, so that share has "+
					"no influence; calibrate on more rows, or with the method %s", IsotonicLinear)})
		}
	}
	return set, nil
}

// until is fit, as long as ctx lasts.
func until(ctx context.Context, fit fitFunc) fitFunc {
	return func(score []float64, hit []bool, weight []float64) (Map, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return fit(score, hit, weight)
	}
}

// check refuses weights and shares that are not finite, negative weights and, with unit, shares
// outside [0, 1].
func (r *classRows) check(unit bool) error {
	n, k := len(r.truth), len(r.present)
	score, hit := make([]float64, n), make([]bool, n)
	for c := range k {
		for i := range score {
			score[i] = r.share[i*k+c]
		}
		if err := checkRows(score, hit, r.weight, unit); err != nil {
			return &ClassError{c, err}
		}
	}
	return nil
}

// order returns the rows of positive weight, by class, shares and weight: rows in the order of
// this list are bit-equal whatever order they were given in.
func (r *classRows) order(byClass bool) []int {
	var rows []int
	for i, w := range r.weight {
		if w != 0 {
			rows = append(rows, i)
		}
	}
	k := len(r.present)
	slices.SortFunc(rows, func(i, j int) int {
		truth := cmp.Compare(r.truth[i], r.truth[j])
		if truth != 0 && byClass {
			return truth
		}
		if c := slices.Compare(r.share[i*k:i*k+k], r.share[j*k:j*k+k]); c != 0 {
			return c
		}
		return cmp.Or(truth, cmp.Compare(r.weight[i], r.weight[j]))
	})
	return rows
}

// merge checks the rows and puts those of equal shares together: it returns the shares and the
// weights of the classes, row-major, for any order of the rows with the same bits.
func (r *classRows) merge() (share, count []float64, err error) {
	if err := r.check(true); err != nil {
		return nil, nil, err
	}
	k, total := len(r.present), 0.0
	for _, i := range r.order(false) {
		row := r.share[i*k : i*k+k]
		if len(share) == 0 || !slices.Equal(share[len(share)-k:], row) {
			share = append(share, row...)
			count = append(count, make([]float64, k)...)
		}
		count[len(count)-k+r.truth[i]] += r.weight[i]
		total += r.weight[i]
	}
	return share, count, checkTotal(total)
}
