package dataset

import (
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// fewestToTellOne is how many rows a class and all others must have for a column to be said to tell the one from the
// others: of fewer none may be an exception, and honest features, such as the symptom of a rare disease, have none.
const fewestToTellOne = 100

// mostCuts is how many cuts of a column are looked at, each between as many values.
const mostCuts = 1 << 12

// tellsOneText says that a column of so many values tells one class from all others in [tellsAlone] of the rows on
// either side, as what follows from the class does: a treatment that only the ill are given. "" where it does not,
// or that is not worth the work.
func (f *Frame) tellsOneText(c *Column, codes *Codes, values int) string {
	shift, few := 0, values*fewestToTell <= f.Rows() && (c.Kind == Categorical || values <= fewValues)
	for c.Kind == Numeric && values>>shift > mostCuts {
		shift++
	}
	if f.Truth == nil || values < 2 && codes.Missing() == 0 || c.Kind == Categorical && !few ||
		values>>shift*len(f.Classes) > mostWork>>4 {
		return ""
	}
	class, share := f.tellsOne(codes, values, shift, few, c.Kind == Numeric)
	if share < tellsAlone {
		return ""
	}
	where, others := english.Percent(share, 1)+" of the rows or more on either side", "all other classes"
	if len(f.Classes) == 2 {
		others = nearest.List(f.Classes[1-class : 2-class])
	}
	if share == 1 {
		where = "all rows"
	}
	return columnText(c.Name, "it nearly gives the answer away: it alone tells %s from %s in %s; if it is not yet known "+
		"when a row is to be decided, use %s",
		english.Quote(f.Classes[class]), others, where, csvtext.Flag("ignore", c.Name, "COL"))
}

// tellsOne returns the class that a column tells best from all others, by few levels or by one cut of its numbers,
// and the lower of two shares of rows that are told: of those of the class, and of all others. Codes alike but for
// that many bits are one.
func (f *Frame) tellsOne(codes *Codes, highest, shift int, few, numbers bool) (class int, share float64) {
	classes := len(f.Classes)
	bin := func(code uint32) int { return (int(code) + 1<<shift - 1) >> shift } // the missing cells stay alone, as code 0
	rows := make([]int32, (bin(uint32(highest))+1)*classes)                     // by code, and class
	sums := make([]int, bin(uint32(highest))+1)
	total, all := make([]int, classes), 0
	for i, c := range f.Truth {
		if c >= 0 {
			code := bin(codes.at(i))
			rows[code*classes+c]++
			sums[code]++
			total[c]++
			all++
		}
	}
	for c, n := range total {
		if n < fewestToTellOne || all-n < fewestToTellOne {
			continue
		}
		one := oneClass{rows: rows[c:], step: classes, sums: sums, inside: n, outside: all - n}
		told := 0.0
		if few {
			told = one.byLevel()
		}
		if numbers {
			told = max(told, one.byCut(0), one.byCut(1))
		}
		if told > share {
			class, share = c, told
		}
	}
	return class, share
}

// oneClass are the rows of a class and those of all others, by code.
type oneClass struct {
	rows            []int32 // of the class, each step of them
	step            int
	sums            []int // of all classes
	inside, outside int
}

// byLevel takes each code as one of the class, or of the others, whichever has the larger share of its rows there.
func (o *oneClass) byLevel() float64 {
	class, others := 0, 0
	for code, sum := range o.sums {
		in := int(o.rows[code*o.step])
		if out := sum - in; in*o.outside > out*o.inside {
			class += in
		} else {
			others += out
		}
	}
	return o.lower(class, others)
}

// byCut parts the codes, from the given one on, by the best cut: code 0, the missing cells, is below it or above it.
func (o *oneClass) byCut(from int) float64 {
	best, in, out := 0.0, 0, 0
	for code := from; code < len(o.sums); code++ {
		n := int(o.rows[code*o.step])
		in, out = in+n, out+o.sums[code]-n
		best = max(best, o.lower(in, o.outside-out), o.lower(o.inside-in, out))
	}
	return best
}

// lower is the lower share of so many of the class, and so many of all others.
func (o *oneClass) lower(in, out int) float64 {
	return min(float64(in)/float64(o.inside), float64(out)/float64(o.outside))
}
