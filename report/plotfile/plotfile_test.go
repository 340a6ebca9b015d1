package plotfile_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/report"
	"github.com/rfpragma/rfpragma/report/plotfile"
)

// drawn is a report with something to draw in every figure, of classes with these names.
func drawn(names ...string) *report.Report {
	share := func(v float64) *float64 { return &v }
	r := &report.Report{Measure: "pragma", Trees: 20, First: len(names) - 1}
	weights := map[string]float64{}
	for c, name := range names {
		at := 0.5 + float64(c)/10
		r.Classes = append(r.Classes, report.Class{
			Name: name, Alpha: -0.6, Beta: -0.4, Weight: 2,
			Plain: eval.Class{Recall: share(at), Precision: share(0.9), Support: 20, Predicted: 12},
			Tuned: eval.Class{Recall: share(at + 0.2), Precision: share(0.7), Support: 20, Predicted: 18},
			Charts: &report.Charts{
				Votes:       report.Votes{Width: 5, Found: []report.Number{0, 1, 5, 9, 2}, Missed: []report.Number{2, 1, 0, 0, 0}, Alarms: []report.Number{0, 3, 2, 0, 0}, Others: []report.Number{900, 20, 0, 0, 0}},
				Sweep:       report.Sweep{Weights: []report.Number{0.1, 2, 40}, Found: []report.Number{3, 15, 20}, Named: []report.Number{3, 20, 400}, Wrong: []report.Number{17, 10, 380}, Loss: []report.Number{0.6, 0.3, 0.5}, Plateau: [2]report.Number{1.5, 2.5}},
				Reliability: []report.Bin{{Low: 0, High: 0.5, Count: 900, Mean: 0.1, Share: 0.12, From: 0.1, To: 0.15}, {Low: 0.5, High: 1, Count: 40, Mean: 0.8, Share: 0.7, From: 0.5, To: 0.85}},
				Curve:       []report.Bin{{Low: 0, High: 0.4, Share: 0.1, From: 0.05, To: 0.2}, {Low: 0.5, High: 1, Share: 0.8, From: 0.6, To: 0.9}},
				Cuts:        report.Cuts{Prob: []report.Number{0.9, 0.5, 0}, Recall: []report.Number{0.3, 0.8, 1}, FalsePositive: []report.Number{0.01, 0.1, 1}, Precision: []report.Number{0.9, 0.5, 0.02}},
			},
		})
		weights[name] = 1 + float64(c)
	}
	r.Folds = []eval.FoldWeights{{Repeat: 1, Fold: 1, Weights: weights}, {Repeat: 1, Fold: 2, Weights: weights}}
	r.Importance = []report.Feature{{Name: "amount", Part: 0.7}, {Name: "hour", Part: 0.3}}
	r.Search = []report.Level{{Chain: 0, Temperature: 1, Lowest: 0.4}, {Chain: 0, Temperature: 0.5, Lowest: 0.3}, {Chain: 1, Temperature: 1, Lowest: 0.35}}
	return r
}

// Every figure is well-formed SVG that shows the names as text, and a PNG of its size; the same report is the same bytes.
func TestFigures(t *testing.T) {
	hostile := `</text><script>alert("1")</script>`
	figures, err := plotfile.Figures(drawn("well", hostile))
	if err != nil {
		t.Fatal(err)
	}
	again, err := plotfile.Figures(drawn("well", hostile))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, f := range figures {
		names = append(names, f.Name)
		var svg, second, picture bytes.Buffer
		if err := errors.Join(f.Write(&svg, plotfile.SVG), again[i].Write(&second, plotfile.SVG), f.Write(&picture, plotfile.PNG)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(svg.Bytes(), second.Bytes()) {
			t.Errorf("%s is other bytes the second time", f.Name)
		}
		if text, err := texts(&svg); err != nil || strings.TrimSpace(text) == "" {
			t.Errorf("%s: %v, and the texts %q", f.Name, err, text)
		}
		if c, err := png.DecodeConfig(&picture); err != nil || c.Width != 827 { // 14 cm at 150 dots an inch
			t.Errorf("%s is %d dots wide: %v", f.Name, c.Width, err)
		}
	}
	if want := []string{"votes", "sweep", "moves", "reliability", "curve", "roc", "pr", "folds", "importance", "search"}; !slices.Equal(names, want) {
		t.Errorf("the figures are %q, want %q", names, want)
	}
}

// texts reads an SVG and returns its texts; an element that should not be there is an error.
func texts(r io.Reader) (string, error) {
	var out strings.Builder
	for d := xml.NewDecoder(r); ; {
		token, err := d.Token()
		if err == io.EOF {
			return out.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "script" {
				return "", errors.New("there is a script")
			}
		case xml.CharData:
			out.Write(e)
		}
	}
}

// What there is nothing to draw of is left out.
func TestFiguresOfLess(t *testing.T) {
	r := drawn("well", "ill")
	r.Folds, r.Importance, r.Search = nil, nil, nil
	figures, err := plotfile.Figures(r)
	if err != nil || len(figures) != 7 {
		t.Errorf("%d figures, want 7 (%v)", len(figures), err)
	}
	r.Classes[1].Tuned.Recall, r.Classes[1].Plain.Precision = nil, nil
	if _, err := plotfile.Figures(r); err != nil {
		t.Errorf("a class without recall: %v", err)
	}
}

func TestWrite(t *testing.T) {
	p := plot.New()
	p.Title.Text = "a title"
	grid := [][]*plot.Plot{{p, nil}}
	var svg, picture bytes.Buffer
	if err := errors.Join(plotfile.Write(&svg, plotfile.SVG, grid, 8*vg.Centimeter, 4*vg.Centimeter), plotfile.Write(&picture, plotfile.PNG, grid, 8*vg.Centimeter, 4*vg.Centimeter)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(svg.String(), ">a title</text>") {
		t.Error("the SVG has no title")
	}
	if c, err := png.DecodeConfig(&picture); err != nil || c.Width != 472 || c.Height != 236 {
		t.Errorf("the PNG has %d × %d points, %v", c.Width, c.Height, err)
	}
	if err := plotfile.Write(io.Discard, "gif", grid, 1, 1); err == nil || err.Error() != `format "gif"; figures are svg or png` {
		t.Errorf("gif: %v", err)
	}
}
