package vote_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/vote"
)

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestReadCSVDecimalComma(t *testing.T) {
	const points = "class,ill,well,weight,sum\nill,0.75,0.25,0.5,12.5\nwell,0,1,2,0\n"
	commas := strings.ReplaceAll(strings.ReplaceAll(points, ",", ";"), ".", ",")
	want, err := vote.ReadCSV(strings.NewReader(points), "votes.csv", vote.CSVOptions{Amount: "sum"})
	if err != nil {
		t.Fatal(err)
	}
	var found []rune
	o := vote.CSVOptions{Amount: "sum", Decimal: ',', Found: func(mark rune) { found = append(found, mark) }}
	got, err := vote.ReadCSV(strings.NewReader(commas), "votes.csv", o)
	if err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	o.Comma = ';'
	if _, err := vote.ReadCSV(strings.NewReader(commas), "votes.csv", o); err != nil || string(found) != ";" {
		t.Errorf("found %q, %v; want the semicolon once, as it is given the second time", found, err)
	}
	const hint = "; if the comma is the decimal mark, use --decimal ','"
	for _, c := range []struct {
		text string
		o    vote.CSVOptions
		want string
	}{
		{commas, vote.CSVOptions{}, `votes.csv:2:5: column "ill": "0,75" is not a number of votes or a score; correct it, or have the column ignored if it is not a class` + hint},
		{"class;ill;well;weight\nill;1;0;0,5\n", vote.CSVOptions{},
			`votes.csv:2:9: column "weight": "0,5" is not a number; write digits, with a point if need be` + hint},
		{"class;ill;well;sum\nill;1;0;0,5\n", vote.CSVOptions{Amount: "sum"},
			`votes.csv:2:9: column "sum": "0,5" is not a number; write digits, with a point if need be` + hint},
		{"class;ill;well\nill;0.75;0,25\n", vote.CSVOptions{Decimal: ','},
			`votes.csv:2:5: column "ill": "0.75" is not a number of votes or a score; correct it, or have the column ignored if it is not a class; if the point is the decimal mark, leave --decimal out`},
		{"class;ill;well\nill;1;0\n", vote.CSVOptions{Decimal: 'x'},
			"votes.csv: 'x' is no decimal mark; use a point or a comma with --decimal"},
	} {
		if _, err := vote.ReadCSV(strings.NewReader(c.text), "votes.csv", c.o); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestReadCSV(t *testing.T) {
	plain := &vote.Table{
		Classes: []string{"ill", "well"},
		Truth:   []int{0, 1, -1},
		Counts:  []uint32{3, 17, 0, 20, 19, 0},
		Share:   []float64{0.5, 0.5},
		Source:  vote.External,
		Trees:   20,
	}
	weighed := &vote.Table{
		Classes: []string{"2", "10"},
		Truth:   []int{1, 0},
		Counts:  []uint32{4, 1, 0, 2},
		Weight:  []float64{0.5, 1.5},
		Share:   []float64{0.75, 0.25},
		Source:  vote.External,
		Trees:   5,
	}
	unknown := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{-1}, Counts: []uint32{1, 2}, Source: vote.External,
		Trees: 3}
	for _, tc := range []struct {
		name, text string
		options    vote.CSVOptions
		want       *vote.Table
	}{
		{"as documented", "class,ill,well\nill,3,17\nwell,0,20\n,19,0\n", vote.CSVOptions{}, plain},
		{"A7 byte-order mark", "\ufeffclass,ill,well\nill,3,17\nwell,0,20\n,19,0\n", vote.CSVOptions{}, plain},
		{"A8 byte-order mark and quote", "\ufeff\"class\",ill,well\nill,3,17\nwell,0,20\n,19,0\n", vote.CSVOptions{}, plain},
		{"A13 mixed line ends", "class,ill,well\r\nill,3,17\nwell,0,20\r\n,19,0\r\n", vote.CSVOptions{}, plain},
		{"A14 no newline at the end", "class,ill,well\nill,3,17\nwell,0,20\n,19,0", vote.CSVOptions{}, plain},
		{"A29 blanks around numbers", "class,ill,well\nill, 3,17 \nwell,0,20\n,19,0\n", vote.CSVOptions{}, plain},
		{"A29 blanks around names and labels", "class , ill,well\n ill,3,17\nwell ,0,20\n ,19,0\n", vote.CSVOptions{}, plain},
		{"A40 gzip", gzipped("class,ill,well\nill,3,17\nwell,0,20\n,19,0\n"), vote.CSVOptions{}, plain},
		{"A49 columns in another order", "well,class,ill\n17,ill,3\n20,well,0\n0,,19\n", vote.CSVOptions{}, plain},
		{"blank lines", "class,ill,well\n\nill,3,17\n\nwell,0,20\n,19,0\n\n", vote.CSVOptions{}, plain},
		{"semicolons", "class;ill;well\nill;3;17\nwell;0;20\n;19;0\n", vote.CSVOptions{Comma: ';'}, plain},
		{"named columns", "no,truth,ill,well,age\n1,ill,3,17,old\n2,well,0,20,\n3,,19,0,4\n", vote.CSVOptions{Target: "truth",
			ID: "no", Ignore: []string{"age"}}, plain},
		{"classes sort as numbers", "class,10,2,w\n10,1,4,0.5\n2,2,0,1.5\n", vote.CSVOptions{Weight: "w"}, weighed},
		{"a column weight has that role", "class,10,2,weight\n10,1,4,0.5\n2,2,0,1.5\n", vote.CSVOptions{}, weighed},
		{"no target", "a,b\n1,2\n", vote.CSVOptions{}, unknown},
		{"weights ignored", "a,b,weight\n1,2,x\n", vote.CSVOptions{Ignore: []string{"weight"}}, unknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tc.text), iotest.OneByteReader(strings.NewReader(tc.text))} {
				got, err := vote.ReadCSV(r, "votes.csv", tc.options)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			}
		})
	}
}

