package plotfile

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stroke is a line through points; area is what they enclose; spots are marks at them.
type (
	stroke struct {
		at   []xy
		line draw.LineStyle
	}
	area struct {
		at    []xy
		color color.Color
	}
	spots struct {
		at   []xy
		mark draw.GlyphStyle
	}
)

func (s stroke) draw(c draw.Canvas, place func(xy) vg.Point) {
	c.StrokeLines(s.line, c.ClipLinesXY(placed(s.at, place))...)
}

func (a area) draw(c draw.Canvas, place func(xy) vg.Point) {
	c.FillPolygon(a.color, c.ClipPolygonXY(placed(a.at, place)))
}

func (s spots) draw(c draw.Canvas, place func(xy) vg.Point) {
	for _, at := range placed(s.at, place) {
		c.DrawGlyph(s.mark, at)
	}
}

// placed are the points on the canvas, without those that are no numbers, with which drawing would not end.
func placed(at []xy, place func(xy) vg.Point) []vg.Point {
	var points []vg.Point
	for _, one := range at {
		p := place(one)
		if sum := float64(p.X + p.Y); !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			points = append(points, p)
		}
	}
	return points
}

// line adds a line through points.
func line(p *panel, at []xy, c color.Color, width vg.Length, dashes ...vg.Length) {
	p.add(stroke{at, draw.LineStyle{Color: c, Width: width, Dashes: dashes}})
}

// dots adds dots, or rings.
func dots(p *panel, at []xy, c color.Color, shape draw.GlyphDrawer) {
	p.add(spots{at, draw.GlyphStyle{Color: c, Shape: shape, Radius: 3}})
}

// word is a text beside a point, in this direction if there is room for it. Without text it keeps words off its point.
type word struct {
	at     xy
	text   string
	color  color.Color
	dx, dy float64 // -1 to 1
	or     []xy    // other points of what it names, beside which it may stand as well
	rivals []xy    // other points that it could be taken to name: it stands no nearer to them
	led    bool    // it stands clearly nearer to its own point, or has a line to it
}

// words are written beside their points where they lie within the plot and neither on another nor on its point; else
// they are left out.
type words []word

func (w words) draw(c draw.Canvas, place func(xy) vg.Point) {
	room := vg.Rectangle{Min: c.Min, Max: c.Max.Add(vg.Point{X: 2 * gap, Y: 3 * gap})}
	var points, written []vg.Rectangle
	for _, one := range w {
		points = append(points, around(place(one.at), vg.Point{X: gap - 1, Y: gap - 1}))
	}
	for _, one := range w {
		if one.text == "" {
			continue
		}
		style := style{8, one.color}.of(text.XCenter, text.YCenter)
		at, size := place(one.at), vg.Point{X: style.Width(one.text), Y: style.Height(one.text)}
		free := func(box vg.Rectangle) bool {
			return off(box, at) > gap-1 && !meets(box, points) && !meets(box, written)
		}
		var middle vg.Point
		found, clearly := false, vg.Length(0)
		if one.led {
			clearly = gap
		}
		for _, own := range append([]xy{one.at}, one.or...) {
			own := place(own)
			if middle, found = one.beside(own, size, room, func(box vg.Rectangle) bool {
				return free(box) && !slices.ContainsFunc(one.rivals, func(rival xy) bool {
					return off(box, place(rival)) < off(box,
						own)+clearly
				})
			}, gap+1); found {
				break
			}
		}
		if !found && one.led {
			others := slices.Clone(written)
			for _, rival := range one.rivals {
				others = append(others, around(place(rival), vg.Point{X: gap, Y: gap}))
			}
			middle, found = one.beside(at, size, room, func(box vg.Rectangle) bool {
				return free(box) && !slices.ContainsFunc(leader(at, box), func(on vg.Rectangle) bool { return meets(on, others) })
			}, 4*gap, 8*gap, 12*gap, 16*gap)
			if found {
				box := around(middle, size)
				end := nearest(box, at)
				c.StrokeLine2(draw.LineStyle{Color: Grey, Width: vg.Points(0.7)}, at.X, at.Y, end.X, end.Y)
				written = append(written, leader(at, box)...)
			}
		}
		if found {
			c.FillText(style, middle, one.text)
			written = append(written, around(middle, size))
		}
	}
}

