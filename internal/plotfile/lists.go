package plotfile

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/report"
)

// votes draws figure 2 of the paper: the rows of the class upwards, all others downwards.
func votes(r *report.Report, shown *report.Class) []*panel {
	v := shown.Charts.Votes
	part := func(solid, pale []report.Number, dark, light color.Color, names [2]string) *panel {
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
		p := newPanel("", "", r.Unit)
		p.y.ticks = wholes
		p.add(bars, lighter, gaps)
		p.x.low, p.x.high, p.y.low, p.y.high = 0, float64(len(solid)*v.Width), 0, 1.3*top // with room for the words
		p.legend, p.legendLeft = []key{{names[0], bars[0]}, {names[1], lighter[0]}}, end > p.x.high/2
		if len(counts) > 0 {
			side := 1.0
			if p.legendLeft {
				side = -1
			}
			p.add(words{{at: xy{X: end, Y: top}, text: "cut: " + strings.Join(counts, ", "), color: Grey, dx: side, dy: 1}})
		}
		return p
	}
	name := nameOf(r, shown)
	up := part(v.Found, v.Missed, Vermilion, paleVermilion, [2]string{"found", "missed"})
	up.title = fmt.Sprintf("Rows of %q, above, and others, by their votes", name)
	down := part(v.Alarms, v.Others, Blue, paleBlue, [2]string{"false alarms", "left alone"})
	down.x.label = fmt.Sprintf("votes of %d for %q", r.Trees, name)
	return []*panel{up, down}
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
func sweep(r *report.Report, shown *report.Class) []*panel {
	s := shown.Charts.Sweep
	var recall, precision, loss, wrong []xy
	for i, w := range s.Weights {
		at := func(y report.Number) xy { return xy{X: log(float64(w)), Y: float64(y)} }
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
	var panels []*panel
	for _, part := range []struct {
		title     string
		lines     [][]xy
		low, high float64
	}{
		{fmt.Sprintf("Recall and precision of %q, %%", nameOf(r, shown)), [][]xy{recall, precision}, 0, 1},
		{"Loss (" + r.Measure + ")", [][]xy{loss}, lowest, highest},
		{"Wrong decisions", [][]xy{wrong}, 0, max(1.05*most, 1e-9)},
	} {
		p := newPanel(part.title, "", "")
		p.x.low, p.x.high, p.y.low, p.y.high = log(float64(s.Weights[0])), log(float64(s.Weights[len(s.Weights)-1])),
			part.low, part.high
		p.x.ticks = decades
		names := marks(p, r, shown)
		colors := []color.Color{color.Black}
		if len(part.lines) == 2 {
			p.y.ticks, colors = percents, []color.Color{Vermilion, Blue}
		}
		for i, l := range part.lines {
			line(p, l, colors[i], 1.5)
			if len(part.lines) == 2 && len(l) > 0 {
				names = append(names, word{at: l[len(l)*9/10], text: []string{"recall", "precision"}[i], color: colors[i],
					dy: []float64{-1, 1}[i]})
				for _, at := range l {
					names = append(names, word{at: at})
				}
			}
		}
		if len(part.lines) == 2 { // the other panels go without
			p.add(names)
		}
		panels = append(panels, p)
	}
	panels[2].x.label = fmt.Sprintf("weight of a vote for %q", nameOf(r, shown))
	if len(breaking(&s, 0, 1)) > 0 {
		panels[2].x.label += "; hatched weights break what is required"
	}
	return panels
}

// aired is the range of losses with room on both sides: what matters is where they are lowest, not how far they are
// from 0.
func aired(lines ...[]xy) (low, high float64) {
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

// marks shades the weights that are as good, hatches those that break what is required, and draws the one in use and
// the plain vote. It returns their names.
func marks(p *panel, r *report.Report, shown *report.Class) words {
	s, bottom, top := &shown.Charts.Sweep, p.y.low, p.y.high
	low, high := float64(s.Weights[0]), float64(s.Weights[len(s.Weights)-1])
	as := s.Plateau
	if s.Trained != nil {
		as = *s.Trained
	}
	p.add(boxes{{log(min(max(float64(as[0]), low), high)), bottom, log(max(min(float64(as[1]), high), low)), top, paleGrey,
		nil}})
	p.add(breaking(s, bottom, top))
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
		dashes []float64
	}
	rules := []rule{{float64(shown.Weight), r.Used, 0.5, color.Black, nil}}
	if plain != float64(shown.Weight) && low <= plain && plain <= high {
		rules = append(rules, rule{plain, name, 0.33, Grey, broken})
	}
	var names, taken words
	for i, rule := range rules {
		to := xy{X: log(rule.weight), Y: top}
		on := along(xy{X: to.X, Y: bottom}, to, 40)
		line(p, append(on, to), Grey, 1, rule.dashes...)
		named := word{at: xy{X: to.X, Y: rule.height * top}, text: rule.name + breaks(s, rule.weight), color: rule.ink, dx: 1,
			or: on}
		if len(rules) == 2 { // on the side that is off the other
			other := log(rules[1-i].weight)
			named.dx = math.Copysign(1, to.X-other)
			named.rivals = along(xy{X: other, Y: bottom}, xy{X: other, Y: top}, 40)
		}
		names = append(names, named)
		for _, at := range on {
			taken = append(taken, word{at: at})
		}
	}
	return append(names, taken...)
}

// breaking are the weights that break what is required, each to the middle between it and its neighbours.
func breaking(s *report.Sweep, bottom, top float64) hatched {
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
func named(title, x string, names []string) *panel {
	p := newPanel(title, x, "")
	at := make([]tick, len(names))
	for i, name := range short(names) {
		at[i] = tick{float64(len(names)-i) - 0.5, name}
	}
	p.y.ticks, p.y.mark = func(_, _ float64) []tick { return at }, 0
	p.y.low, p.y.high = 0, float64(len(names))
	return p
}

// folds draws the weights that each fold has found.
func folds(r *report.Report, shown *report.Class) []*panel {
	if len(r.Folds) == 0 {
		return nil
	}
	names := classes(r)
	p := named("Weights in the folds, and their middle", "weight of a vote", names)
	p.x.ticks = decades
	low, high := 1.0, 1.0
	for c := range r.Classes {
		class, y := &r.Classes[c], float64(len(names)-c)-0.5
		var at []xy
		for _, f := range r.Folds {
			w := f.Weights[class.Name]
			low, high = min(low, w), max(high, w)
			at = append(at, xy{X: log(w), Y: y})
		}
		var paint color.Color = Blue
		if class == shown {
			paint = Vermilion
		}
		dots(p, at, paint, true)
		middle := log(float64(class.Weight))
		line(p, []xy{{X: middle, Y: y - 0.28}, {X: middle, Y: y + 0.28}}, color.Black, 1.5)
	}
	p.x.low, p.x.high, p.y.low, p.y.high = log(low/1.15), log(high*1.15), 0, float64(len(names))
	return []*panel{p}
}

// mostFeatures are drawn.
const mostFeatures = 15

// importance draws the parts of the features in what splits gained, where nothing better is known of them: see summary.
func importance(r *report.Report, _ *report.Class) []*panel {
	top := r.Importance[:min(len(r.Importance), mostFeatures)]
	if len(top) == 0 || r.Parts != nil {
		return nil
	}
	names, bars := make([]string, len(top)), make(boxes, len(top))
	for i, f := range top {
		y := float64(len(top)-i) - 0.5
		names[i], bars[i] = f.Name, box{0, y - 0.3, float64(f.Part), y + 0.3, Blue, nil}
	}
	p := named("Which columns the trees split by",
		"part of what the splits gained (impurity), %\nColumns with many different values look better by it than they are.",
		names)
	p.add(bars)
	p.x.ticks = percents
	p.x.low, p.x.high = 0, max(float64(top[0].Part)*1.02, 1e-9)
	return []*panel{p}
}

// search draws the lowest loss of each chain so far.
func search(r *report.Report, _ *report.Class) []*panel {
	if len(r.Search) == 0 {
		return nil
	}
	p := newPanel("Annealing for the optimistic rule", "level of the temperature, falling", "lowest loss so far")
	var chains [][]xy
	for _, l := range r.Search {
		for len(chains) <= l.Chain {
			chains = append(chains, nil)
		}
		chains[l.Chain] = append(chains[l.Chain], xy{X: float64(len(chains[l.Chain]) + 1), Y: float64(l.Lowest)})
	}
	var names words
	for i, at := range chains {
		c := []color.Color{Vermilion, Blue}[i%2]
		line(p, at, c, 1.5)
		names = append(names, word{at: at[len(at)*9/10], text: fmt.Sprintf("chain %d", i+1), color: c, dy: -1})
		for _, point := range at {
			names = append(names, word{at: point})
		}
	}
	p.add(names)
	p.x.low, p.x.high = 1, 2
	for _, at := range chains {
		p.x.high = max(p.x.high, float64(len(at)))
	}
	p.y.low, p.y.high = aired(chains...)
	return []*panel{p}
}