// A101: names with commas, quotes and line breaks survive.
func TestReadCSVStrangeNames(t *testing.T) {
	text := "class,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n\"a,b\",1,2,3\n\"two\nlines\",1,2,3\n\"say " +
		"\"\"y\"\"\",1,2,3\n"
	_, err := vote.ReadCSV(strings.NewReader(text), "v.csv", vote.CSVOptions{})
	// A21: physical lines
	want := `v.csv:6:1: column "class": unknown class "say \"y\""; known are "a,b", "say \"x\"", "two\nlines"; did you mean "say \"x\""?`
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

func TestReadCSVErrors(t *testing.T) {
	const head = "class,ill,well\nill,1,2\n"
	for _, tc := range []struct {
		name, text string
		want       string
	}{
		{"A4 empty", "", "v.csv: the file is empty; expected a first line with the names of the columns"},
		{"A6 only blank lines", "\n\n\n", "v.csv: the file is empty; expected a first line with the names of the columns"},
		{"A5 header only", "class,ill,well\n", "v.csv: no rows; add at least one below the first line"},
		{"A12 old Mac line ends", "class,ill,well\rill,1,2\r",
			"v.csv:1:15: there is a carriage return without a line feed; save the file with line ends LF or CRLF"},
		{"A9 UTF-16", "\xff\xfec\x00l\x00",
			`v.csv:1:1: the file is UTF-16; save it as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f UTF-16 -t UTF-8 FILE > data.csv)`},
		{"A10 Latin-1 name", "class,\xe9,b\n",
			`v.csv:1:7: byte 0xE9 is not UTF-8; save the file as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f CP1252 -t UTF-8 FILE > data.csv)`},
		{"A11 NUL in a name", "class,a\x00,b\n",
			`v.csv:1:8: there is a NUL byte; save the file as plain UTF-8 text (in Excel: Save As, "CSV UTF-8")`},
		{"A15 too few fields", head + "ill,1\n", "v.csv:3: 2 cells where the first line names 3 columns; correct the line"},
		{"A16 too many fields", head + "ill,1,2,3\n",
			"v.csv:3: 4 cells where the first line names 3 columns; correct the line"},
		{"A17 content in a column without a name", "class,ill,well,\nill,1,2,3\n",
			`v.csv:2:9: column 4 has no name, but "3" stands in it; name it in the first line, or empty the cell`},
		{"A19 bare quote", head + "il\"l,1,2\n",
			"v.csv:3:3: a quote stands inside a cell that does not begin with one; quote the whole cell and write the quote " +
				"twice"},
		{"A20 quote never closed", head + "\"ill,1,2\nwell,1,2\nwell,1,2\n",
			"v.csv:3:1: the quote opened here is never closed; close it"},
		{"A23 colons", "class:ill:well\nill:1:2\n",
			"v.csv:1: 1 column of votes; give at least two, one for each class, with the name of the class as header"},
		{"A23 semicolons or tabs", "class;ill\twell\nill;1\t2\n",
			`v.csv:1: cells may be separated by ';' or tab; choose one with --sep`},
		{"A30 one name twice", "class,ill,ill\n", `v.csv:1:11: columns 2 and 3 are both named "ill"; rename one`},
		{"one class", "class,ill\nill,1\n",
			"v.csv:1: 1 column of votes; give at least two, one for each class, with the name of the class as header"},
		{"unknown label", head + "il,1,2\n",
			`v.csv:3:1: column "class": unknown class "il"; known are "ill", "well"; did you mean "ill"?`},
		{"votes and shares", head + "ill,3,2\nill,0.35,0.65\n",
			`v.csv: 2 rows have whole numbers of votes, and 1 row has shares; give the one or the other in all rows`},
		{"scores that are too large together", head + "ill,1e308,1e308\nwell,2,3\n",
			`v.csv: the scores of a row add up to more than a number can hold; divide all scores by the same number`},
		{"A45 too large for a number", head + "ill,1e400,2\n", `v.csv:3:5: column "ill": "1e400" is not finite`},
		{"A48 full-width digit", head + "ill,１,2\n",
			`v.csv:3:5: column "ill": "１" (U+FF11) is not a number of votes or a score; correct it, or have the column ignored if it is not a class`},
		{"a word", head + "ill,1,two\n",
			`v.csv:3:7: column "well": "two" is not a number of votes or a score; correct it, or have the column ignored if it is not a class`},
		{"A44 hexadecimal", head + "ill,1,0x2\n",
			`v.csv:3:7: column "well": "0x2" is not a number of votes or a score; correct it, or have the column ignored if it is not a class`},
		{"no number", head + "ill,,2\n",
			`v.csv:3:5: column "ill": the number of votes is missing; write 0 where no tree voted for the class`},
		{"several rows", head + "ill,,2\nwell,1,1\nill,1\nil,1,2\nwell,x,y\n",
			`v.csv:3:5: column "ill": the number of votes is missing; write 0 where no tree voted for the class; 3 more rows are at fault, too: lines 5, 6, 7`},
		{"rows before a fault that ends the reading", head + "ill,,2\nill,1,2,3\n\"ill,1,2\n",
			`v.csv:3:5: column "ill": the number of votes is missing; write 0 where no tree voted for the class; 1 more row is at fault, too: line 4`},
		{"all rows", head + strings.Repeat("ill,,2\n", 3000),
			`v.csv:3:5: column "ill": the number of votes is missing; write 0 where no tree voted for the class; at least 1000 more rows are at fault, too, and the rest was not read: lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, ...`},
		{"negative", head + "ill,-1,2\n",
			`v.csv:3:5: column "ill": "-1" is negative; a number of votes is 0 or more, and so is a score: give probabilities, or exp(x) in the place of log odds x`},
		{"2^32 votes in a row", head + "ill,4294967295,1\n",
			"v.csv:3: the row has 4294967296 votes in all; a row can have at most 4294967295"},
		{"A154 negative weight", "class,a,b,weight\na,1,2,-1\n",
			`v.csv:2:7: column "weight": the case weight -1 is negative; write 0 or more`},
		{"A155 NaN weight", "class,a,b,weight\na,1,2,NaN\n",
			`v.csv:2:7: column "weight": "NaN" is not a number; write digits, with a point if need be`},
		{"A153 all weights 0", "class,a,b,weight\na,1,2,0\n,1,2,5\n",
			"v.csv: the case weights of all labelled rows are 0; give at least one row a weight"},
		{"A159 weights beyond all bounds", "class,a,b,weight\na,1,2,1e308\na,1,2,1e308\n",
			"v.csv: value out of range: the case weights add up to infinity; divide all of them by the largest"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := vote.ReadCSV(strings.NewReader(tc.text), "v.csv", vote.CSVOptions{})
			var bad *csvtext.ParseError
			if !errors.As(err, &bad) {
				t.Fatalf("error %v, want a ParseError", err)
			}
			if err.Error() != tc.want {
				t.Errorf("error %s\nwant  %s", err, tc.want)
			}
			if bad.Unwrap() != bad.Err {
				t.Error("Unwrap does not return Err")
			}
		})
	}
}

