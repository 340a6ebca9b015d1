package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// ColumnDrift is a warning that a column is not as it was in the training of the model, see [ErrDrift].
type ColumnDrift struct {
	Column string `json:"column"` // name of the column
	// Population stability index of the values, if they shifted by more than chance explains, even without those
	// beyond the range of training; then it is 0.25 or more, else 0.
	PSI float64 `json:"psi,omitempty"`
	// factor by which low and high values alike then differ, as in another unit; else 0
	Factor float64 `json:"factor,omitempty"`
	// share of the values beyond all those of training, if they are more than chance explains; else 0
	Beyond float64 `json:"beyond,omitempty"`
	// number of cells that are missing or of unseen categories, if they are far more than in training; else 0
	Missing int    `json:"missing,omitempty"`
	Text    string `json:"text"` // all of this in words
}

func (d *ColumnDrift) Error() string { return d.Text }

// cells are those of a column of new rows.
type cells struct {
	sampled []float64 // those that are known, of a sample of the rows
	beyond  beyond    // of all values
	known   int       // cells
	unseen  int       // cells of a category unseen in training
	rows    int
}

// drift compares the cells of a column with those of training, as one of so many columns that are compared; nil
// where they are alike but for chance.
func (f *Field) drift(c *cells, columns int) *ColumnDrift {
	d := &ColumnDrift{Column: f.Name}
	if f.Baseline == nil {
		return nil
	}
	var found []string
	note := func(text string) {
		if text != "" {
			found = append(found, text)
		}
	}
	beyond, ask := "", ""
	beyond, d.Beyond = c.beyond.text(f.Baseline, columns)
	shift := f.shift(c, columns, d)
	// rows of some months are new rows as they come
	if f.ofCalendar() && d.Beyond == 0 && (f.Kind == Categorical || c.beyond.high <= f.Baseline.Range[1]) {
		shift, d.PSI, d.Factor = "", 0, 0
	}
	switch {
	case d.Factor > 0:
		note(shift)
		ask = "another unit? then convert it"
	case shift != "" && f.Kind == Numeric && alike(c.sampled) && f.Baseline.grew(c.sampled[0]):
		texts := english.Values(c.sampled[0], f.Baseline.Range[1])
		note(fmt.Sprintf("%s %s, in training they went up to %s", c.beyond.alike(), texts[0], texts[1]))
		ask = fmt.Sprintf("has it gone on growing with time? then train without it (%s)", csvtext.Flag("ignore", f.Name,
			"COL"))
		if !year(c.sampled[0]) {
			ask += "; or is it a code for a missing value?"
		}
	case shift != "" && f.Kind == Numeric && alike(c.sampled):
		note(shift)
		ask = "is it no longer measured, or a code for a missing value?"
	case d.Beyond > 0:
		if d.PSI = f.within(c, columns); d.PSI > 0 && d.Beyond < 0.5 { // else those beyond are the shift
			note(shift)
		}
		note(beyond)
		ask = "another unit or time, or a code for a missing value?"
	case f.Kind == Categorical && shift != "":
		note(shift)
		ask = "is it written otherwise, or are these other cases?"
	case shift != "":
		note(shift)
		ask = "another unit, another way to measure, or other cases?"
	}
	if empty := f.emptied(c, d); empty != "" {
		note(empty)
		ask = cmp.Or(ask, "has it come empty, or is it written otherwise?")
	}
	if found == nil {
		return nil
	}
	d.Text = fmt.Sprintf("column %s: %s; %s", english.Quote(f.Name), strings.Join(found, ", and "), ask)
	return d
}

// ofCalendar tells whether the column looks like a part of a date, by its values in training.
func (f *Field) ofCalendar() bool {
	p := Profile{Name: f.Name, Kind: f.Kind, Distinct: len(f.Levels)}
	for _, level := range f.Levels {
		p.Top = append(p.Top, Level{Text: level})
	}
	if ends := f.Baseline.Range; f.Kind == Numeric && ends != nil {
		p.Min, p.Max, p.Distinct = ends[0], ends[1], int(min(ends[1]-ends[0]+1, maxLevels))
	}
	return p.ofCalendar()
}

// When missing cells are warned of: where they are as many as values beyond those of training at least, and their
// share is larger by so much and by so many standard errors.
const (
	emptiedBy     = 0.1
	emptiedErrors = 5.0
)

// emptied says that far more cells are missing than in training; "" where they are not, or the model has learnt
// nothing from the column.
func (f *Field) emptied(c *cells, d *ColumnDrift) string {
	missing, was := c.rows-c.known, f.Baseline
	if missing < fewestBeyond || f.constant() {
		return ""
	}
	n, m := float64(c.rows), float64(was.Rows)
	now, before, both := float64(missing)/n, float64(was.Missing)/m, float64(missing+was.Missing)/(n+m)
	if now-before < emptiedBy || now-before <= emptiedErrors*math.Sqrt(both*(1-both)*(1/n+1/m)) {
		return ""
	}
	or := ""
	if c.unseen > 0 {
		or = " or of unseen categories"
	}
	d.Missing = missing
	return fmt.Sprintf("%d of %d cells are missing%s (%s, in training %s)", missing, c.rows, or, english.Percent(now, 1),
		english.Percent(before, 1))
}

