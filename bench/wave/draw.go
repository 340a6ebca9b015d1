package main

import (
	"fmt"

	"github.com/rfpragma/rfpragma/bench/figure"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawAll draws for each model, a line of them, the reliability diagrams of the ways.
func drawAll(path string, results []result) error {
	grid := make([][]*plot.Plot, len(results))
	for i, r := range results {
		for j, f := range r.of {
			p, err := diagram(fmt.Sprintf("%s, %s", r.model, ways[j].name), f)
			if err != nil {
				return err
			}
			grid[i] = append(grid[i], p)
		}
	}
	return figure.Write(path, grid, 21*vg.Centimeter, vg.Length(len(results))*6.6*vg.Centimeter)
}

// diagram sets what was observed against what was said, with 95 % intervals.
func diagram(title string, f figures) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, "mean probability", "share of class 2"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	diagonal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return nil, err
	}
	diagonal.Color, diagonal.Dashes = plotfile.Grey, figure.Broken
	var points plotter.XYs
	var errors plotter.YErrors
	for _, b := range f.bins {
		if b.Count > 0 {
			points = append(points, plotter.XY{X: b.Mean, Y: b.Share})
			errors = append(errors, struct{ Low, High float64 }{b.Share - b.ShareLow, b.ShareHigh - b.Share})
		}
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, err
	}
	bars, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{points, errors})
	if err != nil {
		return nil, err
	}
	line.Color, dots.Color, bars.Color = plotfile.Blue, plotfile.Blue, plotfile.Blue
	dots.Shape, dots.Radius = draw.CircleGlyph{}, vg.Points(2.5)
	p.Add(plotter.NewGrid(), diagonal, line, bars, dots)
	return p, nil
}
