package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/report"
)

// inBlock is a figure of a block of time, and the variance that the chance of its rows gives it.
type inBlock struct{ value, variance float64 }

// scatter is what is known of how far blocks are apart before any is seen: the variance of a figure between them, and how many blocks more would tell as much.
type scatter struct{ variance, blocks float64 }

// halfLife is after how many blocks one tells half as much of the next.
const halfLife = 3

// nextBlock tells where a figure of the block after these is to be expected, and how far off it is in 5 of 100 cases: the mean, to which later blocks add more, and Student's t of as much as blocks differ, no
// less than chance makes them, with the chance of a block like these. Of one block without anything known it is infinitely far.
func nextBlock(blocks []inBlock, known scatter) (value, off float64) {
	var rows, all, recent, now, chance float64
	for i, b := range blocks {
		w := math.Exp2(float64(i+1-len(blocks))/halfLife) / b.variance
		rows += 1 / b.variance
		all += b.value / b.variance
		recent += w
		now += float64(w * b.value)
		chance += float64(w * w * b.variance)
	}
	typical := float64(len(blocks)) / rows
	squares := known.blocks * (1 + known.variance/typical)
	for _, b := range blocks {
		d := b.value - all/rows
		squares += d * d / b.variance
	}
	freedom, wider := known.blocks+float64(len(blocks)-1), 1.0
	if freedom > 0 {
		wider = max(1, squares/freedom)
	}
	return now / recent, student95(freedom) * math.Sqrt(wider*(typical+chance/(recent*recent)))
}

// student95 is Student's quantile that 2.5 of 100 are above.
func student95(freedom float64) float64 {
	if freedom == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(freedom * (1/mathext.InvRegIncBeta(freedom/2, 0.5, 0.05) - 1))
}

// sharesApart is how far shares of blocks are apart on the scale of their arcsine, that of the middle of the sets that this was tried on: 5 of 100 about a half.
var sharesApart = scatter{variance: 0.1 * 0.1, blocks: 2}

// shareOf is a share of a block with its interval at 95 %, nil where there is none, and what it would be of rows drawn at random, 0 where that is no yardstick.
type shareOf func(*eval.Block) (share *float64, interval *[2]float64, random float64)

// laterShare is what to expect of a share of the tuned rule in a block after those that were judged; nil where not two of these have it.
func laterShare(judged []eval.Block, of shareOf) *report.Expected {
	var blocks []inBlock
	random := 0.0
	for i := range judged {
		share, interval, drawn := of(&judged[i])
		if o := shareObserved(share, interval); o != nil { // by Anscombe the variance is the same whatever the share
			random += drawn
			blocks = append(blocks, inBlock{math.Asin(math.Sqrt((o.Value*o.Rows + 0.375) / (o.Rows + 0.75))), 1 / (4*o.Rows + 2)})
		}
	}
	if len(blocks) < 2 {
		return nil
	}
	share := func(arcsine float64) float64 {
		s := math.Sin(min(max(arcsine, 0), math.Pi/2))
		return s * s
	}
	value, off := nextBlock(blocks, sharesApart)
	random /= float64(len(blocks))
	low, high := share(value-off), share(value+off)
	return &report.Expected{Value: share(value), Interval: [2]float64{low, high}, TooWide: random > 0 && low <= random && high >= 2*random}
}

// wideWords is a sentence on the ranges of recall and precision of a class on later rows that are too wide to plan with; "" where none is.
func wideWords(recall, precision *report.Expected, judged []eval.Block, class string) string {
	wide := func(later *report.Expected) bool { return later != nil && later.TooWide }
	ranges := ""
	switch {
	case wide(recall) && wide(precision):
		ranges = "ranges of recall and precision on later rows are"
	case wide(recall):
		ranges = "range of recall on later rows is"
	case wide(precision):
		ranges = "range of precision on later rows is"
	default:
		return ""
	}
	return fmt.Sprintf(" The %s too wide to plan with%s.", ranges, wideWhy(judged, class))
}

// wideWhy goes on with what that means, and with how few rows of the class it comes from.
func wideWhy(judged []eval.Block, class string) string {
	rows := make([]float64, len(judged))
	for i := range judged {
		rows[i] = judged[i].Classes[class].Support
	}
	few, most := rowsText(slices.Min(rows)), rowsText(slices.Max(rows))
	if few != most {
		most = few + " to " + most
	}
	return fmt.Sprintf(", from no better than rows drawn at random to twice that or more: %d blocks were judged, with %s rows of %q each", len(judged), most, class)
}