// constant tells whether a column had one value in every row of the training.
func (f *Field) constant() bool {
	was := f.Baseline
	if f.Kind == Categorical {
		return slices.Contains(was.Counts, was.Rows)
	}
	return was.Missing == 0 && was.Range[0] == was.Range[1]
}

// When values beyond those of training are warned of: where they are so many, and so large a part, and chance makes
// as many of them in so few tables at most.
const (
	fewestBeyond = 5
	beyondShare  = 0.05
	driftChance  = 0.01
)

// beyond counts the values of a column that are none between those of training, and has the smallest and the largest
// of all.
type beyond struct {
	values, below, above int
	low, high            float64
}

// note counts a value of a column of that baseline; without one it counts nothing.
func (b *beyond) note(p *Baseline, v float64) {
	if p == nil || p.Range == nil || v != v {
		return
	}
	b.merge(beyond{values: 1, low: v, high: v})
	if v < p.Range[0] {
		b.below++
	} else if v > p.Range[1] {
		b.above++
	}
}

func (b *beyond) merge(other beyond) {
	switch {
	case other.values == 0:
	case b.values == 0:
		b.low, b.high = other.low, other.high
	default:
		b.low, b.high = min(b.low, other.low), max(b.high, other.high)
	}
	b.values += other.values
	b.below += other.below
	b.above += other.above
}

// alike says of how many values a sample has one alone.
func (b *beyond) alike() string {
	if b.low < b.high {
		return "nearly all values are"
	}
	return "all values are"
}

// text says that more values lie beyond those of training than chance makes, and what share of all; "" where they do
// not.
func (b *beyond) text(p *Baseline, columns int) (text string, share float64) {
	if b.values == 0 || p.Range == nil {
		return "", 0
	}
	var found []string
	for _, of := range []struct {
		n    int
		side string
		end  float64
	}{{b.below, "below", p.Range[0]}, {b.above, "above", p.Range[1]}} {
		level := driftChance / float64(2*columns)
		if of.n >= fewestBeyond && float64(of.n) > beyondShare*float64(b.values) && p.chance(of.n, b.values) < level {
			found = append(found, fmt.Sprintf("%d of %d values are %s every value of training (%s)", of.n, b.values, of.side,
				csvtext.AppendNumber(nil, of.end)))
			share += float64(of.n) / float64(b.values)
		}
	}
	return strings.Join(found, ", and "), share
}

// chance returns how probable it is that so many of the new values are beyond those of p on one side, if new ones
// and those are alike: that the largest of all of them are all new. Where values are equal it is less.
func (p *Baseline) chance(beyond, values int) float64 {
	chance := 1.0
	for i := range beyond {
		chance *= float64(values-i) / (float64(p.Rows-p.Missing) + float64(values-i))
	}
	return chance
}

// shifted is the population stability index from which on values are said to have shifted, as is usual with scores
// of credit.
const shifted = 0.25

// shift says how values, which it may sort, differ from those of training, by more than chance makes; "" where they
// do not.
func (f *Field) shift(c *cells, columns int, d *ColumnDrift) string {
	p, values := f.Baseline, c.sampled
	if len(values) == 0 || sum(p.Counts) == 0 {
		return ""
	}
	now := make([]int, len(p.Counts))
	for _, v := range values {
		now[p.bin(v)]++
	}
	psi, chance := stability(f.Kind, p.Counts, now)
	if psi < shifted || chance >= driftChance/float64(columns) {
		return ""
	}
	d.PSI = psi
	most, n, m := 0, float64(len(values)), float64(sum(p.Counts))
	share := func(b int) (is, was float64) { return float64(now[b]) / n, float64(p.Counts[b]) / m }
	for b := range now {
		is, was := share(b)
		if at, then := share(most); math.Abs(is-was) > math.Abs(at-then) {
			most = b
		}
	}
	is, was := share(most)
	if f.Kind == Categorical {
		return fmt.Sprintf("%s of the values are %s, in training %s", english.Percent(is, 1), english.Quote(f.Levels[most]),
			english.Percent(was, 1))
	}
	slices.Sort(values)
	if !alike(values) {
		d.Factor = p.factor(values)
	}
	then, half := p.Median(), values[(len(values)-1)/2]
	least, _ := slices.BinarySearch(values, math.Nextafter(then, math.Inf(1)))
	texts := english.Values(half, then)
	switch before := float64(least) / n; {
	case alike(values):
		return fmt.Sprintf("%s %s, in training half were up to %s", c.beyond.alike(), texts[0], texts[1])
	case d.Factor > 0:
		return fmt.Sprintf("half of the values are up to %s, in training up to %s, and low and high ones alike are about "+
			"%s what they were", texts[0], texts[1], times(d.Factor))
	case len(p.Cuts) >= fewestRatios && half != then && math.Abs(before-0.5) >= 0.2:
		return fmt.Sprintf("half of the values are up to %s, in training up to %s", texts[0], texts[1])
	}
	return fmt.Sprintf("%s of the values are %s, in training %s", english.Percent(is, 1), p.binText(most),
		english.Percent(was, 1))
}

