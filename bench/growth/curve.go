package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/rfpragma/rfpragma/bench/measure"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// curve is a series of fits of which one size grows.
type curve struct {
	what   string           // the size that grows
	on     string           // what stays the same
	nLogN  bool             // held against n·log n; else against a straight line
	points []point          // by growing size
	frame  func(point) data // the rows of a point
}

type data = *dataset.Frame

// point is a fit.
type point struct {
	size, trees int
	seconds     []float64 // of each turn
}

func (p point) median() float64 { return measure.Median(p.seconds) }

// plan returns the curves, not yet measured. Trees is where they do not vary, most is the
// largest number of rows.
func plan(trees, most int) []curve {
	waves := fmt.Sprintf("waves of 21 features and 3 classes, %d trees", trees)
	small, few := min(20_000, most), min(5_000, most)
	return []curve{
		{"rows", waves, true, points(trees, upTo(most)...), func(p point) data { return wave(p.size) }},
		{"trees", fmt.Sprintf("waves, %d rows of 21 features and 3 classes", small), false, treePoints(10, 20, 40, 80, 160, 320, 640), func(point) data { return wave(small) }},
		{"features", fmt.Sprintf("clouds, %d rows of 3 classes, %d trees", few, trees), false, points(trees, 16, 32, 64, 128, 256, 512, 1024), func(p point) data { return cloud(few, p.size, 3) }},
		{"classes", fmt.Sprintf("clouds, %d rows of 16 features, %d trees", small, trees), false, points(trees, 2, 4, 8, 16, 32, 64), func(p point) data { return cloud(small, 16, p.size) }},
	}
}

// upTo returns 1000, 3000, 10000, ... and most at last.
func upTo(most int) []int {
	var sizes []int
	for n := 1000; n < most; n *= 10 {
		sizes = append(sizes, n)
		if 3*n < most {
			sizes = append(sizes, 3*n)
		}
	}
	return append(sizes, most)
}

func points(trees int, sizes ...int) []point {
	list := make([]point, len(sizes))
	for i, s := range sizes {
		list[i] = point{size: s, trees: trees}
	}
	return list
}

func treePoints(trees ...int) []point {
	list := make([]point, len(trees))
	for i, t := range trees {
		list[i] = point{size: t, trees: t}
	}
	return list
}

// wave returns n rows of Breiman's waveform, as sets.py makes it: nearly all values differ,
// which is the hard case for whoever codes columns.
func wave(n int) data {
	d := rand.New(rand.NewPCG(1, 0))
	pairs := [3][2]float64{{7, 15}, {7, 11}, {15, 11}} // where the two triangles of each class have their peaks
	m := set.Matrix{Rows: n, Columns: 21, Cells: make([]float32, 0, 21*n)}
	y := make([]int, n)
	for i := range y {
		y[i] = d.IntN(3)
		share, peaks := d.Float64(), pairs[y[i]]
		for point := range 21 {
			first, second := max(6-math.Abs(float64(point+1)-peaks[0]), 0), max(6-math.Abs(float64(point+1)-peaks[1]), 0)
			m.Cells = append(m.Cells, float32(share*first+(1-share)*second+d.NormFloat64()))
		}
	}
	return set.Frame(m, y, 3, nil)
}

// cloud returns n rows of p features. The classes are k clouds of variance 1, the centres of
// which are drawn with variance 1.5² along each of the first 16 features; the others are noise.
func cloud(n, p, k int) data {
	d := rand.New(rand.NewPCG(1, 1))
	centres := make([]float64, k*min(p, 16))
	for i := range centres {
		centres[i] = 1.5 * d.NormFloat64()
	}
	m := set.Matrix{Rows: n, Columns: p, Cells: make([]float32, n*p)}
	y := make([]int, n)
	for i := range y {
		y[i] = i % k
		for j := range p {
			v := d.NormFloat64()
			if j < 16 {
				v += centres[y[i]*min(p, 16)+j]
			}
			m.Cells[i*p+j] = float32(v)
		}
	}
	return set.Frame(m, y, k, nil)
}

// measureAll lets all points of all curves take turns.
func measureAll(ctx context.Context, curves []curve, turns, threads int, log io.Writer) error {
	for turn := range turns {
		for _, c := range curves {
			for i := range c.points {
				p := &c.points[i]
				took, err := fit(ctx, c.frame(*p), forest.Config{Trees: p.trees, Workers: threads, Seed: uint64(turn) + 1})
				if err != nil {
					return err
				}
				p.seconds = append(p.seconds, took)
				fmt.Fprintf(log, "turn %d, %d %s: %.4f s\n", turn+1, p.size, c.what, took)
			}
		}
	}
	return nil
}

// fit returns the mean seconds of a fit, of as many as a tenth of a second has room for.
func fit(ctx context.Context, frame data, c forest.Config) (float64, error) {
	runtime.GC() // what was there before is not what is measured
	begin, fits := time.Now(), 0
	for fits == 0 || time.Since(begin) < 100*time.Millisecond {
		if _, _, err := forest.Grow(ctx, frame, c); err != nil {
			return 0, err
		}
		fits++
	}
	return time.Since(begin).Seconds() / float64(fits), nil
}

// exponent returns e where y grows like x^e from one point to the other.
func exponent(x1, y1, x2, y2 float64) float64 { return math.Log(y2/y1) / math.Log(x2/x1) }

// bound returns what a curve is held against, up to a factor.
func (c curve) bound(size int) float64 {
	x := float64(size)
	if c.nLogN {
		return x * math.Log2(x)
	}
	return x
}
