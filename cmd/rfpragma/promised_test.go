package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// It is told of the classes that matter, and how far votes of rows in time flatter.
func TestPromisedWords(t *testing.T) {
	m := &rfpragma.Model{Forest: &forest.Forest{Classes: []string{"well", "ill"}, Share: []float64{0.9, 0.1}}}
	m.Provenance.Figures = []rfpragma.ClassFigures{{Recall: &rfpragma.Observed{Value: 1, Rows: 300}}, {Recall: &rfpragma.Observed{Value: 0.9, Rows: 30}}}
	prefs := []pragma.Preference{pragma.Neutral(), pragma.Priority()}
	if words := promisedWords(m, prefs); len(words) != 1 || !strings.HasPrefix(words[0], `"ill" `) || !strings.Contains(words[0], ": recall 90 % ") {
		t.Errorf("%q", words)
	}
	m.Provenance.Reading.Time = "year" // which the trees knew nothing of
	if words := promisedWords(m, prefs); !strings.Contains(words[0], ", past and future mixed: recall ") || !strings.HasSuffix(words[0], "; expect less on later rows.") {
		t.Errorf("in time: %q", words)
	}
	m.Provenance.Votes = vote.Forward
	if words := promisedWords(m, prefs); !strings.HasPrefix(words[0], `"ill" in training, optimistic: recall `) {
		t.Errorf("by votes for later rows: %q", words)
	}
}

// By hand: of 10 ill rows in 100 half are found, and of the alarms a tenth are right: 50 of 100 rows are alarms, which are many by a preference and no more than half by costs; where
// alarms are limited, or half of them are right, nothing is said.
func TestFloodedWords(t *testing.T) {
	for _, tc := range []struct {
		measure   string
		precision float64
		floors    []string
		want      string
	}{
		{"pragma", 0.1, nil, "50 of 100 rows are alarms, and most of them wrong; rfpragma cv shows other choices."},
		{"cost", 0.1, nil, ""},
		{"cost", 0.08, nil, "62 of 100 rows are alarms, and most of them wrong; rfpragma cv shows other choices."},
		{"pragma", 0.5, nil, ""},
		{"pragma", 0.1, []string{"ill:alerts<=0.6"}, ""},
		{"pragma", 0.1, []string{"ill:recall>=0.4"}, "50 of 100 rows are alarms, and most of them wrong; rfpragma cv shows other choices."},
	} {
		m := &rfpragma.Model{Forest: &forest.Forest{Classes: []string{"well", "ill"}, Share: []float64{0.9, 0.1}}}
		of := func(v float64) *rfpragma.Observed { return &rfpragma.Observed{Value: v, Rows: 300} }
		m.Provenance.Measure, m.Provenance.Floors = tc.measure, tc.floors
		m.Provenance.Figures = []rfpragma.ClassFigures{{}, {Share: of(0.1), Recall: of(0.5), Precision: of(tc.precision)}}
		if got := strings.Join(floodedWords(m, []pragma.Preference{pragma.Neutral(), pragma.Priority()}), ""); got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
}

// Large numbers are written out.
func TestSignificant(t *testing.T) {
	for _, tc := range []struct {
		n       float64
		figures int
		want    string
	}{{3000, 3, "3000"}, {18948.89, 2, "19000"}, {0.0405, 2, "0.041"}, {0.04, 2, "0.04"}, {123.4, 3, "123"}, {5.55, 2, "5.5"}, {2e12, 2, "2e+12"}, {0, 2, "0"}} {
		if got := significant(tc.n, tc.figures); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.n, got, tc.want)
		}
	}
}
