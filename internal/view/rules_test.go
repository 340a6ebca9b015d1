package view

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/pragma"
)

// By hand, of 1000 rows: of 40 ill ones 10 are found by the plain vote, for 2 false alarms, and 30 by the tuned one,
// for 48.
func TestOthersTable(t *testing.T) {
	of := func(rows [][]float64) map[string]eval.Class {
		m := confusionOf([]string{"ill", "well"}, rows)
		return map[string]eval.Class{"ill": eval.ClassOf(m, 0), "well": eval.ClassOf(m, 1)}
	}
	g := othersTable([]string{"ill", "well"}, "tuned", of([][]float64{{10, 30}, {2, 958}}),
		of([][]float64{{30, 10}, {48, 912}}))
	for i, want := range [][]string{
		{"ill", "99.8 %", "95.0 %", "97.0 %", "98.9 %"},  // 958/960, 912/960; 958/988, 912/922
		{"well", "25.0 %", "75.0 %", "83.3 %", "38.5 %"}, // of the ill 10/40, 30/40; 10/12, 30/78
	} {
		if !slices.Equal(g.Rows[i], want) {
			t.Errorf("%q, want %q", g.Rows[i], want)
		}
	}
}

// By hand, of the same rows: what is told of the other class has another name, and all of it stands in one table.
func TestFiguresOfTwo(t *testing.T) {
	rule := func(rows [][]float64) eval.Rule {
		m := confusionOf([]string{"well", "ill"}, rows)
		return eval.Rule{Confusion: rows, Classes: map[string]eval.Class{"well": eval.ClassOf(m, 0), "ill": eval.ClassOf(m,
			1)}}
	}
	of := &Goal{Classes: []string{"well", "ill"}, Share: []float64{960, 40}, Prefs: make([]pragma.Preference, 2)}
	report := &eval.Report{Rules: eval.Rules{Plain: rule([][]float64{{958, 2}, {30, 10}}),
		Tuned: rule([][]float64{{912, 48}, {10, 30}})}}
	tables := classTables(of, report, nil)
	want := [][]string{
		{"recall (sensitivity)", "25.0 %", "75 %"},
		{"specificity", "99.8 %", "95.0 %"},
		{"precision (PPV)", "83.3 %", "38 %"},                   // 10/12, 30/78
		{"negative predictive value (NPV)", "97.0 %", "98.9 %"}, // 958/988, 912/922
	}
	if len(tables) != 1 || !slices.Equal(tables[0].Head, []string{`"ill" (40 rows)`, "plain", "tuned"}) ||
		!slices.EqualFunc(tables[0].Rows, want, slices.Equal[[]string]) {
		t.Errorf("got %q\nwant %q", tables[0].Rows, want)
	}
}

// Of the folds the median of the weights is shown, of a model its weights.
func TestWeightOfFolds(t *testing.T) {
	of := &Goal{Classes: []string{"a", "b", "c"}, Prefs: make([]pragma.Preference, 3), Share: []float64{1, 1, 1}}
	for head, folds := range map[string][]eval.FoldWeights{"weight": nil, "median weight": make([]eval.FoldWeights, 2)} {
		if got := classTables(of, &eval.Report{WeightsByFold: folds}, []float64{1, 1, 1})[0].Head[2]; got != head {
			t.Errorf("%q, want %q", got, head)
		}
	}
}

// The precision of the one class that matters is n/a where nothing is decided as it, in both tables.
func TestNoPrecision(t *testing.T) {
	classes := []string{"ill", "well", "hale"}
	rule := func(rows [][]float64) eval.Rule {
		m := confusionOf(classes, rows)
		r := eval.Rule{Classes: map[string]eval.Class{}, Means: eval.MeansOf(m, []int{0})}
		for c, name := range classes {
			r.Classes[name] = eval.ClassOf(m, c)
		}
		return r
	}
	prefs, err := pragma.Spec{"ill": pragma.Priority()}.Resolve(classes)
	if err != nil {
		t.Fatal(err)
	}
	of := &Goal{Classes: classes, Prefs: prefs}
	none, some := rule([][]float64{{0, 2, 2}, {0, 8, 0}, {0, 0, 8}}), rule([][]float64{{3, 1, 0}, {1, 7, 0}, {0, 0, 8}})
	rules := &eval.Rules{Plain: none, Prior: some, Tuned: some, Optimistic: some}
	want := []string{"precision, class that matters most", "n/a", "75.0 %", "75.0 %", "75.0 %"}
	if g := rulesTable(rules, of); !slices.ContainsFunc(g.Rows, func(row []string) bool {
		return slices.Equal(row,
			want)
	}) {
		t.Errorf("no line %q in %q", want, g.Rows)
	}
}

