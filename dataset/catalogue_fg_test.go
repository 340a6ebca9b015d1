package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestCatalogueFRefused(t *testing.T) {
	for _, c := range []bad{
		{"F120 one class", "x,y\n1,a\n2,a\n", Options{},
			data, `in.csv: column "y": every row is of class "a" (2 rows); a forest needs rows of at least two classes`},
		{"F130 one row", "x,y\n1,a\n", Options{},
			data, `in.csv: column "y": every row is of class "a" (1 row); a forest needs rows of at least two classes`},
		{"F132 no rows after dropping", "x,y\n1,\n2,\n", Options{DropUnlabelled: true},
			data, `in.csv: column "y": no rows are left: none of the 2 rows has a label`},
		{"F134 all rows identical", "x,y\n1,a\n1,a\n1,a\n", Options{},
			data, `in.csv: column "y": every row is of class "a" (3 rows); a forest needs rows of at least two classes`},
	} {
		c.run(t)
	}
}

func TestCatalogueFRead(t *testing.T) {
	for _, c := range []good{
		{"F121 class of a single row", "x,y\n1,a\n2,b\n3,b\n", Options{},
			"x=1,2,3 -> a,b,b", `in.csv: column "y": a single row for "a": too few to learn from and to judge by; add rows`},
		{"F131 two rows", "x,y\n1,a\n2,b\n", Options{},
			"x=1,2 -> a,b", `in.csv: column "y": a single row each for "a", "b": too few to learn from and to judge by; add rows`},
		{"F133 label not in training", "x,y\n1,z\n", Options{Schema: Schema{{Name: "x"}}, Target: "y",
			Classes: []string{"a"}},
			"x=1 -> _", `in.csv: column "y": 1 of 1 label is no class of the model, which has "a": such as "z"; correct the labels, or name another column with --target`},
		{"F135 identical rows, different labels", "x,y\n1,a\n1,b\n2,a\n2,b\n", Options{}, "x=1,1,2,2 -> a,b,a,b", ""},
	} {
		c.run(t)
	}
}

func TestCatalogueFFolds(t *testing.T) {
	labelled := func(labels ...int) *Frame { return &Frame{Classes: []string{"a", "b"}, Truth: labels} }
	grouped := labelled(0, 1, 0, 1)
	grouped.Group = []int{7, 7, 7, 7}
	three := labelled(0, 1, 0, 1)
	three.Group = []int{-1, 5, 9, 9}
	for _, c := range []struct {
		name string
		f    *Frame
		k    int
		want string
	}{
		{"F127 one fold", labelled(0, 1), 1, "1 fold; ask for at least 2"},
		{"F127 no folds", labelled(0, 1), 0, "0 folds; ask for at least 2"},
		{"F127 negative folds", labelled(0, 1), -3, "-3 folds; ask for at least 2"},
		{"F128 more folds than rows", labelled(0, 1), 3, "3 folds of 2 rows; ask for fewer folds"},
		{"F137 one group", grouped, 2, "cannot split by group: all rows are of one group; choose another group column"},
		{"fewer groups than folds", three, 4, "cannot split 3 groups into 4 folds; ask for 3 folds or fewer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folds, err := Folds(c.f, c.k, 1)
			if codeOf(err) != usage || err.Error() != c.want || folds != nil {
				t.Errorf("folds %v, error %v, want %s", folds, err, c.want)
			}
		})
	}
	t.Run("F126 smallest class smaller than the folds", func(t *testing.T) {
		folds, err := Folds(labelled(0, 1, 1, 1, 1, 1, 1, 1), 4, 1)
		if err != nil || len(folds) != 8 {
			t.Errorf("folds %v, %v", folds, err)
		}
	})
}

