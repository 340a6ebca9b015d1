package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/vote"
)

func expectedFlag() cli.Flag {
	return &cli.StringFlag{Name: "expected", Category: "Output", Usage: "JSON `FILE` of cv, whose promise stands beside what is found"}
}

// expectedInfo is what a cross-validation promised of new rows, beside what is found.
type expectedInfo struct {
	Time    string           `json:"time,omitempty"` // column in whose order cv judged later rows by earlier ones
	Rule    string           `json:"rule"`           // of cv, whose weights are made as those of the model: tuned, plain, prior or cost
	Figures []expectedFigure `json:"figures"`        // of the classes that matter most, or of all where they are few, and of the loss

	Foreseen []rfpragma.Drift `json:"foreseen,omitempty"` // figures that are lower than in training by more than chance, which is no drift, as what cv promised in the order of time came true

	was  *cvResult
	rule eval.Rule // of cv, with these intervals
	aim  *aim

	mixed string // what else to know of the loss, see mix
}

type expectedFigure struct {
	Class            string      `json:"class,omitempty"`             // name of the class; not of the loss
	List             string      `json:"list,omitempty"`              // the --top whose list this is of; not of the decisions
	Figure           string      `json:"figure"`                      // recall, precision, alerts, which is the share of all rows that is decided as the class, undecided, the share of all rows that is, or loss
	Expected         *float64    `json:"expected"`                    // by cv; null where it is not defined
	ExpectedInterval *[2]float64 `json:"expected_interval,omitempty"` // at 95 %, as cv has it: in the order of time of the latest block
	LaterInterval    *[2]float64 `json:"later_interval,omitempty"`    // at 95 %, of other blocks of time: wider by how much those of cv differ; not where they do not
	Found            *float64    `json:"found"`                       // on these rows; null where it is not defined
	FoundInterval    *[2]float64 `json:"found_interval,omitempty"`    // at 95 %
	Verdict          string      `json:"verdict,omitempty"`           // as expected, or lower or higher by more than the noise of both; not of alerts and undecided rows, and where that noise is not known

	name, was, later, is string // as they are shown
}

// expects reads what cv promised, where that is asked for.
func (p *program) expects(c *cli.Context, in *modelRows) (err error) {
	file := c.String("expected")
	switch {
	case !c.IsSet("expected"):
		return nil
	case in.model.Provenance.Prevalence != nil:
		return usagef("--expected: cv promises something of rows where classes are as common as in training, and this model is for another population")
	}
	if err := findable("expected", file); err != nil {
		return err
	}
	from, err := openFile(c.Context, file)
	if err != nil {
		return err
	}
	defer from.Close()
	var text json.RawMessage
	was, first := &cvResult{}, heading{}
	if json.NewDecoder(from).Decode(&text) != nil || json.Unmarshal(text, &first) != nil || first.Command != "cv" {
		return fmt.Errorf("--expected: %s is no JSON of cv; write one with rfpragma cv DATA ... -o FILE.json", called(file))
	}
	if first.SchemaVersion != schemaVersion {
		return fmt.Errorf("--expected: %s has schema_version %d, and this rfpragma reads %d; write it anew", called(file), first.SchemaVersion, schemaVersion)
	}
	if err = json.Unmarshal(text, was); err == nil {
		in.expected, err = newExpected(was, in.model, in.aim)
	}
	if err == nil {
		err = in.sameRows(c, was)
	}
	if err != nil {
		return fmt.Errorf("--expected: %s: %w", called(file), err)
	}
	for _, words := range []string{otherModel(was, in.model), otherWeights(was, in.expected.Rule, in.model)} {
		if words != "" {
			p.warn([]error{fmt.Errorf("--expected: %s %s", called(file), words)})
		}
	}
	return nil
}

