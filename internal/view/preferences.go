package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
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
	rest    string // what the classes are where they are many: all, or those that no one singled out; else ""
}

// MostNamed is how many classes that matter most are named one by one.
const MostNamed = 3

// longestList is how wide a list of classes may be in a table, where a wider one would be cut amid its names.
const longestList = 20

// called names the classes: in one line, or if they are too wide for that a line for each. Of many it says what they
// are, or names some.
func (w sharedPreference) called() []string {
	n := len(w.classes)
	switch all := english.First(w.classes); {
	case layout.DisplayWidth(all) <= longestList:
		return []string{all}
	case n <= MostNamed+1:
		return w.classes
	case w.rest != "":
		return []string{w.rest}
	}
	return append(slices.Clone(w.classes[:MostNamed]), fmt.Sprintf("and %d more", n-MostNamed))
}

// distinct returns the different preferences, the most important first, and of equals those that few classes have.
// What comes last is that of the others where more classes have it than any other.
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
	last := len(out) - 1
	n := len(out[last].classes)
	switch {
	case last == 0:
		out[last].rest = fmt.Sprintf("all %d classes", n)
	case !slices.ContainsFunc(out[:last], func(w sharedPreference) bool { return len(w.classes) >= n }):
		out[last].rest = fmt.Sprintf("the other %d classes", n)
	}
	return out
}

// Worth is how many points of precision a point of recall is worth, α/β.
func Worth(f pragma.Preference) float64 { return (1 - f.X) / (1 - f.Y) }

// showPreferences says what outcomes the preferences declare equally good, a line for each different one. The
// measure is what the weights are searched for.
func showPreferences(to *layout.Page, classes []string, prefs []pragma.Preference, measure string) {
	shaped := strings.HasPrefix(measure, "pragma:") // what is between the ends is another curve
	to.Say("By this preference these outcomes of a class, recall at precision, are equally good:")
	g := &layout.Grid{Head: []string{"class", "importance", "all found", "no false alarm"}}
	if !shaped {
		g.Head = []string{"class", "importance", "all found", "midway", "no false alarm", "1 point of recall ="}
	}
	for _, f := range distinct(classes, prefs) {
		theta, all, none := fmt.Sprintf("%g", f.Theta), Exchange(1, f.X), Exchange(f.Y, 1)
		for _, name := range f.called() {
			if shaped {
				g.Add(name, theta, all, none)
			} else {
				g.Add(name, theta, all, Exchange((1+f.Y)/2, (1+f.X)/2), none, fmt.Sprintf("%.3g of precision", Worth(f.Preference)))
			}
		}
	}
	to.Table(g)
}

// Exchange shows a recall at a precision.
func Exchange(recall, precision float64) string {
	return fmt.Sprintf("%.3g %% at %.3g %%", 100*recall, 100*precision)
}
