package layout

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// A name is cut no more than the table needs.
func TestFit(t *testing.T) {
	const name = "compensated_hypothyroid"
	for figures, want := range map[int]string{2: "compensated_\nhypothyroid", 3: "compensated_\nhypothyroid",
		8: "compensated_\nhypothyroid", 13: "compensate…"} {
		columns := [][]string{{name, "negative"}, {strings.Repeat("9", figures), "1"}}
		fit(columns, 1, 28, false)
		if w := widest(columns[0][:1]) + figures + 4; columns[0][0] != want || w > 28 {
			t.Errorf("beside %d figures %s is shown as %s, want %s; the table is %d columns wide", figures, name, columns[0][0],
				want, w)
		}
	}
	columns := [][]string{{name}, {"1"}}
	if fit(columns, 1, 28, false); columns[0][0] != name {
		t.Errorf("%s is cut to %s, though it fits", name, columns[0][0])
	}
}

// Heads are broken before a tail, a tail before a name is cut, and none more than it takes.
func TestFitTail(t *testing.T) {
	for _, tc := range []struct {
		width int
		want  []string
	}{
		{63, []string{"EXPECT ON NEW ROWS", "plain vote", "asked 95 %: short by 4 points"}},
		{58, []string{"EXPECT ON NEW ROWS", "plain\nvote", "asked 95 %: short by 4 points"}},
		{53, []string{"EXPECT ON NEW\nROWS", "plain\nvote", "asked 95 %: short by 4 points"}},
		{40, []string{"EXPECT ON NEW\nROWS", "plain\nvote", "asked 95 %:\n  short by 4\n  points"}},
	} {
		columns := [][]string{{"EXPECT ON NEW ROWS", "recall"}, {"plain vote", "59 %"}, {"", "asked 95 %: short by 4 points"}}
		fit(columns, 1, tc.width, true)
		if got := []string{columns[0][0], columns[1][0], columns[2][1]}; !slices.Equal(got, tc.want) {
			t.Errorf("within %d: %q, want %q", tc.width, got, tc.want)
		}
	}
}

// A cell that is too wide is broken at a blank or behind a colon before it is cut.
func TestHalved(t *testing.T) {
	for _, tc := range []struct {
		cell  string
		width int
		want  string
	}{
		{"primary_hypothyroid:recall>=0.9", 31, "primary_hypothyroid:recall>=0.9"},
		{"primary_hypothyroid:recall>=0.9", 30, "primary_hypothyroid:\nrecall>=0.9"},
		{"primary_hypothyroid:recall>=0.9", 19, "primary…"},
		{"  in 95 of 100 resamples", 20, "  in 95 of 100\n  resamples"},
		{"分类 分类", 8, "分类\n分类"},
	} {
		columns := [][]string{{"", tc.cell}, {"", "1"}}
		if fit(columns, 1, tc.width+5, false); columns[0][1] != tc.want {
			t.Errorf("%q is shown as %q within %d, want %q", tc.cell, columns[0][1], tc.width, tc.want)
		}
	}
}

// Sentences are broken between words, and a number stays with its percent sign.
func TestWrapped(t *testing.T) {
	for _, tc := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two three", 13, "one two three"},
		{"one two three four", 13, "one two three\n  four"},
		{"one two three four five", 9, "one two\n  three\n  four\n  five"},
		{"recall 82 %, precision", 10, "recall\n  82 %,\n  precision"},
		{"/a/very/long/path: 9 rows", 10, "/a/very/long/path:\n  9 rows"},
		{"分类 分类 分类", 9, "分类 分类\n  分类"},
		{"", 9, ""},
	} {
		if got := wrapped(tc.text, tc.width); got != tc.want {
			t.Errorf("wrapped(%q, %d) = %q, want %q", tc.text, tc.width, got, tc.want)
		}
	}
}

