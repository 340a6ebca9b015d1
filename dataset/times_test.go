package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The order of rows is also told by columns that are left out, whatever else they hold, also in several parts of a
// file.
func TestOrderedStrays(t *testing.T) {
	for _, tc := range []struct {
		name string
		cell func(i int) string
		want string
	}{
		{"years", func(i int) string { return fmt.Sprint(1994 + i/10000) }, `"z" (1994 to 1996)`},
		{"falling years, some missing", func(i int) string { return strings.Repeat(fmt.Sprint(1996-i/10000), min(i%11, 1)) },
			`"z" (1996 to 1994)`},
		{"days", func(i int) string { return fmt.Sprintf("%d.%d.2023", 1+i/150%28, 1+i/150/28) },
			`"z" (1.1.2023 to 4.8.2023)`},
		{"moments", func(i int) string { return fmt.Sprintf("2023-01-%02d 10:%02d", 1+i/1500, i/25%60) },
			`"z" (2023-01-01 10:00 to 2023-01-20 10:59)`},
		{"one back", func(i int) string { return fmt.Sprint(1994 + i/10000 - i/29999) }, ""},
		{"constant", func(int) string { return "1994" }, ""},
		{"words", func(i int) string { return fmt.Sprintf("town %06d", i) }, ""},
		{"numbers and a word", func(i int) string { return []string{fmt.Sprint(1994 + i/10000), "unknown"}[i/29999] }, ""},
		{"numbers of rows", func(i int) string { return fmt.Sprint(i) }, ""},
	} {
		text := rowsOf("x,z,y", 30000, func(i int) string {
			return fmt.Sprintf("%d.25,%s,%s", i*7%60, tc.cell(i),
				"abb"[i%3:i%3+1])
		})
		for _, workers := range []int{1, 3} {
			o := Options{Target: "y", Ignore: []string{"z"}, Workers: workers}
			for from, got := range map[string]string{"read": orderWarning(mustRead(t, text, o)),
				"inspected": orderFinding(overviewOf(t, text, o))} {
				if strings.Contains(got, tc.want) != (tc.want != "" || got == "") || (got == "") != (tc.want == "") {
					t.Errorf("%s, %s by %d: %q, want %q", tc.name, from, workers, got, tc.want)
				}
			}
		}
	}
}

// Rows that come block by block, of an outline, are in the order that they are in at once, also by columns that are
// left out.
func TestOutlineOrder(t *testing.T) {
	text := rowsOf("x,z,day,y", 60, func(i int) string {
		return fmt.Sprintf("%d.25,%d,2024-01-%02d,%s", i*7%60, 1994+i/20, 1+i/3, "abb"[i%3:i%3+1])
	})
	for want, o := range map[string]Options{
		"[day z]": {Target: "y", Ignore: []string{"z"}},
		"[x]":     {Target: "y", Time: "x"},
		"[z day]": {Target: "y"},
	} {
		outline, err := OutlineCSV(strings.NewReader(text), "in.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		f := mustRead(t, text, o)
		all, _ := f.Ordered()
		order := outline.Order()
		for i := range f.Rows() {
			order.Add(f.Take([]int{i}))
		}
		if got := order.Columns(); fmt.Sprint(got) != want || fmt.Sprint(all) != want {
			t.Errorf("block by block %q, at once %q, want %s", got, all, want)
		}
	}
}

// What says when rows were is no feature, and nothing is said of the order that it tells.
func TestTime(t *testing.T) {
	text := rowsOf("x,z,y", 60, func(i int) string {
		return fmt.Sprintf("%d.25,%d,%s", i*7%60, 1994+i/20,
			"abb"[i%3:i%3+1])
	})
	f := mustRead(t, text, Options{Target: "y", Time: "z", Ignore: []string{"z"}})
	if columns, _ := f.Ordered(); f.Warnings != nil || len(f.Columns) != 1 || !slices.Equal(columns, []string{"z"}) ||
		f.Reading.Time != "z" {
		t.Errorf("warnings %q, %d features, in the order of %q, read by %q", f.Warnings, len(f.Columns), columns,
			f.Reading.Time)
	}
	if part := f.Take([]int{59, 0}); part.Time.At(0) != 1996 || part.Time.At(1) != 1994 || part.Check() != nil {
		t.Errorf("of a part: %v", part.Time.Values)
	}
	f.Time.Values = f.Time.Values[1:]
	if err := f.Check(); !errors.Is(err, ErrShape) {
		t.Errorf("too short: %v", err)
	}
}

// blocksOf are the rows, numbered from 0, with labels and times, in blocks. One whose label ends in 0 has no weight.
func blocksOf(t *testing.T, k int, o Options, cells ...string) (string, error) {
	t.Helper()
	rows := "x,w,t,y\n"
	for i, c := range cells {
		label, time, _ := strings.Cut(c, " ")
		label, weightless := strings.CutSuffix(label, "0")
		rows += fmt.Sprintf("%d,%d,%s,%s\n", i, map[bool]int{true: 0, false: 1}[weightless], time, label)
	}
	o.Target, o.Time, o.Weight = "y", "t", "w"
	f, err := ReadCSV(strings.NewReader(rows), "in.csv", o)
	if err != nil {
		return "", err
	}
	blocks, err := f.Blocks(k)
	var texts []string
	for _, b := range blocks {
		texts = append(texts, fmt.Sprintf("%s..%s%v", b.From, b.To, b.Rows))
	}
	return strings.Join(texts, " "), err
}

func TestBlocks(t *testing.T) {
	for _, tc := range []struct {
		name  string
		k     int
		cells string
		want  string
	}{
		{"in any order", 2, "a 3,b 1,a 2,b 3,a 1,b 2", "1..1[1 4] 2..2[2 5] 3..3[0 3]"},
		{"of about equal size", 2, "a 1,b 2,a 3,b 4,a 5,b 6,a 7", "1..2[0 1] 3..5[2 3 4] 6..7[5 6]"},
		{"times stay together", 2, "a 1,b 1,a 1,b 1,a 2,b 3", "1..1[0 1 2 3] 2..2[4] 3..3[5]"},
		{"the last is large", 2, "a 1,b 1,b 2,a 3,a 3,a 3,b 3,b 3", "1..1[0 1] 2..2[2] 3..3[3 4 5 6 7]"},
		{"fractions", 1, "a 0.5,b -1,a 0.25,b 1e3", "-1..0.25[1 2] 0.5..1000[0 3]"},
		{"days", 1, "a 2024-03-01,b 2023-12-31,b 2024-03-01,a 2023-1-2",
			"2023-1-2..2023-12-31[1 3] 2024-03-01..2024-03-01[0 2]"},
		{"the day first, as one shows", 1, "a 31/1/2024,b 1/2/2024,b 31/1/2024,a 1/2/2024",
			"31/1/2024..31/1/2024[0 2] 1/2/2024..1/2/2024[1 3]"},
		{"the month first, as they rise so", 1, "a 2/3/2024,b 2/4/2024,a 3/1/2024,b 3/2/2024",
			"2/3/2024..2/4/2024[0 1] 3/1/2024..3/2/2024[2 3]"},
		{"rows without weight go along", 1, "a 1,b 1,a0 2,a0 3,b0 9,a 4,b 4", "1..1[0 1] 2..9[2 3 4 5 6]"},
		{"a class comes later", 3, "a 1,a 2,b 3,a 4", "1..3[0 1 2] 4..4[3]"},
		{"a third class comes later", 3, "a 1,b 1,a 2,c 2,a 3,b 3,a 4,b 4", "1..2[0 1 2 3] 3..3[4 5] 4..4[6 7]"},
		{"a third class comes too late", 3, "a 1,b 1,a 2,b 2,a 3,c 3,a 4,b 4", "1..1[0 1] 2..2[2 3] 3..3[4 5] 4..4[6 7]"},
	} {
		got, err := blocksOf(t, tc.k, Options{}, strings.Split(tc.cells, ",")...)
		if got != tc.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", tc.name, got, err, tc.want)
		}
	}
}

