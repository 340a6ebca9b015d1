package verb

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/view"
)

func TestFoldsRoundTrip(t *testing.T) {
	inFolder(t, nil)
	want := []int{2, 0, 1, 1, 0, 2, 0}
	job := &view.CVJob{Eval: eval.Config{FoldOf: want}}
	if err := writeFolds(job, "folds.csv"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, "folds.csv"); !strings.HasPrefix(got, "row,fold\n1,3\n2,1\n") {
		t.Errorf("wrote %q", got)
	}
	got, err := readFolds(strings.NewReader(read(t, "folds.csv")), "folds.csv", len(want))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	// Drawn folds are those that the cross-validation draws.
	job = &view.CVJob{Frame: dataset.Wave(30, 3, 1), Eval: eval.Config{Folds: 4, Seed: 9}}
	if err := writeFolds(job, "folds.csv"); err != nil {
		t.Fatal(err)
	}
	want, err = dataset.Folds(job.Frame, 4, 9)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readFolds(strings.NewReader(read(t, "folds.csv")), "folds.csv", 30); err != nil ||
		!cmp.Equal(want, got) {
		t.Errorf("read %v, %v, want %v", got, err, want)
	}
}

// Rows that are left out have no number: the folds that are written are those that are read, whatever stands between.
func TestFoldsOfLabelledRows(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": strings.Replace(small(30), ",ill\n", ",\n", 2)})
	line := "cv in.csv --drop-unlabelled --trees 5 --folds 3 -q --format json "
	must(t, line+"--folds-to folds.csv")
	if got := strings.Count(read(t, "folds.csv"), "\n"); got != 1+28 {
		t.Errorf("%d lines of folds, want a header and 28", got)
	}
	must(t, line+"--folds-from folds.csv --folds-to again.csv")
	if read(t, "folds.csv") != read(t, "again.csv") {
		t.Error("folds that were read are written otherwise")
	}
}

func TestFoldsFromRefused(t *testing.T) {
	files := map[string]string{
		"in.csv": small(3 * 3), "zeros.csv": strings.Repeat("\x00", 100), "large.csv": "row,fold\n1,1000000000\n",
		"head.csv": "a,b\n1,1\n", "empty.csv": "", "few.csv": "row,fold\n1,1\n2,2\n",
		"twice.csv": "row,fold\n1,1\n1,2\n", "beyond.csv": "row,fold\n10,1\n", "word.csv": "row,fold\none,1\n",
		"zero.csv": "row,fold\n1,0\n", "cells.csv": "row,fold\n1,1,1\n", "quote.csv": "row,fold\n\"1,1\n",
		"gap.csv": "row,fold\n1,1\n2,1\n3,1\n4,1\n5,3\n6,3\n7,3\n8,3\n9,3\n",
		"one.csv": "row,fold\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n8,1\n9,1\n",
	}
	line := func(name string) string { return "cv in.csv --trees 3 --folds 3 --folds-from " + name }
	runRefusals(t, files, []refusal{
		{"no file", "", line("absent.csv"), cli.ExitIO, "open absent.csv: no such file or directory"},
		{"other header", "", line("head.csv"), cli.ExitData,
			"head.csv:1: the first line is not row,fold; use a file written by --folds-to"},
		{"empty", "", line("empty.csv"), cli.ExitData, "empty.csv: the file is empty; expected a first line"},
		{"rows missing", "", line("few.csv"), cli.ExitData, "few.csv: row 3 has no fold; the data has 9 rows"},
		{"no text", "", line("zeros.csv"), cli.ExitData, "zeros.csv:1:1: there is a NUL byte"},
		{"a fold beyond", "", line("large.csv"), cli.ExitData, `large.csv:2: row "1", fold "1000000000"`},
		{"other folds each time", "", line("one.csv") + " --repeats 5", cli.ExitUsage,
			"--repeats 5 draws other folds each time, and --folds-from gives them; give one"},
		{"folds to stdout", "", "cv in.csv --folds 3 --folds-to -", cli.ExitUsage,
			"--folds-to -: the result of cv goes to stdout; name a file for the folds"},
		{"folds over the data", "", "cv in.csv --folds 3 --folds-to in.csv", cli.ExitUsage,
			`--folds-to "in.csv" is the input "in.csv"; name another file`},
		{"row twice", "", line("twice.csv"), cli.ExitData,
			`twice.csv:3: row "1", fold "2"; each of the rows 1 to 9 stands once, folds count from 1`},
		{"row beyond", "", line("beyond.csv"), cli.ExitData, `beyond.csv:2: row "10", fold "1"`},
		{"no number", "", line("word.csv"), cli.ExitData, `word.csv:2: row "one", fold "1"`},
		{"fold 0", "", line("zero.csv"), cli.ExitData, `zero.csv:2: fold 0 is of rows that cv --time does not judge`},
		{"three cells", "", line("cells.csv"), cli.ExitData, "cells.csv:2: 3 cells where the first line names 2 columns"},
		{"open quote", "", line("quote.csv"), cli.ExitData, "quote.csv:2:1: the quote opened here is never closed"},
		{"a gap", "", line("gap.csv"), cli.ExitData,
			"gap.csv: no row is in fold 2 of 3; number the folds from 1 without a gap"},
		{"one fold", "", line("one.csv"), cli.ExitData, "one.csv: all rows are in fold 1; at least two folds are needed"},
	})
}

// A byte-order mark, blanks and line ends of Windows do not hurt.
func TestFoldsAsOthersSaveThem(t *testing.T) {
	got, err := readFolds(strings.NewReader("\ufeffrow,fold\r\n2, 1\r\n1,2\r\n"), "folds.csv", 2)
	if want := []int{1, 0}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
