package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Link is how the sums of leaves become the shares of the classes, see [Sums].
type Link uint8

// The links. Shares and Logistic also take a single sum, that of the second of two classes.
const (
	Shares   Link = iota // the sums are the shares; a single one leaves the rest to the first class
	Logistic             // 1/(1+exp(−Scale·sum)) of each sum
	Softmax              // exp(sum) of each over that of all
	links
)

// Sums say what the leaves of a forest of another program hold, if not a vote: numbers that are added up over the
// trees, in their order, and become the shares of the classes. There is a sum for each class, or a single one.
type Sums struct {
	Base   []float64 // len m, what the sums begin with
	Class  []int     // by tree, the sum that its leaves add to; nil if a leaf has m numbers, one for each sum
	Divide float64   // what the sums are divided by in the end, such as the trees of a mean
	Link   Link
	Scale  float64 // see Logistic
	Single bool    // whether everything is computed in float32
	Late   bool    // whether Base is added after the leaves
	Last   bool    // whether the later of two classes of equal shares wins, and not the earlier
	Zeros  []bool  // by feature, whether cells within 1e-35 of 0 are missing; nil if of none

	leaves []float64 // len leaves × width
}

// whole is how many counts a share of 1 becomes.
var whole = (&vote.Table{Scores: true}).Whole()

// width is how many numbers a leaf holds.
func (s *Sums) width() int {
	if s.Class != nil {
		return 1
	}
	return len(s.Base)
}

// check says what cannot be of a forest of so many trees and classes.
func (s *Sums) check(trees, k, p int) error {
	m := len(s.Base)
	switch {
	case s.Link >= links:
		return fmt.Errorf("link %d of %d", s.Link, links)
	case m != k && (m != 1 || k != 2 || s.Link == Softmax):
		return fmt.Errorf("%d sums for %d classes", m, k)
	case s.Class != nil && len(s.Class) != trees:
		return fmt.Errorf("%d classes of %d trees", len(s.Class), trees)
	case s.Zeros != nil && len(s.Zeros) != p:
		return fmt.Errorf("zeros of %d features, where there are %d", len(s.Zeros), p)
	case !(s.Divide > 0) || math.IsInf(s.Divide, 0) || !(s.Scale > 0) || math.IsInf(s.Scale, 0):
		return fmt.Errorf("sums that are divided by %v, of scale %v", s.Divide, s.Scale)
	}
	for _, c := range s.Class {
		if c < 0 || c >= m {
			return fmt.Errorf("a tree that adds to sum %d of %d", c, m)
		}
	}
	for _, list := range [][]float64{s.Base, s.leaves} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("a leaf or base of %v", v)
			}
			if v < 0 && s.Link == Shares {
				return errors.New("a leaf of a negative share")
			}
		}
	}
	return nil
}

// additive tells whether the share of a class is the sum of what its leaves hold, of each class a number.
func (s *Sums) additive() bool {
	return s.Link == Shares && s.Class == nil && !slices.ContainsFunc(s.Base, func(v float64) bool { return v != 0 })
}

// missing tells whether the cell v of a feature is a missing one.
func (s *Sums) missing(feature int, v float64) bool {
	const zero = float64(float32(1e-35)) // what LightGBM takes for 0
	return s.Zeros != nil && s.Zeros[feature] && v >= -zero && v <= zero
}

// start writes into sums (len m) what they begin with.
func (s *Sums) start(sums []float64) {
	clear(sums)
	if !s.Late {
		copy(sums, s.Base)
	}
}

// add adds the leaf that a row has reached in a tree.
func (s *Sums) add(sums []float64, tree int, leaf uint32) {
	if s.Class != nil {
		c := s.Class[tree]
		sums[c] = s.rounded(sums[c] + s.leaves[leaf])
		return
	}
	m := len(sums)
	for c, v := range s.leaves[int(leaf)*m : (int(leaf)+1)*m] {
		sums[c] = s.rounded(sums[c] + v)
	}
}

// rounded is v as it is computed with: the sum of two float32 in float64, rounded, is their sum in float32.
func (s *Sums) rounded(v float64) float64 {
	if s.Single {
		return float64(float32(v))
	}
	return v
}

// end makes full sums of sums.
func (s *Sums) end(sums []float64) {
	for c := range sums {
		if s.Late {
			sums[c] = s.rounded(sums[c] + s.Base[c])
		}
		if s.Divide != 1 {
			sums[c] = s.rounded(sums[c] / s.Divide)
		}
	}
}

