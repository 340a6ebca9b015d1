package verb

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/pragma"
)

// A: text tables that no model can be trained on. The old model stays as it is.
func TestTablesRefused(t *testing.T) {
	const good = "x,kind,class\n1,p,ill\n2,q,well\n"
	runRefusals(t, nil, []refusal{
		{"A1 no file", good, "train absent.csv --trees 5 -o old.rfp", cli.ExitIO,
			"open absent.csv: no such file or directory"},
		{"A2 a folder", good, "train . --trees 5 -o old.rfp", cli.ExitIO, "read .: this is a folder; name a file in it"},
		{"A5 header only", "x,kind,class\n", "", cli.ExitData, "in.csv: no rows; add at least one"},
		{"A6 blank lines", "\n\n\n", "", cli.ExitData, "in.csv: the file is empty"},
		{"A9 UTF-16", "\xff\xfex\x00,\x00", "", cli.ExitData, "in.csv:1:1: the file is UTF-16; save it as UTF-8"},
		{"A10 Latin-1", "x,class\n1,caf\xe9\n", "", cli.ExitData, "in.csv:2:6: byte 0xE9 is not UTF-8"},
		{"A11 NUL byte", "x,class\n1,a\x00\n", "", cli.ExitData, "in.csv:2:4: there is a NUL byte"},
		{"A12 old Mac", "x,class\r1,a\r2,b\r", "", cli.ExitData,
			"in.csv:1:8: there is a carriage return without a line feed"},
		{"A15 too few cells", good + "3,p\n", "", cli.ExitData, "in.csv:4: 2 cells where the first line names 3 columns"},
		{"A16 too many cells", good + "3,p,ill,9\n", "", cli.ExitData,
			"in.csv:4: 4 cells where the first line names 3 columns; correct the line"},
		// A17, A18: empty cells to the right of all names are passed over, see TestTablesAlike, as spreadsheets write them.
		{"A17 content in a column without a name", "x,class,\n1,a,\n2,b,c\n", "", cli.ExitData,
			`in.csv:3:5: column 3 has no name, but "c" stands in it`},
		{"A18 content beside commas on some rows", good + "3,p,ill,,\n4,q,well,,r\n", "", cli.ExitData,
			"in.csv:5: 5 cells where the first line names 3 columns; correct the line"},
		{"A18 comma on all rows", "x,class\n1,a,\n2,b,\n", "", cli.ExitData,
			"put a separator at the beginning of the first line if the rows begin with names, else at its end"},
		{"A19 bare quote", good + "3,p\"q,ill\n", "", cli.ExitData,
			"in.csv:4:4: a quote stands inside a cell that does not begin with one; quote the whole cell and write the quote " +
				"twice"},
		{"A20 open quote", good + "3,\"p,ill\n4,q,well\n", "", cli.ExitData,
			"in.csv:4:3: the quote opened here is never closed"},
		{"A21 lines counted through a quoted break", "x,kind,class\n1,\"p\nq\",ill\n2,r\n", "", cli.ExitData,
			"in.csv:4: 2 cells"},
		// A23, A24: the separator is found, see TestTablesAlike; there is something to hint at only where another one is
		// asked for.
		{"A23 semicolons, but commas are said", strings.ReplaceAll(good, ",", ";"), "train in.csv --sep , -o old.rfp",
			cli.ExitData, "use --sep ';'"},
		{"A23 semicolons or commas", strings.ReplaceAll(good, ",", ",;"), "", cli.ExitData,
			"in.csv:1: cells may be separated by ',' or ';'; choose one with --sep"},
		{"A24 tabs, but commas are said", strings.ReplaceAll(good, ",", "\t"), "train in.csv --sep , -o old.rfp",
			cli.ExitData, "use --sep tab"},
		{"A25 blank before a quote", "x,kind,class\n1, \"p,q\",ill\n", "", cli.ExitData,
			"in.csv:2:4: a blank stands before the quote that opens a cell; remove the blank"},
		{"A26 decimal comma", "x,class\n\"3,14\",a\n\"2,71\",b\n", "", cli.ExitData,
			"look like numbers but are not written as such"},
		{"A27 thousands", "x,class\n\"1,234\",a\n5,b\n", "", cli.ExitData,
			"use --decimal ','; else write it with plain digits and a decimal point"},
		{"A28 a word among numbers", "x,class\n1,a\n2,b\nunknown,a\n", "", cli.ExitData, "--missing unknown"},
		{"A30 two columns of one name", "x,x,class\n1,2,a\n", "", cli.ExitData, "columns 1 and 2 are both named \"x\""},
		{"A31 no name", "x,,class\n1,2,a\n", "", cli.ExitData, "column 2 has no name"},
		{"A33 no target", good, "train in.csv --target clas -o old.rfp", cli.ExitUsage,
			"no column \"clas\" (did you mean \"class\"?); name the column of the labels with --target"},
		{"A34 only the target", "class\na\nb\n", "", cli.ExitData, "no features left"},
		{"A35 target ignored", good, "train in.csv --ignore class -o old.rfp", cli.ExitUsage,
			"named by --target and by --ignore"},
		{"A37 endless cell", "x,class\n" + strings.Repeat("9", 1<<20+1) + ",a\n", "", cli.ExitLimit,
			"in.csv:2: a cell has more than"},
		// A39: there is no flag for comments: a line that begins with # may be data.
		{"A39 comment", "# made today\nx,class\n1,a\n", "", cli.ExitData,
			"lines that begin with # are not taken as comments, remove them"},
		{"A42 cut in a row", good + "3,p", "train - --trees 5 -o old.rfp", cli.ExitData,
			"stdin:4: 2 cells where the first line names 3 columns; correct the line, or see whether the file is cut short"},
		{"A44 hexadecimal", "x,class\n1,a\n0x1p-2,b\n", "", cli.ExitData,
			`in.csv:3:1: column "x": mixes numbers and what looks like numbers: 1 of 2 cells: "0x1p-2" in line 3`},
		{"A44 hexadecimal in all rows", "x,class\n0x1,a\n0x8,b\n", "", cli.ExitData,
			`in.csv:2:1: column "x": 2 of 2 cells look like numbers but are not written as such: "0x1" in line 2, "0x8" in line 3; write them with plain digits and a decimal point, or use --categorical x`},
		{"A44 underscores in all rows", "x,class\n1_000,a\n2_000,b\n", "", cli.ExitData,
			`"1_000" in line 2, "2_000" in line 3; write them with plain digits and a decimal point, or use --categorical x`},
		{"A45 too large", "x,class\n1e400,a\n2,b\n", "", cli.ExitData,
			"in.csv:2:1: column \"x\": \"1e400\" is too large for a number"},
		{"A48 other digits", "x,class\n1,a\n٣,b\n", "", cli.ExitData, "(U+0663)"},
		{"G139 infinite", "x,class\n1,a\nInf,b\n", "", cli.ExitData, "\"Inf\""},
		{"damaged gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00", "", cli.ExitData, "the gzip data are damaged or cut short"},
		{"separator of two letters", good, "train in.csv --sep ,, -o old.rfp", cli.ExitUsage,
			"--sep \",,\" is not one character"},
	})
}

