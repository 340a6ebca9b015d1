package rfpragma_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// payments is the model of a small forest, as the service examples load it.
func payments() *rfpragma.Model {
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	config := rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}, TuneForest: rfpragma.TuneOff}
	model, err := rfpragma.Fit(context.Background(), dataset.Fraud(2000, 1), spec, config)
	if err != nil {
		log.Fatal(err)
	}
	return model
}

// Training from a file, and saving the model.
func ExampleFit() {
	var file bytes.Buffer // in a program: file, err := os.Open("payments.csv")
	if err := dataset.WriteCSV(&file, dataset.Fraud(2000, 1), "class"); err != nil {
		log.Fatal(err)
	}
	train, err := dataset.ReadCSV(&file, "payments.csv", dataset.Options{Target: "class"})
	if err != nil {
		log.Fatal(err) // says where, what, and how to mend it
	}
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	config := rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}} // the zero value is ready: 500 trees
	model, err := rfpragma.Fit(context.Background(), train, spec, config)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range model.Warnings {
		fmt.Println("warning:", w)
	}
	folder, err := os.MkdirTemp("", "rfpragma")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := model.Save(folder + "/model.rfp"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Forest.Trees(), "trees for", model.Classes())
	// Output:
	// warning: class "fraud" has few rows, 31 instead of at least 50: the weights may follow chance; more rows would help
	// 200 trees for [fraud ok]
}

// A row is texts by the name of their column, as in a file; an empty one is missing.
func ExampleModel_Predict() {
	model := payments() // in a service: model, err := rfpragma.Load("model.rfp")

	row, warnings, err := model.Row(map[string]any{
		"amount": "890.00", "hour": "3", "weekday": "6", "distance_km": "", "days_since_last": "", "purchases_24h": "11",
		"spent_24h": "2310.4", "account_age_days": "900", "failed_pins": "0", "channel": "online", "country": "overseas", "merchant": "travel",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range warnings { // categories and columns that the training did not have
		log.Print(w)
	}
	p, err := model.Predict(row)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Class)
	fmt.Println("honest is likelier, and yet a missed fraud is worse:", p.Probabilities[1] > p.Probabilities[0])
	// Output:
	// fraud
	// honest is likelier, and yet a missed fraud is worse: true
}

// Why a row is decided so: the cells without which the votes for the decision fall most.
func ExampleModel_Reasons() {
	model := payments()

	row, _, err := model.Row(map[string]any{
		"amount": "890.00", "hour": "3", "weekday": "6", "distance_km": "", "days_since_last": "", "purchases_24h": "11",
		"spent_24h": "2310.4", "account_age_days": "900", "failed_pins": "0", "channel": "online", "country": "overseas", "merchant": "travel",
	})
	if err != nil {
		log.Fatal(err)
	}
	p, err := model.Predict(row)
	if err != nil {
		log.Fatal(err)
	}
	reasons, err := model.Reasons(row, p.Class, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Class, p.Votes[0], "votes")
	for _, r := range reasons {
		fmt.Printf("%s=%s: %v fewer votes without it\n", r.Column, r.Value, r.Votes)
	}
	// Output:
	// fraud 100 votes
	// spent_24h=2310.4: 35 fewer votes without it
	// amount=890: 28 fewer votes without it
	// hour=3: 8 fewer votes without it
}

// A category or a column that the training did not have is told.
func ExampleModel_Row() {
	model := payments()

	_, warnings, err := model.Row(map[string]any{
		"amount": "890.00", "hour": "3", "weekday": "6", "distance_km": "", "days_since_last": "", "purchases_24h": "11",
		"spent_24h": "2310.4", "account_age_days": "900", "failed_pins": "0", "channel": "Online", "country": "overseas", "merchant": "travel",
		"currency": "EUR",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range warnings {
		fmt.Println(w)
	}
	// Output:
	// column "channel": category "Online" unseen in training taken as missing
	// column unknown to the model ignored: "currency"
}

// A service takes rows as JSON: an object of numbers, texts and nulls by column. What is wrong with a row is told all at
// once.
func ExampleModel_Row_json() {
	model := payments()
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var cells map[string]any
		if err := json.NewDecoder(r.Body).Decode(&cells); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		row, _, err := model.Row(cells)
		var faults *rfpragma.RowError
		if errors.As(err, &faults) { // which cells, and how to mend them
			w.WriteHeader(http.StatusUnprocessableEntity)
			_ = json.NewEncoder(w).Encode(faults)
			return
		}
		p, err := model.Predict(row)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(p)
	})
	ask := func(body string) string {
		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
		return answer.Body.String()
	}
	var p rfpragma.Prediction
	answer := ask(`{"amount": 890, "hour": 3, "weekday": 6, "distance_km": null, "days_since_last": null, "purchases_24h": 11,
	"spent_24h": 2310.4, "account_age_days": 900, "failed_pins": 0, "channel": "online", "country": "overseas", "merchant": "travel"}`)
	if err := json.Unmarshal([]byte(answer), &p); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Class)
	fmt.Print(ask(`{"amount": "a lot", "hour": 3, "weekday": 6, "distance_km": null, "days_since_last": null, "purchases_24h": 11,
	"spent_24h": 2310.4, "account_age_days": 900, "failed_pins": 0, "channel": "online", "country": "overseas"}`))
	// Output:
	// fraud
	// {"cells":[{"column":"amount","value":"a lot","reason":"\"a lot\" is not a number; write digits, with a point if need be"},{"column":"merchant","value":"","reason":"its cell is not given; let it be empty or null if it is missing"}]}
}

