package vote

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Pair counts rows by their class and by the decisions of two rules, a and b. From it one can tell what one
// rule gains over the other, also on other samples of the rows.
type Pair struct {
	classes []string
	rank    []int
	cells   map[pairCell]Kish
	number  map[int]int // of each group, in the order of their coming
	groups  [][]grouped // by number: its rows, by cell; nil where rows have none
}

// grouped are rows of a group that are of one cell, and what they weigh together.
type grouped struct {
	pairCell
	weight float64
}

// FewGroups is the effective number of groups, see [Basis.Groups], below which noise is not estimated: a
// handful of groups, drawn anew, tells little about others.
const FewGroups = 10

// TooFew reports whether rows have groups, but effectively fewer than [FewGroups], allowing for rounding.
func TooFew(groups float64) bool { return groups > 0 && groups < FewGroups-1e-9 }

// pairCell is a true class and the decisions of the two rules.
type pairCell struct{ truth, a, b int }

// NewPair returns a Pair without rows. Rank gives, by class, the order in which resamples are drawn, so that
// they need not depend on names; nil means the order of classes.
func NewPair(classes []string, rank []int) *Pair {
	return &Pair{classes: classes, rank: rank, cells: map[pairCell]Kish{}}
}

// Add adds rows of the given truth and decisions, with their summed weight and what a row of them weighs, as
// [Kish.Add] does: w and w for a single row. Weight 0 adds nothing.
func (p *Pair) Add(truth, a, b int, weight, row float64) {
	if weight > 0 {
		cell := pairCell{truth, a, b}
		rows := p.cells[cell]
		rows.Add(weight, row)
		p.cells[cell] = rows
	}
}

// Confusions returns the confusion matrices of the two rules.
func (p *Pair) Confusions() (a, b *Confusion) {
	return p.fill(p.keys(), func(rows Kish) float64 {
		weight, _ := rows.summed()
		return weight
	})
}

// Join assigns rows that were added, of the given summed weight, to a group.
func (p *Pair) Join(group, truth, a, b int, weight float64) {
	if !(weight > 0) {
		return
	}
	at, known := p.number[group]
	if !known {
		if p.number == nil {
			p.number = map[int]int{}
		}
		at = len(p.groups)
		p.number[group], p.groups = at, append(p.groups, nil)
	}
	of := pairCell{truth, a, b}
	for i := range p.groups[at] {
		if p.groups[at][i].pairCell == of {
			p.groups[at][i].weight += weight
			return
		}
	}
	p.groups[at] = append(p.groups[at], grouped{of, weight})
}

// Groups returns the number of groups and their effective number, as of [Basis.Groups]; 0 without groups.
func (p *Pair) Groups() (number int, effective float64) {
	var groups Kish
	for _, cells := range p.groups {
		weight := 0.0
		for _, c := range cells {
			weight += c.weight
		}
		groups.Add(weight, weight)
	}
	return len(p.groups), groups.Rows()
}

// Basis returns the [Basis] of the rows for which want is true; hit says which of them are hits.
func (p *Pair) Basis(want, hit func(truth, a, b int) bool) *Basis {
	var rows Basis
	for _, key := range p.keys() {
		if cell := p.cells[key]; want(key.truth, key.a, key.b) {
			rows.Add(cell.summed())
		}
	}
	for g, cells := range p.groups {
		for _, c := range cells {
			if want(c.truth, c.a, c.b) {
				rows.Join(g, c.weight, hit(c.truth, c.a, c.b))
			}
		}
	}
	return &rows
}

// Resample calls show times times with the matrices on random samples of as many rows. The weight of a cell is
// Poisson distributed in steps of such a size that its variance is the sum of the squared weights of its rows.
// If rows have groups, as many whole groups are drawn with replacement. Source: Davison and Hinkley, Bootstrap
// Methods and their Application (1997), 3.8; Field and Welsh, Journal of the Royal Statistical Society B 69
// (2007) 369-390.
func (p *Pair) Resample(rng *rand.Rand, times int, show func(a, b *Confusion)) {
	if p.groups != nil {
		p.regroup(rng, times, show)
		return
	}
	keys := p.keys()
	for range times {
		show(p.fill(keys, func(rows Kish) float64 {
			weight, step := rows.summed()
			return float64(portable.Poisson(rng, weight/step) * step)
		}))
	}
}

// regroup draws groups anew, each with all its rows. Groups of the same rows are counted together, as most are
// where they are small.
func (p *Pair) regroup(rng *rand.Rand, times int, show func(a, b *Confusion)) {
	kinds, of := p.kinds()
	drawn := make([]int, len(kinds))
	for range times {
		clear(drawn)
		for range of {
			drawn[of[rng.IntN(len(of))]]++
		}
		a, b := NewConfusion(p.classes), NewConfusion(p.classes)
		for kind, n := range drawn {
			for _, rows := range kinds[kind] {
				weight := float64(float64(n) * rows.weight)
				a.Add(rows.truth, rows.a, weight)
				b.Add(rows.truth, rows.b, weight)
			}
		}
		show(a, b)
	}
}

// kinds returns the different contents that groups have, in the order of their coming, and which of them each group
// has.
func (p *Pair) kinds() (kinds [][]grouped, of []int) {
	known, key := map[string]int{}, []byte(nil)
	of = make([]int, len(p.groups))
	for g, rows := range p.groups {
		key = key[:0]
		for _, r := range slices.SortedFunc(slices.Values(rows), func(x, y grouped) int { return p.compare(x.pairCell, y.pairCell) }) {
			key = fmt.Appendln(key, r.truth, r.a, r.b, math.Float64bits(r.weight))
		}
		kind, is := known[string(key)]
		if !is {
			kind = len(kinds)
			known[string(key)], kinds = kind, append(kinds, rows)
		}
		of[g] = kind
	}
	return kinds, of
}

func (p *Pair) fill(keys []pairCell, weight func(Kish) float64) (a, b *Confusion) {
	a, b = NewConfusion(p.classes), NewConfusion(p.classes)
	for _, key := range keys {
		w := weight(p.cells[key])
		a.Add(key.truth, key.a, w)
		b.Add(key.truth, key.b, w)
	}
	return a, b
}

// keys returns the cells in a fixed order.
func (p *Pair) keys() []pairCell { return slices.SortedFunc(maps.Keys(p.cells), p.compare) }

// compare orders cells by the ranks of their classes.
func (p *Pair) compare(x, y pairCell) int {
	rank := func(c int) int {
		if p.rank == nil {
			return c
		}
		return p.rank[c]
	}
	return cmp.Or(cmp.Compare(rank(x.truth), rank(y.truth)), cmp.Compare(rank(x.a), rank(y.a)), cmp.Compare(rank(x.b), rank(y.b)))
}
