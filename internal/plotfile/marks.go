package plotfile

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
)

// stroke is a line through points; area is what they enclose; spots are marks at them.
type (
	stroke struct {
		at  []xy
		pen pen
	}
	area struct {
		at    []xy
		color color.Color
	}
	spots struct {
		at    []xy
		color color.Color
		ring  bool
	}
	swarm struct { // of small marks, which are many
		at    []xy
		color color.Color
	}
)

func (s stroke) draw(c canvas, place func(xy) point) {
	for _, part := range c.lines(placed(s.at, place)) {
		c.line(s.pen, part...)
	}
}

func (a area) draw(c canvas, place func(xy) point) {
	c.fill(a.color, c.polygon(placed(a.at, place))...)
}

func (s spots) draw(c canvas, place func(xy) point) {
	for _, at := range placed(s.at, place) {
		c.dot(s.color, at, 3, s.ring)
	}
}

func (s swarm) draw(c canvas, place func(xy) point) { c.discs(s.color, placed(s.at, place), 2) }

// placed are the points on the canvas, without those that are no numbers, with which drawing would not end.
func placed(at []xy, place func(xy) point) []point {
	var points []point
	for _, one := range at {
		p := place(one)
		if sum := p.X + p.Y; !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			points = append(points, p)
		}
	}
	return points
}

// line adds a line through points.
func line(p *panel, at []xy, c color.Color, width float64, dashes ...float64) {
	p.add(stroke{at, pen{c, width, dashes}})
}

// dots adds dots, or rings.
func dots(p *panel, at []xy, c color.Color, ring bool) {
	p.add(spots{at, c, ring})
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

func (w words) draw(c canvas, place func(xy) point) {
	room := rectangle{Min: c.Min, Max: c.Max.plus(point{X: 2 * gap, Y: 3 * gap})}
	var points, written []rectangle
	for _, one := range w {
		points = append(points, around(place(one.at), point{X: gap - 1, Y: gap - 1}))
	}
	for _, one := range w {
		if one.text == "" {
			continue
		}
		look := style{8, one.color}
		at, size := place(one.at), point{look.width(one.text), look.height(one.text)}
		free := func(box rectangle) bool {
			return off(box, at) > gap-1 && !meets(box, points) && !meets(box, written)
		}
		var on point
		found, clearly := false, 0.0
		if one.led {
			clearly = gap
		}
		for _, own := range append([]xy{one.at}, one.or...) {
			own := place(own)
			if on, found = one.beside(own, size, room, func(box rectangle) bool {
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
				others = append(others, around(place(rival), point{X: gap, Y: gap}))
			}
			on, found = one.beside(at, size, room, func(box rectangle) bool {
				return free(box) && !slices.ContainsFunc(leader(at, box), func(part rectangle) bool { return meets(part, others) })
			}, 4*gap, 8*gap, 12*gap, 16*gap)
			if found {
				box := around(on, size)
				end := nearest(box, at)
				c.line(pen{color: Grey, width: 0.7}, at, end)
				written = append(written, leader(at, box)...)
			}
		}
		if found {
			c.write(look, on, middle, center, one.text)
			written = append(written, around(on, size))
		}
	}
}

// beside returns the middle of the first place, so far off its point or moved from there into the room, where the
// text of that size suits, and whether there is one.
func (w *word) beside(at, size point, room rectangle, suits func(rectangle) bool, distances ...float64) (
	middle point, found bool) {
	within := rectangle{Min: room.Min.plus(size.times(0.5)), Max: room.Max.minus(size.times(0.5))}
	for _, far := range distances {
		for _, way := range [][2]float64{{w.dx, w.dy}, {w.dx, -w.dy}, {-w.dx, w.dy}, {-w.dx, -w.dy}, {0, 1}, {0, -1}, {1, 0},
			{-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
			middle := nearest(within, point{X: at.X + way[0]*(size.X/2+far), Y: at.Y + way[1]*(size.Y/2+
				far)})
			if suits(around(middle, size)) {
				return middle, true
			}
		}
	}
	return point{}, false
}

// leader are the points of a line from a point to a box.
func leader(from point, to rectangle) []rectangle {
	const steps = 12
	line := make([]rectangle, steps)
	along := nearest(to, from).minus(from)
	for i := range line {
		line[i] = around(from.plus(along.times(float64(i+1)/steps)), point{})
	}
	return line
}

// nearest is the point of a box that is nearest to another point.
func nearest(box rectangle, to point) point {
	return point{X: max(box.Min.X, min(box.Max.X, to.X)), Y: max(box.Min.Y, min(box.Max.Y, to.Y))}
}

// off is how far a box is off a point.
func off(box rectangle, p point) float64 {
	d := p.minus(nearest(box, p))
	return math.Hypot(d.X, d.Y)
}

// meets tells whether a box lies on one of others.
func meets(box rectangle, others []rectangle) bool {
	return slices.ContainsFunc(others, func(o rectangle) bool {
		return box.Min.X < o.Max.X && o.Min.X < box.Max.X && box.Min.Y < o.Max.Y && o.Min.Y < box.Max.Y
	})
}

// around is the rectangle of that size around a point.
func around(middle, size point) rectangle {
	half := size.times(0.5)
	return rectangle{Min: middle.minus(half), Max: middle.plus(half)}
}

// box is a filled rectangle in the units of the axes, with an edge where its colour alone is too pale to be seen.
type box struct {
	x0, y0, x1, y1 float64
	color, edge    color.Color
}

// boxes draws rectangles, which bars are.
type boxes []box

func (b boxes) draw(c canvas, place func(xy) point) {
	for _, r := range b {
		r.paint(c, place(xy{r.x0, r.y0}), place(xy{r.x1, r.y1}))
	}
}

// paint draws a box between these corners.
func (r box) paint(c canvas, low, high point) {
	corners := []point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
	c.fill(r.color, corners...)
	if r.edge != nil && low.Y != high.Y {
		c.line(pen{color: r.edge, width: 0.6}, append(corners, corners[0])...)
	}
}

// hatched are rectangles that are covered with slanting lines, which are seen without a colour.
type hatched boxes

func (h hatched) draw(c canvas, place func(xy) point) {
	thin := pen{color: lightGrey, width: 0.7}
	const apart = 9
	for _, r := range h {
		low, high := place(xy{r.x0, r.y0}), place(xy{r.x1, r.y1})
		// Lines from the upper left to the lower right have the same x + y.
		for sum := low.X + low.Y; sum < high.X+high.Y; sum += apart {
			x0, x1 := max(low.X, sum-high.Y), min(high.X, sum-low.Y)
			c.line(thin, point{x0, sum - x0}, point{x1, sum - x1})
		}
	}
}

// arrow is an arrow from one point to another, dashed where it stands for few rows.
type arrow struct {
	from, to xy
	color    color.Color
	width    float64
	few      bool
}

func (a arrow) draw(c canvas, place func(xy) point) {
	from, to := place(a.from), place(a.to)
	drawn := pen{color: a.color, width: a.width}
	if a.few {
		drawn.dashes = broken
	}
	c.line(drawn, from, to)
	c.dot(a.color, from, 2.6, true)
	along := to.minus(from)
	long := math.Hypot(along.X, along.Y)
	if long < 8 {
		c.dot(a.color, to, 2.4, a.few)
		return
	}
	along = along.times(7 / long)
	across := point{X: -along.Y, Y: along.X}.times(0.42)
	back := to.minus(along)
	c.fill(a.color, to, back.plus(across), back.minus(across))
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
