package calib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

func TestSampleErrors(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		prob           []float64
		hit            []bool
		weight, square []float64
		want           string
	}{
		{nil, nil, nil, nil, ErrNoRows.Error()},
		{[]float64{nan}, []bool{true}, []float64{0}, nil, ErrNoRows.Error()},
		{[]float64{.5}, nil, nil, nil, "judging: 1 probabilities, 0 labels, 0 weights and 0 squares; give equally many " +
			"(nil weights mean 1 each, nil squares one row each)"},
		{[]float64{.5}, []bool{true}, []float64{1, 1}, nil,
			"judging: 1 probabilities, 1 labels, 2 weights and 0 squares; give equally many (nil weights mean 1 each, nil " +
				"squares one row each)"},
		{[]float64{.5}, []bool{true}, nil, []float64{},
			"judging: 1 probabilities, 1 labels, 0 weights and 0 squares; give equally many (nil weights mean 1 each, nil " +
				"squares one row each)"},
		{[]float64{.5, nan}, []bool{true, true}, nil, nil,
			"judging: probability 1 is NaN; correct it to one in [0, 1], map it first if it is a score, or leave the row out"},
		{[]float64{1.5}, []bool{true}, nil, nil,
			"judging: probability 0 is 1.5; correct it to one in [0, 1], map it first if it is a score, or leave the row out"},
		{[]float64{.5}, []bool{true}, []float64{-1}, nil,
			"judging: weight 0 is -1; correct it to a finite number, 0 or more"},
		{[]float64{.5}, []bool{true}, []float64{nan}, nil,
			"judging: weight 0 is NaN; correct it to a finite number, 0 or more"},
		{[]float64{.5}, []bool{true}, []float64{inf}, nil,
			"judging: weight 0 is +Inf; correct it to a finite number, 0 or more"},
		{[]float64{.5}, []bool{true}, nil, []float64{0},
			"judging: square 0 is 0; correct it to the sum of the squared weights of the rows that the entry stands for"},
		{[]float64{.5}, []bool{true}, nil, []float64{inf},
			"judging: square 0 is +Inf; correct it to the sum of the squared weights of the rows that the entry stands for"},
		{[]float64{.5}, []bool{true}, nil, []float64{1e-16},
			"judging: square 0 is 1e-16 where the weight is 1, as of more than 1e+15 rows; correct it to the sum of their " +
				"squared weights"},
		{[]float64{.5, .6}, []bool{true, false}, []float64{9e14, 9e14}, nil,
			"judging: the weights sum to 1.8e+15, more than 1e+15; divide all by one number, so that they sum to about the " +
				"number of rows"},
		{[]float64{.5, .6}, []bool{true, false}, []float64{1e308, 1e308}, nil,
			"judging: the weights sum to +Inf, more than 1e+15; divide all by one number, so that they sum to about the " +
				"number of rows"},
	} {
		if _, err := NewSample(tc.prob, tc.hit, tc.weight, tc.square); err == nil || err.Error() != tc.want {
			t.Errorf("%v, %v, %v, %v: error %v, want %s", tc.prob, tc.hit, tc.weight, tc.square, err, tc.want)
		}
	}
	if _, err := NewSample(nil, nil, nil, nil); !errors.Is(err, ErrNoRows) {
		t.Error(err)
	}
}

func TestMinusZeroIsZero(t *testing.T) {
	minus := math.Copysign(0, -1)
	s := mustSample(t, []float64{minus, 0, minus}, []bool{true, false, false}, nil, nil)
	if len(s.cells) != 1 || math.Signbit(s.cells[0].prob) {
		t.Errorf("%+v", s.cells)
	}
}

