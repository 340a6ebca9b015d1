package eval

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// Forecast is what to expect of a figure of later rows.
type Forecast struct {
	Value    float64    `json:"value"`    // mean of the judged blocks, of which later ones count more
	Interval [2]float64 `json:"interval"` // 95 % interval for a block like them, by how much they differ
	// Whether the interval is too wide to plan with: for a share, if it reaches from the share in rows drawn at
	// random, or below, to twice that; for a cost, if it reaches from what the cheapest way without a model costs,
	// or above, to half of that.
	TooWide bool `json:"too_wide,omitempty"`
}

// Later is what to expect of a class in a block of rows that follows those of a cross-validation in the order
// of time, as far as two blocks or more tell.
type Later struct {
	Recall    *Forecast `json:"recall,omitempty"`    // share of its rows that will be found
	Precision *Forecast `json:"precision,omitempty"` // share of the alarms for it that will be right
	Alerts    *Forecast `json:"alerts,omitempty"`    // share of all rows that will be decided as it
}

// Judged returns all blocks but the first, which is not judged; none if rows have no time.
func (r *Report) Judged() []Block { return r.Blocks[min(1, len(r.Blocks)):] }

// Weight returns the weight of the judged rows of a block.
func (b *Block) Weight() float64 { return Weight(b.Classes) }

// Weight returns the weight of all rows that a rule decides, given what becomes of each class.
func Weight(classes map[string]Class) float64 {
	var rows portable.Sum
	for _, class := range classes {
		rows.Add(class.Support)
	}
	return rows.Value()
}

// Later returns what to expect of a class in a block after those of a report. Decided is the share of the rows of a
// block that are decided; nil if all are.
func (r *Report) Later(class string, decided func(*Block) float64) Later {
	judged := r.Judged()
	return Later{forecastShare(judged, recallIn(class)), forecastShare(judged, precisionIn(class)), forecastShare(judged,
		alertsIn(class, decided))}
}

// blockFigure is a figure of a block of time, and the variance that the chance of its rows gives it.
type blockFigure struct{ value, variance float64 }

// scatter is what is known of how far blocks are apart before any is seen: the variance of a figure between them,
// and how many blocks more would tell as much.
type scatter struct{ variance, blocks float64 }

// halfLife is after how many blocks one tells half as much of the next.
const halfLife = 3

