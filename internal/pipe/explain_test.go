package pipe

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
)

// Parts and changes are those of package explain.
func TestExplain(t *testing.T) {
	frame := dataset.Fraud(300, 3)
	c := dial(t, &Server{})
	fields, buffers := tableOf(frame, "class")
	fitted := c.get(`"op":"fit","options":{"trees":20,"tune_forest":"off"},`+fields, buffers...)
	m, err := rfpragma.ReadModel(bytes.NewReader(data(fitted, "file")))
	if err != nil {
		t.Fatal(err)
	}
	id := field[modelInfo](fitted, "model").ID
	table := strings.TrimPrefix(fields, `"table":`)
	for _, odds := range []bool{false, true} {
		r := c.get(fmt.Sprintf(`"op":"explain","model":{"id":%q},"explain":{"class":"fraud","log_odds":%v},`+
			`"table":%s,"background":%s`, id, odds, table, table), buffers...)
		e, err := explain.New(context.Background(), m, frame, explain.Options{Class: "fraud", LogOdds: odds})
		if err != nil {
			t.Fatal(err)
		}
		want, err := e.Rows(context.Background(), frame)
		if err != nil {
			t.Fatal(err)
		}
		if got := floatsOf(data(r, "parts")); !slices.Equal(got, slices.Concat(want...)) ||
			field[float64](r, "base") != e.Base || len(field[[]string](r, "columns")) != len(m.Forest.Schema) {
			t.Errorf("log odds %v: base %v and parts %v, want %v and %v", odds, field[float64](r, "base"), got, e.Base, want)
		}
	}
	r := c.get(fmt.Sprintf(`"op":"predict","model":{"id":%q},"change":{"most":2,"keep":["amount"]},%s`, id, fields),
		buffers...)
	changes := field[[]*explain.Change](r, "changes")
	for i := range 100 {
		x := make([]float64, len(m.Forest.Schema))
		frame.Row(x, i)
		want, err := explain.Nearest(context.Background(), m, x, explain.ChangeOptions{Keep: []string{"amount"}})
		if err != nil {
			t.Fatal(err)
		}
		if want != nil {
			want.Row = nil
		}
		if !reflect.DeepEqual(changes[i], want) {
			t.Errorf("row %d: %+v, want %+v", i, changes[i], want)
		}
	}
	for _, fault := range []struct{ fields, code string }{
		{`"op":"explain",` + fields, codeProtocol},
		{fmt.Sprintf(`"op":"explain","model":{"id":%q},"explain":{"class":"x"},"table":%s,"background":%s`, id, table,
			table), codeOption},
	} {
		if r := c.ask(fault.fields, buffers...); r.Error == nil || r.Error.Code != fault.code {
			t.Errorf("%.80s: %+v, want %s", fault.fields, r.Error, fault.code)
		}
	}
}
