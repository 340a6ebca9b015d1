package anneal_test

import (
	"context"
	"fmt"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func ExampleSearch_Weights() {
	votes := &vote.Table{
		Classes: []string{"ill", "well"},
		Truth:   []int{0, 0, 0, 1, 1, 1, 1, 1},
		Counts:  []uint32{7, 3, 4, 6, 3, 7, 4, 6, 1, 9, 1, 9, 0, 10, 0, 10},
		Share:   []float64{0.375, 0.625},
		Source:  vote.CV,
		Trees:   10,
	}
	spec := pragma.Spec{"ill": {Theta: 10, X: 0.2, Y: 0.6}}
	measure, err := spec.Measure(votes.Classes)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := anneal.Search{}.Weights(context.Background(), votes, measure)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("weights %.2f, the first between %.2f and %.2f\n", r.Weights, r.Low[0], r.High[0])
	fmt.Printf("loss %.3f, of the plain vote %.3f, by %v\n", r.Loss, r.Plain, r.Method)
	recall, _ := votes.Confuse(r.Weights).Recall(0)
	fmt.Printf("ill found: %.0f%%\n", 100*recall)
	fmt.Println(r.Warnings[0])
	// Output:
	// weights [3.67 1.00], the first between 2.33 and 9.00
	// loss 0.085, of the plain vote 0.417, by exact
	// ill found: 100%
	// class "ill" has few rows, 3 instead of at least 50 (others with few: 1): the weights may follow chance; more rows would help
}

func ExampleParseMethod() {
	fmt.Println(anneal.ParseMethod("coordinates"))
	_, err := anneal.ParseMethod("exakt")
	fmt.Println(err)
	// Output:
	// coordinates <nil>
	// search cannot be set so: unknown method "exakt"; known are "auto", "exact", "coordinates", "annealing"; did you mean "exact"?
}