// nextBlock tells where a figure of the block after these is to be expected, and how far off it is in 5 of 100
// cases: the mean, to which later blocks add more, and Student's t of as much as blocks differ, no less than chance
// makes them, with the chance of a block like these. Of one block without anything known it is infinitely far.
func nextBlock(blocks []blockFigure, known scatter) (value, off float64) {
	var rows, all, recent, now, chance float64
	for i, b := range blocks {
		w := portable.Exp(float64(float64(i+1-len(blocks))/halfLife*math.Ln2)) / b.variance
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

// sharesApart is how far shares of blocks are apart on the scale of their arcsine, that of the middle of the sets
// that this was tried on: 5 of 100 about a half.
var sharesApart = scatter{variance: 0.1 * 0.1, blocks: 2}

// shareIn returns a share of a block with its interval at 95 %, nil where there is none, and what it would be of
// rows drawn at random, 0 where that is no yardstick.
type shareIn func(*Block) (share *float64, interval *[2]float64, random float64)

// forecastShare returns what to expect of a share of the tuned rule in a block after those that were judged; nil
// where not two of these have it.
func forecastShare(judged []Block, of shareIn) *Forecast {
	var blocks []blockFigure
	random := 0.0
	for i := range judged {
		share, interval, drawn := of(&judged[i])
		if o := rowsBehind(share, interval); o > 0 { // by Anscombe the variance is the same whatever the share
			random += drawn
			blocks = append(blocks, blockFigure{portable.Asin(math.Sqrt((float64(*share*o) + 0.375) / (o + 0.75))),
				1 / (float64(4*o) + 2)})
		}
	}
	if len(blocks) < 2 {
		return nil
	}
	share := func(arcsine float64) float64 {
		s := portable.Sin(min(max(arcsine, 0), math.Pi/2))
		return s * s
	}
	value, off := nextBlock(blocks, sharesApart)
	random /= float64(len(blocks))
	low, high := share(value-off), share(value+off)
	return &Forecast{Value: share(value), Interval: [2]float64{low, high}, TooWide: random > 0 && low <= random &&
		high >= 2*random}
}

// rowsBehind is of how many rows a share with such an interval at 95 % is, by Wilson's equation of the end that is
// further off; 0 where there are none.
func rowsBehind(share *float64, interval *[2]float64) float64 {
	if share == nil || interval == nil || !(*share >= 0 && *share <= 1) {
		return 0
	}
	end := interval[0]
	if interval[1]-*share > *share-end {
		end = interval[1]
	}
	rows := calib.Z95 * calib.Z95 * end * (1 - end) / ((end - *share) * (end - *share))
	if !(rows > 0) || math.IsInf(rows, 1) {
		return 0
	}
	return rows
}

// recallIn returns what is found of a class.
func recallIn(class string) shareIn {
	return func(b *Block) (*float64, *[2]float64, float64) {
		c := b.Classes[class]
		return c.Recall, c.RecallInterval, c.Predicted / max(1, b.Weight())
	}
}

// precisionIn returns what is right of the alarms for a class.
func precisionIn(class string) shareIn {
	return func(b *Block) (*float64, *[2]float64, float64) {
		c := b.Classes[class]
		return c.Precision, c.PrecisionInterval, c.Support / max(1, b.Weight())
	}
}

// LaterList returns what to expect of recall and precision of the list of that number, see [Config].Top, in a block
// after those that were judged; nil where not two of these have it.
func LaterList(judged []Block, number int) (recall, precision *Forecast) {
	at := func(b *Block) (l TopListFigures) {
		if number >= 0 && number < len(b.Top) {
			l = b.Top[number]
		}
		return l
	}
	recall = forecastShare(judged, func(b *Block) (*float64, *[2]float64, float64) {
		return at(b).Recall, at(b).RecallInterval, at(b).Share
	})
	return recall, forecastShare(judged, func(b *Block) (*float64, *[2]float64, float64) {
		return at(b).Precision, at(b).PrecisionInterval, b.Classes[at(b).Class].Support / max(1, b.Weight())
	})
}

// alertsIn returns the share of all rows that is decided as a class. Decided is as in [Report.Later].
func alertsIn(class string, decided func(*Block) float64) shareIn {
	return func(b *Block) (*float64, *[2]float64, float64) {
		rows := b.Weight()
		if decided != nil {
			rows /= decided(b)
		}
		if rows == 0 {
			return nil, nil, 0
		}
		share := b.Classes[class].Predicted / rows
		low, high := calib.Wilson(b.Classes[class].Predicted, rows, calib.Z95)
		return &share, &[2]float64{low, high}, 0
	}
}

// costsApart is by what part of it the cost of a row is apart in other blocks, before any is seen.
const costsApart = 0.3

// ForecastCost returns what to expect of the cost of a row in a block after those that were judged; nil without
// costs, and where not two blocks tell. It goes by the square root, whose variance by the chance of the rows is the
// same whatever they cost: a quarter of φ/n, for n rows, where the variance of what a row costs is φ times its
// mean, as Anscombe has it of counts.
func ForecastCost(judged []Block) *Forecast {
	n, cost, squares := 0.0, 0.0, 0.0
	for i := range judged {
		if b := &judged[i]; b.Each != nil {
			of := b.Weight()
			n, cost, squares = n+of, cost+float64(b.Each.Value*of), squares+float64(b.Each.SE*b.Each.SE*of*of)
		}
	}
	if !(cost > 0) || !(squares > 0) {
		return nil
	}
	var blocks []blockFigure
	for i := range judged {
		if b := &judged[i]; b.Each != nil {
			each := squares / cost / b.Weight()
			blocks = append(blocks, blockFigure{math.Sqrt(b.Each.Value + float64(0.375*each)), each / 4})
		}
	}
	if len(blocks) < 2 {
		return nil
	}
	value, off := nextBlock(blocks, scatter{variance: costsApart * costsApart / 4 * cost / n, blocks: sharesApart.blocks})
	squared := func(root float64) float64 { return max(root, 0) * max(root, 0) }
	low, high, alike := squared(value-off), squared(value+off), alikeCost(judged)
	return &Forecast{Value: squared(value), Interval: [2]float64{low, high}, TooWide: alike > 0 && low <= alike/2 &&
		high >= alike}
}

// alikeCost is the cost of a row where all of the blocks are decided as the class that is the cheapest for that; 0
// where that is not known.
func alikeCost(judged []Block) float64 {
	rows, always := 0.0, map[string]float64{}
	for i := range judged {
		rows += judged[i].Weight()
		for class, cost := range judged[i].Always {
			always[class] += cost
		}
	}
	if len(always) == 0 || rows == 0 {
		return 0
	}
	return slices.Min(slices.Collect(maps.Values(always))) / rows
}
