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

// What a table is remembered by is the same in whatever form and blocks it comes, without rows that have no label or
// weigh nothing; 0 has no sign.
func TestBaselines(t *testing.T) {
	nan := math.NaN()
	f := &Frame{
		Classes: []string{"a", "b"}, Truth: []int{0, 1, -1, 1},
		Columns: []Column{
			{Field: Field{Name: "x"}, Values: []float64{math.Copysign(0, -1), 7, 900, nan}},
			{Field: Field{Name: "c", Kind: Categorical, Levels: []string{"u"}}, Values: []float64{0, nan, 0, 0}},
			{Field: Field{Name: "none"}, Values: []float64{nan, nan, 5, nan}},
		},
	}
	const want = `[{"rows":3,"missing":1,"range":[0,7],"cuts":[0],"counts":[1,1]},{"rows":3,"missing":1,"counts":[2]},{"rows":3,"missing":3}]`
	text := func(b Baselines) string {
		var of []any
		for _, field := range b.In(f.Schema()) {
			if err := field.Baseline.Check(field.Kind, len(field.Levels)); err != nil {
				t.Error(err)
			}
			of = append(of, field.Baseline)
		}
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var once, apart, coded Baselines
	once.Add(f)
	for row := range 4 {
		apart.Add(f.Take([]int{row}))
	}
	trained, err := ReadCSV(strings.NewReader("x,c,none,y\n-0,u,,a\n7,,,b\n900,u,5,\n,u,,b\n"), "in.csv",
		Options{Target: "y", DropUnlabelled: true})
	if err != nil {
		t.Fatal(err)
	}
	coded.Add(trained)
	for name, b := range map[string]Baselines{"at once": once, "in blocks": apart, "coded": coded} {
		if got := text(b); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	var weighed Baselines
	f.Truth[2], f.Weight = 1, []float64{1, 2, 0, 1}
	weighed.Add(f)
	if got := text(weighed); got != want {
		t.Errorf("a row of weight 0: %s, want %s", got, want)
	}
	for _, b := range []Baseline{
		{}, {Rows: 3, Missing: 4}, {Rows: 3, Missing: -1}, {Rows: 3}, {Rows: 3, Missing: 3, Range: &[2]float64{1, 2}},
		{Rows: 3, Range: &[2]float64{2, 1}}, {Rows: 3, Range: &[2]float64{nan, 1}}, {Rows: 1, Range: &[2]float64{0, 1}},
		{Rows: 3, Range: &[2]float64{0, math.Inf(1)}},
		{Rows: 3, Range: &[2]float64{0, 1}, Counts: []int{4}}, {Rows: 3, Range: &[2]float64{0, 1}, Counts: []int{1, 1}},
		{Rows: 3, Range: &[2]float64{0, 1}, Cuts: []float64{0}},
		{Rows: 3, Range: &[2]float64{0, 1}, Cuts: []float64{0}, Counts: []int{3, 0}}, {Rows: 3, Range: &[2]float64{0, 1},
			Cuts: []float64{1}, Counts: []int{1, 1}},
		{Rows: 3, Range: &[2]float64{0, 1}, Cuts: []float64{0, 0}, Counts: []int{1, 1, 1}},
	} {
		if b.Check(Numeric, 0) == nil {
			t.Errorf("%+v is of a column of numbers", b)
		}
	}
	for _, b := range []Baseline{{Rows: 3, Counts: []int{3}}, {Rows: 3, Counts: []int{1, 1}},
		{Rows: 3, Counts: []int{-1, 4}}, {Rows: 2, Range: &[2]float64{1, 1}, Counts: []int{1, 1}}} {
		if b.Check(Categorical, 2) == nil {
			t.Errorf("%+v is of a column of two levels", b)
		}
	}
}

// Of many rows some are drawn, the same in whatever blocks they come.
func TestSample(t *testing.T) {
	f := Fraud(3*mostSampled, 1)
	var once, apart sample
	once.add(f)
	for from := 0; from < f.Rows(); from += 700 {
		var rows []int
		for i := from; i < min(from+700, f.Rows()); i++ {
			rows = append(rows, i)
		}
		apart.add(f.Take(rows))
	}
	if n := len(once.numbers); n > mostSampled || n < mostSampled/4 || !slices.Equal(once.numbers, apart.numbers) {
		t.Fatalf("%d and %d rows", n, len(apart.numbers))
	}
	for j := range f.Columns {
		for at, i := range once.numbers {
			if v, w, want := once.columns[j][at], apart.columns[j][at], f.Columns[j].At(i); v != want && v == v || w != want &&
				w == w {
				t.Fatalf("row %d of column %d: %v and %v, want %v", i, j, v, w, want)
			}
		}
	}
}

// By hand: bins of as many values where they can be, and half of the values are up to the median.
func TestBins(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		cuts   []float64
		counts []int
		median float64
	}{
		{[]float64{3}, nil, []int{1}, 3},
		{[]float64{1, 1, 1}, nil, []int{3}, 1},
		{[]float64{0, 0, 0, 1, 1}, []float64{0}, []int{3, 2}, 0},
		{[]float64{0, 1, 1, 1, 1}, []float64{0}, []int{1, 4}, 1},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, []float64{2, 4, 6, 8, 10, 12, 14,
			16, 18}, []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 10},
		{[]float64{0, 0, 0, 0, 0, 0, 0, 0, 5, 900}, []float64{0, 5}, []int{8, 1, 1}, 0},
	} {
		b := Baseline{Range: &[2]float64{slices.Min(tc.values), slices.Max(tc.values)}}
		b.part(slices.Clone(tc.values))
		if !slices.Equal(b.Cuts, tc.cuts) || !slices.Equal(b.Counts, tc.counts) || b.Median() != tc.median {
			t.Errorf("%v: cuts %v, counts %v, median %v", tc.values, b.Cuts, b.Counts, b.Median())
		}
	}
}

