package assess

import (
	"errors"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
)

var classes = []string{"ill", "well"}

// remedied tells whether one of the remedies of a finding is such an action.
func remedied(f *finding.Finding, do string) bool {
	return slices.ContainsFunc(f.Remedies, func(r finding.Remedy) bool { return r.Do == do })
}

// rule is a way to decide that counts so and loses so much.
func rule(loss float64, counts ...[]float64) eval.Rule {
	m := confusion(classes, counts)
	r := eval.Rule{Pragma: loss, Confusion: counts, Classes: map[string]eval.Class{}}
	for c, name := range classes {
		class := eval.ClassOf(m, c)
		class.Rows = m.True(c)
		if class.Recall != nil {
			low, high := calib.Wilson(m.Hits(c), m.True(c), calib.Z95)
			class.RecallInterval = &[2]float64{low, high}
		}
		if class.Precision != nil {
			low, high := calib.Wilson(m.Hits(c), m.Predicted(c), calib.Z95)
			class.PrecisionInterval = &[2]float64{low, high}
		}
		r.Classes[name] = class
	}
	return r
}

// subject judges 20 ill and 180 well rows, of which the plain vote finds 8 and tuned weights 16.
func subject(t *testing.T, change func(*Subject)) *Subject {
	t.Helper()
	goal, err := pragma.Spec{"ill": pragma.Priority()}.Goal(classes, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	s := &Subject{Goal: goal, Report: &eval.Report{Gain: &eval.Gain{Loss: 0.1, StandardError: 0.02}}}
	s.Report.Rules.Plain, s.Report.Rules.Tuned = rule(0.4, []float64{8, 12}, []float64{2, 178}),
		rule(0.3, []float64{16, 4}, []float64{24, 156})
	if change != nil {
		change(s)
	}
	return s
}

// By hand: the plain vote loses 0.4 and tuned weights 0.3, and two standard errors of the difference are 0.04.
func TestGain(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*Subject)
		want   finding.Code
		do     string // the remedy; "" for none
	}{
		{"proved", nil, codes.GainProved, ""},
		{"no standard error", func(s *Subject) { s.Report.Gain = nil }, codes.GainProved, ""},
		{"the same", func(s *Subject) { s.Report.Rules.Tuned.Pragma = 0.4 + 1e-12 }, codes.GainNone, ""},
		{"noise", func(s *Subject) { s.Report.Gain.StandardError = 0.06 }, codes.GainInconclusive, codes.TakeWeights},
		{"noise of rows at hand", func(s *Subject) { s.Rows, s.Report.Gain.StandardError = codes.GivenRows, 0.06 },
			codes.GainInconclusive, ""},
		{"noise, not proved", func(s *Subject) {
			s.Report.Warnings, s.Report.Gain.StandardError = []error{anneal.ErrUnproven}, 0.06
		}, codes.GainInconclusive, ""},
		{"worse, but not beyond noise", func(s *Subject) { s.Report.Rules.Plain.Pragma, s.Report.Gain.Loss = 0.27, -0.03 },
			codes.GainInconclusive, codes.TakeWeights},
		{"worse", func(s *Subject) { s.Report.Rules.Plain.Pragma, s.Report.Gain.Loss = 0.25, -0.05 }, codes.GainNegative,
			codes.TakeWeights},
		{"worse, and the plain vote breaks what is required", func(s *Subject) {
			s.Report.Rules.Plain.Pragma, s.Report.Gain.Loss = 0.25, -0.05
			s.Goal.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.5}}
		}, codes.GainNegative, ""},
		{"nine groups", func(s *Subject) { s.Report.Gain, s.Report.Groups, s.Report.EffectiveGroups = nil, 9, 8.5 },
			codes.GainUnmeasured, ""},
		{"new weights do better", func(s *Subject) { s.Had = had(0.05) }, codes.RetuneBetter, ""},
		{"no difference", func(s *Subject) { s.Had = had(0.01) }, codes.RetuneInconclusive, codes.KeepModel},
		{"new weights do worse", func(s *Subject) { s.Had = had(-0.05) }, codes.RetuneWorse, codes.KeepModel},
		{"new weights, nine groups", func(s *Subject) { s.Had, s.Report.EffectiveGroups = had(0), 9; s.Had.Gain = nil },
			codes.RetuneUnmeasured, codes.KeepModel},
	} {
		f := gain(subject(t, tc.change))
		if f.Code != tc.want || f.Grade != tc.want.Grade() || f.Value("loss") < 0.299 {
			t.Errorf("%s: %+v", tc.name, f)
		}
		if tc.do == "" && f.Remedies != nil || tc.do != "" && !remedied(f, tc.do) {
			t.Errorf("%s: remedies %v, want %q", tc.name, f.Remedies, tc.do)
		}
	}
	f := gain(subject(t, nil))
	if f.Where.Rows != codes.NewRows || f.Value("baseline_loss") != 0.4 || f.Value("loss_difference") != 0.1 ||
		f.Value("loss_difference_standard_error") != 0.02 {
		t.Errorf("%+v", f)
	}
}

