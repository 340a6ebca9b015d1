package pragma_test

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// confusion has 10 ill rows, of which 8 are found, with 12 false alarms among 90 well ones.
func confusion() *vote.Confusion {
	m := vote.NewConfusion([]string{"ill", "well"})
	m.Add(0, 0, 8)
	m.Add(0, 1, 2)
	m.Add(1, 0, 12)
	m.Add(1, 1, 78)
	return m
}

func ExampleSpec_Measure() {
	spec := pragma.Spec{"ill": {Theta: 10, X: 0.2, Y: 0.6}, "well": {Theta: 1, X: 0.8, Y: 0.8}}
	m := confusion()
	measure, err := spec.Measure(m.Classes)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", measure.Loss(m))
	_, err = pragma.Spec{"il": pragma.Priority()}.Measure(m.Classes)
	fmt.Println(err)
	// Output:
	// 0.3102
	// unknown class "il"; known are "ill", "well"; did you mean "ill"?
}

func ExamplePreference_AlphaBeta() {
	alpha, beta := pragma.Priority().AlphaBeta()
	fmt.Printf("f(r, p) = 1 %+.1f r %+.1f p\n", alpha, beta)
	// Output: f(r, p) = 1 -0.9 r -0.1 p
}

func ExampleParseSpec() {
	spec, err := pragma.ParseSpec("well:theta=1,x=0.8,y=0.8; ill")
	fmt.Println(spec, err)
	_, err = pragma.ParseSpec("ill:tetha=10,x=0.2,y=0.6")
	fmt.Println(err)
	// Output:
	// ill;well:theta=1,x=0.8,y=0.8 <nil>
	// character 5: unknown key "tetha"; known are "theta", "x", "y"; did you mean "theta"?
}

func ExampleReadSpec() {
	spec, err := pragma.ReadSpec(strings.NewReader(`{"ill": {"theta": 10, "x": 0.2, "y": 0.6}}`), "prefs.json")
	fmt.Println(spec, err)
	_, err = pragma.ReadSpec(strings.NewReader(`{"ill": {"theta": 10, "x": 20}}`), "prefs.json")
	fmt.Println(err)
	// Output:
	// ill:theta=10,x=0.2,y=0.6 <nil>
	// prefs.json:1:28: x = 20 looks like a percentage; write x = 0.2
}

func ExampleParseMeasure() {
	m := confusion()
	for _, name := range []string{"accuracy", "balanced", "f:ill", "f:ill,beta=2", "mcc"} {
		measure, err := pragma.ParseMeasure(name, m.Classes)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-12s %.3f\n", name, measure.Loss(m))
	}
	// Output:
	// accuracy     0.140
	// balanced     0.167
	// f:ill        0.467
	// f:ill,beta=2 0.333
	// mcc          0.500
}

func ExampleReadCosts() {
	text := "actual,predicted_well,predicted_ill\nill,5,0\nwell,0,1\n"
	costs, _, err := pragma.ReadCosts(strings.NewReader(text), "costs.csv", []string{"ill", "well"})
	if err != nil {
		fmt.Println(err)
		return
	}
	cost, err := costs.Measure()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cost.Loss(confusion()), "a row")
	// Output: 0.22 a row
}