// sameRows refuses figures of all rows beside those of the rows that are decided.
func (in *modelRows) sameRows(c *cli.Context, was *cvResult) error {
	switch withholds := c.Bool("withhold"); {
	case withholds == (was.Withheld != nil):
		return nil
	case withholds:
		return fmt.Errorf("its figures are of all rows, and with --withhold those here of the decided rows alone; make it with %s --withhold -o %s",
			(&modelRows{model: in.model, aim: in.aim}).anew(c, "cv", fileText(was.Data.Name), in.model.Provenance.Reading.Target), quoted(c.String("expected")))
	}
	return fmt.Errorf("its figures are of the rows that cv --withhold decided, and those here of all rows; run %s --withhold", commandOf(c))
}

// muchWeight is how many times as large as those of all folds a weight must be to be another one, or as small.
const muchWeight = 1.5

// otherWeights says that the weights of a model are other ones than cv judged, which depend on the rows; "" where they are much the same.
func otherWeights(was *cvResult, rule string, m *rfpragma.Model) string {
	classes, folds := m.Classes(), foldWeights(m.Classes(), counted(&was.Report))
	if rule != "tuned" || len(folds) == 0 {
		return ""
	}
	plain := func(w vote.Weights) bool { return slices.Max(w) == slices.Min(w) }
	kept := 0
	for _, w := range folds {
		if plain(w) {
			kept++
		}
	}
	of := fmt.Sprintf("%d of its %s", kept, english.Plural(len(folds), "training"))
	const so = ", so that what it expected is of other decisions"
	switch model := worthWords(classes, m.Weights); {
	case !plain(m.Weights) && 2*kept > len(folds):
		return fmt.Sprintf("judged the plain vote in %s, and in the model %s%s", of, model, so)
	case plain(m.Weights) && 2*kept < len(folds):
		return fmt.Sprintf("judged the plain vote in %s, and in the model %s%s", of, model, so)
	}
	common := slices.Index(m.Forest.Share, slices.Max(m.Forest.Share))
	for c, name := range classes {
		var all []float64
		for _, w := range folds {
			all = append(all, w[c]/w[common])
		}
		is, low, high := m.Weights[c]/m.Weights[common], slices.Min(all), slices.Max(all)
		if is > muchWeight*high || is < low/muchWeight {
			return fmt.Sprintf("judged votes for %q that counted %s to %s times as much as those for %q, and in the model %s times%s", name, weightText(low), weightText(high), classes[common], weightText(is), so)
		}
	}
	return ""
}

// otherModel says in what a cross-validation is not of the model, so that it promised something of another one; "" where it is.
func otherModel(was *cvResult, m *rfpragma.Model) string {
	const again = "; run cv and train with the same file and the same flags"
	r, s, features := &m.Provenance, &was.Settings, len(m.Forest.Schema)
	timed := func(column string) string {
		if column == "" {
			return "without --time"
		}
		return "with " + csvtext.Flag("time", column, "COL")
	}
	growth := r.Growth()
	growth.Trees = m.Forest.Trees()
	grown := differing(s.growthInfo, growthOf(growth, features))
	switch {
	case s.Time != r.Reading.Time:
		return fmt.Sprintf("was made %s, and the model %s, which decides whether the column is one to learn from%s", timed(s.Time), timed(r.Reading.Time), again)
	case was.SHA256 != r.Data:
		return fmt.Sprintf("is of other rows or columns (%s, %s) than the model was trained on (%s, %s)%s",
			english.Plural(was.Data.Rows, "row"), english.Plural(was.Data.Features, "feature"), english.Plural(r.Rows, "row"), english.Plural(features, "feature"), again)
	case grown != nil:
		return fmt.Sprintf("is of other forests than that of the model: %s%s", strings.Join(grown, ", "), again)
	case r.VotesData != "":
		return "knows nothing of the rows that the weights of the model were tuned on after its training"
	}
	return ""
}

// differing names the settings of one growth that are not those of another, as flags.
func differing(was, is growthInfo) []string {
	var out []string
	for i, a, b := 0, reflect.ValueOf(was), reflect.ValueOf(is); i < a.NumField(); i++ {
		if !a.Field(i).Equal(b.Field(i)) {
			out = append(out, fmt.Sprintf("--%s %v and not %v", strings.ReplaceAll(a.Type().Field(i).Tag.Get("json"), "_", "-"), a.Field(i), b.Field(i)))
		}
	}
	return out
}

