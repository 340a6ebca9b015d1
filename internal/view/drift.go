package view

import (
	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/vote"
)

// DriftError ends a verb where drift shows, if that was asked for.
type DriftError struct{ Err error }

func (e DriftError) Error() string { return e.Err.Error() }

// TunedOn says where the votes come from that a model was tuned on.
func TunedOn(source vote.Source) string {
	switch source {
	case vote.OOB:
		return "out of bag in training"
	case vote.Holdout:
		return "on the rows it was tuned on"
	case vote.Forward:
		return "in training, later rows judged by earlier ones"
	}
	return "in cross-validation within training"
}

// observedText shows a share with its interval, in whole percents.
func observedText(o *rfpragma.Observed, decimals int) string {
	if o == nil {
		return "n/a"
	}
	interval := o.Interval()
	return layout.Within(&o.Value, &interval, decimals)
}

// later tells of votes that they are for rows which came after those that the trees know, or may have.
func later(votes vote.Source) bool { return votes == vote.Holdout || votes == vote.Forward }
