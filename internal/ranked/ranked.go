// Package ranked says how well votes tell the rows of a class from others, and ranks rows by them.
package ranked

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// Least is how many rows, and groups where rows have some, a class and the others must have for their ranking
// to be told: the spread of fewer says too little of what chance does.
const Least = effective.FewGroups

// ranked are the rows that a class is told from others in.
type ranked struct {
	share  []float64 // of the votes that is for the class
	hit    []bool
	weight []float64 // in units of the largest of those on the same side, as only ratios there matter
	square []float64 // sum of the squared weights of the rows that are merged
	group  []int     // nil where they have none
}

// Area returns how well votes tell the rows of a class from others, where both are enough: a ROC-AUC a of
// a(1−a)/v rows, of which a share a would have the same variance v. That is the largest of those of DeLong, see
// [calib.Report], of Hanley and McNeil (Radiology 143 (1982) 29-36), as the former is too small by chance where rows
// are few, and, where rows have groups, of the sums over these (Obuchowski, Biometrics 53 (1997) 567-578), by Kish.
func Area(t *vote.Table, each []float64, class int) (area, of, groups float64, ok bool) {
	r, rows, groups := rankedIn(t, each, class)
	least := min(rows[0], rows[1])
	if r.group != nil {
		least = min(least, groups)
	}
	if least < Least-1e-9 { // effective numbers are rounded
		return 0, 0, 0, false
	}
	s, err := calib.NewSample(r.share, r.hit, r.weight, r.square)
	if err != nil { // of weights that are no numbers
		return 0, 0, 0, false
	}
	a, se := s.AUC()
	if a == 0 || a == 1 { // no variance is larger than a(1−a)/least (van Dantzig 1951)
		return a, least, groups, true
	}
	n := float64(a*(1-a)) / max(float64(se*se), hanley(a, rows[0], rows[1]), hanley(a, rows[1], rows[0]))
	if r.group != nil {
		n = min(n, r.basis(s, a).Effective(a, 1))
	}
	return a, n, groups, true
}

// hanley returns the variance of the area of Hanley and McNeil for rows of two sides, of which either may be taken
// for the diseased.
func hanley(a, diseased, others float64) float64 {
	squared := float64(a * a)
	both, beaten := a/(2-a)-squared, float64(2*squared)/(1+a)-squared
	return (float64(a*(1-a)) + float64((diseased-1)*both) + float64((others-1)*beaten)) / diseased / others
}

// rankedIn gathers the judged rows, of which one that is merged in row i weighs each[i], with the effective number
// of those that are not of the class and of those that are, and the effective number of groups of the side that has
// fewer, which says least of what chance does.
func rankedIn(t *vote.Table, each []float64, class int) (r ranked, rows [2]float64, few float64) {
	var unit [2]float64
	for i := range t.Judged() {
		at := side(t.Truth[i] == class)
		unit[at] = max(unit[at], t.WeightOf(i))
	}
	n := t.Rows()
	r = ranked{share: make([]float64, 0, n), hit: make([]bool, 0, n), weight: make([]float64, 0, n),
		square: make([]float64, 0, n)}
	var of [2]effective.Share
	for i, votes := range t.Judged() {
		hit := t.Truth[i] == class
		at := side(hit)
		w, row := t.WeightOf(i)/unit[at], each[i]/unit[at]
		if !(w*row > 0) { // too light to be seen
			continue
		}
		of[at].Add(w, row)
		r.share, r.hit = append(r.share, float64(votes[class])/float64(vote.Total(votes))), append(r.hit, hit)
		r.weight, r.square = append(r.weight, w), append(r.square, float64(w*row))
		if t.Group != nil {
			r.group = append(r.group, t.Group[i])
			of[at].JoinPart(t.Group[i], w, 0)
		}
	}
	return r, [2]float64{of[0].Rows(), of[1].Rows()}, min(of[0].Groups(), of[1].Groups())
}

// side tells the rows of the class, 1, from others, 0.
func side(hit bool) int {
	if hit {
		return 1
	}
	return 0
}

// basis returns the rows of both sides, each side of half the weight, with what moves the area in place of hits: of
// a row of placement v that is 2v − a, the mean of which is a.
func (r *ranked) basis(s *calib.Sample, a float64) *effective.Share {
	var sum [2]float64
	for i, w := range r.weight {
		sum[side(r.hit[i])] += w
	}
	var out effective.Share
	placements := s.PlacementValues()
	for i, w := range r.weight {
		p, _ := slices.BinarySearchFunc(placements, r.share[i], func(p calib.PlacementValue,
			share float64) int {
			return cmp.Compare(p.Prob, share)
		})
		v := placements[p].Miss
		if r.hit[i] {
			v = placements[p].Hit
		}
		part := float64(w / sum[side(r.hit[i])] / 2)
		out.Add(part, part)
		out.JoinPart(r.group[i], part, float64(part*(float64(2*v)-a)))
	}
	return &out
}

// Classes returns the ranks of each class on votes that new rows get like ones of.
func Classes(t *vote.Table) ([]calib.Ranks, error) {
	k := len(t.Classes)
	share, hit, weight := make([][]float64, k), make([][]bool, k), []float64(nil)
	for i, votes := range t.Judged() {
		weight = append(weight, t.WeightOf(i))
		all := float64(vote.Total(votes))
		for c, v := range votes {
			share[c], hit[c] = append(share[c], float64(v)/all), append(hit[c], t.Truth[i] == c)
		}
	}
	out := make([]calib.Ranks, k)
	for c := range out {
		var err error
		if out[c], err = calib.NewRanks(share[c], hit[c], weight); err != nil {
			return nil, fmt.Errorf("scores of class %s: %w", english.Quote(t.Classes[c]), err)
		}
	}
	return out, nil
}
