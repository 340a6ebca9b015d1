package dataset

import (
	"errors"
	"strings"
	"testing"
)

func TestMisfit(t *testing.T) {
	schema := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"p", "q"}}}
	const blank = "in.csv: 10 of 10 rows are without a value that the model knows in any of its 2 columns: cells are empty, or categories unseen in training; look whether this is the right file"
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
		{"hardly a label, as expected", "x,c,y\n1,p,\n2,q,\n3,p,a\n", Options{Target: "y", DropUnlabelled: true}, ""},
		{"half without a label", "x,c,y\n1,p,\n3,p,a\n", Options{Target: "y"}, ""},
		{"nothing known", "x,c\n" + strings.Repeat(",z\n,\n", 5), Options{}, blank},
		{"nothing known of a few", "x,c\n" + strings.Repeat(",z\n", 9), Options{}, ""},
		{"nothing known of most", "x,c\n" + strings.Repeat(",z\n,\n", 5) + "3,p\n", Options{}, ""},
		{"something known", "x,c\n,z\n1,\n,p\n", Options{}, ""},
		{"nothing known in half", "x,c\n,z\n1,\n", Options{}, ""},
		{"no rows", "x,c,y\n", Options{Target: "y"}, ""},
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
	if want := strings.Replace(blank, "10 of 10", "2 of 3", 1); err != nil || len(some.Warnings) != 2 || some.Warnings[0].Error() != want {
		t.Errorf("nothing known of most: %v, %v; want %s", some.Warnings, err, want)
	}
	one := Options{Schema: schema[:1]}
	if f, err := ReadCSV(strings.NewReader("x,c\n,\n,\n3,\n"), "in.csv", one); err != nil || len(f.Warnings) != 1 || !errors.Is(f.Warnings[0], ErrIgnored) {
		t.Errorf("a single column that is mostly missing: %v, %v", f.Warnings, err)
	}
}
