package verb

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A model of XGBoost that is imported gives the probabilities that XGBoost itself has computed of the same rows (beside
// the model, made by foreign/testdata/make.py), with categories and missing cells; it can be tuned and judged.
func TestImport(t *testing.T) {
	models := foreignModels(t)
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(models, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var told struct {
		Scores [][]float64 `json:"scores"`
	}
	if err := json.Unmarshal([]byte(read("xgboost-binary.scores.json")), &told); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(read("native.csv")), "\n")
	for i := range lines {
		label := "class"
		if i > 0 {
			label = map[bool]string{true: "yes", false: "no"}[told.Scores[i-1][1] > 0.3 && i%7 > 0]
		}
		lines[i] += "," + label
	}
	inFolder(t, map[string]string{"boosted.ubj": read("xgboost-binary.ubj"), "rows.csv": strings.Join(lines, "\n") + "\n"})
	must(t, "import boosted.ubj --classes no,yes -o model.rfp -q")
	rows, err := csv.NewReader(strings.NewReader(must(t, "predict model.rfp rows.csv -q").stdout)).ReadAll()
	if err != nil || len(rows) != len(lines) {
		t.Fatal(len(rows), err)
	}
	for j, column := range rows[0] {
		if column != "probability_yes" {
			continue
		}
		for i, row := range rows[1:] {
			if p, err := strconv.ParseFloat(row[j], 64); err != nil || math.Abs(p-told.Scores[i][1]) > 1e-6 {
				t.Fatalf("row %d: %s, want %g", i+1, row[j], told.Scores[i][1])
			}
		}
		must(t, "tune model.rfp rows.csv --prefer yes -o tuned.rfp -q")
		if got := must(t, "evaluate tuned.rfp rows.csv -q"); !strings.Contains(got.stdout, `"yes" found (recall)`) {
			t.Errorf("no recall in\n%s", got.stdout)
		}
		bare := invoke(t, strings.NewReader(""), "monitor", "model.rfp", "rows.csv")
		if bare.code == 0 || !strings.Contains(bare.stderr, "calibrate it") {
			t.Errorf("monitored without labelled rows: %+v", bare)
		}
		must(t, "calibrate model.rfp rows.csv -o mapped.rfp -q")
		got := must(t, "monitor mapped.rfp rows.csv -q").stdout
		if at := strings.Index(got, "alarms for \"yes\" per 1,000 rows"); at < 0 ||
			len(strings.Fields(strings.SplitN(got[at:], "\n", 2)[0])) != 7 { // alarms of a training that nobody knows
			t.Errorf("not what is known of alarms:\n%s", got)
		}
		return
	}
	t.Errorf("no probability of yes among %q", rows[0])
}
