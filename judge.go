package rfpragma

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// CrossValidate says what to expect on new rows of the model that [Fit] makes of frame: everything is fitted
// anew on each training part, and the test part only judges. E says how to divide the rows and what to hand on;
// what the rules are judged by follows from spec and c, so Pragma, Loss, Costs, ByCost, Priority, Raw and Tune of e
// must be left out. The models take their seeds from e, not from c. Errors: [ErrConfig] if one of these is set; those
// of [Fit] and of [eval.CrossValidate].
func CrossValidate(ctx context.Context, frame *dataset.Frame, spec pragma.Spec, c Config, e eval.Config) (*eval.Report,
	error) {
	if err := checkTraining(frame); err != nil {
		return nil, err
	}
	if err := onlyDivides(e); err != nil {
		return nil, err
	}
	spec = spec.For(frame.Classes, frame.ClassWeights())
	prefs, err := spec.Resolve(frame.Classes)
	if err != nil {
		return nil, err
	}
	if e.Pragma, err = spec.Measure(frame.Classes); err != nil {
		return nil, err
	}
	if err := c.check(frame); err != nil {
		return nil, err
	}
	if err := c.checkSlices(frame); err != nil {
		return nil, err
	}
	if c.Forest, err = c.Forest.Proportional(frame); err != nil {
		return nil, err
	}
	if c, err = c.Preferring(spec, frame.Classes); err != nil {
		return nil, err
	}
	if c, err = c.measuring(spec, frame.Classes); err != nil {
		return nil, err
	}
	if c.Sure != (Sure{}) {
		if err := c.checkSure(frame.Time != nil); err != nil {
			return nil, err
		}
	}
	if e.Loss, e.Costs, e.ByCost = c.Measure, c.Costs, c.ByCost; c.MeasureName == pragmaMeasure {
		e.Loss = nil
	}
	order := vote.TieOrder(frame.ClassWeights(), frame.FirstRows())
	e.Priority, e.Raw, e.Tune = pragma.PriorityClasses(prefs), raw(order, c.soft()), c.tuner()
	report, err := eval.CrossValidate(ctx, frame, c.learner(spec), e)
	if err != nil {
		return nil, err
	}
	report.Goal = pragma.Goal{Classes: frame.Classes, Order: order, Preferences: prefs, Name: c.MeasureName,
		Measure: c.Measure, Costs: c.Costs, Floors: c.Search.Floors}
	return report, nil
}

// onlyDivides refuses settings of e that follow from those of the model.
func onlyDivides(e eval.Config) error {
	for _, setting := range []struct {
		name string
		is   bool
	}{
		{"Pragma", e.Pragma != nil}, {"Loss", e.Loss != nil}, {"Costs", e.Costs.Matrix != nil || e.Costs.ByAmount != nil},
		{"ByCost", e.ByCost},
		{"Priority", e.Priority != nil}, {"Raw", e.Raw != nil}, {"Tune", e.Tune != nil},
	} {
		if setting.is {
			return fmt.Errorf("%w: %s of the cross-validation is set, and it follows from the spec and the settings of the "+
				"model; leave it out", ErrConfig, setting.name)
		}
	}
	return nil
}

// Evaluate judges the model by its votes for labelled rows that it has not seen, see [Model.Votes],
// [Model.TrainedOn] and [Model.Overlap]. It judges by the model's preference and, if the model was tuned for
// another measure that is known, by that measure too. The optimistic rule is tuned on these very votes with
// search, under the floors of the model, but for those of slices that the votes do not tell apart. The lists of the
// likeliest rows in top are judged as well. Rows that are close, see [Model.Close], are not judged.
//
// Errors: [ErrConfig] if votes are not of the model's classes; those of [eval.Evaluate] and of [Config.Tune]; that
// of ctx.
func (m *Model) Evaluate(ctx context.Context, votes *vote.Table, search anneal.Search, top ...eval.TopList) (
	*eval.Report, error) {
	if err := m.checkVotes(votes); err != nil {
		return nil, err
	}
	prefs, err := m.Spec.Resolve(m.Classes())
	if err != nil {
		return nil, err
	}
	floors, err := m.Floors()
	if err != nil {
		return nil, err
	}
	search.Floors = told(floors, votes)
	e := eval.Config{Priority: pragma.PriorityClasses(prefs), Raw: raw(m.Forest.TieOrder(), m.Forest.Soft()), Top: top}
	if e.Pragma, err = m.Spec.Measure(m.Classes()); err != nil {
		return nil, err
	}
	c := Config{
		Calibration: calib.Method(m.Provenance.Calibration), CalibrateWeighted: m.Maps.VoteWeights != nil,
		Forest: m.Provenance.proportions(m.Forest.Share), Search: search, Measure: e.Pragma,
	}
	if known, err := m.Measure(); err == nil && m.Provenance.Measure != pragmaMeasure {
		c.Measure, c.Costs = known, m.Provenance.CostsOf()
		e.Loss, e.Costs, e.ByCost = known, c.Costs, m.Provenance.ByCost
	}
	e.Tune = c.tuner()
	report, err := eval.Evaluate(ctx, m.undecided(votes), m, e)
	if err != nil {
		return nil, err
	}
	report.Goal = pragma.Goal{Classes: m.Classes(), Order: m.Forest.TieOrder(), Preferences: prefs,
		Name: m.Provenance.Measure, Measure: c.Measure, Costs: c.Costs, Floors: floors}
	return report, nil
}

