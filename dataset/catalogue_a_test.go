package dataset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// A1, A3 and A41 are about files by name, which only the command opens: its tests have them. Of
// A23 and A24 we read the files, instead of a hint, as the separator can be found. A10 and A39 are
// refused with other cures than flags: text is UTF-8, and a line that begins with # may be data.
// A17 and A18: empty cells to the right of all names are passed over, on all rows or on some, as
// spreadsheets write them; what stands there is refused, and so is one cell too many on all rows,
// as where names of rows have no name. A36 has fewer rows here, and A20 no gigabyte: the quote is
// given up after as many bytes as a cell may have.
func TestCatalogueARefused(t *testing.T) {
	for _, c := range []bad{
		{"A4 zero bytes", "", Options{}, data,
			"in.csv: the file is empty; expected a first line with the names of the columns"},
		{"A5 header only", "x,y\n", Options{}, data, "in.csv: no rows; add at least one"},
		{"A6 only blank lines", "\n\r\n\n", Options{}, data,
			"in.csv: the file is empty; expected a first line with the names of the columns"},
		{"A9 UTF-16 little endian", "\xff\xfex\x00,\x00", Options{}, data,
			`in.csv:1:1: the file is UTF-16; save it as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f UTF-16 -t UTF-8 FILE > data.csv)`},
		{"A9 UTF-16 big endian", "\xfe\xff\x00x\x00,", Options{}, data,
			`in.csv:1:1: the file is UTF-16; save it as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f UTF-16 -t UTF-8 FILE > data.csv)`},
		{"A9 UTF-16 without a mark", "x\x00,\x00y\x00\n\x001\x00,\x00a\x00\n\x00", Options{}, data,
			`in.csv:1:1: the file is UTF-16; save it as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f UTF-16LE -t UTF-8 FILE > data.csv)`},
		{"A9 UTF-32", "\xff\xfe\x00\x00x\x00\x00\x00", Options{}, data,
			`in.csv:1:1: the file is UTF-32; save it as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f UTF-32 -t UTF-8 FILE > data.csv)`},
		{"A10 Latin-1 byte", "x,y\n1,a\n2,caf\xe9\n", Options{}, data,
			`in.csv:3:6: byte 0xE9 is not UTF-8; save the file as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f CP1252 -t UTF-8 FILE > data.csv)`},
		{"A10 UTF-8 cut at the end", "x,y\n1,a\n2,\xc3", Options{}, data,
			`in.csv:3:3: byte 0xC3 is not UTF-8; save the file as UTF-8 (Excel: Save As, "CSV UTF-8"; R: fileEncoding = "UTF-8"; pandas: encoding="utf-8"; else iconv -f CP1252 -t UTF-8 FILE > data.csv)`},
		{"A11 NUL byte", "x,y\n1,a\n\x002,b\n", Options{}, data,
			`in.csv:3:1: there is a NUL byte; save the file as plain UTF-8 text (in Excel: Save As, "CSV UTF-8")`},
		{"A12 CR only", "x,y\r1,a\r2,b\r", Options{},
			data, "in.csv:1:4: there is a carriage return without a line feed; save the file with line ends LF or CRLF"},
		{"A12 CR at the end", "x,y\n1,a\r", Options{},
			data, "in.csv:2:4: there is a carriage return without a line feed; save the file with line ends LF or CRLF"},
		{"A15 too few fields", "x,z,y\n1,2,a\n3,b\n4,5,c\n", Options{},
			data, "in.csv:3: 2 cells where the first line names 3 columns; correct the line"},
		{"A16 too many fields", "x,y\n1,a\n2,3,b\n", Options{},
			data, "in.csv:3: 3 cells where the first line names 2 columns; correct the line"},
		{"A17 content in columns without a name", "x,y,,\n1,a,,\n2,b,,!\n3,a,,\n4,a,7,\n", Options{},
			data, `in.csv:3:6: column 4 has no name, but "!" stands in it; name it in the first line, or empty the cell; 1 more row is at fault, too: line 5`},
		{"A17 and in rows for a model", "x,z,,\n1,2,,\n2,3,,!\n", Options{Schema: Schema{{Name: "x"}, {Name: "z"}}},
			data, `in.csv:3:6: column 4 has no name, but "!" stands in it; name it in the first line, or empty the cell`},
		{"A18 trailing comma on rows", "x,y\n1,a,\n", Options{},
			data, "in.csv:2: 3 cells where the first line names 2 columns; put a separator at the beginning of the first line " +
				"if the rows begin with names, else at its end"},
		{"A19 bare quote", "x,y\n1,a\n2,b\"c\n", Options{},
			data, "in.csv:3:4: a quote stands inside a cell that does not begin with one; quote the whole cell and write the " +
				"quote twice"},
		{"A19 text after a quote", "x,y\n1,\"a\"b\n2,c\n", Options{},
			data, "in.csv:2:5: text follows a closing quote; write a quote within a quoted cell twice"},
		{"A20 quote never closed", "x,y\n1,\"a\nb\"\n2,\"b\n3,c\n4,d\n", Options{},
			data, "in.csv:4:3: the quote opened here is never closed; close it"},
		{"A21 physical lines after a break in quotes", "x,y\n1,\"a\nb\"\nz,c\n2,d\n", Options{},
			data, `in.csv:4:1: column "x": mixes numbers and text: 1 of 3 cells is not a number: "z" in line 4; correct it, or use --missing z, --categorical x or --ignore x`},
		{"A23 semicolons, but commas are said", "x;z;y\n1;2;a\n", Options{Comma: ','},
			data, `in.csv:1:1: the first line is a single column, "x;z;y"; if its cells are separated by another mark, use --sep ';'`},
		{"A23 semicolons, but commas are said, beside decimal commas", "x,1;z;y\n1,5;2;a\n", Options{Comma: ','},
			usage, `in.csv: no column "y" (there is "x", "1;z;y"); name the column of the labels with --target; if its cells are separated by another mark, use --sep ';'`},
		{"A23 semicolons or commas", "x,1;y\n1,5;a\n2,6;b\n", Options{},
			data, `in.csv:1: cells may be separated by ',' or ';'; choose one with --sep`},
		{"A23 commas where semicolons are expected", "x,y\n1,a\n", Options{Comma: ';'},
			data, `in.csv:1:1: the first line is a single column, "x,y"; if its cells are separated by another mark, use --sep ','`},
		{"A23 semicolons in a row of another count", "x;z,y;u\n1;2\n", Options{Target: "y;u"},
			data, "in.csv:2: 1 cell where the first line names 2 columns; if its cells are separated by another mark, use " +
				"--sep ';'"},
		{"A24 tabs, but commas are said", "x\ty\n1\ta\n", Options{Comma: ','},
			data, `in.csv:1:1: the first line is a single column, "x\ty"; if its cells are separated by another mark, use --sep tab`},
		{"A25 blank before a quote", "x,y\n1, \"a,b\"\n", Options{},
			data, "in.csv:2:4: a blank stands before the quote that opens a cell; remove the blank"},
	} {
		c.run(t)
	}
}

