package verb

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/view"
)

// laterRows are rows of several years, of which a and b tell the class in each, and besides what more says of a row
// of that year, with the cell of its column m.
func laterRows(years int, more func(rng *rand.Rand, year int, i int) (cell, logit float64)) string {
	const n = 3600
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("year,a,b,m,class\n")
	for i := range n {
		year := i * years / n
		a, b := rng.NormFloat64(), rng.NormFloat64()
		cell, logit := more(rng, year, i)
		class := "good"
		if rng.Float64() < 1/(1+math.Exp(2.5-float64(0.8*a)-float64(0.6*b)-logit)) {
			class = "bad"
		}
		fmt.Fprintf(&text, "%d,%.3f,%.3f,%g,%s\n", 2000+year, a, b, cell, class)
	}
	return text.String()
}

// Named is what helps out of bag alone: a month that stands for the contrary in the later year, without which later
// rows are ranked better, and a number that rises with the time, without which they are ranked as well. Not named is
// what tells nothing, what is worth the same each year, and what moves with the years and tells the class beside
// their mean.
func TestMemorised(t *testing.T) {
	skipFigures(t)
	luck := rand.New(rand.NewPCG(3, 5))
	effects := make([]float64, 120)
	for i := range effects {
		effects[i] = 1.6 * luck.NormFloat64()
	}
	for _, tc := range []struct {
		name  string
		years int
		more  func(rng *rand.Rand, year, i int) (cell, logit float64)
		want  bool // whether m is named
		gains bool // whether later rows are ranked better without it
	}{
		{"month", 2, func(rng *rand.Rand, year, _ int) (float64, float64) {
			month := rng.IntN(12)
			return float64(month + 1), effects[month] * float64(1-2*year)
		}, true, true},
		{"clock", 3, func(_ *rand.Rand, _, i int) (float64, float64) { return float64(i / 30), effects[i/30] }, true, false},
		{"nothing", 3, func(rng *rand.Rand, _, _ int) (float64, float64) { return rng.NormFloat64(), 0 }, false, false},
		{"season", 3, func(rng *rand.Rand, _, _ int) (float64, float64) {
			month := rng.IntN(12)
			return float64(month + 1), effects[month]
		}, false, false},
		{"inflation", 3, func(rng *rand.Rand, year, _ int) (float64, float64) {
			x := rng.NormFloat64()
			return x + float64(year), x
		}, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inFolder(t, map[string]string{"data.csv": laterRows(tc.years, tc.more)})
			var got view.Assessed
			line := "cv data.csv --time year --prefer bad --trees 200 --tune-forest off"
			if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &got); err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(got.Findings, func(f finding.Finding) bool { return f.Code == codes.ColumnMemorised })
			if (at >= 0) != tc.want {
				t.Fatalf("named: %v\n%+v", at >= 0, got.Findings)
			}
			if at < 0 {
				return
			}
			f := &got.Findings[at]
			if !slices.Equal(f.Columns, []string{"m"}) || f.Value("area")+0.02 > f.Value("area_out_of_bag") ||
				f.Value("area_without") > f.Value("area") != tc.gains {
				t.Errorf("%+v", f)
			}
			if shown := strings.Join(strings.Fields(must(t, line+" --details").stdout), " "); !strings.Contains(shown,
				"--ignore m") {
				t.Errorf("nothing to do about it:\n%s", shown)
			}
		})
	}
}
