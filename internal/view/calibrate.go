package view

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
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
	Before string // what the figures without these maps are called

	Flattered bool // they are of maps that were fitted on the rows
}

// Words says which map was fitted and what it does.
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
		which = fmt.Sprintf("The map is %s, which %s has picked by cross-validation%s.", s.Method, s.Asked, among)
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
	return words
}

// figures says what the figures are of and, as those of several classes are each of one, what they come to.
func (s *Calibrated) figures() string {
	too, raw, why := "", "", ""
	if s.Asked != s.Method {
		too, why = ", too", fmt.Sprintf("; %s goes by that", s.Asked)
	}
	if !math.IsNaN(s.Judged.Raw) {
		raw = fmt.Sprintf(", %s %s", s.Before, english.Fixed(s.Judged.Raw, 4))
	}
	text := fmt.Sprintf("The figures above are by cross-validation%s: of rows that the maps have not seen.", too)
	if len(s.Judged.Of) < 2 {
		return text
	}
	return text + fmt.Sprintf(" The log loss of all classes together is %s%s%s.", english.Fixed(s.Judged.Mapped, 4), raw, why)
}
