package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/report"
)

// A page on how a model decides rows that it has not seen: one file, with its charts.
func ExampleNew() {
	ctx, spec := context.Background(), pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	model, err := rfpragma.Fit(ctx, dataset.Fraud(2000, 1), spec, rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}})
	if err != nil {
		log.Fatal(err)
	}
	votes, err := model.Votes(ctx, dataset.Fraud(3000, 2))
	if err != nil {
		log.Fatal(err)
	}
	judged, err := model.Evaluate(ctx, votes, anneal.Search{})
	if err != nil {
		log.Fatal(err)
	}
	measure, err := model.Measure()
	if err != nil {
		log.Fatal(err)
	}
	page, err := report.New(ctx, report.Input{Eval: judged, Spec: spec, Measure: model.Provenance.Measure, Loss: measure, Weights: model.Weights})
	if err != nil {
		log.Fatal(err)
	}
	page.Title = "Frauds of the second month"
	var file bytes.Buffer // in a program: file, err := os.Create("page.html")
	if err := page.WriteHTML(&file); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.HasPrefix(file.Bytes(), []byte("<!doctype html>")), bytes.Contains(file.Bytes(), []byte(page.Title)))
	// Output:
	// true true
}
