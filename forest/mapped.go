package forest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/rfpragma/rfpragma/dataset"
)

// Mapped is a forest that votes with its trees where they lie, in the bytes that [Forest.WriteTo] wrote: for one that
// is to vote on a few rows at once, and for a file that is mapped into memory. Any number of goroutines may use it.
type Mapped struct {
	about  *Forest // all but cuts, shares and trees
	b      []byte
	cuts   []mappedCuts
	shares int   // where they begin
	lists  int   // of shares
	width  int   // bytes of a node
	trees  []int // where each begins, with its count of nodes
}

// mappedCuts are cuts where they lie.
type mappedCuts struct {
	count  int
	at     int   // where they begin
	words  int   // of a set, see cuts
	starts []int // where each list of codes begins, with its count
}

// Map finds the parts of b, for the given features and classes, with the Share and Ties of the forest, as [Decode]
// reads them. It reads where parts begin, not what they hold: [Mapped.Vote] checks what it comes to. Nobody may change
// b as long as the forest is used. About is what else there is of the forest, without trees. Errors wrap [ErrFormat].
func Map(b []byte, schema dataset.Schema, classes []string, share []float64, ties []int) (m *Mapped, about *Forest,
	err error) {
	f := &Forest{Schema: schema, Classes: classes, Share: share, Ties: ties}
	m = &Mapped{about: f, b: b, cuts: make([]mappedCuts, len(schema))}
	c := &cursor{b: b}
	trees := c.count(4)
	f.first, f.origin = int(c.next(4)), c.next(8)
	if trees < 1 || trees > MaxTrees || f.first+trees > MaxTrees {
		return nil, nil, fmt.Errorf("%w: a count of %d trees from %d on does not fit into %d bytes", ErrFormat, trees,
			f.first, len(b))
	}
	f.gain = make([]uint64, len(schema))
	for j, field := range schema {
		if f.gain[j] = c.next(8); f.gain[j]/uint64(trees) > mostGain(len(classes)) {
			return nil, nil, fmt.Errorf("%w: feature %d gained %d", ErrFormat, j, f.gain[j])
		}
		m.cuts[j].locate(c, field)
	}
	k := len(classes)
	m.lists = c.count(2 * k)
	m.shares = c.pass(m.lists * 2 * k)
	soft, width := c.next(1), c.next(1)
	f.soft, m.width = soft == 1, int(width)
	if c.short || soft > 1 || !f.soft && m.lists > 0 || width < 1 || width > 8 {
		return nil, nil, fmt.Errorf("%w: cut short, or votes of kind %d with %d shares and nodes of %d bytes", ErrFormat,
			soft, m.lists, width)
	}
	f.layout = m.layout()
	return m, f, m.findTrees(c, trees)
}

// layout is that of [Forest.smallestLayout].
func (m *Mapped) layout() layout {
	most := len(m.about.Classes) - 1 + m.lists
	for j := range m.cuts {
		most = max(most, m.cuts[j].count-1)
	}
	l, _ := newLayout(most, len(m.cuts))
	return l
}

// findTrees finds where trees begin, which must end where b does.
func (m *Mapped) findTrees(c *cursor, trees int) error {
	m.trees = make([]int, trees)
	most := 0
	for t := range m.trees {
		m.trees[t] = c.at
		nodes := c.count(m.width)
		c.pass(nodes * m.width)
		if c.short || nodes == 0 {
			return fmt.Errorf("%w: cut short in tree %d", ErrFormat, t)
		}
		most = max(most, nodes-1)
	}
	if least := (childBit + bits.Len(uint(most)) + 7) / 8; c.at != len(m.b) || m.width != least {
		return fmt.Errorf("%w: %d bytes after the last tree, nodes of %d bytes instead of %d", ErrFormat, len(m.b)-c.at,
			m.width, least)
	}
	return nil
}

// locate finds the cuts of a feature.
func (m *mappedCuts) locate(c *cursor, field dataset.Field) {
	levels := len(field.Levels)
	switch {
	case field.Kind == dataset.Numeric:
		m.count = c.count(8)
		m.at = c.pass(8 * m.count)
	case levels < mostBits:
		m.words = levels/64 + 1
		m.count = c.count(8 * m.words)
		m.at = c.pass(8 * m.words * m.count)
	default:
		m.count = c.count(4)
		m.starts = make([]int, m.count)
		for i := range m.starts {
			m.starts[i] = c.at
			c.pass(4 * c.count(4))
		}
	}
}

var errForm = errors.New("not in the form that this program writes")

