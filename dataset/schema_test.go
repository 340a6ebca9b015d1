package dataset

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

var nan = math.NaN()

func handmade() *Frame {
	return &Frame{
		Columns: []Column{
			{Field: Field{Name: "extra"}, Values: []float64{9, 9, 9}},
			{Field: Field{Name: "c", Kind: Categorical, Levels: []string{"p", "q", "r"}}, Values: []float64{2, 0, nan}},
			{Field: Field{Name: "x"}, Values: []float64{1, 2, nan}},
		},
		Classes: []string{"a", "b"}, Truth: []int{0, 1, -1}, ID: []string{"i", "j", "k"},
	}
}

func TestConform(t *testing.T) {
	s := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"o", "p", "q"}}}
	f := handmade()
	g, err := s.Conform(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shown(g), "x=1,2,_ c(o|p|q)=_,p,_ -> a,b,_"; got != want {
		t.Errorf("conformed to %s, want %s", got, want)
	}
	if !slices.Equal(g.Unseen, []int{0, 1}) || !slices.Equal(g.ID, f.ID) {
		t.Errorf("unseen %v, ids %v", g.Unseen, g.ID)
	}
	want := "1 column unknown to the model ignored: \"extra\"\ncolumn \"c\": 1 cell of a category unseen in training " +
		"taken as missing"
	if got := errors.Join(g.Warnings...); got == nil || got.Error() != want {
		t.Errorf("warnings %v, want %s", got, want)
	}
	if got, want := shown(f), "extra=9,9,9 c(p|q|r)=r,p,_ x=1,2,_ -> a,b,_"; got != want || f.Warnings != nil ||
		f.Unseen != nil {
		t.Errorf("the frame itself became %s, want %s", got, want)
	}
	again, err := s.Conform(g)
	if err != nil || shown(again) != shown(g) || !slices.Equal(again.Unseen, []int{0, 0}) {
		t.Errorf("conforming twice: %v, %v", again, err)
	}
}

func TestConformRefuses(t *testing.T) {
	broken := handmade()
	broken.Columns[2].Values = broken.Columns[2].Values[:1]
	for _, c := range []struct {
		name string
		f    *Frame
		s    Schema
		is   error
		want string
	}{
		{"missing columns", handmade(), Schema{{Name: "u"}, {Name: "x"}, {Name: "v"}}, ErrShape,
			`lengths do not agree: the frame lacks 2 columns of the schema: "u", "v"; add what is missing`},
		{"number for category", handmade(), Schema{{Name: "x", Kind: Categorical}}, ErrValue,
			`value out of range: column "x" is numeric and the schema has it categorical; build it as categorical`},
		{"category for number", handmade(), Schema{{Name: "c"}}, ErrValue,
			`value out of range: column "c" is categorical and the schema has it numeric; build it as numeric`},
		{"unfit frame", broken, Schema{{Name: "c"}}, ErrShape, `lengths do not agree: column "x" has 1 cells for 3 rows`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := c.s.Conform(c.f); !errors.Is(err, c.is) || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(f *Frame)
		is    error
		want  string
	}{
		{"fit", func(*Frame) {}, nil, ""},
		{"G138 NaN is a missing cell", func(f *Frame) { f.Columns[0].Values[1] = nan }, nil, ""},
		{"no columns", func(f *Frame) { f.Columns = nil }, ErrNoData,
			"no data: the frame has no columns; add at least one feature"},
		{"two columns of one name", func(f *Frame) { f.Columns[2].Name = "extra" }, ErrValue,
			`value out of range: columns 1 and 3 are both named "extra"; rename one`},
		{"short column", func(f *Frame) { f.Columns[1].Values = []float64{1} }, ErrShape,
			`lengths do not agree: column "c" has 1 cells for 3 rows`},
		{"weights", func(f *Frame) { f.Weight = []float64{1} }, ErrShape,
			"lengths do not agree: Weight has 1 entries for 3 rows"},
		{"groups", func(f *Frame) { f.Group, f.ID = []int{1}, []string{"a"} }, ErrShape,
			"lengths do not agree: Group has 1 entries for 3 rows"},
		{"ids", func(f *Frame) { f.ID = []string{"a"} }, ErrShape, "lengths do not agree: ID has 1 entries for 3 rows"},
		{"unsorted levels", func(f *Frame) { f.Columns[1].Levels = []string{"q", "p", "r"} }, ErrValue,
			`value out of range: the levels of column "c" are not sorted, repeated or empty; sort them, so that their order never depends on the rows`},
		{"repeated level", func(f *Frame) { f.Columns[1].Levels = []string{"p", "p", "r"} }, ErrValue,
			`value out of range: the levels of column "c" are not sorted, repeated or empty; sort them, so that their order never depends on the rows`},
		{"E119 empty level", func(f *Frame) { f.Columns[1].Levels = []string{"", "p", "r"} }, ErrValue,
			`value out of range: the levels of column "c" are not sorted, repeated or empty; sort them, so that their order never depends on the rows`},
		{"G139 infinity", func(f *Frame) { f.Columns[0].Values[1] = math.Inf(-1) }, ErrValue,
			`value out of range: column "extra", row 1 is -Inf; use NaN for a missing cell`},
		{"no such level", func(f *Frame) { f.Columns[1].Values[1] = 3 }, ErrValue,
			`value out of range: column "c", row 1 is 3, not the index of one of its 3 levels`},
		{"half a level", func(f *Frame) { f.Columns[1].Values[1] = .5 }, ErrValue,
			`value out of range: column "c", row 1 is 0.5, not the index of one of its 3 levels`},
		{"negative level", func(f *Frame) { f.Columns[1].Values[1] = -1 }, ErrValue,
			`value out of range: column "c", row 1 is -1, not the index of one of its 3 levels`},
		{"no such class", func(f *Frame) { f.Truth[1] = 2 }, ErrValue,
			"value out of range: row 1 has class index 2 of 2 classes; use -1 for unknown"},
		{"class below -1", func(f *Frame) { f.Truth[1] = -2 }, ErrValue,
			"value out of range: row 1 has class index -2 of 2 classes; use -1 for unknown"},
		{"two classes of one name", func(f *Frame) { f.Classes = []string{"a", "a"} }, ErrValue,
			`value out of range: classes 0 and 1 are both named "a"; rename one`},
		{"class without a name", func(f *Frame) { f.Classes = []string{"a", ""} }, ErrValue,
			"value out of range: class 1 has no name; give it one"},
		{"G154 negative weight", func(f *Frame) { f.Weight = []float64{0, -1, 1} }, ErrValue,
			"value out of range: row 1 has weight -1; a weight is finite and not negative"},
		{"G155 NaN weight", func(f *Frame) { f.Weight = []float64{0, 1, nan} }, ErrValue,
			"value out of range: row 2 has weight NaN; a weight is finite and not negative"},
		{"G155 infinite weight", func(f *Frame) { f.Weight = []float64{0, 1, math.Inf(1)} }, ErrValue,
			"value out of range: row 2 has weight +Inf; a weight is finite and not negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := handmade()
			c.spoil(f)
			for range 20 { // the same fault every time
				err := f.Check()
				if !errors.Is(err, c.is) || err != nil && err.Error() != c.want {
					t.Fatalf("error %v, want %s", err, c.want)
				}
			}
		})
	}
}

