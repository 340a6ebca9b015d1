package main

import (
	"slices"

	"github.com/rfpragma/rfpragma/bench/figure"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawCurves draws the curves side by side, in pairs, each with what it is held against, broken.
func drawCurves(path string, curves []curve) error {
	const columns = 2
	grid := make([][]*plot.Plot, (len(curves)+columns-1)/columns)
	for i := range grid {
		grid[i] = make([]*plot.Plot, columns)
	}
	for i, c := range curves {
		p, err := one(c)
		if err != nil {
			return err
		}
		grid[i/columns][i%columns] = p
	}
	return figure.Write(path, grid, 22*vg.Centimeter, 16*vg.Centimeter)
}

// one draws a curve on two logarithmic axes.
func one(c curve) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.what, c.what, "seconds"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	took, law := make(plotter.XYs, len(c.points)), make(plotter.XYs, len(c.points))
	first := c.points[0]
	for i, point := range c.points {
		x := float64(point.size)
		took[i] = plotter.XY{X: x, Y: point.median()}
		law[i] = plotter.XY{X: x, Y: first.median() * c.bound(point.size) / c.bound(first.size)}
	}
	widen := func(a *plot.Axis, of func(plotter.XY) float64) {
		a.Min, a.Max = of(took[0]), of(took[0])
		for _, at := range slices.Concat(took, law) {
			a.Min, a.Max = min(a.Min, of(at)/1.3), max(a.Max, of(at)*1.3)
		}
	}
	line, dots, err := plotter.NewLinePoints(took)
	if err != nil {
		return nil, err
	}
	broken, err := plotter.NewLine(law)
	if err != nil {
		return nil, err
	}
	line.Color, dots.Color = plotfile.Blue, plotfile.Blue
	dots.Shape = draw.CircleGlyph{}
	broken.Color, broken.Dashes = plotfile.Grey, figure.Broken
	p.Add(plotter.NewGrid(), broken, line, dots)
	name := "linear"
	if c.nLogN {
		name = "n log n"
	}
	p.Legend.Add("measured", line, dots)
	p.Legend.Add(name, broken)
	p.Legend.Top, p.Legend.Left = true, true
	widen(&p.X, func(at plotter.XY) float64 { return at.X })
	widen(&p.Y, func(at plotter.XY) float64 { return at.Y })
	return p, nil
}