// Vote is [Forest.Vote]. It checks each node that it comes to, so that it ends, whatever the bytes are. Errors:
// [ErrFormat] for what WriteTo does not write; votes are then worth nothing.
func (m *Mapped) Vote(votes []uint32, x []float64) error {
	f := m.about
	if len(x) != len(f.Schema) || len(votes) != len(f.Classes) {
		panic(fmt.Sprintf("forest: Vote of %d cells into %d counts; the forest has %d features and %d classes",
			len(x), len(votes), len(f.Schema), len(f.Classes)))
	}
	for t, at := range m.trees {
		if err := m.voteTree(votes, x, at); err != nil {
			return fmt.Errorf("%w: tree %d: %w", ErrFormat, t, err)
		}
	}
	return nil
}

// voteTree adds the vote of the tree at that place.
func (m *Mapped) voteTree(votes []uint32, x []float64, at int) error {
	l, p := m.about.layout, len(x)
	nodes := binary.LittleEndian.Uint32(m.b[at:])
	for i := uint32(0); ; {
		n := m.node(at + 4 + int(i)*m.width)
		j, cut, child := int(l.featureOf(n)), l.cut(n), n.child()
		switch {
		case j == p:
			if n != l.leaf(cut, p, i) {
				return fmt.Errorf("node %d: %w", i, errForm)
			}
			return m.cast(votes, cut)
		case j > p || int64(cut) >= int64(m.cuts[j].count) || child <= i || int64(child)+1 >= int64(nodes):
			return fmt.Errorf("node %d: %w", i, errForm)
		}
		if i = child; !m.goesLeft(n, j, cut, x[j]) {
			i++
		}
	}
}

// node reads the node at that place.
func (m *Mapped) node(at int) node {
	if at+8 <= len(m.b) {
		return node(binary.LittleEndian.Uint64(m.b[at:]) & (math.MaxUint64 >> (64 - 8*m.width)))
	}
	var last [8]byte
	copy(last[:m.width], m.b[at:])
	return node(binary.LittleEndian.Uint64(last[:]))
}

// goesLeft tells whether the cell v of feature j goes left of a cut, see [Forest.next].
func (m *Mapped) goesLeft(n node, j int, cut uint32, v float64) bool {
	c, field := &m.cuts[j], &m.about.Schema[j]
	if field.Kind == dataset.Numeric {
		if v != v {
			return n.missing() != 0
		}
		return v <= math.Float64frombits(binary.LittleEndian.Uint64(m.b[c.at+8*int(cut):]))
	}
	code := uint32(0)
	if v >= 0 && v < float64(len(field.Levels)) {
		code = uint32(v) + 1
	}
	return m.has(c, int(cut), code) != (n.missing() != 0)
}

// has is [cuts.has].
func (m *Mapped) has(c *mappedCuts, i int, code uint32) bool {
	if c.words > 0 {
		word := binary.LittleEndian.Uint64(m.b[c.at+8*(i*c.words+int(code/64)):])
		return word>>(code%64)&1 != 0
	}
	at := c.starts[i]
	from, to := 0, int(binary.LittleEndian.Uint32(m.b[at:]))
	for from < to {
		mid := int(uint(from+to) / 2)
		switch v := binary.LittleEndian.Uint32(m.b[at+4+4*mid:]); {
		case v == code:
			return true
		case v < code:
			from = mid + 1
		default:
			to = mid
		}
	}
	return false
}

// cast is [Forest.cast].
func (m *Mapped) cast(votes []uint32, leaf uint32) error {
	k := uint32(len(votes))
	if leaf < k {
		m.about.cast(votes, leaf)
		return nil
	}
	if int64(leaf-k) >= int64(m.lists) {
		return fmt.Errorf("vote %d: %w", leaf, errForm)
	}
	for c := range votes {
		votes[c] += uint32(binary.LittleEndian.Uint16(m.b[m.shares+2*(int(leaf-k)*int(k)+c):]))
	}
	return nil
}

// cursor takes numbers off bytes. Past their end there are zeros, and it is short.
type cursor struct {
	b     []byte
	at    int
	short bool
}

// pass goes on by n bytes, and returns where they begin.
func (c *cursor) pass(n int) (from int) {
	from = c.at
	if n > len(c.b)-c.at {
		c.short, c.at = true, len(c.b)
		return from
	}
	c.at += n
	return from
}

// next takes a number of that many bytes.
func (c *cursor) next(width int) uint64 {
	var all [8]byte
	if from := c.pass(width); !c.short {
		copy(all[:width], c.b[from:])
	}
	return binary.LittleEndian.Uint64(all[:])
}

// count takes a count of things of at least so many bytes each, 0 if they cannot be there.
func (c *cursor) count(size int) int {
	n := int(c.next(4))
	if c.short || n > (len(c.b)-c.at)/size {
		c.short, c.at = true, len(c.b)
		return 0
	}
	return n
}
