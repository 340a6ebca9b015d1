package anneal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// sharedBelow is the number of rows of a class below which it has no weight of its own. Source: the study in
// bench/tuning.
const sharedBelow = 20

// Origin says where the weight of a class comes from, see [Choice].
type Origin uint8

// The origins.
const (
	One       Origin = iota // there is none: it is 1, as in the plain vote
	ownWeight               // it was searched for the class itself
	Shrunk                  // likewise, but less than half of its logarithm is kept, as resamples do not agree on it
	Shared                  // it follows from the one number that all classes share
)

var origins = []string{"one", "own", "shrunk", "shared"}

// String returns the name of o: one, own, shrunk or shared.
func (o Origin) String() string {
	if int(o) >= len(origins) {
		return fmt.Sprintf("Origin(%d)", uint8(o))
	}
	return origins[o]
}

// MarshalText returns the name.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a name. Errors: [ErrSetting].
func (o *Origin) UnmarshalText(text []byte) error {
	at := slices.Index(origins, string(text))
	if at < 0 {
		return fmt.Errorf("%w: the weight of a class cannot be %.20q", ErrSetting, text)
	}
	*o = Origin(at)
	return nil
}

// origins returns by class where the weights of r come from, given those of the lowest loss; nil where they are these.
func (f *finish) origins(lowest vote.Weights, r *Result) []Origin {
	if len(lowest) == 2 || f.given || f.search.Choice == Lowest || f.table.Source == vote.Train {
		return nil
	}
	all := slices.ContainsFunc(r.Warnings, func(w error) bool { return errors.Is(w, ErrUnproven) })
	of := make([]Origin, len(lowest))
	for c, w := range r.Weights {
		switch {
		case w == 1:
		case all || f.shared != nil && f.shared[c] > 0:
			of[c] = Shared
		case 2*math.Abs(portable.Log(w)) < math.Abs(portable.Log(lowest[c])):
			of[c] = Shrunk
		default:
			of[c] = ownWeight
		}
	}
	return of
}

// sharedWeights are by class weights that follow from one number, for the classes that are to share it; 0 for the
// others. Nil is for none.
type sharedWeights vote.Weights

// in returns w with the shared weights in the place of its own.
func (shared sharedWeights) in(w vote.Weights) vote.Weights {
	if shared == nil {
		return w
	}
	w = slices.Clone(w)
	for c, v := range shared {
		if v > 0 {
			w[c] = v
		}
	}
	return w
}

// share returns the weights of the classes that have fewer rows than that: the power of the costs that does best in
// the mean of so many resamples. Where floors must be kept, and of two classes, each has its own.
func (s Search) share(ctx context.Context, rows *sample, below float64, bags int) (sharedWeights, error) {
	if len(rows.classes) == 2 || len(s.Floors) > 0 {
		return nil, nil
	}
	numbers := rows.numbers()
	few := func(n float64) bool { return 0 < n && n < below }
	if !slices.ContainsFunc(numbers, few) {
		return nil, nil
	}
	costs := rows.costs()
	power, err := s.meanPower(ctx, rows, costs, bags)
	if err != nil {
		return nil, err
	}
	shared := make(sharedWeights, len(numbers))
	for c, n := range numbers {
		if few(n) {
			shared[c] = portable.Exp(float64(power * costs[rows.rank[c]]))
		}
	}
	return shared, nil
}

// numbers returns by class how many rows there are, or where these have groups how many groups have some.
func (s *sample) numbers() []float64 {
	n, seen := make([]float64, len(s.classes)), map[[2]int]bool{}
	for i, c := range s.truth {
		switch {
		case !(s.weight[i] > 0):
		case s.group == nil:
			n[c] += s.rows[i]
		case !seen[[2]int{int(c), s.group[i]}]:
			seen[[2]int{int(c), s.group[i]}] = true
			n[c]++
		}
	}
	return n
}
