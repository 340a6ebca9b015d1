package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
)

const (
	// offErrors is by how many standard errors slope or intercept must be off before it is told: of both, of up to mostShown classes, chance
	// makes that once in more than 20 times.
	offErrors = 3
	// offPart is by what part of it a probability, or that of the contrary, must be off in the group that shows it.
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
		judged := v.report.Probabilities[name].Calibrated
		text := v.offWords(name, judged)
		if text == "" || len(lines) == mostNamed {
			continue
		}
		rows = rows || judged.Figures.Rows*min(judged.Figures.Share, 1-judged.Figures.Share) >= eval.FewRows
		lines = append(lines, text)
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
	case !v.remaps || !rows:
		lines[len(lines)-1] += " Do not take them at their word."
	default:
		lines[len(lines)-1] += " A map fitted to recent labelled rows, such as these, may mend that: rfpragma calibrate MODEL ROWS -o NEW. No decision changes, nor how rows rank; judge it on later rows."
	}
	return slices.Concat(blocks[:min(len(blocks), mostNamed)], lines)
}

// offWords says how the probabilities of a class are off, as a whole or in a part of the rows, and in which group that shows; "" where they are not by more than chance, or no group shows it.
func (v *verdict) offWords(name string, judged *eval.Judgement) string {
	how, shown := v.off(&judged.Figures)
	part := how == "" && v.offInPart(judged.Quantiles)
	if part {
		shown = func(*calib.Bin) bool { return true }
	}
	table, at := shows(judged, shown)
	if table == nil {
		return ""
	}
	b := &table[at]
	switch {
	case part:
		how = "too " + above(b.Mean, b.Share) + " in a part of the rows"
	case strings.Contains(how, "sure"):
		how += fmt.Sprintf(", the %s ones too %s", above(b.Mean, judged.Figures.Share), above(b.Mean, b.Share))
	}
	right, hits := ofHundred(b.Share)+" % are", about(b.Share*b.Count)
	switch {
	case b.Share == 0:
		right = "none is"
	case !v.report.Weighed && b.Share*b.Count < english.Few:
		right = fmt.Sprintf("%s (%s %%) %s", hits, ofHundred(b.Share), english.Verb(hits, "is", "are"))
	}
	text := fmt.Sprintf("By more than chance the probabilities of %q are %s: of the %s with %s, %s %[1]q.",
		name, how, weighedText(b.Count, v.report.Weighed), probabilitiesOf(table, at), right)
	if v.report.Blocks == nil { // later rows are other ones, which no map of earlier ones mends
		brier := judged.Figures.Brier
		text += fmt.Sprintf(" At best another map lowers the Brier score of %.4f by %.4f.", brier.Score, brier.MCB)
	}
	return text
}

// above names the end at which a is, beside b.
func above(a, b float64) string {
	if a > b {
		return "high"
	}
	return "low"
}

// probabilitiesOf says which rows a group of a table has, by the fewest digits that leave out those of the groups beside it.
func probabilitiesOf(table []calib.Bin, at int) string {
	b := &table[at]
	if b.Low == b.High {
		return "a probability of " + alone(b.Low, func(text func(float64) string) bool {
			here := text(b.Low)
			return (at == 0 || text(table[at-1].High) != here) && (at == len(table)-1 || text(table[at+1].Low) != here)
		}) + " %"
	}
	ends := func(decimals int) (low, high string) {
		return endOf(b.Low, decimals, math.Floor, func(x float64) bool { return at == 0 || x > table[at-1].High }),
			endOf(b.High, decimals, math.Ceil, func(x float64) bool { return at == len(table)-1 || x < table[at+1].Low })
	}
	low, high := ends(0)
	low, high = ends(max(decimalsOf(low), decimalsOf(high)))
	return fmt.Sprintf("probabilities of %s–%s %% (mean %s %%)", low, high, ofHundred(b.Mean))
}

// alone shows a probability in percent by the fewest digits, two at least, by which it is apart from others, and at most as many as rows are written with.
func alone(x float64, apart func(text func(float64) string) bool) string {
	for digits := 2; ; digits++ {
		text := func(x float64) string { return significant(100*x, digits) }
		if digits == 6 || apart(text) {
			return text(x)
		}
	}
}

// endOf shows the end of a range of probabilities in percent, rounded outwards to the fewest decimals, a number of them at least, with which it is apart from others, or is the end itself.
func endOf(x float64, decimals int, outwards func(float64) float64, apart func(float64) bool) string {
	const tiny, most = 1e-9, 9
	for scale := 100 * math.Pow10(decimals); ; decimals, scale = decimals+1, 10*scale {
		end := math.Round(x * scale)
		if math.Abs(x*scale-end) > tiny {
			end = outwards(x * scale)
		}
		if end /= scale; math.Abs(end-x) < tiny/100 || apart(end) || decimals == most {
			return strconv.FormatFloat(100*end, 'f', decimals, 64)
		}
	}
}

