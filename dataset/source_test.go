package dataset

import (
	"io"
	"math"
	"testing"
)

// grid is a source of rows that have no lines.
type grid struct {
	columns []string
	text    string // the column declared to hold categories, if any
	rows    [][]Cell
	at      int
}

func (g *grid) Name() string      { return "grid" }
func (g *grid) Columns() []string { return g.columns }
func (g *grid) Text(j int) bool   { return g.columns[j] == g.text }
func (g *grid) Use([]bool) error  { return nil }
func (g *grid) Pos(int) Pos       { return Pos{Row: g.at} }

func (g *grid) Next() ([]Cell, error) {
	if g.at == len(g.rows) {
		return nil, io.EOF
	}
	g.at++
	return g.rows[g.at-1], nil
}

func TestCell(t *testing.T) {
	for _, tc := range []struct {
		cell   Cell
		text   string
		number float64 // NaN: not a number
	}{
		{Cell{}, "", math.NaN()},
		{TextCell(" a b\t"), "a b", math.NaN()},
		{TextCell(" 1.50 "), "1.50", 1.5},
		{NumberCell(math.NaN()), "", math.NaN()},
		{NumberCell(math.Copysign(0, -1)), "0", 0},
		{NumberCell(-2), "-2", -2},
		{NumberCell(0.1), "0.1", 0.1},
		{NumberCell(1e300), "1e+300", 1e300},
		{NumberCell(math.Inf(-1)), "-Inf", math.Inf(-1)},
		{IntegerCell(1<<53 - 1), "9007199254740991", 1<<53 - 1},
		{IntegerCell(1<<53 + 1), "9007199254740993", 1 << 53},
		{IntegerCell(math.MinInt64), "-9223372036854775808", math.MinInt64},
	} {
		if got := tc.cell.String(); got != tc.text {
			t.Errorf("%+v: text %q, want %q", tc.cell, got, tc.text)
		}
		cell := tc.cell.trimmed()
		if v, form := cell.value(); math.IsNaN(tc.number) != (form == 0) || form != 0 && v != tc.number ||
			math.Signbit(v) != math.Signbit(tc.number) && v == 0 {
			t.Errorf("%+v: number %v of form %v, want %v", tc.cell, v, form, tc.number)
		}
	}
}

// A source of numbers reads as the same table in CSV would.
func TestRead(t *testing.T) {
	n, s, i := NumberCell, TextCell, IntegerCell
	source := func() *grid {
		return &grid{columns: []string{"a", "zip", "y"}, text: "zip", rows: [][]Cell{
			{n(1.5), s("10"), i(1)}, {n(-999), s(" 9 "), i(0)}, {n(math.NaN()), s(""), i(1)},
		}}
	}
	o := Options{Target: "y", Missing: []string{"-999.0"}}
	f, err := Read(source(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shown(f), "a=1.5,_,_ zip(10|9)=10,9,_ -> 1,0,1"; got != want {
		t.Errorf("training: %s, want %s", got, want)
	}
	o.Schema, o.Classes = f.Schema(), f.Classes
	if f, err = Read(source(), o); err != nil {
		t.Fatal(err)
	}
	if got, want := shown(f), "a=1.5,_,_ zip(10|9)=10,9,_ -> 1,0,1"; got != want {
		t.Errorf("with a schema: %s, want %s", got, want)
	}
}

// counted is a source that knows its rows.
type counted struct{ *grid }

func (c counted) Rows() int64 { return 1 << 50 }

func TestReadMemory(t *testing.T) {
	s := counted{&grid{columns: []string{"a", "b", "y"}, rows: [][]Cell{{NumberCell(1), NumberCell(2), TextCell("p")},
		{NumberCell(1), NumberCell(2), TextCell("q")}}}}
	_, err := Read(s, Options{Target: "y", Memory: 1 << 30})
	want := "grid: 1125899906842624 rows of 2 features take at least 4294967296 MB, where 1024 may be taken; leave out " +
		"columns with --ignore, or rows"
	if codeOf(err) != limit || err.Error() != want {
		t.Errorf("error\n got %v\nwant %s", err, want)
	}
	if _, err := Read(s, Options{Target: "y"}); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

// A fault in a source without lines names the row.
func TestReadRows(t *testing.T) {
	n, s := NumberCell, TextCell
	for _, tc := range []struct {
		name string
		rows [][]Cell
		o    Options
		want string
	}{
		{"infinite", [][]Cell{{n(1), s("p")}, {n(math.Inf(1)), s("q")}}, Options{Target: "y"},
			`grid, row 2: column "a": "+Inf" is too large for a number; correct it, or use --categorical a or --ignore a`},
		{"mixed", [][]Cell{{n(1), s("p")}, {s("x"), s("q")}, {n(2), s("q")}}, Options{Target: "y"},
			`grid, row 2: column "a": mixes numbers and text: 1 of 3 cells is not a number: "x" in row 2; correct it, or use --missing x, --categorical a or --ignore a`},
		{"unlabelled", [][]Cell{{n(1), s("p")}, {n(1), {}}, {n(2), {}}}, Options{Target: "y"},
			`grid, row 2: column "y": 2 rows without a label (rows 2, 3); fill them, or leave such rows out with --drop-unlabelled`},
		{"weight", [][]Cell{{n(-1), s("p")}, {n(1), s("q")}}, Options{Schema: Schema{{Name: "y", Kind: Categorical}},
			Weight: "a"},
			`grid, row 1: column "a": "-1" is not a weight; write a finite number that is not negative`},
		{"no target", nil, Options{}, `grid: training needs the column of labels; name it with --target`},
		{"unknown column", nil, Options{Target: "z"},
			`grid: no column "z" (there is "a", "y"); name the column of the labels with --target`},
	} {
		_, err := Read(&grid{columns: []string{"a", "y"}, rows: tc.rows}, tc.o)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: error\n got %v\nwant %s", tc.name, err, tc.want)
		}
	}
}
