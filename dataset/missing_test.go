package dataset

import (
	"math"
	"strings"
	"testing"
)

// A word such as x=0 is one of column x alone.
func TestWordsOfOneColumn(t *testing.T) {
	const text = "x,c,a=b,y\n0,0,0,0\n0.0,00,1,1\n3,0,2,0\n4,q,NA,9\n5,q,4,1\n"
	const single = `in.csv: column "y": a single row for "9": too few to learn from and to judge by; to leave "9" out add --missing y=9 --drop-unlabelled; new rows of it are then decided as another class; or, only if the same is done about both, merge it with another class, such as "0": --merge-labels '0=0,9'`
	schema := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"0", "00", "q"}}, {Name: "a=b"}}
	words := func(entries ...string) Options { return Options{Missing: entries, Categorical: []string{"c"}} }
	for _, c := range []good{
		{"a number, by its value", text, words("NA", "x=0"), "x=_,_,3,4,5 c(0|00|q)=0,00,0,q,q a=b=0,1,2,_,4 -> 0,1,0,9,1",
			single},
		{"of a column of categories as text", text, words("NA", "c=0"),
			"x=0,0,3,4,5 c(00|q)=_,00,_,q,q a=b=0,1,2,_,4 -> 0,1,0,9,1", single},
		{"and of all columns beside", text, words("NA", " x= 3", "4", "c=q"),
			"x=0,0,_,_,5 c(0|00)=0,00,0,_,_ a=b=0,1,2,_,_ -> 0,1,0,9,1",
			"in.csv: 1 row has no value in any of the 3 features, in line 5: nothing can be learnt from it; fill the cells, " +
				"or remove it\n" + single},
		{"of a column with = in its name", text, words("NA", "a=b=0"),
			"x=0,0,3,4,5 c(0|00|q)=0,00,0,q,q a=b=_,1,2,_,4 -> 0,1,0,9,1", single},
		{"of the labels, also a number", text, Options{Missing: []string{"y=9", "c=q"}, Categorical: []string{"c"},
			DropUnlabelled: true},
			"x=0,0,3,5 c(0|00)=0,00,0,_ a=b=0,1,2,4 -> 0,1,0,1", "in.csv: 1 row of \"9\" left out, as you asked"},
		{"that begins with =", "x,y\n=NA(),a\n1,b\n2,a\n3,b\n", Options{Missing: []string{"=NA()"}}, "x=_,1,2,3 -> a,b,a,b",
			""},
		{"at prediction", text, Options{Schema: schema, Target: "y", Classes: []string{"0", "1"}, Missing: []string{"NA",
			"c=00", "y=9", "gone=1"}},
			"x=0,0,3,4,5 c(0|00|q)=0,_,0,q,q a=b=0,1,2,_,4 -> 0,1,0,_,1",
			`in.csv: column "y": 1 row is labelled "9", a class that was left out of training, and is in no figure`},
	} {
		c.run(t)
	}
	for _, c := range []bad{
		{"a column that is not there", text, words("X=0"), usage,
			`in.csv: no column "X" for --missing "X=0" (did you mean "x"?); correct the name`},
		{"without a word", text, words("x="), usage, `in.csv: --missing "x=" has no word; write one, such as --missing x=0`},
		{"an error names the column where the word has a =", "x,y\nk=v,a\n1,b\n2,a\n", Options{}, data,
			`in.csv:2:1: column "x": mixes numbers and text: 1 of 3 cells is not a number: "k=v" in line 2; remove line 2 if it is a second line of names or of units, else correct it, or use --missing x=k=v, --categorical x or --ignore x`},
	} {
		c.run(t)
	}
}

// In a list words after x= are of column x, until the next.
func TestMissingWords(t *testing.T) {
	for list, want := range map[string]string{
		"":                     "",
		"NA,?":                 "NA,?",
		"NA, x=0, 99 ,y=-1,-2": "NA,x=0,x=99,y=-1,y=-2",
		"x=0,":                 "x=0,",
		"=,x=<5,>9":            "=,x=<5,x=>9",
	} {
		if got := strings.Join(MissingWords(strings.Split(list, ",")), ","); got != want {
			t.Errorf("%s: %s, want %s", list, got, want)
		}
	}
}

// In other forms of tables, in an overview, and of a single cell it is the same.
func TestWordsOfOneColumnEverywhere(t *testing.T) {
	o := Options{Target: "y", Missing: []string{"x=0"}}
	s, err := ARFF(strings.NewReader(
		"@relation r\n@attribute x real\n@attribute z real\n@attribute y {a,b}\n@data\n0,0,a\n1,0,b\n0.0,1,a\n2,1,b\n"),
		"in.arff")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(s, o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shown(f), "x=_,1,_,2 z=0,0,1,1 -> a,b,a,b"; got != want {
		t.Errorf("ARFF: %s, want %s", got, want)
	}
	v := overviewOf(t, "x,z,y\n0,0,a\n1,0,b\n0.0,1,a\n2,1,b\n", o)
	if v.Columns[0].Missing != 2 || v.Columns[1].Missing != 0 {
		t.Errorf("missing in the overview: %d and %d, want 2 and 0", v.Columns[0].Missing, v.Columns[1].Missing)
	}
	for _, c := range []struct {
		column string
		want   float64
	}{{"x", math.NaN()}, {"z", 0}} {
		if got, err := (Field{Name: c.column}).Cell("0.0", o.Missing); err != nil || got != c.want && !(math.IsNaN(got) &&
			math.IsNaN(c.want)) {
			t.Errorf("cell 0.0 of %s: %v, %v, want %v", c.column, got, err, c.want)
		}
	}
}
