package rfpragma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// MissingCell is a cell of a row that tells a model nothing, see [Model.MissingCells].
type MissingCell struct {
	Column string `json:"column"` // name of the column
	// a value far from every value of training, as text, see dataset.Field.Text; "" for a missing cell
	Value string `json:"value,omitempty"`
	// the smallest and the largest value of training, if the cell has such a value; else nil
	Range *[2]float64 `json:"range,omitempty"`
}

// String returns the name of the column, and of a value far from every value of training also where those lie:
// TSH, or TSH=-999 (training 0.005 to 530).
func (l MissingCell) String() string {
	if l.Range == nil {
		return l.Column
	}
	number := dataset.Field{Kind: dataset.Numeric}
	return fmt.Sprintf("%s=%s (training %s to %s)", l.Column, l.Value, number.Text(l.Range[0]), number.Text(l.Range[1]))
}

// mostBorne is the part of what the splits gained that a row may lack.
const mostBorne = 0.5

// manyLack is of how many rows of the training one is enough that lacks a cell, for the model to have learnt to
// decide without it.
const manyLack = 5

// bearing is a feature that a model decides by.
type bearing struct {
	feature int
	part    float64 // of what the splits gained, above 0
	gaps    bool    // many rows of the training lack it, or nobody knows how many
}

// bearings returns the features that a forest decides by, the most first.
func bearings(f *forest.Forest) []bearing {
	var bears []bearing
	for j, part := range f.Importance() {
		if was := f.Schema[j].Baseline; part > 0 {
			bears = append(bears, bearing{j, part, was == nil || manyLack*was.Missing >= was.Rows})
		}
	}
	slices.SortStableFunc(bears, func(a, b bearing) int { return cmp.Compare(b.part, a.part) })
	return bears
}

// MissingCells returns the cells of a row x that tell the model nothing, if together they carry more than half of what
// the splits of the model gained, the one that carries most first; for any other row it returns nil. X is as
// for [Model.Predict]. A decision on such a row rests on the little that is left, however sure the probability
// looks: better withhold it, or have somebody look.
//
// A cell tells nothing if it is missing, unless a fifth of the training rows lack it too, so that the model has
// learnt to decide without it; or if it is far from every value of training, see [dataset.Baseline.Far]. No
// value is far for a model that does not know the baselines of its training.
//
// Errors: [ErrRow] as of Predict.
func (m *Model) MissingCells(x []float64) ([]MissingCell, error) {
	if err := m.checkRow(x); err != nil {
		return nil, err
	}
	lost := 0.0
	for _, b := range m.bears {
		if m.lacks(b, x[b.feature]) {
			lost += b.part
		}
	}
	if lost <= mostBorne {
		return nil, nil
	}
	var cells []MissingCell
	for _, b := range m.bears {
		v, field := x[b.feature], &m.Forest.Schema[b.feature]
		switch {
		case !m.lacks(b, v):
		case v != v:
			cells = append(cells, MissingCell{Column: field.Name})
		default:
			cells = append(cells, MissingCell{field.Name, field.Text(v), field.Baseline.Range})
		}
	}
	return cells, nil
}

// lacks tells whether a cell says nothing.
func (m *Model) lacks(b bearing, v float64) bool {
	was := m.Forest.Schema[b.feature].Baseline
	return v != v && !b.gaps || was != nil && was.Far(v)
}

// Review says which rows a person is to look at instead of a decision: those that are close, see [anneal.Search.Zone].
// Weights are then searched together with the zone, as if who looks at a row is right. The zero value asks for none.
type Review struct {
	Share float64 // largest share of the rows that are looked at, by weight; 0 means no limit, if there is a Cost
	Cost  float64 // what it costs to look at a row, in the unit of Config.Costs, which are then what is least
	// Class has only rows looked at for which it is one of the two likeliest classes; "" any rows
	Class string
}

// Reviewing records which rows a person is to look at.
type Reviewing struct {
	// rows are looked at whose largest weighted vote is less than so many times the second largest
	Margin   float64 `json:"margin"`
	Class    string  `json:"class,omitempty"` // and that have this class among these two; "" any class
	Share    float64 `json:"limit,omitempty"` // largest share of the rows that was asked for; 0 for no limit
	Cost     float64 `json:"cost,omitempty"`  // of having a row looked at, in the unit of the costs; 0 for none
	Reviewed float64 `json:"reviewed"`        // share of the rows looked at, of the votes that weights were searched on
	// loss of these votes with the rows looked at decided rightly, and what it costs to look
	Loss *float64 `json:"loss"`
}

// Close tells whether a person is to look at a row instead of a decision, as its raw votes (len k) are close, see
// [Config].Review; never of a model that was fitted without a review. Decide says nonetheless what the row most
// likely is.
func (m *Model) Close(votes []uint32) bool {
	r := m.Provenance.Review
	if r == nil {
		return false
	}
	first, second, times := m.rule.TopTwo(votes)
	return times < r.Margin && (r.Class == "" || m.Classes()[first] == r.Class || m.Classes()[second] == r.Class)
}

