// Package pragma expresses what the user wants of decisions, as a loss of a confusion matrix.
//
// A [Spec] holds the user's [Preference] for each class: how much it counts, and which trades of recall for
// precision would be accepted. [Spec.Measure] turns it into the measure PRAGMA of Thomas, Jouve and
// Nicoloyannis (Extraction et gestion des connaissances, EGC 2007). The usual measures are here, too:
// [Accuracy], [Balanced], [F], [MacroF], [GMean], [MCC], [Kappa], and [Costs], what decisions cost. A [Floor]
// takes precedence over all of them, see [Within].
//
// All measures are losses: 0 is perfect, lower is better. Each is defined and finite for every matrix; what
// cannot be computed, such as the precision of a class that is never predicted, has a stated value. A matrix
// without rows has the value of the worst decision.
package pragma
