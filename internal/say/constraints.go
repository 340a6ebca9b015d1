package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
)

// Unsurely is said of what is kept by the estimate alone.
const Unsurely = ", but not surely: the range reaches below it"

// constraint says how far what is required is kept.
func (v Voice) constraint(f *finding.Finding) string {
	return v.Constraint(f) + v.BrokenBlocks(f) + "."
}

// Constraint says whether what is required is kept, without its full stop, and without what becomes of it block by
// block, which [Voice.BrokenBlocks] has.
func (v Voice) Constraint(f *finding.Finding) string {
	floor := v.floor(f)
	line := fmt.Sprintf("You require %s: on %s it is %s, ", floor.Text(v.Classes), v.On(f.Where),
		floorFigure(floor, f.Figures[0]))
	switch _, groups := f.Figure("groups"); {
	case f.Code == codes.ConstraintBroken:
		return line + "which is not kept"
	case f.Code == codes.ConstraintUnsure:
		return line + "which is kept" + Unsurely
	case groups:
		return line + fmt.Sprintf("which is kept, as far as %s can tell", GroupsOf(f))
	}
	return line + "which is kept"
}

// BrokenBlocks goes on with how many blocks of time break what is required, as more is to be expected of later rows
// than the latest tells; "" where none does, or there is no other.
func (v Voice) BrokenBlocks(f *finding.Finding) string {
	broken := int(f.Value("blocks_broken"))
	if broken == 0 {
		return ""
	}
	return fmt.Sprintf("; of all %d blocks %d %s it", f.Where.Blocks, broken, english.Verb(broken, "breaks", "break"))
}

// floor is the one that a finding is of, as it was written where that is known.
func (v Voice) floor(f *finding.Finding) pragma.Floor {
	of, limit := f.Figures[0], f.Value("limit")
	floor := pragma.Floor{Class: slices.Index(v.Classes, of.Class), What: pragma.Figure(of.Name), Limit: limit}
	if at := slices.IndexFunc(v.Floors, func(g pragma.Floor) bool {
		return g.Class == floor.Class &&
			g.What == floor.What && g.Limit == limit
	}); at >= 0 {
		return v.Floors[at]
	}
	return floor
}

// floorFigure shows what is reached of a floor, of a recall or precision with its interval.
func floorFigure(floor pragma.Floor, of finding.Figure) string {
	text := FloorText(floor, of.Value)
	if of.Interval == nil {
		return text
	}
	number, _, _ := strings.Cut(text, " ")
	_, decimals, _ := strings.Cut(number, ".")
	_, ends := english.Within(of.Value, of.Interval[0], of.Interval[1], len(decimals))
	return fmt.Sprintf("%s (%s)", text, ends)
}

// FloorText shows a value of the figure of a floor in the form of its limit.
func FloorText(f pragma.Floor, value float64) string {
	if strings.Contains(f.Typed, "/") {
		return offer.FigureText(f, value)
	}
	return english.Beside(value, f.Limit, 1)
}
