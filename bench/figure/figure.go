// Package figure writes plots into files.
package figure

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rfpragma/rfpragma/internal/plotfile"
)

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
	if err := plotfile.Write(&picture, plotfile.Format(strings.TrimPrefix(filepath.Ext(path), ".")), width, height, paint); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, picture.Bytes(), 0o644)
}

// tiles are the places of a grid.
func tiles(rows, columns int) draw.Tiles {
	return draw.Tiles{
		Rows: rows, Cols: columns,
		PadX: 6 * vg.Millimeter, PadY: 6 * vg.Millimeter, PadTop: 2 * vg.Millimeter, PadRight: 4 * vg.Millimeter, PadBottom: 2 * vg.Millimeter, PadLeft: 2 * vg.Millimeter,
	}
}
