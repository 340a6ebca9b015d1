package english

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// mostListed is how many things are listed by name at least.
const mostListed = 6

// First joins what is said of several things, of many only of the first.
func First(parts []string) string {
	if len(parts) <= mostListed+1 {
		return strings.Join(parts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(parts[:mostListed], ", "), len(parts)-mostListed)
}

// And lists all parts, the last after "and".
func And(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Significant shows a number with so many digits that count, and up to a thousand million without a power of ten.
func Significant(n float64, figures int) string {
	text := fmt.Sprintf("%.*g", figures, n)
	if v, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(v) >= 1 && math.Abs(v) < 1e9 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return text
}

// About shows a number of rows that is an estimate.
func About(n float64) string {
	if n >= 10 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.2g", n)
}

// OfHundred shows a share as so many of 100.
func OfHundred(share float64) string {
	decimals := 0
	if share < 0.1 {
		decimals = 1
	}
	return strings.TrimSuffix(Hundred(share, decimals), ".0")
}

// OfRows shows a share of so many rows, of 100, or of the rows themselves where they are few.
func OfRows(share, rows float64) string {
	if rows < Few {
		return NoneOr(share*rows) + " of " + About(rows)
	}
	return OfHundred(share)
}

// NoneOr shows how many of few rows there are.
func NoneOr(n float64) string {
	if n == 0 {
		return "none"
	}
	return About(n)
}

// Rounded leaves out decimals that say nothing, in a sentence.
func Rounded(percent string) string { return strings.Replace(percent, ".0 ", " ", 1) }

// Fixed shows a number with so many digits after the point. What rounds to zero has no sign.
func Fixed(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// Gap shows how far apart two figures are as they are shown, with as many decimals.
func Gap(a, b string) string {
	_, decimals, _ := strings.Cut(a, ".")
	var shown [2]float64
	for i, text := range [2]string{a, b} {
		shown[i], _ = strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64) // it was written just now
	}
	return Fixed(math.Abs(shown[0]-shown[1]), len(decimals))
}

// Beside shows a share in percent with so many decimals at least, and so exactly that it does not look like a limit
// that it is not.
func Beside(share, limit float64, decimals int) string {
	for decimals < 4 && share != limit && Percent(share, decimals) == Percent(limit, decimals) {
		decimals++
	}
	return Rounded(Percent(share, decimals))
}
