package rfpragma

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/sketch"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Errors that are wrapped with details.
var (
	ErrConfig = errors.New("configuration") // a setting that is not valid
	ErrFormat = errors.New("model file")    // bytes that are not a complete and sound model
	ErrRow    = errors.New("row")           // a row that does not fit the model
)

// Model is a forest with the weights of its votes and the maps to probabilities, as made by [Fit] or [ReadModel];
// the zero value is none. Its methods do not change it, so any number of goroutines may share it. Do not change its
// fields; see [Model.Retune] instead.
type Model struct {
	Forest     *forest.Forest
	Weights    vote.Weights // len k; the most common class has weight 1, unless WithWeights gave it another
	Maps       calib.Set    // from smoothed shares of votes to probabilities
	Spec       pragma.Spec  // what the weights were searched for
	Provenance Provenance   // on what and how it was fitted

	// Warnings of the fit; they are not stored in a file.
	Warnings []error

	of     *forest.Forest // Forest, when what follows was made of it
	rule   vote.Rule
	ties   []int // the classes, the winner of a tie first
	bears  []bearing
	sketch *sketch.Sketch // of the training rows, see Overlap; nil in models of before
	ranks  []calib.Ranks  // by class, see Score; nil unless Config.Scores
	id     string         // of a model as it was read, see ID
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

// index prepares the decision rule, and what [Model.MissingCells] goes by, of a new model.
func (m *Model) index() {
	m.id, m.of = "", m.Forest
	m.bears = bearings(m.Forest)
	m.ties = m.Forest.TieOrder()
	m.rule = vote.NewRule(m.Weights, m.ties)
}

// check refuses the zero value, and a model of which the trees were changed.
func (m *Model) check() error {
	if m.Forest == nil || m.of != m.Forest || len(m.Weights) != len(m.ties) {
		return fmt.Errorf("%w: this is no model; make it by Fit, Load or ReadModel, and leave its fields as they are",
			ErrConfig)
	}
	return nil
}

// Classes returns the k class names; everything given by class is in their order. It is nil of the zero Model.
func (m *Model) Classes() []string {
	if m.Forest == nil {
		return nil
	}
	return m.Forest.Classes
}

// Votes returns the raw votes of the forest for the rows of frame, as holdout votes, which tell apart the slices of
// rows that something was required of, if frame has their columns, see [dataset.Frame.Cells]. Errors: those of
// [forest.Forest.Votes].
func (m *Model) Votes(ctx context.Context, frame *dataset.Frame) (*vote.Table, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := checkFrame(frame); err != nil {
		return nil, err
	}
	votes, err := m.Forest.Votes(ctx, frame, 0)
	if err != nil {
		return nil, err
	}
	return m.sliced(votes, frame)
}

// sliced returns votes that tell apart the slices that floors of m are of, as far as rows have their columns.
func (m *Model) sliced(votes *vote.Table, rows *dataset.Frame) (*vote.Table, error) {
	floors, err := m.Floors()
	if err != nil { // which is told where they are judged
		return votes, nil
	}
	return tables.SliceKnown(votes, rows, pragma.Slices(floors))
}

// Decide returns the class that the model decides, as an index into Classes: the one that wins under its
// weights, or has the least expected cost, see [Config].ByCost. Votes are the raw votes of a row (len k), as
// returned by [forest.Forest.Vote] and [Model.Votes]. The amount at stake in the row counts as unknown, see
// [Model.DecideFor]. It is -1 for votes of another number of classes, and of the zero Model. It allocates nothing, of
// a model that decides by expected cost up to 32 classes.
func (m *Model) Decide(votes []uint32) int { return m.DecideFor(votes, math.NaN()) }

// Probabilities writes into dst (len k) the calibrated probabilities of the classes, given the raw votes of a row
// (len k). They do not depend on Weights, which only move the decision: a probability stays honest whatever errors
// cost. They are NaN where dst and votes are not of the classes of the model.
func (m *Model) Probabilities(dst []float64, votes []uint32) {
	if m.check() != nil || len(dst) != len(m.ties) {
		unknown(dst)
		return
	}
	Probabilities(m.Maps, dst, votes, m.Forest.Unit())
	m.shifted(dst)
}

// Probabilities writes into dst (len k) the probabilities that maps give for the raw votes of a row (len k), by
// way of the smoothed share of each class, see [calib.Smooth]. Unit counts make one vote, see
// [vote.Table.Unit].
//
// Without maps, see [Uncalibrated], a probability is (v + 1/k)/(v_total + 1), as if one more tree had split its
// vote evenly. For two classes that is the smoothed share; for more it is not drawn as far towards 1/k.
//
// Where dst, votes and maps are not of as many classes, they are NaN.
func Probabilities(maps calib.Set, dst []float64, votes []uint32, unit float64) {
	if len(dst) != len(votes) {
		unknown(dst)
		return
	}
	if len(maps.Maps) == len(votes) && !slices.ContainsFunc(maps.Maps, isFitted) {
		plain(dst, votes, unit)
		return
	}
	var few [32]float64 // on the stack: no allocation for up to 32 classes
	share := append(few[:0], dst...)
	shares(share, votes, unit)
	maps.Probabilities(dst, share)
}

// unknown fills dst with what is no number.
func unknown(dst []float64) {
	for c := range dst {
		dst[c] = math.NaN()
	}
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
	Probabilities []float64 // len k, calibrated, in the order of Model.Classes
	// Votes of the trees by class (len k), for display: whole numbers unless votes are soft; of a forest of another
	// program that gives shares the shares. Decide takes raw votes.
	Votes []float64
	// whether a person is to look at the row, as its votes are close, see Model.Close
	Close bool `json:",omitempty"`
}

// Predict decides the row x (len p), whose cells are in the order of Forest.Schema: numbers, or indices of
// levels, and NaN where missing. [Model.Row] makes such a row of named cells. If the model decides by the amount at
// stake in a row, see [Config].ByCost, that is in its column. Errors: *[RowError] for cells that are infinite, or
// an index that no level has; [ErrRow] for another number of cells, for an amount that is missing, and if the amount
// is in no column of the features.
func (m *Model) Predict(x []float64) (Prediction, error) {
	amount, err := m.stake(x)
	if err != nil {
		return Prediction{}, err
	}
	votes := make([]uint32, len(m.ties))
	m.Forest.Vote(votes, x)
	return m.prediction(votes, amount), nil
}

// stake checks a row, and returns the amount at stake in it.
func (m *Model) stake(x []float64) (amount float64, err error) {
	if err := m.checkRow(x); err != nil {
		return 0, err
	}
	return m.amountIn(x)
}

// prediction is what the model says of a row of such votes.
func (m *Model) prediction(votes []uint32, amount float64) Prediction {
	p := Prediction{Class: m.Classes()[m.DecideFor(votes, amount)], Probabilities: make([]float64, len(votes)),
		Votes: make([]float64, len(votes)), Close: m.Close(votes)}
	m.Probabilities(p.Probabilities, votes)
	for c, v := range votes {
		p.Votes[c] = float64(v) / m.Forest.Whole()
	}
	return p
}
