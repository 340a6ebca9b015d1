package plotfile

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rfpragma/rfpragma/report"
)

// votes draws figure 2 of the paper: the rows of the class upwards, all others downwards.
func votes(r *report.Report, shown *report.Class) ([]*plot.Plot, error) {
	v := shown.Charts.Votes
	panel := func(solid, pale []report.Number, dark, light color.Color, names [2]string) *plot.Plot {
		top := ceiling(solid, pale)
		var bars, lighter, gaps boxes
		var counts []string
		end := 0.0
		for i := range solid {
			x0, x1 := float64(i*v.Width)+0.06*float64(v.Width), float64((i+1)*v.Width)-0.06*float64(v.Width)
			full := float64(solid[i] + pale[i])
			middle := min(float64(solid[i]), top)
			bars = append(bars, box{x0, 0, x1, middle, dark, nil})
			lighter = append(lighter, box{x0, middle, x1, min(full, top), light, dark})
			if full > top {
				counts, end = append(counts, fmt.Sprintf("%.0f", full)), x1
				gaps = append(gaps, box{x0, 0.9 * top, x1, 0.94 * top, color.White, color.White})
			}
		}
		p := newPlot("", "", r.Unit)
		p.Y.Tick.Marker = rounds{whole: true}
		p.Add(bars, lighter, gaps)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(len(solid)*v.Width), 0, 1.3*top // with room for the words
		p.Legend.Top, p.Legend.Left = true, end > p.X.Max/2
		p.Legend.Add(names[0], bars)
		p.Legend.Add(names[1], lighter)
		if len(counts) > 0 {
			side := 1.0
			if p.Legend.Left {
				side = -1
			}
			p.Add(words{{at: plotter.XY{X: end, Y: top}, text: "cut: " + strings.Join(counts, ", "), color: Grey, dx: side, dy: 1}})
		}
		return p
	}
	name := nameOf(r, shown)
	up := panel(v.Found, v.Missed, Vermilion, paleVermilion, [2]string{"found", "missed"})
	up.Title.Text = fmt.Sprintf("Rows of %q, above, and others, by their votes", name)
	down := panel(v.Alarms, v.Others, Blue, paleBlue, [2]string{"false alarms", "left alone"})
	down.X.Label.Text = fmt.Sprintf("votes of %d for %q", r.Trees, name)
	return []*plot.Plot{up, down}, nil
}

// ceiling is the height at which bars are cut, so that a few very long ones do not hide all others.
func ceiling(solid, pale []report.Number) float64 {
	heights := make([]float64, len(solid))
	for i := range solid {
		heights[i] = float64(solid[i] + pale[i])
	}
	slices.Sort(heights)
	slices.Reverse(heights)
	rest := heights[min(3, len(heights)-1)]
	for i := 2; rest == 0 && i >= 0; i-- {
		rest = heights[min(i, len(heights)-1)]
	}
	for _, h := range heights {
		if h <= 3*rest && h > 0 {
			return h * 1.08
		}
	}
	return 1
}

// sweep draws figure 4 of the paper: what becomes of recall, precision, loss and wrong decisions with the weight.
func sweep(r *report.Report, shown *report.Class) ([]*plot.Plot, error) {
	s := shown.Charts.Sweep
	var recall, precision, loss, wrong plotter.XYs
	for i, w := range s.Weights {
		at := func(y report.Number) plotter.XY { return plotter.XY{X: log(float64(w)), Y: float64(y)} }
		recall = append(recall, at(s.Found[i]/report.Number(shown.Plain.Support)))
		if s.Named[i] > 0 {
			precision = append(precision, at(s.Found[i]/s.Named[i]))
		}
		loss, wrong = append(loss, at(s.Loss[i])), append(wrong, at(s.Wrong[i]))
	}
	lowest, highest := aired(loss)
	most := 0.0
	for _, at := range wrong {
		most = max(most, at.Y)
	}
	var panels []*plot.Plot
	for _, panel := range []struct {
		title     string
		lines     []plotter.XYs
		low, high float64
	}{
		{fmt.Sprintf("Recall and precision of %q, %%", nameOf(r, shown)), []plotter.XYs{recall, precision}, 0, 1},
		{"Loss (" + r.Measure + ")", []plotter.XYs{loss}, lowest, highest},
		{"Wrong decisions", []plotter.XYs{wrong}, 0, max(1.05*most, 1e-9)},
	} {
		p := newPlot(panel.title, "", "")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = log(float64(s.Weights[0])), log(float64(s.Weights[len(s.Weights)-1])), panel.low, panel.high
		p.X.Tick.Marker = decades{}
		names, err := marks(p, r, shown)
		if err != nil {
			return nil, err
		}
		colors := []color.Color{color.Black}
		if len(panel.lines) == 2 {
			p.Y.Tick.Marker, colors = percents{}, []color.Color{Vermilion, Blue}
		}
		for i, l := range panel.lines {
			if err := line(p, l, colors[i], 1.5); err != nil {
				return nil, err
			}
			if len(panel.lines) == 2 && len(l) > 0 {
				names = append(names, word{at: l[len(l)*9/10], text: []string{"recall", "precision"}[i], color: colors[i], dy: []float64{-1, 1}[i]})
				for _, at := range l {
					names = append(names, word{at: at})
				}
			}
		}
		if len(panel.lines) == 2 { // the other panels go without
			p.Add(names)
		}
		panels = append(panels, p)
	}
	panels[2].X.Label.Text = fmt.Sprintf("weight of a vote for %q", nameOf(r, shown))
	if len(broken(&s, 0, 1)) > 0 {
		panels[2].X.Label.Text += "; hatched weights break what is required"
	}
	return panels, nil
}

