package forest

import "math/bits"

// Everything random in a tree comes from the seed and the place where it is used: the bag of
// a tree from (seed, tree), the features of a node from (seed, tree, path to the node). So a
// tree is the same whoever grows it, in whatever order its nodes are taken.

// stream is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return scramble(uint64(*s))
}

// below returns a number in [0, n), by multiplication (Lemire 2019) without its rejection
// step: the bias is below n/2⁶⁴.
func (s *stream) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// path names a node of a tree: a hash of the seed, the tree and the turns that lead there.
type path uint64

func rootPath(seed uint64, tree int) path {
	return path(scramble(scramble(seed+0x9e3779b97f4a7c15) ^ (uint64(tree)+1)*0xd1342543de82ef95))
}

func (p path) left() path  { return path(scramble(uint64(p) + 0x9e3779b97f4a7c15)) }
func (p path) right() path { return path(scramble(uint64(p) + 0x3c6ef372fe94f82a)) }

// features is the stream that draws the features of the node.
func (p path) features() stream { return stream(p) }

// cut is the stream that draws a cut of a feature in the node.
func (p path) cut(feature int) stream {
	return stream(scramble(uint64(p) ^ (uint64(feature)+1)*0xd1342543de82ef95))
}

// sums is the stream that draws what classes count in the node, see turned.go.
func (p path) sums() stream { return stream(scramble(uint64(p) ^ 0x8ebc6af09c88c6e3)) }

// rateStream draws the folds of the rates of levels in a tree.
func rateStream(seed uint64, tree int) stream {
	return stream(scramble(uint64(rootPath(seed, tree)) ^ 0xe7037ed1a0b428db))
}

// bagStream draws the bag of a tree.
func bagStream(seed uint64, tree int) stream {
	return stream(scramble(uint64(rootPath(seed, tree)) ^ 0xa0761d6478bd642f))
}
