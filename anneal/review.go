package anneal

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Review says which rows a person is to look at instead of a decision.
type Review struct {
	Share float64 // largest share of the rows, by weight, that are looked at, from 0 to 1
	Cost  float64 // what it costs to look at a row, in the unit of the loss; then that is to be a mean cost of a row
	// Class, of three classes or more, has only rows looked at for which it is one of the two likeliest; -1 any rows. Of
	// two classes it is not used.
	Class int
}

// Zone is where rows are looked at: those whose largest weighted vote is less than Margin times the second largest, see
// [vote.Rule.TopTwo]. All others are decided under Weights.
type Zone struct {
	Weights vote.Weights
	Margin  float64 // 1 or more; at 1 no row is looked at
	Class   int     // as in [Review]; -1 of two classes
	// Loss is that of all rows where who looks at a row decides it rightly, with what it costs to look.
	Loss     float64
	Reviewed float64 // share of the rows, by weight, that are looked at
}

// mostLevels is up to how many distinct ratios of votes all pairs of cuts are tried.
const mostLevels = 2048

// Zone finds the rows to look at under which the loss by m of all rows is lowest, where those that are looked at are
// decided rightly and cost r.Cost each (Chow, On optimum recognition error and reject tradeoff, IEEE Transactions on
// Information Theory 16, 1970). Of zones of equal loss it takes the one of fewest rows. Floors are kept by the same
// count; alerts are of decided rows alone.
//
// Of two classes it tries all pairs of cuts of the ratio of the votes, one for each decision, and w is not used. That
// is exact for up to 2,048 distinct ratios; more are put into as many groups of like ratios first. Of more classes
// the weights w decide, and all margins are tried.
//
// Errors: [ErrSetting]; those of [Search.Weights]; ctx.Err(). With [ErrFloors] comes the zone that is nearest.
func (s Search) Zone(ctx context.Context, t *vote.Table, m pragma.Measure, w vote.Weights, r Review) (Zone, error) {
	f, err := s.prepare(t, m)
	if err != nil {
		return Zone{}, err
	}
	if !(r.Share >= 0 && r.Share <= 1) || !(r.Cost >= 0 && r.Cost <= math.MaxFloat64) || r.Class < -1 ||
		r.Class >= len(t.Classes) {
		return Zone{}, fmt.Errorf("%w: rows to look at are to be a share %v of all, of class %d, and cost %v each; give a "+
			"share from 0 to 1, a cost from 0 on, and a class or -1", ErrSetting, r.Share, r.Class, r.Cost)
	}
	if len(pragma.Slices(s.Floors)) > 0 {
		return Zone{}, fmt.Errorf("%w: rows to look at are found under floors of all rows, and one is of a group; leave out "+
			"one of both", ErrSetting)
	}
	z := &zoning{Review: r, floors: f.search.Floors, measure: m, table: f.histogram, order: f.histogram.TieOrder(),
		best: Zone{Loss: math.Inf(1), Margin: 1, Class: -1}}
	for i := range z.table.Truth {
		z.total += z.table.WeightOf(i)
	}
	if len(t.Classes) == 2 {
		err = z.cuts(ctx)
	} else {
		if err := w.Check(len(t.Classes)); err != nil {
			return Zone{}, err
		}
		z.best.Weights, z.best.Class = vote.Scaled(w, z.order[0]), r.Class
		err = z.margins(ctx)
	}
	if err == nil && z.best.Loss >= beyondFloors {
		err = fmt.Errorf("%w, also where rows are looked at; ask for less, or for more rows to look at", ErrFloors)
	}
	return z.best, err
}

// beyondFloors is a loss of decisions that miss floors.
const beyondFloors = 1e300 // as of pragma.Within

// zoning is the search for a zone.
type zoning struct {
	Review
	floors  []pragma.Floor
	measure pragma.Measure
	table   *vote.Table
	order   []int
	total   float64 // weight of all rows
	best    Zone
}

// level is rows of the same ratio, or of like ones.
type level struct {
	from, to float64    // smallest and largest ratio
	weight   [2]float64 // of the rows by rank of their class
}

// loss returns the loss of decisions m, where rows that are looked at are counted as right, and of which alarms (by
// class) are decided.
func (z *zoning) loss(m *vote.Confusion, alarms []float64, reviewed float64) float64 {
	missing := 0.0
	for _, f := range z.floors {
		if f.What == pragma.Alerts {
			missing += max(0, alarms[f.Class]/z.total-f.Limit)
		} else {
			missing += f.Missing(m)
		}
	}
	if missing > 0 {
		return beyondFloors * (1 + missing)
	}
	return finite(z.measure.Loss(m)) + float64(z.Cost*(reviewed/z.total))
}

// offer takes a zone if it is better than the best, or as good with fewer rows, and tells whether it did.
func (z *zoning) offer(loss, reviewed float64) bool {
	share := reviewed / z.total
	if share > z.Share*(1+tolerance) {
		return false
	}
	if !better(loss, z.best.Loss) && !(same(loss, z.best.Loss) && share < z.best.Reviewed-tolerance) {
		return false
	}
	z.best.Loss, z.best.Reviewed = loss, share
	return true
}