func TestBlocksErrors(t *testing.T) {
	for _, tc := range []struct {
		name  string
		k     int
		o     Options
		cells string
		want  string
	}{
		{"one time", 1, Options{}, "a 1,b 1.0",
			`cannot judge later rows by earlier ones: all are of one time by column "t"; name another column`},
		{"few times", 2, Options{}, "a 1,b 2", "cannot make 2 folds of 2 times; ask for 1 or fewer"},
		{"no folds", 0, Options{}, "a 1,b 2", "0 folds in the order of time; ask for at least 1"},
		{"a class at the end", 2, Options{}, "a 1,a 2,b 3",
			"cannot judge later rows by earlier ones: up to 2 all rows are of a single class; name fewer folds, or get " +
				"earlier rows of another class"},
		{"no time", 1, Options{}, "a 1,b ,a 2,a ",
			`in.csv:3:5: column "t": the row has no time; fill the cell, or leave the row out of the file; 1 more row is at fault, too: line 5`},
		{"a word for no time", 1, Options{Missing: []string{"t=0"}}, "a 0,b 1",
			`in.csv:2:5: column "t": the row has no time; fill the cell, or leave the row out of the file`},
		{"a word", 1, Options{}, "a 1994,b soon",
			`in.csv: column "t": "soon" is neither a number nor a date such as 1994; correct it, or name a column of times`},
		{"words", 1, Options{}, "a red,b blue",
			`in.csv: column "t": "red" is neither a number nor a date such as 2024-01-31, 31.1.2024 or Jan 2024; correct it, or name a column of times`},
		{"months", 1, Options{}, "a Jan,b Feb",
			`in.csv: column "t": "Jan" comes back each year; name the column of the year before that of the month: --time YEAR,t`},
		{"day or month", 1, Options{}, "a 1/2/2024,b 2/1/2024,a 1/2/2024",
			`in.csv: column "t": dates such as "1/2/2024" may begin with the day or with the month; write them as 2024-01-31`},
	} {
		_, err := blocksOf(t, tc.k, tc.o, strings.Split(tc.cells, ",")...)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s:\n got %v\nwant %s", tc.name, err, tc.want)
		}
	}
	if _, err := (&Frame{}).Blocks(2); err == nil {
		t.Error("without times: no error")
	}
}

// An attribute of dates says when each row was, as the same column of CSV does, and is no feature.
func TestTimesOfARFF(t *testing.T) {
	days := []string{"2024-03-01", "2024-01-31", "2023-12-24", "2024-02-29"}
	csv, arff := "x,day,y\n", "@relation r\n@attribute x numeric\n@attribute day date \"yyyy-MM-dd\"\n@attribute y "+
		"{a,b}\n@data\n"
	for i, day := range days {
		row := fmt.Sprintf("%d,%s,%c\n", i, day, "ab"[i%2])
		csv, arff = csv+row, arff+row
	}
	o := Options{Target: "y", Time: "day"}
	s, err := ARFF(strings.NewReader(arff), "in.arff")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(s, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Blocks(2)
	want, wantErr := mustRead(t, csv, o).Blocks(2)
	if err != nil || wantErr != nil || fmt.Sprint(got) != fmt.Sprint(want) || len(f.Columns) != 1 {
		t.Errorf("blocks %v (%v), want %v (%v)", got, err, want, wantErr)
	}
}
