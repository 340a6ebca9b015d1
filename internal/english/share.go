package english

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Few is below how many rows, or alarms, they are told themselves, not their share of 100: that would be of more
// than ten times as many.
const Few = 10

// mostDecimals is how many decimals of a percentage are shown at most.
const mostDecimals = 3

// Hundred shows a share as so many of 100, to a number of decimals. Nothing looks like none or all that is not: next
// to 0 or 100 it has more decimals, up to three, as in "0.04" and "99.98", and beyond these it is "< 0.001" or ">
// 99.999". The page of a report writes shares alike (percent in internal/report/page/src/text.ts).
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

// Amounts shows losses side by side, with as many decimals for all, two where one of them is 100 or more, else four,
// and with commas from 10,000 on. Where different ones would look alike there are more, up to eight.
func Amounts(values ...float64) []string {
	digits := 4
	if largest(values) >= 100 {
		digits = 2
	}
	return apart(values, digits, values)
}

// Sums is [Amounts] of money, as a person reads it: in whole units where all are whole, but for an error of
// rounding, or one is 100 or more, with two decimals where one is 1 or more, else with four; with more where
// different ones would look alike, or one like nothing.
func Sums(values ...float64) []string {
	digits, whole := 4, true
	for _, v := range values {
		whole = whole && math.Abs(v-math.Round(v)) <= 1e-9*math.Abs(v)
	}
	switch most := largest(values); {
	case whole:
		return aligned(values, 0)
	case most >= 100:
		digits = 0
	case most >= 1:
		digits = 2
	}
	return apart(values, digits, append(slices.Clone(values), 0))
}

// largest returns the largest of the values without their signs.
func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return most
}

// apart shows values with a number of decimals, or as many more as it takes that different ones of others do not
// look alike.
func apart(values []float64, digits int, others []float64) []string {
	for ; digits < mostDigits && alike(others, aligned(others, digits)); digits++ {
	}
	return aligned(values, digits)
}

// alike tells whether different values, by more than an error of rounding, look alike.
func alike(values []float64, texts []string) bool {
	least := 1e-9 * largest(values) // beside which a difference is no error of a sum
	for i, a := range values {
		for j, b := range values[:i] {
			if texts[i] == texts[j] && math.Abs(a-b) > least {
				return true
			}
		}
	}
	return false
}

// Values shows values of a column side by side, with four digits that count, but always those before the point, and
// more where different ones would look alike.
func Values(values ...float64) []string {
	texts := make([]string, len(values))
	for figures := 4; figures == 4 || figures <= 10 && alike(values, texts); figures++ {
		for i, v := range values {
			texts[i] = value(v, figures)
		}
	}
	return texts
}

func value(v float64, figures int) string {
	size := math.Abs(v)
	if whole := strconv.FormatFloat(size, 'f', 0, 64); len(whole) <= 15 {
		figures = max(figures, len(whole))
	}
	text := strconv.FormatFloat(v, 'g', figures, 64)
	if short, err := strconv.ParseFloat(text, 64); err == nil && (size == 0 || 1e-4 <= size && size < 1e15) {
		return strconv.FormatFloat(short, 'f', -1, 64)
	}
	return text
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

// Within shows a share and its interval, as so many of 100, with as many decimals for all, a number of them at
// least: one below 10, and up to three where the share would look like none or all, or the ends like each other, as
// in "99.96" and "99.84–99.99". An interval looks as if it began with all or ended with nothing only where it does.
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
