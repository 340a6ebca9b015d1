package assess

import (
	"cmp"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// untuned is a way to weigh votes that needs no tuning.
type untuned struct {
	Name string // plain, cost or prior
	Rule *eval.Rule
}

// mostHeavy is how many rows are few enough for a sum to hang on them.
const mostHeavy = 3

// untuned returns the ways among rules that need no tuning and keep what is required, those of less loss first.
func (s *Subject) untunedOf(r *eval.Rules) []untuned {
	all := []untuned{{"plain", &r.Plain}, {"cost", r.Cost}, {"prior", &r.Prior}}
	all = slices.DeleteFunc(all, func(o untuned) bool {
		return o.Rule == nil || o.Rule.Confusion == nil ||
			s.breaks(o.Rule)
	})
	slices.SortStableFunc(all, func(a, b untuned) int { return cmp.Compare(Loss(a.Rule), Loss(b.Rule)) })
	return all
}

// besideBaseline sets the tuned weights beside those that need no tuning: weights that lose less, or no more beyond
// noise where tuning gains on the plain vote; on new rows else those that lose the least. None is better by a few
// rows. It is nil where there is nothing to tell, and where the plain vote does better, which [gain] tells. Its
// figures are those of Gain, and for each class that matters recall and precision of these weights, and the numbers
// of rows that these are of.
func besideBaseline(s *Subject) *finding.Finding {
	o := s.baseline()
	if o == nil || o.Name == "plain" {
		return nil
	}
	r, _, where := s.rules()
	g := o.Rule.Gain
	f := finding.New(s.baselineCode(o), where,
		figure(figureLoss, Loss(&r.Tuned), codes.Loss), figure(figureBaseline, Loss(o.Rule), codes.Loss),
		figure(figurePlain, Loss(&r.Plain), codes.Loss),
		figure(figureGain, g.Loss, codes.Loss), figure(figureError, g.StandardError, codes.Loss))
	if o.Rule.Cost != nil && r.Tuned.Cost != nil {
		f.Figures = append(f.Figures, figure(figureCost, *r.Tuned.Cost, codes.Cost),
			figure(figureBaseCost, *o.Rule.Cost, codes.Cost))
	}
	if f.Code != codes.BaselineWorse {
		f.Remedies = []finding.Remedy{{Do: codes.TakeWeights, Name: o.Name}}
	}
	for _, c := range s.matter() {
		name := s.Goal.Classes[c]
		f.Classes = append(f.Classes, name)
		f.Figures = append(f.Figures, classFigures(name, o.Rule.Classes[name])...)
	}
	return &f
}

// classFigures are recall and precision of a class, if they are defined, and of how many rows they are.
func classFigures(name string, class eval.Class) []finding.Figure {
	var out []finding.Figure
	add := func(what string, value *float64, interval *[2]float64) {
		if value != nil {
			out = append(out, finding.Figure{Name: what, Class: name, Value: *value, Unit: codes.Share, Interval: interval})
		}
	}
	add("recall", class.Recall, class.RecallInterval)
	add("precision", class.Precision, class.PrecisionInterval)
	return append(out, finding.Figure{Name: "rows", Class: name, Value: class.Support, Unit: codes.Rows},
		finding.Figure{Name: "alarms", Class: name, Value: class.Predicted, Unit: codes.Rows})
}

// baselineCode says how one does that is not the plain vote.
func (s *Subject) baselineCode(o *untuned) finding.Code {
	switch g := o.Rule.Gain; {
	case g.Loss < -sureErrors*g.StandardError:
		return codes.BaselineBetter
	case g.Loss < 0, s.asWell(g):
		return codes.BaselineEqual
	}
	return codes.BaselineWorse
}

// baseline is the untuned way that is told of, nil where there is none. Where tuning breaks what is required,
// others tell.
func (s *Subject) baseline() (told *untuned) {
	r, gain, _ := s.rules()
	// figures of no single model recommend none; but costs add up, so they are what the models of folds cost in the mean
	if s.Had != nil || s.breaks(&r.Tuned) || s.Unstable && !s.byCost() {
		return nil
	}
	always := s.Report.Always
	if all := s.Report.Together; all != nil {
		always = all.Always
	}
	better := false // by a few rows
	for _, each := range s.untunedOf(r) {
		o := &each
		if o.Name == "plain" {
			if !s.fewGroups() && worse(Loss(&r.Plain), Loss(&r.Tuned), gain) && !s.slight(&r.Plain, &r.Tuned) {
				return o
			}
			continue
		}
		itself := !s.onNew() && sameDecisions(o.Rule, &r.Tuned) // of a model that is judged as it is
		wasteful := o.Rule.Cost != nil && (&Spent{Tuned: *o.Rule.Cost, Always: always}).Wasted(s.AlikeKept(o.Rule))
		if o.Rule.Gain == nil || itself || wasteful {
			continue
		}
		g := o.Rule.Gain
		if s.asWell(g) || g.Loss < 0 && !s.slight(o.Rule, &r.Tuned) {
			return o
		}
		better = better || g.Loss < 0
		if told == nil && !better && s.onNew() {
			told = o
		}
	}
	return told
}

// asWell tells whether tuning gains on the plain vote, but not beyond noise on other weights, on which it gains that.
func (s *Subject) asWell(g *eval.Gain) bool {
	_, plain, _ := s.rules()
	gained := plain != nil && plain.Loss > sureErrors*plain.StandardError
	return math.Abs(g.Loss) <= sureErrors*g.StandardError && gained
}

// slight tells whether most of what another rule gains on the tuned one hangs on no more than [mostHeavy] rows of a
// class.
func (s *Subject) slight(o, than *eval.Rule) bool {
	if s.Goal.Measure == nil || s.Report.Weighed {
		return false
	}
	loss := func(rows [][]float64) float64 { return s.Goal.Measure.Loss(confusion(s.Goal.Classes, rows)) }
	tuned := than.Confusion
	was := loss(tuned)
	gain := was - loss(o.Confusion)
	for truth, row := range tuned {
		moved := 0.0
		for decision, n := range row {
			moved += max(0, n-o.Confusion[truth][decision])
		}
		but := slices.Clone(o.Confusion)
		but[truth] = row
		if moved <= mostHeavy && was-loss(but) < gain/2 {
			return true
		}
	}
	return false
}
