package scores

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
)

// A map of shares refuses what is none, with what it is likely to be; other maps are warned of.
func TestScale(t *testing.T) {
	series := func(low, high float64) (all []float64) {
		for i := range 21 {
			all = append(all, low+float64(i)*(high-low)/20)
		}
		return all
	}
	shares, odds, points := &Range{0.02, 0.97}, &Range{-6, 5}, &Range{1, 99}
	for name, c := range map[string]struct {
		fitted       *Range
		given        []float64
		fault, warns string
	}{
		"shares":                    {shares, series(0, 1), "", ""},
		"percentages":               {shares, series(0.5, 99), "percentages, divide by 100", ""},
		"bytes":                     {shares, series(0, 255), "0 to 255, divide by 255", ""},
		"log odds":                  {shares, series(-4, 3), "log odds x, give 1/(1+exp(-x))", ""},
		"small negative ones":       {shares, series(-0.2, 0.4), "log odds", ""},
		"thousands":                 {shares, series(0, 4000), "fit a map on scores of this scale", ""},
		"a share that is rounded":   {shares, []float64{0.5, 1 + 1e-12}, "", ""},
		"log odds as fitted":        {odds, series(-7, 6), "", ""},
		"shares for log odds":       {odds, series(0.01, 0.99), "", "are these shares or probabilities"},
		"shares for percentages":    {points, series(0.01, 0.99), "", "have these been divided by 100"},
		"far outside":               {odds, series(-300, 200), "", "is a guess"},
		"one far outside":           {odds, append(series(-5, 5), 200), "", ""},
		"few, which may all be low": {points, []float64{0.5, 0.7}, "", ""},
		"a file that does not know": {nil, series(-5, 500), "", ""},
	} {
		s := Scale{fitted: c.fitted}
		for _, v := range c.given {
			s.add(v)
		}
		fault := ""
		if err := s.Err("s.csv"); err != nil {
			fault = err.Error()
		}
		warned := ""
		for _, w := range s.Warnings("s.csv") {
			warned += w.Error()
		}
		if (fault == "") != (c.fault == "") || !strings.Contains(fault, c.fault) || (warned == "") != (c.warns == "") ||
			!strings.Contains(warned, c.warns) {
			t.Errorf("%s: fault %q, warning %q; want %q, %q", name, fault, warned, c.fault, c.warns)
		}
	}
}

// Files of maps without a range are read for ever; of those that take logarithms of shares the scale is known.
func TestMapsWithoutRange(t *testing.T) {
	for text, known := range map[string]bool{
		`{"kind":"sigmoid","a":-2,"b":1,"logit":true}`:                       true,
		`{"kind":"sigmoid","a":-2,"b":1,"logit":false}`:                      false,
		`{"kind":"beta","a":1,"b":1,"c":0}`:                                  true,
		`{"kind":"isotonic","score":[0.1,0.9],"value":[0,1],"linear":false}`: false,
	} {
		m, err := ReadMap(strings.NewReader(`{"schema_version":1,"kind":"rfpragma calibration","classes":["a","b"],"score":"s",`+
			`"method":"platt","maps":{"maps":[`+text+`]}}`), "m.json")
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := m.fittedOn() != nil; got != known {
			t.Errorf("%s: the scale is known: %v", text, got)
		}
	}
	for _, wrong := range []string{`{"low":2,"high":1}`, `{"low":null,"high":-1}`} {
		_, err := ReadMap(strings.NewReader(`{"schema_version":1,"kind":"rfpragma calibration","classes":["a","b"],"score":"s",`+
			`"range":`+wrong+`,"method":"platt","maps":{"maps":[{"kind":"sigmoid","a":-2,"b":1,"logit":true}]}}`), "m.json")
		if err == nil {
			t.Errorf("a range of %s is read", wrong)
		}
	}
	if (&Map{Maps: calib.Set{}}).fittedOn() != nil {
		t.Error("votes have a range")
	}
}
