package verb

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// The pages of docs, by their blocks:
//
//	```sh             commands, which are run in order, each page in a folder of its own
//	```text           what the last command before wrote to stdout; a line "..." stands for any lines,
//	                  and the others are held against it but for blanks
//	```csv data.csv   a file of that name, for the commands below; so with json, toml, arff and svm
//	```go ExampleFit  the body of that Example, in the root package or as in dataset.ExampleReader
//	```go main.go     a program, see TestDocsModule
//
// With -update the text and go blocks are written anew; where there is a line "...", lines that differ
// from one that is printed in their numbers alone.

const docsFolder = "../../docs"

// block is a fenced block of a page.
type block struct {
	info       string   // what follows the fence
	lines      []string // what is in it
	start, end int      // the lines of the page from the first of lines to the one after the last
}

// blocks returns the fenced blocks of a page.
func blocks(page []string) []block {
	var all []block
	for i := 0; i < len(page); i++ {
		info, fence := strings.CutPrefix(page[i], "```")
		if !fence {
			continue
		}
		b := block{info: info, start: i + 1}
		for i++; i < len(page) && page[i] != "```"; i++ {
			b.lines = append(b.lines, page[i])
		}
		b.end = i
		all = append(all, b)
	}
	return all
}

// pages returns the names of all pages, from docs.
func pages(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(docsFolder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			names = append(names, path)
		}
		return err
	})
	if err != nil || len(names) < 15 {
		t.Fatalf("%d pages: %v", len(names), err)
	}
	return names
}

// The commands of every page work, and print what it shows.
func TestDocs(t *testing.T) {
	skipFigures(t)
	for _, path := range pages(t) {
		full, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimPrefix(path, docsFolder+"/"), func(t *testing.T) {
			page := strings.Split(read(t, full), "\n")
			examples := exampleBodies(t)
			t.Chdir(t.TempDir())
			got := runPage(t, page, examples)
			if *update && !slices.Equal(got, page) {
				write(t, full, strings.Join(got, "\n"))
			}
		})
	}
}

// runPage runs the blocks of a page and returns it with what they print.
func runPage(t *testing.T, page []string, examples map[string][]string) []string {
	t.Helper()
	var out []string
	printed, copied := "", 0
	for _, b := range blocks(page) {
		kind, name, _ := strings.Cut(b.info, " ")
		want := b.lines
		switch kind {
		case "sh":
			printed = runLines(t, b.lines)
		case "csv", "json", "toml", "arff", "svm":
			if name != "" {
				write(t, name, strings.Join(b.lines, "\n")+"\n")
			}
		case "text":
			want = shown(t, b, printed)
		case "go":
			if name == "main.go" {
				break
			}
			if want = examples[name]; want == nil {
				t.Errorf("there is no Example %q", name)
			} else if !*update && !slices.Equal(want, b.lines) {
				t.Errorf("line %d: %s is another:\n%s", b.start, name, strings.Join(want, "\n"))
			}
		case "r", "python", "yaml", "bash", "sql", "": // of other programs, or no code
		default:
			t.Errorf("line %d: a block of kind %q", b.start, kind)
		}
		out = append(append(out, page[copied:b.start]...), want...)
		copied = b.end
	}
	return append(out, page[copied:]...)
}

// runLines runs the commands of a block and returns what the last one prints.
func runLines(t *testing.T, lines []string) string {
	t.Helper()
	printed := ""
	joined := strings.ReplaceAll(strings.Join(lines, "\n"), "\\\n", " ")
	for line := range strings.Lines(joined) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "go ") {
			continue
		}
		printed = runLine(t, line)
	}
	return printed
}

// runLine runs a command line: programs joined by pipes, of which cat and cmp are the only ones
// beside ours, a file for what is printed, and || echo "... $?" where ours is to fail.
func runLine(t *testing.T, line string) string {
	t.Helper()
	line, echo, fails := strings.Cut(line, " || echo ")
	line, target, redirected := strings.Cut(line, " > ")
	text := ""
	for command := range strings.SplitSeq(line, " | ") {
		args := split(command)
		switch args[0] {
		case "cat":
			text = read(t, args[1])
		case "cmp":
			if read(t, args[1]) != read(t, args[2]) {
				t.Errorf("%s: they differ", line)
			}
		case "rfpragma":
			got := invoke(t, strings.NewReader(text), args[1:]...)
			if text = got.stdout; (got.code != cli.ExitDone) != fails {
				t.Fatalf("%s: exit %d\n%s", line, got.code, got.stderr)
			}
			echo = strings.NewReplacer("$?", strconv.Itoa(got.code), `"`, "").Replace(echo)
		default:
			t.Fatalf("%s: %s is no program of these pages", line, args[0])
		}
	}
	if redirected {
		write(t, strings.TrimSpace(target), text)
		return echo
	}
	return text + echo
}

