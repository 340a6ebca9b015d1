package main

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/bench/figure"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawAll writes figures 1 to 4 of the paper into folder out, and one of an annealing.
func drawAll(ctx context.Context, data, out string, results map[string]result) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	letters, mammography := named("Letters"), named("Mammography")
	tables, frames := make(map[string]*vote.Table), make(map[string]*dataset.Frame)
	for _, e := range []experiment{letters, mammography} {
		frame, err := e.frame(data)
		if err != nil {
			return err
		}
		frames[e.title] = frame
		if tables[e.title], err = e.pooled(ctx, frame, 1); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name          string
		draw          func() ([][]*plot.Plot, error)
		width, height vg.Length
	}{
		{"fig1-planes", planes, 25, 9.5},
		{"fig2-votes", func() ([][]*plot.Plot, error) {
			return distributions(tables["Letters"], tables["Mammography"])
		}, 30, 10},
		{"fig3-letters", func() ([][]*plot.Plot, error) { return perClass(results["Letters, 4000 rows"]) }, 26, 10},
		{"fig4-ratios", func() ([][]*plot.Plot, error) {
			return mammography.sweep(ctx, tables["Mammography"])
		}, 22, 16},
		{"fig5-annealing", func() ([][]*plot.Plot, error) { return letters.trace(ctx, frames["Letters"], tables["Letters"]) }, 28, 9},
	} {
		grid, err := f.draw()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		for _, ext := range []string{".png", ".svg"} {
			if err := figure.Write(filepath.Join(out, f.name+ext), grid, f.width*vg.Centimeter, f.height*vg.Centimeter); err != nil {
				return err
			}
		}
	}
	return nil
}

// planes draws figure 1: three preferences, with the lines of equal measure, and two models A and B.
func planes() ([][]*plot.Plot, error) {
	var row []*plot.Plot
	for _, c := range []struct {
		title string
		pref  pragma.Preference
	}{
		{"I: recall and precision alike", pragma.Neutral()},
		{"II: recall preferred", pragma.Priority()},
		{"III: precision preferred", pragma.Preference{Theta: 1, X: 0.90, Y: 0.10}},
	} {
		p, err := plane(c.title, c.pref)
		if err != nil {
			return nil, err
		}
		row = append(row, p)
	}
	return [][]*plot.Plot{row}, nil
}

// plane draws the lines f(r, p) = 0.1, 0.2, ... of a preference; the darker, the better.
func plane(title string, pref pragma.Preference) (*plot.Plot, error) {
	p := unit(title, "recall", "precision")
	alpha, beta := pref.AlphaBeta()
	f := func(r, q float64) float64 { return 1 + alpha*r + beta*q }
	var middles plotter.XYs
	var levels []word
	for level := 1; level <= 9; level++ {
		line := across(alpha, beta, float64(level)/10)
		l, err := plotter.NewLine(line)
		if err != nil {
			return nil, err
		}
		shade := uint8(30 + 17*level)
		l.Color, l.Width = color.RGBA{R: shade, G: shade + 20, B: shade + 60, A: 255}, vg.Points(1.5)
		p.Add(l)
		middle := plotter.XY{X: (line[0].X + line[1].X) / 2, Y: (line[0].Y + line[1].Y) / 2}
		middles, levels = append(middles, middle), append(levels, word{text: fmt.Sprintf("0.%d", level), color: color.Black, ground: true})
	}
	if err := write(p, middles, levels); err != nil {
		return nil, err
	}
	models := plotter.XYs{{X: 0.3, Y: 0.8}, {X: 0.8, Y: 0.3}}
	dots, err := plotter.NewScatter(models)
	if err != nil {
		return nil, err
	}
	dots.Color, dots.Shape, dots.Radius = plotfile.Vermilion, draw.CircleGlyph{}, vg.Points(4)
	p.Add(dots)
	return p, write(p, models, []word{
		{fmt.Sprintf("A: %.2f", f(0.3, 0.8)), plotfile.Vermilion, vg.Points(10), true}, {fmt.Sprintf("B: %.2f", f(0.8, 0.3)), plotfile.Vermilion, vg.Points(10), true},
	})
}

