package dataset

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// fakeTable is a driver that answers every query with the same rows.
type fakeTable struct {
	names, types []string
	rows         [][]driver.Value
	end          error // what comes after the rows
	at           int
}

func (t *fakeTable) Connect(context.Context) (driver.Conn, error)      { return t, nil }
func (t *fakeTable) Driver() driver.Driver                             { return nil }
func (t *fakeTable) Prepare(string) (driver.Stmt, error)               { return nil, errors.New("not needed") }
func (t *fakeTable) Begin() (driver.Tx, error)                         { return nil, errors.New("not needed") }
func (t *fakeTable) Close() error                                      { return nil }
func (t *fakeTable) Columns() []string                                 { return t.names }
func (t *fakeTable) ColumnTypeDatabaseTypeName(j int) string           { return t.types[j] }
func (t *fakeTable) Query(string, []driver.Value) (driver.Rows, error) { return t, nil }
func (t *fakeTable) Next(values []driver.Value) error {
	if t.at == len(t.rows) {
		return t.end
	}
	copy(values, t.rows[t.at])
	t.at++
	return nil
}

// answer returns the rows of t as a query has them.
func (t *fakeTable) answer(tt *testing.T) *sql.Rows {
	db := sql.OpenDB(t)
	tt.Cleanup(func() { db.Close() })
	if t.end == nil {
		t.end = io.EOF
	}
	rows, err := db.QueryContext(tt.Context(), "select")
	if err != nil {
		tt.Fatal(err)
	}
	tt.Cleanup(func() { rows.Close() })
	return rows
}

func payments() *fakeTable {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &fakeTable{
		names: []string{"sum", "zip", "price", "night", "at", "class"},
		types: []string{"BIGINT", "VARCHAR(5)", "DECIMAL", "BOOL", "TIMESTAMP", "text"},
		rows: [][]driver.Value{
			{int64(5), "01234", []byte("1.50"), true, at, "fraud"},
			{nil, "99999", []byte("-2"), false, at, "good"},
			{float64(0.5), "", nil, nil, nil, []byte("good")},
			{int64(7), "01234", []byte("3"), true, at, "fraud"},
		},
	}
}

func TestFromRows(t *testing.T) {
	o := Options{Target: "class", Ignore: []string{"at"}}
	const want = "sum=5,_,0.5,7 zip(01234|99999)=01234,99999,_,01234 price=1.5,-2,_,3 " +
		"night(false|true)=true,false,_,true -> fraud,good,good,fraud"
	f, err := FromRows(payments().answer(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(f); got != want {
		t.Errorf("training\n got %s\nwant %s", got, want)
	}
	known, err := FromRows(payments().answer(t), Options{Target: "class", Schema: f.Schema(), Classes: f.Classes})
	if err != nil || shown(known) != want {
		t.Errorf("for a model %v\n got %s\nwant %s", err, shown(known), want)
	}
	s, err := Query(payments().answer(t))
	if err != nil {
		t.Fatal(err)
	}
	rd, err := NewSourceReader(s, Options{Schema: Schema{{Name: "sum"}}, ID: "zip"})
	if err != nil {
		t.Fatal(err)
	}
	if block, err := rd.Next(2); err != nil || shown(block) != "sum=5,_ ->" || block.ID[1] != "99999" {
		t.Errorf("block by block: %v, %v", block, err)
	}
}

func TestFromRowsFaults(t *testing.T) {
	change := func(change func(*fakeTable)) *fakeTable {
		table := payments()
		change(table)
		return table
	}
	for _, tc := range []struct {
		name  string
		table *fakeTable
		want  string
	}{
		{"a time", payments(), `query, row 1: column "at": a time is neither a number nor a category; select what matters of it as a number or a text, or leave it out with Ignore`},
		{"a strange value", change(func(p *fakeTable) { p.rows[0][4], p.rows[1][0] = nil, []int{1} }),
			`query, row 2: column "sum": a value of type []int is neither a number nor a category; select what matters of it as a number or a text, or leave it out with Ignore`},
		{"no name", change(func(p *fakeTable) { p.names[1] = " " }),
			`query: column 2 of the result has no name; give it one with AS`},
		{"two of a name", change(func(p *fakeTable) { p.names[1] = "sum" }),
			`query: columns 1 and 2 of the result are both named "sum"; rename one with AS`},
		{"the connection breaks", change(func(p *fakeTable) {
			p.rows[0][4], p.rows, p.end = nil, p.rows[:1],
				errors.New("gone")
		}), `query: after 1 row: gone`},
		{"words among numbers", change(func(p *fakeTable) {
			p.rows[1][2] = "two"
			p.names[4], p.names[5] = "class", "more"
			for i := range p.rows {
				p.rows[i][4] = "x"
			}
		}),
			`query, row 2: column "price": mixes numbers and text: 1 of 3 cells is not a number: "two" in row 2; correct it, or use --missing two, --categorical price or --ignore price`},
	} {
		f, err := FromRows(tc.table.answer(t), Options{Target: "class"})
		if err == nil || err.Error() != tc.want || f != nil {
			t.Errorf("%s: error\n got %v\nwant %s", tc.name, err, tc.want)
		}
	}
	rows := payments().answer(t)
	rows.Close()
	if _, err := FromRows(rows, Options{Target: "class"}); err == nil || !strings.HasPrefix(err.Error(),
		"query: sql: Rows are closed") {
		t.Errorf("closed rows: %v", err)
	}
}
