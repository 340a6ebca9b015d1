package main

import (
	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/vote"
)

// driftFlag is that of the verbs that judge a model on later rows.
func driftFlag() cli.Flag {
	return &cli.BoolFlag{Name: "fail-on-drift", DisableDefaultText: true, Category: "Output", Usage: "end with exit code 8 where drift shows"}
}

// driftError ends a verb where drift shows, if that was asked for.
type driftError struct{ error }

// tunedOn says where the votes come from that a model was tuned on.
func tunedOn(source vote.Source) string {
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
	return within(&o.Value, &interval, decimals)
}

// later tells of votes that they are for rows which came after those that the trees know, or may have.
func later(votes vote.Source) bool { return votes == vote.Holdout || votes == vote.Forward }
