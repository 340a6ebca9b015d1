package explore

import (
	"context"
	"sync"

	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/shap"
)

// splitter splits the votes for a class.
type splitter struct {
	mutex sync.Mutex // held while it is made, so that nobody makes the same
	made  bool
	by    *explain.Explainer // nil where votes cannot be split
}

// mostSplit is how many classes are kept: each takes several times the memory of the forest.
const mostSplit = 3

// split splits the votes of a row for a class into parts of its cells; nil where that cannot be done.
func (h *Handler) split(ctx context.Context, x []float64, class int) (*report.Waterfall, error) {
	s := h.parts.of(class)
	s.mutex.Lock()
	if !s.made {
		rows := shap.Rows{Frame: h.votes.Frame, Votes: h.votes.Table, Workers: h.options.Search.Workers}
		by, err := shap.Explainer(ctx, h.votes.Model, &rows, class)
		if err != nil {
			s.mutex.Unlock()
			return nil, err
		}
		s.made, s.by = true, by
	}
	s.mutex.Unlock()
	if s.by == nil {
		return nil, nil
	}
	parts, err := s.by.Row(ctx, x)
	if err != nil {
		return nil, err
	}
	schema := h.votes.Model.Forest.Schema
	w := shap.Waterfall(schema, s.by.Base, parts, func(j int) string { return schema[j].Text(x[j]) })
	return &w, nil
}