// told are the floors that votes tell of: not those of slices of rows that they do not know.
func told(floors []pragma.Floor, votes *vote.Table) []pragma.Floor {
	var out []pragma.Floor
	for _, f := range floors {
		if f.OfAll() || slices.Contains(votes.Slices, f.Slice) {
			out = append(out, f)
		}
	}
	return out
}

// learner fits a model on a training part. A part of a single class leaves its fold unjudged.
func (c Config) learner(spec pragma.Spec) eval.Learner {
	return func(ctx context.Context, train *dataset.Frame, seed uint64) (eval.Classifier, []error, error) {
		c := c
		c.Forest.Seed, c.Search.Seed, c.AcceptBest = seed, seed, true
		m, err := c.fit(ctx, train, spec)
		if errors.Is(err, forest.ErrTrain) && weighingClasses(train) == 1 {
			note := errors.New("the rows outside of a fold are of a single class, so no forest can judge the fold; choose " +
				"fewer folds, or get more rows of the rare class")
			return mute{eval.Shares(train), c.soft(), pragma.Slices(c.Search.Floors)}, []error{note}, nil
		}
		if err != nil {
			return nil, nil, err
		}
		return fitted{m, c.Forest.Workers, c.Withhold, c.soft() && !m.Forest.Soft(), pragma.Slices(c.Search.Floors)},
			m.Warnings, nil
	}
}

// tuner fits weights and maps on the votes that they are judged on, so it may as well take the lowest loss.
func (c Config) tuner() eval.Tuner {
	c.Search.Choice, c.Weights, c.Sure, c.Review = anneal.Lowest, nil, Sure{}, Review{}
	return func(ctx context.Context, t *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
		found, err := c.Tune(ctx, t, c.Measure)
		if err != nil && !errors.Is(err, anneal.ErrFloors) {
			return nil, nil, err
		}
		maps, _, err := c.mapping(found.Weights).Calibrate(ctx, t)
		return found.Weights, func(dst []float64, votes []uint32) { Probabilities(maps, dst, votes, t.Unit()) }, err
	}
}

// raw gives the shares of the votes, soft or whole, as probabilities of classes in that order.
func raw(order []int, soft bool) func(dst []float64, votes []uint32) {
	maps, unit := Uncalibrated(order), (&vote.Table{Soft: soft}).Unit()
	return func(dst []float64, votes []uint32) { Probabilities(maps, dst, votes, unit) }
}

// fitted is a model that votes with a given number of workers, and withholds the decisions of some rows.
type fitted struct {
	*Model
	workers  int
	withhold func(m *Model, rows *dataset.Frame) ([]bool, error) // nil for none
	softened bool                                                // whole votes are given as soft ones, see Config.soft
	slices   []vote.Slice                                        // that something is required of
}

// soft tells whether the votes of a cross-validation are soft: also where some of its forests may be, so that all
// votes are of one kind.
func (c Config) soft() bool {
	return c.Forest.Soft || c.TuneForest.tunes(c.Forest.Resolved(1).Trees) != TuneOff
}

// own returns votes as the forest casts them.
func (f fitted) own(votes []uint32) []uint32 {
	if !f.softened {
		return votes
	}
	whole := make([]uint32, len(votes))
	for c, v := range votes {
		whole[c] = v / vote.Unit
	}
	return whole
}

// Probabilities is that of the model.
func (f fitted) Probabilities(dst []float64, votes []uint32) {
	f.Model.Probabilities(dst, f.own(votes))
}

// DecideFor is that of the model.
func (f fitted) DecideFor(votes []uint32, amount float64) int {
	return f.Model.DecideFor(f.own(votes), amount)
}

// WeightOrigins says by class where the weights come from.
func (f fitted) WeightOrigins() []string {
	var names []string
	for _, o := range f.Provenance.Origins {
		names = append(names, o.String())
	}
	return names
}

// Votes is that of the forest; a row that is close, or whose decision is withheld, is of no known class, so that it is
// not judged.
func (f fitted) Votes(ctx context.Context, frame *dataset.Frame) (*vote.Table, error) {
	table, err := f.Forest.Votes(ctx, frame, f.workers)
	if err == nil {
		table, err = tables.Slice(table, frame, f.slices)
	}
	if err == nil {
		table = f.undecided(table)
	}
	if err == nil && f.softened {
		table.Soft = true
		for i := range table.Counts {
			table.Counts[i] *= vote.Unit
		}
	}
	if err != nil || f.withhold == nil {
		return table, err
	}
	withheld, err := f.withhold(f.Model, frame)
	if err != nil {
		return nil, err
	}
	table.Truth = slices.Clone(table.Truth)
	for i, is := range withheld {
		if is {
			table.Truth[i] = -1
		}
	}
	return table, nil
}

// mute stands for the forest that cannot be grown on rows of a single class: it leaves all
// rows without votes, so that they are not judged.
type mute struct {
	share  []float64 // of the classes
	soft   bool      // what its votes would be
	slices []vote.Slice
}

// Votes returns a table without votes.
func (m mute) Votes(_ context.Context, f *dataset.Frame) (*vote.Table, error) {
	return tables.Slice(&vote.Table{
		Classes: f.Classes, Truth: f.Truth, Weight: f.Weight, Group: f.Group, Amount: f.Amount, Share: m.share,
		Counts: make([]uint32, f.Rows()*len(m.share)), Source: vote.Holdout, Soft: m.soft,
	}, f, m.slices)
}

// VoteWeights returns nil: there are none to tell of.
func (m mute) VoteWeights() vote.Weights { return nil }

// Probabilities is never asked, as no row has a vote.
func (m mute) Probabilities(dst []float64, _ []uint32) { copy(dst, m.share) }
