package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
)

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
		if f.tellsLittle() {
			word = "range too wide"
		}
		g.add(f.name, f.was, f.is, word)
	}
	return g
}

// notes say what the ranges do not hold, and what the loss owes to how many rows there are of each class.
func (e *expectedInfo) notes() []string {
	var lines []string
	switch {
	case e.Time != "" && e.was.Together == nil:
		lines = append(lines, "One block was judged, so nothing is known of how blocks of time differ: what was expected has the chance of its rows alone.")
	case e.Time != "" && e.Rule != "tuned":
		lines = append(lines, fmt.Sprintf("Of the weights by the rule %s what was expected is of the latest block alone: how far blocks of time are apart is not known of them.", e.Rule))
	}
	if e.mixed != "" {
		lines = append(lines, e.mixed)
	}
	for _, f := range e.Figures {
		if f.Figure == "loss" && f.Verdict == "" && e.was.Together != nil {
			lines = append(lines, fmt.Sprintf("The %s is of the latest block, and not judged: nothing tells how far it goes from block to block.", f.name))
		}
	}
	return lines
}

// leastMix is by what part the share of a class, and the loss for that, must be another one to be told of.
const leastMix = 0.1

// judged is what cv judged: in the order of time what becomes of two classes in all blocks, of which the cost is expected, else of the latest.
func (e *expectedInfo) judged() (confusion [][]float64, classes map[string]eval.Class) {
	all := e.was.Together
	if all == nil || all.Cost == nil || len(e.aim.classes) != 2 || e.Rule != "tuned" {
		return e.rule.Confusion, e.rule.Classes
	}
	for t, name := range e.aim.classes {
		of, line := all.Classes[name], make([]float64, 2)
		if of.Recall != nil {
			line[t], line[1-t] = *of.Recall*of.Support, (1-*of.Recall)*of.Support
		}
		confusion = append(confusion, line)
	}
	return confusion, all.Classes
}

// mix says what loss cv would have expected if the classes had been as common as they are found, where they were not and that matters; "" otherwise.
func (e *expectedInfo) mix(found *eval.Rule, f expectedFigure) string {
	confusion, classes := e.judged()
	all, now, told := judgedWeight(&eval.Rule{Classes: classes}), judgedWeight(found), ""
	var rows [][]float64
	for t, line := range confusion {
		name := e.aim.classes[t]
		before, after := classes[name].Support/all, found.Classes[name].Support/now
		if before == 0 {
			return ""
		}
		if told == "" && math.Abs(after-before) > leastMix*before && slices.Contains(e.aim.told(), name) {
			told = fmt.Sprintf("Of these rows %s are %q, and of those that cv judged %s were", percent(after), name, percent(before))
		}
		rows = append(rows, slices.Clone(line))
		for d := range line {
			rows[t][d] *= after / before
		}
	}
	if told == "" || e.aim.loss.measure == nil {
		return ""
	}
	was, is := e.aim.loss.measure.Loss(confusionOf(e.aim.classes, confusion)), e.aim.loss.measure.Loss(confusionOf(e.aim.classes, rows))
	if math.Abs(is-was) <= leastMix*was {
		return ""
	}
	return fmt.Sprintf("%s: with as many as here the %s would have been expected to be %s.", told, lossName(e.aim.loss), lossTexts(e.aim.loss.name, *f.Expected*is/was, *f.Expected, *f.Found)[0])
}

// came is what became of a promise.
type came struct{ kept, wide, perhaps, worse []string }

// verdicts names the figures that are not worse than was promised, those that may be, and those that are, with both or, where a table has them, without.
func (e *expectedInfo) verdicts(both bool) (of came) {
	for _, f := range e.Figures {
		if f.Figure == "alerts" { // of which neither more nor fewer are worse
			continue
		}
		name := f.name
		if f.Figure == "loss" {
			name = "the " + strings.TrimSuffix(f.name, " "+e.aim.loss.name)
		}
		if both && !f.tellsLittle() {
			name += fmt.Sprintf(" %s beside %s", f.is, f.was)
		}
		switch {
		case f.Verdict == f.worse():
			of.worse = append(of.worse, name)
		case f.Verdict == "perhaps "+f.worse():
			of.perhaps = append(of.perhaps, name)
		case f.tellsLittle():
			of.wide = append(of.wide, name)
		case f.Verdict == lowerEnd || f.Verdict == upperEnd:
			of.kept = append(of.kept, name+", "+f.Verdict)
		case f.kept():
			of.kept = append(of.kept, name)
		}
	}
	return of
}

// words say whether what was promised came true, or what of it did not.
func (e *expectedInfo) words(both bool) (good, bad []string) {
	if e == nil {
		return nil, nil
	}
	of := e.verdicts(both)
	if of.worse != nil {
		bad = append(bad, fmt.Sprintf("By more than chance worse than %s expected: %s.", e.by(), joined(of.worse)))
	}
	if of.perhaps != nil {
		bad = append(bad, fmt.Sprintf("Worse than %s expected, but so few rows that it may be chance: %s. More rows will tell.", e.by(), joined(of.perhaps)))
	}
	switch {
	case bad != nil:
		return e.notes(), bad
	case of.kept == nil && of.wide != nil:
		return append(tooWideWords(of.wide), e.notes()...), nil
	case of.kept == nil:
		return append([]string{fmt.Sprintf("Too few rows tell whether what %s expected came true.", e.by())}, e.notes()...), nil
	}
	return slices.Concat([]string{fmt.Sprintf("What %s expected came true: %s.", e.by(), joined(of.kept))}, tooWideWords(of.wide), e.notes()), nil
}

// tooWideWords says of figures that to lie inside the range says little; nothing without any.
func tooWideWords(of []string) []string {
	if of == nil {
		return nil
	}
	return []string{fmt.Sprintf("Inside the range, which was too wide to say much: %s.", joined(of))}
}

// undecided tells whether what was promised may have come true, or not.
func (e *expectedInfo) undecided() bool {
	if e == nil {
		return false
	}
	of := e.verdicts(false)
	return of.perhaps != nil && of.worse == nil
}

// unforeseen keeps apart the figures that are worse than in training where what was promised of that very figure of later rows came true, and returns the other drift: training mixes past and future, or is of all
// blocks, and cv of the latest.
func (e *expectedInfo) unforeseen(drift []rfpragma.Drift) []rfpragma.Drift {
	if e == nil || e.Time == "" {
		return drift
	}
	left := []rfpragma.Drift{}
	for _, d := range drift {
		if slices.ContainsFunc(e.Figures, func(f expectedFigure) bool {
			return f.Class == d.Class && f.Figure == d.Figure && f.List == "" && f.kept()
		}) {
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
	return []string{fmt.Sprintf("Below what it was %s: %s. That counts as no drift: %s expected it of later rows.", tunedOn(m.Provenance.Votes), figuresText(e.Foreseen), e.by())}
}

// unexpected names the figures of a class, or of all where it is "", that are lower or higher than was promised.
func (e *expectedInfo) unexpected(class string) string {
	var names []string
	for _, f := range e.Figures {
		if f.Class == class && (f.Verdict == lower || f.Verdict == higher) {
			names = append(names, strings.TrimSpace(f.List+" "+f.Figure+" "+f.Verdict))
		}
	}
	return strings.Join(names, ", ")
}
