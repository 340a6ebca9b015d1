package assess

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
	"github.com/rfpragma/rfpragma/vote"
)

// raised tells whether the findings about a subject have a code, and returns the first of them.
func raised(t *testing.T, s *Subject, code finding.Code) *finding.Finding {
	t.Helper()
	all := Findings(s)
	at := slices.IndexFunc(all, func(f finding.Finding) bool { return f.Code == code })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// Of 40 alarms 5 are right, of which 2.6 to 26 % hold 95 times of 100 (Wilson): 10 % of all rows are ill, so chance
// does as well. Where 16 of 40 are right it does not.
func TestChance(t *testing.T) {
	bad := subject(t, func(s *Subject) { s.Report.Rules.Tuned = rule(0.3, []float64{5, 15}, []float64{35, 145}) })
	f := raised(t, bad, codes.ClassChance)
	if f == nil || f.Grade != finding.Serious || f.Classes[0] != "ill" || f.Value("share") != 0.1 ||
		f.Value("precision") != 0.125 {
		t.Errorf("%+v", f)
	}
	if f := raised(t, subject(t, nil), codes.ClassChance); f != nil {
		t.Errorf("of a class that is found: %+v", f)
	}
}

// Warnings of trainings become findings that say in how many they were given.
func TestOfTrainings(t *testing.T) {
	of := func(w error) *Subject {
		return subject(t, func(s *Subject) {
			s.Report.Warnings = []error{&eval.TrainingWarning{Warning: fmt.Errorf("here: %w", w), Times: 3, Of: 10}}
		})
	}
	for _, tc := range []struct {
		warning error
		code    finding.Code
	}{{anneal.ErrFloors, codes.ConstraintUnreachable}, {anneal.ErrUnproven, codes.GainUnproven},
		{risk.ErrUnsure, codes.GuaranteeMissing}} {
		if f := raised(t, of(tc.warning), tc.code); f == nil || f.Where.Times != 3 || f.Where.Of != 10 {
			t.Errorf("%s: %+v", tc.code, f)
		}
		if f := raised(t, of(errors.New("another")), tc.code); f != nil {
			t.Errorf("%s is raised by any warning", tc.code)
		}
	}
}

// Of 200 rows 100 alarms are allowed, and 40 are raised. Of 50 allowed ones they use most.
func TestUnused(t *testing.T) {
	limited := func(limit float64) *Subject {
		return subject(t, func(s *Subject) { s.Goal.Floors = []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: limit}} })
	}
	f := raised(t, limited(0.5), codes.AlarmsUnused)
	if f == nil || f.Value("alerts") != 0.2 || f.Value("limit") != 0.5 || !remedied(f, codes.TakeList) {
		t.Errorf("%+v", f)
	}
	if f := raised(t, limited(0.25), codes.AlarmsUnused); f != nil {
		t.Errorf("of a limit that is used: %+v", f)
	}
}

// Of 1,000 rows, all with votes between 0 and 9, weights that need one vote raise 900 alarms, others 100.
func TestSpread(t *testing.T) {
	table := &vote.Table{Classes: classes, Share: []float64{100, 900}, Trees: 10}
	for i := range 1000 {
		table.Truth = append(table.Truth, map[bool]int{true: 0, false: 1}[i%10 == 9])
		table.Counts = append(table.Counts, uint32(i%10), uint32(10-i%10)) //nolint:gosec // below 10
	}
	of := func(weights ...vote.Weights) *Subject {
		return subject(t, func(s *Subject) { s.Report.Votes, s.FoldWeights, s.Goal.Order = table, weights, []int{1, 0} })
	}
	if f := spread(of(vote.Weights{100, 1}, vote.Weights{1, 2})); f == nil || f.Code != codes.FoldsSpread ||
		f.Figures[0].Value != 0.9 || f.Figures[1].Value != 0.3 {
		t.Errorf("%+v", f)
	}
	if f := spread(of(vote.Weights{1, 2}, vote.Weights{1, 2.1})); f != nil {
		t.Errorf("of weights that decide alike: %+v", f)
	}
}

