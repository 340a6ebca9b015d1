package report

import (
	"cmp"
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
	// offErrors is by how many standard errors probabilities must be off before it is told.
	offErrors = 3
	// offPart is by what part of it a probability, or that of the contrary, must be off in a group of rows.
	offPart = 0.1
)

// Off says in which parts of the rows the probabilities of a class are off by more than chance, in which direction, and how many of its rows were expected there and came, the highest probabilities
// first; "" where they are not. That they are must show in slope, in intercept or in groups taken together, each as rarely by chance as [offErrors]; then the groups are told that are off by what chance
// makes once in 20 times. All rows of a group of the data count as one, as nobody knows how alike they are.
func Off(of *eval.Report, class string) string {
	j, wider := of.Probabilities[class].Calibrated, 1.0
	if j == nil {
		return ""
	}
	if n := of.EffectiveGroups; n > 0 {
		wider = max(1, j.Figures.Rows/n)
	}
	tables := [][]calib.Bin{filled(j.Bins), filled(j.Quantiles)}
	if !offAsAWhole(&j.Figures, tables, wider) {
		return ""
	}
	text, was := "", ""
	for _, p := range offParts(tables, wider) {
		how, at := "too low at ", ", "
		if p.Mean > p.Share {
			how = "too high at "
		}
		switch {
		case text == "":
			at = how
		case how != was:
			at = " and " + how
		}
		was = how
		text += fmt.Sprintf("%s%s (%s: %s expected, %s came)", at, p.probabilities(), rowsOf(p.Count, of.Weighed), about(p.Count*p.Mean), about(p.Count*p.Share))
	}
	if text == "" {
		return ""
	}
	return fmt.Sprintf("The probabilities of %q are %s.", class, text)
}

// filled are the groups that have rows.
func filled(table []calib.Bin) []calib.Bin {
	return slices.DeleteFunc(slices.Clone(table), func(b calib.Bin) bool { return b.Count == 0 })
}

// offAsAWhole tells whether slope or intercept are off by more than chance, or the groups of a table taken together, by the sum of their squared errors (Hosmer and Lemeshow, Communications in Statistics A9
// (1980) 1043-1069), of as many degrees of freedom as there are groups.
func offAsAWhole(r *calib.Report, tables [][]calib.Bin, wider float64) bool {
	far := func(gap, se float64) bool { return math.Abs(gap) > offErrors*se*math.Sqrt(wider) }
	if far(r.Slope.Value-1, r.Slope.SE) || far(r.Intercept.Value, r.Intercept.SE) {
		return true
	}
	return slices.ContainsFunc(tables, func(table []calib.Bin) bool {
		sum := 0.0
		for i := range table {
			z := errorsOf(&table[i], wider)
			sum += float64(z * z)
		}
		return len(table) > 0 && mathext.GammaIncRegComp(float64(len(table))/2, sum/2) < math.Erfc(offErrors/math.Sqrt2)
	})
}

// errorsOf is by how many standard errors a group is off: as rare by chance as the number of rows that came, by the binomial distribution, which needs no many of them.
func errorsOf(b *calib.Bin, wider float64) float64 {
	const most = 30
	rows := b.Rows / wider
	came := float64(rows * b.Share)
	rare := 1.0
	if came > 0 { // so many, or more
		rare = mathext.RegIncBeta(came, rows-came+1, b.Mean)
	}
	if came < rows { // or fewer
		rare = min(rare, 1-mathext.RegIncBeta(came+1, rows-came, b.Mean))
	}
	return min(most, math.Erfcinv(min(1, 2*rare))) * math.Sqrt2
}

// part are groups of a table, side by side, that are off in the same direction.
type part struct {
	calib.Bin             // all of them as one
	table     []calib.Bin // with the groups beside
	from, to  int         // their places
}

// offParts are those that are off by more than chance makes once in 20 times, the highest probabilities first: of those of two tables that have rows in common the one that is off by most standard errors.
func offParts(tables [][]calib.Bin, wider float64) []part {
	var all []part
	for _, table := range tables {
		for i, b := range table {
			gap := math.Abs(b.Mean - b.Share)
			if b.Rows/wider >= english.Few && errorsOf(&b, wider) > calib.Z95 && gap >= offPart*min(b.Mean, 1-b.Mean) {
				all = append(all, part{b, table, i, i})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b part) int { return cmp.Compare(errorsOf(&b.Bin, wider), errorsOf(&a.Bin, wider)) })
	var apart []part
	for _, p := range all {
		if !slices.ContainsFunc(apart, func(q part) bool { return p.Low < q.High && q.Low < p.High || p.Low == q.Low && p.High == q.High }) {
			apart = append(apart, p)
		}
	}
	slices.SortFunc(apart, func(a, b part) int { return cmp.Compare(b.Mean, a.Mean) })
	var out []part
	for _, p := range apart {
		if last := len(out) - 1; last >= 0 && &p.table[0] == &out[last].table[0] && p.to+1 == out[last].from && (p.Mean > p.Share) == (out[last].Mean > out[last].Share) {
			out[last].widen(p)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// widen takes in the groups below.
func (p *part) widen(below part) {
	count := p.Count + below.Count
	p.Mean = (float64(p.Count*p.Mean) + float64(below.Count*below.Mean)) / count
	p.Share = (float64(p.Count*p.Share) + float64(below.Count*below.Share)) / count
	p.Count, p.Low, p.from = count, below.Low, below.from
}

// probabilities says between which ones the rows are, by the fewest digits that leave out those of the groups beside.
func (p *part) probabilities() string {
	above := func(x float64) bool { return p.from == 0 || x > p.table[p.from-1].High }
	below := func(x float64) bool { return p.to == len(p.table)-1 || x < p.table[p.to+1].Low }
	if p.Low == p.High {
		return alone(p.Low, func(text func(float64) string) bool {
			here := text(p.Low)
			return (p.from == 0 || text(p.table[p.from-1].High) != here) && (p.to == len(p.table)-1 || text(p.table[p.to+1].Low) != here)
		}) + " %"
	}
	decimals := func(text string) int {
		_, after, _ := strings.Cut(text, ".")
		return len(after)
	}
	ends := func(decimals int) (low, high string) {
		return endOf(p.Low, decimals, math.Floor, above), endOf(p.High, decimals, math.Ceil, below)
	}
	low, high := ends(0)
	low, high = ends(max(decimals(low), decimals(high)))
	return low + "–" + high + " %"
}

// alone shows a probability in percent by the fewest digits, two at least, by which it is apart from others, and at most as many as rows are written with.
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

// endOf shows the end of a range of probabilities in percent, rounded outwards to the fewest decimals, a number of them at least, with which it is apart from others, or is the end itself.
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

// rowsOf shows a number of rows, or what they weigh.
func rowsOf(n float64, weighed bool) string {
	if weighed {
		return "rows of weight " + count(n)
	}
	return english.Plural(count(n), "row")
}

// about shows a number of rows that is an estimate.
func about(n float64) string {
	if n >= 10 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(roundedTo(n, 2), 'f', -1, 64)
}