// off says how probabilities are off, by the slope or the intercept of their calibration, whichever is further off; "" where neither is by more than chance.
// shown tells whether some rows are off in that way. All rows of a group count as one, as nobody knows how alike they are.
func (v *verdict) off(r *calib.Report) (how string, shown func(b *calib.Bin) bool) {
	wider := v.wider(r.Rows)
	slope, intercept := (r.Slope.Value-1)/(r.Slope.SE*wider), r.Intercept.Value/(r.Intercept.SE*wider)
	bySlope := math.Abs(slope) > math.Abs(intercept) || math.IsNaN(intercept)
	switch {
	case bySlope && slope < -offErrors:
		return "too sure", func(b *calib.Bin) bool { return (b.Mean > r.Share) == (b.Mean > b.Share) }
	case bySlope && slope > offErrors:
		return "not sure enough", func(b *calib.Bin) bool { return (b.Mean > r.Share) == (b.Mean < b.Share) }
	case !bySlope && intercept < -offErrors:
		return "too high", func(b *calib.Bin) bool { return b.Mean > b.Share }
	case !bySlope && intercept > offErrors:
		return "too low", func(b *calib.Bin) bool { return b.Mean < b.Share }
	}
	return "", nil
}

// wider is by how much the errors of so many rows are larger as all of a group count as one.
func (v *verdict) wider(rows float64) float64 {
	if n := v.report.EffectiveGroups; n > 0 {
		return math.Sqrt(max(1, rows/n))
	}
	return 1
}

// offInPart tells whether groups of about as many rows are off by more than chance, all taken together, which may be where neither slope nor intercept is: by the sum of their squared errors (Hosmer and
// Lemeshow, Communications in Statistics A9 (1980) 1043-1069), of as many degrees of freedom as there are groups. An error is by the share of the class that is expected or that is found, whichever makes it
// smaller: a few rows are no proof where fewer are expected. It is as rare by chance as offErrors.
func (v *verdict) offInPart(groups []calib.Bin) bool {
	rows, sum, n := 0.0, 0.0, 0.0
	for _, b := range groups {
		if variance := max(b.Mean*(1-b.Mean), b.Share*(1-b.Share)); variance > 0 {
			rows, n = rows+b.Rows, n+1
			sum += (b.Mean - b.Share) * (b.Mean - b.Share) / variance * b.Rows
		}
	}
	wider := v.wider(rows)
	return n > 1 && mathext.GammaIncRegComp(n/2, sum/(wider*wider)/2) < math.Erfc(offErrors/math.Sqrt2)
}

// shows returns the group of rows that is off by most standard errors, of those that are so by more than chance, and not of a handful of rows, by its place in its table; nil where none is, or nothing shows it.
func shows(j *eval.Judgement, shown func(b *calib.Bin) bool) (table []calib.Bin, at int) {
	if shown == nil {
		return nil, 0
	}
	gap := func(b *calib.Bin) float64 { return math.Abs(b.Mean - b.Share) }
	errors := func(b *calib.Bin) float64 { return gap(b) / math.Sqrt(b.Mean*(1-b.Mean)/b.Rows) }
	for _, bins := range [][]calib.Bin{j.Bins, j.Quantiles} {
		for i := range bins {
			b := &bins[i]
			chance := b.ShareLow <= b.Mean && b.Mean <= b.ShareHigh
			if b.Rows < english.Few || chance || !shown(b) || gap(b) < offPart*min(b.Mean, 1-b.Mean) {
				continue
			}
			if table == nil || errors(b) > errors(&table[at]) {
				table, at = bins, i
			}
		}
	}
	return table, at
}

// uninformed says of which classes the probabilities are no better than one for all rows, the share of the class among them.
func (v *verdict) uninformed() []string {
	var lines []string
	for _, name := range shownClasses(v.classes, v.prefs, v.report.Probabilities) {
		r := &v.report.Probabilities[name].Calibrated.Figures
		if len(lines) == mostNamed || r.Share == 0 || r.Share == 1 {
			continue
		}
		var worse []string
		for _, score := range []struct {
			name string
			of   calib.CORP
		}{{"Brier score", r.Brier}, {"log loss", r.LogLoss}} {
			if score.of.Score >= score.of.UNC {
				worse = append(worse, fmt.Sprintf("%s %.4f beside %.4f", score.name, score.of.Score, score.of.UNC))
			}
		}
		if worse != nil {
			which := "The"
			if latest(v.report) != nil {
				which = "In the latest block the"
			}
			lines = append(lines, fmt.Sprintf("%s probabilities of %q are no better than giving every row %s: %s.", which, name, rounded(percent(r.Share)), strings.Join(worse, ", ")))
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
				about(1e4*least), english.Plural(about(1e4*most), "alarm"), v.classes[c]))
		}
	}
	if lines != nil && redraw {
		lines[len(lines)-1] += " --repeats 5 shows more of it."
	}
	return lines
}
