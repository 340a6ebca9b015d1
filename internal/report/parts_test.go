package report_test

import (
	"encoding/json"
	"html"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/report"
)

// hostileName tries to leave its place, and long has no room on a page.
var hostileName, long = "<script>alert(1)</script>", strings.Repeat("glucose_", 30)

// parted is what some columns add to the votes of two rows.
func parted() *report.Parts {
	return &report.Parts{Class: "ill", Base: 0.2, Rows: 2,
		Columns: []report.ColumnParts{
			{Name: hostileName, Mean: 0.3, Share: 0.6, Parts: []report.Number{0.3, -0.3}, Places: []int{0, 100}},
			{Name: long, Mean: 0.15, Share: 0.3, Parts: []report.Number{0.1, -0.2}, Places: []int{-1, -1}},
			{Name: "age", Mean: 0.05, Share: 0.1},
		},
		Examples: []report.Example{
			{Row: 17, Outcome: "alarm, right", Waterfall: report.Waterfall{Base: 0.2, Share: 0.6125, Columns: 1,
				Others: 0.0125, Cells: []report.CellPart{{Column: hostileName, Value: "</td>", Part: 0.5},
					{Column: long, Value: "", Part: -0.1}}}},
			{Row: 4, Outcome: "missed", Waterfall: report.Waterfall{Base: 0.2, Share: 0.1, Cells: []report.CellPart{
				{Column: "age", Value: "48", Part: -0.1}}}},
		}}
}

// The page has the figures of the parts as tables before any script runs: columns in their order, and each row from the
// mean share of the votes to its own. Names stay text. They take the place of the chart of impurity.
func TestParts(t *testing.T) {
	r := made(t, input(t, []string{"well", "ill"}, 300))
	r.Importance = []report.Feature{{Name: "age", Part: 1}}
	if text := page(t, r); !strings.Contains(text, `id="chart-importance"`) || strings.Contains(text, `id="chart-summary"`) ||
		strings.Contains(text, `id="chart-waterfall"`) {
		t.Error("without parts the page shows them, or lacks the chart of impurity")
	}
	r.Parts = parted()
	text := page(t, r)
	if strings.Contains(text, `id="chart-importance"`) || strings.Contains(text, hostileName) {
		t.Error("the page shows two charts of the columns, or a name becomes a script")
	}
	cells := func(chart string) []string {
		table := between(t, between(t, text, `id="chart-`+chart+`"`, "</figure>"), "<table", "</table>")
		var out []string
		for _, row := range regexp.MustCompile(`(?s)<tr>.*?</tr>`).FindAllString(table, -1) {
			plain := regexp.MustCompile(`(?s)</t[hd]>`).ReplaceAllString(row, "|")
			out = append(out, html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(plain, "")))
		}
		return out
	}
	for chart, want := range map[string][]string{
		"summary": {"column|mean size of what it adds, points|of all|", hostileName + "|30.00|60\u00a0%|",
			long + "|15.00|30\u00a0%|", "age|5.00|10\u00a0%|"},
		"waterfall": {"row|cell|adds, points|", "row 17: alarm, right|mean of all rows|20.0\u00a0%|",
			hostileName + " = </td>|+50.0|", long + " is missing|\u221210.0|", "1 other column|+1.2|", "this row|61.3\u00a0%|",
			"row 4: missed|mean of all rows|20.0\u00a0%|", "age = 48|\u221210.0|", "this row|10.0\u00a0%|"},
	} {
		if got := cells(chart); !reflect.DeepEqual(got, want) {
			t.Errorf("%s has\n%q, want\n%q", chart, got, want)
		}
	}
	if options := regexp.MustCompile(`<option value="\d">([^<]*)</option>`).FindAllStringSubmatch(between(t, text,
		`id="chart-waterfall"`, "</select>"), -1); len(options) != 2 || options[0][1] != "row 17: alarm, right" {
		t.Errorf("there are %q to choose from", options)
	}
	r.Parts.Examples = nil
	if text := page(t, r); strings.Contains(text, `id="chart-waterfall"`) || !strings.Contains(text, `id="chart-summary"`) {
		t.Error("without rows there is a chart of one, or none of many")
	}
}

// JSON keeps every figure of the rows to the last digit; a page without parts has none.
func TestPartsJSON(t *testing.T) {
	r := made(t, input(t, []string{"well", "ill"}, 300))
	for _, want := range []*report.Parts{nil, parted()} {
		r.Parts = want
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var read report.Report
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(read.Parts, want) || strings.Contains(string(text), `"parts":null`) {
			t.Errorf("%+v comes back as %+v", want, read.Parts)
		}
	}
}
