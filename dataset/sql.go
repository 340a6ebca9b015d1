package dataset

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// FromRows reads the result of a query to its end, as [ReadCSV] reads a file: with o.Schema as rows for a
// model, without it as training data. It does not close rows.
//
// The kind of a column follows from what the driver returns. NULL, an empty text and NaN are missing cells.
// Whole numbers and floats are numbers. A truth value is the category false or true. A text is a category if
// the database type of the column is a text type (its name contains CHAR, TEXT, STRING, ENUM or UUID), however
// its cells look; else, as drivers return exact decimals as texts, too, it is read like a cell of a CSV file. A
// time is neither a number nor a category: a column of times can only be ignored.
//
// Errors: as for [ReadCSV], where the file is called query and a place is a row, counted from 1; those of rows,
// wrapped.
func FromRows(rows *sql.Rows, o Options) (*Frame, error) {
	s, err := Query(rows)
	if err != nil {
		return nil, err
	}
	return Read(s, o)
}

// Query returns the result of a query as a [Source], so that [NewSourceReader] reads block by block what
// [FromRows] reads at once.
func Query(rows *sql.Rows) (Source, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", queryName, err)
	}
	q := &query{rows: rows, types: types, cells: make([]Cell, len(types)), values: make([]any, len(types)),
		into: make([]any, len(types))}
	first := map[string]int{}
	for j, t := range types {
		name := strings.TrimSpace(t.Name())
		other, twice := first[name]
		switch {
		case name == "":
			return nil, csvtext.Faultf(queryName, Pos{}, "", "column %d of the result has no name; give it one with AS", j+1)
		case twice:
			return nil, csvtext.Faultf(queryName, Pos{}, "",
				"columns %d and %d of the result are both named %s; rename one with AS", other+1, j+1, english.Quote(name))
		}
		first[name] = j
		q.names = append(q.names, name)
		q.into[j] = &q.values[j]
	}
	return q, nil
}

// queryName stands for a result in messages.
const queryName = "query"

type query struct {
	rows   *sql.Rows
	types  []*sql.ColumnType
	names  []string
	used   []bool
	values []any
	into   []any // pointers to the values
	cells  []Cell
	row    int
}

func (q *query) Name() string      { return queryName }
func (q *query) Columns() []string { return q.names }
func (q *query) Pos(int) Pos       { return Pos{Row: q.row} }

func (q *query) Text(j int) bool {
	name := strings.ToUpper(q.types[j].DatabaseTypeName())
	for _, part := range []string{"CHAR", "TEXT", "STRING", "ENUM", "UUID"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func (q *query) Use(columns []bool) error {
	q.used = columns
	return nil
}

func (q *query) Next() ([]Cell, error) {
	if !q.rows.Next() {
		if err := q.rows.Err(); err != nil {
			return nil, fmt.Errorf("%s: after %s: %w", queryName, english.Plural(q.row, "row"), err)
		}
		return nil, io.EOF
	}
	q.row++
	if err := q.rows.Scan(q.into...); err != nil {
		return nil, fmt.Errorf("%s, row %d: %w", queryName, q.row, err)
	}
	for j, v := range q.values {
		if !q.used[j] {
			continue
		}
		cell, ok := cellOf(v)
		if !ok {
			return nil, csvtext.Faultf(queryName, q.Pos(j), q.names[j],
				"a %s is neither a number nor a category; select what matters of it as a number or a text, or leave it out with "+
					"Ignore", typeName(v))
		}
		q.cells[j] = cell
	}
	return q.cells, nil
}

// cellOf returns as a cell what a driver or a caller handed out. It is false for a time, and for what is neither a
// number, a text, a truth value nor nil.
func cellOf(value any) (Cell, bool) {
	switch v := value.(type) {
	case nil:
		return Cell{}, true
	case int64:
		return IntegerCell(v), true
	case int:
		return IntegerCell(int64(v)), true
	case int32:
		return IntegerCell(int64(v)), true
	case int16:
		return IntegerCell(int64(v)), true
	case int8:
		return IntegerCell(int64(v)), true
	case uint:
		return cellOf(uint64(v))
	case json.Number:
		return TextCell(string(v)), true
	case uint64:
		if v > math.MaxInt64 {
			return TextCell(fmt.Sprint(v)), true
		}
		return IntegerCell(int64(v)), true
	case uint32:
		return IntegerCell(int64(v)), true
	case uint16:
		return IntegerCell(int64(v)), true
	case uint8:
		return IntegerCell(int64(v)), true
	case float64:
		return NumberCell(v), true
	case float32:
		return NumberCell(float64(v)), true
	case bool:
		return TextCell(fmt.Sprint(v)), true
	case string:
		return TextCell(v), true
	case []byte:
		return TextCell(string(v)), true
	}
	return Cell{}, false
}

func typeName(v any) string {
	if _, ok := v.(time.Time); ok {
		return "time"
	}
	return fmt.Sprintf("value of type %T", v)
}
