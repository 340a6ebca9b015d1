package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
)

func page(t *testing.T, r *report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteHTML(&out, []report.Figure{{Name: "votes", SVG: []byte("<svg/>")}}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Where tuning moves no row there is one matrix, else there are two.
func TestMatrices(t *testing.T) {
	r := made(t, input(t, []string{"well", "ill"}, 300))
	if n := strings.Count(page(t, r), `class="confusion"`); n != 2 {
		t.Errorf("there are %d matrices, want 2", n)
	}
	r.Confusion.Plain = r.Confusion.Tuned
	if text := page(t, r); strings.Count(text, `class="confusion"`) != 1 || !strings.Contains(text,
		"Plain vote and tuned, which decide alike") {
		t.Error("where both rules decide alike there are two matrices")
	}
}

// between returns what stands between two marks, the first time.
func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	part, _, closed := strings.Cut(rest, to)
	if !found || !closed {
		t.Fatalf("there is nothing between %q and %q", from, to)
	}
	return part
}

// Only the script and the style of the page itself may run: the policy names them by their sums.
func TestPolicy(t *testing.T) {
	text := page(t, made(t, input(t, []string{"a", "b", "c"}, 200)))
	policy := html.UnescapeString(between(t, text, `http-equiv="Content-Security-Policy" content="`, `"`))
	for _, part := range []string{between(t, text, "<style>", "</style>"), between(t, text, "</script>\n<script>",
		"</script>")} {
		sum := sha256.Sum256([]byte(part))
		if name := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, name) {
			t.Errorf("the policy %q does not name %s", policy, name)
		}
	}
	if from := regexp.MustCompile(`(?:src|href|action)="[^"]*"`).FindAllString(text,
		-1); fmt.Sprint(from) != `[href="#h-summary" href="#words" src="data:image/svg&#43;xml;base64,PHN2Zy8&#43;"]` {
		t.Errorf("the page refers to %s", from)
	}
}