// within returns by what index the values shifted that are between those of training; 0 where not by more than chance.
func (f *Field) within(c *cells, columns int) float64 {
	var inner cells
	for _, v := range c.sampled {
		if v >= f.Baseline.Range[0] && v <= f.Baseline.Range[1] {
			inner.sampled = append(inner.sampled, v)
		}
	}
	var d ColumnDrift
	f.shift(&inner, columns, &d)
	return d.PSI
}

// fewestExpected is how many new values a bin holds at least that is compared, if new ones and those of training are
// alike.
const fewestExpected = 5

// stability returns the population stability index of two counts by bin, and how probable so large a difference is
// by chance (chi-squared). Bins of few values, of categories the rarest, are one with the next.
func stability(kind Kind, was, now []int) (psi, chance float64) {
	order := make([]int, len(was))
	for b := range order {
		order[b] = b
	}
	if kind == Categorical {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(was[b], was[a]) })
	}
	m, n := float64(sum(was)), float64(sum(now))
	least := max(fewestExpected, n/20) / n * (n + m)
	var bins [][2]float64
	var bin [2]float64
	for _, b := range order {
		bin[0] += float64(was[b])
		bin[1] += float64(now[b])
		if bin[0]+bin[1] >= least {
			bins, bin = append(bins, bin), [2]float64{}
		}
	}
	if len(bins) > 0 {
		bins[len(bins)-1][0] += bin[0]
		bins[len(bins)-1][1] += bin[1]
	}
	if len(bins) < 2 {
		return 0, 1
	}
	chi, all := 0.0, float64(float64(len(bins))/2)
	for _, of := range bins {
		before, after := (of[0]+0.5)/(m+all), (of[1]+0.5)/(n+all) // half a row more in each bin: none is empty
		psi += float64((after - before) * portable.Log(after/before))
		off := of[1]/n - of[0]/m
		chi += float64(off*off) * float64(n*m) / (of[0] + of[1])
	}
	return psi, mathext.GammaIncRegComp(float64(len(bins)-1)/2, chi/2)
}

// When values are said to be others by a factor: where it is so large, or one over it, and all but a quarter of the
// cuts, of which there are so many, are off it by a fifth at most.
const (
	fewestRatios = 3
	leastFactor  = 1.5
	alikeRatios  = 1.2
)

// factor returns by what values, sorted, differ from those of training, low and high ones alike: by a power of ten
// where that is no further off than the ratios are from each other. It is 0 where there is no such number.
func (p *Baseline) factor(values []float64) float64 {
	var ratios []float64
	upto, m := 0, sum(p.Counts)
	for b, cut := range p.Cuts {
		upto += p.Counts[b]
		at := (upto*len(values) + m - 1) / m
		if cut != 0 {
			ratios = append(ratios, values[max(at, 1)-1]/cut)
		}
	}
	if len(ratios) < fewestRatios {
		return 0
	}
	slices.Sort(ratios)
	median, f, square, n := ratios[len(ratios)/2], 0.0, 0.0, 0.0
	for _, ratio := range ratios {
		if ratio <= median*alikeRatios && ratio*alikeRatios >= median {
			n++
			f += ratio / median
			square += float64(ratio / median * (ratio / median))
		}
	}
	f /= n
	off := math.Sqrt(max(0, square/n-float64(f*f))) * median
	f = float64(f * median)
	if !(f > 0) || 4*n < float64(3*len(ratios)) || max(f, 1/f) < leastFactor || math.IsInf(f, 0) {
		return 0
	}
	for power := 10.0; power <= 1e12; power *= 10 {
		for _, round := range []float64{power, 1 / power} {
			if math.Abs(f-round) <= off {
				return round
			}
		}
	}
	return f
}

// grew tells whether a value is above those of p as the next of a count of time would be: a year after years, or no
// further off than these are from each other.
func (p *Baseline) grew(v float64) bool {
	return v > p.Range[1] && (!p.Far(v) || year(v) && year(p.Range[0]) && year(p.Range[1]))
}

// alike tells whether all values are one.
func alike(values []float64) bool { return slices.Min(values) == slices.Max(values) }

// times shows a factor: 12 times, or 1/39 of.
func times(f float64) string {
	if f < 1 {
		return "1/" + digits(1/f, 2) + " of"
	}
	return digits(f, 2) + " times"
}

// binText says which values are in a bin.
func (p *Baseline) binText(b int) string {
	switch cuts := english.Values(p.Cuts...); b {
	case 0:
		return "up to " + cuts[0]
	case len(cuts):
		return "above " + cuts[b-1]
	default:
		return fmt.Sprintf("above %s, up to %s", cuts[b-1], cuts[b])
	}
}

func digits(v float64, n int) string {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	return string(csvtext.AppendNumber(nil, v))
}
