package rfpragma_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// partners is a model of a column whose categories may look like numbers, one of numbers, and words for what is
// missing.
func partners(t testing.TB) *rfpragma.Model {
	t.Helper()
	var file strings.Builder
	file.WriteString("partners,size,date,day,class\n")
	for i := range 120 {
		fmt.Fprintf(&file, "%s,%s,today,%d,%s\n", []string{"1", "none", "2 to 4", "n/a", "7"}[i%5], []string{"0.5", "12",
			"-999", "3.25", "?", "40"}[i%6], i, []string{"ill", "well"}[i*i%7%2])
	}
	frame, err := dataset.ReadCSV(strings.NewReader(file.String()), "train.csv",
		dataset.Options{Target: "class", Categorical: []string{"partners"}, Ignore: []string{"date"}, Time: "day",
			Missing: []string{"n/a", "-999", "?"}})
	if err != nil {
		t.Fatal(err)
	}
	// Without a preference: a nil Spec must come back from a file, too.
	m, err := rfpragma.Fit(context.Background(), frame, nil, rfpragma.Config{Forest: forest.Config{Trees: 20, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var saved bytes.Buffer
	if _, err := m.WriteTo(&saved); err != nil {
		t.Fatal(err)
	}
	if m, err = rfpragma.ReadModel(&saved); err != nil {
		t.Fatal(err)
	}
	return m
}

// A row of texts is the row that a file with these cells has.
func TestRow(t *testing.T) {
	m := partners(t)
	file := "size,partners,note\n0.5,1,a\n 12 , none ,b\n-999,2 to " +
		"4,c\n-999.0,n/a,d\n?,,e\n,7,f\n1e1,1.0,g\n3.25,-999,h\n-0,five,i\n40,2,j\n"
	frame, err := dataset.ReadCSV(strings.NewReader(file), "new.csv", dataset.Options{Schema: m.Forest.Schema,
		Missing: m.Provenance.Reading.Missing})
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want, told := make([]float64, len(m.Forest.Schema)), 0
	for i, record := range records[1:] {
		cells := map[string]any{}
		for j, name := range records[0] {
			cells[name] = record[j]
		}
		row, warnings, err := m.Row(cells)
		if err != nil {
			t.Fatal(err)
		}
		frame.Row(want, i)
		for j := range want {
			if math.Float64bits(row[j]) != math.Float64bits(want[j]) && !(math.IsNaN(row[j]) && math.IsNaN(want[j])) {
				t.Errorf("row %d, %s %q: %v, want %v", i+1, m.Forest.Schema[j].Name, cells[m.Forest.Schema[j].Name], row[j],
					want[j])
			}
		}
		if _, err := m.Predict(row); err != nil {
			t.Error(err)
		}
		told += len(warnings)
		for _, w := range warnings {
			if errors.Is(w, dataset.ErrIgnored) {
				told--
			}
		}
	}
	if unseen := frame.Unseen[0] + frame.Unseen[1]; told != unseen || unseen == 0 {
		t.Errorf("%d cells are told to be of categories unseen, the file has %d", told, unseen)
	}
}

// What a row has that the training had not is told.
func TestRowWarnings(t *testing.T) {
	m := partners(t)
	for _, tc := range []struct {
		cells map[string]any
		want  string
	}{
		{map[string]any{"partners": "1", "size": "2"}, "[]"},
		// no features, and yet known
		{map[string]any{"partners": " none ", "size": "", "class": "ill", "date": "x", "day": "7"}, "[]"},
		{map[string]any{"partners": "n/a", "size": "-999"}, "[]"},
		{map[string]any{"partners": "", "size": "1"}, "[]"},
		{map[string]any{"partners": " None", "size": "2"},
			`[column "partners": category "None" unseen in training taken as missing]`},
		{map[string]any{"partners": "3", "size": "2", "sise": "2", "Partners": "1"},
			`[column "partners": category "3" unseen in training taken as missing column unknown to the model ignored: "Partners" column unknown to the model ignored: "sise"]`},
	} {
		row, warnings, err := m.Row(tc.cells)
		if err != nil || len(row) != 2 || fmt.Sprint(warnings) != tc.want {
			t.Errorf("%v: %v, %v, want %s", tc.cells, warnings, err, tc.want)
		}
	}
}

// Numbers, truth values and nil are the cells that their texts are, as an object of JSON has them.
func TestRowOfTypes(t *testing.T) {
	m := partners(t)
	for _, tc := range []struct {
		cells, like map[string]any
		warnings    int
	}{
		{map[string]any{"partners": 1, "size": 0.5}, map[string]any{"partners": "1", "size": "0.5"}, 0},
		{map[string]any{"partners": 7.0, "size": float32(12)}, map[string]any{"partners": "7", "size": "12"}, 0},
		{map[string]any{"partners": uint8(7), "size": int64(3)}, map[string]any{"partners": "7", "size": "3"}, 0},
		{map[string]any{"partners": nil, "size": nil}, map[string]any{"partners": "", "size": ""}, 0},
		// a word for what is missing
		{map[string]any{"partners": -999, "size": -999.0}, map[string]any{"partners": "-999", "size": "-999"}, 0},
		{map[string]any{"partners": "none", "size": math.NaN()}, map[string]any{"partners": "none", "size": "?"}, 0},
		{map[string]any{"partners": json.Number("1"), "size": json.Number("1e1")}, map[string]any{"partners": "1",
			"size": "10"}, 0},
		{map[string]any{"partners": true, "size": uint(40)}, map[string]any{"partners": "true", "size": "40"}, 1},
		{map[string]any{"partners": 1000000.0, "size": 1}, map[string]any{"partners": "1000000", "size": "1"}, 1},
		{map[string]any{"partners": 2.5, "size": 1}, map[string]any{"partners": "2.5", "size": "1"}, 1},
	} {
		got, warnings, err := m.Row(tc.cells)
		want, told, errWant := m.Row(tc.like)
		if err != nil || errWant != nil || len(warnings) != tc.warnings || fmt.Sprint(warnings) != fmt.Sprint(told) ||
			fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: %v, %v (%v); as texts %v, %v (%v)", tc.cells, got, warnings, err, want, told, errWant)
		}
	}
	var cells map[string]any
	if err := json.Unmarshal([]byte(`{"partners": "2 to 4", "size": 3.25, "note": null}`), &cells); err != nil {
		t.Fatal(err)
	}
	row, warnings, err := m.Row(cells)
	if err != nil || len(warnings) != 1 || row[1] != 3.25 || m.Forest.Schema[0].Levels[int(row[0])] != "2 to 4" {
		t.Errorf("from JSON %v, %v (%v)", row, warnings, err)
	}
}

// All faults of a row are told at once, and can be handed on as JSON.
func TestRowErrorTellsAll(t *testing.T) {
	m := partners(t)
	_, _, err := m.Row(map[string]any{"partners": []string{"1"}, "size": math.Inf(1)})
	var faults *rfpragma.RowError
	if !errors.As(err, &faults) || !errors.Is(err, rfpragma.ErrRow) {
		t.Fatal(err)
	}
	text, err := json.Marshal(faults)
	want := `{"cells":[{"column":"partners","value":"[1]","reason":"a value of type []string is neither a number, a text nor a truth value; give one of these, or null"},` +
		`{"column":"size","value":"+Inf","reason":"\"+Inf\" is not a number; write digits, with a point if need be"}]}`
	if err != nil || string(text) != want {
		t.Errorf("%s (%v), want %s", text, err, want)
	}
	if _, err := m.Predict([]float64{7, math.Inf(-1)}); !errors.As(err, &faults) || len(faults.Cells) != 2 ||
		faults.Cells[1].Column != "size" {
		t.Errorf("of numbers: %v", err)
	}
}

// What is no row of the model is an error that says why.
func TestRowErrors(t *testing.T) {
	m := partners(t)
	for _, tc := range []struct {
		cells map[string]any
		want  string
	}{
		{map[string]any{"partners": "1"},
			`row: column "size": its cell is not given; let it be empty or null if it is missing`},
		{map[string]any{"partners": "1", "size": "big"},
			`row: column "size": "big" is not a number; write digits, with a point if need be`},
		{map[string]any{"partners": "1", "size": "1,5"},
			`row: column "size": "1,5" is not a number; write digits, with a point if need be`},
		{map[string]any{"size": "big"},
			`row: 2 cells do not fit: column "partners": its cell is not given; let it be empty or null if it is missing; column "size": "big" is not a number; write digits, with a point if need be`},
		{map[string]any{"partners": "1", "size": time.Time{}},
			`row: column "size": a time is neither a number, a text nor a truth value; give one of these, or null`},
		{map[string]any{"partners": "1", "size": true},
			`row: column "size": "true" is not a number; write digits, with a point if need be`},
		{map[string]any{"partners": "1", "size": "1e999"},
			`row: column "size": "1e999" is too large for a number; write a smaller one`},
	} {
		if _, _, err := m.Row(tc.cells); !errors.Is(err, rfpragma.ErrRow) || err.Error() != tc.want {
			t.Errorf("%v: %v, want %s", tc.cells, err, tc.want)
		}
	}
	want := `row: column "partners": 7 is not the index of one of its categories; make rows with Row`
	if _, err := m.Predict([]float64{7, 0.5}); !errors.Is(err, rfpragma.ErrRow) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