// newExpected checks that the model was made for what cv judged.
func newExpected(was *cvResult, m *rfpragma.Model, of *aim) (*expectedInfo, error) {
	var classes []string
	for _, c := range was.Data.Classes {
		classes = append(classes, c.Label)
	}
	type wish struct {
		Preferences map[string]preferenceInfo
		askedInfo
	}
	s, rule := &was.Settings, weighedBy(m)
	there, err := json.Marshal(wish{s.Preferences, s.askedInfo})
	here, failed := json.Marshal(wish{of.preferences(), of.info()})
	switch {
	case !slices.Equal(classes, m.Classes()):
		return nil, fmt.Errorf("its classes are %s, and those of the model %s; run cv on the rows of the training", nearest.List(classes), nearest.List(m.Classes()))
	case judgedWeight(&was.Rules.Tuned) == 0:
		return nil, errors.New("it has no figures of rows that were judged; write it anew with rfpragma cv")
	case s.Measure != of.loss.name:
		return nil, fmt.Errorf("its measure is %s, and that of the model %s; run cv with the flags of train", english.Quote(s.Measure), english.Quote(of.loss.name))
	case err != nil || failed != nil || !bytes.Equal(there, here):
		return nil, errors.New("its preferences, costs or requirements are not those of the model; run cv with the flags of train")
	case rule == "" || rule == "cost" && was.Rules.Cost == nil:
		return nil, errors.New("it says nothing of the weights of the model, which were given by numbers")
	}
	return &expectedInfo{Time: s.Time, Rule: rule, was: was, aim: of}, nil
}

// weighedBy names the rule of cv that the weights of a model are; "" of numbers that were given.
func weighedBy(m *rfpragma.Model) string {
	if m.Provenance.Choice != rfpragma.Given {
		return "tuned"
	}
	rules := map[string]vote.Weights{"plain": slices.Repeat(vote.Weights{1}, len(m.Classes())), "prior": vote.Prior(m.Forest.Share)}
	if costs := m.Provenance.CostsOf(); costs.Matrix != nil && !costs.Amounts() {
		rules["cost"] = costs.Weights(nil)
	}
	for _, name := range givenRules {
		same := rules[name] != nil
		for c, w := range rules[name] {
			same = same && math.Abs(m.Weights[c]/m.Weights[0]*rules[name][0]/w-1) < 1e-9
		}
		if same {
			return name
		}
	}
	return ""
}

// compare fills in what is found, also on lists. The verdicts share 5 in 100 wrong ones (Bonferroni), half of them on either side.
func (e *expectedInfo) compare(found *eval.Report, lists []eval.List, withheld *withheldInfo) {
	if e == nil {
		return
	}
	rules := rulesOf(&e.was.Rules)
	e.rule = *rules[slices.IndexFunc(rules, func(n named) bool { return n.name == e.Rule })].rule
	is, told, listed := &found.Rules.Tuned, e.aim.told(), e.listed(found.Top)
	level := 0.025 / float64(2*len(told)+2*len(listed)+1)
	for _, name := range told {
		was, now := e.rule.Classes[name], is.Classes[name]
		e.share(expectedFigure{Class: name, Figure: "recall"}, shareOfRecall, [2]eval.Class{was, now}, level)
		e.share(expectedFigure{Class: name, Figure: "precision"}, shareOfPrecision, [2]eval.Class{was, now}, level)
		before, after := was.Predicted/judgedWeight(&e.rule), now.Predicted/judgedWeight(is)
		e.Figures = append(e.Figures, expectedFigure{Class: name, Figure: "alerts", Expected: &before, Found: &after, name: fmt.Sprintf("alarms for %q in 10,000", name), was: about(1e4 * before), is: about(1e4 * after)})
	}
	for i, l := range found.Top {
		was, ok := listed[i]
		if !ok {
			continue
		}
		both, of := [2]eval.Class{listedClass(was), listedClass(l)}, listText(l.Class, lists[i])
		e.share(expectedFigure{Class: l.Class, List: of, Figure: "recall"}, shareOfRecall, both, level)
		e.share(expectedFigure{Class: l.Class, List: of, Figure: "precision"}, shareOfPrecision, both, level)
	}
	if withheld != nil {
		before, after := e.was.Withheld.share(), withheld.share()
		e.Figures = append(e.Figures, expectedFigure{Figure: undecided, Expected: &before, Found: &after, name: undecided + " in 10,000", was: about(1e4 * before), is: about(1e4 * after)})
	}
	if !e.aim.loss.costs.Amounts() { // of which it is the sum of all rows
		e.loss(&e.rule, is, math.Sqrt2*math.Erfinv(1-2*level)/calib.Z95)
		e.mixed = e.mix(is)
	}
}

