package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
)

// mostCodes is how many values a column has at most that is said to have few: months are twelve.
const mostCodes = 12

// mostWork bounds what is spent to find out whether a column tells the classes.
const mostWork = 1 << 26

// tells returns the mean recall, over the classes of at least [fewestToTell] rows, of the best
// decision by this column alone: by a class for each level, or by one interval of the numbers for
// each class, and a class for the missing cells. It is 0 where it is not worth the work.
func (k *look) tells(codes *Codes, counts []int, kind Kind) float64 {
	classes := 0
	for _, w := range k.classW {
		if w > 0 {
			classes++
		}
	}
	if classes < 2 {
		return 0
	}
	best := 0.0
	levels := len(counts) - 1
	few := levels*fewestToTell <= codes.length() && levels*len(k.classW) <= mostWork>>4
	if few && (kind == Categorical || levels <= fewValues) {
		best = k.byLevel(codes, len(counts))
	}
	if kind == Numeric && levels*classes <= mostWork {
		best = max(best, k.byInterval(codes, counts))
	}
	return best
}

// byLevel decides each code by itself, the missing cells being code 0.
func (k *look) byLevel(codes *Codes, n int) float64 {
	classes := len(k.classW)
	sums := make([]float64, n*classes)
	for i, c := range k.frame.Truth {
		if c >= 0 {
			sums[int(codes.at(i))*classes+c] += k.classW[c]
		}
	}
	total := 0.0
	for code := range n {
		total += slices.Max(sums[code*classes:][:classes])
	}
	return total
}

// byInterval cuts the numbers into one interval for each class, in the order of the mean ranks
// of the classes: the best cuts are found in one pass over the rows in the order of their
// values, keeping for each class what is right so far if the interval of that class has begun.
func (k *look) byInterval(codes *Codes, counts []int) float64 {
	order := k.inCodeOrder(codes, counts)
	place, n := k.places(codes)
	right := make([]float64, n)
	last := uint32(0)
	for _, i := range order[counts[0]:] {
		if code := codes.at(int(i)); code != last {
			last = code
			for c := 1; c < n; c++ {
				right[c] = max(right[c], right[c-1])
			}
		}
		if c := k.frame.Truth[i]; c >= 0 && place[c] >= 0 {
			right[place[c]] += k.classW[c]
		}
	}
	missing := make([]float64, len(k.classW))
	for _, i := range order[:counts[0]] {
		if c := k.frame.Truth[i]; c >= 0 {
			missing[c] += k.classW[c]
		}
	}
	return slices.Max(right) + slices.Max(missing)
}

// inCodeOrder returns the rows in the order of their codes (counting sort).
func (k *look) inCodeOrder(codes *Codes, counts []int) []int32 {
	k.next = zeroed(k.next, len(counts))
	next := k.next
	for code := 1; code < len(counts); code++ {
		next[code] = next[code-1] + counts[code-1]
	}
	if cap(k.order) < codes.length() {
		k.order = make([]int32, codes.length())
	}
	order := k.order[:codes.length()]
	for i := range codes.length() {
		code := codes.at(i)
		order[next[code]] = int32(i)
		next[code]++
	}
	return order
}

// places returns for each class its place in the order of mean ranks, -1 for one of too few rows
// or without a value, and how many places there are.
func (k *look) places(codes *Codes) (place []int, n int) {
	classes := len(k.classW)
	sum, rows := make([]float64, classes), make([]float64, classes)
	for i, c := range k.frame.Truth {
		if code := codes.at(i); c >= 0 && code > 0 {
			sum[c] += float64(code)
			rows[c]++
		}
	}
	var order []int
	place = make([]int, classes)
	for c := range classes {
		place[c] = -1
		if k.classW[c] > 0 {
			order = append(order, c)
		}
	}
	mean := func(c int) float64 { return sum[c] / max(rows[c], 1) }
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case mean(a) < mean(b):
			return -1
		case mean(a) > mean(b):
			return 1
		}
		return 0
	})
	for at, c := range order {
		place[c] = at
	}
	return place, len(order)
}

// numbers looks for numbers that are something else: codes of categories, placeholders of
// missing cells, and values far beyond all others.
func (k *look) numbers(p *Profile, codes *Codes, counts []int) {
	known := codes.length() - counts[0]
	if !k.called(p, codes) && p.Distinct >= 3 && p.Distinct <= mostCodes && known >= 10*p.Distinct &&
		whole(codes.Distinct) {
		k.found[inspected.Codes] = append(k.found[inspected.Codes], p.Name)
	}
	if found := k.frame.placeholders(p, codes, counts); found != nil {
		for _, h := range found {
			k.note(inspected.Missing, p.Name, h.flag, h.text)
		}
		return
	}
	if p.Distinct < fewestToName {
		return
	}
	for _, end := range []struct {
		words  string
		value  float64
		far    float64 // the value that 99 of 100 cells do not go beyond
		atMost string
	}{
		{"largest", p.Max, quantile(codes, counts, 0.99), "at most"},
		{"smallest", p.Min, quantile(codes, counts, 0.01), "at least"},
	} {
		if usual := math.Abs(end.far - p.Median); usual > 0 && math.Abs(end.value-end.far)/usual > 1000 {
			k.notef(inspected.Outlying, p.Name,
				"the %s value, %v, is far beyond the rest, 99 of 100 of which are %s %v; trees heed only the order of values, "+
					"but check whether it is an error", end.words, end.value, end.atMost, end.far)
			return
		}
	}
	k.apart(p, codes, counts)
}