// had are the weights of a model, on which new ones gain so much, with a standard error of 0.02.
func had(gain float64) *eval.Rule {
	r := rule(0.3+gain, []float64{12, 8}, []float64{10, 170})
	r.Gain = &eval.Gain{Loss: gain, StandardError: 0.02}
	return &r
}

// The plain vote is no choice where it breaks what is required, whatever it loses: it finds 8 of 20.
func TestPlainBreaks(t *testing.T) {
	for _, loss := range []float64{0.25, 0.9} {
		f := besidePlain(subject(t, func(s *Subject) {
			s.Report.Rules.Plain.Pragma, s.Report.Gain.Loss = loss, loss-0.3
			s.Goal.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.5}}
		}))
		if f.Code != codes.BaselineBreaks {
			t.Errorf("%+v", f)
		}
	}
	if f := besidePlain(subject(t, nil)); f.Code != codes.GainProved {
		t.Errorf("nothing is required: %+v", f)
	}
}

// Weights of one over the shares lose 0.3 more or less than the tuned ones, with a standard error of 0.02.
func TestBaseline(t *testing.T) {
	for _, tc := range []struct {
		name   string
		prior  float64
		change func(*Subject)
		want   finding.Code // "" for none
	}{
		{"better", 0.25, nil, codes.BaselineBetter},
		{"better, but not beyond noise", 0.29, nil, codes.BaselineEqual},
		{"as well", 0.33, nil, codes.BaselineEqual},
		{"worse", 0.35, nil, codes.BaselineWorse},
		{"no gain on the plain vote", 0.33, func(s *Subject) { s.Report.Gain.StandardError = 1 }, codes.BaselineWorse},
		{"the folds disagree", 0.25, func(s *Subject) { s.Unstable = true }, ""},
		{"worse on rows at hand", 0.35, func(s *Subject) { s.Rows = codes.GivenRows }, ""},
		{"tuning breaks what is required", 0.25, func(s *Subject) {
			s.Goal.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.9}}
		}, ""},
	} {
		f := besideBaseline(subject(t, func(s *Subject) {
			prior := rule(tc.prior, []float64{10, 10}, []float64{40, 140})
			prior.Gain = &eval.Gain{Loss: tc.prior - 0.3, StandardError: 0.02}
			s.Report.Rules.Prior = prior
			if tc.change != nil {
				tc.change(s)
			}
		}))
		switch {
		case f == nil && tc.want == "":
		case f == nil || f.Code != tc.want:
			t.Errorf("%s: %+v", tc.name, f)
		case !slices.Equal(f.Classes, []string{"ill"}) || f.Value("recall") != 0.5 || f.Value("precision") != 0.2 ||
			f.Value("alarms") != 50 || remedied(f, codes.TakeWeights) != (f.Code != codes.BaselineWorse):
			t.Errorf("%s: %+v", tc.name, f)
		}
	}
}

