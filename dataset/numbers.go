package dataset

import (
	"math"
	"slices"
)

// Numbers holds float64 values, as float32 if none of them loses a bit: data that came from float32, or has few
// digits, takes half the memory. The zero value is empty.
type Numbers struct {
	single []float32
	double []float64
}

// NumbersOf returns values as Numbers, which may retain the slice.
func NumbersOf(values []float64) Numbers {
	if !areSingle(values) {
		return Numbers{double: values}
	}
	single := make([]float32, len(values))
	for i, v := range values {
		single[i] = float32(v)
	}
	return Numbers{single: single}
}

// areSingle tells whether all values but NaN are the same as float32.
func areSingle(values []float64) bool {
	for _, v := range values {
		if float64(float32(v)) != v && v == v {
			return false
		}
	}
	return true
}

// Len returns the number of values.
func (n Numbers) Len() int { return len(n.single) + len(n.double) }

// At returns value i.
func (n Numbers) At(i int) float64 {
	if n.double != nil {
		return n.double[i]
	}
	return float64(n.single[i])
}

// disorder returns the first number that is not finite, or not above the one before, or 0 with a sign; -1 if there
// is none.
func (n Numbers) disorder() int { return max(disorder(n.single), disorder(n.double)) }

func disorder[F float32 | float64](values []F) int {
	before := F(math.Inf(-1))
	for i, v := range values {
		rises := before < v // and is a number
		if !rises || float64(v) > math.MaxFloat64 || v == 0 && math.Signbit(float64(v)) {
			return i
		}
		before = v
	}
	return -1
}

// Equal reports whether both hold the same values, in whatever form.
func (n Numbers) Equal(other Numbers) bool {
	return slices.Equal(n.Append(nil), other.Append(nil))
}

// Append appends all values to the slice to and returns it.
func (n Numbers) Append(to []float64) []float64 {
	for _, v := range n.single {
		to = append(to, float64(v))
	}
	return append(to, n.double...)
}

// room returns n numbers to be set, of half the size if single.
func room(n int, single bool) Numbers {
	if single {
		return Numbers{single: make([]float32, n)}
	}
	return Numbers{double: make([]float64, n)}
}

func (n *Numbers) set(i int, v float64) {
	if n.double != nil {
		n.double[i] = v
	} else {
		n.single[i] = float32(v)
	}
}

// take returns those numbers i for which to[i+1] is above 0: the rank, counted from 1, of each
// of the kept ones.
func (n Numbers) take(to []uint32, kept int) Numbers {
	part := room(kept, n.double == nil)
	for code, now := range to {
		if now != 0 {
			part.set(int(now-1), n.At(code-1))
		}
	}
	return part
}
