package dataset

import (
	"fmt"
	"strings"
	"testing"
)

func TestCatalogueDRefused(t *testing.T) {
	schema := Schema{{Name: "x"}}
	numbers := func(n int) string {
		return rowsOf("x,y", n, func(i int) string { return fmt.Sprintf("%d,%d.5", i, i) })
	}
	for _, c := range []bad{
		{"D94 empty labels", "x,y\n1,a\n2,\n3,b\n4, \n", Options{},
			data, `in.csv:3: column "y": 2 rows without a label (lines 3, 5); fill them, or leave such rows out with --drop-unlabelled`},
		{"D94 more than ten", "x,y\n" + strings.Repeat("1,\n", 12) + "1,a\n2,b\n", Options{},
			data, `in.csv:2: column "y": 12 rows without a label (lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...); fill them, or leave such rows out with --drop-unlabelled`},
		{"D97 numeric target", numbers(5000), Options{},
			data, `in.csv: column "y": 5000 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`},
		{"D97 few numbers, with decimals", "x,y\n" + strings.Repeat("1,0.5\n", 4) + decimalRows(21), Options{},
			data, `in.csv: column "y": 22 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`},
		{"D97 one value too many", numbers(101), Options{},
			data, `in.csv: column "y": 101 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`},
		{"D97 beyond the limit of classes", numbers(70000), Options{},
			data, `in.csv: column "y": more than 65535 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`},
		{"D99 label is a feature of the model", "x\n1\n", Options{Schema: schema, Target: "x", Classes: []string{"a"}},
			usage, `in.csv: column "x" is a feature of the model and cannot be named by --target`},
		{"D99 label is categorical", "x,y\n1,a\n", Options{Categorical: []string{"y"}},
			usage, `in.csv: column "y" is named by --target and by --categorical; drop one of them`},
		{"D102 label of 1 MiB", "x,y\n1," + strings.Repeat("z", 1<<20) + "\n", Options{},
			limit, "in.csv:2:3: a label has more than 65536 bytes; shorten it"},
		{"D102 label one byte too long", "x,y\n1," + strings.Repeat("z", maxName+1) + "\n", Options{},
			limit, "in.csv:2:3: a label has more than 65536 bytes; shorten it"},
		{"D104 70,000 classes", rowsOf("x,y", 70000, func(i int) string { return fmt.Sprintf("1,c%d", i) }), Options{},
			limit, `in.csv:65537:3: column "y" has more than 65535 classes, where 1000 are the most; it looks like a column that names the rows: choose another with --target, or keep one class with --positive and merge the others`},
		{"D105 label equal to a missing word", "x,y\n1,NA\n2,a\n3,b\n", Options{Missing: []string{"NA"}},
			data, `in.csv:2: column "y": 1 row without a label (line 2); give it one, or leave it out with --drop-unlabelled if it is empty or a total`},
		{"no target", "x,y\n1,a\n", Options{Target: " ", ID: "x"},
			usage, `in.csv: no column " " (there is "x", "y"); name the column of the labels with --target`},
		{"unknown positive class", "x,y\n1,frau\n2,ok\n", Options{Positive: "fraud"},
			usage, `in.csv: column "y" has no class "fraud" (did you mean "frau"?); correct --positive`},
		{"unlike any class", "x,y\n1,frau\n2,ok\n", Options{Positive: "theft"},
			usage, `in.csv: column "y" has no class "theft" (there is "frau", "ok"); correct --positive`},
		{"only the positive class", "x,y\n1,a\n2,a\n", Options{Positive: "a"},
			data, `in.csv: column "y": every row is of class "a" (2 rows); a forest needs rows of at least two classes`},
		{"labels without classes", "x,y\n1,a\n", Options{Schema: schema, Target: "y"},
			usage, "in.csv: labels are read as the classes of a model, and there are none; set Classes beside Schema"},
		{"positive class unknown to the model", "x,y\n1,a\n", Options{Schema: schema, Target: "y", Positive: "a",
			Classes: []string{"b", "c"}},
			usage, `in.csv: the model has the classes "b", "c" and not "a" against the rest; correct --positive`},
		{"positive class of a model with many", "x,y\n1,a\n", Options{Schema: schema, Target: "y", Positive: "a",
			Classes: []string{"a", "b", "c"}},
			usage, `in.csv: the model has the classes "a", "b", "c" and not "a" against the rest; correct --positive`},
	} {
		c.run(t)
	}
	_, err := ReadCSV(strings.NewReader("x,y\n1,a\n"), "in.csv", Options{})
	if want := "in.csv: training needs the column of labels; name it with --target"; codeOf(err) != usage ||
		err.Error() != want {
		t.Errorf("no target: %v, want %s", err, want)
	}
}

