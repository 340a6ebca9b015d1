package dataset

import (
	"math"
	"slices"
	"testing"
)

func sameBits(a, b Numbers) bool {
	return slices.EqualFunc(a.Append(nil), b.Append(nil),
		func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func TestNumbers(t *testing.T) {
	for _, tc := range []struct {
		name   string
		values []float64
		single bool // by hand: at most 24 significant bits, and in the range of float32
	}{
		{"none", []float64{}, true},
		{"small whole", []float64{-3, 0, 1 << 24}, true},
		{"halves", []float64{0.5, 1.25}, true},
		{"a tenth", []float64{0.1, 1}, false},
		{"a tenth as float32", []float64{float64(float32(0.1))}, true},
		{"25 bits", []float64{1<<24 + 1}, false},
		{"too large", []float64{1, 1e39}, false},
		{"largest", []float64{math.MaxFloat64}, false},
		{"least float32", []float64{math.SmallestNonzeroFloat32}, true},
		{"too small", []float64{math.SmallestNonzeroFloat32 / 2}, false},
	} {
		var coder Coder
		coded := coder.Code(&Column{Values: tc.values}).Distinct
		for _, n := range []Numbers{NumbersOf(slices.Clone(tc.values)), coded} {
			if (n.double == nil) != tc.single || !sameBits(n, Numbers{double: tc.values}) || n.Len() != len(tc.values) {
				t.Errorf("%s: float32 %v, values %v, want %v, %v", tc.name, n.double == nil, n.Append(nil), tc.single, tc.values)
			}
			for i, v := range tc.values {
				if n.At(i) != v {
					t.Errorf("%s: number %d is %v, want %v", tc.name, i, n.At(i), v)
				}
			}
		}
		if a, b := NumbersOf(tc.values), (Numbers{double: tc.values}); !a.Equal(b) || len(tc.values) > 0 &&
			a.Equal(Numbers{}) {
			t.Errorf("%s: the two forms differ, or none is the same", tc.name)
		}
	}
}
