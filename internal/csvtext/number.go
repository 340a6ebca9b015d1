package csvtext

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/option"
)

// Form says what a cell is when it is read as a number.
type Form uint8

// The forms.
const (
	Word    Form = iota // not a number
	Exact               // a number
	Rounded             // a whole number above 2^53 that lost digits
	Tiny                // a number so close to 0 that it became 0
	Huge                // a number too large to hold
)

// ParseNumber reads a number in plain decimal syntax. Zero comes without a sign, so that
// -0 and 0 are the same cell.
func ParseNumber(s string) (float64, Form) { return ParseMarked(s, '.') }

// ParseMarked is [ParseNumber] of a number whose decimal mark is another one, such as a comma. A
// point is then no part of a number: in 1.500 it may as well part thousands.
func ParseMarked(s string, mark byte) (float64, Form) {
	if v, ok := parseShort(s, mark); ok {
		return v, Exact
	}
	return parseLong(s, mark)
}

// parseLong reads what parseShort does not.
func parseLong(s string, mark byte) (float64, Form) {
	if mark != '.' {
		if strings.Contains(s, ".") {
			return 0, Word
		}
		s = strings.Replace(s, string(mark), ".", 1)
	}
	if !isDecimal(s) {
		return 0, Word
	}
	v, _ := strconv.ParseFloat(s, 64) // the syntax is right, so the only error is the range
	switch {
	case math.IsInf(v, 0):
		return v, Huge
	case v == 0:
		mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
		if strings.ContainsAny(mantissa, "123456789") {
			return 0, Tiny
		}
		return 0, Exact
	case losesDigits(s, v):
		return v, Rounded
	}
	return v, Exact
}

// The powers of ten below 2^64. Those up to the 15th are numbers of few digits, and all are exact as float64.
var tens = func() (t [20]uint64) {
	t[0] = 1
	for i := range t[1:] {
		t[i+1] = 10 * t[i]
	}
	return t
}()

// fewDigits is how many digits a whole number can have that is below 2^53 whatever they are, mostDigits below 2^64.
const fewDigits, mostDigits = 15, 19

// parseShort reads a number of up to 19 digits without an exponent, as most are, unless it is a whole number of
// more than 15, which may lose some.
func parseShort(s string, mark byte) (float64, bool) {
	rest := unsigned(s)
	n, point := len(rest), len(rest) // digits; where the point is
	if n > mostDigits+2 {
		return 0, false
	}
	var whole uint64
	for i := range len(rest) {
		digit := rest[i] - '0'
		if digit > 9 {
			if rest[i] != mark || n < len(rest) {
				return 0, false
			}
			n, point = len(rest)-1, i+1
			continue
		}
		whole = 10*whole + uint64(digit)
	}
	places := len(rest) - point
	var v float64
	switch {
	case n == 0:
		return 0, false
	case n <= fewDigits:
		v = float64(whole) / float64(tens[places]) // of two numbers that are exact
	case n > mostDigits && rest[0] != '0' || n > mostDigits+1 || places > mostDigits || whole%tens[places] == 0:
		return 0, false
	default:
		v = quotient(whole, tens[places])
	}
	if s[0] == '-' && whole > 0 { // 0 has no sign
		v = -v
	}
	return v, true
}

// quotient returns a / b, both above 0, rounded as a float64 of that value is: a tie to the even one. A whole number
// of 62 bits or more is divided, and its last bit is set if something remains, so that what is not a tie does not
// look like one.
func quotient(a, b uint64) float64 {
	up, low := bits.LeadingZeros64(a), bits.LeadingZeros64(b)
	a, b = a<<up, b<<low
	q, rest := bits.Div64(a>>1, a<<63, b)
	if rest > 0 {
		q |= 1
	}
	return math.Ldexp(float64(q), low-up-63)
}

// Number reads a plain decimal number, with blanks around it or not. The error has no place.
func Number(text string) (float64, error) { return NumberMarked(text, '.') }

// NumberMarked is [Number] with another decimal mark, as [ParseMarked] has it.
func NumberMarked(text string, mark byte) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, errors.New("a number is missing; write one")
	}
	v, form := ParseMarked(text, mark)
	switch form {
	case Word:
		if mark == ',' {
			return 0, fmt.Errorf("%s is not a number; write digits, with a comma if need be", Show(text))
		}
		return 0, fmt.Errorf("%s is not a number; write digits, with a point if need be", Show(text))
	case Huge:
		return 0, fmt.Errorf("%s is too large for a number; write a smaller one", Show(text))
	}
	return v, nil
}

// Digits that a person may mean as thousands, where another reads decimals: 3.000. No program ends a number with
// such a zero.
var thousands = regexp.MustCompile(`^[+-]?[1-9]\d{0,2}\.\d\d0$`)

// Thousands returns the two numbers that a text such as 3.000 may be, 3 and 3000; of other texts ok is false.
func Thousands(text string) (decimal, whole string, ok bool) {
	if text = strings.TrimSpace(text); !thousands.MatchString(text) {
		return "", "", false
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), "."), strings.Replace(text, ".", "", 1), true
}

// Typed is [Number] of what a person types, who must say what 3.000 is.
func Typed(text string) (float64, error) {
	if decimal, whole, ok := Thousands(text); ok {
		return 0, fmt.Errorf("%s may be %s or %s; write the one that is meant", Show(strings.TrimSpace(text)), decimal, whole)
	}
	if bare := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%")); marked.MatchString(bare) {
		return 0, fmt.Errorf("%s is not a number; %s", Show(strings.TrimSpace(text)), PointCure)
	}
	return Number(text)
}

