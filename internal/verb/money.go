package verb

import (
	"context"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// inMoney judges what the model decides of rows with these votes by the costs given; nil where none are. Nothing is
// searched for: what could be had by weights for these costs is told by those that need no tuning.
func inMoney(in *view.ModelRows, ctx context.Context, votes *vote.Table) (*eval.Report, error) {
	if in.Costs.Measure == nil {
		return nil, nil
	}
	m := in.Model
	asIs := func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
		return m.Weights, m.Probabilities, nil
	}
	return eval.Evaluate(ctx, votes, m, eval.Config{Pragma: in.Costs.Measure, Loss: in.Costs.Measure,
		Costs: in.Costs.Costs, Raw: m.Probabilities, Tune: asIs})
}
