package plotfile

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/shorten"
)

// Figure is a chart of a report, ready to be written.
type Figure struct {
	Name          string // name of the chart in the page, see report.Figure
	panels        []*panel
	width, height float64
}

// paint draws the panels, of one size, below each other.
func (f Figure) paint(c canvas) {
	c.fill(color.White, c.at(0, 0), c.at(1, 0), c.at(1, 1), c.at(0, 1))
	middle := c.center().X
	c.Min = c.Min.plus(point{2 * millimeter, 2 * millimeter})
	c.Max = c.Max.minus(point{6 * millimeter, 2 * millimeter})
	const apart = 6 * millimeter
	side, high := 0.0, c.size().Y+apart
	for _, p := range f.panels {
		side, high = max(side, p.side()), high-p.head()-p.foot()-apart
	}
	high /= float64(len(f.panels))
	top := c.Max.Y
	for _, p := range f.panels {
		top -= p.head()
		part := c
		part.Min, part.Max.Y = point{c.Min.X + side, top - high}, top
		p.paint(part, middle)
		top = part.Min.Y - p.foot() - apart
	}
}

// Figures draws the charts of r for which there is data; of the classes, it takes the one that r shows first.
func Figures(r *report.Report) []Figure {
	shown := &r.Classes[r.First]
	some := shown.Charts != nil
	var out []Figure
	for _, f := range []struct {
		name   string
		draw   func(*report.Report, *report.Class) []*panel
		height float64 // of all panels, in cm; the width is 14
		is     bool    // there may be something to draw
	}{
		{"votes", votes, 10, some}, {"sweep", sweep, 18, some}, {"moves", moves, 11, some}, {"reliability", reliability, 11,
			some}, {"curve", curve, 11, some},
		{"roc", roc, 11, some}, {"pr", pr, 11, some}, {"benefit", benefit, 11, some}, {"folds", folds, 0, true},
		{"summary", summary, 0, true}, {"waterfall", waterfall, 0, true}, {"importance", importance, 0, true},
		{"search", search, 8, true},
	} {
		if !f.is {
			continue
		}
		panels := f.draw(r, shown)
		if len(panels) == 0 {
			continue
		}
		height := f.height
		if height == 0 { // a line for each of the names
			height = 3 + 0.55*(panels[0].y.high-panels[0].y.low)
		}
		out = append(out, Figure{f.name, panels, 14 * centimeter, height * centimeter})
	}
	return out
}

// square returns a plot of two shares from low to 1.
func square(title, x, y string, low float64) *panel {
	p := newPanel(title, x+", %", y+", %")
	p.air = 3.5 * gap // as words may stand above
	p.x.low, p.x.high, p.y.low, p.y.high = low, 1, low, 1
	p.x.ticks, p.y.ticks = percents, percents
	return p
}

// contours draws where 1 + α·recall + β·precision is the same, and returns its figures, which stand at that
// precision or above.
func contours(p *panel, r *report.Report, c *report.Class, above float64) (figures words) {
	if !r.Lines() {
		return nil
	}
	low := p.x.low
	span := 1 + float64((c.Alpha+c.Beta)*low)
	step := 0.1
	for _, s := range []float64{0.05, 0.02, 0.01} {
		if span/step < 5 {
			step = s
		}
	}
	for i := 1.0; i*step < span; i++ {
		level := i * step
		from, to := max(low, (level-1-c.Beta)/c.Alpha), min(1, (level-1-float64(c.Beta*low))/c.Alpha)
		if to <= from {
			continue
		}
		at := func(recall float64) xy {
			return xy{X: recall, Y: (level - 1 - float64(c.Alpha*recall)) / c.Beta}
		}
		line(p, []xy{at(from), at(to)}, lightGrey, 0.8)
		if math.Mod(i, 2) == 0 {
			end := at(min(to, (level-1-float64(c.Beta*above))/c.Alpha))
			figures = append(figures, word{at: end, text: fmt.Sprintf("loss %.2g", level), color: Grey, dx: -1, dy: 0.5})
		}
	}
	return figures
}

