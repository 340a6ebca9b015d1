package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
)

const (
	// offErrors is by how many standard errors the rows of a class in a block must be off what their probabilities make expected before it is told.
	offErrors = 3
	// offPart is by what part of that.
	offPart = 0.1
)

// miscalibrated says of which classes the probabilities are off by more than chance, how, and what to do.
func (v *verdict) miscalibrated() []string {
	var lines, blocks []string
	rows, late := false, false // enough of them to fit a map; those of the latest block are off
	for _, name := range shownClasses(v.classes, v.prefs, v.report.Probabilities) {
		if off, _ := v.offBlocks(name); off != nil {
			blocks = append(blocks, v.offBlockWords(name))
			if off[len(off)-1].Block == latest(v.report) { // which shows in what follows, too, and there it looks like the map
				late = true
				continue
			}
		}
		f := assess.Miscalibrated(v.subject(), name)
		if f == nil || len(lines) == mostNamed {
			continue
		}
		rows = rows || f.Remedied(codes.Recalibrate)
		lines = append(lines, v.voice().Short(f))
	}
	if late { // rows of one class are off in those of others, too
		lines = nil
	}
	switch {
	case lines == nil:
	case v.report.Blocks != nil:
		lines[len(lines)-1] += " Do not take them at their word: later rows may be other ones."
	case v.rows == newRows: // there is no model yet
		lines[len(lines)-1] += " Do not take them at their word; another map (--calibrate) may do better."
	case !rows:
		lines[len(lines)-1] += " Do not take them at their word."
	default:
		lines[len(lines)-1] += " A map fitted to recent labelled rows, such as these, may mend that: rfpragma calibrate MODEL ROWS -o NEW. No decision changes, nor how rows rank; judge it on later rows."
	}
	return slices.Concat(blocks[:min(len(blocks), mostNamed)], lines)
}

// uninformed says of which classes the probabilities are no better than one for all rows, the share of the class among them.
func (v *verdict) uninformed() []string {
	var lines []string
	for _, name := range shownClasses(v.classes, v.prefs, v.report.Probabilities) {
		if f := assess.Uninformed(v.subject(), name); f != nil && len(lines) < mostNamed {
			lines = append(lines, v.voice().Short(f))
		}
	}
	return lines
}

// unranged says of the classes that matter most how far the alarms depend on which folds the weights were found in, where that is more than the range of that share would be.
// Where other folds can be drawn, it says how to see what they do.
func (v *verdict) unranged(folds []eval.FoldWeights, redraw bool) []string {
	if len(folds) < 2 || len(v.matter) > mostNamed || v.discord != nil || v.report.Blocks != nil { // of which a table has the alarms
		return nil
	}
	h := v.report.Votes.Compress()
	var lines []string
	for _, c := range v.matter {
		least, most, n := math.Inf(1), 0.0, 0.0
		for _, w := range foldWeights(v.classes, folds) {
			m := h.Confuse(w)
			n = m.Total()
			least, most = min(least, m.Predicted(c)/n), max(most, m.Predicted(c)/n)
		}
		middle := (least + most) / 2
		if most-least > 2*calib.Z95*math.Sqrt(middle*(1-middle)/n) {
			lines = append(lines, fmt.Sprintf("The ranges leave out the luck of folds and trees: by the weights of one fold or another 10,000 such rows raise %s to %s for %q.",
				inTenThousand(least*v.withheld.decided()), english.Plural(inTenThousand(most*v.withheld.decided()), "alarm"), v.classes[c]))
		}
	}
	if lines != nil && redraw {
		lines[len(lines)-1] += " --repeats 5 shows more of it."
	}
	return lines
}
