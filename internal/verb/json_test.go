package verb

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/layout"
)

// cvJSON is what a script may rely on in the JSON of cv.
type cvJSON struct {
	SchemaVersion int    `json:"schema_version"`
	Command       string `json:"command"`
	Data          struct {
		Name           string
		Rows, Features int
		Classes        []struct {
			Class string
			Rows  int
		}
	}
	Settings struct {
		Trees, Mtry, Folds, Repeats              int
		Seed                                     uint64
		Bag, Votes, Calibration, Search, Measure string
		Preferences                              map[string]map[string]float64
	}
	Rules struct {
		Plain, Prior, Tuned, Optimistic rule
	}
	WeightsByFold []struct {
		Repeat, Fold int
		Weights      map[string]float64
	} `json:"weights_by_fold"`
	Unvoted   *float64
	Agreement *float64
	Warnings  *[]string
	Words     []string
}

type rule struct {
	Pragma, Accuracy, Brier *float64
	LogLoss                 *float64 `json:"log_loss"`
	Confusion               [][]float64
	Classes                 map[string]struct {
		Recall, Precision  *float64
		Specificity        *float64
		FalsePositives     *float64 `json:"false_positive_rate"`
		NegativePredictive *float64 `json:"negative_predictive_value"`
		Support, Predicted float64
	}
	Means struct {
		Priority, Others, All *struct{ Recall, Precision float64 }
	}
}

func cvReport(t *testing.T, line string, args ...string) cvJSON {
	t.Helper()
	var r cvJSON
	if err := json.Unmarshal([]byte(must(t, line+" --format json", args...).stdout), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// check holds a rule against the laws of a confusion matrix.
func (r rule) check(t *testing.T, classes []string, rows []float64) {
	t.Helper()
	for name, x := range map[string]*float64{"pragma": r.Pragma, "accuracy": r.Accuracy, "brier": r.Brier,
		"log_loss": r.LogLoss} {
		if x == nil || math.IsNaN(*x) || *x < 0 || name != "log_loss" && name != "brier" && *x > 1 {
			t.Errorf("%s is %v", name, x)
		}
	}
	if got := slices.Sorted(maps.Keys(r.Classes)); !slices.Equal(got, slices.Sorted(slices.Values(classes))) {
		t.Errorf("classes %q, want %q", got, classes)
	}
	hits, total := 0.0, 0.0
	for c, line := range r.Confusion {
		sum := 0.0
		for _, x := range line {
			sum += x
		}
		if len(line) != len(classes) || math.Abs(sum-rows[c]) > 1e-9 {
			t.Errorf("row %s of the confusion matrix is %v, want a sum of %v", classes[c], line, rows[c])
		}
		class := r.Classes[classes[c]]
		if class.Support != rows[c] || class.Recall == nil || math.Abs(*class.Recall-line[c]/sum) > 1e-9 {
			t.Errorf("class %s: %+v, by the confusion matrix %v", classes[c], class, line)
		}
		hits, total = hits+line[c], total+sum
	}
	for c, name := range classes {
		alarms, missed := -r.Confusion[c][c], rows[c]-r.Confusion[c][c]
		for _, line := range r.Confusion {
			alarms += line[c]
		}
		others := total - rows[c]
		class := r.Classes[name]
		for figure, x := range map[string][2]float64{
			"specificity":               {*class.Specificity, (others - alarms) / others},
			"false positive rate":       {*class.FalsePositives, alarms / others},
			"negative predictive value": {*class.NegativePredictive, (others - alarms) / (others - alarms + missed)},
		} {
			if math.Abs(x[0]-x[1]) > 1e-9 {
				t.Errorf("%s of %s is %v, by the confusion matrix %v", figure, name, x[0], x[1])
			}
		}
	}
	if len(r.Confusion) != len(classes) || math.Abs(*r.Accuracy-hits/total) > 1e-9 {
		t.Errorf("accuracy %v, by the confusion matrix %v", *r.Accuracy, r.Confusion)
	}
}

// The form of the JSON that scripts read.
func TestReportForm(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(90)})
	must(t, "generate wave --rows 90 -o wave.csv")
	for _, tc := range []struct {
		name, line string
		classes    []string
		rows       []float64
		folds      int // lines of weights
	}{
		{"two classes", "cv data.csv --prefer ill --trees 5 --folds 3", []string{"ill", "well"}, []float64{30, 60}, 3},
		{"repeats", "cv data.csv --prefer ill --trees 5 --folds 3 --repeats 2", []string{"ill", "well"}, []float64{30, 60},
			6},
		{"positive class", "cv data.csv --positive well --trees 5 --folds 2", []string{"rest", "well"}, []float64{30, 60}, 2},
		{"three classes", "cv wave.csv --trees 5 --folds 2 --prefer 2", []string{"1", "2", "3"}, nil, 2},
		{"votes of the training rows", "cv data.csv --prefer ill --trees 5 --folds 2 --votes train", []string{"ill", "well"},
			[]float64{30, 60}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := cvReport(t, tc.line)
			if r.SchemaVersion != 1 || r.Command != "cv" || r.Data.Rows != 90 || r.Unvoted == nil || r.Warnings == nil ||
				len(r.Words) == 0 {
				t.Errorf("version %d of %s, %d rows, unvoted %v, warnings %v, words %q", r.SchemaVersion, r.Command, r.Data.Rows,
					r.Unvoted, r.Warnings, r.Words)
			}
			if a := r.Agreement; a == nil || !(*a > 0 && *a <= 1) {
				t.Errorf("agreement %v, want a share of the rows", a)
			}
			var labels []string
			var rows []float64
			for _, c := range r.Data.Classes {
				labels, rows = append(labels, c.Class), append(rows, float64(c.Rows))
			}
			if !slices.Equal(labels, tc.classes) || tc.rows != nil && !slices.Equal(rows, tc.rows) {
				t.Errorf("classes %q of %v rows, want %q of %v", labels, rows, tc.classes, tc.rows)
			}
			for _, rule := range []rule{r.Rules.Plain, r.Rules.Prior, r.Rules.Tuned, r.Rules.Optimistic} {
				rule.check(t, labels, rows)
			}
			if len(r.WeightsByFold) != tc.folds {
				t.Errorf("weights of %d folds, want %d", len(r.WeightsByFold), tc.folds)
			}
			for _, f := range r.WeightsByFold {
				if len(f.Weights) != len(labels) || f.Fold < 1 || f.Repeat < 1 {
					t.Errorf("weights %+v for %q", f, labels)
				}
			}
		})
	}
}

