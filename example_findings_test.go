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
)

// What a cross-validation finds, as values to act on and as sentences.
func Example_findings() {
	rows := dataset.Fraud(3000, 1)
	spec := pragma.Spec{"fraud": pragma.Find()}
	report, err := rfpragma.CrossValidate(context.Background(), rows, spec,
		rfpragma.Config{Forest: forest.Config{Trees: 100}}, eval.Config{Folds: 5, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range assess.Findings(&assess.Subject{Report: report, Frame: rows}) {
		fmt.Printf("%s (%s): %s\n", f.Code, f.Grade, say.About(report.Goal).Sentence(&f))
	}
	// Output:
	// folds.spread (caution): Trainings differ: plan for 33 to 47 alarms for "fraud" per 1,000 rows.
	// gain.proved (note): Tuning beats the plain vote: the loss is 0.2326 instead of 0.4443 (two standard errors are 0.1).
	// baseline.equal (note): Weights by one over the share of a class (prior) do as well, but for noise, as the tuned ones: the loss is 0.2886 instead of 0.2326 (two standard errors are 0.057).
	// constant.worse (note): Without a model, all as "fraud", the loss is 0.7870 instead of 0.2326.
}
