package rfpragma_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// The whole way: rows, a preference, a model, its file, and a decision on a new row.
func Example() {
	train := dataset.Fraud(2000, 1)
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	model, err := rfpragma.Fit(context.Background(), train, spec, rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}

	var file bytes.Buffer // model.Save("model.rfp") does this with a file
	if _, err := model.WriteTo(&file); err != nil {
		fmt.Println(err)
		return
	}
	loaded, err := rfpragma.ReadModel(&file)
	if err != nil {
		fmt.Println(err)
		return
	}

	row := make([]float64, len(loaded.Forest.Schema))
	dataset.Fraud(100, 2).Row(row, 5)
	p, err := loaded.Predict(row)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("classes:", loaded.Classes())
	fmt.Println("decision:", p.Class)
	fmt.Println("votes cast:", p.Votes[0]+p.Votes[1])
	fmt.Println("a vote for fraud counts more than one for ok:", loaded.Weights[0] > loaded.Weights[1])
	// Output:
	// classes: [fraud ok]
	// decision: ok
	// votes cast: 200
	// a vote for fraud counts more than one for ok: true
}

// Votes, decisions and probabilities of many rows, and what other weights would decide.
func ExampleModel_Votes() {
	spec := pragma.Spec{"fraud": pragma.Priority()}
	model, err := rfpragma.Fit(context.Background(), dataset.Fraud(1000, 1), spec, rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := model.Votes(context.Background(), dataset.Fraud(1000, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	plain, tuned := table.Confuse(nil), table.Confuse(model.Weights)
	before, _ := plain.Recall(0)
	after, _ := tuned.Recall(0)
	fmt.Println("tuned weights find more fraud on new rows:", after > before)
	// Output: tuned weights find more fraud on new rows: true
}
