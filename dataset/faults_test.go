package dataset

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// twoNumbers is the schema of the tests below.
var twoNumbers = Schema{{Name: "x"}, {Name: "c", Kind: Categorical, Levels: []string{"p"}}, {Name: "z"}}

// Of new rows all cells are told that are no numbers, by column, as of those to train on.
func TestAllBadCellsAreTold(t *testing.T) {
	known := Options{Schema: twoNumbers}
	for _, c := range []bad{
		{"words", "x,c,z\n1,p,1\n?,p,2\n3,p,3\nNA,p,4\n?,p,5\n", known, data,
			`in.csv:3:1: column "x": 3 of 5 cells are not numbers, as the model needs: "?" in lines 3, 6, "NA" in line 5; correct them, or use --missing '?' --missing NA`},
		{"more than are shown", "x,c,z\n" + strings.Repeat("?,p,1\n", 30), known, data,
			`in.csv:2:1: column "x": 30 of 30 cells are not numbers, as the model needs: "?" in lines 2, 3, 4, 5, 6, ...; correct them, or use --missing '?'`},
		{"two columns", "x,c,z\n1,p,none\nlow,p,2\n3,p,1 %\n", known, data,
			`in.csv:3:1: column "x": 1 of 3 cells is not a number, as the model needs: "low" in line 3; correct it, or use --missing low; 1 more column is at fault, too, "z": "none" in line 2, "1 %" in line 4`},
		{"a decimal comma", "x;c;z\n1,5;p;1\n2;p;2\n3,5;p;3\n", Options{Schema: twoNumbers, Comma: ';'}, data,
			`in.csv:2:1: column "x": 2 of 3 cells are not numbers, as the model needs: "1,5" in line 2, "3,5" in line 4; if the comma is the decimal mark, use --decimal ','; else write them with plain digits and a decimal point`},
		{"units", "x,c,z\n5 %,p,1\n2,p,2\n", known, data,
			`in.csv:2:1: column "x": 1 of 2 cells is not a number, as the model needs: "5 %" in line 2; write it as a bare number`},
		{"censored and words", "x,c,z\n<5,p,1\n2,p,2\nlow,p,2\n", known, data,
			`in.csv:2:1: column "x": 2 of 3 cells are not numbers, as the model needs: "<5" in line 2, "low" in line 4; write "<5" as 5 (or half of it), as --missing would lose that the value is low; correct the other cells, or use --missing low`},
		{"what ends reading comes last", "x,c,z\nlow,p,1\n2,p,1\n3,p,\"1\"1\n", known, data,
			`in.csv:2:1: column "x": 1 of the first 2 cells is not a number, as the model needs: "low" in line 2; correct it, or use --missing low`},
		{"numbers too large", "x,c,z\n1,p,1\nlow,p,1\n2,p,1e999\n-1e999,p,1\n", known, data,
			`in.csv:4:5: column "z": "1e999" is too large for a number; correct it; 1 more row is at fault, too: line 5`},
		{"weights", "x,c,z,w\n1,p,1,-1\n1,p,1,1\n1,p,1,?\n1,p\n1,p,1,-1\n", Options{Schema: twoNumbers, Weight: "w"}, data,
			`in.csv:2:7: column "w": "-1" is not a weight; write a finite number that is not negative; 3 more rows are at fault, too: lines 4, 5, 6`},
		{"weights, to train on", "x,w,y\n1,-1,a\n1,1,b\n1,?,a\n", Options{Weight: "w"}, data,
			`in.csv:2:3: column "w": "-1" is not a weight; write a finite number that is not negative; 1 more row is at fault, too: line 4`},
		{"groups", "x,g,y\n1,,a\n1,1,b\n1,,a\n", Options{Group: "g"}, data,
			`in.csv:2:3: column "g": the row has no group; fill the cell, so that rows that belong together stay together; 1 more row is at fault, too: line 4`},
		{"too many or too few cells", "x,c,z\n1,p\nlow,p,1\n2,p,1,2\n3,p,1,\n4\n", known, data,
			`in.csv:2: 2 cells where the first line names 3 columns; correct the line; 2 more rows are at fault, too: lines 4, 6`},
		{"too few cells, to train on", "x,c,y\n1,p\n2,p,a\n3\n", Options{}, data,
			`in.csv:2: 2 cells where the first line names 3 columns; correct the line; 1 more row is at fault, too: line 4`},
		{"no row has as many", "x,c,y\n" + strings.Repeat("1;p;a\n", 5000), Options{Comma: ','}, data,
			`in.csv:2: 1 cell where the first line names 3 columns; correct the line, or remove it if it is a note; at least 1000 more rows are at fault, too, and the rest was not read: lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...`},
	} {
		c.run(t)
	}
	var many Schema
	for j := range 7 {
		many = append(many, Field{Name: fmt.Sprintf("c%d", j)})
	}
	bad{"many columns", "c0,c1,c2,c3,c4,c5,c6\n" + strings.Repeat("?,?,?,?,?,?,?\n", 2), Options{Schema: many}, data,
		`in.csv:2:1: column "c0": 2 of 2 cells are not numbers, as the model needs: "?" in lines 2, 3; correct them, or use --missing '?'; 6 more columns are at fault, too, ` +
			`"c1": "?" in lines 2, 3; "c2": "?" in lines 2, 3; "c3": "?" in lines 2, 3; and 3 more`}.run(t)
	if _, err := inspectCSV(strings.NewReader("x,y\n1\n1,a\n2\n"), "in.csv", Options{Target: "y"}); err == nil ||
		!strings.HasSuffix(err.Error(), "; 1 more row is at fault, too: line 4") {
		t.Errorf("to look at: %v", err)
	}
	s, err := ARFF(strings.NewReader(arffHead+"1,p\n1,p,no\n2\n"), "in.arff")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(s, Options{Target: "y"}); err == nil || !strings.HasSuffix(err.Error(),
		"; 1 more row is at fault, too: line 8") {
		t.Errorf("in ARFF: %v", err)
	}
}

