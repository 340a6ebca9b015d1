package rfpragma

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// A row lacks what decides where cells that bear more than half are missing or far from all of training; of a single
// missing cell that bears less, and of one that many rows of the training lack, nothing is said.
func TestLacks(t *testing.T) {
	text := "a,b,c,y\n" // a and b decide together
	for i := range 400 {
		c := fmt.Sprint(i % 7)
		if i%4 == 0 {
			c = ""
		}
		text += fmt.Sprintf("%d,%d,%s,%s\n", i%20, i/20, c, map[bool]string{true: "fraud", false: "ok"}[i%20+i/20 > 20])
	}
	frame, err := dataset.ReadCSV(strings.NewReader(text), "train.csv", dataset.Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	m := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 30, Mtry: 3}})
	if parts := m.Forest.Importance(); parts[0] > mostBorne || parts[1] > mostBorne {
		t.Fatalf("the splits gained %v", parts)
	}
	na, first := math.NaN(), MissingCell{Column: "a"}
	second, far := MissingCell{Column: "b"}, MissingCell{"b", "-999", m.Forest.Schema[1].Baseline.Range}
	if m.Forest.Importance()[1] > m.Forest.Importance()[0] {
		first, second = second, first
	}
	for _, tc := range []struct {
		row  []float64
		want []MissingCell
	}{
		{[]float64{3, 4, 5}, nil},
		{[]float64{na, 4, 5}, nil},
		{[]float64{na, 4, na}, nil},
		{[]float64{na, na, 5}, []MissingCell{first, second}},
		{[]float64{na, na, na}, []MissingCell{first, second}}, // a fourth of the rows of the training lack c
		{[]float64{na, 38, 5}, nil},                           // b is from 0 to 19
	} {
		if got, err := m.MissingCells(tc.row); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%v: %v (%v), want %v", tc.row, got, err, tc.want)
		}
	}
	got, err := m.MissingCells([]float64{na, -999, 1000})
	if err != nil || len(got) != 3 || got[2] != (MissingCell{"c", "1000", m.Forest.Schema[2].Baseline.Range}) ||
		got[0] != far && got[1] != far {
		t.Errorf("%v (%v)", got, err)
	}
	if text := far.String(); text != "b=-999 (training 0 to 19)" {
		t.Error(text)
	}
	if text, err := json.Marshal([]MissingCell{far, first}[:1]); err != nil ||
		string(text) != `[{"column":"b","value":"-999","range":[0,19]}]` {
		t.Errorf("%s (%v)", text, err)
	}
	if _, err := m.MissingCells([]float64{1}); !errors.Is(err, ErrRow) {
		t.Errorf("a short row: %v", err)
	}
}