// whyOnce leaves that to the first line of them that says it of a class.
func whyOnce(judged []eval.Block, classes []string, parts ...[]string) {
	if len(judged) == 0 {
		return
	}
	for _, class := range classes {
		why, said := wideWhy(judged, class), false
		for _, lines := range parts {
			for i, line := range lines {
				if said {
					lines[i] = strings.ReplaceAll(line, why, "")
				}
				said = said || strings.Contains(line, why)
			}
		}
	}
}

// recallIn is what is found of a class.
func recallIn(class string) shareOf {
	return func(b *eval.Block) (*float64, *[2]float64, float64) {
		c := b.Classes[class]
		return c.Recall, c.RecallInterval, c.Predicted / max(1, rowsIn(b))
	}
}

// precisionIn is what is right of the alarms for a class.
func precisionIn(class string) shareOf {
	return func(b *eval.Block) (*float64, *[2]float64, float64) {
		c := b.Classes[class]
		return c.Precision, c.PrecisionInterval, c.Support / max(1, rowsIn(b))
	}
}

// listIn are recall and precision of the list of that number.
func listIn(number int) (recall, precision shareOf) {
	at := func(b *eval.Block) (l eval.Listed) {
		if number < len(b.Top) {
			l = b.Top[number]
		}
		return l
	}
	recall = func(b *eval.Block) (*float64, *[2]float64, float64) {
		return at(b).Recall, at(b).RecallInterval, at(b).Share
	}
	return recall, func(b *eval.Block) (*float64, *[2]float64, float64) {
		return at(b).Precision, at(b).PrecisionInterval, b.Classes[at(b).Class].Support / max(1, rowsIn(b))
	}
}

// shareIn is how many of the rows of all blocks are of the class.
func shareIn(judged []eval.Block, class string) float64 {
	of, all := 0.0, 0.0
	for i := range judged {
		of, all = of+judged[i].Classes[class].Support, all+rowsIn(&judged[i])
	}
	return of / all
}

// alertsIn is the share of all rows that is decided as the class.
func alertsIn(class string, withheld *withheldInfo) shareOf {
	return func(b *eval.Block) (*float64, *[2]float64, float64) {
		rows := rowsIn(b) / withheld.decidedIn(b)
		if rows == 0 {
			return nil, nil, 0
		}
		share := b.Classes[class].Predicted / rows
		low, high := calib.Wilson(b.Classes[class].Predicted, rows, calib.Z95)
		return &share, &[2]float64{low, high}, 0
	}
}

// rowsIn is what the judged rows of a block weigh.
func rowsIn(b *eval.Block) float64 { return judgedWeight(&eval.Rule{Classes: b.Classes}) }

// laterFigures are what to expect of a class on later rows.
func laterFigures(judged []eval.Block, class string, withheld *withheldInfo) report.Later {
	return report.Later{Recall: laterShare(judged, recallIn(class)), Precision: laterShare(judged, precisionIn(class)), Alerts: laterShare(judged, alertsIn(class, withheld))}
}

// judgedIn are all but the first; none where rows have no time.
func judgedIn(r *eval.Report) []eval.Block { return r.Blocks[min(1, len(r.Blocks)):] }

// laterShares are those of all classes; nil where not two blocks are judged.
func laterShares(r *eval.Report, withheld *withheldInfo) map[string]report.Later {
	if r.Together == nil {
		return nil
	}
	out := map[string]report.Later{}
	for name := range r.Rules.Tuned.Classes {
		out[name] = laterFigures(judgedIn(r), name, withheld)
	}
	return out
}

// shareObserved is a share of as many rows as its interval at 95 % is of, by Wilson's equation of the end that is further off; nil where there are none.
func shareObserved(share *float64, interval *[2]float64) *rfpragma.Observed {
	if share == nil || interval == nil || !(*share >= 0 && *share <= 1) {
		return nil
	}
	end := interval[0]
	if interval[1]-*share > *share-end {
		end = interval[1]
	}
	rows := calib.Z95 * calib.Z95 * end * (1 - end) / ((end - *share) * (end - *share))
	if !(rows > 0) || math.IsInf(rows, 1) {
		return nil
	}
	return &rfpragma.Observed{Value: *share, Rows: rows}
}
