package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// explore starts the command in a folder, and returns the address of its page; it is interrupted after the test.
func explore(t *testing.T, dir string, args ...string) string {
	t.Helper()
	run := exec.Command(command, append([]string{"explore", "--no-browser"}, args...)...)
	run.Dir = dir
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := run.Wait(); err != nil {
			t.Errorf("interrupted, and that is no success: %v", err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// tuned is what tune says of what the page is asked for.
type tuned struct {
	Classes []struct {
		Class  string  `json:"class"`
		Weight float64 `json:"weight"`
	} `json:"classes"`
	Confusion [][]float64 `json:"confusion"`
	Expected  *struct {
		Classes []struct {
			Recall    float64 `json:"recall"`
			Precision float64 `json:"precision"`
		} `json:"classes"`
	} `json:"expected"`
}

func tune(t *testing.T, dir string, args ...string) tuned {
	t.Helper()
	run := exec.Command(command, append([]string{"tune", "model.rfp", "data.csv", "--accept-best", "--format", "json"}, args...)...)
	run.Dir = dir
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var is tuned
	if err := json.Unmarshal(out, &is); err != nil {
		t.Fatal(err)
	}
	return is
}

// fraudModel is a folder with rows of two classes and a model of them.
func fraudModel(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rfpragma(t, dir, "generate", "fraud", "--rows", "1500", "--seed", "1", "-o", "data.csv")
	rfpragma(t, dir, "train", "data.csv", "--trees", "200", "--prefer", "fraud", "-o", "model.rfp")
	return dir
}

// typeInto has an input hold a text, as somebody who types does.
const typeInto = `((e, v) => { e.focus(); e.value = v; e.dispatchEvent(new Event("input", {bubbles: true})); e.blur(); return true; })`

// answered waits until the page has its answer.
func (p *tab) answered() {
	p.t.Helper()
	time.Sleep(150 * time.Millisecond) // after which a change is asked for
	p.until(`document.querySelector("main") === null || !document.querySelector("main").hasAttribute("aria-busy")`)
}

// until waits until something holds in the page.
func (p *tab) until(holds string) {
	p.t.Helper()
	value[bool](p, `new Promise(done => { const look = () => (`+holds+`) ? done(true) : setTimeout(look, 30); look(); })`)
}

// visit opens a page that is served.
func (p *tab) visit(address string, width int, scheme string) {
	p.t.Helper()
	p.as("screen", scheme)
	p.do(chromedp.EmulateViewport(int64(width), 900), chromedp.Navigate(address))
	p.answered()
}

// figure is a share that the page shows.
func (p *tab) figure(name string) float64 {
	p.t.Helper()
	text := value[string](p, `document.querySelector("[data-figure='`+name+`'] dd").textContent`)
	percent, err := strconv.ParseFloat(strings.TrimSuffix(text, "\u00a0%"), 64)
	if err != nil {
		p.t.Errorf("%s is %q", name, text)
	}
	return percent / 100
}

// Each control moves the figures to what tune says of the same, the command line is that of tune, the model that is
// saved is its model, and nothing is asked of any other machine.
func TestExploreControls(t *testing.T) {
	dir := fraudModel(t)
	page := explore(t, dir, "model.rfp", "data.csv")
	p := open(t)
	p.served = strings.SplitAfterN(page, "/", 4)[2]
	p.visit(page, 1280, "light")
	for _, tc := range []struct {
		name, do string
		flags    []string
	}{
		{"the start", `true`, []string{"--prefer", "fraud"}},
		{"an importance", typeInto + `(document.querySelector("#each input[type=number]"), "3")`, []string{"--prefer", "fraud:theta=3,x=0.1,y=0.6"}},
		{"x", typeInto + `(document.querySelector("#each details input"), "25")`, []string{"--prefer", "fraud:theta=3,x=0.25,y=0.6"}},
		{"y", typeInto + `(document.querySelectorAll("#each details input")[1], "70")`, []string{"--prefer", "fraud:theta=3,x=0.25,y=0.7"}},
		{"a budget of alarms", typeInto + `(document.querySelector("[data-limit='alerts<=']"), "10")`, []string{"--prefer", "fraud:theta=3,x=0.25,y=0.7", "--require", "fraud:alerts<=10/1000"}},
		{"no budget, a recall", typeInto + `(document.querySelector("[data-limit='alerts<=']"), "") && ` + typeInto + `(document.querySelector("[data-limit='recall>=']"), "80")`,
			[]string{"--prefer", "fraud:theta=3,x=0.25,y=0.7", "--require", "fraud:recall>=80%"}},
		{"a precision", typeInto + `(document.querySelector("[data-limit='recall>=']"), "") && ` + typeInto + `(document.querySelector("[data-limit='precision>=']"), "50")`,
			[]string{"--prefer", "fraud:theta=3,x=0.25,y=0.7", "--require", "fraud:precision>=50%"}},
		{"costs", typeInto + `(document.querySelector("[data-limit='precision>=']"), "") && (document.querySelector("[name=mode][value=cost]").click(), true) && ` + typeInto + `(document.querySelector("#each input"), "30")`,
			[]string{"--cost", "fraud=30", "--cost", "ok=1"}},
		{"a measure", `(document.querySelector("[name=mode][value=measure]").click(), true)`, []string{"--measure", "mcc"}},
		{"a weight", `(document.querySelector("[name=mode][value=weight]").click(), true) && ` + typeInto + `(document.querySelector("#each input"), "2.5")`, []string{"--measure", "mcc", "--weights", "ok=1,fraud=2.5"}},
	} {
		value[bool](p, tc.do)
		p.answered()
		if !strings.Contains(strings.Join(tc.flags, " "), "--require") {
			tc.flags = append(tc.flags, "--require", "none")
		}
		want := tune(t, dir, tc.flags...)
		recall, precision := want.Confusion[0][0]/(want.Confusion[0][0]+want.Confusion[0][1]), want.Confusion[0][0]/(want.Confusion[0][0]+want.Confusion[1][0])
		if want.Expected != nil {
			recall, precision = want.Expected.Classes[0].Recall, want.Expected.Classes[0].Precision
		}
		const rounding = 0.00501
		if got := [2]float64{p.figure("recall"), p.figure("precision")}; math.Abs(got[0]-recall) > rounding || math.Abs(got[1]-precision) > rounding {
			t.Errorf("%s: the page shows %.3f, and tune says %.3f and %.3f", tc.name, got, recall, precision)
		}
		value[bool](p, `(document.getElementById("save").click(), true)`)
		p.until(`document.getElementById("saved").textContent.startsWith("Saved")`)
		saved, line := value[string](p, `document.getElementById("saved").textContent`), value[string](p, `document.getElementById("line").textContent`)
		rfpragma(t, dir, append([]string{"tune", "model.rfp", "data.csv", "--accept-best", "-o", "tuned.rfp"}, tc.flags...)...)
		if !sameFile(t, filepath.Join(dir, "tuned.rfp"), filepath.Join(dir, "model-new.rfp")) || !strings.Contains(saved, "model-new.rfp") {
			t.Errorf("%s: the page saves another model than tune, which it says is %s", tc.name, line)
		}
		p.quiet(tc.name)
	}
}

// What is set is in the address, pins are compared, a column parts the rows, and a row is decided with other cells.
func TestExploreParts(t *testing.T) {
	dir := fraudModel(t)
	page := explore(t, dir, "model.rfp", "data.csv")
	p := open(t)
	p.served = strings.SplitAfterN(page, "/", 4)[2]
	p.visit(page+"?prefer=fraud&require=fraud:alerts<=3/100", 390, "dark")
	value[bool](p, `(document.getElementById("pin").click(), true)`)
	p.answered()
	value[bool](p, typeInto+`(document.querySelector("[data-limit='alerts<=']"), "10")`)
	p.answered()
	lines, difference := value[int](p, `document.querySelectorAll("#pins tbody tr").length`), value[string](p, `document.getElementById("difference").textContent`)
	address, wide := value[string](p, `location.search`), value[int](p, `document.documentElement.scrollWidth`)
	value[bool](p, `(document.querySelectorAll("details.folded").forEach(d => (d.open = true)), true)`)
	p.until(`document.querySelector("#slices tbody tr") && document.querySelector("#row .cells tbody tr")`)
	parts, cells := value[int](p, `document.querySelectorAll("#slices tbody tr").length`), value[int](p, `document.querySelectorAll("#row .cells tbody tr").length`)
	before := value[string](p, `document.getElementById("decision").textContent`)
	value[bool](p, typeInto+`(document.querySelector("#row [aria-label=amount]"), "900") && `+typeInto+`(document.querySelector("#row [aria-label=failed_pins]"), "3")`)
	p.until(`document.getElementById("decision").textContent !== ` + strconv.Quote(before))
	after := value[string](p, `document.getElementById("decision").textContent`)
	if end, votes := value[string](p, `[...document.querySelectorAll("#split td")].pop().textContent`), value[string](p, `[...document.querySelectorAll("#split svg .word")].pop().textContent`); end != votes || !strings.HasSuffix(end, "%") {
		t.Errorf("what makes up the votes ends at %q, and in the table at %q", votes, end)
	}
	if open := value[int](p, `document.documentElement.scrollWidth`); open > 390 {
		t.Errorf("with all open the page is %d pixels wide", open)
	}
	if lines != 2 || !strings.Contains(difference, "fewer alarms") || !strings.Contains(address, "pin=") || !strings.Contains(address, "10%2F1000") {
		t.Errorf("%d lines, %q, at %s", lines, difference, address)
	}
	if parts < 3 || cells != 12 || before == after {
		t.Errorf("%d parts, %d cells, %q and %q", parts, cells, before, after)
	}
	if wide > 390 {
		t.Errorf("the page is %d pixels wide", wide)
	}
	p.do(chromedp.Navigate("about:blank"))
	p.visit(page+address, 390, "dark")
	if again := value[int](p, `document.querySelectorAll("#pins tbody tr").length`); again != lines {
		t.Errorf("the address brings back %d lines of %d", again, lines)
	}
	p.quiet("parts")
}

// Whoever has no mouse changes what is wanted by keys: the focus stays where it is while the controls follow, and what
// comes of it is said.
func TestExploreKeys(t *testing.T) {
	dir := fraudModel(t)
	page := explore(t, dir, "model.rfp", "data.csv")
	p := open(t)
	p.served = strings.SplitAfterN(page, "/", 4)[2]
	p.visit(page, 1280, "light")
	said := func() string { return value[string](p, `document.getElementById("said").textContent`) }
	before := said()
	if !strings.Contains(before, "found") {
		t.Errorf("it says %q", before)
	}
	focused := func() string {
		return value[string](p, `document.activeElement.type + " " + (document.activeElement.value || document.activeElement.getAttribute("aria-label"))`)
	}
	value[bool](p, `(document.querySelector("[name=mode]").focus(), true)`)
	for _, tc := range []struct{ keys, want string }{
		{kb.ArrowDown, "radio cost"}, {kb.ArrowDown, "radio measure"}, {kb.ArrowDown, "radio weight"}, {kb.ArrowUp + kb.ArrowUp + kb.ArrowUp, "radio prefer"},
		{kb.Tab + kb.Tab + kb.Tab + kb.ArrowLeft + kb.ArrowLeft, "range"}, {kb.Tab, "undefined null"}, {kb.Enter, "undefined null"}, {kb.Tab, "number 10"},
	} {
		for _, key := range tc.keys {
			p.do(chromedp.KeyEvent(string(key)))
		}
		p.answered()
		if got := focused(); !strings.HasPrefix(got, tc.want) {
			t.Errorf("after %q the focus is on %q, want %q", tc.keys, got, tc.want)
		}
	}
	if after := said(); after == before {
		t.Errorf("it still says %q", after)
	}
	// each control has a name that is read out
	if nameless := value[int](p, `Array.from(document.querySelectorAll("input, select, button")).filter(e => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim())).length`); nameless > 0 {
		t.Errorf("%d controls have no name", nameless)
	}
	p.quiet("keys")
}

// Other sites, other names of this machine and addresses without the token are refused.
func TestExploreRefuses(t *testing.T) {
	page := explore(t, fraudModel(t), "model.rfp", "data.csv")
	host := strings.SplitAfterN(page, "/", 4)
	for _, tc := range []struct {
		name, address string
		change        func(r *http.Request)
		want          int
	}{
		{"as it is", page, func(*http.Request) {}, http.StatusOK},
		{"its own origin", page, func(r *http.Request) { r.Header.Set("Origin", "http://"+r.Host) }, http.StatusOK},
		{"no token", "http://" + host[2], func(*http.Request) {}, http.StatusForbidden},
		{"another token", "http://" + host[2] + "AAAA/answer", func(*http.Request) {}, http.StatusForbidden},
		{"another origin", page + "answer", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		{"another host", page, func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		{"another site", page + "answer", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
	} {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, tc.address, nil)
		if err != nil {
			t.Fatal(err)
		}
		tc.change(r)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != tc.want {
			t.Errorf("%s: %s, want %d", tc.name, got.Status, tc.want)
		}
	}
}

// sameFile tells whether two files hold the same.
func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	var texts [2]string
	for i, path := range []string{a, b} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts[0] == texts[1]
}
