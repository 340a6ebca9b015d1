package rfpragma

import (
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/vote"
)

// Uncalibrated returns maps that take the shares of the votes as probabilities, of two classes that of the second
// in the order, such as [vote.Table.TieOrder], and its complement.
func Uncalibrated(order []int) calib.Set {
	k := len(order)
	if k > 2 {
		return calib.Set{Maps: slices.Repeat([]calib.Map{calib.Identity{}}, k), Method: calib.None}
	}
	return inOrder(calib.Set{Maps: []calib.Map{calib.Identity{}}, Method: calib.None}, order)
}

// inOrder returns maps of classes that are in that order.
func inOrder(maps calib.Set, order []int) calib.Set {
	if !slices.IsSorted(order) {
		maps.Order = order
	}
	return maps
}

// shares writes into dst (len k) the smoothed share of the votes for each class, see
// [calib.Smooth], where unit counts make one vote, see [vote.Table.Unit].
func shares(dst []float64, votes []uint32, unit float64) {
	total := float64(vote.Total(votes)) / unit
	for c, v := range votes {
		dst[c] = calib.Smooth(float64(v)/unit, total)
	}
}
