package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
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
		g.add(f.name, f.was, f.is, e.word(&f))
	}
	return g
}

// word is a verdict as people are shown it.
func (e *expectedInfo) word(f *expectedFigure) string {
	switch {
	case f.tellsLittle():
		return asExpected + ", wide range"
	case f.Verdict == perhapsLower || f.Verdict == perhapsHigher:
		return strings.TrimPrefix(f.Verdict, "perhaps ") + ", may be chance"
	case f.Figure == "loss" && f.Verdict == "" && e.was.Together != nil: // nothing tells how far it goes from block to block
		return "latest block, not judged"
	}
	return f.Verdict
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
	if e.other != "" {
		lines = append(lines, "cv judged another list: to compare with it give "+e.other+".")
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
type came struct{ kept, wide, perhaps, worse, below []string }

// verdicts names the figures that are not worse than was promised, those that may be, and those that are, with both or, where a table has them, without; below has the sentences on those that are only lower than in training.
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
		case e.foreseen(&f) != nil:
			of.below = append(of.below, e.belowWords(&f))
		case f.tellsLittle():
			of.wide = append(of.wide, name)
		case f.Verdict == lowerEnd || f.Verdict == upperEnd:
			of.kept = append(of.kept, name+", "+f.Verdict)
		case f.Verdict == lower || f.Verdict == higher: // and not the worse of them
			of.kept = append(of.kept, name+" (better)")
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
	case of.kept != nil:
		good = append([]string{fmt.Sprintf("What %s expected came true: %s.", e.by(), joined(of.kept))}, tooWideWords(of.wide)...)
	case of.wide != nil:
		good = tooWideWords(of.wide)
	case of.below == nil:
		good = []string{fmt.Sprintf("Too few rows tell whether what %s expected came true.", e.by())}
	}
	return slices.Concat(good, of.below, e.notes()), bad
}

// tooWideWords says of figures that to lie inside the range says little; nothing without any.
func tooWideWords(of []string) []string {
	if of == nil {
		return nil
	}
	return []string{fmt.Sprintf("As expected, but the range is so wide that nearly anything would be: %s.", joined(of))}
}

// promise returns a figure of the decisions of which cv promised something, and which could be judged by that; nil where there is none.
func (e *expectedInfo) promise(class, figure string) *expectedFigure {
	if e == nil {
		return nil
	}
	at := slices.IndexFunc(e.Figures, func(f expectedFigure) bool {
		return f.Class == class && f.Figure == figure && f.List == "" && f.Verdict != ""
	})
	if at < 0 {
		return nil
	}
	return &e.Figures[at]
}

// judges tells whether cv promised such a figure of a class or more.
func (e *expectedInfo) judges(figure string) bool {
	return e != nil && slices.ContainsFunc(e.Figures, func(f expectedFigure) bool { return f.Figure == figure && f.List == "" && f.Verdict != "" })
}

// failed are the figures that are worse than was promised by more than chance.
func (e *expectedInfo) failed() []string {
	if e == nil {
		return nil
	}
	return e.verdicts(false).worse
}

// unpromised leaves out the drift of figures that are judged by what was promised of them, and so told of.
func (e *expectedInfo) unpromised(drift []rfpragma.Drift) []rfpragma.Drift {
	return slices.DeleteFunc(slices.Clone(drift), func(d rfpragma.Drift) bool { return e.promise(d.Class, d.Figure) != nil })
}

// unforeseen keeps apart the figures that are worse than in training and not, by more than chance, than was promised of that very figure, and returns the other drift: what cv promised is the yardstick, as the
// weights were tuned on the votes that training is known by, which may mix past and future, or be of all blocks. A range that is too wide is one, too: it is said that it tells little.
func (e *expectedInfo) unforeseen(drift []rfpragma.Drift) []rfpragma.Drift {
	if e == nil {
		return drift
	}
	left := []rfpragma.Drift{}
	for _, d := range drift {
		if f := e.promise(d.Class, d.Figure); f != nil && f.Verdict != f.worse() {
			e.Foreseen = append(e.Foreseen, d)
		} else {
			left = append(left, d)
		}
	}
	return left
}

// foreseen is what a figure was in training, where it is lower by more than chance and yet no drift; nil otherwise.
func (e *expectedInfo) foreseen(f *expectedFigure) *rfpragma.Drift {
	at := slices.IndexFunc(e.Foreseen, func(d rfpragma.Drift) bool { return d.Class == f.Class && d.Figure == f.Figure && f.List == "" })
	if at < 0 {
		return nil
	}
	return &e.Foreseen[at]
}

// belowWords say of such a figure why it is none.
func (e *expectedInfo) belowWords(f *expectedFigure) string {
	d, than, wide, why := e.foreseen(f), "what", "", ""
	if e.Rule == "tuned" {
		why = ", which was optimistic"
	}
	if strings.HasSuffix(f.Verdict, higher) {
		than = "more than"
	}
	if f.tellsLittle() {
		wide = ", a range so wide that it says little"
	}
	return fmt.Sprintf("%s is lower than in training (%s %%, was %s %%%s), but it is %s %s expected, %s%s.",
		english.Capital(f.name), ofHundred(d.Is.Value), ofHundred(d.Was.Value), why, than, e.by(), f.was, wide)
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
