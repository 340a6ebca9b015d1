package calib

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Ranks says how many of the rows of other classes have a share of the votes for a class that is as high as that of a
// row, or higher: the false positive rate of alarms for all rows from there on.
type Ranks struct {
	Share []float64 `json:"share"` // of the votes for the class, ascending
	Above []float64 `json:"above"` // part of the other rows, by weight, of such a share or a higher one; descending
}

// mostRanks is how many ranks are kept. Of more, those of nearly the same rate become one of the larger rate.
const mostRanks = 512

// NewRanks returns the ranks of a class by rows of known class: share has their shares of the votes for it, hit tells
// whether they are of it, and weight, or nil, has their case weights. All have the same length.
//
// Errors: other lengths; a share that is not from 0 to 1, or a weight that is not finite and 0 or more; [ErrOneClass]
// if no row with a weight is of another class.
func NewRanks(share []float64, hit []bool, weight []float64) (Ranks, error) {
	if len(hit) != len(share) || weight != nil && len(weight) != len(share) {
		return Ranks{}, fmt.Errorf("ranks: %d shares, %d classes, %d weights; give as many of each", len(share),
			len(hit), len(weight))
	}
	type row struct{ share, weight float64 }
	var others []row
	total := 0.0
	for i, s := range share {
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		if !(s >= 0 && s <= 1) || !(w >= 0 && w <= math.MaxFloat64) {
			return Ranks{}, fmt.Errorf("ranks: row %d has share %v and weight %v; shares are from 0 to 1, and weights 0 or "+
				"more", i, s, w)
		}
		if !hit[i] && w > 0 {
			others = append(others, row{s, w})
			total += w
		}
	}
	if others == nil {
		return Ranks{}, ErrOneClass
	}
	slices.SortFunc(others, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.weight, b.weight))
	})
	var r Ranks
	sum := 0.0
	for i, o := range others { // from the highest share on
		sum += o.weight
		if i+1 == len(others) || others[i+1].share != o.share {
			r.Share, r.Above = append(r.Share, o.share), append(r.Above, min(1, sum/total))
		}
	}
	r.Above[len(r.Above)-1] = 1
	r = r.thinned()
	slices.Reverse(r.Share)
	slices.Reverse(r.Above)
	return r, nil
}

// thinned keeps, of ranks from the highest share on, no more than mostRanks: each stands for those of lower rates after
// the one before it.
func (r Ranks) thinned() Ranks {
	for step := 1e-4; len(r.Share) > mostRanks; step *= 2 {
		var kept Ranks
		for i := 0; i < len(r.Share); {
			first, last := i, i
			for last+1 < len(r.Share) && r.Above[last+1] <= float64(r.Above[first]*(1+step))+float64(step/100) {
				last++
			}
			kept.Share, kept.Above = append(kept.Share, r.Share[first]), append(kept.Above, r.Above[last])
			i = last + 1
		}
		r = kept
	}
	return r
}

// FalsePositives returns which part of the rows of other classes has such a share of the votes for the class, or a
// higher one; 0 where ranks are empty. Where ranks are thinned it is slightly too large.
func (r Ranks) FalsePositives(share float64) float64 {
	at := sort.SearchFloat64s(r.Share, share)
	if at >= min(len(r.Share), len(r.Above)) {
		return 0
	}
	return r.Above[at]
}

// Check says what cannot be in ranks.
func (r Ranks) Check() error {
	if len(r.Share) == 0 || len(r.Share) != len(r.Above) || len(r.Share) > mostRanks {
		return fmt.Errorf("ranks: %d shares and %d rates", len(r.Share), len(r.Above))
	}
	for i, s := range r.Share {
		above := r.Above[i]
		if !(s >= 0 && s <= 1) || !(above >= 0 && above <= 1) || i > 0 && (s <= r.Share[i-1] || above > r.Above[i-1]) {
			return fmt.Errorf("ranks: share %v of rate %v", s, above)
		}
	}
	return nil
}

// scored are scores by false positive rate, as users of Amazon Fraud Detector know them; between them they lie on
// lines.
var scored = []struct{ rate, score float64 }{
	{0, 1000}, {0.005, 975}, {0.01, 950}, {0.02, 900}, {0.03, 860}, {0.05, 775}, {0.07, 700}, {0.1, 600}, {1, 0},
}

// Score returns a score from 0 to 1000 of a fixed meaning, given a false positive rate from 0 to 1: 900 is a rate of
// 2 %, 950 one of 1 %, 600 one of 10 %. A rule "alarm from 900 on" raises an alarm for 2 % of the rows of other
// classes, whatever the model.
func Score(falsePositives float64) float64 {
	rate := min(max(falsePositives, 0), 1)
	for i := 1; i < len(scored); i++ {
		if a, b := scored[i-1], scored[i]; rate <= b.rate {
			return a.score + float64((b.score-a.score)*((rate-a.rate)/(b.rate-a.rate)))
		}
	}
	return 0
}
