package rfpragma

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Errors that are wrapped with details.
var (
	ErrConfig = errors.New("configuration") // a setting that is not valid
	ErrFormat = errors.New("model file")    // bytes that are not a complete and sound model
	ErrRow    = errors.New("row")           // a row that does not fit the model
)

// Model is a forest with the weights of its votes and the maps to probabilities, as made by [Fit] or
// [ReadModel]. Its methods do not change it, so any number of goroutines may share it. Do not change its
// fields; see [Model.Retune] instead.
type Model struct {
	Forest     *forest.Forest
	Weights    vote.Weights // len k; the most common class has weight 1, unless WithWeights gave it another
	Maps       calib.Set    // from smoothed shares of votes to probabilities
	Spec       pragma.Spec  // what the weights were searched for
	Provenance Provenance   // on what and how it was fitted

	// Warnings of the fit; they are not stored in a file.
	Warnings []error

	rule   vote.Rule
	ties   []int // the classes, the winner of a tie first
	bears  []bearing
	sketch *dataset.Sketch // of the training rows, see Known; nil in models of before
}

// Names of measures that are not among those of pragma.ParseMeasure.
const (
	pragmaMeasure = "pragma" // that of the spec
	costMeasure   = "cost"   // expected cost under Provenance.Costs
	customMeasure = "custom" // a function that no file can hold
)

// Measure returns the measure that the weights were searched for. It is an [ErrConfig] if that is the caller's
// own, which no file can hold.
func (m *Model) Measure() (pragma.Measure, error) {
	switch name := m.Provenance.Measure; name {
	case costMeasure:
		return m.Provenance.CostsOf().Measure()
	case customMeasure:
		return nil, fmt.Errorf("%w: the model was tuned for a measure of its own, which its file does not hold", ErrConfig)
	default:
		return m.Spec.ParseMeasure(name, m.Classes())
	}
}

// Floors returns the floors that the weights were tuned to reach, see [anneal.Search]; nil if nothing was
// required.
//
// Errors: *[pragma.SpecError] if the record holds something else.
func (m *Model) Floors() ([]pragma.Floor, error) {
	var floors []pragma.Floor
	for _, text := range m.Provenance.Floors {
		floor, err := pragma.ParseFloor(text, m.Classes())
		if err != nil {
			return nil, err
		}
		floors = append(floors, floor)
	}
	return floors, nil
}

// index prepares the decision rule, and what [Model.Lacks] goes by.
func (m *Model) index() {
	m.bears = bearings(m.Forest)
	m.ties = m.Forest.TieOrder()
	m.rule = vote.NewRule(m.Weights, m.ties)
}

// Classes returns the k class names; everything given by class is in their order.
func (m *Model) Classes() []string { return m.Forest.Classes }

// Row returns the row for [Model.Predict] whose cells are given as text by the name of their column. It reads
// each as the predict command reads a CSV file with a decimal point, see [dataset.Field.Cell]. The words for a
// missing cell are those of the training, see [dataset.Reading].
//
// The warnings name each category that the training did not have (its cell counts as missing), and each column
// that neither the model nor its training knows ([dataset.ErrIgnored]), in the order of the names; nil if there
// are none.
//
// Errors: [ErrRow] if a column of the model is not in cells (its text may be empty), or if a numeric cell is no
// number.
func (m *Model) Row(cells map[string]string) (row []float64, warnings []error, err error) {
	row = make([]float64, len(m.Forest.Schema))
	words := m.Provenance.Reading.Missing
	for j, field := range m.Forest.Schema {
		text, given := cells[field.Name]
		if !given {
			return nil, nil, fmt.Errorf("%w: the cell of column %s is not given; let it be empty if it is missing", ErrRow, english.Quote(field.Name))
		}
		if row[j], err = field.Cell(text, words); err != nil {
			return nil, nil, fmt.Errorf("%w: column %s: %w", ErrRow, english.Quote(field.Name), err)
		}
		if unseen(field, text, words, row[j]) {
			warnings = append(warnings, fmt.Errorf("column %s: category %s unseen in training taken as missing", english.Quote(field.Name), english.Quote(strings.TrimSpace(text))))
		}
	}
	if len(cells) == len(row) {
		return row, warnings, nil
	}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		if !m.knows(name) {
			warnings = append(warnings, fmt.Errorf("column %w: %s", dataset.ErrIgnored, english.Quote(name)))
		}
	}
	return row, warnings, nil
}

// unseen reports whether the cell that a text became is missing only because its category is not among those of the field.
func unseen(field dataset.Field, text string, missing []string, cell float64) bool {
	if field.Kind != dataset.Categorical || !math.IsNaN(cell) {
		return false
	}
	field.Levels = []string{strings.TrimSpace(text)}
	known, err := field.Cell(text, missing)
	return err == nil && !math.IsNaN(known)
}

