package vote

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Confusion is a k×k matrix of summed case weights, truth against decision. It keeps its margins, so that
// recall and precision cost nothing to read while a search moves rows. What is summed over classes is rounded
// once, so that it does not depend on how they are listed.
//
// A class that there is not has no rows, and none are added to it; nor has a nil matrix any.
type Confusion struct {
	Classes   []string
	cells     []float64 // k*k, row-major, rows are the truth
	truth     []float64 // row sums
	predicted []float64 // column sums

	slices []Slice      // which are counted apart, too,
	within []*Confusion // and how, without slices of their own
}

// NewConfusion returns the empty matrix, which counts slices apart, see [Confusion.Slice].
func NewConfusion(classes []string, slices ...Slice) *Confusion {
	k := len(classes)
	m := &Confusion{Classes: classes, cells: make([]float64, k*k), truth: make([]float64, k), predicted: make([]float64,
		k), slices: slices}
	for range slices {
		m.within = append(m.within, NewConfusion(classes))
	}
	return m
}

// Add counts a row of the given truth, decision and weight.
func (m *Confusion) Add(truth, decision int, weight float64) {
	if !m.has(truth) || !m.has(decision) {
		return
	}
	m.cells[truth*len(m.truth)+decision] += weight
	m.truth[truth] += weight
	m.predicted[decision] += weight
}

// has tells whether there is such a class.
func (m *Confusion) has(class int) bool { return m != nil && uint(class) < uint(len(m.truth)) }

// Move changes the decision of a row from one class to another.
func (m *Confusion) Move(truth, from, to int, weight float64) {
	if !m.has(truth) || !m.has(from) || !m.has(to) {
		return
	}
	k := len(m.truth)
	m.cells[truth*k+from] -= weight
	m.cells[truth*k+to] += weight
	m.predicted[from] -= weight
	m.predicted[to] += weight
}

// Fill sets all cells: k lines of k, one line for each true class; those of slices stay as they are. Errors: [ErrShape]
// for another number of cells; then m stays as it was.
func (m *Confusion) Fill(cells []float64) error {
	if len(cells) != len(m.cells) {
		return fmt.Errorf("%w: %d cells for %d classes; give %d", ErrShape, len(cells), len(m.truth), len(m.cells))
	}
	copy(m.cells, cells)
	clear(m.truth)
	clear(m.predicted)
	k := len(m.truth)
	for i, w := range m.cells {
		m.truth[i/k] += w
		m.predicted[i%k] += w
	}
	return nil
}

// Merge adds the cells of other, and those of the slices that both count. Errors: [ErrShape] if that is not a matrix of
// as many classes; then m stays as it was.
func (m *Confusion) Merge(other *Confusion) error {
	if other == nil || len(other.truth) != len(m.truth) {
		return fmt.Errorf("%w: a matrix of %d classes, and none of as many to add; give one of the same classes", ErrShape,
			len(m.truth))
	}
	for i, w := range other.cells {
		m.cells[i] += w
	}
	for c := range m.truth {
		m.truth[c] += other.truth[c]
		m.predicted[c] += other.predicted[c]
	}
	for at, name := range m.slices {
		if same := other.Slice(name); same != nil {
			_ = m.within[at].Merge(same) // of the same classes
		}
	}
	return nil
}

// At returns the weight of the rows of class truth that were decided as decision.
func (m *Confusion) At(truth, decision int) float64 {
	if !m.has(truth) || !m.has(decision) {
		return 0
	}
	return m.cells[truth*len(m.truth)+decision]
}

// Hits returns the weight of the rows of class c that were decided as c.
func (m *Confusion) Hits(c int) float64 { return m.At(c, c) }

// True returns the weight of the rows of class c.
func (m *Confusion) True(c int) float64 {
	if !m.has(c) {
		return 0
	}
	return m.truth[c]
}

// Predicted returns the weight of the rows decided as c.
func (m *Confusion) Predicted(c int) float64 {
	if !m.has(c) {
		return 0
	}
	return m.predicted[c]
}

// Total returns the weight of all rows.
func (m *Confusion) Total() float64 {
	if m == nil {
		return 0
	}
	if len(m.truth) == 2 { // the same, and quick
		return m.truth[0] + m.truth[1]
	}
	var sum portable.Sum
	for _, w := range m.truth {
		sum.Add(w)
	}
	return sum.Value()
}

// Recall returns the share of the rows of class c that were decided as c, and false if there are no rows of c.
func (m *Confusion) Recall(c int) (float64, bool) { return ratio(m.Hits(c), m.True(c)) }

// Precision returns the share of the rows decided as c that are of class c, and false if no row was decided as
// c.
func (m *Confusion) Precision(c int) (float64, bool) { return ratio(m.Hits(c), m.Predicted(c)) }

// Specificity returns the share of the rows of other classes that were not decided as c, and false if there are
// no such rows.
func (m *Confusion) Specificity(c int) (float64, bool) {
	others := m.Total() - m.True(c)
	return ratio(others-(m.Predicted(c)-m.Hits(c)), others)
}

// FalsePositives returns the false positive rate: the share of the rows of other classes that were decided as
// c, and false if there are no such rows.
func (m *Confusion) FalsePositives(c int) (float64, bool) {
	return ratio(m.Predicted(c)-m.Hits(c), m.Total()-m.True(c))
}

// NegativePredictive returns the negative predictive value: the share of the rows not decided as c that are of
// another class, and false if there are no such rows.
func (m *Confusion) NegativePredictive(c int) (float64, bool) {
	others := m.Total() - m.Predicted(c)
	return ratio(others-(m.True(c)-m.Hits(c)), others)
}

// Alerts returns the share of all rows that were decided as c, and false if there are no rows.
func (m *Confusion) Alerts(c int) (float64, bool) { return ratio(m.Predicted(c), m.Total()) }

// Accuracy returns the share of the rows that were decided rightly, and false if there are no rows.
func (m *Confusion) Accuracy() (float64, bool) {
	var hits portable.Sum
	for c := range m.truth {
		hits.Add(m.Hits(c))
	}
	return ratio(hits.Value(), m.Total())
}

// ratio guards against the dust that moving real weights leaves behind: a part is never
// negative nor larger than its whole.
func ratio(part, whole float64) (float64, bool) {
	if !(whole > 0) {
		return 0, false
	}
	return min(max(part/whole, 0), 1), true
}

// Rows returns a copy of the matrix, k lines of k cells, one line for each true class.
func (m *Confusion) Rows() [][]float64 {
	k := len(m.truth)
	rows := make([][]float64, k)
	for t := range rows {
		rows[t] = slices.Clone(m.cells[t*k : t*k+k])
	}
	return rows
}
