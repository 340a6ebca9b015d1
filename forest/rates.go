package forest

import (
	"slices"
	"sort"
)

// Columns of many levels, such as merchants or places, where there are two classes. Among the subsets of their levels
// one always happens to part the rows of a node well, so a tree would prefer these columns, and learn them by heart.
// Therefore they are searched as numeric ones: a level stands for the rate of a class among its rows in the bag
// (Micci-Barreca 2001). A row must have no part in its own rate, which would tell the tree its class: the rows of the
// bag are dealt to folds, and each has the rate that its level has in the other folds. Rows out of the bag, and new
// ones, have the rate of all rows of the bag. (More classes have no one order of the levels, see turned.go.)
//
// The codes of such a column are the ranks of these last rates; a rate of other folds takes the code of the rate next
// to it. A cut is kept as a set of levels, of those that the node has: the others go the way of missing cells.

const (
	// Config.SubsetLevels: up to a month's days, subsets may find what levels have in common with other features
	subsetLevels = 32
	rateFolds    = 4
	rateRows     = 10 // rows of the rate of the whole bag that every level is given, so that few rows say little
)

// ratedColumn is a column whose levels have rates.
type ratedColumn struct {
	feature int
	codes   []uint32 // level codes × (folds, whole bag)
	rates   []rate   // the same, while they are made
	ranked  []float64
}

const rateStride = rateFolds + 1

// rate is that of rows of such weight, of which so much is of the class.
type rate struct{ of, all float64 }

func (r *rate) add(weight float64, of bool) {
	r.all += weight
	if of {
		r.of += weight
	}
}

// hasRates tells whether the levels of a column are ordered by rates, given the shares of the classes. Random
// subsets learn nothing by heart.
func (c Config) hasRates(categorical bool, levels int, share []float64) bool {
	if !categorical || levels <= c.SubsetLevels || c.RandomCuts {
		return false
	}
	return presentOf(share) > 1
}

// presentOf returns how many classes have a share.
func presentOf(share []float64) int {
	present := 0
	for _, s := range share {
		if s > 0 {
			present++
		}
	}
	return present
}

// rateScratch is what rates need.
type rateScratch struct {
	folds   []uint8       // len n: of the rows in the bag; nil if no column has rates
	places  []uint32      // by id, where rows were put in another order; else nil
	columns []codedColumn // those of the data; in place of those with rates numeric ones, made anew for each tree
	rated   []ratedColumn
}

func (s *rateScratch) init(w *growth) {
	s.columns = w.columns
	for j := range w.columns {
		c := &w.columns[j]
		if !w.cfg.hasRates(c.categorical, int(c.most), w.share) {
			continue
		}
		if s.folds == nil {
			s.folds, s.places = make([]uint8, len(w.class)), w.places()
		}
		if presentOf(w.share) > 2 { // see turned.go
			continue
		}
		if s.rated == nil {
			s.columns = slices.Clone(s.columns)
		}
		if c.wide != nil {
			s.columns[j] = codedColumn{wide: make([]uint32, len(w.class))}
		} else {
			s.columns[j] = codedColumn{narrow: make([]uint16, len(w.class))}
		}
		n := (int(c.most) + 1) * rateStride
		s.rated = append(s.rated, ratedColumn{j, make([]uint32, n), make([]rate, n), nil})
	}
}

// dealFolds deals the rows in the bag of the tree of the given number to folds.
func (g *grower) dealFolds(number int) {
	if g.folds == nil {
		return
	}
	s := rateStream(g.cfg.Seed, number)
	for _, id := range g.data.rows {
		at := id
		if g.places != nil {
			at = g.places[id]
		}
		if g.votes[at] == inBag {
			g.folds[at] = uint8(s.below(rateFolds))
		}
	}
}

// rateLevels gives the levels their rates in the bag.
func (g *grower) rateLevels() {
	for i := range g.rated {
		r := &g.rated[i]
		from, to := &g.data.columns[r.feature], &g.columns[r.feature]
		g.sumRates(r.rates, from)
		to.most = r.rank()
		if from.wide != nil {
			recodeRows(to.wide, from.wide, r, g.inBag, g.folds)
		} else {
			recodeRows(to.narrow, from.narrow, r, g.inBag, g.folds)
		}
	}
}

