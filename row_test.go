package rfpragma_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// partners is a model of a column whose categories may look like numbers, one of numbers, and words for what is missing.
func partners(t *testing.T) *rfpragma.Model {
	t.Helper()
	var file strings.Builder
	file.WriteString("partners,size,date,day,class\n")
	for i := range 120 {
		fmt.Fprintf(&file, "%s,%s,today,%d,%s\n", []string{"1", "none", "2 to 4", "n/a", "7"}[i%5], []string{"0.5", "12", "-999", "3.25", "?", "40"}[i%6], i, []string{"ill", "well"}[i*i%7%2])
	}
	frame, err := dataset.ReadCSV(strings.NewReader(file.String()), "train.csv",
		dataset.Options{Target: "class", Categorical: []string{"partners"}, Ignore: []string{"date"}, Time: "day", Missing: []string{"n/a", "-999", "?"}})
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
	file := "size,partners,note\n0.5,1,a\n 12 , none ,b\n-999,2 to 4,c\n-999.0,n/a,d\n?,,e\n,7,f\n1e1,1.0,g\n3.25,-999,h\n-0,five,i\n40,2,j\n"
	frame, err := dataset.ReadCSV(strings.NewReader(file), "new.csv", dataset.Options{Schema: m.Forest.Schema, Missing: m.Provenance.Reading.Missing})
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want, told := make([]float64, len(m.Forest.Schema)), 0
	for i, record := range records[1:] {
		cells := map[string]string{}
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
				t.Errorf("row %d, %s %q: %v, want %v", i+1, m.Forest.Schema[j].Name, cells[m.Forest.Schema[j].Name], row[j], want[j])
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
		cells map[string]string
		want  string
	}{
		{map[string]string{"partners": "1", "size": "2"}, "[]"},
		{map[string]string{"partners": " none ", "size": "", "class": "ill", "date": "x", "day": "7"}, "[]"}, // no features, and yet known
		{map[string]string{"partners": "n/a", "size": "-999"}, "[]"},
		{map[string]string{"partners": "", "size": "1"}, "[]"},
		{map[string]string{"partners": " None", "size": "2"}, `[column "partners": category "None" unseen in training taken as missing]`},
		{map[string]string{"partners": "3", "size": "2", "sise": "2", "Partners": "1"}, `[column "partners": category "3" unseen in training taken as missing column unknown to the model ignored: "Partners" column unknown to the model ignored: "sise"]`},
	} {
		row, warnings, err := m.Row(tc.cells)
		if err != nil || len(row) != 2 || fmt.Sprint(warnings) != tc.want {
			t.Errorf("%v: %v, %v, want %s", tc.cells, warnings, err, tc.want)
		}
	}
}

// What is no row of the model is an error that says why.
func TestRowErrors(t *testing.T) {
	m := partners(t)
	for _, tc := range []struct {
		cells map[string]string
		want  string
	}{
		{map[string]string{"partners": "1"}, `row: the cell of column "size" is not given; let it be empty if it is missing`},
		{map[string]string{"partners": "1", "size": "big"}, `row: column "size": "big" is not a number; write digits, with a point if need be`},
		{map[string]string{"partners": "1", "size": "1,5"}, `row: column "size": "1,5" is not a number; write digits, with a point if need be`},
		{map[string]string{"partners": "1", "size": "1e999"}, `row: column "size": "1e999" is too large for a number; write a smaller one`},
	} {
		if _, _, err := m.Row(tc.cells); !errors.Is(err, rfpragma.ErrRow) || err.Error() != tc.want {
			t.Errorf("%v: %v, want %s", tc.cells, err, tc.want)
		}
	}
	want := `row: "partners" is 7, which is not the index of one of its categories; make rows of texts with Row`
	if _, err := m.Predict([]float64{7, 0.5}); !errors.Is(err, rfpragma.ErrRow) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
