package csvtext

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// The separator is found by the rule of NewReader, in whatever portions the text comes.
func TestSeparatorIsFound(t *testing.T) {
	wide := strings.Repeat("a", 70_000)
	for _, c := range []struct {
		name, text string
		want       rune
		err        string
	}{
		{"commas", "a,b\n1,2\n", ',', ""},
		{"semicolons", "a;b\n1;2\n", ';', ""},
		{"tabs", "a\tb\n1\t2\n", '\t', ""},
		{"bars", "a|b\n1|2\n", '|', ""},
		{"a header alone", "a;b\n", ';', ""},
		{"named as by a spreadsheet", "sep=;\r\na,b;c\r\n1,5;2\r\n", ';', ""},
		{"named, after a byte-order mark", "\ufeffSEP=\t\na\tb\n1\t2\n", '\t', ""},
		{"named, and lines are counted on", "sep=;\na;b\n1\n", ';',
			"in.csv:3: 1 cell where the first line names 2 columns; correct the line"},
		{"a column of such a name", "sep=,b\n1,2\n", ',', ""},
		{"a header without a line end", "a;b", ';', ""},
		{"nothing", "", ',', "in.csv: the file is empty; expected a first line with the names of the columns"},
		{"one column", "a\n1\n", ',', ""},
		{"one column of texts", "a\n1;2\n3;4\n", ',', ""},
		{"one column, named with a mark", "price; net\n1\n2\n", ',', ""},
		{"blank lines, a byte-order mark, CRLF", "\ufeff\r\n\r\na;b\r\n\r\n1;2\r\n", ';', ""},
		{"another mark within quotes", "\"a;b\",c\n1,2\n", ',', ""},
		{"commas within quotes", "\"a,b\";c\n\"1,2\";3\n", ';', ""},
		{"quoted line breaks", "\"a\nb\";c\n\"1\n2\";3\n", ';', ""},
		{"another mark in a name", "a|b,c\n1,2\n", ',', ""},
		{"a comma in a name", "a, b;c;d\n1;2;3\n", ';', ""},
		{"decimal commas", "a;b\n1,5;2,5\n", ';', ""},
		{"decimal commas, and a comma in a name", "a,b;c\n1,5;2,5\n", ';', ""},
		{"decimal commas that agree with the names", "a,1;b\n1,5;2\n", 0,
			"in.csv:1: cells may be separated by ',' or ';'; choose one with --sep"},
		{"a header alone, of two marks", "a|b\tc", 0,
			"in.csv:1: cells may be separated by tab or '|'; choose one with --sep"},
		{"uneven semicolons", "a;b\n1;2\n3\n", ';',
			"in.csv:3: 1 cell where the first line names 2 columns; correct the line"},
		{"mostly uneven semicolons", "a;b\n1;2\n3\n4\n", ',', ""}, // a single column, which CheckSingle refuses
		{"empty cells at the end of some rows", "a;b;c\n1,5;2;3;;;\n1;2;3\n4;5;6;\r\n7;8;\"\"; \n", ';', ""},
		{"of some rows, by commas", "a,b\n1,2\n3,4,,\n", ',', ""},
		{"of some rows, by tabs", "a\tb\n1\t2\t\n3\t4\n", '\t', ""},
		{"of rows and the names", "a;b;;\n1;2\n3;4;;;;\n5;6;\n", ';', ""},
		{"of all rows, two and more", "a;b\n1;2;;\n3;4;;;\n", ';', ""},
		{"of all rows, just one", "a;b\n1;2;\n3;4;\n", ';',
			"in.csv:2: 3 cells where the first line names 2 columns; put a separator at the beginning of the first line if " +
				"the rows begin with names, else at its end; 1 more row is at fault, too: line 3"},
		{"and content in one of them", "a;b;c\n1;2;3;\n1;2;3\n4;5;6;;7\n8;9\n", ';',
			"in.csv:4: 5 cells where the first line names 3 columns; correct the line; 1 more row is at fault, too: line 5"},
		{"and a quote further on", "a;b\n1;2\n3;4\"5\n", ';',
			`in.csv:3:4: a quote stands inside a cell that does not begin with one; quote the whole cell and write the quote twice`},
		{"a comma in a name, and empty cells at the end", "a,b;c;d\n1;2;3;\n1;2;3\n", ';', ""},
		{"decimal commas before an empty cell", "a,b;c\n1,5;2\n1,5;2,\n", ';', ""},
		{"uneven beyond the rows looked at", "a;b\n" + strings.Repeat("1;2\n", sniffed) + "3\n", ';',
			"in.csv:22: 1 cell where the first line names 2 columns; correct the line"},
		{"long lines", wide + ";b\n" + strings.Repeat(wide+";2\n", 12), ';',
			"in.csv:1:1: a column name has more than 65536 bytes; shorten it"},
		{"a quote in the header", "a\";b\n1;2\n", ',',
			`in.csv:1:2: a quote stands inside a cell that does not begin with one; quote the whole cell and write the quote twice`},
	} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(
			strings.NewReader(c.text))} {
			in, err := NewReader(r, "in.csv", 0)
			if err == nil {
				if in.Comma != c.want || !in.Sniffed {
					t.Errorf("%s, %s: found %q, want %q", c.name, name, in.Comma, c.want)
				}
				err = in.Each(func([]string) error { return nil })
			}
			if got := ""; err != nil {
				if got = err.Error(); got != c.err {
					t.Errorf("%s, %s: error %q, want %q", c.name, name, got, c.err)
				}
			} else if c.err != "" {
				t.Errorf("%s, %s: no error, want %q", c.name, name, c.err)
			}
		}
	}
}
