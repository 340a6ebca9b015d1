package catalogue

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// unpacked reads a file, gzip or not.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// raw is the inverse of a conversion: what the home of a set with that layout would have for
// the CSV text. Rows are dealt to the files in equal parts; columns that are left out hold 7.
func raw(t *testing.T, l *Layout, text string) []byte {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	ours := strings.Split(lines[0], ",")
	var at []int // for each column of the file, where it stands in our rows, or -1
	for _, name := range strings.Split(l.Columns, ",") {
		at = append(at, slices.Index(ours, name))
	}
	rows := lines[1:]
	files := make([]string, max(1, len(l.Members)))
	for i := range files {
		var b strings.Builder
		switch {
		case l.ARFF:
			b.WriteString("% made\n@relation 'x'\n@attribute a { b, c }\n\n@DATA\n")
		case l.Header:
			b.WriteString("\"some\" names\r\n")
		}
		for _, line := range rows[i*len(rows)/len(files) : (i+1)*len(rows)/len(files)] {
			b.WriteString(rawLine(l, strings.Split(line, ","), at))
		}
		files[i] = b.String() + "\n"
	}
	if l.ARFF {
		return []byte(files[0])
	}
	names := map[string][]byte{"Index": []byte("of nothing")}
	for i, name := range l.Members {
		outer, inner, nested := strings.Cut(name, "/")
		names["folder/"+outer] = []byte(files[i])
		if nested {
			names["folder/"+outer] = zipped(t, map[string][]byte{inner: []byte(files[i])})
		}
	}
	return zipped(t, names)
}

func rawLine(l *Layout, cells []string, at []int) string {
	var out []string
	for _, j := range at {
		cell := "7"
		if j >= 0 {
			if cell = cells[j]; cell == "" {
				cell = l.Missing
			}
		}
		if j == len(cells)-1 {
			cell += l.Suffix
		}
		switch l.Separator {
		case ';':
			cell = `"` + cell + `"`
		case ',':
			cell = " " + cell
		}
		out = append(out, cell)
	}
	if l.Separator == ' ' {
		return strings.Join(out, "  ") + " \n"
	}
	return strings.Join(out, string(rune(l.Separator))) + "\r\n"
}

