// Package figure writes plots into files.
package figure

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Broken is the dash pattern of reference lines.
var Broken = []vg.Length{vg.Points(4), vg.Points(3)}

// Write writes plots, line by line of a grid, into the named file: SVG or PNG, by its ending. A plot that is nil
// leaves its place empty.
func Write(path string, grid [][]*plot.Plot, width, height vg.Length) error {
	var picture bytes.Buffer
	paint := func(c draw.Canvas) {
		for i, row := range plot.Align(grid, tiles(len(grid), len(grid[0])), c) {
			for j, part := range row {
				if grid[i][j] != nil {
					grid[i][j].Draw(part)
				}
			}
		}
	}
	if err := draft(&picture, strings.TrimPrefix(filepath.Ext(path), "."), width, height, paint); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, picture.Bytes(), 0o644)
}

// draft draws a picture of a format, a PNG with 150 dots to the inch.
func draft(w io.Writer, format string, width, height vg.Length, paint func(draw.Canvas)) error {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "svg":
		canvas = vgsvg.New(width, height)
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(150))}
	default:
		return fmt.Errorf("format %.16q; figures are svg or png", format)
	}
	paint(draw.New(canvas))
	_, err := canvas.WriteTo(w)
	return err
}

// tiles are the places of a grid.
func tiles(rows, columns int) draw.Tiles {
	return draw.Tiles{
		Rows: rows, Cols: columns,
		PadX: 6 * vg.Millimeter, PadY: 6 * vg.Millimeter, PadTop: 2 * vg.Millimeter, PadRight: 4 * vg.Millimeter, PadBottom: 2 * vg.Millimeter, PadLeft: 2 * vg.Millimeter,
	}
}
