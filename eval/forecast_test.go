package eval

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
)

// By hand: two blocks at 0 and 1 that chance moves by 1 count 1 and 2^(1/3), so 1.26/2.26 = 0.558 is expected. They
// are no further apart than chance makes them, which with the chance of one more and of their mean comes to a
// variance of 1 + (1 + 2^(2/3))/2.26² = 1.507, and Student's t of one degree is 12.71. Apart by 10 the squares are
// 50, and so is what is wider. What is known of blocks adds to both.
func TestNextBlock(t *testing.T) {
	mean := math.Cbrt(2) / (1 + math.Cbrt(2))
	chance := 1 + (1+math.Cbrt(4))/math.Pow(1+math.Cbrt(2), 2)
	for _, tc := range []struct {
		apart      float64
		known      scatter
		value, off float64
	}{
		{1, scatter{}, mean, 12.706 * math.Sqrt(chance)},
		{10, scatter{}, 10 * mean, 12.706 * math.Sqrt(50*chance)},
		{10, scatter{variance: 3, blocks: 2}, 10 * mean, 3.182 * math.Sqrt((2*4+50)/3.*chance)},
	} {
		value, off := nextBlock([]blockFigure{{0, 1}, {tc.apart, 1}}, tc.known)
		if math.Abs(value-tc.value) > 1e-9 || math.Abs(off/tc.off-1) > 1e-3 {
			t.Errorf("%+v: %v by %v, want %v by %v", tc, value, off, tc.value, tc.off)
		}
	}
	if _, off := nextBlock([]blockFigure{{1, 1}}, scatter{}); !math.IsInf(off, 1) {
		t.Errorf("of one block: %v", off)
	}
}

// The rows of a share are found again by its interval, at either end and where all or none are hits.
func TestRowsBehind(t *testing.T) {
	for _, hits := range []float64{0, 1, 25, 50, 99, 100} {
		share := hits / 100
		low, high := calib.Wilson(hits, 100, calib.Z95)
		if n := rowsBehind(&share, &[2]float64{low, high}); math.Abs(n-100) > 1e-6 {
			t.Errorf("%v of 100: %v", hits, n)
		}
	}
	if share := 0.5; rowsBehind(&share, nil) != 0 || rowsBehind(nil, nil) != 0 || rowsBehind(&share,
		&[2]float64{0, 1}) != 0 {
		t.Error("rows where there are none")
	}
}
