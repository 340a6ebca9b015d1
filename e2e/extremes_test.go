package e2e

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// group is a class of a table, with so many rows.
type group struct {
	name string
	rows int
}

// grouped writes a table whose classes lie so far apart, in random order, a day for each row.
func grouped(t *testing.T, path string, apart float64, groups ...group) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 2))
	var rows [][]string
	for c, g := range groups {
		for range g.rows {
			row := []string{""}
			for range 3 {
				row = append(row, strconv.FormatFloat(float64(c)*apart+rng.NormFloat64(), 'f', 3, 64))
			}
			rows = append(rows, append(row, g.name))
		}
	}
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for i := range rows {
		rows[i][0] = fmt.Sprintf("%04d-%02d-%02d", 2000+i/336, 1+i/28%12, 1+i%28)
	}
	write(t, path, append([][]string{{"day", "x", "y", "z", "class"}}, rows...))
}

func write(t *testing.T, path string, rows [][]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
}

// extremes makes pages of rows that leave charts little to draw, in a folder, and returns their paths by name.
func extremes(t *testing.T, dir string) map[string]string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	judged := map[string]string{}
	cv := func(name, data string, more ...string) {
		rfpragma(t, dir, slices.Concat([]string{"cv", data, "--trees", "40", "--folds", "2", "-q", "--report", name + ".html"}, more)...)
		judged[name] = at(name + ".html")
	}
	// A class of a share of 0.2 %, with all that a page may have.
	rare := []group{{"none", 1480}, {"bearing", 17}, {"valve", 3}}
	grouped(t, at("rare.csv"), 2, rare...)
	write(t, at("costs.csv"), [][]string{{"actual", "predicted_none", "predicted_bearing", "predicted_valve"}, {"none", "0", "150", "150"}, {"bearing", "20000", "150", "300"}, {"valve", "20000", "300", "150"}})
	cv("preferred", "rare.csv", "--ignore", "day", "--prefer", "bearing:theta=10,x=0.05,y=0.9;valve:theta=10,x=0.02,y=0.9")
	cv("time", "rare.csv", "--time", "day", "--prefer", "bearing,valve")
	cv("costs", "rare.csv", "--ignore", "day", "--costs", "costs.csv")
	// New rows: a few of a class, one, none, and none of any other.
	rfpragma(t, dir, "train", "rare.csv", "--ignore", "day", "--trees", "60", "--prefer", "valve", "-q", "-o", "rare.rfp")
	for name, counts := range map[string][3]int{"handful": {50, 6, 3}, "one": {80, 20, 1}, "absent": {80, 20, 0}, "alone": {0, 20, 0}} {
		groups := slices.Clone(rare)
		for c := range groups {
			groups[c].rows = counts[c]
		}
		grouped(t, at(name+".csv"), 2, groups...)
		rfpragma(t, dir, "report", "rare.rfp", name+".csv", "-q", "-o", name+".html")
		judged[name] = at(name + ".html")
	}
	// Classes that nothing tells apart, that anything does, and so many of so few rows.
	grouped(t, at("noise.csv"), 0, group{"a", 200}, group{"b", 50}, group{"c", 40})
	cv("useless", "noise.csv", "--ignore", "day")
	equal := [][]string{{"x", "y", "class"}}
	for i := range 200 {
		equal = append(equal, []string{"1", strconv.Itoa(i / 3 % 2), []string{"a", "b", "b"}[i%3]})
	}
	write(t, at("equal.csv"), equal)
	cv("equal", "equal.csv")
	grouped(t, at("apart.csv"), 50, group{"a", 100}, group{"b", 40})
	cv("perfect", "apart.csv", "--ignore", "day")
	var many []group
	for c := range 40 {
		many = append(many, group{fmt.Sprintf("class_%02d", c), 4 + c*7%30})
	}
	grouped(t, at("many.csv"), 1.2, many...)
	cv("many", "many.csv", "--ignore", "day")
	return judged
}

// Whatever there is to be drawn, each chart of each class is.
func TestExtremes(t *testing.T) {
	t.Parallel()
	tab := open(t)
	for name, path := range extremes(t, t.TempDir()) {
		for _, width := range []int{1280, 360} {
			tab.show(path, width, "light")
			tab.unfold()
			classes := max(1, value[int](tab, `document.querySelectorAll("#class option").length`))
			if width == 360 {
				classes = min(classes, 3)
			}
			for i := range classes {
				if i > 0 {
					value[bool](tab, `(s => { s.selectedIndex = (s.selectedIndex + 1) % s.options.length; return s.dispatchEvent(new Event("change")); })(document.querySelector("#class"))`)
				}
				for _, fault := range value[[]string](tab, lookAt) {
					t.Errorf("%s, %d px, %s: %s", name, width, value[string](tab, `document.querySelector("#class")?.value ?? ""`), fault)
				}
			}
			tab.quiet(name)
		}
	}
}

// A chart that fails says so beside its table, and takes no other with it.
func TestFailingChart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rfpragma(t, dir, "cv", "--trees", "50", "--folds", "3", "-q", "--report", "page.html")
	tab := open(t)
	tab.show(filepath.Join(dir, "page.html"), 1280, "light")
	tab.unfold()
	failed := func() []string {
		value[bool](tab, `dispatchEvent(new Event("afterprint"))`)
		return value[[]string](tab, `[...document.querySelectorAll("figure.chart:has(.failed)")].filter(f => !f.querySelector("svg, .slide") && f.querySelector("details[open] tbody tr")).map(f => f.dataset.chart)`)
	}
	value[bool](tab, `(p => { p.kept = p.getPointAtLength; p.getPointAtLength = () => { throw new Error("tried"); }; return true; })(SVGGeometryElement.prototype)`)
	if got, want := failed(), []string{"sweep", "pr", "roc", "reliability", "benefit", "moves"}; !slices.Equal(got, want) {
		t.Errorf("of charts that cannot be drawn %q say so and have a table, want %q", got, want)
	}
	if drawn := value[int](tab, `document.querySelectorAll("figure.chart:has(svg)").length`); drawn == 0 {
		t.Error("no other chart is drawn")
	}
	tab.complaints = nil // each fault is in the console, too
	value[bool](tab, `(p => { p.getPointAtLength = p.kept; return true; })(SVGGeometryElement.prototype)`)
	if got := failed(); len(got) > 0 {
		t.Errorf("%q are not drawn again", got)
	}
	tab.quiet("page")
}
