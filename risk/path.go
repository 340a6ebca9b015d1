package risk

import (
	"context"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// steps is how many weights are looked at between both ends of a path.
const steps = 400

// Path returns weights in the order in which [Control.Test] is to test them, from those that keep the constraints
// most surely by way of others, such as those of the lowest loss under the floors and then without: each loses less
// by m than those before it. It is laid on votes alone, which must not be those of the rows that are tested on;
// out-of-bag votes are carried over to all trees first.
//
// The first weights are those under which the constraint that is nearest to its limit, in standard errors, is
// furthest from it, as s finds them; where a single class can be decided always, such as for its recall, those that
// nearly do so. In between the logarithms of the weights change evenly.
//
// Errors: [ErrSetting]; those of [anneal.Search.Weights]; ctx.Err().
func (c Control) Path(ctx context.Context, votes *vote.Table, s anneal.Search, m pragma.Measure, way ...vote.Weights) (
	[]vote.Weights, error) {
	if err := c.check(votes); err != nil {
		return nil, err
	}
	for _, w := range way {
		if err := w.Check(len(votes.Classes)); err != nil {
			return nil, err
		}
	}
	t := tables.Predictive(votes)
	safest := c.extreme(t)
	if safest == nil {
		s.Floors, s.Choice = nil, anneal.Lowest
		found, err := s.Weights(ctx, t, pragma.Func(c.danger))
		if err != nil {
			return nil, err
		}
		safest = found.Weights
	}
	path := []vote.Weights{safest}
	t = t.Compress()
	lowest, common := m.Loss(t.Confuse(safest)), t.TieOrder()[0]
	from := vote.Scaled(safest, common)
	for _, to := range way {
		to = vote.Scaled(to, common)
		for i := 1; i <= steps; i++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			w := between(from, to, float64(i)/steps)
			if loss := m.Loss(t.Confuse(w)); loss < lowest {
				path, lowest = append(path, w), loss
			}
		}
		from = to
	}
	return path, nil
}

// between returns what lies at that part of the way from some weights to others.
func between(from, to vote.Weights, part float64) vote.Weights {
	w := slices.Clone(to)
	for class := range w {
		if part < 1 {
			w[class] = portable.Exp(float64((1-part)*portable.Log(from[class])) + float64(part*portable.Log(to[class])))
		}
	}
	return w
}

// extreme returns weights under which a vote for one class outweighs all others, if each floor is then kept whatever
// the votes are; else nil.
func (c Control) extreme(t *vote.Table) vote.Weights {
	if c.MaxCost > 0 {
		return nil
	}
	class := -1
	for _, f := range c.Floors {
		if f.What == pragma.RecallFloor {
			class = f.Class
		}
	}
	if order := t.TieOrder(); class < 0 { // the most common that no alarms are counted of
		at := slices.IndexFunc(order, func(class int) bool {
			return !slices.ContainsFunc(c.Floors, func(f pragma.Floor) bool { return f.Class == class })
		})
		if at < 0 {
			return nil
		}
		class = order[at]
	}
	for _, f := range c.Floors {
		if kept := f.What == pragma.RecallFloor && f.Class == class || atMost(&f) && f.Class != class; !kept {
			return nil
		}
	}
	most := uint64(1)
	for _, votes := range t.Judged() {
		most = max(most, vote.Total(votes))
	}
	w := slices.Repeat(vote.Weights{1}, len(t.Classes))
	w[class] = 2 * float64(most)
	return vote.Scaled(w, t.TieOrder()[0])
}

// danger is lower the further decisions are from breaking the constraint that they are nearest to breaking, from 0 to
// 1: ½ where that is just kept.
func (c Control) danger(m *vote.Confusion) float64 {
	least := math.Inf(1)
	for i := range c.Floors {
		f := &c.Floors[i]
		v, ok := f.Value(m)
		if always(f) {
			continue
		}
		if !ok {
			return 1
		}
		_, of := counted(f, m.Slice(f.Slice))
		z := (v - f.Limit) * math.Sqrt(of/max(1e-9, float64(f.Limit*(1-f.Limit))))
		if atMost(f) {
			z = -z
		}
		least = min(least, z)
	}
	if c.MaxCost > 0 {
		mean, largest := c.Costs.Total(m)/m.Total(), 0.0
		for _, row := range c.Costs.Matrix {
			largest = max(largest, slices.Max(row))
		}
		// of all that a mean of numbers from 0 to largest can vary, the most
		z := (c.MaxCost - mean) * math.Sqrt(m.Total()/max(1e-9, float64(c.MaxCost*max(largest-c.MaxCost, 1e-9))))
		least = min(least, z)
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return (1 - least/(1+math.Abs(least))) / 2
}
