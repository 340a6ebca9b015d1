package rfpragma

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// mostNames is how many names the public packages may export. Who adds one takes another one back, or says here why
// there are to be more. The last 115 are of guarantees (package risk, and what a model records of them), of rows that are
// left to people, of scores, of parts of the rows, of figures without labels, of explanations, of the server, of the
// page to explore, and of models in other forms.
const mostNames = 790

// Every exported name is a promise. Counted are constants, variables, functions, types and their methods in all
// packages that others can import, and not the fields and the methods of interfaces.
func TestExportedNames(t *testing.T) {
	total := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch name := d.Name(); {
		case path == ".":
		case strings.HasPrefix(name, "."), strings.HasPrefix(name, "_"):
			return fs.SkipDir
		case name == "internal", name == "testdata", path == "cmd", path == "bench", path == "beamforest", path == "e2e",
			path == "docs":
			return fs.SkipDir
		}
		n, err := exportedIn(path)
		if n > 0 {
			t.Logf("%4d names in %s", n, path)
		}
		total += n
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total > mostNames || total < mostNames-20 {
		t.Errorf("the public packages export %d names, and %d are the most; export fewer, or bring the number in this test "+
			"down to what they are", total, mostNames)
	}
}

// exportedIn counts the names that the package in a folder exports.
func exportedIn(folder string) (int, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return 0, err
		}
		for _, d := range file.Decls {
			n += exportedBy(d)
		}
	}
	return n, nil
}

func exportedBy(d ast.Decl) int {
	n := 0
	count := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				n++
			}
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
			count(d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				count(spec.Name)
			case *ast.ValueSpec:
				count(spec.Names...)
			}
		}
	}
	return n
}

// receiver is the name of the type of a method.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}
