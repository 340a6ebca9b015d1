// Package monotone takes the stairs out of maps of probabilities.
package monotone

import (
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
)

// Rising returns the maps with lines through the middles of flat stretches, of the first and the last through their
// outer ends, in the place of those that have some. A weight may turn decisions anywhere in such a stretch, where
// all rows have one probability; by the maps as they are any change of the shares would take it to an end. Source:
// Oron and Flournoy, Statistics in Biopharmaceutical Research 9 (2017) 258-267, whose middles are weighted by the
// rows, which a map does not keep.
func Rising(set calib.Set) calib.Set {
	set.Maps = slices.Clone(set.Maps)
	for i, m := range set.Maps {
		switch m := m.(type) {
		case calib.Isotonic:
			set.Maps[i] = throughMiddles(m, m.Score, !m.Linear)
		case calib.VennAbersTable:
			set.Maps[i] = throughMiddles(m, m.Score, true)
		}
	}
	return set
}

// throughMiddles returns a map of shares that is linear between the middles of the stretches in which m is flat. M
// has knots at these scores, at which it may step.
func throughMiddles(m calib.Map, scores []float64, steps bool) calib.Isotonic {
	points := []float64{0}
	for _, s := range scores {
		if steps { // it is flat up to the step and from it on
			points = append(points, max(math.Nextafter(s, 0), 0), s, min(math.Nextafter(s, 1), 1))
		} else {
			points = append(points, s)
		}
	}
	points = slices.Compact(append(points, 1))
	out := calib.Isotonic{Linear: true}
	for i := 0; i < len(points); {
		first, value := i, m.Prob(points[i])
		for i < len(points) && m.Prob(points[i]) == value {
			i++
		}
		at := (points[first] + points[i-1]) / 2
		switch {
		case first == 0:
			at = points[0]
		case i == len(points):
			at = points[i-1]
		}
		out.Score, out.Value = append(out.Score, at), append(out.Value, value)
	}
	return out
}