// A loop that keeps its slices reads the cells by itself and decides from raw votes.
func ExampleModel_Decide() {
	model := payments()
	columns := []string{"amount", "hour", "weekday", "distance_km", "days_since_last", "purchases_24h", "spent_24h", "account_age_days",
		"failed_pins", "channel", "country", "merchant"}
	reader, _, err := model.RowReader(columns)
	if err != nil {
		log.Fatal(err)
	}
	row, cells := make([]float64, len(model.Forest.Schema)), make([]dataset.Cell, len(columns))
	votes, probabilities := make([]uint32, len(model.Classes())), make([]float64, len(model.Classes()))
	for _, payment := range [][]string{
		{"890.00", "3", "6", "", "", "11", "2310.4", "900", "0", "online", "overseas", "travel"},
		{"12.50", "17", "2", "1.5", "3", "1", "12.50", "1800", "0", "chip", "home", "grocery"},
	} {
		for j, text := range payment {
			cells[j] = dataset.TextCell(text) // or NumberCell
		}
		if _, err := reader.Read(row, cells); err != nil {
			log.Fatal(err)
		}
		clear(votes)
		model.Forest.Vote(votes, row)
		model.Probabilities(probabilities, votes)
		fmt.Printf("%s, with probability %.2f of fraud\n", model.Classes()[model.Decide(votes)], probabilities[0])
	}
	// Output:
	// fraud, with probability 0.47 of fraud
	// ok, with probability 0.00 of fraud
}

// savedPayments saves the model of payments into a new file, and returns its path and a payment.
func savedPayments() (path string, payment map[string]any) {
	folder, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	path = folder + "/model.rfp"
	if err := payments().Save(path); err != nil {
		log.Fatal(err)
	}
	return path, map[string]any{"amount": 890, "hour": 3, "weekday": 6, "distance_km": nil, "days_since_last": nil,
		"purchases_24h": 11, "spent_24h": 2310.4, "account_age_days": 900, "failed_pins": 0, "channel": "online",
		"country": "overseas", "merchant": "travel"}
}

// A model that stays in its file decides the first row at once.
func ExampleOpen() {
	path, payment := savedPayments() // in a program: the path of a model, and the cells of a row
	defer os.RemoveAll(filepath.Dir(path))

	model, err := rfpragma.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	row, _, err := model.Row(payment)
	if err != nil {
		log.Fatal(err)
	}
	p, err := model.Predict(row)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Class)
	if err := model.Close(); err != nil { // waits for the checksum of the file
		log.Fatal(err)
	}
	// Output: fraud
}

// Any number of goroutines may ask a model at once.
func ExampleModel_Predict_concurrent() {
	model := payments()
	rows := dataset.Fraud(1000, 2)

	decisions := make([]string, rows.Rows())
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			row := make([]float64, len(model.Forest.Schema))
			for i := worker; i < len(decisions); i += 4 {
				rows.Row(row, i)
				p, err := model.Predict(row)
				if err != nil {
					log.Fatal(err)
				}
				decisions[i] = p.Class
			}
		})
	}
	wait.Wait()
	fmt.Println(len(decisions), "decisions")
	// Output: 1000 decisions
}

// A file is decided block by block, in memory that does not grow with it.
func ExampleModel_Votes_stream() {
	model := payments()
	var file bytes.Buffer // in a program: file, err := os.Open("new.csv")
	if err := dataset.WriteCSV(&file, dataset.Fraud(2500, 2), "class"); err != nil {
		log.Fatal(err)
	}

	reading := model.Provenance.Reading // how the training file was read
	rows, err := dataset.NewReader(&file, "new.csv", dataset.Options{Schema: model.Forest.Schema, Missing: reading.Missing})
	if err != nil {
		log.Fatal(err)
	}
	decided := map[string]int{}
	probabilities := make([]float64, len(model.Classes()))
	for {
		block, err := rows.Next(1000)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		votes, err := model.Votes(context.Background(), block)
		if err != nil {
			log.Fatal(err)
		}
		for i := range votes.Rows() {
			decided[model.Classes()[model.Decide(votes.Votes(i))]]++
			model.Probabilities(probabilities, votes.Votes(i))
		}
	}
	fmt.Println(decided["fraud"]+decided["ok"], "rows decided")
	fmt.Println(rows.Warnings()[0])
	// Output:
	// 2500 rows decided
	// new.csv: 1 column unknown to the model ignored: "class"
}

