package pragma_test

import (
	"cmp"
	"errors"
	"testing"

	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// decided returns the matrix of 10 ill, 8 of them found, and 90 well, 12 of them alarmed.
func decided() *vote.Confusion {
	m := vote.NewConfusion([]string{"ill", "well: \"so\""})
	if err := m.Fill([]float64{8, 2, 12, 78}); err != nil {
		panic(err)
	}
	return m
}

func TestFloors(t *testing.T) {
	m := decided()
	for _, tc := range []struct {
		text           string
		value, missing float64 // by hand
	}{
		{"ill:recall>=0.9", 0.8, 0.1},
		{"ill:recall >= 0.75", 0.8, 0},
		{"ill:precision>=0.5", 0.4, 0.1},
		{"ill:fpr<=0.1", 12. / 90, 12./90 - 0.1},
		{"ill:alerts<=25/100", 0.2, 0},
		{"ill:alerts<=0.1", 0.2, 0.1},
		{"ill:sensitivity>=0.9", 0.8, 0.1},
		{"ill:PPV >= 0.5", 0.4, 0.1},
		{"ill:tpr>=80%", 0.8, 0},
		{"ill:alarms<=25/100", 0.2, 0},
		{"ill:false positive rate<=0.1", 12. / 90, 12./90 - 0.1},
		{`"well: \"so\"":recall>=1`, 78. / 90, 12. / 90},
	} {
		f, err := pragma.ParseFloor(tc.text, m.Classes)
		if err != nil {
			t.Errorf("%s: %v", tc.text, err)
			continue
		}
		if v, ok := f.Value(m); !ok || !near(v, tc.value) || !near(f.Missing(m)+1, tc.missing+1) {
			t.Errorf("%s: the figure is %v, %v; %v are missing; want %v, %v", tc.text, v, ok, f.Missing(m), tc.value, tc.missing)
		}
		if again, err := pragma.ParseFloor(f.Text(m.Classes), m.Classes); err != nil || again != f {
			t.Errorf("%s: read back from %s as %+v, %v", tc.text, f.Text(m.Classes), again, err)
		}
	}
}

// A floor of a group counts the rows of that group alone; where they are not counted, nobody knows whether it is kept.
func TestFloorOfSlice(t *testing.T) {
	north, odd := vote.Slice{Column: "region", Value: "north"}, vote.Slice{Column: "e=mc@2", Value: ""}
	m := vote.NewConfusion(decided().Classes, north)
	if err := m.Merge(decided()); err != nil {
		t.Fatal(err)
	}
	if err := m.Slice(north).Fill([]float64{3, 1, 2, 10}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct {
		slice          vote.Slice
		written        string
		value, missing float64 // by hand
	}{
		"ill:recall>=0.9@region=north":         {north, "", 0.75, 0.15},
		"ill:recall >= 90% @ region = north ":  {north, "ill:recall>=90%@region=north", 0.75, 0.15},
		`ill:alerts<=1/10@"region"="north"`:    {north, "ill:alerts<=1/10@region=north", 5. / 16, 5./16 - 0.1},
		`ill:recall>=0.9@"e=mc@2"=""`:          {odd, "", 0, 0},
		`ill:precision>=0.9@"e=mc\x402" = "" `: {odd, `ill:precision>=0.9@"e=mc@2"=""`, 0, 0},
	} {
		f, err := pragma.ParseFloor(text, m.Classes)
		if err != nil || f.Slice != want.slice {
			t.Errorf("%s: %+v, %v", text, f, err)
			continue
		}
		if written := f.Text(m.Classes); written != cmp.Or(want.written, text) {
			t.Errorf("%s is written %s", text, written)
		}
		v, ok := f.Value(m)
		if ok != (want.slice == north) || !near(v+1, want.value+1) || !near(f.Missing(m)+1, want.missing+1) {
			t.Errorf("%s: %v, %v, missing %v", text, v, ok, f.Missing(m))
		}
		if loss := pragma.Within(pragma.Accuracy, f).Loss(m); (loss == loss) != (want.slice == north) {
			t.Errorf("%s: loss %v", text, loss)
		}
	}
}

// What is so many of so many is told so, and a percentage as one.
func TestFloorAsTyped(t *testing.T) {
	for _, tc := range []struct{ text, want, figure string }{
		{"ill:alerts<=50/10000", "ill:alerts<=50/10000", "63/10000"},
		{"ill:alerts<= 50 / 10000 ", "ill:alerts<=50/10000", "63/10000"},
		{"ill:alerts<=0.15", "ill:alerts<=0.15", "0.0063"},
		{"ill:recall>=9/10", "ill:recall>=9/10", "0.06/10"},
		{"ill:alerts<=1.1 %", "ill:alerts<=1.1%", "0.63%"},
	} {
		f, err := pragma.ParseFloor(tc.text, decided().Classes)
		if err != nil {
			t.Fatal(err)
		}
		if got, figure := f.Text(decided().Classes), offer.FigureText(f, 0.0063); got != tc.want || figure != tc.figure {
			t.Errorf("%s: %s and %s, want %s and %s", tc.text, got, figure, tc.want, tc.figure)
		}
	}
}

// A figure is shown with no more digits than tell it from the limit.
func TestFloorFigure(t *testing.T) {
	f, err := pragma.ParseFloor("ill:alerts<=60/260", decided().Classes)
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[float64]string{44.2: "44/260", 59.94: "59.9/260", 60: "60/260", 60.01: "60.01/260",
		60.4: "60.4/260", 5.25: "5.2/260", 0.26: "0.3/260"} {
		if got := offer.FigureText(f, value/260); got != want {
			t.Errorf("%v: %s, want %s", value, got, want)
		}
	}
}

// What cannot be computed is no floor missed: nobody is alarmed in vain where nobody is.
func TestFloorsWithoutRows(t *testing.T) {
	m := vote.NewConfusion([]string{"ill", "well"})
	for _, text := range []string{"ill:recall>=1", "ill:precision>=1", "ill:fpr<=0", "ill:alerts<=0"} {
		f, err := pragma.ParseFloor(text, m.Classes)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := f.Value(m); ok || v != 0 || f.Missing(m) != 0 {
			t.Errorf("%s of no rows: %v, %v, missing %v", text, v, ok, f.Missing(m))
		}
	}
}

// A class may be called by a comparison, as those of an income are; its name is told from what is compared before
// the classes are known, too.
func TestFloorOfComparison(t *testing.T) {
	classes := []string{"<=50K", ">50K"}
	for class, text := range map[int]string{0: `"<=50K":recall>=0.9`, 1: ">50K:recall>=0.9"} {
		got, err := pragma.ParseFloor(text, classes)
		if _, soon := pragma.ParseFloor(text, nil); err != nil || soon != nil || got.Class != class ||
			got.Text(classes) != text {
			t.Errorf("%s: %+v, %v, %v", text, got, err, soon)
		}
	}
}

func TestFloorErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "character 1: the name of a class is missing; write CLASS:recall>=0.9",
		"recall=0.9":       `the class is missing; write CLASS:recall>=0.9 with one of the classes "ill", "well"`,
		"ill recall = 0.9": "a colon is missing; write ill:recall>=0.9",
		"il:recall>=1":     `unknown class "il"; known are "ill", "well"; did you mean "ill"?`,
		"ill":              "character 4: a colon and a figure are missing; write CLASS:recall>=0.9",
		"ill:recall": "character 5: recall has no limit; write 'ill:recall>=0.9', in quotes on a command line, " +
			"as a shell takes > and what follows it for a file to write",
		"ill: alerts ": "character 5: alerts has no limit; write 'ill:alerts<=50/10000', in quotes on a command " +
			"line, as a shell takes > and what follows it for a file to write",
		"ill:recal":              `character 5: "recal" has no >= or <=; write CLASS:recall>=0.9 or CLASS:alerts<=50/10000`,
		"ill:recall>0.9":         "character 5: recall takes >=; write ill:recall>=0.9",
		"ill:recall < 0.9":       "character 5: recall takes >=; write ill:recall>=0.9",
		"ill:recall=0.9":         "character 5: recall takes >=; write ill:recall>=0.9",
		"ill:recall==90%":        "character 5: recall takes >=; write ill:recall>=90%",
		"ill:recall=>0.9":        "character 5: recall takes >=; write ill:recall>=0.9",
		"ill:recall≥0.9":         "character 5: recall takes >=; write ill:recall>=0.9",
		"ill:recall 0.9":         "character 5: recall takes >=; write ill:recall>=0.9",
		"ill:alerts<50/10000":    "character 5: alerts takes <=; write ill:alerts<=50/10000",
		"ill:fpr = 0.01":         "character 5: fpr takes <=; write ill:fpr<=0.01",
		"ill:sensitivity>80%":    "character 5: recall takes >=; write ill:recall>=80%",
		"ill:specificity = 0.95": `character 5: "specificity" is 1 - fpr here; write ill:fpr<=0.05`,
		"ill:recall>=": "character 5: recall has no limit; write 'ill:recall>=0.9', in quotes on a command line, " +
			"as a shell takes > and what follows it for a file to write",
		">50K:recall>=0.9":       `unknown class ">50K"; known are "ill", "well"; use one of them`,
		"<=50K:recall>=0.9":      `a name with one of :;,=" in it is quoted; write '"<=50K":recall>=0.9' on a command line`,
		"ill:Specificity>=95%":   `character 5: "Specificity" is 1 - fpr here; write ill:fpr<=0.05`,
		"ill:miss rate<=0.1":     `character 5: "miss rate" is 1 - recall here; write ill:recall>=0.9`,
		"ill:specificity>=95 of": `character 5: "95 of" is not a number; write digits, with a point if need be`,
		"ill:npv>=0.99":          `character 5: "npv" is, of two classes, the precision of the other; write well:precision>=0.99`,
		"ill:acute:recall>=0.9":  `character 5: unknown figure "acute:recall"; if the class is called "ill:acute", write '"ill:acute":recall>=0.9'`,
		"ill:recal>=0.9":         `character 5: unknown figure "recal"; known are "recall", "precision", "fpr", "alerts"; did you mean "recall"?`,
		"ill:recall<=0.9":        "character 5: recall takes >=; write ill:recall>=0.9",
		"ill:fpr>=0.1":           "character 5: fpr takes <=; write ill:fpr<=0.1",
		"ill:recall>=90":         "character 13: the limit 90 looks like a percentage; write 90% or 0.9",
		"ill:recall>=190": "character 13: the limit 190 is not between 0 and 1; write a share such as 0.9, or " +
			"50/10000",
		"ill:recall>=NaN":       `character 13: "NaN" is not a number; write digits, with a point if need be`,
		"ill:recall>=0,9":       `character 13: "0,9" is not a number; write the number with a point before its decimals, and no mark between thousands`,
		"ill:alerts<=0,5%":      `character 13: "0,5%" is not a number; write the number with a point before its decimals, and no mark between thousands`,
		"ill:alerts<=50/10,000": `character 13: "10,000" is not a number; write the number with a point before its decimals, and no mark between thousands`,
		"ill:alerts<=50":        "character 13: 50 of how many rows? write such as 50/10000",
		"ill:alerts<=600":       "character 13: 600 of how many rows? write such as 600/10000",
		"ill:alarms<=50":        "character 13: 50 of how many rows? write such as 50/10000",
		"ill:alerts<=500%": "character 13: the limit 500% is not between 0 and 1; write a share such as 0.9, or " +
			"50/10000",
		"ill:alerts<=50/0":       `character 13: "0" is no number above 0; write 50/10000`,
		"ill:alerts<=50/many":    `character 13: 50 of how many rows? write their number in place of "many", such as 50/10000`,
		"ill:alerts<=300/month":  `character 13: 300 of how many rows? write their number in place of "month", such as 300/10000`,
		"ill:alerts<=50/10.000":  `character 13: "10.000" may be 10 or 10000; write the one that is meant`,
		"ill:alerts<=1.500/9000": `character 13: "1.500" may be 1.5 or 1500; write the one that is meant`,
		"ill:recall>=900%": "character 13: the limit 900% is not between 0 and 1; write a share such as 0.9, or " +
			"50/10000",
		"ill:recall>=0.9@": `character 17: the column of a group is missing behind @; write such as @region=north, and ` +
			`quote a name with one of :;,="@ in it`,
		"ill:recall>=0.9@region": `character 23: the value of a group is missing behind @; write such as @region=north, ` +
			`and quote a name with one of :;,="@ in it`,
		"ill:recall>=0.9@region=a,b": `character 25: this is too much behind the value of a group; write such as ` +
			`@region=north, and quote a name with one of :;,="@ in it`,
		`ill:recall>=0.9@""=north`: `character 17: the column of a group has no name; write such as @region=north, and ` +
			`quote a name with one of :;,="@ in it`,
		"ill:recal>=0.9@a=b": `character 5: unknown figure "recal"; known are "recall", "precision", "fpr", "alerts"; ` +
			`did you mean "recall"?`,
		"recall>=0.9@a=b":    `the class is missing; write CLASS:recall>=0.9 with one of the classes "ill", "well"`,
		"ill:alerts<=5%/100": `character 13: "5%" is not a number; write digits, with a point if need be`,
		">=":                 "the class is missing; write CLASS:recall>=0.9 or CLASS:alerts<=50/10000",
		"alerts<=50/10000":   `the class is missing; write CLASS:alerts<=50/10000 with one of the classes "ill", "well"`,
		"recall > 0.9":       `the class is missing; write CLASS:recall>=0.9 with one of the classes "ill", "well"`,
		"ill recall>=0.9":    "a colon is missing; write ill:recall>=0.9",
		"il recall>=0.9":     `unknown class "il recall"; known are "ill", "well"; use one of them`,
		"ill>=0.9":           `it is not said what of class "ill"; write ill:recall>=0.9 or ill:precision>=0.9`,
		"ill < 0.1":          `it is not said what of class "ill"; write ill:fpr<=0.1 or ill:alerts<=0.1`,
		"ill:>=0.9":          `character 5: it is not said what of class "ill"; write ill:recall>=0.9 or ill:precision>=0.9`,
		"il>=0.9":            `unknown class "il"; known are "ill", "well"; did you mean "ill"?`,
	} {
		_, err := pragma.ParseFloor(text, []string{"ill", "well"})
		var spec *pragma.SpecError
		if !errors.As(err, &spec) || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNegativePredictiveValueOfSeveralClasses(t *testing.T) {
	want := `character 10: "NPV" is, of two classes, the precision of the other; of these 3 make two, by --positive 'very ill' or --merge-labels, and write OTHER:precision>=99%`
	if _, err := pragma.ParseFloor("very ill:NPV>=99%", []string{"ill", "very ill", "well"}); err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Before the classes are known the text is checked.
func TestFloorWithoutClasses(t *testing.T) {
	for text, want := range map[string]string{
		"ill:recall>=0.9":  "",
		">= 0.9":           "the class is missing; write CLASS:recall>=0.9 or CLASS:alerts<=50/10000",
		"alerts<=50/10000": "the class is missing; write CLASS:alerts<=50/10000",
		"ill recall>=0.9":  "a colon is missing; write ill:recall>=0.9",
		"ill>=0.9":         `it is not said what of class "ill"; write ill:recall>=0.9 or ill:precision>=0.9`,
		"ill":              "character 4: a colon and a figure are missing; write CLASS:recall>=0.9",
		"ill:npv>=0.99":    `character 5: "npv" is, of two classes, the precision of the other; write OTHER:precision>=0.99`,
	} {
		if _, err := pragma.ParseFloor(text, nil); (err != nil || want != "") && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Any decisions within the floors are better than any beyond, and of those the nearer ones.
func TestWithin(t *testing.T) {
	f := pragma.Floor{Class: 0, What: pragma.RecallFloor, Limit: 0.9}
	m := pragma.Within(pragma.Accuracy, f)
	missed, nearer, within := decided(), decided(), decided()
	if err := nearer.Fill([]float64{8.5, 1.5, 90, 0}); err != nil {
		panic(err)
	}
	if err := within.Fill([]float64{9, 1, 90, 0}); err != nil {
		panic(err)
	}
	a, b, c := m.Loss(missed), m.Loss(nearer), m.Loss(within)
	if !(a > b && b > c) || c != pragma.Accuracy.Loss(within) {
		t.Errorf("losses %v, %v, %v", a, b, c)
	}
	if pragma.Within(pragma.Accuracy) != nil && pragma.Within(pragma.Accuracy).Loss(missed) != pragma.Accuracy.Loss(
		missed) {
		t.Error("no floors change the measure")
	}
}

// Whatever is read as a floor is read back the same from its text; nothing panics.
func FuzzParseFloor(f *testing.F) {
	for _, text := range []string{"ill:recall>=0.9", `"well: \"so\"":fpr<=1e-3`, "ill:alerts<=50/10000",
		"ill:alerts<=1e3/0x10p8", "ill:precision>=.2", "ill:recall>=0x1p-2", ":recall>=1", "ill:recall>=1@a=b",
		`ill:recall>=1@"@"=""`} {
		f.Add(text)
	}
	classes := decided().Classes
	f.Fuzz(func(t *testing.T, text string) {
		floor, err := pragma.ParseFloor(text, classes)
		if err != nil {
			var spec *pragma.SpecError
			if !errors.As(err, &spec) {
				t.Fatalf("%q: %v is no SpecError", text, err)
			}
			return
		}
		if !(floor.Limit >= 0 && floor.Limit <= 1) {
			t.Fatalf("%q: limit %v", text, floor.Limit)
		}
		if again, err := pragma.ParseFloor(floor.Text(classes), classes); err != nil || again != floor {
			t.Fatalf("%q: %s is read as %+v, %v", text, floor.Text(classes), again, err)
		}
		floor.Missing(decided())
	})
}

// So many of so many rows are whole from 10 on, have two digits below and one below 1, but where rounding would put
// them on the limit or beyond.
func TestFigure(t *testing.T) {
	f := pragma.Floor{What: pragma.Alerts, Limit: 0.05, Typed: "500/10000"}
	for _, tc := range []struct {
		value float64
		want  string
	}{{0.01824, "182/10000"}, {0.05, "500/10000"}, {0.05004, "500.4/10000"}, {0.04996, "499.6/10000"},
		{0.00063, "6.3/10000"}, {0.0004864, "4.9/10000"}, {0.00097, "9.7/10000"}, {0.00001234, "0.1/10000"}} {
		if got := offer.FigureText(f, tc.value); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.value, got, tc.want)
		}
	}
	f.Limit, f.Typed = 0.00049, "4.9/10000"
	if got := offer.FigureText(f, 0.0004864); got != "4.86/10000" {
		t.Errorf("beside 4.9/10000 a bit less is %s", got)
	}
}