// share compares recall or precision, then and now.
func (e *expectedInfo) share(f expectedFigure, of shareOf, both [2]eval.Class, level float64) {
	f.Expected, f.ExpectedInterval, _ = of(both[0])
	f.Found, f.FoundInterval, _ = of(both[1])
	if was, is := shareObserved(f.Expected, f.ExpectedInterval), shareObserved(f.Found, f.FoundInterval); was != nil && is != nil {
		effect := designEffect(&e.was.Report, f.Class, of)
		was.Rows, is.Rows = was.Rows/effect, is.Rows/effect
		f.Verdict = verdictOf(is.Lower(was, level), was.Lower(is, level))
		if interval := was.Interval(); effect > 1 {
			f.LaterInterval = &interval
			_, f.later = within100(was.Value, &interval)
		}
	}
	f.name = fmt.Sprintf("%s of %q", f.Figure, f.Class)
	if f.List != "" {
		f.name = f.Figure + " of list " + f.List
	}
	f.was, f.is = within(f.Expected, f.ExpectedInterval, 0), within(f.Found, f.FoundInterval, 0)
	e.Figures = append(e.Figures, f)
}

// listed are the lists of cv that are of the same class and part of all rows as those that are found, by their numbers.
func (e *expectedInfo) listed(found []eval.Listed) map[int]eval.Listed {
	out := map[int]eval.Listed{}
	for i, l := range found {
		at := slices.IndexFunc(e.was.Top, func(was eval.Listed) bool {
			return was.Class == l.Class && was.Recall != nil && math.Abs(was.Share-l.Share) <= was.Share/was.Rows+l.Share/l.Rows // a row of either
		})
		if at >= 0 && l.Recall != nil {
			out[i] = e.was.Top[at]
		}
	}
	return out
}

// listedClass is what becomes of a class whose rows are those on a list.
func listedClass(l eval.Listed) eval.Class {
	return eval.Class{Recall: l.Recall, RecallInterval: l.RecallInterval, Precision: l.Precision, PrecisionInterval: l.PrecisionInterval}
}

// loss compares that of a row, with intervals that are so much wider than at 95 %.
func (e *expectedInfo) loss(expected, found *eval.Rule, wider float64) {
	of := func(r *eval.Rule) (*float64, *[2]float64) {
		if r.Loss != nil {
			return r.Loss, r.LossInterval
		}
		return &r.Pragma, r.PragmaInterval
	}
	f := expectedFigure{Figure: "loss", name: lossName(e.aim.loss)}
	f.Expected, f.ExpectedInterval = of(expected)
	f.Found, f.FoundInterval = of(found)
	was, is := *f.Expected, *f.Found
	if a, b := f.ExpectedInterval, f.FoundInterval; a != nil && b != nil && e.was.Together == nil { // of blocks that differ it is too narrow
		f.Verdict = verdictOf(was-is > wider*math.Hypot(was-a[0], b[1]-is), is-was > wider*math.Hypot(a[1]-was, is-b[0]))
	}
	texts := lossTexts(e.aim.loss.name, was, is)
	for i, interval := range []*[2]float64{f.ExpectedInterval, f.FoundInterval} {
		if text := intervalText(interval); text != "" {
			texts[i] += " (" + text + ")"
		}
	}
	f.was, f.is = texts[0], texts[1]
	e.Figures = append(e.Figures, f)
}

func verdictOf(lower, higher bool) string {
	switch {
	case lower:
		return "lower"
	case higher:
		return "higher"
	}
	return "as expected"
}