func zipped(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tiny is a made-up set of that text and layout.
func tiny(text string, l Layout) Set {
	sum := sha256.Sum256([]byte(text))
	return Set{Name: "tiny", SHA256: hex.EncodeToString(sum[:]), Layout: l}
}

func TestConvert(t *testing.T) {
	const want = "x,k,class\n1,p,ill\n,q,well\n2.5,p,ill\n" // by hand, like the files below
	comma := Layout{Members: []string{"a.data"}, Separator: ',', Missing: "?", Columns: "class,-,x,k"}
	for _, tc := range []struct {
		name   string
		layout Layout
		raw    []byte
	}{
		{"label first, a column left out", comma, []byte("ill,9,1,p\nwell,8,?,q\nill,7,2.5,p\n\n")},
		{"no last line end, blanks, quotes, comments", comma,
			[]byte("|note\r\nill, 9, 1, \"p\"\r\n\r\nwell, 8, '?', q\r\nill, 7, 2.5, p")},
		{"in an archive", comma, zipped(t, map[string][]byte{"d/a.data": []byte("ill,9,1,p\nwell,8,?,q\nill,7,2.5,p\n"),
			"b.data": nil})},
		{"two files", Layout{Members: []string{"trn", "tst"}, Separator: ' ', Missing: "NA", Columns: "x,k,class"},
			zipped(t, map[string][]byte{"tst": []byte(" 2.5\tp ill"), "trn": []byte("1   p ill \nNA q well\n")})},
		{"an archive within", Layout{Members: []string{"in.zip/a.csv"}, Separator: ';', Header: true, Columns: "x,k,class"},
			zipped(t, map[string][]byte{"in.zip": zipped(t,
				map[string][]byte{"f/a.csv": []byte("\"x\";\"k\";\"y\"\n1;\"p\";\"ill\"\n;\"q\";\"well\"\n2.5;\"p\";\"ill\"\n")})})},
		{"ARFF", Layout{ARFF: true, Separator: ',', Missing: "?", Columns: "x,k,class"},
			[]byte("% made by hand\n@relation t\n@attribute x real\n@attribute k {p, q}\n@Data\n1, p, ill\n?, q, well\n% " +
				"between\n2.5, p, 'ill'\n")},
		{"zeros, dots", Layout{Members: []string{"a"}, Separator: '\t', Columns: "x,k,class", Suffix: ".", Shorten: true},
			[]byte("1.00\tp\till.\n\tq\twell\n2.50\tp\till.\n")},
	} {
		set := tiny(want, tc.layout)
		got, err := set.Convert(tc.raw)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
		if back, err := set.Convert(raw(t, &tc.layout, want)); err != nil || string(back) != want {
			t.Errorf("%s, made backwards: %q, %v", tc.name, back, err)
		}
	}
}

// Zeros are dropped from fractions alone.
func TestShorten(t *testing.T) {
	l := Layout{Shorten: true}
	for cell, want := range map[string]string{
		"9.00": "9", "1.10": "1.1", "100": "100", "0.0": "0", "-0.50": "-0.5", "1.0e10": "1.0e10", "a.0": "a.0", ".": ".",
		"v1.0.0": "v1.0.0",
	} {
		if got := l.clean(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

// What is not the set is told from it.
func TestConvertErrors(t *testing.T) {
	one := Layout{Members: []string{"a.data"}, Separator: ',', Columns: "x,class"}
	two := Layout{Members: []string{"trn", "tst"}, Separator: ',', Columns: "x,class"}
	whole := zipped(t, map[string][]byte{"a.data": []byte("1,ill\n")})
	flipped := bytes.Replace(zipped(t, map[string][]byte{"a.data": bytes.Repeat([]byte("1,ill\n"), 100)}),
		[]byte("PK\x07\x08"), []byte("PK\x07\x09"), 1)
	flipped[40] ^= 0xff
	for _, tc := range []struct {
		name   string
		layout Layout
		raw    string
		want   string
	}{
		{"another table", one, "1,ill\n2,well\n", "SHA-256 "},
		{"nothing", one, "", "SHA-256 "},
		{"a page in its place", one, "<!DOCTYPE html>\n<p>sorry", "line 1: 1 cells where 2 are expected"},
		{"a line too long", one, "1,ill\n2,well,3\n", "line 2: 3 cells where 2 are expected"},
		{"a quote within", one, "1,il\"l\n", "line 1: a cell with a comma or a quote in it"},
		{"no archive", two, "1,ill\n", "it is no zip archive, which should hold trn, tst"},
		{"cut short", one, string(whole[:len(whole)-30]), "the zip archive is damaged: zip: not a valid zip file"},
		{"no such file in it", one, string(zipped(t, map[string][]byte{"b.data": nil})),
			"the zip archive has no file a.data"},
		{"the second file lacks", two, string(zipped(t, map[string][]byte{"trn": []byte("1,ill\n")})),
			"the zip archive has no file tst"},
		{"a fault in the second", two, string(zipped(t, map[string][]byte{"trn": []byte("1,ill\n"), "tst": []byte("2\n")})),
			"tst, line 1: 1 cells"},
		{"bytes changed", one, string(flipped), "a.data in the zip archive is damaged: "},
		{"no archive within", Layout{Members: []string{"in.zip/a"}, Separator: ',', Columns: "x,class"},
			string(zipped(t, map[string][]byte{"in.zip": []byte("hello")})), "the zip archive is damaged"},
		{"ARFF without rows", Layout{ARFF: true, Separator: ',', Columns: "x,class"}, "@relation x\n",
			"the rows never begin"},
		{"an archive for a text", Layout{ARFF: true, Separator: ',', Columns: "x,class"}, string(whole),
			"it is a zip archive where a text file is expected"},
	} {
		set := tiny("x,class\n1,ill\n", tc.layout)
		got, err := set.Convert([]byte(tc.raw))
		if got != nil || err == nil || !strings.HasPrefix(err.Error(), "tiny: not the set that is expected: ") ||
			!strings.Contains(err.Error(), tc.want) ||
			!strings.HasSuffix(err.Error(),
				"; it was damaged on its way, or changed where it comes from: get it again, or another copy by --from") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q, %v; want %s", tc.name, got, err, tc.want)
		}
	}
}

// A file that unpacks to more than any set has is refused before memory is.
func TestUnpackLimit(t *testing.T) {
	set := tiny("", Layout{Members: []string{"a"}, Separator: ',', Columns: "x,class"})
	if _, err := set.Convert(zipped(t, map[string][]byte{"a": make([]byte, mostUnpacked+1)})); err == nil ||
		!strings.Contains(err.Error(), "a in the zip archive is damaged: it has more than 64 MB") {
		t.Errorf("error %v", err)
	}
}

// Whatever bytes come, a table comes out in which every row has all cells, or an error.
func FuzzConvert(f *testing.F) {
	f.Add([]byte("1,p,ill\n?,q,well\n"), byte(','), uint8(0), "?", "x,k,class")
	f.Add([]byte("1 p ill.\n"), byte(' '), uint8(4), "", "x,-,class")
	f.Add([]byte("@data\n'1.50', \"p\", ill\n%"), byte(','), uint8(5), "?", "class,x,k")
	f.Add([]byte("PK\x03\x04"), byte(';'), uint8(2), "NA", "class")
	f.Fuzz(func(t *testing.T, raw []byte, separator byte, form uint8, missing, columns string) {
		names := strings.Split(columns, ",")
		if i := slices.Index(names, "class"); i < 0 || slices.Contains(names[i+1:], "class") || strings.Contains(columns,
			"\n") {
			t.Skip("no layout has such columns")
		}
		l := Layout{Separator: separator, Columns: columns, Missing: missing, ARFF: form&1 > 0, Header: form&2 > 0,
			Shorten: form&4 > 0, Suffix: "."}
		if form&8 > 0 {
			l.Members = []string{"a.zip/b"}
		}
		files, err := l.open(raw)
		if err != nil {
			return
		}
		text, err := l.table(files)
		if err != nil {
			return
		}
		width := len(slices.DeleteFunc(names, func(n string) bool { return n == "-" }))
		for line := range strings.Lines(string(text)) {
			if got := strings.Count(line, ",") + 1; got != width || !strings.HasSuffix(line, "\n") {
				t.Fatalf("%q has %d cells, want %d", line, got, width)
			}
		}
		s := tiny(string(text), l)
		if again, err := s.Convert(raw); err != nil || !bytes.Equal(again, text) {
			t.Fatalf("the second time %q, %v", again, err)
		}
	})
}
