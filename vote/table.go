package vote

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// Source says where the votes of a table come from, which decides what they may be used for.
type Source string

// The sources. Weights and maps are fitted on votes of trees that did not see the row. [Train] votes are nearly
// always right and therefore useless for that.
const (
	OOB      Source = "oob"      // by the trees whose bag left the row out
	CV       Source = "cv"       // by forests grown on the other folds
	Forward  Source = "forward"  // by forests grown on earlier rows
	Holdout  Source = "holdout"  // by a forest that has not seen the row
	External Source = "external" // of any other model, read from a file
	Train    Source = "train"    // by the forest on its own training rows
)

// Unit is the number of counts that make one vote if votes are soft: a tree that votes with the shares of the
// classes in a leaf divides its vote into so many whole parts.
const Unit = 1000

// Table holds the raw votes of a forest for n rows and k classes. Counts are never normalised; if votes are
// soft they are thousandths of a vote, see [Table.Unit]. A row may stand for many of the same votes and class,
// with their summed weight, see [Table.Compress].
//
// A table whose lengths do not agree has no rows to its methods, and what they make of it is no sound table, either:
// see [Table.Check].
type Table struct {
	Classes []string
	Truth   []int     // len n, index into Classes; -1 where unknown
	Counts  []uint32  // len n*k, row-major: Counts[i*k+c] trees, or thousandths of trees, voted c for row i
	Weight  []float64 // len n, case weights; nil means 1 each
	// Count (len n) says how many rows each row counts as, if Weight is what is at stake in it (see
	// pragma.Costs.Stakes); nil means that Weight says it.
	Count  []float64
	Times  []int     // len n, how many rows a row stands for, see [Table.Condense]; nil means 1 each
	Group  []int     // len n; equal numbers mark rows that belong together, such as those of a customer; nil for none
	Amount []float64 // len n, amount at stake in a row, such as the sum of a payment, see pragma.Costs; nil for none
	Share  []float64 // len k, share of each class among the training rows
	Slices []Slice   // whose decisions are counted apart, too, see Confusion.Slice; nil for none
	In     []uint64  // len n; bit s tells whether a row is in Slices[s]; nil without slices
	Ties   []int     // the classes in the order in which they win ties; nil if that follows from Share, see TieOrder
	Source Source
	Soft   bool // Counts are in parts of Unit
	Scores bool // Counts are real scores of another model, multiplied by a large number
	Trees  int  // largest number of whole votes that a row can get; 0 for Scores
}

// Take returns a table of the given rows, in that order. With a row that t has not got, it returns a table without
// classes, which [Table.Check] refuses.
func (t *Table) Take(rows []int) *Table {
	for _, i := range rows {
		if i < 0 || i >= len(t.Truth) || !t.shaped() {
			return &Table{}
		}
	}
	part := *t
	part.Truth, part.Counts = make([]int, 0, len(rows)), make([]uint32, 0, len(rows)*len(t.Classes))
	part.Weight, part.Count, part.Times, part.Amount = pick(t.Weight, rows), pick(t.Count, rows), pick(t.Times, rows),
		pick(t.Amount, rows)
	part.Group, part.In = pick(t.Group, rows), pick(t.In, rows)
	for _, i := range rows {
		part.Truth = append(part.Truth, t.Truth[i])
		part.Counts = append(part.Counts, t.Votes(i)...)
	}
	return &part
}

// pick returns the values of the given rows; nil of nil.
func pick[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	part := make([]T, len(rows))
	for i, r := range rows {
		part[i] = values[r]
	}
	return part
}

// Unit returns the number of counts that make one vote: 1, or [Unit] if votes are soft. Decisions, searches and
// confusion matrices do not depend on it; to count votes, divide by it.
func (t *Table) Unit() float64 {
	if t.Soft {
		return Unit
	}
	return 1
}

// Whole returns the number of counts that are shown as 1: [Table.Unit], or 1e9 of the shares that a forest of another
// program gives.
func (t *Table) Whole() float64 {
	if t.Scores {
		return 1e9
	}
	return t.Unit()
}

// Rows returns n.
func (t *Table) Rows() int { return len(t.Truth) }

// Votes returns the k counts of row i, a slice of Counts; nil of a row that there is not.
func (t *Table) Votes(i int) []uint32 {
	k := len(t.Classes)
	if i < 0 || (i+1)*k > len(t.Counts) {
		return nil
	}
	return t.Counts[i*k : i*k+k : i*k+k]
}

// WeightOf returns the case weight of row i; 0 of a row that there is not.
func (t *Table) WeightOf(i int) float64 {
	if t.Weight == nil {
		return 1
	}
	if uint(i) >= uint(len(t.Weight)) {
		return 0
	}
	return t.Weight[i]
}

