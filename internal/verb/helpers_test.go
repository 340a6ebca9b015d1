package verb

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/race"
)

// outcome is what a run of the command did.
type outcome struct {
	code           int
	stdout, stderr string
}

// invoke runs the command in this process. It fails the test on what must never be seen.
func invoke(t *testing.T, stdin io.Reader, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Run(context.Background(), append([]string{"rfpragma"}, args...), stdin, &stdout, &stderr)
	got := outcome{code, stdout.String(), stderr.String()}
	if code == cli.ExitBug || strings.Contains(got.stderr, "internal fault") || strings.Contains(got.stdout, "NaN") {
		t.Fatalf("rfpragma %q: exit %d\n%s\n%s", args, code, got.stdout, got.stderr)
	}
	return got
}

// skipFigures skips a test that is about figures, not races, and slow under the race detector.
func skipFigures(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("figures are not checked under the race detector")
	}
}

// must runs a command line, split at blanks but for quoted parts, that has to succeed.
func must(t *testing.T, line string, args ...string) outcome {
	t.Helper()
	got := invoke(t, strings.NewReader(""), append(split(line), args...)...)
	if got.code != cli.ExitDone {
		t.Fatalf("rfpragma %s %q: exit %d\n%s", line, args, got.code, got.stderr)
	}
	return got
}

// split splits a line at blanks. Single quotes keep a part together, as in a shell.
func split(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// inFolder changes to a new folder that holds the given files.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// listing returns the names and contents of all files of the current folder.
func listing(t *testing.T) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		all = append(all, fmt.Sprintf("%s %d %q", path, len(b), b[:min(len(b), 2000)]))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A case of the catalogue of bad inputs, by its number: a command line that must be refused.
// The file in.csv holds text; the output file old.rfp exists before.
type refusal struct {
	name string
	text string // of in.csv
	line string // command line, split as by split; "" means trainLine
	code int
	want string // part of stderr
}

const trainLine = "train in.csv --trees 5 -o old.rfp"

// refused runs the case in the current folder, which must stay as it is.
func (c refusal) refused(t *testing.T) {
	t.Helper()
	if c.text != "" {
		write(t, "in.csv", c.text)
	}
	if c.line == "" {
		c.line = trainLine
	}
	before := listing(t)
	got := invoke(t, strings.NewReader(c.text), split(c.line)...)
	if got.code != c.code || !strings.Contains(got.stderr, c.want) {
		t.Errorf("rfpragma %s: exit %d, want %d and %q\n%s", c.line, got.code, c.code, c.want, got.stderr)
	}
	if got.stdout != "" {
		t.Errorf("rfpragma %s: refused, and yet stdout has %.200q", c.line, got.stdout)
	}
	lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "rfpragma: ") {
		t.Errorf("the last line of stderr is %q, want one line that begins with rfpragma:", last)
	}
	if after := listing(t); after != before {
		t.Errorf("rfpragma %s changed files from\n%.1500s\nto\n%.1500s", c.line, before, after)
	}
}

// runRefusals runs the cases, each in the same folder with the given files beside old.rfp.
func runRefusals(t *testing.T, files map[string]string, cases []refusal) {
	t.Helper()
	inFolder(t, files)
	write(t, "old.rfp", "RFPRAGMA, an older model")
	for _, c := range cases {
		t.Run(c.name, c.refused)
	}
}

// small is a table of n rows with a number, a category and two classes, a third of them ill,
// that a few trees can learn.
func small(n int) string {
	var b strings.Builder
	b.WriteString("x,kind,class\n")
	for i := range n {
		class, kind := "well", "p"
		if i%3 == 0 {
			class = "ill"
		}
		if i%3 == 0 != (i%7 == 0) {
			kind = "q"
		}
		fmt.Fprintf(&b, "%d.5,%s,%s\n", i*13%n+(i%3)*n/3, kind, class)
	}
	return b.String()
}

// column returns the cells of column j of a CSV text without quotes, below its first line.
func column(text string, j int) []string {
	var cells []string
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:] {
		cells = append(cells, strings.Split(line, ",")[j])
	}
	return cells
}

// laterOf writes a table without its last row: rows that a model of the whole was not trained on, as it sees them.
func laterOf(t *testing.T, table, to string) {
	t.Helper()
	text := strings.TrimSuffix(read(t, table), "\n")
	write(t, to, text[:strings.LastIndex(text, "\n")+1])
}
