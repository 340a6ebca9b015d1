package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/pragma"
)

// PreferenceInfo is a preference in JSON.
type PreferenceInfo struct {
	pragma.Preference
	Alpha float64 `json:"alpha"` // what a recall of 1 takes from the loss of the class, below 0
	Beta  float64 `json:"beta"`  // what a precision of 1 takes from it; with alpha -1
}

// sharedPreference are a preference and the classes that have it.
type sharedPreference struct {
	pragma.Preference
	classes []string
}

// MostNamed is how many classes that matter most are named one by one.
const MostNamed = 3

// distinct returns the different preferences, the most important first, and of equals those that few classes have.
func distinct(classes []string, prefs []pragma.Preference) []sharedPreference {
	var out []sharedPreference
	for c, name := range classes {
		at := slices.IndexFunc(out, func(w sharedPreference) bool { return w.Preference == prefs[c] })
		if at < 0 {
			at, out = len(out), append(out, sharedPreference{Preference: prefs[c]})
		}
		out[at].classes = append(out[at].classes, name)
	}
	slices.SortStableFunc(out, func(a, b sharedPreference) int {
		return cmp.Or(cmp.Compare(b.Theta, a.Theta), cmp.Compare(len(a.classes), len(b.classes)))
	})
	return out
}

// Worth is how many points of precision a point of recall is worth, α/β.
func Worth(f pragma.Preference) float64 { return (1 - f.X) / (1 - f.Y) }

// Exchange shows a recall at a precision.
func Exchange(recall, precision float64) string {
	return fmt.Sprintf("%.3g %% at %.3g %%", 100*recall, 100*precision)
}
