package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/internal/say"
	"github.com/rfpragma/rfpragma/pragma"
)

// floorWords say how far what is required is kept on these rows: of what is, and of what is not, with what keeps it; and what to do about it.
func (v *verdict) floorWords() (kept, broken, advice []string) {
	s, voice := v.subject(), v.voice()
	for _, f := range v.floors {
		found := assess.Constraint(s, f)
		if found == nil {
			continue
		}
		switch found.Code {
		case codes.ConstraintBroken:
			why, most := v.notKept(f)
			broken, advice = append(broken, voice.Constraint(found)+why+voice.BrokenBlocks(found)+"."), append(advice, most...)
		case codes.ConstraintUnsure:
			kept, advice = append(kept, voice.Short(found)), append(advice, v.most(f)...)
		default:
			kept = append(kept, voice.Short(found))
		}
		advice = append(advice, v.unused(f, found.Figures[0].Value)...)
	}
	return kept, append(broken, v.keepers()...), advice
}

// unsurely is said of what is kept by the estimate alone.
const unsurely = say.Unsurely

// decimalsOf counts the decimals of the number that a text begins with.
func decimalsOf(text string) int {
	number, _, _ := strings.Cut(text, " ")
	_, decimals, _ := strings.Cut(number, ".")
	return len(decimals)
}

// surely tells whether all of the interval keeps the floor, as far as it is known.
func (v *verdict) surely(f pragma.Floor, r *eval.Rule) bool { return v.subject().Surely(f, r) }

// floorText shows a value of the figure of a floor in the form of its limit.
func floorText(f pragma.Floor, value float64) string { return say.FloorText(f, value) }

// beside shows a share with so many decimals at least, and so exactly that it does not look like a limit that it is not.
func beside(share, limit float64, decimals int) string { return english.Beside(share, limit, decimals) }

// notKept goes on with what to think of a floor that is not kept, and of a recall that rows are too few to make sure of what that can be.
func (v *verdict) notKept(f pragma.Floor) (why string, most []string) {
	switch {
	case v.unreached:
		return ": not all weights that were searched for reach it on their own votes", nil
	case f.What == pragma.RecallFloor && v.missed != nil && v.missed[f.Class] != "":
		return fmt.Sprintf(": all rows that are not found have the label %q in the file", v.missed[f.Class]), nil
	case v.report.Blocks == nil && v.exhausted(f) == "" && v.most(f) != nil:
		return "", v.most(f)
	case f.Limit == 0 || f.Limit == 1:
		return "; no stricter limit can be asked for, so nothing makes sure of it on new rows", nil
	}
	if v.report.Blocks != nil {
		return ": it is reached on the rows before the block, and later rows are other ones", nil
	}
	if why := v.exhausted(f); why != "" {
		return "; " + why, nil
	}
	ask := "more than you need"
	if f.What == pragma.Alerts || f.What == pragma.FalseAlarms {
		ask = "fewer than you can bear"
	}
	return "; ask for " + ask + ", as what is just reached on the votes is missed in about half of all new samples", nil
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
	found := offer.WeightsFor(h, v.weights, f.Class, []float64{min(1, math.Ceil(f.Limit*(n+1))/n)})
	if len(found) == 0 {
		return fmt.Sprintf("to ask for more does not help, as too many rows of %q have no vote for it", name)
	}
	m := h.Confuse(found[0].Of(v.weights, f.Class))
	if precision, ok := m.Precision(f.Class); ok && offer.AtRandom(precision, m.True(f.Class)/m.Total()) {
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