// The table of other rows has the classes that matter most, or all of few.
func TestTold(t *testing.T) {
	many := make([]string, mostShown+1)
	for i := range many {
		many[i] = string(rune('a' + i))
	}
	for _, tc := range []struct {
		name    string
		classes []string
		prefer  string
		want    []string
	}{
		{"of two the rarer", []string{"ill", "well"}, "", []string{"ill"}},
		{"few alike", []string{"a", "b", "c"}, "", []string{"a", "b", "c"}},
		{"priority", []string{"a", "b", "c"}, "b", []string{"b"}},
		{"many alike", many, "", nil},
		{"priority of many", many, "b;c", []string{"b", "c"}},
	} {
		spec := pragma.Spec{}
		if tc.prefer != "" {
			for _, name := range strings.Split(tc.prefer, ";") {
				spec[name] = pragma.Priority()
			}
		}
		prefs, err := spec.Resolve(tc.classes)
		if err != nil {
			t.Fatal(err)
		}
		a := &Goal{Classes: tc.classes, Share: []float64{0.1, 0.9}, Spec: spec, Prefs: prefs}
		if got := a.classesTold(); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// Slope and intercept are those of R's glm on some 3084 rows, 0.57607 (standard error 0.06324) and −0.06288
// (0.08519), so the halves of their 95 % intervals are 1.96 times 0.06324, 0.124, and 0.167. Where there is no
// finite slope it is n/a.
func TestCalibrationIntervals(t *testing.T) {
	figures := calib.Report{Slope: calib.Estimate{Value: 0.57607488, SE: 0.06324209},
		Intercept: calib.Estimate{Value: -0.06287519, SE: 0.08519256}}
	judged := map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{Figures: figures}}}
	if row := probabilityTable([]string{"ill"}, judged, "raw").Rows[0]; row[5] != "0.58 ±0.12" || row[6] != "-0.06 ±0.17" {
		t.Errorf("slope %q, intercept %q", row[5], row[6])
	}
	judged["ill"].Calibrated.Figures.Slope = calib.Estimate{Value: math.NaN(), SE: math.NaN()}
	if row := probabilityTable([]string{"ill"}, judged, "raw").Rows[0]; row[5] != "n/a" {
		t.Errorf("slope %q", row[5])
	}
	// A range wider than 10 tells nothing, and where there is none nothing stands in its place.
	f := &judged["ill"].Calibrated.Figures
	f.Slope, f.Intercept, f.AUC, f.AUCSE = calib.Estimate{Value: 10.43, SE: 11}, calib.Estimate{Value: -1.5, SE: 2.5}, 1,
		math.NaN()
	if row := probabilityTable([]string{"ill"}, judged, "raw").Rows[0]; row[5] != "n/a" || row[6] != "-1.50 ±4.90" ||
		row[7] != "1.0000" {
		t.Errorf("slope %q, intercept %q, area %q", row[5], row[6], row[7])
	}
}

// The largest confusions come first, those under the tuned rule before those under the plain one; what never happens
// is not told.
func TestConfusionTable(t *testing.T) {
	of := func(classes []string, plain, tuned [][]float64) *layout.Grid {
		return confusionTable(&Goal{Classes: classes}, &eval.Report{Rules: eval.Rules{Plain: eval.Rule{Confusion: plain},
			Tuned: eval.Rule{Confusion: tuned}}})
	}
	g := of([]string{"a", "b", "c"}, [][]float64{{5, 4, 1}, {0, 9, 1}, {2, 0, 8}},
		[][]float64{{6, 1, 3}, {3.5, 6.5, 0}, {0, 0, 10}})
	want := [][]string{{"b", "a", "0", "3.5", "35.0 %"}, {"a", "c", "1", "3", "30.0 %"}, {"a", "b", "4", "1", "10.0 %"},
		{"c", "a", "2", "0", "0 %"}, {"b", "c", "1", "0", "0 %"}}
	if fmt.Sprint(g.Rows) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", g.Rows, want)
	}
	many := slices.Repeat([][]float64{slices.Repeat([]float64{1}, 9)}, 9)
	if g := of(make([]string, 9), many, many); len(g.Rows) != mostConfusions {
		t.Errorf("%d confusions are shown", len(g.Rows))
	}
}

// Where maps change nothing there is one line for a class, not the same twice.
func TestProbabilityTable(t *testing.T) {
	raw, err := eval.Judge([]float64{0.75, 0.25, 0.5, 0.5, 0.25, 0.75, 0.4, 0.6}, []int{0, 0, 1, 1}, nil, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	other, err := eval.Judge([]float64{0.9, 0.1, 0.5, 0.5, 0.25, 0.75, 0.4, 0.6}, []int{0, 0, 1, 1}, nil, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		judged eval.Judged
		want   []string
	}{
		{eval.Judged{Raw: raw, Calibrated: raw}, []string{"raw"}},
		{eval.Judged{Raw: raw, Calibrated: other}, []string{"raw", "calibrated"}},
		{eval.Judged{Calibrated: other}, []string{"calibrated"}},
	} {
		var got []string
		for _, line := range probabilityTable([]string{"ill"}, map[string]eval.Judged{"ill": tc.judged}, "raw").Rows {
			got = append(got, line[1])
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("lines %q, want %q", got, tc.want)
		}
	}
}

// A ROC area that is not 1 is not shown as 1, nor an interval as none.
func TestUnderOne(t *testing.T) {
	for _, tc := range []struct {
		x    float64
		want string
	}{{1, "1.0000"}, {0.99996, "> 0.9999"}, {0.99994, "0.9999"}, {0.5, "0.5000"}} {
		if got := layout.UnderOne(tc.x, 4); got != tc.want {
			t.Errorf("underOne(%v) = %q, want %q", tc.x, got, tc.want)
		}
	}
	all := map[string]eval.Judged{"A": {Calibrated: &eval.Judgement{Figures: calib.Report{AUC: 0.99999, AUCSE: 1e-6,
		AveragePrecision: 0.99998}}}}
	table := probabilityTable([]string{"A"}, all, "raw")
	if row := strings.Join(table.Rows[0], " "); !strings.Contains(row, "> 0.9999 ±0.0001 > 0.9999") {
		t.Errorf("the table says %q", row)
	}
}
