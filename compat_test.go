package rfpragma

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

var update = flag.Bool("update", false, "write testdata/model-vN of the present format version anew")

// answers are rows and what a model of the time said of them.
type answers struct {
	Rows    [][]*float64 // null is a missing cell
	Answers []Prediction
}

// Models of every format version are kept in testdata, with rows and what was said of them
// when they were written: they load for ever, answer the same to the last bit, and are written again as they are.
// Files are written once, by go test -run TestOldModels -update, before the release of their version: one of a
// program before the first release, and two of that release.
func TestOldModels(t *testing.T) {
	if *update {
		for name, m := range map[string]*Model{"-two": small(t), "-three": ofThree(t)} {
			writeModel(t, name, m)
		}
	}
	files, err := filepath.Glob("testdata/model-v*.rfp")
	if err != nil || len(files) == 0 {
		t.Fatalf("no models in testdata (%v)", err)
	}
	if want := fmt.Sprintf("testdata/model-v%d-two.rfp", FileVersion); !slices.Contains(files, want) {
		t.Errorf("there is no %s", want)
	}
	for _, file := range files {
		m, err := Load(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id, err := m.ID()
		if end := hex.EncodeToString(content[len(content)-32:]); err != nil || id != end || !bytes.Equal(fileOf(t, m),
			content) {
			t.Errorf("%s: written again it is another file, or its ID is %s instead of %s (%v)", file, id, end, err)
		}
		var want answers
		b, err := os.ReadFile(strings.TrimSuffix(file, ".rfp") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		for i, cells := range want.Rows {
			x := make([]float64, len(cells))
			for j, c := range cells {
				x[j] = math.NaN()
				if c != nil {
					x[j] = *c
				}
			}
			got, err := m.Predict(x)
			if err != nil || !reflect.DeepEqual(got, want.Answers[i]) {
				t.Errorf("%s, row %d: %+v (%v), it said %+v", file, i, got, err, want.Answers[i])
			}
		}
	}
}

// ofThree is a model with what small has not: three classes, soft votes, costs, a floor and weights of its own.
func ofThree(t *testing.T) *Model {
	t.Helper()
	frame := dataset.Wave(300, 3, 1)
	floor, err := pragma.ParseFloor("2:recall>=0.8", frame.Classes)
	if err != nil {
		t.Fatal(err)
	}
	costs := pragma.Costs{Matrix: [][]float64{{0, 1, 4}, {2, 0, 1}, {9, 3, 0}}}
	measure, err := costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	m, err := Fit(t.Context(), frame, pragma.Spec{"2": pragma.Priority()}, Config{
		Calibration: calib.Vector, Forest: forest.Config{Trees: 6, Seed: 1, MaxDepth: 4, Soft: true,
			Criterion: forest.Entropy},
		Costs: costs, Measure: measure, MeasureName: "cost", Search: anneal.Search{Floors: []pragma.Floor{floor}},
		AcceptBest: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// writeModel writes m, and what it says of rows, unless that is there already.
func writeModel(t *testing.T, name string, m *Model) {
	name = fmt.Sprintf("testdata/model-v%d%s", FileVersion, name)
	if _, err := os.Stat(name + ".rfp"); err == nil {
		return
	}
	fresh := dataset.Fraud(40, 9)
	if len(m.Classes()) == 3 {
		fresh = dataset.Wave(40, 3, 9)
	}
	var a answers
	for i := range fresh.Rows() {
		x := make([]float64, len(fresh.Columns))
		fresh.Row(x, i)
		cells := make([]*float64, len(x))
		for j := range x {
			if x[j] == x[j] {
				cells[j] = &x[j]
			}
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		a.Rows, a.Answers = append(a.Rows, cells), append(a.Answers, p)
	}
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.ReplaceAll(b, []byte(`],[`), []byte("],\n["))
	b = bytes.ReplaceAll(b, []byte(`},{`), []byte("},\n{"))
	if err := os.WriteFile(name+".json", append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(name + ".rfp"); err != nil {
		t.Fatal(err)
	}
}
