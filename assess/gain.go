package assess

import (
	"math"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// gain says what tuning gains on the plain vote by the loss that was asked for, or, beside weights that a model
// has, what new ones gain on these. Its figures are loss and baseline_loss, and where they are known their
// difference, the standard error of that, and summed costs.
func gain(s *Subject) *finding.Finding {
	r, g, where := s.rules()
	base := &r.Plain
	if s.Had != nil {
		base, g = s.Had, s.Had.Gain
	}
	tuned, plain := Loss(&r.Tuned), Loss(base)
	code := s.gainCode(plain, tuned, g)
	if s.Had != nil {
		code = retuneCode(g)
	}
	f := finding.New(code, where, figure(figureLoss, tuned, codes.Loss), figure(figureBaseline, plain, codes.Loss))
	if g != nil {
		f.Figures = append(f.Figures, figure(figureGain, g.Loss, codes.Loss),
			figure(figureError, g.StandardError, codes.Loss))
	}
	if base.Cost != nil && r.Tuned.Cost != nil && !s.Goal.Costs.Amounts() {
		f.Figures = append(f.Figures, figure(figureCost, *r.Tuned.Cost, codes.Cost),
			figure(figureBaseCost, *base.Cost, codes.Cost))
	}
	if s.fewGroups() {
		f.Figures = append(f.Figures, figure(figureGroups, float64(s.Report.Groups), codes.Groups),
			figure(figureEffective, s.Report.EffectiveGroups, codes.Groups))
	}
	if s.Had != nil {
		f.Figures = append(f.Figures, figure(figurePlain, Loss(&r.Plain), codes.Loss))
	}
	f.Remedies = s.gainRemedies(&f, g)
	return &f
}

// retuneCode says which of the findings about new weights it is, given what they gain on those that a model has.
func retuneCode(g *eval.Gain) finding.Code {
	switch {
	case g == nil:
		return codes.RetuneUnmeasured
	case g.Loss > sureErrors*g.StandardError:
		return codes.RetuneBetter
	case g.Loss < -sureErrors*g.StandardError:
		return codes.RetuneWorse
	}
	return codes.RetuneInconclusive
}

// besidePlain sets the tuned weights beside the plain vote, see [gain]. A plain vote that breaks what is required is no
// choice, so that no loss is compared with its. It is nil where the weights that a model has break it, and the new ones
// do not.
func besidePlain(s *Subject) *finding.Finding {
	r, _, where := s.rules()
	if s.Had == nil && s.breaks(&r.Plain) {
		f := finding.New(codes.BaselineBreaks, where)
		return &f
	}
	if s.Had != nil && s.breaks(s.Had) && !s.breaks(&r.Tuned) {
		return nil
	}
	return gain(s)
}

// Of the groups of the rows.
const (
	figureGroups    = "groups"
	figureEffective = "effective_groups" // equal ones that would tell as much
)

// gainCode says which of the findings it is.
func (s *Subject) gainCode(plain, tuned float64, g *eval.Gain) finding.Code {
	switch {
	case same(plain, tuned):
		return codes.GainNone
	case s.fewGroups():
		return codes.GainUnmeasured
	case worse(plain, tuned, g):
		return codes.GainNegative
	case !(tuned < plain), g != nil && plain-tuned <= sureErrors*g.StandardError:
		return codes.GainInconclusive
	}
	return codes.GainProved
}

// gainRemedies are the plain vote where it does better, or may do as well, and the weights that a model has.
func (s *Subject) gainRemedies(f *finding.Finding, g *eval.Gain) []finding.Remedy {
	plain := []finding.Remedy{{Do: codes.TakeWeights, Name: "plain"}}
	switch o := s.baseline(); {
	case s.Had != nil && f.Code == codes.RetuneBetter:
		return nil
	case s.Had != nil:
		return []finding.Remedy{{Do: codes.KeepModel}}
	case o != nil && o.Name == "plain":
		return plain
	case o == nil || s.baselineCode(o) == codes.BaselineWorse:
		if s.indifferent(g) {
			return plain
		}
	}
	return nil
}

// indifferent tells whether the plain vote may do as well, as nothing shows beyond noise that tuning does better or
// worse.
func (s *Subject) indifferent(g *eval.Gain) bool {
	r, _, _ := s.rules()
	if !s.onNew() || s.Had != nil || s.Other || s.Unstable || unproven(s.Report.Warnings) != nil || g == nil {
		return false
	}
	return g.Loss != 0 && math.Abs(g.Loss) <= sureErrors*g.StandardError && !s.breaks(&r.Plain)
}

// wellFound is from which recall and precision on a class is as good as found.
const wellFound = 0.95

// unprovenGain says that weights of their own were not proved to pay, so that what was asked for is followed only in
// part, and in how many trainings; nil where they were, and where the plain vote leaves next to nothing to gain. Its
// figure is the number of rows of the class that matters of which there are fewest, if these are few.
func unprovenGain(s *Subject) *finding.Finding {
	w := unproven(s.Report.Warnings)
	if w == nil || !s.onNew() || s.Had != nil {
		return nil
	}
	f, least, good := finding.New(codes.GainUnproven, s.trainings(w)), float64(anneal.FewRows), len(s.matter()) > 0
	for _, c := range s.matter() {
		name := s.Goal.Classes[c]
		if rows := s.Report.Rules.Tuned.Classes[name].Rows; rows < least {
			least, f.Classes = rows, []string{name}
			f.Figures = []finding.Figure{{Name: "rows", Class: name, Value: rows, Unit: codes.Rows}}
		}
		plain := s.Report.Rules.Plain.Classes[name]
		good = good && plain.Recall != nil && plain.Precision != nil && min(*plain.Recall, *plain.Precision) >= wellFound
	}
	if good {
		return nil
	}
	f.Remedies = []finding.Remedy{{Do: codes.MoreRows}, {Do: codes.Lowest}}
	return &f
}
