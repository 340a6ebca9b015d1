package rfpragma_test

import (
	"context"
	"fmt"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
	"github.com/rfpragma/rfpragma/vote"
)

// What a cross-validation finds, as values to act on and as sentences.
func Example_findings() {
	rows := dataset.Fraud(3000, 1)
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	report, err := rfpragma.CrossValidate(context.Background(), rows, spec,
		rfpragma.Config{Forest: forest.Config{Trees: 100}}, eval.Config{Folds: 5, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	goal, err := spec.Goal(rows.Classes, vote.TieOrder(rows.ClassWeights(), rows.FirstRows()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range assess.Findings(&assess.Subject{Goal: goal, Report: report}) {
		fmt.Printf("%s (%s): %s\n", f.Code, f.Grade, say.About(goal).Short(&f))
	}
	// Output:
	// gain.inconclusive (caution): Tuning does not beat the plain vote beyond noise: the loss is 0.2940 instead of 0.3776 (two standard errors are 0.088).
	// baseline.worse (note): Weights by one over the share of a class (prior) do worse, but not beyond noise, than the tuned ones: the loss is 0.3377 instead of 0.2940 (two standard errors are 0.052).
	// constant.worse (note): Without a model, all as "fraud", the loss is 0.3877 instead of 0.2940.
}
