package assess

import (
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
)

// Shares of all rows above which alarms are many, and a flood whatever is searched for.
const (
	many   = 0.25
	mostly = 0.5
)

// Flooded tells whether alarms, such a share of all rows, are many and most of them wrong.
func Flooded(measure string, share, precision float64) bool {
	least := mostly
	if strings.HasPrefix(measure, "pragma") {
		least = many
	}
	return share > least && precision < 0.5
}

// floodOf returns what there is to say of a share of all rows that are alarms for a class.
func floodOf(where finding.Where, class string, share, precision float64, interval *[2]float64) finding.Finding {
	f := finding.New(codes.AlarmsFlood, where,
		finding.Figure{Name: "alerts", Class: class, Value: share, Unit: codes.Share},
		finding.Figure{Name: "precision", Class: class, Value: precision, Unit: codes.Share, Interval: interval})
	f.Classes = []string{class}
	return f
}

// alarms says of a class that alarms for it are many and most of them wrong, and that fewer of them are right than
// the x of the preference, if that is so; the remedies of the last finding bring fewer alarms. It says nothing
// where alarms are limited already, where a recall is required with as few errors as possible, so that fewer alarms
// would break it, or where it costs less to decide all rows alike.
func alarms(s *Subject, c int) []finding.Finding {
	name, x := s.Goal.Classes[c], s.Goal.Preferences[c].X
	tuned := s.Report.Rules.Tuned.Classes[name]
	if tuned.Precision == nil || s.limited(c, pragma.PrecisionFloor, pragma.FalseAlarms, pragma.Alerts) ||
		s.limited(c, pragma.RecallFloor) && s.Goal.Name == "accuracy" || s.byCost() && s.wasted() {
		return nil
	}
	judged := eval.Weight(s.Report.Rules.Tuned.Classes)
	share, precision, interval := tuned.Predicted/(judged/s.decided()), *tuned.Precision, tuned.PrecisionInterval
	if len(s.Report.Blocks) > 2 { // the figures that are told of the class
		if of := s.Report.Later(name, s.DecidedIn); of.Alerts != nil && of.Precision != nil {
			share, precision, interval = of.Alerts.Value, of.Precision.Value, &of.Precision.Interval
		}
	}
	flood := Flooded(s.Goal.Name, share, precision)
	fewer := s.preferred() && less(precision, x) && s.Goal.Preferences[c] != pragma.Neutral()
	below := fewer && interval != nil && interval[1] < x // weights that were given have no interval
	offered := slices.ContainsFunc(s.Offered, func(o Offer) bool { return o.Alerts < min(share, tuned.Predicted/judged) })
	var out []finding.Finding
	if flood && !(below && share <= mostly) { // else the next says as much
		f := floodOf(s.Where(), name, share, precision, interval)
		if offered {
			f.Remedies = []finding.Remedy{{Do: codes.OtherChoice, Class: name}}
		}
		out = append(out, f)
	}
	if s.limited(c, pragma.RecallFloor) && s.breaks(&s.Report.Rules.Tuned) {
		return out
	}
	if fewer {
		f := finding.New(codes.PrecisionBelow, s.Where(),
			finding.Figure{Name: "precision", Class: name, Value: precision, Unit: codes.Share, Interval: interval},
			finding.Figure{Name: "x", Class: name, Value: x, Unit: codes.Share})
		f.Classes = []string{name}
		out = append(out, f)
	}
	// beside costs, which say how many alarms are worth it, a limit would only cost more
	if len(out) > 0 && !offered && !s.Unlike && (flood || below) && !s.byCost() {
		out[len(out)-1].Remedies = s.fewerAlarms(c, share)
	}
	return out
}

// wasted tells whether it costs less to decide all rows alike.
func (s *Subject) wasted() bool {
	f := constant(s)
	return f != nil && f.Code == codes.ConstantBetter
}

// preferred tells whether the measure follows from the preference.
func (s *Subject) preferred() bool { return strings.HasPrefix(s.Goal.Name, "pragma") }

// limited tells whether one of the figures of class c is required to keep a limit.
func (s *Subject) limited(c int, figures ...pragma.Figure) bool {
	return slices.ContainsFunc(s.Goal.Floors, func(f pragma.Floor) bool {
		return f.OfAll() && f.Class == c && slices.Contains(figures,
			f.What)
	})
}

// less tells whether a share is below another one, also as both are told.
func less(a, b float64) bool { return a < b && told(a) != told(b) }

// told rounds a share as it is told, of 100: to tenths below 10, and more exactly next to none or all.
func told(share float64) float64 {
	const most = 3
	decimals := 0
	if share < 0.1 {
		decimals = 1
	}
	for ; decimals < most && 100*min(share, 1-share)*(1+1e-9) < math.Pow10(-decimals); decimals++ {
	}
	unit := math.Pow10(decimals)
	return math.Round(100*share*unit) / unit
}

