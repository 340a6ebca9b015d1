package main

import (
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

// The class that a model is for stays the same, whichever is rare among the rows that it is judged on; of labels that are swapped all is said of it too, and that they look so.
func TestOtherRare(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 1500 -o train.csv")
	must(t, "generate fraud --rows 1500 --seed 2 -o later.csv")
	must(t, "train train.csv --cost fraud=20 --trees 50 -o model.rfp")
	lines := strings.Split(strings.TrimSuffix(read(t, "later.csv"), "\n"), "\n")
	swapped, only := lines[:1:1], lines[:1:1]
	for _, line := range lines[1:] {
		switch cells, fraud := strings.CutSuffix(line, ",fraud"); {
		case fraud:
			swapped = append(swapped, cells+",ok")
			only = append(only, line)
		default:
			swapped = append(swapped, strings.TrimSuffix(line, ",ok")+",fraud")
		}
	}
	write(t, "swapped.csv", strings.Join(swapped, "\n"))
	write(t, "only.csv", strings.Join(only[:6], "\n"))
	const ask = "are the labels swapped?"
	for _, tc := range []struct {
		name, found string
		swapped     bool
	}{
		{"later.csv", `of 100 rows of "fraud" are found`, false},
		{"swapped.csv", `of 100 rows of "fraud" are found`, true},
		{"only.csv", `Of 5 rows of "fraud"`, false},
	} {
		got := must(t, "evaluate model.rfp "+tc.name)
		if strings.Contains(got.stderr, ask) != tc.swapped {
			t.Errorf("%s: %s", tc.name, got.stderr)
		}
		if words := strings.Join(strings.Fields(got.stdout), " "); !strings.Contains(words, tc.found) || strings.Contains(words, `alarms for "ok"`) {
			t.Errorf("%s: want %s\n%s", tc.name, tc.found, got.stdout)
		}
		page := must(t, "report model.rfp "+tc.name+" --format json -o -")
		if !strings.Contains(page.stdout, `such rows raise about`) || strings.Contains(page.stdout, `for \"ok\", by the plain vote`) || strings.Contains(page.stdout, ask) != tc.swapped {
			t.Errorf("the page of %s: %.3000s", tc.name, page.stdout)
		}
	}
}

// The text begins with what people decide by, fits a page also where drift shows, and says nothing twice; what is of the model, or rarely asked for, is in the JSON.
func TestEvaluatePage(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 1500 -o train.csv")
	must(t, "generate fraud --rows 3000 --seed 2 --drift 0.6 -o later.csv")
	must(t, "train train.csv --prefer fraud --require fraud:alerts<=1000/10000 --trees 50 -o model.rfp")
	text := must(t, "evaluate model.rfp later.csv").stdout
	at := -1
	for _, next := range []string{"later.csv: 3000 rows", "are found", "You require fraud:alerts<=1000/10000:", "The model does worse on these rows", "What may help", " accuracy", "missed (false negatives)", "Brier  log loss", "Tuned is the model as it is saved", "The loss is by harmonic means (pragma:s=-1)"} {
		if found := strings.Index(text, next); found <= at {
			t.Errorf("%q is not where it should be in\n%s", next, text)
		} else {
			at = found
		}
	}
	for _, twice := range []string{"First of all", "such rows raise", "taken for", "Brier score  ", "although \"ok\" is likelier", "votes are now enough"} {
		if strings.Contains(text, twice) {
			t.Errorf("%q is in\n%s", twice, text)
		}
	}
	if lines := strings.Count(text, "\n"); lines > 57 { // of which three say how to use the alarms that are left
		t.Errorf("%d lines\n%s", lines, text)
	}
	inWords(t, must(t, "evaluate model.rfp later.csv --format json").stdout, `although \"ok\" is likelier`)
}

// No ROC-AUC is shown as 1 that is not.
func TestAreaText(t *testing.T) {
	for _, tc := range []struct {
		value, rows float64
		want        string
	}{{1, 1e9, "1.000 (0.999–1.000)"}, {0.9997, 1e9, "> 0.999 (0.999–1.000)"}, {0.9997, 1000, "> 0.999 (0.996–1.000)"}, {0.5, 100, "0.500 (0.404–0.596)"}} {
		if got := areaText(&rfpragma.Observed{Value: tc.value, Rows: tc.rows}); got != tc.want {
			t.Errorf("%v of %v rows: %s, want %s", tc.value, tc.rows, got, tc.want)
		}
	}
}

// A drift of a model that was trained in time names what cv promises, unless that is at hand.
func TestDriftOfTrainedInTime(t *testing.T) {
	m := &rfpragma.Model{Forest: &forest.Forest{}, Provenance: rfpragma.Provenance{Votes: vote.Forward, Reading: dataset.Reading{Time: "year"}}}
	for _, tc := range []struct {
		expected *expectedInfo
		figure   string
		want     bool
	}{{nil, "recall", true}, {nil, "share", false}, {&expectedInfo{Time: "year"}, "recall", false}} {
		found := &rfpragma.Comparison{Drift: []rfpragma.Drift{{Class: "ill", Figure: tc.figure}}}
		got := driftWarning(&modelRows{model: m, expected: tc.expected}, found)[0].Error()
		if strings.HasSuffix(got, "; the better yardstick is --expected with the JSON of rfpragma cv --time year") != tc.want {
			t.Errorf("%s: %s", tc.figure, got)
		}
	}
}

// Where the rows of training stood in the order of time, its figures are no measure for later rows, and a drift names what is; not so where the weights were tuned on other rows since, and not of a class that is only rarer.
func TestFlattering(t *testing.T) {
	recall, share := []rfpragma.Drift{{Class: "ill", Figure: "recall"}}, []rfpragma.Drift{{Class: "ill", Figure: "share"}}
	const mixed = "the figures of training mix past and future; the better yardstick is --expected with the JSON of rfpragma cv --time year"
	for _, tc := range []struct {
		name  string
		of    rfpragma.Provenance
		drift []rfpragma.Drift
		want  string
	}{
		{"no order", rfpragma.Provenance{Votes: vote.OOB}, recall, ""},
		{"an order", rfpragma.Provenance{Votes: vote.OOB, Grown: rfpragma.Grown{Ordered: []string{"year"}}}, recall, `; if "year" tells the time, ` + mixed},
		{"time", rfpragma.Provenance{Votes: vote.OOB, Grown: rfpragma.Grown{Ordered: []string{"year"}}, Reading: dataset.Reading{Time: "year"}}, recall, "; " + mixed},
		{"tuned since", rfpragma.Provenance{Votes: vote.Holdout, Grown: rfpragma.Grown{Ordered: []string{"year"}}}, recall, ""},
		{"rarer", rfpragma.Provenance{Votes: vote.OOB, Grown: rfpragma.Grown{Ordered: []string{"year"}}}, share, ""},
	} {
		found := &rfpragma.Comparison{Drift: tc.drift}
		m := &rfpragma.Model{Forest: &forest.Forest{}, Provenance: tc.of}
		got := driftWarning(&modelRows{model: m}, found)[0].Error()
		if want := "drift shows in " + figuresText(tc.drift) + tc.want; got != want {
			t.Errorf("%s: %s, want %s", tc.name, got, want)
		}
		said := strings.Join(driftVerdict(&modelRows{model: m, frame: &dataset.Frame{}}, found), "\n")
		if expected := strings.Contains(said, "Later rows rarely reach that: "+strings.TrimPrefix(tc.want, "; ")+"."); expected != (tc.want != "") {
			t.Errorf("%s: %s", tc.name, said)
		}
	}
}

// Beside what cv promised it is not asked for again, and that is the yardstick: a figure that is not worse than that by more than chance is no drift where it is worse than in training, whatever votes that is of, and however wide
// the range is. What came true of one figure, or of a list, says nothing of another one; of the ranking nothing is promised. A class that is rarer stays so.
func TestFlatteringExpected(t *testing.T) {
	of := func(figure string) rfpragma.Drift { return rfpragma.Drift{Class: "ill", Figure: figure} }
	recall, share, ranking := of("recall"), of("share"), of("ranking")
	told := func(figure, verdict string) expectedFigure {
		return expectedFigure{Class: "ill", Figure: figure, Verdict: verdict, name: figure, was: "33 % (5–71)"}
	}
	list := func(f expectedFigure) expectedFigure { f.List = "ill=5%"; return f }
	wider := func(f expectedFigure) expectedFigure { f.TooWide = true; return f }
	kept, fell := []expectedFigure{told("recall", asExpected)}, []expectedFigure{told("recall", lower)}
	const wide, mixed = ", a range so wide that it says little.", " Later rows rarely reach that: the figures of training mix past and future, and those of cv --time year do not.\nWhat may help: "
	const below, worse = `Recall is lower than in training (0 %, was 0 %, which was optimistic), but it is what cv --time year expected, 33 % (5–71)`, "Worse than out of bag in training by more than chance, in what cv --time year does not promise: "
	for _, tc := range []struct {
		name  string
		of    expectedInfo
		votes vote.Source
		drift []rfpragma.Drift
		want  string
		left  int
	}{
		{"in the order of time", expectedInfo{Time: "year", Figures: kept}, vote.OOB, []rfpragma.Drift{recall}, below + ".", 0},
		{"as the weights", expectedInfo{Time: "year", Figures: kept}, vote.Forward, []rfpragma.Drift{recall}, below + ".", 0},
		{"rarer", expectedInfo{Time: "year", Figures: kept}, vote.Forward, []rfpragma.Drift{recall, share}, below + ".\n\"ill\" is 0 % of these rows", 1},
		{"worse", expectedInfo{Time: "year", Figures: fell}, vote.OOB, []rfpragma.Drift{recall}, "By more than chance worse than cv --time year expected: recall.\nWhat may help: ", 1},
		{"worse than expected alone", expectedInfo{Time: "year", Figures: fell}, vote.OOB, nil, "By more than chance worse than cv --time year expected: recall.\nNo drift shows in how often each class occurs and ranking.\nWhat may help: ", 0},
		{"perhaps", expectedInfo{Time: "year", Figures: []expectedFigure{told("recall", perhapsLower)}}, vote.OOB, []rfpragma.Drift{recall}, "so few rows that it may be chance: recall. More rows will tell.", 0},
		{"too wide", expectedInfo{Time: "year", Figures: []expectedFigure{wider(told("recall", lowerEnd))}}, vote.OOB, []rfpragma.Drift{recall}, below + wide, 0},
		{"beyond a range that is too wide, for the better", expectedInfo{Time: "year", Figures: []expectedFigure{wider(told("recall", higher))}}, vote.OOB, []rfpragma.Drift{recall}, "but it is more than cv --time year expected, 33 % (5–71).", 0},
		{"another figure too wide", expectedInfo{Time: "year", Figures: append(kept, wider(told("precision", asExpected)))}, vote.OOB, []rfpragma.Drift{recall}, "nearly anything would be: precision.\n" + below + ".", 0},
		{"another figure kept", expectedInfo{Time: "year", Figures: append(fell, told("precision", asExpected), list(told("recall", asExpected)))}, vote.OOB, []rfpragma.Drift{recall}, "worse than cv --time year expected: recall.", 1},
		{"of the list alone", expectedInfo{Time: "year", Figures: []expectedFigure{list(told("recall", asExpected))}}, vote.OOB, []rfpragma.Drift{recall}, worse + "recall of \"ill\" (0 %, was 0 %)." + mixed, 1},
		{"another class", expectedInfo{Time: "year", Figures: []expectedFigure{{Class: "well", Figure: "recall", Verdict: asExpected}}}, vote.OOB, []rfpragma.Drift{recall}, worse + "recall of \"ill\" (0 %, was 0 %)." + mixed, 1},
		{"ranking", expectedInfo{Time: "year", Figures: kept}, vote.OOB, []rfpragma.Drift{recall, ranking}, below + ".\n" + worse + "ROC-AUC of \"ill\" (0.000, was 0.000)." + mixed, 1},
		{"nothing to tell by", expectedInfo{Time: "year"}, vote.OOB, []rfpragma.Drift{recall}, worse + "recall of \"ill\" (0 %, was 0 %)." + mixed, 1},
		{"of rows in any order", expectedInfo{Figures: kept}, vote.OOB, []rfpragma.Drift{recall}, "but it is what cv expected, 33 % (5–71).", 0},
	} {
		tc.of.Rule, tc.of.aim, tc.of.was = "tuned", &aim{}, &cvResult{Report: eval.Report{Together: &eval.Block{}}}
		m := &rfpragma.Model{Forest: &forest.Forest{}, Provenance: rfpragma.Provenance{Votes: tc.votes, Reading: dataset.Reading{Time: "year"}, Grown: rfpragma.Grown{Ordered: []string{"year"}}}}
		in := &modelRows{model: m, aim: &aim{}, frame: &dataset.Frame{}, expected: &tc.of}
		found := &rfpragma.Comparison{Drift: tc.of.unforeseen(tc.drift), Figures: []string{"share", "recall", "ranking"}}
		good, bad := tc.of.words(false)
		said := strings.Join(slices.Concat(bad, good, driftVerdict(in, found)), "\n")
		advised := tc.of.failed() != nil || slices.ContainsFunc(found.Drift, decidedWorse)
		if !strings.Contains(said, tc.want) || strings.Contains(said, "What may help") != advised || strings.Contains(said, "shows in") != (tc.drift == nil) || strings.Contains(said, "--expected") || len(found.Drift) != tc.left {
			t.Errorf("%s: %s", tc.name, said)
		}
		in.columns = []string{"Look first at"}
		if said := strings.Join(driftVerdict(in, found), "\n"); strings.Contains(said, "If the columns are right as they are, what may help: training anew") != advised || strings.Contains(said, "uning") {
			t.Errorf("%s, and columns are not as in training: %s", tc.name, said)
		}
	}
}

// Of a model that was fitted on votes for later rows by few earlier ones better figures raise no doubt.
func TestBetterThanForward(t *testing.T) {
	found := &rfpragma.Comparison{Better: []rfpragma.Drift{{Class: "ill", Figure: "recall"}}}
	for source, doubted := range map[vote.Source]bool{vote.OOB: true, vote.Forward: false} {
		m := &rfpragma.Model{Forest: &forest.Forest{}, Provenance: rfpragma.Provenance{Votes: source}}
		if warned := driftWarning(&modelRows{model: m}, found) != nil; warned != doubted || strings.HasSuffix(betterText(m, &found.Better[0]), "are these rows of the training?") != doubted {
			t.Errorf("%s: warned %v, %s", source, warned, betterText(m, &found.Better[0]))
		}
	}
}

// Where no drift shows it is said of which classes it could have: of 3 rows of "valve", of which 65 of 100 were found, even none found is within chance.
func TestSteadyWords(t *testing.T) {
	classes := []string{"bearing", "none", "valve"}
	m := &rfpragma.Model{Forest: &forest.Forest{Classes: classes}, Provenance: rfpragma.Provenance{Votes: vote.OOB}}
	steady := func(class, figure string, was, rows, below float64) rfpragma.Unchanged {
		return rfpragma.Unchanged{Drift: rfpragma.Drift{Class: class, Figure: figure, Was: rfpragma.Observed{Value: was, Rows: 90}, Is: rfpragma.Observed{Value: was, Rows: rows}}, Below: below}
	}
	found := &rfpragma.Comparison{Figures: []string{"share", "recall"}, NoDrift: []rfpragma.Unchanged{
		steady("bearing", "recall", 0.737, 30, 0.426), steady("none", "recall", 0.907, 1967, 0.8), steady("valve", "recall", 0.647, 3, 0),
	}}
	const none, blind = "No drift shows in how often each class occurs and recall", ` Of "valve" (3 rows) nothing can be said: so few rows show no drift.`
	const bearing, of = `"bearing" was 73.7 % (below 42.6 % here would be drift)`, ". Out of bag in training, recall of "
	dear := loss{name: "cost", costs: pragma.Costs{Matrix: [][]float64{{0, 9, 9}, {1, 0, 1}, {9, 9, 0}}}}
	neutral := slices.Repeat([]pragma.Preference{pragma.Neutral()}, 4)
	for _, tc := range []struct {
		name string
		aim  aim
		want string
	}{
		{"of two classes", aim{classes: classes, prefs: neutral[:3], loss: dear}, none + of + bearing + "." + blind},
		{"of all", aim{classes: classes, prefs: neutral[:3]}, none + of + bearing + `; of "none" was 90.7 % (below 80 % here would be drift).` + blind},
	} {
		if got := (&modelRows{model: m, aim: &tc.aim}).steadyWords(found); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	found.NoDrift = append(found.NoDrift, steady("valve", "ranking", 0.9, 12, 0.7)) // which could
	const seen = `; of "valve" was 64.7 % (too few rows here for any fall to show).`
	if got := (&modelRows{model: m, aim: &aim{classes: classes, prefs: neutral[:3], loss: dear}}).steadyWords(found); got != none+of+bearing+seen {
		t.Errorf("with a ranking: %s", got)
	}
	m.Forest.Classes = append(classes, "another")
	if got := (&modelRows{model: m, aim: &aim{classes: m.Forest.Classes, prefs: neutral}}).steadyWords(found); got != none+": these are what they were out of bag in training, but for chance." {
		t.Errorf("of many: %s", got)
	}
}

// Which recall would be a drift is said of the rows at hand; few show no fall, and what was 0 cannot fall.
func TestWouldShow(t *testing.T) {
	for _, tc := range []struct {
		was, below float64
		want       string
	}{
		{0.784, 0.574, `"ill" was 78.4 % (below 57.4 % here would be drift)`},
		{0.784, 0, `"ill" was 78.4 % (too few rows here for any fall to show)`},
		{0, 0, `"ill" was 0 %`},
	} {
		s := rfpragma.Unchanged{Drift: rfpragma.Drift{Class: "ill", Figure: "recall", Was: rfpragma.Observed{Value: tc.was, Rows: 100}}, Below: tc.below}
		if got := wouldShow(&s); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}