// What to expect on new rows: everything is fitted anew within each training part.
func ExampleCrossValidate() {
	frame := dataset.Fraud(2000, 1)
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	config := rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}}
	report, err := rfpragma.CrossValidate(context.Background(), frame, spec, config, eval.Config{Folds: 5})
	if err != nil {
		log.Fatal(err)
	}
	fraud := report.Rules.Tuned.Classes["fraud"] // Tuned is honest
	fmt.Println("rows of fraud:", fraud.Support)
	fmt.Println("recall is known within a range:", fraud.RecallInterval[0] < *fraud.Recall && *fraud.Recall < fraud.RecallInterval[1])
	fmt.Println("more is found than by majority:", *fraud.Recall > *report.Rules.Plain.Classes["fraud"].Recall)
	// Output:
	// rows of fraud: 31
	// recall is known within a range: true
	// more is found than by majority: true
}

// Votes of any model, from any program, are tuned without a forest of ours.
func Example_ownVotes() {
	const file = `class,ill,well
ill,12,8
ill,7,13
ill,4,16
well,1,19
well,3,17
well,0,20
well,6,14
`
	votes, err := vote.ReadCSV(strings.NewReader(file), "votes.csv", vote.CSVOptions{})
	if err != nil {
		log.Fatal(err)
	}
	spec := pragma.Spec{"ill": {Theta: 10, X: 0.2, Y: 0.6}}
	measure, err := spec.Measure(votes.Classes)
	if err != nil {
		log.Fatal(err)
	}
	search := anneal.Search{Choice: anneal.Lowest} // seven rows are too few to be careful with
	found, err := search.Weights(context.Background(), votes, measure)
	if err != nil {
		log.Fatal(err)
	}
	rule := votes.Rule(found.Weights)
	fmt.Println("4 of 20 votes:", votes.Classes[rule.Decide([]uint32{4, 16})])
	fmt.Println("3 of 20 votes:", votes.Classes[rule.Decide([]uint32{3, 17})])
	// Output:
	// 4 of 20 votes: ill
	// 3 of 20 votes: well
}

// A measure of one's own is any function of the confusion matrix, lower being better.
func Example_ownMeasure() {
	const missed, alarm, budget = 100, 5, 60 // the team can look at 60 alarms, each more costs ten times as much
	cost := pragma.Func(func(m *vote.Confusion) float64 {
		alarms := m.Predicted(0)
		return missed*(m.True(0)-m.Hits(0)) + alarm*alarms + 10*alarm*max(alarms-budget, 0)
	})
	config := rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}, Measure: cost, MeasureName: "team"}
	model, err := rfpragma.Fit(context.Background(), dataset.Fraud(2000, 1), pragma.Spec{}, config)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tuned for", model.Provenance.Measure)
	fmt.Println("it costs less than the plain vote:", *model.Provenance.Loss < *model.Provenance.Plain)
	// Output:
	// tuned for team
	// it costs less than the plain vote: true
}

// Labelled rows that the model has not seen give it other maps; trees and weights stay.
func ExampleModel_Recalibrate() {
	model := payments()
	mapped, err := model.Recalibrate(context.Background(), dataset.Fraud(3000, 2), nil, calib.PlattLogit)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(mapped.Warnings), "warnings; maps:", mapped.Provenance.Calibration, "on", mapped.Provenance.MapVotes, "votes")
	// Output: 0 warnings; maps: platt on holdout votes
}

// Another aim, on rows that came later: at least four of five frauds are to be found; trees and maps stay.
func ExampleModel_Retune() {
	model := payments()
	floor, err := pragma.ParseFloor("fraud:recall>=0.8", model.Classes())
	if err != nil {
		log.Fatal(err)
	}
	config := rfpragma.Config{Search: anneal.Search{Floors: []pragma.Floor{floor}}}
	retuned, err := model.Retune(context.Background(), dataset.Fraud(3000, 2), nil, model.Spec, config)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a vote for fraud counts more than before:", retuned.Weights[0]/retuned.Weights[1] > model.Weights[0]/model.Weights[1])
	fmt.Println("the floor is kept on these rows:", retuned.Provenance.Figures[0].Recall.Value >= 0.8)
	// Output:
	// a vote for fraud counts more than before: true
	// the floor is kept on these rows: true
}
