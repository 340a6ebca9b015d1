package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
}

type expectedFigure struct {
	Class            string      `json:"class,omitempty"`             // name of the class; not of the loss
	Figure           string      `json:"figure"`                      // recall, precision, alerts, which is the share of all rows that is decided as the class, or loss
	Expected         *float64    `json:"expected"`                    // by cv; null where it is not defined
	ExpectedInterval *[2]float64 `json:"expected_interval,omitempty"` // at 95 %, of a share in the order of time widened by how much the blocks differ
	Found            *float64    `json:"found"`                       // on these rows; null where it is not defined
	FoundInterval    *[2]float64 `json:"found_interval,omitempty"`    // at 95 %
	Verdict          string      `json:"verdict,omitempty"`           // as expected, or lower or higher by more than the noise of both; not of alerts, and where that noise is not known

	name, was, is string // as they are shown
}

// expects reads what cv promised, where that is asked for.
func (p *program) expects(c *cli.Context, in *modelRows) (err error) {
	file := c.String("expected")
	switch {
	case !c.IsSet("expected"):
		return nil
	case c.Bool("withhold"):
		return usagef("--expected: cv judges all rows; leave out --withhold")
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
	if err != nil {
		return fmt.Errorf("--expected: %s: %w", called(file), err)
	}
	if words := otherModel(was, in.model); words != "" {
		p.warn([]error{fmt.Errorf("--expected: %s %s", called(file), words)})
	}
	return nil
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

// compare fills in what is found. The verdicts share 5 in 100 wrong ones (Bonferroni), half of them on either side.
func (e *expectedInfo) compare(found *eval.Rule) {
	if e == nil {
		return
	}
	rules := rulesOf(&e.was.Rules)
	e.rule = *rules[slices.IndexFunc(rules, func(n named) bool { return n.name == e.Rule })].rule
	e.rule.Classes = maps.Clone(e.rule.Classes)
	expected := &e.rule
	level := 0.025 / float64(2*len(e.aim.told())+1)
	for _, name := range e.aim.told() {
		class := expected.Classes[name]
		for _, of := range []struct {
			figure string
			share  shareOf
			ends   **[2]float64
		}{{"recall", shareOfRecall, &class.RecallInterval}, {"precision", shareOfPrecision, &class.PrecisionInterval}} {
			f := expectedFigure{Class: name, Figure: of.figure, name: fmt.Sprintf("%s of %q", of.figure, name)}
			f.Expected, f.ExpectedInterval, _ = of.share(class)
			f.Found, f.FoundInterval, _ = of.share(found.Classes[name])
			if was, is := shareObserved(f.Expected, f.ExpectedInterval), shareObserved(f.Found, f.FoundInterval); was != nil && is != nil {
				alike := e.alike(name, of.share)
				was.Rows, is.Rows = was.Rows/alike, is.Rows/alike
				interval := was.Interval()
				f.ExpectedInterval, f.Verdict = &interval, verdictOf(is.Lower(was, level), was.Lower(is, level))
			}
			*of.ends = f.ExpectedInterval
			f.was, f.is = within(f.Expected, f.ExpectedInterval, 0), within(f.Found, f.FoundInterval, 0)
			e.Figures = append(e.Figures, f)
		}
		expected.Classes[name] = class
		was, is := class.Predicted/judgedWeight(expected), found.Classes[name].Predicted/judgedWeight(found)
		e.Figures = append(e.Figures, expectedFigure{Class: name, Figure: "alerts", Expected: &was, Found: &is, name: fmt.Sprintf("alarms for %q in 10,000", name), was: about(1e4 * was), is: about(1e4 * is)})
	}
	if !e.aim.loss.costs.Amounts() { // of which it is the sum of all rows
		e.loss(expected, found, math.Sqrt2*math.Erfinv(1-2*level)/calib.Z95)
	}
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

// shareOf is [shareOfRecall] or [shareOfPrecision].
type shareOf func(eval.Class) (share *float64, interval *[2]float64, of float64)

// alike tells how many rows of a block of time say as much of another block as one would if blocks were alike; 1 where there are not several.
func (e *expectedInfo) alike(class string, of shareOf) float64 {
	in := func(b *eval.Block) *rfpragma.Observed {
		share, interval, _ := of(b.Classes[class])
		return shareObserved(share, interval)
	}
	if e.was.Together == nil || in(e.was.Together) == nil {
		return 1
	}
	rows := 0.0
	for i := range e.was.Blocks {
		if o := in(&e.was.Blocks[i]); o != nil {
			rows += o.Rows
		}
	}
	return max(1, rows/in(e.was.Together).Rows)
}

// shareObserved is a share of as many rows as its interval at 95 % is of, by Wilson's equation of the end that is further off; nil where there are none.
func shareObserved(share *float64, interval *[2]float64) *rfpragma.Observed {
	if share == nil || interval == nil || !(*share >= 0 && *share <= 1) {
		return nil
	}
	end := interval[0]
	if interval[1]-*share > *share-end {
		end = interval[1]
	}
	rows := calib.Z95 * calib.Z95 * end * (1 - end) / ((end - *share) * (end - *share))
	if !(rows > 0) || math.IsInf(rows, 1) {
		return nil
	}
	return &rfpragma.Observed{Value: *share, Rows: rows}
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

// by names what was asked.
func (e *expectedInfo) by() string {
	if e.Time == "" {
		return "cv"
	}
	return "cv " + csvtext.Flag("time", e.Time, "COL")
}

// table sets both side by side; it has no rows where nothing was promised.
func (e *expectedInfo) table() *grid {
	g := &grid{}
	if e == nil {
		return g
	}
	g.head = []string{"by " + e.by(), "expected (95 in 100)", "found", ""}
	for _, f := range e.Figures {
		word := f.Verdict
		if word == "lower" || word == "higher" {
			word += " than expected"
		}
		g.add(f.name, f.was, f.is, word)
	}
	return g
}

// verdicts names the figures that are not worse than was promised, and those that are, with both or, where a table has them, without.
func (e *expectedInfo) verdicts(both bool) (kept, worse []string) {
	for _, f := range e.Figures {
		name, bad := f.name, "lower"
		if f.Figure == "loss" {
			name, bad = "the "+strings.TrimSuffix(f.name, " "+e.aim.loss.name), "higher"
		}
		if both {
			name += fmt.Sprintf(" %s beside %s", f.is, f.was)
		}
		switch f.Verdict {
		case "":
		case bad:
			worse = append(worse, name)
		default:
			kept = append(kept, name)
		}
	}
	return kept, worse
}

// words say whether what was promised came true, or what of it did not.
func (e *expectedInfo) words(both bool) (good, bad []string) {
	if e == nil {
		return nil, nil
	}
	kept, worse := e.verdicts(both)
	switch {
	case worse != nil:
		return nil, []string{fmt.Sprintf("By more than chance worse than %s expected: %s.", e.by(), joined(worse))}
	case kept == nil:
		return []string{fmt.Sprintf("Too few rows tell whether what %s expected came true.", e.by())}, nil
	}
	return []string{fmt.Sprintf("What %s expected came true: %s.", e.by(), joined(kept))}, nil
}

// came tells whether it came true what was promised of later rows by earlier ones.
func (e *expectedInfo) came() bool {
	if e == nil || e.Time == "" {
		return false
	}
	kept, worse := e.verdicts(false)
	return kept != nil && worse == nil
}

// unforeseen keeps apart the figures that are worse than in training where what was promised of later rows came true, and returns the other drift: training mixes past and
// future, or is of all blocks, and cv of the latest.
func (e *expectedInfo) unforeseen(drift []rfpragma.Drift) []rfpragma.Drift {
	if !e.came() {
		return drift
	}
	left := []rfpragma.Drift{}
	for _, d := range drift {
		if decidedWorse(d) {
			e.Foreseen = append(e.Foreseen, d)
		} else {
			left = append(left, d)
		}
	}
	return left
}

// foreseen says so of them.
func (e *expectedInfo) foreseen(m *rfpragma.Model) []string {
	if e == nil || e.Foreseen == nil {
		return nil
	}
	return []string{fmt.Sprintf("Below what it was %s: %s. That counts as no drift, as what %s expected of later rows came true.", tunedOn(m.Provenance.Votes), figuresText(e.Foreseen), e.by())}
}

// unexpected names the figures of a class, or of all where it is "", that are lower or higher than was promised.
func (e *expectedInfo) unexpected(class string) string {
	var names []string
	for _, f := range e.Figures {
		if f.Class == class && (f.Verdict == "lower" || f.Verdict == "higher") {
			names = append(names, f.Figure+" "+f.Verdict)
		}
	}
	return strings.Join(names, ", ")
}
