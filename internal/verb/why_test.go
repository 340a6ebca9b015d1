package verb

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// linesOf reads CSV as a map of the cells of each row by column.
func linesOf(t *testing.T, text string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range all[1:] {
		row := map[string]string{}
		for j, name := range all[0] {
			row[name] = line[j]
		}
		rows = append(rows, row)
	}
	return rows
}

// The parts of a row sum up to its share of the votes, in CSV, in JSON and on a list; those of log odds to these.
func TestShap(t *testing.T) {
	trained(t)
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	inLines := map[string]string{}
	for _, asked := range []string{"ill", "ill=log-odds"} {
		line := "predict model.rfp data.csv --background data.csv --shap " + asked
		for _, row := range linesOf(t, must(t, line).stdout) {
			want := number(row["votes_ill"]) / (number(row["votes_ill"]) + number(row["votes_well"]))
			if asked != "ill" {
				want = math.Log(number(row["probability_ill"]) / number(row["probability_well"]))
			}
			got := number(row["base_ill"]) + number(row["shap_x"]) + number(row["shap_kind"])
			if within := map[bool]float64{true: 1e-12, false: 1e-4}[asked == "ill"]; !(math.Abs(got-want) <= within) {
				t.Errorf("%s: %v sums up to %v, want %v", asked, row, got, want) // probabilities have six digits
			}
			if asked == "ill" {
				inLines[row["row"]] = row["shap_x"]
			}
		}
	}
	for text := range strings.Lines(must(t,
		"predict model.rfp data.csv --background data.csv --shap ill --format json --top ill=5").stdout) {
		var row struct {
			Row  int
			Shap struct {
				Class   string
				LogOdds bool `json:"log_odds"`
				Base    float64
				Parts   map[string]float64
			}
		}
		if err := json.Unmarshal([]byte(text), &row); err != nil {
			t.Fatal(err)
		}
		if want := number(inLines[strconv.Itoa(row.Row)]); row.Shap.Parts["x"] != want || row.Shap.Class != "ill" ||
			row.Shap.LogOdds || len(row.Shap.Parts) != 2 {
			t.Errorf("%s: want %v for x", text, want)
		}
	}
}

// A row that is changed as is said is decided otherwise.
func TestChangeTurns(t *testing.T) {
	trained(t)
	before := linesOf(t, must(t, "predict model.rfp data.csv --change 2 --reasons 1").stdout)
	changed := linesOf(t, read(t, "data.csv"))
	turned := 0
	for i, row := range before {
		for _, cell := range strings.Split(row["change"], "; ") {
			name, rest, found := strings.Cut(cell, "=")
			if value, was, _ := strings.Cut(rest, " instead of "); found {
				if changed[i][name] != was {
					t.Errorf("row %d: %q, and %s is %q", i+1, row["change"], name, changed[i][name])
				}
				changed[i][name] = value
			}
		}
		if row["change"] != "" {
			turned++
		}
	}
	names := slices.Sorted(maps.Keys(changed[0]))
	text := strings.Join(names, ",") + "\n"
	for _, row := range changed {
		for j, name := range names {
			text += map[bool]string{true: ","}[j > 0] + row[name]
		}
		text += "\n"
	}
	write(t, "changed.csv", text)
	for i, row := range linesOf(t, must(t, "predict model.rfp changed.csv").stdout) {
		if (row["decision"] != before[i]["decision"]) != (before[i]["change"] != "") {
			t.Errorf("row %d: %q is decided %s, and was %s", i+1, before[i]["change"], row["decision"], before[i]["decision"])
		}
	}
	if turned == 0 {
		t.Error("no row turns")
	}
	for _, row := range linesOf(t, must(t, "predict model.rfp data.csv --change well=1 --keep x").stdout) {
		if strings.Contains(row["change"], "x=") || row["decision"] == "well" && row["change"] != "" {
			t.Errorf("%v", row)
		}
	}
}

func TestWhyRefused(t *testing.T) {
	trained(t)
	for line, want := range map[string]string{
		"--shap ill":                            "--shap needs usual rows, from which parts count; name those of the training: --background train.csv",
		"--shap il --background data.csv":       `unknown class "il"`,
		"--shap ill=odds --background data.csv": `--shap "ill=odds": write CLASS, or CLASS=log-odds`,
		"--background data.csv":                 "--background has the usual rows for --shap; give that, or leave it out",
		"--change 4":                            "--change 4; choose 1 to 3 cells",
		"--change 0":                            "--change 0; choose 1 or more",
		"--change some": `--change "some": "some" is no number of cells; write such as --change 3, or --change ` +
			"ill=3 for what turns rows into that class",
		"--change 1 --keep y": `--keep: unknown column "y"`,
		"--keep x":            "--keep says what --change is to keep; give that, or leave it out",
	} {
		got := invoke(t, strings.NewReader(""), append(split("predict model.rfp data.csv"), split(line)...)...)
		if got.code != cli.ExitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit %d, %s, want %s", line, got.code, got.stderr, want)
		}
	}
}
