package csvtext

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("é", 1<<16) // longer than the buffer
	text := "\ufeffone\r\n\n" + long + "\nlast"
	want := []string{"one", "", long, "last"}
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"end with the bytes": iotest.DataErrReader(strings.NewReader(text)),
	} {
		l, err := NewLines(r, "in.txt")
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range want {
			if got, err := l.Next(); got != line || err != nil || l.Line() != i+1 {
				t.Fatalf("%s: line %d is %.20q, %v, want %.20q", name, l.Line(), got, err, line)
			}
		}
		if _, err := l.Next(); err != io.EOF {
			t.Errorf("%s: at the end %v", name, err)
		}
	}
}

func TestLinesFaults(t *testing.T) {
	broken := errors.New("gone")
	for _, tc := range []struct {
		r    io.Reader
		want string
	}{
		{strings.NewReader("a\nb\x00c\n"), "in.txt:2:2: there is a NUL byte; save the file as plain UTF-8 text"},
		{strings.NewReader("a\né\xff\n"), "in.txt:2:3: byte 0xFF is not UTF-8; save the file as UTF-8"},
		{strings.NewReader("a\nb\rc\n"),
			"in.txt:2:2: there is a carriage return without a line feed; save the file with line ends LF or CRLF"},
		{strings.NewReader("a\n" + strings.Repeat("b", MaxRecord+3) + "\n"),
			"in.txt:2: a line has more than 16777216 bytes; shorten it"},
		{strings.NewReader("\xff\xfea"),
			`in.txt:1:1: the file is UTF-16; save it as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f UTF-16 -t UTF-8 FILE > data.csv)`},
		{strings.NewReader("\x1f\x8b"),
			"in.txt:1: the gzip data are damaged or cut short (unexpected EOF); make the file again"},
		{io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), "reading in.txt: gone"},
	} {
		l, err := NewLines(tc.r, "in.txt")
		for err == nil {
			_, err = l.Next()
		}
		if err.Error() != tc.want {
			t.Errorf("got  %v\nwant %s", err, tc.want)
		}
	}
}
