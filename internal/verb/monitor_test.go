package verb

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/view"
)

type monitorJSON struct {
	All      view.Window
	Windows  []view.Window
	Findings []finding.Finding
}

func monitored(t *testing.T, line string) monitorJSON {
	t.Helper()
	var out monitorJSON
	if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (m monitorJSON) found(code finding.Code) bool {
	return slices.ContainsFunc(m.Findings, func(f finding.Finding) bool { return f.Code == code })
}

// withoutLabels drops the last column, which has the labels.
func withoutLabels(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(line[:strings.LastIndexByte(line, ',')] + "\n")
	}
	return out.String()
}

// Rows without labels have estimates; labels stand beside them; windows are told apart, and a state goes on from run to
// run as if all had come at once.
func TestMonitor(t *testing.T) {
	fraudFiles(t)
	write(t, "bare.csv", withoutLabels(read(t, "later.csv")))
	must(t, "train data.csv --prefer fraud --trees 200 --tune-forest off -o model.rfp")
	out := must(t, "monitor model.rfp bare.csv")
	if !strings.Contains(out.stdout, "\"fraud\" found (recall)") || strings.Contains(out.stdout, "labels say") {
		t.Errorf("without labels it says %s", out.stdout)
	}
	if out := must(t, "monitor model.rfp later.csv"); !strings.Contains(out.stdout, "labels say") ||
		strings.Contains(out.stdout, "Note: ") { // of what the table shows
		t.Errorf("with labels it says %s", out.stdout)
	}
	bare, later := monitored(t, "monitor model.rfp bare.csv"), monitored(t, "monitor model.rfp later.csv")
	if bare.All.Labels != nil || !bare.found(codes.EstimateFigures) || bare.All.Estimates.Classes[0].Recall == nil ||
		!later.found(codes.EstimateKept) || later.All.Estimates.Classes[0].Recall.Value != bare.All.Estimates.Classes[0].Recall.Value {
		t.Errorf("%+v, with labels %+v", bare, later)
	}
	parts := monitored(t, "monitor model.rfp bare.csv --window 400")
	if len(parts.Windows) != 4 || parts.Windows[0].Name != "rows 1-400" || parts.Windows[3].Sums.Rows != 300 ||
		parts.All.Sums.Rows != 1500 {
		t.Errorf("%+v", parts.Windows)
	}
	lines := strings.SplitAfter(read(t, "bare.csv"), "\n")
	write(t, "first.csv", strings.Join(lines[:701], ""))
	write(t, "rest.csv", lines[0]+strings.Join(lines[701:], ""))
	must(t, "monitor model.rfp first.csv --window 400 --state seen.json")
	again := monitored(t, "monitor model.rfp rest.csv --window 400 --state seen.json")
	if len(again.Windows) != 4 {
		t.Fatalf("%d windows after two runs", len(again.Windows))
	}
	for i, w := range parts.Windows {
		is, want := again.Windows[i].Estimates.Classes[0].Share.Value, w.Estimates.Classes[0].Share.Value
		if again.Windows[i].Name != w.Name || !(is > want-1e-9 && is < want+1e-9) {
			t.Errorf("window %d is %s with %v, want %s with %v", i, again.Windows[i].Name, is, w.Name, want)
		}
	}
	must(t, "monitor model.rfp bare.csv --by channel --state by.json") // labels come later
	came := monitored(t, "monitor model.rfp later.csv --by channel --state by.json")
	if came.All.Labels == nil || came.All.Sums.Rows != 1500 || !came.found(codes.EstimateKept) {
		t.Errorf("when labels come: %+v", came.All)
	}
	if piped := invoke(t, strings.NewReader(read(t, "bare.csv")), split("monitor model.rfp -")...); piped.code != 0 ||
		!strings.Contains(piped.stdout, "found (recall)") {
		t.Errorf("from a pipe: %+v", piped)
	}
}

// Where a column is in another unit nothing is estimated, and a scheduler is told.
func TestMonitorDrift(t *testing.T) {
	fraudFiles(t)
	must(t, "train data.csv --prefer fraud --trees 100 --tune-forest off -o model.rfp")
	var changed strings.Builder
	for i, line := range strings.SplitAfter(withoutLabels(read(t, "later.csv")), "\n") {
		cells := strings.Split(line, ",")
		if i > 0 && len(cells) > 8 {
			for _, c := range []int{0, 3, 6} {
				cells[c] = strings.ReplaceAll(cells[c]+"00", ".", "")
			}
		}
		changed.WriteString(strings.Join(cells, ","))
	}
	write(t, "cents.csv", changed.String())
	out := monitored(t, "monitor model.rfp cents.csv")
	if !out.found(codes.EstimateVoid) || out.All.Estimates.Classes[0].Recall != nil || len(out.All.Estimates.Columns) == 0 {
		t.Errorf("%+v", out)
	}
	got := invoke(t, nil, split("monitor model.rfp cents.csv --fail-on-drift")...)
	if got.code != cli.ExitDrift || !strings.Contains(got.stdout, "Serious: Without labels no figures can be told") {
		t.Errorf("%d: %s", got.code, got.stdout)
	}
	must(t, "monitor model.rfp later.csv --fail-on-drift --state seen.json")
	must(t, "train data.csv --trees 20 --tune-forest off -o other.rfp")
	write(t, "broken.json", "{")
	for line, want := range map[string]string{
		"monitor model.rfp later.csv --window 0":              "give a number of rows",
		"monitor model.rfp later.csv --window 7y":             "a span of time such as 12h",
		"monitor model.rfp later.csv --window 7d":             "name it with --time",
		"monitor model.rfp later.csv --time hour":             "such as --window 7d",
		"monitor model.rfp later.csv --window 7d --time hour": `column "hour", row 1: "`,
		"monitor model.rfp later.csv --window 7d --time dy":   "for --time",
		"monitor model.rfp later.csv --window 9 --by hour":    "give one",
		"monitor other.rfp later.csv --state seen.json":       "is of another model",
		"monitor model.rfp later.csv --state broken.json":     "is no state of monitor",
		"monitor model.rfp later.csv --by place":              "for --by",
		"monitor model.rfp later.csv --target place":          "place",
	} {
		if got := invoke(t, nil, split(line)...); got.code == cli.ExitDone || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %d, %s, want %q", line, got.code, got.stderr, want)
		}
	}
}

