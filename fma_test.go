package rfpragma_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

// What a result is computed with: it must come out the same on every machine.
var portablePackages = []string{"internal/portable", "calib", "anneal", "vote", "pragma", "dataset", "forest",
	"forest/internal/vector", "eval", "internal/assess", "internal/effective", "internal/paired", "internal/report", "."}

// mayFuse holds lines that a compiler may fuse without changing a bit, by file, each with the
// reason.
var mayFuse = map[string]string{
	"anneal/walk.go: u := float64((float64(2*rng.Float64()) - 1) * " +
		"reach)": "Float64 divides a whole number by 2^53, which is exact",
	"anneal/walk.go: func exponential(rng *rand.Rand) float64 { return -portable.Log(1 - rng.Float64()) " +
		"}": "Float64 divides a whole number by 2^53, which is exact",
}

var (
	fused = regexp.MustCompile(`\((/[^()]*\.go):(\d+)\)\s+FN?M(?:ADD|SUB)[DS]\s`)
	// Functions written in assembly for some processors, and those that call them.
	varying = regexp.MustCompile(`\b(math\.(Exp|Exp2|Expm1|Log|Log2|Log10|Log1p|Pow|Hypot|Cbrt|Sin|Cos|Tan|Sinh|Cosh|Tanh|Asin|Acos|Atan|Atan2|Erf|Gamma|FMA)|\w+\.(ExpFloat64|NormFloat64))\(`)
)

// On arm64 a product that feeds a sum is fused with it, and rounded once instead of twice,
// unless it is converted: float64(a*b) + c. So the compiler itself says where that was
// forgotten, on whatever machine.
func TestNothingIsFused(t *testing.T) {
	race.SkipFigures(t)
	args := []string{"build", "-gcflags=-S"}
	for _, name := range portablePackages {
		args = append(args, "./"+name)
	}
	build := exec.Command("go", args...)
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS=")
	var assembly bytes.Buffer
	build.Stderr = &assembly
	if err := build.Run(); err != nil {
		t.Skipf("go build for arm64 fails, so it cannot be seen what is fused: %v\n%.2000s", err, assembly.Bytes())
	}
	if !bytes.Contains(assembly.Bytes(), []byte("\tFMULD\t")) {
		t.Fatal("the compiler shows no product at all; see what its flag -S writes now")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	found, allowed := map[string]bool{}, map[string]bool{}
	for _, m := range fused.FindAllSubmatch(assembly.Bytes(), -1) {
		file, err := filepath.Rel(here, string(m[1]))
		if err != nil || strings.HasPrefix(file, "..") || found[string(m[0])] {
			continue // of the standard library or another module, or reported already
		}
		found[string(m[0])] = true
		number, _ := strconv.Atoi(string(m[2]))
		text := lineOf(t, file, number)
		if allowed[file+": "+text] = true; mayFuse[file+": "+text] == "" {
			t.Errorf("%s:%d: a product is fused with a sum on arm64: %s\nwrite it as float64(a*b) + c, a quotient by a power "+
				"of 2 too", file, number, text)
		}
	}
	for line := range mayFuse {
		if !allowed[line] {
			t.Errorf("%s: nothing is fused there any more; take the line out of this test", line)
		}
	}
}

// lineOf returns a line of a file without the blanks at its ends.
func lineOf(t *testing.T, file string, number int) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for range number {
		if !lines.Scan() {
			t.Fatalf("%s has no line %d", file, number)
		}
	}
	return strings.TrimSpace(lines.Text())
}

// Exponentials and logarithms come from internal/portable.
func TestNoFunctionVaries(t *testing.T) {
	race.SkipFigures(t)
	files := 0
	for _, name := range portablePackages {
		paths, err := filepath.Glob(filepath.Join(name, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			files++
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				if call := varying.FindString(line); call != "" {
					t.Errorf("%s:%d: %s...) is not the same on all machines; take that of internal/portable", path, i+1, call)
				}
			}
		}
	}
	if files < 2*len(portablePackages) {
		t.Errorf("only %d files looked at", files)
	}
}
