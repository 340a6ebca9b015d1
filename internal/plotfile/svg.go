package plotfile

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strconv"
	"strings"
	"unicode/utf8"
)

// svg writes the picture as SVG.
func (p *picture) svg() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n<svg width=\"%spt\" height=\"%[2]spt\" viewBox=\"0 0 %[1]s %[2]s\"\n"+
		"\txmlns=\"http://www.w3.org/2000/svg\" font-family=\"%[3]s\">\n", digits(p.width), digits(p.height), families)
	for _, m := range p.marks {
		m.svg(&b, p.height)
	}
	b.WriteString("</svg>\n")
	return bytes.Map(inXML, b.Bytes())
}

// svg writes a mark. SVG counts from the top.
func (m *mark) svg(b *bytes.Buffer, height float64) {
	style := "fill:" + hex(m.color)
	if m.width > 0 {
		style = "fill:none;stroke:" + hex(m.color) + ";stroke-width:" + digits(m.width)
	}
	if len(m.dashes) > 0 {
		parts := make([]string, len(m.dashes))
		for i, d := range m.dashes {
			parts[i] = digits(d)
		}
		style += ";stroke-dasharray:" + strings.Join(parts, ",")
	}
	x, y := digits(m.at[0].X), digits(height-m.at[0].Y)
	switch {
	case m.text != "":
		turn, anchor := "", map[across]string{left: "start", middle: "middle", right: "end"}[m.across]
		if m.up {
			turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, x, y)
		}
		fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="%s"%s style="font-size:%spx;%s">`, x, y, anchor, turn,
			digits(m.size), style)
		_ = xml.EscapeText(b, []byte(m.text)) // a buffer takes all
		b.WriteString("</text>\n")
	case m.radius > 0 && len(m.at) > 1: // lines of no length, with round ends, take the least room
		b.WriteString(`<path d="`)
		for _, at := range m.at {
			fmt.Fprintf(b, "M%.1f,%.1fh0", at.X, height-at.Y)
		}
		fmt.Fprintf(b, "\" style=\"fill:none;stroke:%s;stroke-width:%s;stroke-linecap:round\"/>\n", hex(m.color),
			digits(2*m.radius))
	case m.radius > 0:
		fmt.Fprintf(b, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" style=\"%s\"/>\n", x, y, digits(m.radius), style)
	case m.size == 0: // a text of nothing is not written
		b.WriteString(`<path d="M`)
		for i, at := range m.at {
			if i > 0 {
				b.WriteByte('L')
			}
			b.WriteString(digits(at.X) + "," + digits(height-at.Y))
		}
		if m.width == 0 {
			b.WriteByte('Z')
		}
		fmt.Fprintf(b, "\" style=\"%s\"/>\n", style)
	}
}

// digits writes a length to a hundredth of a point.
func digits(x float64) string {
	text := strings.TrimRight(strconv.FormatFloat(x+0, 'f', 2, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}

// hex writes a colour.
func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8)
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
