package verb

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/view"
)

// A page says which model file it is of, to the byte, and by which command it was made; evaluate names the file, too.
func TestOrigin(t *testing.T) {
	const later = "later's.csv"
	inFolder(t, map[string]string{"data.csv": small(90), later: small(40)})
	must(t, "train data.csv --prefer ill --trees 5 -q -o model.rfp")
	sum := sha256.Sum256([]byte(read(t, "model.rfp")))
	from := view.ModelOrigin{File: "model.rfp", SHA256: hex.EncodeToString(sum[:])}
	var page report.Report
	if err := json.Unmarshal([]byte(must(t,
		"report --missing NA --missing x=0 --drop-unlabelled ./model.rfp --top ill=10% --threads 1 --format json -q -o -",
		later).stdout), &page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []report.Fact{{Name: "Model", Value: from.File}, {Name: "sha256 of the model file",
		Value: from.SHA256}, {Name: "Command",
		Value: `rfpragma report ./model.rfp 'later'\''s.csv' --top ill=10% --missing NA --missing x=0 --drop-unlabelled`}} {
		if !slices.Contains(page.Facts, want) {
			t.Errorf("no %+v among %+v", want, page.Facts)
		}
	}
	var judged evaluateResult
	if err := json.Unmarshal([]byte(must(t, "evaluate ./model.rfp --format json -q", later).stdout), &judged); err != nil {
		t.Fatal(err)
	}
	if judged.Model != from {
		t.Errorf("evaluate names %+v, want %+v", judged.Model, from)
	}
}

// headlined makes a page of later.csv, and names the figures that it begins with.
func headlined(t *testing.T, lists string) (page report.Report, names []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(must(t, "report model.rfp later.csv"+lists+" --format json -q -o -").stdout),
		&page); err != nil {
		t.Fatal(err)
	}
	for _, line := range page.Key {
		names = append(names, line.Name)
	}
	return page, names
}

// A page begins with what was asked for, then recall and precision of the class that matters, and says each figure as
// the first screen does, with the same words.
func TestHeadlines(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(90), "later.csv": small(60)})
	const recall, right, alarms, cost = `"ill" found (recall)`, "alarms that are right (precision)",
		"alarms per 1,000 rows", "cost per 1,000 rows"
	for _, tc := range []struct {
		asked, lists string
		want         []string
	}{
		{"--prefer ill", "", []string{recall, right}},
		{"--require ill:alerts<=30/100", "", []string{alarms, recall, right}},
		{"--require ill:recall>=0.9", "", []string{recall, right}},
		{"--require ill:precision>=0.2", "", []string{right, recall}},
		{"--cost ill=5 --cost well=1", "", []string{cost, recall, right}},
		{"--cost ill=5 --cost well=1 --require ill:alerts<=50/100", "", []string{alarms, cost, recall, right}},
		{"--prefer ill", " --top ill=5", []string{"list ill=5: right", `list ill=5: of "ill" found`, recall, right}},
		{"--measure f1", "", []string{recall, right}},
	} {
		must(t, "train data.csv "+tc.asked+" --trees 5 --choice lowest --accept-best -q -o model.rfp")
		page, names := headlined(t, tc.lists)
		screen := must(t, "evaluate model.rfp later.csv -q"+tc.lists).stdout
		for _, line := range page.Key {
			if !slices.ContainsFunc(strings.Split(screen, "\n"), func(shown string) bool {
				rest, found := strings.CutPrefix(strings.TrimSpace(shown), line.Name)
				bare := strings.NewReplacer("plain vote ", "", ", ", " ") // which has a column of its own on the screen
				return found && slices.Equal(strings.Fields(bare.Replace(rest)),
					strings.Fields(bare.Replace(line.Value+" "+line.Interval+" "+line.Against)))
			}) {
				t.Errorf("%s%s: the first screen has no line %+v:\n%s", tc.asked, tc.lists, line, screen)
			}
		}
		if !slices.Equal(names, tc.want) {
			t.Errorf("%s%s: the page begins with %q, want %q", tc.asked, tc.lists, names, tc.want)
		}
		if slices.ContainsFunc(page.Expect.Rows, func(row []string) bool { return slices.Contains(names, row[0]) }) {
			t.Errorf("%s%s: one of %q is told twice: %v", tc.asked, tc.lists, names, page.Expect.Rows)
		}
	}
}

