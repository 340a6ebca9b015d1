package rfpragma

import (
	"fmt"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/vote"
)

// leastBorne is the part of what the splits gained of a column that is heeded, where it is not as in training.
const leastBorne = 0.02

// Watch sums up what the votes of m for new rows say of them, for [Model.Estimate]. The rows need no labels. Sums of
// several blocks of rows add up, see [eval.Watch].
//
// Errors: [eval.ErrUnwatched] if m does not know how the votes of its training spread; [ErrConfig] if votes are not of
// the model's classes.
func (m *Model) Watch(votes *vote.Table) (*eval.Watch, error) {
	if err := m.checkVotes(votes); err != nil {
		return nil, err
	}
	u, err := m.unlabelled()
	if err != nil {
		return nil, err
	}
	return u.Watch(votes, func(i int) int {
		if m.Close(votes.Votes(i)) {
			return -1
		}
		return m.decide(votes, i)
	}, m.Probabilities)
}

// Estimate returns recall, precision, alarms and cost that the sums of new rows imply, without their labels, see
// [eval.Unlabelled.Infer]. Drift are the columns that are not as in training, see [dataset.ErrDrift]; of these it
// heeds those that m decides much by.
//
// Errors: [eval.ErrUnwatched] if m does not know how the votes of its training spread, or w is empty or not of m.
func (m *Model) Estimate(w *eval.Watch, drift []*dataset.ColumnDrift) (*eval.Estimates, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	u, err := m.unlabelled()
	if err != nil {
		return nil, err
	}
	heeded := map[string]bool{}
	for _, b := range m.bears {
		heeded[m.Forest.Schema[b.feature].Name] = b.part >= leastBorne
	}
	var found []*dataset.ColumnDrift
	for _, d := range drift {
		if d != nil && heeded[d.Column] {
			found = append(found, d)
		}
	}
	return u.Infer(w, found)
}

// unlabelled is what m knows of itself.
func (m *Model) unlabelled() (*eval.Unlabelled, error) {
	r, k := &m.Provenance, len(m.Classes())
	if r.Spread == nil {
		remedy := "train it anew"
		if r.Origin != "" {
			remedy = "calibrate it on labelled rows that its trees have not seen"
		}
		return nil, fmt.Errorf("%w: the model does not know how the votes of its training spread; %s", eval.ErrUnwatched,
			remedy)
	}
	u := &eval.Unlabelled{Classes: m.Classes(), Order: m.Forest.TieOrder(), Spread: r.Spread, Base: r.Prevalence,
		Costs: r.CostsOf()}
	if u.Base == nil {
		u.Base = m.mapped()
	}
	for _, rows := range r.Spread.Rows {
		for _, w := range rows {
			u.Rows += w
		}
	}
	if len(r.Figures) != k {
		return u, nil
	}
	u.Alerts = make([]float64, k)
	for c, f := range r.Figures {
		if f.Share == nil || f.Recall == nil || f.Precision == nil || f.Precision.Value == 0 {
			continue
		}
		u.Rows, u.Alerts[c] = f.Share.Rows, f.Share.Value*f.Recall.Value/f.Precision.Value
	}
	return u, nil
}
