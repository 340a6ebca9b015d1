package pragma

import (
	"errors"
	"strings"
	"testing"
)

// A measure that was made for other classes is told before it judges: it would panic, or be 1 for ever.
func TestCheckMeasure(t *testing.T) {
	f7, err := F(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := Spec{}.Measure([]string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	curved, err := Spec{}.Shaped([]string{"a", "b", "c"}, -1)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := Costs{Matrix: [][]float64{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}}.Measure()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		m    Measure
		want string
	}{
		"nil":          {nil, "there is no measure"},
		"F of class 7": {f7, "there is no class 7; the 2 classes are counted from 0"},
		"PRAGMA":       {three, "the measure is of 3 classes, where there are 2"},
		"curved":       {curved, "the measure is of 3 classes, where there are 2"},
		"costs":        {costs, "the measure is of 3 classes, where there are 2"},
		"floor":        {Within(Accuracy, Floor{Class: 2}), "there is no class 2"},
		"negative":     {Within(Accuracy, Floor{Class: -1}), "there is no class -1"},
		"beneath":      {Within(three, Floor{Class: 1}), "the measure is of 3 classes, where there are 2"},
	} {
		var spec *SpecError
		if err := CheckMeasure(tc.m, 2); !errors.As(err, &spec) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", name, err, tc.want)
		}
	}
	for _, m := range []Measure{Accuracy, GMean, MCC, Func(mcc), f7, Within(Balanced, Floor{Class: 7})} {
		if err := CheckMeasure(m, 8); err != nil {
			t.Error(err)
		}
	}
	for _, m := range []Measure{three, curved, costs} {
		if err := CheckMeasure(m, 3); err != nil {
			t.Error(err)
		}
	}
}
