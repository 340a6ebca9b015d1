package csvtext

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		cell string
		want float64
		form Form
	}{
		{"0", 0, Exact}, {"-12", -12, Exact}, {"+12", 12, Exact}, {"007", 7, Exact},
		{"1.5", 1.5, Exact}, {".5", .5, Exact}, {"5.", 5, Exact}, {"-.5e1", -5, Exact},
		{"1e5", 1e5, Exact}, {"1E+5", 1e5, Exact}, {"1e-5", 1e-5, Exact},
		{"1.7976931348623157e308", math.MaxFloat64, Exact}, {"5e-324", 5e-324, Exact},
		{"1.8e308", math.Inf(1), Huge}, {"-1e400", math.Inf(-1), Huge},
		{"1e-400", 0, Tiny}, {"0.0e-400", 0, Exact}, {"0e1", 0, Exact}, {"2e-324", 0, Tiny},
		{"9007199254740992", 1 << 53, Exact}, {"9007199254740993", 1 << 53, Rounded}, {"-9007199254740993", -1 << 53,
			Rounded},
		{"00000000000000000001", 1, Exact}, {"1152921504606846976", 1 << 60, Exact}, {"1152921504606846977", 1 << 60,
			Rounded},
		// not written as a whole number
		{"9007199254740993.0", 1 << 53, Rounded}, {"9007199254740992.0", 1 << 53, Exact}, {"9007199254740993.5", 1<<53 + 2,
			Exact},
		{"", 0, Word}, {"+", 0, Word}, {".", 0, Word}, {"-.", 0, Word}, {"e5", 0, Word}, {"1e", 0, Word}, {"1e+", 0, Word},
		{"1 2", 0, Word}, {"1.2.3", 0, Word}, {"--1", 0, Word}, {"1e5.0", 0, Word}, {"0x1p-2", 0, Word}, {"0x10", 0, Word},
		{"1_000", 0, Word}, {"1,5", 0, Word}, {"nan", 0, Word}, {"NaN", 0, Word}, {"inf", 0, Word}, {"-Infinity", 0, Word},
		{"١", 0, Word}, {"1f", 0, Word}, {"$1", 0, Word}, {"5%", 0, Word},
	} {
		if v, form := ParseNumber(c.cell); v != c.want || form != c.form {
			t.Errorf("ParseNumber(%q) = %v, %d, want %v, %d", c.cell, v, form, c.want, c.form)
		}
	}
}

// Short numbers are read to the bit as strconv reads them.
func TestShortNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	short := 0
	for range 400_000 {
		digits := strconv.FormatUint(r.Uint64N(uint64(math.Pow10(1+r.IntN(19)))), 10)
		switch r.IntN(8) {
		case 0: // a tie between two numbers, or close by
			digits = strconv.FormatUint((1<<53+2*r.Uint64N(1<<9)+1)*10+r.Uint64N(3)-1, 10)
		case 1: // the largest
			digits = strconv.FormatUint(math.MaxUint64-r.Uint64N(1000), 10)
		}
		digits = strings.Repeat("0", r.IntN(3)) + digits
		at := r.IntN(len(digits) + 1)
		s := []string{"", "-", "+"}[r.IntN(3)] + digits[:at] + "." + digits[at:]
		if r.IntN(4) == 0 {
			s = strings.Replace(s, ".", "", 1)
		}
		want, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := parseShort(s, '.'); ok {
			short++
			if math.Float64bits(v) != math.Float64bits(want+0) {
				t.Fatalf("%s is %v, want %v", s, v, want)
			}
		}
	}
	if short < 100_000 {
		t.Errorf("only %d were short", short)
	}
}

func TestLooksNumeric(t *testing.T) {
	for cell, want := range map[string]bool{
		"3,14": true, "-3,14": true, ",5": true, "3,1e5": true, "1,234": true, "1,234,567.8": true, "1'234": true,
		"1’234": true,
		"1 234": true, "1\u00a0234": true, "1\u202f234,5": true, "1.234,56": true, "1.234.567,8": true, "1_000": true,
		"١٢": true, "２.５": true, "1２": true,
		"": false, "a": false, "1-2": false, "2020-01-31": false, "1.2.3": false, "10.0.0.1": false, "1,2,3": false,
		"12": true, "-1.5": true, "1e5": true, "12 34": false, "1a": false, "a,5": false, "nan": false, ",": false,
		"٫": false,
		// A44
		"0x10": true, "-0XfF": true, "0x1p-2": true, "0x1.8p3": true, "1.5D3": true, "-.5d-10": true, "−5": true,
		"−0,5": true, "−1.5e−3": true,
		"0x": false, "0x12345678901234567": false, "x10": false, "12D3": false, "1.5D": false, "−": false, "5−": false,
		"0x1g": false,
	} {
		if got := LooksNumeric(cell); got != want {
			t.Errorf("LooksNumeric(%q) = %v", cell, got)
		}
	}
}

