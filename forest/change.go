package forest

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
)

// MostChanged is how many cells [Forest.Change] changes at most.
const MostChanged = 3

// ChangeQuery says what is asked of [Forest.Change].
type ChangeQuery struct {
	Free []int // the features whose cells may change, ascending
	Most int   // how many of them at once, from 1 to MostChanged
	// Turns tells whether votes, as [Forest.Vote] counts them (len k), are decided as they should be.
	Turns func(votes []uint32) bool
	// Where Turns is true, one of the functions Any of the votes is >= 0, if there are some, and each of All is. A
	// function has a factor for each class, and is the sum of factors times votes. They only save time.
	Any, All [][]float64
}

// ChangedCell is a cell that is to change: of a number to any one above From and up to To, of a category to the one of
// the index Level.
type ChangedCell struct {
	Feature  int
	From, To float64
	Level    int
	// Distance of a number is the share of the thresholds of its feature that lie between it and what it was; it is 1 of
	// a category, and of a cell that was missing.
	Distance float64
}

// Change returns the fewest cells of the row x (len p, as for [Forest.Vote]) that have to change, and to what, so that
// its votes turn. Of equally few it returns those with the smallest sum of distances, of equals those that come first
// in Free. It is nil if no Most cells turn them. No cell is made a missing one.
//
// The votes are constant between thresholds, so the search is exact: it takes all boxes of thresholds in the free
// features, nearest first, and leaves out those in which no tree can vote so that the query is met (branch and bound:
// Land and Doig, Econometrica 28 (1960) 497-520; for forests cf. Cui et al., KDD 2015). One cell takes as long as some
// votes; each further one multiplies that by the number of features.
//
// Errors: [ErrConfig] for a query that does not fit; that of ctx.
func (f *Forest) Change(ctx context.Context, x []float64, q ChangeQuery) ([]ChangedCell, error) {
	if err := f.checkQuery(x, &q); err != nil {
		return nil, err
	}
	s := &changeSearch{f: f, q: &q, ranks: make([]uint32, len(x)), functions: slices.Concat(q.Any, q.All),
		votes: make([]uint32, len(f.Classes))}
	for j, v := range x {
		s.ranks[j] = f.rank(j, v)
	}
	most := 0.0
	for _, a := range s.functions {
		for _, v := range a {
			most = max(most, math.Abs(v))
		}
	}
	s.slack = 1e-9 * most * f.Unit() * float64(len(f.trees)) // of sums that are rounded
	free := slices.DeleteFunc(slices.Clone(q.Free), func(j int) bool { return f.cuts[j].count() == 0 })
	for cells := 1; cells <= min(q.Most, len(free)); cells++ {
		if err := s.all(ctx, free, cells); err != nil {
			return nil, err
		}
		if s.best != nil {
			return s.best, nil
		}
	}
	return nil, nil
}

func (f *Forest) checkQuery(x []float64, q *ChangeQuery) error {
	switch {
	case f.sums != nil:
		return fmt.Errorf("%w: the trees, of another program, give shares and not votes, for which no smallest change is "+
			"sought", ErrConfig)
	case len(x) != len(f.Schema):
		return fmt.Errorf("%w: a change of %d cells; the forest has %d features", ErrConfig, len(x), len(f.Schema))
	case q.Turns == nil:
		return fmt.Errorf("%w: a change without Turns, which tells what is looked for", ErrConfig)
	case q.Most < 1 || q.Most > MostChanged:
		return fmt.Errorf("%w: a change of up to %d cells; choose 1 to %d", ErrConfig, q.Most, MostChanged)
	}
	for i, j := range q.Free {
		if j < 0 || j >= len(x) || i > 0 && j <= q.Free[i-1] {
			return fmt.Errorf("%w: free features %v of %d; give their indices, ascending", ErrConfig, q.Free, len(x))
		}
	}
	for _, a := range slices.Concat(q.Any, q.All) {
		if len(a) != len(f.Classes) {
			return fmt.Errorf("%w: a function of %d votes; there are %d classes", ErrConfig, len(a), len(f.Classes))
		}
	}
	return nil
}

// changeSearch looks for the nearest change of some features at a time.
type changeSearch struct {
	f         *Forest
	q         *ChangeQuery
	ranks     []uint32 // of the row
	functions [][]float64
	slack     float64
	votes     []uint32 // of a point that is tried

	best     []ChangedCell
	distance float64 // of best

	free    []freeCell // the features at hand
	regions []region
	values  []float64 // of the functions, by region
	todo    []walking
}

