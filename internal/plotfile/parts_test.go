package plotfile_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/plotfile"
	"github.com/rfpragma/rfpragma/internal/report"
)

// What the cells add is drawn in the place of what the splits gained; names are texts, and every row has its dot.
func TestParts(t *testing.T) {
	r := drawn("well", "ill")
	const hostile = "</text><script>alert(1)</script>"
	column := func(name string, parts ...report.Number) report.ColumnParts {
		return report.ColumnParts{Name: name, Mean: 0.1, Share: 0.5, Parts: parts, Places: []int{0, 50, 100, -1}}
	}
	r.Parts = &report.Parts{Class: "ill", Base: 0.2, Rows: 4,
		Columns: []report.ColumnParts{column(hostile, 0.1, 0.1, 0.1, -0.2), column("age", 0, 0, 0, 0), {Name: "untold"}},
		Examples: []report.Example{{Row: 17, Outcome: "missed", Waterfall: report.Waterfall{Base: 0.2, Share: 0.25, Columns: 1,
			Others: 0.01, Cells: []report.CellPart{{Column: hostile, Value: "1", Part: 0.1}, {Column: "age", Part: -0.06}}}}}}
	var names []string
	written := map[string]string{}
	for _, f := range plotfile.Figures(r) {
		names = append(names, f.Name)
		var svg, picture bytes.Buffer
		if err := f.Write(&svg, plotfile.SVG); err != nil {
			t.Fatal(err)
		}
		if err := f.Write(&picture, plotfile.PNG); err != nil {
			t.Fatal(err)
		}
		written[f.Name] = svg.String()
	}
	if !slices.Contains(names, "summary") || !slices.Contains(names, "waterfall") || slices.Contains(names, "importance") {
		t.Fatalf("the figures are %q", names)
	}
	for name, want := range map[string][]string{
		"summary":   {"age", "percentage points"},
		"waterfall": {"Row 17: missed", "age is missing: \u22126.0", "1 other column: +1.0", "mean: 20.0", "this row: 25.0"},
	} {
		text, err := texts(strings.NewReader(written[name]))
		if err != nil {
			t.Error(err)
		}
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s does not say %q: %q", name, part, text)
			}
		}
	}
	if dots := strings.Count(written["summary"], "h0") + strings.Count(written["summary"], "<circle"); dots != 8 {
		t.Errorf("%d dots, want 8", dots)
	}
	r.Parts.Examples = nil
	for _, f := range plotfile.Figures(r) {
		if f.Name == "waterfall" {
			t.Error("without rows there is a figure of one")
		}
	}
}
