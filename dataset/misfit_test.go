package dataset

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/inspected"
)

func TestMisfit(t *testing.T) {
	schema := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"p", "q"}}}
	const blank = "in.csv: 10 of 10 rows are without a value that the model knows in any of its 2 columns: cells are " +
		"empty, or categories unseen in training; look whether this is the right file"
	for _, c := range []struct {
		name, text string
		o          Options
		want       string // "" for a fit
	}{
		{"other labels", "x,c,y\n1,p,yes\n2,q,no\n3,p,a\n4,q,\n", Options{Target: "y"},
			`in.csv: column "y": 2 of 3 labels are no class of the model, which has "a", "b": such as "yes", "no"; correct the labels, or name another column with --target`},
		{"a class in another letter case", "x,c,y\n1,p,a\n3,p,B \n4,q,a\n", Options{Target: "y"},
			`in.csv: column "y": no row is of class "b", and 1 row is labelled "B": write the class as the model does, "b"`},
		{"the one class in another letter case", "x,c,y\n1,p,z\n3,p,B\n4,q,B\n", Options{Target: "y", Positive: "b"},
			`in.csv: column "y": no row is of class "b", and 2 rows are labelled "B": write the class as the model does, "b"`},
		{"a class in both", "x,c,y\n1,p,a\n3,p,B\n4,q,b\n", Options{Target: "y"}, ""},
		{"half of the labels", "x,c,y\n1,p,yes\n3,p,a\n", Options{Target: "y"}, ""},
		{"hardly a label", "x,c,y\n1,p,\n2,q,\n3,p,a\n", Options{Target: "y"},
			`in.csv: column "y": 2 of 3 rows are without a label and cannot be judged; fill them, or leave such rows out with --drop-unlabelled`},
		{"one row without a label", "x,c,y\n1,p,\n", Options{Target: "y"},
			`in.csv: column "y": 1 of 1 row is without a label and cannot be judged; fill it, or leave such rows out with --drop-unlabelled`},
		{"hardly a label, as expected", "x,c,y\n1,p,\n2,q,\n3,p,a\n", Options{Target: "y", DropUnlabelled: true}, ""},
		{"half without a label", "x,c,y\n1,p,\n3,p,a\n", Options{Target: "y"}, ""},
		{"nothing known", "x,c\n" + strings.Repeat(",z\n,\n", 5), Options{}, blank},
		{"nothing known of a few", "x,c\n" + strings.Repeat(",z\n", 9), Options{}, ""},
		{"nothing known of most", "x,c\n" + strings.Repeat(",z\n,\n", 5) + "3,p\n", Options{}, ""},
		{"something known", "x,c\n,z\n1,\n,p\n", Options{}, ""},
		{"nothing known in half", "x,c\n,z\n1,\n", Options{}, ""},
		{"no rows", "x,c,y\n", Options{Target: "y"}, ""},
		{"one column of categories is coded otherwise", "x,c\n" + strings.Repeat("1,P\n", 10), Options{},
			`in.csv: in 1 of 1 column of categories hardly a cell is of a category of the training: "c" has "P" here and had ` +
				`"p", "q" there; write them as there, or train without what is new in new rows: --ignore c`},
	} {
		c.o.Schema, c.o.Classes = schema, []string{"a", "b"}
		f, err := ReadCSV(strings.NewReader(c.text), "in.csv", c.o)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, w := range f.Warnings {
			if errors.Is(w, ErrMisfit) {
				got += w.Error()
			}
			if errors.Is(w, ErrIgnored) {
				t.Errorf("%s: %v is not about columns", c.name, w)
			}
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	some, err := ReadCSV(strings.NewReader("x,c\n,z\n,\n3,p\n"), "in.csv", Options{Schema: schema})
	if want := strings.Replace(blank, "10 of 10", "2 of 3", 1); err != nil || len(some.Warnings) != 2 ||
		some.Warnings[0].Error() != want {
		t.Errorf("nothing known of most: %v, %v; want %s", some.Warnings, err, want)
	}
	one := Options{Schema: schema[:1]}
	if f, err := ReadCSV(strings.NewReader("x,c\n,\n,\n3,\n"), "in.csv", one); err != nil || len(f.Warnings) != 1 ||
		!errors.Is(f.Warnings[0], ErrIgnored) {
		t.Errorf("a single column that is mostly missing: %v, %v", f.Warnings, err)
	}
}

// A column of categories of which no cell is known is named with what it has and had; most such columns are no table
// for the model.
func TestForeignColumns(t *testing.T) {
	kind := func(name string, levels ...string) Field { return Field{Name: name, Kind: Categorical, Levels: levels} }
	schema := Schema{{Name: "x"}, kind("a", "f", "t"), kind("b", "f", "t"), kind("c", "u", "v", "w", "z")}
	const (
		unseen = `in.csv: column "c": 10 cells of categories unseen in training taken as missing: "V" in lines 2, 3, 4, 5, 6, ... (did you mean "v"?)`
		a      = `"a" has "on", "off" here and had "f", "t" there`
		c      = `"c" has "V" here and had "u", "v", "w", ... there`
		end    = "; write them as there, or train without what is new in new rows: --ignore "
	)
	for _, tc := range []struct {
		name, text string
		want       []string
		misfit     bool
	}{
		{"none", strings.Repeat("1,f,t,u\n", 20), nil, false},
		{"one", strings.Repeat("1,f,t,V\n", 10),
			[]string{"in.csv: in 1 of 3 columns of categories hardly a cell is of a category of the training: " + c + end + "c"},
			true},
		{"one of few cells", strings.Repeat("1,f,t,\n", 10) + strings.Repeat("1,f,t,V\n", 9),
			[]string{strings.Replace(strings.Replace(unseen, "10", "9", 1), "2, 3, 4, 5, 6", "12, 13, 14, 15, 16", 1)}, false},
		{"one but for a cell", strings.Repeat("1,f,t,V\n", 10) + "1,f,t,v\n", []string{unseen}, false},
		{"two", "1,on,f,V\n" + strings.Repeat("1,off,f,V\n", 10),
			[]string{"in.csv: in 2 of 3 columns of categories hardly a cell is of a category of the training: " + a + ", " + c +
				end + "a"}, true},
		{"truth values of another program", strings.Repeat("1,TRUE,0,u\n", 10), nil, false},
		{"all, and numbers too", strings.Repeat(",on,off,V\n", 10),
			[]string{"in.csv: 10 of 10 rows are without a value that the model knows in any of its 4 columns: cells are " +
				"empty, or categories unseen in training; look whether this is the right file"}, true},
	} {
		f, err := ReadCSV(strings.NewReader("x,a,b,c\n"+tc.text), "in.csv", Options{Schema: schema})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		misfit := false
		for _, w := range f.Warnings {
			got, misfit = append(got, w.Error()), misfit || errors.Is(w, ErrMisfit)
		}
		if !slices.Equal(got, tc.want) || misfit != tc.misfit {
			t.Errorf("%s: misfit %v\n got %s\nwant %s", tc.name, misfit, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
		}
	}
}

// Empty rows, as spreadsheets leave them below a table, are told with their number and the first place.
func TestEmptyRows(t *testing.T) {
	const table = "x,c,y\n1,p,a\n2,q,b\n3,p,a\n4,q,b\n,,b\n , ,a\n"
	said := func(warnings []error) bool {
		return slices.ContainsFunc(warnings, func(w error) bool {
			return w.Error() == "in.csv: 2 rows have no value in any of the 2 features, the first in line 6: nothing can be "+
				"learnt from them; fill the cells, or remove them"
		})
	}
	if f := mustRead(t, table, Options{Target: "y"}); !said(f.Warnings) {
		t.Errorf("training: %v", f.Warnings)
	}
	v, err := inspectCSV(strings.NewReader(table), "in.csv", Options{Target: "y"})
	if err != nil || !slices.ContainsFunc(v.Findings, func(f Finding) bool {
		return f.Sort == inspected.File && strings.HasPrefix(f.Text,
			"2 rows have no value in any of the 2 features, the first in line 6: ")
	}) {
		t.Errorf("inspect: %v, %v", v.Findings, err)
	}
	for _, w := range mustRead(t, "x,y\n1,a\n,b\n2,b\n3,a\n", Options{Target: "y"}).Warnings {
		t.Errorf("a single feature may well be missing: %v", w)
	}
	f := mustRead(t, "x,c\n1,p\n2,q\n,Z\n", Options{Schema: Schema{{Name: "x"}, {Name: "c", Kind: Categorical,
		Levels: []string{"p", "q"}}}})
	want := "in.csv: 1 row has no value that the model knows in any of its 2 columns, in line 4: what is decided of it " +
		"rests on nothing; remove rows that are empty"
	if len(f.Warnings) != 2 || f.Warnings[0].Error() != want {
		t.Errorf("for a model: %v, want %s", f.Warnings, want)
	}
}