// freeCell is a feature whose cell may change.
type freeCell struct {
	feature     int
	own, last   uint32 // the rank of the row, and the largest one
	unit        float64
	categorical bool
}

// nearest returns the point of a range of ranks that is nearest to the row, and how far it is.
func (c *freeCell) nearest(lo, hi uint32) (rank uint32, distance float64) {
	switch own := c.own; {
	case lo <= own && own <= hi:
		return own, 0
	case c.categorical || own == noRank:
		return lo, 1
	case own < lo:
		return lo, float64(lo-own) * c.unit
	default:
		return hi, float64(own-hi) * c.unit
	}
}

// extent is a range of the ranks of each free cell.
type extent struct{ lo, hi [MostChanged]uint32 }

// region is where a tree votes one way: an extent, and of categories a set of levels.
type region struct {
	extent
	levels [MostChanged]levelSet
	tree   uint32
	vote   uint32
}

// levelSet has a bit for each level; nil has all.
type levelSet []uint64

func (s levelSet) has(level uint32) bool { return s == nil || s[level/64]>>(level%64)&1 != 0 }

// meets tells whether the set has a level of a range.
func (s levelSet) meets(lo, hi uint32) bool {
	for level := lo; s != nil && level <= hi; level++ {
		if s.has(level) {
			return true
		}
	}
	return s == nil
}

// meets tells whether a box has points of the region.
func (r *region) meets(b *extent, cells int) bool {
	for d := range cells {
		if r.lo[d] > b.hi[d] || r.hi[d] < b.lo[d] || !r.levels[d].meets(b.lo[d], b.hi[d]) {
			return false
		}
	}
	return true
}

// has tells whether a point is in the region.
func (r *region) has(point *[MostChanged]uint32, cells int) bool {
	for d := range cells {
		if at := point[d]; at < r.lo[d] || at > r.hi[d] || !r.levels[d].has(at) {
			return false
		}
	}
	return true
}

// all tries all sets of so many of the features.
func (s *changeSearch) all(ctx context.Context, features []int, cells int) error {
	chosen := make([]int, cells)
	for d := range chosen {
		chosen[d] = d
	}
	for {
		s.free = s.free[:0]
		for _, at := range chosen {
			s.free = append(s.free, s.cell(features[at]))
		}
		if err := s.boxes(ctx); err != nil {
			return err
		}
		d := cells - 1
		for d >= 0 && chosen[d] == len(features)-cells+d {
			d--
		}
		if d < 0 {
			return nil
		}
		for chosen[d]++; d+1 < cells; d++ {
			chosen[d+1] = chosen[d] + 1
		}
	}
}

// cell returns what there is to know of a feature.
func (s *changeSearch) cell(feature int) freeCell {
	c := freeCell{feature: feature, own: s.ranks[feature]}
	if c.categorical = s.f.Schema[feature].Kind == dataset.Categorical; c.categorical {
		c.last = uint32(len(s.f.Schema[feature].Levels) - 1)
		return c
	}
	at := s.f.cuts[feature].at
	c.last = uint32(len(at))
	if at[len(at)-1] == math.MaxFloat64 { // which parts missing cells from all numbers
		c.last--
	}
	c.unit = 1 / float64(max(1, c.last))
	return c
}

// box is an extent in which the votes may turn.
type box struct {
	extent
	distance float64
	number   int     // in which order boxes come
	open     []int32 // the regions of trees that vote one way or another there
	closed   []int32 // those of trees that vote one way
}

// nearestFirst is a heap of boxes.
type nearestFirst []*box

func (h nearestFirst) Len() int { return len(h) }
func (h nearestFirst) Less(i, j int) bool {
	if h[i].distance != h[j].distance {
		return h[i].distance < h[j].distance
	}
	return h[i].number < h[j].number
}
func (h nearestFirst) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *nearestFirst) Push(v any)   { *h = append(*h, v.(*box)) }
func (h *nearestFirst) Pop() any {
	last := len(*h) - 1
	b := (*h)[last]
	*h = (*h)[:last]
	return b
}

