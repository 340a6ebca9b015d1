package rfpragma_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The arrows of ARCHITECTURE.md: who may import whom, of ours. Tests may import more.
var mayImport = map[string][]string{
	"internal/english":       {},
	"internal/note":          {},
	"internal/race":          {},
	"internal/portable":      {},
	"internal/shorten":       {},
	"internal/parallel":      {},
	"internal/atomicfile":    {},
	"internal/csvtext":       {"internal/english", "internal/option"},
	"internal/effective":     {"internal/portable"},
	"internal/paired":        {"internal/effective", "internal/portable", "vote"},
	"internal/nearest":       {"internal/english"},
	"internal/rowkind":       {"internal/english", "internal/portable"},
	"dataset":                {"internal/csvtext", "internal/english", "internal/nearest", "internal/parallel", "internal/portable", "internal/inspected", "internal/sketch", "internal/option", "internal/dateparts"},
	"dataset/parquet":        {"dataset", "internal/csvtext", "internal/english", "internal/parallel", "internal/option"},
	"vote":                   {"internal/csvtext", "internal/english", "internal/nearest", "internal/portable", "internal/rowkind"},
	"calib":                  {"internal/english", "internal/parallel", "internal/portable"},
	"pragma":                 {"vote", "internal/csvtext", "internal/english", "internal/nearest", "internal/portable", "internal/option"},
	"anneal":                 {"vote", "pragma", "calib", "dataset", "internal/english", "internal/nearest", "internal/note", "internal/parallel", "internal/portable", "internal/effective", "internal/paired", "internal/tables"},
	"forest":                 {"dataset", "vote", "internal/english", "internal/parallel", "internal/portable", "forest/internal/vector", "internal/digest", "internal/tables"},
	"eval":                   {"dataset", "vote", "pragma", "calib", "internal/english", "internal/portable", "internal/effective", "internal/paired", "internal/tables"},
	"finding":                {"internal/codes"},
	"say":                    {"finding", "pragma", "internal/say"},
	"assess":                 {"eval", "pragma", "vote", "finding", "internal/assess"},
	"tradeoff":               {"eval", "pragma", "calib", "vote", "internal/portable", "internal/offer", "internal/effective"},
	"report":                 {"eval", "pragma", "vote", "internal/report"},
	"internal/plotfile":      {"internal/english", "internal/shorten", "internal/report"},
	"":                       {"dataset", "forest", "vote", "pragma", "anneal", "calib", "eval", "internal/atomicfile", "internal/english", "internal/portable", "internal/effective", "internal/digest", "internal/sketch", "internal/tables"},
	"internal/assess":        {"anneal", "calib", "eval", "finding", "internal/codes", "internal/effective", "internal/portable", "pragma", "vote", "internal/offer"},
	"internal/codes":         {},
	"internal/say":           {"finding", "internal/codes", "internal/english", "internal/nearest", "pragma", "internal/offer"},
	"internal/inspected":     {},
	"internal/offer":         {"calib", "pragma", "vote"},
	"internal/report":        {"anneal", "calib", "eval", "internal/assess", "internal/english", "internal/portable", "internal/say", "pragma", "vote", "internal/tables", "internal/option", "internal/effective"},
	"internal/digest":        {"dataset", "internal/sketch"},
	"internal/sketch":        {},
	"internal/tables":        {"dataset", "internal/effective", "internal/portable", "vote"},
	"internal/option":        {},
	"internal/dateparts":     {"internal/csvtext"},
	"forest/internal/vector": {},
}

// The core stands on little, and what draws pictures is no part of it.
var mayImportForeign = []string{"gonum.org/v1/gonum/", "golang.org/x/sync/errgroup", "github.com/klauspost/compress/"}

// What plots: gonum.org/v1/plot itself is not among it, as it brings all formats and twelve fonts into every program.
var plots = []string{
	"codeberg.org/go-fonts/liberation/liberationsansregular", "golang.org/x/image/font/opentype",
	"gonum.org/v1/plot/font", "gonum.org/v1/plot/text", "gonum.org/v1/plot/vg", "gonum.org/v1/plot/vg/draw", "gonum.org/v1/plot/vg/vgimg", "gonum.org/v1/plot/vg/vgsvg",
}

func TestImports(t *testing.T) {
	const module = "github.com/rfpragma/rfpragma"
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(strings.TrimPrefix(words[0], module), "/")
		allowed, core := mayImport[name]
		if !core {
			if !strings.HasPrefix(name, "cmd/") && !strings.HasPrefix(name, "bench") {
				t.Errorf("package %s has no line in this test; say what it may import, here and in ARCHITECTURE.md", words[0])
			}
			continue
		}
		seen++
		for _, path := range words[1:] {
			if ours, ok := strings.CutPrefix(path, module); ok {
				if !slices.Contains(allowed, strings.TrimPrefix(ours, "/")) {
					t.Errorf("%s imports %s", words[0], path)
				}
				continue
			}
			first, _, _ := strings.Cut(path, "/")
			if name == "internal/plotfile" && slices.Contains(plots, path) {
				continue
			}
			if strings.Contains(first, ".") && !slices.ContainsFunc(mayImportForeign, func(p string) bool { return strings.HasPrefix(path, p) }) {
				t.Errorf("%s imports %s, which the core does not stand on", words[0], path)
			}
		}
	}
	if seen != len(mayImport) {
		t.Errorf("%d packages seen, %d are named in this test", seen, len(mayImport))
	}
}

// Beam, with its 300 modules, is the matter of a module of its own: nobody else has it in the graph of their modules.
func TestNoBeam(t *testing.T) {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "apache/beam") {
			t.Errorf("%s names Beam, which belongs into beamforest/go.mod alone", name)
		}
	}
}
