package xlsx_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/xlsx"
)

// cells are those of a sheet as they stand in the file: its type, and the text or number.
func cells(t *testing.T, file []byte, sheet string) (rows [][]string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(sheet)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Rows []struct {
			Cells []struct {
				Type   string `xml:"t,attr"`
				Number string `xml:"v"`
				Text   string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.NewDecoder(f).Decode(&read); err != nil {
		t.Fatal(err)
	}
	for _, r := range read.Rows {
		var row []string
		for _, c := range r.Cells {
			row = append(row, c.Type+c.Number+c.Text)
		}
		rows = append(rows, row)
	}
	return rows
}

// The escapes are those of ST_Xstring in ECMA-376, part 1, 22.9.2.19.
func TestWriter(t *testing.T) {
	var file bytes.Buffer
	w := xlsx.NewWriter(&file)
	for _, err := range []error{
		w.Sheet("first & last", "name", "value"),
		w.Row(`=HYPERLINK("x")`, 0.1),
		w.Row("a\x00b_x0041_ <é>\r\n", -3),
		w.Row(nil, math.Inf(1)),
		w.Sheet("two", "n"),
		w.Row(1e300),
		w.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := [][]string{{"inlineStrname", "inlineStrvalue"}, {`inlineStr=HYPERLINK("x")`, "0.1"},
		{"inlineStra_x0000_b_x005F_x0041_ <é>_x000D_\n", "-3"}, {"", "inlineStr+Inf"}}
	if diff := cmp.Diff(want, cells(t, file.Bytes(), "xl/worksheets/sheet1.xml")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([][]string{{"inlineStrn"}, {"1e+300"}}, cells(t, file.Bytes(), "xl/worksheets/sheet2.xml")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWriterRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(w *xlsx.Writer) error
		want string
	}{
		{"a name with a colon", func(w *xlsx.Writer) error { return w.Sheet("a:b") }, "cannot be the name of a sheet"},
		{"long text", func(w *xlsx.Writer) error { return w.Row("", strings.Repeat("x", 32768)) }, "row 2, column 2"},
		{"many columns", func(w *xlsx.Writer) error { return w.Row(make([]any, 1<<14+1)...) }, "at most 1048576 rows"},
		{"another type", func(w *xlsx.Writer) error { return w.Row(true) }, "a cell is a bool"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := xlsx.NewWriter(&bytes.Buffer{})
			if err := w.Sheet("s", "h"); err != nil {
				t.Fatal(err)
			}
			if err := tc.do(w); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("the error is %v, want one that says %q", err, tc.want)
			}
		})
	}
	if err := xlsx.NewWriter(&bytes.Buffer{}).Close(); err == nil {
		t.Error("a file without a sheet is closed without an error")
	}
}

func TestFromCSV(t *testing.T) {
	var file bytes.Buffer
	w := xlsx.FromCSV(&file, "rows")
	if _, err := w.Write([]byte("id,p\n007,0.25\n\"=1+1, a\",-3\n12345678901234567,1e-07\n,+5\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"inlineStrid", "inlineStrp"}, {"inlineStr007", "0.25"}, {"inlineStr=1+1, a", "-3"},
		{"inlineStr12345678901234567", "1e-07"}, {"", "inlineStr+5"}}
	if diff := cmp.Diff(want, cells(t, file.Bytes(), "xl/worksheets/sheet1.xml")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	w = xlsx.FromCSV(&file, "rows")
	_, _ = w.Write([]byte("a\n\"b\n"))
	if err := w.Close(); err == nil {
		t.Error("a quote that does not end is no error")
	}
}
