package main

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/bench/figure"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"github.com/rfpragma/rfpragma/vote"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// distributions draws figure 2: votes for a class against those of the runner-up, for rows of the class and for
// others; and how many rows have so many votes for it where there are two classes, as the runner-up has the rest
// then.
func distributions(letters, mammography *vote.Table) ([][]*plot.Plot, error) {
	a, err := runnersUp("A: Letters, rows of class S", letters, "S", true)
	if err != nil {
		return nil, err
	}
	b, err := runnersUp("B: Letters, rows of other classes", letters, "S", false)
	if err != nil {
		return nil, err
	}
	c, err := distribution("C: Mammography", mammography, "1", 2)
	return [][]*plot.Plot{{a, b, c}}, err
}

// runnersUp draws votes for a class against those of the other class that has most of them, for the rows of the
// class or for the others. The more rows have such votes, the larger the dot: its area grows with the logarithm of
// their number. Rows without a vote for the class are left out.
func runnersUp(title string, votes *vote.Table, class string, own bool) (*plot.Plot, error) {
	of := slices.Index(votes.Classes, class)
	counts := make(map[[2]int]int)
	for i, truth := range votes.Truth {
		row := slices.Clone(votes.Votes(i))
		v := int(row[of])
		row[of] = 0
		if (truth == of) == own && v > 0 {
			counts[[2]int{v, int(slices.Max(row))}]++
		}
	}
	var at plotter.XYs
	var sizes []vg.Length
	for v := range trees + 1 {
		for second := range trees + 1 {
			if n := counts[[2]int{v, second}]; n > 0 {
				at = append(at, plotter.XY{X: float64(v), Y: float64(second)})
				sizes = append(sizes, vg.Points(1.6*math.Sqrt(1+math.Log2(float64(n)))))
			}
		}
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, fmt.Sprintf("votes of %d for %s", trees, class), "votes for the runner-up"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, trees+0.5, -0.5, trees
	dots, err := plotter.NewScatter(at)
	if err != nil {
		return nil, err
	}
	fill := plotfile.Blue
	if own {
		fill = plotfile.Vermilion
	}
	dots.GlyphStyleFunc = func(i int) draw.GlyphStyle {
		return draw.GlyphStyle{Color: fill, Shape: draw.CircleGlyph{}, Radius: sizes[i]}
	}
	p.Add(plotter.NewGrid(), dots)
	for _, ratio := range []float64{1, 3} { // where the decision turns: under equal weights, and where a vote for the class counts three times
		line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: trees / ratio, Y: trees}})
		if err != nil {
			return nil, err
		}
		line.Color, line.Dashes = plotfile.Grey, figure.Broken
		if ratio == 1 {
			line.Dashes = nil
		}
		p.Add(line)
	}
	return p, nil
}

// distribution leaves rows with fewer than least votes out, as the paper does.
func distribution(title string, votes *vote.Table, class string, least int) (*plot.Plot, error) {
	of := slices.Index(votes.Classes, class)
	var counts [2][trees + 1]float64 // of the class, and of the others
	for i, truth := range votes.Truth {
		side := 1
		if truth == of {
			side = 0
		}
		counts[side][votes.Votes(i)[of]]++
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, fmt.Sprintf("votes of %d for %s, from %d", trees, class, least), "rows"
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 1, Label: "1"}, {Value: 5, Label: "5"}, {Value: 10, Label: "10"}, {Value: 15, Label: "15"}, {Value: 20, Label: "20"}}
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.ThumbnailWidth = true, true, vg.Points(70), vg.Points(14)
	p.Add(plotter.NewGrid())
	for side, c := range []struct {
		name  string
		color color.Color
		shape draw.GlyphDrawer
	}{{"rows of class " + class, plotfile.Vermilion, draw.CircleGlyph{}}, {"rows of other classes", plotfile.Blue, draw.BoxGlyph{}}} {
		var at plotter.XYs
		for v := least; v <= trees; v++ {
			if n := counts[side][v]; n > 0 {
				at = append(at, plotter.XY{X: float64(v), Y: n})
			}
		}
		line, dots, err := plotter.NewLinePoints(at)
		if err != nil {
			return nil, err
		}
		line.Color, dots.Color, dots.Shape, dots.Radius = c.color, c.color, c.shape, vg.Points(2.5)
		p.Add(line, dots)
		p.Legend.Add(c.name, line, dots)
	}
	p.X.Min, p.X.Max = 0.5, trees+0.5
	p.Y.Min, p.Y.Max = 0.8, 2*p.Y.Max
	return p, nil
}
