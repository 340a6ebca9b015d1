package assess

import (
	"errors"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
)

// constraint says whether a floor is kept: by the estimate and all of its interval, as far as that is known, by the
// estimate alone, or not; nil where its figure is not defined. Its figures are that of the floor and limit, in the
// order of time blocks_broken, how many of all judged blocks break it, and of few groups groups and
// effective_groups.
func constraint(s *Subject, f pragma.Floor) *finding.Finding {
	tuned := &s.Report.Rules.Tuned
	m := f.Of(tuned.Counts(s.Goal.Classes), s.decided())
	value, ok := f.Value(m)
	if !ok {
		return nil
	}
	code, interval := codes.ConstraintKept, s.floorInterval(f, tuned)
	switch {
	case f.Missing(m) > 0:
		code = codes.ConstraintBroken
	case !s.surely(f, tuned) && s.Sure.Confidence == 0: // else a test of each training tells
		code = codes.ConstraintUnsure
	}
	name := s.Goal.Classes[f.Class]
	out := finding.New(finding.Code(code), s.Where(), finding.Figure{Name: string(f.What), Class: name, Value: value,
		Unit: codes.Share, Interval: interval},
		finding.Figure{Name: "limit", Class: name, Value: f.Limit, Unit: codes.Share})
	out.Classes = []string{name}
	if !f.OfAll() {
		out.Columns, out.Part = []string{f.Slice.Column}, f.Slice.Value
	}
	if len(s.Report.Blocks) > 2 {
		broken := 0.0
		for i, b := range s.Report.Judged() {
			decided := 1.0
			if s.DecidedIn != nil {
				decided = s.DecidedIn(&s.Report.Judged()[i])
			}
			if b.Decided != nil && f.Missing(f.Of(b.Decided, decided)) > 0 {
				broken++
			}
		}
		out.Figures = append(out.Figures, figure("blocks_broken", broken, codes.Blocks))
	}
	if (code == codes.ConstraintBroken || code == codes.ConstraintUnsure) && s.Sure.Confidence == 0 &&
		unreachable(s) == nil && s.Report.Blocks == nil && s.Where().Rows == codes.NewRows {
		out.Remedies = append(out.Remedies, finding.Remedy{Do: codes.BeSure})
	}
	if s.fewGroups() {
		out.Figures = append(out.Figures, figure(figureGroups, float64(s.Report.Groups), codes.Groups),
			figure(figureEffective, s.Report.EffectiveGroups, codes.Groups))
	}
	return &out
}

// fewInSlice says that few rows of a group tell of a floor; nil of all rows, and where they are many.
func fewInSlice(s *Subject, f pragma.Floor) *finding.Finding {
	of := s.Report.Rules.Tuned.SliceOf(f.Slice)
	if of == nil {
		return nil
	}
	name := s.Goal.Classes[f.Class]
	rows, class := of.Classes[name].Support, name
	switch f.What {
	case pragma.FalseAlarms:
		rows, class = of.Rows-rows, ""
	case pragma.Alerts:
		rows, class = of.Rows, ""
	}
	if rows >= anneal.FewRows {
		return nil
	}
	out := finding.New(codes.ConstraintFewRows, s.Where(),
		finding.Figure{Name: "rows", Class: class, Value: rows, Unit: codes.Rows})
	out.Classes, out.Columns, out.Part = []string{name}, []string{f.Slice.Column}, f.Slice.Value
	return &out
}

// floorInterval returns that of the recall or precision that a floor is of, under a rule; nil where it is not known.
func (s *Subject) floorInterval(f pragma.Floor, r *eval.Rule) *[2]float64 {
	class := r.Classes[s.Goal.Classes[f.Class]]
	if of := r.SliceOf(f.Slice); of != nil {
		class = of.Classes[s.Goal.Classes[f.Class]]
	}
	switch f.What {
	case pragma.RecallFloor:
		return class.RecallInterval
	case pragma.PrecisionFloor:
		return class.PrecisionInterval
	}
	return nil
}

// surely tells whether all of the interval keeps the floor, as far as it is known.
func (s *Subject) surely(f pragma.Floor, r *eval.Rule) bool {
	interval := s.floorInterval(f, r)
	return interval == nil || interval[0] >= f.Limit
}

// unreachable says that no weights reach what is required, and in how many trainings; nil where some do.
func unreachable(s *Subject) *finding.Finding {
	for _, w := range s.Report.Warnings {
		if !errors.Is(w, anneal.ErrFloors) {
			continue
		}
		f := finding.New(codes.ConstraintUnreachable, s.trainings(w))
		f.Replaces = []finding.Code{codes.ConstraintBroken, codes.ConstraintUnsure}
		return &f
	}
	return nil
}

// trainings says in how many trainings a warning was given.
func (s *Subject) trainings(warning error) finding.Where {
	where := s.Where()
	var in *eval.TrainingWarning
	if errors.As(warning, &in) {
		where.Times, where.Of = in.Times, in.Of
	}
	return where
}

// unused says that a good part of the alarms that a limit allows is not raised; nil where little is left.
func unused(s *Subject, f pragma.Floor) *finding.Finding {
	const much, fewest = 0.25, 10
	name := s.Goal.Classes[f.Class]
	all := eval.Weight(s.Report.Rules.Tuned.Classes) / s.decided()
	raised := s.Report.Rules.Tuned.Classes[name].Predicted
	if f.What != pragma.Alerts || !f.OfAll() || f.Limit*all < fewest || raised > (1-much)*f.Limit*all {
		return nil
	}
	out := finding.New(codes.AlarmsUnused, s.Where(),
		finding.Figure{Name: "alerts", Class: name, Value: raised / all, Unit: codes.Share},
		finding.Figure{Name: "limit", Class: name, Value: f.Limit, Unit: codes.Share})
	out.Classes = []string{name}
	out.Remedies = []finding.Remedy{{Do: codes.TakeList, Class: name, Limit: f.Limit}}
	return &out
}
