package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
)

// wideWords is a sentence on the ranges of recall and precision of a class on later rows that are too wide to plan with; "" where none is.
func wideWords(recall, precision *eval.Forecast, judged []eval.Block, class string) string {
	wide := func(later *eval.Forecast) bool { return later != nil && later.TooWide }
	ranges := ""
	switch {
	case wide(recall) && wide(precision):
		ranges = "ranges of recall and precision on later rows are"
	case wide(recall):
		ranges = "range of recall on later rows is"
	case wide(precision):
		ranges = "range of precision on later rows is"
	default:
		return ""
	}
	return fmt.Sprintf(" The %s too wide to plan with%s.", ranges, wideWhy(judged, class))
}

// wideWhy goes on with what that means, and with how few rows of the class it comes from.
func wideWhy(judged []eval.Block, class string) string {
	rows := make([]float64, len(judged))
	for i := range judged {
		rows[i] = judged[i].Classes[class].Support
	}
	few, most := rowsText(slices.Min(rows)), rowsText(slices.Max(rows))
	if few != most {
		most = few + " to " + most
	}
	return fmt.Sprintf(", from no better than rows drawn at random to twice that or more: %d blocks were judged, with %s rows of %q each", len(judged), most, class)
}

// whyOnce leaves that to the first line of them that says it of a class.
func whyOnce(judged []eval.Block, classes []string, parts ...[]string) {
	if len(judged) == 0 {
		return
	}
	for _, class := range classes {
		why, said := wideWhy(judged, class), false
		for _, lines := range parts {
			for i, line := range lines {
				if said {
					lines[i] = strings.ReplaceAll(line, why, "")
				}
				said = said || strings.Contains(line, why)
			}
		}
	}
}

// shareIn is how many of the rows of all blocks are of the class.
func shareIn(judged []eval.Block, class string) float64 {
	of, all := 0.0, 0.0
	for i := range judged {
		of, all = of+judged[i].Classes[class].Support, all+rowsIn(&judged[i])
	}
	return of / all
}

// rowsIn is what the judged rows of a block weigh.
func rowsIn(b *eval.Block) float64 { return b.Weight() }

// judgedIn are all but the first; none where rows have no time.
func judgedIn(r *eval.Report) []eval.Block { return r.Judged() }

// laterShares are those of all classes; nil where not two blocks are judged.
func laterShares(r *eval.Report, withheld *withheldInfo) map[string]eval.Later {
	if r.Together == nil {
		return nil
	}
	out := map[string]eval.Later{}
	for name := range r.Rules.Tuned.Classes {
		out[name] = r.Later(name, withheld.decidedIn)
	}
	return out
}