func TestCatalogueDRead(t *testing.T) {
	schema := Schema{{Name: "x"}}
	for _, c := range []good{
		{"D94 unlabelled rows dropped", "x,y\n1,a\nbad,\n3,b\n4,a\n5,b\n", Options{DropUnlabelled: true},
			"x=1,3,4,5 -> a,b,a,b", "in.csv: 1 row without a label left out"},
		{"D95 blanks around labels", "x,y\n1,yes\n2, yes\n3,no\n4,no \n", Options{},
			"x=1,2,3,4 -> yes,yes,no,no", `in.csv: column "y": blanks around the label removed in 2 rows`},
		{"D96 labels differ in case", "x,y\n1,Yes\n2,yes\n3,Yes\n4,yes\n", Options{},
			"x=1,2,3,4 -> Yes,yes,Yes,yes",
			`in.csv: column "y": the classes "Yes", "yes" differ in case only and are kept apart; if they mean the same, use --merge-labels 'Yes=Yes,yes'`},
		{"D100 a feature equal to the label", "x,z,y\n1,a,a\n2,b,b\n3,a,a\n4,b,b\n", Options{},
			"x=1,2,3,4 z(a|b)=a,b,a,b -> a,b,a,b",
			`in.csv: column "z" says the same as the label in every row, and so gives the answer away; use --ignore z`},
		{"D101 label with comma, quote and newline", "x,y\n1,\"a,\"\"b\"\"\nc\"\n2,b\n3,\"a,\"\"b\"\"\nc\"\n4,b\n", Options{},
			"x=1,2,3,4 -> a,\"b\"\nc,b,a,\"b\"\nc,b", ""},
		{"D103 a script", "x,y\n1,<script>alert(1)</script>\n2,b\n3,b\n4,<script>alert(1)</script>\n", Options{},
			"x=1,2,3,4 -> <script>alert(1)</script>,b,b,<script>alert(1)</script>", ""},
		{"lines of names amid the rows", "x,y\np,a\nq,b\nx,y\np,a\nx,y\nq,b\n", Options{},
			"x(p|q|x)=p,q,x,p,x,q -> a,b,y,a,y,b",
			`in.csv: column "y": a class has the name of the column; if that is of lines that repeat the names of the columns, remove them`},
		{"D105 NA is a label unless listed", "x,y\n1,NA\n2,a\n3,NA\n4,a\n", Options{}, "x=1,2,3,4 -> NA,a,NA,a",
			`in.csv: column "y": "NA" is taken as a class; if it means that the label is not known, use --missing NA --drop-unlabelled`},
		{"D98 NaN is a label unless listed", "x,y\n1,NaN\n2,0\n3,NaN\n4,0\n5,1\n6,1\n", Options{},
			"x=1,2,3,4,5,6 -> NaN,0,NaN,0,1,1",
			`in.csv: column "y": "NaN" is taken as a class; if it means that the label is not known, use --missing NaN --drop-unlabelled`},
		{"D105 NA is listed", "x,y\n1,NA\nNA,a\n3, NA\n4,a\n5,b\n6,b\n", Options{Missing: []string{"NA"},
			DropUnlabelled: true}, "x=_,4,5,6 -> a,a,b,b", "in.csv: 2 rows without a label left out"},
		{"D105 a number is a label, also where it is a missing cell", "x,y\n0,0\n7,1\n0,1\n9,0\n5,-9\n-9,-9\n",
			Options{Missing: []string{"0", "-9"}},
			"x=_,7,_,9,5,_ -> 0,1,1,0,-9,-9", ""},
		{"a number for missing, however it is written", "x,c,y\n-999.0,-999,a\n-9.99e2,-999.0,b\n1,7,a\n2,7,b\n",
			Options{Missing: []string{"-999"}, Categorical: []string{"c"}},
			"x=_,_,1,2 c(-999.0|7)=_,-999.0,7,7 -> a,b,a,b",
			"in.csv: 1 row has no value in any of the 2 features, in line 2: nothing can be learnt from it; fill the cells, " +
				"or remove it"},
		{"a number too close to 0 is not 0", "x,y\n0,a\n1e-400,a\n1,b\n2,b\n", Options{Missing: []string{"1e-400"}},
			"x=0,_,1,2 -> a,a,b,b", ""},
		{"and at prediction", "x,c\n-999.0,-999\n-9.99e2,-999.0\n", Options{Missing: []string{"-999"},
			Schema: Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"-999.0", "7"}}}},
			"x=_,_ c(-999.0|7)=_,-999.0 ->",
			"in.csv: 1 row has no value that the model knows in any of its 2 columns, in line 2: what is decided of it rests " +
				"on nothing; remove rows that are empty"},
		{"D105 a number is a label at prediction", "x,y\n0,0\n7,1\n5,NA\n", Options{Schema: schema, Target: "y",
			Classes: []string{"0", "1"}, Missing: []string{"0", "NA"}},
			"x=_,7,5 -> 0,1,_", `in.csv: column "y": 1 row without a label cannot be judged`},
		{"classes of integers by value", "x,y\n1,10\n2,9\n3,-2\n4,10\n5,9\n6,-2\n7,-10\n8,-10\n9,+3\n10,+3\n11,03\n12,03\n",
			Options{Positive: ""},
			"x=1,2,3,4,5,6,7,8,9,10,11,12 -> 10,9,-2,10,9,-2,-10,-10,+3,+3,03,03", ""},
		{"positive class and rest", "x,y\n1,4\n2,1\n3,2\n4,4\n", Options{Positive: "4"}, "x=1,2,3,4 -> 4,rest,rest,4", ""},
		{"positive class called rest", "x,y\n1,rest\n2,a\n3,b\n4,rest\n", Options{Positive: "rest"},
			"x=1,2,3,4 -> rest,others,others,rest", ""},
		{"positive class among many numbers", rowsOf("x,y", 4, func(i int) string { return fmt.Sprintf("%d,%d", i, i/2*2) }),
			Options{Positive: "0"},
			"x=0,1,2,3 -> 0,0,rest,rest", ""},
		{"labels at prediction", "x,y\n1,b\n2,\n3,c\n4,a\n", Options{Schema: schema, Target: "y", Classes: []string{"a",
			"b"}}, "x=1,2,3,4 -> b,_,_,a",
			"in.csv: column \"y\": 1 row without a label cannot be judged\nin.csv: column \"y\": 1 row of class \"c\", which " +
				"the model does not know, cannot be judged"},
		{"positive class at prediction", "x,y\n1,9\n2,\n3,4\n", Options{Schema: schema, Target: "y", Positive: "4",
			Classes: []string{"4", "rest"}},
			"x=1,2,3 -> rest,_,4", `in.csv: column "y": 1 row without a label cannot be judged`},
	} {
		c.run(t)
	}
}