// across returns the line f(r, p) = level from border to border of the square of all r and p.
func across(alpha, beta, level float64) plotter.XYs {
	p := func(r float64) float64 { return (level - 1 - alpha*r) / beta }
	from, to := (level-1-beta)/alpha, (level-1)/alpha // where p is 1 and 0
	return plotter.XYs{{X: max(0, from), Y: p(max(0, from))}, {X: min(1, to), Y: p(min(1, to))}}
}

// word is a text in the place of a dot or above it, on white ground if it stands on lines.
type word struct {
	text   string
	color  color.Color
	above  vg.Length
	ground bool
}

func (w word) DrawGlyph(c *draw.Canvas, _ draw.GlyphStyle, at vg.Point) {
	style := draw.TextStyle{
		Color: w.color, Font: font.From(plot.DefaultFont, vg.Points(10)), Handler: plot.DefaultTextHandler,
		XAlign: text.XCenter, YAlign: text.YCenter,
	}
	at.Y += w.above
	if w.ground {
		w.clear(c, style, at)
	}
	c.FillText(style, at, w.text)
}

func (w word) clear(c *draw.Canvas, style draw.TextStyle, at vg.Point) {
	half := vg.Point{X: style.Width(w.text)/2 + 1, Y: style.Height(w.text)/2 + 1}
	c.FillPolygon(color.White, []vg.Point{
		{X: at.X - half.X, Y: at.Y - half.Y}, {X: at.X + half.X, Y: at.Y - half.Y}, at.Add(half), {X: at.X - half.X, Y: at.Y + half.Y},
	})
}

// write adds words to a plot, one at each point.
func write(p *plot.Plot, at plotter.XYs, words []word) error {
	dots, err := plotter.NewScatter(at)
	if err != nil {
		return err
	}
	dots.GlyphStyleFunc = func(i int) draw.GlyphStyle { return draw.GlyphStyle{Shape: words[i]} }
	p.Add(dots)
	return nil
}

// unit returns a plot of two shares.
func unit(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	return p
}

// perClass draws figure 3: recall and precision of every letter before and after, the mean of the repeats.
func perClass(r result) ([][]*plot.Plot, error) {
	var row []*plot.Plot
	least := 1.0
	for _, c := range []struct {
		title   string
		reports []*eval.Report
		rule    func(*eval.Report) eval.Rule
	}{
		{"A: plain forest", r.paper, plain},
		{"B: optimised, as the paper", r.paper, tuned},
		{"C: optimised, honest", r.honest, tuned},
	} {
		p := unit(c.title, "recall", "precision")
		p.Add(plotter.NewGrid())
		var at plotter.XYs
		var words []word
		for class := 'A'; class <= 'Z'; class++ {
			of := ofClass(string(class))
			at = append(at, plotter.XY{
				X: average(c.reports, func(r *eval.Report) float64 { return of(c.rule(r)).recall }) / 100,
				Y: average(c.reports, func(r *eval.Report) float64 { return of(c.rule(r)).precision }) / 100,
			})
			w := word{text: string(class), color: plotfile.Blue}
			if slices.Contains(vowels, w.text) {
				w.color = plotfile.Vermilion
			}
			words = append(words, w)
		}
		if err := write(p, apart(at), words); err != nil {
			return nil, err
		}
		for _, v := range at {
			least = min(least, math.Floor(20*min(v.X, v.Y))/20)
		}
		row = append(row, p)
	}
	for _, p := range row { // one scale for all
		p.X.Min, p.Y.Min = least, least
	}
	return [][]*plot.Plot{row}, nil
}

// apart moves points that would cover each other, step by step, until each can be read.
func apart(at plotter.XYs) plotter.XYs {
	const near, step = 0.017, 0.002
	at = slices.Clone(at)
	for range 100 {
		for i := range at {
			for j := range i {
				dx, dy := at[i].X-at[j].X, at[i].Y-at[j].Y
				if gap := math.Hypot(dx, dy); gap < near {
					if gap == 0 {
						dx, gap = 1, 1
					}
					at[i].X, at[i].Y = at[i].X+step*dx/gap, at[i].Y+step*dy/gap
					at[j].X, at[j].Y = at[j].X-step*dx/gap, at[j].Y-step*dy/gap
				}
			}
		}
	}
	return at
}

