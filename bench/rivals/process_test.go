package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
)

// fake is a rival of two classes that needs no library. Its probability of class 1 is a logistic curve of the first
// cell, ½ where that is missing, and 0.1 where the second, a category, is missing; rows of the outer fold itself
// have half as much.
const fake = `
import json, math, struct, sys
print("a library says hello")
told = {"version": "1.0"}
if len(sys.argv) > 2:
    task = json.load(open(sys.argv[2] + "/task.json"))
    n, p = task["rows"], len(task["levels"])
    cells = struct.unpack("<%dd" % (n * p), open(sys.argv[2] + "/cells", "rb").read())
    with open(sys.argv[2] + "/probabilities", "wb") as out:
        for fold, inner in enumerate(task["inner"]):
            for i in range(n):
                x = cells[i * p]
                q = 0.5 if math.isnan(x) else 1 / (1 + math.exp(-x))
                if task["levels"][-1] and math.isnan(cells[i * p + p - 1]):
                    q = 0.1
                assert (inner[i] < 0) == (task["outer"][i] == fold)
                if inner[i] < 0:
                    q /= 2
                out.write(struct.pack("<2d", 1 - q, q))
    told["seconds"] = [0.5] * len(task["inner"])
print(json.dumps(told))
`

// fakeStudy returns a study whose interpreter runs the fake, or skips the test.
func fakeStudy(t *testing.T, log io.Writer) *study {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	return &study{python: python, script: fake, seed: 1, rows: 200, cores: 1, date: "2026-01-01", trees: 30, log: log}
}

// A rival is told cells, levels and folds as they are, and its probabilities come back by fold and row.
func TestAsk(t *testing.T) {
	s := fakeStudy(t, io.Discard)
	x := []float64{math.NaN(), 0, math.Log(3), -math.Log(3), 0}
	level := []float64{0, 1, 0, 0, math.NaN()}
	p := &problem{frame: &dataset.Frame{
		Classes: []string{"a", "b"}, Truth: []int{0, 1, 0, 1, 0},
		Columns: []dataset.Column{
			{Field: dataset.Field{Name: "x"}, Values: x},
			{Field: dataset.Field{Name: "c", Kind: dataset.Categorical, Levels: []string{"k", "l"}}, Values: level},
		},
	}, outer: []int{0, 1, 2, 3, 4}}
	for fold := range outerFolds {
		p.inner = append(p.inner, []int{0, 0, 0, 0, 0})
		p.inner[fold][fold] = -1
	}
	said, err := s.ask(t.Context(), p, "fake")
	if err != nil {
		t.Fatal(err)
	}
	for fold, all := range said.prob {
		for i, want := range []float64{0.5, 0.5, 0.75, 0.25, 0.1} {
			if fold == i {
				want /= 2
			}
			if math.Abs(all[2*i+1]-want) > 1e-12 || math.Abs(all[2*i]-(1-want)) > 1e-12 {
				t.Errorf("fold %d, row %d: %v, want %v", fold, i, all[2*i:2*i+2], want)
			}
		}
	}
	if len(said.seconds) != outerFolds || said.seconds[4] != 0.5 {
		t.Errorf("seconds %v", said.seconds)
	}
	for script, want := range map[string]string{
		"import sys; sys.exit('no module')":  "no module",
		"print('hello')":                     `the last line is no result: "hello"`,
		`print('{"version": "1"}')`:          "it tells the seconds of 0 folds of 5",
		`print('{"seconds": [1,1,1,1,1]}')`:  "no such file",
		strings.Replace(fake, "q)", "2)", 1): "sum to",
	} {
		s.script = script
		if _, err := s.ask(t.Context(), p, "fake"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestProbabilitiesRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "probabilities")
	for _, tc := range []struct {
		values []float64
		want   string
	}{
		{[]float64{1, 0}, "it leaves 16 bytes of probabilities; 5 folds of 1 × 2 make 80"},
		{[]float64{1, 0, 1, 0, math.NaN(), 0, 1, 0, 1, 0}, "the probability of row 0, class 0, is NaN"},
		{[]float64{1, 0, 1, 0, 0.5, 0.4, 1, 0, 1, 0}, "the probabilities of row 0 sum to 0.9"},
	} {
		b, err := binary.Append(nil, binary.LittleEndian, tc.values)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := probabilities(file, 1, 2); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// A rival that does not start is named with what installs it, and the others go on.
func TestPresent(t *testing.T) {
	var log bytes.Buffer
	s := &study{python: "no-such-python", log: &log}
	there, _, err := s.present(t.Context(), sides)
	if err != nil || len(there) != 2 || there[1].name != usTuned {
		t.Errorf("there are %v, error %v; want ours alone", names(there), err)
	}
	for _, want := range []string{"random-forest is skipped, it does not start; to install it: python3 -m pip install scikit-learn\n", "pip install tabpfn; then let it fetch"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, log.String())
		}
	}
}

// A whole run: our default, and a rival that does about as well, as the first feature of the set is telling.
func TestMeasureAll(t *testing.T) {
	var log bytes.Buffer
	s := fakeStudy(t, &log)
	s.data = t.TempDir()
	honest := strings.Replace(fake, "q /= 2", "pass", 1)
	s.script = honest
	frame := dataset.Wave(300, 2, 1)
	frame.Columns[0] = frame.Columns[8]
	frame.Columns[0].Name = "first"
	if err := os.Mkdir(filepath.Join(s.data, "pima"), 0o755); err != nil {
		t.Fatal(err)
	}
	var csv bytes.Buffer
	if err := dataset.WriteCSV(&csv, frame, "class"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.data, "pima", "pima.csv"), csv.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.data, "results.csv")
	old := result{Set: "pima", Side: us, Goal: "priority", Version: "old"}
	kept := result{Date: "2026-01-01", Set: "glass", Side: us, Goal: "priority"}
	if err := writeResults(file, []result{old, kept}); err != nil {
		t.Fatal(err)
	}
	chosen, err := choose("lightgbm")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.measureAll(t.Context(), []string{"pima"}, chosen, file); err != nil {
		t.Fatal(err)
	}
	lines, err := readResults(file)
	if err != nil || len(lines) != 1+2*len(set.Goals) || lines[0] != kept {
		t.Fatalf("%d lines, error %v: %v", len(lines), err, lines)
	}
	for _, r := range lines[1:] {
		if r.Rows != 200 || r.Seed != 1 || !(r.AUC > 0.6) || r.LogLoss > 0.7 || r.Brier > 0.25 || r.Pragma <= 0 || r.Pragma >= 0.5 {
			t.Errorf("%+v", r)
		}
		if r.Side == us && (r.PragmaGap != 0 || r.LogLossGap != 0 || r.Seconds <= 0) || r.Side != us && (r.Seconds < 5*0.5 || r.Version != "1.0") {
			t.Errorf("%+v", r)
		}
	}
	s.script = strings.Replace(honest, "told[", "sys.exit('out of memory'); told[", 1) // then it is left out of the set
	if err := s.measureAll(t.Context(), []string{"pima"}, chosen, file); err != nil {
		t.Fatal(err)
	}
	if lines, err = readResults(file); err != nil || len(lines) != 1+len(set.Goals) || !strings.Contains(log.String(), "pima: lightgbm is left out: exit status 1: out of memory") {
		t.Errorf("%d lines, error %v, log\n%s", len(lines), err, log.String())
	}
}
