package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// ChangeOptions says which changes of a row are looked for, see [Nearest].
type ChangeOptions struct {
	Class string   // what the row is to be decided as; "" means any class but that which is decided
	Keep  []string // columns whose cells must not change
	Most  int      // how many cells may change, from 1 to 3; 0 means 2
}

// Change is the smallest change of a row that turns its decision.
type Change struct {
	Class string        `json:"class"` // the decision then
	Cells []ChangedCell `json:"cells"` // in the order of the columns
	Row   []float64     `json:"-"`     // the row with these cells, for Model.Predict
}

// ChangedCell is a cell that changes.
type ChangedCell struct {
	Column string `json:"column"` // its name
	Was    string `json:"was"`    // the cell as text, see dataset.Field.Text; "" if it is missing
	Value  string `json:"value"`  // what it has to be
}

// Nearest returns the smallest change of the row x (as for [rfpragma.Model.Predict]) that turns its decision; nil if no
// Most cells do, or if it is decided as Class already. Small means few cells, and of equally few the smallest sum of
// their distances. That of a number is the share of the model's thresholds in its column that lie between the old and
// the new one, so that the unit is the same in all columns, whatever they measure; it is 1 of a category, and of a cell
// that was missing. See [forest.Forest.Change], which is exact. Of all numbers between the same thresholds it gives the
// one with the fewest digits after the point that is nearest to the old one.
//
// It says what this model would decide, and not that the change can be made, nor that it would change what is.
//
// What is at stake in a row, of a model that decides by that, does not change.
//
// Errors: [rfpragma.ErrRow] as of Predict, but for the amount, which may be missing; [rfpragma.ErrConfig] for a class
// or column that there is not, for another number of cells, for a model of three or more classes that decides by
// expected cost, and for one that decides by an amount that is no feature; that of ctx.
func Nearest(ctx context.Context, m *rfpragma.Model, x []float64, o ChangeOptions) (*Change, error) {
	if err := check(m, x); err != nil {
		return nil, err
	}
	s, err := newSearch(m, x, &o)
	if err != nil || s.own == s.to {
		return nil, err
	}
	q, err := s.query(&o)
	if err != nil {
		return nil, err
	}
	cells, err := m.Forest.Change(ctx, x, *q)
	if err != nil || cells == nil {
		return nil, err
	}
	change := &Change{Row: slices.Clone(x)}
	for _, c := range cells {
		field := m.Forest.Schema[c.Feature]
		to := float64(c.Level)
		if field.Kind == dataset.Numeric {
			to = within(x[c.Feature], c.From, c.To)
		}
		change.Row[c.Feature] = to
		change.Cells = append(change.Cells, ChangedCell{field.Name, field.Text(x[c.Feature]), field.Text(to)})
	}
	change.Class = m.Classes()[s.decide(change.Row)]
	return change, nil
}

// check says what is wrong with a row.
func check(m *rfpragma.Model, x []float64) error {
	_, err := m.MissingCells(x)
	return err
}

// search is what is known of a row whose decision is to turn.
type search struct {
	m       *rfpragma.Model
	own, to int     // the class that is decided, and the one that is to be; -1 means any other
	amount  float64 // at stake, where the model decides by that
	staked  string  // the column that has it
}

func newSearch(m *rfpragma.Model, x []float64, o *ChangeOptions) (*search, error) {
	s := &search{m: m, to: slices.Index(m.Classes(), o.Class), amount: math.NaN()}
	if o.Class != "" && s.to < 0 {
		return nil, fmt.Errorf("%w: %w", rfpragma.ErrConfig, nearest.Unknown("class", o.Class, m.Classes()))
	}
	if record := &m.Provenance; record.ByCost && record.CostsOf().Amounts() {
		s.staked = record.Reading.Amount
		j := slices.IndexFunc(m.Forest.Schema, func(f dataset.Field) bool { return f.Name == s.staked })
		if j < 0 {
			return nil, fmt.Errorf("%w: the model decides by the amount of a row, in column %s, which is no feature; changes "+
				"are found where it is one", rfpragma.ErrConfig, english.Quote(s.staked))
		}
		s.amount = x[j]
	}
	s.own = s.decide(x)
	return s, nil
}

