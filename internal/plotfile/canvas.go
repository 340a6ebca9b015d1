package plotfile

import (
	"image/color"
	"slices"
)

// Lengths are in points, of which an inch has 72.
const (
	inch       = 72
	millimeter = inch / 25.4
	centimeter = 10 * millimeter
)

// point is a place in a picture, counted from its lower left corner.
type point struct{ X, Y float64 }

func (p point) plus(q point) point    { return point{p.X + q.X, p.Y + q.Y} }
func (p point) minus(q point) point   { return point{p.X - q.X, p.Y - q.Y} }
func (p point) times(f float64) point { return point{f * p.X, f * p.Y} }
func (p point) toward(q point, part float64) point {
	return point{p.X + float64(part*(q.X-p.X)), p.Y + float64(part*(q.Y-p.Y))}
}

// rectangle lies between two corners.
type rectangle struct{ Min, Max point }

func (r rectangle) size() point { return r.Max.minus(r.Min) }

func (r rectangle) center() point { return r.Min.toward(r.Max, 0.5) }

func (r rectangle) has(p point) bool {
	return r.Min.X <= p.X && p.X <= r.Max.X && r.Min.Y <= p.Y && p.Y <= r.Max.Y
}

// canvas is a part of a picture, on which marks are made.
type canvas struct {
	rectangle
	on *picture
}

// picture is what was drawn, in order.
type picture struct {
	width, height float64
	marks         []mark
}

// mark is a part of a picture: a polygon that is filled, a line, a disc, a ring, or a text.
type mark struct {
	color  color.Color
	at     []point   // of a ring and a text the one where it is; of discs where they are
	width  float64   // of a line or a ring; what has none is filled
	dashes []float64 // of a line: drawn and left out, in turn
	radius float64   // of a disc or a ring
	text   string    // and how it stands:
	size   float64
	across across
	up     bool // from the bottom to the top
}

// pen draws lines.
type pen struct {
	color  color.Color
	width  float64
	dashes []float64
}

// newPicture returns an empty picture, and a canvas of all of it.
func newPicture(width, height float64) (*picture, canvas) {
	p := &picture{width: width, height: height}
	return p, canvas{rectangle{Max: point{width, height}}, p}
}

// at returns the place of these parts, from 0 to 1, of the width and the height.
func (c canvas) at(x, y float64) point {
	size := c.size()
	return point{c.Min.X + float64(x*size.X), c.Min.Y + float64(y*size.Y)}
}

func (c canvas) add(m mark) { c.on.marks = append(c.on.marks, m) }

// line draws a line through points.
func (c canvas) line(p pen, at ...point) {
	if len(at) > 1 {
		c.add(mark{color: p.color, width: p.width, dashes: p.dashes, at: at})
	}
}

// fill fills a polygon.
func (c canvas) fill(ink color.Color, at ...point) {
	if len(at) > 2 {
		c.add(mark{color: ink, at: at})
	}
}

// dot draws a disc, or a ring, unless its middle lies outside.
func (c canvas) dot(ink color.Color, at point, radius float64, ring bool) {
	if !c.has(at) {
		return
	}
	m := mark{color: ink, at: []point{at}, radius: radius}
	if ring {
		m.width = 0.5
	}
	c.add(m)
}

// discs draws discs of one colour, whose middles lie inside.
func (c canvas) discs(ink color.Color, at []point, radius float64) {
	var inside []point
	for _, p := range at {
		if c.has(p) {
			inside = append(inside, p)
		}
	}
	if len(inside) > 0 {
		c.add(mark{color: ink, at: inside, radius: radius})
	}
}

// sides are the half planes in which a rectangle lies: how far inside a point is.
func (r rectangle) sides() [4]func(point) float64 {
	return [...]func(point) float64{
		func(p point) float64 { return p.X - r.Min.X }, func(p point) float64 { return r.Max.X - p.X },
		func(p point) float64 { return p.Y - r.Min.Y }, func(p point) float64 { return r.Max.Y - p.Y },
	}
}

// lines cuts off what of a line lies outside, which may divide it.
func (r rectangle) lines(at []point) [][]point {
	all := [][]point{at}
	for _, inside := range r.sides() {
		var kept [][]point
		for _, line := range all {
			kept = append(kept, within(line, inside)...)
		}
		all = kept
	}
	return all
}

// within returns the parts of a line on one side.
func within(line []point, inside func(point) float64) (parts [][]point) {
	var part []point
	for i, p := range line {
		far := inside(p)
		if i > 0 && (far < 0) != (inside(line[i-1]) < 0) {
			part = append(part, crossing(line[i-1], p, inside))
		}
		if far >= 0 {
			part = append(part, p)
			continue
		}
		if len(part) > 1 {
			parts = append(parts, part)
		}
		part = nil
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}

// polygon cuts off what of a polygon lies outside. Source: Sutherland and Hodgman, Reentrant polygon clipping, 1974.
func (r rectangle) polygon(at []point) []point {
	for _, inside := range r.sides() {
		var kept []point
		for i, p := range at {
			before := at[(i+len(at)-1)%len(at)]
			if (inside(p) < 0) != (inside(before) < 0) {
				kept = append(kept, crossing(before, p, inside))
			}
			if inside(p) >= 0 {
				kept = append(kept, p)
			}
		}
		at = kept
	}
	return slices.Clip(at)
}

// crossing is where the way between two points on different sides changes sides.
func crossing(p, q point, inside func(point) float64) point {
	from, to := inside(p), inside(q)
	return p.toward(q, from/(from-to))
}