// A4: a file of no bytes. In refusal an empty text means no file is written.
func TestEmptyFile(t *testing.T) {
	runRefusals(t, map[string]string{"in.csv": ""}, []refusal{
		{"A4 train", "", trainLine, cli.ExitData,
			"in.csv: the file is empty; expected a first line with the names of the columns"},
		{"A4 stdin", "", "cv -", cli.ExitData, "stdin: the file is empty"},
		{"A4 tune", "", "tune in.csv", cli.ExitData, "in.csv: the file is empty"},
	})
}

// A3: root may read every file but some of the kernel's, which are for writing alone.
func TestNoPermission(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": small(30)})
	if err := os.Chmod("in.csv", 0); err != nil {
		t.Fatal(err)
	}
	path := "in.csv"
	if os.Geteuid() == 0 {
		path = "/proc/sys/vm/compact_memory"
	}
	if _, err := os.ReadFile(path); !errors.Is(err, os.ErrPermission) {
		t.Skipf("nothing here may not be read: %v", err)
	}
	if got := invoke(t, nil, "cv", path); got.code != cli.ExitIO || !strings.Contains(got.stderr, "open "+path+
		": permission denied") || got.stdout != "" {
		t.Errorf("A3: exit %d, %s", got.code, got.stderr)
	}
}

