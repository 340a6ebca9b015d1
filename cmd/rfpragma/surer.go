package main

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
)

// most says of which recall the rows of a class make sure at most, where a floor is above that, and what a stricter one is good for all the same; nil where the floor is not, or where rows do not count as what they are.
func (v *verdict) most(f pragma.Floor) []string {
	name := v.classes[f.Class]
	now := v.report.Rules.Tuned.Classes[name]
	n := math.Round(now.Rows)
	if f.What != pragma.RecallFloor || n < 1 || offer.Vouched(n) >= f.Limit || v.report.Groups > 0 || v.report.Weighed {
		return nil
	}
	text := fmt.Sprintf("%s of %q are too few to make sure of %s by any limit: to find all of them would prove no more than %s.",
		english.Plural(int(n), "row"), name, rounded(percent(f.Limit)), percent(math.Floor(1000*offer.Vouched(n))/1000))
	if f.Limit >= offer.StrictRecall {
		return []string{text}
	}
	more := (pragma.Floor{Class: f.Class, What: pragma.RecallFloor, Limit: offer.StrictRecall}).Text(v.classes)
	if s := v.surer; s != nil && s.Floor.Class == f.Class && s.Class.Recall != nil && now.Recall != nil && *s.Class.Recall > *now.Recall {
		found, ends := within100(*s.Class.Recall, s.Class.RecallInterval)
		text += fmt.Sprintf(" A stricter limit finds more all the same: by %s %s of 100 are found (%s)", more, found, ends)
		if s.Class.Precision != nil {
			text += fmt.Sprintf(", and %s of 100 alarms are right", ofHundred(*s.Class.Precision))
		}
		return []string{text + "."}
	}
	return []string{text + " A stricter limit leaves more room all the same, such as " + more + "."}
}
