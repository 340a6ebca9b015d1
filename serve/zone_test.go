package serve

import (
	"context"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// Of a model that leaves close rows to people these are for review, and have no decision, as predict gives none; the
// others are alarms or pass, by their decision.
func TestReviewZone(t *testing.T) {
	m, err := rfpragma.Fit(context.Background(), dataset.Fraud(2000, 1), pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}},
		rfpragma.Config{Forest: forest.Config{Trees: 200, Seed: 1}, Review: rfpragma.Review{Share: 0.02}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(map[string]*Holder{"card": holder(t, m)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	frame, zones := dataset.Fraud(1000, 4), map[string]int{}
	out := decoded[decidedRows](t, post(s, "/score", "["+strings.Join(rowsOfJSON(frame), ",")+"]", "Content-Type", jsonForm),
		200)
	row := make([]float64, len(frame.Columns))
	for i, got := range out.Rows {
		frame.Row(row, i)
		p, err := m.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		zone, decision := map[string]string{"fraud": "alarm", "ok": "pass"}[p.Class], p.Class
		if p.Close {
			zone, decision = "review", "undecided"
		}
		if got.Zone != zone || got.Decision != decision {
			t.Fatalf("row %d: %s in zone %s, want %s in %s", i, got.Decision, got.Zone, decision, zone)
		}
		zones[zone]++
	}
	if zones["review"] == 0 || zones["alarm"] == 0 || zones["pass"] == 0 {
		t.Errorf("%v: a zone has no rows", zones)
	}
	if w := get(s, "/metrics").Body.String(); !strings.Contains(w, `rfpragma_zones_total{model="card",zone="review"} `) ||
		strings.Contains(w, `zone="review"} 0`) {
		t.Error("rows for review are not counted")
	}
}