func TestCatalogueAMeaningRefused(t *testing.T) {
	for _, c := range []bad{
		{"A26 decimal commas", "x,y\n\"3,14\",a\n\"2,7\",b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "3,14" in line 2, "2,7" in line 3; if the comma is the decimal mark, use --decimal ','; else write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A26 decimal comma among numbers", "x,y\n3,a\n4,a\n\"3,14\",b\n", Options{},
			data, `in.csv:4:1: column "x": mixes numbers and what looks like numbers: 1 of 3 cells: "3,14" in line 4; if the comma is the decimal mark, use --decimal ','; else write it with plain digits and a decimal point`},
		{"A27 thousands marks", "x,y\n\"1,234\",a\n\"5,678\",b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "1,234" in line 2, "5,678" in line 3; if the comma is the decimal mark, use --decimal ','; else write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A27 numbers with a minus behind, which are no words for missing cells", "x,y\n1,a\n12-,a\n3-,b\n47-,b\n5,a\n6,b\n",
			Options{},
			data, `in.csv:3:1: column "x": mixes numbers and text: 3 of 6 cells are not numbers: "12-" in line 3, "3-" in line 4, "47-" in line 5; correct them, or use --categorical x or --ignore x`},
		{"a line of totals in German", "x,z,y\n1,4,a\n2,5,b\nSumme:,9,b\n", Options{},
			data, `in.csv:4:1: column "x": mixes numbers and text: 1 of 3 cells is not a number: "Summe:" in line 4; remove a line that is the total of others, else correct it, or use --categorical x or --ignore x`},
		{"a line of totals", "x,z,y\n1,4,a\n2,5,b\nTotal,9,b\n", Options{},
			data, `in.csv:4:1: column "x": mixes numbers and text: 1 of 3 cells is not a number: "Total" in line 4; remove a line that is the total of others, else correct it, or use --categorical x or --ignore x`},
		{"a line of names amid the rows", "x,z,y\n1,4,a\nx,z,y\n2,5,b\n", Options{},
			data, `in.csv:3:1: column "x": mixes numbers and text: 1 of 3 cells is not a number: "x" in line 3; remove a line that repeats the names of the columns, else correct it, or use --categorical x or --ignore x; 1 more column is at fault, too, "z": rfpragma inspect shows the flags that mend them all`},
		{"a line of units below the names", "x,z,y\nmg/l,,-\n1,4,a\n2,5,b\n", Options{},
			data, `in.csv:2:1: column "x": mixes numbers and text: 1 of 3 cells is not a number: "mg/l" in line 2; remove line 2 if it is a second line of names or of units, else correct it, or use --missing mg/l, --categorical x or --ignore x`},
		{"numbers with units", "x,y\n1,a\n73 mg,b\n12.5 mmol/l,b\n7,a\n", Options{},
			data, `in.csv:3:1: column "x": mixes bare numbers and numbers with a unit or a sign: 2 of 4 cells: "73 mg" in line 3, "12.5 mmol/l" in line 4; write them as bare numbers, or use --categorical x or --ignore x`},
		{"A30 two columns of one name", "x, z,x ,y\n1,2,3,a\n", Options{}, data,
			`in.csv:1:6: columns 1 and 3 are both named "x"; rename one`},
		{"A31 column without a name", "x,  ,y\n1,2,a\n", Options{},
			data, "in.csv:1:3: column 2 has no name; give it one"},
		{"A33 no target column", "clas,claas,x\na,b,1\n", Options{Target: "class"},
			usage, `in.csv: no column "class" (did you mean "clas", "claas"?); name the column of the labels with --target`},
		{"A34 target alone", "y\na\nb\n", Options{},
			data, "in.csv: no features left beside the columns named by --target and the like; add at least one column"},
		{"A35 target ignored", "x,y\n1,a\n", Options{Ignore: []string{"y"}},
			usage, `in.csv: column "y" is named by --target and by --ignore; drop one of them`},
		{"A38 blank line in one column", "x\n1\n\n2\n", Options{Schema: Schema{{Name: "x"}}},
			data, `in.csv:3: the line is blank, which is ambiguous in a file of one column; write "" for a missing cell, or remove the line`},
		{"A38 blank line at the end of one column", "\nx\n1\n\n", Options{Schema: Schema{{Name: "x"}}},
			data, `in.csv:4: the line is blank, which is ambiguous in a file of one column; write "" for a missing cell, or remove the line`},
		{"A39 comment above the header", "# made by hand\nx,y\n1,a\n", Options{},
			data, `in.csv:1:1: the first line is a single column, "# made by hand"; lines that begin with # are not taken as comments, remove them`},
		{"A39 comment of as many cells", "# made, by hand\nx,y\n1,a\n", Options{},
			usage, `in.csv: no column "y" (there is "# made", "by hand"); name the column of the labels with --target; lines that begin with # are not taken as comments, remove them`},
		{"A39 comment between rows", "x,y\n1,a\n# more\n2,b\n", Options{},
			data, "in.csv:3: 1 cell where the first line names 2 columns; lines that begin with # are not taken as comments, " +
				"remove them"},
		{"A40 gzip cut short", zipped("x,y\n1,a\n")[:20], Options{},
			data, "in.csv:3: the gzip data are damaged or cut short (unexpected EOF); make the file again"},
		// A42: a file that is cut within its last cell looks like one whose last line has no line end, which A14 wants
		// accepted; of a pipe whose producer fails the shell tells (pipefail).
		{"A42 cut row", "x,z,y\n1,2,a\n3,4", Options{},
			data, "in.csv:3: 2 cells where the first line names 3 columns; correct the line, or see whether the file is cut " +
				"short"},
		{"A44 hexadecimal and underscores among numbers", "x,y\n1,a\n2,a\n3,b\n0x1p-2,a\n1_000,b\n", Options{},
			data, `in.csv:5:1: column "x": mixes numbers and what looks like numbers: 2 of 5 cells: "0x1p-2" in line 5, "1_000" in line 6; write them with plain digits and a decimal point`},
		{"A44 hexadecimal alone", "x,y\n0x0,a\n0x1A,b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "0x0" in line 2, "0x1A" in line 3; write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A44 hexadecimal with a binary exponent, alone", "x,y\n0x1p-3,a\n0x1p-2,b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "0x1p-3" in line 2, "0x1p-2" in line 3; write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A44 underscores alone", "x,y\n1_000,a\n2_000,b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "1_000" in line 2, "2_000" in line 3; write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A44 the minus sign of typesetters", "x,y\n−5,a\n−7,b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "−5" in line 2, "−7" in line 3; write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A44 exponents of Fortran", "x,y\n1.5D3,a\n2.0D-1,b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "1.5D3" in line 2, "2.0D-1" in line 3; write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A45 1e400", "x,y\n1,a\n1e400,b\n", Options{},
			data, `in.csv:3:1: column "x": "1e400" is too large for a number; correct it, or use --categorical x or --ignore x`},
		{"A45 before a fault further on", "x,y\n1e999,a\n2,\xff\n", Options{},
			data, `in.csv:2:1: column "x": "1e999" is too large for a number; correct it, or use --categorical x or --ignore x`},
		{"A48 Arabic digits", "x,y\n١٢,a\n٣,b\n", Options{},
			data, `in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "١٢" (U+0661) in line 2, "٣" (U+0663) in line 3; write them with plain digits and a decimal point, or use --categorical x or --ignore x`},
		{"A48 full-width digit among numbers", "x,y\n1,a\n5,a\n２,b\n", Options{},
			data, `in.csv:4:1: column "x": mixes numbers and what looks like numbers: 1 of 3 cells: "２" (U+FF12) in line 4; write it with plain digits and a decimal point`},
		{"A50 extra column, strict", "x,z,y\n1,2,a\n", Options{Schema: Schema{{Name: "x"}}, Strict: true},
			data, `in.csv: 2 columns unknown to the model: "z", "y"; remove what is extra, or name it with --ignore`},
		{"A51 columns missing at prediction", "b,d\n1,2\n", Options{Schema: Schema{{Name: "a"}, {Name: "b"}, {Name: "c"}}},
			data, `in.csv: the file lacks 2 columns of the model: "a", "c"; rename those that the file has by other names, and add the others; beside the columns of the model it has "d"`},
		{"A51 a column that is there by another name", "TSH measured,tshh,y\n1,2,a\n",
			Options{Schema: Schema{{Name: "TSH measured"}, {Name: "TSH"}}, Target: "y", Classes: []string{"a", "b"}},
			data, `in.csv: the file lacks 1 column of the model: "TSH" (did you mean "tshh"?); rename it if the file has it by another name, else add it; beside the columns of the model it has "tshh"`},
		{"A51 a column of the model is no other one", "TSH measured,age\n1,2\n",
			Options{Schema: Schema{{Name: "TSH measured"}, {Name: "TSH"}}},
			data, `in.csv: the file lacks 1 column of the model: "TSH"; rename it if the file has it by another name, else add it; beside the columns of the model it has "age"`},
		{"A51 a column is not there", "TSH measured,y\n1,a\n", Options{Schema: Schema{{Name: "TSH measured"}, {Name: "TSH"}},
			Target: "y", Classes: []string{"a", "b"}},
			data, `in.csv: the file lacks 1 column of the model: "TSH"; add what is missing, or train without what new rows cannot have (--ignore TSH)`},
		{"columns missing of like names", "ages,town\n1,2\n", Options{Schema: Schema{{Name: "age"}, {Name: "sum"}}},
			data, `in.csv: the file lacks 2 columns of the model: "age", "sum" (is it "ages" for "age"?); rename those that the file has by other names, and add the others; beside the columns of the model it has "ages", "town"`},
		{"a table of other columns", "ages,town\n1,2\n", Options{Schema: Schema{{Name: "a"}, {Name: "b"}, {Name: "age"}}},
			data, `in.csv: the file has none of the 3 columns of the model; is it the right one? It lacks "a", "b", "age", and has "ages", "town"`},
		{"a title above the columns of the model", "Report of June\nage,sum\n1,2\n", Options{Schema: Schema{{Name: "age"},
			{Name: "sum"}}},
			data, `in.csv:1:1: the first line is a single column, "Report of June"; remove a title above the names of the columns`},
		{"a title above the columns of the model, parted by blanks", "Report of June\nage sum\n1 2\n",
			Options{Schema: Schema{{Name: "age"}, {Name: "sum"}}},
			data, `in.csv: the file has none of the 2 columns of the model; is it the right one? It lacks "age", "sum", and has "Report of June"; remove a title above the names of the columns, and part names and cells by commas, not by blanks`},
		{"a title of one word above the columns of the model", "Report\nage;sum\n1;2\n", Options{Schema: Schema{{Name: "age"},
			{Name: "sum"}}},
			data, `in.csv:1:1: the first line is a single column, "Report"; remove a title above the names of the columns`},
		{"a table of nearly all other columns", "f,town\n1,2\n", Options{Schema: Schema{{Name: "a"}, {Name: "b"}, {Name: "c"},
			{Name: "d"}, {Name: "e"}, {Name: "f"}}},
			data, `in.csv: the file has 1 of the 6 columns of the model; is it the right one? It lacks "a", "b", "c", "d", "e", and has "f", "town"`},
		{"a title", "Report of June\nx,y\n1,a\n", Options{}, data,
			`in.csv:1:1: the first line is a single column, "Report of June"; remove a title above the names of the columns`},
		{"no line of names", "1,a\n2,b\n", Options{}, usage,
			`in.csv: no column "y" (there is "1", "a"); name the column of the labels with --target; the first line looks like a row: write a line with the names of the columns above it`},
	} {
		c.run(t)
	}
}