// knows reports whether a column has a part in the model, or had one in its training.
func (m *Model) knows(column string) bool {
	r := &m.Provenance.Reading
	return slices.Contains([]string{r.Target, r.Weight, r.Group, r.ID, r.Amount}, column) || slices.Contains(r.TimeColumns(), column) || slices.Contains(r.Ignore, column) ||
		slices.ContainsFunc(m.Forest.Schema, func(f dataset.Field) bool { return f.Name == column })
}

// Votes returns the raw votes of the forest for the rows of frame, as holdout votes. Errors: those of
// [forest.Forest.Votes].
func (m *Model) Votes(ctx context.Context, frame *dataset.Frame) (*vote.Table, error) {
	return m.Forest.Votes(ctx, frame, 0)
}

// Decide returns the class that the model decides, as an index into Classes: the one that wins under its
// weights, or has the least expected cost, see [Config].ByCost. Votes are the raw votes of a row (len k), as
// returned by [forest.Forest.Vote] and [Model.Votes]. The amount at stake in the row counts as unknown, see
// [Model.DecideFor]. It allocates nothing, of a model that decides by expected cost up to 32 classes.
func (m *Model) Decide(votes []uint32) int { return m.DecideFor(votes, math.NaN()) }

// Probabilities writes into dst (len k) the calibrated probabilities of the classes, given the raw votes of a
// row (len k). They do not depend on Weights, which only move the decision: a probability stays honest whatever errors cost.
func (m *Model) Probabilities(dst []float64, votes []uint32) {
	Probabilities(m.Maps, dst, votes, m.Forest.Unit())
	m.shifted(dst)
}

// Probabilities writes into dst (len k) the probabilities that maps give for the raw votes of a row (len k), by
// way of the smoothed share of each class, see [calib.Smooth]. Unit counts make one vote, see
// [vote.Table.Unit].
//
// Without maps, see [Uncalibrated], a probability is (v + 1/k)/(v_total + 1), as if one more tree had split its
// vote evenly. For two classes that is the smoothed share; for more it is not drawn as far towards 1/k.
func Probabilities(maps calib.Set, dst []float64, votes []uint32, unit float64) {
	if len(maps.Maps) == len(votes) && !slices.ContainsFunc(maps.Maps, isFitted) {
		plain(dst, votes, unit)
		return
	}
	var few [32]float64 // on the stack: no allocation for up to 32 classes
	share := append(few[:0], dst...)
	shares(share, votes, unit)
	maps.Probabilities(dst, share)
}

// plain fills dst with (v + 1/k)/(v_total + 1).
func plain(dst []float64, votes []uint32, unit float64) {
	total := float64(vote.Total(votes)) / unit
	for c, v := range votes {
		dst[c] = (float64(v)/unit + 1/float64(len(votes))) / (total + 1)
	}
}

func isFitted(m calib.Map) bool { return m != calib.Identity{} }

// VoteWeights returns the weights; it makes a Model an [eval.Classifier].
func (m *Model) VoteWeights() vote.Weights { return m.Weights }

// Prediction is what a model says of a row.
type Prediction struct {
	Class         string    // the decision
	Probabilities []float64 // len k, calibrated
	// Votes of the trees by class (len k), for display: whole numbers unless votes are soft. Decide takes raw
	// votes.
	Votes []float64
}

// Predict decides the row x (len p), whose cells are in the order of Forest.Schema: numbers, or indices of
// levels, and NaN where missing. [Model.Row] makes such a row of texts. If the model decides by the amount at
// stake in a row, see [Config].ByCost, that is in its column. Errors: [ErrRow], also for an index that no level
// has, for an amount that is missing, and if the amount is in no column of the features.
func (m *Model) Predict(x []float64) (Prediction, error) {
	if err := m.checkRow(x); err != nil {
		return Prediction{}, err
	}
	amount, err := m.amountIn(x)
	if err != nil {
		return Prediction{}, err
	}
	k := len(m.Classes())
	votes := make([]uint32, k)
	m.Forest.Vote(votes, x)
	p := Prediction{Class: m.Classes()[m.DecideFor(votes, amount)], Probabilities: make([]float64, k), Votes: make([]float64, k)}
	m.Probabilities(p.Probabilities, votes)
	for c, v := range votes {
		p.Votes[c] = float64(v) / m.Forest.Unit()
	}
	return p, nil
}

// checkRow says whether x is a row for Predict.
func (m *Model) checkRow(x []float64) error {
	if len(x) != len(m.Forest.Schema) {
		return fmt.Errorf("%w: %d cells for the %d features of the model", ErrRow, len(x), len(m.Forest.Schema))
	}
	for j, v := range x {
		field := &m.Forest.Schema[j]
		if math.IsInf(v, 0) {
			return fmt.Errorf("%w: %q is %v; use NaN for a missing cell", ErrRow, field.Name, v)
		}
		if field.Kind == dataset.Categorical && v == v && !(v >= 0 && v < float64(len(field.Levels)) && v == math.Trunc(v)) {
			return fmt.Errorf("%w: %q is %v, which is not the index of one of its categories; make rows of texts with Row", ErrRow, field.Name, v)
		}
	}
	return nil
}
