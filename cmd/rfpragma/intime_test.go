package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/say"
	"github.com/rfpragma/rfpragma/pragma"
)

// judgedBlocks are those of rows in the order of time, the first of which is not judged: so many rows of "ill" beside 1000 of "well" in each, and so many alarms, half of them right.
func judgedBlocks(ill ...float64) []eval.Block {
	blocks := []eval.Block{{From: "2020"}}
	for i, n := range ill {
		m := confusionOf([]string{"ill", "well"}, [][]float64{{n / 2, n / 2}, {n / 2, 1000 - n/2}})
		blocks = append(blocks, eval.Block{
			From: fmt.Sprint(2021 + i), To: fmt.Sprint(2021 + i), Before: float64(1000 * (1 + i)), Decided: m,
			Classes:  map[string]eval.Class{"ill": {Support: n, Rows: n}},
			Expected: map[string]calib.Estimate{"ill": {Value: 20, SE: 4}},
		})
	}
	return blocks
}

// By hand: 20 rows are expected in each block, by 4 more or less. 50 are there: 30 more, and three times the larger chance, √50 = 7.1, is 21. Of 2 it is 18 beside 3·4. Where
// 0.1 of a row are expected, 6 are 5.9 more, and 3·√6 = 7.3.
func TestOffBlocks(t *testing.T) {
	for _, tc := range []struct {
		name   string
		blocks []eval.Block
		want   string
	}{
		{"none", judgedBlocks(18, 25, 31), ""},
		{"early", judgedBlocks(2, 18, 22), `By more than chance the probabilities of "ill" are off in 1 of 3 blocks: 2021, trained on 1000 rows, too high (20 expected, 2 there). In the others 40 are expected, 40 are there. The latest, whose training has most rows (3000), is not off as a whole, and a model of all rows is nearest to it.`},
		{"latest", judgedBlocks(18, 22, 50), `By more than chance the probabilities of "ill" are off in 1 of 3 blocks: 2023, trained on 3000 rows, too low (20 expected, 50 there). In the others 40 are expected, 40 are there. The latest is off, and new rows come after it: do not take them at their word.`},
		{"all", judgedBlocks(50, 2), `By more than chance the probabilities of "ill" are off in 2 of 2 blocks: 2021, trained on 1000 rows, too low (20 expected, 50 there); 2022, trained on 2000 rows, too high (20 expected, 2 there). The latest is off, and new rows come after it: do not take them at their word.`},
		{"many", judgedBlocks(50, 50, 50, 50, 20), `2023, trained on 3000 rows, too low (20 expected, 50 there); and 1 more. In the others`},
		{"a single one", judgedBlocks(50), ""},
		{"folds", nil, ""},
		{"hardly expected", func() []eval.Block {
			blocks := judgedBlocks(6, 20)
			blocks[1].Expected["ill"] = calib.Estimate{Value: 0.1, SE: 0.3}
			return blocks
		}(), ""},
	} {
		v := &verdict{report: &eval.Report{Blocks: tc.blocks}}
		if got := v.offBlockWords("ill"); !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// What is off in the latest block is told once, and what the probabilities are worth is said to be of that block. Where only an early one is off, it is told beside that.
func TestOffBlocksBesideAll(t *testing.T) {
	high := calib.Bin{Low: 0.17, High: 0.93, Count: 125, Rows: 125, Mean: 0.2325, Share: 0.072}
	r := &eval.Report{Blocks: judgedBlocks(18, 22, 50), Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
		Figures: calib.Report{Rows: 600, Share: 0.1, Intercept: calib.Estimate{Value: -1, SE: 0.1}, Brier: calib.CORP{Score: 0.1, UNC: 0.09}}, Bins: []calib.Bin{high},
	}}}}
	v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r, rows: newRows}
	if got := v.miscalibrated(); len(got) != 1 || !strings.Contains(got[0], "off in 1 of 3 blocks") || strings.Contains(got[0], "--calibrate") {
		t.Errorf("%q", got)
	}
	if got := v.uninformed(); len(got) != 1 || !strings.HasPrefix(got[0], `In the latest block the probabilities of "ill" are no better`) {
		t.Errorf("%q", got)
	}
	r.Probabilities["well"], v.prefs[1] = r.Probabilities["ill"], pragma.Priority()
	if got := v.miscalibrated(); len(got) != 1 {
		t.Errorf("of the other class it is told as well: %q", got)
	}
	delete(r.Probabilities, "well")
	r.Blocks = judgedBlocks(2, 18, 22)
	if got := v.miscalibrated(); len(got) != 2 || !strings.Contains(got[0], "off in 1 of 3 blocks: 2021, trained") || !strings.Contains(got[1], "are too high at 17–93 %") {
		t.Errorf("%q", got)
	}
	r.Blocks = judgedBlocks(20, 20)
	if got := v.miscalibrated(); len(got) != 1 || !strings.HasSuffix(got[0], ` 9 came). Do not take them at their word: later rows may be other ones.`) {
		t.Errorf("%q", got)
	}
}