func TestCatalogueARead(t *testing.T) {
	schema := Schema{{Name: "a"}, {Name: "b", Kind: Categorical, Levels: []string{"p", "q"}}}
	for _, c := range []good{
		{"A7 byte-order mark", "\ufeffx,y\n1,a\n2,b\n3,a\n4,b\n", Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A8 byte-order mark before a quote", "\ufeff\"x\",y\n1,a\n2,b\n3,a\n4,b\n", Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A13 mixed line ends", "x,y\r\n1,a\n2,b\r\n3,a\n4,b\r\n", Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A14 no newline at the end", "x,y\n1,a\n2,b\n3,a\n4,b", Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A21 line break in quotes", "x,y\n1,\"a\nc\"\n2,b\n3,\"a\nc\"\n4,b\n", Options{}, "x=1,2,3,4 -> a\nc,b,a\nc,b", ""},
		{"A22 CRLF in quotes is LF", "x,y\r\n1,\"a\r\nc\"\r\n2,b\r\n3,\"a\nc\"\r\n4,b\r\n", Options{},
			"x=1,2,3,4 -> a\nc,b,a\nc,b", ""},
		{"A23 semicolons, said", "x;z;y\n1;\"2,5\";a\n2;\"1,5\";b\n3;\"2,5\";a\n4;\"2,5\";b\n", Options{Comma: ';',
			Categorical: []string{"z"}},
			"x=1,2,3,4 z(1,5|2,5)=2,5,1,5,2,5,2,5 -> a,b,a,b", ""},
		{"A23 semicolons, found", "x;z;y\n1;2,5;a\n2;1,5;b\n3;2,5;a\n4;2,5;b\n", Options{Categorical: []string{"z"}},
			"x=1,2,3,4 z(1,5|2,5)=2,5,1,5,2,5,2,5 -> a,b,a,b", ""},
		{"A23 bars, found", "x|y\n1|a\n2|b\n3|a\n4|b\n", Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A24 tabs, found", "x\ty\n1\ta\n2\tb\n3\ta\n4\tb\n", Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A27 points between thousands", rowsOf("x,y", 14, func(i int) string {
			return fmt.Sprintf("%s,%s", []string{"1.250", "-17.711", "307"}[i%3], "ab"[i%2:i%2+1])
		}), Options{},
			"x=1.25,-17.711,307,1.25,-17.711,307,1.25,-17.711,307,1.25,-17.711,307,1.25,-17.711 -> a,b,a,b,a,b,a,b,a,b,a,b,a,b",
			`in.csv: column "x": in 10 numbers a point stands before three digits, and all others are whole and below 1000; if it marks thousands, take it out`},
		{"A29 blanks around numbers", "x , y\n 1 ,a\n\t2,b\n3,a\n4 ,b\n", Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A32 names differ in case", "x,X,y\n1,5,a\n2,6,b\n3,7,a\n4,8,b\n", Options{}, "x=1,2,3,4 X=5,6,7,8 -> a,b,a,b", ""},
		{"A17 columns without name and content at the right end", "x,y,,\n1,a,,\n2,b,, \n3,a\n4,b,\n", Options{},
			"x=1,2,3,4 -> a,b,a,b", ""},
		{"A38 blank lines among several columns", "\nx,y\n1,a\n\n2,b\n3,a\r\n\r\n4,b\n\n", Options{}, "x=1,2,3,4 -> a,b,a,b",
			""},
		{"A38 a quoted empty cell in one column", "a\n1\n\"\"\n \n", Options{Schema: schema[:1]}, "a=1,_,_ ->", ""},
		{"A40 gzip by content", zipped("\ufeffx,y\n1,a\n2,b\n3,a\n4,b\n"), Options{}, "x=1,2,3,4 -> a,b,a,b", ""},
		{"A43 words that ParseFloat takes", "x,y\nnan,a\nInf,b\nInfinity,a\nInf,b\n", Options{},
			"x(Inf|Infinity|nan)=nan,Inf,Infinity,Inf -> a,b,a,b",
			`in.csv: column "x": "nan" is taken as a category; if it means that the value is not known, use --missing nan`},
		{"A43 nan listed as missing", "x,y\nnan,a\n1,b\n2,a\n3,b\n", Options{Missing: []string{"nan"}},
			"x=_,1,2,3 -> a,b,a,b", ""},
		{"A44 hexadecimal, said to be names", "x,y\n0x0,a\n0x1A,b\n0x0,a\n0x1A,b\n1_0,a\n",
			Options{Categorical: []string{"x"}, DropUnlabelled: true},
			"x(0x0|0x1A|1_0)=0x0,0x1A,0x0,0x1A,1_0 -> a,b,a,b,a", ""},
		{"A46 underflow", "x,y\n1e-400,a\n-1e-400,b\n0e-400,a\n5e-324,b\n", Options{},
			"x=0,0,0,5e-324 -> a,b,a,b", `in.csv: column "x": 2 numbers too close to 0 became 0`},
		{"A47 whole number above 2^53", "x,y\n9007199254740993,a\n9007199254740992,b\n1,a\n2,b\n", Options{},
			"x=9.007199254740992e+15,9.007199254740992e+15,1,2 -> a,b,a,b",
			`in.csv: column "x": 1 whole number above 2^53 lost digits; if the column names things, use --categorical x`},
		{"A47 with a decimal of 0", "x,y\n9007199254740993.0,a\n9007199254740992.0,b\n1.0,a\n2.0,b\n", Options{},
			"x=9.007199254740992e+15,9.007199254740992e+15,1,2 -> a,b,a,b",
			`in.csv: column "x": 1 whole number above 2^53 lost digits; if the column names things, use --categorical x`},
		{"A49 another order of columns", "b,a\nq,1\np,2\n", Options{Schema: schema}, "a=1,2 b(p|q)=q,p ->", ""},
		{"A50 extra column", "z,b,a\n9,q,1\n", Options{Schema: schema}, "a=1 b(p|q)=q ->",
			`in.csv: 1 column unknown to the model ignored: "z"`},
		{"A50 extra column, ignored", "z,b,a\n9,q,1\n", Options{Schema: schema, Strict: true, Ignore: []string{"z", "other"}},
			"a=1 b(p|q)=q ->", ""},
		{"no rows to predict", "a,b\n", Options{Schema: schema}, "a= b(p|q)= ->", ""},
	} {
		c.run(t)
	}
}

func TestA2Directory(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	_, err = ReadCSV(dir, "in.csv", Options{Target: "y"})
	var path *fs.PathError
	if !errors.As(err, &path) {
		t.Errorf("error %v does not carry the *fs.PathError of the read", err)
	}
}

// broken gives its text and then an error that is not the end of the file.
type broken struct{ text io.Reader }

var errDevice = errors.New("device error")

func (b broken) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	if err == io.EOF {
		err = errDevice
	}
	return n, err
}