// In Markdown a name with its signs is no markup, nothing is cut, and a table is one.
func TestMarkdown(t *testing.T) {
	var out bytes.Buffer
	to := &Page{W: &out, Markdown: true}
	to.Say("one *line* of a_b")
	to.Say("first", "# second <b>")
	g := &Grid{Head: []string{"class", "rows"}}
	g.Add("a|b `c`\nd", "1")
	g.Add(strings.Repeat("long ", 30)+"end", "2")
	to.Table(g)
	to.Table(&Grid{Head: []string{"nothing"}})
	to.Say()
	want := "one \\*line\\* of a\\_b\n\n- first\n- \\# second \\<b\\>\n\n" +
		"| class | rows |\n|:--- | ---:|\n| a\\|b \\`c\\`\\\\nd | 1 |\n| " + strings.Repeat("long ", 30) + "end | 2 |\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// Every table calls a class by the same name, however much room there is.
func TestPageNames(t *testing.T) {
	long := []string{"compensated_hypothyroid", "primary_hypothyroid", "negative"}
	for _, markdown := range []bool{false, true} {
		var b strings.Builder
		g := (&Page{W: &b, Markdown: markdown}).Call(long)
		for _, left := range []int{0, 1} {
			table := &Grid{Head: []string{"class", "taken for"}, Left: left}
			table.Add(long[0], long[2])
			table.Add(long[1], long[2])
			g.Table(table)
		}
		for _, name := range map[bool][]string{false: {"compensated…", "primary…"}, true: {`compensated\_hypothyroid`,
			`primary\_hypothyroid`}}[markdown] {
			if n := strings.Count(b.String(), name); n != 2 {
				t.Errorf("markdown %v: %q stands %d times, want twice:\n%s", markdown, name, n, b.String())
			}
		}
	}
}

// Where a table is too wide its heads are broken before a name is cut: so the usual figures leave each class the
// name that it has in all tables.
func TestHeadsBreakFirst(t *testing.T) {
	long := []string{"compensated_hypothyroid", "negative", "primary_hypothyroid"}
	var b strings.Builder
	g := (&Page{W: &b}).Call(long)
	narrow := &Grid{Head: []string{"class", "rows"}}
	narrow.Add(long[0], "153")
	g.Table(narrow)
	wide := &Grid{Head: []string{"class", "rows", "weight", "recall plain", "recall tuned", "precision plain",
		"precision tuned"}}
	wide.Add(long[0], "123456", "10.4", "98.7 %", "99.3 % (96.4–99.9)", "99.93 %", "99.96 % (99.80–99.99)")
	g.Table(wide)
	if n := strings.Count(b.String(), " compensated…  "); n != 2 {
		t.Errorf("a class has %d times the same name, want twice:\n%s", n, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if w := DisplayWidth(line); w > PageWidth {
			t.Errorf("a line of %d columns: %s", w, line)
		}
	}
}

// On a narrow terminal sentences, tables and commands are no wider than it, on a wide one no wider than a page.
func TestPageOfTerminal(t *testing.T) {
	for columns, most := range map[int]int{0: PageWidth, 80: 80, 200: PageWidth} {
		var b strings.Builder
		g := &Page{W: &b, Columns: columns}
		g.Say(strings.Repeat("words and ", 20))
		wide := &Grid{Head: []string{"EXPECT ON NEW ROWS", "", "95 % interval", ""}, Tail: true}
		wide.Add("alarms that are right (precision)", "31 %", "28–33", "plain vote 84 %, at random 2 %, as asked")
		g.Table(wide)
		g.Command("train" + strings.Repeat(" --flag value", 12))
		widest := 0
		for line := range strings.Lines(b.String()) {
			widest = max(widest, DisplayWidth(strings.TrimSuffix(line, "\n")))
		}
		if widest > most || widest < most-15 {
			t.Errorf("of %d columns the widest line takes %d", columns, widest)
		}
	}
}

// A class that a cell or a head has in quotes is called as elsewhere.
func TestPageQuoted(t *testing.T) {
	var b strings.Builder
	table := &Grid{Title: "The latest block", Head: []string{"", `all as "primary_hypothyroid"`}}
	table.Add(`precision of "primary_hypothyroid"`, "97 %")
	(&Page{W: &b}).Call([]string{"compensated_hypothyroid", "primary_hypothyroid"}).Table(table)
	for _, want := range []string{"The latest block:\n", `all as "primary…"`, `precision of "primary…"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

// A feature is no class, though it may be named as one.
func TestPageFeatures(t *testing.T) {
	const long = "compensated_hypothyroid"
	var b strings.Builder
	g := (&Page{W: &b}).Call([]string{long, "negative"})
	table := &Grid{Head: []string{"feature", "kind"}}
	table.Add(long, "numeric")
	g.Table(table)
	if !strings.Contains(b.String(), long) {
		t.Errorf("the name of a feature is cut though there is room:\n%s", b.String())
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain ⌊√p⌋": "plain ⌊√p⌋", "two\nlines": `two\nlines`, "\x1b[31mred": `\x1b[31mred`,
		"a\tb\x00\u0085": `a\tb\x00\u0085`,
	} {
		if got := Printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
}