func TestCatalogueGRefused(t *testing.T) {
	w := Options{Weight: "w"}
	weights := func(list ...string) string {
		return rowsOf("x,w,y", len(list), func(i int) string { return fmt.Sprintf("%d,%s,%c", i, list[i], "ab"[i%2]) })
	}
	for _, c := range []bad{
		{"G139 infinity in training", "x,y\n1,a\n-Inf,b\n3,a\n", Options{},
			data, `in.csv:3:1: column "x": mixes numbers and text: 1 of 3 cells is not a number: "-Inf" in line 3; correct it, or use --missing -Inf, --categorical x or --ignore x`},
		{"G140 infinity at prediction", "x\n+Inf\n", Options{Schema: Schema{{Name: "x"}}},
			data, `in.csv:2:1: column "x": 1 of 1 cell is not a number, as the model needs: "+Inf" in line 2; correct it, or use --missing +Inf`},
		{"G153 all weights zero", weights("0", "0.0", "-0"), w,
			data, `in.csv: column "w": all weights are zero; give some row a weight above 0`},
		{"G153 all weights zero at evaluation", weights("0", "0"), Options{Weight: "w", Schema: Schema{{Name: "x"}},
			Target: "y", Classes: []string{"a", "b"}},
			data, `in.csv: column "w": all weights are zero; give some row a weight above 0`},
		{"G154 a negative weight", weights("1", "2", "-1"), w,
			data, `in.csv:4:3: column "w": "-1" is not a weight; write a finite number that is not negative`},
		{"G155 NaN weight", weights("1", "NaN"), w,
			data, `in.csv:3:3: column "w": "NaN" is not a weight; write a finite number that is not negative`},
		{"G155 infinite weight", weights("1", "1e999"), w,
			data, `in.csv:3:3: column "w": "1e999" is not a weight; write a finite number that is not negative`},
		{"G155 no weight", weights("1", ""), w, data,
			`in.csv:3:3: column "w": "" is not a weight; write a finite number that is not negative`},
		{"G159 weights without a sum", weights("1e308", "1e308", "1"), w,
			data, `in.csv: column "w": the weights add up to more than a number can hold; divide them all by the same number`},
		{"no group", "x,g,y\n1,k,a\n2,,b\n", Options{Group: "g"},
			data, `in.csv:3:3: column "g": the row has no group; fill the cell, so that rows that belong together stay together`},
	} {
		c.run(t)
	}
}

func TestCatalogueGRead(t *testing.T) {
	for _, c := range []good{
		{"G144 zeros with a sign", "x,y\n-0.0,a\n0,b\n-0,a\n+0.0,b\n1,a\n", Options{}, "x=0,0,0,0,1 -> a,b,a,b,a", ""},
		{"G145 constant column", "x,z,y\n1,5,a\n2,5.0,b\n3,5,a\n4,5,b\n", Options{},
			"x=1,2,3,4 z=5,5,5,5 -> a,b,a,b", `in.csv: column "z" is the same in every row and cannot help`},
		{"G147 column entirely missing", "x,z,y\n1,,a\n2,NA,b\n3,,a\n4,,b\n", Options{Missing: []string{"NA"}},
			"x=1,2,3,4 z=_,_,_,_ -> a,b,a,b", `in.csv: column "z" has no value in any row and cannot help`},
		{"G147 the same as categories", "x,z,y\n1,,a\n2,,b\n3,,a\n4,,b\n", Options{Categorical: []string{"z"}},
			"x=1,2,3,4 z()=_,_,_,_ -> a,b,a,b", `in.csv: column "z" has no value in any row and cannot help`},
		{"G148 row entirely missing", "x,z,y\n,,a\n2,3,b\n3,4,a\n4,5,b\n", Options{}, "x=_,2,3,4 z=_,3,4,5 -> a,b,a,b",
			"in.csv: 1 row has no value in any of the 2 features, in line 2: nothing can be learnt from it; fill the cells, " +
				"or remove it"},
		{"G149 missing at prediction", "x\n\"\"\n", Options{Schema: Schema{{Name: "x"}}}, "x=_ ->", ""},
		{"G150 wide range", "x,y\n1e-300,a\n1e300,b\n-1E+300,a\n.5,b\n5.,a\n", Options{},
			"x=1e-300,1e+300,-1e+300,0.5,5 -> a,b,a,b,a", ""},
		{"G151 beyond float32", "x,y\n16777217,a\n16777216,b\n1,a\n2,b\n", Options{},
			"x=1.6777217e+07,1.6777216e+07,1,2 -> a,b,a,b", ""},
		{"G156 a class without weight", "x,w,y\n1,0,a\n2,1,b\n3,0,a\n4,1e9,b\n", Options{Weight: "w"},
			"x=1,2,3,4 -> a,b,a,b", `in.csv: column "y": all weights are zero for "a": as good as absent`},
		{"G159 small and large weights", "x,w,y\n1,1e-300,a\n2,1e300,b\n3,1,a\n4,1,b\n", Options{Weight: "w"},
			"x=1,2,3,4 -> a,b,a,b", ""},
	} {
		c.run(t)
	}
	f, err := ReadCSV(strings.NewReader("x,y\n-0.0,a\n1,b\n"), "in.csv", Options{Target: "y"})
	if err != nil || math.Signbit(f.Columns[0].At(0)) {
		t.Errorf("G144: -0.0 keeps its sign (%v)", err)
	}
}

