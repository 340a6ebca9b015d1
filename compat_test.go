package rfpragma

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

var update = flag.Bool("update", false, "write testdata/model-vN of the present format version anew")

// answers are rows and what a model of the time said of them.
type answers struct {
	Rows    [][]*float64 // null is a missing cell
	Answers []Prediction
}

// Models of every format version are kept in testdata, with rows and what was said of them
// when they were written: they load for ever and answer the same, to the last bit. The files
// of a version are written once, by go test -run TestOldModels -update, before its release.
func TestOldModels(t *testing.T) {
	if *update {
		writeModel(t)
	}
	files, err := filepath.Glob("testdata/model-v*.rfp")
	if err != nil || len(files) == 0 {
		t.Fatalf("no models in testdata (%v)", err)
	}
	if want := fmt.Sprintf("testdata/model-v%d.rfp", FileVersion); files[len(files)-1] != want {
		t.Errorf("the newest model is %s, want %s", files[len(files)-1], want)
	}
	for _, file := range files {
		m, err := Load(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
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

func writeModel(t *testing.T) {
	m := small(t)
	fresh := dataset.Fraud(40, 9)
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
	name := fmt.Sprintf("testdata/model-v%d", FileVersion)
	b = bytes.ReplaceAll(b, []byte(`],[`), []byte("],\n["))
	b = bytes.ReplaceAll(b, []byte(`},{`), []byte("},\n{"))
	if err := os.WriteFile(name+".json", append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(name + ".rfp"); err != nil {
		t.Fatal(err)
	}
}
