package view

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/say"
)

// result is a way to decide that was judged, as the first screen, the page and the JSON take it.
type result struct {
	title    string // of the figures, such as EXPECT ON NEW ROWS
	goal     *Goal
	Subject  *assess.Subject
	Findings []finding.Finding // the gravest first
	points   []Alternative     // other operating points
	promise  *Promise          // what cv promised; nil where nobody asks
	lists    []string          // the lists of the likeliest rows, as they were asked for
	fixed    bool              // the decisions are those of a model as it is, or of weights that were given
	wide     bool              // there is room for whole names
	next     bool              // a command comes next, which sees to what is required
	limit    *LimitCost        // what a limit of alarms costs; nil where there is none
}

// found works out what is found; also has findings from elsewhere.
func (r *result) found(also ...finding.Finding) *result {
	for _, o := range r.points {
		r.Subject.Offered = append(r.Subject.Offered, assess.Offer{Recall: o.Recall, Alerts: o.Alerts})
	}
	r.Findings = append(also, assess.Findings(r.Subject)...) // of equals the cause comes before what it does
	finding.Sort(r.Findings)
	return r
}

func (r *result) voice() say.Voice {
	v := say.About(r.goal.pragmaGoal())
	v.Fixed, v.Partly = r.fixed, r.goal.Withheld != nil && r.goal.Withheld.Rows > 0
	return v
}

// Words are a sentence for each finding.
func (r *result) Words() []string {
	var out []string
	for i := range r.Findings {
		out = append(out, r.voice().Sentence(&r.Findings[i]))
	}
	return out
}

// mostCautions is how many findings the first screen has beside the verdict.
const mostCautions = 3

// Show writes the first screen of a result, but for what was judged and what to type next.
func (r *result) Show(to *layout.Page, details bool) {
	to.Say(r.goal.Request()...)
	to.Table(r.classTable())
	if many := len(r.goal.Classes) > mostShown; !many || details || len(r.goal.Floors) > 0 || len(r.lists) > 0 ||
		r.goal.Withheld != nil {
		to.Table(r.figureTable())
	}
	to.Table(r.countTable())
	switch w := r.goal.Withheld; {
	case w == nil || w.Rows == 0 || r.reviewed() != nil && r.goal.Loss.Name == "cost":
	case r.reviewed() != nil:
		to.Say("The loss is of the decided rows.")
	default:
		to.Say("Recall, precision, the plain vote and losses are of the decided rows.")
	}
	to.Say(r.verdict()...)
	most := mostCautions
	for _, n := range []int{2, mostShown} { // classes take the room
		if len(r.goal.Classes) > n {
			most--
		}
	}
	if details {
		most = mostCautions + len(r.Findings) // notes as well
	}
	r.cautions(to, most)
}

// usable is said of probabilities of which nothing is found, where rows are enough to find it.
const usable = "The probabilities may be used: they fit what came true."

// verdict says first which of the classes that matter are found no better than by chance, then what tuning gains, and
// whether the probabilities may be used.
func (r *result) verdict() []string {
	var lines []string
	for i := range r.Findings {
		f := &r.Findings[i]
		if r.reviewed() != nil && strings.HasPrefix(string(f.Code), "gain.") { // which is of the decided rows alone
			continue
		}
		if inVerdict(f) {
			lines = append(lines, r.voice().Sentence(f)+r.advice(f))
		}
	}
	if l := r.limit; l != nil && l.With > l.Without {
		lines = append(lines, r.voice().Limited(l.With, l.Without, l.More))
	}
	off := func(f finding.Finding) bool { return strings.HasPrefix(string(f.Code), "calibration.") }
	if r.enough() && !slices.ContainsFunc(r.Findings, off) {
		lines = append(lines, usable)
	}
	return lines
}

// enough tells whether there are rows enough of the classes whose probabilities are told of to say that these are
// right.
func (r *result) enough() bool {
	report := r.Subject.Report
	shown := shownClasses(r.goal.Classes, r.goal.Prefs, report.Probabilities)
	return len(shown) > 0 && !slices.ContainsFunc(shown, func(name string) bool {
		return report.Rules.Tuned.Classes[name].Rows < effective.FewRows
	})
}

// inVerdict tells whether a finding is part of the verdict.
func inVerdict(f *finding.Finding) bool {
	switch f.Code {
	case codes.ClassChance, codes.BaselineBreaks:
		return true
	case codes.GainUnproven:
		return false
	}
	return strings.HasPrefix(string(f.Code), "gain.") || strings.HasPrefix(string(f.Code), "retune.")
}

