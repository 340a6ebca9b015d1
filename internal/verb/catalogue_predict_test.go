package verb

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/predictions"
)

// trained puts model.rfp, of 10 trees on small(60), into a new folder.
func trained(t *testing.T) {
	t.Helper()
	inFolder(t, map[string]string{"data.csv": small(60)})
	must(t, "train data.csv --trees 10 --prefer ill:priority -o model.rfp")
}

const predictLine = "predict model.rfp in.csv -o old.csv"

// A, E, G: rows that a model cannot decide. The old decisions stay as they are.
func TestRowsRefused(t *testing.T) {
	trained(t)
	write(t, "old.csv", "older decisions")
	for _, c := range []refusal{
		{"A51 a column is missing", "x\n1\n", predictLine, cli.ExitData,
			`in.csv: the file lacks 1 column of the model: "kind"; add what is missing`},
		{"A51 the case of a name, strictly", "x,Kind\n1,p\n", predictLine + " --strict", cli.ExitData,
			`lacks 1 column of the model: "kind" (did you mean "Kind"?); rename it if the file has it by another name, else add it; beside the columns of the model it has "Kind"`},
		{"F133 the case of a label", "x,kind,class\n1,p,Ill\n", "evaluate model.rfp in.csv", cli.ExitData,
			`1 of 1 label is no class of the model, which has "ill", "well": such as "Ill" (did you mean "ill"?); correct the labels`},
		{"A51 all are missing", "a,b\n1,2\n", predictLine, cli.ExitData,
			`in.csv: the file has none of the 2 columns of the model; is it the right one? It lacks "x", "kind", and has "a", "b"`},
		{"A50 an extra column, strictly", "x,kind,z\n1,p,3\n", predictLine + " --strict", cli.ExitData,
			`1 column unknown to the model: "z"`},
		{"E112 text in a numeric column", "x,kind\n1,p\nmuch,q\n", predictLine, cli.ExitData,
			`in.csv:3:1: column "x": 1 of 2 cells is not a number, as the model needs: "much" in line 3`},
		{"G140 infinite", "x,kind\nInf,p\n", predictLine, cli.ExitData,
			`column "x": 1 of 1 cell is not a number, as the model needs: "Inf" in line 2`},
		{"A45 too large", "x,kind\n1e999,p\n", predictLine, cli.ExitData, `column "x": "1e999" is too large for a number`},
		{"A42 cut", "x,kind\n1,p\n2", "predict model.rfp - -o old.csv", cli.ExitData,
			"stdin:3: 1 cell where the first line names 2 columns"},
		{"A2 a folder", "", "predict model.rfp . -o old.csv", cli.ExitIO, "read .: this is a folder; name a file in it"},
		{"A1 absent", "", "predict model.rfp absent.csv -o old.csv", cli.ExitIO, "no such file"},
		{"no such id", "x,kind\n1,p\n", predictLine + " --id name", cli.ExitUsage, `no column "name" for --id`},
		{"I215 empty output", "x,kind\n1,p\n", "predict model.rfp in.csv -o ''", cli.ExitUsage,
			"--output is empty; name a file, or - for stdout"},
		{"the output without its flag", "x,kind\n1,p\n", "predict model.rfp in.csv out.csv", cli.ExitUsage,
			`predict takes MODEL.rfp DATA, and "out.csv" is more than that; to write the result to it, add --output out.csv`},
		{"one table too many", "x,kind\n1,p\n", "predict model.rfp in.csv data.csv", cli.ExitUsage,
			`predict takes MODEL.rfp DATA, 3 given`},
		{"no data", "", "predict model.rfp", cli.ExitUsage, "predict takes MODEL.rfp DATA, 1 given"},
		{"evaluate without labels", "x,kind\n1,p\n", "evaluate model.rfp in.csv", cli.ExitData,
			`in.csv has no labels: there is no column "class"`},
		{"report without labels", "x,kind\n1,p\n", "report model.rfp in.csv -o page.html", cli.ExitData,
			"rows without labels are for rfpragma predict; before any truth is known cv DATA --report FILE makes such a page"},
		{"evaluate without rows", "x,kind,class\n", "evaluate model.rfp in.csv", cli.ExitData,
			"in.csv: there are no rows, only the names of columns; look whether this is the right file"},
		{"F133 only strange labels", "x,kind,class\n1,p,sick\n", "evaluate model.rfp in.csv", cli.ExitData,
			`1 of 1 label is no class of the model, which has "ill", "well": such as "sick"; correct`},
		{"F133 no labels yet", "x,kind,class\n1,p,\n2,p,\n3,q,ill\n", "evaluate model.rfp in.csv", cli.ExitData,
			"2 of 3 rows are without a label and cannot be judged; fill them, or leave such rows out with --drop-unlabelled"},
		{"F133 no labels, whatever", "x,kind,class\n1,p,\n", "evaluate model.rfp in.csv --drop-unlabelled", cli.ExitData,
			`check that column "class" holds labels such as "ill", "well"`},
		{"E107 nothing known of any row", "kind,x\n" + strings.Repeat("r,\n", 10), predictLine, cli.ExitData,
			"in.csv: 10 of 10 rows are without a value that the model knows in any of its 2 columns"},
	} {
		t.Run(c.name, c.refused)
	}
}

