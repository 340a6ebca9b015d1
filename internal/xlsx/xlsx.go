// Package xlsx writes tables as a spreadsheet (Office Open XML, ECMA-376), row by row in bounded memory. Text is
// always written as text, so that no program takes a cell that begins with = for a formula.
package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// What a spreadsheet can hold.
const (
	mostRows    = 1 << 20
	mostColumns = 1 << 14
	mostText    = 32767 // of UTF-16
	mostName    = 31    // of a sheet
)

// Writer writes sheets one after the other.
type Writer struct {
	zip    *zip.Writer
	sheets []string
	sheet  io.Writer
	row    bytes.Buffer
	rows   int
}

// NewWriter returns a writer to w, which stays open.
func NewWriter(w io.Writer) *Writer { return &Writer{zip: zip.NewWriter(w)} }

// Sheet begins a sheet, whose first row is its header: it is bold, and stays in sight. Names are at most 31 characters,
// without any of : \ / ? * [ ].
func (w *Writer) Sheet(name string, header ...string) error {
	if name == "" || len(utf16.Encode([]rune(name))) > mostName || strings.ContainsAny(name, `:\/?*[]`) {
		return fmt.Errorf("%q cannot be the name of a sheet; give 1 to %d characters without any of : \\ / ? * [ ]", name,
			mostName)
	}
	if err := w.end(); err != nil {
		return err
	}
	w.sheets, w.rows = append(w.sheets, name), 0
	var err error
	if w.sheet, err = w.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(w.sheets))); err != nil {
		return err
	}
	if _, err = io.WriteString(w.sheet, head+`<worksheet xmlns="`+main+`"><sheetViews><sheetView workbookViewId="0">`+
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
	); err != nil {
		return err
	}
	cells := make([]any, len(header))
	for i, text := range header {
		cells[i] = text
	}
	return w.write(cells, ` s="1"`)
}

// Row writes a row of cells, each a string, a float64, an int, or nil for an empty one. A number that is not finite is
// written as text. Errors: more rows, columns or characters than a spreadsheet can hold; those of the writer below.
func (w *Writer) Row(cells ...any) error { return w.write(cells, "") }

func (w *Writer) write(cells []any, style string) error {
	w.rows++
	if w.rows > mostRows || len(cells) > mostColumns {
		return fmt.Errorf("sheet %q: a spreadsheet has at most %d rows and %d columns; write CSV", w.sheets[len(w.sheets)-1],
			mostRows, mostColumns)
	}
	w.row.Reset()
	w.row.WriteString("<row>")
	for i, cell := range cells {
		switch v := cell.(type) {
		case nil:
			w.row.WriteString("<c/>")
		case int:
			fmt.Fprintf(&w.row, "<c%s><v>%d</v></c>", style, v)
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				w.text(strconv.FormatFloat(v, 'g', -1, 64), style)
				break
			}
			fmt.Fprintf(&w.row, "<c%s><v>%s</v></c>", style, strconv.FormatFloat(v, 'g', -1, 64))
		case string:
			if len(utf16.Encode([]rune(v))) > mostText {
				return fmt.Errorf("sheet %q, row %d, column %d: a cell has more than %d characters; write CSV",
					w.sheets[len(w.sheets)-1], w.rows, i+1, mostText)
			}
			w.text(v, style)
		default:
			return fmt.Errorf("a cell is a %T; give a string, a float64, an int or nil", cell)
		}
	}
	w.row.WriteString("</row>")
	_, err := w.sheet.Write(w.row.Bytes())
	return err
}

// What XML cannot hold is written _xHHHH_, and so is the first letter of text that looks so (22.9.2.19, ST_Xstring).
var unwritable = regexp.MustCompile("[\x00-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF\r]|_x[0-9A-Fa-f]{4}_")

func (w *Writer) text(v, style string) {
	v = unwritable.ReplaceAllStringFunc(v, func(s string) string {
		if s[0] == '_' {
			return "_x005F" + s
		}
		return fmt.Sprintf("_x%04X_", []rune(s)[0])
	})
	fmt.Fprintf(&w.row, `<c t="inlineStr"%s><is><t xml:space="preserve">`, style)
	_ = xml.EscapeText(&w.row, []byte(v)) // a buffer takes everything
	w.row.WriteString("</t></is></c>")
}

// end ends the sheet that is open.
func (w *Writer) end() error {
	if w.sheet == nil {
		return nil
	}
	_, err := io.WriteString(w.sheet, "</sheetData></worksheet>")
	return err
}

// Close ends the file. There must be a sheet.
func (w *Writer) Close() error {
	if err := w.end(); err != nil {
		return err
	}
	if w.sheets == nil {
		return fmt.Errorf("a spreadsheet needs a sheet")
	}
	var types, links, sheets strings.Builder
	for i, name := range w.sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%s.worksheet+xml"/>`, i+1,
			spreadsheet)
		fmt.Fprintf(&links, `<Relationship Id="r%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, relation, i+
			1)
		var escaped bytes.Buffer
		_ = xml.EscapeText(&escaped, []byte(name))
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="r%d"/>`, escaped.String(), i+1, i+1)
	}
	const package2006 = "http://schemas.openxmlformats.org/package/2006/"
	for _, part := range []struct{ name, text string }{
		{"xl/styles.xml", `<styleSheet xmlns="` + main + `"><fonts count="2"><font/><font><b/></font></fonts>` +
			`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
			`<fill><patternFill patternType="gray125"/></fill></fills>` +
			`<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>` +
			`<cellXfs count="2"><xf xfId="0"/><xf fontId="1" applyFont="1" xfId="0"/></cellXfs>` +
			`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`},
		{"xl/workbook.xml", `<workbook xmlns="` + main + `" xmlns:r="` + relation + `"><sheets>` + sheets.String() +
			`</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + package2006 + `relationships">` + links.String() +
			`<Relationship Id="styles" Type="` + relation + `/styles" Target="styles.xml"/></Relationships>`},
		{"_rels/.rels", `<Relationships xmlns="` + package2006 + `relationships"><Relationship Id="r1" Type="` + relation +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"[Content_Types].xml", `<Types xmlns="` + package2006 + `content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + spreadsheet + `.sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + spreadsheet + `.styles+xml"/>` + types.String() + `</Types>`},
	} {
		entry, err := w.zip.Create(part.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(entry, head+part.text); err != nil {
			return err
		}
	}
	return w.zip.Close()
}

// Names of ECMA-376.
const (
	head        = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	main        = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relation    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml"
)