// boxes looks for a change of the free cells that is nearer than the best one.
func (s *changeSearch) boxes(ctx context.Context) error {
	s.split()
	whole := &box{}
	for d, c := range s.free {
		whole.hi[d] = c.last
	}
	all := make([]int32, len(s.regions))
	for i := range all {
		all[i] = int32(i)
	}
	var todo nearestFirst
	number := 0
	push := func(b *box, from []int32, closed []int32) {
		number++
		if b.number = number; s.may(b, from, closed) {
			heap.Push(&todo, b)
		}
	}
	for push(whole, all, nil); len(todo) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := heap.Pop(&todo).(*box)
		if s.best != nil && b.distance >= s.distance {
			return nil
		}
		if s.turns(b) {
			return nil
		}
		if len(b.open) > 0 {
			left, right := s.cut(b)
			push(left, b.open, b.closed)
			push(right, b.open, b.closed)
		}
	}
	return nil
}

// may sorts the regions of a box, which are among those that are given, and tells whether the votes may turn there,
// nearer than the best change.
func (s *changeSearch) may(b *box, from, closed []int32) bool {
	for d := range s.free {
		_, distance := s.free[d].nearest(b.lo[d], b.hi[d])
		b.distance += distance
	}
	if s.best != nil && b.distance >= s.distance {
		return false
	}
	b.closed = slices.Clone(closed)
	for lo := 0; lo < len(from); {
		begin := len(b.open)
		tree := s.regions[from[lo]].tree
		for ; lo < len(from) && s.regions[from[lo]].tree == tree; lo++ {
			if s.regions[from[lo]].meets(&b.extent, len(s.free)) {
				b.open = append(b.open, from[lo])
			}
		}
		if len(b.open) == begin+1 {
			b.closed, b.open = append(b.closed, b.open[begin]), b.open[:begin]
		}
	}
	any := len(s.q.Any) == 0
	for i := range s.functions {
		reaches := s.highest(b, i) >= -s.slack
		switch {
		case i < len(s.q.Any):
			any = any || reaches
		case !reaches:
			return false
		}
	}
	return any
}

// highest bounds what a function can be in a box.
func (s *changeSearch) highest(b *box, function int) float64 {
	n, sum := len(s.functions), 0.0
	for _, i := range b.closed {
		sum += s.values[int(i)*n+function]
	}
	for lo := 0; lo < len(b.open); {
		tree, top := s.regions[b.open[lo]].tree, math.Inf(-1)
		for ; lo < len(b.open) && s.regions[b.open[lo]].tree == tree; lo++ {
			top = max(top, s.values[int(b.open[lo])*n+function])
		}
		sum += top
	}
	return sum
}

// turns tells whether the votes turn at the point of a box that is nearest to the row, which is then the best change.
func (s *changeSearch) turns(b *box) bool {
	var point [MostChanged]uint32
	for d := range s.free {
		point[d], _ = s.free[d].nearest(b.lo[d], b.hi[d])
	}
	clear(s.votes)
	for _, i := range b.closed {
		s.f.cast(s.votes, s.regions[i].vote)
	}
	for _, i := range b.open {
		if r := &s.regions[i]; r.has(&point, len(s.free)) {
			s.f.cast(s.votes, r.vote)
		}
	}
	if !s.q.Turns(s.votes) {
		return false
	}
	s.best, s.distance = nil, b.distance
	for d := range s.free {
		c := &s.free[d]
		_, distance := c.nearest(point[d], point[d])
		cell := ChangedCell{Feature: c.feature, Distance: distance, From: math.Inf(-1), To: math.Inf(1)}
		if c.categorical {
			cell.Level = int(point[d])
		} else {
			at := s.f.cuts[c.feature].at
			if point[d] > 0 {
				cell.From = at[point[d]-1]
			}
			if point[d] < c.last {
				cell.To = at[point[d]]
			}
		}
		s.best = append(s.best, cell)
	}
	return true
}

// cut cuts a box in two: in the cell in which most regions end there, in the middle of their ends.
func (s *changeSearch) cut(b *box) (left, right *box) {
	var ends, most []uint32
	cell := -1
	for d := range s.free {
		ends = ends[:0]
		for _, i := range b.open {
			r := &s.regions[i]
			switch {
			case s.free[d].categorical && r.levels[d] != nil && b.lo[d] < b.hi[d]:
				ends = append(ends, (b.lo[d]+b.hi[d]+1)/2)
			case !s.free[d].categorical && r.lo[d] > b.lo[d]:
				ends = append(ends, r.lo[d])
			}
		}
		if cell < 0 || len(ends) > len(most) {
			cell, most, ends = d, ends, most
		}
	}
	slices.Sort(most)
	at := most[len(most)/2]
	left, right = &box{extent: b.extent}, &box{extent: b.extent}
	left.hi[cell], right.lo[cell] = at-1, at
	return left, right
}
