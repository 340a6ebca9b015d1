package csvtext

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll returns the header and the rows before the first error, which is nil at the end.
func readAll(r io.Reader, comma rune) ([][]string, error) {
	in, err := NewReader(r, "in.csv", comma)
	if err != nil {
		return nil, err
	}
	rows := [][]string{in.Header}
	for {
		cells, err := in.Next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, slices.Clone(cells))
	}
}

// readParts is readAll in parts of about size bytes.
func readParts(r io.Reader, comma rune, size int) ([][]string, error) {
	in, err := NewReader(r, "in.csv", comma)
	if err != nil {
		return nil, err
	}
	in.cutter.size = size
	rows := [][]string{in.Header}
	for {
		var part Rows
		if err := in.Part(&part); err == io.EOF {
			return rows, nil
		}
		for err = part.Next(); err == nil; err = part.Next() {
			cells := make([]string, len(part.Header))
			for j := range cells {
				cells[j] = part.Cell(j)
			}
			rows = append(rows, cells)
		}
		if err != io.EOF {
			return rows, err
		}
	}
}

// A long text is cut into parts between rows, wherever there are quotes, and says the same places.
func TestParts(t *testing.T) {
	for name, row := range map[string]string{
		"plain":              "1,2,3\n",
		"quotes":             "1,\"a,b\",3\r\n",
		"line breaks":        "1,\"a\n\"\"\n\nb\",3\n\n",
		"longer than a part": "1,\"" + strings.Repeat("long\n", partBytes/4) + "\",3\n",
	} {
		n := 3*partBytes/len(row) + 3
		text := "x,y,z\n" + strings.Repeat(row, n) + "1,2\n"
		want := strings.Count(text, "\n")
		rows, err := readAll(strings.NewReader(text), 0)
		parts, perr := readParts(strings.NewReader(text), 0, partBytes)
		if len(rows) != n+1 || fmt.Sprint(rows) != fmt.Sprint(parts) {
			t.Errorf("%s: %d rows, %d in parts, want %d", name, len(rows), len(parts), n+1)
		}
		if text := fmt.Sprintf("in.csv:%d: 2 cells where the first line names 3 columns; correct the line",
			want); err == nil || err.Error() != text || perr == nil || perr.Error() != text {
			t.Errorf("%s: error %v, in parts %v, want %s", name, err, perr, text)
		}
	}
}

// Neither the rows nor the first fault depend on where a part ends, or where a read does.
func TestPartsOfAnySize(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	bits := []string{"1", "a", ",", ",", "\n", "\n", "\r\n", "\"", "\"", "\"\"", "ö", " ", "1,2\n", "3,4\n", "5,\"6\"\n",
		"\"7\n7\",8\n", "9,0\r\n"}
	rare := []string{"\r", "\xff", "\x00", "\xc3", "\ufeff"}
	sound := 0
	for trial := range 1000 {
		text := "x,y\n"
		for range r.IntN(40) {
			text += bits[12*(trial%2)+r.IntN(len(bits)-12*(trial%2))] // every other text is of whole rows,
			if r.IntN(60) == 0 {
				text += rare[r.IntN(len(rare))] // but for these
			}
		}
		file := func() io.Reader {
			if trial%3 == 0 {
				return io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("lost")))
			}
			return strings.NewReader(text)
		}
		rows, err := readAll(file(), ',')
		if err == nil {
			sound++
		}
		for _, size := range []int{1, 2, 3, 5, 9, 17, 40} {
			parts, perr := readParts(file(), ',', size)
			if a, b := fmt.Sprintf("%q %v", rows, err), fmt.Sprintf("%q %v", parts, perr); a != b {
				t.Fatalf("seed %d, trial %d: %q\nread     %s\nin parts %s (of %d bytes)", seed, trial, text, a, b, size)
			}
		}
	}
	if sound < 100 {
		t.Errorf("%d texts without a fault are too few", sound)
	}
}

