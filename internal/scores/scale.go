package scores

import (
	"fmt"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
)

// Range is from where to where a column of scores goes.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// rangeOf returns the range of the second of each two numbers.
func rangeOf(share []float64) *Range {
	s := Range{share[1], share[1]}
	for i := 1; i < len(share); i += 2 {
		s.Low, s.High = min(s.Low, share[i]), max(s.High, share[i])
	}
	return &s
}

// shares tells whether scores of that range are shares or probabilities.
func (s *Range) shares() bool { return s.Low >= 0 && s.High <= 1 }

// likely says what scores that are no shares may be, and how they become some; otherwise says what to do where they are
// something else.
func (s *Range) likely(otherwise string) string {
	guess := ""
	switch {
	case s.Low < 0:
		guess = "if they are log odds x, give 1/(1+exp(-x)); else "
	case s.High <= 100:
		guess = "if they are percentages, divide by 100; else "
	case s.High <= 255:
		guess = "if they go from 0 to 255, divide by 255; else "
	}
	return guess + otherwise
}

// fittedOn is the range of the scores that the map was fitted on, nil where it is not known: that of a file without one
// is known of maps that take logarithms of shares.
func (m *Map) fittedOn() *Range {
	if m.Range != nil || m.Score == "" {
		return m.Range
	}
	switch of := m.Maps.Maps[0].(type) {
	case calib.Sigmoid:
		if of.Logit {
			return &Range{0, 1}
		}
	case calib.BetaCurve, calib.Power:
		return &Range{0, 1}
	}
	return nil
}

// Scale compares the scores that a map is given with those that it was fitted on.
type Scale struct {
	fitted *Range // nil where it is not known
	met    Range
	rows   int
	far    int // scores that are further off than those of the fit are from each other
}

// beyondShare is by how much a share may be off for its digits.
const beyondShare = 1e-9

func (s *Scale) add(v float64) {
	if s.rows == 0 {
		s.met = Range{v, v}
	}
	s.met = Range{min(s.met.Low, v), max(s.met.High, v)}
	s.rows++
	if f := s.fitted; f != nil && (v < f.Low-(f.High-f.Low) || v > f.High+(f.High-f.Low)) {
		s.far++
	}
}

// Other tells whether a map of shares is given what cannot be shares.
func (s *Scale) Other() bool {
	return s.fitted != nil && s.fitted.shares() && s.rows > 0 && (s.met.Low < -beyondShare || s.met.High > 1+beyondShare)
}

// Err refuses what cannot be shares, with what it is likely to be.
func (s *Scale) Err(name string) error {
	if !s.Other() {
		return nil
	}
	return &dataset.ParseError{File: name, Err: fmt.Errorf("the map is fitted on shares, from 0 to 1, and these scores "+
		"go from %v to %v; %s", s.met.Low, s.met.High, s.met.likely("fit a map on scores of this scale"))}
}

// fewestScores is of how many scores on it is no chance where they lie.
const fewestScores = 10

// Warnings are that scores hardly are of the scale of the fit: many lie far outside, or all are shares where those of
// the fit were ten times as far apart.
func (s *Scale) Warnings(name string) []error {
	if s.fitted == nil || s.rows == 0 || s.fitted.shares() {
		return nil
	}
	f, likely := s.fitted, ""
	shares := s.rows >= fewestScores && s.met.shares() && f.High-f.Low >= 10
	switch {
	case shares && f.Low >= 0:
		likely = "; have these been divided by 100, or the like?"
	case shares:
		likely = "; are these shares or probabilities, and those were log odds or the like?"
	case 10*s.far < s.rows:
		return nil
	}
	return []error{fmt.Errorf("%s: the map is fitted on scores from %v to %v, and these go from %v to %v%s; "+
		"what it says of a score far outside is a guess", name, f.Low, f.High, s.met.Low, s.met.High, likely)}
}