// The settings are those that were used, with the defaults filled in.
func TestReportSettings(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(60)})
	s := cvReport(t, "cv data.csv --prefer ill:theta=10,x=0.1,y=0.9 --trees 7 --folds 3 --seed 5").Settings
	if s.Trees != 7 || s.Mtry != 1 || s.Folds != 3 || s.Repeats != 1 || s.Seed != 5 ||
		s.Bag != "bootstrap" || s.Votes != "cv" || s.Calibration != "auto" || s.Search != "auto" || s.Measure != "pragma" {
		t.Errorf("settings %+v", s)
	}
	// Worked by hand: (x, y) = (0.10, 0.90) gives α = −0.9/(0.9+0.1), β = −0.1/(0.9+0.1).
	ill := s.Preferences["ill"]
	if ill["theta"] != 10 || math.Abs(ill["alpha"]+0.9) > 1e-12 || math.Abs(ill["beta"]+0.1) > 1e-12 ||
		s.Preferences["well"]["theta"] != 1 {
		t.Errorf("preferences %v", s.Preferences)
	}
}

// Numbers are not rounded: CSV and JSON say the same to the last bit, and repeats of a run too.
func TestReportUnrounded(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(60)})
	const line = "cv data.csv --prefer ill --trees 5 --folds 3"
	r := cvReport(t, line)
	table := must(t, line+" --format csv").stdout
	for _, rule := range []struct {
		name string
		of   rule
	}{{"plain", r.Rules.Plain}, {"prior", r.Rules.Prior}, {"tuned", r.Rules.Tuned}, {"optimistic", r.Rules.Optimistic}} {
		want := "\n" + strings.Join([]string{rule.name, "", layout.Number(*rule.of.Pragma), layout.Number(*rule.of.Accuracy),
			layout.Number(*rule.of.Brier), layout.Number(*rule.of.LogLoss)}, ",") + ","
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

// train, inspect, tune and evaluate write JSON of the same version.
func TestOtherReports(t *testing.T) {
	trained(t)
	write(t, "votes.csv", "class,ill,well\nill,12,8\nwell,1,19\nill,7,13\nwell,0,20\n")
	laterOf(t, "data.csv", "later.csv")
	for _, tc := range []struct {
		line, command string
		keys          []string
	}{
		{"train data.csv --trees 5 --prefer ill -o m.rfp", "train", []string{"classes", "features", "trees", "provenance",
			"words"}},
		{"inspect model.rfp", "inspect", []string{"classes", "features", "trees", "provenance", "words"}},
		{"tune votes.csv --prefer ill", "tune", []string{"classes", "confusion", "confusion_plain", "loss", "plain",
			"words"}},
		{"evaluate model.rfp later.csv", "evaluate", []string{"data", "rules", "unvoted"}},
	} {
		var got map[string]any
		if err := json.Unmarshal([]byte(must(t, tc.line+" --format json").stdout), &got); err != nil {
			t.Fatalf("%s: %v", tc.line, err)
		}
		if got["schema_version"] != 1.0 || got["command"] != tc.command {
			t.Errorf("%s: version %v of %v", tc.line, got["schema_version"], got["command"])
		}
		for _, key := range append(tc.keys, "warnings") {
			if got[key] == nil {
				t.Errorf("%s: no %s", tc.line, key)
			}
		}
	}
}
