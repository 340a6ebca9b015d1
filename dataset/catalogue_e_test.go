package dataset

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestCatalogueERefused(t *testing.T) {
	schema := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"1", "p"}}}
	levels := func(n int) string {
		return rowsOf("x,c,y", n, func(i int) string { return fmt.Sprintf("1,l%d,%c", i, "ab"[i%2]) })
	}
	for _, c := range []bad{
		{"E112 text in a numeric column at prediction", "x,c\n1,p\nlow,p\n", Options{Schema: schema},
			data, `in.csv:3:1: column "x": 1 of 2 cells is not a number, as the model needs: "low" in line 3; correct it, or use --missing low`},
		{"G140 1e999 at prediction", "x,c\n1e999,p\n", Options{Schema: schema},
			data, `in.csv:2:1: column "x": "1e999" is too large for a number; correct it`},
		{"E116 level of 1 MiB", "x,y\n" + strings.Repeat("z", 1<<20) + ",a\n", Options{},
			limit, `in.csv:2:1: column "x": a category has more than 65536 bytes; shorten it, or use --ignore x`},
		{"too many levels", levels(maxLevels + 1), Options{},
			limit, `in.csv:65537:3: column "c" has more than 65535 categories; if it names the rows use --id c, else --ignore c`},
		{"a role for a column of the model", "x,c\n1,p\n", Options{Schema: schema, Ignore: []string{"c"}},
			usage, `in.csv: column "c" is a feature of the model and cannot be named by --ignore`},
		{"empty schema", "x,c\n1,p\n", Options{Schema: Schema{}},
			usage, "in.csv: the schema has no columns; take it from a model, or train one"},
		{"separator that cannot be", "x,c\n1,p\n", Options{Schema: schema, Comma: '"'},
			usage, `in.csv: '"' cannot separate cells; use a comma, a semicolon, a tab or another mark with --sep`},
		{"two unknown columns", "x,c\n1,p\n", Options{Schema: schema, ID: "d", Weight: "weight"},
			usage, `in.csv: no column "d" for --id (there is "x", "c"), no column "weight" for --weight (there is "x", "c"); correct the name`},
	} {
		c.run(t)
	}
}

