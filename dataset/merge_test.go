package dataset

import (
	"slices"
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	schema := Schema{{Name: "x"}}
	ill := map[string][]string{"ill": {"flu", "cold"}}
	for _, c := range []good{
		{"two into one", "x,y\n1,flu\n2,well\n3,cold\n4,odd\n5,odd\n6,well\n", Options{Merge: ill},
			"x=1,2,3,4,5,6 -> ill,well,ill,odd,odd,well", ""},
		{"a label of that name is of the class", "x,y\n1,flu\n2,well\n3,cold\n4,ill\n5,well\n", Options{Merge: ill},
			"x=1,2,3,4,5 -> ill,well,ill,ill,well",
			`in.csv: column "y": the labels "ill", "flu", "cold" are now one class, "ill", as one of them has that name`},
		{"ways to write one label", "x,y\n1,Yes\n2,no\n3,yes\n4,no\n", Options{Merge: map[string][]string{"yes": {"Yes"}}},
			"x=1,2,3,4 -> yes,no,yes,no", ""},
		{"some of these ways", "x,y\n1,Yes\n2,YES\n3,yes\n4,YES\n", Options{Merge: map[string][]string{"yes": {"Yes"}}},
			"x=1,2,3,4 -> yes,YES,yes,YES",
			`in.csv: column "y": the classes "YES", "yes" differ in case only and are kept apart`},
		{"three of these ways, named by the most", "x,y\n1,Yes\n2,yes\n3,YES\n4,yes\n5,Yes\n6,YES\n7,yes\n", Options{},
			"x=1,2,3,4,5,6,7 -> Yes,yes,YES,yes,Yes,YES,yes",
			`in.csv: column "y": the classes "YES", "Yes", "yes" differ in case only and are kept apart; if they mean the same, use --merge-labels 'yes=YES,Yes,yes'`},
		{"two classes, by value", "x,y\n1,3\n2,1\n3,11\n4,2\n", Options{Merge: map[string][]string{"2": {"1"},
			"10": {"3", "11"}}}, "x=1,2,3,4 -> 10,2,10,2",
			`in.csv: column "y": the labels "2", "1" are now one class, "2", as one of them has that name`},
		{"and the rest", "x,y\n1,flu\n2,well\n3,cold\n4,odd\n", Options{Merge: ill, Positive: "ill"},
			"x=1,2,3,4 -> ill,rest,ill,rest", ""},
		{"fewer than too many numbers", rowsOf("x,y", 240, func(i int) string { return []string{"1,1", "1,2"}[i%2] }),
			Options{Merge: map[string][]string{"0": {"1"}}},
			sketchOf(240, []string{"0", "2"}), "in.csv: column \"x\" is the same in every row and cannot help"},
		{"at prediction", "x,y\n1,flu\n2,well\n3,ill\n4,\n", Options{Schema: schema, Target: "y", Merge: ill,
			Classes: []string{"ill", "well"}}, "x=1,2,3,4 -> ill,well,ill,_",
			`in.csv: column "y": 1 row without a label cannot be judged`},
		{"at prediction, and the rest", "x,y\n1,flu\n2,well\n3,ill\n4,cold\n5,odd\n", Options{Schema: schema, Target: "y",
			Merge: ill, Positive: "ill", Classes: []string{"ill", "rest"}},
			"x=1,2,3,4,5 -> ill,rest,ill,ill,rest", ""},
		{"at prediction, of the rest", "x,y\n1,flu\n2,well\n3,ill\n4,cold\n", Options{Schema: schema, Target: "y", Merge: ill,
			Positive: "well", Classes: []string{"rest", "well"}},
			"x=1,2,3,4 -> rest,well,rest,rest", ""},
	} {
		c.run(t)
	}
}

// A row that was merged keeps its label beside, in training, at prediction and in a part of the rows.
func TestMergedLabels(t *testing.T) {
	ill := map[string][]string{"ill": {"flu", "cold", "ill"}}
	const text = "x,y\n1,flu\n2,well\n3,cold\n4,ill\n5,well\n6,flu\n"
	want := []string{"flu", "", "cold", "", "", "flu"}
	rows := func(n int) string { return "x,y\n" + strings.Repeat(text[len("x,y\n"):], n) } // several parts
	for _, o := range []Options{{Target: "y", Merge: ill}, {Target: "y", Merge: ill, Schema: Schema{{Name: "x"}},
		Classes: []string{"ill", "well"}}} {
		f := mustRead(t, rows(40000), o)
		if !slices.Equal(f.Merged, slices.Repeat(want, 40000)) {
			t.Errorf("schema %v: %q...", o.Schema, f.Merged[:6])
		}
		if part := f.Take([]int{2, 1}); !slices.Equal(part.Merged, []string{"cold", ""}) {
			t.Errorf("of a part: %q", part.Merged)
		}
		o.Positive = "well"
		if o.Classes != nil {
			o.Classes = []string{"rest", "well"}
		}
		if f := mustRead(t, text, o); slices.ContainsFunc(f.Merged, func(label string) bool { return label != "" }) {
			t.Errorf("of a class that is in the rest: %q", f.Merged)
		}
		o.Merge = nil
		if f := mustRead(t, text, o); f.Merged != nil {
			t.Errorf("nothing is merged: %q", f.Merged)
		}
	}
}

