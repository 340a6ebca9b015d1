package english

import (
	"math"
	"strconv"
	"strings"
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

// mostDigits is how many decimals of an amount are shown at most.
const mostDigits = 8

// Amounts shows losses or costs side by side, with as many decimals for all, two where one of them is 100 or more, else four, and with commas from 10,000 on. Where
// different ones would look alike there are more, up to eight.
func Amounts(values ...float64) []string {
	digits := 4
	for _, v := range values {
		if math.Abs(v) >= 100 {
			digits = 2
		}
	}
	texts := aligned(values, digits)
	for ; digits < mostDigits && alike(values, texts); digits++ {
		texts = aligned(values, digits+1)
	}
	return texts
}

// alike tells whether different values, by more than an error of rounding, look alike.
func alike(values []float64, texts []string) bool {
	for i, a := range values {
		for j, b := range values[:i] {
			if texts[i] == texts[j] && math.Abs(a-b) > 1e-9*max(math.Abs(a), math.Abs(b)) {
				return true
			}
		}
	}
	return false
}

// Sums is [Amounts] of money: without decimals where all are whole, but for an error of rounding.
func Sums(values ...float64) []string {
	for _, v := range values {
		if math.Abs(v-math.Round(v)) > 1e-9*math.Abs(v) {
			return Amounts(values...)
		}
	}
	return aligned(values, 0)
}

func aligned(values []float64, digits int) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		text := strconv.FormatFloat(v, 'f', digits, 64)
		whole, rest, _ := strings.Cut(text, ".")
		if len(strings.TrimPrefix(whole, "-")) > 4 {
			for at := len(whole) - 3; at > 0 && whole[at-1] != '-'; at -= 3 {
				whole = whole[:at] + "," + whole[at:]
			}
			text = strings.TrimSuffix(whole+"."+rest, ".")
		}
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-")
		}
		texts[i] = text
	}
	return texts
}

// Within shows a share and its interval, as so many of 100, with as many decimals for all, a number of them at least: one below 10, and up to three where the share would look like none or all, or the ends like
// each other, as in "99.96" and "99.84–99.99". An interval looks as if it began with all or ended with nothing only where it does.
func Within(share, low, high float64, decimals int) (value, ends string) {
	if 0 < share && share < 0.1 {
		decimals = max(decimals, 1)
	}
	for ; decimals < mostDecimals; decimals++ {
		told := share == 0 || share == 1 || 100*min(share, 1-share)*(1+1e-9) >= math.Pow10(-decimals)
		if from, to := endsOf(low, high, decimals); told && (low == high || from != to) {
			break
		}
	}
	from, to := endsOf(low, high, decimals)
	return Hundred(share, decimals), from + "–" + to
}

// endsOf shows the ends of an interval to a number of decimals.
func endsOf(low, high float64, decimals int) (from, to string) {
	least := math.Pow10(-decimals)
	show := func(v float64) string {
		switch {
		case v < least/2:
			return "0"
		case v > 100-least/2:
			return "100"
		}
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	low, high = 100*low, 100*high
	if low < 100 {
		low = min(low, 100-least)
	}
	if high > 0 {
		high = max(high, least)
	}
	return show(low), show(high)
}
