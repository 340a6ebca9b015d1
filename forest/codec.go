package forest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// ErrFormat is wrapped by every error about bytes that are not a forest.
var ErrFormat = errors.New("forest")

// WriteTo writes f, some kilobytes at a time. All numbers are little-endian:
//
//	uint32 uint32 uint64       trees, number of the first, digest of their origin
//	of each feature:
//	  uint64                   what its splits gained, see Importance
//	  uint32                   cuts
//	  of a numeric feature:    float64 for each cut, ascending: cells <= it go left
//	  of a categorical one:    for each cut the codes that go another way than missing cells,
//	                           as bits in uint64 words, or uint32 a count and as many codes
//	uint32                     lists of shares, 0 if votes are hard, then for each
//	  uint16 × k               shares of the classes
//	uint8                      1 if votes are soft, 2 if leaves are added up: then the sums, see Sums.write
//	uint8                      bytes of a node, as many as the largest needs
//	of each tree:
//	  uint32                   nodes
//	  of each node             its lowest bytes
//
// A node is stored as it is in memory (node.go explains its bits), so reading trees takes no longer than
// checking them. The schema, classes, class shares and ties are not included: whoever keeps the forest keeps
// those too.
func (f *Forest) WriteTo(w io.Writer) (int64, error) {
	if len(f.trees) == 0 {
		return 0, fmt.Errorf("%w: there are no trees to write; grow some", ErrFormat)
	}
	to := &writer{to: w, b: make([]byte, 0, written)}
	to.uint32(uint32(len(f.trees)))
	to.uint32(uint32(f.first))
	to.uint64(f.origin)
	for j := range f.cuts {
		to.uint64(f.gain[j])
		f.cuts[j].write(to)
	}
	to.uint32(uint32(len(f.shares) / len(f.Classes)))
	for _, s := range f.shares {
		to.uint16(s)
	}
	width, soft := f.nodeBytes(), byte(0)
	switch {
	case f.soft:
		soft = 1
	case f.sums != nil:
		soft = 2
	}
	to.uint8(soft)
	if f.sums != nil {
		f.sums.write(to)
	}
	to.uint8(byte(width))
	for _, nodes := range f.trees {
		to.uint32(uint32(len(nodes)))
		for _, n := range nodes {
			to.lowest(uint64(n), width)
		}
	}
	return to.end()
}

// writer gathers numbers, and writes them on. It keeps the first error.
type writer struct {
	to  io.Writer
	b   []byte
	n   int64 // bytes that are written
	err error
}

// written is how many bytes are written at a time, about.
const written = 1 << 16

// lowest writes the lowest bytes of v.
func (w *writer) lowest(v uint64, width int) {
	w.b = binary.LittleEndian.AppendUint64(w.b, v)
	if w.b = w.b[:len(w.b)-8+width]; len(w.b) > written-8 {
		w.flush()
	}
}

func (w *writer) uint8(v uint8)   { w.lowest(uint64(v), 1) }
func (w *writer) uint16(v uint16) { w.lowest(uint64(v), 2) }
func (w *writer) uint32(v uint32) { w.lowest(uint64(v), 4) }
func (w *writer) uint64(v uint64) { w.lowest(v, 8) }

func (w *writer) flush() {
	if w.err == nil {
		n, err := w.to.Write(w.b)
		w.n, w.err = w.n+int64(n), err
	}
	w.b = w.b[:0]
}

// end writes what is left.
func (w *writer) end() (int64, error) {
	w.flush()
	return w.n, w.err
}

// nodeBytes returns the bytes that the largest node needs.
func (f *Forest) nodeBytes() int {
	most := 0
	for _, nodes := range f.trees {
		most = max(most, len(nodes)-1)
	}
	return (childBit + bits.Len(uint(most)) + 7) / 8
}