// badRows are rows in several parts, of which those with such numbers are at fault.
func badRows(n int, at ...int) string {
	lines := []string{"x,c,z"}
	for i := range n {
		lines = append(lines, fmt.Sprintf("%d,%040d,%d", i, i, i))
	}
	for _, i := range at {
		lines[i] = "low,p,1"
	}
	return strings.Join(lines, "\n") + "\n"
}

// Blocks are handed on to the first one with a fault, whatever the number of workers, and the rest is read to tell
// of it all the same.
func TestStreamEndsWithAllFaults(t *testing.T) {
	text, want := badRows(30_000, 15_000, 15_001, 29_000),
		`in.csv:15001:1: column "x": 3 of 30000 cells are not numbers, as the model needs: "low" in lines 15001, 15002, 29001; correct them, or use --missing low`
	for _, workers := range []int{1, 3} {
		rd, err := NewReader(strings.NewReader(text), "in.csv", Options{Schema: twoNumbers, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		done := 0
		err = Stream(rd, func(*Frame, *int) error { return nil }, func(f *Frame, _ *int) error {
			done += f.Rows()
			return nil
		})
		if fmt.Sprint(err) != want || done == 0 || done >= 15_000 {
			t.Errorf("%d workers: %d rows done, %v, want fewer than 15000, and %s", workers, done, err, want)
		}
		if again := rd.Each(func(*Frame) error { return nil }); again == nil || again.Error() != want {
			t.Errorf("and then %v, want the same error", again)
		}
	}
}

// Rows that may never end are read no further than to the end of the block after the first fault; where they end
// before, all is told.
func TestEndlessRowsAreNotReadOn(t *testing.T) {
	text := badRows(60_000, 100, 101, 50_000)
	rest := strings.NewReader(text)
	rd, err := NewReader(rest, "in.csv", Options{Schema: twoNumbers, Workers: 1, Endless: true})
	if err != nil {
		t.Fatal(err)
	}
	err = rd.Each(func(*Frame) error { return nil })
	if err == nil || !strings.Contains(err.Error(),
		`cells are not numbers, as the model needs: "low" in lines 101, 102; correct them`) || !strings.Contains(err.Error(),
		": 2 of the first ") {
		t.Errorf("got %v, want the two faults among the first rows", err)
	}
	if rest.Len() < len(text)/2 {
		t.Errorf("%d of %d bytes were read, of which the fault is in the first ten thousand", len(text)-rest.Len(), len(text))
	}
	rd, err = NewReader(strings.NewReader(badRows(4000, 10, 3000)), "in.csv", Options{Schema: twoNumbers, Endless: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := rd.Each(func(*Frame) error { return nil }); err == nil || !strings.Contains(err.Error(),
		`2 of 4000 cells are not numbers, as the model needs: "low" in lines 11, 3001;`) {
		t.Errorf("of rows that end: %v", err)
	}
}

// Rows keep their numbers where others are left out, in whatever part they are.
func TestRowsAreNumberedAsInTheFile(t *testing.T) {
	text := rowsOf("x,y", 50_000, func(i int) string { return fmt.Sprintf("%d,%s", i, []string{"a", "b", ""}[i%3]) })
	for _, workers := range []int{1, 3} {
		f := mustRead(t, text, Options{Target: "y", DropUnlabelled: true, Workers: workers})
		part := f.Take([]int{0, 1, 2, 33_000})
		if fmt.Sprint(part.Number) != "[1 2 4 49501]" || len(f.Number) != f.Rows() || part.Check() != nil {
			t.Errorf("%d workers: %v of %d rows", workers, part.Number, f.Rows())
		}
	}
	if f := mustRead(t, "x,y\n1,a\n2,b\n", Options{Target: "y", DropUnlabelled: true}); f.Number != nil {
		t.Errorf("numbers %v where no row is left out", f.Number)
	}
}

// Next returns no block with a fault, and tells of all in it.
func TestNextTellsAllFaults(t *testing.T) {
	rd, err := NewReader(strings.NewReader(badRows(100, 15, 17, 19, 25)), "in.csv", Options{Schema: twoNumbers})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := rd.Next(10); err != nil || f.Rows() != 10 {
		t.Fatalf("the first block: %v", err)
	}
	const want = `in.csv:16:1: column "x": 3 of the first 20 cells are not numbers, as the model needs: "low" in lines 16, 18, 20; correct them, or use --missing low`
	for range 2 {
		if f, err := rd.Next(10); f != nil || err == nil || err.Error() != want || errors.Is(err, io.EOF) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
