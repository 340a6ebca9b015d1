package english

import (
	"math"
	"strconv"
)

// Few is below how many rows, or alarms, they are told themselves, not their share of 100: that would be of more than ten times as many.
const Few = 10

// mostDecimals is how many decimals of a percentage are shown at most.
const mostDecimals = 3

// Hundred shows a share as so many of 100, to a number of decimals. Nothing looks like none or all that is not: next to 0 or 100 it has more decimals,
// up to three, as in "0.04" and "99.98", and beyond these it is "< 0.001" or "> 99.999". The page of a report writes shares alike (percent in report/page/src/text.ts).
func Hundred(share float64, decimals int) string {
	switch {
	case math.IsNaN(share):
		return "n/a"
	case share == 0:
		return "0"
	case share == 1:
		return "100"
	}
	least := 100 * min(share, 1-share) * (1 + 1e-9) // to be told from 0 or 100
	for ; decimals <= mostDecimals; decimals++ {
		if least >= math.Pow10(-decimals) {
			return strconv.FormatFloat(100*share, 'f', decimals, 64)
		}
	}
	if share < 0.5 {
		return "< 0.001"
	}
	return "> 99.999"
}

// Percent is [Hundred] with its sign: "0.04 %".
func Percent(share float64, decimals int) string {
	text := Hundred(share, decimals)
	if text == "n/a" {
		return text
	}
	return text + " %"
}

// Range shows an interval of a share, of 100, as whole numbers: "74–87". An end is 0 or 100 only where the interval begins with nothing or ends with all.
func Range(low, high float64) string {
	from, to := ends(low, high, 0)
	return from + "–" + to
}

// PercentRange is [Range] with one decimal where both ends would be the same, as "98.1–98.4"; the percentage beside it then needs one, too.
func PercentRange(low, high float64) string {
	from, to := ends(low, high, 0)
	if from == to && low < high {
		from, to = ends(low, high, 1)
	}
	return from + "–" + to
}

// ends shows the ends of an interval to a number of decimals.
func ends(low, high float64, decimals int) (from, to string) {
	least := math.Pow10(-decimals)
	low, high = 100*low, 100*high
	if low < 100 {
		low = min(low, 100-least)
	}
	if high > 0 {
		high = max(high, least)
	}
	return strconv.FormatFloat(low, 'f', decimals, 64), strconv.FormatFloat(high, 'f', decimals, 64)
}
