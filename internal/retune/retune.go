// Package retune finds weights for votes that are at hand: what the verb tune shows, and the page of explore.
package retune

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Votes are what is tuned: votes, and the model they are of, if it is one of ours.
type Votes struct {
	Table *vote.Table // row by row
	Model *rfpragma.Model
	Name  string         // of the votes or rows, for people
	Frame *dataset.Frame // the rows, of a model
	Fresh bool           // neither the trees nor the weights of the model have seen them
}

// Searched is the table that is searched: out-of-bag votes are carried over to all trees, as in training.
func (v *Votes) Searched() *vote.Table {
	if v.Table.Source == vote.OOB {
		return tables.Predictive(v.Table.Condense())
	}
	return v.Table
}

// labelled is a table of its votes without the rows of no known class, where the reading of a frame has told of them.
func (v *Votes) labelled(t *vote.Table) *vote.Table {
	if v.Frame == nil || !slices.Contains(t.Truth, -1) {
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

// Wish is what is to become of votes.
type Wish struct {
	Search  anneal.Search
	Spec    pragma.Spec
	Prefs   []pragma.Preference // by class
	Loss    view.Loss
	Weights func(*vote.Table) vote.Weights // to judge instead of searching, or nil
	Sure    rfpragma.Sure
	Review  rfpragma.Review
	// where no weights reach what is required, the best are taken, with a warning
	AcceptBest bool
	Typed      view.Typed // how findings are to say what may be done
}

// Config is how a model is tuned by it. A measure that was not chosen is left to follow from the preference and what
// is required, as the model then remembers.
func (w *Wish) Config() rfpragma.Config {
	c := rfpragma.Config{Search: w.Search, Weights: w.Weights, AcceptBest: w.AcceptBest, Costs: w.Loss.Costs,
		Sure: w.Sure, Review: w.Review}
	if w.Loss.Chosen || w.Loss.Costs.Matrix != nil {
		c.Measure, c.MeasureName = w.Loss.Measure, w.Loss.Name
	}
	return c
}

// Find searches weights for t, which is that of Searched or as good for a search, or judges those that were given.
// What to expect of them is not known yet.
func (v *Votes) Find(ctx context.Context, t *vote.Table, w *Wish) (*view.Tuning, error) {
	s, err := v.tuning(t, w)
	switch {
	case err != nil:
	case w.Sure != (rfpragma.Sure{}):
		s.Found, s.Guarantee, err = w.Config().TuneSurely(ctx, t, w.Loss.Measure)
	default:
		s.Found, err = searched(ctx, w, t, s.Staked)
	}
	if err != nil {
		return nil, v.named(err)
	}
	return s, nil
}

// FindModel is Find for votes of a model, which it returns with the weights found.
func (v *Votes) FindModel(ctx context.Context, t *vote.Table, w *Wish) (*view.Tuning, *rfpragma.Model, error) {
	s, err := v.tuning(t, w)
	if err != nil {
		return nil, nil, v.named(err)
	}
	c := w.Config()
	c.Tuned = func(_ *vote.Table, result anneal.Result) { s.Found = result }
	model, err := v.Model.Retune(ctx, v.Frame, t, w.Spec, c)
	if err != nil {
		return nil, nil, v.named(err)
	}
	s.Guarantee = model.Provenance.Guarantee
	if model.Provenance.Review != nil {
		s.Review, s.Withheld = w.Review, abstain.NewWithheld(t.Classes)
		s.Withheld.Only = true
		s.Withheld.Add(t, abstain.Reasons(model, t, nil, false), predictions.Deciding(model, t))
		s.Withheld.End(1)
		s.Table, s.Staked = decidedBy(model, s.Table), decidedBy(model, s.Staked)
	}
	return s, model, nil
}

// decidedBy is a table without the rows that a model leaves to people.
func decidedBy(m *rfpragma.Model, t *vote.Table) *vote.Table {
	var rows []int
	for i := range t.Truth {
		if !m.Close(t.Votes(i)) {
			rows = append(rows, i)
		}
	}
	return t.Take(rows)
}

// Expect fills in what to expect on new rows of weights that were searched for, and what the search gains on those that
// need none. Of weights that miss what is required, were given or are guaranteed something, and where rows are left to
// people, it says nothing.
func (v *Votes) Expect(ctx context.Context, s *view.Tuning, w *Wish) error {
	if w.Weights != nil || s.Guarantee != nil || w.Review != (rfpragma.Review{}) ||
		slices.ContainsFunc(s.Found.Warnings, view.Refused) {
		return nil
	}
	trial, err := w.Search.Expect(ctx, s.Staked, w.Loss.Measure, s.Found)
	if err != nil {
		return v.named(err)
	}
	s.Trial = &trial
	return compare(s, w.Search)
}

func (v *Votes) tuning(t *vote.Table, w *Wish) (*view.Tuning, error) {
	staked, err := w.Loss.Costs.Stakes(v.labelled(t))
	return &view.Tuning{
		Typed: w.Typed,
		Name:  v.Name, Was: v.Model, Fresh: v.Fresh, Table: t, Frame: v.Frame, Staked: staked, Loss: w.Loss, Spec: w.Spec,
		Prefs: w.Prefs, Floors: w.Search.Floors, Choice: w.Search.Choice, Sure: w.Sure,
	}, err
}

func (v *Votes) named(err error) error { return fmt.Errorf("%s: %w", v.Name, err) }

// searched searches for weights, or judges those that are given. Where no weights reach what is required, it returns
// the best, if it may.
func searched(ctx context.Context, w *Wish, t, staked *vote.Table) (found anneal.Result, err error) {
	if w.Weights != nil {
		found, err = w.Search.Judge(ctx, staked, w.Loss.Measure, w.Weights(t))
	} else {
		found, err = w.Search.Weights(ctx, staked, w.Loss.Measure)
	}
	if errors.Is(err, anneal.ErrFloors) && w.AcceptBest {
		found.Warnings, err = append(found.Warnings, err), nil
	}
	return found, err
}
