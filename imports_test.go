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
	"forest/internal/vector": {},
	"internal/atomicfile":    {},
	"internal/codes":         {},
	"internal/direction":     {},
	"internal/english":       {},
	"internal/inspected":     {},
	"internal/licences":      {},
	"internal/memory":        {},
	"internal/note":          {},
	"internal/option":        {},
	"internal/parallel":      {},
	"internal/portable":      {},
	"internal/race":          {},
	"internal/roff":          {},
	"internal/shorten":       {},
	"internal/spelling":      {},
	"internal/sumfile":       {},
	"internal/xlsx":          {},
	"calib":                  {"internal/english", "internal/parallel", "internal/portable"},
	"finding":                {"internal/codes"},
	"internal/csvtext":       {"internal/english", "internal/option", "internal/spelling"},
	"internal/effective":     {"internal/portable"},
	"internal/nearest":       {"internal/english"},
	"internal/rowkind":       {"internal/english", "internal/portable"},
	"internal/shapley":       {"internal/portable"},
	"internal/catalogue":     {"internal/english", "internal/nearest"},
	"internal/dateparts":     {"internal/csvtext"},
	"internal/dressed":       {"internal/csvtext"},
	"internal/monotone":      {"calib"},
	"internal/sketch":        {"calib"},
	"vote": {"internal/csvtext", "internal/english", "internal/nearest", "internal/portable", "internal/rowkind",
		"internal/spelling"},
	"dataset": {"internal/csvtext", "internal/dateparts", "internal/dressed", "internal/english",
		"internal/inspected", "internal/nearest", "internal/option", "internal/parallel", "internal/portable",
		"internal/sketch", "internal/spelling"},
	"internal/paired": {"internal/effective", "internal/portable", "vote"},
	"internal/ranked": {"calib", "internal/effective", "internal/english", "vote"},
	"pragma": {"internal/csvtext", "internal/english", "internal/nearest", "internal/option", "internal/portable",
		"vote"},
	"dataset/parquet":   {"dataset", "internal/csvtext", "internal/english", "internal/option", "internal/parallel"},
	"internal/digest":   {"dataset", "internal/sketch"},
	"internal/download": {"dataset"},
	"internal/offer":    {"calib", "pragma", "vote"},
	"internal/schemas":  {"dataset", "internal/english"},
	"internal/tables": {"dataset", "internal/effective", "internal/english", "internal/nearest", "internal/parallel",
		"internal/portable", "vote"},
	"anneal": {"calib", "dataset", "internal/effective", "internal/english", "internal/nearest", "internal/note",
		"internal/paired", "internal/parallel", "internal/portable", "internal/tables", "pragma", "vote"},
	"eval": {"calib", "dataset", "internal/effective", "internal/english", "internal/paired", "internal/portable",
		"internal/tables", "pragma", "vote"},
	"forest": {"dataset", "forest/internal/vector", "internal/digest", "internal/english", "internal/parallel",
		"internal/portable", "internal/shapley", "internal/tables", "vote"},
	"internal/table":  {"dataset", "dataset/parquet", "internal/csvtext", "internal/english", "internal/parallel"},
	"say":             {"finding", "internal/codes", "internal/english", "internal/nearest", "internal/offer", "pragma", "vote"},
	"foreign":         {"dataset", "forest", "internal/english", "internal/option", "internal/portable"},
	"internal/rarest": {"anneal", "dataset"},
	"risk":            {"anneal", "internal/english", "internal/option", "internal/portable", "internal/tables", "pragma", "vote"},
	"tradeoff":        {"calib", "eval", "internal/effective", "internal/offer", "internal/portable", "pragma", "vote"},
	"": {"anneal", "calib", "dataset", "eval", "forest", "internal/atomicfile", "internal/digest",
		"internal/effective", "internal/english", "internal/monotone", "internal/note", "internal/option",
		"internal/portable", "internal/ranked", "internal/schemas", "internal/sketch", "internal/sumfile",
		"internal/tables", "pragma", "risk", "vote"},
	"assess": {"", "anneal", "calib", "dataset", "eval", "finding", "internal/codes", "internal/effective",
		"internal/offer", "internal/portable", "pragma", "risk", "vote"},
	"explain":            {"", "dataset", "forest", "internal/english", "internal/nearest", "internal/portable"},
	"export":             {"", "calib", "dataset", "forest", "internal/english", "internal/spelling"},
	"internal/layout":    {"", "internal/csvtext", "internal/english", "internal/shorten"},
	"internal/memorised": {"", "dataset", "forest", "vote"},
	"internal/scores": {"", "calib", "dataset", "eval", "internal/csvtext", "internal/direction", "internal/english",
		"internal/nearest", "internal/option", "internal/parallel", "internal/portable", "internal/rowkind", "vote"},
	"internal/scoring": {"", "dataset", "internal/csvtext", "internal/parallel"},
	"internal/shift":   {""},
	"internal/predictions": {"", "calib", "dataset", "eval", "explain", "internal/csvtext", "internal/dateparts",
		"internal/english", "internal/layout", "internal/option", "vote"},
	"internal/report": {"anneal", "assess", "calib", "eval", "finding", "internal/effective", "internal/english",
		"internal/option", "internal/portable", "internal/tables", "pragma", "say", "vote"},
	"serve": {"", "dataset", "internal/parallel", "internal/scoring"},
	"internal/abstain": {"", "dataset", "eval", "internal/english", "internal/option", "internal/portable",
		"internal/predictions", "vote"},
	"internal/plotfile": {"internal/english", "internal/report", "internal/shorten"},
	"internal/serving":  {"", "serve"},
	"internal/shap":     {"", "dataset", "explain", "forest", "internal/portable", "internal/report", "vote"},
	"report":            {"eval", "finding", "internal/report", "pragma", "vote"},
	"internal/pipe": {"", "anneal", "assess", "calib", "dataset", "eval", "explain", "finding", "forest",
		"internal/codes", "internal/csvtext", "internal/english", "internal/nearest", "internal/option",
		"internal/parallel", "internal/portable", "internal/rarest", "internal/rowkind", "internal/scores", "pragma",
		"report", "risk", "say", "vote"},
	"internal/view": {"", "anneal", "assess", "calib", "dataset", "eval", "finding", "forest", "internal/abstain",
		"internal/codes", "internal/csvtext", "internal/effective", "internal/english", "internal/layout",
		"internal/memorised", "internal/nearest", "internal/note", "internal/offer", "internal/portable",
		"internal/predictions", "internal/report", "internal/tables", "pragma", "risk", "say", "tradeoff", "vote"},
	"internal/cli": {"", "anneal", "calib", "dataset", "eval", "explain", "export", "finding", "forest",
		"internal/abstain", "internal/atomicfile", "internal/catalogue", "internal/codes", "internal/csvtext",
		"internal/download", "internal/english", "internal/inspected", "internal/layout", "internal/memory",
		"internal/nearest", "internal/note", "internal/predictions", "internal/rarest", "internal/roff",
		"internal/table", "internal/tables", "internal/view", "internal/xlsx", "pragma", "risk", "tradeoff", "vote"},
	"internal/resultcsv": {"", "eval", "internal/layout", "internal/view"},
	"internal/retune": {"", "anneal", "dataset", "eval", "internal/abstain", "internal/predictions",
		"internal/tables", "internal/view", "pragma", "tradeoff", "vote"},
	"internal/watching": {"", "dataset", "eval", "internal/english", "internal/predictions", "internal/view", "vote"},
	"explore": {"", "anneal", "calib", "dataset", "eval", "explain", "finding", "internal/csvtext",
		"internal/english", "internal/nearest", "internal/portable", "internal/report", "internal/retune",
		"internal/shap", "internal/tables", "internal/view", "pragma", "vote"},
	"internal/cli/hints": {"", "dataset", "eval", "forest", "internal/cli", "internal/csvtext", "internal/english",
		"internal/nearest", "internal/note", "internal/view", "pragma", "vote"},
	"internal/overview": {"dataset", "internal/cli", "internal/english", "internal/layout", "internal/shorten",
		"internal/view"},
	"internal/verb/datasets": {"dataset", "internal/atomicfile", "internal/catalogue", "internal/cli",
		"internal/csvtext", "internal/download", "internal/english", "internal/layout", "internal/table",
		"internal/view"},
	"internal/verb/exchange": {"", "dataset", "export", "foreign", "internal/cli", "internal/csvtext",
		"internal/english", "internal/layout", "internal/view"},
	"internal/verb": {"", "anneal", "assess", "calib", "dataset", "eval", "explore", "finding", "forest",
		"internal/abstain", "internal/atomicfile", "internal/cli", "internal/cli/hints", "internal/codes",
		"internal/csvtext", "internal/dateparts", "internal/english", "internal/inspected", "internal/layout",
		"internal/licences", "internal/memorised", "internal/memory", "internal/nearest", "internal/note",
		"internal/option", "internal/overview", "internal/parallel", "internal/pipe", "internal/plotfile",
		"internal/portable", "internal/predictions", "internal/report", "internal/resultcsv", "internal/retune",
		"internal/scores", "internal/serving", "internal/shap", "internal/shift", "internal/table",
		"internal/tables", "internal/verb/datasets", "internal/verb/exchange", "internal/view", "internal/watching",
		"pragma", "serve", "tradeoff", "vote"},
	"cmd/rfpragma": {"internal/cli", "internal/verb"},
}

