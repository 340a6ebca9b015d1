package dataset

import (
	"strconv"
	"strings"
	"testing"
)

// ARFF files. Numbers B52 to B71 are those of the catalogue.

const arffHead = "@relation r\n@attribute x numeric\n@attribute c {p,'q r',\"s,t\"}\n@attribute y {no,yes}\n@data\n"

// arffCase is a file and what comes of it: a sketch of the frame with its warnings, or an error
// with its exit code.
type arffCase struct {
	name, text string
	o          Options
	want       string
	warnings   string
	code       int
}

func (c arffCase) run(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		if c.o.Target == "" {
			c.o.Target = "y"
		}
		read := func(text string) (*Frame, error) {
			s, err := ARFF(strings.NewReader(text), "in.arff")
			if err != nil {
				return nil, err
			}
			return Read(s, c.o)
		}
		f, err := read(c.text)
		if got := codeOf(err); got != c.code {
			t.Fatalf("exit code %d, want %d: %v", got, c.code, err)
		}
		if c.code != 0 {
			if err.Error() != c.want || strings.Contains(c.want, "\n") {
				t.Errorf("error\n got %s\nwant %s", err, c.want)
			}
			if _, again := read(strings.ReplaceAll(c.text, "\n", "\r\n")); again == nil || again.Error() != c.want {
				t.Errorf("with CRLF another error: %v", again)
			}
			return
		}
		if err := f.Check(); err != nil {
			t.Errorf("the frame does not pass its own check: %v", err)
		}
		if got := shown(f); got != c.want {
			t.Errorf("frame\n got %s\nwant %s", got, c.want)
		}
		var warnings []string
		for _, w := range f.Warnings {
			warnings = append(warnings, w.Error())
		}
		if got := strings.Join(warnings, "\n"); got != c.warnings {
			t.Errorf("warnings\n got %s\nwant %s", got, c.warnings)
		}
		again, err := read(zipped("\ufeff" + strings.ReplaceAll(c.text, "\n", "\r\n")))
		if err != nil || sameFrame(f, again) != "" {
			t.Errorf("zipped, with CRLF and a byte-order mark: another frame, or %v", err)
		}
	})
}

