package dataset

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/dateparts"
)

// The columns by whose texts lists are parted may be of any other use, and need none.
func TestReadPer(t *testing.T) {
	schema := Schema{{Name: "x"}, {Name: "month", Kind: Categorical, Levels: []string{"Feb", "Jan"}}}
	in := "x,month,year,town\n1,Jan,1996,\"a, b\"\n2, Feb ,1997,\n3,Jan,1996,\"a, b\"\n"
	for _, tc := range []struct {
		o    Options
		want []string
	}{
		{Options{Per: "year,month"}, []string{"1996,Jan", "1997,Feb", "1996,Jan"}},
		{Options{Per: "town", Ignore: []string{"year", "town"}}, []string{`"a, b"`, "", `"a, b"`}},
		{Options{Per: "x"}, []string{"1", "2", "3"}},
		{Options{Per: "year,town", Strict: true, ID: "town"}, []string{`1996,"a, b"`, "1997,", `1996,"a, b"`}},
		{Options{}, nil},
	} {
		tc.o.Schema = schema
		f, err := ReadCSV(strings.NewReader(in), "in.csv", tc.o)
		if err != nil || !slices.Equal(f.Per, tc.want) {
			t.Errorf("%+v: %q, %v", tc.o, f.Per, err)
			continue
		}
		if part := f.Take([]int{2, 0}); tc.want != nil && part.Per[0] != tc.want[2] {
			t.Errorf("a part: %q", part.Per)
		}
	}
	_, err := ReadCSV(strings.NewReader(in), "in.csv", Options{Schema: schema, Per: "year,mnth"})
	if err == nil || !strings.Contains(err.Error(), `no column "mnth" for --per (did you mean "month"?)`) {
		t.Errorf("no such column: %v", err)
	}
}

func TestComparePer(t *testing.T) {
	want := []string{"9,Dec", "10,Feb", "10,Mar.", "10,april", "10,May", "10,", "10,x", "", "2024-01-31", "2024-02-01",
		"b", `b,"c, d"`}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, dateparts.ComparePer); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
