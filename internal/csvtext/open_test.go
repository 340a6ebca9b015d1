package csvtext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b) // which cannot fail
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func zstandard(text string, o ...zstd.EOption) string {
	z, err := zstd.NewWriter(nil, o...)
	if err != nil {
		panic(err)
	}
	defer z.Close()
	return string(z.EncodeAll([]byte(text), nil))
}

func TestCompressed(t *testing.T) {
	const text = "x,y\n1,a\n2,b\n"
	long := "x,y\n" + strings.Repeat("1,a\n", 200_000)
	for _, c := range []struct{ name, file, want string }{
		{"gzip", zipped(text), text},
		{"gzip after a byte-order mark", zipped("\ufeff" + text), text},
		{"gzip in two members", zipped(text[:5]) + zipped(text[5:]), text},
		{"gzip with an empty member", zipped(text) + zipped(""), text},
		{"zstd", zstandard(text), text},
		{"zstd in two frames", zstandard(text[:5]) + zstandard(text[5:]), text},
		{"zstd with a checksum", zstandard(text, zstd.WithEncoderCRC(true)), text},
		{"much gzip", zipped(long), long},
		{"much zstd", zstandard(long), long},
	} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(c.file), "byte by byte": iotest.OneByteReader(
			strings.NewReader(c.file))} {
			rows, err := readAll(r, 0)
			if got := unsplit(rows); err != nil || got != c.want {
				t.Errorf("%s %s: read %.64q, %v, want %.64q", c.name, name, got, err, c.want)
			}
		}
	}
}

