package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each role is asked for in turn, so that every pair of them meets in one column.
var roleSetters = []struct {
	flag string
	set  func(o *Options, column string)
}{
	{"target", func(o *Options, c string) { o.Target = c }},
	{"id", func(o *Options, c string) { o.ID = c }},
	{"weight", func(o *Options, c string) { o.Weight = c }},
	{"group", func(o *Options, c string) { o.Group = c }},
	{"time", func(o *Options, c string) { o.Time = c }},
	{"categorical", func(o *Options, c string) { o.Categorical = []string{c} }},
	{"ignore", func(o *Options, c string) { o.Ignore = []string{c} }},
}

func TestNoColumnHasTwoRoles(t *testing.T) {
	for i, first := range roleSetters {
		for _, second := range roleSetters[i+1:] {
			o := Options{Target: "y"}
			first.set(&o, "x")
			second.set(&o, "x")
			if o.ID == o.Group && o.ID != "" {
				continue // TestGroupsMayNameTheRows
			}
			if o.Time != "" && o.Ignore != nil {
				continue // TestTime
			}
			if o.Categorical != nil && o.Ignore != nil {
				continue // TestIgnoredCategorical
			}
			_, err := ReadCSV(strings.NewReader("x,z,y\n1,2,a\n3,4,b\n"), "in.csv", o)
			want := fmt.Sprintf(`in.csv: column "x" is named by --%s and by --%s; drop one of them`, first.flag, second.flag)
			if codeOf(err) != usage || err.Error() != want {
				t.Errorf("%s and %s: error %v, want %s", first.flag, second.flag, err, want)
			}
		}
	}
}

// A column that is ignored is no feature, whatever its values are.
func TestIgnoredCategorical(t *testing.T) {
	f, err := ReadCSV(strings.NewReader("x,z,y\n1,2,a\n3,4,b\n"), "in.csv", Options{Target: "y",
		Categorical: []string{"x"}, Ignore: []string{"x"}})
	if err != nil || len(f.Columns) != 1 || f.Columns[0].Name != "z" {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestGroupsMayNameTheRows(t *testing.T) {
	f := mustRead(t, "x,z,y\n1,2,a\n3,4,b\n1,3,b\n4,5,a\n", Options{Target: "y", ID: "x", Group: "x"})
	if !slices.Equal(f.ID, []string{"1", "3", "1", "4"}) || !slices.Equal(f.Group, []int{0, 1, 0, 2}) ||
		len(f.Columns) != 1 || f.Warnings != nil {
		t.Errorf("id %q, group %v, columns %v, warnings %v", f.ID, f.Group, f.Columns, f.Warnings)
	}
}

func TestEveryRoleNeedsItsColumn(t *testing.T) {
	for _, role := range roleSetters {
		o := Options{Target: "y"}
		role.set(&o, "zz")
		_, err := ReadCSV(strings.NewReader("z,y\n1,a\n2,b\n"), "in.csv", o)
		want := fmt.Sprintf(`in.csv: no column "zz" for --%s (did you mean "z"?); correct the name`, role.flag)
		if role.flag == "target" {
			want = `in.csv: no column "zz" (did you mean "z"?); name the column of the labels with --target`
		}
		if codeOf(err) != usage || err.Error() != want {
			t.Errorf("%s: error %v, want %s", role.flag, err, want)
		}
	}
}

func TestNoOtherRoleForAFeatureOfTheModel(t *testing.T) {
	for _, role := range roleSetters {
		o := Options{Schema: Schema{{Name: "x"}}, Classes: []string{"a", "b"}}
		role.set(&o, "x")
		f, err := ReadCSV(strings.NewReader("x\n1\n"), "in.csv", o)
		if role.flag == "categorical" || role.flag == "id" { // the schema knows better, and a feature may name the rows
			if err != nil || f.Columns[0].At(0) != 1 || role.flag == "id" && f.ID[0] != "1" {
				t.Errorf("%s: %v, error %v", role.flag, f, err)
			}
			continue
		}
		want := fmt.Sprintf(`in.csv: column "x" is a feature of the model and cannot be named by --%s`, role.flag)
		if codeOf(err) != usage || err.Error() != want {
			t.Errorf("%s: error %v, want %s", role.flag, err, want)
		}
	}
}

func TestSeparators(t *testing.T) {
	for _, comma := range []rune{',', ';', '\t', '|', ':', '~', '^', '!'} {
		text := strings.ReplaceAll("x,c,y\n1,\"p,q\",a\n2,p,b\n3,p,a\n4,\"p,q\",b\n", ",", string(comma))
		f, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y", Comma: comma})
		if err != nil {
			t.Errorf("%q: %v", comma, err)
			continue
		}
		want := strings.ReplaceAll("x=1,2,3,4 c(p|p:q)=p:q,p,p,p:q -> a,b,a,b", ":", string(comma))
		if got := shown(f); got != want {
			t.Errorf("%q: read %s, want %s", comma, got, want)
		}
	}
	for _, comma := range []rune{'"', '\r', '\n', ' ', '.', '-', '+', 'x', '7', 'é', '；', 1, -1} {
		_, err := ReadCSV(strings.NewReader("x,y\n1,a\n2,b\n"), "in.csv", Options{Target: "y", Comma: comma})
		if codeOf(err) != usage || !strings.HasSuffix(err.Error(),
			"use a comma, a semicolon, a tab or another mark with --sep") {
			t.Errorf("%q: %v", comma, err)
		}
	}
}
