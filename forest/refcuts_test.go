package forest

import (
	"cmp"
	"math"
	"slices"
)

// distinctValues returns the known cells of a column, ascending, each once, and whether some are missing.
func (r *refTree) distinctValues(f int, rows []int) (values []float64, gaps bool) {
	for _, i := range rows {
		if v := r.at(f, i); math.IsNaN(v) {
			gaps = true
		} else {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values), gaps
}

// allValues returns the distinct values of all rows that can be drawn, or of a hash bag those of its rows.
func (r *refTree) allValues(f int) []float64 {
	if r.values[f] == nil && r.rates[f] != nil {
		r.values[f] = slices.Clone(r.rates[f].level)
		slices.Sort(r.values[f])
		r.values[f] = slices.Compact(r.values[f])
	}
	if r.values[f] == nil {
		var rows []int
		_, hash := r.cfg.Bag.Rows()
		for i, inBag := range r.weight {
			if inBag > 0 || !hash && r.frame.WeightOf(i) > 0 {
				rows = append(rows, i)
			}
		}
		r.values[f], _ = r.distinctValues(f, rows)
	}
	return r.values[f]
}

func (r *refTree) numericCuts(rows []int, f int, p path) []*refCut {
	x := func(i int) float64 { return r.at(f, i) }
	values, gaps := r.distinctValues(f, rows)
	all := r.allValues(f) // the node has a part of these
	random := -1          // the last of all that goes left
	if r.cfg.RandomCuts && len(values) > 1 {
		s := p.cut(f)
		lo, hi := values[0], values[len(values)-1]
		u := float64(s.next()>>11) / (1 << 53)
		t := lo + float64(u*(hi-lo))
		if math.IsInf(hi-lo, 0) {
			t = float64((1-u)*lo) + float64(u*hi)
		}
		for i, v := range all {
			if v == lo || v <= t && v < hi {
				random = i
			}
		}
	}
	var cuts []*refCut
	for _, missingLeft := range []bool{false, true} {
		if missingLeft && !gaps {
			break
		}
		for v := range values {
			t := math.MaxFloat64 // all numbers left, missing cells right
			if v+1 < len(values) {
				left, _ := slices.BinarySearch(all, values[v])
				next, _ := slices.BinarySearch(all, values[v+1])
				left += (next - left) / 2
				if random >= 0 {
					left = random
				}
				lo, hi := all[left], all[left+1]
				t = lo + (hi-lo)/2
				if math.IsInf(hi-lo, 0) {
					t = lo/2 + hi/2
				}
				if t < lo || t >= hi {
					t = lo
				}
			} else if missingLeft || !gaps || random >= 0 {
				break
			}
			cuts = append(cuts, &refCut{node: Node{Feature: f, Threshold: t}, left: func(i int) bool {
				if v := x(i); !math.IsNaN(v) {
					return v <= t
				}
				return missingLeft
			}})
			if random >= 0 {
				break
			}
		}
	}
	return cuts
}

func (r *refTree) categoricalCuts(rows []int, f int, p path) []*refCut {
	col := &r.frame.Columns[f]
	code := func(i int) int {
		if v := col.At(i); !math.IsNaN(v) {
			return int(v) + 1
		}
		return 0
	}
	byLevel := map[int][]float64{}
	var levels, classes []int
	for _, i := range rows {
		l := code(i)
		if byLevel[l] == nil {
			byLevel[l] = make([]float64, len(r.frame.Classes))
			levels = append(levels, l)
		}
		byLevel[l][r.frame.Truth[i]] += r.weight[i]
	}
	if len(levels) < 2 {
		return nil
	}
	slices.Sort(levels)
	if r.cfg.RandomCuts {
		s := p.cut(f)
		var left []int
		for _, l := range levels {
			if s.next()>>63 != 0 {
				left = append(left, l)
			}
		}
		if len(left) == 0 || len(left) == len(levels) {
			left = levels[:1]
		}
		return []*refCut{{node: Node{Feature: f}, left: func(i int) bool { return slices.Contains(left, code(i)) }}}
	}
	counts := r.counts(rows)
	for _, c := range r.order {
		if counts[c] > 0 {
			classes = append(classes, c)
		}
	}
	if r.turned[f] {
		return r.turnedCuts(rows, f, p.sums(), classes, levels)
	}
	if len(classes) == 2 {
		classes = classes[1:]
	}
	var cuts []*refCut
	for _, c := range classes {
		share := func(l int) float64 {
			sum := 0.0
			for _, w := range byLevel[l] {
				sum += w
			}
			return byLevel[l][c] / sum
		}
		order := slices.Clone(levels)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(share(a), share(b)) })
		place := make(map[int]int, len(order))
		for at, l := range order {
			place[l] = at
		}
		placeOf := make([]int, len(r.weight)) // by row
		for _, i := range rows {
			placeOf[i] = place[code(i)]
		}
		for n := 1; n < len(order); n++ {
			cuts = append(cuts, &refCut{node: Node{Feature: f}, left: func(i int) bool { return placeOf[i] < n }})
		}
	}
	return cuts
}
