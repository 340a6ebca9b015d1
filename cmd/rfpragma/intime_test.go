package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// judgedBlocks are those of rows in the order of time, the first of which is not judged: so many rows of "ill" beside 1000 of "well" in each, and so many alarms, half of them right.
func judgedBlocks(ill ...float64) []eval.Block {
	blocks := []eval.Block{{From: "2020"}}
	for i, n := range ill {
		m := confusionOf([]string{"ill", "well"}, [][]float64{{n / 2, n / 2}, {n / 2, 1000 - n/2}})
		blocks = append(blocks, eval.Block{
			From: fmt.Sprint(2021 + i), Before: float64(1000 * (1 + i)), Decided: m,
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
		{"early", judgedBlocks(2, 18, 22), `By more than chance the probabilities of "ill" are off in 1 of 3 blocks: from 2021 on, trained on 1000 rows, too high (20 expected, 2 there). In the others 40 are expected, 40 are there. The latest, whose training has most rows (3000), is not off, and a model of all rows is nearest to it.`},
		{"latest", judgedBlocks(18, 22, 50), `By more than chance the probabilities of "ill" are off in 1 of 3 blocks: from 2023 on, trained on 3000 rows, too low (20 expected, 50 there). In the others 40 are expected, 40 are there. The latest is off, and new rows come after it: do not take them at their word.`},
		{"all", judgedBlocks(50, 2), `By more than chance the probabilities of "ill" are off in 2 of 2 blocks: from 2021 on, trained on 1000 rows, too low (20 expected, 50 there); from 2022 on, trained on 2000 rows, too high (20 expected, 2 there). The latest is off, and new rows come after it: do not take them at their word.`},
		{"many", judgedBlocks(50, 50, 50, 50, 20), `from 2023 on, trained on 3000 rows, too low (20 expected, 50 there); and 1 more. In the others`},
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

// What is off in a block is off in all rows together, too, by another word: it is told once, and what the probabilities are worth then is said to be of all blocks together.
func TestOffBlocksBesideAll(t *testing.T) {
	high := calib.Bin{Count: 125, Rows: 125, Mean: 0.2325, Share: 0.072, ShareLow: 0.04, ShareHigh: 0.13}
	r := &eval.Report{Blocks: judgedBlocks(2, 18, 22), Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
		Figures: calib.Report{Rows: 600, Share: 0.1, Intercept: calib.Estimate{Value: -1, SE: 0.1}, Brier: calib.CORP{Score: 0.1, UNC: 0.09}}, Bins: []calib.Bin{high},
	}}}}
	v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r, rows: newRows}
	if got := v.miscalibrated(); len(got) != 1 || !strings.Contains(got[0], "off in 1 of 3 blocks") || strings.Contains(got[0], "--calibrate") {
		t.Errorf("%q", got)
	}
	if got := v.uninformed(); len(got) != 1 || !strings.HasPrefix(got[0], `So, all blocks together, the probabilities of "ill" are no better`) {
		t.Errorf("%q", got)
	}
	r.Probabilities["well"], v.prefs[1] = r.Probabilities["ill"], pragma.Priority()
	if got := v.miscalibrated(); len(got) != 1 {
		t.Errorf("of the other class it is told as well: %q", got)
	}
	delete(r.Probabilities, "well")
	r.Blocks = judgedBlocks(20, 20)
	if got := v.miscalibrated(); len(got) != 1 || !strings.HasSuffix(got[0], ` are "ill". Do not take them at their word: later rows may be other ones.`) {
		t.Errorf("%q", got)
	}
}

// Of what blocks together do not keep it is told what the latest makes of it, and no other rule is advised where that keeps it. By hand: 22 alarms of 1022 rows are 215 of 10,000.
func TestKeptLately(t *testing.T) {
	plain, tuned := [][]float64{{0, 20}, {0, 180}}, [][]float64{{16, 4}, {24, 156}}
	const why = "You require ill:alerts<=300/10000: on the 2 later blocks together it is 2000/10000, which is not kept: it is reached on the rows before each block, and later rows are other ones"
	for _, tc := range []struct {
		last  float64
		want  string
		other bool
	}{
		{22, why + "; the latest block, whose training has most rows (2000), keeps it: 215/10000.", false},
		{100, why + "; in the latest block it is 909/10000.", true},
	} {
		got := spoken(plain, tuned, func(v *verdict) {
			v.floors, v.report.Blocks = []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: 0.03, Typed: "300/10000"}}, judgedBlocks(80, tc.last)
		})
		if !strings.Contains(got, tc.want) || strings.Contains(got, "is kept on the 2 later blocks together by") != tc.other || strings.Contains(got, "half of all new samples") {
			t.Errorf("%v in the latest: no %q in\n%s", tc.last, tc.want, got)
		}
		if by := fmt.Sprintf(`10,000 such rows raise about 2000 alarms for "ill", by the plain vote 0; in the latest block %s.`, about(1e4*tc.last/(1000+tc.last))); !strings.Contains(got, by) {
			t.Errorf("%v in the latest: no %q in\n%s", tc.last, by, got)
		}
	}
}

