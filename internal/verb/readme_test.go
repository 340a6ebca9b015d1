package verb

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// readme returns the text between two marks of the README.
func readme(t *testing.T, from, to string) string {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(b), from)
	text, _, closed := strings.Cut(rest, to)
	if !found || !closed {
		t.Fatalf("the README has no %q followed by %q", from, to)
	}
	return text
}

// The figures that the README shows of the built-in example are those it prints.
func TestReadmeFigures(t *testing.T) {
	skipFigures(t)
	var stdout, stderr strings.Builder
	if code := Run(t.Context(), []string{"rfpragma", "cv"}, strings.NewReader(""), &stdout,
		&stderr); code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	blanks := regexp.MustCompile(` +`)
	plain := func(s string) string { return strings.TrimSpace(blanks.ReplaceAllString(s, " ")) }
	printed := map[string]bool{}
	for line := range strings.Lines(stdout.String()) {
		printed[plain(line)] = true
	}
	shown := 0
	for line := range strings.Lines(readme(t, "it begins with\n\n```\n", "```")) {
		if line = plain(line); line != "..." {
			shown++
			if !printed[line] {
				t.Errorf("the README shows %q, which is not printed:\n%s", line, stdout.String())
			}
		}
	}
	if shown < 5 {
		t.Errorf("the README shows %d lines of the result", shown)
	}
}

// The commands that the README gives for one's own data work, in their order.
func TestReadmeCommands(t *testing.T) {
	commands := readme(t, "## Your own data\n```sh\n", "```")
	t.Chdir(t.TempDir())
	ran := 0
	for line := range strings.Lines(strings.ReplaceAll(commands, "\\\n", "")) {
		line, _, _ = strings.Cut(line, "#")
		args := strings.Fields(strings.ReplaceAll(line, "'", ""))
		if len(args) == 0 {
			continue
		}
		if args[1] == "cv" || args[1] == "train" {
			args = append(args, "--trees", "20")
		}
		var stderr strings.Builder
		if code := Run(t.Context(), args, strings.NewReader(""), new(strings.Builder), &stderr); code != cli.ExitDone {
			t.Fatalf("%s: exit %d: %s", line, code, stderr.String())
		}
		ran++
	}
	if _, err := os.Stat(filepath.Join(".", "decisions.csv")); err != nil || ran < 6 {
		t.Errorf("%d commands ran, decisions: %v", ran, err)
	}
}

// The Go that the README shows is that of the library.
func TestReadmeGo(t *testing.T) {
	body := readme(t, "```go\n", "```")
	source := `package main

import (
	"context"
	"os"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

func main() {
	ctx, file := context.Background(), os.Stdin
` + body + `
	_, _, _, _, _ = report, warnings, p, reasons, err
}
`
	path := filepath.Join(t.TempDir(), "main.go")
	write(t, path, source)
	build := exec.Command("go", "build", "-o", os.DevNull, path)
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
