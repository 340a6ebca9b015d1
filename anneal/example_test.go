package anneal_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func ExampleSearch_Weights() {
	votes := &vote.Table{
		Classes: []string{"ill", "well"},
		Truth:   slices.Repeat([]int{0, 0, 0, 1, 1, 1, 1, 1}, 20),
		Counts:  slices.Repeat([]uint32{7, 3, 4, 6, 3, 7, 4, 6, 1, 9, 1, 9, 0, 10, 0, 10}, 20),
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
	// Output:
	// weights [4.58 1.00], the first between 2.33 and 9.00
	// loss 0.085, of the plain vote 0.417, by exact
	// ill found: 100%
}

func ExampleParseMethod() {
	fmt.Println(anneal.ParseMethod("coordinates"))
	_, err := anneal.ParseMethod("exakt")
	fmt.Println(err)
	// Output:
	// coordinates <nil>
	// search cannot be set so: unknown method "exakt"; known are "auto", "exact", "coordinates", "annealing"; did you mean "exact"?
}
