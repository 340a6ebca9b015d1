package say

import (
	"fmt"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
)

// flood says that alarms are many and most of them wrong.
func (v Voice) flood(f *finding.Finding) string {
	return fmt.Sprintf("%s of 100 rows are alarms, and most of them wrong.", english.About(100*f.Value("alerts")))
}

// precisionBelow says that x is no limit.
func (v Voice) precisionBelow(f *finding.Finding) string {
	return fmt.Sprintf("Fewer alarms are right than your x, %s: x is no floor, it says what finding all would be worth to you.", wished(f, "x", "precision"))
}

// recallBelow says that y is no limit.
func (v Voice) recallBelow(f *finding.Finding) string {
	return fmt.Sprintf("Fewer are found than your y, %s: y is no floor, it says what alarms that are never wrong would be worth to you.", wished(f, "y", "recall"))
}

// wished names an answer of a preference that a share is below, and admits it where its interval is not.
func wished(f *finding.Finding, answer, share string) string {
	wish, of := f.Value(answer), f.Figures[0]
	text := fmt.Sprintf("%.3g of 100", 100*wish)
	if of.Name == share && of.Interval != nil && of.Interval[1] >= wish {
		text += ", though the range reaches that"
	}
	return text
}

// unstable says what figures are worth that weights make which disagree.
func (v Voice) unstable(f *finding.Finding) string {
	low, high := f.Figures[0].Value, f.Figures[0].Value
	for _, g := range f.Figures {
		low, high = min(low, g.Value), max(high, g.Value)
	}
	return fmt.Sprintf("The folds disagree: on the same votes their weights find from %s to %s of 100 rows of %q, so these figures are those of no single model.",
		english.About(100*low), english.About(100*high), f.Classes[0])
}
