package dataset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Points before three digits are told where no program would write decimals so.
func TestThousands(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []string // again and again
		tells bool
	}{
		{"thousands", []string{"1.250", "307", "17.711"}, true},
		{"below 0", []string{"-1.250", "-307", "-17.711"}, true},
		{"three decimals everywhere", []string{"1.250", "307.000", "17.711"}, false},
		{"as many decimals as there are", []string{"1.251", "307", "17.711"}, false},
		{"other decimals", []string{"1.250", "307", "17.71"}, false},
		{"a number that would have a point", []string{"1.250", "3070", "17.711"}, false},
		{"less than one", []string{"1.250", "307", "0.711"}, false},
		{"an exponent", []string{"1.2e1", "307", "17.710"}, false},
		{"no number below 1000", []string{"1.250", "307.000", "17.711"}, false},
		{"whole numbers", []string{"1", "307", "17"}, false},
		{"one decimal", []string{"1.250", "307.0", "17.711"}, false},
	} {
		var whole, first, second thousands
		for i := range 30 {
			cell := c.cells[i%len(c.cells)]
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			whole.note(cell, v)
			if i < 7 {
				first.note(cell, v)
			} else {
				second.note(cell, v)
			}
		}
		first.merge(second)
		if got := whole.text("x") != ""; got != c.tells || first.text("x") != whole.text("x") {
			t.Errorf("%s: told %v, want %v; %+v, in parts %+v", c.name, got, c.tells, whole, first)
		}
	}
	var few thousands
	for range 9 {
		few.note("1.250", 1.25)
		few.note("3", 3)
	}
	if text := few.text("x"); text != "" {
		t.Errorf("of nine: %s", text)
	}
	few.note("", 5) // of a format that has no texts
	if !few.other {
		t.Error("a number without its text is taken for one that may have a point")
	}
}

// A line of totals below new rows is told by its id, wherever it stands.
func TestTotalsAmongRows(t *testing.T) {
	schema := Schema{{Name: "x"}, {Name: "z"}}
	for _, c := range []struct{ rows, want string }{
		{"Summe,3,\n", "in.csv: 1 row has an id such as lines of totals have, in line 4: a line that adds up others is no " +
			"row; remove it"},
		{"TOTAL:,3,\nc,1,2\ntotal,4,\n",
			"in.csv: 2 rows have an id such as lines of totals have, the first in line 4: a line that adds up others is no " +
				"row; remove it"},
		{"Summer,3,\n", ""},
	} {
		f, err := ReadCSV(strings.NewReader("id,x,z\na,1,2\nb,2,4\n"+c.rows), "in.csv", Options{Schema: schema, ID: "id"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(f.Warnings) > 0 {
			got = fmt.Sprint(errors.Join(f.Warnings...))
		}
		if got != c.want {
			t.Errorf("%q: %s\nwant %s", c.rows, got, c.want)
		}
	}
}