func TestSideColumns(t *testing.T) {
	text := "n,x,w,g,y\n i 1 ,1,7,blue,a\n,2,1e9,red,b\ni1,3,0, blue,b\nj,4,.5,red,a\n"
	o := Options{Target: "y", ID: "n", Weight: "w", Group: "g"}
	trained, err := ReadCSV(strings.NewReader(text), "in.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	o.Schema, o.Classes = trained.Schema(), trained.Classes
	known, err := ReadCSV(strings.NewReader(text), "in.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Frame{trained, known} {
		if !slices.Equal(f.ID, []string{"i 1", "", "i1", "j"}) || !slices.Equal(f.Weight, []float64{7, 1e9, 0, .5}) ||
			!slices.Equal(f.Group, []int{0, 1, 0, 1}) {
			t.Errorf("ids %q, weights %v, groups %v", f.ID, f.Weight, f.Group)
		}
		if len(f.Columns) != 1 || len(f.Warnings) != 0 {
			t.Errorf("columns %v, warnings %v", f.Schema(), f.Warnings)
		}
		if sums := f.ClassWeights(); !slices.Equal(sums, []float64{7.5, 1e9}) {
			t.Errorf("class weights %v", sums)
		}
	}
}

// What is at stake may be a feature too, and is read again from rows for the model.
func TestAmounts(t *testing.T) {
	text := "x,sum,y\n1, 10.5,a\n2,0,b\n3,7,a\n"
	o := Options{Target: "y", Amount: "sum"}
	for _, ignore := range [][]string{nil, {"sum"}} {
		o.Ignore = ignore
		f, err := ReadCSV(strings.NewReader(text), "in.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(f.Amount, []float64{10.5, 0, 7}) || len(f.Columns) != 2-len(ignore) || f.Reading.Amount != "sum" {
			t.Errorf("ignoring %v: amounts %v, columns %v, reading %+v", ignore, f.Amount, f.Schema(), f.Reading)
		}
		if part := f.Take([]int{2, 0}); !slices.Equal(part.Amount, []float64{7, 10.5}) {
			t.Errorf("a part has the amounts %v", part.Amount)
		}
		again, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y", Amount: "sum", Schema: f.Schema(),
			Classes: f.Classes})
		if err != nil || !slices.Equal(again.Amount, f.Amount) || len(again.Warnings) != 0 {
			t.Errorf("for a model: amounts %v, warnings %v, %v", again.Amount, again.Warnings, err)
		}
		f.Amount[1] = -1
		if err := f.Check(); !errors.Is(err, ErrValue) {
			t.Errorf("a negative amount: %v", err)
		}
	}
	for cell, want := range map[string]string{
		"":     "a number is missing; write one",
		"-2":   "the amount -2 is negative; write 0 where nothing is at stake",
		"much": `"much" is not a number; write digits, with a point if need be`,
	} {
		_, err := ReadCSV(strings.NewReader("x,sum,y\n1,1,a\n2,"+cell+",b\n"), "in.csv", o)
		if err == nil || err.Error() != `in.csv:3:3: column "sum": `+want {
			t.Errorf("%q: error %v", cell, err)
		}
	}
	if _, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y", Amount: "summ"}); codeOf(err) != usage {
		t.Errorf("an unknown column: %v", err)
	}
}

func TestErrorsCarryTheirPlace(t *testing.T) {
	_, err := ReadCSV(strings.NewReader("age,y\n4o,a\n1,b\n2,a\n"), "heart.csv", Options{Target: "y"})
	var p *ParseError
	if !errors.As(err, &p) {
		t.Fatalf("%v is not a *ParseError", err)
	}
	if p.File != "heart.csv" || p.Line != 2 || p.Column != 1 || p.Field != "age" || !errors.Is(err, p.Err) {
		t.Errorf("place %+v", p)
	}
	long := strings.Repeat("é", 1000)
	_, err = ReadCSV(strings.NewReader("x,y\n"+long+"\x01,a\n1,b\n2,b\n"), "in.csv", Options{Target: "y"})
	if err == nil || strings.Contains(err.Error(), strings.Repeat("é", 65)) || !strings.Contains(err.Error(),
		"--missing WORD") {
		t.Errorf("a value of 1000 letters is not cut to 64, or offered as a flag: %v", err)
	}
}
