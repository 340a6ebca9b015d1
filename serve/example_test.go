package serve_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/serve"
)

// payments is a model; a program would load one.
func payments(seed uint64) *rfpragma.Model {
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	m, err := rfpragma.Fit(context.Background(), dataset.Fraud(2000, 1), spec, rfpragma.Config{
		Forest: forest.Config{Trees: 200, Seed: seed}})
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// A server is asked about a payment.
func ExampleServer() {
	holder, err := serve.NewHolder(payments(1)) // in a program: of rfpragma.Load("card.rfp")
	if err != nil {
		log.Fatal(err)
	}
	server, err := serve.New(map[string]*serve.Holder{"card": holder}, serve.Options{MaxRows: 1000})
	if err != nil {
		log.Fatal(err)
	}
	ask := func(row string) string {
		answer := httptest.NewRecorder() // in a program: server.HTTP() listens, with limits and a graceful end
		server.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/score", strings.NewReader(row)))
		text, _, _ := strings.Cut(answer.Body.String(), `,"probabilities"`)
		return text
	}
	fmt.Println(ask(`{"amount": 890, "hour": 3, "weekday": 6, "distance_km": null, "days_since_last": null,
		"purchases_24h": 11, "spent_24h": 2310.4, "account_age_days": 900, "failed_pins": 0, "channel": "online",
		"country": "overseas", "merchant": "travel"}`))
	if err := holder.Swap(payments(2)); err != nil { // from here on requests are answered with this model
		log.Fatal(err)
	}
	// Output: {"decision":"fraud","zone":"alarm"
}

// What Prometheus reads can be served elsewhere, beside what a program measures itself.
func ExampleServer_Admin() {
	holder, err := serve.NewHolder(payments(1))
	if err != nil {
		log.Fatal(err)
	}
	server, err := serve.New(map[string]*serve.Holder{"card": holder}, serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	private := httptest.NewServer(server.Admin())
	defer private.Close()
	answer, err := http.Get(private.URL + "/metrics")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(string(text), `rfpragma_rows_total{model="card"} 0`))
	// Output: true
}
