package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
)

// Where several classes are dear to miss, one number for each says that taking one for another is as bad, and a
// table says otherwise.
func TestCostsOfKind(t *testing.T) {
	classes := []string{"bearing", "none", "valve"}
	const said = `So taking "bearing" for "valve" costs 20000 as well; where it should cost less, give a table with --costs.`
	for text, want := range map[string]bool{"bearing=20000,valve=20000,none=150": true,
		"bearing=20000,valve=150,none=150": false, "bearing=2,valve=2,none=2": false} {
		costs, err := pragma.ParseCosts(strings.Split(text, ","), classes)
		if err != nil {
			t.Fatal(err)
		}
		if got := costWords(classes, costs, 0); slices.Contains(got, said) != want {
			t.Errorf("%s: %q, said: %v, want %v", text, got, !want, want)
		}
	}
}
