package dataset

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// form says what a cell is when it is read as a number.
type form uint8

const (
	word    form = iota // not a number
	exact               // a number
	rounded             // a whole number above 2^53 that lost digits
	tiny                // a number so close to 0 that it became 0
	huge                // a number too large to hold
)

// parseNumber reads a number in plain decimal syntax. Zero comes without a sign, so that
// -0 and 0 are the same cell.
func parseNumber(s string) (float64, form) {
	if !isDecimal(s) {
		return 0, word
	}
	v, _ := strconv.ParseFloat(s, 64) // the syntax is right, so the only error is the range
	switch {
	case math.IsInf(v, 0):
		return v, huge
	case v == 0:
		mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
		if strings.ContainsAny(mantissa, "123456789") {
			return 0, tiny
		}
		return 0, exact
	case losesDigits(s, v):
		return v, rounded
	}
	return v, exact
}

// isDecimal reports whether s is [+-] digits [. digits] [e [+-] digits], with a digit before
// or after the point.
func isDecimal(s string) bool {
	s = unsigned(s)
	whole := digits(s)
	s = s[whole:]
	part := 0
	if strings.HasPrefix(s, ".") {
		part = digits(s[1:])
		s = s[1+part:]
	}
	if whole+part == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = unsigned(s[1:])
	return s != "" && digits(s) == len(s)
}

// isInteger reports whether s is [+-] digits.
func isInteger(s string) bool {
	s = unsigned(s)
	return s != "" && digits(s) == len(s)
}

func unsigned(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

// digits returns the number of digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// losesDigits reports whether s is a whole number which v, nearest to it, does not equal.
// 2^53 has 16 digits, so shorter ones are always exact.
func losesDigits(s string, v float64) bool {
	if len(s) < 16 || !isInteger(s) {
		return false
	}
	return strings.TrimLeft(unsigned(s), "0") != strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
}

// Digits with a decimal comma (3,14 or 1.234,56) or thousands marks (1,234 or 1 234.5).
var marked = regexp.MustCompile(`^[+-]?(\d*,\d+([eE][+-]?\d+)?` +
	`|\d{1,3}([,'’_ \x{a0}\x{2009}\x{202f}]\d{3})+([.,]\d+)?` +
	`|\d{1,3}(\.\d{3})+,\d+)$`)

// Digits of any script, with the points that scripts use.
var foreign = regexp.MustCompile(`^[+-]?\p{Nd}+([.,٫٬]\p{Nd}+)*$`)

// looksNumeric reports whether a text is one that its writer probably meant as a number.
func looksNumeric(s string) bool {
	return marked.MatchString(s) || foreign.MatchString(s) && strings.ContainsFunc(s, foreignDigit)
}

// appendNumber writes the shortest text that parseNumber reads as v again. From 2^53 on it
// has an exponent, since the digits of such a text are not all meant.
func appendNumber(dst []byte, v float64) []byte {
	if a := math.Abs(v); v == 0 || 1e-6 <= a && a < 1<<53 {
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, v, 'e', -1, 64)
}
