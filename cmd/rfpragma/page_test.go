package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rfpragma/rfpragma/internal/race"
)

// manyClasses is a table of k classes with long names, some of them in wide characters, of n rows each, and features with long names.
func manyClasses(k, n int) (csv string, classes []string) {
	for c := range k {
		switch c % 3 {
		case 0:
			classes = append(classes, fmt.Sprintf("a class with a name that is much longer than anybody would like it to be, number %d", c))
		case 1:
			classes = append(classes, fmt.Sprintf("分类名称很长很长很长很长很长很长%d号", c))
		default:
			classes = append(classes, fmt.Sprintf("c%d", c))
		}
	}
	var b strings.Builder
	b.WriteString("a feature with a very long name that goes on and on and on for no good reason at all,特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征,class\n")
	for i := range k * n {
		c := i % k
		fmt.Fprintf(&b, "%d,%d,%s\n", c+i*i%7, (c*7+i*i*i%5)%11, quotedCell(classes[c]))
	}
	return b.String(), classes
}

func quotedCell(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// No line of any result is wider than a page, whatever the number of classes and their names, but for a single flag of a command.
func TestPageWidth(t *testing.T) {
	text.OverrideRuneWidthEastAsianWidth(false)
	for _, k := range []int{2, 3, 6, 26, 100} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			if race.Enabled && k == 100 {
				t.Skip("26 classes show as many races in a tenth of the time")
			}
			data, classes := manyClasses(k, 3+60/k)
			inFolder(t, map[string]string{"data.csv": data})
			votes := "class"
			for _, c := range classes {
				votes += "," + quotedCell(c)
			}
			votes += "\n"
			for i := range k * (2 + 20/k) {
				votes += quotedCell(classes[i%k])
				for c := range k {
					votes += fmt.Sprintf(",%d", max(0, 9-(i*i+c*7)%13)+6*max(0, 1-(c-i%k)*(c-i%k)))
				}
				votes += "\n"
			}
			write(t, "votes.csv", votes)
			laterOf(t, "data.csv", "later.csv")
			prefer := fmt.Sprintf("%q;%q:theta=3,x=0.3,y=0.7", classes[0], classes[1])
			for _, args := range [][]string{
				{"cv", "data.csv", "--trees", "4", "--folds", "2", "--prefer", prefer, "--choice", "lowest", "--search", "coordinates", "--calibrate", "temperature", "--require", fmt.Sprintf("%q:recall>=0.01", classes[0]), "--top", classes[0] + "=3"},
				{"train", "data.csv", "--trees", "4", "--prefer", prefer, "--choice", "lowest", "--search", "coordinates", "--calibrate", "temperature", "-o", "model.rfp"},
				{"evaluate", "model.rfp", "later.csv"},
				{"inspect", "model.rfp"},
				{"importance", "model.rfp", "data.csv"},
				{"tune", "votes.csv", "--prefer", prefer, "--choice", "lowest", "--search", "coordinates", "--top", classes[1] + "=20%"},
				{"calibrate", "votes.csv", "--calibrate", "temperature"},
				{"inspect", "data.csv"},
				{"data", "list"},
			} {
				got := invoke(t, nil, args...)
				if got.code != exitDone {
					t.Fatalf("%s: exit %d\n%s", args[0], got.code, got.stderr)
				}
				for line := range strings.Lines(got.stdout) {
					line = strings.TrimRight(line, "\n")
					flag := strings.HasPrefix(line, "  --") && strings.Count(line, " --") == 1 // what is to be typed is not cut
					if w := text.StringWidth(line); w > pageWidth && !flag || strings.HasSuffix(line, " ") {
						t.Errorf("%s has a line of %d columns: %q", args[0], w, line)
					}
				}
			}
		})
	}
}

// A name is cut no more than the table needs.
func TestFit(t *testing.T) {
	const name = "compensated_hypothyroid"
	for figures, want := range map[int]string{2: "compensated…", 3: "compensated…", 8: "compensated…", 13: "compensate…"} {
		columns := [][]string{{name, "negative"}, {strings.Repeat("9", figures), "1"}}
		fit(columns, 1, 28)
		if w := text.StringWidth(columns[0][0]) + figures + 4; columns[0][0] != want || w > 28 {
			t.Errorf("beside %d figures %s is shown as %s, want %s; the table is %d columns wide", figures, name, columns[0][0], want, w)
		}
	}
	columns := [][]string{{name}, {"1"}}
	if fit(columns, 1, 28); columns[0][0] != name {
		t.Errorf("%s is cut to %s, though it fits", name, columns[0][0])
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
		{resampled, 20, "  in 95 of 100\n  resamples"},
		{"分类 分类", 8, "分类\n分类"},
	} {
		columns := [][]string{{"", tc.cell}, {"", "1"}}
		if fit(columns, 1, tc.width+5); columns[0][1] != tc.want {
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
	to := &page{w: &out, markdown: true}
	to.say("one *line* of a_b")
	to.say("first", "# second <b>")
	g := &grid{head: []string{"class", "rows"}}
	g.add("a|b `c`\nd", "1")
	g.add(strings.Repeat("long ", 30)+"end", "2")
	to.table(g)
	to.table(&grid{head: []string{"nothing"}})
	to.say()
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
		g := (&page{w: &b, markdown: markdown}).call(long)
		for _, left := range []int{0, 1} {
			table := &grid{head: []string{"class", "taken for"}, left: left}
			table.add(long[0], long[2])
			table.add(long[1], long[2])
			g.table(table)
		}
		for _, name := range map[bool][]string{false: {"compensated…", "primary…"}, true: {`compensated\_hypothyroid`, `primary\_hypothyroid`}}[markdown] {
			if n := strings.Count(b.String(), name); n != 2 {
				t.Errorf("markdown %v: %q stands %d times, want twice:\n%s", markdown, name, n, b.String())
			}
		}
	}
}

// Where a table is too wide its heads are broken before a name is cut: so the usual figures leave each class the name that it has in all tables.
func TestHeadsBreakFirst(t *testing.T) {
	long := []string{"compensated_hypothyroid", "negative", "primary_hypothyroid"}
	var b strings.Builder
	g := (&page{w: &b}).call(long)
	narrow := &grid{head: []string{"class", "rows"}}
	narrow.add(long[0], "153")
	g.table(narrow)
	wide := &grid{head: []string{"class", "rows", "weight", "recall plain", "recall tuned", "precision plain", "precision tuned"}}
	wide.add(long[0], "123456", "10.4", "98.7 %", "99.3 % (96.4–99.9)", "99.93 %", "99.96 % (99.80–99.99)")
	g.table(wide)
	if n := strings.Count(b.String(), " compensated…  "); n != 2 {
		t.Errorf("a class has %d times the same name, want twice:\n%s", n, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if w := text.StringWidth(line); w > pageWidth {
			t.Errorf("a line of %d columns: %s", w, line)
		}
	}
}

// A class that a cell or a head has in quotes is called as elsewhere.
func TestPageQuoted(t *testing.T) {
	var b strings.Builder
	table := &grid{title: "The latest block", head: []string{"", `all as "primary_hypothyroid"`}}
	table.add(`precision of "primary_hypothyroid"`, "97 %")
	(&page{w: &b}).call([]string{"compensated_hypothyroid", "primary_hypothyroid"}).table(table)
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
	g := (&page{w: &b}).call([]string{long, "negative"})
	table := &grid{head: []string{"feature", "kind"}}
	table.add(long, "numeric")
	g.table(table)
	if !strings.Contains(b.String(), long) {
		t.Errorf("the name of a feature is cut though there is room:\n%s", b.String())
	}
}
