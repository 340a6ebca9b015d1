package csvtext

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b) // which cannot fail
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestGuardPassesGoodTextOn(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		rows, blank      int
	}{
		{"empty", "", "", 0, 0},
		{"byte-order mark alone", "\ufeff", "", 0, 0},
		{"two marks, one is text", "\ufeff\ufeffx\n", "\ufeffx\n", 1, 0},
		{"plain", "x,y\n1,a\n", "x,y\n1,a\n", 2, 0},
		{"no newline at the end is no row yet", "x,y\n1,a", "x,y\n1,a", 1, 0},
		{"blank before the header", "\n\nx\n1\n", "\n\nx\n1\n", 2, 0},
		{"first blank after it", "x\n1\n\n2\n\n", "x\n1\n\n2\n\n", 3, 3},
		{"blank with CRLF", "x\r\n\r\n1\r\n", "x\r\n\r\n1\r\n", 2, 2},
		{"blank line within quotes", "x\n\"a\n\nb\"\n", "x\n\"a\n\nb\"\n", 2, 0},
		{"quotes within quotes", "x\n\"a\"\"\n\n\"\"b\"\n\n", "x\n\"a\"\"\n\n\"\"b\"\n\n", 2, 5},
		{"a line of blanks is not blank", "x\n \n", "x\n \n", 2, 0},
		{"letters of two to four bytes", "é,€,😀\n", "é,€,😀\n", 1, 0},
		{"replacement character", "\ufffd\n", "\ufffd\n", 1, 0},
		{"gzip", zipped("x\n1\n"), "x\n1\n", 2, 0},
		{"gzip of nothing", zipped(""), "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := newGuard(strings.NewReader(c.text), "in.csv", ',')
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(g)
			if err != nil || string(got) != c.want {
				t.Errorf("passed on %q, %v, want %q", got, err, c.want)
			}
			if g.rows != c.rows || g.blank != c.blank || !g.eof {
				t.Errorf("%d rows, first blank line %d, want %d and %d", g.rows, g.blank, c.rows, c.blank)
			}
		})
	}
}

func TestGuardStopsAtTheFault(t *testing.T) {
	const (
		utf8Text  = " is not UTF-8; save the file as UTF-8"
		nulText   = "there is a NUL byte; save the file as plain UTF-8 text"
		crText    = "there is a carriage return without a line feed; save the file with line ends LF or CRLF"
		utf16Text = "in.csv:1:1: the file is UTF-16; save it as UTF-8"
	)
	for _, c := range []struct{ name, text, want string }{
		{"lone continuation", "é\x80", "in.csv:1:3: byte 0x80" + utf8Text},
		{"cut letter before a line end", "ab\n€\xe2\x82\n", "in.csv:2:4: byte 0xE2" + utf8Text},
		{"overlong", "\xc0\xaf", "in.csv:1:1: byte 0xC0" + utf8Text},
		{"surrogate", "a\xed\xa0\x80", "in.csv:1:2: byte 0xED" + utf8Text},
		{"beyond Unicode", "a\xf4\x90\x80\x80", "in.csv:1:2: byte 0xF4" + utf8Text},
		{"NUL within quotes", "x\n\"a\n\x00\"", "in.csv:3:1: " + nulText},
		{"NUL after CR", "x\r\x00", "in.csv:1:2: " + crText},
		{"CR within quotes", "x\n\"a\rb\"", "in.csv:2:3: " + crText},
		{"two CR before LF", "x\r\r\n", "in.csv:1:2: " + crText},
		{"CR first", "\rx", "in.csv:1:1: " + crText},
		{"CR last", "x\ny\r", "in.csv:2:2: " + crText},
		{"zip", "PK\x03\x04 and more", "in.csv:1:1: the file is a zip archive or a spreadsheet; save the sheet as CSV"},
		{"zstd", "\x28\xb5\x2f\xfd and more", "in.csv:1:1: the file is compressed by zstd; decompress it first"},
		{"Parquet", "PAR1\x15\x04", "in.csv:1:1: the file is Parquet; convert it to CSV"},
		{"UTF-16 within gzip", zipped("\xff\xfex\x00"), utf16Text},
		{"UTF-16 without a mark", "x\x00,\x00y\x00", "in.csv:1:2: " + nulText},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := newGuard(strings.NewReader(c.text), "in.csv", ',')
			if err == nil {
				_, err = io.ReadAll(g)
			}
			var fault *ParseError
			if !errors.As(err, &fault) || err.Error() != c.want {
				t.Errorf("error %v, want the *ParseError %s", err, c.want)
			}
			if g != nil {
				if n, again := g.Read(make([]byte, 10)); n != 0 || again != err {
					t.Errorf("after the fault: %d bytes, %v", n, again)
				}
			}
		})
	}
}
