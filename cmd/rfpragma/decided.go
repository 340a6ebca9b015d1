package main

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
)

// When a class is decided otherwise than in training: where its share of the decisions is another by so many standard errors, and at least so many
// times as large or as small. A little drift is for evaluate, which has labels to tell it by.
const (
	decidedErrors = 5.0
	decidedTimes  = 2.0
)

// decidedOtherwise warns of classes as which new rows are decided far more or less often than those that the model was tuned on: a column may be
// empty, in another unit or coded otherwise. It needs no labels. As has the rows decided as each class; nil where nothing is known to compare with.
func decidedOtherwise(m *rfpragma.Model, as []int) error {
	rows := 0
	for _, n := range as {
		rows += n
	}
	figures := m.Provenance.Figures
	if rows == 0 || len(figures) != len(as) {
		return nil
	}
	var found []string
	for c, f := range figures {
		if f.Share == nil || f.Recall == nil || f.Precision != nil && f.Precision.Value == 0 {
			continue // or some were decided as it, and no one knows how many
		}
		was := 0.0 // the share of the decisions for the class: its hits by their precision
		if f.Precision != nil {
			was = f.Share.Value * f.Recall.Value / f.Precision.Value
		}
		now, n, before := float64(as[c])/float64(rows), float64(rows), f.Share.Rows
		both := (now*n + was*before) / (n + before)
		spread := math.Sqrt(both * (1 - both) * (1/n + 1/before))
		if math.Abs(now-was) > decidedErrors*spread && max(now, was) >= decidedTimes*min(now, was) {
			verb := ""
			if found == nil {
				verb = " are decided"
			}
			found = append(found, fmt.Sprintf("%d%s as %s (%s, %s %s)", as[c], verb, english.Quote(m.Classes()[c]), percent(now), tunedOn(m.Provenance.Votes), percent(was)))
		}
	}
	if found == nil {
		return nil
	}
	return fmt.Errorf("of %d rows %s: are they of the same kind, and is no column empty, in another unit or coded otherwise?", rows, few(found))
}
