// Package plotfile draws the charts of a report as pictures, SVG or PNG, for papers, slides and readers without a script. It is
// the one package that knows how to plot.
package plotfile

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours that people who see few colours can tell apart, also in print (Okabe and Ito 2008).
var (
	Blue      = color.RGBA{G: 114, B: 178, A: 255}
	Vermilion = color.RGBA{R: 213, G: 94, A: 255}
	Grey      = color.Gray{Y: 120}
)

// Lighter shades of the same.
var (
	paleBlue      = color.RGBA{R: 181, G: 213, B: 232, A: 255}
	paleVermilion = color.RGBA{R: 243, G: 207, B: 178, A: 255}
	paleGrey      = color.Gray{Y: 225}
	lightGrey     = color.Gray{Y: 148} // the lightest of which a line stands out from white (3 to 1)
)

// Broken is a broken line, for what others are held against.
var Broken = []vg.Length{vg.Points(4), vg.Points(3)}

// Format is the format of a picture.
type Format string

// The formats. Both are the same bytes for the same plots.
const (
	SVG Format = "svg"
	PNG Format = "png" // of 150 points to the inch
)

// Write writes plots, line by line of a grid. A plot that is nil leaves its place empty.
func Write(w io.Writer, format Format, grid [][]*plot.Plot, width, height vg.Length) error {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case SVG:
		canvas = vgsvg.New(width, height)
	case PNG:
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(150))}
	default:
		return fmt.Errorf("format %.16q; figures are svg or png", format)
	}
	tiles := draw.Tiles{
		Rows: len(grid), Cols: len(grid[0]),
		PadX: 6 * vg.Millimeter, PadY: 6 * vg.Millimeter, PadTop: 2 * vg.Millimeter, PadRight: 4 * vg.Millimeter, PadBottom: 2 * vg.Millimeter, PadLeft: 2 * vg.Millimeter,
	}
	for i, row := range plot.Align(grid, tiles, draw.New(canvas)) {
		for j, part := range row {
			if grid[i][j] != nil {
				grid[i][j].Draw(part)
			}
		}
	}
	_, err := canvas.WriteTo(w)
	return err
}

// sans is the face of all text.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// newPlot returns an empty plot with quiet axes.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font, p.Title.Padding = sans(vg.Points(11)), vg.Points(6)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(vg.Points(9)), sans(vg.Points(8))
		a.Color, a.Tick.Color, a.Tick.Label.Color = Grey, Grey, color.Gray{Y: 60}
		a.Width, a.Padding = vg.Points(0.6), 0
		a.Tick.Marker = rounds{}
	}
	p.Legend.TextStyle.Font = sans(vg.Points(8.5))
	p.Legend.ThumbnailWidth, p.Legend.Padding = vg.Points(14), vg.Points(3)
	return p
}
