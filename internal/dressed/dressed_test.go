package dressed

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

func TestParse(t *testing.T) {
	below := func(v float64) float64 { return math.Nextafter(v, math.Inf(-1)) }
	above := func(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
	for _, c := range []struct {
		cell, unit string
		want       float64 // NaN: no such number
	}{
		{"70kg", "kg", 70}, {"70.5 kg", "kg", 70.5}, {"70", "kg", 70}, {"70 lb", "kg", math.NaN()}, {"-3 °C", "°C", -3},
		{"70 Kg", "kg", 70}, {"5 MW", "mW", math.NaN()}, {"5 MHz", "mHz", math.NaN()}, {"1 year", "years", 1},
		{"5 %", "%", 5}, {"5%", "%", 5}, {"€5", "€", 5}, {"EUR5", "EUR", 5}, {"5 EUR", "EUR", 5}, {"$5", "€", math.NaN()},
		{"-$1,234.50", "$", -1234.5}, {"$1.3k", "$", 1300}, {"1.3k", None, 1300}, {"2M", None, 2e6}, {"950", None, 950},
		{"~40", None, 40}, {"<5", None, below(5)}, {"< 1 year", "years", below(1)}, {"10+ years", "years", above(10)},
		{">= 3", None, 3}, {"12 mg/dL", "mg/dL", 12}, {"1e3 Pa", "Pa", 1000}, {"1st", None, math.NaN()},
		{"12x", "x", 12}, {"120/80", None, math.NaN()}, {"kg", "kg", math.NaN()}, {"", "kg", math.NaN()},
		{"15:11", "min", 911}, {"15:11", "h", 15 + 11.0/60}, {"15:11:30", "s", 54690}, {"3:00 PM", "min", 900},
		{"12:30 AM", "min", 30}, {"12 p.m.", "h", 12}, {"0 h 45 min", "min", 45}, {"1h30m", "min", 90},
		{"2 days 12:30:00", "h", 60.5}, {"-1 days +23:00:00", "h", -1}, {"PT67M", "min", 67}, {"P1DT2H", "h", 26},
		{"45 min", "min", 45}, {"2 h", "min", 120}, {"45", "min", 45}, {"25:99", "min", math.NaN()}, {"min", "min", math.NaN()},
		{"1:30.5", "s", 90.5},
		{"15:11 PM", "min", math.NaN()}, {"P", "min", math.NaN()}, {"5 min 2 h", "min", math.NaN()},
	} {
		got, form := Parse(c.cell, c.unit, '.')
		if form == csvtext.Word {
			got = math.NaN()
		}
		if got != c.want && !(got != got && c.want != c.want) {
			t.Errorf("%q in %q is %v, want %v", c.cell, c.unit, got, c.want)
		}
	}
	if got, _ := Parse("1,5 kg", "kg", ','); got != 1.5 {
		t.Errorf("1,5 kg with a decimal comma is %v", got)
	}
}

func TestOf(t *testing.T) {
	var many, clocks, pairs, sizes, laps, feet, both, codes []string
	for i := range 30 {
		d := string(rune('0' + i%10))
		many = append(many, "1"+d+"."+string(rune('0'+i/10))+"kg")
		clocks = append(clocks, "1"+d+":"+string(rune('0'+i/10))+d)
		pairs = append(pairs, "12"+d+"/8"+string(rune('0'+i/10)))
		laps = append(laps, d+":4"+string(rune('0'+i/10))+".5")
		feet = append(feet, "5'"+d+`"`, "6'"+d)
		both = append(both, "7"+d+[]string{"kg", " lb"}[i/10%2])
		codes = append(codes, "1"+d+string(rune('A'+i))+"X")
		sizes = append(sizes, "3."+d+" x 4."+string(rune('0'+i/10)))
	}
	for _, c := range []struct {
		texts []string
		unit  string // "" for nothing, "2" for pairs
	}{
		{many, "kg"}, {append([]string{"unknown"}, many...), "kg"}, {clocks, "min"}, {pairs, "2"}, {sizes, "2"},
		{laps, "min"}, {feet, "2"}, {both, "several"}, {codes, ""},
		{[]string{"12 mg", "7.5 mg"}, "mg"}, {[]string{"36 months", "60 months"}, "months"}, {[]string{"1 year", "4 years"}, ""},
		{[]string{"< 1 year", "1 year", "2 years", "3 years", "10+ years"}, "year"}, {[]string{"€5", "€7.50", "€9"}, "€"},
		{[]string{"EUR5", "EUR7"}, "EUR"}, {[]string{"5 %", "7 %"}, "%"}, {[]string{"1.3k", "2k", "2.5M"}, None},
		{[]string{"~40", "~50", "~60", "~70", "~80"}, None}, {[]string{"<1", "<2", "<3", "<4", "<5.5"}, None},
		{[]string{"$1k", "$900", "$1.5k"}, "$"}, {[]string{"0 h 45 min", "1 h 5 min"}, "min"}, {[]string{"PT5M", "PT1H"}, "min"},
		{[]string{"3:00 PM", "4:15 PM"}, "min"}, {[]string{"2 h", "45 min", "30 min"}, "min"}, {[]string{"5.2ms", "6ms", "7ms"}, "ms"},
		{[]string{"1st", "2nd", "3rd"}, ""}, {[]string{"1a", "2a", "3a"}, ""}, {[]string{"A11", "A12"}, ""},
		{[]string{"10-19", "20-29"}, ""}, {[]string{"5 mg", "7 ml"}, ""}, {[]string{"one", "two"}, ""}, {[]string{"5 kg"}, ""},
		{[]string{"1/2", "1/4"}, ""}, {[]string{"10th", "11th", "HS-grad"}, ""}, {[]string{"<20", ">=60"}, ""}, {nil, ""},
	} {
		d, ok := Of(c.texts)
		unit := d.Unit
		if d.Mixed {
			unit = "several"
		}
		if d.Pairs {
			unit = "2"
		}
		if unit != c.unit || ok != (c.unit != "") {
			t.Errorf("%.60q wear %q, want %q", c.texts, unit, c.unit)
		}
	}
}
