package forest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/dataset"
)

// ErrFormat is wrapped by every error about bytes that are not a forest.
var ErrFormat = errors.New("forest")

const nodeBytes = 16

// AppendBinary appends the trees of f to b. All numbers are little-endian:
//
//	uint32                      trees
//	of each tree:
//	  uint32, uint32            nodes, words of level sets
//	  of each node:
//	    uint64 uint32 uint32    cut, left, feature with its marks (see node)
//	  of each word: uint64      levels that go left, lowest bit first
//
// Schema, classes and shares are not among them: whoever keeps the trees keeps those too.
func (f *Forest) AppendBinary(b []byte) ([]byte, error) {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(len(f.Trees)))
	for _, t := range f.Trees {
		b = le.AppendUint32(b, uint32(len(t.nodes)))
		b = le.AppendUint32(b, uint32(len(t.sets)))
		for _, nd := range t.nodes {
			b = le.AppendUint64(b, nd.cut)
			b = le.AppendUint32(b, nd.left)
			b = le.AppendUint32(b, nd.feature)
		}
		for _, w := range t.sets {
			b = le.AppendUint64(b, w)
		}
	}
	return b, nil
}

// Decode reads the trees that AppendBinary wrote for the given features and classes. It
// trusts nothing: counts are checked against the bytes that remain before anything is
// allocated, and a tree is only returned when every way through it ends at a leaf of a known
// class. Errors wrap [ErrFormat].
func Decode(b []byte, schema dataset.Schema, classes []string, share []float64) (*Forest, error) {
	f := &Forest{Schema: schema, Classes: classes, Share: share}
	f.index()
	r := reader{b: b}
	trees := int(r.uint32())
	if r.short || trees < 1 || trees > MaxTrees || trees > len(r.b)/(8+nodeBytes) {
		return nil, fmt.Errorf("%w: a count of %d trees does not fit into %d bytes", ErrFormat, trees, len(b))
	}
	f.Trees = make([]Tree, trees)
	for t := range f.Trees {
		nodes, words := int(r.uint32()), int(r.uint32())
		if r.short || nodes < 1 || nodes > len(r.b)/nodeBytes || words > (len(r.b)-nodes*nodeBytes)/8 {
			return nil, fmt.Errorf("%w: tree %d: %d nodes and %d words do not fit into what is left of the file", ErrFormat, t, nodes, words)
		}
		f.Trees[t] = r.tree(nodes, words)
		if err := f.Trees[t].check(schema, len(classes)); err != nil {
			return nil, fmt.Errorf("%w: tree %d: %w", ErrFormat, t, err)
		}
	}
	if len(r.b) != 0 {
		return nil, fmt.Errorf("%w: %d bytes after the last tree", ErrFormat, len(r.b))
	}
	return f, nil
}

// reader takes numbers off the front of b. Reading past the end gives zeros and sets short.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) uint32() uint32 {
	if len(r.b) < 4 {
		r.b, r.short = nil, true
		return 0
	}
	v := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return v
}

// tree reads as many nodes and words as were found to be there.
func (r *reader) tree(nodes, words int) Tree {
	le := binary.LittleEndian
	t := Tree{nodes: make([]node, nodes)}
	for i := range t.nodes {
		t.nodes[i] = node{le.Uint64(r.b), le.Uint32(r.b[8:]), le.Uint32(r.b[12:])}
		r.b = r.b[nodeBytes:]
	}
	for range words {
		t.sets = append(t.sets, le.Uint64(r.b))
		r.b = r.b[8:]
	}
	return t
}

// check walks t as it was grown, left before right, and makes sure that each pair of children
// is the next pair of nodes: then every node but the root has one parent and every way ends
// at a leaf. Features, classes, thresholds and sets must be in range, and what a node does
// not use must be zero, so that there is one way to write a tree.
func (t *Tree) check(schema dataset.Schema, k int) error {
	next, nextWord := 1, 0
	todo := []int{0}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		nd := t.nodes[i]
		if nd.feature&leafMark != 0 {
			if nd.feature != leafMark || nd.cut != 0 || int64(nd.left) >= int64(k) {
				return fmt.Errorf("node %d is not a leaf of one of %d classes", i, k)
			}
			continue
		}
		if int64(nd.left) != int64(next) || next+2 > len(t.nodes) {
			return fmt.Errorf("node %d of %d: child %d, expected %d", i, len(t.nodes), nd.left, next)
		}
		n, err := t.checkCut(nd, schema, nextWord)
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		todo = append(todo, next+1, next)
		next += 2
		nextWord += n
	}
	if next != len(t.nodes) || nextWord != len(t.sets) {
		return fmt.Errorf("%d of %d nodes and %d of %d words are used", next, len(t.nodes), nextWord, len(t.sets))
	}
	return nil
}

// checkCut checks the cut of an inner node and returns the words of its set, which must
// begin at the given word.
func (t *Tree) checkCut(nd node, schema dataset.Schema, word int) (int, error) {
	f := int64(nd.feature & featureMask)
	if f >= int64(len(schema)) {
		return 0, fmt.Errorf("feature %d of %d", f, len(schema))
	}
	field := schema[f]
	if categorical := nd.feature&categoricalMark != 0; categorical != (field.Kind == dataset.Categorical) {
		return 0, fmt.Errorf("feature %d is %v in the schema", f, field.Kind)
	}
	if field.Kind == dataset.Numeric {
		if v := math.Float64frombits(nd.cut); v != v || math.IsInf(v, 0) {
			return 0, fmt.Errorf("threshold %v", v)
		}
		return 0, nil
	}
	n := words(field)
	if nd.cut != uint64(word) || n == 0 || word+n > len(t.sets) {
		return 0, fmt.Errorf("set of levels at word %d, expected at %d of %d", nd.cut, word, len(t.sets))
	}
	if beyond := len(field.Levels) % 64; beyond != 0 && t.sets[word+n-1]>>beyond != 0 {
		return 0, errors.New("a set has a level beyond the last")
	}
	return n, nil
}