// shown checks that a block shows what was printed, and returns what it should show.
func shown(t *testing.T, b block, printed string) []string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(printed) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	if !slices.Contains(b.lines, "...") {
		if !*update && !slices.Equal(lines, b.lines) {
			t.Errorf("line %d: what is printed is another (see -update):\n%s", b.start, strings.Join(lines, "\n"))
		}
		return lines
	}
	got := slices.Clone(b.lines)
	rest := lines
	for i, want := range b.lines {
		if want == "..." {
			continue
		}
		same := func(as func(string) string) int {
			return slices.IndexFunc(rest, func(line string) bool { return as(line) == as(want) })
		}
		at := same(plain)
		if at < 0 && *update {
			if at = same(numberless); at >= 0 {
				got[i] = rest[at]
			}
		}
		if at < 0 {
			t.Errorf("line %d: %q is not printed, or not after the lines before it; correct it by hand:\n%s", b.start, want,
				printed)
			continue
		}
		rest = rest[at+1:]
	}
	return got
}

// plain is a line but for how many blanks it has.
func plain(line string) string { return strings.Join(strings.Fields(line), " ") }

var numbers = regexp.MustCompile(`[0-9.]+`)

// numberless is a plain line but for its numbers.
func numberless(line string) string { return numbers.ReplaceAllString(plain(line), "0") }

// exampleBodies returns the bodies of all Examples of the library, by their name, without the
// indent and what they print.
func exampleBodies(t *testing.T) map[string][]string {
	t.Helper()
	bodies := map[string][]string{}
	files, err := filepath.Glob("../../*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	nested, err := filepath.Glob("../../*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(files, nested...) {
		if !strings.Contains(filepath.Base(path), "example") {
			continue
		}
		text := read(t, path)
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		prefix := ""
		if folder := filepath.Base(filepath.Dir(path)); folder != ".." {
			prefix = folder + "."
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
				body := text[positions.Position(f.Body.Lbrace).Offset+1 : positions.Position(f.Body.Rbrace).Offset]
				bodies[prefix+f.Name.Name] = undented(body)
			}
		}
	}
	return bodies
}

// undented returns the lines of a body one tab to the left, without the comment at its end that
// says what it prints.
func undented(body string) []string {
	body, _, _ = strings.Cut(body, "\t// Output:")
	body, _, _ = strings.Cut(body, "\t// Unordered output:")
	lines := strings.Split(strings.Trim(body, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "\t")
	}
	return lines
}

// A program outside of this module is built as the page says. (What go mod tidy adds is added by go build, as tidy
// also looks for tests of other modules, which need not be there.)
func TestDocsModule(t *testing.T) {
	library, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page := blocks(strings.Split(read(t, docsFolder+"/how-to/go-service.md"), "\n"))
	program := slices.IndexFunc(page, func(b block) bool { return b.info == "go main.go" })
	edit := page[program-1].lines[2]
	sum := read(t, library+"/go.sum")
	t.Chdir(t.TempDir())
	write(t, "main.go", strings.Join(page[program].lines, "\n"))
	write(t, "go.sum", sum)
	for _, line := range []string{page[program-1].lines[1], strings.Replace(edit, "../rfpragma", library, 1),
		"go build -mod=mod -o scoring"} {
		args := strings.Fields(line)
		command := exec.Command(args[0], args[1:]...)
		command.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	invoke(t, nil, "generate", "fraud", "--rows", "500", "-o", "data.csv")
	invoke(t, nil, "train", "data.csv", "--prefer", "fraud", "--trees", "20", "-o", "model.rfp")
	head, rest, _ := strings.Cut(read(t, "data.csv"), "\n")
	first, _, _ := strings.Cut(rest, "\n")
	var cells []string
	for j, name := range strings.Split(head, ",") {
		cells = append(cells, name+"="+strings.Split(first, ",")[j])
	}
	if out, err := exec.Command("./scoring", cells...).CombinedOutput(); err != nil || !strings.HasPrefix(string(out),
		"ok [") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := exec.Command("./scoring", cells[1:]...).CombinedOutput(); err == nil || !strings.Contains(string(out),
		"is not given") {
		t.Errorf("%v: %s", err, out)
	}
}

// links are those of Markdown, to files and to headings.
var links = regexp.MustCompile(`\]\(([^)\s]*)\)`)

// Every link within the project leads somewhere.
func TestDocsLinks(t *testing.T) {
	for _, path := range append(pages(t), "../../README.md", "../../ARCHITECTURE.md", "../../CONTRIBUTING.md") {
		for _, found := range links.FindAllStringSubmatch(read(t, path), -1) {
			target, heading, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			to := path
			if target != "" {
				to = filepath.Join(filepath.Dir(path), target)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link %s leads nowhere", path, found[1])
			} else if heading != "" && !slices.Contains(headings(read(t, to)), heading) {
				t.Errorf("%s: %s has no heading #%s", path, to, heading)
			}
		}
	}
}

// headings returns the anchors of the headings of a page, as the usual renderers name them.
func headings(page string) []string {
	var all []string
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		text := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		var b strings.Builder
		for _, r := range text {
			switch {
			case r == ' ':
				b.WriteRune('-')
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
				b.WriteRune(r)
			}
		}
		all = append(all, b.String())
	}
	return all
}

// Every page is in the index.
func TestDocsIndex(t *testing.T) {
	index := read(t, docsFolder+"/README.md")
	for _, path := range pages(t) {
		name := strings.TrimPrefix(path, docsFolder+"/")
		if name != "README.md" && !strings.Contains(index, fmt.Sprintf("](%s)", name)) {
			t.Errorf("docs/README.md does not name %s", name)
		}
	}
}