// By hand: to decide all rows as well costs 20 missed ones of 5 each, 100.
func TestConstant(t *testing.T) {
	costs := func(cost float64) func(*Subject) {
		return func(s *Subject) {
			s.Goal.Name, s.Goal.Costs = offer.CostName, pragma.Costs{Matrix: [][]float64{{0, 5}, {1, 0}}}
			s.Report.Always, s.Report.Rules.Tuned.Cost = map[string]float64{"ill": 180, "well": 100}, &cost
		}
	}
	for _, tc := range []struct {
		name   string
		change func(*Subject)
		want   finding.Code
		as     string
	}{
		{"costs less than the model", costs(101), codes.ConstantBetter, "well"},
		{"costs as much", costs(100), codes.ConstantWorse, "well"},
		{"costs less, but breaks what is required", func(s *Subject) {
			costs(101)(s)
			s.Goal.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.1}}
		}, codes.ConstantWorse, "ill"},
		{"loses less beyond noise", func(s *Subject) {
			s.Goal.Measure, _ = pragma.ParseMeasure("accuracy", classes) // 0.1 where all rows are well
			s.Report.Rules.Tuned.PragmaInterval = &[2]float64{0.11, 0.17}
		}, codes.ConstantBetter, "well"},
		{"loses less within noise", func(s *Subject) {
			s.Goal.Measure, _ = pragma.ParseMeasure("accuracy", classes)
			s.Report.Rules.Tuned.PragmaInterval = &[2]float64{0.09, 0.17}
		}, codes.ConstantUnsure, "well"},
	} {
		f := constant(subject(t, tc.change))
		if f == nil || f.Code != tc.want || !slices.Equal(f.Classes, []string{tc.as}) {
			t.Errorf("%s: %+v", tc.name, f)
		}
	}
	if f := constant(subject(t, costs(101))); f.Value("constant_cost") != 100 || f.Value("cost") != 101 {
		t.Errorf("%+v", f)
	}
	if f := constant(subject(t, func(s *Subject) { s.Unstable = true })); f != nil {
		t.Errorf("the folds disagree: %+v", f)
	}
}

// In the order of time costs are compared on the rows of all blocks, and other losses on those of the latest.
func TestWhere(t *testing.T) {
	s := subject(t, func(s *Subject) {
		s.Report.Blocks = make([]eval.Block, 4)
		s.Report.Together = &eval.Block{Rules: map[string]eval.Rule{"plain": rule(0.9), "tuned": rule(0.5)}}
	})
	if f := gain(s); f.Where != (finding.Where{Rows: codes.LatestBlock, Blocks: 3}) {
		t.Errorf("%+v", f.Where)
	}
	s.Goal.Name = offer.CostName
	if f := gain(s); f.Where != (finding.Where{Rows: codes.AllBlocks, Blocks: 3}) || f.Value("baseline_loss") != 0.9 {
		t.Errorf("%+v", f)
	}
	s.Rows = codes.MixedRows
	if got := s.Where().Rows; got != codes.MixedRows {
		t.Error(got)
	}
}

// That no gain is proved is due to few rows only where they are few, and is told only where something is left to gain.
func TestUnprovenGain(t *testing.T) {
	of := func(plain eval.Rule, tuned ...[]float64) *finding.Finding {
		return unprovenGain(subject(t, func(s *Subject) {
			s.Report.Warnings = []error{anneal.ErrUnproven}
			s.Report.Rules.Plain, s.Report.Rules.Tuned = plain, rule(0.3, tuned...)
		}))
	}
	few, many := []float64{8, 12}, []float64{80, 120}
	if f := of(rule(0.4, few, []float64{2, 178}), few, []float64{2, 178}); f == nil || f.Value("rows") != 20 {
		t.Errorf("of 20 rows: %+v", f)
	}
	if f := of(rule(0.4, many, []float64{2, 178}), many, []float64{2, 178}); f == nil || f.Figures != nil {
		t.Errorf("of 200 rows: %+v", f)
	}
	found := []float64{96, 4} // at precision 96/100
	if f := of(rule(0.04, found, []float64{4, 996}), found, []float64{4, 996}); f != nil {
		t.Errorf("nothing is left to gain: %+v", f)
	}
}

// More votes to test on are advised only where rows are kept apart.
func TestUnsure(t *testing.T) {
	for own, want := range map[bool]bool{true: false, false: true} {
		f := unsure(subject(t, func(s *Subject) {
			s.Sure, s.Report.Warnings = rfpragma.Sure{Confidence: 0.9, OnVotes: own}, []error{risk.ErrUnsure}
		}))
		if f == nil || remedied(f, codes.OwnVotes) != want {
			t.Errorf("on own votes %v: %+v", own, f)
		}
	}
}

func TestUnproven(t *testing.T) {
	in := &eval.TrainingWarning{Warning: anneal.ErrUnproven, Times: 1, Of: 3}
	if unproven([]error{errors.New("other"), in}) != error(in) || unproven([]error{errors.New("other")}) != nil {
		t.Error("the warning is not found, or another is")
	}
}