// aired is the range of losses with room on both sides: what matters is where they are lowest, not how far they are from 0.
func aired(lines ...plotter.XYs) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for _, at := range l {
			low, high = min(low, at.Y), max(high, at.Y)
		}
	}
	air := cmp.Or(0.1*(high-low), 0.1*high, 1)
	return low - air, high + air
}

// log is where a weight is drawn, see decades.
func log(w float64) float64 { return math.Log10(w) }

// marks shades the weights that are as good, hatches those that break what is required, and draws the one in use and the plain vote. It returns their names.
func marks(p *plot.Plot, r *report.Report, shown *report.Class) (words, error) {
	s, bottom, top := &shown.Charts.Sweep, p.Y.Min, p.Y.Max
	low, high := float64(s.Weights[0]), float64(s.Weights[len(s.Weights)-1])
	as := s.Plateau
	if s.Trained != nil {
		as = *s.Trained
	}
	p.Add(boxes{{log(min(max(float64(as[0]), low), high)), bottom, log(max(min(float64(as[1]), high), low)), top, paleGrey, nil}})
	p.Add(broken(s, bottom, top))
	// Of two classes the plain vote is where both weigh the same; of more the other weights are those in use.
	plain, name := 1.0, "weight 1"
	if len(r.Classes) == 2 {
		for c := range r.Classes {
			if &r.Classes[c] != shown {
				plain, name = float64(r.Classes[c].Weight), "plain vote"
			}
		}
	}
	type rule struct {
		weight float64
		name   string
		height float64 // of its name
		ink    color.Color
		dashes []vg.Length
	}
	rules := []rule{{float64(shown.Weight), r.Rule, 0.5, color.Black, nil}}
	if plain != float64(shown.Weight) && low <= plain && plain <= high {
		rules = append(rules, rule{plain, name, 0.33, Grey, Broken})
	}
	var names, taken words
	for i, rule := range rules {
		to := plotter.XY{X: log(rule.weight), Y: top}
		on := along(plotter.XY{X: to.X, Y: bottom}, to, 40)
		if err := line(p, append(on, to), Grey, 1, rule.dashes...); err != nil {
			return nil, err
		}
		named := word{at: plotter.XY{X: to.X, Y: rule.height * top}, text: rule.name + breaks(s, rule.weight), color: rule.ink, dx: 1, or: on}
		if len(rules) == 2 { // on the side that is off the other
			other := log(rules[1-i].weight)
			named.dx = math.Copysign(1, to.X-other)
			named.rivals = along(plotter.XY{X: other, Y: bottom}, plotter.XY{X: other, Y: top}, 40)
		}
		names = append(names, named)
		for _, at := range on {
			taken = append(taken, word{at: at})
		}
	}
	return append(names, taken...), nil
}

// broken are the weights that break what is required, each to the middle between it and its neighbours.
func broken(s *report.Sweep, bottom, top float64) hatched {
	var out hatched
	between := func(g int) float64 {
		return (log(float64(s.Weights[max(g-1, 0)])) + log(float64(s.Weights[min(g, len(s.Weights)-1)]))) / 2
	}
	for g := range s.Broken {
		switch {
		case s.Kept(g):
		case g > 0 && !s.Kept(g-1):
			out[len(out)-1].x1 = between(g + 1)
		default:
			out = append(out, box{x0: between(g), y0: bottom, x1: between(g + 1), y1: top})
		}
	}
	return out
}