// A: forms of one table that give the same model, byte by byte.
func TestTablesAlike(t *testing.T) {
	plain := small(30)
	inFolder(t, map[string]string{"in.csv": plain})
	must(t, "train in.csv --trees 5 --prefer ill -o want.rfp")
	want := read(t, "want.rfp")

	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(plain))
	z.Close()
	lines := strings.SplitAfter(plain, "\n")
	for i := range lines {
		if i%2 == 0 {
			lines[i] = strings.TrimSuffix(lines[i], "\n") + "\r\n"
		}
	}
	for _, tc := range []struct{ name, text, flags string }{
		{"A7 byte-order mark", "\ufeff" + plain, ""},
		{"A8 byte-order mark before a quote", "\ufeff\"x\"" + plain[1:], ""},
		{"A13 mixed line ends", strings.TrimSuffix(strings.Join(lines, ""), "\r\n") + "\n", ""},
		{"A14 no last line end", strings.TrimSuffix(plain, "\n"), ""},
		{"A17 commas on all rows", strings.ReplaceAll(plain, "\n", ",\n"), ""},
		{"A18 commas on some rows", strings.Replace(plain, "ill\n", "ill,,\n", 3), ""},
		{"A23 semicolons, some at the end", strings.Replace(strings.ReplaceAll(plain, ",", ";"), "ill\n", "ill;;;\n", 3), ""},
		{"A24 tabs, some at the end", strings.Replace(strings.ReplaceAll(plain, ",", "\t"), "ill\n", "ill\t\n", 3), ""},
		{"A23 semicolons", strings.ReplaceAll(plain, ",", ";"), "--sep ;"},
		{"A23 semicolons, found", strings.ReplaceAll(plain, ",", ";"), ""},
		{"A24 tabs", strings.ReplaceAll(plain, ",", "\t"), "--sep tab"},
		{"A24 tabs, found", strings.ReplaceAll(plain, ",", "\t"), ""},
		{"A29 blanks around cells", strings.ReplaceAll(plain, ",", " , "), ""},
		{"A40 gzip under another name", packed.String(), ""},
	} {
		write(t, "in.csv", tc.text)
		must(t, "train in.csv --trees 5 --prefer ill -o got.rfp "+tc.flags)
		if got := read(t, "got.rfp"); got != want {
			t.Errorf("%s: the model differs", tc.name)
		}
	}
}

