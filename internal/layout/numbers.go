package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// SpreadText shows the lowest, the middle and the highest value of a column.
func SpreadText(low, middle, high float64) string {
	texts := english.Values(low, middle, high)
	return fmt.Sprintf("%s to %s, median %s", texts[0], texts[2], texts[1])
}

// Decimals counts the decimals of the number that a text begins with.
func Decimals(text string) int {
	number, _, _ := strings.Cut(text, " ")
	_, decimals, _ := strings.Cut(number, ".")
	return len(decimals)
}

// LossInterval shows an interval of a loss, unless it is so narrow that all rows seem to be alike.
func LossInterval(interval *[2]float64) string {
	if interval == nil {
		return ""
	}
	digits := 3
	if interval[1] >= 100 {
		digits = 2
	}
	low, high := english.Fixed(interval[0], digits), english.Fixed(interval[1], digits)
	if low == high {
		return ""
	}
	return low + "–" + high
}

// PerThousand shows shares of all rows as numbers of 1,000 rows, with as many decimals for all: so many that the least
// that is not 0 has two digits, and different ones look different, and three at most.
func PerThousand(shares ...float64) []string {
	const most = 3
	decimals := 0
	for ; decimals < most; decimals++ {
		unit, enough := 1000*math.Pow10(decimals), true
		for i, x := range shares {
			enough = enough && (x == 0 || x*unit >= 9.5 || x*1000 == math.Round(x*1000))
			for _, y := range shares[:i] {
				enough = enough && (math.Abs(x-y)*unit < 1e-6 || math.Round(x*unit) != math.Round(y*unit))
			}
		}
		if enough {
			break
		}
	}
	out := make([]string, len(shares))
	for i, x := range shares {
		out[i] = grouped2(1000*x, decimals)
	}
	return out
}

// grouped2 shows a number with commas between thousands.
func grouped2(x float64, decimals int) string {
	text := english.Fixed(x, decimals)
	whole, rest, _ := strings.Cut(text, ".")
	if rest != "" {
		rest = "." + rest
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	return whole + rest
}

// Number writes x so that it reads back as the same number.
func Number(x float64) string { return string(csvtext.AppendNumber(nil, x)) }

// Maybe writes x, or nothing where it cannot be computed.
func Maybe(x *float64) string {
	if x == nil {
		return ""
	}
	return Number(*x)
}

// UnderOne is fixed for what is not shown as 1 where it is less.
func UnderOne(x float64, digits int) string {
	if one := english.Fixed(1, digits); x < 1 && english.Fixed(x, digits) == one {
		return "> " + english.Fixed(1-math.Pow10(-digits), digits)
	}
	return english.Fixed(x, digits)
}

// PercentOr shows a share, or n/a.
func PercentOr(x *float64) string {
	if x == nil {
		return "n/a"
	}
	return english.Percent(*x, 1)
}

// Within shows a share with its interval, if it has one, with so many decimals at least.
func Within(x *float64, interval *[2]float64, decimals int) string {
	switch {
	case x == nil:
		return "n/a"
	case interval == nil:
		return english.Percent(*x, decimals)
	}
	value, ends := english.Within(*x, interval[0], interval[1], decimals)
	return value + " % (" + ends + ")"
}

// Weight shows a vote weight with three digits.
func Weight(w float64) string {
	switch {
	case math.IsInf(w, 1):
		return "∞"
	case w >= 1000:
		return fmt.Sprintf("%.0f", w)
	}
	return strconv.FormatFloat(w, 'g', 3, 64)
}

// Plateau shows the weights that do just as well.
func Plateau(p rfpragma.Interval) string {
	low, high := Weight(p.Low), Weight(p.High)
	switch {
	case low == high:
		return "no other"
	case p.Low == 0 && math.IsInf(p.High, 1):
		return "any"
	case p.Low == 0:
		return "up to " + high
	case math.IsInf(p.High, 1):
		return "from " + low
	}
	return low + " to " + high
}

// Rows shows a number of rows, which is a mean over repeats.
func Rows(x float64) string {
	if x == math.Trunc(x) {
		return Count(x)
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}

// Count shows a number of rows, or a sum of weights.
func Count(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// TypedPercent shows a share as the percentage that was typed, without the sign.
func TypedPercent(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) }

// Lift shows how many times as many rows of a class there are on a list as on one drawn at random.
func Lift(lift *float64) string {
	if lift == nil {
		return "n/a"
	}
	return english.Fixed(*lift, 1)
}

// Percentage shows a share in the form that share reads.
func Percentage(v float64) string { return fmt.Sprintf("%.3g %%", 100*v) }
