package main

import (
	"fmt"
	"math"
	"strings"
)

// report returns a table for each curve, in Markdown.
func report(curves []curve) string {
	var b strings.Builder
	for _, c := range curves {
		law := "linear"
		if c.nLogN {
			law = "n·log n"
		}
		fmt.Fprintf(&b, "\n**%s** (%s)\n\n| %[1]s | seconds | exponent from the line above | that of %[3]s | seconds by %[3]s, the first line being 1 |\n|---|---|---|---|---|\n",
			strings.ToUpper(c.what[:1])+c.what[1:], c.on, law)
		first := c.points[0]
		for i, p := range c.points {
			cells := "| – | –"
			if i > 0 {
				q := c.points[i-1]
				x1, x2 := float64(q.size), float64(p.size)
				cells = fmt.Sprintf("| %.2f | %.2f", exponent(x1, q.median(), x2, p.median()), exponent(x1, c.bound(q.size), x2, c.bound(p.size)))
			}
			worth := p.median() / first.median() * c.bound(first.size) / c.bound(p.size)
			fmt.Fprintf(&b, "| %d | %.4g %s | %.2f |\n", p.size, p.median(), cells, worth)
		}
		fmt.Fprintf(&b, "\nOver all %s the exponent is %.2f; that of %s is %.2f.\n", c.what, slope(c.points, point.median), law, slope(c.points, func(p point) float64 { return c.bound(p.size) }))
	}
	return b.String()
}

// slope returns the exponent that fits all points best: the slope, by least squares, of the
// logarithm of y against that of the size.
func slope(points []point, y func(point) float64) float64 {
	n := float64(len(points))
	var sx, sy, sxx, sxy float64
	for _, p := range points {
		lx, ly := math.Log(float64(p.size)), math.Log(y(p))
		sx, sy, sxx, sxy = sx+lx, sy+ly, sxx+lx*lx, sxy+lx*ly
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