// Figures of all blocks are said to be those of the blocks together, and beside them stand those of the latest. By hand: there 40 of 80 rows of "ill" are found and 40 of 80 alarms are right, of which
// the intervals are not known; of 22 rows, 11 of each. The loss is the share of wrong decisions: 80 of 1080 there, and so it is where all are decided as "well".
func TestLatest(t *testing.T) {
	plain, tuned := [][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}
	half := 0.5
	said := func(change func(*verdict), ill ...float64) string {
		return spoken(plain, tuned, func(v *verdict) {
			v.asked, v.measure = pragma.Accuracy, "accuracy"
			v.report.Blocks = judgedBlocks(ill...)
			for _, b := range v.report.Blocks[1:] {
				n := b.Classes["ill"].Support
				b.Classes["ill"] = eval.Class{Support: n, Rows: n, Predicted: n, Recall: &half, Precision: &half, RecallInterval: &[2]float64{0.4, 0.6}, PrecisionInterval: &[2]float64{0.3, 0.7}}
			}
			if change != nil {
				change(v)
			}
		})
	}
	got := said(nil, 22, 80)
	for _, want := range []string{
		`On the 2 later blocks together 80 of 100 rows of "ill" are found (0–100), by the plain vote 40: that is recall; in the latest block 50 (40–60).`,
		`Of 100 alarms for "ill" 40 are right (0–100), at random 10, by the plain vote 80: that is precision; in the latest block 50 (30–70).`,
		`By the measure you chose the 2 later blocks together are decided better than by the plain vote: the loss (accuracy) falls from 0.4000 to 0.3000 (by 0.1000; two standard errors are 0.04). In the latest block the loss is 0.0741.`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := said(nil, 80, 2); !strings.Contains(got, "that is recall; in the latest block 1 of 2 (40–60 of 100).") {
		t.Errorf("of a handful of rows\n%s", got)
	}
	if got := said(nil, 80); !strings.Contains(got, "On the later block 80 of 100 rows") || strings.Contains(got, "latest") {
		t.Errorf("of a single block\n%s", got)
	}
	waste := func(v *verdict) { v.report.Rules.Tuned.LossInterval = &[2]float64{0.2, 0.4} } // 20 of 200 are wrong where all are "well"
	if got := said(waste, 22, 80); !strings.Contains(got, `than to use the model, 0.3000. Not so in the latest block: there the loss is 0.0741 that way, and 0.0741 by the model.`) {
		t.Errorf("decided alike\n%s", got)
	}
	worse := func(v *verdict) {
		waste(v)
		v.report.Blocks[2].Decided = confusionOf(v.classes, [][]float64{{40, 40}, {60, 940}})
	}
	if got := said(worse, 22, 80); !strings.Contains(got, `than to use the model, 0.3000. So it is in the latest block: there the loss is 0.0741 that way, and 0.0926 by the model.`) {
		t.Errorf("decided alike, and the latest block agrees\n%s", got)
	}
	amounts := func(v *verdict) { v.costs = pragma.Costs{ByAmount: []bool{true, false}} }
	if got := said(amounts, 22, 80); strings.Contains(got, "In the latest block the loss") {
		t.Errorf("rows of a block are counted, and money is told\n%s", got)
	}
}

// Where it costs less to decide all rows alike no other choices are offered, unless it is not so in the latest block. By hand: there 40 of 80 rows of "ill" are missed and 40 alarms are false, which cost 240
// where a miss costs 5, and all decided as "well" 400; where it costs 0.5 they are 60, and 40.
func TestWastefulBlocks(t *testing.T) {
	cost := 300.0
	for _, tc := range []struct {
		name   string
		miss   float64
		always float64
		blocks []eval.Block
		want   bool
	}{
		{"folds", 5, 200, nil, true},
		{"folds, and the model costs less", 5, 400, nil, false},
		{"not so in the latest block", 5, 200, judgedBlocks(20, 80), false},
		{"a single block", 5, 200, judgedBlocks(80), true},
		{"so in the latest block", 0.5, 200, judgedBlocks(20, 80), true},
	} {
		r := &eval.Report{Always: map[string]float64{"ill": 500, "well": tc.always}, Blocks: tc.blocks}
		r.Rules.Tuned.Cost = &cost
		if got := wasteful(pragma.Costs{Matrix: [][]float64{{0, tc.miss}, {1, 0}}}, r); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
	if wasteful(pragma.Costs{}, &eval.Report{}) {
		t.Error("without costs")
	}
}

// What the folds disagree about is told with what the weights of the latest block make of it. By hand: of 40 rows, with 0 to 39 votes of 100, a weight of 3 finds those of 25 and more, and one of 99 all but one.
func TestLatestDiscord(t *testing.T) {
	fold := func(n int, ill float64) eval.FoldWeights {
		return eval.FoldWeights{Repeat: 1, Fold: n, Weights: map[string]float64{"ill": ill, "well": 1}}
	}
	table := votesFor()
	job := &cvJob{frame: &dataset.Frame{Classes: table.Classes}, aim: &aim{classes: table.Classes, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, share: table.Share}}
	report := &eval.Report{Votes: table, Blocks: judgedBlocks(20, 20), WeightsByFold: []eval.FoldWeights{fold(1, 3.1), fold(2, 99.5)}}
	const want = "find from 38 to 98 of 100 rows of \"ill\" (98 by those of the latest block, whose training has most rows), so these figures"
	if got := job.discord(report).words(); len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("%q, want %q", got, want)
	}
	if report.Blocks = nil; job.discord(report).late != "" {
		t.Error("a latest block of folds")
	}
}

// What trainings of early blocks alone warn of is counted, but for what decides whether there is a model.
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
		{[]error{early, late, early, floors, other}, "2 more warnings are of early blocks alone, whose trainings have fewer rows"},
		{[]error{late, early, floors, other}, "1 more warning is of early blocks alone, whose trainings have fewer rows"},
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

// Of choices for later rows that were tried it is told how many are not shown, and why; not where rows are mixed, and not beside a requirement, of which others stand in the place.
func TestOmittedWords(t *testing.T) {
	of := func(counts [omissions]int, floors ...string) string {
		job := &cvJob{
			frame: &dataset.Frame{Classes: []string{"ill", "well"}}, blocks: make([]dataset.Block, 3), omitted: counts,
			aim: &aim{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, share: []float64{0.1, 0.9}, floors: floors},
		}
		words := job.omittedWords()
		if job.blocks = nil; job.omittedWords() != nil {
			t.Errorf("%v: told of rows that are mixed", counts)
		}
		return strings.Join(words, " ")
	}
	for counts, want := range map[[omissions]int]string{
		{3}:             "",
		{2, 1, 0, 0, 0}: `Of 3 other choices for "ill" that were tried 1 is left out: by 1 hardly more is found than by the tuned weights or another choice.`,
		{0, 2, 1, 1, 1}: `Of 5 other choices for "ill" that were tried 5 are left out: by 2 hardly more is found than by the tuned weights or another choice, by 1 far less is found than was aimed at, by 1 alarms are hardly right more often than at random and 1 cannot be kept on the rows before a block.`,
	} {
		if got := of(counts); got != want {
			t.Errorf("%v: %q, want %q", counts, got, want)
		}
		if got := of(counts, "ill:recall>=0.9"); got != "" {
			t.Errorf("%v beside a requirement: %q", counts, got)
		}
	}
}

// A column of dates has finer times than one of years.
func TestTimeWords(t *testing.T) {
	dates, ordered := dataset.Finding{Sort: dataset.FoundDates, Columns: []string{"when"}}, dataset.Finding{Sort: dataset.FoundOrdered, Columns: []string{"Year"}}
	for _, tc := range []struct {
		found []dataset.Finding
		want  string
	}{
		{nil, ""},
		{[]dataset.Finding{dates}, ""},
		{[]dataset.Finding{ordered}, `If "Year" is time, add --time Year: later rows are then judged by earlier ones.`},
		{[]dataset.Finding{dates, ordered}, `If "when" says when a row was, add --time when --ignore Year: later rows are then judged by earlier ones. Else add --ignore when, and if "Year" is time --time Year.`},
	} {
		if got := strings.Join(timeWords(&dataset.Overview{Findings: tc.found}), "\n"); got != tc.want {
			t.Errorf("%v: %q", tc.found, got)
		}
	}
}
