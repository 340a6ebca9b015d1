package foreign

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

// fuzz has a target read any bytes after those of the models of some programs. What is read answers for a
// row.
func fuzz(f *testing.F, programs string, also ...string) {
	for _, path := range models(f) {
		name := filepath.Base(path)
		if program, _, _ := strings.Cut(name, "-"); strings.TrimSuffix(program, filepath.Ext(program)) != programs {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	for _, text := range also {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Read(bytes.NewReader(text), "a", Options{})
		if err != nil {
			if !errors.Is(err, ErrFormat) || len(err.Error()) > 2000 {
				t.Fatalf("an error of %d bytes: %v", len(err.Error()), err)
			}
			return
		}
		row, shares := make([]float64, len(got.Schema)), make([]float64, len(got.Classes))
		for range 2 {
			got.Scores(shares, row)
			votes := make([]uint32, len(shares))
			got.Vote(votes, row)
			if sum := vote.Total(votes); sum > math.MaxUint32 {
				t.Fatalf("%d votes of the shares %v", sum, shares)
			}
			for j := range row {
				row[j] = math.NaN()
			}
		}
	})
}

func FuzzSklearn(f *testing.F) {
	fuzz(f, "sklearn", `{"format":"scikit-learn","classes":["a","b"],"features":["x"],"model":"RandomForestClassifier",
"trees":[[{"left":[1,-1,-1],"right":[2,-1,-1],"feature":[0,-2,-2],"threshold":[1,-2,-2],"missing_left":[0,0,0],
"value":[[0.5,0.5],[1,0],[0,1]]}]]}`)
}

func FuzzRanger(f *testing.F)   { fuzz(f, "ranger") }
func FuzzLightGBM(f *testing.F) { fuzz(f, "lightgbm") }
func FuzzXGBoost(f *testing.F)  { fuzz(f, "xgboost", `{"learner":{}}`, "{i\x07learner{}}", "{L") }
func FuzzONNX(f *testing.F)     { fuzz(f, "onnx") }