// breaks says of a weight that it breaks what is required, going by the nearest of the sweep.
func breaks(s *report.Sweep, w float64) string {
	nearest := 0
	for g := range s.Weights {
		if math.Abs(log(float64(s.Weights[g])/w)) < math.Abs(log(float64(s.Weights[nearest])/w)) {
			nearest = g
		}
	}
	if s.Kept(nearest) {
		return ""
	}
	return ", breaks what is required"
}

// named returns a plot with a line for each name, the first at the top.
func named(title, x string, names []string) *plot.Plot {
	p := newPlot(title, x, "")
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range short(names) {
		ticks[i] = plot.Tick{Value: float64(len(names)-i) - 0.5, Label: name}
	}
	p.Y.Tick.Marker, p.Y.Tick.Width = ticks, 0
	p.Y.Min, p.Y.Max = 0, float64(len(names))
	return p
}

// folds draws the weights that each fold has found.
func folds(r *report.Report, shown *report.Class) ([]*plot.Plot, error) {
	if len(r.Folds) == 0 {
		return nil, nil
	}
	names := classes(r)
	p := named("Weights in the folds, and their middle", "weight of a vote", names)
	p.X.Tick.Marker = decades{}
	low, high := 1.0, 1.0
	for c := range r.Classes {
		class, y := &r.Classes[c], float64(len(names)-c)-0.5
		var at plotter.XYs
		for _, f := range r.Folds {
			w := f.Weights[class.Name]
			low, high = min(low, w), max(high, w)
			at = append(at, plotter.XY{X: log(w), Y: y})
		}
		var paint color.Color = Blue
		if class == shown {
			paint = Vermilion
		}
		if err := dots(p, at, paint, draw.RingGlyph{}); err != nil {
			return nil, err
		}
		middle := log(float64(class.Weight))
		if err := line(p, plotter.XYs{{X: middle, Y: y - 0.28}, {X: middle, Y: y + 0.28}}, color.Black, 1.5); err != nil {
			return nil, err
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = log(low/1.15), log(high*1.15), 0, float64(len(names))
	return []*plot.Plot{p}, nil
}

// mostFeatures are drawn.
const mostFeatures = 15

// importance draws the parts of the features.
func importance(r *report.Report, _ *report.Class) ([]*plot.Plot, error) {
	top := r.Importance[:min(len(r.Importance), mostFeatures)]
	if len(top) == 0 {
		return nil, nil
	}
	names, bars := make([]string, len(top)), make(boxes, len(top))
	for i, f := range top {
		y := float64(len(top)-i) - 0.5
		names[i], bars[i] = f.Name, box{0, y - 0.3, float64(f.Part), y + 0.3, Blue, nil}
	}
	p := named("What the splits go by, which is not what the columns are worth",
		"part of what the splits gained (impurity), %\nColumns with many different values look better by it than they are.", names)
	p.Add(bars)
	p.X.Tick.Marker = percents{}
	p.X.Min, p.X.Max = 0, max(float64(top[0].Part)*1.02, 1e-9)
	return []*plot.Plot{p}, nil
}

// search draws the lowest loss of each chain so far.
func search(r *report.Report, _ *report.Class) ([]*plot.Plot, error) {
	if len(r.Search) == 0 {
		return nil, nil
	}
	p := newPlot("Annealing for the optimistic rule", "level of the temperature, falling", "lowest loss so far")
	var chains []plotter.XYs
	for _, l := range r.Search {
		for len(chains) <= l.Chain {
			chains = append(chains, nil)
		}
		chains[l.Chain] = append(chains[l.Chain], plotter.XY{X: float64(len(chains[l.Chain]) + 1), Y: float64(l.Lowest)})
	}
	var names words
	for i, at := range chains {
		c := []color.Color{Vermilion, Blue}[i%2]
		if err := line(p, at, c, 1.5); err != nil {
			return nil, err
		}
		names = append(names, word{at: at[len(at)*9/10], text: fmt.Sprintf("chain %d", i+1), color: c, dy: -1})
		for _, point := range at {
			names = append(names, word{at: point})
		}
	}
	p.Add(names)
	p.Y.Min, p.Y.Max = aired(chains...)
	return []*plot.Plot{p}, nil
}
