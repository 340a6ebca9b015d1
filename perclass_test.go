package rfpragma

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// rowsByClass counts the rows of each class.
func rowsByClass(f *dataset.Frame) []float64 {
	rows := make([]float64, len(f.Classes))
	for _, c := range f.Truth {
		rows[c]++
	}
	return rows
}

// Votes of bags of so many rows of each class are shifted back to the shares of the classes: the probabilities are
// those of calib.ChangePriors, from the shares in the bags to those of the rows.
func TestClassRowsAreTakenBack(t *testing.T) {
	race.SkipFigures(t)
	for _, frame := range []*dataset.Frame{dataset.Fraud(3000, 1), threeClasses()} {
		rows, k := rowsByClass(frame), len(frame.Classes)
		rare := slices.Index(rows, slices.Min(rows))
		draws, inBag := slices.Repeat([]float64{0.25}, k), slices.Clone(rows)
		for c := range inBag {
			inBag[c] /= 4
		}
		draws[rare], inBag[rare] = 40, 40
		c := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1, Bag: forest.Stratified, ClassRows: draws},
			Calibration: calib.None}
		m := mustFit(t, frame, nil, c)
		_, table, _, err := c.HeldOut(t.Context(), frame)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, n := range inBag {
			sum += n
		}
		for c := range inBag {
			inBag[c] /= sum
		}
		got, want, means := make([]float64, k), make([]float64, k), make([]float64, k)
		for i, votes := range table.Judged() {
			m.Probabilities(got, votes)
			shares(want, votes, 1)
			if k > 2 { // smoothed one against all others, they do not sum to 1
				norm := 0.0
				for _, p := range want {
					norm += p
				}
				for c := range want {
					want[c] /= norm
				}
			}
			if err := calib.ChangePriors(want, want, inBag, m.Forest.Share); err != nil {
				t.Fatal(err)
			}
			for c := range got {
				if math.Abs(got[c]-want[c]) > 1e-9 {
					t.Fatalf("row %d of %d classes: probabilities %v, want %v", i, k, got, want)
				}
				means[c] += got[c] / float64(table.Rows())
			}
		}
		if share := m.Forest.Share[rare]; math.Abs(math.Log(means[rare]/share)) > 0.7 {
			t.Errorf("%d classes: mean probability of the rarest %v, its share %v", k, means[rare], share)
		}
		later, err := m.Votes(t.Context(), frame)
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.Recalibrate(t.Context(), nil, later.Take([]int{0, 1, 2, 3, slices.Index(frame.Truth, 0),
			slices.Index(frame.Truth, 1)}), calib.None)
		if err != nil {
			t.Fatal(err)
		}
		for c, m := range m.Maps.Maps {
			if a, b := m.Prob(0.3), again.Maps.Maps[c].Prob(0.3); math.Abs(a-b) > 1e-12 {
				t.Errorf("map %d gives %v, made with votes of other rows %v", c, a, b)
			}
		}
	}
}

// Bags of the same part of every class hold the classes as the rows do: there is nothing to take back.
func TestEqualClassRows(t *testing.T) {
	frame := dataset.Fraud(400, 1)
	c := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1, Bag: forest.Stratified,
		ClassRows: []float64{0.5, 0.5}}, Calibration: calib.None}
	if m := mustFit(t, frame, nil, c); m.Maps.Maps[0] != (calib.Identity{}) {
		t.Errorf("the map is %v", m.Maps.Maps[0])
	}
}

// Forests of folds draw the same part of each class: a number that is all rows of a class is all of those that a
// fold has.
func TestClassRowsInFolds(t *testing.T) {
	race.SkipFigures(t)
	frame := dataset.Fraud(600, 1)
	rows := rowsByClass(frame)
	fraud := slices.Index(frame.Classes, "fraud")
	draws := slices.Repeat([]float64{rows[fraud]}, 2)
	c := Config{Forest: forest.Config{Trees: 30, Seed: 1, Bag: forest.Stratified, ClassRows: draws}, Votes: vote.CV}
	m := mustFit(t, frame, fraudSpec(), c)
	if m.Provenance.Votes != vote.CV || !slices.Equal(m.Provenance.ClassRows, draws) {
		t.Errorf("fitted on %s votes, with %v rows in the record", m.Provenance.Votes, m.Provenance.ClassRows)
	}
	shares := slices.Clone(draws)
	for i := range shares {
		shares[i] /= rows[i]
	}
	same := c
	same.Forest.ClassRows = shares
	_, a, _, err := c.HeldOut(t.Context(), frame)
	if err != nil {
		t.Fatal(err)
	}
	_, b, _, err := same.HeldOut(t.Context(), frame)
	if err != nil || !slices.Equal(a.Counts, b.Counts) {
		t.Errorf("given as shares the votes of the folds are others, error %v", err)
	}
	report, err := CrossValidate(t.Context(), frame, fraudSpec(), c, eval.Config{Folds: 3})
	if err != nil || report.Rules.Tuned.Classes["fraud"].Rows != rows[fraud] {
		t.Errorf("judged %v rows of fraud of %v, error %v", report.Rules.Tuned.Classes["fraud"].Rows, rows[fraud], err)
	}
}

func TestClassRowsRefused(t *testing.T) {
	frame := dataset.Fraud(400, 1)
	c := Config{Forest: forest.Config{Trees: 5, Bag: forest.Stratified, ClassRows: []float64{300, 300}}}
	c.Forest.Progress = func() { t.Error("a tree was grown") }
	const want = "a bag is to draw 300 rows of class \"fraud\", which has"
	if _, err := Fit(t.Context(), frame, fraudSpec(), c); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Fit: error %v", err)
	}
	if _, err := CrossValidate(t.Context(), frame, fraudSpec(), c, eval.Config{}); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("CrossValidate: error %v", err)
	}
}

// A file keeps how many rows of each class are drawn, and where the weights come from.
func TestFileOfClassRows(t *testing.T) {
	race.SkipFigures(t)
	c := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1, Bag: forest.Stratified,
		ClassRows: []float64{0.5, 0.5, 20}}}
	m := mustFit(t, threeClasses(), pragma.Spec{"3": pragma.Priority()}, c)
	again, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if p := again.Provenance; !slices.Equal(p.Growth().ClassRows, c.Forest.ClassRows) || p.Origins == nil ||
		!slices.Equal(p.Origins, m.Provenance.Origins) {
		t.Errorf("read back: rows %v, origins %v of %v", p.ClassRows, p.Origins, m.Provenance.Origins)
	}
	if plain := fileOf(t, mustFit(t, dataset.Fraud(300, 1), nil, Config{Forest: forest.Config{Trees: 5}})); bytes.Contains(
		plain, []byte("class_rows")) || bytes.Contains(plain, []byte("weight_origins")) {
		t.Error("a model of two classes and usual bags speaks of them")
	}
}