// A, D, G: what is read, but with a word on stderr.
func TestTablesDoubtful(t *testing.T) {
	inFolder(t, nil)
	body := strings.TrimPrefix(small(30), "x,kind,class\n")
	with := func(header string, cell func(i int, label string) string) string {
		var b strings.Builder
		b.WriteString(header + ",x,kind,class\n")
		for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
			fmt.Fprintf(&b, "%s,%s\n", cell(i, line[strings.LastIndex(line, ",")+1:]), line)
		}
		return b.String()
	}
	constant := func(text string) func(int, string) string { return func(int, string) string { return text } }
	for _, tc := range []struct{ name, text, flags, want string }{
		{"A32 names that differ in case", with("X", func(i int, _ string) string { return fmt.Sprint(i) }), "", ""},
		{"A43 words that parse as numbers", with("name", func(i int, _ string) string {
			return []string{"nan", "Inf",
				"Infinity"}[i%3]
		}), "", `column "name": "nan" is taken as a category; if it means that the value is not known, use --missing nan`},
		{"A46 too small", with("s", func(i int, _ string) string { return fmt.Sprintf("%de-400", i+1) }), "",
			"too close to 0 became 0"},
		{"A47 above 2^53", with("n", func(i int, _ string) string { return fmt.Sprintf("90071992547409%02d", i+93) }), "",
			"above 2^53 lost digits"},
		{"D95 blanks around labels", strings.Replace(small(30), ",ill\n", ", ill\n", 1), "",
			"blanks around the label removed in 1 row"},
		{"D96 labels that differ in case", strings.Replace(small(30), ",well\n", ",Well\n", 3), "",
			`the classes "Well", "well" differ in case only and are kept apart; if they mean the same, use --merge-labels 'well=Well,well'`},
		{"D94 rows without a label", strings.Replace(small(30), ",ill\n", ",\n", 2), "--drop-unlabelled",
			"2 rows without a label left out"},
		// D100: a copy in other letters or as 1 and 0 is not the label; as any column that alone tells a class it is
		// warned of from a hundred rows on either side on (dataset.TellsWarning); inspect says so of any number of rows.
		{"D100 the label twice", with("copy", func(_ int, label string) string { return label }), "",
			`gives the answer away; use --ignore copy`},
		{"E109 one level", with("same", constant("a")), "", `column "same" is the same in every row and cannot help`},
		{"E110 a level for each row", with("name", func(i int, _ string) string { return fmt.Sprintf("n%d", i) }), "",
			"a different category in every row, as names do"},
		{"E117 NA is a level", with("land", func(i int, _ string) string { return []string{"NA", "DE"}[i%2] }), "",
			`"NA" is taken as a category; if it means that the value is not known, use --missing NA`},
		{"G145 constant", with("same", constant("7")), "", `column "same" is the same in every row and cannot help`},
		{"G147 never filled", with("void", constant("")), "", `column "void" has no value in any row and cannot help`},
		{"G150 extreme numbers", with("wide", func(i int, _ string) string {
			return []string{"1e-300", "1e300",
				"-1e300"}[i%3]
		}), "", ""},
		{"G143 denormal and zeros", with("tiny", func(i int, _ string) string {
			return []string{"5e-324", "0",
				"-0.0"}[i%3]
		}), "", ""},
		{"G141 the largest numbers", with("huge", func(i int, _ string) string {
			return []string{"1.7976931348623157e308", "-1.7976931348623157e308", "1.7976931348623155e308"}[i%3]
		}), "", ""},
		{"H165 a class that does not count", small(30), "--prefer 'well:theta=0,x=0.1,y=0.1'",
			`class "well" has theta = 0: it does not count, and may never be predicted`},
		{"I205 leaf larger than the data", small(30), "--min-leaf 500",
			"no tree has a split, so that all rows are decided alike"},
	} {
		write(t, "in.csv", tc.text)
		got := must(t, "train in.csv --trees 5 -o m.rfp "+tc.flags)
		if stored := read(t, "m.rfp"); strings.HasPrefix(tc.name, "A32") && (!strings.Contains(stored, `{"name":"X",`) ||
			!strings.Contains(stored, `{"name":"x",`)) {
			t.Errorf("%s: the model does not have both", tc.name)
		}
		if !strings.Contains(got.stderr, tc.want) {
			t.Errorf("%s: stderr lacks %q:\n%s", tc.name, tc.want, got.stderr)
		}
		rows := strings.Count(strings.TrimSpace(tc.text), "\n")
		decided := must(t, "predict m.rfp in.csv")
		if n := strings.Count(decided.stdout, "\n") - 1; n != rows {
			t.Errorf("P401 %s: %d rows decided of %d", tc.name, n, rows)
		}
	}
}