// cuts tries all pairs of cuts of two classes. A row of ratio above the higher is decided as the class that loses ties,
// one below the lower as the other.
func (z *zoning) cuts(ctx context.Context) error {
	levels, low, high := z.levels()
	n := len(levels)
	// weight of the rows below each cut, by rank
	below := make([][2]float64, n+1)
	below[0] = low
	for l := range levels {
		for rank := range 2 {
			below[l+1][rank] = below[l][rank] + levels[l].weight[rank]
		}
	}
	all := [2]float64{below[n][0] + high[0], below[n][1] + high[1]}
	m, cells := vote.NewConfusion(z.table.Classes), make([]float64, 4)
	alarms := make([]float64, 2)
	a, b := z.order[0], z.order[1]
	from, to := 0, 0
	for upper := range n + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		for lower := upper; lower >= 0; lower-- {
			reviewed := below[upper][0] - below[lower][0] + (below[upper][1] - below[lower][1])
			if reviewed > z.Share*z.total*(1+tolerance) {
				break
			}
			cells[a*2+a], cells[a*2+b] = below[upper][0], all[0]-below[upper][0]
			cells[b*2+b], cells[b*2+a] = all[1]-below[lower][1], below[lower][1]
			if err := m.Fill(cells); err != nil {
				return err
			}
			alarms[a] = below[lower][0] + below[lower][1]
			alarms[b] = all[0] - below[upper][0] + (all[1] - below[upper][1])
			if z.offer(z.loss(m, alarms, reviewed), reviewed) {
				from, to = lower, upper
			}
		}
	}
	lower, upper := edge(levels, from), edge(levels, to)
	z.best.Weights = make(vote.Weights, 2)
	z.best.Weights[a], z.best.Weights[b] = 1, 1/math.Sqrt(lower*upper)
	z.best.Margin = math.Sqrt(upper / lower)
	return nil
}

// levels returns the rows of two classes that have votes for both by the ratio of their votes, the second rank by the
// first, ascending; and the weight of those without a vote for the second, and without one for the first, which no
// weights decide otherwise.
func (z *zoning) levels() (levels []level, low, high [2]float64) {
	a, b := z.order[0], z.order[1]
	for i, truth := range z.table.Truth {
		votes, w := z.table.Votes(i), z.table.WeightOf(i)
		rank := 0
		if truth == b {
			rank = 1
		}
		switch {
		case votes[b] == 0:
			low[rank] += w
		case votes[a] == 0:
			high[rank] += w
		default:
			ratio := float64(votes[b]) / float64(votes[a])
			one := level{from: ratio, to: ratio}
			one.weight[rank] = w
			levels = append(levels, one)
		}
	}
	slices.SortStableFunc(levels, func(x, y level) int { return cmp.Compare(x.from, y.from) })
	levels = joined(levels, func(group, next level) bool { return group.to == next.from })
	if len(levels) > mostLevels {
		enough := z.total / mostLevels
		levels = joined(levels, func(group, _ level) bool { return group.weight[0]+group.weight[1] < enough })
	}
	return levels, low, high
}

// joined puts levels that follow one another into groups.
func joined(levels []level, belongs func(group, next level) bool) []level {
	var out []level
	for _, l := range levels {
		last := len(out) - 1
		if last < 0 || !belongs(out[last], l) {
			out = append(out, l)
			continue
		}
		out[last].to = l.to
		out[last].weight[0] += l.weight[0]
		out[last].weight[1] += l.weight[1]
	}
	return out
}

// edge returns the ratio in the middle, by logarithm, between a level and that before it, or beyond the ends.
func edge(levels []level, at int) float64 {
	switch n := len(levels); {
	case n == 0:
		return 1
	case at == 0:
		return levels[0].from / 2
	case at == n:
		return levels[n-1].to * 2
	}
	return math.Sqrt(levels[at-1].to * levels[at].from)
}

// closeRow is a row of several classes that may be looked at.
type closeRow struct {
	by             float64 // largest weighted vote over the second largest
	truth, decided int
	weight         float64
}

// margins tries all margins of decisions under the weights.
func (z *zoning) margins(ctx context.Context) error {
	rule := vote.NewRule(z.best.Weights, z.order)
	m, alarms := vote.NewConfusion(z.table.Classes), make([]float64, len(z.order))
	var rows []closeRow
	for i, truth := range z.table.Truth {
		votes, w := z.table.Votes(i), z.table.WeightOf(i)
		decided, second, by := rule.TopTwo(votes)
		m.Add(truth, decided, w)
		alarms[decided] += w
		if !math.IsInf(by, 1) && (z.Class < 0 || decided == z.Class || second == z.Class) {
			rows = append(rows, closeRow{by, truth, decided, w})
		}
	}
	slices.SortStableFunc(rows, func(a, b closeRow) int { return cmp.Compare(a.by, b.by) })
	z.offer(z.loss(m, alarms, 0), 0)
	var reviewed portable.Sum
	for i := 0; i < len(rows); {
		if err := ctx.Err(); err != nil {
			return err
		}
		by := rows[i].by
		for ; i < len(rows) && same(rows[i].by, by); i++ { // 6:3 is 2:1 but for rounding
			r := rows[i]
			m.Move(r.truth, r.decided, r.truth, r.weight)
			alarms[r.decided] -= r.weight
			reviewed.Add(r.weight)
		}
		next := float64(2 * by)
		if i < len(rows) {
			next = math.Sqrt(by * rows[i].by)
		}
		if z.offer(z.loss(m, alarms, reviewed.Value()), reviewed.Value()) {
			z.best.Margin = max(next, float64(by*(1+2*tolerance)))
		}
	}
	return nil
}