// A model, trees or votes in the place of a table are told by how they begin.
func TestStoredIsNoTable(t *testing.T) {
	trained(t)
	must(t, "grow data.csv --trees 4 -o trees.part -q")
	must(t, "tally trees.part data.csv -o votes.part -q")
	for _, c := range []struct{ line, want string }{
		{"tune model.rfp --prefer ill",
			"model.rfp: this is a model and no table of rows; tune takes VOTES.csv, or MODEL.rfp DATA"},
		{"train model.rfp -o other.rfp", "model.rfp: this is a model and no table of rows; train takes DATA"},
		{"cv trees.part", "trees.part: this is the trees of a part and no table of rows; cv takes"},
		{"evaluate model.rfp model.rfp", "model.rfp: this is a model and no table of rows; evaluate takes"},
		{"predict model.rfp votes.part",
			"votes.part: this is a file of votes and no table of rows; predict takes MODEL.rfp DATA"},
		{"calibrate model.rfp", "model.rfp: this is a model and no table of rows; calibrate takes"},
	} {
		if got := invoke(t, nil, strings.Fields(c.line)...); got.code != cli.ExitUsage || !strings.Contains(got.stderr,
			c.want) {
			t.Errorf("%s: exit %d, %s; want %s", c.line, got.code, got.stderr, c.want)
		}
	}
}

// Files that stand in each other's place are told.
func TestSwapped(t *testing.T) {
	trained(t)
	write(t, "my data.csv", read(t, "data.csv"))
	write(t, "scores.csv", "class,score\nill,2\nwell,1\nill,3\nwell,0\nill,1\nwell,2\n")
	must(t, "calibrate scores.csv --positive ill -o map.json")
	for line, want := range map[string]string{
		"predict 'my data.csv' model.rfp": "model.rfp is the model, and stands second: the files are swapped; write " +
			"rfpragma predict model.rfp 'my data.csv'",
		"predict - model.rfp":                   "write rfpragma predict model.rfp -",
		"evaluate data.csv model.rfp":           "write rfpragma evaluate model.rfp data.csv",
		"importance data.csv model.rfp":         "write rfpragma importance model.rfp data.csv",
		"report data.csv model.rfp -o r.html":   "write rfpragma report model.rfp data.csv",
		"tune data.csv model.rfp":               "write rfpragma tune model.rfp data.csv",
		"calibrate data.csv model.rfp -o n.rfp": "write rfpragma calibrate model.rfp data.csv",
		"calibrate scores.csv map.json": "map.json is the map, and stands second: the files are swapped; write " +
			"rfpragma calibrate map.json scores.csv",
		"predict data.csv data.csv": "model file: this is not a model",
	} {
		if got := invoke(t, nil, split(line)...); !strings.Contains(got.stderr, want) || got.code != cli.ExitUsage &&
			got.code != cli.ExitModel {
			t.Errorf("%s: exit %d, %s; want %s", line, got.code, got.stderr, want)
		}
	}
}

