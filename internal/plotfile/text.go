package plotfile

import (
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// across says which part of a text is where it is written, upon the same of its height.
type (
	across float64
	upon   float64
)

const (
	left   across = 0
	middle across = -0.5
	right  across = -1

	bottom upon = 0
	center upon = -0.5
	top    upon = -1
)

// Parts of the size of a font: what its lines take above and below the line on which letters stand, and together with
// the room between two lines.
const (
	ascent  = 0.905
	descent = 0.212
	apart   = 1.15
)

// style is how a text looks.
type style struct {
	size float64
	ink  color.Color
}

// The text of a figure.
var (
	titles = style{11, color.Black}
	labels = style{9, color.Black}
	keys   = style{8.5, color.Black}
	ticks  = style{8, color.Gray{Y: 60}}
)

// height is that of a text, 0 of none.
func (s style) height(of string) float64 {
	if of == "" {
		return 0
	}
	return s.size * (ascent + descent + float64(apart*float64(strings.Count(of, "\n"))))
}

// width is that of a text of one line.
func (s style) width(of string) float64 {
	units := 0
	letters(of, func(_ sfnt.GlyphIndex, wide int) { units += wide })
	return s.size * float64(units) / float64(face().UnitsPerEm())
}

// write writes a text of which the point is this part.
func (c canvas) write(s style, at point, x across, y upon, text string) {
	base := at.Y + float64(float64(y)*s.height(text)) - float64(s.size*ascent)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		c.add(mark{color: s.ink, size: s.size, across: x, text: line,
			at: []point{{at.X, base + float64(s.size*float64(len(lines)-i))}}})
	}
}

// writeUp writes a line from the bottom to the top, of which the point is the middle, and on its right.
func (c canvas) writeUp(s style, at point, text string) {
	c.add(mark{color: s.ink, size: s.size, across: middle, text: text, up: true,
		at: []point{{at.X - float64(s.size*(1-ascent)), at.Y}}})
}

// face is the one face of all text. Browsers take the first of families that they have, all of which are as wide.
var face = sync.OnceValue(func() *sfnt.Font {
	f, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		panic(err) // it is a part of the program
	}
	return f
})

// families are the faces of the text of an SVG.
const families = "Arial, Helvetica, 'Liberation Sans', Go, sans-serif"

// em is the size at which the units of the face are whole numbers.
func em() fixed.Int26_6 { return fixed.I(int(face().UnitsPerEm())) }

// letters tells the glyph of each letter, and how wide it is in units of the face.
func letters(text string, tell func(glyph sfnt.GlyphIndex, wide int)) {
	var b sfnt.Buffer
	for _, r := range text {
		glyph, err := face().GlyphIndex(&b, r)
		if err != nil {
			glyph = 0 // the one of what the face has not
		}
		wide, err := face().GlyphAdvance(&b, glyph, em(), font.HintingNone)
		if err != nil {
			wide = 0
		}
		tell(glyph, wide.Round())
	}
}

// outlines are the borders of the letters of a text, with corners for its curves, in points from where it begins.
func (s style) outlines(text string) (all [][]point) {
	const steps = 6
	scale := s.size / float64(em())
	begin := 0
	var b sfnt.Buffer
	letters(text, func(glyph sfnt.GlyphIndex, wide int) {
		at := func(p fixed.Point26_6) point {
			return point{float64(scale * float64(int(p.X)+begin)), float64(-scale * float64(p.Y))}
		}
		segments, err := face().LoadGlyph(&b, glyph, em(), nil)
		if err != nil {
			segments = nil
		}
		for _, segment := range segments {
			if segment.Op == sfnt.SegmentOpMoveTo {
				all = append(all, []point{at(segment.Args[0])})
				continue
			}
			border := &all[len(all)-1]
			last := (*border)[len(*border)-1]
			switch segment.Op {
			case sfnt.SegmentOpLineTo:
				*border = append(*border, at(segment.Args[0]))
			case sfnt.SegmentOpQuadTo, sfnt.SegmentOpCubeTo: // the face has no cubic ones
				control, end := at(segment.Args[0]), at(segment.Args[1])
				for i := 1.0; i <= steps; i++ {
					*border = append(*border, last.toward(control, i/steps).toward(control.toward(end, i/steps), i/steps))
				}
			}
		}
		begin += wide << 6
	})
	return all
}
