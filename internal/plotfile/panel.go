package plotfile

// panel is a part of a figure: a title, and what is drawn between two axes.
type panel struct {
	title      string
	air        float64 // between the title and what is drawn
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
	mark      float64 // of a tick
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
	draw(c canvas, place func(xy) point)
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

// part is how far on the axis a value lies, from 0 to 1.
func (a *axis) part(value float64) float64 { return (value - a.low) / (a.high - a.low) }

// head is the room above what is drawn, foot that below, and side that on the left.
func (p *panel) head() float64 {
	if p.title == "" {
		return 0
	}
	return titles.height(p.title) + p.air
}

func (p *panel) foot() float64 {
	return p.x.mark + ticks.height("0") + gap/2 + labels.height(p.x.label)
}

func (p *panel) side() float64 { return p.inner() + gap/2 + labels.height(p.y.label) }

// inner is the room that the ticks on the left take.
func (p *panel) inner() float64 {
	widest := float64(0)
	for _, t := range p.y.ticks(p.y.low, p.y.high) {
		widest = max(widest, ticks.width(t.label))
	}
	return p.y.mark + gap/2 + widest
}

// paint draws the panel on a canvas that ends at its axes. Its title stands over the middle of the figure.
func (p *panel) paint(c canvas, half float64) {
	c.write(titles, point{half, c.Max.Y + p.air}, middle, bottom, p.title)
	thin := pen{color: Grey, width: 0.6}

	c.line(thin, c.at(0, 0), c.at(1, 0))
	under := c.Min.Y - p.x.mark
	for _, t := range p.x.ticks(p.x.low, p.x.high) {
		on := c.at(p.x.part(t.value), 0)
		c.line(thin, on, point{on.X, under})
		c.write(ticks, point{on.X, under}, middle, top, t.label)
	}
	c.write(labels, point{c.center().X, under - ticks.height("0") - gap/2}, middle, top, p.x.label)

	c.line(thin, c.at(0, 0), c.at(0, 1))
	beside := c.Min.X - p.y.mark
	for _, t := range p.y.ticks(p.y.low, p.y.high) {
		on := c.at(0, p.y.part(t.value))
		c.line(thin, on, point{beside, on.Y})
		c.write(ticks, point{beside - gap/2, on.Y + 1}, right, center, t.label)
	}
	c.writeUp(labels, point{c.Min.X - p.inner() - gap/2, c.center().Y}, p.y.label)

	for _, d := range p.drawings {
		d.draw(c, func(at xy) point { return c.at(p.x.part(at.X), p.y.part(at.Y)) })
	}
	p.explain(c)
}

// explain draws the legend, at the top.
func (p *panel) explain(c canvas) {
	const size, apart = 7, 13
	corner, words, x := c.Max.X-size, c.Max.X-size-gap, right
	if p.legendLeft {
		corner, words, x = c.Min.X+gap, c.Min.X+2*gap+size, left
	}
	for i, k := range p.legend {
		y := c.Max.Y - float64(i*apart) - gap
		k.box.paint(c, point{corner, y - size/2.0}, point{corner + size, y + size/2.0})
		c.write(keys, point{words, y + 1}, x, center, k.name)
	}
}