func TestClassOrder(t *testing.T) {
	for _, c := range []struct{ labels, want string }{
		{"10 9 -2 -10 +3 03 0 -0", "-10 -2 -0 0 +3 03 9 10"}, // by value, equal values by bytes
		{"10 9 x", "10 9 x"}, // not all integers: by bytes
		{"1.5 10 9", "1.5 10 9"},
		{"b B a", "B a b"},
		{"100000000000000000000000000000 99999999999999999999999999999 -1",
			"-1 99999999999999999999999999999 100000000000000000000000000000"},
	} {
		labels := strings.Fields(c.labels)
		text := rowsOf("x,y", 2*len(labels), func(i int) string { return fmt.Sprintf("%d,%s", i, labels[i%len(labels)]) })
		f, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(f.Classes, " "); got != c.want {
			t.Errorf("classes %s, want %s", got, c.want)
		}
		for i, truth := range f.Truth {
			if f.Classes[truth] != labels[i%len(labels)] {
				t.Errorf("row %d is of class %s, want %s", i, f.Classes[truth], labels[i%len(labels)])
			}
		}
	}
}

func TestMostClasses(t *testing.T) {
	named := func(rows int) string {
		return rowsOf("x,y", rows, func(i int) string { return fmt.Sprintf("1,c%d", i) })
	}
	text := named(maxClasses)
	f, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"})
	if err != nil || len(f.Classes) != maxClasses {
		t.Fatalf("%d classes at the limit: %v", maxClasses, err)
	}
	const cure = `, where 1000 are the most; it looks like a column that names the rows: choose another with --target, or keep one class with --positive and merge the others`
	bad{"D104 one class too many", named(maxClasses + 1), Options{}, limit, `in.csv: column "y" has 1001 classes` +
		cure}.run(t)
	f, err = ReadCSV(strings.NewReader(named(maxLevels)), "in.csv", Options{Target: "y", Positive: "c7"})
	if err != nil || len(f.Classes) != 2 {
		t.Errorf("%d labels, all but one merged: %v", maxLevels, err)
	}
	text = rowsOf("x,y", 100, func(i int) string { return fmt.Sprintf("1,%d", i) })
	if f, err = ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"}); err != nil || len(f.Classes) != 100 {
		t.Errorf("D97: 100 different numbers are still classes: %v", err)
	}
}

// decimalRows are rows of that many different numbers as labels.
func decimalRows(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf("1,%d.25\n", i)
	}
	return text
}
