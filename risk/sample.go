package risk

import (
	"cmp"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// sample is votes made ready for tests under many weights.
type sample struct {
	Control
	table    *vote.Table // rows that can be judged, those that are alike merged where that loses nothing
	units    int         // independent rows, or groups
	groups   [][]int     // rows of each group; nil without groups
	each     float64     // what each row weighs; 0 where they differ, or have groups
	heaviest float64     // what no unit weighs more than
	largest  float64     // of the costs
}

func newSample(c Control, t *vote.Table) *sample {
	s := &sample{Control: c}
	for _, row := range c.Costs.Matrix {
		s.largest = max(s.largest, slices.Max(row))
	}
	var rows []int
	for i := range t.Judged() {
		if t.WeightOf(i) > 0 {
			rows = append(rows, i)
		}
	}
	s.table = t.Take(rows)
	weights := func(i int) float64 { return s.table.WeightOf(i) / float64(s.table.TimesOf(i)) }
	low, high := math.Inf(1), 0.0
	for i := range s.table.Truth {
		low, high = min(low, weights(i)), max(high, weights(i))
		s.units += s.table.TimesOf(i)
	}
	s.heaviest = high
	switch {
	case t.Group != nil:
		s.grouped()
	case high-low <= 1e-9*high: // sums are rounded
		s.each = high
		s.table = s.table.Compress()
	}
	s.heaviest = max(s.heaviest, c.Heaviest)
	return s
}

// grouped collects the rows of each group.
func (s *sample) grouped() {
	order := make([]int, s.table.Rows())
	for i := range order {
		order[i] = i
	}
	group := s.table.Group
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(group[a], group[b]) })
	for len(order) > 0 {
		n := 1
		for n < len(order) && group[order[n]] == group[order[0]] {
			n++
		}
		s.groups = append(s.groups, order[:n])
		sum := 0.0
		for _, i := range order[:n] {
			sum += s.table.WeightOf(i)
		}
		s.heaviest = max(s.heaviest, sum)
		order = order[n:]
	}
	s.units = len(s.groups)
}

// checks tests each constraint under w.
func (s *sample) checks(w vote.Weights) []Check {
	rule, decided := s.table.Rule(w), make([]int, s.table.Rows())
	m := vote.NewConfusion(s.table.Classes, s.table.Slices...)
	for i, truth := range s.table.Truth {
		decided[i] = rule.Decide(s.table.Votes(i))
		m.AddIn(truth, decided[i], s.table.WeightOf(i), s.table.InOf(i))
	}
	var out []Check
	for i := range s.Floors {
		f := &s.Floors[i]
		check := Check{Floor: f, Limit: f.Limit, Value: math.NaN()}
		if v, ok := f.Value(m); ok {
			check.Value = v
		}
		if s.each > 0 {
			s.exact(&check, m.Slice(f.Slice))
		} else {
			s.bet(&check, decided, s.excess(f))
		}
		out = append(out, check)
	}
	if s.MaxCost > 0 {
		check := Check{Limit: s.MaxCost, Value: s.Costs.Total(m) / m.Total()}
		s.bet(&check, decided, outcome{func(i, decision int) (float64, bool) {
			return s.MaxCost - s.Costs.Matrix[s.table.Truth[i]][decision], true
		}, s.largest - s.MaxCost})
		out = append(out, check)
	}
	return out
}

// exact tests a share of rows of equal weight.
func (s *sample) exact(check *Check, m *vote.Confusion) {
	hits, of := counted(check.Floor, m)
	k, n := int(math.Round(hits/s.each)), int(math.Round(of/s.each))
	check.Of, check.P = n, tail(check.Floor, k, n)
}

// counted returns the weight of the rows that a figure counts, and of all that it is a share of.
func counted(f *pragma.Floor, m *vote.Confusion) (hits, of float64) {
	switch f.What {
	case pragma.RecallFloor:
		return m.Hits(f.Class), m.True(f.Class)
	case pragma.PrecisionFloor:
		return m.Hits(f.Class), m.Predicted(f.Class)
	case pragma.FalseAlarms:
		return m.Predicted(f.Class) - m.Hits(f.Class), m.Total() - m.True(f.Class)
	default:
		return m.Predicted(f.Class), m.Total()
	}
}

// atMost tells whether a floor is a limit from above.
func atMost(f *pragma.Floor) bool { return f.What == pragma.FalseAlarms || f.What == pragma.Alerts }

