package rfpragma

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// quick is a small forest whose settings are chosen.
func quick(seed uint64) Config {
	return Config{Forest: forest.Config{Trees: 60, Seed: seed}, TuneForest: TuneQuick, Search: anneal.Search{Seed: seed}}
}

// blurred returns rows of two classes that numbers tell apart weakly: any leaf of a single row follows chance.
func blurred(n int, seed uint64, signal float64) *dataset.Frame {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := &dataset.Frame{Classes: []string{"rare", "common"}}
	columns := make([][]float64, 6)
	for range n {
		truth := 1
		if rng.Float64() < 0.2 {
			truth = 0
		}
		f.Truth = append(f.Truth, truth)
		for j := range columns {
			x := rng.NormFloat64()
			if truth == 0 && j < 3 {
				x += signal
			}
			columns[j] = append(columns[j], x)
		}
	}
	for j, v := range columns {
		f.Columns = append(f.Columns, dataset.Column{Field: dataset.Field{Name: string(rune('a' + j))}, Values: v})
	}
	return f
}

func TestTuneForest(t *testing.T) {
	f := blurred(800, 1, 0.7)
	m := mustFit(t, f, nil, quick(3))
	how := m.Provenance.ForestChoice
	if how == nil || how.Kept || how.Settings != 7 || !(how.LogLoss < how.GivenLogLoss) {
		t.Fatalf("chosen: %+v", how)
	}
	if m.Provenance.MinLeaf == 1 && !m.Provenance.RandomCuts {
		t.Errorf("of a weak signal, leaves of %d rows", m.Provenance.MinLeaf)
	}
	if m.Forest.Trees() != 60 {
		t.Errorf("%d trees, want 60", m.Forest.Trees())
	}
	// The forest is the one of these settings, and its record tells how to grow it.
	c := m.Provenance.Growth()
	c.Trees = 60
	same := mustFit(t, f, nil, Config{Forest: c, Search: anneal.Search{Seed: 3}})
	same.Provenance.ForestChoice = how
	if !bytes.Equal(fileOf(t, m), fileOf(t, same)) {
		t.Error("trained with the chosen settings it is another model")
	}
	back, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil || *back.Provenance.ForestChoice != *how {
		t.Errorf("read back: %+v (%v), want %+v", back.Provenance.ForestChoice, err, how)
	}
	one := quick(3)
	one.Forest.Workers, one.Search.Workers = 1, 1
	if !bytes.Equal(fileOf(t, m), fileOf(t, mustFit(t, f, nil, one))) {
		t.Error("with one worker it is another model")
	}
}

// What is given stays as it is.
func TestTuneForestKeepsWhatIsGiven(t *testing.T) {
	f := blurred(300, 2, 0.5)
	c := quick(1)
	c.Forest.MinLeaf, c.Forest.Mtry, c.Forest.Criterion = 7, 2, forest.Hellinger
	for _, s := range c.settings(f) {
		if s.MinLeaf != 7 || s.Mtry != 2 || s.Criterion != forest.Hellinger {
			t.Errorf("tried: %+v", s)
		}
	}
	full := quick(1)
	full.TuneForest = TuneFull
	if few, many := len(quick(1).settings(f)), len(full.settings(f)); few != 7 || many < 15 {
		t.Errorf("quick tries %d settings, full %d", few, many)
	}
}

// Votes of other forests are judged where those out of bag may not be: of groups, and in the order of time.
func TestTuneForestOfOtherVotes(t *testing.T) {
	for name, change := range map[string]func(f *dataset.Frame, c *Config){
		"cv": func(_ *dataset.Frame, c *Config) { c.Votes = vote.CV },
		"groups": func(f *dataset.Frame, _ *Config) {
			for i := range f.Truth {
				f.Group = append(f.Group, i/3)
			}
		},
		"time": func(f *dataset.Frame, _ *Config) {
			f.Time = &dataset.Column{Field: dataset.Field{Name: "t"}}
			for i := range f.Truth {
				f.Time.Values = append(f.Time.Values, float64(i))
			}
		},
	} {
		f, c := blurred(400, 4, 0.7), quick(2)
		c.Forest.Trees = 30
		change(f, &c)
		m := mustFit(t, f, nil, c)
		if how := m.Provenance.ForestChoice; how == nil || how.LogLoss > how.GivenLogLoss {
			t.Errorf("%s: %+v", name, how)
		}
	}
}

// With labels that are pure noise nothing can be promised, however many settings are tried: the choice is made
// within each training part.
func TestTuneForestPromisesNothingOfNoise(t *testing.T) {
	f := blurred(300, 7, 0)
	spec := pragma.Spec{"rare": {Theta: 1, X: 0.8, Y: 0.8}, "common": {Theta: 1, X: 0.8, Y: 0.8}}
	c := quick(1)
	r, err := CrossValidate(context.Background(), f, spec, c, eval.Config{Folds: 5})
	if err != nil {
		t.Fatal(err)
	}
	// the standard error of an AUC of 60 and 240 rows at chance: sqrt((n+m+1)/12nm), Mann and Whitney 1947
	if auc := r.Probabilities["rare"].Calibrated.Figures.AUC; !(auc < 0.5+3*0.042) {
		t.Errorf("AUC %v of noise", auc)
	}
}

// The labels of the test part have no influence on what is chosen.
func TestTuneForestNeverSeesTheTestPart(t *testing.T) {
	f := blurred(300, 8, 0.6)
	foldOf, err := dataset.Folds(f, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	chosen := func(f *dataset.Frame) (out []forest.Config) {
		c := quick(1)
		c.Chosen = func(s forest.Config, _ ForestChoice) { s.Progress = nil; out = append(out, s) }
		if _, err := CrossValidate(context.Background(), f, nil, c, eval.Config{FoldOf: foldOf}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := chosen(f)
	poisoned := *f
	poisoned.Truth = slices.Clone(f.Truth)
	for i, fold := range foldOf {
		if fold == 0 {
			poisoned.Truth[i] = 1 - f.Truth[i]
		}
	}
	after := chosen(&poisoned)
	if len(before) != 3 || before[0].MinLeaf != after[0].MinLeaf || before[0].Mtry != after[0].Mtry ||
		before[0].RandomCuts != after[0].RandomCuts || before[0].Soft != after[0].Soft ||
		before[0].Criterion != after[0].Criterion {
		t.Errorf("other labels of the test part: chosen %+v, before %+v", after[0], before[0])
	}
}

func TestTuneForestRefuses(t *testing.T) {
	f := blurred(100, 1, 1)
	c := quick(1)
	c.TuneForest = "slow"
	if _, err := Fit(context.Background(), f, nil, c); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(),
		"choose off, quick or full") {
		t.Errorf("slow: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Fit(ctx, f, nil, quick(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
