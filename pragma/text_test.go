package pragma_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rfpragma/rfpragma/pragma"
)

// comparable has preferences compared as values.
var comparable = cmpopts.EquateComparable(pragma.Preference{})

func TestParseSpec(t *testing.T) {
	ill := pragma.Preference{Theta: 10, X: 0.2, Y: 0.6}
	for _, tc := range []struct {
		name, text string
		want       pragma.Spec
		canonical  string
	}{
		{"one class", "ill:theta=10,x=0.2,y=0.6", pragma.Spec{"ill": ill}, "ill:theta=10,x=0.2,y=0.6"},
		{"percentages", "ill:theta=10,x=20%,y=60 %;well:theta=1,x=1.1%,y=0%", pragma.Spec{"ill": ill, "well": {Theta: 1,
			X: 0.011}}, "ill:theta=10,x=0.2,y=0.6;well:theta=1,x=0.011,y=0"},
		{"two classes, sorted when written", "well:theta=1,x=.8,y=8e-1;ill:y=0.6,x=0.2,theta=10", pragma.Spec{"ill": ill,
			"well": pragma.Neutral()}, "ill:theta=10,x=0.2,y=0.6;well:theta=1,x=0.8,y=0.8"},
		{"a name alone is to be found", "ill", pragma.Spec{"ill": pragma.Find()}, "ill"},
		{"priority by its name", "ill:priority; a", pragma.Spec{"ill": pragma.Priority(), "a": pragma.Find()},
			"a;ill:theta=10,x=0.1,y=0.9"},
		{"names alone", "A;E", pragma.Spec{"A": pragma.Find(), "E": pragma.Find()},
			"A;E"},
		{"names alone, with commas", "A,E;B", pragma.Spec{"A": pragma.Find(), "B": pragma.Find(),
			"E": pragma.Find()}, "A;B;E"},
		{"a list of names and numbers of another class", "A,E;B:theta=10,x=0.2,y=0.6", pragma.Spec{"A": pragma.Find(),
			"B": ill, "E": pragma.Find()}, "A;B:theta=10,x=0.2,y=0.6;E"},
		{"all others", "ill;*:theta=0,x=0,y=0", pragma.Spec{"ill": pragma.Find(), "*": {}},
			"*:theta=0,x=0,y=0;ill"},
		{"blanks", "  very ill : theta = 10 , x = 0.2, y=0.6 ;\n well", pragma.Spec{"very ill": ill,
			"well": pragma.Find()}, "very ill:theta=10,x=0.2,y=0.6;well"},
		{"A174 quoted names", `"a=b,c:d;\"e\"":theta=10,x=0.2,y=0.6; " ill "`, pragma.Spec{`a=b,c:d;"e"`: ill,
			" ill ": pragma.Find()}, `" ill ";"a=b,c:d;\"e\"":theta=10,x=0.2,y=0.6`},
		{"classes that are named like keys", "x;y:theta=10,x=0.2,y=0.6", pragma.Spec{"x": pragma.Find(), "y": ill},
			"x;y:theta=10,x=0.2,y=0.6"},
		{"letters of the world", "krank–ß:theta=10,x=0.2,y=0.6", pragma.Spec{"krank–ß": ill}, "krank–ß:theta=10,x=0.2,y=0.6"},
		{"escapes", `"\n\x00":theta=10,x=0.2,y=0.6`, pragma.Spec{"\n\x00": ill}, `"\n\x00":theta=10,x=0.2,y=0.6`},
		{"the empty name", `"":theta=10,x=0.2,y=0.6`, pragma.Spec{"": ill}, `"":theta=10,x=0.2,y=0.6`},
		{"large and small", "a:theta=1e300,x=1e-300,y=0.1", pragma.Spec{"a": {Theta: 1e300, X: 1e-300, Y: 0.1}},
			"a:theta=1e+300,x=1e-300,y=0.1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := pragma.ParseSpec(tc.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got, comparable); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got.String() != tc.canonical {
				t.Errorf("String() = %s\nwant       %s", got, tc.canonical)
			}
		})
	}
}

