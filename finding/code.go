package finding

import "slices"

// Code names what was found: a topic, and what it is of that. The meaning of a code never changes.
type Code string

// What tuning gains on the plain majority vote.
const (
	GainProved       Code = "gain.proved"       // tuning loses less, beyond noise as far as that is known
	GainNone         Code = "gain.none"         // both lose the same
	GainInconclusive Code = "gain.inconclusive" // the difference is within two standard errors
	GainUnmeasured   Code = "gain.unmeasured"   // the rows are of too few groups to say how sure the difference is
	GainNegative     Code = "gain.negative"     // tuning loses more, beyond noise as far as that is known
	GainUnproven     Code = "gain.unproven"     // weights of their own are not proved to pay, so that what was asked for is followed in part
)

// What new weights gain on those that a model has.
const (
	RetuneBetter       Code = "retune.better"       // they lose less, beyond noise
	RetuneInconclusive Code = "retune.inconclusive" // the difference is within two standard errors
	RetuneUnmeasured   Code = "retune.unmeasured"   // the rows are of too few groups to say how sure the difference is
	RetuneWorse        Code = "retune.worse"        // they lose more, beyond noise
)

// Ways to decide that need no tuning, or no model.
const (
	BaselineBetter Code = "baseline.better" // one way to weigh votes loses less than the tuned weights
	BaselineEqual  Code = "baseline.equal"  // one loses as much, but for noise, and tuning gains on the plain vote
	BaselineWorse  Code = "baseline.worse"  // the best of them loses more
	BaselineBreaks Code = "baseline.breaks" // the plain vote loses less, and breaks what is required
	ConstantBetter Code = "constant.better" // to decide all rows alike loses less than the model
	ConstantWorse  Code = "constant.worse"  // to decide all rows alike loses as much or more
)

// What is found of a class, and what is right of the alarms for it.
const (
	FoldsUnstable  Code = "folds.unstable"       // the weights of the folds find shares far apart of the same rows
	FoldsSpread    Code = "folds.spread"         // the weights of the folds raise numbers of alarms that are far apart
	AlarmsFlood    Code = "alarms.flood"         // alarms are many, and most of them wrong
	AlarmsUnused   Code = "alarms.unused"        // a good part of the alarms that a limit allows is not raised
	PrecisionBelow Code = "precision.below-wish" // fewer alarms are right than the x of the preference
	RecallBelow    Code = "recall.below-wish"    // less is found than the y of the preference
	ClassFewRows   Code = "class.few-rows"       // a class has so few rows that its figures say little
	ClassChance    Code = "class.chance"         // a class that matters is found no better than at random
	ClassNever     Code = "class.never"          // no row is decided as a class that has rows
)

// What becomes of what is required.
const (
	ConstraintKept   Code = "constraint.kept"   // it is kept, by the whole interval as far as that is known
	ConstraintUnsure Code = "constraint.unsure" // it is kept by the estimate, and not by the whole interval
	ConstraintBroken Code = "constraint.broken" // it is not kept

	ConstraintUnreachable Code = "constraint.unreachable" // no weights reach it, even on the votes that they are searched on
)

// What probabilities are worth.
const (
	CalibrationOff        Code = "calibration.off"        // they are too high or too low in parts of the rows, by more than chance
	CalibrationUninformed Code = "calibration.uninformed" // they are no better than one for all rows
	CalibrationReversed   Code = "calibration.reversed"   // rows of the class have lower ones than others
)

// On what costs hang.
const (
	CostFewRows Code = "cost.few-rows" // more than half of the cost is due to one row, or nearly all to at most three
	CostHangs   Code = "cost.hangs"    // what tuning saves is due to at most three rows
)

// What became of what a cross-validation promised.
const (
	PromiseKept   Code = "promise.kept"   // no figure is worse than was promised
	PromiseUnsure Code = "promise.unsure" // a figure is worse, but its range reaches into the one that was promised
	PromiseBroken Code = "promise.broken" // a figure is worse beyond chance
)

// What is found of rows and columns.
const (
	GroupsFew       Code = "groups.few"       // the rows are of so few groups that intervals say little
	ForecastWide    Code = "forecast.wide"    // blocks of time differ so much that an interval says little of later rows
	RowsOrdered     Code = "rows.ordered"     // rows are in the order of what may be a time, and judged with past and future mixed
	ColumnLeaks     Code = "column.leaks"     // a column tells the class nearly alone
	ColumnMemorised Code = "column.memorised" // trees learn what rows of the same time share, which later rows do not
)

// In what rows are not as in training.
const (
	DriftColumns Code = "drift.columns" // cells of columns are others
	DriftWorse   Code = "drift.worse"   // figures are worse by more than chance
	DriftShares  Code = "drift.shares"  // classes are rarer or more common by more than chance
	DriftNone    Code = "drift.none"    // no figure is another one by more than chance
	DriftBetter  Code = "drift.better"  // figures are better by more than chance
)

// codes are all of them, as they are explained in docs/findings.md.
var codes = []struct {
	code  Code
	grade Grade
}{
	{GainProved, Note},
	{GainNone, Note},
	{GainInconclusive, Caution},
	{GainUnmeasured, Caution},
	{GainNegative, Serious},
	{GainUnproven, Caution},
	{RetuneBetter, Note},
	{RetuneInconclusive, Caution},
	{RetuneUnmeasured, Caution},
	{RetuneWorse, Serious},
	{BaselineBreaks, Note},
	{BaselineBetter, Caution},
	{BaselineEqual, Caution},
	{BaselineWorse, Note},
	{ConstantBetter, Serious},
	{ConstantWorse, Note},
	{FoldsUnstable, Serious},
	{FoldsSpread, Caution},
	{AlarmsFlood, Caution},
	{AlarmsUnused, Note},
	{PrecisionBelow, Note},
	{RecallBelow, Note},
	{ClassChance, Serious},
	{ClassFewRows, Caution},
	{ClassNever, Caution},
	{ConstraintKept, Note},
	{ConstraintUnsure, Caution},
	{ConstraintBroken, Serious},
	{ConstraintUnreachable, Serious},
	{CalibrationOff, Caution},
	{CalibrationUninformed, Serious},
	{CalibrationReversed, Serious},
	{CostFewRows, Caution},
	{CostHangs, Caution},
	{GroupsFew, Caution},
	{ForecastWide, Caution},
	{RowsOrdered, Caution},
	{ColumnLeaks, Caution},
	{ColumnMemorised, Caution},
	{DriftColumns, Caution},
	{DriftWorse, Serious},
	{DriftShares, Caution},
	{DriftNone, Note},
	{DriftBetter, Caution},
	{PromiseKept, Note},
	{PromiseUnsure, Caution},
	{PromiseBroken, Serious},
}

// Codes returns all codes, by topic.
func Codes() []Code {
	out := make([]Code, len(codes))
	for i, c := range codes {
		out[i] = c.code
	}
	return out
}

// Grade returns how grave it is; 0 for a code that this version does not know.
func (c Code) Grade() Grade {
	at := slices.IndexFunc(codes, func(o struct {
		code  Code
		grade Grade
	}) bool {
		return o.code == c
	})
	if at < 0 {
		return 0
	}
	return codes[at].grade
}