// A name stands for the rows below it that have none; where a row has more figures than fit on a phone each says
// what it is of.
func TestTables(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	r.Tables = []report.Table{
		{Title: "broad", Head: []string{"class", "", "one", "two", "three"}, Rows: [][]string{{"a", "raw", "1", "2", "3"},
			{"", "mapped", "4", "5", "6"}, {"b", "raw", "7", "8", "9"}}},
		{Title: "small", Head: []string{"", "one"}, Rows: [][]string{{"a", "1"}}},
	}
	text := page(t, r)
	for _, want := range []string{
		`<tr><th scope="row" rowspan="2"><bdi>a</bdi></th><td data-head="">raw</td><td data-head="one">1</td>`,
		`<tr><td data-head="">mapped</td><td data-head="one">4</td>`,
		`<tr><th scope="row"><bdi>b</bdi></th><td data-head="">raw</td>`,
		`<thead><tr><td></td><th scope="col"><bdi>one</bdi></th></tr></thead>` + "\n" +
			`<tbody><tr><th scope="row"><bdi>a</bdi></th><td>1</td></tr>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// A loss of the pragma family follows from the preference; any other is another measure.
func TestLossOfPreference(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	for measure, other := range map[string]bool{"pragma": false, "pragma:s=-1": false, "f1": true} {
		r.Measure = measure
		if text := page(t, r); strings.Contains(text, "The weights are chosen by another measure, "+measure+".") != other {
			t.Errorf("%s: the page says that it is another measure: %v", measure, !other)
		}
	}
}

// Words that pages use, and that not everybody knows, are explained at the end.
func TestWords(t *testing.T) {
	words := between(t, page(t, made(t, input(t, []string{"a", "b"}, 100))), `id="words"`, "</section>")
	for _, word := range []string{"alarm", "recall", "precision", "at random, lift", "vote, threshold", "weight",
		"plain vote", "no model", "as good in training", "out-of-bag", "cross-validated", "block", "mtry", "loss", "PRAGMA",
		"reliability", "expected", "net benefit", "95 % interval", "resamples"} {
		if !strings.Contains(words, "<dt>"+word+"</dt>") {
			t.Errorf("%s is not explained", word)
		}
	}
}

// Preferences are shown once each, those that matter most first.
func TestWanted(t *testing.T) {
	in := input(t, []string{"a", "b", "c", "d"}, 200)
	in.Spec = pragma.Spec{"c": {Theta: 5, X: 0.2, Y: 0.8}, "d": pragma.Priority()}
	table := between(t, page(t, made(t, in)), `aria-label="Preferences"`, "</table>")
	if rows := regexp.MustCompile(`<th scope="row">(.*?)</th><td>(.*?)</td>`).FindAllString(table,
		-1); fmt.Sprint(rows) != `[<th scope="row"><bdi>d</bdi></th><td>10</td> <th scope="row"><bdi>c</bdi></th><td>5</td> <th scope="row"><bdi>a</bdi>, <bdi>b</bdi></th><td>1</td>]` {
		t.Errorf("the preferences are %s", rows)
	}
}

// Names of classes are text, whatever they look like.
func TestHostileNames(t *testing.T) {
	hostile := `</script><img src=x onerror=alert(1)>`
	r := made(t, input(t, []string{"a", `"b'&`, hostile}, 200))
	r.Title, r.Summary, r.Warnings = hostile, []string{hostile}, []string{hostile}
	r.Facts = []report.Fact{{Name: hostile, Value: hostile}}
	r.Tables = []report.Table{{Title: hostile, Head: []string{hostile}, Rows: [][]string{{hostile, hostile}}}}
	text := page(t, r)
	if strings.Contains(text, "<img src=x") {
		t.Error("a name has become an element")
	}
	var read report.Report
	if err := json.Unmarshal([]byte(between(t, text, `id="data">`, "</script>")), &read); err != nil {
		t.Fatal(err)
	}
	if read.Title != hostile || read.Classes[2].Name != hostile {
		t.Errorf("the data have the title %q and the class %q", read.Title, read.Classes[2].Name)
	}
}

// The same report is the same bytes, and those of 26 classes and 20,000 rows are less than a megabyte.
func TestPageIsSmallAndTheSame(t *testing.T) {
	classes := make([]string, 26)
	for c := range classes {
		classes[c] = string(rune('A' + c))
	}
	rows := 20_000
	if testing.Short() {
		rows = 2000
	}
	r := made(t, input(t, classes, rows))
	text := page(t, r)
	if text != page(t, r) {
		t.Error("the same report gives other bytes")
	}
	if len(text) > 1_000_000 {
		t.Errorf("the page has %d bytes", len(text))
	}
}

// The licence of what is bundled stands at the top of the bundle.
func TestLicence(t *testing.T) {
	licence, err := os.ReadFile("THIRD_PARTY.txt")
	if err != nil {
		t.Fatal(err)
	}
	if text := page(t, made(t, input(t, []string{"a", "b"}, 100))); !strings.Contains(text,
		string(bytes.TrimSpace(licence))) {
		t.Error("the page does not have THIRD_PARTY.txt in it; run page/build")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteHTMLFails(t *testing.T) {
	if err := made(t, input(t, []string{"a", "b"}, 100)).WriteHTML(broken{}, nil); err == nil ||
		err.Error() != "disk full" {
		t.Errorf("a writer that fails: %v", err)
	}
}

// Three warnings are seen at once, the first of them first; the others are unfolded.
func TestMostCautions(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	r.Warnings = []string{"one", "two", "three", "four", "five"}
	box := between(t, page(t, r), `class="warnings"`, "</section>")
	if want := "<li>One.</li><li>Two.</li><li>Three.</li></ul>\n<details><summary>2 more</summary><ul><li>Four.</li><li>Five.</li></ul></details>"; !strings.Contains(box, want) {
		t.Errorf("the cautions are %s", box)
	}
	r.Warnings = r.Warnings[:3]
	if box = between(t, page(t, r), `class="warnings"`, "</section>"); strings.Contains(box, "<details>") {
		t.Errorf("the cautions are %s", box)
	}
}

// Warnings are sentences on the page, and names in them stay as they are.
func TestWarningsAreSentences(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	r.Warnings = []string{"rows differ", `column "x": 1 cell`, "It ends.", "later.csv: odd", `"b" is rare`,
		"another unit?", ""}
	list := strings.Join(regexp.MustCompile("<li>.*?</li>").FindAllString(page(t, r), -1), "")
	if want := `<li>Rows differ.</li><li>Column &#34;x&#34;: 1 cell.</li><li>It ends.</li><li>later.csv: odd.</li><li>&#34;b&#34; is rare.</li><li>Another unit?</li><li>.</li>`; list != want {
		t.Errorf("the warnings are %s", list)
	}
}

// What a manager reads stands above, the rest of the words below the charts; α and β are in the record.
func TestOrderOfWords(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	r.Asked, r.Summary, r.Details = []string{"You asked: this."}, []string{"first of all"}, []string{"last of all"}
	r.Warnings, r.Next = []string{"take care"}, "rfpragma train a.csv"
	text, at := page(t, r), -1
	for _, mark := range []string{"You asked: this.", `<dl class="key">`, "first of all", "Take care.",
		"<code>rfpragma train a.csv</code>", "In pictures", `id="chart-sweep"`, "All figures", "Last of all.", "How it was made", "α = -0.90, β = -0.10 for <bdi>b</bdi>; α = -0.50, β = -0.50 for <bdi>a</bdi>"} {
		next := strings.Index(text, mark)
		if next <= at {
			t.Errorf("%q stands at %d of the page, what comes before it at %d", mark, next, at)
		}
		at = next
	}
}

// Neither a percent sign nor the end of a range stands on a line of its own.
func TestWhole(t *testing.T) {
	r := made(t, input(t, []string{"well", "ill"}, 400))
	r.Summary = []string{"Recall was 94 % (90–97) – more than before."}
	var page bytes.Buffer
	if err := r.WriteHTML(&page, nil); err != nil {
		t.Fatal(err)
	}
	if want := "Recall was 94\u00a0% (90\u2060–\u206097) – more than before."; !strings.Contains(page.String(), want) {
		t.Errorf("the page has no %q", want)
	}
}

// No line breaks within a flag, or what is required of a class; what stands around it stays escaped.
func TestFlagsWhole(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	r.Summary = []string{`Train with --merge-labels x=y (--choice lowest), not <b>--bold</b> or well-known.`,
		"You require <i>:recall>=0.98: kept; pragma:s=-1.", "Add --require 'b:alerts<=146/10000'."}
	if want, got := `You require &lt;i&gt;:<wbr><span class="flag">recall&gt;=0.98:</span> kept; pragma:<wbr><span class="flag">s=-1.</span>`, page(t, r); !strings.Contains(got, want) {
		t.Errorf("no %s in the page", want)
	}
	if want, got := `<span class="flag">--require</span> &#39;b:<wbr><span class="flag">alerts&lt;=146/10000</span>&#39;.`,
		page(t, r); !strings.Contains(got, want) {
		t.Errorf("no %s in the page", want)
	}
	want := `Train with <span class="flag">--merge-labels</span> x=y (<span class="flag">--choice</span> lowest), not &lt;b&gt;--bold&lt;/b&gt; or well-known.`
	if got := page(t, r); !strings.Contains(got, want) || !strings.Contains(got, ".flag { white-space: nowrap; }") {
		t.Errorf("no %s in the page", want)
	}
}

// A name breaks after a sign, a number does not.
func TestPieces(t *testing.T) {
	r := made(t, input(t, []string{"a", "b"}, 100))
	for name, want := range map[string]string{
		"primary_ill": "primary_<wbr>ill", "a.csv": "a.<wbr>csv", "x--y/": "x--<wbr>y/", "__init": "__<wbr>init",
		"pragma:s=-1": "pragma:s=-1", "alerts=0.1": "alerts=0.1", "data/v1.5_b": "data/<wbr>v1.5_<wbr>b",
	} {
		r.Title = name
		if got := between(t, page(t, r), "<h1><bdi>", "</bdi></h1>"); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
