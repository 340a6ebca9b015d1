package anneal_test

import (
	"errors"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func TestErrors(t *testing.T) {
	sound := two([3]int{0, 4, 6}, [3]int{1, 3, 7})
	train := *sound
	train.Source = vote.Train
	four := &vote.Table{Classes: []string{"a", "b", "c", "d"}, Truth: []int{0, 1}, Counts: []uint32{1, 2, 3, 0, 3, 2, 1,
		0}}
	weightless := *sound
	weightless.Weight = []float64{0, 0}
	oneClass := *sound
	oneClass.Classes, oneClass.Counts, oneClass.Share = []string{"ill"}, []uint32{4, 3}, nil
	for _, tc := range []struct {
		name   string
		search anneal.Search
		table  *vote.Table
		kind   error
		text   string
	}{
		{"A195 training votes", anneal.Search{}, &train, anneal.ErrTrain,
			"votes cannot be tuned on: they come from trees that have seen the rows, are nearly always right, and say nothing " +
				"about new rows; use oob, cv or holdout votes"},
		{"one class", anneal.Search{}, &oneClass, vote.ErrShape,
			"lengths do not agree: the table has 1 classes; votes need at least two"},
		{"empty", anneal.Search{}, two(), anneal.ErrNoRows,
			"not enough rows to tune on: no row has a known class, a vote and a weight above 0; give labelled votes, or grow " +
				"more trees"},
		{"no votes", anneal.Search{}, two([3]int{0, 0, 0}, [3]int{1, 0, 0}), anneal.ErrNoRows,
			"not enough rows to tune on: no row has a known class, a vote and a weight above 0; give labelled votes, or grow " +
				"more trees"},
		{"no labels", anneal.Search{}, two([3]int{-1, 1, 2}), anneal.ErrNoRows,
			"not enough rows to tune on: no row has a known class, a vote and a weight above 0; give labelled votes, or grow " +
				"more trees"},
		{"A153 no weights", anneal.Search{}, &weightless, anneal.ErrNoRows,
			"not enough rows to tune on: no row has a known class, a vote and a weight above 0; give labelled votes, or grow " +
				"more trees"},
		{"rows of one class", anneal.Search{}, two([3]int{1, 1, 2}, [3]int{1, 2, 1}), anneal.ErrNoRows,
			`not enough rows to tune on: all rows are of class "well"; weights need rows of at least two classes`},
		{"exact of four", anneal.Search{Method: anneal.Exact}, four, anneal.ErrSetting,
			"search cannot be set so: the exact search is for two or three classes, the table has 4; use auto, coordinates or " +
				"annealing"},
		{"no such method", anneal.Search{Method: 9}, sound, anneal.ErrSetting,
			"search cannot be set so: Method(9) is no method; use one of the constants"},
		{"negative", anneal.Search{Chains: -1}, sound, anneal.ErrSetting,
			"search cannot be set so: chains -1, steps 0, starts 0 and workers 0 must not be negative; use 0 for the default"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.search.Weights(t.Context(), tc.table, pragma.Accuracy)
			if !errors.Is(err, tc.kind) || err.Error() != tc.text {
				t.Errorf("error %v\nwant  %s", err, tc.text)
			}
		})
	}
	train.Source = vote.Train
	if _, err := (anneal.Search{AllowTrain: true}).Weights(t.Context(), &train, pragma.Accuracy); err != nil {
		t.Errorf("AllowTrain: %v", err)
	}
}

func TestParseMethod(t *testing.T) {
	for _, m := range []anneal.Method{anneal.Auto, anneal.Exact, anneal.Coordinates, anneal.Annealing} {
		if got, err := anneal.ParseMethod(m.String()); got != m || err != nil {
			t.Errorf("ParseMethod(%q) = %v, %v", m, got, err)
		}
	}
	_, err := anneal.ParseMethod("anealing")
	want := `search cannot be set so: unknown method "anealing"; known are "auto", "exact", "coordinates", "annealing"; did you mean "annealing"?`
	if !errors.Is(err, anneal.ErrSetting) || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}