func TestFailedReads(t *testing.T) {
	for _, text := range []string{"", "x,", "x,y\n1,a\n2", "x,y\n1,a\n2,\"b", "x,y\n1,a\n2,b\"", "x,y\n1,a\n"} {
		_, err := ReadCSV(broken{strings.NewReader(text)}, "in.csv", Options{Target: "y"})
		if !errors.Is(err, errDevice) || codeOf(err) != 1 {
			t.Errorf("after %q: error %v, want the one of the reader, and none of the data", text, err)
		}
	}
}

func TestA40DamagedGzip(t *testing.T) {
	whole := zipped(strings.Repeat("x,y\n1,a\n2,b\n", 1000))
	for _, c := range []struct{ name, text string }{
		{"magic alone", whole[:2]},
		{"header cut", whole[:9]},
		{"cut at once", whole[:10]},
		{"cut in the middle", whole[:len(whole)/2]},
		{"checksum cut", whole[:len(whole)-4]},
		{"checksum wrong", whole[:len(whole)-8] + "\x00" + whole[len(whole)-7:]},
		{"unknown method", "\x1f\x8b\x07" + whole[3:]},
		{"corrupt block", whole[:10] + "\xff\xff" + whole[12:]},
		{"something behind it", whole + "x,y\n1,2\n and more than a header"},
	} {
		_, err := ReadCSV(strings.NewReader(c.text), "in.csv", Options{Schema: Schema{{Name: "y", Kind: Categorical}}})
		if codeOf(err) != data || !strings.Contains(err.Error(), "the gzip data are damaged or cut short") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, cut := range []int{2, 11, len(whole) / 2} {
		_, err := ReadCSV(broken{strings.NewReader(whole[:cut])}, "in.csv", Options{Target: "y"})
		if !errors.Is(err, errDevice) || codeOf(err) != 1 {
			t.Errorf("after %d bytes of gzip: error %v, want the one of the reader", cut, err)
		}
	}
}

// endless gives a text and then the same letter for ever, counting.
type endless struct {
	start  *strings.Reader
	letter byte
	given  int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.start.Len() > 0 {
		return e.start.Read(p)
	}
	for i := range p {
		p[i] = e.letter
	}
	e.given += len(p)
	return len(p), nil
}

func TestEndlessFiles(t *testing.T) {
	for _, c := range []struct {
		name, start string
		letter      byte
		want        string
	}{
		{"A20 quote never closed", "x,y\n1,a\n2,\"", '\n',
			"in.csv:3:3: the quote opened here is not closed within 1048576 bytes; close it, or shorten the cell"},
		{"A37 endless cell", "x,y\n1,a\n2,", 'z', "in.csv:3: a cell has more than 1048576 bytes; shorten it"},
		{"A36 endless row", "x,y\n1,a\n2", ',', "in.csv:3: more than 1048576 columns; leave some out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &endless{strings.NewReader(c.start), c.letter, 0}
			_, err := ReadCSV(r, "in.csv", Options{Target: "y", Workers: 1}) // others would look further
			if codeOf(err) != limit || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if r.given > 2*maxField {
				t.Errorf("took %d bytes before it stopped", r.given)
			}
		})
	}
}

