package pragma_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// payments are five votes of ten trees: three frauds of 100, 20 and 5, and two good payments.
func payments() *vote.Table {
	return &vote.Table{
		Classes: []string{"fraud", "good"}, Truth: []int{0, 0, 0, 1, 1}, Source: vote.External, Trees: 10,
		Counts: []uint32{6, 4, 4, 6, 1, 9, 5, 5, 0, 10},
		Amount: []float64{100, 20, 5, 70, 30}, Weight: []float64{1, 2, 1, 1, 1}, Share: []float64{0.6, 0.4},
	}
}

// A missed fraud costs its amount, a false alarm 5. By hand: the majority vote (ties to fraud, which has the larger
// share) misses 2 × 20 and 5 and alarms once in vain, 50 in all; all as good lose 100 + 40 + 5, all as fraud 2 × 5.
func TestCostsByAmount(t *testing.T) {
	table := payments()
	costs, err := pragma.ParseCosts([]string{"fraud=amount", "good=5"}, table.Classes)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pragma.Costs{Matrix: [][]float64{{0, 1}, {5, 0}}, ByAmount: []bool{true, false}},
		costs); diff != "" {
		t.Fatal(diff)
	}
	staked, err := costs.Stakes(table)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{100, 40, 5, 1, 1}, staked.Weight); diff != "" {
		t.Errorf("stakes (-want +got)\n%s", diff)
	}
	m := staked.Confuse(nil)
	if got := costs.Total(m); got != 50 {
		t.Errorf("total %v, want 50", got)
	}
	measure, err := costs.Measure()
	if err != nil || measure.Loss(m) != 50 {
		t.Errorf("loss %v, %v, want 50", measure.Loss(m), err)
	}
	if diff := cmp.Diff(map[string]float64{"fraud": 10, "good": 145}, costs.Always(m)); diff != "" {
		t.Errorf("always (-want +got)\n%s", diff)
	}
	// the mean amount of a fraud is (100 + 2·20 + 5)/4 = 36.25
	if diff := cmp.Diff(vote.Weights{36.25, 5}, costs.Weights(tables.MeanAmounts(table))); diff != "" {
		t.Errorf("weights (-want +got)\n%s", diff)
	}
	table.Amount = nil
	if _, err := costs.Stakes(table); !errors.Is(err, vote.ErrShape) {
		t.Errorf("without amounts: %v", err)
	}
}

// Elkan 2001: with two classes the threshold of least cost is c(alarm)/(c(alarm) + c(miss)), where the costs of
// right decisions are taken away. With three, and errors on a class that all cost the same, the Bayes decision.
func TestCostWeights(t *testing.T) {
	w := pragma.Costs{Matrix: [][]float64{{1, 10}, {2, 0.5}}}.Weights(nil)
	if threshold := w[1] / (w[0] + w[1]); math.Abs(threshold-1.5/10.5) > 1e-15 {
		t.Errorf("threshold %v, want %v", threshold, 1.5/10.5)
	}
	if diff := cmp.Diff(vote.Weights{4, 2, 4e-9}, pragma.Costs{Matrix: [][]float64{{0, 4, 4}, {2, 0, 2},
		{0, 0, 0}}}.Weights(nil)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(vote.Weights{1, 1}, pragma.Costs{Matrix: [][]float64{{3, 3}, {3, 3}}}.Weights(nil)); diff != "" {
		t.Errorf("errors are free (-want +got)\n%s", diff)
	}
}

func TestParseCosts(t *testing.T) {
	classes := []string{"a", "b=c"}
	got, err := pragma.ParseCosts([]string{" a = 0.02*amount", "b=c=7"}, classes)
	if diff := cmp.Diff(pragma.Costs{Matrix: [][]float64{{0, 0.02}, {7, 0}}, ByAmount: []bool{true, false}},
		got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if got, err = pragma.ParseCosts([]string{"a=3"}, classes); err != nil || got.ByAmount != nil || got.Matrix[1][0] != 1 {
		t.Errorf("a=3: %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"a":                                `"a" is no cost; write CLASS=COST, such as fraud=amount or good=5`,
		"c=1":                              `unknown class "c"`,
		"a=1;a=2":                          `class "a" is given two costs; remove one`,
		"a=-1":                             `class "a": the cost -1 is negative; write what a wrong decision costs, 0 or more`,
		"a=NaN":                            `class "a": "NaN" is not a number`,
		"a=3.000":                          `class "a": "3.000" may be 3 or 3000; write the one that is meant`,
		"a=1.5e0*amount;b=c=12.500*amount": `class "b=c": "12.500" may be 12.5 or 12500; write the one that is meant`,
		"a=":                               `class "a": a number is missing`,
		"a=amounts":                        `class "a": "amounts" is not a number`,
		"a=-amount":                        `class "a": "-amount" is no cost; write a number, amount, or a part of it such as 0.02*amount`,
		"a=-1*amount":                      `class "a": the cost -1 is negative`,
		"a=0;b=c=0":                        `all costs are 0`,
	} {
		_, err := pragma.ParseCosts(strings.Split(text, ";"), classes)
		var bad *pragma.SpecError
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// FuzzParseCosts: what is read is a measure, and errors are one line.
func FuzzParseCosts(f *testing.F) {
	for _, seed := range []string{"a=amount", "a=0.5*amount;b=5", "a=1e300;b=0", "a= 3 * amount", "b==1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		classes := []string{"a", "b"}
		c, err := pragma.ParseCosts(strings.Split(text, ";"), classes)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("the error is not one line: %q", err)
			}
			return
		}
		m, err := c.Measure()
		if err != nil {
			t.Fatal(err)
		}
		counts := vote.NewConfusion(classes)
		counts.Add(0, 1, 2)
		counts.Add(1, 1, 3)
		if loss := m.Loss(counts); !(loss >= 0) {
			t.Fatalf("%+v: loss %v", c, loss)
		}
	})
}

// Where no costs were given nothing is warned of, whatever the number of classes.
func TestNoCostsWarnOfNothing(t *testing.T) {
	for _, classes := range [][]string{nil, {"a", "b"}, {"a", "b", "c"}} {
		if got := (pragma.Costs{}).Warnings(classes); got != nil {
			t.Errorf("%d classes: %v", len(classes), got)
		}
	}
	if got := (pragma.Costs{Matrix: [][]float64{{0, 1}, {1, 0}}}).Warnings([]string{"a", "b", "c"}); len(got) != 1 {
		t.Errorf("costs of two of three classes: %v", got)
	}
}
