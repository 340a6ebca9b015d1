package plotfile_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/plotfile"
	"github.com/rfpragma/rfpragma/internal/report"
)

// drawn is a report with something to draw in every figure, of classes with these names.
func drawn(names ...string) *report.Report {
	share := func(v float64) *float64 { return &v }
	r := &report.Report{Rule: "tuned", Used: "tuned", Measure: "pragma", Trees: 20, Unit: "rows", First: len(names) - 1}
	weights := map[string]float64{}
	for c, name := range names {
		at := 0.5 + float64(c)/10
		r.Classes = append(r.Classes, report.Class{
			Name: name, Alpha: -0.6, Beta: -0.4, Weight: 2,
			Plain: eval.Class{Recall: share(at), Precision: share(0.9), Support: 20, Predicted: 12},
			Tuned: eval.Class{Recall: share(at + 0.2), Precision: share(0.7), Support: 20, Predicted: 18},
			Charts: &report.Charts{
				Votes: report.Votes{Width: 5, Found: []report.Number{0, 1, 5, 9, 2}, Missed: []report.Number{2, 1, 0, 0, 0},
					Alarms: []report.Number{0, 3, 2, 0, 0}, Others: []report.Number{900, 20, 0, 0, 0}},
				Sweep: report.Sweep{Weights: []report.Number{0.1, 2, 40}, Found: []report.Number{3, 15, 20},
					Named: []report.Number{3, 20, 400}, Wrong: []report.Number{17, 10, 380}, Loss: []report.Number{0.6, 0.3, 0.5},
					Plateau: [2]report.Number{1.5, 2.5}},
				Reliability: []report.Bin{{Low: 0, High: 0.5, Count: 900, Mean: 0.1, Share: 0.12, From: 0.1, To: 0.15},
					{Low: 0.5, High: 1, Count: 40, Mean: 0.8, Share: 0.7, From: 0.5, To: 0.85}},
				Curve: []report.Bin{{Low: 0, High: 0.4, Share: 0.1, From: 0.05, To: 0.2}, {Low: 0.5, High: 1, Share: 0.8,
					From: 0.6, To: 0.9}},
				Cuts: report.Cuts{Prob: []report.Number{0.9, 0.5, 0}, Recall: []report.Number{0.3, 0.8, 1},
					FalsePositive: []report.Number{0.01, 0.1, 1}, Precision: []report.Number{0.9, 0.5, 0.02}},
			},
		})
		weights[name] = 1 + float64(c)
	}
	r.Folds = []eval.FoldWeights{{Repeat: 1, Fold: 1, Weights: weights}, {Repeat: 1, Fold: 2, Weights: weights}}
	r.Importance = []report.Feature{{Name: "amount", Part: 0.7}, {Name: "hour", Part: 0.3}}
	r.Search = []report.Level{{Chain: 0, Temperature: 1, Lowest: 0.4}, {Chain: 0, Temperature: 0.5, Lowest: 0.3},
		{Chain: 1, Temperature: 1, Lowest: 0.35}}
	return r
}

// picture returns a figure of a report as SVG.
func picture(t *testing.T, r *report.Report, figure int) string {
	t.Helper()
	figures := plotfile.Figures(r)
	var svg bytes.Buffer
	if err := figures[figure].Write(&svg, plotfile.SVG); err != nil {
		t.Fatal(err)
	}
	return svg.String()
}

