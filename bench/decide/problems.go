package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
)

// problem is a set with what decisions on it cost.
type problem struct {
	name    string
	file    string // under the folder of the data; "" for made-up payments
	made    int    // number of these
	classes []string
	costs   [][]float64 // in the order of classes, a line for each true one
	amount  string      // column of the amount
	by      []bool      // by true class, whether costs are for each unit of it
	rows    int         // how many are taken, evenly spread; 0 for all
	options dataset.Options
}

// problems are those of the study. Costs are made up but for those of german_credit, which come with the set.
var problems = []problem{
	{name: "german_credit, 5 to 1", file: "german_credit/german_credit.csv", classes: []string{"1", "2"}, costs: [][]float64{{0, 1}, {5, 0}}},
	{
		name: "german_credit, by amount", file: "german_credit/german_credit.csv", classes: []string{"1", "2"},
		costs: [][]float64{{0, 300}, {0.75, 0}}, amount: "amount", by: []bool{false, true},
	},
	{name: "fraud, by amount", made: 10000, classes: []string{"fraud", "ok"}, costs: [][]float64{{0, 1}, {5, 0}}, amount: "amount", by: []bool{true, false}},
	{
		name: "fraud, by amount, alerts cost", made: 10000, classes: []string{"fraud", "ok"},
		costs: [][]float64{{0.1, 1}, {5, 0}}, amount: "amount", by: []bool{true, false},
	},
	{
		name: "fraud_simulated, by amount", file: "fraud_simulated/fraud_simulated.csv.gz", rows: 20000,
		classes: []string{"0", "1"}, costs: [][]float64{{0, 5}, {1, 0}}, amount: "tx_amount", by: []bool{false, true},
	},
	{ // to call a long job fast is worse than the reverse
		name: "hpc_jobs", file: "hpc_jobs/hpc_jobs.csv", classes: []string{"VF", "F", "M", "L"},
		costs:   [][]float64{{0, 1, 5, 10}, {1, 0, 5, 5}, {5, 5, 0, 1}, {10, 10, 5, 0}},
		options: dataset.Options{Categorical: []string{"protocol", "day"}},
	},
	{ // between good and poor lies fair: a class that is cheap to name and dear to miss by two
		name: "wine, three marks", file: "wine_quality_white/wine_quality_white.csv", classes: []string{"poor", "fair", "good"},
		costs:   [][]float64{{0, 2, 20}, {1, 0, 3}, {8, 2, 0}},
		options: dataset.Options{Merge: map[string][]string{"poor": {"3", "4"}, "fair": {"5", "6"}, "good": {"7", "8", "9"}}},
	},
	{
		name: "vehicle", file: "vehicle/vehicle.csv", classes: []string{"bus", "opel", "saab", "van"},
		costs: [][]float64{{0, 8, 8, 2}, {4, 0, 1, 3}, {4, 1, 0, 3}, {1, 6, 6, 0}},
	},
	{ // a visit (1) for whichever disorder, and a wrong treatment (4)
		name: "ann_thyroid", file: "ann_thyroid/ann_thyroid.csv", classes: []string{"1", "2", "3"},
		costs: [][]float64{{0, 4, 30}, {4, 0, 10}, {2, 1, 0}},
	},
	{
		name: "satimage", file: "satimage/satimage.csv", classes: []string{"1", "2", "3", "4", "5", "7"},
		costs: [][]float64{{0, 5, 2, 2, 5, 3}, {5, 0, 5, 5, 1, 5}, {2, 5, 0, 1, 5, 2}, {6, 9, 3, 0, 6, 1}, {5, 1, 5, 3, 0, 2}, {3, 5, 2, 1, 2, 0}},
	},
}

// read returns the rows, with their amounts, and the costs in the order of their classes.
func (p *problem) read(folder string) (*dataset.Frame, pragma.Costs, error) {
	frame := dataset.Fraud(p.made, 1)
	if p.file != "" {
		path := filepath.Join(folder, p.file)
		f, err := os.Open(path)
		if err != nil {
			return nil, pragma.Costs{}, err
		}
		defer f.Close()
		o := p.options
		o.Target, o.Amount = "class", p.amount
		if frame, err = dataset.ReadCSV(f, path, o); err != nil {
			return nil, pragma.Costs{}, err
		}
	} else {
		at := slices.IndexFunc(frame.Columns, func(c dataset.Column) bool { return c.Name == p.amount })
		frame.Amount = frame.Columns[at].Values
	}
	if n := frame.Rows(); p.rows > 0 && p.rows < n {
		rows := make([]int, p.rows)
		for i := range rows {
			rows[i] = i * n / p.rows
		}
		frame = frame.Take(rows)
	}
	k := len(frame.Classes)
	costs := pragma.Costs{Matrix: make([][]float64, k)}
	if p.by != nil {
		costs.ByAmount = make([]bool, k)
	}
	for c, name := range p.classes {
		truth := slices.Index(frame.Classes, name)
		if truth < 0 || len(p.classes) != k {
			return nil, costs, fmt.Errorf("the classes are %q, and costs are of %q", frame.Classes, p.classes)
		}
		costs.Matrix[truth] = make([]float64, k)
		for d, name := range p.classes {
			costs.Matrix[truth][slices.Index(frame.Classes, name)] = p.costs[c][d]
		}
		if p.by != nil {
			costs.ByAmount[truth] = p.by[c]
		}
	}
	_, err := costs.Measure()
	return frame, costs, err
}
