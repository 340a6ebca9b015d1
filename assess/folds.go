package assess

import (
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/vote"
)

const (
	muchRecall  = 0.2 // how far the recall of a class goes apart under weights that disagree
	littleFound = 0.1 // up to what share next to none is found
)

// disagreement returns the first of the classes that matter of which weights find shares far apart of the same
// votes, and those shares; nil where there is none.
func disagreement(t *vote.Table, matter []int, weights []vote.Weights) (class int, recalls []float64) {
	h := t.Compress()
	for _, c := range matter {
		recalls = nil
		for _, w := range weights {
			recall, _ := h.Confuse(w).Recall(c)
			recalls = append(recalls, recall)
		}
		if len(recalls) > 0 && float64(100*slices.Max(recalls))-float64(100*slices.Min(recalls)) > 100*muchRecall {
			return c, recalls
		}
	}
	return 0, nil
}

// foldWeights are the weights of the folds that figures are of: in the order of time those of the latest block.
func (s *Subject) foldWeights() []vote.Weights {
	// the latter decides by expected cost, which goes by no weights
	if s.FoldWeights != nil || s.Report.Rules.Weights != nil {
		return s.FoldWeights
	}
	var out []vote.Weights
	for _, f := range s.Report.WeightsByFold {
		if f.Fold < len(s.Report.Blocks)-1 {
			continue
		}
		w := make(vote.Weights, len(s.Goal.Classes))
		for c, name := range s.Goal.Classes {
			w[c] = f.Weights[name]
		}
		out = append(out, w)
	}
	return out
}

// folds says that on the same votes the weights of the folds find shares far apart of a class that matters, so that the
// figures are those of no single model; nil where they do not. A recall for each weights is among its figures.
func folds(s *Subject) *finding.Finding {
	if s.Report.Votes == nil {
		return nil
	}
	c, recalls := disagreement(s.Report.Votes, s.matter(), s.foldWeights())
	if recalls == nil {
		return nil
	}
	f := unstable(s.Where(), s.Goal.Classes[c], recalls)
	if offer.Curvable(&s.Goal) && slices.Min(recalls) <= littleFound {
		f.Remedies = append([]finding.Remedy{{Do: codes.TakeMeasure, Name: offer.Curved}}, f.Remedies...)
	}
	return &f
}

// unstable returns what there is to say of recalls of a class that are far apart.
func unstable(where finding.Where, class string, recalls []float64) finding.Finding {
	f := finding.New(codes.FoldsUnstable, where)
	f.Classes = []string{class}
	for _, recall := range recalls {
		f.Figures = append(f.Figures, finding.Figure{Name: "recall", Class: class, Value: recall, Unit: codes.Share})
	}
	f.Remedies = []finding.Remedy{{Do: codes.MoreRows}}
	return f
}

// spread says of the first class that matters that the weights of single folds raise numbers of alarms further apart
// than twice the interval of their share; nil where they do not. An alerts figure for each weights is among its
// figures.
func spread(s *Subject) *finding.Finding {
	weights := s.foldWeights()
	if len(weights) < 2 || s.Report.Votes == nil || s.Unstable || s.Report.Blocks != nil || s.Rows != "" &&
		s.Rows != codes.NewRows ||
		len(s.matter()) > mostNamed {
		return nil
	}
	h := s.Report.Votes.Compress()
	for _, c := range s.matter() {
		name := s.Goal.Classes[c]
		f, rows := finding.New(codes.FoldsSpread, s.Where()), 0.0
		f.Classes = []string{name}
		least, most := math.Inf(1), 0.0
		for _, w := range weights {
			m := h.Confuse(w)
			rows = m.Total()
			share := m.Predicted(c) / rows
			least, most = min(least, share), max(most, share)
			f.Figures = append(f.Figures, finding.Figure{Name: "alerts", Class: name, Value: share * s.decided(),
				Unit: codes.Share})
		}
		middle := (least + most) / 2
		if most-least > 2*calib.Z95*math.Sqrt(middle*(1-middle)/rows) {
			return &f
		}
	}
	return nil
}
