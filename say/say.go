// Package say puts findings into English: one sentence for each code. What may be done about a finding is not in the
// sentence, as each front end words it in its own terms: flags, fields of a request, buttons.
package say

import (
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/say"
	"github.com/rfpragma/rfpragma/pragma"
)

// Voice is what all sentences about a result take for known. The zero value speaks of new rows by a preference.
type Voice struct {
	Classes  []string       // all classes
	First    string         // name of the class that matters most; "" if none does
	Measure  string         // name of the measure, as in pragma.Goal
	Amounts  bool           // costs are by amount
	Costs    string         // what the costs are called where others stand beside them, such as "the costs of the model"; "" where none do
	Floors   []pragma.Floor // what is required, as it was written
	Weighed  bool           // rows have case weights
	Unstable bool           // the folds disagree, so that figures are of no single model
	Fixed    bool           // the decisions are those of a model as it is, or of weights that were given
}

// About returns the voice for results by a goal.
func About(g pragma.Goal) Voice { return Voice(say.About(g)) }

// Short returns a sentence that says what was found; "" for a code that this version does not know.
func (v Voice) Short(f *finding.Finding) string { return say.Voice(v).Short(f) }

// Explain returns what a code means and what to do, in general, as docs/findings.md has it.
func Explain(code finding.Code) (means, do string) { return say.Explain(code) }
