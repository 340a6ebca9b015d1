package assess

import (
	"errors"
	"fmt"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
)

// Guarantees says of each constraint of a model how surely it holds on new rows; nil where nothing was asked for. The
// figures are that of the constraint on the rows tested on, such as recall, its limit, recall_limit, confidence,
// counted, how many rows or groups say something of it, p, and needed, how many rows or groups it takes to test on, if
// that is known.
func Guarantees(g *rfpragma.Guarantee, classes []string) []finding.Finding {
	if g == nil {
		return nil
	}
	var out []finding.Finding
	for _, test := range g.Tests {
		code := codes.GuaranteeMissing
		switch {
		case test.P > 1-g.Confidence:
		case g.Apart:
			code = codes.GuaranteeKept
		default:
			code = codes.GuaranteeApproximate
		}
		f := finding.New(finding.Code(code), finding.Where{Rows: codes.NewRows})
		name, limit, unit, class := "cost", 0.0, codes.Cost, ""
		if floor, err := pragma.ParseFloor(test.Constraint, classes); err == nil {
			name, limit, unit, class = string(floor.What), floor.Limit, codes.Share, classes[floor.Class]
			f.Classes = []string{class}
			if !floor.OfAll() {
				f.Columns, f.Part = []string{floor.Slice.Column}, floor.Slice.Value
			}
		} else if _, err = fmt.Sscanf(test.Constraint, "cost<=%g", &limit); err != nil {
			continue // of a newer version
		}
		if test.Value != nil {
			f.Figures = append(f.Figures, finding.Figure{Name: name, Class: class, Value: *test.Value, Unit: unit})
		}
		count := codes.Rows
		if g.Groups {
			count = codes.Groups
		}
		f.Figures = append(f.Figures, finding.Figure{Name: name + "_limit", Class: class, Value: limit, Unit: unit},
			figure("confidence", g.Confidence, codes.Share), figure("counted", float64(test.Of), count),
			figure("p", test.P, codes.Share))
		if g.Needed > 0 && code == codes.GuaranteeMissing {
			f.Figures = append(f.Figures, figure("tested", float64(g.Units), count), figure("needed", float64(g.Needed), count))
			f.Remedies = []finding.Remedy{{Do: codes.MoreRows, Class: class}}
		}
		out = append(out, f)
	}
	return out
}

// unsure says that what is required could not be made as sure as was asked for, in some of the trainings; nil where it
// could.
func unsure(s *Subject) *finding.Finding {
	var out *finding.Finding
	for _, w := range s.Report.Warnings { // of two kinds
		if !errors.Is(w, risk.ErrUnsure) {
			continue
		}
		where := s.trainings(w)
		if out != nil {
			out.Where.Times += where.Times
			continue
		}
		f := finding.New(codes.GuaranteeMissing, where)
		f.Remedies = []finding.Remedy{{Do: codes.MoreRows}}
		if f.Figures = s.scarceToTest(); f.Figures == nil && !s.Sure.OnVotes {
			f.Remedies = append(f.Remedies, finding.Remedy{Do: codes.OwnVotes})
		}
		out = &f
	}
	return out
}

// scarceToTest are the rows of a class, of which there are fewer than it takes to be sure of its recall if all are
// found, and how many it takes; nil where there are enough.
func (s *Subject) scarceToTest() []finding.Figure {
	for _, f := range s.Goal.Floors {
		if f.What != pragma.RecallFloor || !f.OfAll() || s.Sure.Confidence == 0 {
			continue
		}
		name := s.Goal.Classes[f.Class]
		rows, takes := s.Report.Rules.Tuned.Classes[name].Support, risk.Fewest(f.Limit, s.Sure.Confidence)
		if rows < takes {
			return []finding.Figure{{Name: "rows", Class: name, Value: rows, Unit: codes.Rows},
				{Name: "needed", Class: name, Value: takes, Unit: codes.Rows}}
		}
	}
	return nil
}
