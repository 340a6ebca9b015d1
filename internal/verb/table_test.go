package verb

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/table"
)

// tables has a made-up table in all forms, in the current folder: as CSV, ARFF and Parquet from
// the files of a script in dataset/parquet, and made of the first.
func tableFiles(t *testing.T) {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{"table.csv", "table.arff", "groups.parquet", "int96.parquet"} {
		b, err := os.ReadFile(filepath.Join("../../dataset/parquet/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(b)
	}
	tabs := strings.ReplaceAll(files["table.csv"], `"Rio, Brazil"`, "Rio; Brazil")
	files["table.tsv"] = strings.ReplaceAll(strings.ReplaceAll(tabs, ",", "\t"), "Rio; Brazil", "Rio, Brazil")
	files["table.arff.gz"], files["table.zst"] = gzipped(t, files["table.arff"]), zstded(t, files["table.arff"])
	files["Table.PQ"], files["noname"] = files["groups.parquet"], files["groups.parquet"]
	files["upper.arff"] = strings.ReplaceAll(files["table.arff"], "@attribute class", "@ATTRIBUTE Class")
	var sparse strings.Builder
	for i := range 40 {
		fmt.Fprintf(&sparse, "%+d %d:1 7:%d\n", i%2*2-1, 1+i%5, i%2*10+i%3)
	}
	files["sparse.svm"], files["sparse.txt"] = sparse.String(), sparse.String()
	inFolder(t, files)
}

func gzipped(t *testing.T, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstded(t *testing.T, text string) string {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A model takes rows in any form, told by the name of the file, by its content, or by the flag.
func TestTableForms(t *testing.T) {
	tableFiles(t)
	must(t, "train table.csv --categorical zip,night,town,sort --trees 10 --prefer fraud -o csv.rfp -q")
	for _, name := range []string{"table.tsv --categorical zip,night,town,sort", "table.arff", "table.arff.gz",
		"table.zst", "groups.parquet", "Table.PQ", "noname"} {
		must(t, "train "+name+" --trees 10 --prefer fraud -o other.rfp -q")
		if read(t, "other.rfp") != read(t, "csv.rfp") {
			t.Errorf("the model of %s is another than that of table.csv", name)
		}
	}
	want := must(t, "predict csv.rfp table.csv -q").stdout
	laterOf(t, "table.csv", "fewer.csv")
	must(t, "train fewer.csv --categorical zip,night,town,sort --trees 10 --prefer fraud -o fewer.rfp -q")
	judged := must(t, "evaluate fewer.rfp table.csv --format csv -q").stdout
	for _, name := range []string{"table.csv", "table.tsv", "table.arff", "table.arff.gz", "table.zst", "groups.parquet",
		"noname"} {
		if got := must(t, "predict csv.rfp "+name+" -q").stdout; got != want {
			t.Errorf("other decisions on %s", name)
		}
		if got := must(t, "evaluate fewer.rfp "+name+" --format csv -q").stdout; got != judged {
			t.Errorf("other figures on %s", name)
		}
		for _, flag := range []string{"", " --input-format " + map[bool]string{true: "parquet",
			false: "auto"}[name == "noname"]} {
			got := invoke(t, strings.NewReader(read(t, name)), split("predict csv.rfp - -q"+flag)...)
			if got.code != cli.ExitDone || got.stdout != want {
				t.Errorf("other decisions on %s from stdin: exit %d, %s", name, got.code, got.stderr)
			}
		}
	}
	look := must(t, "inspect table.csv --categorical zip,night,town,sort --format csv").stdout
	for _, name := range []string{"table.arff", "groups.parquet", "noname"} {
		if got := must(t, "inspect "+name+" --format csv").stdout; got != look {
			t.Errorf("%s looks otherwise than table.csv\n got %s\nwant %s", name, got, look)
		}
	}
	if got := must(t, "inspect upper.arff").stdout; !strings.Contains(got, "rfpragma cv upper.arff --target Class") {
		t.Errorf("the column Class is not found\n%s", got)
	}
	must(t, "importance csv.rfp groups.parquet --repeats 1 -q")
	lines := strings.SplitAfter(read(t, "table.csv"), "\n")
	write(t, "third.csv", strings.Join(lines[:len(lines)/3], ""))
	must(t, "train third.csv --categorical zip,night,town,sort --trees 10 --prefer fraud -o third.rfp -q")
	must(t, "tune third.rfp table.arff -q")
	must(t, "calibrate third.rfp table.arff -q -o later.rfp")
	must(t, "cv table.arff --trees 5 --folds 2 -q")
}

// Without --target the labels are the column class, in any case.
func TestTargetInAnyCase(t *testing.T) {
	tableFiles(t)
	must(t, "train upper.arff --trees 5 -o m.rfp -q")
	if got := invoke(t, nil, "evaluate", "m.rfp", "upper.arff"); got.code != cli.ExitData || !strings.Contains(got.stderr,
		"trained on these very rows") {
		t.Errorf("the rows of the training: exit %d\n%s", got.code, got.stderr)
	}
	for target, want := range map[string]string{"class": `no column "class" (did you mean "Class"?); name the column of the labels with --target`} {
		got := invoke(t, nil, "train", "upper.arff", "--target", target, "-o", "n.rfp")
		if got.code != cli.ExitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("--target %s: exit %d, %s", target, got.code, got.stderr)
		}
	}
	if got := table.LikeClass([]string{"Class", "CLASS"}); got != "class" {
		t.Errorf("of two columns %s is taken", got)
	}
}

// Sparse rows find the columns of the model, whatever features they have.
func TestSparseTables(t *testing.T) {
	tableFiles(t)
	must(t, "train sparse.svm --trees 10 -o m.rfp -q")
	must(t, "train sparse.txt --trees 10 -o n.rfp -q")
	if read(t, "m.rfp") != read(t, "n.rfp") {
		t.Error("told by its content it gives another model")
	}
	got := invoke(t, strings.NewReader("0 7:11\n0 9:1\n"), "predict", "m.rfp", "-", "--input-format", "libsvm")
	if got.code != cli.ExitDone || !strings.HasPrefix(strings.Split(got.stdout, "\n")[1], "1,1,") ||
		!strings.Contains(got.stderr, "1 cell of features unknown to the model left out, such as") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestTablesOfOtherFormsRefused(t *testing.T) {
	tableFiles(t)
	must(t, "train table.csv --categorical zip --trees 5 -o m.rfp -q")
	for _, c := range []refusal{
		{"unknown form", "", "train table.csv --input-format xlsx -o old.rfp", cli.ExitUsage,
			`--input-format "xlsx"; choose csv, tsv, arff, libsvm, parquet`},
		{"Parquet read as CSV", "", "train groups.parquet --input-format csv -o old.rfp", cli.ExitData,
			"groups.parquet:1:1: the file is Parquet; read it with --input-format parquet"},
		{"CSV read as ARFF", "", "train table.csv --input-format arff -o old.rfp", cli.ExitData,
			"is not a line of an ARFF header"},
		{"CSV read as Parquet", "", "train table.csv --input-format parquet -o old.rfp", cli.ExitData,
			"table.csv: the file is not Parquet: it does not begin with PAR1"},
		{"CSV read as libsvm", "", "train table.csv --input-format libsvm -o old.rfp", cli.ExitData,
			"if the file is CSV, name it .csv, or use --input-format csv"},
		{"separator of TSV", "", "train table.tsv --sep ';' -o old.rfp", cli.ExitData, "table.tsv"},
		{"timestamps", "", "train int96.parquet -o old.rfp", cli.ExitData, `column "stamp": the column holds timestamps`},
		{"no file", "", "train none.parquet -o old.rfp", cli.ExitIO, "none.parquet"},
		{"a folder", "", "train . --input-format parquet -o old.rfp", cli.ExitIO, "this is a folder; name a file in it"},
		{"votes in Parquet", "", "tune groups.parquet", cli.ExitUsage,
			"groups.parquet: a table of votes is CSV and not parquet; convert it, or correct --input-format"},
		{"votes in an unknown form", "", "tune table.csv --input-format xlsx", cli.ExitUsage,
			`--input-format "xlsx"; choose`},
		{"a model of other columns", "", "predict m.rfp sparse.svm", cli.ExitData,
			"of the 10 columns of the model; is it the right one?"},
	} {
		t.Run(c.name, func(t *testing.T) { c.refused(t) })
	}
}