func TestReader(t *testing.T) {
	for _, c := range []struct {
		name, text string
		comma      rune
		want       [][]string
	}{
		{"plain", "x,y\n1,a\n2,b\n", 0, [][]string{{"x", "y"}, {"1", "a"}, {"2", "b"}}},
		{"A14 no newline at the end", "x,y\n1,a", 0, [][]string{{"x", "y"}, {"1", "a"}}},
		{"A40 gzip", zipped("x,y\n1,a\n"), 0, [][]string{{"x", "y"}, {"1", "a"}}},
		{"A29 names are trimmed, cells are not", "\ufeff x ,\ty\n 1 , a\n", 0, [][]string{{"x", "y"}, {" 1 ", " a"}}},
		{"A23 semicolons", "x;y,z\n1;\"a;b\"\n", ';', [][]string{{"x", "y,z"}, {"1", "a;b"}}},
		{"A22 CRLF in quotes", "x,y\r\n1,\"a\r\nb\"\r\n", 0, [][]string{{"x", "y"}, {"1", "a\nb"}}},
		{"A38 blank lines", "\n\nx,y\n\n1,a\n\n", 0, [][]string{{"x", "y"}, {"1", "a"}}},
		{"A38 quoted empty cell", "x\n\"\"\n1\n", 0, [][]string{{"x"}, {""}, {"1"}}},
		{"names of rows, as R writes them", "\"\",\"x\",\"y\"\n\"1\",1,\"a\"\n\"2\",2,\"b\"\n", 0, [][]string{{"x", "y"},
			{"1", "a"}, {"2", "b"}}},
		{"and as pandas does, before one column", ",x\n\n0,1\n1,\n", 0, [][]string{{"x"}, {"1"}, {""}}},
		{"A5 header only", "x,y\n", 0, [][]string{{"x", "y"}}},
		{"A17 trailing commas everywhere", "x,y,\n1,a,\n", 0, [][]string{{"x", "y"}, {"1", "a"}}},
		{"A17 empty columns of a spreadsheet", "x,y,,\" \"\r\n1,a,\"\", \r\n2,b\r\n3,c,\r\n,,,\r\n", 0, [][]string{{"x", "y"},
			{"1", "a"}, {"2", "b"}, {"3", "c"}, {"", ""}}},
		{"and names of rows", ",x,y,,\n1,1,a,,\n", 0, [][]string{{"x", "y"}, {"1", "a"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)),
				iotest.DataErrReader(strings.NewReader(c.text))} {
				got, err := readAll(r, c.comma)
				if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
					t.Errorf("read %q, %v, want %q", got, err, c.want)
				}
			}
		})
	}
}

func TestReaderRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"A4 zero bytes", "", "in.csv: the file is empty; expected a first line with the names of the columns"},
		{"A31 column without a name", "x, ,y\n", "in.csv:1:3: column 2 has no name; give it one"},
		{"A31 a title above the names", "May 2026,,\nx,z,y\n",
			"in.csv:1:10: column 2 has no name; give it one, or remove a title above the names of the columns"},
		{"no column with a name", ",\n1,2\n", "in.csv:1:2: column 2 has no name; give it one"},
		{"A17 content in columns without a name", "x,y,,\n1,a,,\n2,b,,c\n",
			`in.csv:3:6: column 4 has no name, but "c" stands in it; name it in the first line, or empty the cell`},
		{"A31 a title above the second name", ",May 2026,,\nx,z,y,u\n",
			"in.csv:1:11: column 3 has no name; give it one, or remove a title above the names of the columns"},
		{"and names of rows", ",x,y,,\n1,1,a,,\n2,2,b,3,\n",
			`in.csv:3:7: column 4 has no name, but "3" stands in it; name it in the first line, or empty the cell`},
		{"A16 more cells than columns without a name", "x,y,\n1,a,,\n",
			"in.csv:2: 4 cells where the first line names 2 columns; put a separator at the beginning of the first line if " +
				"the rows begin with names, else at its end"},
		{"nor the only one", "\"\"\n1\n", "in.csv:1:1: column 1 has no name; give it one"},
		{"too few cells beside names of rows", ",x,y\n0,1\n",
			"in.csv:2: 2 cells where the first line names 3 columns; correct the line"},
		{"too many cells beside names of rows", ",x,y\n0,1,2,\n",
			"in.csv:2: 4 cells where the first line names 3 columns; put a separator at the beginning of the first line if " +
				"the rows begin with names, else at its end"},
		{"A39 comment beside names of rows", ",x\n# a\n",
			"in.csv:2: 1 cell where the first line names 2 columns; lines that begin with # are not taken as comments, remove " +
				"them"},
		{"A30 two columns of one name", "x,y,x \n", `in.csv:1:5: columns 1 and 3 are both named "x"; rename one`},
		{"A15 too few fields", "x,y,z\n1,2\n3,4,5\n",
			"in.csv:2: 2 cells where the first line names 3 columns; correct the line"},
		{"A42 too few fields at the end", "x,y,z\n1,2",
			"in.csv:2: 2 cells where the first line names 3 columns; correct the line, or see whether the file is cut short"},
		{"A16 too many fields", "x,y\n1,2,3\n", "in.csv:2: 3 cells where the first line names 2 columns; correct the line"},
		{"blanks at the end", "x,y\n1,2\n \t\n",
			"in.csv:3: 1 cell where the first line names 2 columns; remove the line, which has blanks alone"},
		{"the end of a file of DOS", "x,y\n1,2\n\x1a",
			"in.csv:3: 1 cell where the first line names 2 columns; remove the line, which has blanks alone"},
		{"a note below the rows", "x,y,z\n1,2,3\n\nSource: SAP\n",
			"in.csv:4: 1 cell where the first line names 3 columns; correct the line, or remove it if it is a note"},
		{"A18 trailing comma", "x,y\n1,2,\n",
			"in.csv:2: 3 cells where the first line names 2 columns; put a separator at the beginning of the first line if " +
				"the rows begin with names, else at its end"},
		{"A39 comment", "x,y\n# a\n", "in.csv:2: 1 cell where the first line names 2 columns; lines that begin with # are " +
			"not taken as comments, remove them"},
		{"A31 a title of one word", "Claims\nx,y\n1,2\n",
			"in.csv:2: 2 cells where the first line names 1 column; remove a title above the names of the columns"},
		{"A31 a title of one word in front of a separator", "Claims;\nx;y\n1;2\n",
			`in.csv:2:3: column 2 has no name, but "y" stands in it; name it in the first line, or empty the cell`},
		{"A39 comment above the header", "# made by hand\nx,y\n",
			"in.csv:2: 2 cells where the first line names 1 column; lines that begin with # are not taken as comments, remove " +
				"them"},
		{"A24 another separator", "x\ty,z\tu\n1\n",
			"in.csv:2: 1 cell where the first line names 2 columns; if its cells are separated by another mark, use --sep tab"},
		{"A38 blank line in one column", "x\n1\n\n2\n",
			`in.csv:3: the line is blank, which is ambiguous in a file of one column; write "" for a missing cell, or remove the line`},
		{"A19 bare quote", "x,y\n1,a\"b\n",
			"in.csv:2:4: a quote stands inside a cell that does not begin with one; quote the whole cell and write the quote " +
				"twice"},
		{"A19 text after a quote", "x,y\n1,\"a\"b\n",
			"in.csv:2:5: text follows a closing quote; write a quote within a quoted cell twice"},
		{"A20 quote never closed", "x,y\n1,\"a\n2,b\n", "in.csv:2:3: the quote opened here is never closed; close it"},
		// The earlier of two faults is told, whichever of the two readers finds it.
		{"syntax before encoding", "x,y\n1,a\"b\n2,\xff\n",
			"in.csv:2:4: a quote stands inside a cell that does not begin with one; quote the whole cell and write the quote " +
				"twice"},
		{"encoding before syntax", "x,y\n1,\xff\n2,a\"b\n",
			`in.csv:2:3: byte 0xFF is not UTF-8; save the file as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f CP1252 -t UTF-8 FILE > data.csv)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readAll(strings.NewReader(c.text), 0)
			var fault *ParseError
			if !errors.As(err, &fault) || err.Error() != c.want {
				t.Errorf("error %v\nwant  %s", err, c.want)
			}
		})
	}
}

func TestReaderLimitsAndUsage(t *testing.T) {
	var limit *LimitError
	if _, err := readAll(strings.NewReader("x,y\n1,\""+strings.Repeat("\n", MaxField+1)), 0); !errors.As(err, &limit) ||
		!strings.HasPrefix(limit.Text, "in.csv:2:3: the quote opened here is not closed within 1048576 bytes") {
		t.Errorf("A20 endless quote: %v", err)
	}
	if _, err := readAll(strings.NewReader(strings.Repeat("z", MaxName+1)), 0); !errors.As(err, &limit) ||
		limit.Text != "in.csv:1:1: a column name has more than 65536 bytes; shorten it" {
		t.Errorf("long name: %v", err)
	}
	var usage *UsageError
	if _, err := readAll(strings.NewReader("x"), '"'); !errors.As(err, &usage) ||
		usage.Text != `in.csv: '"' cannot separate cells; use a comma, a semicolon, a tab or another mark with --sep` {
		t.Errorf("comma: %v", err)
	}
	broken := errors.New("disk on fire")
	for _, start := range []string{"", "x,", "x,y\n1,a\n2,\"b"} {
		_, err := readAll(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)), 0)
		if !errors.Is(err, broken) || err.Error() != "reading in.csv: disk on fire" {
			t.Errorf("after %q: %v", start, err)
		}
	}
}

// What is wrong with a row does not hide the rows after it.
func TestEachGoesOn(t *testing.T) {
	for rest, want := range map[string]string{
		"": `in.csv:3:1: column "x": wrong; 2 more rows are at fault, too: lines 4, 6`,
		// nothing can be read behind the quote
		"\"9,9\n8,8\n": `in.csv:3:1: column "x": wrong; 2 more rows are at fault, too: lines 4, 6`,
	} {
		in, err := NewReader(strings.NewReader("x,y\n1,1\n2,2\n3\n4,4\n2,5\n"+rest), "in.csv", 0)
		if err != nil {
			t.Fatal(err)
		}
		seen := ""
		err = in.Each(func(cells []string) error {
			if seen += cells[1]; cells[0] == "2" {
				return in.Faultf(0, "wrong")
			}
			return nil
		})
		if err == nil || err.Error() != want || seen != "1245" {
			t.Errorf("rows %s, error %v, want 1245, %s", seen, err, want)
		}
	}
}

func TestEachStops(t *testing.T) {
	in, err := NewReader(strings.NewReader("x\n1\n2\n3\n"), "in.csv", 0)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if err := in.Each(func(cells []string) error {
		if cells[0] == "2" {
			return stop
		}
		return nil
	}); err != stop {
		t.Errorf("Each returned %v, want what its function did", err)
	}
	if cells, err := in.Next(); err != nil || cells[0] != "3" {
		t.Errorf("then %q, %v, want the row after it", cells, err)
	}
	for range 2 {
		if cells, err := in.Next(); cells != nil || err != io.EOF {
			t.Errorf("after the last row: %q, %v, want io.EOF", cells, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	in, err := NewReader(strings.NewReader("x,y\n1,\"a\nb\"\né,c\n"), "in.csv", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := in.RowFaultf("odd").Error(); got != "in.csv:1: odd" {
		t.Errorf("in the header: %s", got)
	}
	for range 2 {
		if _, err := in.Next(); err != nil {
			t.Fatal(err)
		}
	}
	line, column := in.Pos(1)
	for _, c := range []struct{ got, want string }{
		{fmt.Sprint(line, column), "4 4"}, // bytes, not letters
		{in.Place(1), "in.csv:4:4"},
		{in.Faultf(1, "%d odd", 7).Error(), `in.csv:4:4: column "y": 7 odd`},
		{in.RowFaultf("odd").Error(), "in.csv:4: odd"},
		{in.FileFaultf("y", "odd").Error(), `in.csv: column "y": odd`},
		{in.FileFaultf("", "odd").Error(), "in.csv: odd"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	if cause := errors.New("odd"); !errors.Is(in.Faultf(0, "%w", cause), cause) {
		t.Error("a fault does not unwrap to its cause")
	}
}

func TestHints(t *testing.T) {
	const single = "in.csv:1:1: the first line is a single column, "
	for _, c := range []struct{ header, known, hint, single string }{
		{"x,y", "", "", ""},
		{"x", "", "", ""},
		{"x;y", "", "; if its cells are separated by another mark, use --sep ';'", single +
			`"x;y"; if its cells are separated by another mark, use --sep ';'`},
		{"x;y", "x;y", "; if its cells are separated by another mark, use --sep ';'", ""},
		{"x|y", "", "; if its cells are separated by another mark, use --sep '|'", single +
			`"x|y"; if its cells are separated by another mark, use --sep '|'`},
		{"x\ty,u\tv", "", "; if its cells are separated by another mark, use --sep tab", ""},
		{"Report of June", "", "; remove a title above the names of the columns, and part names and cells by commas, not " +
			"by blanks", ""},
		{"3.5,a", "", "; the first line looks like a row: write a line with the names of the columns above it", ""},
		{"Claims\nx;y\n1;2", "", titleHint, ""}, // the separator is said, so a single column may be meant
		{"Claims\n\"x;y\"\n\"1;2\"", "", "", ""},
		{"Claims of May\nas of 1 June\nx;y\n1;2", "", titleHint, ""},
		{"@RELATION r\n@attribute x numeric", "", "; the file looks like ARFF: name it .arff, or use --input-format arff",
			""},
		{"#x", "", "; lines that begin with # are not taken as comments, remove them", ""},
	} {
		in, err := NewReader(strings.NewReader(c.header+"\n"), "in.csv", ',')
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Hint(); got != c.hint {
			t.Errorf("%q: hint %q, want %q", c.header, got, c.hint)
		}
		got := ""
		if err := in.CheckSingle(c.known); err != nil {
			got = err.Error()
		}
		if got != c.single {
			t.Errorf("%q, known %q: %q, want %q", c.header, c.known, got, c.single)
		}
	}
}

// split is a second, slow reader of rows: letter by letter, after RFC 4180.
func split(file string) [][]string {
	var rows [][]string
	row, cell, quoted := []string{}, "", false
	letters := []rune(file)
	for i := 0; i < len(letters); i++ {
		switch l := letters[i]; {
		case quoted && l == '"' && i+1 < len(letters) && letters[i+1] == '"':
			cell += `"`
			i++
		case l == '"':
			quoted = !quoted
		case l == ',' && !quoted:
			row, cell = append(row, cell), ""
		case l == '\n' && !quoted:
			rows = append(rows, append(row, cell))
			row, cell = []string{}, ""
		default:
			cell += string(l)
		}
	}
	return rows
}