// Of n random numbers about n·p are below p, in any count of 64 and also where p has few or
// very many digits. Six standard errors are allowed.
func TestDrawHits(t *testing.T) {
	race.SkipFigures(t)
	r := rand.New(rand.NewPCG(4, 4))
	for _, p := range []float64{0, 1e-9, .1, .25, 1. / 3, .5, .9, 1 - 1e-16, 1} {
		for _, n := range []int{1, 63, 64, 65, 1000} {
			const times = 3000
			sum, squares := 0.0, 0.0
			for range times {
				h := drawHits(r, p, n)
				if h < 0 || h > n {
					t.Fatalf("%d of %d at %g", h, n, p)
				}
				sum += float64(h)
				squares += (float64(h) - float64(n)*p) * (float64(h) - float64(n)*p)
			}
			variance := float64(n) * p * (1 - p)
			if math.Abs(sum/times-float64(n)*p) > 6*math.Sqrt(variance/times)+1e-9 {
				t.Errorf("mean of %d at %g is %g", n, p, sum/times)
			}
			if p >= .1 && p <= .9 && math.Abs(squares/times/variance-1) > .3 {
				t.Errorf("variance of %d at %g is %g, want %g", n, p, squares/times, variance)
			}
		}
	}
	// Very many rows: the deviation is that of all, not of those drawn.
	const rows = 1e12
	squares := 0.0
	for range 200 {
		off := drawShare(r, .3, rows) - .3
		squares += off * off
	}
	if got := squares / 200 / (.3 * .7 / rows); math.Abs(got-1) > .5 {
		t.Errorf("variance of many rows is %g of what it should be", got)
	}
}

