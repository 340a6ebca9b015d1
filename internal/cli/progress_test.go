package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// clocked returns a progress of so many columns, where it writes, and what sets its clock to a
// second after its start.
func clocked(what string, columns int) (*Progress, *bytes.Buffer, func(second float64)) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	start := now
	g := (&Program{Stderr: &out}).Progress(what)
	g.Last, g.Now = start, func() time.Time { return now }
	g.Width = func() int { return columns }
	return g, &out, func(second float64) { now = start.Add(time.Duration(second * float64(time.Second))) }
}

// On what is no terminal, progress is a line every ten seconds, and none in quick work.
func TestProgressElsewhere(t *testing.T) {
	g, out, at := clocked("trees", 0)
	at(1)
	g.Show(10, 5000)
	at(9.9)
	g.Show(99, 5000)
	if out.Len() > 0 {
		t.Errorf("quick work talks: %q", out.String())
	}
	for second := 10; second <= 30; second += 5 {
		at(float64(second))
		g.Show(second*10, 5000)
	}
	g.Part = "fold 3 of 10"
	at(40)
	g.Show(5000, 5000)
	at(60)
	g.Show(7, 0)
	g.End()
	want := "100 of 5,000 trees, 9 minutes left\n200 of 5,000 trees, 8 minutes left\n" + // 490 s, 480 s
		"300 of 5,000 trees, 8 minutes left\n5,000 of 5,000 trees, fold 3 of 10\n7 trees, fold 3 of 10\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// The last line that stays where it is no terminal never says that there is more to do once all is done, however
// soon; quick work has none.
func TestProgressElsewhereEnds(t *testing.T) {
	g, out, at := clocked("trees", 0)
	for _, done := range []int{9, 10} {
		at(float64(done) / 2)
		g.Show(done, 10)
	}
	if out.Len() > 0 {
		t.Errorf("quick work talks: %q", out.String())
	}
	for _, done := range []int{80, 99, 100, 100} {
		at(10 + float64(done)/50)
		g.Show(done, 100)
	}
	g.End()
	if want := "80 of 100 trees, 2 seconds left\n100 of 100 trees\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// On a terminal it is one line, written over ten times a second at most, never as wide as the
// terminal, and wiped in the end.
func TestProgressOnTerminal(t *testing.T) {
	g, out, at := clocked("trees", 60)
	g.Total, g.Part = 200, "fold 1 of 2"
	for i := range 100 {
		at(float64(i) / 20)
		g.Add()
	}
	g.End()
	lines := strings.Split(out.String(), "\r")
	if len(lines) < 45 || len(lines) > 55 || lines[0] != "" || lines[len(lines)-1] != "\x1b[K" {
		t.Errorf("%d lines in 5 seconds: %q", len(lines), lines)
	}
	for _, line := range lines[1 : len(lines)-1] {
		text, wiped := strings.CutSuffix(line, "\x1b[K")
		if !wiped || utf8.RuneCountInString(text) > 59 || strings.Contains(text, "\n") {
			t.Errorf("not a line to write over: %q", line)
		}
	}
	if want := "████░░░░░░ 81 of 200 trees, fold 1 of 2, 6 seconds left\x1b[K"; lines[40] != want { // 119 × 4 s / 81
		t.Errorf("after 4 seconds %q, want %q", lines[40], want)
	}
	for _, tc := range []struct {
		columns int
		want    string
	}{
		{80, "███████████████░░░░░░░░░░░░░░░ 100 of 200 trees"},
		{30, "█████░░░░░ 100 of 200 trees"},
		{26, "100 of 200 trees"},
		{10, "100 of 20"},
		{0, ""},
	} {
		if got := withBar("100 of 200 trees", 100, 200, max(0, tc.columns-1)); got != tc.want {
			t.Errorf("%d columns: %q, want %q", tc.columns, got, tc.want)
		}
	}
	if got := withBar("5 rows", 5, 0, 79); got != "5 rows" {
		t.Errorf("a bar of an unknown total: %q", got)
	}
}

// Quiet is quiet, and still counts.
func TestProgressQuiet(t *testing.T) {
	for _, columns := range []int{0, 80} {
		g, out, at := clocked("trees", columns)
		g.silent, g.Job, g.Total = true, "Growing", 1000
		at(100)
		g.Add()
		g.End()
		if out.Len() > 0 || g.Count != 1 {
			t.Errorf("quiet, and yet %q; count %d", out.String(), g.Count)
		}
	}
}

// Once there is enough to judge by, and only if it is long, it is said how long it will take.
func TestForetell(t *testing.T) {
	for _, tc := range []struct {
		name    string
		columns int
		seconds float64 // when so many are done
		done    int
		want    string
	}{
		{"too early", 0, 4.9, 10, ""},
		{"too few", 0, 9, 3, ""},
		{"not long", 0, 5, 90, ""},
		{"long", 0, 5, 50, "Growing takes about 100 seconds.\n"},
		{"longer", 0, 5, 20, "Growing takes about 5 minutes.\n"}, // 250 s
		{"on a terminal, before the line", 80, 5, 20, Wiped + "Growing takes about 5 minutes.\n\r"},
		{"all done", 0, 9, 996, "1,000 of 1,000 trees\n"},
	} {
		g, out, at := clocked("trees", tc.columns)
		g.Job, g.Least = "Growing", 4
		at(10) // what is done once takes long
		g.Show(4, 1000)
		out.Reset()
		at(10 + tc.seconds)
		g.Show(4+tc.done, 1000)
		got := out.String()
		if tc.columns > 0 {
			got = got[:min(len(got), len(tc.want))] // the line of progress follows
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		n := strings.Count(out.String(), "about")
		at(11 + tc.seconds)
		g.Show(min(5+tc.done, 1000), 1000)
		if n > 0 && strings.Count(out.String(), "about") != n {
			t.Errorf("%s: said twice: %q", tc.name, out.String())
		}
	}
}

func TestRoughly(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "1 second", 0.4: "1 second", 1: "1 second", 9.2: "10 seconds", 10: "10 seconds", 11: "15 seconds",
		55: "55 seconds", 56: "60 seconds",
		61: "70 seconds", 120: "120 seconds", 121: "3 minutes", 3600: "60 minutes", 5400: "90 minutes", 5401: "2 hours",
		48 * 3600: "48 hours", 200_000: "3 days",
	} {
		if got := roughly(seconds); got != want {
			t.Errorf("%v seconds are roughly %s, want %s", seconds, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999",
		1234567: "1,234,567"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// Of a large file it is shown how much is read, of a small one nothing, and the line is gone before
// anything else is said.
func TestReadingLargeFile(t *testing.T) {
	inFolder(t, map[string]string{"small.csv": small(30), "large.csv": ""})
	if err := os.Truncate("large.csv", 2*largeFile); err != nil {
		t.Fatal(err)
	}
	if sizeOf("small.csv") != 0 || sizeOf("large.csv") != 2*largeFile || sizeOf("absent.csv") != 0 || sizeOf(".") != 0 ||
		sizeOf("-") != 0 {
		t.Error("sizes of files")
	}
	var out bytes.Buffer
	p := &Program{Stderr: &out}
	now := time.Unix(1000, 0)
	r := p.watched(strings.NewReader(strings.Repeat("x", 30)), "a\nb.csv", 2*largeFile)
	p.Line.Now, p.Line.Last, p.Line.Width = func() time.Time { return now }, now, func() int { return 60 }
	now = now.Add(time.Second)
	if _, err := io.ReadFull(r, make([]byte, 20)); err != nil {
		t.Fatal(err)
	}
	p.Warn([]error{errors.New("doubt")})
	if want := strings.Repeat("░", 30) + ` 0 of 200 MB of a\nb.csv`; out.String() != "\r"+want+"\x1b[K"+Wiped+
		"warning: doubt\n" {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	r = p.watched(strings.NewReader(strings.Repeat("x", 30)), "a.csv", 20)
	p.Line.Now, p.Line.Last = func() time.Time { return now }, now.Add(-time.Hour)
	if _, err := io.ReadFull(r, make([]byte, 20)); err != nil || out.Len() > 0 {
		t.Errorf("%q and %v of a file at its end", out.String(), err)
	}
}