// moves draws figure 3 of the paper, in one: an arrow from the plain vote to the tuned one.
func moves(r *report.Report, shown *report.Class) []*panel {
	type move struct {
		class    *report.Class
		from, to xy
	}
	var all []move
	least := 1.0
	share := func(x *float64) float64 {
		if x == nil {
			return 0
		}
		return *x
	}
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Plain.Recall == nil || c.Tuned.Recall == nil {
			continue
		}
		m := move{c, xy{X: *c.Plain.Recall, Y: share(c.Plain.Precision)}, xy{X: *c.Tuned.Recall, Y: share(c.Tuned.Precision)}}
		least = min(least, m.from.X, m.from.Y, m.to.X, m.to.Y)
		all = append(all, m)
	}
	p := square("Recall and precision, from the plain vote to the "+r.Rule+" one", "recall", "precision",
		max(0, math.Floor(10*(least-0.02))/10))
	figures := contours(p, r, shown, p.y.low)
	rank := func(m move) float64 {
		if m.class == shown {
			return math.Inf(1)
		}
		return m.class.Preference.Theta
	}
	slices.SortStableFunc(all, func(a, b move) int { return cmp.Compare(rank(a), rank(b)) }) // what matters is drawn last
	var names, taken words
	for _, m := range all {
		var c color.Color = Blue
		width := 0.8
		if m.class == shown {
			c, width = Vermilion, 1.8
		}
		p.add(arrow{m.from, m.to, c, width, m.class.Few})
		var rivals []xy
		for _, other := range all {
			if other.class != m.class {
				rivals = append(rivals, other.from, other.to)
			}
		}
		names = append(names, word{at: m.to, text: fmt.Sprintf("%s, %s", nameOf(r, m.class), supportOf(r, m.class)), color: c,
			dy: -1, rivals: rivals})
		for _, at := range along(m.from, m.to, 12) {
			taken = append(taken, word{at: at})
		}
	}
	slices.Reverse(names) // and named first
	p.add(slices.Concat(names, taken, figures))
	if slices.ContainsFunc(all, func(m move) bool { return m.class.Few && m.from != m.to }) {
		p.title = "Recall and precision, plain to " + r.Rule + "; dashed: few rows"
	}
	return []*panel{p}
}

// short cuts names so that they fit into a plot.
func short(list []string) []string {
	return shorten.Width(utf8.RuneCountInString).Names(list, 24)
}

// classes are the names of all classes.
func classes(r *report.Report) []string {
	list := make([]string, len(r.Classes))
	for c := range r.Classes {
		list[c] = r.Classes[c].Name
	}
	return list
}

// nameOf is the name of a class, short.
func nameOf(r *report.Report, class *report.Class) string {
	list := classes(r)
	return short(list)[slices.Index(list, class.Name)]
}

// supportOf says how many rows a class has, or what they weigh.
func supportOf(r *report.Report, class *report.Class) string {
	text := fmt.Sprintf("%.0f", class.Plain.Support)
	if r.Unit != "rows" {
		return "weight " + text
	}
	return english.Plural(text, "row")
}

// rules marks the plain and the tuned rule, which is called name, and names them beside lines, of which these are
// points; more words follow.
func rules(p *panel, name string, plain, tuned *xy, lines []xy, more words) {
	var names words
	if plain != nil && tuned != nil && math.Hypot(plain.X-tuned.X, plain.Y-tuned.Y) < 0.01 { // one dot
		plain, name = nil, name+", as plain"
	}
	for _, rule := range []struct {
		at, rival *xy
		name      string
		ring      bool
	}{{plain, tuned, "plain", true}, {tuned, plain, name, false}} {
		if rule.at == nil {
			continue
		}
		dots(p, []xy{*rule.at}, color.Black, rule.ring)
		var rivals []xy
		if rule.rival != nil {
			rivals = []xy{*rule.rival}
		}
		names = append(names, word{at: *rule.at, text: rule.name, color: color.Black, dx: 1, dy: -0.5, rivals: rivals,
			led: rivals != nil})
	}
	for _, at := range lines {
		names = append(names, word{at: at})
	}
	p.add(append(names, more...))
}

// along are points on the way from one point to another, which they leave out.
func along(from, to xy, steps int) []xy {
	at := make([]xy, steps)
	for i := range at {
		part := float64(i) / float64(steps)
		at[i] = xy{X: from.X + float64(part*(to.X-from.X)), Y: from.Y + float64(part*(to.Y-from.Y))}
	}
	return at
}

// diagonal draws what curves are held against.
func diagonal(p *panel) {
	line(p, []xy{{X: 0, Y: 0}, {X: 1, Y: 1}}, Grey, 0.8, broken...)
}

// roc draws recall against false positives.
func roc(r *report.Report, shown *report.Class) []*panel {
	p := square(fmt.Sprintf("ROC of %q", nameOf(r, shown)), "false positives among the other rows", "recall", 0)
	diagonal(p)
	at := []xy{{X: 0, Y: 0}}
	for i, recall := range shown.Charts.Cuts.Recall {
		at = append(at, xy{X: float64(shown.Charts.Cuts.FalsePositive[i]), Y: float64(recall)})
	}
	total := 0.0
	for _, c := range r.Classes {
		total += c.Plain.Support
	}
	rule := func(recall *float64, predicted, support float64) *xy {
		if recall == nil || total == support {
			return nil
		}
		return &xy{X: (predicted - float64(*recall*support)) / (total - support), Y: *recall}
	}
	line(p, at, Vermilion, 1.5)
	plain, tuned := shown.Plain, shown.Tuned
	rules(p, r.Rule, rule(plain.Recall, plain.Predicted, plain.Support), rule(tuned.Recall, tuned.Predicted,
		tuned.Support), append(at, along(xy{}, xy{X: 1, Y: 1}, 50)...), nil)
	return []*panel{p}
}