// Nothing is written before a row is decided.
func TestPredictWritesNoHeaderAlone(t *testing.T) {
	trained(t)
	write(t, "bad.csv", "x,kind\n4o,p\n")
	if got := invoke(t, nil, "predict", "model.rfp", "bad.csv"); got.code != cli.ExitData || got.stdout != "" {
		t.Errorf("exit %d, %q is written\n%s", got.code, got.stdout, got.stderr)
	}
	write(t, "none.csv", "x,kind\n")
	if got := must(t, "predict model.rfp none.csv"); !strings.HasPrefix(got.stdout, "row,decision,") ||
		strings.Count(got.stdout, "\n") != 1 {
		t.Errorf("of no rows %q is written", got.stdout)
	}
}

// E: cells the model has not seen decide by a rule, and are counted.
func TestRowsDoubtful(t *testing.T) {
	trained(t)
	for _, tc := range []struct {
		name, text, flags, want string
		rows                    int
	}{
		{"E106 unseen category", "x,kind\n1,r\n2,p\n", "",
			`column "kind": 1 cell of a category unseen in training taken as missing: "r" in line 2`, 2},
		{"E107 all unseen", "kind,x\nr,\ns,\np,3\nq,4\n", "", `2 cells of categories unseen`, 4},
		{"E113 numbers for categories", "x,kind\n1,3\n2,4.5\n", "", `2 cells of categories unseen`, 2},
		{"E114 E119 G149 missing cells", "x,kind\n,p\n3,\n,\n", "", "3 rows decided", 3},
		{"E117 a missing word", "x,kind\nNA,p\n", "--missing NA", "1 row decided", 1},
		{"A38 a blank line", "x,kind\n1,p\n\n2,q\n", "", "2 rows decided", 2},
		{"A50 an extra column", "x,kind,note\n1,p,a\n", "", `1 column unknown to the model ignored: "note"`, 1},
		{"P402 the label is there", "class,x,kind\nill,1,p\n,2,q\n", "", "2 rows decided", 2},
		{"P407 no rows", "x,kind\n", "",
			"warning: in.csv: there are no rows, only the names of columns; look whether this is the right file\n0 rows " +
				"decided.\n", 0},
	} {
		write(t, "in.csv", tc.text)
		got := must(t, "predict model.rfp in.csv "+tc.flags)
		if !strings.Contains(got.stderr, tc.want) {
			t.Errorf("%s: stderr lacks %q:\n%s", tc.name, tc.want, got.stderr)
		}
		if n := strings.Count(got.stdout, "\n") - 1; n != tc.rows {
			t.Errorf("P401 %s: %d rows decided, want %d", tc.name, n, tc.rows)
		}
	}
}