func TestHasUnit(t *testing.T) {
	for cell, want := range map[string]bool{
		"€1.000": true, "$30": true, "5%": true, "5 %": true, "-3,5 €": true, "-£5": true, "$-5": true,
		"1\u00a0234,50\u00a0€": true, "2‰": true, "¥1,000": true, "EUR 5": true, "1.000,50 EUR": true, "-5 CHF": true,
		"USD5": true,
		"5":    false, "%": false, "": false, "€": false, "5 kg": false, "a%": false, "5%6": false, "50% off": false,
		"US$ 5": false, "EUR": false, "EURO 5": false, "1-2%": false,
	} {
		if got := HasUnit(cell); got != want {
			t.Errorf("HasUnit(%q) = %v", cell, got)
		}
	}
}

func TestParseMarked(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		form Form
	}{
		{"3,14", 3.14, Exact}, {"-3,14", -3.14, Exact}, {"+,5", 0.5, Exact}, {"5,", 5, Exact}, {"12", 12, Exact},
		{"-0,0", 0, Exact},
		{"1,5e3", 1500, Exact}, {"0,1234567890123456789", 0.1234567890123456789, Exact}, {"1e-400", 0, Tiny},
		{"1e400", math.Inf(1), Huge},
		{"9007199254740993", 9007199254740992, Rounded},
		{"9007199254740993,0", 9007199254740992, Rounded}, {"9007199254740993e0", 9007199254740992, Rounded}, // A47
		{"-9007199254740993,00e+00", -9007199254740992, Rounded}, {"9007199254740992,0", 9007199254740992, Exact},
		{"900719925474099,0", 900719925474099, Exact},
		{"3.14", 0, Word}, {"1.500", 0, Word}, {"1.234,5", 0, Word}, {"1,2,3", 0, Word}, {",", 0, Word}, {"", 0, Word},
		{"1 234,5", 0, Word},
		{"0,12345678901234567.5", 0, Word},
	} {
		v, form := ParseMarked(c.text, ',')
		if form != c.form || v != c.want || math.Signbit(v) != math.Signbit(c.want) {
			t.Errorf("ParseMarked(%q) = %v, %v; want %v, %v", c.text, v, form, c.want, c.form)
		}
		if got, want := HasDecimalComma(c.text), form != Word && strings.Contains(c.text, ","); got != want {
			t.Errorf("HasDecimalComma(%q) = %v", c.text, got)
		}
	}
	if _, err := NumberMarked("1.5", ','); err == nil ||
		err.Error() != `"1.5" is not a number; write digits, with a comma if need be` {
		t.Errorf("the error is %v", err)
	}
}

func TestAppendNumber(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {-0.5, "-0.5"}, {0.1, "0.1"}, {1e6, "1000000"}, {1 << 52, "4503599627370496"},
		{1 << 53, "9.007199254740992e+15"}, {1e-6, "0.000001"}, {1e-7, "1e-07"}, {1e300, "1e+300"},
	} {
		if got := string(AppendNumber(nil, c.v)); got != c.want {
			t.Errorf("AppendNumber(%v) = %s, want %s", c.v, got, c.want)
		}
	}
}

func TestNumbersReadBackTheSame(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20000 {
		v := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			v = float64(r.Int64()) / float64(int(1)<<r.IntN(60))
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		text := string(AppendNumber(nil, v))
		if got, form := ParseNumber(text); got != v || form != Exact {
			t.Fatalf("seed %d: %v is written %s and read %v, %d", seed, v, text, got, form)
		}
	}
}

