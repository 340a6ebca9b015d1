package anneal

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// missed tells whether decisions miss a floor.
func (s Search) missed(m *vote.Confusion) bool {
	return slices.ContainsFunc(s.Floors, func(floor pragma.Floor) bool { return floor.Missing(m) > 0 })
}

// floors is ErrFloors where the decisions miss some; of two that are searched for its detail is what each leaves of
// the other.
func (f *finish) floors(ctx context.Context, m *vote.Confusion) error {
	if !f.search.missed(m) {
		return nil
	}
	var each []string
	var args []any
	for _, floor := range f.search.Floors {
		v, _ := floor.Value(m)
		whole, unit := floor.Unit()
		each, args = append(each, "%s is %v%s"),
			append(args, floor.Text(f.table.Classes), note.Of("%.4g", float64(v*whole)), unit)
	}
	nearest := strings.Join(each, "; ")
	if f.given {
		return note.New("the weights do not reach what is required: "+nearest+"; ask for less, or give others",
			args...).Wrapping(ErrFloors)
	}
	const says, ways = "under the weights that come nearest, ", "; ask for less, or grow more trees on more rows"
	if len(f.search.Floors) != 2 {
		return note.New(ErrFloors.Error()+": "+says+nearest+ways, args...).Wrapping(ErrFloors)
	}
	var leaves [2]any
	for i, kept := range f.search.Floors {
		left, err := f.leaves(ctx, kept, f.search.Floors[1-i])
		if err != nil {
			return err
		}
		leaves[i] = note.Case(left)
	}
	return note.New(ErrFloors.Error()+": %v; %v; "+says+nearest+ways, append(leaves[:], args...)...).Wrapping(ErrFloors).
		With(note.New("On the votes that weights are searched on: %v; %v.", leaves[:]...))
}

// leaves says how near to one floor weights come that keep another, or that none keep that: of an exact search that
// is a bound, of any other what the best weights found come to.
func (f *finish) leaves(ctx context.Context, kept, other pragma.Floor) (*note.Note, error) {
	s, p := f.search, newProblem(f.histogram, pragma.Within(nearness(other), kept))
	s.Method = Auto
	all, err := s.exact(ctx, p)
	found, bound := []*state{all}, all != nil
	if !bound && err == nil {
		s.Method = Coordinates
		found, err = s.run(ctx, p)
	}
	if err != nil {
		return nil, err
	}
	best := slices.MinFunc(found, func(a, b *state) int { return cmp.Compare(a.loss, b.loss) })
	m := f.histogram.Confuse(p.byClass(best.weights))
	of := func(floor pragma.Floor) (how string, value note.Figure, unit string) {
		how = "at most"
		if floor.What == pragma.FalseAlarms || floor.What == pragma.Alerts {
			how = "at least"
		}
		v, _ := floor.Value(m)
		whole, unit := floor.Unit()
		return how, note.Of("%.3g", float64(v*whole)), unit
	}
	if kept.Missing(m) > 0 {
		how, value, unit := of(kept)
		if !bound {
			return note.New("%s is not reached even alone, by the best weights found %v%s", kept.Text(f.table.Classes),
				value, unit), nil
		}
		return note.New("%s is out of reach even alone, %s %v%s", kept.Text(f.table.Classes), how, value, unit), nil
	}
	whose := ""
	if kept.Class != other.Class {
		whose = " of " + english.Quote(f.table.Classes[other.Class])
	}
	if kept.Slice != other.Slice {
		whose += inSlice(other.Slice)
	}
	what := string(other.What)
	if other.What == pragma.Alerts {
		what = "share of alerts"
	}
	how, value, unit := of(other)
	if !bound {
		how = "by the best weights found"
	}
	return note.New("with %s the %s%s is %s %v%s", kept.Text(f.table.Classes), what, whose, how, value, unit), nil
}

// inSlice says of which rows a figure is that is required of others, too.
func inSlice(s vote.Slice) string {
	if s == (vote.Slice{}) {
		return " of all rows"
	}
	return " where " + english.Quote(s.Column) + " is " + english.Quote(s.Value)
}

// nearness is the measure that is lower the nearer decisions come to a floor, and the farther beyond it they are.
type nearness pragma.Floor

func (n nearness) Loss(m *vote.Confusion) float64 {
	v, ok := pragma.Floor(n).Value(m)
	switch {
	case !ok:
		return 1
	case n.What == pragma.FalseAlarms, n.What == pragma.Alerts:
		return v
	}
	return 1 - v
}
