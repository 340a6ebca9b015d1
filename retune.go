package rfpragma

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
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

// WithWeights returns a model that decides with the weights w (len k), each finite and above 0, also if m
// decides by expected cost, and is otherwise the same; it shares the trees and maps. [Provenance].Figures,
// which are of the former decisions, are left out. Errors: [ErrConfig].
func (m *Model) WithWeights(w vote.Weights) (*Model, error) {
	if w == nil {
		return nil, fmt.Errorf("%w: no vote weights; give one for each of the %d classes", ErrConfig, len(m.Classes()))
	}
	if err := w.Check(len(m.Classes())); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	other := *m
	other.Weights, other.Provenance.Figures, other.Provenance.ByCost = slices.Clone(w), nil, false
	other.Provenance.Guarantee, other.Provenance.Review = nil, nil // they were of other weights
	other.index()
	return &other, nil
}

// OutOfBag returns the votes for the training rows that [Fit] tunes and calibrates on: each row is voted on by
// the trees whose bag left it out. With them a model gets other weights without other rows, see
// [Model.Retune]. Workers is as in forest.Config.
//
// Errors: [forest.ErrTrain] if the labelled rows of train, with their case weights, are not exactly those of
// the training; [ErrConfig] if Fit would not use these votes, because the trees are few or the rows have groups
// or times; that of ctx.
func (m *Model) OutOfBag(ctx context.Context, train *dataset.Frame, workers int) (*vote.Table, error) {
	if err := cmp.Or(m.check(), m.errForeign(), checkFrame(train)); err != nil {
		return nil, err
	}
	train = train.Labelled()
	if Fingerprint(train) != m.Provenance.Data {
		return nil, fmt.Errorf("%w: these are not the rows that the model was trained on; give the data of the training, "+
			"read in the same way, with the same case weights", forest.ErrTrain)
	}
	r := &m.Provenance
	c := Config{Forest: r.Growth()}
	c.Forest.Trees = m.Forest.Trees()
	for _, source := range []vote.Source{r.Votes, r.MapVotes} { // of the two one may be of the training yet
		if slices.Contains([]vote.Source{vote.OOB, vote.CV, vote.Forward, vote.Train}, source) {
			c.Votes = source
		}
	}
	if source := c.source(train); source != vote.OOB {
		return nil, fmt.Errorf("%w: the model was trained on these rows and tuned on %s votes, which its file does not "+
			"hold; "+
			"train again for other weights or maps, or give rows that it has not seen", ErrConfig, source)
	}
	bags, err := m.Forest.Bags(train, c.Forest)
	if err != nil {
		return nil, err
	}
	return m.Forest.OutOfBag(ctx, train, nil, bags, workers)
}

// errForeign says that a forest of another program has no votes out of bag.
func (m *Model) errForeign() error {
	if m.Provenance.Origin == "" {
		return nil
	}
	return fmt.Errorf("%w: the trees are of another program (%s), and which of them left a row out is not known; give "+
		"rows that none of them has seen", ErrConfig, m.Provenance.Origin)
}

// Retune searches other weights for the same trees and maps: those that are best for spec and c, as in [Fit].
// Rows are labelled rows that the model has not seen, or all rows of its training, for which it votes out of bag,
// see [Model.OutOfBag]. Votes are the votes of m for these rows if they are at hand, then rows may be nil; nil
// votes are taken here. The new model recognizes the rows, see [Model.FittedOn]. With costs by amount, the column
// of the amount becomes that of rows; with any other measure there is none.
//
// Of c it uses what says how to search: Search, Measure, MeasureName, Costs, ByCost, Weights, Sure, Review, Tuned
// and AcceptBest.
// What was required of m is required again only if Search.Floors says so, see [Model.Floors].
//
// Errors: [ErrConfig] if c sets anything else, if rows have no labels or most are known from the training, see
// [Model.Overlap], or if votes are not of the model's classes; [anneal.ErrNoRows] if the rows that can be judged are
// of a single class; those of [Config.Tune], [pragma.Spec.Resolve] and ctx.
func (m *Model) Retune(ctx context.Context, rows *dataset.Frame, votes *vote.Table, spec pragma.Spec, c Config) (*Model,
	error) {
	if err := cmp.Or(m.check(), c.onlyTunes()); err != nil {
		return nil, err
	}
	at := votes
	votes, err := m.votesFor(ctx, rows, votes, c.Search.Workers)
	if err != nil {
		return nil, err
	}
	if at == nil { // else the votes may be of other rows, and tell what they tell
		if err := c.checkSlices(rows); err != nil {
			return nil, err
		}
		of := rows
		if votes.Rows() != rows.Rows() { // of its training, which are labelled
			of = rows.Labelled()
		}
		if votes, err = tables.Slice(votes, of, pragma.Slices(c.Search.Floors)); err != nil {
			return nil, err
		}
	}
	spec = spec.For(m.Classes(), tables.ClassRows(votes))
	if c, err = c.measuring(spec, m.Classes()); err != nil {
		return nil, err
	}
	if votes.Source == vote.OOB { // as in training
		votes = votes.Condense()
	}
	votes = tables.Predictive(votes)
	found, guarantee, err := c.TuneSurely(ctx, labelled(votes), c.Measure)
	if err != nil {
		return nil, err
	}
	found, review, err := c.reviewed(ctx, labelled(votes), found)
	if err != nil {
		return nil, err
	}
	if c.Tuned != nil {
		c.Tuned(votes, found)
	}
	other, err := m.retuned(rows, votes, found, spec, c)
	if err == nil {
		other.Provenance.Guarantee, other.Provenance.Review = guarantee, review
	}
	return other, err
}