func TestCatalogueERead(t *testing.T) {
	schema := Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"1", "p"}},
		{Name: "d", Kind: Categorical, Levels: []string{"p", "q"}}}
	for _, c := range []good{
		{"E106 unseen level", "x,c,d\n1,p,r\n2,z,q\n3,p,q\n4,zz,p\n", Options{Schema: schema},
			"x=1,2,3,4 c(1|p)=p,_,p,_ d(p|q)=_,q,q,p ->",
			"in.csv: column \"c\": 2 cells of categories unseen in training taken as missing: \"z\" in line 3, \"zz\" in line " +
				"5\nin.csv: column \"d\": 1 cell of a category unseen in training taken as missing: \"r\" in line 2"},
		{"E107 all unseen in a row", "x,c,d\n1,7,8\n", Options{Schema: schema}, "x=1 c(1|p)=_ d(p|q)=_ ->",
			"in.csv: column \"c\": 1 cell of a category unseen in training taken as missing: \"7\" in line 2\nin.csv: column " +
				"\"d\": 1 cell of a category unseen in training taken as missing: \"8\" in line 2"},
		{"E109 one level", "x,c,y\n1,k,a\n2,k,b\n3,k,a\n4,k,b\n", Options{},
			"x=1,2,3,4 c(k)=k,k,k,k -> a,b,a,b", `in.csv: column "c" is the same in every row and cannot help`},
		{"E110 as many levels as rows", "x,c,y\n1,k,a\n2,l,b\n3,m,a\n4,n,b\n", Options{},
			"x=1,2,3,4 c(k|l|m|n)=k,l,m,n -> a,b,a,b",
			`in.csv: column "c" has a different category in every row, as names do; use --id c or --ignore c`},
		{"E111 level of one row", "x,c,y\n1,k,a\n2,l,b\n3,k,a\n4,k,b\n", Options{}, "x=1,2,3,4 c(k|l)=k,l,k,k -> a,b,a,b",
			""},
		{"E113 numbers where categories are known", "x,c,d\n1,1,q\n2,1.0,q\n", Options{Schema: schema},
			"x=1,2 c(1|p)=1,1 d(p|q)=q,q ->", ""},
		{"E114 missing category at prediction", "x,c,d\n1,,q\n,NA,NA\n", Options{Schema: schema, Missing: []string{"NA"}},
			"x=1,_ c(1|p)=_,_ d(p|q)=q,_ ->",
			"in.csv: 1 row has no value that the model knows in any of its 3 columns, in line 3: what is decided of it rests " +
				"on nothing; remove rows that are empty"},
		{"E115 levels in another order", "x,c,d\n1,p,q\n2,1,p\n", Options{Schema: schema}, "x=1,2 c(1|p)=p,1 d(p|q)=q,p ->",
			""},
		{"E117 NA as a level", "x,c,y\n1,NA,a\n2,DE,b\n3,NA,a\n4,DE,b\n", Options{},
			"x=1,2,3,4 c(DE|NA)=NA,DE,NA,DE -> a,b,a,b",
			`in.csv: column "c": "NA" is taken as a category; if it means that the value is not known, use --missing NA`},
		{"E117 NA as missing", "x,c,y\n1,NA,a\n2,DE,b\n3,FR,a\n4,DE,b\n", Options{Missing: []string{" NA "}},
			"x=1,2,3,4 c(DE|FR)=_,DE,FR,DE -> a,b,a,b", ""},
		{"E119 empty is missing, quoted or not", "x,c,y\n1,\"\",a\n2,,b\n3,k,a\n4,\" \",b\n5,l,a\n", Options{},
			"x=1,2,3,4,5 c(k|l)=_,_,k,_,l -> a,b,a,b,a", ""},
		{"numbers as categories", "x,c,y\n1,10,a\n2,9,b\n3,x,a\n4,10,b\n", Options{Categorical: []string{"c"}},
			"x=1,2,3,4 c(10|9|x)=10,9,x,10 -> a,b,a,b", ""},
		{"decimal commas as categories", "x,c,y\n1,\"1,5\",a\n2,\"1,5\",b\n3,x,a\n4,x,b\n",
			Options{Categorical: []string{"c"}},
			"x=1,2,3,4 c(1,5|x)=1,5,1,5,x,x -> a,b,a,b", ""},
		{"ignored columns are not looked at", "x,c,y\n1,1,a\n2,b,b\n3,1e999,a\n4,,b\n", Options{Ignore: []string{"c", "c"}},
			"x=1,2,3,4 -> a,b,a,b", ""},
		{"dates, addresses and versions are text",
			"d,i,v,y\n2020-01-31,10.0.0.1,1.2.3,a\n2020-02-01,10.0.0.2,1.2.4,b\n2020-02-01,10.0.0.1,1.2.3,a\n2020-02-01,10.0.0.1,1.2.3,b\n", Options{},
			"d(2020-01-31|2020-02-01)=2020-01-31,2020-02-01,2020-02-01,2020-02-01 " +
				"i(10.0.0.1|10.0.0.2)=10.0.0.1,10.0.0.2,10.0.0.1,10.0.0.1 v(1.2.3|1.2.4)=1.2.3,1.2.4,1.2.3,1.2.3 -> a,b,a,b", ""},
	} {
		c.run(t)
	}
}

func TestE108NumberOfLevels(t *testing.T) {
	for _, n := range []int{63, 64, 65, 1000, maxLevels} {
		text := rowsOf("x,c,y", n+2, func(i int) string { return fmt.Sprintf("%d,l%d,%c", i, (i*11)%n, "ab"[i%2]) })
		f, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		c := f.Columns[1]
		if len(c.Levels) != n || !slices.IsSorted(c.Levels) {
			t.Errorf("%d levels, want %d, sorted", len(c.Levels), n)
		}
		for i := range f.Rows() {
			if got, want := c.Levels[int(c.At(i))], fmt.Sprint("l", (i*11)%n); got != want {
				t.Fatalf("row %d is %s, want %s", i, got, want)
			}
		}
	}
}

func TestE118SameFrameEveryTime(t *testing.T) {
	text := rowsOf("x,c,y", 300, func(i int) string { return fmt.Sprintf("%d,l%d,k%d", i, i*31%97, i*17%13) })
	first, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		again, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"})
		if err != nil || !reflect.DeepEqual(again, first) {
			t.Fatalf("another frame from the same text (%v)", err)
		}
	}
}
