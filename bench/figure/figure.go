// Package figure writes plots into files.
package figure

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
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

// Broken is a broken line, for what others are held against.
var Broken = []vg.Length{vg.Points(4), vg.Points(3)}

// Write writes plots, line by line of a grid, into the named file: SVG or PNG, by its ending. A plot that is nil
// leaves its place empty.
func Write(path string, grid [][]*plot.Plot, width, height vg.Length) error {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch ext := filepath.Ext(path); ext {
	case ".svg":
		canvas = vgsvg.New(width, height)
	case ".png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(150))}
	default:
		return fmt.Errorf("%s: figures are .svg or .png", path)
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
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = canvas.WriteTo(f)
	return errors.Join(err, f.Close())
}
