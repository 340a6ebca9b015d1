package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// The ranges and gaps of a table are the same in whatever form and blocks it comes, without rows that have no label or weigh nothing; 0 has no sign.
func TestRanges(t *testing.T) {
	nan := math.NaN()
	f := &Frame{
		Classes: []string{"a", "b"}, Truth: []int{0, 1, -1, 1},
		Columns: []Column{
			{Field: Field{Name: "x"}, Values: []float64{math.Copysign(0, -1), 7, 900, nan}},
			{Field: Field{Name: "c", Kind: Categorical, Levels: []string{"u"}}, Values: []float64{0, 0, 0, 0}},
			{Field: Field{Name: "none"}, Values: []float64{nan, nan, 5, nan}},
		},
	}
	const want = `[{"low":0,"high":7,"values":2},{"missing":1,"rows":3},null,{"missing":0,"rows":3},null,{"missing":3,"rows":3}]`
	text := func(r Ranges) string {
		var of []any
		for _, field := range r.In(f.Schema()) {
			of = append(of, field.Range, field.Gaps)
		}
		b, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var once, apart, coded Ranges
	once.Add(f)
	for _, row := range []int{3, 1, 2, 0} {
		apart.Add(f.Take([]int{row}))
	}
	trained, err := ReadCSV(strings.NewReader("x,c,none,y\n-0,u,,a\n7,u,,b\n900,u,5,\n,u,,b\n"), "in.csv", Options{Target: "y", DropUnlabelled: true})
	if err != nil {
		t.Fatal(err)
	}
	coded.Add(trained)
	for name, r := range map[string]Ranges{"at once": once, "in blocks": apart, "coded": coded} {
		if got := text(r); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	var weighed Ranges
	f.Truth[2], f.Weight = 1, []float64{1, 2, 0, 1}
	weighed.Add(f)
	if got := text(weighed); got != want {
		t.Errorf("a row of weight 0: %s, want %s", got, want)
	}
	for _, r := range []Range{{Low: 2, High: 1, Values: 3}, {Low: nan, High: 1, Values: 3}, {Low: 0, High: 1}, {Low: 0, High: 1, Values: 1}, {Low: 0, High: math.Inf(1), Values: 3}} {
		if r.Check() == nil {
			t.Errorf("%v is a range", r)
		}
	}
	for _, g := range []Gaps{{-1, 3}, {4, 3}, {0, 0}} {
		if g.Check() == nil {
			t.Errorf("%v are gaps", g)
		}
	}
}

// A column of which far more cells are missing than in training is told, in a file and in a frame alike: of 1000 rows, 20 were without x, none without c.
func TestEmptied(t *testing.T) {
	const ask = "; has it come empty, or is it written otherwise?"
	schema := Schema{
		{Name: "x", Range: &Range{Low: 1, High: 9, Values: 980}, Gaps: &Gaps{20, 1000}},
		{Name: "c", Kind: Categorical, Levels: []string{"u", "v"}, Gaps: &Gaps{0, 1000}},
	}
	for _, tc := range []struct {
		name, cells string
		want        []string
	}{
		{"as in training", strings.Repeat("1,u ", 98) + strings.Repeat(",v ", 2), nil},
		{"x is mostly empty", strings.Repeat("1,u ", 20) + strings.Repeat(",v ", 80), []string{`column "x": 80 of 100 cells are missing (80.0 %, in training 2.0 %)` + ask}},
		{"c is empty", strings.Repeat("1, ", 100), []string{`column "c": 100 of 100 cells are missing (100 %, in training 0 %)` + ask}},
		{"most of c is new", strings.Repeat("1,u ", 30) + strings.Repeat("1, ", 10) + strings.Repeat("1,w ", 60),
			[]string{`column "c": 70 of 100 cells are missing or of unseen categories (70.0 %, in training 0 %)` + ask}},
		{"less than a tenth more", strings.Repeat("1,u ", 890) + strings.Repeat(",u ", 110), nil},
		{"a tenth more", strings.Repeat("1,u ", 879) + strings.Repeat(",u ", 121), []string{`column "x": 121 of 1000 cells are missing (12.1 %, in training 2.0 %)` + ask}},
		{"a handful", strings.Repeat(",u ", 4), nil},
		{"by chance", strings.Repeat("1,u ", 27) + strings.Repeat(",u ", 4) + ",v ", nil}, // 4.9 standard errors
	} {
		f, err := ReadCSV(strings.NewReader("x,c\n"+strings.ReplaceAll(tc.cells, " ", "\n")), "in.csv", Options{Schema: schema})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, text := range tc.want {
			want = append(want, "in.csv: "+text)
		}
		if got := driftOf(f.Warnings); !slices.Equal(got, want) {
			t.Errorf("%s, a file: %q, want %q", tc.name, got, want)
		}
		if f.Unseen[1] > 0 {
			continue // in a frame they are missing already
		}
		if f, err = schema.Conform(f); err != nil {
			t.Fatal(err)
		}
		if got := driftOf(f.Warnings[len(want):]); !slices.Equal(got, tc.want) {
			t.Errorf("%s, a frame: %q, want %q", tc.name, got, tc.want)
		}
	}
	unknown := slices.Clone(schema)
	unknown[0].Gaps, unknown[1].Gaps = nil, nil
	f, err := ReadCSV(strings.NewReader("x,c\n"+strings.Repeat("1,\n", 100)), "in.csv", Options{Schema: unknown})
	if err != nil || driftOf(f.Warnings) != nil {
		t.Errorf("of a model that does not know: %v, %v", f.Warnings, err)
	}
}

// Values beyond those of training are told where chance does not make as many, in a file and in a frame alike.
func TestBeyond(t *testing.T) {
	const (
		ask   = "; another unit or time, or a code for a missing value?"
		above = `column "x": %d of %d values are above every value of training (9.5)` + ask
	)
	schema := func(values int) Schema {
		return Schema{{Name: "x", Range: &Range{Low: 1, High: 9.5, Values: values}}, {Name: "z"}}
	}
	for _, tc := range []struct {
		name, cells string
		schema      Schema
		want        string
	}{
		{"within", strings.Repeat("1,0 9.5,0 ,0 ", 50), schema(1000), ""},
		{"above", strings.Repeat("2,0 ", 90) + strings.Repeat("9500,0 ", 10), schema(1000), fmt.Sprintf(above, 10, 100)},
		{"missing cells do not count", strings.Repeat(",0 ", 90) + strings.Repeat("9500,0 ", 10), schema(1000), fmt.Sprintf(above, 10, 10)},
		{"below", strings.Repeat("-999,0 ", 10), schema(1000), `column "x": 10 of 10 values are below every value of training (1)` + ask},
		{"both", strings.Repeat("-9,0 99,0 ", 10), schema(1000), `column "x": 10 of 20 values are below every value of training (1), and 10 of 20 values are above every value of training (9.5)` + ask},
		{"a handful", strings.Repeat("99,0 ", 4), schema(1000), ""},
		{"a small part", strings.Repeat("2,0 ", 95) + strings.Repeat("99,0 ", 5), schema(1000), ""},
		{"few values in training", strings.Repeat("2,0 ", 90) + strings.Repeat("99,0 ", 10), schema(12), ""}, // in 31 of 100 tables chance makes as many
		{"not known", strings.Repeat("99,99 ", 10), Schema{{Name: "x"}, {Name: "z"}}, ""},
	} {
		f, err := ReadCSV(strings.NewReader("x,z\n"+strings.ReplaceAll(tc.cells, " ", "\n")), "in.csv", Options{Schema: tc.schema})
		if err != nil {
			t.Fatal(err)
		}
		bare := &Frame{Columns: slices.Clone(f.Columns)}
		bare.Columns[0].Range = nil
		conformed, err := tc.schema.Conform(bare)
		if err != nil {
			t.Fatal(err)
		}
		want, place := []string{tc.want}, "in.csv: "
		if tc.want == "" {
			want, place = nil, ""
		}
		if got := driftOf(conformed.Warnings); !slices.Equal(got, want) {
			t.Errorf("%s, a frame: %q, want %q", tc.name, got, want)
		}
		if got := driftOf(f.Warnings); strings.Join(got, "\n") != place+tc.want {
			t.Errorf("%s, a file: %q, want %q", tc.name, got, want)
		}
	}
}

// driftOf are the warnings that are of the kind.
func driftOf(warnings []error) []string {
	var out []string
	for _, w := range warnings {
		if errors.Is(w, ErrDrift) {
			out = append(out, w.Error())
		}
	}
	return out
}

// By hand: of 3 old and 2 new values the largest is new in 2 of 5 orders, the two largest in 2/5 · 1/4.
func TestBeyondChance(t *testing.T) {
	r := Range{Values: 3}
	for n, want := range []float64{1, 0.4, 0.1} {
		if got := r.chance(n, 2); math.Abs(got-want) > 1e-15 {
			t.Errorf("%d beyond: %v, want %v", n, got, want)
		}
	}
}

// A value a little beyond those of training may well be one; codes for a missing value and other units are further away.
func TestFar(t *testing.T) {
	for _, tc := range []struct {
		low, high, v float64
		want         bool
	}{
		{0, 530, 530, false}, {0, 530, 1060, false}, {0, 530, 1061, true}, {0, 530, 9999, true}, {0, 530, -999, true},
		{0.005, 530, -1, true}, {0.005, 530, -0.001, false}, {0, 530, -0.5, false}, // a negative whole number is a code, and rounding makes others
		{-3, 5, -9, false}, {-3, 5, -11, false}, {-3, 5, -12, true}, {-3, 5, 14, true},
		{35, 42, 99, true}, {35, 42, 46, false}, {1, 94, 999, true}, {7, 7, 7, false}, {7, 7, 8, true}, {0, 1, math.NaN(), false},
		{-math.MaxFloat64, math.MaxFloat64, 0, false},
	} {
		if got := (&Range{Low: tc.low, High: tc.high, Values: 9}).Far(tc.v); got != tc.want {
			t.Errorf("%v of %v to %v: %v", tc.v, tc.low, tc.high, got)
		}
	}
}
