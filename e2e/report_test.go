package e2e

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// blobs writes a table of so many rows around the centre of each class, most of them right.
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
		for range rows {
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

// pages makes the pages that are looked at in a folder, and returns their paths by name.
func pages(t *testing.T, dir string) map[string]string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	blobs(t, at("letters.csv"), letters(), 40)
	blobs(t, at("more.csv"), letters(), 30)
	blobs(t, at("hostile.csv"), hostile, 60)
	rfpragma(t, dir, "cv", "--trees", "50", "--folds", "3", "-q", "--report", "binary.html")
	rfpragma(t, dir, "train", "letters.csv", "--trees", "200", "--prefer", "A;E;I", "-q", "-o", "letters.rfp")
	rfpragma(t, dir, "report", "letters.rfp", "more.csv", "-q", "-o", "letters.html")
	rfpragma(t, dir, "cv", "hostile.csv", "--trees", "30", "--folds", "3", "-q", "--report", "hostile.html")
	return map[string]string{"binary": at("binary.html"), "letters": at("letters.html"), "hostile": at("hostile.html")}
}

// paper is the width of A4 between its margins, in pixels.
const paper = 718

func TestReport(t *testing.T) {
	paths := pages(t, t.TempDir())
	t.Run("Pages", func(t *testing.T) { look(t, paths) })
	t.Run("Interaction", func(t *testing.T) { interact(t, paths["letters"]) })
	t.Run("NoScript", func(t *testing.T) { without(t, paths["letters"]) })
}

// look opens each page in several windows and on paper.
func look(t *testing.T, paths map[string]string) {
	tab := open(t)
	for name, path := range paths {
		for _, width := range []int{1280, 360} {
			for _, scheme := range []string{"light", "dark"} {
				tab.show(path, width, scheme)
				for _, fault := range value[[]string](tab, lookAt) {
					t.Errorf("%s, %d px, %s: %s", name, width, scheme, fault)
				}
				tab.quiet(name)
			}
		}
		if title := value[string](tab, "document.title"); title == "broken" || !strings.Contains(title, ".csv") && !strings.Contains(title, "fraud") {
			t.Errorf("%s has the title %q", name, title)
		}
		tab.show(path, paper, "light")
		tab.as("print", "light")
		if wide := value[int](tab, "document.documentElement.scrollWidth - innerWidth"); wide > 1 {
			t.Errorf("%s in print: the page is %d px wider than the paper", name, wide)
		}
		if hidden := value[string](tab, `getComputedStyle(document.querySelector(".readout")).display`); hidden != "none" {
			t.Errorf("%s in print shows what only a pointer can use", name)
		}
		if pdf, err := chromedp.Run(tab.ctx, chromedp.PrintToPDF(chromedp.PDFPrintBackground())); err != nil || len(pdf) < 10_000 {
			t.Errorf("%s: print to PDF: %d bytes, %v", name, len(pdf), err)
		}
	}
}

// interact changes what can be changed on a page, by keyboard too, and reads what it says then.
func interact(t *testing.T, path string) {
	tab := open(t)
	tab.show(path, 1280, "light")
	says := `document.querySelector("#chart-votes .says").textContent`
	before := value[string](tab, says)
	tab.do(chromedp.SetValue("#class", "1"))
	value[bool](tab, `document.querySelector("#class").dispatchEvent(new Event("change"))`)
	if after := value[string](tab, says); after == before || !strings.Contains(after, `"B"`) {
		t.Errorf("with class B chosen the chart says %q", after)
	}
	for _, fault := range value[[]string](tab, lookAt) {
		t.Errorf("class B: %s", fault)
	}
	output := `document.querySelector("#chart-sweep output").textContent`
	before = value[string](tab, output)
	tab.do(chromedp.Focus("#weight"), chromedp.KeyEvent(kb.ArrowRight))
	if after := value[string](tab, output); after == before || !strings.HasPrefix(after, "Weight ") {
		t.Errorf("with another weight the chart says %q", after)
	}
	if tables := value[int](tab, `[...document.querySelectorAll("figure.chart")].filter(f => f.querySelectorAll("details tbody tr").length > 0).length - document.querySelectorAll("figure.chart").length`); tables != 0 {
		t.Errorf("%d charts have no table", -tables)
	}
	tab.quiet("letters")
}

// without opens a page where no script may run: pictures stand in the place of the charts.
func without(t *testing.T, path string) {
	tab := open(t)
	if _, err := chromedp.Call(tab.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	tab.do(chromedp.Navigate("file://" + path))
	if missing := value[int](tab, `document.querySelectorAll("figure.chart").length - [...document.images].filter(i => i.complete && i.naturalWidth > 0 && i.alt).length`); missing != 0 {
		t.Errorf("%d charts have no picture with words for it", missing)
	}
	if drawn := value[int](tab, `document.querySelectorAll("svg").length`); drawn != 0 {
		t.Error("a script has run")
	}
	tab.quiet("without scripts")
}