// In the order of time it is said first what to expect of later rows, and then what became of the latest block, and of single ones but for those of
// a handful of rows.
func TestLatest(t *testing.T) {
	plain, tuned := [][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}
	class := func(rows, found float64) map[string]eval.Class {
		share := found / rows
		low, high := calib.Wilson(found, rows, calib.Z95)
		return map[string]eval.Class{"ill": {Support: rows, Rows: rows, Predicted: rows, Recall: &share, Precision: &share, RecallInterval: &[2]float64{low, high}, PrecisionInterval: &[2]float64{low, high}}, "well": {Support: 9 * rows}}
	}
	said := func(blocks ...map[string]eval.Class) string {
		return spoken(plain, tuned, func(v *verdict) {
			v.report.Blocks = make([]eval.Block, 1)
			rows, found := 0.0, 0.0
			for _, of := range blocks {
				v.report.Blocks = append(v.report.Blocks, eval.Block{Classes: of})
				rows, found = rows+of["ill"].Support, found+*of["ill"].Recall*of["ill"].Support
			}
			if len(blocks) > 1 {
				v.report.Together = &eval.Block{Classes: class(rows, found)}
			}
		})
	}
	got := said(class(22, 11), class(80, 60))
	for _, want := range []string{
		`Of 100 later rows of "ill" expect 71 to be found (21–100): that is recall.`,
		`Of 100 later alarms for "ill" expect 71 to be right (21–100), at random 10: that is precision.`,
		`By the preference rows of the latest block are decided better than by the plain vote`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, tc := range []struct {
		name string
		got  string
		want string
	}{
		{"a single block", said(class(80, 60)), "On rows of the later block 80 of 100 rows of \"ill\" are found (0–100), by the plain vote 40: that is recall.\n"},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("%s: no %q in\n%s", tc.name, tc.want, tc.got)
		}
	}
}

// Of one judged block, or two, it is warned that ranges do not know how blocks differ, and said how to have more: by more folds only where the times allow.
func TestFewBlocks(t *testing.T) {
	for _, tc := range []struct {
		blocks, folds int // of four times, three at most
		want          string
	}{
		{0, 10, ""},
		{2, 1, "only one block is judged, so the ranges know nothing of how blocks differ: on later rows recall and precision may well be below them; a larger --folds makes more blocks"},
		{2, 3, `only one block is judged, so the ranges know nothing of how blocks differ: on later rows recall and precision may well be below them; column "year" has only 4 times, and finer times make more blocks, such as dates, or columns of year and month (--time YEAR,MONTH)`},
		{3, 2, "only two blocks are judged, so the ranges know little of how blocks differ: on later rows recall and precision may well be below them; a larger --folds makes more blocks"},
		{4, 3, ""},
	} {
		job := &cvJob{frame: &dataset.Frame{Time: &dataset.Column{Field: dataset.Field{Name: "year"}, Values: []float64{1, 2, 3, 4}}, Truth: make([]int, 4)}, blocks: make([]dataset.Block, tc.blocks), eval: eval.Config{Folds: tc.folds}}
		if got := fmt.Sprint(errors.Join(job.blocksWarning()...)); got != tc.want && (tc.want != "" || got != "<nil>") {
			t.Errorf("%d blocks, --folds %d: %q, want %q", tc.blocks, tc.folds, got, tc.want)
		}
	}
}