func TestParseSpecErrors(t *testing.T) {
	const form = "write class:theta=10,x=0.2,y=0.6"
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "character 1: the name of a class is missing; " + form},
		{"empty between semicolons", "ill;;well", "character 5: the name of a class is missing; " + form},
		{"semicolon at the end", "ill;", "character 5: the name of a class is missing; " + form},
		{"colon first", ":theta=1", "character 1: the name of a class is missing; " + form},
		{"A167 theta is a word", "ill:theta=abc,x=0.2,y=0.6",
			`character 11: theta: "abc" is not a number; write digits, with a point if need be`},
		{"A167 theta is empty", "ill:theta=,x=0.2,y=0.6", "character 11: theta: a number is missing; write one"},
		{"A166 theta is negative", "ill:theta=-1,x=0.2,y=0.6", "character 11: theta = -1 is negative; write 0 or more"},
		{"A168 theta is infinite", "ill:theta=Inf,x=0.2,y=0.6",
			`character 11: theta: "Inf" is not a number; write digits, with a point if need be`},
		{"A169 theta is missing", "ill:x=0.2,y=0.6", `character 1: class "ill" has no theta; give theta, x and y`},
		{"y is missing", "well;ill:theta=1,x=0.2", `character 6: class "ill" has no y; give theta, x and y`},
		{"A173 class twice", "ill;well; ill", `character 11: class "ill" is named twice; keep one`},
		{"key twice", "ill:theta=1,theta=2", "character 13: theta is given twice; keep one"},
		{"A191 unknown key", "ill:tetha=10,x=0.2,y=0.6",
			`character 5: unknown key "tetha"; known are "theta", "x", "y"; did you mean "theta"?`},
		{"a figure", "ill:sensitivity=0.9",
			`character 5: "sensitivity" is none of theta, x and y; it can be required beside the preference: --require 'CLASS:recall>=0.9'`},
		{"a figure beside", "ill:theta=10,fpr=0.1",
			`character 14: "fpr" is none of theta, x and y; it can be required beside the preference: --require 'CLASS:fpr<=0.01'`},
		{"another letter case", "ill:Theta=10,x=0.2,y=0.6",
			`character 5: unknown key "Theta"; known are "theta", "x", "y"; did you mean "theta"?`},
		{"no key", "ill:=3", "character 5: theta, x or y is missing; " + form},
		{"colon and nothing", "ill:", "character 5: theta, x or y is missing; " + form},
		{"comma and nothing", "ill:theta=1,", "character 13: theta, x or y is missing; " + form},
		{"no value", "ill:theta,x=1", "character 10: theta has no value; " + form},
		{"A177 a percentage", "ill:theta=10,x=20,y=0.6", "character 16: x = 20 looks like a percentage; write x = 0.2"},
		{"all of them", "ill:theta=10,x=100%,y=0.6",
			"character 16: x = 1 is outside [0, 1): it would give up nothing; write at most 0.99"},
		{"a percent sign alone", "ill:theta=10,x=%,y=0.6",
			`character 16: x: "%" is not a number; write digits, with a point if need be`},
		{"theta in percent", "ill:theta=10%,x=0.2,y=0.6",
			`character 11: theta: "10%" is not a number; write digits, with a point if need be`},
		{"a decimal comma", "ill:theta=10,x=0,2,y=0,6",
			"character 18: a comma separates theta, x and y; write the number with a point before its decimals, and no mark " +
				"between thousands"},
		{"a percentage with a comma", "ill:theta=10,x=0,2%",
			"character 18: a comma separates theta, x and y; write the number with a point before its decimals, and no mark " +
				"between thousands"},
		{"a decimal comma and blanks", "ill:theta= 1 , 5 ,x=0",
			"character 16: a comma separates theta, x and y; write the number with a point before its decimals, and no mark " +
				"between thousands"},
		{"thousands and a decimal comma", "ill:theta=3.000,00,x=0",
			"character 17: a comma separates theta, x and y; write the number with a point before its decimals, and no mark " +
				"between thousands"},
		{"a comma in thousands", "ill:theta=3,000,x=0",
			"character 13: a comma separates theta, x and y; write the number with a point before its decimals, and no mark " +
				"between thousands"},
		{"a point in thousands", "ill:theta=3.000,x=0,y=0",
			`character 11: theta: "3.000" may be 3 or 3000; write the one that is meant`},
		{"two points", "ill:theta=1.5,5",
			`character 15: it is not said what the number 5 is, theta, x or y; write class:theta=10,x=0.2,y=0.6`},
		{"a number first", "ill:5", `character 5: it is not said what the number 5 is, theta, x or y; write class:theta=10,x=0.2,y=0.6`},
		{"numbers alone", "ill:10,20%,0.6",
			`character 5: it is not said what the number 10 is, theta, x or y; write class:theta=10,x=0.2,y=0.6`},
		{"semicolons within a class", "fraud:theta=10;x=0.2;y=0.6",
			"character 16: x stands after a semicolon, which separates classes; put commas between theta, x and y: " + form},
		{"a semicolon after the name", "fraud; theta=10,x=0.2,y=0.6",
			"character 8: theta stands after a semicolon, which separates classes; put commas between theta, x and y: " + form},
		{"a semicolon after all three", "fraud:theta=1,x=0,y=0;y=1",
			"character 23: y stands after a semicolon, which separates classes; put commas between theta, x and y: " + form},
		{"A181 y = 1", "ill:theta=10,x=0.2,y=1",
			"character 22: y = 1 is outside [0, 1): it would give up nothing; write at most 0.99"},
		{"equals sign after the name", "ill=10", `character 4: unexpected "=" after class "ill"; ` + form +
			`; if the class is called "ill=10", write '"ill=10"'`},
		{"a comparison", "well;<=50K:theta=1,x=0,y=0", `character 7: unexpected "=" after class "<"; ` + form +
			`; if the class is called "<=50K", write 'well;"<=50K":theta=1,x=0,y=0'`},
		{"a colon in the name", "ill:acute",
			`character 5: unknown key "acute"; known are theta, x and y; if the class is called "ill:acute", write '"ill:acute"'`},
		{"a colon in the name before others", "ill:acute, well",
			`character 5: unknown key "acute"; known are theta, x and y; if the class is called "ill:acute", write '"ill:acute", well'`},
		{"a colon in the name and numbers", "a; ill:not acute:theta=10,x=0.2,y=0.6",
			`character 8: unknown key "not acute"; known are theta, x and y; if the class is called "ill:not acute", write 'a; "ill:not acute":theta=10,x=0.2,y=0.6'`},
		{"no class", "theta=10,x=0.2,y=0.6", "character 1: the class is missing before theta; " + form},
		{"comma and nothing after a class", "ill,", "character 5: the name of a class is missing; " + form},
		{"a comma before the numbers", "ill,theta=1,x=0,y=0", "character 5: the class is missing before theta; " + form},
		{"numbers after a list of names", "well;b,a:theta=10,x=0.05,y=0.95",
			`character 8: theta, x and y after "a" may be meant for the classes before it, too; write 'a:theta=10,x=0.05,y=0.95;b:theta=10,x=0.05,y=0.95' if they are, else 'b;a:theta=10,x=0.05,y=0.95'`},
		{"numbers after a longer list", `a, " b" ,c:theta=1,x=0,y=0;d`,
			`character 10: theta, x and y after "c" may be meant for the classes before it, too; write '" b":theta=1,x=0,y=0;a:theta=1,x=0,y=0;c:theta=1,x=0,y=0' if they are, else 'a;" b";c:theta=1,x=0,y=0'`},
		{"text after a quoted name", `"ill"s`, `character 6: unexpected "s" after class "ill"; ` + form +
			`, put a semicolon between classes, as in 'a;b', and quote a name that contains one of :;,="`},
		{"quote not closed", `ß;"ill`, `character 3: the quoted name does not end, or has an escape that Go does not know; add the missing ", and write \" and \\ for a quote and a backslash`},
		{"characters are counted, not bytes", "größer:theta=x",
			`character 14: theta: "x" is not a number; write digits, with a point if need be`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := pragma.ParseSpec(tc.text)
			var bad *pragma.SpecError
			if !errors.As(err, &bad) || err.Error() != tc.want {
				t.Errorf("error %v\nwant  %s", err, tc.want)
			}
		})
	}
}

