package say

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
)

// part are rows of probabilities side by side that are off in the same direction.
type part struct {
	low, high, mean      float64
	below, above         *float64 // the nearest probabilities of other rows; nil for none
	rows, expected, came float64
}

// partsOf reads the parts of a finding.
func partsOf(f *finding.Finding) []part {
	var out []part
	for i := range f.Figures {
		g := &f.Figures[i]
		if g.Name == "probability" && g.Interval != nil {
			out = append(out, part{low: g.Interval[0], high: g.Interval[1], mean: g.Value})
		}
		if len(out) == 0 {
			continue
		}
		p := &out[len(out)-1]
		switch g.Name {
		case "next_below":
			p.below = &g.Value
		case "next_above":
			p.above = &g.Value
		case "rows":
			p.rows = g.Value
		case "expected":
			p.expected = g.Value
		case "came":
			p.came = g.Value
		}
	}
	return out
}

// mostParts is how many parts are told of; all are among the figures.
const mostParts = 3

// miscalibrated says in which parts of the rows the probabilities of a class are off, in which direction, and how
// many of its rows were expected there and came.
func (v Voice) miscalibrated(f *finding.Finding) string {
	text, was, n := "", "", 0
	for _, p := range partsOf(f) {
		how, at := "too low at ", ", "
		if p.expected > p.came {
			how = "too high at "
		}
		switch {
		case text == "":
			at = how
		case how != was:
			at = " and " + how
		}
		was = how
		if n++; n > mostParts {
			continue
		}
		text += fmt.Sprintf("%s%s (%s expected, %s came)", at, p.probabilities(), rounded(p.expected), rounded(p.came))
	}
	return fmt.Sprintf("The probabilities of %q are %s.", f.Classes[0], text)
}

// uninformed says that probabilities are no better than the share of the class.
func (v Voice) uninformed(f *finding.Finding) string {
	var worse []string
	for _, score := range []struct{ name, figure string }{{"Brier score", "brier"}, {"log loss", "log_loss"}} {
		if g, ok := f.Figure(score.figure); ok {
			is, share := fmt.Sprintf("%.4f", g.Value), fmt.Sprintf("%.4f", f.Value(score.figure+"_of_share"))
			for digits := 5; is == share && digits < 9; digits++ {
				is, share = english.Fixed(g.Value, digits), english.Fixed(f.Value(score.figure+"_of_share"), digits)
			}
			worse = append(worse, fmt.Sprintf("%s %s instead of %s", score.name, is, share))
		}
	}
	return fmt.Sprintf("The probabilities of %q are no better than %s for every row: %s.", f.Classes[0],
		english.Rounded(english.Percent(f.Value("share"), 1)), strings.Join(worse, ", "))
}

// reversed says that rows of a class rank below others.
func (v Voice) reversed(f *finding.Finding) string {
	return fmt.Sprintf("Rows of %q have lower probabilities of it than other rows (ROC-AUC %s): are the labels swapped?",
		f.Classes[0],
		english.Fixed(f.Value("area"), 3))
}

// rounded shows a number of rows that is an estimate.
func rounded(n float64) string {
	if n >= 10 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(roundedTo(n, 2), 'f', -1, 64)
}

// probabilities says between which ones the rows are, by the fewest digits that leave out those of the groups beside.
func (p *part) probabilities() string {
	above := func(x float64) bool { return p.below == nil || x > *p.below }
	below := func(x float64) bool { return p.above == nil || x < *p.above }
	if p.low == p.high {
		return alone(p.low, func(text func(float64) string) bool {
			here := text(p.low)
			return (p.below == nil || text(*p.below) != here) && (p.above == nil || text(*p.above) != here)
		}) + " %"
	}
	decimals := func(text string) int {
		_, after, _ := strings.Cut(text, ".")
		return len(after)
	}
	ends := func(decimals int) (low, high string) {
		return endOf(p.low, decimals, math.Floor, above), endOf(p.high, decimals, math.Ceil, below)
	}
	low, high := ends(0)
	low, high = ends(max(decimals(low), decimals(high)))
	return low + "–" + high + " %"
}

// alone shows a probability in percent by the fewest digits, two at least, by which it is apart from others, and at
// most as many as rows are written with.
func alone(x float64, apart func(text func(float64) string) bool) string {
	for digits := 2; ; digits++ {
		text := func(x float64) string { return strconv.FormatFloat(roundedTo(100*x, digits), 'f', -1, 64) }
		if digits == 6 || apart(text) {
			return text(x)
		}
	}
}

// roundedTo keeps so many digits of a number.
func roundedTo(x float64, digits int) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return short
}

// endOf shows the end of a range of probabilities in percent, rounded outwards to the fewest decimals, a number of
// them at least, with which it is apart from others, or is the end itself.
func endOf(x float64, decimals int, outwards func(float64) float64, apart func(float64) bool) string {
	const tiny, most = 1e-9, 9
	for scale := 100 * math.Pow10(decimals); ; decimals, scale = decimals+1, 10*scale {
		end := math.Round(x * scale)
		if math.Abs(float64(x*scale)-end) > tiny {
			end = outwards(x * scale)
		}
		if end /= scale; math.Abs(end-x) < tiny/100 || apart(end) || decimals == most {
			return strconv.FormatFloat(100*end, 'f', decimals, 64)
		}
	}
}