// A file of one column may not hold a blank line, which could be a row (A38).
func TestOneColumn(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": "x,class\n1,a\n2,a\n3,b\n4,b\n", "in.csv": "x\n1\n\n3\n"})
	must(t, "train data.csv --trees 5 -o m.rfp")
	got := invoke(t, nil, "predict", "m.rfp", "in.csv")
	if got.code != cli.ExitData || !strings.Contains(got.stderr, `in.csv:3: the line is blank, which is ambiguous`) {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
}

// E108, E111, E115: any number of levels, in any order, predicts alike.
func TestLevels(t *testing.T) {
	for _, levels := range []int{63, 64, 65, 1000} {
		var rows []string
		for i := range 2 * levels {
			rows = append(rows, fmt.Sprintf("L%d,%s", i%levels, []string{"a", "b"}[i%levels%2]))
		}
		inFolder(t, map[string]string{"in.csv": "k,class\n" + strings.Join(rows, "\n") + "\n"})
		must(t, "train in.csv --trees 5 -o m.rfp --votes oob")
		forward := column(must(t, "predict m.rfp in.csv").stdout, 1)
		slices.Reverse(rows)
		write(t, "in.csv", "k,class\n"+strings.Join(rows, "\n")+"\n")
		backward := column(must(t, "predict m.rfp in.csv").stdout, 1)
		slices.Reverse(backward)
		if !slices.Equal(forward, backward) {
			t.Errorf("E115 P404 %d levels: the order of the rows changes the decisions", levels)
		}
		right := 0
		for i, class := range forward {
			if class == []string{"a", "b"}[i%levels%2] {
				right++
			}
		}
		if right < len(forward)*6/10 {
			t.Errorf("E108 %d levels: %d of %d training rows decided right", levels, right, len(forward))
		}
	}
}

// P403: rows decide alike alone and together, as CSV and as JSON, on any number of threads.
// G160: probabilities lie in [0, 1] and add up to 1.
func TestRowsAlike(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate wave --rows 120 -o data.csv")
	must(t, "train data.csv --trees 10 -o model.rfp")
	must(t, "generate wave --rows 50 --seed 9 -o in.csv")
	lines := strings.SplitAfter(read(t, "in.csv"), "\n")
	all := must(t, "predict model.rfp in.csv").stdout
	if one := must(t, "predict model.rfp in.csv --threads 1").stdout; one != all {
		t.Error("one thread decides otherwise")
	}
	records := strings.Split(strings.TrimSpace(must(t, "predict model.rfp in.csv --format json").stdout), "\n")
	for i, line := range strings.Split(strings.TrimSpace(all), "\n")[1:] {
		_, cells, _ := strings.Cut(line, ",")
		write(t, "one.csv", lines[0]+lines[i+1])
		if single := must(t, "predict model.rfp one.csv").stdout; !strings.HasSuffix(single, "\n1,"+cells+"\n") {
			t.Errorf("row %d alone is %s, among others %s", i+1, single, cells)
		}
		sameRecord(t, records[i], strings.Split(line, ","))
	}
}

func sameRecord(t *testing.T, record string, cells []string) {
	t.Helper()
	var got struct {
		Row           json.Number
		Decision      string
		Probabilities map[string]float64
		Votes         map[string]int
	}
	if err := json.Unmarshal([]byte(record), &got); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for c, class := range []string{"1", "2", "3"} {
		p := got.Probabilities[class]
		if cells[2+c] != string(predictions.AppendProbability(nil, p)) || p < 0 || p > 1 ||
			cells[5+c] != fmt.Sprint(got.Votes[class]) {
			t.Errorf("row %s: CSV %v, JSON %s", cells[0], cells, record)
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-12 || got.Row.String() != cells[0] || got.Decision != cells[1] {
		t.Errorf("row %s: CSV %v, JSON %s (sum %v)", cells[0], cells, record, sum)
	}
}

// J: what is no model is refused by every verb that reads one, and quickly.
func TestModelsRefused(t *testing.T) {
	trained(t)
	model := read(t, "model.rfp")
	write(t, "in.csv", small(10))
	write(t, "old.csv", "older decisions")
	changed := func(at int, b byte) string {
		c := []byte(model)
		c[at] = b
		return string(c)
	}
	repaired := func(old, with string) string { // with a checksum that fits
		b := []byte(strings.Replace(model[:len(model)-sha256.Size], old, with, 1))
		sum := sha256.Sum256(b)
		return string(append(b, sum[:]...))
	}
	for _, tc := range []struct {
		name, text string
		code       int
		want       string
	}{
		// J227: what would be a wrong setting on the command line is a fault of the file, and its remedy another file.
		{"J227 a bag of a later version", repaired(`"bag":"bootstrap"`, `"bag":"bootstvap"`), cli.ExitModel, "bootstvap"},
		{"J227 a measure of a later version", repaired(`"measure":"pragma"`, `"measure":"pragmb"`), cli.ExitModel, "pragmb"},
		{"J227 a search of a later version", repaired(`"search":"auto"`, `"search":"auta"`), cli.ExitModel, "auta"},
		{"J227 a preference of a later version", repaired(`"x":0.1`, `"x":1.1`), cli.ExitModel, "x = 1.1"},
		{"J222 no bytes", "", cli.ExitModel, "bad.rfp: model file: the file is empty; give a file written by rfpragma train"},
		{"J223 cut in the forest", model[:len(model)-40], cli.ExitModel, "damaged or cut short"},
		{"J223 cut in the header", model[:60], cli.ExitModel, "cut short"},
		{"J223 cut in the magic", model[:5], cli.ExitModel, "this is not a model of rfpragma"},
		{"J224 a bit turned", changed(len(model)/2, model[len(model)/2]^4), cli.ExitModel, "the checksum does not fit"},
		{"J225 other magic", "X" + model[1:], cli.ExitModel, "this is not a model of rfpragma"},
		{"J226 pickle", "\x80\x04\x95\x00", cli.ExitModel, "this looks like a Python pickle"},
		{"J226 PNG", "\x89PNG\r\n\x1a\n", cli.ExitModel, "this looks like a PNG picture"},
		{"J226 JSON", `{"learner": {}}`, cli.ExitModel, "this looks like JSON"},
		{"J226 CSV", small(5), cli.ExitModel, "this is not a model of rfpragma"},
		{"J227 a later version", changed(8, 9), cli.ExitModel,
			"format version 9, this program reads version 1; use a newer rfpragma"},
		{"J230 bytes after the end", model + "x", cli.ExitModel, "the checksum does not fit"},
		{"J259 no checksum", model[:len(model)-32] + strings.Repeat("\x00", 32), cli.ExitModel, "the checksum does not fit"},
	} {
		write(t, "bad.rfp", tc.text)
		for _, line := range []string{"inspect bad.rfp", "predict bad.rfp in.csv -o old.csv", "evaluate bad.rfp in.csv"} {
			t.Run(tc.name+" "+line[:3], refusal{line: line, code: tc.code, want: tc.want}.refused)
		}
	}
	for _, c := range []refusal{
		{"J221 absent", "", "inspect absent.rfp", cli.ExitIO, "open absent.rfp: no such file or directory"},
		{"a folder", "", "inspect .", cli.ExitIO, "this is a folder; name a file in it"},
		{"I220 a name too long", "", "inspect " + strings.Repeat("n", 300), cli.ExitIO, "file name too long"},
	} {
		t.Run(c.name, c.refused)
	}
	if read(t, "model.rfp") != model {
		t.Error("J266: the model has been written to")
	}
}

// J257: an endless device is no model, and no data either.
func TestEndlessModel(t *testing.T) {
	trained(t)
	for _, verb := range []string{"inspect /dev/zero", "predict /dev/zero data.csv", "evaluate /dev/zero data.csv"} {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), append([]string{"rfpragma"}, split(verb)...), nil, &stdout, &stderr)
		if code != cli.ExitModel && code != cli.ExitIO && (code != cli.ExitData || verb[:7] != "inspect") ||
			stdout.Len() > 0 {
			t.Errorf("%s: exit %d, %s", verb, code, stderr.String())
		}
	}
}

// Of rows that never end a fault is told all the same, and nothing is written.
func TestFaultAmongEndlessRows(t *testing.T) {
	trained(t)
	before := listing(t)
	in, out := io.Pipe()
	go func() {
		_, err := io.WriteString(out, "x,kind\nmuch,p\n")
		for err == nil {
			_, err = io.WriteString(out, strings.Repeat("1,p\n", 1000))
		}
	}()
	got := invoke(t, in, "predict", "model.rfp", "-", "-o", "decisions.csv")
	in.Close()
	if got.code != cli.ExitData || !strings.Contains(got.stderr, `stdin:2:1: column "x": 1 of the first `) ||
		!strings.Contains(got.stderr, `"much" in line 2; remove line 2 if it is a second line of names or of units, else correct it`) {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
	if after := listing(t); after != before {
		t.Errorf("files %s, before %s", after, before)
	}
}