// A column of which far more cells are missing than in training is told, in a file and in a frame alike: of 1000
// rows, 20 were without x, none without c.
func TestEmptied(t *testing.T) {
	const ask = "; has it come empty, or is it written otherwise?"
	schema := Schema{
		{Name: "x", Baseline: &Baseline{Rows: 1000, Missing: 20, Range: &[2]float64{1, 9}}},
		{Name: "c", Kind: Categorical, Levels: []string{"u", "v"}, Baseline: &Baseline{Rows: 1000}},
	}
	for _, tc := range []struct {
		name, cells string
		want        []string
	}{
		{"as in training", strings.Repeat("1,u ", 98) + strings.Repeat(",v ", 2), nil},
		{"x is mostly empty", strings.Repeat("1,u ", 20) + strings.Repeat(",v ", 80),
			[]string{`column "x": 80 of 100 cells are missing (80.0 %, in training 2.0 %)` + ask}},
		{"c is empty", strings.Repeat("1, ", 100),
			[]string{`column "c": 100 of 100 cells are missing (100 %, in training 0 %)` + ask}},
		{"most of c is new", strings.Repeat("1,u ", 30) + strings.Repeat("1, ", 10) + strings.Repeat("1,w ", 60),
			[]string{`column "c": 70 of 100 cells are missing or of unseen categories (70.0 %, in training 0 %)` + ask}},
		{"less than a tenth more", strings.Repeat("1,u ", 890) + strings.Repeat(",u ", 110), nil},
		{"a tenth more", strings.Repeat("1,u ", 879) + strings.Repeat(",u ", 121),
			[]string{`column "x": 121 of 1000 cells are missing (12.1 %, in training 2.0 %)` + ask}},
		{"a handful", strings.Repeat(",u ", 4), nil},
		{"by chance", strings.Repeat("1,u ", 27) + strings.Repeat(",u ", 4) + ",v ", nil}, // 4.9 standard errors
	} {
		f, err := ReadCSV(strings.NewReader("x,c\n"+strings.ReplaceAll(tc.cells, " ", "\n")), "in.csv",
			Options{Schema: schema})
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
		again, err := schema.Conform(f)
		if err != nil || !slices.Equal(driftOf(again.Warnings), want) {
			t.Errorf("%s, a frame that was compared: %v, %v", tc.name, again.Warnings, err)
		}
		bare := &Frame{Columns: slices.Clone(f.Columns)}
		for j := range bare.Columns {
			bare.Columns[j].Baseline = nil
		}
		if f, err = schema.Conform(bare); err != nil {
			t.Fatal(err)
		}
		if got := driftOf(f.Warnings); !slices.Equal(got, tc.want) {
			t.Errorf("%s, a frame: %q, want %q", tc.name, got, tc.want)
		}
	}
	unknown := slices.Clone(schema)
	unknown[0].Baseline, unknown[1].Baseline = nil, nil
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
		return Schema{{Name: "x", Baseline: &Baseline{Rows: 10 * values, Missing: 9 * values, Range: &[2]float64{1, 9.5}}},
			{Name: "z"}}
	}
	for _, tc := range []struct {
		name, cells string
		schema      Schema
		want        string
	}{
		{"within", strings.Repeat("1,0 9.5,0 ,0 ", 50), schema(1000), ""},
		{"above", strings.Repeat("2,0 ", 90) + strings.Repeat("9500,0 ", 10), schema(1000), fmt.Sprintf(above, 10, 100)},
		{"missing cells do not count", strings.Repeat(",0 ", 90) + strings.Repeat("9500,0 ", 10), schema(1000),
			fmt.Sprintf(above, 10, 10)},
		{"below", strings.Repeat("-999,0 ", 10), schema(1000),
			`column "x": 10 of 10 values are below every value of training (1)` + ask},
		{"both", strings.Repeat("-9,0 99,0 ", 10), schema(1000),
			`column "x": 10 of 20 values are below every value of training (1), and 10 of 20 values are above every value of training (9.5)` + ask},
		{"a handful", strings.Repeat("99,0 ", 4), schema(1000), ""},
		{"a small part", strings.Repeat("2,0 ", 95) + strings.Repeat("99,0 ", 5), schema(1000), ""},
		// in 31 of 100 tables chance makes as many
		{"few values in training", strings.Repeat("2,0 ", 90) + strings.Repeat("99,0 ", 10), schema(12), ""},
		{"not known", strings.Repeat("99,99 ", 10), Schema{{Name: "x"}, {Name: "z"}}, ""},
	} {
		f, err := ReadCSV(strings.NewReader("x,z\n"+strings.ReplaceAll(tc.cells, " ", "\n")), "in.csv",
			Options{Schema: tc.schema})
		if err != nil {
			t.Fatal(err)
		}
		bare := &Frame{Columns: slices.Clone(f.Columns)}
		bare.Columns[0].Baseline = nil
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
	r := Baseline{Rows: 3}
	for n, want := range []float64{1, 0.4, 0.1} {
		if got := r.chance(n, 2); math.Abs(got-want) > 1e-15 {
			t.Errorf("%d beyond: %v, want %v", n, got, want)
		}
	}
}

