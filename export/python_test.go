package export

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
)

// python returns a Python that has the modules: that of RFPRAGMA_PYTHON, or python3 on the PATH.
func python(t *testing.T, modules string) string {
	t.Helper()
	name := os.Getenv("RFPRAGMA_PYTHON")
	if name == "" {
		name = "python3"
	}
	if out, err := exec.Command(name, "-c", "import "+modules).CombinedOutput(); err != nil {
		t.Skipf("set RFPRAGMA_PYTHON to a Python with %s to run this test; %s: %v: %.200s", modules, name, err, out)
	}
	return name
}

// others are models of all kinds of votes and decisions.
func others(t *testing.T) map[string]*rfpragma.Model {
	t.Helper()
	two, five := frame(t, 1, 600, 2), frame(t, 1, 600, 5)
	review := rfpragma.Config{Forest: small(false), Calibration: "isotonic", Review: rfpragma.Review{Share: 0.2}}
	return map[string]*rfpragma.Model{
		"two classes":  fit(t, two, rfpragma.Config{Forest: small(false), Calibration: "platt"}),
		"soft votes":   fit(t, five, rfpragma.Config{Forest: small(true), Calibration: "matrix"}),
		"review":       fit(t, five, review),
		"pairs, steps": fit(t, five, rfpragma.Config{Forest: small(false), Calibration: "isotonic-step:pairs"}),
		"venn-abers":   fit(t, five, rfpragma.Config{Forest: small(false), Calibration: "venn-abers"}),
	}
}

// checkPrograms has a program in Python decide rows by what is written of each model, and holds that against the model.
func checkPrograms(t *testing.T, write func(io.Writer, *rfpragma.Model) error, ending string,
	program func(file, rows string) *exec.Cmd) {
	t.Helper()
	for name, m := range others(t) {
		folder := t.TempDir()
		var file bytes.Buffer
		if err := write(&file, m); err != nil {
			t.Fatal(err)
		}
		path, rows := filepath.Join(folder, "model."+ending), filepath.Join(folder, "rows.csv")
		text := table(7, 300, len(m.Classes()))
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(rows, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := program(path, rows).Output()
		if err != nil {
			if failed, ok := err.(*exec.ExitError); ok {
				t.Fatalf("%s: %v\n%s", name, err, failed.Stderr)
			}
			t.Fatal(err)
		}
		checkDecided(t, name, m, text, out)
	}
}

func checkDecided(t *testing.T, name string, m *rfpragma.Model, rows string, out []byte) {
	t.Helper()
	want, err := dataset.ReadCSV(strings.NewReader(rows), "t.csv", dataset.Options{Schema: m.Forest.Schema})
	if err != nil {
		t.Fatal(err)
	}
	x, in := make([]float64, len(want.Columns)), json.NewDecoder(bytes.NewReader(out))
	for i := range want.Rows() {
		var got struct {
			Decision      string
			Probabilities []float64
		}
		if err := in.Decode(&got); err != nil {
			t.Fatalf("%s: row %d: %v", name, i, err)
		}
		want.Row(x, i)
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if p.Close {
			p.Class = undecided
		}
		if got.Decision != p.Class {
			t.Fatalf("%s: row %d: decided %s, want %s", name, i, got.Decision, p.Class)
		}
		for c, v := range got.Probabilities {
			if !(math.Abs(v-p.Probabilities[c]) < 1e-12) {
				t.Fatalf("%s: row %d: probabilities %v, want %v", name, i, got.Probabilities, p.Probabilities)
			}
		}
	}
	if err := in.Decode(new(any)); err != io.EOF {
		t.Errorf("%s: more rows than there are (%v)", name, err)
	}
}

func TestOnnxruntimeDecidesAlike(t *testing.T) {
	program := python(t, "onnxruntime, numpy")
	checkPrograms(t, ONNX, "onnx", func(file, rows string) *exec.Cmd {
		return exec.Command(program, "testdata/onnx.py", file, rows)
	})
}

func TestDuckDBDecidesAlike(t *testing.T) {
	program := python(t, "duckdb")
	const name = `the "rows"`
	checkPrograms(t, func(w io.Writer, m *rfpragma.Model) error { return SQL(w, m, name) }, "sql",
		func(file, rows string) *exec.Cmd {
			return exec.Command(program, "testdata/sql.py", file, rows, name, "x,y z")
		})
}

// The scorer of docs/export.md decides alike, and has at most 50 lines.
func TestScorer(t *testing.T) {
	page, err := os.ReadFile("../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(page), "```python\n")
	scorer, _, closed := strings.Cut(after, "```\n")
	if lines := strings.Count(scorer, "\n"); !found || !closed || lines > 50 {
		t.Fatalf("the scorer has %d lines", lines)
	}
	program := python(t, "json")
	path := filepath.Join(t.TempDir(), "score.py")
	if err := os.WriteFile(path, []byte(scorer), 0o600); err != nil {
		t.Fatal(err)
	}
	checkPrograms(t, JSON, "json", func(file, rows string) *exec.Cmd { return exec.Command(program, path, file, rows) })
}
