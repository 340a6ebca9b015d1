package forest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// Bag says how the rows of a tree are drawn. The draws of a tree depend only on the seed, its number and the
// rows that can be drawn (those of weight > 0), so any worker can repeat them, see [Bags]; none are stored.
// [Config.NoReplacement] applies to the first three kinds, [Config.Fraction] to the first four, and
// [Config.ClassRows] to stratified bags.
type Bag string

// The kinds of bags. Another one is "hash:m", see [Hash].
const (
	Bootstrap  Bag = "bootstrap"  // n of n rows (Breiman, Machine Learning 45, 2001)
	Stratified Bag = "stratified" // of each class as many as it has rows
	Balanced   Bag = "balanced"   // of each class as many as the rarest has rows (Chen, Liaw, Breiman 2004)

	// Poisson draws each row as many times as a Poisson variable of mean Config.Fraction says, from (seed,
	// tree, id of the row) alone: nobody needs to know the other rows (Oza, Russell 2001).
	Poisson Bag = "poisson"
)

const hashPrefix = "hash:"

// Hash returns the bag that holds about m rows, each at most once: those for which a hash of (seed, tree, id of
// the row) is small. As with [Poisson], each row is decided on alone.
func Hash(m int) Bag { return Bag(hashPrefix + strconv.Itoa(m)) }

// Rows returns the m of a bag "hash:m", and whether b is one.
func (b Bag) Rows() (m int, ok bool) {
	text, hash := strings.CutPrefix(string(b), hashPrefix)
	if !hash {
		return 0, false
	}
	m, err := strconv.Atoi(text)
	return m, err == nil && m > 0 && Hash(m) == b
}

// check says whether b is a kind of bag.
func (b Bag) check() error {
	switch b {
	case Bootstrap, Stratified, Balanced, Poisson:
		return nil
	}
	if _, ok := b.Rows(); ok {
		return nil
	}
	return fmt.Errorf("%w: bag %s; choose bootstrap, stratified, balanced, poisson or, for about m rows a tree, hash:m",
		ErrConfig, english.Quote(string(b)))
}

// byRow tells whether each row is drawn alone.
func (b Bag) byRow() bool {
	_, hash := b.Rows()
	return hash || b == Poisson
}

// rowDraw draws single rows for a tree.
type rowDraw struct {
	key   stream
	below []uint64 // a random number that is not below i+1 of these means more than i draws
}

func newRowDraw(c Config, tree, n int) rowDraw {
	r := rowDraw{key: bagStream(c.Seed, tree)}
	if m, hash := c.Bag.Rows(); hash {
		r.below = []uint64{-hashBound(m, n)}
	} else {
		r.below = poissonBounds(c.Fraction)
	}
	return r
}

func (r *rowDraw) times(id uint32) uint8 {
	u, times := r.key.at(id), 0
	for times < len(r.below) && u >= r.below[times] {
		times++
	}
	return uint8(times)
}

// draw fills times (len n) with how often each row is in the bag of the tree. Eight bits hold that: as there are
// never more draws than rows to draw from, one of them comes 256 times with a probability below (e/256)^256, or
// 10^-505.
func (d *coded) draw(times []uint8, c Config, tree int) {
	clear(times)
	switch {
	case c.Bag.byRow():
		draw := newRowDraw(c, tree, len(d.rows))
		for _, id := range d.rows {
			times[id] = draw.times(id)
		}
	case c.Bag == Bootstrap:
		s := bagStream(c.Seed, tree)
		if n := len(d.rows); n == len(times) && !c.NoReplacement { // all rows can be drawn: no need to look up which
			for range c.share(n) {
				times[s.below(n)]++
			}
			return
		}
		s.sample(times, d.rows, c.share(len(d.rows)), c.NoReplacement)
	default:
		d.drawByClass(times, c, tree)
	}
}

// drawByClass draws stratified and balanced bags.
func (d *coded) drawByClass(times []uint8, c Config, tree int) {
	s := bagStream(c.Seed, tree)
	rarest := len(d.rows)
	for _, rows := range d.classRows {
		if len(rows) > 0 {
			rarest = min(rarest, len(rows))
		}
	}
	for nr, rows := range d.classRows {
		draws := len(rows)
		if c.Bag == Balanced {
			draws = min(rarest, draws)
		}
		if draws > 0 {
			s.sample(times, rows, c.draws(d.classes[nr], draws), c.NoReplacement)
		}
	}
}

// share returns the fraction of n that is drawn, at least 1.
func (c Config) share(n int) int { return max(1, int(math.Round(c.Fraction*float64(n)))) }

// sample draws so many of the rows, with replacement or without (Knuth, TAOCP 2, 3.4.2, algorithm S).
func (s *stream) sample(times []uint8, rows []uint32, draws int, once bool) {
	if !once {
		for range draws {
			times[rows[s.below(len(rows))]]++
		}
		return
	}
	for i, row := range rows {
		if s.below(len(rows)-i) < draws {
			times[row] = 1
			draws--
		}
	}
}

// at returns the random number of a row: it depends on where the stream begins and on the row alone.
func (s stream) at(row uint32) uint64 {
	return scramble(scramble(uint64(s)+uint64(row)*0x9e3779b97f4a7c15) ^ uint64(s))
}

// hashBound returns the number below which m of n random numbers lie; 0 stands for 2⁶⁴.
func hashBound(m, n int) uint64 {
	if m >= n {
		return 0
	}
	return uint64((1<<63)/float64(n)*float64(m)) * 2
}

// poissonBounds returns for i = 0, 1, ... the number below which a random number means at
// most i draws, as far as it is told apart from the next.
func poissonBounds(mean float64) []uint64 {
	var below []uint64
	p := portable.Exp(-mean)
	for sum, i := p, 1.0; sum < 1-1e-15 && i < 100; i++ {
		below = append(below, uint64(sum*(1<<63))*2)
		p = float64(p * (mean / i))
		sum += p
	}
	return below
}
