package main

import (
	"image/color"

	"github.com/rfpragma/rfpragma/bench/figure"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawAll draws the losses of probabilities and of amounts side by side, each with a dot where it is lowest.
func drawAll(path string) error {
	a, err := panel("A: 0.3 of the rows are of the class", "probability stated", ofShares(), 1, 1.5)
	if err != nil {
		return err
	}
	b, err := panel("B: amounts, exponential with a mean of 1", "amount stated", ofAmounts(), 4, 3)
	if err != nil {
		return err
	}
	return figure.Write(path, [][]*plot.Plot{{a, b}}, 24*vg.Centimeter, 10*vg.Centimeter)
}

// panel draws losses against statements from 0 to most, up to a loss of highest.
func panel(title, what string, losses []loss, most, highest float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, what, "loss, mean over the rows"
	p.Legend.Top, p.Legend.Left, p.Legend.ThumbnailWidth = true, true, vg.Points(24) // on the left, names have room in any font
	p.Add(plotter.NewGrid())
	colors := []color.Color{plotfile.Vermilion, plotfile.Blue, plotfile.Grey, color.Black}
	dashes := [][]vg.Length{nil, nil, figure.Broken, {vg.Points(1.5), vg.Points(2)}}
	for i, l := range losses {
		var at plotter.XYs
		for j := range 401 {
			x := most * float64(j) / 400
			if y := l.of(x); y <= highest {
				at = append(at, plotter.XY{X: x, Y: y})
			}
		}
		line, err := plotter.NewLine(at)
		if err != nil {
			return nil, err
		}
		line.Color, line.Dashes, line.Width = colors[i], dashes[i], vg.Points(1.5)
		x := l.lowest(most)
		dot, err := plotter.NewScatter(plotter.XYs{{X: x, Y: l.of(x)}})
		if err != nil {
			return nil, err
		}
		dot.Color, dot.Shape, dot.Radius = colors[i], draw.CircleGlyph{}, vg.Points(3.5)
		p.Add(line)
		if i < len(losses)-1 || len(losses) < 4 { // wrong decisions are lowest anywhere below ½
			p.Add(dot)
		}
		p.Legend.Add(l.name, line)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, most, 0, highest*4/3 // room for the legend
	return p, nil
}
