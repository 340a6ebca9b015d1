package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// draws makes random numbers that are the same on every machine: by sums and products alone,
// never by exp, log or cos, whose last bits differ between processors.
type draws struct{ source *rand.PCG }

// uniform returns a number in [0, 1).
func (d draws) uniform() float64 { return float64(d.source.Uint64()>>11) / (1 << 53) }

// between returns a number in [low, high).
func (d draws) between(low, high float64) float64 {
	return low + float64(d.uniform()*(high-low))
}

// chance reports true with probability p.
func (d draws) chance(p float64) bool { return d.uniform() < p }

// normal returns a number of mean 0 and variance 1: the sum of twelve uniform ones, less 6.
func (d draws) normal() float64 {
	var sum uint64
	for range 6 {
		u := d.source.Uint64()
		sum += u>>32 + u&math.MaxUint32
	}
	return float64(float64(sum)/(1<<32)) - 6
}

// skewed returns a positive number of the given median with a long tail to the right. It is
// (1 + spread·z/8)⁸, which is near exp(spread·z).
func (d draws) skewed(median, spread float64) float64 {
	x := 1 + float64(spread*d.normal()/8)
	x *= x
	x *= x
	return median * x * x
}

// pick returns an index with probability proportional to share, which sums to 100.
func (d draws) pick(share []float64) float64 {
	left := d.between(0, 100)
	for i, s := range share {
		if left -= s; left < 0 {
			return float64(i)
		}
	}
	return float64(len(share) - 1)
}

func round(v float64, decimals float64) float64 { return math.Round(v*decimals) / decimals }

// Wave returns n rows of the waveform data: 21 features, points along a wave that is a random
// mixture of two of three triangles, with noise of variance 1, rounded to two decimals. The
// two triangles make the class: "1" mixes the first and second, "2" the first and third, "3"
// the second and third. Classes is 3, or 2 for the first two classes only; the classes are
// equally likely. The best possible accuracy with three is about 86 %.
//
// The same arguments give the same frame on every machine. Wave panics when n is negative or
// classes is neither 2 nor 3.
//
// Source: Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984,
// section 2.6.2.
func Wave(n, classes int, seed uint64) *Frame {
	if n < 0 || classes != 2 && classes != 3 {
		panic(fmt.Sprintf("dataset: Wave of %d rows and %d classes", n, classes))
	}
	const points = 21
	d := draws{rand.NewPCG(seed, 0)}
	f := &Frame{Reading: Reading{Target: "class"}, Classes: []string{"1", "2", "3"}[:classes], Truth: make([]int, n),
		Columns: make([]Column, points)}
	for j := range f.Columns {
		f.Columns[j] = Column{Field: Field{Name: "x" + strconv.Itoa(j+1)}, Values: make([]float64, n)}
	}
	peaks := [3][2]int{{7, 15}, {7, 11}, {15, 11}} // of the two triangles of each class
	triangle := func(point, peak int) float64 { return float64(max(6-max(point-peak, peak-point), 0)) }
	for i := range n {
		c := int(below(d.source, uint64(classes)))
		u := d.uniform()
		f.Truth[i] = c
		for j := range points {
			mix := float64(u*triangle(j+1, peaks[c][0])) + float64((1-u)*triangle(j+1, peaks[c][1]))
			f.Columns[j].Values[i] = round(mix+d.normal(), 100)
		}
	}
	return f
}
