package memorised

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// twoYears are rows of two years, of which a tells the class in both, and m by the effect of its month, which in the
// second year is turned by a factor.
func twoYears(t *testing.T, turned float64) *dataset.Frame {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	effects := make([]float64, 12)
	for i := range effects {
		effects[i] = 1.6 * rng.NormFloat64()
	}
	var text strings.Builder
	text.WriteString("year,a,m,class\n")
	for i := range 2400 {
		year, month, a := i/1200, rng.IntN(12), rng.NormFloat64()
		logit := a - 2 + effects[month]*math.Pow(turned, float64(year))
		class := "good"
		if rng.Float64() < 1/(1+math.Exp(-logit)) {
			class = "bad"
		}
		fmt.Fprintf(&text, "%d,%.3f,%d,%s\n", 2000+year, a, month+1, class)
	}
	f, err := dataset.ReadCSV(strings.NewReader(text.String()), "years.csv", dataset.Options{Target: "class",
		Time: "year"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A month whose effect is turned in the later year misleads there, and is found; one whose effect stays is not.
func TestSearch(t *testing.T) {
	for turned, want := range map[float64][]string{-1: {"m"}, 1: nil} {
		f := twoYears(t, turned)
		blocks, err := f.Blocks(1)
		if err != nil {
			t.Fatal(err)
		}
		s := Search{Frame: f, Class: slices.Index(f.Classes, "bad"), Blocks: blocks, Grown: []int{1}, Weight: func(int, int) float64 { return 1 },
			Forest: forest.Config{Trees: MostTrees, Seed: 1, Workers: 1}}
		found, err := s.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		if found != nil {
			names = found.Names
		}
		if !slices.Equal(names, want) || found != nil && (found.Class != "bad" || found.Trees != MostTrees) {
			t.Errorf("effect times %v: %+v, want columns %v", turned, found, want)
		}
	}
}

// The mean of areas 0.9 of weight 3 and 0.5 of weight 1 is (2.7 + 0.5) / 4 = 0.8. With 100 rows each the variance of
// the sum is 9·0.9·0.1/100 + 0.5·0.5/100 = 0.0106, so that 0.8 lies 0.1·4/√0.0106 = 3.9 standard errors above a fixed
// 0.7.
func TestArea(t *testing.T) {
	var a, fixed area
	a.add(&rfpragma.Observed{Value: 0.9, Rows: 100}, 3)
	a.add(&rfpragma.Observed{Value: 0.5, Rows: 100}, 1)
	fixed.add(&rfpragma.Observed{Value: 0.7, Rows: math.Inf(1)}, 4)
	if math.Abs(a.mean()-0.8) > 1e-12 || !a.above(&fixed, 3.8) || a.above(&fixed, 4) || fixed.above(&a, 0) {
		t.Errorf("mean %v", a.mean())
	}
}