func TestCatalogueARFF(t *testing.T) {
	const usual = "x=1,2,_ c(p|q r|s,t)=p,q r,s,t -> no,yes,yes"
	rows := "1,p,no\n2,'q r',yes\n?,\"s,t\",yes\n"
	single := "in.arff: column \"y\": a single row for \"no\": too few to learn from and to judge by; add rows\n" +
		"in.arff: column \"c\" has a different category in every row, as names do; use --id c or --ignore c"
	constant := func(names string) string {
		return "in.arff: column " + names + " is the same in every row and cannot help"
	}
	weighted := arffHead + "1,p,no\n2,p,yes,{3}\n3,'q r' , yes , { 0.5 } % a comment\n4,p,no\n"
	for _, c := range []arffCase{
		{"B52 no @relation", strings.TrimPrefix(arffHead, "@relation r\n") + rows, Options{}, usual,
			"in.arff: there is no line @relation, with which an ARFF file begins\n" + single, 0},
		{"CSV by another name", "x,y\n1,a\n", Options{},
			`in.arff:1:1: "x,y" is not a line of an ARFF header; write @relation, @attribute or @data, or % before a comment; if this is CSV in spite of its name, use --input-format csv`, "", data},
		{"B53 unknown type", "@relation r\n@attribute x unknown\n@data\n", Options{},
			`in.arff:2:14: attribute "x" has the unknown type "unknown"; write numeric, real, integer, string, or the categories in braces, such as {yes,no}`, "", data},
		{"B53 no type", "@relation r\n@attribute x\n@data\n", Options{},
			`in.arff:2:13: attribute "x" has no type; write numeric, real, integer, string, or the categories in braces, such as {yes,no}`, "", data},
		{"B53 no name", "@relation r\n@attribute \n@data\n", Options{},
			`in.arff:2:12: the attribute has no name; write @attribute NAME TYPE`, "", data},
		{"B53 empty name", "@relation r\n@attribute ' ' real\n@data\n", Options{},
			`in.arff:2:12: the attribute has no name; write @attribute NAME TYPE`, "", data},
		{"B53 more behind the type", "@relation r\n@attribute x real [0,1] x\n@data\n", Options{},
			`in.arff:2:25: "x" follows the type; remove it`, "", data},
		{"B53 bracket never closed", "@relation r\n@attribute x real[\n@data\n", Options{},
			`in.arff:2:18: the bracket of the least and the largest value is never closed; close it on this line`, "", data},
		{"B54 categories without braces", "@relation r\n@attribute y 0,1,2\n@data\n", Options{},
			`in.arff:2:14: attribute "y" has the unknown type "0,1,2"; write numeric, real, integer, string, or the categories in braces, such as {yes,no}, and put braces around categories`, "", data},
		{"B55 undeclared category", arffHead + "1,P,no\n", Options{},
			`in.arff:6:3: column "c": "P" is not one of the declared categories (did you mean "p"?); correct it, or declare it`,
			"", data},
		{"B56 quoted with a comma or a blank", arffHead + rows, Options{}, usual, single, 0},
		{"B57 escaped quotes", "@relation r\n@attribute 'it\\'s' {'\\'B1of3\\'','a\\\\b',\"say " +
			"\\\"hi\\\"\",'t\\tn\\n'}\n@attribute y {a,b}\n@data\n" +
			"'\\'B1of3\\'',a\n'a\\\\b',b\n\"say \\\"hi\\\"\",a\n'\\'B1of3\\'',b\n", Options{},
			`it's('B1of3'|a\b|say "hi")='B1of3',a\b,say "hi",'B1of3' -> a,b,a,b`, "", 0},
		{"B57 quote never closed", arffHead + "1,'q r,no\n", Options{},
			`in.arff:6:3: the quote opened here is not closed on this line; close it`, "", data},
		{"B57 backslash at the end", arffHead + "1,'q r\\", Options{},
			`in.arff:6:3: the quote opened here is not closed on this line; close it`, "", data},
		{"B57 text behind a quote", arffHead + "1,'q'r,no\n", Options{},
			`in.arff:6:6: text follows a closing quote; write a quote within quotes as \'`, "", data},
		{"B57 quote inside", arffHead + "1,q'r,no\n", Options{},
			`in.arff:6:4: a quote stands inside a value that does not begin with one; quote the whole and write \'`, "", data},
		{"B58 keywords in any case", "@RELATION r\n@Attribute x REAL\n@attribute c{p,'q r',\"s,t\"}\n@attribute\ty\t{no, " +
			"yes}\n@Data\n" + rows, Options{}, usual, single, 0},
		{"B59 categories over several lines", "@relation r\n@attribute y {a,\nb}\n@data\n", Options{},
			`in.arff:2:17: the brace of the categories of attribute "y" is never closed; close it on this line`, "", data},
		{"B59 brace not closed behind a category", "@relation r\n@attribute y {a\n@data\n", Options{},
			`in.arff:2:16: the brace of the categories of attribute "y" is never closed; close it on this line`, "", data},
		{"B60 sparse", arffHead + "{}\n{0 2.5, 1 'q r',2 yes}\n{ 2 yes , 0 ? }\n{0 1,1 p,2 no},{1}\n", Options{},
			"x=0,2.5,_,1 c(p|q r)=p,q r,p,p -> no,yes,yes,no", "", 0},
		{"B60 sparse and dense", arffHead + "{0 1}\n2,'q r',yes\n", Options{}, "x=1,2 c(p|q r)=p,q r -> no,yes",
			"in.arff: column \"y\": a single row each for \"no\", \"yes\": too few to learn from and to judge by; add rows\n" +
				"in.arff: column \"c\" has a different category in every row, as names do; use --id c or --ignore c", 0},
		{"B60 sparse without a string", "@relation r\n@attribute s string\n@attribute y {a,b}\n@data\n{1 b}\n", Options{},
			`in.arff:5: column "s": the sparse row leaves out an attribute of strings, for which there is no zero; write it, or ? for a missing one`, "", data},
		{"B60 sparse never closed", arffHead + "{0 1\n", Options{},
			`in.arff:6:5: the brace of the sparse row is never closed; close it on this line`, "", data},
		{"B60 sparse without commas", arffHead + "{0 1 1 p}\n", Options{},
			`in.arff:6:6: a comma is missing here; separate the values of a sparse row by commas`, "", data},
		{"B60 sparse without a value", arffHead + "{0 1,2}\n", Options{},
			`in.arff:6:6: the value of attribute 2 is missing; write {2 VALUE}`, "", data},
		{"B60 sparse with no blank behind the index", arffHead + "{0.5,2 yes}\n", Options{},
			`in.arff:6:2: the value of attribute 0 is missing; write {0 VALUE}`, "", data},
		{"B60 sparse with no blank behind an index of two digits", arffHead + "{00.5,2 yes}\n", Options{},
			`in.arff:6:2: the value of attribute 0 is missing; write {0 VALUE}`, "", data},
		{"B60 sparse without an index", arffHead + "{p 1}\n", Options{},
			`in.arff:6:2: an entry of a sparse row begins with the index of its attribute, counted from 0; write {1 x, 3 .5}`,
			"", data},
		{"B60 sparse twice", arffHead + "{0 1, 0 2}\n", Options{},
			`in.arff:6:7: attribute 0 is given twice in the row; remove one`, "", data},
		{"B60 text behind a sparse row", arffHead + "{0 1} 2\n", Options{},
			`in.arff:6:7: "2" follows the sparse row; remove it`, "", data},
		{"B61 sparse index beyond", arffHead + "{3 1}\n", Options{},
			`in.arff:6:2: there is no attribute 3: 3 attributes are declared, counted from 0; correct the index`, "", data},
		{"B61 sparse index of many digits", arffHead + "{99999999999999999999 1}\n", Options{},
			`in.arff:6:2: there is no attribute 99999999999999999999: 3 attributes are declared, counted from 0; correct the index`, "", data},
		// B62: the catalogue refuses strings. They are taken as the text columns of a CSV file are. The cure of a date is
		// --ignore, or --time.
		{"B62 string", "@relation r\n@attribute s string\n@attribute y {a,b}\n@data\n1,a\n'',b\n1,a\n2,b\n?,b\n", Options{},
			"s(1|2)=1,_,1,2,_ -> a,b,a,b,b", "", 0},
		{"B62 date", "@relation r\n@attribute d date 'yyyy-MM-dd'\n@attribute x real\n@attribute y " +
			"{a,b}\n@data\n'2020-01-01',1,a\n", Options{},
			`in.arff: column "d": the attribute holds dates, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore d or --time d`, "", data},
		{"B62 date ignored", "@relation r\n@attribute d date\n@attribute x real\n@attribute y " +
			"{a,b}\n@data\n'2020-01-01',1,a\n?,2,b\n?,3,a\n?,3,b\n", Options{Ignore: []string{"d"}},
			"x=1,2,3,3 -> a,b,a,b", "", 0},
		{"B62 relational", "@relation r\n@attribute bag relational\n@attribute x real\n@end bag\n@data\n", Options{},
			`in.arff:2:16: attribute "bag" is relational, a table in each cell; write its columns as attributes of their own`,
			"", data},
		{"B63 weights", weighted, Options{}, "x=1,2,3,4 c(p|q r)=p,p,q r,p -> no,yes,yes,no", "", 0},
		{"B63 weight beside --weight", weighted, Options{Weight: "x"},
			`in.arff:7:1: the row has a weight of its own beside column "x", named by --weight; drop one of them; 1 more row is at fault, too: line 8`, "", data},
		{"B63 weights of 0 alone", arffHead + "1,p,no,{0}\n2,p,yes,{0}\n", Options{},
			`in.arff: all weights are zero; give some row a weight above 0`, "", data},
		{"B63 weights of 0 alone, for a model", arffHead + "1,p,no,{0}\n2,p,yes,{0}\n", Options{Schema: Schema{{Name: "x"}},
			Classes: []string{"no", "yes"}},
			`in.arff: all weights are zero; give some row a weight above 0`, "", data},
		{"B63 negative weight", arffHead + "1,p,no,{-1}\n", Options{},
			`in.arff:6:9: "-1" is not a weight; write a finite number that is not negative`, "", data},
		{"B63 weight not closed", arffHead + "1,p,no,{1\n", Options{},
			`in.arff:6:10: the brace of the weight is not closed here; write {2}`, "", data},
		{"B63 weight in a short row", arffHead + "1,p,{1}\n", Options{},
			`in.arff:6: 2 values where 3 attributes are declared; correct the line, and quote a value with a comma in it`, "",
			data},
		{"B64 missing label", arffHead + rows + "1,p,?\n", Options{},
			`in.arff:9: column "y": 1 row without a label (line 9); give it one, or leave it out with --drop-unlabelled if it is empty or a total`, "", data},
		{"B64 missing label dropped", arffHead + rows + "1,p,?\n", Options{DropUnlabelled: true}, usual,
			"in.arff: 1 row without a label left out\n" + single, 0},
		{"B65 comments and blank lines",
			"% a\n\n@relation r % b\n \t\n@attribute x real % c\n@attribute c {p,'q r',\"s,t\"}%d\n@attribute y " +
				"{no,yes}\n@data %\n" +
				"\n1,p,no % e\n%\n2,'q r',yes %f\n\n?,\"s,t\",yes\n", Options{}, usual, single, 0},
		{"B66 nothing after @data", arffHead, Options{}, `in.arff: no rows; add at least one`, "", data},
		{"B66 no @data", "@relation r\n@attribute x real\n", Options{},
			`in.arff: there is no line @data, so the file is no ARFF or cut short; put it between the attributes and the rows`,
			"", data},
		{"B66 no attributes", "@relation r\n@data\n1\n", Options{},
			`in.arff:2:1: no attribute is declared above @data; write a line such as @attribute age numeric for each column`, "",
			data},
		{"B66 rows without @data", "@relation r\n@attribute x real\n1,2\n", Options{},
			`in.arff:3:1: "1,2" is not a line of an ARFF header; write @relation, @attribute or @data, or % before a comment`,
			"", data},
		{"B67 too few values", arffHead + "1,p\n", Options{},
			`in.arff:6: 2 values where 3 attributes are declared; correct the line, and quote a value with a comma in it`, "",
			data},
		{"B67 too many values", arffHead + "1,p,no,no\n", Options{},
			`in.arff:6: 4 values where 3 attributes are declared; correct the line, and quote a value with a comma in it`, "",
			data},
		{"B67 empty value", arffHead + "1,,no\n", Options{},
			`in.arff:6:3: a value is missing here; write it, or ? for a missing one`, "", data},
		{"B67 comma at the end", arffHead + "1,p,no,\n", Options{},
			`in.arff:6:8: a value is missing here; write it, or ? for a missing one`, "", data},
		{"B68 two attributes of one name", "@relation r\n@attribute x real\n@attribute 'x' real\n@data\n", Options{},
			`in.arff:3:12: attribute "x" is declared on line 2 already; rename one`, "", data},
		{"B68 a category twice", "@relation r\n@attribute x {a,b,'a'}\n@data\n", Options{},
			`in.arff:2:19: attribute "x" has the category "a" twice; remove one`, "", data},
		{"B68 no categories", "@relation r\n@attribute x {}\n@data\n", Options{},
			`in.arff:2:15: attribute "x" has no categories; write some in the braces`, "", data},
		{"B68 categories without commas", "@relation r\n@attribute x {a b}\n@data\n", Options{},
			`in.arff:2:17: a comma is missing here; separate the categories by commas, and quote one with blanks in it`, "",
			data},
		// B70: a count of 0 would be that of a class that is never decided. It is not in the model at all, and the others
		// are numbered as without it.
		{"B70 declared class that never occurs",
			"@relation r\n@attribute x real\n@attribute y {c,a,d,b}\n@data\n1,a\n2,b\n3,a\n4,b\n", Options{},
			"x=1,2,3,4 -> a,b,a,b",
			`in.arff: column "y": no row has the class "c", "d", which is declared; the model will not know it`, 0},
		{"B71 rows without commas", arffHead + "1 p no\n", Options{},
			`in.arff:6:3: a comma is missing here; separate the values by commas, and quote one with blanks in it`, "", data},
		{"B71 words in a number", arffHead + "4o,p,no\n", Options{},
			`in.arff:6:1: column "x": "4o" is not a number, as declared; correct it, or write ? for a missing value`, "", data},
		{"a number too low, and a word for one too large", arffHead + "-1e999,p,no\n", Options{Missing: []string{"1e999"}},
			`in.arff:6:1: column "x": "-1e999" is too large for a number; correct it, or use --categorical x or --ignore x`, "",
			data},
		{"a number too large", arffHead + "1e999,p,no\n", Options{},
			`in.arff:6:1: column "x": "1e999" is too large for a number; correct it, or use --categorical x or --ignore x`, "",
			data},
		{"categories of numbers", "@relation r\n@attribute zip {10,9,010}\n@attribute k real\n@attribute y " +
			"{1,0}\n@data\n9,1,1\n010,1,0\n9,1,1\n10,1,0\n", Options{},
			"zip(010|10|9)=9,010,9,10 k=1,1,1,1 -> 1,0,1,0", constant(`"k"`), 0},
		{"not text", "@relation \xff\n", Options{}, `in.arff:1:11: byte 0xFF is not UTF-8; save the file as UTF-8`, "", data},
		{"NUL", "@relation \x00\n", Options{}, `in.arff:1:11: there is a NUL byte; save the file as plain UTF-8 text`, "",
			data},
		{"empty file", "", Options{}, `in.arff: there is no line @data, so the file is no ARFF or cut short; put it between the attributes and the rows`, "", data},
	} {
		c.run(t)
	}
	s, err := ARFF(strings.NewReader(weighted), "in.arff")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(s, Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 3, 0.5, 1} {
		if f.Weight[i] != want {
			t.Errorf("weight of row %d is %v, want %v", i, f.Weight[i], want)
		}
	}
}