func (c *cuts) write(w *writer) {
	w.uint32(uint32(c.count()))
	for _, v := range c.at {
		w.uint64(math.Float64bits(v))
	}
	for _, word := range c.bits {
		w.uint64(word)
	}
	for i := range max(0, len(c.starts)-1) {
		codes := c.codes[c.starts[i]:c.starts[i+1]]
		w.uint32(uint32(len(codes)))
		for _, code := range codes {
			w.uint32(code)
		}
	}
}

// Decode reads what WriteTo wrote, that many bytes of in, for the given features and classes, with the Share and Ties
// of the forest. It holds no more of them than those of a tree. It trusts nothing: counts are checked against the
// bytes that remain before anything is allocated, and a forest
// is only returned if every path through every tree ends at a leaf of a known class, and if it would be written
// as the same bytes. So there must be as many bytes in in as size says. Errors wrap [ErrFormat].
func Decode(in io.Reader, size int64, schema dataset.Schema, classes []string, share []float64,
	ties []int) (*Forest, error) {
	f := &Forest{Schema: schema, Classes: classes, Share: share, Ties: ties}
	r := &reader{in: bufio.NewReaderSize(in, written), left: size}
	trees, first := r.count(4), r.uint32()
	f.first, f.origin = int(first), r.uint64()
	if trees < 1 || trees > MaxTrees || int64(first)+int64(trees) > MaxTrees {
		return nil, fmt.Errorf("%w: a count of %d trees from %d on does not fit into %d bytes", ErrFormat, trees, first,
			size)
	}
	f.cuts, f.gain = make([]cuts, len(schema)), make([]uint64, len(schema))
	for j, field := range schema {
		if f.gain[j] = r.uint64(); f.gain[j]/uint64(trees) > mostGain(len(classes)) {
			return nil, fmt.Errorf("%w: feature %d gained %d", ErrFormat, j, f.gain[j])
		}
		if err := f.cuts[j].read(r, field); err != nil {
			return nil, fmt.Errorf("%w: cuts of feature %d: %w", ErrFormat, j, err)
		}
	}
	if err := f.readShares(r, trees); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if r.short {
		return nil, fmt.Errorf("%w: cut short", ErrFormat)
	}
	f.index()
	f.layout = f.smallestLayout()
	if err := f.readTrees(r, trees); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return f, nil
}

// mostGain returns a bound of what a tree of k classes gains: 1-1/k of Gini, ln k of entropy, √(k-1) of Hellinger.
func mostGain(k int) uint64 {
	return gainUnit * uint64(max(1, bits.Len(uint(k-1)), int(math.Ceil(math.Sqrt(float64(k-1))))))
}

// read reads the cuts of a feature.
func (c *cuts) read(r *reader, field dataset.Field) error {
	if field.Kind == dataset.Numeric {
		c.at = make([]float64, r.count(8))
		for i := range c.at {
			c.at[i] = math.Float64frombits(r.uint64())
			if v := c.at[i]; v != v || math.IsInf(v, 0) || i > 0 && v <= c.at[i-1] {
				return fmt.Errorf("threshold %v is not above the one before", v)
			}
		}
		return nil
	}
	*c = newSets(len(field.Levels))
	if c.words > 0 {
		c.bits = make([]uint64, r.count(8*c.words)*c.words)
		for i := range c.bits {
			c.bits[i] = r.uint64()
		}
		return c.checkBits(len(field.Levels))
	}
	for range r.count(4) {
		from := len(c.codes)
		for range r.count(4) {
			c.codes = append(c.codes, r.uint32())
			if last := len(c.codes) - 1; int64(c.codes[last]) > int64(len(field.Levels)) || c.codes[last] == 0 || last > from &&
				c.codes[last] <= c.codes[last-1] {
				return fmt.Errorf("level %d of %d is out of order", c.codes[last], len(field.Levels))
			}
		}
		if len(c.codes) == from {
			return errors.New("an empty set of levels")
		}
		c.starts = append(c.starts, uint32(len(c.codes)))
	}
	return nil
}