// A value a little beyond those of training may well be one; codes for a missing value and other units are further
// away.
func TestFar(t *testing.T) {
	for _, tc := range []struct {
		low, high, v float64
		want         bool
	}{
		{0, 530, 530, false}, {0, 530, 1060, false}, {0, 530, 1061, true}, {0, 530, 9999, true}, {0, 530, -999, true},
		// a negative whole number is a code, and rounding makes others
		{0.005, 530, -1, true}, {0.005, 530, -0.001, false}, {0, 530, -0.5, false},
		{-3, 5, -9, false}, {-3, 5, -11, false}, {-3, 5, -12, true}, {-3, 5, 14, true},
		{35, 42, 99, true}, {35, 42, 46, false}, {1, 94, 999, true}, {7, 7, 7, false}, {7, 7, 8, true}, {0, 1, math.NaN(),
			false},
		{-math.MaxFloat64, math.MaxFloat64, 0, false},
	} {
		if got := (&Baseline{Range: &[2]float64{tc.low, tc.high}}).Far(tc.v); got != tc.want {
			t.Errorf("%v of %v to %v: %v", tc.v, tc.low, tc.high, got)
		}
	}
}

// Values that shifted between those of training are told, in a file and in a frame alike, with the factor of another
// unit where there is one.
func TestShift(t *testing.T) {
	var train strings.Builder
	train.WriteString("x,c,k,y\n")
	for i := range 1000 {
		fmt.Fprintf(&train, "%v,%s,%d,%s\n", math.Exp(float64(i%500)/100), []string{"u", "v", "w", "rare"}[min(i%20/6, 3)],
			i%10/7, []string{"a", "b"}[i%2])
	}
	trained, err := ReadCSV(strings.NewReader(train.String()), "train.csv", Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	var b Baselines
	b.Add(trained)
	schema := b.In(trained.Schema())
	for _, tc := range []struct {
		name string
		rows int
		row  func(i int) (x any, c string, k int)
		want string
	}{
		{"as in training", 1000, func(i int) (any, string, int) { return math.Exp(float64(i%500) / 100), "", i % 10 / 7 },
			""},
		{"a twentieth more", 1000, func(i int) (any, string, int) {
			return 1.05 * math.Exp(float64(i%450)/100), "",
				i % 10 / 7
		}, ""},
		{"a factor", 200, func(i int) (any, string, int) { return math.Exp(float64(i%200)/40) / 12, "", i % 10 / 7 },
			`column "x": half of the values are up to 0.9901, in training up to 12.06, and low and high ones alike are about 1/12 of what they were; another unit? then convert it`},
		{"no factor", 400, func(i int) (any, string, int) { return math.Exp(float64(200+i%200)/100) / 4, "", i % 10 / 7 },
			`column "x": half of the values are up to 4.971, in training up to 12.06; another unit, another way to measure, or other cases?`},
		{"zeros", 50, func(i int) (any, string, int) { return 0, "", i % 10 / 7 },
			`column "x": all values are 0, in training half were up to 12.06; is it no longer measured, or a code for a missing value?`},
		{"zeros of few rows", 4, func(i int) (any, string, int) { return 0, "", i % 10 / 7 }, ""},
		{"two of many zeros", 100, func(i int) (any, string, int) {
			if i%5 < 2 {
				return 1.02, "", i % 10 / 7
			}
			return math.Exp(float64(i*5%500) / 100), "", i % 10 / 7
		}, `column "x": 46.0 % of the values are up to 1.632, in training 10.0 %; another unit, another way to measure, or other cases?`},
		{"a level", 100, func(i int) (any, string, int) {
			return math.Exp(float64(i*5%500) / 100), []string{"rare", "rare", "u"}[i%3], i % 10 / 7
		}, `column "c": 67.0 % of the values are "rare", in training 10.0 %; is it written otherwise, or are these other cases?`},
		{"of two values", 100, func(i int) (any, string, int) { return math.Exp(float64(i*5%500) / 100), "", min(i%10, 1) },
			`column "k": 90.0 % of the values are above 0, in training 30.0 %; another unit, another way to measure, or other cases?`},
	} {
		text := "x,c,k\n"
		for i := range tc.rows {
			x, c, k := tc.row(i)
			if c == "" {
				c = []string{"u", "v", "w", "rare"}[min(i%20/6, 3)]
			}
			text += fmt.Sprintf("%v,%s,%d\n", x, c, k)
		}
		f, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Schema: schema})
		if err != nil {
			t.Fatal(err)
		}
		got := driftOf(f.Warnings)
		if joined := strings.Join(got, "\n"); tc.want == "" && joined != "" || tc.want != "" && (len(got) != 1 ||
			!strings.HasPrefix(joined, "in.csv: "+tc.want)) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		bare := &Frame{Columns: slices.Clone(f.Columns)}
		for j := range bare.Columns {
			bare.Columns[j].Baseline = nil
		}
		conformed, err := schema.Conform(bare)
		if err != nil {
			t.Fatal(err)
		}
		if again := driftOf(conformed.Warnings); "in.csv: "+strings.Join(again, "") != strings.Join(got, "") &&
			(again != nil || got != nil) {
			t.Errorf("%s, a frame: %q, a file %q", tc.name, again, got)
		}
	}
}

