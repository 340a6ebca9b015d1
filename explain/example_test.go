package explain_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// payments is a model of made-up payments; in a program it comes from rfpragma.Load.
func payments() (*rfpragma.Model, *dataset.Frame) {
	train := dataset.Fraud(2000, 1)
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	config := rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}, TuneForest: rfpragma.TuneOff}
	model, err := rfpragma.Fit(context.Background(), train, spec, config)
	if err != nil {
		log.Fatal(err)
	}
	return model, train
}

func ExampleNew() {
	model, train := payments()

	explainer, err := explain.New(context.Background(), model, train, explain.Options{Class: "fraud"})
	if err != nil {
		log.Fatal(err)
	}
	rows := dataset.Fraud(1000, 2).Take([]int{274}) // in a program: read with dataset.Options{Schema: model.Forest.Schema}
	parts, err := explainer.Rows(context.Background(), rows)
	if err != nil {
		log.Fatal(err)
	}
	share := explainer.Base
	for j, part := range parts[0] {
		share += part
		if math.Abs(part) > 0.05 {
			fmt.Printf("%s: %+.3f\n", model.Forest.Schema[j].Name, part)
		}
	}
	fmt.Printf("from %.3f of the votes to %.3f\n", explainer.Base, share)
	// Output:
	// amount: +0.225
	// days_since_last: +0.074
	// purchases_24h: +0.118
	// spent_24h: +0.289
	// from 0.016 of the votes to 0.835
}

func ExampleNearest() {
	model, _ := payments()

	row, _, err := model.Row(map[string]any{
		"amount": "890.00", "hour": "3", "weekday": "6", "distance_km": "", "days_since_last": "", "purchases_24h": "11",
		"spent_24h": "2310.4", "account_age_days": "900", "failed_pins": "0", "channel": "online", "country": "overseas", "merchant": "travel",
	})
	if err != nil {
		log.Fatal(err)
	}
	change, err := explain.Nearest(context.Background(), model, row, explain.ChangeOptions{Keep: []string{"account_age_days"}})
	if err != nil {
		log.Fatal(err)
	}
	if change == nil {
		fmt.Println("no two cells turn it")
		return
	}
	for _, c := range change.Cells {
		fmt.Printf("%s: %s instead of %s\n", c.Column, c.Value, c.Was)
	}
	fmt.Println("then it is", change.Class)
	// Output:
	// amount: 220 instead of 890
	// spent_24h: 1007 instead of 2310.4
	// then it is ok
}
