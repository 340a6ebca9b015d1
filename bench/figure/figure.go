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

	"github.com/rfpragma/rfpragma/report/plotfile"
)

// Write writes plots, line by line of a grid, into the named file: SVG or PNG, by its ending. A plot that is nil
// leaves its place empty.
func Write(path string, grid [][]*plot.Plot, width, height vg.Length) error {
	var picture bytes.Buffer
	if err := plotfile.Write(&picture, plotfile.Format(strings.TrimPrefix(filepath.Ext(path), ".")), grid, width, height); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, picture.Bytes(), 0o644)
}
