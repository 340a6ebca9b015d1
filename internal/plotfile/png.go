package plotfile

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
)

// perInch is how many dots of a PNG make an inch.
const perInch = 150

// png writes the picture as PNG.
func (p *picture) png(w io.Writer) error {
	dots := func(length float64) int { return int(math.Round(length * perInch / inch)) }
	b := &brush{image: image.NewRGBA(image.Rect(0, 0, dots(p.width), dots(p.height))), height: p.height}
	for _, m := range p.marks {
		b.paint(&m)
	}
	return png.Encode(w, b.image)
}

// brush fills areas of an image.
type brush struct {
	image  *image.RGBA
	height float64
}

// paint paints a mark, as the areas that its ink covers.
func (b *brush) paint(m *mark) {
	switch {
	case m.size > 0:
		b.fill(m.color, m.letters()...)
	case m.radius > 0 && m.width == 0:
		for _, at := range m.at {
			b.fill(m.color, circle(at, m.radius))
		}
	case m.radius > 0:
		border := circle(m.at[0], m.radius)
		b.fill(m.color, stroked(append(border, border[0]), m.width)...)
	case m.width > 0:
		var areas [][]point
		for _, part := range dashed(m.at, m.dashes) {
			areas = append(areas, stroked(part, m.width)...)
		}
		b.fill(m.color, areas...)
	default:
		b.fill(m.color, m.at)
	}
}

// letters are the borders of a text where it stands.
func (m *mark) letters() [][]point {
	s := style{m.size, m.color}
	areas, begin := s.outlines(m.text), float64(float64(m.across)*s.width(m.text))
	for _, area := range areas {
		for i, p := range area {
			if p.X += begin; m.up {
				p = point{-p.Y, p.X}
			}
			area[i] = p.plus(m.at[0])
		}
	}
	return areas
}

// circle is a polygon that looks like one.
func circle(middle point, radius float64) []point {
	const corners = 32
	at := make([]point, corners)
	for i := range at {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		at[i] = middle.plus(point{cos, sin}.times(radius))
	}
	return at
}

// dashed cuts a line into its dashes.
func dashed(line []point, dashes []float64) (parts [][]point) {
	if len(dashes) == 0 {
		return [][]point{line}
	}
	turn, rest := 0, dashes[0]
	part := []point{line[0]}
	for i := 1; i < len(line); i++ {
		from := line[i-1]
		for {
			long := distance(from, line[i])
			if long <= rest {
				rest, part = rest-long, append(part, line[i])
				break
			}
			from = from.toward(line[i], rest/long)
			if part = append(part, from); turn%2 == 0 {
				parts = append(parts, part)
			}
			turn++
			rest, part = dashes[turn%len(dashes)], []point{from}
		}
	}
	if turn%2 == 0 {
		parts = append(parts, part)
	}
	return parts
}

// stroked are areas that a line of that width covers: one for each stretch, and a round one for each bend.
func stroked(line []point, width float64) (areas [][]point) {
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		long := distance(from, to)
		if long == 0 {
			continue
		}
		side := point{from.Y - to.Y, to.X - from.X}.times(width / 2 / long)
		areas = append(areas, []point{from.minus(side), to.minus(side), to.plus(side), from.plus(side)})
		if i > 1 {
			areas = append(areas, circle(from, width/2))
		}
	}
	return areas
}

func distance(p, q point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// A dot is as deep as its share that lies in an area. Its lines of scan and their units are this many.
const (
	scans = 8
	units = 256
)

// edge is a border of an area, in units, from its upper end to its lower. Down is 1 where the border runs so, else -1.
type edge struct{ x0, y0, x1, y1, down int }

// fill fills the areas together: a place is inside where the borders wind around it. It counts in whole numbers, so
// that each machine makes the same dots.
func (b *brush) fill(ink color.Color, areas ...[]point) {
	unit := func(p point) (x, y int) {
		const scale = float64(perInch) * units / inch
		return int(math.Round(p.X * scale)), int(math.Round((b.height - p.Y) * scale))
	}
	var edges []edge
	box := image.Rectangle{Min: image.Pt(math.MaxInt, math.MaxInt), Max: image.Pt(math.MinInt, math.MinInt)}
	for _, area := range areas {
		x0, y0 := unit(area[len(area)-1])
		for _, p := range area {
			x1, y1 := unit(p)
			box.Min.X, box.Min.Y = min(box.Min.X, x1/units), min(box.Min.Y, y1/units)
			box.Max.X, box.Max.Y = max(box.Max.X, x1/units+1), max(box.Max.Y, y1/units+1)
			switch {
			case y0 < y1:
				edges = append(edges, edge{x0, y0, x1, y1, 1})
			case y0 > y1:
				edges = append(edges, edge{x1, y1, x0, y0, -1})
			}
			x0, y0 = x1, y1
		}
	}
	box = box.Intersect(b.image.Rect)
	cover := make([]int, box.Dx())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		clear(cover)
		for scan := range scans {
			scanned(cover, box.Min.X*units, y*units+(2*scan+1)*units/(2*scans), edges)
		}
		for i, part := range cover {
			if part > 0 {
				b.blend(box.Min.X+i, y, ink, part)
			}
		}
	}
}

// scanned adds to the dots of a line, the first of which begins at that x, how much of each lies inside at height y.
func scanned(cover []int, begin, y int, edges []edge) {
	type cross struct{ x, down int }
	var crosses []cross
	for _, e := range edges {
		if e.y0 <= y && y < e.y1 {
			crosses = append(crosses, cross{e.x0 + (e.x1-e.x0)*(y-e.y0)/(e.y1-e.y0) - begin, e.down})
		}
	}
	slices.SortFunc(crosses, func(p, q cross) int { return p.x - q.x })
	winds := 0
	for i, c := range crosses {
		if winds != 0 {
			for at, end := max(crosses[i-1].x, 0), min(c.x, len(cover)*units); at < end; {
				next := min(end, (at/units+1)*units)
				cover[at/units] += next - at
				at = next
			}
		}
		winds += c.down
	}
}

// blend lays ink over a dot, of which it covers that part of scans times units.
func (b *brush) blend(x, y int, ink color.Color, part int) {
	under := b.image.RGBAAt(x, y)
	over := color.RGBAModel.Convert(ink).(color.RGBA)
	mix := func(under, over uint8) uint8 {
		const whole = scans * units
		return uint8((int(under)*(whole-part) + int(over)*part + whole/2) / whole)
	}
	b.image.SetRGBA(x, y, color.RGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 255})
}