// checkReview refuses what no zone can be found for.
func (c Config) checkReview(classes []string) error {
	r := c.Review
	switch {
	case r == Review{}:
		return nil
	case !(r.Share >= 0 && r.Share <= 1):
		return fmt.Errorf(option.Text("%w: {review} of a share %v of the rows; give one above 0, up to 1"), ErrConfig,
			r.Share)
	case !(r.Cost >= 0 && r.Cost <= math.MaxFloat64):
		return fmt.Errorf(option.Text("%w: {review-cost} is %v; give a number above 0"), ErrConfig, r.Cost)
	case r.Share == 0 && r.Cost == 0:
		return fmt.Errorf(option.Text("%w: it is not said how many rows may be looked at; give {review} or {review-cost}"),
			ErrConfig)
	case r.Class != "" && !slices.Contains(classes, r.Class):
		return fmt.Errorf(option.Text("%w: {review} names class %s, and there is none; the classes are %.64q"), ErrConfig,
			english.Quote(r.Class), classes)
	case r.Cost > 0 && c.MeasureName != costMeasure:
		return fmt.Errorf(option.Text("%w: {review-cost} is in the unit of what errors cost; give {cost}, too"), ErrConfig)
	case c.Costs.Amounts():
		return fmt.Errorf(option.Text("%w: {review} counts rows, and costs by amount count what is at stake in them; "+
			"leave one out"), ErrConfig)
	case c.ByCost || c.Weights != nil:
		return fmt.Errorf(option.Text("%w: {review} finds its own vote weights; leave out those that are given, and "+
			"decisions by expected cost"), ErrConfig)
	case len(pragma.Slices(c.Search.Floors)) > 0:
		return fmt.Errorf(option.Text("%w: {review} counts alarms and rows to look at of all rows, and {require} names a "+
			"group of them; leave one out"), ErrConfig)
	case c.Sure != Sure{}:
		return fmt.Errorf(option.Text("%w: {sure} speaks of decisions on all rows, and {review} leaves some to people; "+
			"leave one out"), ErrConfig)
	}
	return nil
}

// heedFloors returns what a search found, and its error, which floors that cannot be reached are not where a review may
// still reach them; nor where the best is accepted, with a warning.
func (c Config) heedFloors(found anneal.Result, err error) (anneal.Result, error) {
	switch {
	case !errors.Is(err, anneal.ErrFloors):
		return found, err
	case c.Review != Review{}:
		return found, nil
	case c.AcceptBest:
		found.Warnings = append(found.Warnings, err)
		return found, nil
	}
	return found, err
}

// reviewed finds the rows to look at, by votes that weights were found on, and the weights that go with them; the
// record is nil if none are asked for.
func (c Config) reviewed(ctx context.Context, tuned *vote.Table, found anneal.Result) (anneal.Result, *Reviewing,
	error) {
	r := c.Review
	if r == (Review{}) {
		return found, nil, nil
	}
	of := anneal.Review{Share: r.Share, Cost: r.Cost, Class: slices.Index(tuned.Classes, r.Class)}
	if r.Share == 0 {
		of.Share = 1
	}
	zone, err := c.Search.Zone(ctx, tuned, c.Measure, found.Weights, of)
	if errors.Is(err, anneal.ErrFloors) && c.AcceptBest {
		found.Warnings, err = append(found.Warnings, err), nil
	}
	if err != nil {
		return found, nil, err
	}
	if !slices.Equal(zone.Weights, found.Weights) {
		search, was := c.Search, found.Warnings // of which one may be of floors
		search.Floors = nil                     // they count those who look as right
		if found, err = search.Judge(ctx, tuned, c.Measure, zone.Weights); err != nil {
			return found, nil, err
		}
		for _, w := range was {
			if errors.Is(w, anneal.ErrFloors) {
				found.Warnings = append(found.Warnings, w)
			}
		}
	}
	record := &Reviewing{Margin: zone.Margin, Share: r.Share, Cost: r.Cost, Reviewed: zone.Reviewed,
		Loss: stored(zone.Loss)}
	if len(tuned.Classes) > 2 {
		record.Class = r.Class
	}
	return found, record, nil
}

// check says what cannot be in a record of a model of these classes.
func (r *Reviewing) check(classes []string) error {
	if r == nil {
		return nil
	}
	share := func(v float64) bool { return v >= 0 && v <= 1 }
	if !(r.Margin >= 1 && r.Margin <= math.MaxFloat64) || !share(r.Share) || !share(r.Reviewed) ||
		!(r.Cost >= 0 && r.Cost <= math.MaxFloat64) || r.Loss == nil ||
		r.Class != "" && (len(classes) < 3 || !slices.Contains(classes, r.Class)) {
		return fmt.Errorf("rows to look at by margin %v, of class %.80q, share %v of %v, cost %v", r.Margin, r.Class,
			r.Reviewed, r.Share, r.Cost)
	}
	return nil
}

// undecided returns votes with no known class for the rows that are close, so that these are not judged.
func (m *Model) undecided(t *vote.Table) *vote.Table {
	if m.Provenance.Review == nil {
		return t
	}
	out := *t
	out.Truth = slices.Clone(t.Truth)
	for i := range out.Truth {
		if m.Close(t.Votes(i)) {
			out.Truth[i] = -1
		}
	}
	return &out
}
