package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// payments returns a model of made-up card payments, with numbers, categories and missing cells.
var payments = sync.OnceValue(func() *rfpragma.Model { return paymentsBy(1) })

func paymentsBy(seed uint64) *rfpragma.Model {
	m, err := rfpragma.Fit(context.Background(), dataset.Fraud(2000, 1), pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}},
		rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: seed}})
	if err != nil {
		panic(err)
	}
	return m
}

// serving returns a server of payments.
func serving(t testing.TB, o Options) *Server {
	t.Helper()
	s, _ := held(t, o)
	return s
}

func held(t testing.TB, o Options) (*Server, *Holder) {
	t.Helper()
	holder, err := NewHolder(payments())
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(map[string]*Holder{"card": holder}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, holder
}

// post asks for a path, with headers as names and values in turn.
func post(s http.Handler, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func get(s http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// decoded reads an answer that is JSON.
func decoded[T any](t *testing.T, w *httptest.ResponseRecorder, code int) (out T) {
	t.Helper()
	if w.Code != code {
		t.Fatalf("status %d, want %d: %s", w.Code, code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return out
}

// decidedRow is a row as it is answered.
type decidedRow struct {
	Row           int
	Decision      string
	Zone          string
	Probabilities map[string]float64
	Votes         map[string]float64
	Lacks         []rfpragma.MissingCell
	Reasons       []rfpragma.Reason
	Findings      []struct{ Code, Column, Value string }
	Model, ID     string
	Error         string
	Cells         []rfpragma.CellError
}

type decidedRows struct {
	Rows      []decidedRow
	Model, ID string
}

const suspicious = `{"amount": 890, "hour": 3, "weekday": 6, "distance_km": null, "days_since_last": null,
	"purchases_24h": 11, "spent_24h": 2310.4, "account_age_days": 900, "failed_pins": 0, "channel": "online",
	"country": "overseas", "merchant": "travel"}`

// want is what the library says of the same row.
func want(t *testing.T, m *rfpragma.Model, body string) rfpragma.Prediction {
	t.Helper()
	var cells map[string]any
	if err := json.Unmarshal([]byte(body), &cells); err != nil {
		t.Fatal(err)
	}
	row, _, err := m.Row(cells)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(row)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// same compares an answer with a prediction, to the bit.
func same(t *testing.T, m *rfpragma.Model, got decidedRow, want rfpragma.Prediction) {
	t.Helper()
	if got.Decision != want.Class {
		t.Errorf("decision %q, want %q", got.Decision, want.Class)
	}
	for c, class := range m.Classes() {
		if got.Probabilities[class] != want.Probabilities[c] || got.Votes[class] != want.Votes[c] {
			t.Errorf("%s: probability %v and votes %v, want %v and %v", class, got.Probabilities[class], got.Votes[class],
				want.Probabilities[c], want.Votes[c])
		}
	}
}

// A single row, a list of rows, lines and CSV are decided as the library decides them.
func TestScoreForms(t *testing.T) {
	s, m := serving(t, Options{}), payments()
	expected := want(t, m, suspicious)
	single := decoded[decidedRow](t, post(s, "/score?reasons=2", suspicious), 200)
	same(t, m, single, expected)
	id, err := m.ID()
	if err != nil {
		t.Fatal(err)
	}
	if single.Model != "card" || single.ID != id || single.Zone != "alarm" || len(single.Reasons) != 2 {
		t.Errorf("%+v, want model card of id %s, an alarm, 2 reasons", single, id)
	}
	list := decoded[decidedRows](t, post(s, "/score/card", "["+suspicious+","+suspicious+"]", "Content-Type",
		"application/json; charset=utf-8"), 200)
	if len(list.Rows) != 2 || list.ID != id {
		t.Fatalf("%+v, want 2 rows", list)
	}
	same(t, m, list.Rows[1], expected)
	line := strings.ReplaceAll(suspicious, "\n", " ")
	w := post(s, "/score", line+"\n\n{\"amount\":1}\n"+line, "Content-Type", "application/x-ndjson")
	var lines []decidedRow
	for text := range bytes.Lines(w.Body.Bytes()) {
		var of decidedRow
		if err := json.Unmarshal(text, &of); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		lines = append(lines, of)
	}
	if len(lines) != 3 || lines[2].Row != 3 || lines[1].Row != 2 || len(lines[1].Cells) != 11 || lines[0].Row != 1 ||
		w.Header().Get("X-Model-Id") != id {
		t.Fatalf("%+v", lines)
	}
	same(t, m, lines[2], expected)
	table := decoded[decidedRows](t, post(s, "/score", "hour,amount,weekday,distance_km,days_since_last,purchases_24h,"+
		"spent_24h,account_age_days,failed_pins,channel,country,merchant\n3,890,6,,,11,2310.4,900,0,online,overseas,travel\n",
		"Content-Type", "text/csv", "Accept", "application/json"), 200)
	same(t, m, table.Rows[0], expected)
}