// beside returns the middle of the first place, so far off its point or moved from there into the room, where the
// text of that size suits, and whether there is one.
func (w *word) beside(at, size vg.Point, room vg.Rectangle, suits func(vg.Rectangle) bool, distances ...vg.Length) (
	middle vg.Point, found bool) {
	within := vg.Rectangle{Min: room.Min.Add(size.Scale(0.5)), Max: room.Max.Sub(size.Scale(0.5))}
	for _, far := range distances {
		for _, way := range [][2]float64{{w.dx, w.dy}, {w.dx, -w.dy}, {-w.dx, w.dy}, {-w.dx, -w.dy}, {0, 1}, {0, -1}, {1, 0},
			{-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
			middle := nearest(within, vg.Point{X: at.X + vg.Length(way[0])*(size.X/2+far), Y: at.Y + vg.Length(way[1])*(size.Y/2+
				far)})
			if suits(around(middle, size)) {
				return middle, true
			}
		}
	}
	return vg.Point{}, false
}

// leader are the points of a line from a point to a box.
func leader(from vg.Point, to vg.Rectangle) []vg.Rectangle {
	const steps = 12
	line := make([]vg.Rectangle, steps)
	along := nearest(to, from).Sub(from)
	for i := range line {
		line[i] = around(from.Add(along.Scale(vg.Length(i+1)/steps)), vg.Point{})
	}
	return line
}

// nearest is the point of a box that is nearest to another point.
func nearest(box vg.Rectangle, to vg.Point) vg.Point {
	return vg.Point{X: max(box.Min.X, min(box.Max.X, to.X)), Y: max(box.Min.Y, min(box.Max.Y, to.Y))}
}

// off is how far a box is off a point.
func off(box vg.Rectangle, p vg.Point) vg.Length {
	d := p.Sub(nearest(box, p))
	return vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
}

// meets tells whether a box lies on one of others.
func meets(box vg.Rectangle, others []vg.Rectangle) bool {
	return slices.ContainsFunc(others, func(o vg.Rectangle) bool {
		return box.Min.X < o.Max.X && o.Min.X < box.Max.X && box.Min.Y < o.Max.Y && o.Min.Y < box.Max.Y
	})
}

// around is the rectangle of that size around a point.
func around(middle, size vg.Point) vg.Rectangle {
	half := size.Scale(0.5)
	return vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}
}

// box is a filled rectangle in the units of the axes, with an edge where its colour alone is too pale to be seen.
type box struct {
	x0, y0, x1, y1 float64
	color, edge    color.Color
}

// boxes draws rectangles, which bars are.
type boxes []box

func (b boxes) draw(c draw.Canvas, place func(xy) vg.Point) {
	for _, r := range b {
		r.paint(c, place(xy{r.x0, r.y0}), place(xy{r.x1, r.y1}))
	}
}

// paint draws a box between these corners.
func (r box) paint(c draw.Canvas, low, high vg.Point) {
	corners := []vg.Point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
	c.FillPolygon(r.color, corners)
	if r.edge != nil && low.Y != high.Y {
		c.StrokeLines(draw.LineStyle{Color: r.edge, Width: vg.Points(0.6)}, append(corners, corners[0]))
	}
}

// hatched are rectangles that are covered with slanting lines, which are seen without a colour.
type hatched boxes