// An area of 0.3 with a standard error of 0.05 is reversed, one of 0.45 may be chance.
func TestReversed(t *testing.T) {
	of := func(area float64) *Subject {
		return subject(t, func(s *Subject) {
			j := &eval.Judgement{}
			j.Figures = calib.Report{Rows: 400, Share: 0.1, AUC: area, AUCSE: 0.05}
			j.Figures.Brier, j.Figures.LogLoss = calib.CORP{Score: 0.05, UNC: 0.09}, calib.CORP{Score: 0.2, UNC: 0.3}
			s.Report.Probabilities = map[string]eval.Judged{"ill": {Calibrated: j}}
		})
	}
	if f := reversed(of(0.3), "ill"); f == nil || f.Code != codes.CalibrationReversed || f.Value("area") != 0.3 {
		t.Errorf("%+v", f)
	}
	if f := reversed(of(0.45), "ill"); f != nil {
		t.Errorf("%+v", f)
	}
}

// Two groups say little; blocks that differ by far make a forecast that is too wide.
func TestFewAndWide(t *testing.T) {
	few := subject(t, func(s *Subject) { s.Report.Groups, s.Report.EffectiveGroups = 3, 2 })
	if f := raised(t, few, codes.GroupsFew); f == nil || f.Value("groups") != 3 || f.Value("effective_groups") != 2 {
		t.Errorf("%+v", f)
	}
	if f := fewGroups(subject(t, func(s *Subject) { s.Report.Groups, s.Report.EffectiveGroups = 40, 30 })); f != nil {
		t.Errorf("of many groups: %+v", f)
	}
	wide := subject(t, func(s *Subject) {
		s.Report.Blocks = []eval.Block{{}}
		for _, hits := range []float64{1, 19} {
			s.Report.Blocks = append(s.Report.Blocks, eval.Block{Classes: rule(0.3, []float64{hits, 20 - hits},
				[]float64{24, 156}).Classes})
		}
	})
	if f := raised(t, wide, codes.ForecastWide); f == nil || f.Classes[0] != "ill" || f.Figures[0].Interval == nil {
		t.Errorf("%+v", f)
	}
}

// What a table was warned of when it was read, and that it is in order, is found in every result on its rows.
func TestData(t *testing.T) {
	frame := &dataset.Frame{Classes: classes}
	when := dataset.Column{Field: dataset.Field{Name: "when"}}
	for i := range 200 {
		frame.Truth = append(frame.Truth, i*7%10/9)
		when.Values = append(when.Values, float64(2000+i/4))
	}
	frame.Columns = []dataset.Column{when}
	frame.Warnings = []error{&dataset.TellsWarning{Columns: []string{"paid_back"}}}
	s := subject(t, func(s *Subject) { s.Frame = frame })
	if f := raised(t, s, codes.ColumnLeaks); f == nil || !slices.Equal(f.Columns, []string{"paid_back"}) ||
		!remedied(f, codes.IgnoreColumn) {
		t.Errorf("%+v", f)
	}
	if f := raised(t, s, codes.RowsOrdered); f == nil || !slices.Equal(f.Columns, []string{"when"}) ||
		!remedied(f, codes.ByTime) {
		t.Errorf("%+v", f)
	}
	s.Dealt = true
	if f := raised(t, s, codes.RowsOrdered); f != nil {
		t.Errorf("of folds that were given: %+v", f)
	}
}

// Each change is there with what it was; without any, the figures that were compared are.
func TestDrift(t *testing.T) {
	where := finding.Where{Rows: codes.GivenRows}
	change := func(figure string, is, was float64) rfpragma.Drift {
		return rfpragma.Drift{Class: "ill", Figure: figure, Is: rfpragma.Observed{Value: is},
			Was: rfpragma.Observed{Value: was}}
	}
	c := &rfpragma.Comparison{
		Figures: []string{"share", "recall"}, Drift: []rfpragma.Drift{change("share", 0.4, 0.1), change("ranking", 0.6, 0.9)},
		Better: []rfpragma.Drift{change("recall", 1, 0.8)},
	}
	var got []finding.Code
	for _, f := range Drift(where, c, []string{"amount"}) {
		got = append(got, f.Code)
		if len(f.Figures) == 2 && (math.IsNaN(f.Figures[1].Value) || f.Figures[1].Name != f.Figures[0].Name+"_was") {
			t.Errorf("%+v", f)
		}
	}
	if want := []finding.Code{codes.DriftColumns, codes.DriftWorse, codes.DriftShares, codes.DriftBetter}; !slices.Equal(
		got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	none := Drift(where, &rfpragma.Comparison{Figures: []string{"share", "recall"}}, nil)
	if len(none) != 1 || none[0].Code != codes.DriftNone || len(none[0].Figures) != 2 {
		t.Errorf("%+v", none)
	}
}
