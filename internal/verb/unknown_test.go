package verb

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/view"
)

// A row of a class that the model does not know is in no figure, and is told apart from one without a label: it has
// one, and what it is decided as may be what matters most.
func TestUnknownClasses(t *testing.T) {
	trained(t)
	rows := "1,p,ill\n90,p,well\n3,p,\n"
	write(t, "one.csv", "x,kind,class\n"+rows+"91,p,sick\n")
	write(t, "more.csv", "x,kind,class\n"+strings.Repeat(rows, 3)+"91,p,sick\n92,p,\"odd,one\"\n1,p,sick\n")

	got := must(t, "evaluate model.rfp one.csv --decisions rows.csv")
	inWords(t, got.stdout, `1 without a label, 1 of class "sick", unknown to the model`)
	inWords(t, got.stderr, `warning: one.csv: column "class": 1 row of class "sick", which the model does not know, cannot be judged: it is decided "well"; where "sick" is a class of the model by another name, add --merge-labels CLASS=sick`)
	inWords(t, got.stderr, `in 1 of them "decision" is not "actual"`)
	inFile(t, "rows.csv", `(?m)^3,,ill,`, `(?m)^4,sick,well,`)

	got = must(t, "evaluate model.rfp more.csv --format json --decisions rows.jsonl")
	inWords(t, got.stderr, `3 rows of classes that the model does not know, such as "sick", "odd,one", cannot be judged: they are decided "ill" (1), "well" (2)`)
	inFile(t, "rows.jsonl", `"row":3,"actual":null,`, `"row":11,"actual":"odd,one","decision":"well",`)
	var result struct{ Data view.DataInfo }
	if err := json.Unmarshal([]byte(got.stdout), &result); err != nil {
		t.Fatal(err)
	}
	want := []view.UnknownInfo{
		{ClassInfo: view.ClassInfo{Label: "odd,one", Rows: 1, Weight: 1}, LeftOut: false, Decided: map[string]int{"well": 1}},
		{ClassInfo: view.ClassInfo{Label: "sick", Rows: 2, Weight: 2}, LeftOut: false, Decided: map[string]int{"ill": 1,
			"well": 1}},
	}
	if d := result.Data; d.Rows != 12 || d.Unlabelled != 3 || !reflect.DeepEqual(d.Unknown, want) {
		t.Errorf("data %+v, want 12 rows, 3 without a label and %+v", d, want)
	}
	inWords(t, must(t, "evaluate model.rfp more.csv").stdout, `3 without a label, 3 of classes unknown to the model`)

	for _, line := range []string{"tune model.rfp more.csv -o new.rfp", "calibrate model.rfp more.csv -o new.rfp"} {
		got = must(t, line)
		inWords(t, got.stdout, `3 without a label, 3 of classes unknown to the model`)
		inWords(t, got.stderr, `3 rows of classes that the model does not know, such as "sick", "odd,one", cannot be judged`)
		if strings.Contains(got.stderr, "left out") {
			t.Errorf("%s tells of these rows again:\n%s", line, got.stderr)
		}
		inWords(t, must(t, line+" --format json").stdout,
			`"unlabelled": 3, "unknown": [ { "class": "odd,one", "rows": 1, "weight": 1 }, { "class": "sick"`)
	}

	must(t, "report model.rfp one.csv --format json -o page.json")
	inFile(t, "page.json", `1 without a label, 1 of class \\"sick\\", unknown to the model`,
		`cannot be judged: it is decided \\"well`, `"Rows judged","value":"one.csv: 2"`)
}

// A row of a class that was left out of training has a label, and it is told what it is decided as: it is no row
// without a label, and no class by another name.
func TestLeftOutClasses(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(60) + "95,p,rare\n96,q,odd\n5,p,Pending\n"})
	const out = " --missing class=rare,odd,Pending --drop-unlabelled --prefer ill --trees 20"
	const left = `data.csv: 1 row of "odd", 1 row of "rare", 1 row without a label left out, as you asked`
	inWords(t, must(t, "train data.csv -o model.rfp"+out).stderr, left)
	inWords(t, must(t, "cv data.csv -o cv.json"+out).stderr, left)
	inWords(t, must(t, "inspect data.csv --missing class=rare,odd,Pending --drop-unlabelled").stdout,
		strings.TrimPrefix(left, "data.csv: "))
	refusal{"cv data.csv --missing class=rare", "", "cv data.csv --missing class=rare --prefer ill", cli.ExitData,
		`data.csv:62: column "class": 1 row of "rare" (line 62), which --missing is to leave out; add --drop-unlabelled`}.refused(t)

	rows := "x,kind,class\n1,p,ill\n90,p,well\n3,p,ill\n92,p,well\n"
	write(t, "later.csv", rows+"91,p,rare\n2,p,rare\n7,p,Pending\n")
	write(t, "both.csv", rows+"91,p,rare\n89,p,odd\n1,p,sick\n")
	got := must(t, "evaluate model.rfp later.csv --decisions rows.csv")
	inWords(t, got.stdout, `1 without a label, 2 of class "rare", left out of training`)
	inWords(t, got.stderr, `column "class": 2 rows are labelled "rare", a class that was left out of training, and are in no figure: they are decided "ill" (1), "well" (1)`)
	if strings.Contains(got.stderr, "another name") || strings.Contains(got.stdout, "How common each class") {
		t.Errorf("%s\n%s", got.stderr, got.stdout)
	}
	inFile(t, "rows.csv", `(?m)^5,rare,well,`, `(?m)^7,,ill,`)
	got = must(t, "evaluate model.rfp both.csv --format json")
	inWords(t, got.stdout, `"class": "rare", "rows": 1, "weight": 1, "left_out": true, "decided": { "well": 1 }`)
	inWords(t, got.stderr, `2 rows are labelled "rare", "odd", classes that were left out of training, and are in no figure: all are decided "well"`)
	inWords(t, got.stderr, `1 row of class "sick", which the model does not know, cannot be judged: it is decided "ill"; where "sick" is a class`)
	inWords(t, must(t, "calibrate model.rfp later.csv -o new.rfp").stderr,
		`2 rows are labelled "rare", a class that was left out`)
	must(t, "report model.rfp later.csv --format json -o page.json")
	inFile(t, "page.json", `labelled \\"rare\\", a class that was left out of training, and are in no figure: they are decided`)

	refusal{"figures of all rows", "", "evaluate model.rfp later.csv --withhold --expected cv.json", cli.ExitData,
		"make it with cv --withhold"}.refused(t)
	must(t, "cv data.csv --withhold -o cv-withhold.json"+out)
	must(t, "evaluate model.rfp later.csv --withhold --expected cv-withhold.json")
}

