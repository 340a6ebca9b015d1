package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
)

// strictRecall is the strictest recall that a verb tells to ask for: more is hardly ever kept.
const strictRecall = 0.99

// surer is what becomes of a class by a stricter recall than one that its rows are too few to make sure of.
type surer struct {
	floor pragma.Floor
	class eval.Class
}

// vouched is the recall that so many rows of a class make sure of, if all of them are found.
func vouched(rows float64) float64 {
	n := math.Round(rows)
	low, _ := calib.Wilson(n, n, calib.Z95)
	return low
}

// surerOf tries a stricter recall in the place of the first that rows are too few to make sure of; nil where there is none, or nothing keeps it.
func surerOf(ctx context.Context, try trial, of *aim, floors []pragma.Floor, tuned *eval.Rule) (*surer, error) {
	at := slices.IndexFunc(floors, func(f pragma.Floor) bool {
		rows := tuned.Classes[of.classes[f.Class]].Rows
		return f.What == pragma.RecallFloor && f.Limit < strictRecall && rows >= 1 && vouched(rows) < f.Limit
	})
	if at < 0 {
		return nil, nil
	}
	more := pragma.Floor{Class: floors[at].Class, What: pragma.RecallFloor, Limit: strictRecall}
	asked := also(floors, more)
	m, err := of.loss.beside(of.spec, of.classes, asked...)
	if err != nil {
		return nil, err
	}
	got, err := try(ctx, m, asked...)
	if err != nil || got == nil {
		return nil, err
	}
	return &surer{more, got.classes[of.classes[more.Class]]}, nil
}

// most says of which recall the rows of a class make sure at most, where a floor is above that, and what a stricter one is good for all the same; nil where the floor is not, or where rows do not count as what they are.
func (v *verdict) most(f pragma.Floor) []string {
	name := v.classes[f.Class]
	now := v.report.Rules.Tuned.Classes[name]
	n := math.Round(now.Rows)
	if f.What != pragma.RecallFloor || n < 1 || vouched(n) >= f.Limit || v.report.Groups > 0 || v.report.Weighed {
		return nil
	}
	text := fmt.Sprintf("%s of %q are too few to make sure of %s by any limit: to find all of them would prove no more than %s.",
		english.Plural(int(n), "row"), name, rounded(percent(f.Limit)), percent(math.Floor(1000*vouched(n))/1000))
	if f.Limit >= strictRecall {
		return []string{text}
	}
	more := (pragma.Floor{Class: f.Class, What: pragma.RecallFloor, Limit: strictRecall}).Text(v.classes)
	if s := v.surer; s != nil && s.floor.Class == f.Class && s.class.Recall != nil && now.Recall != nil && *s.class.Recall > *now.Recall {
		found, ends := within100(*s.class.Recall, s.class.RecallInterval)
		text += fmt.Sprintf(" A stricter limit finds more all the same: by %s %s of 100 are found (%s)", more, found, ends)
		if s.class.Precision != nil {
			text += fmt.Sprintf(", and %s of 100 alarms are right", ofHundred(*s.class.Precision))
		}
		return []string{text + "."}
	}
	return []string{text + " A stricter limit leaves more room all the same, such as " + more + "."}
}
