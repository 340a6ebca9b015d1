// Package paired counts rows by the decisions of two rules, to tell what one gains over the other.
package paired

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Decisions counts rows by their class and by the decisions of two rules, a and b. From it one can tell what one
// rule gains over the other, also on other samples of the rows.
type Decisions struct {
	classes []string
	rank    []int
	cells   map[pairCell]effective.Size
	number  map[int]int // of each group, in the order of their coming
	groups  [][]grouped // by number: its rows, by cell; nil where rows have none
}

// grouped are rows of a group that are of one cell, and what they weigh together.
type grouped struct {
	pairCell
	weight float64
}

// pairCell is a true class and the decisions of the two rules.
type pairCell struct{ truth, a, b int }

// New returns a Pair without rows. Rank gives, by class, the order in which resamples are drawn, so that
// they need not depend on names; nil means the order of classes.
func New(classes []string, rank []int) *Decisions {
	return &Decisions{classes: classes, rank: rank, cells: map[pairCell]effective.Size{}}
}

// Add adds rows of the given truth and decisions, with their summed weight and what a row of them weighs, as
// [Size.Add] does: w and w for a single row. Weight 0 adds nothing.
func (p *Decisions) Add(truth, a, b int, weight, row float64) {
	if weight > 0 {
		cell := pairCell{truth, a, b}
		rows := p.cells[cell]
		rows.Add(weight, row)
		p.cells[cell] = rows
	}
}

// Confusions returns the confusion matrices of the two rules.
func (p *Decisions) Confusions() (a, b *vote.Confusion) {
	return p.fill(p.keys(), func(rows effective.Size) float64 {
		weight, _ := rows.Summed()
		return weight
	})
}

// Join assigns rows that were added, of the given summed weight, to a group.
func (p *Decisions) Join(group, truth, a, b int, weight float64) {
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

// Groups returns the number of groups and their effective number, as of [Share.Groups]; 0 without groups.
func (p *Decisions) Groups() (number int, equal float64) {
	var groups effective.Size
	for _, cells := range p.groups {
		weight := 0.0
		for _, c := range cells {
			weight += c.weight
		}
		groups.Add(weight, weight)
	}
	return len(p.groups), groups.Rows()
}

// Share returns the [Share] of the rows for which want is true; hit says which of them are hits.
func (p *Decisions) Share(want, hit func(truth, a, b int) bool) *effective.Share {
	var rows effective.Share
	for _, key := range p.keys() {
		if cell := p.cells[key]; want(key.truth, key.a, key.b) {
			rows.Add(cell.Summed())
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
func (p *Decisions) Resample(rng *rand.Rand, times int, show func(a, b *vote.Confusion)) {
	if p.groups != nil {
		p.regroup(rng, times, show)
		return
	}
	keys := p.keys()
	for range times {
		show(p.fill(keys, func(rows effective.Size) float64 {
			weight, step := rows.Summed()
			return float64(portable.Poisson(rng, weight/step) * step)
		}))
	}
}

// regroup draws groups anew, each with all its rows. Groups of the same rows are counted together, as most are
// where they are small.
func (p *Decisions) regroup(rng *rand.Rand, times int, show func(a, b *vote.Confusion)) {
	kinds, of := p.kinds()
	drawn := make([]int, len(kinds))
	for range times {
		clear(drawn)
		for range of {
			drawn[of[rng.IntN(len(of))]]++
		}
		a, b := vote.NewConfusion(p.classes), vote.NewConfusion(p.classes)
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
func (p *Decisions) kinds() (kinds [][]grouped, of []int) {
	known, key := map[string]int{}, []byte(nil)
	of = make([]int, len(p.groups))
	for g, rows := range p.groups {
		key = key[:0]
		for _, r := range slices.SortedFunc(slices.Values(rows), func(x, y grouped) int {
			return p.compare(x.pairCell,
				y.pairCell)
		}) {
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

func (p *Decisions) fill(keys []pairCell, weight func(effective.Size) float64) (a, b *vote.Confusion) {
	a, b = vote.NewConfusion(p.classes), vote.NewConfusion(p.classes)
	for _, key := range keys {
		w := weight(p.cells[key])
		a.Add(key.truth, key.a, w)
		b.Add(key.truth, key.b, w)
	}
	return a, b
}

// keys returns the cells in a fixed order.
func (p *Decisions) keys() []pairCell { return slices.SortedFunc(maps.Keys(p.cells), p.compare) }

// compare orders cells by the ranks of their classes.
func (p *Decisions) compare(x, y pairCell) int {
	rank := func(c int) int {
		if p.rank == nil {
			return c
		}
		return p.rank[c]
	}
	return cmp.Or(cmp.Compare(rank(x.truth), rank(y.truth)), cmp.Compare(rank(x.a), rank(y.a)), cmp.Compare(rank(x.b),
		rank(y.b)))
}