// TimesOf returns how many rows row i stands for; 0 of a row that there is not.
func (t *Table) TimesOf(i int) int {
	if t.Times == nil {
		return 1
	}
	if uint(i) >= uint(len(t.Times)) {
		return 0
	}
	return t.Times[i]
}

// Judged yields the rows that can be judged, those of known class with at least one vote, as (index of the row,
// its votes). [Table.Unvoted] returns how many rows have no vote.
func (t *Table) Judged() iter.Seq2[int, []uint32] {
	return func(yield func(int, []uint32) bool) {
		if !t.shaped() {
			return
		}
		k := len(t.Classes)
		for i, truth := range t.Truth {
			votes := t.Votes(i)
			if truth >= 0 && truth < k && Total(votes) > 0 && !yield(i, votes) {
				return
			}
		}
	}
}

// Unvoted returns the number of rows without a single vote, such as rows that few trees left out of their bags.
func (t *Table) Unvoted() int {
	n := 0
	for i := range t.Truth {
		if Total(t.Votes(i)) == 0 {
			n += t.TimesOf(i)
		}
	}
	return n
}

// Total returns the sum of votes.
func Total(votes []uint32) uint64 {
	var sum uint64
	for _, v := range votes {
		sum += uint64(v)
	}
	return sum
}

// Confuse decides every judged row under w and counts truth against decision, and the slices of t apart.
func (t *Table) Confuse(w Weights) *Confusion {
	rule, m := t.Rule(w), NewConfusion(t.Classes, t.Slices...)
	for i, votes := range t.Judged() {
		m.AddIn(t.Truth[i], rule.Decide(votes), t.WeightOf(i), t.InOf(i))
	}
	return m
}

// Compress returns the cells of the [Histogram] of t as a table: one row for each distinct (votes, class) among
// the judged rows of weight above 0, with their summed weight, in the order of votes and class, which are
// compared in the order of [Table.TieOrder]. Rows of other slices are kept apart. Every search, map and confusion
// matrix is the same on it.
func (t *Table) Compress() *Table {
	if !t.shaped() {
		return &Table{}
	}
	return t.histogram().Table(t)
}

// histogram returns the histogram of the rows.
func (t *Table) histogram() *Histogram {
	h := NewHistogram(len(t.Classes))
	if t.Slices != nil {
		h.slices, h.in = t.Slices, []uint64{}
	}
	for i, votes := range t.Judged() {
		h.addRows(key{votes: votes, truth: t.Truth[i], in: t.InOf(i)}, t.WeightOf(i), t.TimesOf(i))
	}
	return h
}

// Condense returns t with rows of equal votes, class and amount merged into one, which has their summed weight
// and in Times their number. Rows that have groups, slices or a Count stay as they are. Unlike [Table.Compress] it
// drops no row: it keeps all of t but the order of the rows, which no search and no map depends on. Condensed
// tables of parts of the rows can be added up in a [Histogram].
func (t *Table) Condense() *Table {
	if t.Group != nil || t.Count != nil || t.Slices != nil {
		return t
	}
	h := NewHistogram(len(t.Classes))
	if err := h.AddTable(t); err != nil {
		return &Table{}
	}
	return h.Table(t)
}

// Append adds the rows of other, a table over the same classes, to t. Share, Ties and Source of t stay as they are.
// Amounts and groups are kept if both tables have them, slices if both have the same, and Trees becomes the larger one.
// If t has no rows yet, its votes become soft or whole like those of other.
//
// Errors: [ErrShape], which leaves t as it is, if the tables are not over as many classes, or the lengths of one do
// not agree; [ErrValue] if one is of soft votes and the other of whole ones.
func (t *Table) Append(other *Table) error {
	switch {
	case other == nil || !other.shaped() || !t.shaped() || len(t.Classes) != len(other.Classes):
		return fmt.Errorf("%w: votes for %d classes, and none of as many to append; give a table that passes Check", ErrShape,
			len(t.Classes))
	case t.Rows() > 0 && t.Soft != other.Soft:
		return fmt.Errorf("%w: soft votes cannot be appended to whole ones, nor whole ones to soft ones; give votes of "+
			"one kind", ErrValue)
	}
	t.Soft = other.Soft
	if t.Count != nil || other.Count != nil {
		t.Count = append(t.rowCounts(), other.rowCounts()...)
	}
	if t.Times != nil || other.Times != nil {
		t.Times = append(t.times(), other.times()...)
	}
	if t.Weight != nil || other.Weight != nil {
		t.Weight = append(t.weights(), other.weights()...)
	}
	if t.Rows() == 0 || t.Amount != nil && other.Amount != nil {
		t.Amount = append(t.Amount, other.Amount...)
	} else {
		t.Amount = nil
	}
	if t.Rows() == 0 || t.Group != nil && other.Group != nil {
		t.Group = append(t.Group, other.Group...)
	} else {
		t.Group = nil
	}
	if t.Rows() == 0 {
		t.Slices = other.Slices
	}
	if t.Slices != nil && slices.Equal(t.Slices, other.Slices) {
		t.In = append(t.In, other.In...)
	} else {
		t.Slices, t.In = nil, nil
	}
	t.Truth = append(t.Truth, other.Truth...)
	t.Counts = append(t.Counts, other.Counts...)
	t.Trees = max(t.Trees, other.Trees)
	return nil
}

