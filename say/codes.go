package say

import (
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// sentences has what is said of each code.
var sentences = map[finding.Code]entry{
	codes.GainProved: {Voice.gain,
		"Tuned weights lose less than the plain majority vote, by more than two standard errors where these are known.",
		"Nothing: this is what tuning is for."},
	codes.GainNone: {Voice.gain, "Tuned weights and the plain vote lose the same.",
		"If other decisions are wanted, say what must hold, or make the preference stronger."},
	codes.GainInconclusive: {Voice.gain,
		"The loss of tuned weights differs from that of the plain vote by no more than two standard errors.",
		"Take the plain vote where simple rules are worth something, or get more rows of the class that matters."},
	codes.GainUnmeasured: {Voice.gain,
		"The rows are of fewer than ten groups, so nobody knows how sure the difference between tuned weights and the " +
			"plain vote is.",
		"Get rows of more groups."},
	codes.GainNegative: {Voice.gain, "Tuned weights lose more than the plain vote, by more than noise explains.",
		"Take the plain vote."},
	codes.GainUnproven: {Voice.unproven,
		"On the votes that weights are searched on no gain of a weight of its own could be proved for some classes, so the " +
			"decisions follow what was asked for only in part.",
		"Get more rows of the class that matters, or say what must hold. A search for the lowest loss follows chance, too."},
	codes.RetuneBetter: {Voice.retuned,
		"On rows that are new to a model, newly tuned weights lose less than those that it has, by more than two standard " +
			"errors.",
		"Take the new weights, unless they break what is required."},
	codes.RetuneInconclusive: {Voice.retuned,
		"On rows that are new to a model, newly tuned weights and those that it has differ by no more than two standard " +
			"errors.",
		"Keep the model as it is."},
	codes.RetuneUnmeasured: {Voice.retuned,
		"The rows that are new to a model are of fewer than ten groups, so nobody knows how sure the difference between " +
			"newly tuned weights and those that it has is.",
		"Get rows of more groups."},
	codes.RetuneWorse: {Voice.retuned,
		"On rows that are new to a model, newly tuned weights lose more than those that it has, by more than two standard " +
			"errors.",
		"Keep the model as it is."},
	codes.BaselineBreaks: {Voice.plainBreaks,
		"The plain vote does not keep what is required.",
		"Nothing: tuned weights are there to keep it."},
	codes.BaselineBetter: {Voice.baseline, "Weights that need no tuning lose less than the tuned ones.",
		"Take those weights: nothing has to be searched for them, and they do not depend on the luck of a search."},
	codes.BaselineEqual: {Voice.baseline, "Weights that need no tuning do as well as the tuned ones, but for noise.",
		"Take either. Where decisions have to be explained, take the weights that need no tuning."},
	codes.BaselineWorse: {Voice.baseline, "The best weights that need no tuning lose more than the tuned ones.",
		"Nothing: the tuned weights are worth their search."},
	codes.ConstantBetter: {Voice.constant, "To decide all rows alike, without a model, loses less than the model does.",
		"Do not use the model for these costs or this preference. Check that they say what is meant."},
	codes.ConstantWorse: {Voice.constant, "To decide all rows alike loses as much as the model does, or more.",
		"Nothing: the difference is what the model is worth."},
	codes.ConstantUnsure: {Voice.constant,
		"To decide all rows alike loses less than the model does, but not beyond noise.",
		"Get more rows of the class that matters, and check that the costs or the preference say what is meant."},
	codes.FoldsUnstable: {Voice.unstable,
		"On the same votes the weights of one fold find far more of a class than those of another, by more than 20 of 100 " +
			"rows. The figures are those of no single model.",
		"Train on more rows, have weights taken only where their gain is proved, or take the curved measure of the " +
			"preference; repeats show how far other folds go."},
	codes.FoldsSpread: {Voice.spread,
		"The weights of one fold raise far more alarms than those of another, by more than the interval of the alarms.",
		"Plan for the whole range, or repeat the cross-validation with other folds to see more of it."},
	codes.AlarmsFlood: {Voice.flood,
		"More than a quarter of all rows are alarms, or half if the measure is no preference, and most of them are wrong.",
		"Limit the alarms, ask for a precision, or take an operating point of fewer alarms."},
	codes.AlarmsUnused: {Voice.unused, "A good part of the alarms that a limit allows is not raised.",
		"Nothing, or look into a list of the likeliest rows as long as the limit: it uses them all."},
	codes.PrecisionBelow: {Voice.precisionBelow,
		"Fewer alarms are right than the x of the preference. That x is no limit: it says what finding all would be worth.",
		"Where it is meant as a limit, require it."},
	codes.RecallBelow: {Voice.recallBelow,
		"Less is found than the y of the preference. That y is no limit: it says what alarms that are never wrong would be " +
			"worth.",
		"Where it is meant as a limit, require it."},
	codes.ClassChance: {Voice.chance,
		"A class that matters is found no better than by decisions drawn at random: the interval of its precision reaches " +
			"its share of the rows.",
		"Do not use these decisions. Get more rows of the class, or columns that tell it."},
	codes.ClassFewRows: {Voice.scarce, "A class has fewer than 30 rows, so its figures say little of others.",
		"Get more rows of the class."},
	codes.ClassNever: {Voice.never, "A class has rows, and no row is decided as it.",
		"Say that it matters, by a preference, costs or a recall that is required; or leave it out."},
	codes.ConstraintKept: {Voice.constraint, "What is required is kept, by the whole interval as far as that is known.",
		"Nothing."},
	codes.ConstraintUnsure: {Voice.constraint,
		"What is required is kept by the estimate, but the interval reaches beyond it.",
		"Ask for more than is needed, or get more rows of the class."},
	codes.ConstraintBroken: {Voice.constraint,
		"What is required is not kept on these rows, though it is on the votes that the weights were searched on.",
		"Ask for more than is needed, or for fewer alarms than can be borne: what is just reached on the votes is missed " +
			"in about half of all new samples."},
	codes.ConstraintUnreachable: {Voice.unreachable,
		"No weights reach all that is required, even on the votes that they are searched on.",
		"Require less. A model can still be made of the weights that come nearest."},
	codes.GuaranteeKept: {Voice.guaranteed,
		"With the confidence that was asked for, what is required holds on new rows that are like the given ones but for " +
			"chance. Rows kept apart have shown it, by an exact test.",
		"Nothing, as long as new rows are like these."},
	codes.GuaranteeApproximate: {Voice.guaranteed,
		"With about the confidence that was asked for, what is required holds on new rows. The test was made on the votes " +
			"that weights are searched on, which are of other trees than decide new rows.",
		"Keep rows apart where the promise must stand."},
	codes.GuaranteeMissing: {Voice.guaranteed,
		"The rows to test on do not show that what is required holds on new rows with the confidence that was asked for.",
		"Give more rows, keep more of them apart, ask for less, or for less confidence."},
	codes.ReviewZone: {Voice.reviewed,
		"Rows whose votes are close are not decided, and left to people.",
		"Have them looked at. Where they are more, or fewer, than people can look at, say so when the model is tuned."},
	codes.EstimateFigures: {Voice.estimated,
		"What the calibrated probabilities of rows without labels imply. The interval holds what their " +
			"labels say in 95 of 100 " +
			"cases, if rows of such votes are of each class as often as in training, or if only the shares of " +
			"the classes differ.",
		"Compare with what was promised, and with the labels of some rows when they come."},
	codes.EstimateShares: {Voice.sharesEstimated,
		"The votes for rows without labels spread otherwise than in training, by more than chance, as they " +
			"do where classes have " +
			"other shares. They cannot tell that from other kinds of rows. The intervals of what is estimated hold both.",
		"Have some rows labelled. Where a class has become rarer or more common for good, decide for its new " +
			"share, or tune again."},
	codes.EstimateKept: {
		Voice.cameTrue,
		"Labels came, and every figure is within the interval that was estimated without them.",
		"Nothing: go on estimating between labels.",
	},
	codes.EstimateMissed: {Voice.cameOtherwise,
		"Labels came, and a figure is not within the interval that was estimated without them. By chance " +
			"that happens to 5 of " +
			"100 figures.",
		"If it happens again, the probabilities do not hold: fit a map to these rows (calibrate), or train again."},
	codes.EstimateVoid: {Voice.voidEstimate,
		"Rows without labels are not like those of training: columns that the model decides by differ more " +
			"than any shares of " +
			"the classes explain, or the votes spread as no shares explain. Probabilities then mean little.",
		"Look at the columns: another unit, an empty one, another coding. Else have rows labelled, and train again."},
	codes.SliceGap: {Voice.gap,
		"A figure of the rows of one value of a column differs from that of all other rows by more than " +
			"chance, also among so " +
			"many comparisons.",
		"Look at what sets these rows apart: fewer of them in training, other columns, other labels. Train " +
			"on more of them, or " +
			"decide them by a model of their own."},
	codes.CalibrationOff: {Voice.miscalibrated,
		"More or fewer rows of a class came among rows of some probabilities than these say, by more than chance.",
		"Do not take the probabilities at their word. Before there is a model another kind of map may do better; later a " +
			"map fitted to recent labelled rows may."},
	codes.CalibrationUninformed: {Voice.uninformed,
		"The probabilities of a class are no better than giving every row the share of the class, by Brier score, log loss " +
			"or both.",
		"Use the decisions or the order of the rows, not the probabilities."},
	codes.CalibrationReversed: {Voice.reversed,
		"Rows of a class have lower probabilities of it than other rows, by more than chance.",
		"Check whether the labels are swapped."},
	codes.CostFewRows: {Voice.costOfFew,
		"More than half of what the rows cost is due to one of them, or nearly all to at most three.",
		"Do not plan with this cost: on other rows it may be quite different. Judge more rows."},
	codes.CostHangs: {Voice.hangs,
		"With costs by amount, what the model saves beside other decisions is due to at most three rows of a large amount.",
		"Do not plan with what is saved. Judge more rows, or decide such rows by hand."},
	codes.GroupsFew: {Voice.fewGroups,
		"The rows are of so few groups, such as patients or customers, that intervals say little of other groups.",
		"Take the figures as those of these groups, or get rows of more groups."},
	codes.ForecastWide: {Voice.wide,
		"Blocks of time differ so much that the interval for later rows reaches from no better than chance to twice that " +
			"or more.",
		"Do not plan with the figure. More blocks, or more rows in each, tell more."},
	codes.RowsOrdered: {Voice.ordered,
		"The rows are in the order of a column that may be a time, and were judged with past and future mixed.",
		"If the column is time, have later rows judged by earlier ones."},
	codes.ColumnLeaks: {Voice.leaks, "A column tells the class nearly alone.",
		"If it is not known when a row is to be decided, leave it out."},
	codes.ColumnMemorised: {Voice.memorised,
		"Columns such as a month help to rank rows of the times that the trees know, and not later rows: the trees learn " +
			"them by heart.",
		"Leave the columns out."},
	codes.DriftColumns: {Voice.driftColumns, "The cells of columns are not as in training.",
		"Look at the columns before any figure is relied on: a unit, a code or a join may have changed."},
	codes.DriftWorse: {Voice.driftWorse, "Figures are worse than in training by more than chance.",
		"Look first at columns that are not as in training. Then train anew with recent rows; other weights alone do not " +
			"bring back how well the trees tell the classes apart."},
	codes.DriftShares: {Voice.driftShares, "Classes are rarer or more common than in training, by more than chance.",
		"Tune on recent labelled rows, which moves the weights to the new shares."},
	codes.DriftNone: {Voice.driftNone, "No figure is other than in training by more than chance.",
		"Nothing."},
	codes.DriftBetter: {Voice.driftBetter, "Figures are better than in training by more than chance.",
		"Check that the rows are not of the training."},
	codes.PromiseKept: {Voice.kept, "No figure is worse than the cross-validation promised.",
		"Nothing: the model does what was expected of it."},
	codes.PromiseUnsure: {Voice.promised,
		"A figure is worse than the cross-validation promised, but the rows are too few to prove it.",
		"Judge more rows before anything is changed."},
	codes.PromiseBroken: {Voice.promised, "A figure is worse than the cross-validation promised, by more than chance.",
		"Look first at columns that are not as in training. Then tune or train with recent rows, and judge on later ones."},
}
