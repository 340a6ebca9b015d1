package rfpragma

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// folders calls visit with each folder that has Go files of the module.
func folders(t *testing.T, visit func(folder string, files []string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || path == "bench" || path == "beamforest" ||
			path == "e2e" || path == filepath.FromSlash("internal/report/page")) {
			return fs.SkipDir
		}
		all, err := filepath.Glob(filepath.Join(path, "*.go"))
		files := slices.DeleteFunc(all, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
		if len(files) > 0 {
			visit(filepath.ToSlash(path), files)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a reader takes in at once: no package is large, but those of trees and tables, and no line is long. Data in
// tables of text may be.
func TestSizes(t *testing.T) {
	const mostLines, widest = 6000, 120
	folders(t, func(folder string, files []string) {
		if folder == "internal/catalogue" { // which is a table of data
			return
		}
		lines := 0
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			at, raw := 0, false
			for in := bufio.NewScanner(f); in.Scan(); {
				at++
				line := in.Text()
				data := raw || strings.Contains(line, "`json:") || strings.Count(line, `"`) > 8
				if strings.Count(line, "`")%2 == 1 {
					raw = !raw
				}
				if n := utf8.RuneCountInString(line); n > widest && !data && !raw {
					t.Errorf("%s:%d has %d characters", name, at, n)
				}
			}
			lines += at
		}
		if lines > mostLines && folder != "forest" && folder != "dataset" {
			t.Errorf("%s has %d lines; cut it in two", folder, lines)
		}
	})
}

// cycles has how many files of a package may need each other in a circle, where they are more than twelve: one
// algorithm or one file format, told in many short files.
var cycles = map[string]int{"forest": 43, "dataset": 45, "calib": 20, "anneal": 15, ".": 21}

// A package can be read file by file: few of them need each other in a circle.
func TestCycles(t *testing.T) {
	const usual = 12
	folders(t, func(folder string, files []string) {
		most := max(usual, cycles[folder])
		if got := circle(t, files); len(got) > most {
			t.Errorf("%s has a circle of %d files, and %d are the most: %v", folder, len(got), most, got)
		}
	})
}

// circle returns the most files of a package that need each other in a circle, by the names that they declare.
func circle(t *testing.T, paths []string) []string {
	t.Helper()
	files, declared := map[string]*ast.File{}, map[string][]string{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = file
		for _, d := range file.Decls {
			for _, name := range namesOf(d) {
				declared[name] = append(declared[name], path)
			}
		}
	}
	needs := map[string]map[string]bool{}
	for path, file := range files {
		needs[path] = map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if where := declared[nameOf(id)]; ok && id.Obj == nil && len(where) == 1 && where[0] != path {
				needs[path][where[0]] = true
			}
			return true
		})
	}
	reach := func(from string) map[string]bool {
		seen, todo := map[string]bool{}, []string{from}
		for len(todo) > 0 {
			next := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for to := range needs[next] {
				if !seen[to] {
					seen[to], todo = true, append(todo, to)
				}
			}
		}
		return seen
	}
	reached := map[string]map[string]bool{}
	for _, path := range paths {
		reached[path] = reach(path)
	}
	var largest []string
	for _, a := range paths {
		var all []string
		for _, b := range paths {
			if reached[a][b] && reached[b][a] {
				all = append(all, filepath.Base(b))
			}
		}
		if len(all) > len(largest) {
			largest = all
		}
	}
	return largest
}

// namesOf are what a declaration declares on the level of the package, methods among it.
func namesOf(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
		return names
	}
	return nil
}

// nameOf is the name of an identifier; "" of none.
func nameOf(id *ast.Ident) string {
	if id == nil {
		return ""
	}
	return id.Name
}

// Each file and folder that ARCHITECTURE.md names is there. A name without a folder may be in any.
func TestArchitectureNames(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	if err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		files[filepath.ToSlash(path)], files[d.Name()] = true, true
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile("`([a-z0-9_/]+\\.go|(internal|cmd)/[a-z0-9/]+)`").FindAllSubmatch(page, -1) {
		if name := string(found[1]); !files[name] {
			t.Errorf("ARCHITECTURE.md names %s, which is not there", name)
		}
	}
}
