package plotfile

import (
	"image/color"
	"math"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is a part of a figure: a title, and what is drawn between two axes.
type panel struct {
	title      string
	air        vg.Length // between the title and what is drawn
	x, y       axis
	drawings   []drawing
	legend     []key
	legendLeft bool
}

// axis is one of the two of a panel, with quiet colours.
type axis struct {
	label     string
	low, high float64
	ticks     func(low, high float64) []tick
	mark      vg.Length // of a tick
}

// tick is a value of an axis that has a label.
type tick struct {
	value float64
	label string
}

// xy is a point in the units of the axes.
type xy struct{ X, Y float64 }

// drawing is what stands in a panel. Place tells where a point is on the canvas, which ends at the axes.
type drawing interface {
	draw(c draw.Canvas, place func(xy) vg.Point)
}

// key says in a legend what such a box stands for.
type key struct {
	name string
	box  box
}

// gap lies between a point and its word, and between the words of an axis.
const gap = 5

// newPanel returns an empty panel. Its axes have no range yet.
func newPanel(title, x, y string) *panel {
	return &panel{title: title, air: gap, x: axis{label: x, ticks: rounds, mark: gap}, y: axis{label: y, ticks: rounds,
		mark: gap}}
}

// add adds what is drawn over all before.
func (p *panel) add(more ...drawing) { p.drawings = append(p.drawings, more...) }

// The text of a figure.
var (
	titles = style{11, color.Black}
	labels = style{9, color.Black}
	keys   = style{8.5, color.Black}
	ticks  = style{8, color.Gray{Y: 60}}
)

// style is how a text looks.
type style struct {
	size vg.Length
	ink  color.Color
}

// of returns the style for texts of which the point where they are written is this part.
func (s style) of(x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: s.ink, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: s.size}, XAlign: x,
		YAlign: y, Handler: face()}
}

// height is that of a text, 0 of none.
func (s style) height(of string) vg.Length {
	if of == "" {
		return 0
	}
	return s.of(text.XLeft, text.YTop).Height(of)
}

// face is the one face of all text.
var face = sync.OnceValue(func() text.Handler {
	sans, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		panic(err) // it is a part of the program
	}
	return text.Plain{Fonts: font.NewCache(font.Collection{{Font: font.Font{Typeface: "Liberation", Variant: "Sans"},
		Face: sans}})}
})

// part is how far on the axis a value lies, from 0 to 1.
func (a *axis) part(value float64) float64 { return (value - a.low) / (a.high - a.low) }

// head is the room above what is drawn, foot that below, and side that on the left.
func (p *panel) head() vg.Length {
	if p.title == "" {
		return 0
	}
	return titles.height(p.title) + p.air
}

func (p *panel) foot() vg.Length {
	return p.x.mark + ticks.height("0") + gap/2 + labels.height(p.x.label)
}

func (p *panel) side() vg.Length { return p.inner() + gap/2 + labels.height(p.y.label) }

// inner is the room that the ticks on the left take.
func (p *panel) inner() vg.Length {
	widest := vg.Length(0)
	for _, t := range p.y.ticks(p.y.low, p.y.high) {
		widest = max(widest, ticks.of(text.XRight, text.YCenter).Width(t.label))
	}
	return p.y.mark + gap/2 + widest
}

// paint draws the panel on a canvas that ends at its axes. Its title stands over the middle of the figure.
func (p *panel) paint(c draw.Canvas, middle vg.Length) {
	c.FillText(titles.of(text.XCenter, text.YBottom), vg.Point{X: middle, Y: c.Max.Y + p.air}, p.title)
	thin := draw.LineStyle{Color: Grey, Width: vg.Points(0.6)}

	c.StrokeLine2(thin, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	under := c.Min.Y - p.x.mark
	for _, t := range p.x.ticks(p.x.low, p.x.high) {
		x := c.X(p.x.part(t.value))
		c.StrokeLine2(thin, x, c.Min.Y, x, under)
		c.FillText(ticks.of(text.XCenter, text.YTop), vg.Point{X: x, Y: under}, t.label)
	}
	c.FillText(labels.of(text.XCenter, text.YTop), vg.Point{X: c.Center().X, Y: under - ticks.height("0") - gap/2},
		p.x.label)

	c.StrokeLine2(thin, c.Min.X, c.Min.Y, c.Min.X, c.Max.Y)
	beside := c.Min.X - p.y.mark
	for _, t := range p.y.ticks(p.y.low, p.y.high) {
		y := c.Y(p.y.part(t.value))
		c.StrokeLine2(thin, c.Min.X, y, beside, y)
		c.FillText(ticks.of(text.XRight, text.YCenter), vg.Point{X: beside - gap/2, Y: y + 1}, t.label)
	}
	upwards := labels.of(text.XCenter, text.YBottom)
	upwards.Rotation = math.Pi / 2
	c.FillText(upwards, vg.Point{X: c.Min.X - p.inner() - gap/2, Y: c.Center().Y}, p.y.label)

	for _, d := range p.drawings {
		d.draw(c, func(at xy) vg.Point { return vg.Point{X: c.X(p.x.part(at.X)), Y: c.Y(p.y.part(at.Y))} })
	}
	p.explain(c)
}

// explain draws the legend, at the top.
func (p *panel) explain(c draw.Canvas) {
	const size, apart = 7, 13
	left, words, align := c.Max.X-size, c.Max.X-size-gap, text.XRight
	if p.legendLeft {
		left, words, align = c.Min.X+gap, c.Min.X+2*gap+size, text.XLeft
	}
	for i, k := range p.legend {
		y := c.Max.Y - vg.Length(i)*apart - gap
		k.box.paint(c, vg.Point{X: left, Y: y - size/2}, vg.Point{X: left + size, Y: y + size/2})
		c.FillText(keys.of(align, text.YCenter), vg.Point{X: words, Y: y + 1}, k.name)
	}
}
