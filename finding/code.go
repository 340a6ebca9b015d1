package finding

import (
	"slices"

	"github.com/rfpragma/rfpragma/internal/codes"
)

// Code names what was found: a topic, and what it is of that. The meaning of a code never changes.
type Code string

// graded are all of them, as they are explained in docs/findings.md.
var graded = []struct {
	code  Code
	grade Grade
}{
	{codes.GainProved, Note},
	{codes.GainNone, Note},
	{codes.GainInconclusive, Caution},
	{codes.GainUnmeasured, Caution},
	{codes.GainNegative, Serious},
	{codes.GainUnproven, Caution},
	{codes.RetuneBetter, Note},
	{codes.RetuneInconclusive, Caution},
	{codes.RetuneUnmeasured, Caution},
	{codes.RetuneWorse, Serious},
	{codes.BaselineBreaks, Note},
	{codes.BaselineBetter, Caution},
	{codes.BaselineEqual, Note},
	{codes.BaselineWorse, Note},
	{codes.ConstantBetter, Serious},
	{codes.ConstantWorse, Note},
	{codes.ConstantUnsure, Caution},
	{codes.FoldsUnstable, Serious},
	{codes.FoldsSpread, Caution},
	{codes.AlarmsFlood, Caution},
	{codes.AlarmsUnused, Note},
	{codes.PrecisionBelow, Note},
	{codes.RecallBelow, Note},
	{codes.ClassChance, Serious},
	{codes.ClassFewRows, Caution},
	{codes.ClassNever, Caution},
	{codes.ConstraintKept, Note},
	{codes.ConstraintUnsure, Caution},
	{codes.ConstraintBroken, Serious},
	{codes.ConstraintFewRows, Caution},
	{codes.ConstraintUnreachable, Serious},
	{codes.GuaranteeKept, Note},
	{codes.GuaranteeApproximate, Caution},
	{codes.GuaranteeMissing, Serious},
	{codes.ReviewZone, Note},
	{codes.EstimateFigures, Note},
	{codes.EstimateShares, Caution},
	{codes.EstimateKept, Note},
	{codes.EstimateMissed, Caution},
	{codes.EstimateGap, Caution},
	{codes.EstimateVoid, Serious},
	{codes.SliceGap, Caution},
	{codes.CalibrationOff, Caution},
	{codes.CalibrationUninformed, Serious},
	{codes.CalibrationReversed, Serious},
	{codes.CostFewRows, Caution},
	{codes.CostHangs, Caution},
	{codes.GroupsFew, Caution},
	{codes.ForecastWide, Caution},
	{codes.RowsOrdered, Caution},
	{codes.ColumnLeaks, Caution},
	{codes.ColumnMemorised, Caution},
	{codes.DriftColumns, Caution},
	{codes.DriftWorse, Serious},
	{codes.DriftShares, Caution},
	{codes.DriftNone, Note},
	{codes.DriftBetter, Caution},
	{codes.PromiseKept, Note},
	{codes.PromiseUnsure, Caution},
	{codes.PromiseBroken, Serious},
}

// Codes returns all codes, by topic.
func Codes() []Code {
	out := make([]Code, len(graded))
	for i, c := range graded {
		out[i] = c.code
	}
	return out
}

// Grade returns how grave it is; 0 for a code that this version does not know.
func (c Code) Grade() Grade {
	at := slices.IndexFunc(graded, func(o struct {
		code  Code
		grade Grade
	}) bool {
		return o.code == c
	})
	if at < 0 {
		return 0
	}
	return graded[at].grade
}