// Where so many rows are of unknown classes that they may be a tenth of the rows of a class, nothing is said of how
// common it is.
func TestUnknownShares(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 3000 -o early.csv")
	must(t, "train early.csv --prefer fraud --trees 50 -o model.rfp")
	must(t, "generate fraud --rows 3000 --seed 2 -o late.csv")
	write(t, "part.csv", strings.Replace(read(t, "late.csv"), ",ok\n", ",fine\n", 1400))
	got := must(t, "evaluate model.rfp part.csv --fail-on-drift")
	inWords(t, got.stdout, "1400 of class \"fine\", unknown to the model")
	inWords(t, must(t, "evaluate model.rfp part.csv --details").stdout, "No drift shows in recall")
	for _, not := range []string{"share of \"fraud\"", "--prevalence", "\"fraud\" 6", "drift shows in share"} {
		if strings.Contains(got.stdout+got.stderr, not) {
			t.Errorf("%s is said of shares that are not known:\n%s\n%s", not, got.stdout, got.stderr)
		}
	}
	write(t, "few.csv", strings.Replace(read(t, "late.csv"), ",ok\n", ",fine\n", 3))
	inWords(t, must(t, "evaluate model.rfp few.csv --details").stdout, "No drift shows in share,")
}

// Where most rows are of classes that the model does not know, the refusal names the way to judge them, of the verbs
// that have it.
func TestMostUnknown(t *testing.T) {
	trained(t)
	write(t, "in.csv", "x,kind,class\n1,p,sick\n90,p,sick\n3,p,well\n")
	const refused, way = `2 of 3 labels are no class of the model`,
		`or name another column with --target; where "sick" is a class of the model by another name, add --merge-labels CLASS=sick`
	for verb, has := range map[string]bool{"evaluate": true, "tune": true, "importance": false} {
		got := invoke(t, nil, verb, "model.rfp", "in.csv")
		if got.code != cli.ExitData || !strings.Contains(got.stderr, refused) || strings.Contains(got.stderr, way) != has {
			t.Errorf("%s: exit %d, %s", verb, got.code, got.stderr)
		}
	}
	must(t, "evaluate model.rfp in.csv --merge-labels ill=sick")
}

// Values in another unit are told before all else without labels, and with labels are to be looked at first.
func TestBeyondTraining(t *testing.T) {
	trained(t)
	write(t, "unit.csv", "x,kind,class\n"+strings.Repeat("1000,p,ill\n2000,p,well\n", 60))
	const want = `warning: unit.csv: column "x": 120 of 120 values are above every value of training (`
	inWords(t, must(t, "predict model.rfp unit.csv -o decided.csv").stderr, want)
	inWords(t, must(t, "predict model.rfp unit.csv --withhold -o decided.csv").stderr,
		"warning: without --withhold, of 120 rows 0 are decided as")
	got := must(t, "evaluate model.rfp unit.csv")
	inWords(t, got.stderr, want)
	inWords(t, must(t, "evaluate model.rfp unit.csv --format json").stdout, `"code": "drift.columns"`)
	must(t, "report model.rfp unit.csv --format json -o page.json")
	if text := read(t, "page.json"); strings.Count(text, "120 of 120 values") != 1 {
		t.Error("the page says it twice")
	}
}

// inWords wants a text in an output, wherever its lines end.
func inWords(t *testing.T, output, want string) {
	t.Helper()
	if !strings.Contains(strings.Join(strings.Fields(output), " "), want) {
		t.Errorf("no %s in\n%s", want, output)
	}
}

// inFile wants matches of all patterns in a file.
func inFile(t *testing.T, path string, patterns ...string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range patterns {
		if !regexp.MustCompile(p).Match(text) {
			t.Errorf("no %s in\n%s", p, text)
		}
	}
}
