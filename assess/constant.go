package assess

import (
	"cmp"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/vote"
)

// Spent is what rows cost in all, by how they are decided.
type Spent struct {
	Tuned  float64            // as the model does
	Always map[string]float64 // all of them as this class, which needs no model
	Rows   float64            // weight of the rows
}

// SpentOn returns what the judged rows cost, in the order of time those of all blocks together; nil without costs.
func SpentOn(r *eval.Report) *Spent {
	if r.Together != nil {
		return SpentIn(r.Together)
	}
	return SpentHere(r)
}

// SpentHere returns what the rows cost that figures are of which name no others: in the order of time those of the
// latest block.
func SpentHere(r *eval.Report) *Spent {
	if r.Always == nil || r.Rules.Tuned.Cost == nil {
		return nil
	}
	return &Spent{*r.Rules.Tuned.Cost, r.Always, eval.Weight(r.Rules.Tuned.Classes)}
}

// SpentIn returns what the rows of a block cost; nil without costs.
func SpentIn(b *eval.Block) *Spent {
	if b.Cost == nil {
		return nil
	}
	return &Spent{*b.Cost, b.Always, eval.Weight(b.Classes)}
}

// Cheapest returns the class as which all rows are decided for the least.
func (s *Spent) Cheapest(classes []string) string {
	return slices.MinFunc(classes, func(a, b string) int { return cmp.Compare(s.Always[a], s.Always[b]) })
}

// Wasted tells whether all rows can be decided as one of the classes for less than the model costs.
func (s *Spent) Wasted(classes []string) bool {
	return s != nil && s.Always != nil && len(classes) > 0 && s.Always[s.Cheapest(classes)] < s.Tuned
}

// AlikeKept returns the classes as which all rows of a rule can be decided so that what is required is kept.
func (s *Subject) AlikeKept(r *eval.Rule) []string {
	m := confusion(s.Goal.Classes, r.Confusion)
	return slices.DeleteFunc(slices.Clone(s.Goal.Classes), func(name string) bool {
		return s.Goal.Broken(decidedAs(slices.Index(s.Goal.Classes, name), m), 1)
	})
}

// alike returns by class the loss of deciding all rows of m as it; nil where that may break what is required, where the
// folds disagree, and of costs, which the report has.
func (s *Subject) alike(m *vote.Confusion) map[string]float64 {
	if s.Goal.Measure == nil || s.Goal.Costs.Matrix != nil || len(s.Goal.Floors) > 0 || s.Unstable {
		return nil
	}
	out := map[string]float64{}
	for decision, name := range s.Goal.Classes {
		out[name] = s.Goal.Measure.Loss(decidedAs(decision, m))
	}
	return out
}

// decidedAs returns the rows of m, all decided as one class.
func decidedAs(decision int, m *vote.Confusion) *vote.Confusion {
	out := vote.NewConfusion(m.Classes)
	for truth := range m.Classes {
		out.Add(truth, decision, m.True(truth))
	}
	return out
}

// constant sets the model beside deciding all rows alike: by costs at all, by another loss beyond noise. In the
// order of time costs are those of the blocks together. Its class is the one as which all rows lose the least of
// what keeps what is required; its figures are constant_cost and cost, or constant_loss and loss. It is nil where
// nothing is known of that.
func constant(s *Subject) *finding.Finding {
	spent := SpentOn(s.Report)
	if spent == nil {
		return s.constantLoss()
	}
	kept := s.AlikeKept(&s.Report.Rules.Tuned)
	if len(kept) == 0 || spent.Always == nil {
		return nil
	}
	code, as := codes.ConstantWorse, spent.Cheapest(kept)
	if spent.Wasted(kept) {
		code = codes.ConstantBetter
	}
	f := finding.New(finding.Code(code), s.whereAll(), figure("constant_cost", spent.Always[as], codes.Cost),
		figure(figureCost, spent.Tuned, codes.Cost), figure("rows", spent.Rows, codes.Rows))
	f.Classes = []string{as}
	return &f
}

// constantLoss is constant by another loss than costs.
func (s *Subject) constantLoss() *finding.Finding {
	tuned := &s.Report.Rules.Tuned
	alike := s.alike(confusion(s.Goal.Classes, tuned.Confusion))
	if alike == nil {
		return nil
	}
	as := (&Spent{Always: alike}).Cheapest(s.Goal.Classes)
	code := codes.ConstantWorse
	interval := cmp.Or(tuned.LossInterval, tuned.PragmaInterval)
	switch {
	case alike[as] >= Loss(tuned):
	case interval != nil && alike[as] < interval[0] && !s.chance(as):
		code = codes.ConstantBetter
	default:
		code = codes.ConstantUnsure
	}
	f := finding.New(finding.Code(code), s.Where(), figure("constant_loss", alike[as], codes.Loss),
		figure(figureLoss, Loss(tuned), codes.Loss))
	f.Classes = []string{as}
	return &f
}

// chance tells whether in all blocks together it is not better to decide all rows as a class: of one block that may be
// chance.
func (s *Subject) chance(as string) bool {
	all := s.Report.Together
	return all != nil && all.Decided != nil && s.alike(all.Decided)[as] >= s.Goal.Measure.Loss(all.Decided)
}