// pr draws precision against recall.
func pr(r *report.Report, shown *report.Class) []*panel {
	p := square(fmt.Sprintf("Precision and recall of %q", nameOf(r, shown)), "recall", "precision", 0)
	share := float64(shown.Charts.Share)
	figures := contours(p, r, shown, share)
	line(p, []xy{{X: 0, Y: share}, {X: 1, Y: share}}, Grey, 0.8, broken...) // by chance
	var at []xy
	for i, recall := range shown.Charts.Cuts.Recall {
		at = append(at, xy{X: float64(recall), Y: float64(shown.Charts.Cuts.Precision[i])})
	}
	line(p, at, Vermilion, 1.5)
	rule := func(recall, precision *float64) *xy {
		if recall == nil || precision == nil {
			return nil
		}
		return &xy{X: *recall, Y: *precision}
	}
	rules(p, r.Rule, rule(shown.Plain.Recall, shown.Plain.Precision), rule(shown.Tuned.Recall, shown.Tuned.Precision), at,
		figures)
	return []*panel{p}
}

// benefit draws the decision curve, with that of deciding all rows as the class, or none.
func benefit(r *report.Report, shown *report.Class) []*panel {
	b := &shown.Charts.Benefit
	if len(b.From) == 0 {
		return nil
	}
	var model, all []xy
	most := float64(shown.Charts.Share) / 10
	for i, from := range b.From {
		model, all = append(model, xy{X: float64(from), Y: float64(b.Model[i])}),
			append(all, xy{X: float64(from), Y: float64(b.All[i])})
		most = max(most, model[i].Y, all[i].Y)
	}
	name := nameOf(r, shown)
	p := newPanel(fmt.Sprintf("Net benefit of deciding for %q", name), "decided from probability, %",
		"net benefit, found in 100 rows")
	p.x.ticks, p.y.ticks = percents, percents
	low, high, end := -0.22*most, 1.1*most, model[len(model)-1].X
	if b.Worth < 0 {
		low = min(low, max(1.3*float64(b.Worth), -high))
	}
	inside := slices.IndexFunc(all, func(at xy) bool { return at.Y < low })
	if inside < 0 {
		inside = len(all) - 1
	}
	all = all[:inside+1] // the last is below the plot
	none := []xy{{X: 0, Y: 0}, {X: end, Y: 0}}
	line(p, none, Grey, 0.8, broken...)
	line(p, all, Blue, 1.5)
	line(p, model, Vermilion, 1.5)
	names := words{
		{at: model[len(model)/3], text: "by the probabilities", color: Vermilion, dx: 1, dy: -1, or: model},
		{at: all[len(all)/2], text: fmt.Sprintf("all as %q", name), color: Blue, dx: 1, or: all},
		{at: none[1], text: "none", color: Grey, dx: -1, dy: 1},
	}
	if at := (xy{X: float64(b.Tuned), Y: float64(b.Worth)}); !math.IsNaN(at.X) && at.Y >= low {
		dots(p, []xy{at}, color.Black, false)
		names = append(names, word{at: at, text: r.Rule, color: color.Black, dx: 1})
	}
	for _, at := range slices.Concat(model, all) {
		names = append(names, word{at: at})
	}
	p.add(names)
	p.x.low, p.x.high, p.y.low, p.y.high = 0, end, low, high
	return []*panel{p}
}

// reliability draws the observed share of each bin with its interval.
func reliability(r *report.Report, shown *report.Class) []*panel {
	p := square(fmt.Sprintf("Reliability of probabilities of %q", nameOf(r, shown)), "probability given", "observed share",
		0)
	diagonal(p)
	var at []xy
	var rows words
	for _, b := range shown.Charts.Reliability {
		line(p, []xy{{X: float64(b.Mean), Y: float64(b.From)}, {X: float64(b.Mean), Y: float64(b.To)}}, Vermilion, 1)
		at = append(at, xy{X: float64(b.Mean), Y: float64(b.Share)})
		rows = append(rows, word{at: xy{X: float64(b.Low+b.High) / 2, Y: 1}, text: fmt.Sprintf("%.0f", float64(b.Count)),
			color: Grey, dy: 1})
	}
	dots(p, at, Vermilion, false)
	p.title += "; above: " + r.Unit
	p.add(rows)
	return []*panel{p}
}

// curve draws the CORP curve.
func curve(r *report.Report, shown *report.Class) []*panel {
	p := square(fmt.Sprintf("CORP curve of probabilities of %q", nameOf(r, shown)), "probability given",
		"probability that would fit", 0)
	var at, low, high []xy
	for _, b := range shown.Charts.Curve {
		at = append(at, xy{X: float64(b.Low), Y: float64(b.Share)}, xy{X: float64(b.High), Y: float64(b.Share)})
		low = append(low, xy{X: float64(b.Low), Y: float64(b.From)}, xy{X: float64(b.High), Y: float64(b.From)})
		high = append(high, xy{X: float64(b.Low), Y: float64(b.To)}, xy{X: float64(b.High), Y: float64(b.To)})
	}
	slices.Reverse(high)
	p.add(area{slices.Concat(low, high), paleVermilion})
	diagonal(p)
	line(p, at, Vermilion, 1.5)
	return []*panel{p}
}