// widest is the largest ratio in figure 4: more than 20 decides as one vote of 20 does.
const widest = 25.0

// sweep draws figure 4: what becomes of recall, precision, errors and the measure with the ratio of the weights of
// the rare class and the other. The range of ratios with the lowest measure is shaded.
func (e experiment) sweep(ctx context.Context, votes *vote.Table) ([][]*plot.Plot, error) {
	measure, err := e.spec().Measure(votes.Classes)
	if err != nil {
		return nil, err
	}
	best, err := anneal.Search{Choice: anneal.Lowest}.Weights(ctx, votes, measure)
	if err != nil {
		return nil, err
	}
	rare := slices.Index(votes.Classes, e.priority[0])
	plateau := [2]float64{max(best.Low[rare], 1/widest), min(best.High[rare], widest)}
	var recall, precision [2]plotter.XYs
	var errors, loss plotter.XYs
	for _, ratio := range ratios(1/widest, widest, 300) {
		m := votes.Confuse(e.weights(votes.Classes, ratio))
		for c := range 2 {
			r, _ := m.Recall(c)
			recall[c] = append(recall[c], plotter.XY{X: ratio, Y: r})
			if p, decided := m.Precision(c); decided {
				precision[c] = append(precision[c], plotter.XY{X: ratio, Y: p})
			}
		}
		accuracy, _ := m.Accuracy()
		errors = append(errors, plotter.XY{X: ratio, Y: math.Round((1 - accuracy) * float64(votes.Rows()))})
		loss = append(loss, plotter.XY{X: ratio, Y: measure.Loss(m)})
	}
	grid := [][]*plot.Plot{make([]*plot.Plot, 2), make([]*plot.Plot, 2)}
	for i, c := range []struct {
		title string
		lines []plotter.XYs
	}{
		{"recall", recall[:]}, {"precision", precision[:]}, {"wrong decisions", []plotter.XYs{errors}}, {"PRAGMA", []plotter.XYs{loss}},
	} {
		if grid[i/2][i%2], err = e.curves(c.title, votes.Classes, c.lines, plateau); err != nil {
			return nil, err
		}
	}
	return grid, nil
}

// curves draws one panel of figure 4; two lines are those of the classes.
func (e experiment) curves(title string, classes []string, lines []plotter.XYs, plateau [2]float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = title, "ratio R"
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0.05, Label: "0.05"}, {Value: 0.2, Label: "0.2"}, {Value: 1, Label: "1"}, {Value: 5, Label: "5"}, {Value: 20, Label: "20"}}
	highest := 1.0
	for _, line := range lines {
		for _, at := range line {
			highest = max(highest, at.Y)
		}
	}
	if highest > 1 {
		highest *= 1.05
	}
	shade, err := plotter.NewPolygon(plotter.XYs{{X: plateau[0], Y: 0}, {X: plateau[1], Y: 0}, {X: plateau[1], Y: highest}, {X: plateau[0], Y: highest}})
	if err != nil {
		return nil, err
	}
	shade.Color, shade.Width = color.Gray{Y: 215}, 0
	one, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 0}, {X: 1, Y: highest}})
	if err != nil {
		return nil, err
	}
	one.Color, one.Dashes = plotfile.Grey, figure.Broken
	p.Add(shade, one)
	for i, xys := range lines {
		line, err := plotter.NewLine(xys)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = plotfile.Blue, vg.Points(1.5)
		if len(lines) > 1 {
			if classes[i] == e.priority[0] {
				line.Color = plotfile.Vermilion
			}
			p.Legend.Add(fmt.Sprintf("class %q", classes[i]), line)
		}
		p.Add(line)
	}
	p.Y.Min, p.Y.Max, p.X.Min, p.X.Max = 0, highest, 1/widest, widest
	p.Legend.ThumbnailWidth, p.Legend.Left = vg.Points(20), title == "precision" // where no line is
	return p, nil
}