// Windows of time are by the calendar, whatever the order of the rows, and go on in a later run.
func TestMonitorInTime(t *testing.T) {
	fraudFiles(t)
	dated := func(text string) (head string, rows []string) {
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			if i == 0 {
				head = "when," + line + "\n"
				continue
			}
			rows = append(rows, fmt.Sprintf("2026-%02d-%02d,%s\n", 1+i%3, 1+i%28, line))
		}
		return head, rows
	}
	head, rows := dated(read(t, "data.csv"))
	write(t, "data.csv", head+strings.Join(rows, ""))
	must(t, "train data.csv --prefer fraud --trees 200 --tune-forest off --ignore when -o model.rfp")
	head, rows = dated(read(t, "later.csv"))
	write(t, "all.csv", head+strings.Join(rows, ""))
	write(t, "first.csv", head+strings.Join(rows[:700], ""))
	write(t, "rest.csv", head+strings.Join(rows[700:], ""))
	const by = " --window month --time when"
	once := monitored(t, "monitor model.rfp all.csv"+by)
	must(t, "monitor model.rfp rest.csv --state seen.json"+by)
	twice := monitored(t, "monitor model.rfp first.csv --state seen.json"+by)
	if len(once.Windows) != 3 || len(twice.Windows) != 3 {
		t.Fatalf("%d and %d windows", len(once.Windows), len(twice.Windows))
	}
	for i, w := range once.Windows {
		if is := twice.Windows[i]; w.Name != fmt.Sprintf("2026-%02d", 1+i) || w.Sums.Rows != 500 || is.Name != w.Name ||
			is.Sums.Rows != w.Sums.Rows {
			t.Errorf("window %d: %s of %v rows, in two runs %s of %v", i, w.Name, w.Sums.Rows, is.Name, is.Sums.Rows)
		}
	}
	weeks := monitored(t, "monitor model.rfp all.csv --window 7d --time when")
	if n := len(weeks.Windows); n != 13 || weeks.Windows[0].Name != "2025-12-29 to 2026-01-04" {
		t.Errorf("%d weeks, the first %s", n, weeks.Windows[0].Name)
	}
	must(t, "train data.csv --prefer fraud --trees 100 --tune-forest off --time when -o timed.rfp")
	if got := monitored(t, "monitor timed.rfp all.csv --window month"); len(got.Windows) != 3 {
		t.Errorf("by the time of the training: %d windows", len(got.Windows))
	}
}

// uneven are rows of two regions, in one of which x says less of the class.
func uneven(n int, seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 74))
	var text strings.Builder
	text.WriteString("x,region,class\n")
	for range n {
		class, region, x := "well", "north", 50+15*rng.NormFloat64()
		if rng.IntN(3) == 0 {
			region = "south"
		}
		if rng.IntN(4) == 0 {
			class = "ill"
			if x += 40; region == "south" {
				x -= 30
			}
		}
		fmt.Fprintf(&text, "%.1f,%s,%s\n", x, region, class)
	}
	return text.String()
}

// A gap between the values of a column is a finding: by labels where there are some, else by what is estimated.
func TestMonitorGaps(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": uneven(3000, 1), "later.csv": uneven(2000, 2)})
	must(t, "train data.csv --prefer ill --trees 200 --tune-forest off -o model.rfp")
	must(t, "generate fraud --rows 6000 -o pay.csv")
	must(t, "generate fraud --rows 20000 --seed 3 -o paid.csv")
	write(t, "unpaid.csv", withoutLabels(read(t, "paid.csv")))
	must(t, "train pay.csv --require 'fraud:recall>=0.9' --trees 200 --tune-forest off -o pay.rfp")
	for _, tc := range []struct {
		line, column, part, figure string
		code                       finding.Code
	}{
		{"model.rfp later.csv", "region", "south", "recall", codes.SliceGap},
		{"pay.rfp paid.csv", "country", "home", "precision", codes.SliceGap},
		{"pay.rfp unpaid.csv", "country", "home", "precision", codes.EstimateGap},
	} {
		got := monitored(t, "monitor "+tc.line+" --by "+tc.column)
		gaps := 0
		for _, f := range got.Findings {
			if f.Code == tc.code && f.Columns[0] == tc.column && f.Part == tc.part && f.Figures[0].Name == tc.figure &&
				f.Figures[0].Value < f.Figures[1].Value && f.Value("p") < 0.05 {
				gaps++
			}
		}
		if gaps != 1 {
			t.Errorf("%s: %+v", tc.line, got.Findings)
		}
	}
	if out := must(t, "monitor pay.rfp unpaid.csv --by country"); !strings.Contains(out.stdout, "By the probabilities, of ") {
		t.Errorf("it says %s", out.stdout)
	}
	if got := monitored(t, "monitor pay.rfp unpaid.csv --window 1000"); got.found(codes.EstimateGap) {
		t.Error("windows of rows are no groups")
	}
}
