package view

import (
	"fmt"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
)

// ImportanceTable shows the features, the one that matters most first.
func ImportanceTable(out *rfpragma.Importance) *layout.Grid {
	g := &layout.Grid{Head: []string{"feature", "loss rises by", "votes right fall by", "impurity"}}
	for _, f := range out.Features {
		g.Add(f.Name, english.Fixed(f.Loss, 4)+" ± "+english.Fixed(f.LossError, 4), english.Fixed(100*f.Accuracy, 2)+" ± "+english.Fixed(100*f.AccuracyError,
			2)+
			" %", english.Percent(f.Impurity, 1))
	}
	return g
}

// ImportanceWords says what the figures are.
func ImportanceWords(out *rfpragma.Importance) []string {
	times := fmt.Sprintf("%d times; ± is the standard error of that chance alone: other rows would change more, so "+
		"small figures say little", out.Repeats)
	if out.Repeats == 1 {
		times = "once"
	}
	return []string{fmt.Sprintf("Each feature was permuted %s. Impurity is its part in what the splits gained.", times)}
}