func TestRowsAgreeWithASlowReader(t *testing.T) {
	const seed = 15
	r := rand.New(rand.NewPCG(seed, 0))
	cells := []string{"", "1.5", "red", "\"light, blue\"", "\"say \"\"green\"\"\"", "\"two\nlines\"", "größe", "#hash",
		"x;y", "\"\""}
	for trial := range 200 {
		file := "a,\"b\",c\n"
		for range r.IntN(30) {
			file += cells[r.IntN(len(cells))] + "," + cells[r.IntN(len(cells))] + "," + cells[r.IntN(len(cells))] + "\n"
		}
		rows, err := readAll(strings.NewReader(file), 0)
		if got, want := fmt.Sprintf("%q", rows), fmt.Sprintf("%q", split(file)); err != nil || got != want {
			t.Fatalf("seed %d, trial %d: %v\n got %s\nwant %s", seed, trial, err, got, want)
		}
	}
}

// Whatever is read is what encoding/csv alone makes of it, and an error is one line of a known type.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{"x,y\n1,a\n", "\ufeffx\r\n\"\"\r\n", "x,y\n\"a\"\"\n\",b", "x\n\n1", "x,y\n1,a\"b\n\xff",
		"x\r1", "x;y\n1\n", "x\nb,\nb", zipped("x\n1\n")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := readAll(strings.NewReader(text), ',')
		for _, size := range []int{1, 7, partBytes} {
			parts, perr := readParts(strings.NewReader(text), ',', size)
			if a, b := fmt.Sprintf("%q %v", rows, err), fmt.Sprintf("%q %v", parts, perr); a != b {
				t.Fatalf("read %s, in parts of %d bytes %s", a, size, b)
			}
		}
		if err != nil {
			var fault *ParseError
			var limit *LimitError
			if !errors.As(err, &fault) && !errors.As(err, &limit) || strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if strings.HasPrefix(text, "\x1f\x8b") || strings.HasPrefix(text, "\x28\xb5\x2f\xfd") {
			return
		}
		in := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		in.FieldsPerRecord = -1
		want, err := in.ReadAll()
		if err != nil {
			t.Fatalf("read %q, encoding/csv: %v", rows, err)
		}
		for j, name := range want[0] {
			if want[0][j] = cleanName(name); want[0][j] == "" {
				return // columns without a name may be left out
			}
		}
		for i, row := range want { // nor are empty cells to the right of all names of any use
			for len(row) > len(want[0]) && strings.TrimSpace(row[len(row)-1]) == "" {
				row = row[:len(row)-1]
			}
			want[i] = row
		}
		if fmt.Sprintf("%q", rows) != fmt.Sprintf("%q", want) {
			t.Errorf("read %q, encoding/csv %q", rows, want)
		}
	})
}