func TestReadCSVOptionErrors(t *testing.T) {
	for _, tc := range []struct {
		name    string
		options vote.CSVOptions
		want    string
	}{
		{"A33 target absent", vote.CSVOptions{Target: "clas"},
			`v.csv: unknown column "clas"; known are "class", "a", "b"; did you mean "class"?`},
		{"weight absent", vote.CSVOptions{Weight: "w"},
			`v.csv: unknown column "w"; known are "class", "a", "b"; use one of them`},
		{"id absent", vote.CSVOptions{ID: "number"},
			`v.csv: unknown column "number"; known are "class", "a", "b"; use one of them`},
		{"A23 separator that cannot be", vote.CSVOptions{Comma: '"'},
			`v.csv: '"' cannot separate cells; use a comma, a semicolon, a tab or another mark with --sep`},
		{"A35 two roles", vote.CSVOptions{Ignore: []string{"class"}},
			`v.csv: column "class" is given two roles; name it once, as target, weight, amount, count, group, id or ignored`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := vote.ReadCSV(strings.NewReader("class,a,b\na,1,2\n"), "v.csv", tc.options)
			var usage *csvtext.UsageError
			if !errors.As(err, &usage) || err.Error() != tc.want {
				t.Errorf("error %v\nwant  %s", err, tc.want)
			}
		})
	}
}