// Told tells whether the first screen has a finding in another place.
func Told(f *finding.Finding) bool {
	return inVerdict(f) || f.Code == codes.ConstantWorse || f.Code == codes.ConstraintKept
}

// told is Told of this screen: of two classes a figure says how far trainings go apart.
func (r *result) told(f *finding.Finding) bool {
	return Told(f) || f.Code == codes.FoldsSpread && len(r.goal.Classes) == 2
}

// beside tells whether a figure of the first screen has the finding beside it: that it may be worse than cv promised.
// A limit takes its place, and the table of several classes has no room.
func (r *result) beside(f *finding.Finding) bool {
	return f.Code == codes.PromiseUnsure && len(r.goal.Classes) == 2 && len(r.goal.Floors) == 0
}

// cautions writes the gravest findings, each with what may be done.
func (r *result) cautions(to *layout.Page, most int) {
	var shown []finding.Finding
	for _, f := range r.Findings {
		if r.told(&f) || replaced(r.Findings, f.Code) {
			continue
		}
		if f.Grade > finding.Note && !r.beside(&f) || most > mostCautions {
			shown = append(shown, f)
		}
	}
	var lines []string
	for i := range shown[:min(len(shown), most)] {
		f := &shown[i]
		lines = append(lines, english.Capital(f.Grade.String())+": "+r.voice().Sentence(f)+r.advice(f))
	}
	if n := len(shown) - most; n > 0 {
		more := english.Plural(n, "more finding")
		if r.goal.Typed.Details != "" {
			more += ": " + r.goal.Typed.Details
		}
		lines = append(lines, more+".")
	}
	to.Say(lines...)
}

// replaced tells whether another finding says as much.
func replaced(all []finding.Finding, code finding.Code) bool {
	return slices.ContainsFunc(all, func(f finding.Finding) bool { return slices.Contains(f.Replaces, code) })
}

// advice goes on with what may be done about a finding; "" where nothing is to be typed.
func (r *result) advice(f *finding.Finding) string {
	if f.Code == codes.ConstraintUnreachable {
		for _, w := range r.Subject.Report.Warnings {
			if text := note.Detail(w); text != "" && errors.Is(w, anneal.ErrFloors) {
				return " " + text
			}
		}
		return " Ask for less, or grow more trees."
	}
	for i, remedy := range f.Remedies {
		switch remedy.Do {
		case codes.MoreRows:
			continue
		case codes.BeSure: // which comes next
			if f.Code == codes.ConstraintBroken && r.next {
				continue
			}
		case codes.TakeWeights, codes.TakeMeasure:
			if !r.goal.Alone() {
				continue
			}
		case codes.IgnoreColumn:
			var flags []string
			for _, also := range f.Remedies[i:] {
				if also.Do == codes.IgnoreColumn {
					flags = append(flags, r.goal.Typed.remedy(also, r.goal.Classes))
				}
			}
			return " Try " + strings.Join(flags, " ") + "."
		case codes.KeepModel:
			return " Keep the model as it is."
		case codes.Recalibrate:
			return " A map fitted to recent labelled rows may help: rfpragma calibrate MODEL ROWS -o NEW."
		case codes.OtherChoice:
			if o := r.calmer(remedy.Class); o != nil && r.goal.Alone() {
				return fmt.Sprintf(" Fewer: %s finds %s, and %s are right.", strings.Join(r.goal.Typed.point(o), " "),
					english.Rounded(english.Percent(o.Recall, 1)), english.Rounded(english.Percent(o.Precision, 1)))
			}
		}
		if flag := r.goal.Typed.remedy(remedy, r.goal.Classes); flag != "" {
			switch {
			case r.Subject.Rows == codes.GivenRows:
				return " Tune again with " + flag + "."
			case remedy.Do == codes.TakeWeights: // which only what makes a model takes
				return " Train with " + flag + "."
			}
			return " Try " + flag + "."
		}
	}
	return ""
}

// calmer is the operating point of most alarms that is no flood; nil where there is none.
func (r *result) calmer(class string) *Alternative {
	for i := len(r.points) - 1; i >= 0; i-- {
		if o := &r.points[i]; o.Class == class && !assess.Flooded(r.goal.Loss.Name, o.Alerts, o.Precision) {
			return o
		}
	}
	return nil
}
