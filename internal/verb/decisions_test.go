package verb

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
)

// judgedRow is a line of a file of decisions.
type judgedRow struct {
	Row, Fold     int
	Weight        *float64
	Actual        *string
	Decision      *string
	Probabilities map[string]float64
	Votes         map[string]float64
}

// judgedLines reads a file of decisions, in either form.
func judgedLines(t *testing.T, name string) []judgedRow {
	t.Helper()
	var rows []judgedRow
	text := read(t, name)
	if strings.HasSuffix(name, ".jsonl") {
		for line := range strings.Lines(text) {
			var r judgedRow
			in := json.NewDecoder(strings.NewReader(line))
			if in.DisallowUnknownFields(); in.Decode(&r) != nil {
				t.Fatalf("%s: %q", name, line)
			}
			rows = append(rows, r)
		}
		return rows
	}
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		r := judgedRow{Probabilities: map[string]float64{}, Votes: map[string]float64{}}
		for j, cell := range line {
			x, _ := strconv.ParseFloat(cell, 64)
			prefix, class, _ := strings.Cut(lines[0][j], "_")
			switch {
			case cell == "":
			case prefix == "row":
				r.Row = int(x)
			case prefix == "fold":
				r.Fold = int(x)
			case prefix == "weight":
				r.Weight = &x
			case prefix == "actual":
				r.Actual = &cell
			case prefix == "decision":
				r.Decision = &cell
			case prefix == "probability":
				r.Probabilities[class] = x
			case prefix == "votes":
				r.Votes[class] = x
			default:
				t.Fatalf("%s: column %q", name, lines[0][j])
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// three is a table of three classes that a forest confuses, with weights, one of them 0.
func three(n int) string {
	var b strings.Builder
	b.WriteString("x,z,name,w,class\n")
	for i := range n {
		c := i % 7 % 3
		fmt.Fprintf(&b, "%d,%d,n%d,%g,%s\n", i*37%101+c*30, i*53%89-c*20, i, float64(i%4)/2, []string{"a", "b", "c"}[c])
	}
	return b.String()
}

// Whoever counts the file of decisions finds the very figures of the result.
func TestDecisionsMakeTheFigures(t *testing.T) {
	inFolder(t, map[string]string{"three.csv": three(200)})
	must(t, "train three.csv --weight w --prefer a --trees 30 -q -o model.rfp")
	laterOf(t, "three.csv", "later.csv")
	for _, line := range []string{
		"cv three.csv --weight w --prefer a --trees 30 --folds 4 --ignore name",
		"cv three.csv --prefer b --trees 30 --folds 3 --soft-votes --ignore name,w",
		"cv --trees 20 --folds 3",
		"evaluate model.rfp later.csv",
	} {
		for name, tolerance := range map[string]float64{"rows.csv": 1e-5, "rows.jsonl": 1e-12} {
			got := must(t, line+" --format json --decisions "+name)
			var result struct{ Rules eval.Rules }
			if err := json.Unmarshal([]byte(got.stdout), &result); err != nil {
				t.Fatal(err)
			}
			if plain := must(t, line+" --format json"); plain.stdout != got.stdout {
				t.Errorf("%s: the result is another one with --decisions", line)
			}
			wrong := recounted(t, line+" in "+name, judgedLines(t, name), &result.Rules.Tuned, tolerance)
			if words := fmt.Sprintf("written to %s: in %d of them \"decision\" is not \"actual\".", name,
				wrong); !strings.Contains(strings.ReplaceAll(got.stderr, " (replaced)", ""), words) {
				t.Errorf("%s: %q is not in\n%s", line, words, got.stderr)
			}
		}
	}
}

// recounted compares the rows with the figures of a rule, and returns how many are wrong.
func recounted(t *testing.T, what string, rows []judgedRow, rule *eval.Rule, tolerance float64) (wrong int) {
	t.Helper()
	classes := slices.Sorted(maps.Keys(rule.Classes))
	k := len(classes)
	confusion := make([][]float64, k)
	for c := range confusion {
		confusion[c] = make([]float64, k)
	}
	var prob, weight []float64
	var truth []int
	for i, r := range rows {
		w := 1.0
		if r.Weight != nil {
			w = *r.Weight
		}
		is, as := slices.Index(classes, *r.Actual), slices.Index(classes, *r.Decision)
		if r.Row != i+1 {
			t.Fatalf("%s: line %d is of row %d", what, i+1, r.Row)
		}
		if is != as {
			wrong++
		}
		confusion[is][as] += w
		truth, weight = append(truth, is), append(weight, w)
		for _, class := range classes {
			prob = append(prob, r.Probabilities[class])
		}
	}
	if diff := cmp.Diff(rule.Confusion, confusion); diff != "" {
		t.Errorf("%s: the confusion matrix is another one (-result +file)\n%s", what, diff)
	}
	for c, class := range classes {
		if found := confusion[c][c] / rule.Classes[class].Support; math.Abs(found-*rule.Classes[class].Recall) > 1e-12 {
			t.Errorf("%s: recall of %s %v, want %v", what, class, found, *rule.Classes[class].Recall)
		}
		if right := confusion[c][c] / rule.Classes[class].Predicted; math.Abs(right-*rule.Classes[class].Precision) > 1e-12 {
			t.Errorf("%s: precision of %s %v, want %v", what, class, right, *rule.Classes[class].Precision)
		}
	}
	if brier := calib.Brier(prob, truth, weight, k); math.Abs(brier-rule.Brier) > tolerance {
		t.Errorf("%s: Brier score %v, want %v", what, brier, rule.Brier)
	}
	if logLoss := calib.LogLoss(prob, truth, weight, k); math.Abs(logLoss-rule.LogLoss) > tolerance {
		t.Errorf("%s: log loss %v, want %v", what, logLoss, rule.LogLoss)
	}
	return wrong
}

// The folds are those of --folds-to, and with several repeats those of the first. Rows are named by --id.
func TestDecisionsSayTheFold(t *testing.T) {
	inFolder(t, map[string]string{"three.csv": three(60)})
	line := "cv three.csv --prefer a --trees 20 --folds 4 --id name --ignore w "
	must(t, line+"--decisions rows.csv --folds-to folds.csv")
	if got, want := column(read(t, "rows.csv"), 1), column(read(t, "folds.csv"), 1); !slices.Equal(got, want) {
		t.Errorf("the folds are %v, want %v", got, want)
	}
	for i, name := range column(read(t, "rows.csv"), 0) {
		if want := fmt.Sprintf("n%d", i); name != want {
			t.Fatalf("line %d is of %s, want %s", i+1, name, want)
		}
	}
	got := must(t, line+"--decisions again.csv --repeats 2")
	if read(t, "again.csv") != read(t, "rows.csv") {
		t.Error("with several repeats the rows are not those of the first")
	}
	if words := "Decisions of 60 rows in the first repeat written to again.csv: "; !strings.Contains(got.stderr, words) ||
		strings.Contains(got.stderr, "--id") {
		t.Errorf("%q is not in\n%s", words, got.stderr)
	}
}

// Evaluate writes what predict does, and the label beside it: none where a row has none.
func TestDecisionsArePredictions(t *testing.T) {
	trained(t)
	write(t, "new.csv", "x,kind,class\n1.5,p,ill\n2.5,q,\n50.5,p,well\n60.5,q,ill\n")
	for _, form := range []string{"csv", "jsonl"} {
		must(t, "evaluate model.rfp new.csv --drop-unlabelled --decisions rows."+form)
		want := must(t, "predict model.rfp new.csv --format "+strings.TrimSuffix(form, "l")).stdout
		got := read(t, "rows."+form)
		if form == "csv" {
			if labels := column(got, 1); !slices.Equal(labels, []string{"ill", "", "well", "ill"}) {
				t.Errorf("the labels are %q", labels)
			}
			got = regexp.MustCompile(`(?m)^(\w+),\w*,`).ReplaceAllString(got, "$1,")
		} else {
			if !strings.Contains(got, `{"row":1,"actual":"ill","decision":`) || !strings.Contains(got,
				`{"row":2,"actual":null,"decision":"`) {
				t.Errorf("the lines are\n%s", got)
			}
			got = regexp.MustCompile(`"actual":[^,]*,`).ReplaceAllString(got, "")
		}
		if got != want {
			t.Errorf("without the labels\n%s\npredict has\n%s", got, want)
		}
	}
}

// A row that no tree can vote on has no decision.
func TestDecisionsWithoutVotes(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,g,class\n")
	for i := range 30 { // whoever leaves out group 0 has rows of a single class
		fmt.Fprintf(&b, "%d,%d,%s\n", i, i%3, []string{"ill", "well", "well"}[i%3])
		if i%3 == 0 {
			fmt.Fprintf(&b, "%d,0,well\n", i)
		}
	}
	inFolder(t, map[string]string{"groups.csv": b.String()})
	for _, name := range []string{"rows.csv", "rows.jsonl"} {
		must(t, "cv groups.csv --group g --prefer ill --trees 20 --decisions "+name)
		without := 0
		for i, r := range judgedLines(t, name) {
			if in := i % 4; (in < 2) != (r.Decision == nil && len(r.Probabilities) == 0 && r.Votes["ill"]+r.Votes["well"] == 0) {
				t.Errorf("%s: row %d is decided as %v", name, i+1, r)
			}
			if r.Decision == nil {
				without++
			}
		}
		if without != 20 {
			t.Errorf("%s: %d rows have no decision, want 20", name, without)
		}
	}
}

// Rows keep their numbers where others are left out.
func TestDecisionsBesideRowsLeftOut(t *testing.T) {
	lines := strings.Split(small(40), "\n")
	var want []string
	for i := 1; i <= 40; i++ {
		if i%5 == 0 {
			lines[i] = "1,p,"
		} else {
			want = append(want, strconv.Itoa(i))
		}
	}
	inFolder(t, map[string]string{"in.csv": strings.Join(lines, "\n")})
	must(t, "cv in.csv --drop-unlabelled --trees 5 --folds 2 -q --decisions rows.csv")
	if got := column(read(t, "rows.csv"), 0); !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

func TestDecisionsRefused(t *testing.T) {
	files := map[string]string{"in.csv": small(30), "named.csv": "x,actual,class\n1,a,ill\n2,b,well\n3,c,ill\n4,d,well\n",
		"old.json": "[1]"}
	runRefusals(t, files, []refusal{
		{"stdout", "", "cv in.csv --decisions -", cli.ExitUsage,
			"--decisions -: the result of cv goes to stdout; name a file for the decisions"},
		{"the data", "", "cv in.csv --decisions in.csv", cli.ExitUsage,
			`--decisions "in.csv" is the input "in.csv"; name another file`},
		{"the folds", "", "cv in.csv --decisions a.csv --folds-to ./a.csv", cli.ExitUsage,
			`name "./a.csv"; name another file for one of them`},
		{"a model", "", "cv in.csv --decisions old.rfp", cli.ExitUsage,
			"cv writes CSV here, and .rfp is another kind of file; write --decisions old.csv"},
		{"packed", "", "cv in.csv --decisions rows.jsonl.gz", cli.ExitUsage, "write --decisions rows.csv"},
		{"no folder", "", "cv in.csv --decisions away/rows.csv", cli.ExitIO, "folder away/ does not exist"},
		{"a name that is taken", "", "cv named.csv --folds 2 --id actual --decisions rows.csv", cli.ExitUsage,
			`--id "actual" is also the name of a column of the output; rename it in named.csv`},
		{"of a model", "", "evaluate old.rfp in.csv --decisions in.csv", cli.ExitUsage,
			`--decisions "in.csv" is the input "in.csv"; name another file`},
	})
}