// PointCure is said of what a person types with a comma in a number.
const PointCure = "write the number with a point before its decimals, and no mark between thousands"

// Share is [Typed] of a share, which may be written as a percentage: 3%, or 3 %, is 0.03.
func Share(text string) (float64, error) {
	if digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%"); percent {
		if v, err := Number(digits); err == nil {
			return strconv.ParseFloat(strconv.FormatFloat(v/100, 'g', 15, 64), 64) // 1.1 % is 0.011
		}
	}
	return Typed(text)
}

// CheckDecimal refuses a decimal mark that numbers cannot be read with. The name is that of a file.
func CheckDecimal(name string, mark byte) error {
	if mark != 0 && mark != '.' && mark != ',' {
		return Usagef("%s: %q is no decimal mark; use a point or a comma with {decimal}", name, mark)
	}
	return nil
}

// Amount reads what is at stake in a row: a number from 0 on, as [NumberMarked] reads it. The error
// has no place.
func Amount(text string, mark byte) (float64, error) {
	v, err := NumberMarked(text, mark)
	if err == nil && v < 0 {
		err = fmt.Errorf("the amount %v is negative; write 0 where nothing is at stake", v)
	}
	return v, err
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
// 2^53 has 16 digits, so shorter ones are always Exact. Some programs write whole numbers with .0
// or e0 behind them.
func losesDigits(s string, v float64) bool {
	if len(s) < 16 {
		return false
	}
	s = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(s), "e+00"), "e0")
	if whole, zeros, ok := strings.Cut(s, "."); ok && strings.Trim(zeros, "0") == "" {
		s = whole
	}
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

// Numbers as programs write them: hexadecimal, of at most 64 bits, as longer ones are names; with the exponent of
// Fortran; with the minus sign of typesetters.
var written = regexp.MustCompile(`^([+-]?0[xX][0-9a-fA-F]{1,16}` +
	`|[+-]?0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+` +
	`|[+-]?(\d+\.\d*|\.\d+)[dD][+-]?\d+` +
	`|−(\d+([.,]\d*)?|[.,]\d+)([eE][+−-]?\d+)?)$`)

// LooksNumeric reports whether a text is one that its writer probably meant as a number, be it
// plain, with another decimal mark, with marks between thousands, or as programs write them.
func LooksNumeric(s string) bool {
	return isDecimal(s) || written.MatchString(s) || marked.MatchString(s) || foreign.MatchString(s) &&
		strings.ContainsFunc(s, foreignDigit)
}

// HasUnit reports whether a text is a number but for a currency, its sign or code, or the sign of percent or of per
// mille, before or behind it.
func HasUnit(s string) bool {
	s = strings.TrimSpace(unsigned(s))
	bare := strings.TrimFunc(s, func(r rune) bool {
		return r == '%' || r == '‰' || unicode.Is(unicode.Sc, r) ||
			unicode.IsSpace(r)
	})
	for _, code := range []string{"EUR", "USD", "GBP", "CHF"} {
		bare = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(bare, code), code))
	}
	return bare != s && LooksNumeric(bare)
}

// HasDecimalComma reports whether a text is a number if its comma is the decimal mark.
func HasDecimalComma(s string) bool {
	_, form := ParseMarked(s, ',')
	return form != Word && strings.Contains(s, ",")
}

// DecimalCure is said of numbers with a decimal comma.
func DecimalCure() string {
	return option.Text("if the comma is the decimal mark, use {decimal} ','")
}

// DecimalHint returns what to add to a message about a cell that is no number with that decimal
// mark, "" for nothing.
func DecimalHint(cell string, mark byte) string {
	cell = strings.TrimSpace(cell)
	if mark != ',' && HasDecimalComma(cell) {
		return "; " + DecimalCure()
	}
	if mark == ',' && strings.Contains(cell, ".") && isDecimal(cell) {
		return option.Text("; if the point is the decimal mark, leave {decimal} out")
	}
	return ""
}

// AppendNumber writes the shortest text that ParseNumber reads as v again. From 2^53 on it
// has an exponent, since the digits of such a text are not all meant.
func AppendNumber(dst []byte, v float64) []byte {
	if a := math.Abs(v); v == 0 || 1e-6 <= a && a < 1<<53 {
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, v, 'e', -1, 64)
}

// Order returns how names, of classes say, are sorted: by value when all are whole numbers,
// else by their bytes.
func Order(names []string) func(a, b string) int {
	if slices.ContainsFunc(names, func(s string) bool { return !isInteger(s) }) {
		return strings.Compare
	}
	return compareIntegers
}

// compareIntegers compares by value, whatever the number of digits, and then by bytes.
func compareIntegers(a, b string) int {
	x, y := strings.TrimLeft(unsigned(a), "0"), strings.TrimLeft(unsigned(b), "0")
	below := func(s, digits string) bool { return s[0] == '-' && digits != "" }
	size := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	switch {
	case below(a, x) && below(b, y):
		return cmp.Or(-size, strings.Compare(a, b))
	case below(a, x):
		return -1
	case below(b, y):
		return 1
	}
	return cmp.Or(size, strings.Compare(a, b))
}
