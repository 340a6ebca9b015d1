// Package plotfile draws the charts of a report as pictures, SVG or PNG, for papers, slides and readers without
// a script. It is the only package that depends on a plotting library.
package plotfile

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
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

// Broken is the dash pattern of reference lines.
var Broken = []vg.Length{vg.Points(4), vg.Points(3)}

// Format is the format of a picture.
type Format string

// The formats. The same picture always gives the same bytes.
const (
	SVG Format = "svg"
	PNG Format = "png" // at 150 points to the inch
)

// Write writes a picture of that width and height, which paint draws.
func Write(w io.Writer, format Format, width, height vg.Length, paint func(draw.Canvas)) error {
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
	paint(draw.New(canvas))
	if format != SVG {
		_, err := canvas.WriteTo(w)
		return err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.Map(inXML, b.Bytes()))
	return err
}

// inXML returns r, or, in place of a character that XML cannot have, such as one of control in the name of a class,
// the one for unknown characters. Source: Extensible Markup Language 1.0, production 2.
func inXML(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r', r >= ' ' && r < 0xFFFE, r >= 0x10000:
		return r
	}
	return utf8.RuneError
}
