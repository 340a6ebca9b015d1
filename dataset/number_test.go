package dataset

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		cell string
		want float64
		form form
	}{
		{"0", 0, exact}, {"-12", -12, exact}, {"+12", 12, exact}, {"007", 7, exact},
		{"1.5", 1.5, exact}, {".5", .5, exact}, {"5.", 5, exact}, {"-.5e1", -5, exact},
		{"1e5", 1e5, exact}, {"1E+5", 1e5, exact}, {"1e-5", 1e-5, exact},
		{"1.7976931348623157e308", math.MaxFloat64, exact}, {"5e-324", 5e-324, exact},
		{"1.8e308", math.Inf(1), huge}, {"-1e400", math.Inf(-1), huge},
		{"1e-400", 0, tiny}, {"0.0e-400", 0, exact}, {"0e1", 0, exact}, {"2e-324", 0, tiny},
		{"9007199254740992", 1 << 53, exact}, {"9007199254740993", 1 << 53, rounded}, {"-9007199254740993", -1 << 53, rounded},
		{"00000000000000000001", 1, exact}, {"1152921504606846976", 1 << 60, exact}, {"1152921504606846977", 1 << 60, rounded},
		{"9007199254740993.0", 1 << 53, exact}, // not written as a whole number
		{"", 0, word}, {"+", 0, word}, {".", 0, word}, {"-.", 0, word}, {"e5", 0, word}, {"1e", 0, word}, {"1e+", 0, word},
		{"1 2", 0, word}, {"1.2.3", 0, word}, {"--1", 0, word}, {"1e5.0", 0, word}, {"0x1p-2", 0, word}, {"0x10", 0, word},
		{"1_000", 0, word}, {"1,5", 0, word}, {"nan", 0, word}, {"NaN", 0, word}, {"inf", 0, word}, {"-Infinity", 0, word},
		{"١", 0, word}, {"1f", 0, word}, {"$1", 0, word}, {"5%", 0, word},
	} {
		if v, form := parseNumber(c.cell); v != c.want || form != c.form {
			t.Errorf("parseNumber(%q) = %v, %d, want %v, %d", c.cell, v, form, c.want, c.form)
		}
	}
}

func TestLooksNumeric(t *testing.T) {
	for cell, want := range map[string]bool{
		"3,14": true, "-3,14": true, ",5": true, "3,1e5": true, "1,234": true, "1,234,567.8": true, "1'234": true, "1’234": true,
		"1 234": true, "1\u00a0234": true, "1\u202f234,5": true, "1.234,56": true, "1.234.567,8": true, "1_000": true,
		"١٢": true, "２.５": true, "1２": true,
		"": false, "a": false, "1-2": false, "2020-01-31": false, "1.2.3": false, "10.0.0.1": false, "1,2,3": false,
		"12 34": false, "1a": false, "a,5": false, "nan": false, "0x10": false, ",": false, "٫": false,
	} {
		if got := looksNumeric(cell); got != want {
			t.Errorf("looksNumeric(%q) = %v", cell, got)
		}
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
		if got := string(appendNumber(nil, c.v)); got != c.want {
			t.Errorf("appendNumber(%v) = %s, want %s", c.v, got, c.want)
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
		text := string(appendNumber(nil, v))
		if got, form := parseNumber(text); got != v || form != exact {
			t.Fatalf("seed %d: %v is written %s and read %v, %d", seed, v, text, got, form)
		}
	}
}

// ParseFloat takes more than the plain decimal syntax; what both take they must agree upon.
func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"1", "-.5e1", "1e400", "1e-400", "0x1p-2", "1_0", "inf", "9007199254740993", "1e+", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, form := parseNumber(s)
		want, err := strconv.ParseFloat(s, 64)
		plain := s != "" && strings.Trim(s, "0123456789+-.eE") == "" && (err == nil || math.IsInf(want, 0))
		if plain != (form != word) {
			t.Errorf("parseNumber(%q) = %v, %d, ParseFloat %v, %v", s, v, form, want, err)
		}
		if plain && v != want {
			t.Errorf("parseNumber(%q) = %v, want %v", s, v, want)
		}
	})
}

func TestFlag(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"age", "--x age"}, {"home town", "--x 'home town'"}, {"it's", `--x 'it'\''s'`}, {"", "--x ''"},
		{"$HOME", "--x '$HOME'"}, {"a\nb", "--x COL"}, {strings.Repeat("a", 65), "--x COL"}, {"größe", "--x 'größe'"},
	} {
		if got := flag("x", c.value, "COL"); got != c.want {
			t.Errorf("flag(%q) = %s, want %s", c.value, got, c.want)
		}
	}
}

func TestSuggest(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"clas", []string{"x", "class", "klass"}, `did you mean "class"?`},
		{"CLASS", []string{"x", "class"}, `did you mean "class"?`},
		{"amount_eur", []string{"amount_usd", "amount", "amount_gbp", "amount_eu", "hour"}, `did you mean "amount_eu", "amount_usd", "amount_gbp"?`},
		{"q", []string{"x", "y"}, `there is "x", "y"`},
		{"zz", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}, `there is "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", and 2 more`},
		{long, []string{"x"}, `there is "x"`},
		{long, []string{long[1:]}, `there is "` + long[:64] + `"`},
	} {
		if got := suggest(c.name, c.known); got != c.want {
			t.Errorf("suggest(%.20q) = %s, want %s", c.name, got, c.want)
		}
	}
	// Source: by hand.
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"größe", "grosse", 3}, {"abc", "abc", 0}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%s, %s) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
