// Package codes has the codes of findings and the units of their figures, which are plain text to others:
// docs/findings.md explains the codes.
package codes

// What tuning gains on the plain majority vote.
const (
	GainProved       = "gain.proved"       // tuning loses less, beyond noise as far as that is known
	GainNone         = "gain.none"         // both lose the same
	GainInconclusive = "gain.inconclusive" // the difference is within two standard errors
	GainUnmeasured   = "gain.unmeasured"   // the rows are of too few groups to say how sure the difference is
	GainNegative     = "gain.negative"     // tuning loses more, beyond noise as far as that is known
	// weights of their own are not proved to pay, so that what was asked for is followed in part
	GainUnproven = "gain.unproven"
)

// What new weights gain on those that a model has.
const (
	RetuneBetter       = "retune.better"       // they lose less, beyond noise
	RetuneInconclusive = "retune.inconclusive" // the difference is within two standard errors
	RetuneUnmeasured   = "retune.unmeasured"   // the rows are of too few groups to say how sure the difference is
	RetuneWorse        = "retune.worse"        // they lose more, beyond noise
)

// Ways to decide that need no tuning, or no model.
const (
	BaselineBetter = "baseline.better" // one way to weigh votes loses less than the tuned weights, beyond noise
	BaselineEqual  = "baseline.equal"  // one loses less or as much, but for noise
	BaselineWorse  = "baseline.worse"  // the best of them loses more
	BaselineBreaks = "baseline.breaks" // the plain vote breaks what is required
	ConstantBetter = "constant.better" // to decide all rows alike loses less than the model
	ConstantWorse  = "constant.worse"  // to decide all rows alike loses as much or more
	ConstantUnsure = "constant.unsure" // to decide all rows alike loses less, but not beyond noise
)

// What is found of a class, and what is right of the alarms for it.
const (
	FoldsUnstable  = "folds.unstable"       // the weights of the folds find shares far apart of the same rows
	FoldsSpread    = "folds.spread"         // the weights of the folds raise numbers of alarms that are far apart
	AlarmsFlood    = "alarms.flood"         // alarms are many, and most of them wrong
	AlarmsUnused   = "alarms.unused"        // a good part of the alarms that a limit allows is not raised
	PrecisionBelow = "precision.below-wish" // fewer alarms are right than the x of the preference
	RecallBelow    = "recall.below-wish"    // less is found than the y of the preference
	ClassFewRows   = "class.few-rows"       // a class has so few rows that its figures say little
	ClassChance    = "class.chance"         // a class that matters is found no better than at random
	ClassNever     = "class.never"          // no row is decided as a class that has rows
)

// What becomes of what is required.
const (
	ConstraintKept   = "constraint.kept"   // it is kept, by the whole interval as far as that is known
	ConstraintUnsure = "constraint.unsure" // it is kept by the estimate, and not by the whole interval
	ConstraintBroken = "constraint.broken" // it is not kept

	ConstraintFewRows     = "constraint.few-rows"    // few rows of its group tell of it
	ConstraintUnreachable = "constraint.unreachable" // no weights reach it, even on the votes that they are searched on
)

// How surely what is required holds on new rows.
const (
	GuaranteeKept        = "guarantee.kept"        // with the confidence asked for, by a test on rows kept apart
	GuaranteeApproximate = "guarantee.approximate" // about so, by a test on the votes that weights are searched on
	GuaranteeMissing     = "guarantee.missing"     // the rows are too few to be so sure, or the figure fails the limit
)

// What is left to people.
const (
	ReviewZone = "review.zone" // a part of the rows is close, and not decided
)

// What is said of rows without labels.
const (
	EstimateFigures = "estimate.figures" // what their probabilities imply
	EstimateShares  = "estimate.shares"  // their votes spread as where classes have other shares
	EstimateKept    = "estimate.kept"    // their labels came, and say what was estimated
	EstimateGap     = "estimate.gap"     // a figure of a part of the rows is estimated otherwise than that of the others
	EstimateMissed  = "estimate.missed"  // their labels came, and a figure is not in the interval
	EstimateVoid    = "estimate.void"    // they are not like those of training, so that nothing can be said
)

// What differs between parts of the rows.
const (
	SliceGap = "slice.gap" // a figure of a part differs from that of all others by more than chance
)

// What probabilities are worth.
const (
	// they are too high or too low in parts of the rows, by more than chance
	CalibrationOff        = "calibration.off"
	CalibrationUninformed = "calibration.uninformed" // they are no better than one for all rows
	CalibrationReversed   = "calibration.reversed"   // rows of the class have lower ones than others
)

// On what costs hang.
const (
	CostFewRows = "cost.few-rows" // more than half of the cost is due to one row, or nearly all to at most three
	CostHangs   = "cost.hangs"    // what tuning saves is due to at most three rows
)

// What became of what a cross-validation promised.
const (
	PromiseKept   = "promise.kept"   // no figure is worse than was promised
	PromiseUnsure = "promise.unsure" // a figure is worse, but its range reaches into the one that was promised
	PromiseBroken = "promise.broken" // a figure is worse beyond chance
)

// What is found of rows and columns.
const (
	GroupsFew    = "groups.few"    // the rows are of so few groups that intervals say little
	ForecastWide = "forecast.wide" // blocks of time differ so much that an interval says little of later rows
	// rows are in the order of what may be a time, and judged with past and future mixed
	RowsOrdered     = "rows.ordered"
	ColumnLeaks     = "column.leaks"     // a column tells the class nearly alone
	ColumnMemorised = "column.memorised" // trees learn what rows of the same time share, which later rows do not
)

// In what rows are not as in training.
const (
	DriftColumns = "drift.columns" // cells of columns are others
	DriftWorse   = "drift.worse"   // figures are worse by more than chance
	DriftShares  = "drift.shares"  // classes are rarer or more common by more than chance
	DriftNone    = "drift.none"    // no figure is another one by more than chance
	DriftBetter  = "drift.better"  // figures are better by more than chance
)
