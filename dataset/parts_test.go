package dataset

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

// manyParts is a table that is read in several parts, with what must agree across them: labels,
// levels and groups that come late, weights, quoted line breaks, missing cells.
func manyParts() []string {
	lines := []string{"x,few,text,id,w,g,y"}
	for i := range 12_000 {
		text := fmt.Sprint("level ", i*i%(1+i/700))
		if i%1000 == 7 {
			text = "\"two\nlines, " + fmt.Sprint(i%3) + "\""
		}
		x := fmt.Sprint(float64(i*7919%12_007) / 8)
		if i%11 == 0 {
			x = ""
		}
		lines = append(lines, fmt.Sprintf("%s,%d,%s,id%070d,%d,g%d,%c", x, i%5, text, i, i%3, i/100, "ab"[i%2]+
			byte(i/11_700)))
	}
	return lines
}

// What is read, warnings and errors too, does not depend on the number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	lines := manyParts()
	with := func(at int, line string) string {
		changed := append([]string{}, lines...)
		changed[at] = line
		return strings.Join(changed, "\n") + "\n"
	}
	names := "x,few,text,id,w,g,y"
	for _, tc := range []struct{ name, text, want string }{
		{"good", with(0, names), ""},
		{"a word among numbers", with(9_000, "oops,1,t,i,1,g,a"),
			`in.csv:9010:1: column "x": mixes numbers and text: 1 of 10909 cells is not a number: "oops" in line 9010; correct it, or use --missing oops, --categorical x or --ignore x`},
		{"a number too large", with(9_000, "1e999,1,t,i,1,g,a"),
			`in.csv:9010:1: column "x": "1e999" is too large for a number; correct it, or use --categorical x or --ignore x`},
		{"a cell too many", with(6_000, "1,1,t,i,1,g,a,b"),
			"in.csv:6007: 8 cells where the first line names 7 columns; correct the line"},
		{"no UTF-8", with(11_999, "1,1,\xff,i,1,g,a"),
			`in.csv:12012:5: byte 0xFF is not UTF-8; save the file as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f CP1252 -t UTF-8 FILE > data.csv)`},
		{"an open quote", with(11_000, "1,1,\"t,i,1,g,a"),
			`in.csv:11020:9: text follows a closing quote; write a quote within a quoted cell twice`},
		{"a negative weight, and a bad line below", with(3_000, "1,1,t,i,-1,g,a\nbad"),
			`in.csv:3004:9: column "w": "-1" is not a weight; write a finite number that is not negative; 1 more row is at fault, too: line 3005`},
		{"no group", with(6_000, "1,1,t,i,1,,a"),
			`in.csv:6007:11: column "g": the row has no group; fill the cell, so that rows that belong together stay together`},
		{"no label", with(6_000, "1,1,t,i,1,g,"),
			`in.csv:6007: column "y": 1 row without a label (line 6007); give it one, or leave it out with --drop-unlabelled if it is empty or a total`},
		{"a long category", with(6_000, "1,1,"+strings.Repeat("t", maxName+1)+",i,1,g,a"),
			`in.csv:6007:5: column "text": a category has more than 65536 bytes; shorten it, or use --ignore text`},
	} {
		var one *Frame
		for _, workers := range []int{1, 3} {
			f, err := ReadCSV(strings.NewReader(tc.text), "in.csv", Options{Target: "y", ID: "id", Weight: "w", Group: "g",
				Workers: workers})
			if got := fmt.Sprint(err); err != nil && got != tc.want || err == nil && tc.want != "" {
				t.Errorf("%s, %d workers: error\n got %.300s\nwant %s", tc.name, workers, got, tc.want)
			}
			if err != nil {
				continue
			}
			if one == nil {
				one = f
				if err := errors.Join(f.Check()); err != nil || f.Rows() != 12_000 || len(f.Classes) != 3 ||
					f.Group[11_999] != 119 {
					t.Errorf("%d rows, classes %q, %v", f.Rows(), f.Classes, err)
				}
			}
			if diff := sameFrame(one, f); diff != "" {
				t.Errorf("%s: with %d workers %s", tc.name, workers, diff)
			}
		}
	}
}

// The limits that show when parts come together name the place where they are exceeded, and the
// first fault by row counts.
func TestLimitsAcrossParts(t *testing.T) {
	race.SkipFigures(t)
	rows := func(n int, row func(i int) string) string { return rowsOf("x,name,y", n, row) }
	for _, tc := range []struct{ name, text, want string }{
		{"levels", rows(70_000, func(i int) string { return fmt.Sprintf("%d,n%d,%c", i%9, i, "ab"[i%2]) }),
			`in.csv:65537:3: column "name" has more than 65535 categories; if it names the rows use --id name, else --ignore name`},
		{"labels", rows(70_000, func(i int) string { return fmt.Sprintf("%d,n,l%d", i%9, i) }),
			`in.csv:65537:5: column "y" has more than 65535 classes, where 1000 are the most; it looks like a column that names the rows: choose another with --target, or keep one class with --positive and merge the others`},
		{"numbers as labels", rows(70_000, func(i int) string { return fmt.Sprintf("%d,n,%d", i%9, i) }),
			`in.csv: column "y": more than 65535 different numbers look like a number to predict, not like classes; make a few classes of them, or choose another column with --target`},
		{"levels before a bad number", rows(70_000, func(i int) string {
			return fmt.Sprintf("%d%s,n%d,%c", i%9, strings.Repeat("e999", i/66_000), i, "ab"[i%2])
		}),
			`in.csv:65537:3: column "name" has more than 65535 categories; if it names the rows use --id name, else --ignore name`},
		{"a bad number before the levels", rows(70_000, func(i int) string {
			return fmt.Sprintf("%d%s,n%d,%c", i%9, strings.Repeat("e999", i/65_534), i, "ab"[i%2])
		}), `in.csv:65536:1: column "x": "5e999" is too large for a number; correct it, or use --categorical x or --ignore x`},
		{"labels before levels of the same row", rows(70_000, func(i int) string {
			return fmt.Sprintf("%d,n%d,l%d", i%9, i,
				i)
		}),
			`in.csv:65537:10: column "y" has more than 65535 classes, where 1000 are the most; it looks like a column that names the rows: choose another with --target, or keep one class with --positive and merge the others`},
	} {
		for _, workers := range []int{1, 3} {
			_, err := ReadCSV(strings.NewReader(tc.text), "in.csv", Options{Target: "y", Workers: workers})
			if err == nil || err.Error() != tc.want {
				t.Errorf("%s, %d workers: error\n got %v\nwant %s", tc.name, workers, err, tc.want)
			}
		}
	}
}

// A source without parts is read in stretches, and is the same table.
func TestSourceOfManyStretches(t *testing.T) {
	g := &grid{columns: []string{"a", "b", "y"}}
	text := "a,b,y\n"
	for i := range 2*blockRows + 5 {
		cells := []Cell{NumberCell(float64(i % 999)), TextCell(fmt.Sprint("l", i/5000)), TextCell(string("pq"[i%2]))}
		if i == blockRows {
			cells[0] = NumberCell(math.NaN())
		}
		g.rows = append(g.rows, cells)
		text += cells[0].String() + "," + cells[1].String() + "," + cells[2].String() + "\n"
	}
	got, err := Read(g, Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := sameFrame(mustRead(t, text, Options{Target: "y"}), got); diff != "" {
		t.Error(diff)
	}
}
