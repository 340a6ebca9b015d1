package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// lackingModel decides by tsh above all, of three features tried nearly alone, from 0 to 99, which so many of the 200 rows of its training lack.
func lackingModel(t *testing.T, lack, mtry int) *rfpragma.Model {
	t.Helper()
	text := "tsh,t3,age,y\n"
	for i := range 200 {
		tsh := fmt.Sprint(i % 100)
		if i*77%200 < lack { // spread over both classes
			tsh = ""
		}
		text += fmt.Sprintf("%s,%d,%d,%s\n", tsh, i*7%11, i*3%70, map[bool]string{true: "ill", false: "well"}[i%100 > 80])
	}
	frame, err := dataset.ReadCSV(strings.NewReader(text), "train.csv", dataset.Options{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := rfpragma.Fit(t.Context(), frame, pragma.Spec{"ill": pragma.Priority()}, rfpragma.Config{Forest: forest.Config{Trees: 20, Mtry: mtry}, Votes: vote.OOB})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A row without tsh is told where they are fewer than a fifth in training, and one with a value far from all of training whatever they are.
func TestLacking(t *testing.T) {
	const rests = ": what is decided of %s rests on the little that is left, however sure the probability looks; --withhold leaves %[1]s undecided"
	it, them := fmt.Sprintf(rests, "it"), fmt.Sprintf(rests, "them")
	one := `in.csv: row 1 lacks most of what the model decides by, above all "tsh"`
	for _, tc := range []struct {
		name string
		lack int // of the 200 rows of the training
		rows string
		want string // "" for silence
	}{
		{"one row", 0, "1,2,50\n,2,50\n3,,50\n", strings.Replace(one, "row 1", "row 2", 1) + it},
		{"several", 0, "1,2,50\n,2,\n,,50\n", `in.csv: 2 rows, the first of them row 2, lack most of what the model decides by, above all "tsh" (2 rows)` + them},
		{"others alone", 0, "1,2,\n3,,\n", ""},
		{"an empty one", 0, ",,\n1,2,50\n", one + it},
		{"fewer than a fifth of the training lack it", 39, ",2,50\n1,2,50\n", one + it},
		{"a fifth lack it", 40, ",2,50\n1,2,50\n", ""},
		{"most lack it", 160, ",2,50\n1,2,50\n", ""},
		{"far", 0, "1,2,50\n9999,2,50\n", strings.Replace(one, "row 1", "row 2", 1) + " (9999 is far from every value of training)" + it},
		{"far where a fifth lack it", 40, "-999,2,50\n", one + " (-999 is far from every value of training)" + it},
		{"a little above", 0, "120,2,50\n", ""},
		{"far and missing", 0, "-1,2,50\n,2,50\n-9,2,50\n", `in.csv: 3 rows, the first of them row 1, lack most of what the model decides by, above all "tsh" (3 rows, in 2 of them a value far from every one of training, such as -1)` + them},
		{"one of several far", 0, "-1,2,50\n,2,50\n", `in.csv: 2 rows, the first of them row 1, lack most of what the model decides by, above all "tsh" (2 rows, in 1 of them -1, far from every value of training)` + them},
	} {
		m := lackingModel(t, tc.lack, 3)
		read := func(each int) *lacking {
			rd, err := dataset.NewReader(strings.NewReader("tsh,t3,age\n"+tc.rows), "in.csv", dataset.Options{Schema: m.Forest.Schema})
			if err != nil {
				t.Fatal(err)
			}
			l := newLacking(m)
			for before := 0; ; before += each {
				block, err := rd.Next(each)
				if err != nil {
					return l
				}
				found, err := l.in(block)
				if err != nil {
					t.Fatal(err)
				}
				l.add(block, found, before)
			}
		}
		for _, each := range []int{1, 100} {
			got := ""
			for _, w := range read(each).warnings("in.csv") {
				got += w.Error()
			}
			if got != tc.want {
				t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
			}
		}
	}
}

// Rows without tsh are decided as well, and flatter: by hand, with and without the two rows of well and the one of ill that lack it.
func TestLackingJudged(t *testing.T) {
	na := math.NaN()
	frame := &dataset.Frame{Classes: []string{"ill", "well"}, Truth: []int{0, 0, 0, 1, 1, 1, 1, -1}, Columns: []dataset.Column{
		{Values: []float64{1, 2, na, 4, 5, na, na, na}}, {Values: slices.Repeat([]float64{7}, 8)}}}
	decided := []int{0, 0, 1, 1, 0, 1, 1}
	for _, tc := range []struct {
		name    string
		frame   *dataset.Frame
		decided []int
		want    []string
	}{
		{"some of the class", frame, decided, []string{"Of 4 rows that lack most of what the model decides by 3 can be judged: 2 decided rightly.",
			`1 is of "ill", and 0 of 1 found; without them recall is 100 % (with them 66.7 %), specificity is 50.0 % (with them 75.0 %) and NPV is 100 % (with them 75.0 %).`}},
		{"none of it", frame.Take([]int{0, 1, 3, 4, 5, 6}), []int{0, 0, 1, 0, 1, 1}, []string{"2 rows lack most of what the model decides by: 2 decided rightly.",
			`None is of "ill"; without them specificity is 50.0 % (with them 75.0 %).`}},
		{"a single one", frame.Take([]int{0, 3, 5}), []int{0, 1, 1}, []string{"1 row lacks most of what the model decides by: 1 decided rightly.",
			`None is of "ill"; without it recall, specificity and NPV are the same.`}},
		{"not all judged", frame, decided[1:], nil},
		{"no such row", frame.Take([]int{0, 1, 3, 4, 7}), []int{0, 0, 1, 0}, nil},
	} {
		found := make([][]rfpragma.MissingCell, tc.frame.Rows())
		for i := range found {
			if v := tc.frame.Columns[0].At(i); v != v {
				found[i] = []rfpragma.MissingCell{{Column: "tsh"}}
			}
		}
		if got := lackingJudged(tc.frame, found, tc.decided, []int{0}); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q\nwant %q", tc.name, got, tc.want)
		}
	}
}

// Classes that no such row is of are named in one line, where their figures are the same.
func TestLackingNone(t *testing.T) {
	frame := &dataset.Frame{Classes: []string{"ill", "worse", "well"}, Truth: []int{0, 1, 2}, Columns: []dataset.Column{{Values: []float64{1, 2, math.NaN()}}}}
	got := lackingJudged(frame, [][]rfpragma.MissingCell{nil, nil, {{Column: "tsh"}}}, []int{0, 1, 2}, []int{0, 1})
	want := []string{"1 row lacks most of what the model decides by: 1 decided rightly.",
		`None is of "ill" or "worse"; without it recall, specificity and NPV are the same.`}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// Shares that are told beside one another have as many digits.
func TestFiguresWithout(t *testing.T) {
	of := func(alarms float64) *vote.Confusion {
		m := vote.NewConfusion([]string{"ill", "well"})
		m.Add(0, 0, 10)
		m.Add(1, 0, alarms)
		m.Add(1, 1, 10000-alarms)
		return m
	}
	if got, want := figuresWithout(of(9), of(14), 0, "them"), "specificity is 99.86 % (with them 99.91 %)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is named is lacked: by so many of the rows, or by the one, and what they lack together weighs.
func TestLackingAbove(t *testing.T) {
	m := lackingModel(t, 0, 1)
	if order := m.Forest.Importance(); !(order[0] > order[2] && order[2] > 0) {
		t.Fatalf("tsh bears %v", order)
	}
	for _, tc := range []struct {
		rows int
		lost map[string]*lost
		want string
	}{
		{76, map[string]*lost{"tsh": {rows: 76}, "age": {rows: 45}}, `"tsh" (76 rows), "age" (45)`},
		{76, map[string]*lost{"tsh": {rows: 76, far: 3, example: "-9"}, "age": {rows: 45, far: 1, example: "999"}}, `"tsh" (76 rows, in 3 of them a value far from every one of training, such as -9), "age" (45, in 1 of them 999, far from every value of training)`},
		{1, map[string]*lost{"tsh": {rows: 1}, "age": {rows: 1, far: 1, example: "999"}}, `"tsh", "age" (999 is far from every value of training)`},
	} {
		l := lacking{model: m, rows: tc.rows, lost: tc.lost}
		for name, of := range l.lost {
			of.bears = float64(of.rows) * newLacking(m).bears[name]
		}
		if l.above() != tc.want {
			t.Errorf("%s, want %s", l.above(), tc.want)
		}
	}
}

// Alarms are told of all rows that come in, of which those that are left undecided raise none; by hand, of 100 rows that are decided and 25 or 100 that are not.
func TestWithheldAlarms(t *testing.T) {
	classes := []string{"ill", "well"}
	half, recall := 0.5, 1.0
	figures := func(rows, alarms float64) map[string]eval.Class {
		return map[string]eval.Class{"ill": {Support: 20, Rows: 20, Predicted: alarms, Recall: &recall, Precision: &half}, "well": {Support: rows - 20, Rows: rows - 20, Predicted: rows - alarms}}
	}
	rule := eval.Rule{Classes: figures(100, 40), Confusion: [][]float64{{20, 0}, {20, 60}}}
	plain := eval.Rule{Classes: figures(100, 20)}
	held := newWithheld(classes)
	held.Rows, held.Classes[0].Rows, held.Classes[1].Rows, held.Classes[1].Undecided = 25, 20, 105, 25
	held.byFold = map[int]float64{0: 150, 2: 100}
	limit := pragma.Floor{What: pragma.Alerts, Limit: 0.35}
	v := &verdict{classes: classes, matter: []int{0}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, rows: newRows, report: &eval.Report{Rules: eval.Rules{Tuned: rule, Plain: plain}}}
	said := func() string {
		v.floors = nil
		alarms := v.alarms(0)
		v.floors = []pragma.Floor{limit}
		kept, broken, _ := v.floorWords()
		return strings.Join(slices.Concat(alarms, kept, broken), " ")
	}
	if got := said(); !strings.Contains(got, `about 4000 alarms for "ill", by the plain vote 2000.`) || !strings.Contains(got, "it is 40 %, which is not kept") {
		t.Error(got)
	}
	v.withheld = held
	if got := said(); !strings.Contains(got, `about 3200 alarms for "ill", by the plain vote 1600.`) || !strings.Contains(got, "it is 32 %, which is kept") {
		t.Error(got)
	}
	if got := heldText(limit, limit.Of(confusionOf(classes, rule.Confusion), held.decided())); got != "32 %" {
		t.Error(got)
	}
	if share, _, _ := eval.AlertsIn("ill", held.decidedIn)(&eval.Block{Fold: 2, Classes: rule.Classes}); *share != 0.2 {
		t.Errorf("a block: %v", *share)
	}
	if share, _, _ := eval.AlertsIn("ill", nil)(&eval.Block{Fold: 2, Classes: rule.Classes}); *share != 0.4 {
		t.Errorf("a block of which all rows are decided: %v", *share)
	}
	e := &expectedInfo{rule: rule, was: &cvResult{Withheld: held}, aim: &aim{}}
	e.alerts("ill", &rule, nil, held)
	if f := e.Figures[0]; f.was != "3200" || f.is != "3200" || *f.Found != 0.32 {
		t.Errorf("%+v", f)
	}
}

// Who withholds decisions is not told to.
func TestWithholdUnadvised(t *testing.T) {
	rows := "tsh,age,y\n"
	for i := range 300 {
		tsh, y := fmt.Sprint(i%50), "well"
		if i%3 == 0 {
			tsh = ""
		} else if i%4 == 0 {
			y = "ill"
		}
		rows += fmt.Sprintf("%s,%d,%s\n", tsh, i*7%60, y)
	}
	inFolder(t, map[string]string{"data.csv": rows})
	for flag, advised := range map[string]bool{"": true, " --withhold": false} {
		got := must(t, "cv data.csv --target y --prefer ill --trees 10 --folds 2 --format json --report page.html"+flag)
		for _, text := range []string{got.stderr, got.stdout, read(t, "page.html")} {
			if strings.Contains(text, "what somebody expected") != advised && strings.Contains(text, "a model learns to decide so") {
				t.Errorf("cv%s: %s", flag, text)
			}
		}
		inWords(t, got.stderr, "a model learns to decide so")
	}
}

// Classes that none of the undecided is of are named in one line.
func TestWithheldNone(t *testing.T) {
	held := newWithheld([]string{"ill", "worse", "well"})
	held.Rows = 1
	if got, want := held.words([]int{0, 1}, false), []string{`None of the undecided is of "ill" or "worse".`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A class of the name that stands for no decision would be taken for it.
func TestWithholdRefused(t *testing.T) {
	const want = `--withhold writes "undecided" as the decision of rows that lack most of what the model decides by, and "Undecided" is a class of the model; leave out --withhold: predict tells in column "lacks" which rows these are`
	inFolder(t, map[string]string{"data.csv": strings.ReplaceAll(small(60), "well", "Undecided")})
	must(t, "train data.csv --prefer ill --trees 5 -o model.rfp")
	for _, line := range []string{"predict model.rfp in.csv --withhold", "cv data.csv --withhold", "evaluate model.rfp in.csv --withhold", "report model.rfp in.csv -o page.html --withhold"} {
		refusal{line, "x,kind,class\n1,p,ill\n90,p,Undecided\n", line, exitUsage, want}.refused(t)
	}
}