// Add adds the votes of other to those of t, row by row, where other holds the votes of another part of the
// forest, see forest.GrowTrees. Trees add up; all else must be the same.
//
// Errors: [ErrShape] and [ErrValue], which leave t as it is, if the tables are not of the same rows, classes
// and kind of votes, or if a row would have 2^32 counts or more.
func (t *Table) Add(other *Table) error {
	switch {
	case other == nil || !t.shaped() || !other.shaped():
		return fmt.Errorf("%w: the lengths of a table do not agree; give tables that pass Check", ErrShape)
	case !slices.Equal(t.Classes, other.Classes):
		return fmt.Errorf("%w: votes for the classes %.64q and %.64q cannot be added; they must be of one forest", ErrShape,
			t.Classes, other.Classes)
	case len(t.Counts) != len(other.Counts) || !slices.Equal(t.Truth, other.Truth) || !slices.Equal(t.Weight,
		other.Weight) || !slices.Equal(t.Count, other.Count) || !slices.Equal(t.Times, other.Times) || !slices.Equal(t.Amount,
		other.Amount) || !slices.Equal(t.Group, other.Group) || !slices.Equal(t.Slices, other.Slices) ||
		!slices.Equal(t.In, other.In):
		return fmt.Errorf("%w: votes for other rows, or rows in another order, cannot be added", ErrShape)
	case t.Soft != other.Soft || t.Source != other.Source:
		return fmt.Errorf("%w: votes of two kinds (%s) cannot be added", ErrValue, kinds(t, other))
	}
	for i := range t.Truth {
		if total := Total(t.Votes(i)) + Total(other.Votes(i)); total > math.MaxUint32 {
			return fmt.Errorf("%w: row %d would have %.0f votes; a row can have at most %.0f", ErrValue, i,
				float64(total)/t.Unit(), math.MaxUint32/t.Unit())
		}
	}
	for i, v := range other.Counts {
		t.Counts[i] += v
	}
	t.Trees += other.Trees
	return nil
}

// kinds says in what the votes of two tables differ.
func kinds(a, b *Table) string {
	if a.Source != b.Source {
		return fmt.Sprintf("%s and %s", a.Source, b.Source)
	}
	return "soft and whole"
}

// rowCounts returns Count, or the weights where that is what rows count as.
func (t *Table) rowCounts() []float64 {
	if t.Count != nil {
		return t.Count
	}
	return slices.Clone(t.weights())
}

func (t *Table) times() []int {
	if t.Times != nil {
		return t.Times
	}
	return slices.Repeat([]int{1}, t.Rows())
}

func (t *Table) weights() []float64 {
	if t.Weight != nil {
		return t.Weight
	}
	return slices.Repeat([]float64{1}, t.Rows())
}

// Merge returns t with each class c renamed names[c]; classes that then have the same name become one, with the
// sum of their votes. The classes are sorted as by [ReadCSV]. What does not depend on classes is shared with t. With
// another number of names it returns a table without classes, which [Table.Check] refuses.
func (t *Table) Merge(names []string) *Table {
	if len(names) != len(t.Classes) || !t.shaped() {
		return &Table{}
	}
	merged := *t
	merged.Classes = slices.Clone(names)
	slices.SortFunc(merged.Classes, csvtext.Order(names))
	merged.Classes = slices.Compact(merged.Classes)
	k := len(merged.Classes)
	merged.Truth, merged.Counts = slices.Clone(t.Truth), make([]uint32, t.Rows()*k)
	if merged.Ties, merged.Share = nil, nil; len(t.Share) == len(t.Classes) {
		merged.Share = make([]float64, k)
	}
	for _, c := range t.TieOrder() { // shares are sums
		name := names[c]
		to := slices.Index(merged.Classes, name)
		for i, truth := range t.Truth {
			merged.Counts[i*k+to] += t.Votes(i)[c]
			if truth == c {
				merged.Truth[i] = to
			}
		}
		if merged.Share != nil {
			merged.Share[to] += t.Share[c]
		}
	}
	merged.settleTies()
	return &merged
}