// onlyTunes refuses settings of c that say nothing about a search for weights.
func (c Config) onlyTunes() error {
	for _, setting := range []struct {
		name string
		is   any
	}{
		{"Forest", c.Forest}, {"TuneForest", c.TuneForest}, {"Calibration", c.Calibration}, {"CalibrateWeighted",
			c.CalibrateWeighted},
		{"Votes", c.Votes}, {"Folds", c.Folds}, {"Trained", c.Trained},
	} {
		if !reflect.ValueOf(setting.is).IsZero() {
			return fmt.Errorf("%w: %s is set, and trees and maps stay as they are; leave it out, or fit a model anew", ErrConfig,
				setting.name)
		}
	}
	return nil
}

// labelled returns the rows of a table that have a known class.
func labelled(t *vote.Table) *vote.Table {
	if !slices.Contains(t.Truth, -1) {
		return t
	}
	var rows []int
	for i, class := range t.Truth {
		if class >= 0 {
			rows = append(rows, i)
		}
	}
	return t.Take(rows)
}

// votesFor returns the votes of m for labelled rows, given ones after a check.
func (m *Model) votesFor(ctx context.Context, rows *dataset.Frame, votes *vote.Table, workers int) (*vote.Table,
	error) {
	if rows != nil {
		if err := rows.Check(); err != nil {
			return nil, err
		}
	}
	switch {
	case votes != nil:
		return votes, m.checkVotes(votes)
	case rows == nil || rows.Truth == nil:
		return nil, fmt.Errorf("%w: there are neither labelled rows nor votes; give rows with their labels", ErrConfig)
	case m.TrainedOn(rows):
		return m.OutOfBag(ctx, rows, workers)
	}
	known, err := m.Overlap(rows)
	if err != nil {
		return nil, err
	}
	if known.Most() {
		return nil, fmt.Errorf("%w: most of the rows, or of those of a class, are rows of the training, and votes of trees "+
			"on rows that they know by heart "+
			"say nothing of new ones; give all rows of the training, or rows that came later", ErrConfig)
	}
	if votes, err = m.Forest.Votes(ctx, rows, workers); err != nil {
		return nil, err
	}
	return votes, m.checkVotes(votes)
}

// checkVotes says why votes cannot be those of m.
func (m *Model) checkVotes(votes *vote.Table) error {
	if m.Forest == nil {
		return m.check()
	}
	if err := votes.Check(); err != nil {
		return fmt.Errorf("%w: votes: %w", ErrConfig, err)
	}
	switch {
	case !slices.Equal(votes.Classes, m.Classes()):
		return fmt.Errorf("%w: the votes are for the classes %.64q, and the model has %.64q; give votes of this model",
			ErrConfig, votes.Classes, m.Classes())
	case votes.Soft != m.Forest.Soft():
		return fmt.Errorf("%w: one of the votes and the model is of soft votes and the other of whole ones; give votes of "+
			"this model", ErrConfig)
	}
	return nil
}

// retuned returns m with the weights found on votes.
func (m *Model) retuned(rows *dataset.Frame, votes *vote.Table, found anneal.Result, spec pragma.Spec,
	c Config) (*Model, error) {
	other, err := m.WithWeights(found.Weights)
	if err != nil {
		return nil, err
	}
	other.Spec, other.Warnings = spec, found.Warnings
	p := &other.Provenance
	p.fittedOn(votes.Source, cmp.Or(p.MapVotes, p.Votes))
	p.VotesData = p.dataOf(rows)
	p.Unvoted = min(votes.Unvoted(), p.Rows)
	switch {
	case !c.Costs.Amounts():
		p.Reading.Amount = ""
	case rows != nil:
		p.Reading.Amount = rows.Reading.Amount
	}
	p.searched(c, found, votes)
	if p.ByCost {
		err = other.judge(votes, c.Measure)
	}
	return other, err
}

// Recalibrate fits other maps, by method, for the same trees and weights. Rows and votes are as for
// [Model.Retune]. If the maps of m are fitted on weighted votes, by its weights, so are these. The probabilities
// are for the population that the rows come from. Of a model that decides by expected cost the decisions change as
// well, and [Provenance].Figures are left out. Warnings of the fit are in the new model.
//
// Errors: [ErrConfig] as for [Model.Retune], and for an unknown method; those of [Config.Calibrate];
// [calib.ErrOneClass].
func (m *Model) Recalibrate(ctx context.Context, rows *dataset.Frame, votes *vote.Table, method calib.Method) (*Model,
	error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	c := Config{Calibration: method, CalibrateWeighted: m.Maps.VoteWeights != nil,
		Forest: m.Provenance.proportions(m.Forest.Share), Search: anneal.Search{Workers: 1}}
	if err := c.checkFit(); err != nil {
		return nil, err
	}
	votes, err := m.votesFor(ctx, rows, votes, 0)
	if err != nil {
		return nil, err
	}
	share, present := classShares(votes), 0
	for _, s := range share {
		if s > 0 {
			present++
		}
	}
	if present < 2 {
		return nil, calib.ErrOneClass
	}
	maps, notes, err := c.mapping(m.Weights).Calibrate(ctx, votes)
	if err != nil {
		return nil, err
	}
	other := *m
	other.Maps, other.Warnings = maps, notes
	p := &other.Provenance
	p.fittedOn(p.Votes, votes.Source)
	p.MapData, p.Spread = p.dataOf(rows), eval.SpreadOf(tables.Predictive(votes))
	if p.Calibration, p.MapShare, p.Prevalence = string(maps.Method), share, nil; votes.Source == vote.OOB {
		p.MapShare = nil
	}
	if p.ByCost {
		p.Figures = nil
	}
	other.index()
	return &other, nil
}