// A page of a model has what moves the votes for the class that it shows first, whatever the number of threads; that of
// a cross-validation has not.
func TestPageParts(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(90), "later.csv": small(60)})
	must(t, "train data.csv --prefer ill --trees 15 -q -o model.rfp")
	page, _ := headlined(t, " --threads 1")
	if p := page.Parts; p == nil || p.Class != page.Classes[page.First].Name || p.Rows != 60 || len(p.Examples) == 0 ||
		len(p.Columns) == 0 {
		t.Fatalf("the page has %+v", page.Parts)
	}
	for _, e := range page.Parts.Examples {
		sum := e.Base + e.Others
		for _, c := range e.Cells {
			sum += c.Part
		}
		if math.Abs(sum-e.Share) > 1e-12 || e.Base != page.Parts.Base {
			t.Errorf("%s: %v of %v", e.Label(), sum, e.Share)
		}
	}
	if more, _ := headlined(t, " --threads 3"); !reflect.DeepEqual(more.Parts, page.Parts) {
		t.Error("three threads find something else")
	}
	// Rows that are left undecided are not among them, and the others keep their numbers.
	lines := strings.SplitAfter(read(t, "later.csv"), "\n")
	write(t, "lacking.csv", lines[0]+",,ill\n,,well\n"+strings.Join(lines[1:], ""))
	if err := json.Unmarshal([]byte(must(t, "report model.rfp lacking.csv --withhold --format json -q -o -").stdout),
		&page); err != nil {
		t.Fatal(err)
	}
	lines = strings.Split(read(t, "lacking.csv"), "\n")
	for _, e := range page.Parts.Examples {
		for _, c := range e.Cells {
			if row := "," + lines[e.Row]; !strings.Contains(row, ","+c.Value+",") || c.Value == "" {
				t.Errorf("%s: %s is %q in %q", e.Label(), c.Column, c.Value, row)
			}
		}
	}
	if page.Parts.Rows != 60 {
		t.Errorf("%d rows are drawn, want 60", page.Parts.Rows)
	}
	must(t, "cv data.csv --prefer ill --trees 5 --folds 2 -q --report cv.html")
	if text := read(t, "cv.html"); strings.Contains(text, `id="chart-summary"`) {
		t.Error("the page of a cross-validation has parts")
	}
}

// Of several classes a page begins with a limit that is asked of one, and with the one that matters; the slider names
// the flag that takes its weights, with names as that takes them.
func TestHeadlinesOfSeveral(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("x,y,class\n")
	for i := range 120 {
		fmt.Fprintf(&rows, "%d,%d,%s\n", i%7+3*(i%3), i%5, []string{"well", "ill", `"a,b"`}[i%3])
	}
	inFolder(t, map[string]string{"data.csv": rows.String(), "later.csv": strings.Replace(rows.String(), "3,3", "2,3", 40)})
	must(t, "train data.csv --prefer ill --require well:alerts<=50/100 --trees 5 --choice lowest --accept-best -q -o model.rfp")
	page, names := headlined(t, "")
	if want := []string{`alarms for "well" per 1,000 rows`, `"ill" found (recall)`,
		`alarms for "ill" that are right`}; !slices.Equal(names, want) {
		t.Errorf("the page begins with %q, want %q", names, want)
	}
	if page.Take.Flag != "--weights" || !slices.Contains(page.Take.Classes, `"a,b"`) {
		t.Errorf("the slider is taken by %+v", page.Take)
	}
	if len(page.Each.Rows) != 3 || len(page.Counts.Rows) != 0 {
		t.Errorf("of three classes the page has %v, and counts %v", page.Each, page.Counts)
	}
}