// checkBits makes sure that every set has a member, and none but levels.
func (c *cuts) checkBits(levels int) error {
	for i := range c.count() {
		set := c.bits[i*c.words : (i+1)*c.words]
		any := uint64(0)
		for _, w := range set {
			any |= w
		}
		if any == 0 || set[0]&1 != 0 || set[c.words-1]>>(levels%64)>>1 != 0 {
			return fmt.Errorf("set %d of levels %x of %d levels", i, set, levels)
		}
	}
	return nil
}

func (f *Forest) readShares(r *reader, trees int) (err error) {
	k := len(f.Classes)
	f.shares = make([]uint16, r.count(2*k)*k)
	for i := range f.shares {
		f.shares[i] = r.uint16()
	}
	for i := 0; i < len(f.shares); i += k {
		sum, most := 0, uint16(0)
		for _, s := range f.shares[i : i+k] {
			sum, most = sum+int(s), max(most, s)
		}
		if sum != vote.Unit || most == vote.Unit {
			return fmt.Errorf("shares %v of a leaf", f.shares[i:i+k])
		}
	}
	soft := r.uint8()
	if f.soft = soft == 1; soft == 2 && len(f.shares) == 0 {
		f.sums, err = readSums(r, trees, k, len(f.cuts))
		return err
	}
	if soft > 1 || !f.soft && len(f.shares) > 0 {
		return fmt.Errorf("votes of kind %d with %d shares", soft, len(f.shares))
	}
	return nil
}

func (f *Forest) readTrees(r *reader, trees int) error {
	width := int(r.uint8())
	if width < 1 || width > 8 {
		return fmt.Errorf("nodes of %d bytes", width)
	}
	f.trees = make([][]node, trees)
	check := newTreeCheck(f)
	for t := range f.trees {
		nodes := make([]node, r.count(width))
		readNodes(nodes, r.take(len(nodes)*width), width)
		if r.short {
			return fmt.Errorf("cut short in tree %d", t)
		}
		if err := check.tree(nodes); err != nil {
			return fmt.Errorf("tree %d: %w", t, err)
		}
		f.trees[t] = nodes
	}
	if r.left != 0 || width != f.nodeBytes() {
		return fmt.Errorf("%d bytes after the last tree, nodes of %d bytes instead of %d", r.left, width, f.nodeBytes())
	}
	return check.all()
}

// readNodes reads nodes of so many bytes.
func readNodes(nodes []node, b []byte, width int) {
	whole := uint64(math.MaxUint64) >> (64 - 8*width)
	for i := range nodes {
		if len(b) >= 8 {
			nodes[i] = node(binary.LittleEndian.Uint64(b) & whole)
		} else { // one of the last
			for at, part := range b[:width] {
				nodes[i] |= node(part) << (8 * at)
			}
		}
		b = b[width:]
	}
}

// treeCheck makes sure that trees are trees, written in the one way there is.
type treeCheck struct {
	f       *Forest
	numeric []uint32   // by feature, its cuts if it is numeric, else 0
	used    [][]uint64 // by numeric feature, bit i: cut i occurs
	sets    []uint32   // by categorical feature, the cuts that have occurred: they are numbered as they do
	next    uint32     // the same for leaves with shares
	todo    []uint32
}

func newTreeCheck(f *Forest) *treeCheck {
	p := len(f.cuts)
	c := &treeCheck{f: f, numeric: make([]uint32, p), used: make([][]uint64, p), sets: make([]uint32, p),
		next: uint32(len(f.Classes))}
	for j := range f.cuts {
		c.numeric[j] = uint32(len(f.cuts[j].at))
		c.used[j] = make([]uint64, len(f.cuts[j].at)/64+1)
	}
	return c
}