func TestConsistency(t *testing.T) {
	for _, tc := range []struct {
		level     float64
		resamples int
		want      string
	}{
		{0, 9, "consistency band: level 0 from 9 resamples; choose a level between 0 and 1, such as 0.9, and at least one " +
			"resample"},
		{1, 9, "consistency band: level 1 from 9 resamples; choose a level between 0 and 1, such as 0.9, and at least one " +
			"resample"},
		{nan, 9, "consistency band: level NaN from 9 resamples; choose a level between 0 and 1, such as 0.9, and at least " +
			"one resample"},
		{.9, 0, "consistency band: level 0.9 from 0 resamples; choose a level between 0 and 1, such as 0.9, and at least " +
			"one resample"},
	} {
		if _, err := mustSample(t, []float64{.5}, []bool{true}, nil, nil).Consistency(t.Context(), tc.level, tc.resamples,
			1); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %s", err, tc.want)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mustSample(t, []float64{.5}, []bool{true}, nil, nil).Consistency(stopped, .9, 9, 1); !errors.Is(err,
		context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	// One probability: the share of 100 rows at .3 lies within .3 ± 1.645·√(.21/100) in 90 %.
	c, err := mustSample(t, []float64{.3, .3}, []bool{true, false}, []float64{30, 70}, []float64{30, 70}).Consistency(
		t.Context(), .9, 5000, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p := c.Points; len(p) != 1 || p[0].Prob != .3 || math.Abs(p[0].Low-.2246) > .011 ||
		math.Abs(p[0].High-.3754) > .011 || c.PValue != 1 {
		t.Errorf("one probability: %+v", c)
	}
	// Far off: no resample is as far.
	prob, hit := manyRows(2000)
	for i := range hit {
		hit[i] = !hit[i]
	}
	c, err = mustSample(t, prob, hit, nil, nil).Consistency(t.Context(), .5, 99, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(c.Points); n != 101 || c.PValue != .01 || c.Points[0].Prob > .01 || c.Points[100].Prob < .99 {
		t.Errorf("far off: %d points, %+v", n, c)
	}
	for i, p := range c.Points[1:] {
		if p.Prob <= c.Points[i].Prob || p.Low < c.Points[i].Low || p.High < c.Points[i].High {
			t.Errorf("the band falls at %+v", p)
		}
	}
}

func TestNetBenefit(t *testing.T) {
	s := mustSample(t, []float64{.2, .4, .4, .8}, []bool{false, true, false, true}, nil, nil)
	got, err := s.NetBenefit([]float64{.5, 0, .4, .2, .9})
	if err != nil {
		t.Fatal(err)
	}
	want := []Benefit{ // by hand
		{.5, .25, 0, .25},
		{0, .5, .5, 1},
		{.4, .5 - .25*2/3, .5 - .5*2/3, .75},
		{.2, .5 - .5/4, .5 - .5/4, 1},
		{.9, 0, .5 - .5*9, 0},
	}
	for i := range want {
		if !near(got[i].Model, want[i].Model, 1e-15) || !near(got[i].All, want[i].All, 1e-14) ||
			got[i].Decided != want[i].Decided || got[i].Threshold != want[i].Threshold {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
	if all, err := s.NetBenefit(nil); err != nil || len(all) != 99 || all[0].Threshold != .01 || all[98].Threshold != .99 {
		t.Errorf("by hundredths: %v, %v", all, err)
	}
	for _, bad := range []float64{-.1, 1, nan} {
		want := fmt.Sprintf("net benefit: threshold 1 is %g; choose thresholds of at least 0 and less than 1", bad)
		if _, err := s.NetBenefit([]float64{.5, bad}); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestPinball(t *testing.T) {
	target, forecast := []float64{1, 2, 4, nan}, []float64{2, 2, 1, 1}
	weight := []float64{1, 1, 2, 0}
	for _, tc := range []struct{ tau, want float64 }{ // by hand: off by −1, 0 and, twice, 3
		{0, 1. / 4}, {.25, (.75 + 6*.25) / 4}, {.5, 7. / 8}, {1, 6. / 4},
	} {
		if got := Pinball(target, forecast, weight, tc.tau); !near(got, tc.want, 1e-15) {
			t.Errorf("Pinball at %g is %g, want %g", tc.tau, got, tc.want)
		}
	}
	for _, got := range []float64{Pinball(nil, nil, nil, .5), Pinball(target, forecast, nil, .5), Pinball(target, forecast,
		weight, 1.1), Pinball(target, forecast, weight, nan)} {
		if !math.IsNaN(got) {
			t.Errorf("got %g, want NaN", got)
		}
	}
	// The loss of a constant is least at a quantile of that order.
	values := []float64{3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7, 9.3}
	loss := func(c, tau float64) float64 {
		all := make([]float64, len(values))
		for i := range all {
			all[i] = c
		}
		return Pinball(values, all, nil, tau)
	}
	for _, tc := range []struct{ tau, quantile float64 }{{.2, 2.6}, {.5, 4}, {.9, 9.3}} {
		for _, c := range values {
			if loss(c, tc.tau) < loss(tc.quantile, tc.tau) {
				t.Errorf("loss at %g: less for %g than for the quantile %g", tc.tau, c, tc.quantile)
			}
		}
	}
}

// The band and the p-value are those of isoreg and rbinom, see testdata/judging.R, but for
// chance: of 300 rows at 21 probabilities, and of 200 rows each at its own, of which every
// second is a point.
func TestConsistencyAgreesWithR(t *testing.T) {
	cases, bands, compared := judgingCases(t), map[string]Consistency{}, 0
	for _, row := range readCSV(t, "testdata/judging-band.csv") {
		band, known := bands[row[0]]
		if !known {
			var err error
			if band, err = mustSample(t, cases[row[0]].prob, cases[row[0]].hit, nil, nil).Consistency(t.Context(), .9, 4000,
				2); err != nil {
				t.Fatal(err)
			}
			bands[row[0]] = band
			if want := number(t, row[4]); math.Abs(band.PValue-want) > .04 {
				t.Errorf("%s: p-value %g, want about %g", row[0], band.PValue, want)
			}
		}
		prob, low, high := number(t, row[1]), number(t, row[2]), number(t, row[3])
		for _, p := range band.Points {
			if p.Prob != prob {
				continue
			}
			compared++
			if math.Abs(p.Low-low) > .05 || math.Abs(p.High-high) > .05 {
				t.Errorf("%s: %+v, want about %g and %g", row[0], p, low, high)
			}
		}
	}
	if compared != 122 {
		t.Errorf("%d points compared, want 122", compared)
	}
}