func TestReadCSVFailingReader(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, start := range []string{"", "class,a,b\n", "class,a,b\na,1,2\na,1"} {
		_, err := vote.ReadCSV(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)), "v.csv", vote.CSVOptions{})
		if !errors.Is(err, broken) || err.Error() != "reading v.csv: disk on fire" {
			t.Errorf("after %q: error %v, want reading v.csv: disk on fire", start, err)
		}
	}
}

// endless is a file that goes on with the same letter for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A20: a quote that is never closed must not swallow an endless file.
func TestReadCSVEndless(t *testing.T) {
	_, err := vote.ReadCSV(io.MultiReader(strings.NewReader("class,a,\"b\nc\"\na,1,2\n\""), endless{}), "v.csv",
		vote.CSVOptions{})
	want := "v.csv:4:1: the quote opened here is not closed within 1048576 bytes; close it, or shorten the cell"
	var limit *csvtext.LimitError
	if !errors.As(err, &limit) || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

func TestWriteCSV(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 4))
		table := random(rng, 1+rng.IntN(20), 2+rng.IntN(3), 9)
		table.Classes[1] = "a \"quoted\",\nname" // stays between a and c
		table.Weight[0], table.Truth[0] = 1.0/3, 0
		var text bytes.Buffer
		if err := vote.WriteCSV(&text, table, "truth"); err != nil {
			t.Fatal(err)
		}
		got, err := vote.ReadCSV(&text, "v.csv", vote.CSVOptions{Target: "truth"})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got.Share, got.Ties, got.Source, got.Trees = table.Share, nil, table.Source, table.Trees
		if diff := cmp.Diff(table, got); diff != "" {
			t.Fatalf("seed %d: (-written +read)\n%s", seed, diff)
		}
	}
}