// recodeRows sets the codes of all rows.
func recodeRows[C code](to, from []C, r *ratedColumn, inBag []row, folds []uint8) {
	for i, level := range from {
		to[i] = C(r.code(uint32(level), rateFolds))
	}
	for _, row := range inBag {
		to[row.id()] = C(r.code(uint32(from[row.id()]), int(folds[row.id()])))
	}
}

// sumRates sums the in-bag rows up by level and fold; what it leaves are the rates of the other folds, and of all.
func (g *grower) sumRates(rates []rate, from *codedColumn) {
	clear(rates)
	var bag rate
	for _, r := range g.inBag {
		w, of := g.weightOf(r), r.class() == 1 // the rarer class
		rates[int(from.at(r.id()))*rateStride+int(g.folds[r.id()])].add(w, of)
		bag.add(w, of)
	}
	prior := rate{float64(rateRows * (bag.of / bag.all)), rateRows}
	for level := 0; level < len(rates); level += rateStride {
		sums := [rateFolds]rate(rates[level : level+rateFolds])
		for fold := range rateStride {
			var others rate
			for f, s := range sums {
				if f != fold {
					others.of += s.of
					others.all += s.all
				}
			}
			rates[level+fold] = rate{others.of + prior.of, others.all + prior.all}
		}
	}
}

// rank makes the codes from the rates, and returns the highest. That of missing cells is 0.
func (r *ratedColumn) rank() uint32 {
	r.ranked = r.ranked[:0]
	for at := rateStride; at < len(r.rates); at += rateStride {
		r.ranked = append(r.ranked, r.rates[at+rateFolds].of/r.rates[at+rateFolds].all)
	}
	slices.Sort(r.ranked)
	r.ranked = slices.Compact(r.ranked)
	for at := rateStride; at < len(r.rates); at++ {
		r.codes[at] = uint32(nearest(r.ranked, r.rates[at].of/r.rates[at].all) + 1)
	}
	return uint32(len(r.ranked))
}

// nearest returns the index of the value next to v in ascending ones, of two equally near the lower.
func nearest(values []float64, v float64) int {
	at := sort.SearchFloat64s(values, v)
	if at == len(values) || at > 0 && v-values[at-1] <= values[at]-v {
		at--
	}
	return at
}

// code returns the code of a level in a fold, or, in place of the last, that of the whole bag.
func (r *ratedColumn) code(level uint32, fold int) uint32 { return r.codes[int(level)*rateStride+fold] }

// ratedOf returns the rates of a feature; nil if it has none.
func (g *grower) ratedOf(feature int) *ratedColumn {
	if at := slices.IndexFunc(g.rated, func(r ratedColumn) bool { return r.feature == feature }); at >= 0 {
		return &g.rated[at]
	}
	return nil
}

// keepRatedSet makes the cut after a code of a column with rates a set: that of those levels of the node that go
// another way than missing cells, or, where it has none, of the first level that would.
func (g *grower) keepRatedSet(r *ratedColumn) {
	b, from := &g.best, &g.data.columns[r.feature]
	words := int(from.most)/64 + 1
	b.set = slices.Grow(b.set[:0], words)[:words]
	clear(b.set)
	goesAnotherWay := func(level uint32) bool { return (r.code(level, rateFolds) <= b.lower) != b.missingLeft }
	any := false
	for _, row := range g.rows {
		if level := from.at(g.trueID(row.id())); level != 0 && goesAnotherWay(level) {
			b.set[level/64] |= 1 << (level % 64)
			any = true
		}
	}
	for level := uint32(1); !any && level <= from.most; level++ {
		if any = goesAnotherWay(level); any {
			b.set[level/64] |= 1 << (level % 64)
		}
	}
}

// trueID returns the id that a row of the node at hand has in the data.
func (g *grower) trueID(id uint32) uint32 {
	switch in := len(g.local.saved); {
	case !g.at.local:
		return id
	case int(id) < in:
		return g.local.saved[id].id()
	default:
		return g.local.out[int(id)-in]
	}
}