func unsplit(rows [][]string) string {
	var b strings.Builder
	for _, cells := range rows {
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.String()
}

func TestDamagedCompression(t *testing.T) {
	text := "x,y\n" + strings.Repeat("1,a\n2,b\n", 1000)
	g, z := zipped(text), zstandard(text, zstd.WithEncoderCRC(true))
	flip := func(s string, at int) string { return s[:at] + string(s[at]^1) + s[at+1:] }
	for _, c := range []struct{ name, file, packed string }{
		{"gzip magic alone", g[:2], "gzip"}, {"gzip cut in the middle", g[:len(g)/2], "gzip"}, {"gzip checksum cut",
			g[:len(g)-4], "gzip"},
		{"gzip checksum wrong", flip(g, len(g)-8), "gzip"}, {"gzip and something behind it", g +
			"x,y\n1,2\n and more than a header", "gzip"},
		{"zstd magic alone", z[:4], "zstd"}, {"zstd cut in the middle", z[:len(z)/2], "zstd"}, {"zstd checksum cut",
			z[:len(z)-2], "zstd"},
		{"zstd checksum wrong", flip(z, len(z)-2), "zstd"}, {"zstd and something behind it", z + "x,y\n1,2\n", "zstd"},
	} {
		_, err := readAll(strings.NewReader(c.file), 0)
		var fault *ParseError
		want := fmt.Sprintf("the %s data are damaged or cut short (", c.packed)
		if !errors.As(err, &fault) || fault.Line == 0 || !strings.Contains(err.Error(), want) ||
			!strings.HasSuffix(err.Error(), "); make the file again") {
			t.Errorf("%s: error %v", c.name, err)
		}
		broken := errors.New("disk on fire")
		_, err = readAll(io.MultiReader(strings.NewReader(c.file[:len(c.file)/2]), iotest.ErrReader(broken)), 0)
		if !errors.Is(err, broken) || err.Error() != "reading in.csv: disk on fire" {
			t.Errorf("%s: a failed read: %v", c.name, err)
		}
	}
	short := zipped("x,y\n1,a\n")
	if _, err := readAll(strings.NewReader(short[:len(short)-8]), 0); err == nil ||
		err.Error() != "in.csv:3: the gzip data are damaged or cut short (unexpected EOF); make the file again" {
		t.Errorf("the place of a cut: %v", err)
	}
	var limit *LimitError
	var b bytes.Buffer
	w, _ := zstd.NewWriter(&b, zstd.WithWindowSize(1<<28))
	for range 3000 {
		io.WriteString(w, text)
	}
	w.Close()
	if _, err := readAll(&b, 0); !errors.As(err, &limit) ||
		limit.Text != "in.csv: the zstd data need more than 128 MB to decompress; compress the file anew without --long" {
		t.Errorf("a wide window: %v", err)
	}
}

func TestNoText(t *testing.T) {
	const utf16 = `the file is UTF-16; save it as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f UTF-16 -t UTF-8 FILE > data.csv)`
	for _, c := range []struct{ name, text, want string }{
		{"zip", "PK\x03\x04 and more", "the file is a zip archive; take the CSV file out of it: unzip FILE"},
		{"a document of Word", "PK\x03\x04 and [Content_Types].xml" + strings.Repeat(" ", 1500) + "word/document.xml",
			`the file is a text document; copy its table into a spreadsheet, and save that as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"one of LibreOffice", "PK\x03\x04 and mimetypeapplication/vnd.oasis.opendocument.text",
			`the file is a text document; copy its table into a spreadsheet, and save that as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"a presentation", "PK\x03\x04 and [Content_Types].xml and ppt/presentation.xml",
			`the file is a presentation; copy its table into a spreadsheet, and save that as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"a spreadsheet", "PK\x03\x04 and [Content_Types].xml" + strings.Repeat(" ", 1500) + "xl/workbook.xml",
			`the file is a spreadsheet; save the sheet as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"one or the other", "PK\x03\x04 and [Content_Types].xml",
			`the file is a spreadsheet or a document; save the sheet as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"a spreadsheet of openpyxl", "PK\x03\x04 and docProps/app.xml and xl/theme/theme1.xml",
			`the file is a spreadsheet; save the sheet as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"a spreadsheet of LibreOffice", "PK\x03\x04 and mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
			`the file is a spreadsheet; save the sheet as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", "the file is a 7z archive; take the CSV file out of it: 7z x FILE"},
		{"PDF", "%PDF-1.7\n", "the file is PDF; ask for the table as CSV where the file comes from"},
		{"rds", zipped("X\n\x00\x00\x00\x03\x00\x04"),
			`the file is an R object (.rds); make a CSV of it in R: write.csv(readRDS("FILE"), "data.csv", row.names = FALSE, na = "")`},
		{"RData", zipped("RDX3\nX\n\x00\x00\x00\x03"),
			`the file is R data (.RData); make a CSV of it in R: write.csv(get(load("FILE")[1]), "data.csv", row.names = FALSE, na = "")`},
		{"sav", "$FL2@(#) SPSS DATA FILE",
			`the file is SPSS data (.sav); make a CSV of it in SPSS: File > Save As, type CSV; or in R: write.csv(foreign::read.spss("FILE", to.data.frame = TRUE), "data.csv", row.names = FALSE, na = "")`},
		{"dta", "<stata_dta><header><release>118",
			`the file is Stata data (.dta); make a CSV of it in Stata: export delimited data.csv; or in Python: pandas.read_stata("FILE").to_csv("data.csv", index=False)`},
		{"old dta", "\x72\x02\x01\x00\x05\x00",
			`the file is Stata data (.dta); make a CSV of it in Stata: export delimited data.csv; or in Python: pandas.read_stata("FILE").to_csv("data.csv", index=False)`},
		{"sas7bdat", strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60\xb3",
			`the file is SAS data (.sas7bdat); make a CSV of it in SAS: PROC EXPORT with DBMS=CSV; or in R: write.csv(haven::read_sas("FILE"), "data.csv", row.names = FALSE, na = "")`},
		{"xpt", "HEADER RECORD*******LIBRARY HEADER RECORD",
			`the file is SAS transport data (.xpt); make a CSV of it in R: write.csv(foreign::read.xport("FILE"), "data.csv", row.names = FALSE, na = "")`},
		{"feather", "ARROW1\x00\x00", `the file is Arrow (.feather); make a CSV of it in Python: pandas.read_feather("FILE").to_csv("data.csv", index=False)`},
		{"ORC", "ORC\x0a\x06\x00\x00", `the file is ORC; make a CSV of it in Python: pandas.read_orc("FILE").to_csv("data.csv", index=False)`},
		{"pickle", "\x80\x04\x95\x10", `the file is a Python pickle; make a CSV of it in Python: pandas.read_pickle("FILE").to_csv("data.csv", index=False)`},
		{"pickle within gzip", zipped("\x80\x05\x95\x10"),
			`the file is a Python pickle; make a CSV of it in Python: pandas.read_pickle("FILE").to_csv("data.csv", index=False)`},
		{"npy", "\x93NUMPY\x01\x00", `the file is a NumPy array (.npy); make a CSV of it in Python: pandas.DataFrame(numpy.load("FILE")).to_csv("data.csv", index=False)`},
		{"HDF5", "\x89HDF\r\n\x1a\n", `the file is HDF5; make a CSV of it in Python: pandas.read_hdf("FILE").to_csv("data.csv", index=False)`},
		{"SQLite", "SQLite format 3\x00\x10\x00",
			`the file is an SQLite database; make a CSV of a table: sqlite3 -header -csv FILE "SELECT * FROM NAME" > data.csv`},
		{"empty zip", "PK\x05\x06 and more", "the file is an empty zip archive; pack the CSV file anew, by gzip or zstd"},
		{"bzip2", "BZh91AY&SY", "the file is compressed by bzip2; decompress it first, or compress it by gzip or zstd " +
			"instead"},
		{"xz", "\xfd7zXZ\x00", "the file is compressed by xz; decompress it first, or compress it by gzip or zstd instead"},
		{"gzip of gzip", zipped(zipped("x\n")), "the file is compressed twice; decompress it once"},
		{"gzip of zstd", zipped(zstandard("x\n")), "the file is compressed twice; decompress it once"},
		{"Parquet", "PAR1\x15\x04", "the file is Parquet; read it with --input-format parquet"},
		{"an old spreadsheet", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
			`the file is a spreadsheet or a document; save the sheet as CSV (in Excel: Save As, "CSV UTF-8")`},
		{"a web page", "<!DOCTYPE html>\n<html>", "the file is a web page; download the table itself, or save it as CSV"},
		{"a web page within gzip", zipped("<html><body>"),
			"the file is a web page; download the table itself, or save it as CSV"},
		{"XML", "<?xml version=\"1.0\"?>", "the file is XML; save the table as CSV"},
		{"JSON", "[{\"x\": 1}]", "the file is JSON; save the table as CSV"},
		{"JSON on lines", "{\"x\": 1}\n", "the file is JSON; save the table as CSV"},
		{"UTF-16, little endian", "\xff\xfex\x00", utf16},
		{"UTF-16, big endian", "\xfe\xff\x00x", utf16},
		{"UTF-16 within gzip", zipped("\xff\xfex\x00"), utf16},
	} {
		_, err := readAll(strings.NewReader(c.text), 0)
		var fault *ParseError
		if !errors.As(err, &fault) || err.Error() != "in.csv:1:1: "+c.want {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// Names of columns that begin as such files do.
func TestTextLikeOthers(t *testing.T) {
	for _, text := range []string{"ORC,class\n1,a\n", "X\n1\n", "ARROW,x\n1,2\n", "PKa,x\n1,2\n", "HEADER,x\n1,2\n"} {
		if got, err := readAll(strings.NewReader(text), 0); err != nil {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
}

func TestByteFaults(t *testing.T) {
	const (
		utf8Text = ` is not UTF-8; save the file as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f CP1252 -t UTF-8 FILE > data.csv)`
		nulText  = `there is a NUL byte; save the file as plain UTF-8 text (in Excel: Save As, "CSV UTF-8")`
		crText   = "there is a carriage return without a line feed; save the file with line ends LF or CRLF"
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
		{"UTF-16 without a mark", "x\x00,\x00y\x00", "in.csv:1:2: " + nulText},
		{"after good rows, in a quoted cell", "x,y\n1,a\n2,\"é\n\xff\"\n", "in.csv:4:1: byte 0xFF" + utf8Text},
		{"the first of several", "x\n\xff\x00\r", "in.csv:2:1: byte 0xFF" + utf8Text},
	} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(
			strings.NewReader(c.text))} {
			_, err := readAll(r, 0)
			var fault *ParseError
			if !errors.As(err, &fault) || err.Error() != c.want {
				t.Errorf("%s %s: error %v, want the *ParseError %s", c.name, name, err, c.want)
			}
		}
	}
	for _, text := range []string{"\ufeff\ufeffx\n", "é,€,😀\n", "\ufffd\n", "x\n \n"} {
		if _, err := readAll(strings.NewReader(text), 0); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