// inShares writes into dst (len k) the shares of the classes of full sums.
func (s *Sums) inShares(dst, sums []float64) {
	switch s.Link {
	case Softmax:
		s.softmax(dst, sums)
		return
	case Logistic:
		for c, v := range sums {
			dst[len(dst)-len(sums)+c] = s.logistic(v)
		}
	default:
		copy(dst[len(dst)-len(sums):], sums)
	}
	if len(sums) < len(dst) {
		dst[0] = s.rounded(1 - dst[1])
	}
}

func (s *Sums) logistic(v float64) float64 {
	return s.rounded(1 / s.rounded(1+s.rounded(portable.Exp(-float64(s.Scale*v)))))
}

func (s *Sums) softmax(dst, sums []float64) {
	most, all := math.Inf(-1), 0.0
	for _, v := range sums {
		most = max(most, v)
	}
	for c, v := range sums {
		dst[c] = s.rounded(portable.Exp(s.rounded(v - most)))
		all = s.rounded(all + dst[c])
	}
	for c := range dst {
		dst[c] = s.rounded(dst[c] / all)
	}
}

// cast adds the shares of full sums to the counts of a row, as parts of whole. Shares that do not add up to 1,
// as each class has its own logistic, count as parts of their sum. The largest share has the most counts, if
// need be by one more; of equal ones that of the class for which the program decides.
func (s *Sums) cast(votes []uint32, sums []float64) {
	var few [32]float64 // on the stack: no allocation for up to 32 classes
	share := few[:min(len(votes), len(few))]
	if len(votes) > len(few) {
		share = make([]float64, len(votes))
	}
	s.inShares(share, sums)
	all, top := 0.0, 0
	for c, v := range share {
		if all += v; v > share[top] || s.Last && v == share[top] {
			top = c
		}
	}
	if !(all > 0) || math.IsInf(all, 0) { // of no class
		return
	}
	if math.Abs(all-1) < 1e-5 {
		all = 1
	}
	most := uint32(0)
	for c, v := range share {
		n := uint32(math.Round(v / all * whole))
		if c != top {
			most = max(most, n+1)
			votes[c] += n
		}
	}
	votes[top] += max(most, uint32(math.Round(share[top]/all*whole)))
}

// Scored reports whether the forest, of another program, gives shares of the classes instead of votes, see [Sums].
func (f *Forest) Scored() bool { return f.sums != nil }

// Whole returns the number of counts that are shown as 1: the vote of a tree, see [Forest.Unit], or all votes of a
// forest that gives shares.
func (f *Forest) Whole() float64 { return (&vote.Table{Soft: f.soft, Scores: f.sums != nil}).Whole() }

// Foreign reports whether another program grew the trees, see [Assemble].
func (f *Forest) Foreign() bool { return f.origin == 0 }

// Scores writes into dst (len k) the shares of the classes for the row x (len p), as the program gives them that grew
// the forest, and returns the sums behind them, see [Sums]; of a forest that votes the shares of the votes and nil.
// Other lengths panic.
func (f *Forest) Scores(dst, x []float64) (sums []float64) {
	if f.sums == nil {
		votes := make([]uint32, len(dst))
		f.Vote(votes, x)
		for c, v := range votes {
			dst[c] = float64(v) / f.Unit() / float64(len(f.trees))
		}
		return nil
	}
	if len(x) != len(f.Schema) || len(dst) != len(f.Classes) {
		panic(fmt.Sprintf("forest: Scores of %d cells into %d shares; the forest has %d features and %d classes",
			len(x), len(dst), len(f.Schema), len(f.Classes)))
	}
	sums = make([]float64, len(f.sums.Base))
	f.sumRow(sums, x)
	f.sums.inShares(dst, sums)
	return sums
}

// sumRow writes the full sums of the row x.
func (f *Forest) sumRow(sums, x []float64) {
	f.sums.start(sums)
	for t, nodes := range f.trees {
		n := nodes[0]
		for j := int(f.layout.featureOf(n)); j < len(x); j = int(f.layout.featureOf(n)) {
			n = nodes[f.nextOf(n, j, x[j])]
		}
		f.sums.add(sums, t, f.layout.cut(n)-uint32(len(f.Classes)))
	}
	f.sums.end(sums)
}