// B69: limits, and a large header within them.
func TestCatalogueARFFLimits(t *testing.T) {
	var many strings.Builder
	for i := range maxLevels {
		many.WriteString(",c" + strings.Repeat("0", 160) + "x" + strconv.Itoa(i))
	}
	levels := many.String()[1:]
	head := func(levels string) string {
		return "@relation r\n@attribute x {" + levels + "}\n@attribute y {a,b}\n@data\n"
	}
	long := strings.Repeat("c", maxName+1)
	for _, tc := range []struct{ name, text, want string }{
		{"10 MiB of categories", head(levels) + "?,a\n?,b\n", ""},
		{"a category more", head(levels + ",more"),
			`attribute "x" has more than 65535 categories; declare it as string, and if it names the rows use --id x`},
		{"a long category", head(long), `attribute "x": a category has more than 65536 bytes; shorten it`},
		{"a long name", "@relation r\n@attribute " + long + " real\n",
			`the name of an attribute has more than 65536 bytes; shorten it`},
		{"a long line", "@relation " + strings.Repeat("r", maxRecord),
			`in.arff:1: a line has more than 16777216 bytes; shorten it`},
	} {
		if len(levels) < 10<<20 {
			t.Fatalf("%d bytes of categories", len(levels))
		}
		s, err := ARFF(strings.NewReader(tc.text), "in.arff")
		if err == nil {
			_, err = Read(s, Options{Target: "y"})
		}
		if tc.want == "" && err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if tc.want != "" && (codeOf(err) != limit || !strings.HasSuffix(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
}