// The core stands on little, and what draws pictures is no part of it.
var mayImportForeign = []string{"gonum.org/v1/gonum/", "golang.org/x/sync/errgroup", "golang.org/x/sync/semaphore",
	"golang.org/x/text/unicode/norm",
	"github.com/klauspost/compress/"}

// ofCommand are foreign packages of the command, and who alone may import each.
var ofCommand = map[string][]string{
	"github.com/BurntSushi/toml":    {"internal/cli"},
	"github.com/mattn/go-runewidth": {"internal/layout"},
	"github.com/urfave/cli/v2": {"internal/cli", "internal/cli/hints", "internal/verb", "internal/verb/datasets",
		"internal/verb/exchange"},
	"golang.org/x/term": {"internal/layout", "internal/cli"},
}

// plots are foreign packages of what draws figures.
var plots = []string{"golang.org/x/image/font", "golang.org/x/image/font/gofont/goregular",
	"golang.org/x/image/font/sfnt", "golang.org/x/image/math/fixed"}

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
			if !strings.HasPrefix(name, "bench") {
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
			if name == "internal/plotfile" && slices.Contains(plots, path) || slices.Contains(ofCommand[path], name) {
				continue
			}
			if strings.Contains(first, ".") && !slices.ContainsFunc(mayImportForeign,
				func(p string) bool { return strings.HasPrefix(path, p) }) {
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