func TestReadSpec(t *testing.T) {
	want := pragma.Spec{"ill": {Theta: 10, X: 0.2, Y: 0.6}, "*": {Theta: 1, X: 0, Y: 0.5}}
	for _, text := range []string{
		`{"ill": {"theta": 10, "x": 0.2, "y": 0.6}, "*": {"theta": 1, "x": 0, "y": 5e-1}}`,
		"\ufeff{\n\t\"*\": {\"y\": 0.5, \"x\": 0, \"theta\": 1},\r\n\t\"ill\": {\"theta\": 10, \"x\": 0.2, \"y\": 0.6}\n}\n",
	} {
		got, err := pragma.ReadSpec(strings.NewReader(text), "p.json")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, comparable); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); got != `{"*":{"theta":1,"x":0,"y":0.5},"ill":{"theta":10,"x":0.2,"y":0.6}}` {
		t.Errorf("Marshal = %s", got)
	}
	var within struct{ Prefer pragma.Spec }
	if err := json.Unmarshal([]byte(`{"prefer": `+string(text)+`}`), &within); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, within.Prefer, comparable); diff != "" {
		t.Errorf("Unmarshal: (-want +got)\n%s", diff)
	}
	if err := json.Unmarshal([]byte(`{"prefer": {"ill": {"Theta": 1}}}`), &within); err == nil {
		t.Error("Unmarshal takes keys that ReadSpec refuses")
	}
}

func TestReadSpecErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", "p.json:1:1: the preferences end too early; close all quotes and braces"},
		{"A190 cut off", "{\n  \"ill\": {\"theta\": 10,",
			"p.json:2:23: the preferences end too early; close all quotes and braces"},
		{"A190 not JSON", "{\n  \"ill\": {\"theta\": ten}}",
			"p.json:2:20: this is not JSON: invalid character 'e' in literal true (expecting 'r'); correct it"},
		{"A190 colon missing", "{\"ill\" {}}",
			"p.json:1:8: this is not JSON: invalid character '{' after object key; correct it"},
		{"no object", "[1, 2]", `p.json:1:1: an object is expected; write {"class": {"theta": 10, "x": 0.2, "y": 0.6}}`},
		{"no object within", `{"ill": 10}`,
			`p.json:1:9: an object is expected; write {"class": {"theta": 10, "x": 0.2, "y": 0.6}}`},
		{"A191 unknown key", "{\n \"ill\": {\"tetha\": 10}}",
			`p.json:2:10: unknown key "tetha"; known are "theta", "x", "y"; did you mean "theta"?`},
		{"A346 another letter case", `{"ill": {"X": 0.1}}`,
			`p.json:1:10: unknown key "X"; known are "theta", "x", "y"; did you mean "x"?`},
		{"A345 key twice", `{"ill": {"x": 0.1, "x": 0.1}}`, "p.json:1:20: x is given twice; keep one"},
		{"A173 class twice", "{\"ill\": {\"theta\":1,\"x\":0,\"y\":0},\n\"ill\": {}}",
			`p.json:2:1: class "ill" is named twice; keep one`},
		{"A169 a number is missing", `{"ill": {"theta": 1, "x": 0}}`,
			`p.json:1:2: class "ill" has no y; give theta, x and y`},
		{"a number in quotes", `{"ill": {"theta": "10"}}`, "p.json:1:19: theta is not a number; write one, without quotes"},
		{"A347 null", `{"ill": {"theta": null}}`, "p.json:1:19: theta is not a number; write one, without quotes"},
		{"beyond all bounds", `{"ill": {"theta": 1e400}}`,
			`p.json:1:19: "1e400" is too large for a number; write a smaller one`},
		{"A177 a percentage", `{"ill": {"x": 20}}`, "p.json:1:15: x = 20 looks like a percentage; write x = 0.2"},
		{"A344 text after the end", "{}\n{}", "p.json:2:1: there is text after the preferences; remove it"},
		{"characters are counted, not bytes", `{"größer": {"z": 1}}`,
			`p.json:1:13: unknown key "z"; known are "theta", "x", "y"; use one of them`},
		{"not UTF-8", "{\"\xe9\": {}}", "p.json: the file is not UTF-8; save it as UTF-8"},
		{"too large", strings.Repeat(" ", 1<<20+1), "p.json: the file is larger than 1 MiB; give the right one"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := pragma.ReadSpec(strings.NewReader(tc.text), "p.json")
			var bad *pragma.SpecError
			if !errors.As(err, &bad) || err.Error() != tc.want {
				t.Errorf("error %v\nwant  %s", err, tc.want)
			}
		})
	}
	broken := errors.New("disk on fire")
	if _, err := pragma.ReadSpec(iotest.ErrReader(broken), "p.json"); !errors.Is(err, broken) ||
		err.Error() != "p.json: disk on fire" {
		t.Errorf("failing reader: %v", err)
	}
}

// FuzzParseSpec: what is read is written and read the same, and errors are one line.
func FuzzParseSpec(f *testing.F) {
	for _, seed := range []string{
		"ill:theta=10,x=0.2,y=0.6;well:theta=1,x=0.8,y=0.8",
		"ill; *:theta=0,x=0,y=0", `"a\"b;":theta=1e300,x=1e-9,y=0.5`, "ill:tetha=1", `"\xff"`, "größer",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := pragma.ParseSpec(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("the error is not one line: %q", err)
			}
			return
		}
		again, err := pragma.ParseSpec(s.String())
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if diff := cmp.Diff(s, again, comparable); diff != "" {
			t.Fatalf("(-read +written and read)\n%s", diff)
		}
	})
}

// FuzzReadSpec: what is read is encoded and read the same.
func FuzzReadSpec(f *testing.F) {
	for _, seed := range []string{`{"ill":{"theta":10,"x":0.2,"y":0.6}}`, `{}`, `{"a":{"theta":1`, `[{}]`,
		`{"a":{"b":[1]}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := pragma.ReadSpec(bytes.NewReader(text), "f")
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("the error is not one line: %q", err)
			}
			return
		}
		encoded, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := pragma.ReadSpec(bytes.NewReader(encoded), "g")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, again, comparable); diff != "" {
			t.Fatalf("(-read +encoded and read)\n%s", diff)
		}
	})
}