// fewerAlarms are the ways to have fewer alarms for class c, which are such a share of the rows.
func (s *Subject) fewerAlarms(c int, share float64) []finding.Remedy {
	var ways []finding.Remedy
	name := s.Goal.Classes[c]
	if offer.Curvable(&s.Goal) {
		ways = append(ways, finding.Remedy{Do: codes.TakeMeasure, Name: offer.Curved})
	}
	require := func(f pragma.Floor) {
		r := finding.Remedy{Do: codes.Require, Class: name, Figure: string(f.What), Limit: f.Limit}
		if !s.onNew() && s.Report.Votes != nil {
			recall, ok := s.reaching(f)
			if !ok {
				return
			}
			r.Figures = []finding.Figure{{Name: "recall", Class: name, Value: recall, Unit: codes.Share}}
		}
		ways = append(ways, r)
	}
	if budget := s.budget(c, 1e4*share); budget > 0 {
		require(pragma.Floor{Class: c, What: pragma.Alerts, Limit: budget / 1e4})
	}
	if x := s.Goal.Preferences[c].X; s.preferred() && x > *s.Report.Rules.Tuned.Classes[name].Precision &&
		len(s.Goal.Floors) == 0 {
		require(pragma.Floor{Class: c, What: pragma.PrecisionFloor, Limit: x})
	}
	return ways
}

// reaching returns the largest recall of the class of a floor that weights of it alone reach on the judged rows
// while they keep it, in whole percents aimed at; not ok where none keep it.
func (s *Subject) reaching(f pragma.Floor) (recall float64, ok bool) {
	recalls := make([]float64, 100)
	for i := range recalls {
		recalls[i] = float64(i+1) / 100
	}
	h := s.Report.Votes.Compress()
	for _, weight := range offer.WeightsFor(h, s.Weights, f.Class, recalls) {
		if m := h.Confuse(weight.Of(s.Weights, f.Class)); f.Missing(f.Of(m, s.decided())) == 0 {
			recall, _ = m.Recall(f.Class)
			ok = true
		}
	}
	return recall, ok
}

// budget returns how many alarms for class c in 10,000 rows to ask for instead of so many: half of them or, where a
// recall of c is required, no fewer than finding that takes on these votes and a tenth more, as other votes take
// others. It is 0 where that is hardly fewer, or where something else is required, beside which it might not be
// kept.
func (s *Subject) budget(c int, now float64) float64 {
	budget := offer.FirstDigit(now / 2)
	for _, f := range s.Goal.Floors {
		if f.Class != c || f.What != pragma.RecallFloor || !f.OfAll() || s.Weights == nil {
			return 0
		}
		h, takes := s.Report.Votes.Compress(), now
		for _, weight := range offer.WeightsFor(h, s.Weights, c, []float64{f.Limit}) {
			m := h.Confuse(weight.Of(s.Weights, c))
			takes = 1.1e4 * m.Predicted(c) / m.Total() * s.decided()
		}
		budget = max(budget, offer.ThreeDigits(takes))
	}
	if budget > 0.9*now {
		return 0
	}
	return budget
}

// misses says of a class of which precision matters more that less is found than the y of the preference; nil where
// that is not so. Its remedy is there where that is beyond chance.
func misses(s *Subject, c int) *finding.Finding {
	name, pref := s.Goal.Classes[c], s.Goal.Preferences[c]
	tuned := s.Report.Rules.Tuned.Classes[name]
	if tuned.Precision == nil || !s.preferred() || pref.X <= pref.Y || tuned.Recall == nil ||
		!less(*tuned.Recall, pref.Y) || s.limited(c, pragma.RecallFloor) {
		return nil
	}
	f := finding.New(codes.RecallBelow, s.Where(),
		finding.Figure{Name: "recall", Class: name, Value: *tuned.Recall, Unit: codes.Share,
			Interval: tuned.RecallInterval}, finding.Figure{Name: "y", Class: name, Value: pref.Y, Unit: codes.Share})
	f.Classes = []string{name}
	offered := slices.ContainsFunc(s.Offered, func(o Offer) bool { return o.Recall > *tuned.Recall })
	// beside which another might not be kept
	if below := tuned.RecallInterval[1] < pref.Y; below && !offered && !s.Unlike && len(s.Goal.Floors) == 0 {
		f.Remedies = []finding.Remedy{{Do: codes.Require, Class: name, Figure: string(pragma.RecallFloor), Limit: pref.Y}}
	}
	return &f
}
