package view

import (
	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/vote"
)

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
