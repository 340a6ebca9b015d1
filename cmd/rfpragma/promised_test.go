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
		if len(words) != 1 || !strings.Contains(words[0], `"ill" `) || strings.Contains(words[0], "not of the same kind") != tc.want {
			t.Errorf("a recall of %v: %q", tc.recall, words)
		}
	}
}
