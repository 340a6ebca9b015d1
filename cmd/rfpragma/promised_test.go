package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// What new rows should be like is told of classes that have rows enough to tell.
func TestPromisedWords(t *testing.T) {
	for _, tc := range []struct {
		recall rfpragma.Observed
		want   bool
	}{{rfpragma.Observed{Value: 0, Rows: 1}, false}, {rfpragma.Observed{Value: 0.9, Rows: 29}, false}, {rfpragma.Observed{Value: 0.9, Rows: 30}, true}, {rfpragma.Observed{Value: 0, Rows: 3000}, false}} {
		m := &rfpragma.Model{Forest: &forest.Forest{Classes: []string{"well", "ill"}, Share: []float64{0.9, 0.1}}}
		m.Provenance.Figures = []rfpragma.ClassFigures{{Recall: &rfpragma.Observed{Value: 1, Rows: 300}}, {Recall: &tc.recall}}
		words := promisedWords(m, []pragma.Preference{pragma.Neutral(), pragma.Priority()})
		if len(words) != 1 || !strings.Contains(words[0], `"ill" `) || strings.Contains(words[0], "something has changed") != tc.want {
			t.Errorf("a recall of %v: %q", tc.recall, words)
		}
		m.Provenance.Ordered = []string{"year"} // of later rows less is expected
		if words := promisedWords(m, []pragma.Preference{pragma.Neutral(), pragma.Priority()}); len(words) != 1 || strings.Contains(words[0], "something has changed") {
			t.Errorf("a recall of %v, in the order of time: %q", tc.recall, words)
		}
		m.Provenance.Ordered = nil
		m.Provenance.Reading.Time = "year" // which the trees knew nothing of
		if words := promisedWords(m, []pragma.Preference{pragma.Neutral(), pragma.Priority()}); !strings.Contains(words[0], ", past and future mixed: recall ") || !strings.HasSuffix(words[0], "; expect less on later rows.") {
			t.Errorf("in time, a recall of %v: %q", tc.recall, words)
		}
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
