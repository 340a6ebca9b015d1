package view

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/predictions"
)

// Promise is what a cross-validation promised of new rows, beside what is found.
type Promise struct {
	Time string `json:"time,omitempty"` // column in whose order cv judged later rows by earlier ones
	// of cv, whose weights are made as those of the model: tuned, plain, prior or cost
	Rule string `json:"rule"`
	// of the classes that matter most, or of all where they are few, and of the loss
	Figures []promisedFigure `json:"figures"`

	// figures that are lower than in training by more than chance, which is no drift, as they are not lower by more
	// than chance than cv promised
	Foreseen []rfpragma.Drift `json:"foreseen,omitempty"`

	Was    *CVResult `json:"-"`
	Judged eval.Rule `json:"-"` // of cv, with these intervals
	Goal   *Goal     `json:"-"`
}

type promisedFigure struct {
	Class string `json:"class,omitempty"` // name of the class; not of the loss
	// the --top whose list this is of; not of the decisions
	List string `json:"list,omitempty"`
	// recall, precision, alerts, which is the share of all rows that is decided as the class, undecided, the share of
	// all rows that is, or loss
	Figure string `json:"figure"`
	// by cv: in the order of time of later rows; null where it is not defined
	Expected         *float64    `json:"expected"`
	ExpectedInterval *[2]float64 `json:"expected_interval,omitempty"` // at 95 %, as cv has it
	Found            *float64    `json:"found"`                       // on these rows; null where it is not defined
	FoundInterval    *[2]float64 `json:"found_interval,omitempty"`    // at 95 %
	// within expected_interval: as expected, or at the lower end, or of a loss at the upper end, in its worst tenth;
	// beyond it lower or higher, and perhaps lower or perhaps higher where found_interval reaches into it; not where
	// either is not known
	Verdict string `json:"verdict,omitempty"`

	// whether expected_interval reaches from what rows drawn at random have, or below, to twice that, or of a cost from
	// what the cheapest way without a model costs, or above, to half of that: to lie in it says little
	TooWide bool `json:"too_wide,omitempty"`

	name, was, is string // as they are shown
}

// fill fills in what is found, also on lists.
func (e *Promise) fill(found *eval.Report, lists []eval.TopList, withheld *abstain.WithheldInfo) {
	rules := RulesOf(&e.Was.Rules)
	e.Judged = *rules[slices.IndexFunc(rules, func(n Named) bool { return n.Name == e.Rule })].Rule
	e.Judged.Classes = maps.Clone(e.Judged.Classes)
	is, all := &found.Rules.Tuned, (&e.Was.Report).Judged()
	for _, name := range e.Goal.classesTold() {
		was, now, later := e.Judged.Classes[name], is.Classes[name], eval.Later{}
		if e.Rule == "tuned" { // which is that of blocks
			later = e.Was.Report.Later(name, nil)
		}
		e.add(promisedFigure{Class: name, Figure: "recall", Expected: was.Recall, ExpectedInterval: was.RecallInterval,
			Found: now.Recall, FoundInterval: now.RecallInterval}, later.Recall)
		e.add(promisedFigure{Class: name, Figure: "precision", Expected: was.Precision,
			ExpectedInterval: was.PrecisionInterval, Found: now.Precision, FoundInterval: now.PrecisionInterval},
			later.Precision)
		if later.Alerts != nil { // of all rows, of which cv knew in each block how many are decided
			later.Alerts = e.Was.Later[name].Alerts
		}
		e.alerts(name, is, later.Alerts, withheld)
		if later.Recall != nil {
			was.Recall, was.RecallInterval = &later.Recall.Value, &later.Recall.Interval
		}
		if later.Precision != nil {
			was.Precision, was.PrecisionInterval = &later.Precision.Value, &later.Precision.Interval
		}
		e.Judged.Classes[name] = was
	}
	listed := e.listed(found.Top)
	for i, l := range found.Top {
		at, ok := listed[i]
		if !ok {
			continue
		}
		was, of := e.Was.Top[at], listText(l.Class, lists[i])
		recall, precision := eval.LaterList(all, at)
		e.add(promisedFigure{Class: l.Class, List: of, Figure: "recall", Expected: was.Recall,
			ExpectedInterval: was.RecallInterval, Found: l.Recall, FoundInterval: l.RecallInterval}, recall)
		e.add(promisedFigure{Class: l.Class, List: of, Figure: "precision", Expected: was.Precision,
			ExpectedInterval: was.PrecisionInterval, Found: l.Precision, FoundInterval: l.PrecisionInterval},
			precision)
	}
	if withheld != nil {
		before, after := e.Was.Withheld.Share(), withheld.Share()
		e.Figures = append(e.Figures, promisedFigure{Figure: predictions.Undecided, Expected: &before, Found: &after,
			name: predictions.Undecided +
				" per 1,000", was: layout.PerThousand(before)[0], is: layout.PerThousand(after)[0]})
	}
	if !e.Goal.Loss.Costs.Amounts() { // of which it is the sum of all rows
		e.loss(&e.Judged, is)
	}
}

