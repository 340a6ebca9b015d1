package cli

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/note"
)

// In JSON warnings are what stderr has, and the figures behind them are among the words.
func TestRemarksTellAll(t *testing.T) {
	p := &Program{Warned: []error{fmt.Errorf("in 2 of 3 trainings: %w",
		note.New("no gain").With(note.New("The loss is %v.", note.Of("%.1f", 0.5)))), errors.New("few rows")}}
	got := p.Remarks([]string{"Nothing is gained."})
	if !slices.Equal(got.Warnings, []string{"in 2 of 3 trainings: no gain", "few rows"}) || !slices.Equal(got.Words,
		[]string{"Nothing is gained.", "The loss is 0.5."}) {
		t.Errorf("the remarks are %q", got)
	}
}
