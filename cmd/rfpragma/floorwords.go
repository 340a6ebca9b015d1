package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
)

// floorWords say how far what is required is kept on these rows: of what is, and of what is not, with what keeps it; and what to do about it.
func (v *verdict) floorWords() (kept, broken, advice []string) {
	for _, f := range v.floors {
		m := f.Of(confusionOf(v.classes, v.report.Rules.Tuned.Confusion), v.withheld.decided())
		value, ok := f.Value(m)
		if !ok {
			continue
		}
		line := fmt.Sprintf("You require %s: on %s it is %s, ", f.Text(v.classes), v.on(), v.floorFigure(f, value))
		switch {
		case f.Missing(m) > 0:
			why, most := v.notKept(f)
			broken, advice = append(broken, line+why+v.brokenBlocks(f)+"."), append(advice, most...)
		case !v.surely(f, &v.report.Rules.Tuned):
			kept, advice = append(kept, line+"which is kept"+unsurely+v.brokenBlocks(f)+"."), append(advice, v.most(f)...)
		case v.fewGroups():
			kept = append(kept, line+fmt.Sprintf("which is kept, as far as %s can tell%s.", v.groups(), v.brokenBlocks(f)))
		default:
			kept = append(kept, line+"which is kept"+v.brokenBlocks(f)+".")
		}
		advice = append(advice, v.unused(f, value)...)
	}
	return kept, append(broken, v.keepers()...), advice
}

// brokenBlocks goes on with how many blocks of time break a floor, as more is to be expected of later rows than the latest tells; "" where none does, or there is no other.
func (v *verdict) brokenBlocks(f pragma.Floor) string {
	if len(v.report.Blocks) < 3 {
		return ""
	}
	judged, broken := v.report.Blocks[1:], 0
	for _, b := range judged {
		if b.Decided != nil && f.Missing(f.Of(b.Decided, v.withheld.decidedIn(&b))) > 0 {
			broken++
		}
	}
	if broken == 0 {
		return ""
	}
	return fmt.Sprintf("; of all %d blocks %d %s it", len(judged), broken, english.Verb(broken, "breaks", "break"))
}

// unsurely is said of what is kept by the estimate alone.
const unsurely = ", but not surely: the range reaches below it"

// floorFigure shows what is reached of a floor, of a recall or precision with its interval.
func (v *verdict) floorFigure(f pragma.Floor, value float64) string {
	interval := v.floorInterval(f, &v.report.Rules.Tuned)
	if interval == nil {
		return floorText(f, value)
	}
	text := floorText(f, value)
	_, ends := english.Within(value, interval[0], interval[1], decimalsOf(text))
	return fmt.Sprintf("%s (%s)", text, ends)
}

// decimalsOf counts the decimals of the number that a text begins with.
func decimalsOf(text string) int {
	number, _, _ := strings.Cut(text, " ")
	_, decimals, _ := strings.Cut(number, ".")
	return len(decimals)
}

// floorInterval is that of the recall or precision that a floor is of, under a rule; nil where it is not known.
func (v *verdict) floorInterval(f pragma.Floor, r *eval.Rule) *[2]float64 {
	class := r.Classes[v.classes[f.Class]]
	return map[pragma.Figure]*[2]float64{pragma.RecallFloor: class.RecallInterval, pragma.PrecisionFloor: class.PrecisionInterval}[f.What]
}

// surely tells whether all of the interval keeps the floor, as far as it is known.
func (v *verdict) surely(f pragma.Floor, r *eval.Rule) bool {
	interval := v.floorInterval(f, r)
	return interval == nil || interval[0] >= f.Limit
}

// floorText shows a value of the figure of a floor in the form of its limit.
func floorText(f pragma.Floor, value float64) string {
	if strings.Contains(f.Typed, "/") {
		return f.Figure(value)
	}
	return beside(value, f.Limit, 1)
}

// beside shows a share with so many decimals at least, and so exactly that it does not look like a limit that it is not.
func beside(share, limit float64, decimals int) string {
	for decimals < 4 && share != limit && english.Percent(share, decimals) == english.Percent(limit, decimals) {
		decimals++
	}
	return rounded(english.Percent(share, decimals))
}

// notKept says what to think of a floor that is not kept, and of a recall that rows are too few to make sure of what that can be.
func (v *verdict) notKept(f pragma.Floor) (why string, most []string) {
	const not = "which is not kept"
	switch {
	case v.unreached:
		return not + ": not all weights that were searched for reach it on their own votes", nil
	case f.What == pragma.RecallFloor && v.missed != nil && v.missed[f.Class] != "":
		return fmt.Sprintf("%s: all rows that are not found have the label %q in the file", not, v.missed[f.Class]), nil
	case v.report.Blocks == nil && v.exhausted(f) == "" && v.most(f) != nil:
		return not, v.most(f)
	case f.Limit == 0 || f.Limit == 1:
		return not + "; no stricter limit can be asked for, so nothing makes sure of it on new rows", nil
	}
	if v.report.Blocks != nil {
		return not + ": it is reached on the rows before the block, and later rows are other ones", nil
	}
	if why := v.exhausted(f); why != "" {
		return not + "; " + why, nil
	}
	ask := "more than you need"
	if f.What == pragma.Alerts || f.What == pragma.FalseAlarms {
		ask = "fewer than you can bear"
	}
	return not + "; ask for " + ask + ", as what is just reached on the votes is missed in about half of all new samples", nil
}

// exhausted says why it hardly helps to ask for more than a floor of recall, where it does not: to find so many of these rows that the estimate keeps it, see stricter, nearly all rows are to be decided as
// the class, or there are no weights that do it. It is "" where it helps.
func (v *verdict) exhausted(f pragma.Floor) string {
	name := v.classes[f.Class]
	n := math.Round(v.report.Rules.Tuned.Classes[name].Rows)
	if f.What != pragma.RecallFloor || v.report.Votes == nil || n == 0 {
		return ""
	}
	h := v.report.Votes.Compress()
	found := tradeoff.WeightsFor(h, v.weights, f.Class, []float64{min(1, math.Ceil(f.Limit*(n+1))/n)})
	if len(found) == 0 {
		return fmt.Sprintf("to ask for more does not help, as too many rows of %q have no vote for it", name)
	}
	m := h.Confuse(found[0].Of(v.weights, f.Class))
	if precision, ok := m.Precision(f.Class); ok && tradeoff.AtRandom(precision, m.True(f.Class)/m.Total()) {
		return fmt.Sprintf("to ask for more hardly helps, as to find so many takes %s in 10,000 rows", english.Plural(inTenThousand(m.Predicted(f.Class)/m.Total()*v.withheld.decided()), "alarm"))
	}
	return ""
}

// dearer says why the optimistic loss may be higher, where it may.
func (v *verdict) dearer() string {
	if r := &v.report.Rules; v.breaks(&r.Tuned) && !v.breaks(&r.Optimistic) {
		return ", as that keeps what you require, and tuned does not"
	}
	return ""
}

// breaks tells whether decisions break what is required.
func (v *verdict) breaks(r *eval.Rule) bool { return v.subject().Breaks(r) }