// expect puts what to expect of later rows in the place of what became of the latest block, where blocks tell that.
func (f *promisedFigure) expect(later *eval.Forecast) {
	if later != nil {
		f.Expected, f.ExpectedInterval, f.TooWide = &later.Value, &later.Interval, later.TooWide
	}
}

// add compares a share, then and now.
func (e *Promise) add(f promisedFigure, later *eval.Forecast) {
	f.expect(later)
	f.judge()
	f.name = fmt.Sprintf("%s of %q", f.Figure, f.Class)
	if f.List != "" {
		f.name = f.Figure + " of list " + f.List
	}
	decimals := f.decimals()
	f.was, f.is = layout.Within(f.Expected, f.ExpectedInterval, decimals), layout.Within(f.Found, f.FoundInterval,
		decimals)
	e.Figures = append(e.Figures, f)
}

// alerts compares how many rows are decided as a class, which is judged where blocks of time tell how far that goes.
func (e *Promise) alerts(name string, is *eval.Rule, later *eval.Forecast, withheld *abstain.WithheldInfo) {
	was, rows := e.Judged.Classes[name].Predicted/eval.Weight(e.Judged.Classes)*e.Was.Withheld.Decided(),
		eval.Weight(is.Classes)/withheld.Decided()
	now := is.Classes[name].Predicted / rows
	f := promisedFigure{Class: name, Figure: "alerts", Expected: &was, Found: &now,
		name: fmt.Sprintf("alarms for %q per 1,000", name)}
	if f.expect(later); later != nil {
		low, high := calib.Wilson(float64(now*rows), rows, calib.Z95)
		f.FoundInterval = &[2]float64{low, high}
		f.judge()
	}
	show := func(share float64, interval *[2]float64) string {
		if interval == nil {
			return layout.PerThousand(share)[0]
		}
		texts := layout.PerThousand(share, interval[0], interval[1])
		return fmt.Sprintf("%s (%s–%s)", texts[0], texts[1], texts[2])
	}
	f.was, f.is = show(*f.Expected, f.ExpectedInterval), show(now, f.FoundInterval)
	e.Figures = append(e.Figures, f)
}

// listed are the numbers of the lists of cv that are of the same class and part of all rows as those that are found,
// by the numbers of these.
func (e *Promise) listed(found []eval.TopListFigures) map[int]int {
	out := map[int]int{}
	for i, l := range found {
		at := slices.IndexFunc(e.Was.Top, func(was eval.TopListFigures) bool {
			// a row of either
			return was.Class == l.Class && was.Recall != nil && math.Abs(was.Share-l.Share) <= was.Share/was.Rows+l.Share/l.Rows
		})
		if at >= 0 && l.Recall != nil {
			out[i] = at
		}
	}
	return out
}

