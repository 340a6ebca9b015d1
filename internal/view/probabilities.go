package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
)

// CrossJudged is what cross-validation says of maps.
type CrossJudged struct {
	Of          map[string]eval.Judged // by class, of two classes of one
	Raw, Mapped float64                // log loss of all classes together; raw is NaN where scores are no probabilities
}

// Calibrated is what a calibration has come to.
type Calibrated struct {
	Name   string
	Frame  *dataset.Frame
	Asked  calib.Method
	Method calib.Method // what was fitted
	Judged CrossJudged
	Spec   pragma.Spec // that of the model; nil of scores
	Before string      // what the figures without these maps are called

	Flattered bool // they are of maps that were fitted on the rows
}

// Findings are those about the calibrated probabilities.
func (s *Calibrated) Findings() []finding.Finding {
	goal, err := s.Spec.Goal(s.Frame.Classes, nil)
	if err != nil { // the rows lack a class that was asked for
		goal, _ = pragma.Spec{}.Goal(s.Frame.Classes, nil) // which always has one
	}
	found := assess.Probabilities(&assess.Subject{Goal: goal, Report: &eval.Report{Probabilities: s.Judged.Of}})
	for i := range found {
		found[i].Remedies = nil // a map was fitted just now
	}
	return found
}

// verdict says what is found, or that the probabilities may be used if there are rows enough to say so, and whether
// they are no better than those that the model has.
func (s *Calibrated) verdict() []string {
	var lines []string
	anew := s.Before == "before"
	if anew && !s.Flattered && s.Judged.Mapped >= s.Judged.Raw {
		lines = append(lines, "The new probabilities are no better than those that the model has.")
	}
	found := s.Findings()
	for i := range found {
		lines = append(lines, english.Capital(found[i].Grade.String())+": "+(say.Voice{}).Sentence(&found[i]))
	}
	if len(lines) > 0 || len(s.Judged.Of) == 0 {
		return lines
	}
	for _, j := range s.Judged.Of {
		if j.Calibrated == nil || j.Calibrated.Figures.Rows*j.Calibrated.Figures.Share < effective.FewRows {
			return nil
		}
	}
	if anew {
		return []string{"The new probabilities may be used: they fit what came true."}
	}
	return []string{usable}
}

// Words says which map was fitted, what it does, and whether its probabilities may be used.
func (s *Calibrated) Words() []string {
	which, among := fmt.Sprintf("The map is %s.", s.Method), ""
	if s.Before == "before" {
		among = " among new ones"
	}
	switch {
	case s.Method == calib.None && s.Asked == calib.None:
		which = "No map is fitted, as you asked."
	case s.Method == calib.None:
		which = fmt.Sprintf("No map is fitted: by cross-validation none that %s tries is proven to do better than no map.",
			s.Asked)
	case s.Asked != s.Method:
		which = fmt.Sprintf("The map is %s, which %s has picked%s.", s.Method, s.Asked, among)
	}
	words := []string{which}
	if s.Asked != calib.None {
		words[0] += " " + s.figures()
	}
	if s.Before == "before" {
		words = append(words, "\"Before\" is what the model says with the maps that it has.")
	}
	if s.Flattered {
		words[1] += " They were fitted on these very rows, which flatters them."
	}
	return append(s.verdict(), words...)
}

// figures says what the figures are of and, as those of several classes are each of one, what they come to.
func (s *Calibrated) figures() string {
	raw, why := "", ""
	if s.Asked != s.Method {
		why = fmt.Sprintf("; %s goes by that", s.Asked)
	}
	if !math.IsNaN(s.Judged.Raw) {
		raw = fmt.Sprintf(", %s %s", s.Before, english.Fixed(s.Judged.Raw, 4))
	}
	const text = "Figures are cross-validated: of rows that the maps have not seen."
	if len(s.Judged.Of) < 2 {
		return text
	}
	return text + fmt.Sprintf(" The log loss of all classes together is %s%s%s.", english.Fixed(s.Judged.Mapped, 4), raw,
		why)
}

// ShowProbabilities shows the table of probabilities, and says what its figures should be.
func ShowProbabilities(table func(*layout.Grid), to *layout.Page, classes []string, judged map[string]eval.Judged,
	before string) {
	g := probabilityTable(classes, judged, before)
	if table(g); len(g.Rows) > 0 {
		to.Say("Ideal: slope 1 (less: too sure; more: not sure enough), intercept 0 (more: too low; less: too high).")
	}
}

// shownClasses returns the classes of the table of probabilities: those that matter most, or all if they are alike.
func shownClasses(classes []string, prefs []pragma.Preference, judged map[string]eval.Judged) []string {
	matter := classes
	if priority := pragma.PriorityClasses(prefs); len(classes) > 2 && priority != nil {
		matter = make([]string, len(priority))
		for i, c := range priority {
			matter[i] = classes[c]
		}
	}
	var shown []string
	for _, name := range matter {
		if _, ok := judged[name]; ok && len(shown) < mostShown {
			shown = append(shown, name)
		}
	}
	return shown
}

// probabilityTable sets probabilities before the maps, under that name, and after them side by side; of many classes
// it has only those after them. Slope, intercept and ROC-AUC have the half of their 95 % interval, where rows are
// enough to tell it.
func probabilityTable(classes []string, judged map[string]eval.Judged, before string) *layout.Grid {
	g := &layout.Grid{Head: []string{"class", "", "Brier", "log loss", "ECE", "slope", "intercept", "ROC-AUC", "PR-AUC"}}
	figure := func(v float64) string {
		if math.IsNaN(v) {
			return "n/a"
		}
		return layout.UnderOne(v, 4)
	}
	estimate := func(shown func(float64, int) string, value, se float64, digits int) string {
		const widest = 5 // a wider range of a slope or an intercept tells nothing

		half := max(calib.Z95*se, math.Pow10(-digits)) // which is not 0
		switch {
		case math.IsNaN(value), half > widest:
			return "n/a"
		case !(se > 0): // unknown, or so few rows that none was judged wrongly
			return shown(value, digits)
		}
		return fmt.Sprintf("%s ±%s", shown(value, digits), english.Fixed(half, digits))
	}
	figures := func(j *eval.Judgement) []string {
		if j == nil {
			return nil
		}
		r := j.Figures
		return []string{figure(r.Brier.Score), figure(r.LogLoss.Score), figure(r.ECE), estimate(english.Fixed, r.Slope.Value,
			r.Slope.SE, 2), estimate(english.Fixed, r.Intercept.Value, r.Intercept.SE, 2), estimate(layout.UnderOne, r.AUC,
			r.AUCSE, 4),
			figure(r.AveragePrecision)}
	}
	for _, name := range classes {
		raw, calibrated := figures(judged[name].Raw), figures(judged[name].Calibrated)
		switch {
		case raw == nil, len(classes) > mostShown && calibrated != nil:
			g.Add(append([]string{name, "calibrated"}, calibrated...)...)
		case slices.Equal(raw, calibrated):
			g.Add(append([]string{name, before}, raw...)...) // no map is better than one
		default:
			g.Add(append([]string{name, before}, raw...)...)
			g.Add(append([]string{"", "calibrated"}, calibrated...)...)
		}
	}
	return g
}