// decide returns the class of a row.
func (s *search) decide(x []float64) int {
	votes := make([]uint32, len(s.m.Classes()))
	s.m.Forest.Vote(votes, x)
	return s.m.DecideFor(votes, s.amount)
}

// query returns what is asked of the forest.
func (s *search) query(o *ChangeOptions) (*forest.ChangeQuery, error) {
	classes, byCost, keep := s.m.Classes(), s.m.Provenance.ByCost, o.Keep
	switch {
	case o.Most < 0 || o.Most > forest.MostChanged:
		return nil, fmt.Errorf("%w: a change of up to %d cells; choose 1 to %d", rfpragma.ErrConfig, o.Most,
			forest.MostChanged)
	case byCost && len(classes) > 2:
		return nil, fmt.Errorf("%w: the model decides %s by expected cost; changes are found for two, or where vote "+
			"weights decide", rfpragma.ErrConfig, english.Plural(len(classes), "class"))
	case s.staked != "":
		keep = append(slices.Clone(keep), s.staked)
	}
	free, err := others(s.m, keep)
	if err != nil {
		return nil, err
	}
	q := &forest.ChangeQuery{Free: free, Most: cmp.Or(o.Most, 2), Turns: func(votes []uint32) bool {
		class := s.m.DecideFor(votes, s.amount)
		return class != s.own && (s.to < 0 || class == s.to)
	}}
	switch {
	case byCost:
		q.All = [][]float64{enough(s.m, s.amount, s.own)}
	case s.to >= 0:
		for c := range classes {
			if c != s.to {
				q.All = append(q.All, ahead(s.m, s.to, c))
			}
		}
	default:
		for c := range classes {
			if c != s.own {
				q.Any = append(q.Any, ahead(s.m, c, s.own))
			}
		}
	}
	return q, nil
}

// others returns the features that are not to be kept.
func others(m *rfpragma.Model, keep []string) ([]int, error) {
	names := make([]string, len(m.Forest.Schema))
	for j, field := range m.Forest.Schema {
		names[j] = field.Name
	}
	for _, name := range keep {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%w: %w", rfpragma.ErrConfig, nearest.Unknown("column", name, names))
		}
	}
	var free []int
	for j, name := range names {
		if !slices.Contains(keep, name) {
			free = append(free, j)
		}
	}
	return free, nil
}

// ahead is how far the weighted votes of one class are ahead of those of another.
func ahead(m *rfpragma.Model, class, of int) []float64 {
	a := make([]float64, len(m.Weights))
	a[class], a[of] = m.Weights[class], -m.Weights[of]
	return a
}

// enough is how many counts the other of two classes has beyond those that it needs.
func enough(m *rfpragma.Model, amount float64, own int) []float64 {
	whole := uint32(m.Forest.Unit() * float64(m.Forest.Trees()))
	votes := make([]uint32, 2)
	low, high := uint32(0), whole // high is enough, or nothing is: the more votes, the likelier is a class
	for low < high {
		middle := low + (high-low)/2
		votes[1-own], votes[own] = middle, whole-middle
		if m.DecideFor(votes, amount) != own {
			high = middle
		} else {
			low = middle + 1
		}
	}
	share := float64(high) / float64(whole)
	a := make([]float64, 2)
	a[1-own], a[own] = 1-share, -share
	return a
}

// within returns the number above from, up to to, that is nearest to was of those with the fewest digits after the
// point.
func within(was, from, to float64) float64 {
	if math.IsInf(from, -1) && math.IsInf(to, 1) {
		return 0
	}
	up := was <= from || math.IsInf(to, 1)
	for scale := 1.0; scale <= 1e12; scale *= 10 {
		v := math.Floor(to*scale) / scale
		if up {
			if v = math.Ceil(from*scale) / scale; v <= from {
				v = (math.Ceil(from*scale) + 1) / scale
			}
		}
		if from < v && v <= to {
			return v + 0 // which is never -0
		}
	}
	if up {
		return math.Nextafter(from, math.Inf(1))
	}
	return to
}
