package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/vote"
)

// VoteSpread says how the votes for the rows that a model was tuned on spread: a histogram, parted by true class, with
// which the votes for new rows are compared. A row is in the part of the class that most trees vote for, and of how
// many these are. It does not depend on weights.
type VoteSpread struct {
	// by class with most votes (len k): where its share of the votes is divided, ascending; part b of it has the shares
	// above cut b-1 and up to cut b
	Cuts [][]float64 `json:"cuts"`
	Rows [][]float64 `json:"rows"` // by part, those of the first class first: weight of the rows of each class (len k)
}

// spreadParts is into how many parts of equal number the rows are divided that the class with most votes is right of,
// and likewise those that it is wrong of: of two classes, and of more.
const (
	spreadParts     = 10
	spreadPartsMany = 3
	// Shares of nearly all trees are one part: out-of-bag votes are of fewer trees, which agree wholly more often. So
	// many trees must not.
	spreadApart = 10
)

// SpreadOf returns the spread of votes that new rows get like ones of; nil where it would say nothing of new rows, and
// where votes are not sound.
func SpreadOf(t *vote.Table) *VoteSpread {
	if t.Check() != nil || t.Source == vote.Train || len(t.Classes) < 2 {
		return nil
	}
	k, plain := len(t.Classes), t.Rule(nil)
	shares, total := make([][2][]float64, k), 0.0
	for i, votes := range t.Judged() {
		if all := vote.Total(votes); all > 0 && t.WeightOf(i) > 0 {
			c := plain.Decide(votes)
			s := float64(votes[c]) / float64(all)
			at := 0
			if t.Truth[i] == c {
				at = 1
			}
			for range t.TimesOf(i) {
				shares[c][at] = append(shares[c][at], s)
			}
			total += t.WeightOf(i)
		}
	}
	if total == 0 {
		return nil
	}
	parts := spreadParts
	if k > 2 {
		parts = spreadPartsMany
	}
	most := 1 - spreadApart/float64(max(t.Trees, 2*spreadApart))
	h := &VoteSpread{Cuts: make([][]float64, k)}
	n := 0
	for c, of := range shares {
		h.Cuts[c] = []float64{} // in JSON no null
		for _, some := range of {
			slices.Sort(some)
			for q := 1; q < parts && len(some) >= parts; q++ {
				h.Cuts[c] = append(h.Cuts[c], some[q*len(some)/parts])
			}
		}
		slices.Sort(h.Cuts[c])
		h.Cuts[c] = slices.DeleteFunc(slices.Compact(h.Cuts[c]), func(cut float64) bool { return cut > most })
		n += len(h.Cuts[c]) + 1
	}
	h.Rows = make([][]float64, n)
	for b := range h.Rows {
		h.Rows[b] = make([]float64, k)
	}
	for i, votes := range t.Judged() {
		if b := h.partOf(votes, plain); b >= 0 {
			h.Rows[b][t.Truth[i]] += t.WeightOf(i)
		}
	}
	return h
}

// partOf returns the part of a row of raw votes; -1 without a vote. Plain is the majority vote.
func (h *VoteSpread) partOf(votes []uint32, plain vote.Rule) int {
	c, all := plain.Decide(votes), vote.Total(votes)
	if c < 0 || all == 0 {
		return -1
	}
	b, _ := slices.BinarySearch(h.Cuts[c], float64(votes[c])/float64(all))
	for _, cuts := range h.Cuts[:c] {
		b += len(cuts) + 1
	}
	return b
}

// Sound says what cannot be in the spread of the votes for k classes.
func (h *VoteSpread) Sound(k int) error {
	if h == nil {
		return fmt.Errorf("%w: nobody knows how votes spread", ErrConfig)
	}
	parts, total := 0, 0.0
	for _, cuts := range h.Cuts {
		for i, cut := range cuts {
			if !(cut >= 0 && cut < 1) || i > 0 && cut <= cuts[i-1] {
				return fmt.Errorf("%w: votes spread with a cut at %v", ErrConfig, cut)
			}
		}
		parts += len(cuts) + 1
	}
	for _, rows := range h.Rows {
		for _, w := range rows {
			if !(w >= 0) {
				return fmt.Errorf("%w: votes spread with rows of weight %v", ErrConfig, w)
			}
			total += w
		}
		if len(rows) != k {
			return fmt.Errorf("%w: votes spread over %d classes, where there are %d", ErrConfig, len(rows), k)
		}
	}
	if len(h.Cuts) != k || parts != len(h.Rows) || !(total > 0 && total <= math.MaxFloat64) {
		return fmt.Errorf("%w: votes spread over %d classes and %d of %d parts, of weight %v", ErrConfig, len(h.Cuts),
			len(h.Rows), parts, total)
	}
	return nil
}
