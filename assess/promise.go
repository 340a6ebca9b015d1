package assess

import (
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// Promise is a figure that a cross-validation promised, beside what is found. It is judged where both intervals are
// known.
type Promise struct {
	Figure           string      // recall, precision, alerts or loss
	Class            string      // name of the class; "" of the loss
	Expected         float64     // what was promised, by the unit of the figure
	ExpectedInterval *[2]float64 // at 95 %
	Found            float64     // what is found
	FoundInterval    *[2]float64 // at 95 %
}

// Outcome says how a promise came out.
type Outcome int

// The outcomes.
const (
	Unjudged      Outcome = iota
	Within                // within the range that was promised
	WorstTenth            // within it, but in its worst tenth; of alerts nothing is the worst
	PerhapsLower          // below it, and the range of what is found reaches into it
	Lower                 // below it beyond chance
	PerhapsHigher         // above it, and the range of what is found reaches into it
	Higher                // above it beyond chance
)

// Outcome compares what is found with the range that was promised, as a reader does who sees both.
func (p *Promise) Outcome() Outcome {
	if p.ExpectedInterval == nil || p.FoundInterval == nil {
		return Unjudged
	}
	is, was, here := p.Found, *p.ExpectedInterval, *p.FoundInterval
	tenth := (was[1] - was[0]) / 10
	switch {
	case here[1] < was[0]:
		return Lower
	case is < was[0]:
		return PerhapsLower
	case here[0] > was[1]:
		return Higher
	case is > was[1]:
		return PerhapsHigher
	case p.Figure == figureLoss && is > was[1]-tenth,
		(p.Figure == "recall" || p.Figure == "precision") && is < was[0]+tenth:
		return WorstTenth
	}
	return Within
}

// Promises says of each figure that is worse than was promised whether that is beyond chance, and, if none is,
// which came true. Alerts are neither better nor worse. Each finding has what was promised, called expected, and
// what is found.
func Promises(where finding.Where, all []Promise) []finding.Finding {
	var out []finding.Finding
	kept := finding.New(codes.PromiseKept, where)
	for i := range all {
		p := &all[i]
		unit, worse, perhaps := codes.Share, Lower, PerhapsLower
		if p.Figure == figureLoss {
			unit, worse, perhaps = codes.Loss, Higher, PerhapsHigher
		}
		code := codes.PromiseKept
		switch outcome := p.Outcome(); {
		case outcome == Unjudged || p.Figure == "alerts":
			continue
		case outcome == worse:
			code = codes.PromiseBroken
		case outcome == perhaps:
			code = codes.PromiseUnsure
		}
		figures := []finding.Figure{
			{Name: p.Figure + "_expected", Class: p.Class, Value: p.Expected, Unit: unit, Interval: p.ExpectedInterval},
			{Name: p.Figure + "_found", Class: p.Class, Value: p.Found, Unit: unit, Interval: p.FoundInterval},
		}
		if code == codes.PromiseKept {
			kept.Figures = append(kept.Figures, figures...)
			continue
		}
		f := finding.New(finding.Code(code), where, figures...)
		if p.Class != "" {
			f.Classes = []string{p.Class}
		}
		out = append(out, f)
	}
	if out == nil && kept.Figures != nil {
		out = append(out, kept)
	}
	return out
}
