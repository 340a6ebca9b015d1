package rfpragma_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A service that cross-validates and answers what is found, as JSON.
func Example_findingsOverHTTP() {
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rows := dataset.Fraud(3000, 1) // in a program: dataset.ReadCSV(r.Body, ...)
		goal, err := spec.Goal(rows.Classes, vote.TieOrder(rows.ClassWeights(), rows.FirstRows()))
		var report *eval.Report
		if err == nil {
			report, err = rfpragma.CrossValidate(r.Context(), rows, spec, rfpragma.Config{Forest: forest.Config{Trees: 100}}, eval.Config{Folds: 5, Seed: 1})
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(assess.Findings(&assess.Subject{Goal: goal, Report: report, Frame: rows})) // the client is gone
	})
	service := httptest.NewServer(handler) // in a program: http.ListenAndServe("localhost:8080", handler)
	defer service.Close()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, service.URL, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	fmt.Printf("%.73s\n", body)
	// Output:
	// [{"code":"gain.inconclusive","grade":"caution","figures":[{"name":"loss",
}