// One value that all cells have is no other unit, however near to each other those of training were; and of a column
// that was empty nothing is known.
func TestShiftOfLittle(t *testing.T) {
	train := Fraud(500, 1)
	train.Columns = []Column{{Field: Field{Name: "warm"}, Values: make([]float64, 500)},
		{Field: Field{Name: "empty", Kind: Categorical, Levels: []string{"u", "v"}}, Values: make([]float64, 500)}}
	for i := range 500 {
		train.Columns[0].Values[i], train.Columns[1].Values[i] = 36+float64(i%20)/10, math.NaN()
	}
	var b Baselines
	b.Add(train)
	schema := b.In(train.Schema())
	f, err := ReadCSV(strings.NewReader("warm,empty\n"+strings.Repeat("99,u\n", 180)+strings.Repeat("99,v\n", 20)),
		"in.csv", Options{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	least := Baseline{Rows: 8, Counts: []int{2, 2, 2, 2}, Cuts: []float64{1e-320, 2e-320, 3e-320}}
	if got := least.factor([]float64{1, 2, 3, 4}); got != 0 {
		t.Errorf("a factor of %v, which is no number to show", got)
	}
	want := []string{`in.csv: column "warm": all values are 99, in training half were up to 36.9; is it no longer measured, or a code for a missing value?`}
	if got := driftOf(f.Warnings); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Rows like those of training are not said to have shifted, few or many: each of 160 tables.
func TestNoShiftByChance(t *testing.T) {
	var b Baselines
	train := Fraud(3000, 1)
	b.Add(train)
	schema := b.In(train.Schema())
	for _, n := range []int{10, 20, 100, 1000} {
		for seed := range uint64(40) {
			f, err := schema.Conform(Fraud(n, 2+seed))
			if err != nil {
				t.Fatal(err)
			}
			if got := driftOf(f.Warnings); got != nil {
				t.Errorf("%d rows, seed %d: %q", n, seed, got)
			}
		}
	}
}

// A factor near a power of ten, as units differ by, is that, if the values are no more alike than that; and there is
// none where half of them are a code.
func TestFactor(t *testing.T) {
	p := Baseline{Rows: 1000, Counts: slices.Repeat([]int{100}, 10), Cuts: []float64{0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1,
		2.8, 4}}
	for _, tc := range []struct {
		name         string
		times, noise float64
		code         int // so many of ten values are -999
		want         float64
	}{
		{"thousand", 1000, 0, 0, 1000},
		{"about thousand", 1060, 0.1, 0, 1000},
		{"a hundredth", 0.0095, 0.1, 0, 0.01},
		{"twelve", 12, 0, 0, 12},
		{"nearly thousand", 1060, 0, 0, 1060},
		{"half a code", 1, 0.05, 5, 0},
		{"a fifth a code", 12, 0, 2, 12},
	} {
		var values []float64
		for i, cut := range p.Cuts {
			v := cut * tc.times * (1 + tc.noise*float64(i%3-1))
			if i < tc.code {
				v = -999
			}
			values = append(values, v)
		}
		values = append(values, 5*tc.times)
		slices.Sort(values)
		if got := p.factor(values); math.Abs(got/tc.want-1) > 1e-3 && got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// Of many rows a sample is looked at: where it has one value alone, all have it only if they do.
func TestNearlyAlike(t *testing.T) {
	var b Baselines
	train := &Frame{Classes: []string{"a"}, Truth: make([]int, 200), Columns: []Column{{Field: Field{Name: "z"},
		Values: make([]float64, 200)}}}
	for i := range train.Columns[0].Values {
		train.Columns[0].Values[i] = float64(i)
	}
	b.Add(train)
	schema := b.In(train.Schema())
	for v, want := range map[string]string{
		"0": "in.csv: column \"z\": all values are 0, in training half were up to 99;",
		"5": "in.csv: column \"z\": nearly all values are 0, in training half were up to 99;",
	} {
		f, err := ReadCSV(strings.NewReader("z\n"+strings.Repeat("0\n", 9001)+v+"\n"+strings.Repeat("0\n", 9000)), "in.csv",
			Options{Schema: schema})
		if err != nil {
			t.Fatal(err)
		}
		if got := driftOf(f.Warnings); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Of a column that had one value in all rows of training, from which nothing was learnt, it is not asked whether it
// has come empty: other categories are told as such.
func TestConstantColumn(t *testing.T) {
	train := mustRead(t, rowsOf("x,c,n,y", 100, func(i int) string {
		return fmt.Sprintf("%d,t,1,%s", i%17,
			"ab"[i%2:i%2+1])
	}), Options{Target: "y"})
	var b Baselines
	b.Add(train)
	f, err := ReadCSV(strings.NewReader(rowsOf("x,c,n", 100, func(i int) string {
		return fmt.Sprintf("%d,%s,%s", i%17,
			"tf"[i%2:i%2+1], "1"[:i%2])
	})), "in.csv", Options{Schema: b.In(train.Schema())})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(f.Warnings); got != 1 || !strings.Contains(f.Warnings[0].Error(),
		`column "c": 50 cells of categories unseen in training`) {
		t.Errorf("%d warnings: %v", got, f.Warnings)
	}
}

// Rows of a part of the months or quarters of the training are no drift; words that are not there then, and numbers
// beyond, are.
func TestShiftOfDate(t *testing.T) {
	months := []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	file := func(rows int, month func(i int) (word string, number int)) string {
		text := "MonthClaimed,quarter,town,y\n"
		for i := range rows {
			word, number := month(i)
			text += fmt.Sprintf("%s,%d,%s,%s\n", word, (number+2)/3, "at "+word, []string{"a", "b"}[i%2])
		}
		return text
	}
	trained, err := ReadCSV(strings.NewReader(file(1200, func(i int) (string, int) { return months[i%12], i%12 + 1 })),
		"train.csv", Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	var b Baselines
	b.Add(trained)
	schema := b.In(trained.Schema())
	town := []string{`in.csv: column "town": 100 % of the values are "at Aug", in training 8.3 %; is it written otherwise, or are these other cases?`}
	for name, tc := range map[string]struct {
		month func(i int) (string, int)
		want  []string
	}{
		"one month": {func(int) (string, int) { return "Aug", 8 }, town},
		"others beside": {func(i int) (string, int) { return []string{"Aug", "August"}[i%2], 8 + i%2*12 }, []string{
			`in.csv: column "MonthClaimed": 100 of 200 cells are missing or of unseen categories (50.0 %, in training 0 %); has it come empty, or is it written otherwise?`,
			`in.csv: column "quarter": 100 of 200 values are above every value of training (4); another unit or time, or a code for a missing value?`,
			`in.csv: column "town": 100 % of the values are "at Aug", in training 8.3 %, and 100 of 200 cells are missing or of unseen categories (50.0 %, in training 0 %); is it written otherwise, or are these other cases?`}},
	} {
		f, err := ReadCSV(strings.NewReader(file(200, tc.month)), "in.csv", Options{Schema: schema})
		if err != nil {
			t.Fatal(err)
		}
		if got := driftOf(f.Warnings); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
