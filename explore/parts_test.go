package explore

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// askRow asks for a row, with another cell.
func askRow(t *testing.T, h *Handler, row int, class, cells string) (d decided) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+h.Path()+"row",
		strings.NewReader(fmt.Sprintf(`{"row": %d, "class": %q, "cells": {%s}}`, row, class, cells)))
	if code := send(t, h, r, &d); code != http.StatusOK {
		t.Fatal(code)
	}
	return d
}

// The parts of a row lead from the mean share of the votes to its own, with other cells, too, and for each class; who
// asks at the same time gets the same.
func TestSplit(t *testing.T) {
	h, model, rows := fraud(t, Options{})
	same := map[string]decided{}
	for class, name := range model.Classes() {
		for _, cells := range []string{"", `"amount": "640"`, `"amount": ""`} {
			d := askRow(t, h, 7, name, cells)
			same[name+cells] = d
			w := d.Parts
			sum := w.Base + w.Others
			for _, c := range w.Cells {
				sum += c.Part
				if c.Column == "amount" && strings.Contains(cells, "640") && c.Value != "640" {
					t.Errorf("amount is told as %q", c.Value)
				}
			}
			if votes := d.Votes[class] / float64(model.Forest.Trees()); math.Abs(sum-votes) > 1e-12 ||
				math.Abs(w.Share-votes) > 1e-12 || len(w.Cells)+w.Columns != len(rows.Columns) {
				t.Errorf("%s, %s: %+v leads to %v, and the votes are %v", name, cells, w, sum, votes)
			}
		}
	}
	again := handler(t, Source{Name: "fraud", Model: model, Rows: rows}, Options{})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			name := model.Classes()[i%2]
			if d := askRow(t, again, 7, name, `"amount": "640"`); !reflect.DeepEqual(d, same[name+`"amount": "640"`]) {
				t.Errorf("%s: %+v", name, d.Parts)
			}
		})
	}
	all.Wait()
}

// Of many classes few are kept.
func TestSplitsKept(t *testing.T) {
	votes := letters(260)
	rows := &dataset.Frame{Classes: votes.Classes, Truth: votes.Truth, Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}}}}
	for _, c := range rows.Truth {
		rows.Columns[0].Values = append(rows.Columns[0].Values, float64(c))
	}
	model, err := rfpragma.Fit(t.Context(), rows, nil, rfpragma.Config{Forest: forest.Config{Trees: 20, Seed: 1},
		TuneForest: rfpragma.TuneOff, Votes: "oob"})
	if err != nil {
		t.Fatal(err)
	}
	h := handler(t, Source{Name: "letters", Model: model, Rows: rows}, Options{})
	for _, name := range append(model.Classes(), "A") {
		if d := askRow(t, h, 1, name, ""); d.Parts == nil {
			t.Errorf("%s: the votes are not split", name)
		}
	}
	if n := len(h.parts.all); n != mostSplit || len(h.parts.keys) != n {
		t.Errorf("%d classes are kept", n)
	}
}