func TestLimitsOfSize(t *testing.T) {
	cell := func(n int) string { return strings.Repeat("z", n) }
	schema := Schema{{Name: "x"}}
	many := func(n int) io.Reader { return strings.NewReader(strings.Repeat(",", n-1)) }
	for _, c := range []struct {
		name string
		r    io.Reader
		o    Options
		want string
	}{
		{"largest cell", strings.NewReader("x,i\n1," + cell(maxField)), Options{Schema: schema, ID: "i"}, ""},
		{"cell too large", strings.NewReader("x,i\n1," + cell(maxField+1)), Options{Schema: schema, ID: "i"},
			"in.csv:2: a cell has more than 1048576 bytes; shorten it"},
		{"most columns", many(maxColumns), Options{Schema: schema},
			"in.csv:1:2: column 2 has no name; give it one, or remove a title above the names of the columns"},
		{"too many columns", many(maxColumns + 1), Options{Schema: schema},
			"in.csv:1: more than 1048576 columns; leave some out"},
		{"row too large", strings.NewReader("x" + strings.Repeat(","+cell(maxField), 16)), Options{Schema: schema},
			"in.csv:1: a row has more than 16777216 bytes; shorten it"},
		{"column name too long", strings.NewReader(cell(maxName+1) + ",x\n1,2\n"), Options{Schema: schema},
			"in.csv:1:1: a column name has more than 65536 bytes; shorten it"},
		{"longest column name", strings.NewReader(cell(maxName) + ",x\n1,2\n"), Options{Schema: schema}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadCSV(c.r, "in.csv", c.o)
			if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestA28WordAmongManyNumbers(t *testing.T) {
	text := rowsOf("x,y", 100000, func(i int) string {
		if i == 77776 {
			return "unknown,a"
		}
		return fmt.Sprintf("%d,%c", i, "ab"[i%2])
	})
	bad{"A28", text, Options{}, data,
		`in.csv:77778:1: column "x": mixes numbers and text: 1 of 100000 cells is not a number: "unknown" in line 77778; correct it, or use --missing unknown, --categorical x or --ignore x`}.run(t)
}

func TestA36ManyColumns(t *testing.T) {
	const columns, rows = 50000, 30 // fewer rows than in the catalogue, for the race detector
	header := make([]string, columns)
	for j := range header {
		header[j] = fmt.Sprint("x", j)
	}
	text := rowsOf(strings.Join(header, ",")+",y", rows, func(i int) string {
		return strings.Repeat(fmt.Sprint(i%7)+",",
			columns) + "ab"[i%2:i%2+1]
	})
	f, err := ReadCSV(strings.NewReader(text), "in.csv", Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Columns) != columns || f.Rows() != rows || f.Columns[columns-1].At(6) != 6 {
		t.Errorf("%d columns of %d rows", len(f.Columns), f.Rows())
	}
}

func TestMixedColumnsAreAllNamed(t *testing.T) {
	bad{"two", "a,b,y\n1,2,p\nu,3,q\n2,v w,p\n4,5,q\n", Options{}, data,
		`in.csv:3:1: column "a": mixes numbers and text: 1 of 4 cells is not a number: "u" in line 3; correct it, or use --missing u, --categorical a or --ignore a; ` +
			`1 more column is at fault, too, "b": rfpragma inspect shows the flags that mend them all`}.run(t)
	bad{"one number among words", "day,y\nMon,p\nTue,q\n0,p\n0,q\nMon,q\n", Options{}, data,
		`in.csv:4:1: column "day": mixes numbers and text: 2 of 5 cells are numbers: "0" in lines 4, 5; correct them, or use --missing day=0, --categorical day or --ignore day`}.run(t)
	good{"and it is missing", "day,y\nMon,p\nTue,q\n0,p\n0,q\nMon,q\n", Options{Missing: []string{"day=0"}},
		"day(Mon|Tue)=Mon,Tue,_,_,Mon -> p,q,p,q,q", ""}.run(t)
	bad{"numbers among words, more than five", "it's,y\nw,p\n1,q\n2,p\n3,q\n4,p\n5,q\n6,p\nr,p\ns,p\nt,p\nu,p\nv,p\nx,p\n",
		Options{}, data, `in.csv:3:1: column "it's": mixes numbers and text: 6 of 13 cells are numbers: "1" in line 3, "2" in line 4, "3" in line 5, "4" in line 6, "5" in line 7, ...; correct them, or use --categorical 'it'\''s' or --ignore 'it'\''s'`}.run(t)
	header, one, two := strings.Repeat("?,", 12), strings.Repeat("1,", 12), strings.Repeat("z,", 12)
	for j := range 12 {
		header = strings.Replace(header, "?", fmt.Sprint("c", j), 1)
	}
	_, err := ReadCSV(strings.NewReader(header+"y\n"+one+"a\n"+two+"b\n"), "in.csv", Options{Target: "y"})
	if err == nil || !strings.HasSuffix(err.Error(),
		`; 11 more columns are at fault, too, "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11": rfpragma inspect shows the flags that mend them all`) {
		t.Errorf("twelve mixed columns: %v", err)
	}
}
