package e2e

import (
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lookAt returns what is wrong with the page as it is drawn, see the file.
//
//go:embed look.js
var lookAt string

// readOut returns what keeps the page from being read, see the file.
//
//go:embed read.js
var readOut string

// cutBySheets takes the width and the height of a sheet, and returns what is wrong where such sheets cut the page, see the file.
//
//go:embed paged.js
var cutBySheets string

// blobs writes a table of so many rows around the centre of each class, of the last of them a few.
func blobs(t *testing.T, path string, classes []string, rows int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rng, out := rand.New(rand.NewPCG(1, 1)), csv.NewWriter(f)
	if err := out.Write([]string{"x", "y", "z", "class"}); err != nil {
		t.Fatal(err)
	}
	for c, name := range classes {
		n := rows
		if c == len(classes)-1 {
			n = 12
		}
		for range n {
			record := make([]string, 0, 4)
			for j := range 3 {
				record = append(record, fmt.Sprintf("%.3f", float64((c*(j+2))%7)+rng.Float64()*3))
			}
			if err := out.Write(append(record, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		t.Fatal(err)
	}
}

// hostile names try to leave their place.
var hostile = []string{
	`</script><img src=x onerror="document.title='broken'">`,
	strings.Repeat("w", 200),
	"שלום עולם", "🦄 👩‍👩‍👧", `"a' & <b>`,
}

func letters() []string {
	var names []string
	for c := 'A'; c <= 'Z'; c++ {
		names = append(names, string(c))
	}
	return names
}

// altered writes a page with other data in it beside the page, and returns its path.
func altered(t *testing.T, path, name string, alter func(r map[string]any)) string {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), `id="data">`)
	data, after, found := strings.Cut(rest, "</script>")
	var r map[string]any
	if err := json.Unmarshal([]byte(data), &r); !found || err != nil {
		t.Fatalf("%s: no data in the page: %v", path, err)
	}
	alter(r)
	changed, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(filepath.Dir(path), name+".html")
	if err := os.WriteFile(to, []byte(before+`id="data">`+string(changed)+"</script>"+after), 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// weighed puts the weight in use, and that of the plain vote, at places between the ends of the sweep, 0 and 1, cuts bars at both
// ends of the votes, and has thousands of rows in every group of probabilities.
func weighed(tuned, plain float64) func(map[string]any) {
	return func(r map[string]any) {
		classes, first := r["classes"].([]any), int(r["first"].(float64))
		own, other := classes[first].(map[string]any), classes[1-first].(map[string]any)
		charts := own["charts"].(map[string]any)
		weights := charts["sweep"].(map[string]any)["weights"].([]any)
		at := func(part float64) any { return weights[int(part*float64(len(weights)-1))] }
		own["weight"], other["weight"] = at(tuned), at(plain)
		for _, counts := range charts["votes"].(map[string]any) {
			if bars, ok := counts.([]any); ok {
				bars[0], bars[1], bars[len(bars)-1] = 123456.0, 23456.0, 123456.0
			}
		}
		for _, group := range charts["reliability"].([]any) {
			group.(map[string]any)["count"] = 9876.0
		}
	}
}

// shifted has the tuned rule find so many rows more than the plain one, and give so many false alarms more.
func shifted(found, alarms float64) func(map[string]any) {
	return func(r map[string]any) {
		own := r["classes"].([]any)[int(r["first"].(float64))].(map[string]any)
		plain, tuned := own["plain"].(map[string]any), own["tuned"].(map[string]any)
		hits := math.Round(plain["recall"].(float64)*plain["support"].(float64)) + found
		tuned["predicted"] = plain["predicted"].(float64) + found + alarms
		tuned["recall"], tuned["precision"] = hits/plain["support"].(float64), hits/tuned["predicted"].(float64)
	}
}

// beside has the arrow of the first class end where that of the second lies, and begin so much of precision below it.
func beside(below float64) func(map[string]any) {
	return func(r map[string]any) {
		for c, ends := range [][2]float64{{1 - below, 1}, {0.993, 0.993}} {
			of := r["classes"].([]any)[c].(map[string]any)
			for i, rule := range []string{"plain", "tuned"} {
				judged := of[rule].(map[string]any)
				judged["recall"], judged["precision"] = 1.0, ends[i]
			}
		}
	}
}

// corner has the arrow of the class of three that matters least end beside those of the two others, and a fourth class of which nothing is found.
func corner(r map[string]any) {
	classes := r["classes"].([]any)
	none := maps.Clone(classes[1].(map[string]any))
	none["name"], none["charts"] = "secondary_hypothyroid", nil
	r["classes"] = append(classes, none)
	for _, fold := range r["folds"].([]any) {
		fold.(map[string]any)["weights"].(map[string]any)["secondary_hypothyroid"] = 1
	}
	for c, end := range [][2]float64{{0.923, 1}, {1, 0.999}, {1, 0.976}, {0, 0}} {
		of := r["classes"].([]any)[c].(map[string]any)
		of["preference"] = map[string]any{"theta": []int{10, 1, 10, 1}[c], "x": 0.1, "y": 0.9}
		for _, rule := range []string{"plain", "tuned"} {
			judged := maps.Clone(of[rule].(map[string]any))
			judged["recall"], judged["precision"] = end[0], end[1]
			of[rule] = judged
		}
	}
}

// pages makes the pages that are looked at in a folder, and returns their paths by name.
func pages(t *testing.T, dir string) map[string]string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	blobs(t, at("letters.csv"), letters(), 40)
	blobs(t, at("more.csv"), letters(), 30)
	blobs(t, at("hostile.csv"), hostile, 60)
	rfpragma(t, dir, "cv", "--trees", "50", "--folds", "3", "-q", "--report", "binary.html")
	rfpragma(t, dir, "cv", "--trees", "50", "--folds", "3", "--require", "fraud:precision>=0.5", "-q", "--report", "required.html")
	rfpragma(t, dir, "train", "letters.csv", "--trees", "200", "--prefer", "A;E:theta=5,x=0.1,y=0.9;Z", "-q", "-o", "letters.rfp")
	rfpragma(t, dir, "report", "letters.rfp", "more.csv", "-q", "-o", "letters.html")
	rfpragma(t, dir, "cv", "hostile.csv", "--trees", "30", "--folds", "3", "-q", "--report", "hostile.html")
	blobs(t, at("few.csv"), []string{"compensated_hypothyroid", "negative", "primary_hypothyroid"}, 24)
	rfpragma(t, dir, "cv", "few.csv", "--trees", "30", "--folds", "3", "--prefer", "primary_hypothyroid", "--choice", "lowest", "-q", "--report", "few.html")
	paths := map[string]string{"few": at("few.html"), "binary": at("binary.html"), "required": at("required.html"), "letters": at("letters.html"), "hostile": at("hostile.html")}
	for name, weights := range map[string][2]float64{"low": {0, 1}, "high": {1, 0}, "beside": {0.5, 0.52}, "plain": {0.5, 0.5}, "ends": {0.02, 0.98}} {
		paths[name] = altered(t, at("binary.html"), name, weighed(weights[0], weights[1]))
	}
	for name, by := range map[string][2]float64{"near": {1, 6}, "right": {0, 9}, "above": {3, 0}} {
		paths[name] = altered(t, at("binary.html"), name, shifted(by[0], by[1]))
	}
	for name, below := range map[string]float64{"head beside": 0.024, "both beside": 0.02, "same": 0} {
		paths[name] = altered(t, at("few.html"), name, beside(below))
	}
	rfpragma(t, dir, "generate", "fraud", "--rows", "1500", "--seed", "1", "-o", "old.csv")
	rfpragma(t, dir, "generate", "fraud", "--rows", "1000", "--seed", "2", "-o", "new.csv")
	rfpragma(t, dir, "train", "old.csv", "--trees", "100", "--prefer", "fraud", "-q", "-o", "parts.rfp")
	rfpragma(t, dir, "report", "parts.rfp", "new.csv", "-q", "-o", "parts.html")
	paths["parts"] = at("parts.html")
	paths["hostile columns"] = altered(t, at("parts.html"), "hostile columns", func(r map[string]any) {
		parts := r["parts"].(map[string]any)
		for i, c := range parts["columns"].([]any) {
			c.(map[string]any)["name"] = hostile[i%len(hostile)]
		}
		for _, e := range parts["examples"].([]any) {
			for i, c := range e.(map[string]any)["cells"].([]any) {
				c.(map[string]any)["column"], c.(map[string]any)["value"] = hostile[i%len(hostile)], hostile[(i+1)%len(hostile)]
			}
		}
	})
	paths["corner"] = altered(t, at("few.html"), "corner", corner)
	return paths
}

// A4 between its margins, in pixels.
const paper, paperHeight = 718, 1046

func TestReport(t *testing.T) {
	t.Parallel()
	paths, shared := pages(t, t.TempDir()), open(t)
	for _, part := range []struct {
		name string
		run  func(tab *tab)
	}{
		{"Pages", func(tab *tab) { look(tab, paths) }},
		{"Interaction", func(tab *tab) { interact(tab, paths["letters"]) }},
		{"Slider", func(tab *tab) { slides(tab, paths["binary"], paths["letters"]) }},
		{"Parts", func(tab *tab) { split(tab, paths["parts"], paths["hostile columns"]) }},
		{"Moves", func(tab *tab) { tab.show(paths["required"], 1280, "light"); moves(tab) }},
		{"Required", func(tab *tab) { hatched(tab, paths["required"], paths["binary"]) }},
		{"Names", named},
		{"Wide", func(tab *tab) { wide(tab, paths["few"], paths["letters"]) }},
		{"Folded", func(tab *tab) { folded(tab, paths["letters"]) }},
		{"NoScript", func(tab *tab) { without(tab, paths["letters"]) }}, // the last, as none runs any more
	} {
		t.Run(part.name, func(t *testing.T) {
			shared.t = t
			part.run(shared)
		})
	}
}

// look opens each page in several windows and on paper. What others were altered from is read, and printed.
func look(tab *tab, paths map[string]string) {
	for name, path := range paths {
		made := slices.Contains([]string{"few", "binary", "required", "letters", "hostile", "parts"}, name)
		for _, width := range []int{1920, 1280, 1000, 768, 360} {
			tab.show(path, width, "light")
			tab.unfold()
			for _, fault := range value[[]string](tab, lookAt) {
				tab.t.Errorf("%s, %d px: %s", name, width, fault)
			}
			tab.quiet(name)
		}
		if made {
			for _, scheme := range []string{"light", "dark"} {
				tab.as("screen", scheme)
				for _, fault := range value[[]string](tab, readOut) {
					tab.t.Errorf("%s, %s: %s", name, scheme, fault)
				}
			}
		}
		if title := value[string](tab, "document.title"); title == "broken" || !strings.Contains(title, ".csv") && !strings.Contains(title, "fraud") {
			tab.t.Errorf("%s has the title %q", name, title)
		}
		tab.show(path, paper, "light")
		tab.unfold()
		value[bool](tab, `dispatchEvent(new Event("beforeprint"))`)
		if wide := value[[]int](tab, `[...new Set([...document.querySelectorAll("figure.chart svg")].map(svg => svg.viewBox.baseVal.width))]`); !slices.Equal(wide, []int{400}) {
			tab.t.Errorf("%s: charts for paper are drawn %v px wide", name, wide)
		}
		for _, fault := range value[[]string](tab, lookAt) {
			tab.t.Errorf("%s, for paper: %s", name, fault)
		}
		tab.as("print", "light")
		if wide := value[int](tab, "document.documentElement.scrollWidth - innerWidth"); wide > 1 {
			tab.t.Errorf("%s in print: the page is %d px wider than the paper", name, wide)
		}
		if cut := value[[]string](tab, fmt.Sprintf(`[...document.querySelectorAll("figure")].filter(f => f.getBoundingClientRect().height > %d || getComputedStyle(f).breakInside !== "avoid").map(f => f.id)`, paperHeight)); len(cut) > 0 {
			tab.t.Errorf("%s in print: pages cut %q", name, cut)
		}
		if hidden := value[string](tab, `getComputedStyle(document.querySelector(".readout")).display`); hidden != "none" {
			tab.t.Errorf("%s in print shows what only a pointer can use", name)
		}
		if !made {
			continue
		}
		for _, height := range []int{paperHeight, 960, 880, 800} {
			for _, fault := range value[[]string](tab, fmt.Sprintf("(%s)(%d, %d)", cutBySheets, paper, height)) {
				tab.t.Errorf("%s on sheets %d px high: %s", name, height, fault)
			}
		}
		if pdf, err := chromedp.Run(tab.ctx, chromedp.PrintToPDF(chromedp.PDFPrintBackground())); err != nil || len(pdf) < 10_000 {
			tab.t.Errorf("%s: print to PDF: %d bytes, %v", name, len(pdf), err)
		}
	}
}

// hatched holds a page with a requirement, which some weights break, against one without.
func hatched(tab *tab, required, free string) {
	for path, want := range map[string]struct {
		hatched int // panels
		column  bool
	}{required: {2, true}, free: {0, false}} {
		tab.show(path, 1280, "light")
		if got := value[int](tab, `[...document.querySelectorAll("#chart-sweep svg")].filter(svg => [...svg.querySelectorAll("rect")].some(r => /^url\(#hatch/.test(r.getAttribute("fill")) && svg.querySelector(r.getAttribute("fill").slice(4, -1)))).length`); got != want.hatched {
			tab.t.Errorf("%s: %d panels are hatched, want %d", filepath.Base(path), got, want.hatched)
		}
		cells := value[[]string](tab, `[...document.querySelectorAll("#chart-sweep td:last-child")].map(td => td.textContent)`)
		if has := slices.Contains(cells, "fraud:precision>=0.5"); has != want.column {
			tab.t.Errorf("%s: the table says what is broken: %v", filepath.Base(path), has)
		}
	}
}

// split chooses each row by keyboard: what is drawn of it, and what the table has, ends at its share of the votes. On paper stands the row that is chosen.
// Names of columns and cells that try to leave their place stay in it.
func split(tab *tab, path, names string) {
	tab.show(path, 390, "dark")
	type end struct {
		Chosen, Says, Drawn, Table string
		Arrows                     int
		Share, Base                float64
		X                          []float64
	}
	read := `(() => { const f = document.querySelector("#chart-waterfall"), s = f.querySelector("select"), e = JSON.parse(document.getElementById("data").textContent).parts.examples[s.value], tidy = (t) => t.replaceAll("\u00a0", " ");
		return { Chosen: s.selectedOptions[0].text, Says: tidy(f.querySelector(".says").textContent), Drawn: tidy([...f.querySelectorAll("svg .word")].pop().textContent), Table: tidy([...f.querySelectorAll("td")].pop().textContent),
			Arrows: f.querySelectorAll("svg .bar").length, Share: e.share, Base: e.base, X: [...f.querySelectorAll("svg .dot")].map(d => Number(d.getAttribute("cx"))).concat([...f.querySelectorAll("svg .bar")].map(b => Number(b.getAttribute("d").match(/L([^,]*),/)[1]))) }; })()`
	rows := value[int](tab, `document.querySelectorAll("#example option").length`)
	if rows < 5 || rows > 12 {
		tab.t.Errorf("there are %d rows to choose from", rows)
	}
	tab.do(chromedp.Focus("#example"))
	before := ""
	for i := range rows {
		if i > 0 {
			tab.do(chromedp.KeyEvent(kb.ArrowDown))
		}
		now, want := value[end](tab, read), ""
		want = fmt.Sprintf("%.1f %%", 100*now.Share)
		if now.Drawn != want || now.Table != want || !strings.HasSuffix(now.Says, "to "+want+".") || now.Chosen == before {
			tab.t.Errorf("%s after %s: %+v, want %s", now.Chosen, before, now, want)
		}
		if last := now.X[len(now.X)-1]; math.Abs(last-now.X[1]) > 0.01 || (now.X[1] > now.X[0]) != (now.Share > now.Base) {
			tab.t.Errorf("%s: the last arrow ends at %v, and the dots stand at %v", now.Chosen, last, now.X[:2])
		}
		before = now.Chosen
	}
	tab.as("print", "light")
	value[bool](tab, `dispatchEvent(new Event("beforeprint"))`)
	if now := value[end](tab, read); now.Chosen != before || now.Arrows < 2 {
		tab.t.Errorf("on paper there is %+v", now)
	}
	tab.quiet("parts")
	for _, width := range []int{390, 1280} {
		tab.show(names, width, "light")
		tab.unfold()
		for _, fault := range value[[]string](tab, lookAt) {
			tab.t.Errorf("columns of strange names, %d px: %s", width, fault)
		}
	}
	if title := value[string](tab, "document.title"); title == "broken" {
		tab.t.Error("the name of a column ran as a script")
	}
	tab.quiet("columns of strange names")
}

// slides holds a page of a cross-validation, whose folds have weights of their own, against one of a model: that its slider counts otherwise is said.
func slides(tab *tab, folds, model string) {
	for path, want := range map[string]int{folds: 1, model: 0} {
		tab.show(path, 1280, "light")
		if got := value[int](tab, `[...document.querySelectorAll("#chart-sweep .slide .note")].filter(p => p.textContent.includes("each fold has its own")).length`); got != want {
			tab.t.Errorf("%s: %d notes at the slider, want %d", filepath.Base(path), got, want)
		}
	}
}

// named holds names of usual length against being cut where there is room for them, and against being broken within a word.
func named(tab *tab) {
	dir := tab.t.TempDir()
	blobs(tab.t, filepath.Join(dir, "long.csv"), []string{"compensated_hypothyroid", "negative", "primary_hypothyroid"}, 60)
	rfpragma(tab.t, dir, "cv", "long.csv", "--trees", "30", "--folds", "3", "-q", "--report", "long.html")
	tab.show(filepath.Join(dir, "long.html"), 1280, "light")
	if cut := value[[]string](tab, `[...document.querySelectorAll("figure.chart svg text")].filter(t => t.querySelector("title")).map(t => t.textContent)`); len(cut) > 0 {
		tab.t.Errorf("names are cut though there is room: %q", cut)
	}
	lines := `(node) => { const r = document.createRange(); r.selectNode(node); return r.getClientRects().length; }`
	torn := `[...document.querySelectorAll(".key dt, .key dt *")].flatMap(e => [...e.childNodes]).filter(n => n.data).flatMap(n => [...n.data.matchAll(/\S+/g)].filter(word => { const r = document.createRange(); r.setStart(n, word.index); r.setEnd(n, word.index + word[0].length); return r.getClientRects().length > 1; }).map(word => word[0]))`
	blobs(tab.t, filepath.Join(dir, "longer.csv"), []string{"negative", "primary_hypothyroid_without_goitre", "hypothyroid_after_treatment"}, 60)
	rfpragma(tab.t, dir, "cv", "longer.csv", "--trees", "30", "--folds", "3", "--prefer", "primary_hypothyroid_without_goitre,hypothyroid_after_treatment", "-q", "--report", "longer.html")
	tab.show(filepath.Join(dir, "longer.html"), paper, "light")
	tab.as("print", "light")
	if words := value[[]string](tab, torn); len(words) > 0 {
		tab.t.Errorf("on paper key figures break %q", words)
	}
	for _, width := range []int{500, 360} {
		tab.show(filepath.Join(dir, "long.html"), width, "light")
		if torn := value[[]string](tab, `[...document.querySelectorAll("tbody *")].flatMap(e => [...e.childNodes]).filter(n => n.data && !/\s/.test(n.data) && (`+lines+`)(n) > 1).map(n => n.data)`); len(torn) > 0 {
			tab.t.Errorf("%d px: names are broken within a word: %q", width, torn)
		}
	}
}

// wide holds what stands in a wide page side by side against leaving much of it empty.
func wide(tab *tab, several, many string) {
	for _, pair := range []struct {
		path, parts string
		width       int
	}{{several, ".tables .table", 1760}, {many, ".large .matrix", 1700}, {many, ".many > #summary, .each", 1280}} {
		tab.show(pair.path, pair.width, "light")
		tab.unfold()
		if beside := value[bool](tab, `(([a, b]) => a.getBoundingClientRect().top < b.getBoundingClientRect().bottom && b.getBoundingClientRect().left >= a.getBoundingClientRect().right)(document.querySelectorAll("`+pair.parts+`"))`); !beside {
			tab.t.Errorf("%s, %d px: the first two %s do not stand side by side", filepath.Base(pair.path), pair.width, pair.parts)
		}
	}
}

// folded opens what is folded away, in a window of another width than it was loaded in; a link leads into the glossary.
func folded(tab *tab, path string) {
	tab.show(path, 1280, "light")
	if drawn := value[int](tab, `document.querySelectorAll(".folded:not([open]) svg").length`); drawn != 0 {
		tab.t.Errorf("%d charts are drawn where nobody sees them", drawn)
	}
	if closed := value[int](tab, `document.querySelectorAll(".folded:not([open])").length`); closed != 4 {
		tab.t.Errorf("%d parts are folded away, want 4", closed)
	}
	for _, width := range []int64{1280, 360} {
		tab.do(chromedp.EmulateViewport(width, 900))
		tab.unfold()
		for _, fault := range value[[]string](tab, lookAt) {
			tab.t.Errorf("%d px, unfolded: %s", width, fault)
		}
	}
	tab.show(path, 1280, "light")
	tab.do(chromedp.Click(`a[href="#words"]`))
	tab.settle()
	if !value[bool](tab, `document.querySelector("#words").checkVisibility()`) {
		tab.t.Error("the link to the glossary leaves it folded")
	}
	tab.quiet("unfolded")
}

// interact changes what can be changed on a page, by keyboard too, and reads what it says then.
func interact(tab *tab, path string) {
	tab.show(path, 1280, "light")
	tab.unfold()
	says := `document.querySelector("#chart-votes .says").textContent`
	before := value[string](tab, says)
	tab.do(chromedp.SetValue("#class", "1"))
	value[bool](tab, `document.querySelector("#class").dispatchEvent(new Event("change"))`)
	if after := value[string](tab, says); after == before || !strings.Contains(after, `"B"`) {
		tab.t.Errorf("with class B chosen the chart says %q", after)
	}
	for c, name := range letters() {
		tab.do(chromedp.SetValue("#class", strconv.Itoa(c)))
		value[bool](tab, `document.querySelector("#class").dispatchEvent(new Event("change"))`)
		for _, fault := range value[[]string](tab, lookAt) {
			tab.t.Errorf("class %s: %s", name, fault)
		}
	}
	moves(tab)
	tab.unfold()
	if tables := value[int](tab, `[...document.querySelectorAll("figure.chart")].filter(f => f.querySelectorAll("details tbody tr").length > 0).length - document.querySelectorAll("figure.chart").length`); tables != 0 {
		tab.t.Errorf("%d charts have no table", -tables)
	}
	tab.quiet("letters")
}

// moves moves the slider by keyboard, in each unit: what it says are the figures of the sweep at that weight, which it names, and each step
// decides some row in another way.
func moves(tab *tab) {
	type setting struct {
		Output, Flag, Value string
		At                  int
	}
	read := `(() => { const e = (of) => document.querySelector("#chart-sweep " + of); return { Output: e("output").textContent.replaceAll("\u00a0", " "), Flag: e("code").textContent, Value: e("input").getAttribute("aria-valuetext").replaceAll("\u00a0", " "), At: Number(e("input").value) }; })()`
	sweep := value[struct {
		Rows, Support         float64
		Weights, Found, Named []float64
	}](tab, `(() => { const r = JSON.parse(document.getElementById("data").textContent), c = r.classes[document.querySelector("#class")?.value ?? r.first], s = c.charts.sweep; return { Rows: r.rows, Support: c.plain.support, Weights: s.weights, Found: s.found, Named: s.named }; })()`)
	was := value[setting](tab, read)
	for unit, name := range []string{"alarms per 1,000 rows", "found (recall)"} {
		value[bool](tab, fmt.Sprintf(`(s => { s.selectedIndex = %d; return s.dispatchEvent(new Event("change")); })(document.querySelector("#unit"))`, unit))
		if now := value[setting](tab, read); now.At != was.At || !strings.HasSuffix(now.Value, name) {
			tab.t.Errorf("by %s the slider stands at %d, called %q; it was left at %d", name, now.At, now.Value, was.At)
		}
		for range 4 {
			tab.do(chromedp.Focus("#weight"), chromedp.KeyEvent(kb.ArrowRight))
			now := value[setting](tab, read)
			i := now.At
			if sweep.Named[i] == sweep.Named[was.At] && sweep.Found[i] == sweep.Found[was.At] && i != len(sweep.Weights)-1 {
				tab.t.Errorf("a step from %d to %d decides no row in another way", was.At, i)
			}
			for _, figure := range []struct {
				pattern     string
				want, about float64
			}{
				{`([\d.]+) alarms per 1,000 rows`, 1000 * sweep.Named[i] / sweep.Rows, 0.005 * 1000 * sweep.Named[i] / sweep.Rows},
				{`([\d.]+) % found`, 100 * sweep.Found[i] / sweep.Support, 0.5}, {`Weight ([\d.]+)`, sweep.Weights[i], 0.005 * sweep.Weights[i]},
			} {
				said := regexp.MustCompile(figure.pattern).FindStringSubmatch(now.Output)
				if said == nil {
					tab.t.Fatalf("at %d the slider says %q, without %s", i, now.Output, figure.pattern)
				}
				if got, err := strconv.ParseFloat(said[1], 64); err != nil || math.Abs(got-figure.want) > figure.about*(1+1e-9) {
					tab.t.Errorf("at %d the slider says %s, want %v", i, said[0], figure.want)
				}
			}
			if want := fmt.Sprintf("=%v,", sweep.Weights[i]); !strings.HasPrefix(now.Flag, "--weights '") || !strings.Contains(strings.ReplaceAll(now.Flag, "'", ","), want) {
				tab.t.Errorf("at %d the slider names the flag %s, without %s", i, now.Flag, want)
			}
			was = now
		}
	}
}

// without opens a page where no script may run: pictures stand in the place of the charts.
func without(tab *tab, path string) {
	if _, err := chromedp.Call(tab.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		tab.t.Fatal(err)
	}
	tab.do(chromedp.Navigate("file://" + path))
	if missing := value[int](tab, `document.querySelectorAll("figure.chart").length - [...document.images].filter(i => i.complete && i.naturalWidth > 0 && i.alt).length`); missing != 0 {
		tab.t.Errorf("%d charts have no picture with words for it", missing)
	}
	if drawn := value[int](tab, `document.querySelectorAll("svg").length`); drawn != 0 {
		tab.t.Error("a script has run")
	}
	tab.quiet("without scripts")
}
