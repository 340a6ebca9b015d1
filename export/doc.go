// Package export writes a model in forms that other programs decide rows by: a graph of ONNX, JSON, and a statement of
// SQL. Each decides every row as [rfpragma.Model.Predict] does, and gives the same probabilities but for the last
// digits of exp and log.
//
// How a row is decided has two halves in all three forms. Trees count votes. A formula of a few arithmetic steps turns
// the counts into probabilities and the decision. It is made once from the weights, maps, costs and review of the
// model; each form only writes it down.
package export

import (
	"errors"
	"fmt"

	"github.com/rfpragma/rfpragma"
)

// ErrUnsupported is wrapped with what a form cannot express, and what to do about it.
var ErrUnsupported = errors.New("export")

// refuse is an [ErrUnsupported].
func refuse(form string, args ...any) error {
	return fmt.Errorf("%w: "+form, append([]any{ErrUnsupported}, args...)...)
}

// program names who wrote a file.
const program = "rfpragma"

// checked returns the formula of a sound model.
func checked(m *rfpragma.Model) (*formula, error) {
	if m == nil || len(m.Classes()) == 0 {
		return nil, fmt.Errorf("%w: this is no model; make it by Fit, Load or ReadModel", rfpragma.ErrConfig)
	}
	if err := m.Maps.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", rfpragma.ErrConfig, err)
	}
	if m.Forest.Scored() {
		return nil, refuse("the forest is of another program (%s), whose leaves have numbers that add up instead of votes; "+
			"no form of export has such leaves; convert the model of that program itself", m.Provenance.Origin)
	}
	return newFormula(m)
}