func TestTake(t *testing.T) {
	f := handmade()
	f.Weight, f.Group = []float64{1, 2, 3}, []int{4, 5, 6}
	part := f.Take([]int{2, 0, 0})
	if got, want := shown(part), "extra=9,9,9 c(p|q|r)=_,r,r x=_,1,1 -> _,a,a"; got != want {
		t.Errorf("took %s, want %s", got, want)
	}
	if !slices.Equal(part.Weight, []float64{3, 1, 1}) || !slices.Equal(part.Group, []int{6, 4, 4}) ||
		!slices.Equal(part.ID, []string{"k", "i", "i"}) {
		t.Errorf("weights %v, groups %v, ids %v", part.Weight, part.Group, part.ID)
	}
	if got := part.ClassWeights(); !slices.Equal(got, []float64{2, 0}) {
		t.Errorf("class weights %v, want [2 0]", got)
	}
	row := make([]float64, 3)
	if f.Row(row, 1); !slices.Equal(row, []float64{9, 0, 2}) {
		t.Errorf("row 1 is %v, want [9 0 2]", row)
	}
	if empty := f.Take(nil); empty.Rows() != 0 || empty.Check() != nil {
		t.Errorf("an empty part has %d rows: %v", empty.Rows(), empty.Check())
	}
	if bare := (&Frame{}).Take([]int{0, 0}); bare.Rows() != 2 {
		t.Errorf("a part without columns has %d rows, want 2", bare.Rows())
	}
}

func TestKind(t *testing.T) {
	if Numeric.String() != "numeric" || Categorical.String() != "categorical" {
		t.Errorf("kinds %v and %v", Numeric, Categorical)
	}
}

// What Text makes of a cell Cell reads as the same again.
func TestFieldText(t *testing.T) {
	number, kind := Field{Name: "x"}, Field{Name: "kind", Kind: Categorical, Levels: []string{"1", "p; q"}}
	for _, c := range []struct {
		field Field
		cell  float64
		want  string
	}{
		{number, 9.25, "9.25"}, {number, -1000000, "-1000000"}, {number, math.NaN(), ""},
		{kind, 0, "1"}, {kind, 1, "p; q"}, {kind, math.NaN(), ""},
	} {
		text := c.field.Text(c.cell)
		back, err := c.field.Cell(text, nil)
		if text != c.want || err != nil || back != c.cell && !(math.IsNaN(back) && math.IsNaN(c.cell)) {
			t.Errorf("%v of %s: %q, read as %v, %v; want %q", c.cell, c.field.Name, text, back, err, c.want)
		}
	}
}

// Columns that are made from the fields of a model are compared with what they were in training, as those of a file
// are.
func TestConformComparesOwnColumns(t *testing.T) {
	train := Fraud(1000, 1)
	var baselines Baselines
	baselines.Add(train)
	schema := baselines.In(train.Schema())
	later := Fraud(1000, 2)
	for _, shift := range []float64{0, 180} {
		frame := &Frame{}
		for j, field := range schema {
			values := make([]float64, later.Rows())
			for i := range values {
				values[i] = later.Columns[j].At(i)
				if field.Name == "amount" {
					values[i] += shift
				}
			}
			frame.Columns = append(frame.Columns, Column{Field: field, Values: values})
		}
		same, err := schema.Conform(frame)
		if err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(same.Warnings, func(w error) bool {
			return errors.Is(w, ErrDrift) &&
				strings.Contains(w.Error(), "amount")
		})
		if told != (shift > 0) {
			t.Errorf("amounts shifted by %v: warnings %v", shift, same.Warnings)
		}
	}
}