// D: labels.
func TestLabels(t *testing.T) {
	numbers, many := "x,class\n", "x,class\n"
	for i := range 5000 {
		numbers += fmt.Sprintf("%d,%d.25\n", i, i)
	}
	var classes strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&classes, "%d,c%d\n", i, i)
	}
	many += classes.String()
	runRefusals(t, nil, []refusal{
		{"D94 no label", strings.Replace(small(30), ",ill\n", ",\n", 2), "", cli.ExitData,
			"2 rows without a label (lines 2, 5); fill them, or leave such rows out with --drop-unlabelled"},
		{"D97 a quantity", numbers, "", cli.ExitData, "5000 different numbers look like a number to predict"},
		{"D98 no label", "x,class\n1,NaN\n2,a\n3,b\n", "train in.csv --missing NaN -o old.rfp", cli.ExitData,
			`in.csv:2: column "class": 1 row without a label (line 2); give it one, or leave it out with --drop-unlabelled if it is empty or a total`},
		{"D99 the label is no feature", small(30), "train in.csv --categorical class -o old.rfp", cli.ExitUsage,
			"named by --target and by --categorical"},
		{"D102 a label of a megabyte", "x,class\n1," + strings.Repeat("a", 1<<20) + "\n2,b\n", "", cli.ExitLimit,
			"a label has more than 65536 bytes"},
		// D104: the limit is 1000 classes; more labels are counted, up to what a column may hold, to say how many there are.
		{"D104 too many classes", many, "", cli.ExitLimit, "more than 65535 classes, where 1000 are the most"},
		{"E116 a category of a megabyte", "k,class\n" + strings.Repeat("a", 1<<20) + ",a\nb,b\n", "", cli.ExitLimit,
			"a category has more than 65536 bytes"},
	})
	// D101, D103, D105: any text is a label, and comes out as it went in.
	for _, label := range []string{`a,b`, `say "yes"`, "two\nlines", "<script>alert(1)</script>", "NA", "=1+1",
		"\x1b[31mred", "\u202eyrevo", "--prefer", "-x"} {
		cell := `"` + strings.ReplaceAll(label, `"`, `""`) + `"`
		write(t, "in.csv", strings.ReplaceAll(small(30), ",ill\n", ","+cell+"\n"))
		prefs, err := json.Marshal(map[string]pragma.Preference{label: {Theta: 10, X: 0.2, Y: 0.6}})
		if err != nil {
			t.Fatal(err)
		}
		write(t, "prefs.json", string(prefs))
		shown := must(t, "train in.csv --trees 5 --prefer-file prefs.json -o m.rfp")
		var stored struct{ Preferences map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(must(t, "inspect m.rfp --format json").stdout), &stored); err != nil ||
			stored.Preferences[label] == nil {
			t.Errorf("D101 label %q: %v, preferences %v", label, err, stored.Preferences)
		}
		if found := must(t, "inspect in.csv"); strings.ContainsAny(found.stdout, "\x1b\u202e") {
			t.Errorf("D103 label %q: looked at, it is %q", label, found.stdout)
		}
		var looked struct{ Next string }
		if err := json.Unmarshal([]byte(must(t, "inspect in.csv --format json").stdout), &looked); err != nil {
			t.Fatal(err)
		}
		if next, ok := strings.CutPrefix(looked.Next, "rfpragma "); !ok {
			t.Errorf("D101 label %q: next is %q", label, looked.Next)
		} else if !strings.HasSuffix(next, "--prefer CLASS") { // nobody can type a label with control characters
			must(t, next, "--trees", "3", "--folds", "2")
		}
		if strings.ContainsAny(shown.stdout+shown.stderr, "\x1b\u202e") {
			t.Errorf("D103 label %q steers the terminal: %q", label, shown.stdout)
		}
		must(t, "predict m.rfp in.csv -o out.csv")
		if n := strings.Count(read(t, "out.csv"), ","+strings.TrimPrefix(fmt.Sprintf("%s,", quoteCSV(label)), ",")); n < 5 {
			t.Errorf("D101 label %q: found as a decision %d times in\n%.400s", label, n, read(t, "out.csv"))
		}
		// P405: our own reader takes the output for a table.
		must(t, "train out.csv --trees 3 --target decision --ignore row -o again.rfp")
	}
}

// quoteCSV writes a cell as encoding/csv does.
func quoteCSV(cell string) string {
	if !strings.ContainsAny(cell, ",\"\n") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}