// mostApart is how many rows at an end of a column may stand apart from all others.
const mostApart = 3

// apart notes values at an end of a column that stand apart from the next one by much more than
// that one does from the middle: an age of 455 where the next is 96. Distances are ratios, as amounts
// of money and the like have long tails: of a Pareto distribution a column in thousands has such a gap.
func (k *look) apart(p *Profile, codes *Codes, counts []int) {
	last := p.Distinct - 1
	for _, end := range []struct {
		words string
		from  int // of the distinct values
		step  int
	}{{"largest", last, -1}, {"smallest", 0, 1}} {
		rows := 0
		for i := end.from; ; i += end.step {
			if rows += counts[i+1]; rows > mostApart {
				break
			}
			value, next := codes.Distinct.At(i), codes.Distinct.At(i+end.step)
			if !farApart(value, next, p.Median) {
				continue
			}
			texts := english.Values(value, next, p.Median)
			which := fmt.Sprintf("the %s value, %s, stands", end.words, texts[0])
			if rows > 1 {
				which = fmt.Sprintf("the %d %s values, from %s on, stand", rows, end.words, texts[0])
			}
			k.notef(inspected.Outlying, p.Name,
				"%s far apart: the next is %s, the middle one %s; trees heed only the order of values, but check whether %s",
				which, texts[1], texts[2], english.Verb(rows, "it is an error", "they are errors"))
			break
		}
	}
}

// farApart reports whether the ratio of a value to the next one is at least 2, and much larger than
// that of the next one to the middle.
func farApart(value, next, middle float64) bool {
	if value*next <= 0 || next*middle <= 0 {
		return false
	}
	gap, usual := value/next, next/middle
	gap, usual = max(gap, 1/gap), max(usual, 1/usual)
	return gap >= 2 && usual > 1 && gap*gap > usual*usual*usual // their logarithms are as 3 to 2, or more
}

// placeholder says that a value may stand for a missing cell, and has the flag that makes it one. It is sure where no
// measurement and no limit of one, such as 0 or 999, is written so.
type placeholder struct {
	text, flag string
	sure       bool
}

// placeholders finds the values at the ends of a numeric column that may stand for a missing cell.
func (f *Frame) placeholders(p *Profile, codes *Codes, counts []int) (found []placeholder) {
	if p.Kind != Numeric || p.Distinct < 3 {
		return nil
	}
	last := p.Distinct - 1
	for _, end := range []struct {
		value, next, far float64
		rows             int
	}{
		{codes.Distinct.At(0), codes.Distinct.At(1), p.Max, counts[1]},
		{p.Max, codes.Distinct.At(last - 1), p.Min, counts[last+1]},
	} {
		if !f.stands(p, end.value, end.next, end.far, end.rows) {
			continue
		}
		number := string(csvtext.AppendNumber(nil, end.value))
		flag := csvtext.Flag("missing", p.Name+"="+number, "COLUMN="+number)
		found = append(found, placeholder{columnText(p.Name,
			"%s, in %s, is far from all other values; if it means that the value is not known, use %s", number,
			english.Plural(end.rows, "row"), flag), flag,
			fills(math.Abs(end.value)) || nines(math.Abs(end.value)) && (end.value < 0 || end.value != math.Trunc(end.value) ||
				end.value > 999_999)})
	}
	return found
}

// stands tells whether a value in so many rows at one end of a column may stand for a missing cell: -1, 0, nines or
// what programs have for it, and apart from the others, which go from next to far.
func (f *Frame) stands(p *Profile, value, next, far float64, rows int) bool {
	width := math.Abs(far - next)
	gap := math.Abs(value - next)
	switch {
	case rows < 2:
		return false
	case nines(math.Abs(value)), fills(math.Abs(value)):
		return gap > width
	case value == 0:
		return next > 0 && gap > 0.2*width && rows >= fewestToTell && p.Distinct > fewValues
	case value == -1:
		return next >= 0 && 100*rows >= f.Rows()
	}
	return false
}

// nines tells whether v is written with nines alone, at least two, maybe with a part as in 999.25, which well logs
// have, or 9999.9.
func nines(v float64) bool {
	whole, part := math.Modf(v)
	if part != 0 && part != 0.25 && part != 0.5 && part != 0.9 && part != 0.99 && part != 0.999 {
		part = math.Round(part*1e4) / 1e4
		if math.Abs(v-whole-part) > 1e-9*v || part != 0.9 && part != 0.99 && part != 0.999 && part != 0.9999 {
			return false
		}
	}
	for n := int64(99); n < 1e16; n = 10*n + 9 {
		if whole == float64(n) || part != 0 && whole == 9 {
			return true
		}
	}
	return false
}

// fills tells whether v is the largest number of a type, or as large as no measurement is: what programs of weather,
// oceans and remote sensing fill missing cells with (1e20, 9.96921e36, 1.70141e38), and the missing integers of R,
// Stata and databases.
func fills(v float64) bool {
	if v >= 1e20 {
		return true
	}
	for bits := 8; bits <= 64; bits++ {
		power := math.Ldexp(1, bits)
		if bits&7 == 0 && v == power-1 || bits&7 == 7 && (v == power || v == power-1) {
			return v >= 255
		}
	}
	return false
}
