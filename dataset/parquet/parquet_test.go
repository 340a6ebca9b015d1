package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rfpragma/rfpragma/dataset"
)

// read returns a file of testdata, which a script beside it made.
func read(t testing.TB, name string) []byte {
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// frame reads a file in memory.
func frame(b []byte, o dataset.Options) (*dataset.Frame, error) {
	if o.Target == "" && o.Schema == nil {
		o.Target = "class"
	}
	s, err := Open(bytes.NewReader(b), int64(len(b)), "in.parquet")
	if err != nil {
		return nil, err
	}
	return dataset.Read(s, o)
}

// same reports how two frames differ, but for their warnings.
func same(a, b *dataset.Frame) string {
	return cmp.Diff(a, b, cmpopts.IgnoreFields(dataset.Frame{}, "Warnings", "Reading"),
		cmpopts.IgnoreUnexported(dataset.Frame{}), cmpopts.EquateNaNs(),
		cmp.Comparer(func(a, b dataset.Numbers) bool { return a.Equal(b) }))
}

// A word for a missing cell may be of one column alone.
func TestWordsOfOneColumn(t *testing.T) {
	f, err := frame(read(t, "plain.parquet"), dataset.Options{Missing: []string{"whole=17.0", "town=Ulm"}})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := frame(read(t, "plain.parquet"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j, c := range f.Columns {
		more := f.Missing()[j] - plain.Missing()[j]
		if of := c.Name == "whole" || c.Name == "town"; of != (more > 0) {
			t.Errorf("column %s: %d more missing cells", c.Name, more)
		}
	}
}

// However pyarrow writes a table, it is that of the CSV file.
func TestReference(t *testing.T) {
	o := dataset.Options{Target: "class", Categorical: []string{"zip", "town", "sort", "night"}}
	want, err := dataset.ReadCSV(bytes.NewReader(read(t, "table.csv")), "table.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dictionary", "plain", "groups", "delta", "version2", "checksums", "integers"} {
		b := read(t, name+".parquet")
		got, err := frame(b, dataset.Options{Target: "class"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := got.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := same(got, want); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		// For a model, with few columns, block by block.
		known := dataset.Options{Target: "class", Classes: want.Classes, Schema: dataset.Schema{want.Columns[7].Field,
			want.Columns[3].Field}}
		s, err := Open(bytes.NewReader(b), int64(len(b)), "in.parquet")
		if err != nil {
			t.Fatal(err)
		}
		rd, err := dataset.NewSourceReader(s, known)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for {
			block, err := rd.Next(25)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range block.Rows() {
				for j, k := range []int{7, 3} {
					got, want := block.Columns[j].At(i), want.Columns[k].At(rows)
					if got != want && (got == got || want == want) {
						t.Fatalf("%s: row %d is %v, want %v", name, rows, got, want)
					}
				}
				rows++
			}
		}
		if rows != want.Rows() {
			t.Errorf("%s: %d rows block by block, want %d", name, rows, want.Rows())
		}
	}
}

// What values become that CSV does not have.
func TestValues(t *testing.T) {
	b := read(t, "strange.parquet")
	all := []string{"list", "record", "map", "day", "time", "stamp", "half", "fixed", "binary", "nul", "large", "huge",
		"nothing", "nan"}
	without := func(keep ...string) dataset.Options {
		o := dataset.Options{Target: "class"}
		for _, name := range all {
			if !strings.Contains(" "+strings.Join(keep, " ")+" ", " "+name+" ") {
				o.Ignore = append(o.Ignore, name)
			}
		}
		return o
	}
	f, err := frame(b, without("large", "nothing", "nan"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(cellsOf(f, 0), cellsOf(f, 1), cellsOf(f, 2)),
		"[9.007199254740992e+15 1 NaN] [NaN NaN NaN] [NaN 0 1]"; got != want {
		t.Errorf("C85, C87: cells %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(f.Warnings), `column "large": 1 whole number above 2^53 lost digits`; !strings.Contains(got,
		want) {
		t.Errorf("C87: warnings %s, want %s", got, want)
	}
	f, err = frame(b, dataset.Options{Target: "large", Ignore: append(without("nan", "large").Ignore, "class"),
		DropUnlabelled: true})
	if err != nil || fmt.Sprint(f.Classes) != "[1 9007199254740993]" {
		t.Errorf("labels %v, %v", f, err)
	}
	want := `in.parquet, row 10: column "town": 6 rows without a label (rows 10, 20, 30, 40, 50, 60); fill them, or leave such rows out with --drop-unlabelled`
	if _, err := frame(read(t, "groups.parquet"), dataset.Options{Target: "town"}); err == nil || err.Error() != want {
		t.Errorf("C86 null label: %v, want %s", err, want)
	}
	for name, want := range map[string]string{
		"list":   `in.parquet: column "list": the column holds lists, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore list`,
		"record": `in.parquet: column "record": the column holds records of several values, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore record`,
		"map":    `in.parquet: column "map": the column holds maps, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore map`,
		"day":    `in.parquet: column "day": the column holds dates, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore day or --time day`,
		"time":   `in.parquet: column "time": the column holds times of day, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore time`,
		"stamp":  `in.parquet: column "stamp": the column holds timestamps, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore stamp or --time stamp`,
		"half":   `in.parquet: column "half": the column holds half-precision numbers, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore half`,
		"fixed":  `in.parquet: column "fixed": the column holds bytes, 3 each, which are neither numbers nor categories; write what matters of them as numbers, or use --ignore fixed`,
		"binary": `in.parquet, row 1: column "binary": "\xff" is not UTF-8; store texts as UTF-8, or use --ignore binary`,
		"nul":    `in.parquet, row 1: column "nul": "a\x00b" has a NUL byte in it; store texts without, or use --ignore nul`,
		"huge":   `in.parquet, row 1: column "huge": "+Inf" is too large for a number; correct it, or use --categorical huge or --ignore huge`,
	} {
		if _, err := frame(b, without(name)); err == nil || err.Error() != want {
			t.Errorf("C83, C84 %s: error\n got %v\nwant %s", name, err, want)
		}
	}
}

func cellsOf(f *dataset.Frame, j int) []float64 {
	var cells []float64
	for i := range f.Rows() {
		cells = append(cells, f.Columns[j].At(i))
	}
	return cells
}

// A failed read is no fault of the file.
func TestFailedRead(t *testing.T) {
	b := read(t, "dictionary.parquet")
	gone := errors.New("gone")
	for at := range int64(3) {
		r := &failing{ReaderAt: bytes.NewReader(b), err: gone}
		r.left.Store(at)
		s, err := Open(r, int64(len(b)), "in.parquet")
		if err == nil {
			_, err = dataset.Read(s, dataset.Options{Target: "class"})
		}
		var fault *dataset.ParseError
		if !errors.Is(err, gone) || errors.As(err, &fault) || err.Error() != "reading in.parquet: gone" {
			t.Errorf("read %d fails: %v", at, err)
		}
	}
}

type failing struct {
	io.ReaderAt
	left atomic.Int64
	err  error
}

func (r *failing) ReadAt(b []byte, at int64) (int, error) {
	if r.left.Add(-1) < 0 {
		return 0, r.err
	}
	return r.ReaderAt.ReadAt(b, at)
}

// Dates and timestamps of whatever unit say when each row was as their texts do (times.parquet has both), and are
// left out beside that.
func TestTimes(t *testing.T) {
	b := read(t, "times.parquet")
	columns := []string{"day", "stamp_ms", "stamp_us", "stamp_ns", "text"}
	blocks := func(column string) []dataset.Block {
		f, err := frame(b, dataset.Options{Time: column, Ignore: slices.DeleteFunc(slices.Clone(columns),
			func(name string) bool { return name == column })})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Columns) != 1 {
			t.Errorf("%s: %d features beside the time, want x alone", column, len(f.Columns))
		}
		blocks, err := f.Blocks(3)
		if err != nil {
			t.Fatal(err)
		}
		return blocks
	}
	want := blocks("text")
	if first := want[0]; first.From != "1969-12-31 23:59:59.999" {
		t.Errorf("the first block begins with %s", first.From)
	}
	for _, column := range columns[1:4] {
		if got := blocks(column); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: blocks\n got %v\nwant %v", column, got, want)
		}
	}
	for i, day := range blocks("day") {
		if day.From != want[i].From[:10] || day.To != want[i].To[:10] || !slices.Equal(day.Rows, want[i].Rows) {
			t.Errorf("block %d by days is %v, want %v", i, day, want[i])
		}
	}
}

// The older annotations of dates and timestamps, by hand: a day has 86,400 seconds.
func TestOlderTimes(t *testing.T) {
	for _, tc := range []struct {
		converted, perDay int64
		want              string
	}{{9, 86400e3, "2000-01-01 00:00:00 to 2000-01-04 00:00:00"},
		{10, 86400e6, "2000-01-01 00:00:00 to 2000-01-04 00:00:00"}} {
		var values []float64
		for day := range int64(4) {
			values = append(values, math.Float64frombits(uint64((10957+day)*tc.perDay)))
		}
		b := newForged(page(4, plainEncoding, 32, doubles(values...))).with(func(f *forged) {
			f.physical = int64Type
			f.elements = structure(number(1, int64Type), number(3, required), text(4, "x"), number(6, tc.converted))
		})
		s, err := Open(bytes.NewReader(b), int64(len(b)), "in.parquet")
		if err != nil {
			t.Fatal(err)
		}
		s.(*file).UseTime(0)
		if err := s.Use([]bool{true, true}); err != nil {
			t.Fatal(err)
		}
		var cells []string
		for range 4 {
			row, err := s.Next()
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, row[0].String())
		}
		if got := cells[0] + " to " + cells[3]; got != tc.want {
			t.Errorf("annotation %d: %s, want %s", tc.converted, got, tc.want)
		}
	}
}
