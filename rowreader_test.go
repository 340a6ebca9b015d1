package rfpragma_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
)

// A row of cells in an order is the row of the same cells by name, with the same warnings and errors.
func TestRowReader(t *testing.T) {
	m := partners(t)
	text, number, whole := dataset.TextCell, dataset.NumberCell, dataset.IntegerCell
	reader, warnings, err := m.RowReader([]string{"size", "date", "note", "partners"})
	if err != nil || fmt.Sprint(warnings) != `[column unknown to the model ignored: "note"]` {
		t.Fatal(warnings, err)
	}
	row := make([]float64, 2)
	for _, tc := range []struct {
		size, partners dataset.Cell
		like           map[string]any
	}{
		{number(0.5), text("1"), map[string]any{"size": 0.5, "partners": "1"}},
		{whole(-999), text(" none "), map[string]any{"size": -999, "partners": " none "}},
		{text("1e1"), text("n/a"), map[string]any{"size": "1e1", "partners": "n/a"}},
		{dataset.Cell{}, dataset.Cell{}, map[string]any{"size": nil, "partners": nil}},
		{number(math.NaN()), whole(7), map[string]any{"size": math.NaN(), "partners": 7}},
		{number(40), number(1), map[string]any{"size": 40, "partners": 1.0}},
		{number(1), text("five"), map[string]any{"size": 1, "partners": "five"}},
		{number(1), number(2.5), map[string]any{"size": 1, "partners": 2.5}},
		{text("big"), text("1"), map[string]any{"size": "big", "partners": "1"}},
		{number(math.Inf(1)), text("1"), map[string]any{"size": math.Inf(1), "partners": "1"}},
	} {
		tc.like["date"] = nil // known and no feature
		want, wantWarnings, wantErr := m.Row(tc.like)
		warnings, err := reader.Read(row, []dataset.Cell{tc.size, {}, text("x"), tc.partners})
		if fmt.Sprint(warnings) != fmt.Sprint(wantWarnings) || !sameText(err, wantErr) {
			t.Errorf("%v: %v, %v; want %v, %v", tc.like, warnings, err, wantWarnings, wantErr)
		}
		if err == nil && fmt.Sprint(row) != fmt.Sprint(want) {
			t.Errorf("%v: row %v, want %v", tc.like, row, want)
		}
	}
}

// sameText reports whether two errors say the same, to people and as JSON.
func sameText(a, b error) bool {
	one, errOne := json.Marshal(a)
	other, errOther := json.Marshal(b)
	return errOne == nil && errOther == nil && fmt.Sprint(a) == fmt.Sprint(b) && string(one) == string(other)
}

func TestRowReaderErrors(t *testing.T) {
	m := partners(t)
	for _, tc := range []struct {
		columns []string
		want    string
	}{
		{[]string{"size"}, `row: column "partners": it is not among the columns; name it, and let its cells be missing if they are`},
		{[]string{"size", "partners", "size"}, `row: column "size": two columns have this name; leave one out`},
	} {
		if _, _, err := m.RowReader(tc.columns); !errors.Is(err, rfpragma.ErrRow) || err.Error() != tc.want {
			t.Errorf("%v: %v, want %s", tc.columns, err, tc.want)
		}
	}
	reader, _, err := m.RowReader([]string{"size", "partners"})
	if err != nil {
		t.Fatal(err)
	}
	want := "row: 1 cells into 2 features; the reader has 2 columns, the model 2 features"
	if _, err := reader.Read(make([]float64, 2), make([]dataset.Cell, 1)); !errors.Is(err, rfpragma.ErrRow) ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// typedRow returns what reads a row of each kind of cell.
func typedRow(tb testing.TB, m *rfpragma.Model) func() {
	tb.Helper()
	reader, _, err := m.RowReader([]string{"partners", "size"})
	if err != nil {
		tb.Fatal(err)
	}
	rows := [][]dataset.Cell{
		{dataset.TextCell("2 to 4"), dataset.NumberCell(3.25)},
		{dataset.TextCell(" none"), dataset.IntegerCell(-999)},
		{{}, dataset.TextCell("12")},
		{dataset.TextCell("n/a"), {}},
	}
	row := make([]float64, 2)
	return func() {
		for _, cells := range rows {
			if _, err := reader.Read(row, cells); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

func TestRowReaderAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, typedRow(t, partners(t))); n != 0 {
		t.Errorf("%v allocations for four rows", n)
	}
}

// Of four rows, beside the same by name.
func BenchmarkRow(b *testing.B) {
	m := partners(b)
	b.Run("cells", func(b *testing.B) {
		read := typedRow(b, m)
		b.ReportAllocs()
		for b.Loop() {
			read()
		}
	})
	b.Run("map", func(b *testing.B) {
		rows := []map[string]any{{"partners": "2 to 4", "size": 3.25}, {"partners": " none", "size": -999},
			{"partners": nil, "size": "12"}, {"partners": "n/a", "size": nil}}
		b.ReportAllocs()
		for b.Loop() {
			for _, cells := range rows {
				if _, _, err := m.Row(cells); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