// sketchOf is a column of ones and those classes in turn.
func sketchOf(rows int, classes []string) string {
	text, labels := "x=1", classes[0]
	for i := 1; i < rows; i++ {
		text += ",1"
		labels += "," + classes[i%len(classes)]
	}
	return text + " -> " + labels
}

func TestMergeRefused(t *testing.T) {
	const text = "x,y\n1,flu\n2,well\n3,cold\n4,well\n"
	for _, c := range []bad{
		{"two classes in one flag", text, Options{Merge: map[string][]string{"ill": {"flu", "fine=well"}}}, usage,
			`in.csv: column "y" has no class "fine=well"; if that is another class, repeat the flag: --merge-labels fine=well`},
		{"a label that is not there", text, Options{Merge: map[string][]string{"ill": {"flu", "colds"}}}, usage,
			`in.csv: column "y" has no class "colds" (did you mean "cold"?); correct --merge-labels`},
		{"a label in two classes", text, Options{Merge: map[string][]string{"ill": {"flu"}, "bad": {"flu", "cold"}}}, usage,
			`in.csv: label "flu" is merged into "bad" and into "ill"; name it in one --merge-labels`},
		{"classes that swap names", text, Options{Merge: map[string][]string{"flu": {"cold"}, "cold": {"flu"}}}, usage,
			`in.csv: labels are merged into "cold", which is itself merged into "flu"; give the classes names of their own with --merge-labels`},
		{"a class that is merged on", text, Options{Merge: map[string][]string{"ill": {"flu"}, "flu": {"cold"}}}, usage,
			`in.csv: labels are merged into "flu", which is itself merged into "ill"; give the classes names of their own with --merge-labels`},
		{"classes of a model that swap names", text, Options{Schema: Schema{{Name: "x"}}, Target: "y",
			Classes: []string{"cold", "flu"}, Merge: map[string][]string{"flu": {"cold"}, "cold": {"flu"}}}, usage,
			`in.csv: labels are merged into "cold", which is itself merged into "flu"; give the classes names of their own with --merge-labels`},
		{"all labels", text, Options{Merge: map[string][]string{"all": {"flu", "cold", "well"}}}, data,
			`in.csv: column "y": every row is of class "all" (4 rows); a forest needs rows of at least two classes`},
		{"a positive class that is merged", text, Options{Merge: map[string][]string{"ill": {"flu", "cold"}},
			Positive: "flu"}, usage, `in.csv: column "y" has no class "flu" (there is "ill", "well"); correct --positive`},
		{"a label in two classes of a model", text, Options{Schema: Schema{{Name: "x"}}, Target: "y", Classes: []string{"ill",
			"well"}, Merge: map[string][]string{"ill": {"flu"}, "well": {"flu"}}}, usage,
			`in.csv: label "flu" is merged into "ill" and into "well"; name it in one --merge-labels`},
	} {
		c.run(t)
	}
}

func TestInspectMerges(t *testing.T) {
	v := overviewOf(t, "x,z,y\n1,a,flu\n2,b,well\n3,b,cold\n4,c,well\n", Options{Target: "y",
		Merge: map[string][]string{"ill": {"flu", "cold"}}})
	if !slices.Equal(v.Classes, []ClassRows{{"ill", 2}, {"well", 2}}) {
		t.Errorf("classes %v", v.Classes)
	}
	v = overviewOf(t, "x,z,y\n1,a,flu\n2,b,cold\n", Options{Target: "y", Merge: map[string][]string{"ill": {"flu",
		"cold"}}})
	if !slices.Equal(v.Classes, []ClassRows{{"ill", 2}}) {
		t.Errorf("a single class: %v", v.Classes)
	}
	v = overviewOf(t, "x,z,y\n1,a,flu\n2,b,cold\n", Options{Target: "y", Merge: map[string][]string{"ill": {"flue"}}})
	if got := told(v); len(v.Classes) != 0 || !slices.Contains(got,
		`labels: in.csv: column "y" has no class "flue" (did you mean "flu"?); correct --merge-labels`) {
		t.Errorf("classes %v, findings %q", v.Classes, got)
	}
}

// A class against the rest is the same whether the frame was read so or made so.
func TestAgainst(t *testing.T) {
	text := "x,y\n1,flu\n2,well\n3,cold\n4,odd\n5,rest\n6,flu\n"
	f, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(f.Truth)
	for class, name := range f.Classes {
		want, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y", Positive: name})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.OneVsRest(class); !slices.Equal(got.Classes, want.Classes) || !slices.Equal(got.Truth, want.Truth) ||
			got.Reading.Positive != name {
			t.Errorf("%s: %v of %v, want %v of %v", name, got.Truth, got.Classes, want.Truth, want.Classes)
		}
	}
	if !slices.Equal(f.Truth, before) || len(f.Classes) != 5 {
		t.Error("the frame itself has changed")
	}
}
