package plotfile

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// line adds a line through points.
func line(p *plot.Plot, at plotter.XYs, c color.Color, width float64, dashes ...vg.Length) error {
	if len(at) == 0 {
		return nil
	}
	l, err := plotter.NewLine(at)
	if err != nil {
		return err
	}
	l.Color, l.Width, l.Dashes = c, vg.Points(width), dashes
	p.Add(l)
	return nil
}

// dots adds dots, or rings.
func dots(p *plot.Plot, at plotter.XYs, c color.Color, shape draw.GlyphDrawer) error {
	if len(at) == 0 {
		return nil
	}
	s, err := plotter.NewScatter(at)
	if err != nil {
		return err
	}
	s.Color, s.Shape, s.Radius = c, shape, vg.Points(3)
	p.Add(s)
	return nil
}

// word is a text beside a point, in this direction if there is room for it. Without text it keeps words off its point.
type word struct {
	at     plotter.XY
	text   string
	color  color.Color
	dx, dy float64     // -1 to 1
	or     plotter.XYs // other points of what it names, beside which it may stand as well
	rivals plotter.XYs // other points that it could be taken to name: it stands no nearer to them
	led    bool        // it stands clearly nearer to its own point, or has a line to it
}

// words are written beside their points where they lie within the plot and neither on another nor on its point; else they are left out.
type words []word

// gap lies between a point and its word.
const gap = 5

// Plot implements [plot.Plotter].
func (w words) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	place := func(at plotter.XY) vg.Point { return vg.Point{X: x(at.X), Y: y(at.Y)} }
	room := vg.Rectangle{Min: c.Min, Max: c.Max.Add(vg.Point{X: 2 * gap, Y: 3 * gap})}
	var points, written []vg.Rectangle
	for _, one := range w {
		points = append(points, around(place(one.at), vg.Point{X: gap - 1, Y: gap - 1}))
	}
	for _, one := range w {
		if one.text == "" {
			continue
		}
		style := text.Style{Color: one.color, Font: sans(8), XAlign: text.XCenter, YAlign: text.YCenter, Handler: p.TextHandler}
		at, size := place(one.at), vg.Point{X: style.Width(one.text), Y: style.Height(one.text)}
		free := func(box vg.Rectangle) bool {
			return off(box, at) > gap-1 && !meets(box, points) && !meets(box, written)
		}
		var middle vg.Point
		found, clearly := false, vg.Length(0)
		if one.led {
			clearly = gap
		}
		for _, own := range append(plotter.XYs{one.at}, one.or...) {
			own := place(own)
			if middle, found = one.beside(own, size, room, func(box vg.Rectangle) bool {
				return free(box) && !slices.ContainsFunc(one.rivals, func(rival plotter.XY) bool { return off(box, place(rival)) < off(box, own)+clearly })
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

// beside returns the middle of the first place, so far off its point or moved from there into the room, where the text of that size suits, and whether there is one.
func (w *word) beside(at, size vg.Point, room vg.Rectangle, suits func(vg.Rectangle) bool, distances ...vg.Length) (middle vg.Point, found bool) {
	within := vg.Rectangle{Min: room.Min.Add(size.Scale(0.5)), Max: room.Max.Sub(size.Scale(0.5))}
	for _, far := range distances {
		for _, way := range [][2]float64{{w.dx, w.dy}, {w.dx, -w.dy}, {-w.dx, w.dy}, {-w.dx, -w.dy}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
			middle := nearest(within, vg.Point{X: at.X + vg.Length(way[0])*(size.X/2+far), Y: at.Y + vg.Length(way[1])*(size.Y/2+far)})
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

// Plot implements [plot.Plotter].
func (b boxes) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, r := range b {
		r.draw(&c, x(r.x0), y(r.y0), x(r.x1), y(r.y1))
	}
}

// draw draws a box between these points.
func (r box) draw(c *draw.Canvas, left, bottom, right, top vg.Length) {
	corners := []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
	c.FillPolygon(r.color, corners)
	if r.edge != nil && bottom != top {
		c.StrokeLines(draw.LineStyle{Color: r.edge, Width: vg.Points(0.6)}, append(corners, corners[0]))
	}
}

// Thumbnail draws the colour for a legend.
func (b boxes) Thumbnail(c *draw.Canvas) {
	middle := (c.Min.Y + c.Max.Y) / 2
	half := vg.Points(3.5)
	b[0].draw(c, c.Max.X-2*half, middle-half, c.Max.X, middle+half)
}

// hatched are rectangles that are covered with slanting lines, which are seen without a colour.
type hatched boxes

// Plot implements [plot.Plotter].
func (h hatched) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: lightGrey, Width: vg.Points(0.7)}
	const apart = 9
	for _, r := range h {
		left, bottom, right, top := x(r.x0), y(r.y0), x(r.x1), y(r.y1)
		// Lines from the upper left to the lower right have the same x + y.
		for sum := left + bottom; sum < right+top; sum += apart {
			x0, x1 := max(left, sum-top), min(right, sum-bottom)
			c.StrokeLine2(style, x0, sum-x0, x1, sum-x1)
		}
	}
}

// arrow is an arrow from one point to another, broken where it stands for few rows.
type arrow struct {
	from, to plotter.XY
	color    color.Color
	width    vg.Length
	few      bool
}

// Plot implements [plot.Plotter].
func (a arrow) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	from, to := vg.Point{X: x(a.from.X), Y: y(a.from.Y)}, vg.Point{X: x(a.to.X), Y: y(a.to.Y)}
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
type percents struct{}

// Ticks implements [plot.Ticker].
func (percents) Ticks(low, high float64) []plot.Tick {
	step := 0.2
	for _, finer := range []float64{0.1, 0.05, 0.02, 0.01} {
		if (high-low)/step < 4 {
			step = finer
		}
	}
	var ticks []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: strconv.FormatFloat(math.Round(1000*i*step)/10+0, 'f', -1, 64)}) // + 0 takes the sign off a minus zero
	}
	return ticks
}

// rounds are the ticks of any other axis: three to six round numbers, or fewer that are whole.
type rounds struct{ whole bool }

// Ticks implements [plot.Ticker].
func (r rounds) Ticks(low, high float64) []plot.Tick {
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
	if r.whole {
		step = max(1, step)
	}
	var ticks []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step+0, 'g', 4, 64)})
	}
	return ticks
}

// decades are the ticks of an axis of logarithms to the base of ten, which is how weights are drawn: a logarithmic scale would take the room
// for its label from the wrong place.
type decades struct{}

// Ticks implements [plot.Ticker].
func (decades) Ticks(low, high float64) []plot.Tick {
	round := func(parts ...int) (ticks []plot.Tick) {
		for e := math.Floor(low); e <= math.Ceil(high); e++ {
			for _, part := range parts {
				at := e + math.Log10(float64(part))
				if at >= low-1e-9 && at <= high+1e-9 {
					label, _ := strconv.ParseFloat(fmt.Sprintf("%de%.0f", part, e), 64)
					ticks = append(ticks, plot.Tick{Value: at, Label: strconv.FormatFloat(label, 'g', -1, 64)})
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
