package verb

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// fraudFiles makes rows to train on and later ones.
func fraudFiles(t *testing.T) {
	t.Helper()
	inFolder(t, nil)
	must(t, "generate fraud --rows 3000 -o data.csv")
	must(t, "generate fraud --rows 1500 --seed 2 -o later.csv")
}

// train says how surely what is required holds, in words and as a finding; too few rows end with the code of floors.
func TestSure(t *testing.T) {
	fraudFiles(t)
	const train = "train data.csv --require 'fraud:recall>=0.5' --trees 200 --tune-forest off -o model.rfp --sure 90% "
	out := must(t, train+"--sure-share 40%")
	if !strings.Contains(out.stdout, "With 90 % confidence new rows keep what you require, at least 50 % of \"fraud\" found: it is") {
		t.Errorf("it says %s", out.stdout)
	}
	var info struct {
		Findings   []finding.Finding
		Provenance struct{ Guarantee struct{ Units int } }
	}
	if err := json.Unmarshal([]byte(must(t, "inspect model.rfp --format json").stdout), &info); err != nil ||
		info.Provenance.Guarantee.Units != 1200 || len(info.Findings) != 1 || info.Findings[0].Code != codes.GuaranteeKept {
		t.Errorf("%+v, %v", info, err)
	}
	if out := must(t, train+"--sure-share 0"); !strings.Contains(out.stdout, "With about 90 % confidence") {
		t.Errorf("by out-of-bag votes it says %s", out.stdout)
	}
	few := "train data.csv --require 'fraud:recall>=0.8' --trees 50 --sure 99.9% -o few.rfp"
	if got := invoke(t, nil, split(few)...); got.code != cli.ExitFloor || !strings.Contains(got.stderr, "rows to test on in place of 1500") ||
		!strings.Contains(got.stderr, "--accept-best") {
		t.Errorf("of too few rows: %d, %s", got.code, got.stderr)
	}
	if out := must(t, few+" --accept-best"); !strings.Contains(out.stdout, "Not sure with 99.9 % confidence") {
		t.Errorf("the best of too few rows: %s", out.stdout)
	}
	out = must(t, "tune model.rfp later.csv --sure 80% --require 'fraud:recall>=0.3' -o sure.rfp")
	if !strings.Contains(out.stdout, "With 80 % confidence") {
		t.Errorf("tune says %s", out.stdout)
	}
	if out = must(t, "tune sure.rfp later.csv"); !strings.Contains(out.stderr, "new weights are not; add --sure") {
		t.Errorf("tune without --sure says %s", out.stderr)
	}
}

// cv makes sure in each training part, and says in how many it cannot.
func TestCVSure(t *testing.T) {
	fraudFiles(t)
	out := must(t, "cv data.csv --require 'fraud:recall>=0.9' --sure 99% --trees 50 --folds 3 --tune-forest off")
	said := strings.Join(strings.Fields(out.stdout), " ")
	for _, want := range []string{"Serious: In 3 of 3 trainings the rows are too few to be sure of all that you require. " +
		"Try --sure-share 0.", "asked 90 %: not sure"} {
		if !strings.Contains(said, want) {
			t.Errorf("cv does not say %q: %s", want, out.stdout)
		}
	}
	if strings.Contains(said, "Next:") || strings.Contains(said, "not surely") {
		t.Errorf("cv goes on to what train refuses, or says the same twice: %s", out.stdout)
	}
	out = must(t, "cv data.csv --require 'fraud:recall>=0.3' --sure 80% --trees 50 --folds 3 --tune-forest off")
	if !strings.Contains(out.stdout, "asked 30 %: kept") || !strings.Contains(out.stdout, "--sure 0.8 -o model.rfp") {
		t.Errorf("of what is sure cv says %s", out.stdout)
	}
}

