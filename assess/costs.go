package assess

import (
	"cmp"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// nearlyAll is the share from which something is nearly all.
const nearlyAll = 0.8

// costOfFew says that more than half of what the rows cost is due to one of them, or nearly all to at most
// [mostHeavy]; nil where it is not. Rows are counted, so it is of costs by decision alone. Its figures are rows, a
// number of them, and part, which is theirs of the cost.
func costOfFew(s *Subject) *finding.Finding {
	costs := s.Goal.Costs
	if costs.Matrix == nil || costs.Amounts() || s.Report.Weighed {
		return nil
	}
	type cell struct{ rows, cost float64 }
	var cells []cell
	var sum portable.Sum
	rules, _, where := s.rules()
	for t, row := range rules.Tuned.Confusion {
		for d, n := range row {
			cells = append(cells, cell{n, costs.Matrix[t][d]})
			sum.Add(float64(n * costs.Matrix[t][d]))
		}
	}
	all := sum.Value()
	slices.SortStableFunc(cells, func(a, b cell) int { return cmp.Compare(b.cost, a.cost) })
	rows, cost := 0.0, 0.0
	for _, c := range cells {
		if c.rows == 0 {
			continue
		}
		n := min(c.rows, math.Ceil((float64(nearlyAll*all)-cost)/c.cost)) // no more than it takes
		one := cost == 0 && c.rows >= 1 && c.cost > all/2
		if one {
			n = 1
		}
		rows, cost = rows+n, cost+float64(n*c.cost)
		if rows > mostHeavy || c.cost <= 0 {
			return nil
		}
		if one || cost >= nearlyAll*all {
			break
		}
	}
	if cost == 0 {
		return nil
	}
	f := finding.New(codes.CostFewRows, where, figure("rows", math.Ceil(rows), codes.Rows),
		figure("part", min(1, cost/all), codes.Share))
	return &f
}

// hang says that the difference in cost between the model and other decisions of the judged rows hangs on few of
// them: of costs by amount, where without these it would be less than half, or turn round. It is nil where it does
// not, and where rows are judged more than once. Its figures are the amounts of these rows, and left, the part of
// the difference without them, which is below 0 where it turns round.
func hang(s *Subject, other func(votes []uint32) int) *finding.Finding {
	t, decided, costs := s.Report.Votes, s.Report.Decided, s.Goal.Costs
	if !costs.Amounts() || t == nil || decided == nil ||
		slices.ContainsFunc(s.Report.WeightsByFold, func(f eval.FoldWeights) bool { return f.Repeat > 1 }) {
		return nil
	}
	type row struct{ saved, amount float64 }
	var rows []row
	sum := 0.0
	for i, votes := range t.Judged() {
		truth, each := t.Truth[i], t.WeightOf(i)
		if costs.ByAmount[truth] {
			each *= t.Amount[i]
		}
		if saved := float64(each * (costs.Matrix[truth][other(votes)] - costs.Matrix[truth][decided[i]])); saved != 0 {
			rows, sum = append(rows, row{saved, t.Amount[i]}), sum+saved
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.saved*sum, a.saved*sum) })
	f, left := finding.New(codes.CostHangs, s.Where()), sum
	for _, r := range rows[:min(len(rows), mostHeavy)] {
		left -= r.saved
		f.Figures = append(f.Figures, figure("amount", r.amount, codes.Cost))
		if left*sum < 0 || math.Abs(left) < math.Abs(sum)/2 {
			f.Figures = append(f.Figures, figure("left", left/sum, codes.Share))
			return &f
		}
	}
	return nil
}
