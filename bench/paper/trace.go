package main

import (
	"context"
	"image/color"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"github.com/rfpragma/rfpragma/vote"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// trace draws what an annealing does, level by level: the loss, the temperature and the share of the steps that are
// accepted. One run is on votes of trees that had not seen the rows, another on votes for their own rows.
func (e experiment) trace(ctx context.Context, frame *dataset.Frame, unseen *vote.Table) ([][]*plot.Plot, error) {
	const seed = 1
	c := rfpragma.Config{TuneForest: rfpragma.TuneOff, Forest: forest.Config{Trees: trees, Mtry: e.mtry, Seed: seed}, Votes: vote.Train}
	_, own, _, err := c.HeldOut(ctx, frame)
	if err != nil {
		return nil, err
	}
	var runs [2][]anneal.Level // of a single chain each, so one level after the other
	for i, votes := range []*vote.Table{unseen, own} {
		if _, err := e.anneal(ctx, votes, seed, func(l anneal.Level) { runs[i] = append(runs[i], l) }); err != nil {
			return nil, err
		}
	}
	var row []*plot.Plot
	for _, c := range []struct {
		title       string
		logarithmic bool
		of          func(anneal.Level) float64
	}{
		{"A: loss at the end of the level", false, func(l anneal.Level) float64 { return l.Loss }},
		{"B: temperature", true, func(l anneal.Level) float64 { return l.Temperature }},
		{"C: share of steps accepted", false, func(l anneal.Level) float64 { return l.Accepted }},
	} {
		p, err := overLevels(c.title, runs, c.logarithmic, c.of)
		if err != nil {
			return nil, err
		}
		row = append(row, p)
	}
	return [][]*plot.Plot{row}, nil
}

// overLevels draws a figure of both runs against the level, by a logarithmic scale or from 0 on.
func overLevels(title string, runs [2][]anneal.Level, logarithmic bool, of func(anneal.Level) float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = title, "level"
	p.Add(plotter.NewGrid())
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.ThumbnailWidth = true, true, vg.Points(40), vg.Points(14)
	for i, c := range []struct {
		name  string
		color color.Color
	}{{"votes for rows not seen", plotfile.Blue}, {"votes for own rows", plotfile.Vermilion}} {
		var at plotter.XYs
		for _, l := range runs[i] {
			at = append(at, plotter.XY{X: float64(l.Level), Y: of(l)})
		}
		line, err := plotter.NewLine(at)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = c.color, vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(c.name, line)
	}
	if logarithmic && p.Y.Min > 0 {
		p.Y.Max *= 10 // room for the legend
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: 1}
	} else {
		p.Y.Min, p.Y.Max = 0, 1.25*p.Y.Max
	}
	return p, nil
}