// voteSummed is voteBlock of a forest that gives shares.
func (f *Forest) voteSummed(ctx context.Context, table *vote.Table, frame *dataset.Frame, _ *bagged, lo, hi int) error {
	k, x := len(f.Classes), make([]float64, len(f.Schema))
	for i := lo; i < hi; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		frame.Row(x, i)
		f.voteSums(table.Counts[i*k:(i+1)*k], x)
	}
	return nil
}

// voteSums is Vote of a forest that gives shares.
func (f *Forest) voteSums(votes []uint32, x []float64) {
	var few [32]float64
	sums := few[:min(len(f.sums.Base), len(few))]
	if len(f.sums.Base) > len(few) {
		sums = make([]float64, len(f.sums.Base))
	}
	f.sumRow(sums, x)
	f.sums.cast(votes, sums)
}

// contributeSums is Contributions of a forest that gives shares, where the trees have to be asked anew.
func (f *Forest) contributeSums(dst []int64, x []float64, class int) {
	k := len(f.Classes)
	votes, cells := make([]uint32, k), append([]float64(nil), x...)
	f.voteSums(votes, x)
	own := int64(votes[class])
	for j := range x {
		if x[j] != x[j] || f.cuts[j].count() == 0 {
			continue
		}
		cells[j] = math.NaN()
		clear(votes)
		f.voteSums(votes, cells)
		cells[j], dst[j] = x[j], own-int64(votes[class])
	}
}

// write writes the sums:
//
//	uint8 × 4                  link; 1 if computed in float32; if the base is added late; if the later of equals wins
//	float64 float64            Divide, Scale
//	uint32, then for each      sums m
//	  float64                  base
//	uint32, then for each      trees with a class, 0 if leaves hold all sums
//	  uint32                   the sum that the tree adds to
//	uint32, then for each      features of which zeros may be missing, 0 if of none
//	  uint8                    1 if they are
//	uint32, then for each      leaves
//	  float64 × width          its numbers
func (s *Sums) write(w *writer) {
	flag := func(is bool) (n uint8) {
		if is {
			n = 1
		}
		return n
	}
	w.uint8(uint8(s.Link))
	w.uint8(flag(s.Single))
	w.uint8(flag(s.Late))
	w.uint8(flag(s.Last))
	w.uint64(math.Float64bits(s.Divide))
	w.uint64(math.Float64bits(s.Scale))
	w.uint32(uint32(len(s.Base)))
	for _, v := range s.Base {
		w.uint64(math.Float64bits(v))
	}
	w.uint32(uint32(len(s.Class)))
	for _, c := range s.Class {
		w.uint32(uint32(c))
	}
	w.uint32(uint32(len(s.Zeros)))
	for _, is := range s.Zeros {
		w.uint8(flag(is))
	}
	w.uint32(uint32(len(s.leaves) / s.width()))
	for _, v := range s.leaves {
		w.uint64(math.Float64bits(v))
	}
}

// readSums reads what write wrote, of a forest of so many trees, classes and features.
func readSums(r *reader, trees, k, p int) (*Sums, error) {
	number := func() float64 { return math.Float64frombits(r.uint64()) }
	s := &Sums{Link: Link(r.uint8())}
	single, late, last := r.uint8(), r.uint8(), r.uint8()
	s.Single, s.Late, s.Last = single == 1, late == 1, last == 1
	s.Divide, s.Scale = number(), number()
	s.Base = make([]float64, r.count(8))
	for i := range s.Base {
		s.Base[i] = number()
	}
	if n := r.count(4); n > 0 {
		s.Class = make([]int, n)
		for i := range s.Class {
			s.Class[i] = int(r.uint32())
		}
	}
	if single|late|last > 1 || len(s.Base) == 0 {
		return nil, fmt.Errorf("%d sums of flags %d, %d, %d", len(s.Base), single, late, last)
	}
	if n := r.count(1); n > 0 {
		s.Zeros = make([]bool, n)
		for i := range s.Zeros {
			is := r.uint8()
			if s.Zeros[i] = is == 1; is > 1 {
				return nil, fmt.Errorf("zeros of feature %d are %d", i, is)
			}
		}
	}
	s.leaves = make([]float64, r.count(8*s.width())*s.width())
	for i := range s.leaves {
		s.leaves[i] = number()
	}
	if r.short {
		return nil, errors.New("sums that are cut short")
	}
	return s, s.check(trees, k, p)
}
