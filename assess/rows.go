package assess

import (
	"errors"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// fewGroups says that rows are of so few groups that intervals say little: with an effective number below five
// Student's t makes them more than one and a half times as wide as many groups would. It is nil where they are not.
func fewGroups(s *Subject) *finding.Finding {
	const fewest, rounding = 5, 1e-9
	n := s.Report.EffectiveGroups
	if n == 0 || n > fewest-1-rounding {
		return nil
	}
	f := finding.New(codes.GroupsFew, s.Where(), figure(figureGroups, float64(s.Report.Groups), codes.Groups),
		figure(figureEffective, n, codes.Groups))
	return &f
}

// wide says of classes that matter that what is to be expected of their recall or precision on later rows has an
// interval too wide to plan with, see [eval.Forecast].
func wide(s *Subject) []finding.Finding {
	var out []finding.Finding
	for _, c := range s.matter()[:min(len(s.matter()), mostNamed)] {
		name := s.Goal.Classes[c]
		later := s.Report.Later(name, nil)
		for _, of := range []struct {
			name     string
			forecast *eval.Forecast
		}{{"recall", later.Recall}, {"precision", later.Precision}} {
			if of.forecast == nil || !of.forecast.TooWide {
				continue
			}
			f := finding.New(codes.ForecastWide, s.Where(), shareOf(name, of.name, of.forecast.Value,
				&of.forecast.Interval))
			f.Classes = []string{name}
			out = append(out, f)
			break // one of them is enough
		}
	}
	return out
}

// data says what is found of the rows themselves: that columns tell the class nearly alone, and that rows were in the
// order of what may be a time and are judged with past and future mixed.
func data(s *Subject) []finding.Finding {
	if s.Frame == nil {
		return nil
	}
	var out []finding.Finding
	leaks := finding.New(codes.ColumnLeaks, s.Where())
	for _, w := range s.Frame.Warnings {
		var in *dataset.TellsWarning
		if !errors.As(w, &in) {
			continue
		}
		for _, column := range in.Columns {
			leaks.Columns = append(leaks.Columns, column)
			leaks.Remedies = append(leaks.Remedies, finding.Remedy{Do: codes.IgnoreColumn, Column: column})
		}
	}
	if leaks.Columns != nil {
		out = append(out, leaks)
	}
	if columns, _ := s.Frame.Ordered(); columns != nil && s.Report.Blocks == nil && s.onNew() && !s.Dealt {
		f := finding.New(codes.RowsOrdered, s.Where())
		f.Columns, f.Remedies = columns, []finding.Remedy{{Do: codes.ByTime, Column: columns[0]}}
		out = append(out, f)
	}
	return out
}