// tree walks a tree as it was grown, left before right, and makes sure that each pair of children is
// the next pair of nodes: then every node but the root has one parent and every way ends at a leaf.
func (c *treeCheck) tree(nodes []node) error {
	if len(nodes) == 0 {
		return errors.New("no nodes")
	}
	l, p, next := c.f.layout, uint32(len(c.f.cuts)), 1
	c.todo = append(c.todo[:0], 0)
	for len(c.todo) > 0 {
		i := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		switch n := nodes[i]; {
		case l.featureOf(n) == p:
			if n != l.leaf(l.cut(n), int(p), i) {
				return fmt.Errorf("node %d is not in the form of a leaf", i)
			}
		case int64(n.child()) != int64(next) || n != l.pack(l.cut(n), l.featureOf(n), n.missing() != 0, uint32(next)) || next+
			2 > len(nodes):
			return fmt.Errorf("node %d of %d: child %d, expected %d", i, len(nodes), n.child(), next)
		default:
			c.todo = append(c.todo, uint32(next+1), uint32(next))
			next += 2
		}
	}
	if next != len(nodes) {
		return fmt.Errorf("%d of %d nodes are used", next, len(nodes))
	}
	for i, n := range nodes {
		feature, cut := l.featureOf(n), l.cut(n)
		if int64(feature) < int64(len(c.used)) && cut < c.numeric[feature] {
			c.used[feature][cut/64] |= 1 << (cut % 64)
		} else if err := c.other(feature, cut); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return nil
}

// other checks the vote of a leaf, or the cut of a node that is not one of a numeric feature.
func (c *treeCheck) other(feature, cut uint32) error {
	k := uint32(len(c.f.Classes))
	switch {
	case int64(feature) > int64(len(c.f.cuts)):
		return fmt.Errorf("feature %d of %d", feature, len(c.f.cuts))
	case int(feature) == len(c.f.cuts):
		if cut >= k || c.f.sums != nil {
			if cut != c.next {
				return fmt.Errorf("vote %d, expected %d", cut, c.next)
			}
			c.next++
		}
	case int(cut) >= c.f.cuts[feature].count():
		return fmt.Errorf("cut %d of the %d of feature %d", cut, c.f.cuts[feature].count(), feature)
	case cut != c.sets[feature]:
		return fmt.Errorf("set of levels %d, expected %d", cut, c.sets[feature])
	default:
		c.sets[feature]++
	}
	return nil
}

// all makes sure that everything occurred.
func (c *treeCheck) all() error {
	k := len(c.f.Classes)
	if int(c.next)-k != c.f.lists() {
		return fmt.Errorf("%d of %d lists of shares are used", int(c.next)-k, c.f.lists())
	}
	for j := range c.f.cuts {
		used := int(c.sets[j])
		for _, w := range c.used[j] {
			used += bits.OnesCount64(w)
		}
		if used != c.f.cuts[j].count() {
			return fmt.Errorf("%d of the %d cuts of feature %d are used", used, c.f.cuts[j].count(), j)
		}
	}
	return nil
}

// reader takes numbers off the front of some bytes. Reading past the end gives zeros and sets short.
type reader struct {
	in    *bufio.Reader
	left  int64 // bytes that are to come
	room  []byte
	short bool
}

// take returns the next n bytes, until it is called again.
func (r *reader) take(n int) []byte {
	if n > cap(r.room) {
		r.room = make([]byte, n)
	}
	b := r.room[:n]
	if int64(n) > r.left || r.short {
		r.end()
		clear(b)
		return b
	}
	r.left -= int64(n)
	if _, err := io.ReadFull(r.in, b); err != nil {
		r.end()
		clear(b)
	}
	return b
}

// end has nothing more come.
func (r *reader) end() { r.left, r.short = 0, true }

func (r *reader) uint8() uint8   { return r.take(1)[0] }
func (r *reader) uint16() uint16 { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) uint64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// count reads a count of things of at least so many bytes each. What cannot be there is short,
// and no things.
func (r *reader) count(size int) int {
	n := int64(r.uint32())
	if r.short || n > r.left/int64(size) {
		r.end()
		return 0
	}
	return int(n)
}
