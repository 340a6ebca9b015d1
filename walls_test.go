package rfpragma_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/finding"
)

// judging are the packages that make findings: values, and no prose.
var judging = []string{"finding", "assess", "internal/codes", "tradeoff"}

// A judgement knows no sentence and no flag: a literal of four words or more is a message of an error, or a tag.
func TestNoProseInJudgements(t *testing.T) {
	for _, folder := range judging {
		for path, file := range parsed(t, folder, false) {
			var allowed []ast.Node
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if call, ok := n.Fun.(*ast.SelectorExpr); ok && (call.Sel.Name == "Errorf" || call.Sel.Name == "New") {
						allowed = append(allowed, n)
					}
				case *ast.Field:
					if n.Tag != nil {
						allowed = append(allowed, n.Tag)
					}
				case *ast.BasicLit:
					if n.Kind != token.STRING {
						break
					}
					text, err := strconv.Unquote(n.Value)
					if err != nil {
						t.Fatal(err)
					}
					within := slices.ContainsFunc(allowed, func(a ast.Node) bool { return a.Pos() <= n.Pos() && n.End() <= a.End() })
					if flagText.MatchString(text) || len(strings.Fields(text)) >= 4 && !within {
						t.Errorf("%s has %q; words belong into package say, flags into the command", path, text)
					}
				}
				return true
			})
		}
	}
}

var flagText = regexp.MustCompile(`--[a-z]`)

// Each code is raised in a test of a package that judges, named there by its constant.
func TestCodesRaised(t *testing.T) {
	tests, constants := "", 0
	for _, folder := range append(judging[1:], "internal/view", "internal/verb") {
		for path := range parsed(t, folder, true) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			tests += string(text)
		}
	}
	ast.Inspect(parsed(t, "internal/codes", false)[filepath.FromSlash("internal/codes/code.go")], func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			constants++
			if name := "codes." + spec.Names[0].Name; !regexp.MustCompile(regexp.QuoteMeta(name) + `\b`).MatchString(tests) {
				t.Errorf("no test raises %s", name)
			}
		}
		return true
	})
	if constants != len(finding.Codes()) {
		t.Errorf("there are %d constants of codes, and %d codes have a grade", constants, len(finding.Codes()))
	}
}

// parsed returns the sources of a folder by their paths, tests or others.
func parsed(t *testing.T, folder string, tests bool) map[string]*ast.File {
	t.Helper()
	paths, err := filepath.Glob(folder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") != tests {
			continue
		}
		if files[path], err = parser.ParseFile(token.NewFileSet(), path, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// Messages of packages name no flags of the command: options stand in them in braces, which [option.Text] replaces.
func TestNoFlagsInMessages(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch path {
		case "cmd", "bench", "beamforest", "e2e", "docs", "release", filepath.FromSlash("internal/option"),
			filepath.FromSlash("internal/cli"), filepath.FromSlash("internal/verb"), filepath.FromSlash("internal/catalogue"):
			return fs.SkipDir
		}
		for path, file := range parsed(t, path, false) {
			ast.Inspect(file, func(n ast.Node) bool {
				if field, ok := n.(*ast.Field); ok && field.Tag != nil {
					return false
				}
				// of zstd
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && flagText.MatchString(lit.Value) &&
					!strings.Contains(lit.Value, "without --long") {
					t.Errorf("%s has %s", path, lit.Value)
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// From Go, what is wrong with data is told by the fields of its options.
func TestMessagesNameOptions(t *testing.T) {
	for _, tc := range []struct {
		text string
		o    dataset.Options
		want string
	}{
		{"x,y\n1,a\n2,b\n", dataset.Options{}, "training needs the column of labels; name it with option Target"},
		{"x,y\n1,a\n2,b\n", dataset.Options{Target: "z"}, "name the column of the labels with option Target"},
		{"x,y\n1,a\n2,\n", dataset.Options{Target: "y"}, "leave it out with option DropUnlabelled"},
		{"x,y\n1,a\nu,b\n3,a\n", dataset.Options{Target: "y"}, `option Categorical "x" or option Ignore "x"`},
	} {
		_, err := dataset.ReadCSV(strings.NewReader(tc.text), "t.csv", tc.o)
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "--") {
			t.Errorf("%q: %v, want %q", tc.text, err, tc.want)
		}
	}
}
