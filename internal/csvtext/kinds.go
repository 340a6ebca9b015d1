package csvtext

import (
	"bytes"
	"slices"

	"github.com/rfpragma/rfpragma/internal/option"
)

// kind is one of the files that are no table, by what they begin with. Where within is named, one of these texts
// stands somewhere in its first bytes, too.
type kind struct {
	what, cure string
	begins     []string
	within     []string
}

// kinds are what people give in the place of a table. Of compressed files those that are read come first.
var kinds = []kind{
	{"compressed twice", "decompress it once", []string{"\x1f\x8b", "\x28\xb5\x2f\xfd"}, nil},
	{"compressed by bzip2", "decompress it first, or compress it by gzip or zstd instead", []string{"BZh"}, nil},
	{"compressed by xz", "decompress it first, or compress it by gzip or zstd instead", []string{"\xfd7zXZ"}, nil},
	{"UTF-32", "save it as UTF-8" + asUTF8 + "UTF-32" + toUTF8, []string{"\xff\xfe\x00\x00", "\x00\x00\xfe\xff"}, nil},
	{"UTF-16", "save it as UTF-8" + asUTF8 + "UTF-16" + toUTF8, []string{"\xff\xfe", "\xfe\xff"}, nil},
	{"Parquet", "{read parquet}", []string{"PAR1\x15"}, nil},
	{"a text document", "copy its table into a spreadsheet, and save that as CSV" + inExcel, []string{"PK\x03\x04"},
		[]string{"word/", "opendocument.text"}},
	{"a presentation", "copy its table into a spreadsheet, and save that as CSV" + inExcel, []string{"PK\x03\x04"},
		[]string{"ppt/", "opendocument.presentation"}},
	{"a spreadsheet", "save the sheet as CSV" + inExcel, []string{"PK\x03\x04"},
		[]string{"xl/", "opendocument.spreadsheet"}},
	{"a spreadsheet or a document", "save the sheet as CSV" + inExcel, []string{"PK\x03\x04"},
		[]string{"[Content_Types].xml", "_rels/", "docProps/"}},
	{"a spreadsheet or a document", "save the sheet as CSV" + inExcel, []string{"\xd0\xcf\x11\xe0"}, nil},
	{"an empty zip archive", "pack the CSV file anew, by gzip or zstd", []string{"PK\x05\x06"}, nil},
	{"a zip archive", "take the CSV file out of it: unzip FILE", []string{"PK\x03\x04"}, nil},
	{"a 7z archive", "take the CSV file out of it: 7z x FILE", []string{"7z\xbc\xaf\x27\x1c"}, nil},
	{"PDF", "ask for the table as CSV where the file comes from", []string{"%PDF-"}, nil},
	{"an R object (.rds)", inR + `readRDS("FILE")` + asCSV, []string{"X\n\x00\x00\x00"}, nil},
	{"R data (.RData)", inR + `get(load("FILE")[1])` + asCSV, []string{"RDX2\n", "RDX3\n"}, nil},
	{"SPSS data (.sav)", "make a CSV of it in SPSS: File > Save As, type CSV; or in R: write.csv(" +
		`foreign::read.spss("FILE", to.data.frame = TRUE)` + asCSV, []string{"$FL2", "$FL3"}, nil},
	{"Stata data (.dta)", "make a CSV of it in Stata: export delimited data.csv; or in Python: pandas." +
		`read_stata("FILE")` + toCSV, []string{"<stata_dta>", "\x71\x01\x01\x00", "\x71\x02\x01\x00", "\x72\x01\x01\x00",
		"\x72\x02\x01\x00", "\x73\x01\x01\x00", "\x73\x02\x01\x00"}, nil},
	{"SAS data (.sas7bdat)", "make a CSV of it in SAS: PROC EXPORT with DBMS=CSV; or in R: write.csv(" +
		`haven::read_sas("FILE")` + asCSV, []string{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60"}, nil},
	{"SAS transport data (.xpt)", inR + `foreign::read.xport("FILE")` + asCSV, []string{"HEADER RECORD***"}, nil},
	{"Arrow (.feather)", inPython + `read_feather("FILE")` + toCSV, []string{"ARROW1", "FEA1"}, nil},
	{"ORC", inPython + `read_orc("FILE")` + toCSV, []string{"ORC"}, []string{"\x00"}},
	{"a Python pickle", inPython + `read_pickle("FILE")` + toCSV, []string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"},
		nil},
	{"a NumPy array (.npy)", inPython + `DataFrame(numpy.load("FILE"))` + toCSV, []string{"\x93NUMPY"}, nil},
	{"HDF5", inPython + `read_hdf("FILE")` + toCSV, []string{"\x89HDF\r\n"}, nil},
	{"an SQLite database", `make a CSV of a table: sqlite3 -header -csv FILE "SELECT * FROM NAME" > data.csv`,
		[]string{"SQLite format 3\x00"}, nil},
	{"a web page", "download the table itself, or save it as CSV", []string{"<!DOC", "<!doc", "<html", "<HTML"}, nil},
	{"XML", "save the table as CSV", []string{"<?xml"}, nil},
	{"JSON", "save the table as CSV", []string{`{"`, "{\n", "{\r\n", "[{", "[\n", "[\r\n"}, nil},
}

const (
	inExcel  = ` (in Excel: Save As, "CSV UTF-8")`
	asUTF8   = ` (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f `
	toUTF8   = " -t UTF-8 FILE > data.csv)"
	inR      = "make a CSV of it in R: write.csv("
	asCSV    = `, "data.csv", row.names = FALSE, na = "")`
	inPython = "make a CSV of it in Python: pandas."
	toCSV    = `.to_csv("data.csv", index=False)`
)

// What is looked at of a file are its first bytes: so many are waited for, and so many are enough.
const fewestBytes, headBytes = 16, 4096

// notTable says what a file is that begins with head, and how to make a table of it; "" where it may be one.
func notTable(head []byte) string {
	if name := unmarkedUTF16(head); name != "" {
		return "the file is UTF-16; save it as UTF-8" + asUTF8 + name + toUTF8
	}
	begins := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	holds := func(text string) bool { return bytes.Contains(head, []byte(text)) }
	for _, k := range kinds {
		if slices.ContainsFunc(k.begins, begins) && (k.within == nil || slices.ContainsFunc(k.within, holds)) {
			return "the file is " + k.what + "; " + option.Text(k.cure)
		}
	}
	return ""
}

// unmarkedUTF16 names the encoding of a text that is UTF-16 without a byte-order mark: every other byte of its first
// letters is NUL. "" where it is not.
func unmarkedUTF16(head []byte) string {
	if len(head) < 8 {
		return ""
	}
	var nul [2]int
	for i, b := range head[:8] {
		if b == 0 {
			nul[i%2]++
		}
	}
	switch nul {
	case [2]int{0, 4}:
		return "UTF-16LE"
	case [2]int{4, 0}:
		return "UTF-16BE"
	}
	return ""
}