// Soft votes are written in thousandths, and read back the same by whoever says so.
func TestSoftVotesInCSV(t *testing.T) {
	table := &vote.Table{
		Classes: []string{"a", "b"}, Truth: []int{0, 1}, Counts: []uint32{2500, 500, 1, 2999},
		// which of the two comes first is as good as by lot
		Share: []float64{0.5, 0.5}, Ties: []int{1, 0}, Source: vote.External, Soft: true, Trees: 3,
	}
	var text bytes.Buffer
	if err := vote.WriteCSV(&text, table, ""); err != nil {
		t.Fatal(err)
	}
	if want := "class,a,b\na,2500,500\nb,1,2999\n"; text.String() != want {
		t.Errorf("written as %q, want %q", text.String(), want)
	}
	got, err := vote.ReadCSV(bytes.NewReader(text.Bytes()), "v.csv", vote.CSVOptions{Soft: true})
	if diff := cmp.Diff(table, got); err != nil || diff != "" {
		t.Errorf("(-written +read)\n%s%v", diff, err)
	}
	if plain, err := vote.ReadCSV(&text, "v.csv", vote.CSVOptions{}); err != nil || plain.Trees != 3000 ||
		plain.Unit() != 1 {
		t.Errorf("read as whole votes: %+v (%v), want 3000 trees", plain, err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteCSVErrors(t *testing.T) {
	table := func(classes ...string) *vote.Table {
		return &vote.Table{Classes: classes, Truth: []int{0}, Counts: make([]uint32, len(classes)), Weight: []float64{1}}
	}
	for _, tc := range []struct {
		name  string
		w     io.Writer
		table *vote.Table
		want  string
	}{
		{"unfit table", io.Discard, table("a"), "lengths do not agree: the table has 1 classes; votes need at least two"},
		{"class without name", io.Discard, table("a", ""), "votes cannot be written: a column has no name; give it one"},
		{"class named as the target", io.Discard, table("class", "b"),
			`votes cannot be written: the file would have two columns named "class"; rename one`},
		{"class named as the weights", io.Discard, table("a", "weight"),
			`votes cannot be written: the file would have two columns named "weight"; rename one`},
		{"carriage return", io.Discard, table("a", "b\r\n"),
			`votes cannot be written: the text "b\r\n" would not be read back the same; take blanks off its ends and control characters out of it`},
		{"writer fails", failing{}, table("a", "b"), "disk full"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := vote.WriteCSV(tc.w, tc.table, ""); err == nil || err.Error() != tc.want {
				t.Errorf("error %v\nwant  %s", err, tc.want)
			}
		})
	}
}

// Scores keep their order, their ties and nine digits; whole numbers, however they are written, are votes.
func TestReadScores(t *testing.T) {
	read := func(rows string) *vote.Table {
		t.Helper()
		table, err := vote.ReadCSV(strings.NewReader("class,a,b\n"+rows), "f", vote.CSVOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	scores := read("a,0.25,0.75\nb,0.5,0.5\na,0.250000001,0.749999999\nb,0,0\n")
	unit := float64(1 << 31)
	// by hand
	want := []uint32{uint32(0.25 * unit), uint32(0.75 * unit), 1 << 30, 1 << 30, uint32(0.25*unit) + 2,
		uint32(0.75*unit) - 2, 0, 0}
	if !slices.Equal(scores.Counts, want) || !scores.Scores || scores.Trees != 0 || scores.Unvoted() != 1 {
		t.Errorf("scores became %v of %d trees, %v; want %v", scores.Counts, scores.Trees, scores.Scores, want)
	}
	if h := scores.Compress(); !h.Scores {
		t.Error("the histogram does not say that these are scores")
	}
	large := read("a,2.5e12,0\nb,0,1e12\n")
	if want := []uint32{1 << 31, 0, 0, uint32(math.Round(0.4 * unit))}; !slices.Equal(large.Counts, want) {
		t.Errorf("large scores became %v, want %v", large.Counts, want)
	}
	whole := read("a,3.0,7\nb,1e1,0\n")
	if want := []uint32{3, 7, 10, 0}; !slices.Equal(whole.Counts, want) || whole.Scores || whole.Trees != 10 {
		t.Errorf("whole numbers became %v of %d trees", whole.Counts, whole.Trees)
	}
}

// FuzzReadCSV: whatever is read is sound, and reads the same after writing.
func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{
		"class,ill,well\nill,3,17\nwell,0,20\n,19,0\n",
		"\ufeffclass,10,2,weight\n10,1,4,0.5\n",
		"a,b\n1,2\n",
		"class,\"a\nb\",c\n\"a\nb\",1,2\n",
		"class;a;b\n",
		"class,a,b\na,4294967295,0\n",
		"class,a,b\na,0.3,0.7\nb,1e-9,2.5\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := vote.ReadCSV(strings.NewReader(text), "f", vote.CSVOptions{})
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x00") {
				t.Fatalf("the error is not one line: %q", err)
			}
			return
		}
		if err := table.Check(); err != nil {
			t.Fatal(err)
		}
		table.Confuse(nil)
		var out bytes.Buffer
		target := "class"
		for _, c := range table.Classes {
			if len(c) >= len(target) {
				target = c + "'"
			}
		}
		if err := vote.WriteCSV(&out, table, target); err != nil {
			t.Fatal(err)
		}
		again, err := vote.ReadCSV(&out, "g", vote.CSVOptions{Target: target})
		if err != nil {
			t.Fatal(err)
		}
		if table.Scores { // written as the counts that they became
			again.Scores, again.Trees = true, 0
		}
		if diff := cmp.Diff(table, again, cmp.Comparer(func(a, b float64) bool {
			return a == b || math.IsNaN(a) &&
				math.IsNaN(b)
		})); diff != "" {
			t.Fatalf("(-read +written and read)\n%s", diff)
		}
	})
}