// Every figure is well-formed SVG that shows the names as text, and a PNG of its size; the same report is the same
// bytes.
func TestFigures(t *testing.T) {
	hostile := `</text><script>alert("1")</script>`
	figures := plotfile.Figures(drawn("well", hostile))
	again := plotfile.Figures(drawn("well", hostile))
	var names []string
	for i, f := range figures {
		names = append(names, f.Name)
		var svg, second, picture bytes.Buffer
		if err := errors.Join(f.Write(&svg, plotfile.SVG), again[i].Write(&second, plotfile.SVG), f.Write(&picture,
			plotfile.PNG)); err != nil {
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
	if want := []string{"votes", "sweep", "moves", "reliability", "curve", "roc", "pr", "folds", "importance",
		"search"}; !slices.Equal(names, want) {
		t.Errorf("the figures are %q, want %q", names, want)
	}
}

// Characters that XML cannot have, in names of classes, leave every figure well-formed.
func TestFiguresOfControl(t *testing.T) {
	r := drawn("\x1b[31mred\x07", "a]]>\x00\ufffe")
	for _, f := range plotfile.Figures(r) {
		var svg bytes.Buffer
		if err := f.Write(&svg, plotfile.SVG); err != nil {
			t.Fatal(err)
		}
		if text, err := texts(&svg); err != nil || strings.ContainsAny(text, "\x00\x07\x1b\ufffe") {
			t.Errorf("%s: %v, %q", f.Name, err, text)
		}
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

// The figures of the lines of equal loss stand above the dashed line of chance.
func TestLossAboveChance(t *testing.T) {
	r := drawn("well", "ill")
	_, before := place(t, picture(t, r, 6), "loss 0.4")
	r.Classes[r.First].Charts.Share = 0.05
	_, after := place(t, picture(t, r, 6), "loss 0.4")
	if after < before+5 {
		t.Errorf("the figure stands at %v over a line at 5 %%, and at %v over one at 0", after, before)
	}
}

// place finds where the middle of a text of an SVG stands, from the bottom.
func place(t *testing.T, svg, text string) (x, y float64) {
	t.Helper()
	const part = `<text x="([^"]*)" y="([^"]*)" text-anchor="middle"[^>]*>`
	found := regexp.MustCompile(part + regexp.QuoteMeta(text) + `</text>`).FindStringSubmatch(svg)
	high := regexp.MustCompile(`viewBox="0 0 [\d.]+ ([\d.]+)"`).FindStringSubmatch(svg)
	if found == nil || high == nil {
		t.Fatalf("there is no text %q", text)
	}
	var numbers [3]float64
	for i, text := range []string{found[1], found[2], high[1]} {
		var err error
		if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	return numbers[0], numbers[2] - numbers[1]
}

// Weights that break what is required are hatched, and named so.
func TestBroken(t *testing.T) {
	without := 0 // lines of the picture
	for i, tc := range []struct {
		broken [][]int
		want   []string
	}{
		{nil, []string{"tuned", `weight of a vote for "ill"`}},
		{[][]int{{}, {}, {}}, []string{"tuned", `weight of a vote for "ill"`}},
		{[][]int{{}, {}, {0}}, []string{"tuned", `weight of a vote for "ill"; hatched weights break what is required`}},
		{[][]int{{0}, {0, 1}, {}}, []string{"tuned, breaks what is required",
			`weight of a vote for "ill"; hatched weights break what is required`}},
	} {
		r := drawn("well", "ill")
		r.Required = []string{"ill:recall>=0.9", "ill:precision>=0.2"}
		r.Classes[1].Charts.Sweep.Broken = tc.broken
		svg := picture(t, r, 1)
		hatches := strings.Count(svg, "<path")
		text, err := texts(strings.NewReader(svg))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !slices.Contains(strings.Split(text, "\n"), want) {
				t.Errorf("broken %v: no %q among %q", tc.broken, want, text)
			}
		}
		if i == 0 {
			without = hatches
		}
		if drawn := hatches > without; drawn != (i > 1) {
			t.Errorf("broken %v: %d lines, without %d", tc.broken, hatches, without)
		}
	}
}

// Names of classes that move alike stand apart, with their rows, within the picture; arrows of few rows are dashed.
func TestMoves(t *testing.T) {
	r := drawn("well", "ill")
	half, perfect := 0.5, 1.0
	for c := range r.Classes {
		class := &r.Classes[c]
		class.Plain.Recall, class.Plain.Precision = &half, &perfect
		class.Tuned.Recall, class.Tuned.Precision = &perfect, &perfect // in the corner
	}
	r.Classes[0].Few = true
	svg := picture(t, r, 2)
	const wide, height = 397, 8 // of the picture, and of a line
	shown, y := place(t, svg, "ill, 20 rows")
	other, below := place(t, svg, "well, 20 rows")
	if apart := math.Abs(y - below); apart < height || shown > wide-20 || other > wide-24 {
		t.Errorf("the names stand at %v, %v and %v, %v", shown, y, other, below)
	}
	if strings.Count(svg, "stroke-dasharray") != 1 || !strings.Contains(svg, "dashed: few rows") {
		t.Error("one arrow should be dashed, and the title say why")
	}
}

// The names of both rules are written, each nearer to its own dot than to the other, or with a line to it; a name
// that stands by its dot has none.
func TestRules(t *testing.T) {
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	dot := regexp.MustCompile(`<circle cx="([\d.]+)" cy="([\d.]+)" r="3"`)
	line := regexp.MustCompile(`<path d="M([\d.]+),([\d.]+)L[\d.]+,[\d.]+" style="fill:none;stroke:#787878;stroke-width:0.7"`)
	const high = 11 * 72 / 2.54 // of both figures
	for _, tc := range []struct {
		name         string
		plain, tuned [2]float64 // recall and precision, of 20 rows beside 180 others
		lines        [2]int     // in the figures ROC and precision-recall
	}{
		{"far apart", [2]float64{0.5, 0.9}, [2]float64{0.8, 0.6}, [2]int{0, 0}},
		{"beside each other", [2]float64{0.5, 0.7}, [2]float64{0.52, 0.7}, [2]int{2, 0}},
		{"in the corner", [2]float64{0.01, 1}, [2]float64{0.05, 0.8}, [2]int{1, 0}},
	} {
		r := drawn("well", "ill")
		r.Classes[0].Plain.Support = 180
		c := &r.Classes[1]
		for rule, at := range map[*eval.Class][2]float64{&c.Plain: tc.plain, &c.Tuned: tc.tuned} {
			*rule = eval.Class{Recall: &at[0], Precision: &at[1], Support: 20, Predicted: 20 * at[0] / at[1]}
		}
		figures := plotfile.Figures(r)
		for i, f := range figures[5:7] {
			var out bytes.Buffer
			if err := f.Write(&out, plotfile.SVG); err != nil {
				t.Fatal(err)
			}
			svg := out.String()
			dots, lines := dot.FindAllStringSubmatch(svg, -1), line.FindAllStringSubmatch(svg, -1)
			if len(dots) != 2 || len(lines) != tc.lines[i] {
				t.Errorf("%s, %s: %d dots and %d lines, want 2 and %d", tc.name, f.Name, len(dots), len(lines), tc.lines[i])
				continue
			}
			for n, name := range []string{"plain", "tuned"} {
				x, y := place(t, svg, name)
				off := func(d []string) float64 { // from a word of 20 by 8
					dx, dy := number(d[1])-x, high-number(d[2])-y
					return math.Hypot(max(math.Abs(dx)-10, 0), max(-dy, dy-8, 0))
				}
				led := slices.ContainsFunc(lines, func(l []string) bool {
					return l[1] == dots[n][1] && l[2] == dots[n][2]
				})
				if own, other := off(dots[n]), off(dots[1-n]); own+3 > other && !led {
					t.Errorf("%s, %s: %q stands %.1f off its dot and %.1f off the other", tc.name, f.Name, name, own, other)
				}
			}
		}
	}
}

// Of two rules that lie close to each other each has its name on the side that is off the other.
func TestSweepNames(t *testing.T) {
	r := drawn("well", "ill", "odd")
	for _, tc := range []struct {
		weight report.Number
		sign   float64
	}{{2, 1}, {0.5, -1}, {1.3, 1}} {
		r.Classes[2].Weight = tc.weight
		svg := picture(t, r, 1)
		tuned, _ := place(t, svg, "tuned")
		plain, _ := place(t, svg, "weight 1")
		if (tuned-plain)*tc.sign <= 20 {
			t.Errorf("at weight %v the names stand at %v (tuned) and %v (weight 1)", tc.weight, tuned, plain)
		}
	}
}

// Counts of rows have whole ticks, and bars that are cut show it.
func TestVotes(t *testing.T) {
	r := drawn("well", "ill")
	v := &r.Classes[1].Charts.Votes
	v.Found, v.Missed = []report.Number{0, 1, 1, 0, 1}, []report.Number{1, 0, 0, 0, 0}
	svg := picture(t, r, 0)
	if text, err := texts(strings.NewReader(svg)); err != nil || strings.Contains(text, "0.5") {
		t.Errorf("half a row is a tick of %q, %v", text, err)
	}
	cut := strings.Count(svg, "fill:#FFFFFF")
	v.Alarms, v.Others = v.Found, []report.Number{1, 1, 1, 1, 1}
	if gaps := cut - strings.Count(picture(t, r, 0), "fill:#FFFFFF"); gaps != 2 {
		t.Errorf("%d gaps, want 2: in the bars of 900 and 23 rows", gaps)
	}
}

// The axis of the loss begins a little below the least loss, not at 0, so that a flat bottom is seen.
func TestLossAxis(t *testing.T) {
	r := drawn("well", "ill")
	for _, tc := range []struct {
		losses    []report.Number
		low, high string // the first and the last tick
	}{
		{[]report.Number{0.6, 0.3, 0.5}, "0.3", "0.6"},
		{[]report.Number{0.31, 0.3, 0.302}, "0.3", "0.31"},
		{[]report.Number{5000, 4000, 4800}, "4000", "5000"},
		{[]report.Number{0.3, 0.3, 0.3}, "0.27", "0.33"},
		{[]report.Number{0, 0, 0}, "-1", "1"},
	} {
		r.Classes[1].Charts.Sweep.Loss = tc.losses
		out := picture(t, r, 1)
		text, err := texts(strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		_, panel, _ := strings.Cut(text, "Loss (pragma)")
		panel, _, _ = strings.Cut(panel, "Wrong decisions")
		ticks := strings.Fields(panel)
		ticks = ticks[slices.Index(ticks, "10")+1:]
		if ticks[0] != tc.low || ticks[len(ticks)-1] != tc.high {
			t.Errorf("the losses %v have the ticks %q, want %s to %s", tc.losses, ticks, tc.low, tc.high)
		}
	}
}

// Names of usual length are whole, and what is no number of rows is not called so.
func TestNames(t *testing.T) {
	r := drawn("negative", "compensated_hypothyroid")
	r.Unit = "case weight"
	figures := plotfile.Figures(r)
	var out bytes.Buffer
	for _, f := range figures {
		if err := f.Write(&out, plotfile.SVG); err != nil {
			t.Fatal(err)
		}
	}
	svg := out.String()
	if !strings.Contains(svg, "above: case weight") || strings.Contains(svg, ">rows<") || strings.Contains(svg,
		"20 rows") {
		t.Error("sums of weights are called rows")
	}
	if !strings.Contains(svg, ">compensated_hypothyroid, weight 20<") || strings.Contains(svg, "…") {
		t.Error("a name of 23 letters is cut")
	}
}

// Longer names are cut to the words that tell them apart.
func TestLongNames(t *testing.T) {
	figures := plotfile.Figures(drawn("claims_of_the_year_that_are_honest", "claims_of_the_year_that_are_fraud"))
	var out bytes.Buffer
	for _, f := range figures {
		if err := f.Write(&out, plotfile.SVG); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{">ROC of &#34;…the_year_that_are_fraud&#34;<", ">…year_that_are_honest, 20 rows<",
		">…the_year_that_are_fraud<"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %s in the figures", want)
		}
	}
}

// Bars are cut, with their rows beside them, at either end.
func TestCutVotes(t *testing.T) {
	for _, at := range []int{0, 19} {
		r := drawn("well", "ill")
		v := &r.Classes[1].Charts.Votes
		*v = report.Votes{Width: 1, Found: make([]report.Number, 20), Missed: make([]report.Number, 20),
			Alarms: make([]report.Number, 20), Others: make([]report.Number, 20)}
		for i := range v.Found {
			v.Found[i] = 3
		}
		v.Found[at] = 12345
		out := picture(t, r, 0)
		if x, _ := place(t, out, "cut: 12345"); x < 40 || x > 397-20 {
			t.Errorf("with bar %d cut the words stand at %v", at, x)
		}
	}
}

// What there is nothing to draw of is left out.
func TestFiguresOfLess(t *testing.T) {
	r := drawn("well", "ill")
	r.Folds, r.Importance, r.Search = nil, nil, nil
	if figures := plotfile.Figures(r); len(figures) != 7 {
		t.Errorf("%d figures, want 7", len(figures))
	}
	r.Classes[1].Tuned.Recall, r.Classes[1].Plain.Precision = nil, nil
	if figures := plotfile.Figures(r); len(figures) != 7 {
		t.Errorf("of a class without recall %d figures, want 7", len(figures))
	}
}

// A PNG shows what the SVG says: black letters and lines of the colours on white; other formats are refused.
func TestFormats(t *testing.T) {
	f := plotfile.Figures(drawn("well", "ill"))[5]
	var out bytes.Buffer
	if err := f.Write(&out, plotfile.PNG); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	counts, dots := map[color.Color]int{}, picture.Bounds()
	for x := range dots.Dx() {
		for y := range dots.Dy() {
			counts[picture.At(x, y)]++
		}
	}
	if dots.Dx() != 827 || dots.Dy() != 650 { // 14 cm × 11 cm at 150 dots an inch
		t.Errorf("the PNG has %d × %d dots", dots.Dx(), dots.Dy())
	}
	all := float64(dots.Dx() * dots.Dy())
	for ink, share := range map[color.Color]float64{color.RGBA{A: 255}: 0.0003, plotfile.Vermilion: 0.001,
		color.RGBA{255, 255, 255, 255}: 0.9} {
		if got := float64(counts[ink]) / all; got < share {
			t.Errorf("%.5f of the dots are %v, want %v", got, ink, share)
		}
	}
	if err := f.Write(io.Discard, "gif"); err == nil || err.Error() != `format "gif"; figures are svg or png` {
		t.Errorf("gif: %v", err)
	}
}

// A point that is no number is left out of a line.
func TestNoNumbers(t *testing.T) {
	r := drawn("well", "ill")
	whole := picture(t, r, 6)
	cuts := &r.Classes[1].Charts.Cuts
	cuts.Recall, cuts.FalsePositive = append(cuts.Recall, 1, 1), append(cuts.FalsePositive, 1, 1)
	cuts.Precision = append(cuts.Precision, report.Number(math.NaN()), report.Number(math.Inf(1)))
	if picture(t, r, 6) != whole {
		t.Error("what is no number is drawn")
	}
}

// Large numbers of an axis are written out.
func TestTicks(t *testing.T) {
	r := drawn("well", "ill")
	for most, tick := range map[report.Number]string{13000: "10000", 2.1e6: "2000000"} {
		r.Classes[1].Charts.Sweep.Wrong = []report.Number{17, 10, most}
		if svg := picture(t, r, 1); !strings.Contains(svg, ">"+tick+"<") || strings.Contains(svg, "e+") {
			t.Errorf("there is no tick of %s", tick)
		}
	}
}

// Of a class without rows there are the figures that are not of its rows.
func TestFiguresOfAnAbsentClass(t *testing.T) {
	r := drawn("well", "ill")
	r.Classes[0].Charts, r.Classes[1].Charts = nil, nil
	figures := plotfile.Figures(r)
	var names []string
	for _, f := range figures {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "folds importance search" {
		t.Fatalf("the figures are %s", got)
	}
	var svg strings.Builder
	if err := figures[1].Write(&svg, plotfile.SVG); err != nil || !strings.Contains(svg.String(),
		"Columns with many different values look better by it than they are.") {
		t.Errorf("the importance says nothing of what it flatters, %v", err)
	}
}
