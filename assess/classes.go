package assess

import (
	"cmp"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// scarce says of classes of a handful of rows, whatever these weigh, that a single row moves their recall, the
// scarcest first, and of three at most. Its figures are rows, recall if it is known, and by the plane of the
// preference part, the share of the loss that is of the class.
func scarce(s *Subject) []finding.Finding {
	tuned := s.Report.Rules.Tuned.Classes
	rows := func(c int) float64 { return tuned[s.Goal.Classes[c]].Rows }
	var few []int
	var thetas portable.Sum
	for c, f := range s.Goal.Preferences {
		if rows(c) > 0 {
			thetas.Add(f.Theta)
		}
		if rows(c) > 0 && rows(c) < effective.FewRows && f.Theta > 0 {
			few = append(few, c)
		}
	}
	slices.SortStableFunc(few, func(a, b int) int {
		return cmp.Or(cmp.Compare(rows(a), rows(b)),
			cmp.Compare(s.place(a), s.place(b)))
	})
	var out []finding.Finding
	for _, c := range few[:min(len(few), mostNamed)] {
		name := s.Goal.Classes[c]
		f := finding.New(codes.ClassFewRows, s.Where(),
			finding.Figure{Name: "rows", Class: name, Value: rows(c), Unit: codes.Rows})
		f.Classes, f.Remedies = []string{name}, []finding.Remedy{{Do: codes.MoreRows, Class: name}}
		if recall := tuned[name].Recall; recall != nil {
			f.Figures = append(f.Figures, finding.Figure{Name: "recall", Class: name, Value: *recall, Unit: codes.Share})
			if s.Goal.Name == "pragma" {
				f.Figures = append(f.Figures, finding.Figure{Name: "part", Class: name,
					Value: s.Goal.Preferences[c].Theta / thetas.Value() * s.missing(c), Unit: codes.Loss})
			}
		}
		out = append(out, f)
	}
	return out
}

// missing is what the plane of the preference says of class c alone, as it is decided: 0 where it is perfect, 1 at
// worst.
func (s *Subject) missing(c int) float64 {
	tuned := s.Report.Rules.Tuned.Classes[s.Goal.Classes[c]]
	alpha, beta := s.Goal.Preferences[c].AlphaBeta()
	loss := 1 + float64(alpha**tuned.Recall)
	if tuned.Precision != nil {
		loss += float64(beta * *tuned.Precision)
	}
	return loss
}

// never says as which classes that have rows none is decided, but for some, of which it is told elsewhere; nil where
// there is none.
func never(s *Subject, but ...int) *finding.Finding {
	f := finding.New(codes.ClassNever, s.Where())
	var never []int
	for c, name := range s.Goal.Classes {
		class := s.Report.Rules.Tuned.Classes[name]
		if class.Support > 0 && class.Predicted == 0 && !slices.Contains(but, c) {
			never = append(never, c)
		}
	}
	slices.SortStableFunc(never, func(a, b int) int { return cmp.Compare(s.place(a), s.place(b)) })
	for _, c := range never {
		f.Classes = append(f.Classes, s.Goal.Classes[c])
	}
	if f.Classes == nil {
		return nil
	}
	return &f
}

// fewestFound is below how many rows of a class nothing can be said of how well it is found.
const fewestFound = 10

// chance says of a class that it is found no better than by decisions drawn at random: the interval of its precision
// reaches the share that it has of the rows, and that of its recall the share of the rows that are decided as it. The
// first alone tells little where most rows are alarms, the second where few are. It is nil where nothing is decided as
// the class, and of few rows.
func chance(s *Subject, c int) *finding.Finding {
	name := s.Goal.Classes[c]
	tuned := s.Report.Rules.Tuned.Classes[name]
	share := tuned.Support / eval.Weight(s.Report.Rules.Tuned.Classes)
	if tuned.Precision == nil || tuned.PrecisionInterval == nil || tuned.Support == 0 ||
		tuned.PrecisionInterval[0] > share || tuned.RecallInterval == nil || tuned.Rows < fewestFound ||
		tuned.RecallInterval[0] > tuned.Predicted/eval.Weight(s.Report.Rules.Tuned.Classes) {
		return nil
	}
	f := finding.New(codes.ClassChance, s.Where(),
		finding.Figure{Name: "precision", Class: name, Value: *tuned.Precision, Unit: codes.Share,
			Interval: tuned.PrecisionInterval},
		finding.Figure{Name: "share", Class: name, Value: share, Unit: codes.Share})
	f.Classes = []string{name}
	f.Remedies = []finding.Remedy{{Do: codes.MoreRows, Class: name}}
	return &f
}