// ParseFloat takes more than the plain decimal syntax; what both take they must agree upon.
func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"1", "-.5e1", "1e400", "1e-400", "0x1p-2", "1_0", "inf", "9007199254740993", "1e+",
		"٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, form := ParseNumber(s)
		want, err := strconv.ParseFloat(s, 64)
		plain := s != "" && strings.Trim(s, "0123456789+-.eE") == "" && (err == nil || math.IsInf(want, 0))
		if plain != (form != Word) {
			t.Errorf("ParseNumber(%q) = %v, %d, ParseFloat %v, %v", s, v, form, want, err)
		}
		if plain && math.Float64bits(v) != math.Float64bits(want+0) { // a zero comes without a sign
			t.Errorf("ParseNumber(%q) = %v, want %v", s, v, want)
		}
	})
}

// A percentage is a share; a bare number is what it says, whatever it may mean.
func TestShare(t *testing.T) {
	for text, want := range map[string]float64{"0.03": 0.03, "3%": 0.03, " 3 % ": 0.03, "1.1%": 0.011, "100%": 1,
		"-2%": -0.02, "0.29%": 0.0029, "95": 95} {
		if got, err := Share(text); err != nil || got != want {
			t.Errorf("Share(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"": "a number is missing; write one",
		"%":   `"%" is not a number; write digits, with a point if need be`,
		"3%%": `"3%%" is not a number; write digits, with a point if need be`,
		"x%":  `"x%" is not a number; write digits, with a point if need be`} {
		if got, err := Share(text); err == nil || err.Error() != want {
			t.Errorf("Share(%q) = %v, %v, want error %s", text, got, err, want)
		}
	}
}

// Only what a person may mean as thousands is refused: no decimal that programs write.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{"3.000": "3 or 3000", " 1.500 ": "1.5 or 1500",
		"120.250": "120.25 or 120250", "-3.000": "-3 or -3000"} {
		if _, err := Typed(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]float64{"0.500": 0.5, "1.234": 1.234, "3.0000": 3, "3.00": 3, "3000.000": 3000,
		"3000": 3000, "1.500e3": 1500} {
		if v, err := Typed(text); v != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", text, v, err, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tc := range []struct {
		text string
		want float64
		err  string
	}{
		{"12", 12, ""},
		{" -1.5e3\t", -1500, ""},
		{"+.5", 0.5, ""},
		{"", 0, "a number is missing; write one"},
		{" ", 0, "a number is missing; write one"},
		{"0x1p-2", 0, `"0x1p-2" is not a number; write digits, with a point if need be`}, // A44
		{"1_000", 0, `"1_000" is not a number; write digits, with a point if need be`},   // A44
		{"nan", 0, `"nan" is not a number; write digits, with a point if need be`},       // A43
		{"Inf", 0, `"Inf" is not a number; write digits, with a point if need be`},       // A43
		{"1e400", 0, `"1e400" is too large for a number; write a smaller one`},           // A45
		{"1-2", 0, `"1-2" is not a number; write digits, with a point if need be`},
		{"１", 0, `"１" (U+FF11) is not a number; write digits, with a point if need be`}, // A48
	} {
		got, err := Number(tc.text)
		if err == nil && (tc.err != "" || got != tc.want) {
			t.Errorf("Number(%q) = %v, want %v, error %q", tc.text, got, tc.want, tc.err)
		}
		if err != nil && err.Error() != tc.err {
			t.Errorf("Number(%q): %v, want %q", tc.text, err, tc.err)
		}
	}
}

func TestOrder(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{nil, nil},
		{[]string{"b", "a", "C"}, []string{"C", "a", "b"}},
		{[]string{"10", "9", "-1", "+2", "-20"}, []string{"-20", "-1", "+2", "9", "10"}},
		{[]string{"10", "9", "x"}, []string{"10", "9", "x"}}, // not all are numbers
		{[]string{"10", "9", "1.5"}, []string{"1.5", "10", "9"}},
		{[]string{"2", "02", "+2"}, []string{"+2", "02", "2"}}, // of equals, by bytes
		{[]string{"0", "-0", "-1", "1"}, []string{"-1", "-0", "0", "1"}},
		// beyond 64 bits
		{[]string{"100000000000000000000", "99999999999999999999"}, []string{"99999999999999999999",
			"100000000000000000000"}},
	} {
		got := slices.Clone(c.names)
		slices.SortFunc(got, Order(got))
		if !slices.Equal(got, c.want) {
			t.Errorf("%q sorted: %q, want %q", c.names, got, c.want)
		}
	}
}