// loss compares that of a row.
func (e *Promise) loss(expected, found *eval.Rule) {
	of := func(r *eval.Rule) (*float64, *[2]float64) {
		if r.Loss != nil {
			return r.Loss, r.LossInterval
		}
		return &r.Pragma, r.PragmaInterval
	}
	f := promisedFigure{Figure: "loss", name: "loss " + e.Goal.Loss.Name}
	show, interval := english.Amounts, layout.LossInterval
	if e.Goal.Loss.Name == "cost" {
		f.name, show = lossUnit("cost", false)
		interval = func(ends *[2]float64) string { return endsBy(show, ends) }
	}
	f.Expected, f.ExpectedInterval = of(expected)
	f.Found, f.FoundInterval = of(found)
	later := (*eval.Forecast)(nil)
	if e.Rule == "tuned" { // which is that of blocks
		later = eval.ForecastCost((&e.Was.Report).Judged())
	}
	if f.expect(later); later != nil || e.Was.Together == nil { // else the interval is too narrow for blocks that differ
		f.judge()
	}
	if later != nil {
		e.Judged.Loss, e.Judged.LossInterval = f.Expected, f.ExpectedInterval
	}
	texts := show(*f.Expected, *f.Found)
	for i, ends := range []*[2]float64{f.ExpectedInterval, f.FoundInterval} {
		if text := interval(ends); text != "" {
			texts[i] += " (" + text + ")"
		}
	}
	f.was, f.is = texts[0], texts[1]
	e.Figures = append(e.Figures, f)
}

// Verdicts of a figure that is within the range that was expected of it, or beyond.
const (
	asExpected    = "as expected"
	lowerEnd      = "at the lower end"
	upperEnd      = "at the upper end"
	lower         = "lower"
	higher        = "higher"
	perhapsLower  = "perhaps " + lower
	perhapsHigher = "perhaps " + higher
)

// judge compares what is found with the range that was expected, as a reader does who sees both.
func (f *promisedFigure) judge() {
	p, ok := f.promise()
	if !ok {
		return
	}
	switch p.Outcome() {
	case assess.Within:
		f.Verdict = asExpected
	case assess.WorstTenth:
		if f.Verdict = lowerEnd; f.Figure == "loss" {
			f.Verdict = upperEnd
		}
	case assess.PerhapsLower:
		f.Verdict = perhapsLower
	case assess.Lower:
		f.Verdict = lower
	case assess.PerhapsHigher:
		f.Verdict = perhapsHigher
	case assess.Higher:
		f.Verdict = higher
	}
}

// promise is the same as a judgement takes it; not ok where nothing is found.
func (f *promisedFigure) promise() (p assess.Promise, ok bool) {
	if f.Found == nil {
		return p, false
	}
	p = assess.Promise{Figure: f.Figure, Class: f.Class, ExpectedInterval: f.ExpectedInterval, Found: *f.Found,
		FoundInterval: f.FoundInterval}
	if f.Expected != nil {
		p.Expected = *f.Expected
	}
	return p, true
}

// promises are the figures of the decisions; of lists others tell.
func (e *Promise) promises() []assess.Promise {
	if e == nil {
		return nil
	}
	var all []assess.Promise
	for i := range e.Figures {
		if p, ok := e.Figures[i].promise(); ok && e.Figures[i].Expected != nil && e.Figures[i].List == "" {
			all = append(all, p)
		}
	}
	return all
}

// tellsLittle tells whether the figure is within a range that is too wide to say much.
func (f *promisedFigure) tellsLittle() bool {
	return f.TooWide && slices.Contains([]string{asExpected, lowerEnd, upperEnd}, f.Verdict)
}

// worse is the verdict of a figure that is so by more than chance.
func (f *promisedFigure) worse() string {
	if f.Figure == "loss" {
		return higher
	}
	return lower
}

// decimals are as many as show of a share that it is beyond the range that was expected, where it is.
func (f *promisedFigure) decimals() int {
	if f.Verdict == "" {
		return 0
	}
	shown := func(share float64, decimals int) float64 { return math.Round(100 * share * math.Pow10(decimals)) }
	for decimals := range mostDecimals {
		is, low, high := shown(*f.Found, decimals), shown(f.ExpectedInterval[0], decimals), shown(f.ExpectedInterval[1],
			decimals)
		if is < low == (*f.Found < f.ExpectedInterval[0]) && is > high == (*f.Found > f.ExpectedInterval[1]) {
			return decimals
		}
	}
	return mostDecimals
}

// mostDecimals are enough for a reader.
const mostDecimals = 1