// Of a list it is told what to expect of later rows, as far as two blocks have it.
func TestBlocksOfList(t *testing.T) {
	block := func(precision, recall *float64) eval.Block {
		around := func(x *float64) *[2]float64 {
			if x == nil {
				return nil
			}
			return &[2]float64{*x - 0.1, *x + 0.1}
		}
		return eval.Block{Top: []eval.TopListFigures{{Class: "ill", Precision: precision, Recall: recall, PrecisionInterval: around(precision), RecallInterval: around(recall)}}}
	}
	share := func(x float64) *float64 { return &x }
	both := blocksOfList([]eval.Block{block(share(0.4), share(0.3)), block(share(0.4), share(0.3))}, 0)
	if len(both) != 1 || !regexp.MustCompile(`^On later rows expect 40 of 100 rows on the list to be of that class \([0-9]+–[0-9]+\), and 30 of 100 rows of "ill" to be on the list \([0-9]+–[0-9]+\)\.$`).MatchString(both[0]) {
		t.Errorf("%q", both)
	}
	if one := blocksOfList([]eval.Block{block(share(0.4), nil), block(share(0.4), share(0.3))}, 0); len(one) != 1 || strings.Contains(one[0], "and") {
		t.Errorf("%q", one)
	}
	for name, blocks := range map[string][]eval.Block{"none": nil, "a single one": {block(share(0.4), share(0.3))}} {
		if got := blocksOfList(blocks, 0); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Weights of early blocks decide no row that figures are of: what they find otherwise is no disagreement. Of repeats it is. By hand: of 40 rows, with 0 to 39 votes of 100, a weight of 3 finds those of 25 and more, and one of 99 all but one.
func TestLatestDiscord(t *testing.T) {
	fold := func(repeat, n int, ill float64) eval.FoldWeights {
		return eval.FoldWeights{Repeat: repeat, Fold: n, Weights: map[string]float64{"ill": ill, "well": 1}}
	}
	table := votesFor()
	job := &cvJob{frame: &dataset.Frame{Classes: table.Classes}, aim: &aim{classes: table.Classes, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, share: table.Share}}
	report := &eval.Report{Votes: table, Blocks: judgedBlocks(20, 20), WeightsByFold: []eval.FoldWeights{fold(1, 1, 3.1), fold(1, 2, 99.5)}}
	if got := job.discord(report).words(say.Voice{}); got != nil {
		t.Errorf("of an early block %q", got)
	}
	report.WeightsByFold = append(report.WeightsByFold, fold(2, 1, 3.1), fold(2, 2, 3.1))
	if got := job.discord(report).words(say.Voice{}); len(got) != 1 || !strings.Contains(got[0], `find from 38 to 98 of 100 rows of "ill", so these figures`) {
		t.Errorf("of repeats %q", got)
	}
}

// What trainings of early blocks alone warn of is told in one, but for what decides whether there is a model.
func TestLateWarnings(t *testing.T) {
	of := func(text error, early bool) error {
		return &eval.TrainingWarning{Warning: text, Times: 1, Of: 3, Early: early}
	}
	late, floors, other := of(errors.New("few rows"), false), of(fmt.Errorf("%w: recall", anneal.ErrFloors), true), errors.New("of the data")
	early := of(errors.New("too few rows"), true)
	for _, tc := range []struct {
		warnings []error
		want     string
	}{
		{[]error{early, late, early, floors, other}, "of early blocks alone, whose trainings have fewer rows: in 1 of 3 trainings: too few rows; in 1 of 3 trainings: too few rows"},
		{[]error{late, early, floors, other}, "of early blocks alone, whose trainings have fewer rows: in 1 of 3 trainings: too few rows"},
		{[]error{late, floors, other}, ""},
	} {
		got := lateWarnings(tc.warnings)
		if len(got) < 3 || got[0] != late || got[1] != floors || got[2] != other {
			t.Fatalf("%q", got)
		}
		if rest := fmt.Sprint(errors.Join(got[3:]...)); rest != tc.want && tc.want != "" || (len(got) > 3) != (tc.want != "") {
			t.Errorf("%q, want %q", rest, tc.want)
		}
	}
}

// Where no other choice for later rows is left that is told; not where rows are mixed, and not of those that stand in the place of a requirement. Where there are too few rows to try any it is said.
func TestOmittedWords(t *testing.T) {
	of := func(rows float64, change func(*cvJob)) string {
		report := &eval.Report{Rules: eval.Rules{Tuned: eval.Rule{Classes: map[string]eval.Class{"ill": {Rows: rows}}}}}
		job := &cvJob{
			frame: &dataset.Frame{Classes: []string{"ill", "well"}}, blocks: make([]dataset.Block, 3), tried: make([]alternative, 5),
			aim: &aim{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, share: []float64{0.1, 0.9}},
		}
		change(job)
		return strings.Join(job.omittedWords(report), " ")
	}
	for _, tc := range []struct {
		rows   float64
		change func(*cvJob)
		want   string
	}{
		{30, func(*cvJob) {}, `No other choice for "ill" is worth showing.`},
		{30, func(job *cvJob) { job.aim.floors = []string{"ill:recall>=0.9"} }, `Within what you require no other choice for "ill" is worth showing.`},
		{30, func(job *cvJob) { job.others = job.tried[:1] }, ""},
		{30, func(job *cvJob) { job.tried = nil }, ""},
		{30, func(job *cvJob) { job.tried[0].Instead = true }, ""},
		{30, func(job *cvJob) { job.blocks = nil }, ""},
		{12, func(job *cvJob) { job.tried = nil }, `No other choices for "ill" are told: the latest block has 12 rows of it, which is too few. With fewer --folds blocks have more.`},
	} {
		if got := of(tc.rows, tc.change); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// A column of dates has finer times than one of years.
func TestTimeFlags(t *testing.T) {
	dates, ordered := dataset.Finding{Sort: inspected.Dates, Columns: []string{"when"}}, dataset.Finding{Sort: inspected.Ordered, Columns: []string{"Year"}}
	for _, tc := range []struct {
		found []dataset.Finding
		flags string
		words string
	}{
		{nil, "", ""},
		{[]dataset.Finding{dates}, "", ""},
		{[]dataset.Finding{ordered}, "--time Year,Month", `--time Year,Month has later rows judged by earlier ones, as rows to come will be: leave it out if "Year" is not time.`},
		{[]dataset.Finding{dates, ordered}, "--time when --ignore Year", `--time when has later rows judged by earlier ones, as rows to come will be. If "when" does not say when a row was, write --ignore when in place of both, and if "Year" is time add --time Year,Month.`},
	} {
		flags, words := timeFlags(&dataset.Overview{Findings: tc.found, Time: "Year,Month"})
		if strings.Join(flags, " ") != tc.flags || strings.Join(words, "\n") != tc.words {
			t.Errorf("%v: %q, %q", tc.found, flags, words)
		}
	}
}

// A figure of a block that is not what is required of it is marked. By hand: half of the ill are found, and half of the alarms are right.
func TestBrokenInBlock(t *testing.T) {
	b := judgedBlocks(20)[1]
	job := &cvJob{frame: &dataset.Frame{Classes: []string{"ill", "well"}}}
	job.fit.Search.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.95}, {Class: 0, What: pragma.PrecisionFloor, Limit: 0.4}}
	for _, tc := range []struct {
		class string
		what  pragma.Figure
		want  string
	}{{"ill", pragma.RecallFloor, "not kept, "}, {"ill", pragma.PrecisionFloor, ""}, {"ill", pragma.Alerts, ""}, {"well", pragma.RecallFloor, ""}} {
		if got := job.broken(b, tc.class, tc.what); got != tc.want {
			t.Errorf("%s of %s: %q", tc.what, tc.class, got)
		}
	}
}
