package main

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
	"github.com/rfpragma/rfpragma/internal/verb"
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
	code := verb.Run(context.Background(), append([]string{"rfpragma"}, args...), stdin, &stdout, &stderr)
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
