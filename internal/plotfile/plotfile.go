// Package plotfile draws the charts of a report as pictures, SVG or PNG, for papers, slides and readers without
// a script. It needs little of what plotting libraries have, which are ten times as large.
package plotfile

import (
	"fmt"
	"image/color"
	"io"
)

// Colours that colour-blind readers can tell apart, also in print (Okabe and Ito 2008).
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

// broken is the dash pattern of lines to compare with.
var broken = []float64{4, 3}

// Format is the format of a picture.
type Format string

// The formats. The same picture always gives the same bytes.
const (
	SVG Format = "svg"
	PNG Format = "png" // at 150 dots to the inch
)

// Write writes the figure in the given format.
func (f Figure) Write(w io.Writer, format Format) error {
	p, c := newPicture(f.width, f.height)
	f.paint(c)
	switch format {
	case SVG:
		_, err := w.Write(p.svg())
		return err
	case PNG:
		return p.png(w)
	}
	return fmt.Errorf("format %.16q; figures are svg or png", format)
}