// A column that is no class is refused where the votes show it: one with the number of the patient, of the fold, or an
// age beside probabilities. A class that no row is of may have votes all the same.
func TestColumnsThatAreNoClass(t *testing.T) {
	rows := func(header string, row func(i int) string) string {
		text := header + "\n"
		for i := range 40 {
			text += row(i) + "\n"
		}
		return text
	}
	label := func(i int) string { return []string{"dog", "cat"}[i%3&1] }
	for name, c := range map[string]struct{ text, want string }{
		"patient": {rows("class,dog,cat,patient", func(i int) string {
			return fmt.Sprintf("%s,%d,%d,%d", label(i), i%21, 20-i%21, 1000+i)
		}), `no row is of class "patient", without which the votes of every row add up to the same`},
		"fold": {rows("class,dog,cat,fold", func(i int) string {
			return fmt.Sprintf("%s,%d,%d,%d", label(i), i%21, 20-i%21, i%5)
		}), `no row is of class "fold", without which`},
		"age beside probabilities": {rows("class,dog,age,cat", func(i int) string {
			return fmt.Sprintf("%s,0.%02d,%d.5,%.2f", label(i), i, 20+i, 1-float64(i)/100)
		}), `no row is of class "age", without which`},
		"patient beside votes of out-of-bag trees": {rows("class,dog,cat,patient", func(i int) string {
			return fmt.Sprintf("%s,%d,%d,%d", label(i), i%21, i%17, 1000+i)
		}), `no row is of class "patient", which has the most votes in most rows`},
		"two": {rows("class,dog,cat,age,nr", func(i int) string {
			return fmt.Sprintf("%s,%d,%d,%d,%d", label(i), i%21, 20-i%21, 30+i, i)
		}), `no row is of class "age", "nr", without which`},
		"a class without rows": {rows("class,dog,cat,fox", func(i int) string {
			return fmt.Sprintf("%s,%d,%d,%d", label(i), i%11, 15-i%11, 5)
		}), ""},
		"a class without rows, of out-of-bag trees": {rows("class,dog,cat,fox", func(i int) string {
			return fmt.Sprintf("%s,%d,%d,%d", label(i), 5+i%11, 9+i%7, i%4)
		}), ""},
		"no labels": {rows("dog,cat,fox", func(i int) string { return fmt.Sprintf("%d,%d,%d", i%21, 20-i%21, i) }), ""},
	} {
		_, err := vote.ReadCSV(strings.NewReader(c.text), "v.csv", vote.CSVOptions{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Labels and the names of columns are one where they mean the same, and then the labels name the classes.
func TestLabelsWrittenOtherwise(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"class,1.0,0.0\n1,5,3\n0,2,6\n", "[0 1] [1 0]"},
		{"class,1.0,0.0\n1.0,5,3\n0.0,2,6\n", "[0.0 1.0] [1 0]"},
		{"class,de\u0301ce\u0301de\u0301,vivant\nd\u00e9c\u00e9d\u00e9,5,3\nvivant,1,7\n", "[d\u00e9c\u00e9d\u00e9 vivant] [0 1]"},
		{"class,ill\u200b,well\nill,5,3\nwell\u00a0,1,7\n", "[ill well] [0 1]"},
	} {
		got, err := vote.ReadCSV(strings.NewReader(c.text), "v.csv", vote.CSVOptions{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if text := fmt.Sprint(got.Classes, got.Truth); text != c.want {
			t.Errorf("%q: %s, want %s", c.text, text, c.want)
		}
	}
}