// tail is the probability of k of n rows, or a better number, where the figure of new rows just fails the limit:
// the p-value of Clopper and Pearson, Biometrika 26 (1934) 404-413.
func tail(f *pragma.Floor, k, n int) float64 {
	switch {
	case always(f):
		return 0
	case n == 0:
		return 1
	case atMost(f):
		return atLeast(n-k, n, 1-f.Limit)
	}
	return atLeast(k, n, f.Limit)
}

// always tells whether a floor cannot be missed.
func always(f *pragma.Floor) bool { return atMost(f) && f.Limit >= 1 || !atMost(f) && f.Limit <= 0 }

// outcome is what a row adds to a sum whose mean is 0 or more where a constraint holds.
type outcome struct {
	of    func(row, decision int) (value float64, counts bool)
	worst float64 // the most that a row of weight 1 takes away
}

// excess is the outcome of a floor: by how much a row does better than the limit.
func (s *sample) excess(f *pragma.Floor) outcome {
	against := f.Limit // of a miss
	if atMost(f) {
		against = 1 - f.Limit
	}
	value := func(good bool) float64 {
		if good {
			return 1 - against
		}
		return -against
	}
	slice := slices.Index(s.table.Slices, f.Slice) // -1 of all rows
	return outcome{func(row, decision int) (float64, bool) {
		if slice >= 0 && s.table.InOf(row)>>slice&1 == 0 {
			return 0, false
		}
		switch is, as := s.table.Truth[row] == f.Class, decision == f.Class; f.What {
		case pragma.RecallFloor:
			return value(as), is
		case pragma.PrecisionFloor:
			return value(is), as
		case pragma.FalseAlarms:
			return value(!as), !is
		default:
			return value(!as), true
		}
	}, against}
}

// bet tests a mean of rows of different weights, or of groups.
func (s *sample) bet(check *Check, decided []int, by outcome) {
	if by.worst <= 0 || check.Floor != nil && always(check.Floor) {
		check.Of = s.units
		return // nothing can take anything away
	}
	var w wealth
	bound := float64(s.heaviest * by.worst)
	add := func(rows []int, times float64) {
		sum, counts := 0.0, false
		for _, i := range rows {
			if v, is := by.of(i, decided[i]); is {
				sum += float64(v * s.table.WeightOf(i) / float64(s.table.TimesOf(i)))
				counts = true
			}
		}
		if counts {
			check.Of += int(times)
			w.add(max(-1, sum/bound), times)
		}
	}
	for _, rows := range s.groups {
		add(rows, 1)
	}
	if s.groups == nil {
		for i := range decided {
			add([]int{i}, float64(s.table.TimesOf(i)))
		}
	}
	check.P = w.p()
}

// needed is [Check.Needed], by the test that the constraint was tested by.
func (c Control) needed(check *Check, s *sample) int {
	alpha := 1 - c.Confidence
	if check.P <= alpha || check.Of == 0 && s.units == 0 {
		return 0
	}
	f := check.Floor
	exact := f != nil && s.each > 0
	switch {
	case exact && check.Of == 0: // as if all that there will be are right
		return s.first(check, func(n int) float64 { return tail(f, hitsOf(f, n), n) }, 1)
	case exact:
		return s.first(check, func(n int) float64 {
			k := float64(check.Value * float64(n))
			if atMost(f) {
				return tail(f, int(math.Ceil(k-1e-9)), n)
			}
			return tail(f, int(k+1e-9), n)
		}, float64(s.units)/float64(check.Of))
	}
	if gain := -math.Log(check.P); gain > 0 { // logarithms of wealth grow with the number of outcomes
		return int(math.Ceil(float64(s.units) * math.Log(1/alpha) / gain))
	}
	return 0
}

// hitsOf is the best number of hits of n.
func hitsOf(f *pragma.Floor, n int) int {
	if atMost(f) {
		return 0
	}
	return n
}

// mostNeeded is the largest number of rows that is told of.
const mostNeeded = 1 << 30

// first returns about the smallest number of rows to test on, of which one in each tells of a figure, whose p is
// small enough; 0 if there is none.
func (s *sample) first(check *Check, p func(n int) float64, each float64) int {
	alpha := 1 - s.Confidence
	high := max(1, check.Of)
	for p(high) > alpha {
		if high *= 2; high > mostNeeded {
			return 0
		}
	}
	low := high / 2
	for low+1 < high {
		if middle := (low + high) / 2; p(middle) > alpha {
			low = middle
		} else {
			high = middle
		}
	}
	return int(math.Ceil(float64(high) * each))
}
