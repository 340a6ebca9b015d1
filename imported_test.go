package rfpragma

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/foreign"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// foreignForest reads a forest of the tests of package foreign, with rows that it can be tuned on.
func foreignForest(t *testing.T, model, rows string) (*foreign.Forest, *dataset.Frame) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("foreign", "testdata", "models", model))
	if err != nil {
		t.Fatal(err)
	}
	f, err := foreign.Read(bytes.NewReader(text), model, foreign.Options{Classes: []string{"ill", "unclear", "well"}})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := os.ReadFile(filepath.Join("foreign", "testdata", "models", rows))
	if err != nil {
		t.Fatal(err)
	}
	frame, err := dataset.ReadCSV(bytes.NewReader(cells), rows, dataset.Options{Schema: f.Schema})
	if err != nil {
		t.Fatal(err)
	}
	frame.Classes, frame.Truth = f.Classes, make([]int, frame.Rows())
	shares, row := make([]float64, len(f.Classes)), make([]float64, len(f.Schema))
	for i := range frame.Truth { // what the forest says, with some errors
		frame.Row(row, i)
		f.Scores(shares, row)
		if frame.Truth[i] = slices.Index(shares, slices.Max(shares)); i%4 == 0 {
			frame.Truth[i] = i / 4 % len(f.Classes)
		}
	}
	return f, frame
}

// A model of a forest of another program gives its probabilities, is tuned and calibrated as any model, and is the same
// when it was saved and loaded.
func TestAdopt(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ model, rows string }{
		{"sklearn-forest.json", "coded.csv"}, {"xgboost-ubj.ubj", "native.csv"}, {"lightgbm-zero.txt", "coded.csv"},
		{"ranger-votes-partition.json", "complete.csv"},
	} {
		t.Run(c.model, func(t *testing.T) {
			f, frame := foreignForest(t, c.model, c.rows)
			m, err := Adopt(f.Forest, f.Origin, nil)
			if err != nil {
				t.Fatal(err)
			}
			row, shares := make([]float64, len(f.Schema)), make([]float64, len(f.Classes))
			frame.Row(row, 3)
			f.Scores(shares, row)
			p, err := m.Predict(row)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range p.Probabilities {
				if f.Scored() && math.Abs(v-shares[k]) > 1e-7 { // of float32 they add up to 1 no better
					t.Errorf("probabilities %v, the program says %v", p.Probabilities, shares)
				}
			}
			m, err = m.Retune(ctx, frame, nil, pragma.Spec{"ill": {Theta: 10, X: 0.2, Y: 0.6}}, Config{})
			if err != nil {
				t.Fatal(err)
			}
			if m, err = m.Recalibrate(ctx, frame, nil, "platt"); err != nil {
				t.Fatal(err)
			}
			again := reloaded(t, m)
			for i := range frame.Rows() {
				frame.Row(row, i)
				a, err := m.Predict(row)
				b, err2 := again.Predict(row)
				if err != nil || err2 != nil || a.Class != b.Class || !slices.Equal(a.Probabilities, b.Probabilities) {
					t.Fatalf("row %d: %v and %v after loading; %v, %v", i, a, b, err, err2)
				}
			}
			reasons, err := again.Reasons(row, "ill", 4)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range reasons {
				if r.Votes <= 0 || f.Scored() && r.Votes > 1 {
					t.Errorf("reason %v", r)
				}
			}
			if again.Provenance.Origin != f.Origin || idOf(t, again) != idOf(t, m) {
				t.Errorf("origin %q, want %q; ids %s, %s", again.Provenance.Origin, f.Origin, idOf(t, again), idOf(t, m))
			}
		})
	}
}

func idOf(t *testing.T, m *Model) string {
	t.Helper()
	id, err := m.ID()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// reloaded is the model as its file has it.
func reloaded(t *testing.T, m *Model) *Model {
	t.Helper()
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := ReadModel(&file)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// With the rows of the training a model knows these again, and how common the classes are; there are no votes out of
// bag, with them or without.
func TestAdoptTraining(t *testing.T) {
	f, frame := foreignForest(t, "sklearn-forest.json", "coded.csv")
	m, err := Adopt(f.Forest, f.Origin, frame)
	if err != nil {
		t.Fatal(err)
	}
	ill := 0
	for _, class := range frame.Truth {
		if class == 0 {
			ill++
		}
	}
	m = reloaded(t, m)
	if !m.TrainedOn(frame) || m.Forest.Share[0] != float64(ill)/float64(frame.Rows()) || m.Forest.Schema[0].Baseline == nil {
		t.Errorf("trained on %v, shares %v, %d of %d rows ill", m.TrainedOn(frame), m.Forest.Share, ill, frame.Rows())
	}
	want := "the trees are of another program (scikit-learn"
	if _, err := m.OutOfBag(context.Background(), frame, 1); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) {
		t.Errorf("votes out of bag: %v", err)
	}
	if _, err := m.Importance(context.Background(), frame, 1, 1, nil); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) {
		t.Errorf("importance: %v", err)
	}
	if _, err := Adopt(new(forest.Forest), "", nil); !errors.Is(err, ErrConfig) {
		t.Errorf("no origin: %v", err)
	}
	bare, err := Adopt(f.Forest, f.Origin, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bare.ForPrevalence([]float64{0.1, 0.1, 0.8}); !errors.Is(err, ErrConfig) ||
		!strings.Contains(err.Error(), "is not known of this forest") {
		t.Errorf("prevalence: %v", err)
	}
}