func (h hatched) draw(c draw.Canvas, place func(xy) vg.Point) {
	style := draw.LineStyle{Color: lightGrey, Width: vg.Points(0.7)}
	const apart = 9
	for _, r := range h {
		low, high := place(xy{r.x0, r.y0}), place(xy{r.x1, r.y1})
		// Lines from the upper left to the lower right have the same x + y.
		for sum := low.X + low.Y; sum < high.X+high.Y; sum += apart {
			x0, x1 := max(low.X, sum-high.Y), min(high.X, sum-low.Y)
			c.StrokeLine2(style, x0, sum-x0, x1, sum-x1)
		}
	}
}

// arrow is an arrow from one point to another, dashed where it stands for few rows.
type arrow struct {
	from, to xy
	color    color.Color
	width    vg.Length
	few      bool
}

func (a arrow) draw(c draw.Canvas, place func(xy) vg.Point) {
	from, to := place(a.from), place(a.to)
	style := draw.LineStyle{Color: a.color, Width: a.width}
	if a.few {
		style.Dashes = Broken
	}
	c.StrokeLine2(style, from.X, from.Y, to.X, to.Y)
	c.DrawGlyph(draw.GlyphStyle{Color: a.color, Radius: vg.Points(2.6), Shape: draw.RingGlyph{}}, from)
	along := to.Sub(from)
	long := vg.Length(math.Hypot(float64(along.X), float64(along.Y)))
	if long < vg.Points(8) {
		var shape draw.GlyphDrawer = draw.CircleGlyph{}
		if a.few {
			shape = draw.RingGlyph{}
		}
		c.DrawGlyph(draw.GlyphStyle{Color: a.color, Radius: vg.Points(2.4), Shape: shape}, to)
		return
	}
	along = along.Scale(vg.Points(7) / long)
	across := vg.Point{X: -along.Y, Y: along.X}.Scale(0.42)
	back := to.Sub(along)
	c.FillPolygon(a.color, []vg.Point{to, back.Add(across), back.Sub(across)})
}

// percents are the ticks of a share.
func percents(low, high float64) []tick {
	step := 0.2
	for _, finer := range []float64{0.1, 0.05, 0.02, 0.01} {
		if (high-low)/step < 4 {
			step = finer
		}
	}
	var ticks []tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9; i++ {
		// + 0 takes the sign off a minus zero
		ticks = append(ticks, tick{i * step, strconv.FormatFloat(math.Round(1000*i*step)/10+0, 'f', -1, 64)})
	}
	return ticks
}

// rounds are the ticks of any other axis: three to six round numbers; wholes are fewer where these would not be whole.
func rounds(low, high float64) []tick { return stepped(low, high, 0) }
func wholes(low, high float64) []tick { return stepped(low, high, 1) }

// stepped are round numbers that lie so far apart at least.
func stepped(low, high, least float64) []tick {
	if !(high > low) {
		return nil
	}
	step := math.Pow(10, math.Ceil(math.Log10(high-low)))
	for _, part := range []float64{0.5, 0.4, 0.5, 0.5, 0.4} { // 1, 0.5, 0.2, 0.1, 0.05, 0.02
		if (high-low)/step >= 3 {
			break
		}
		step *= part
	}
	step = max(least, step)
	var ticks []tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(i*step+0, 'g', 4, 64), 64) // a sum of steps has more digits
		ticks = append(ticks, tick{i * step, strconv.FormatFloat(rounded, 'f', -1, 64)})
	}
	return ticks
}

// decades are the ticks of an axis of logarithms to the base of ten, which is how weights are drawn.
func decades(low, high float64) []tick {
	round := func(parts ...int) (ticks []tick) {
		for e := math.Floor(low); e <= math.Ceil(high); e++ {
			for _, part := range parts {
				at := e + math.Log10(float64(part))
				if at >= low-1e-9 && at <= high+1e-9 {
					label, _ := strconv.ParseFloat(fmt.Sprintf("%de%.0f", part, e), 64)
					ticks = append(ticks, tick{at, strconv.FormatFloat(label, 'g', -1, 64)})
				}
			}
		}
		return ticks
	}
	if tens := round(1); len(tens) >= 3 {
		return tens
	}
	return round(1, 2, 5)
}
