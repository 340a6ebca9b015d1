package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/codes"
)

// laterRows are rows of several years, of which a and b tell the class in each, and besides what more says of a row of that year, with the cell of its column m.
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

// Named is what helps out of bag alone: a month that stands for the contrary in the later year, without which later rows are ranked better, and a number that rises with the time,
// without which they are ranked as well. Not named is what tells nothing, what is worth the same each year, and what moves with the years and tells the class beside their mean.
func TestByHeart(t *testing.T) {
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
		want  string
	}{
		{"month", 2, func(rng *rand.Rand, year, _ int) (float64, float64) {
			month := rng.IntN(12)
			return float64(month + 1), effects[month] * float64(1-2*year)
		}, "--ignore m, and see what cv then says; as these very rows chose the columns, that is a little too good."},
		{"clock", 3, func(_ *rand.Rand, _, i int) (float64, float64) { return float64(i / 30), effects[i/30] }, "so --ignore m loses little or nothing there."},
		{"nothing", 3, func(rng *rand.Rand, _, _ int) (float64, float64) { return rng.NormFloat64(), 0 }, ""},
		{"season", 3, func(rng *rand.Rand, _, _ int) (float64, float64) {
			month := rng.IntN(12)
			return float64(month + 1), effects[month]
		}, ""},
		{"inflation", 3, func(rng *rand.Rand, year, _ int) (float64, float64) {
			x := rng.NormFloat64()
			return x + float64(year), x
		}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inFolder(t, map[string]string{"data.csv": laterRows(tc.years, tc.more)})
			got := strings.Join(strings.Fields(must(t, "cv data.csv --time year --prefer bad --trees 200").stdout), " ")
			if named := strings.Contains(got, `The trees learn "m" by heart: `); named != (tc.want != "") || !strings.Contains(got, tc.want) {
				t.Errorf("no %q, or named in vain:\n%s", tc.want, got[strings.Index(got, "10,000 such rows"):])
			}
		})
	}
}

// Of several columns each has its flag, quoted where it must be.
func TestByHeartWords(t *testing.T) {
	const want = `The trees learn "a", "b c" by heart: that helps to rank the rows of "ill" out of bag, and not later ones. With them 100 trees come to a ROC-AUC of 0.83 out of bag and 0.70 on later rows, without to 0.80 there: add --ignore a --ignore 'b c', and see what cv then says; as these very rows chose the columns, that is a little too good.`
	h := &byHeart{class: "ill", columns: []string{"a", "b c"}, trees: 100, outOfBag: 0.83, with: 0.7, without: 0.8, gains: true}
	if f := h.finding(3); f.Code != codes.ColumnMemorised || f.Where.Blocks != 3 || f.Value("area_without") != 0.8 || len(f.Remedies) != 2 || f.Remedies[1].Column != "b c" {
		t.Errorf("%+v", f)
	}
	if f := (&byHeart{}).finding(3); f != nil {
		t.Errorf("nothing was found: %+v", f)
	}
	if got := h.words(); len(got) != 1 || got[0] != want {
		t.Errorf("%q", got)
	}
	if got := (*byHeart)(nil).words(); got != nil {
		t.Errorf("%q", got)
	}
	for _, tc := range []struct {
		of   *byHeart
		want string
	}{
		{nil, ""},
		{h, ""},
		{&byHeart{}, ""},
		{&byHeart{doubted: []string{"m"}}, `Later rows are not ranked worse than rows out of bag by more than chance: nothing shows that the trees learn "m" by heart.`},
		{&byHeart{class: "ill", doubted: []string{"m", "week"}}, `Later rows of "ill" are ranked worse than rows out of bag, but nothing shows that it is because the trees learn "m", "week" by heart.`},
	} {
		if got := strings.Join(tc.of.clears(), ""); got != tc.want || tc.of != h && tc.of.words() != nil {
			t.Errorf("%q, %q, want %q", got, tc.of.words(), tc.want)
		}
	}
}
