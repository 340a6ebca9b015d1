package pragma_test

import (
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
)

// Before the classes are known the text is checked as it is later.
func TestTextsWithoutClasses(t *testing.T) {
	floor := func(text string, classes []string) error {
		_, err := pragma.ParseFloor(text, classes)
		return err
	}
	cost := func(text string, classes []string) error {
		_, err := pragma.ParseCosts([]string{text, "well=1"}, classes)
		return err
	}
	measure := func(text string, classes []string) error {
		_, err := pragma.Spec(nil).ParseMeasure(text, classes)
		return err
	}
	for _, c := range []struct {
		name  string
		parse func(text string, classes []string) error
		good  []string // with a class that may not be there
		bad   []string
	}{
		{"floor", floor, []string{"ill:recall>=0.9", "*:alerts<=5/100"}, []string{"ill", "ill:recall=0.9", "ill:recal>=0.9",
			"ill:recall>=2", "ill:alerts>=0.5"}},
		{"cost", cost, []string{"ill=10", "ill=0", "ill=0.5*amount"}, []string{"ill", "ill=x", "ill=-1", "well=3"}},
		{"measure", measure, []string{"pragma", "pragma:s=-1", "accuracy", "f:ill", "f:ill,beta=2", "f:*"},
			[]string{"auc", "pragma:x", "pragma:s=x", "f", "f:ill,beta=0", "kappa:ill"}},
	} {
		for _, text := range c.good {
			if err := c.parse(text, nil); err != nil {
				t.Errorf("%s %s: %v", c.name, text, err)
			}
		}
		for _, text := range c.bad {
			early, late := c.parse(text, nil), c.parse(text, []string{"ill", "well"})
			if early == nil || late == nil || early.Error() != late.Error() {
				t.Errorf("%s %s: first %v, later %v", c.name, text, early, late)
			}
		}
	}
	costs, err := pragma.ParseCosts([]string{"ill=amount", "well=5"}, nil)
	if err != nil || !costs.Amounts() {
		t.Errorf("costs by amount: %v, %v", costs, err)
	}
}