// evaluate knows what a model was made sure of: cv of the same rows and flags is of the same training, a test that was
// passed is not doubted, and no map is advised by rows of the training.
func TestEvaluateSure(t *testing.T) {
	fraudFiles(t)
	const asked = " data.csv --require 'fraud:recall>=0.5' --sure 90% --trees 50 --tune-forest off"
	must(t, "cv"+asked+" --folds 3 -o cv.json")
	must(t, "train"+asked+" -o model.rfp")
	out := must(t, "evaluate model.rfp later.csv --expected cv.json")
	if strings.Contains(out.stderr, "other rows") || strings.Contains(out.stdout, "not surely") {
		t.Errorf("it says %s%s", out.stdout, out.stderr)
	}
	out = must(t, "evaluate model.rfp data.csv")
	if !strings.Contains(out.stderr, "were in the training") || strings.Contains(out.stdout, "rfpragma calibrate") {
		t.Errorf("of rows of the training it says %s%s", out.stdout, out.stderr)
	}
	got := invoke(t, nil, split("tune model.rfp data.csv --prefer fraud")...)
	if got.code == 0 || !strings.Contains(got.stderr, "give rows that came later, as a part") {
		t.Errorf("tune says %s", got.stderr)
	}
}

// Rows that are close are undecided, and why is in a column of its own; figures are of the others.
func TestReview(t *testing.T) {
	fraudFiles(t)
	out := must(t, "train data.csv --prefer fraud --review 'fraud<=300/10000' --trees 200 --tune-forest off -o model.rfp")
	if !strings.Contains(out.stdout, " votes on; from ") {
		t.Errorf("train says %s", out.stdout)
	}
	must(t, "predict model.rfp later.csv -o rows.csv")
	text, err := os.ReadFile("rows.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at, closed := len(lines[0])-2, 0
	for _, line := range lines[1:] {
		if (line[1] == "undecided") != (line[at] == "close") {
			t.Fatalf("%v", line)
		}
		if line[at] == "close" {
			closed++
		}
	}
	if lines[0][at] != "because" || closed < 15 || closed > 90 {
		t.Errorf("%d rows are close; the head is %v", closed, lines[0])
	}
	if rows := must(t, "predict model.rfp later.csv --format json").stdout; strings.Count(rows, `"because":"close"`) != closed ||
		strings.Count(rows, `"decision":"undecided"`) != closed {
		t.Errorf("in JSON it is %s", rows[:300])
	}
	var judged struct {
		Withheld struct {
			Rows, Close float64
			Classes     []struct{ Helped, All float64 }
		}
	}
	out = must(t, "evaluate model.rfp later.csv --decisions judged.csv --format json")
	if err := json.Unmarshal([]byte(out.stdout), &judged); err != nil || judged.Withheld.Rows != float64(closed) ||
		judged.Withheld.Close != float64(closed) || judged.Withheld.Classes[0].Helped < judged.Withheld.Classes[0].All {
		t.Errorf("%+v, %v; %d are close", judged, err, closed)
	}
	for _, verb := range []string{"evaluate model.rfp later.csv", "report model.rfp later.csv -o report.html",
		"cv data.csv --prefer fraud --review 3% --trees 50 --folds 3 --tune-forest off --decisions cv.csv --withhold",
		"tune model.rfp later.csv -o again.rfp", "inspect again.rfp"} {
		if out := must(t, verb); !strings.Contains(out.stdout+out.stderr, "left to people") && !strings.HasPrefix(verb, "report") {
			t.Errorf("%s says %s", verb, out.stdout)
		}
	}
	said := strings.Join(strings.Fields(must(t, "cv data.csv --cost fraud=5 --cost ok=1 --review 3% --trees 50 --folds 3 "+
		"--tune-forest off").stdout), " ")
	for _, want := range []string{"; at most 30 of 1,000 rows left to people.", " limit 30: ", "cost per 1,000 rows with people ",
		"decided \"ok\" undecided"} {
		if !strings.Contains(said, want) {
			t.Errorf("cv does not say %q: %s", want, said)
		}
	}
	if text, err := os.ReadFile("cv.csv"); err != nil || !strings.Contains(string(text), ",undecided,") ||
		!strings.Contains(string(text), "because") {
		t.Errorf("cv --decisions: %v", err)
	}
}

// tune has the figures of all rows that evaluate has of the model that it makes, on the same rows.
func TestTuneReview(t *testing.T) {
	fraudFiles(t)
	must(t, "train data.csv --prefer fraud --trees 50 --tune-forest off -o model.rfp")
	tuned := must(t, "tune model.rfp later.csv --cost fraud=20 --cost ok=1 --review 5% -o new.rfp").stdout
	judged := must(t, "evaluate new.rfp later.csv").stdout
	figure := func(screen, label string) []string {
		_, after, _ := strings.Cut(screen, label)
		line, _, _ := strings.Cut(after, "\n")
		if words := strings.Fields(line); len(words) > 0 {
			return words[:1]
		}
		return nil
	}
	for _, label := range []string{`"fraud" found (recall) `, "alarms per 1,000 rows ", "undecided per 1,000 rows ",
		`"fraud" found with people `, "cost per 1,000 rows with people "} {
		if a, b := figure(tuned, label), figure(judged, label); a == nil || !slices.Equal(a, b) {
			t.Errorf("%s: tune says %v, evaluate %v:\n%s\n%s", label, a, b, tuned, judged)
		}
	}
	if !strings.Contains(tuned, "at most 50 of 1,000 rows left to people") {
		t.Errorf("tune forgets what was asked for: %s", tuned)
	}
}

// Scores are whole numbers, and their order is that of the probabilities.
func TestScoreColumns(t *testing.T) {
	fraudFiles(t)
	must(t, "train data.csv --prefer fraud --score fpr --trees 200 --tune-forest off -o model.rfp")
	lines, err := csv.NewReader(strings.NewReader(must(t, "predict model.rfp later.csv --score fpr").stdout)).ReadAll()
	if err != nil || lines[0][6] != "score_fraud" || lines[0][7] != "score_ok" {
		t.Fatalf("%v, %v", lines[0], err)
	}
	for _, line := range lines[1:] {
		if score, err := strconv.Atoi(line[6]); err != nil || score < 0 || score > 1000 {
			t.Fatalf("%v", line)
		}
	}
	rows := must(t, "predict model.rfp later.csv --score fpr --format json").stdout
	if !strings.Contains(rows, `"scores":{"fraud":`) {
		t.Errorf("in JSON it is %s", rows[:200])
	}
}

func TestSureUsage(t *testing.T) {
	fraudFiles(t)
	must(t, "train data.csv --trees 20 -o model.rfp")
	for line, want := range map[string]string{
		"train data.csv -o m.rfp --sure 95 --require 'fraud:recall>=0.5'":            "--sure 95 looks like a percentage; write 95% or 0.95",
		"train data.csv -o m.rfp --sure 10% --require 'fraud:recall>=0.5'":           "--sure 10%; give a confidence from 50%",
		"train data.csv -o m.rfp --sure 95%":                                         "--sure 95% of what?",
		"train data.csv -o m.rfp --sure-share 10%":                                   "--sure-share says how to be sure",
		"train data.csv -o m.rfp --sure 95% --sure-share 1 --max-cost 2":             "--sure-share 1; give a share below 1",
		"train data.csv -o m.rfp --sure 95% --max-cost 0":                            "--max-cost 0; give a number above 0",
		"train data.csv -o m.rfp --sure 95% --max-cost 2":                            "needs the costs of decisions; give --cost",
		"train data.csv -o m.rfp --review 200":                                       "--review \"200\"; write which part",
		"train data.csv -o m.rfp --review 'theft<=2%'":                               "unknown class \"theft\"",
		"train data.csv -o m.rfp --review-cost 0":                                    "--review-cost 0; give a number above 0",
		"train data.csv -o m.rfp --review-cost 1":                                    "give --cost, too",
		"train data.csv -o m.rfp --score auc":                                        "--score \"auc\"; the only kind is fpr",
		"predict model.rfp later.csv --score fpr":                                    "train it with --score fpr",
		"tune rows.csv --review 2%":                                                  "are for a model",
		"train data.csv -o m.rfp --review 2% --sure 90% --max-cost 2 --cost fraud=2": "leave one out",
	} {
		if got := invoke(t, nil, split(line)...); got.code != cli.ExitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %d, %s, want %q", line, got.code, got.stderr, want)
		}
	}
}
