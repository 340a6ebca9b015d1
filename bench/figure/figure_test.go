package figure

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

func TestWrite(t *testing.T) {
	p := plot.New()
	p.Title.Text = "a title"
	grid := [][]*plot.Plot{{p, nil}}
	folder := t.TempDir()
	svg, picture := filepath.Join(folder, "a.svg"), filepath.Join(folder, "a.png")
	for _, path := range []string{svg, picture} {
		if err := Write(path, grid, 8*vg.Centimeter, 4*vg.Centimeter); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(svg); err != nil || !bytes.Contains(text, []byte(">a title</text>")) {
		t.Errorf("the SVG has no title: %v", err)
	}
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := png.DecodeConfig(f)
	if err != nil || c.Width != 472 || c.Height != 236 { // 8 cm × 4 cm at 150 dots an inch
		t.Errorf("the PNG has %d × %d points, %v", c.Width, c.Height, err)
	}
	if err := Write(filepath.Join(folder, "a.gif"), grid, 1, 1); err == nil || !strings.Contains(err.Error(), "svg or png") {
		t.Errorf("a.gif: %v", err)
	}
}
