package rfpragma

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A saved model says how its trees were grown, and nothing of what forests usually have not.
func TestRecordOfGrowth(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	for _, c := range []forest.Config{
		{},
		{Criterion: forest.Entropy, Bag: forest.Poisson, Fraction: 0.5},
		{Criterion: forest.Hellinger, MinLeaf: 2, SubsetLevels: 4},
		{Criterion: forest.Pragma, Slopes: []forest.Slope{{Recall: 9, Precision: 1}, {Recall: 0.5, Precision: 0.5}}},
		{RandomCuts: true, NoReplacement: true, Fraction: 1, MinLeaf: 3, Soft: true},
		{NoReplacement: true, MaxLeaves: 8, MaxDepth: 5},
		{Bag: forest.Hash(100), ClassWeight: []float64{2, 1}, Criterion: forest.Gini},
	} {
		c.Trees, c.Seed = 5, 7
		m, err := ReadModel(bytes.NewReader(fileOf(t, mustFit(t, frame, fraudSpec(), Config{Forest: c}))))
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		got, want := m.Provenance.Growth().Resolved(12), c.Resolved(12)
		got.Trees, got.Workers = want.Trees, want.Workers
		if !reflect.DeepEqual(got, want) {
			t.Errorf("grown with %+v\nrecorded %+v", want, got)
		}
		if head := string(headerOf(t, m, nil)); reflect.DeepEqual(c, forest.Config{Trees: 5, Seed: 7}) {
			for _, word := range []string{"criterion", "random", "subset", "leaves", "fraction", "replacement", "soft"} {
				if strings.Contains(head, word) {
					t.Errorf("the record of a usual forest speaks of %q", word)
				}
			}
		}
	}
}

// Trees that split by PRAGMA learn from the spec how much recall and precision of each class count, θ·|α| and θ·|β|:
// by hand, θ 5, x 0.5, y 0.8 give |α| = 0.5/0.7 and |β| = 0.2/0.7. Their record stays when weights are tuned for
// another spec, and what is said outright comes first.
func TestPragmaLearnsFromTheSpec(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	cfg := Config{Forest: forest.Config{Trees: 20, Seed: 1, Criterion: forest.Pragma}}
	m := mustFit(t, frame, pragma.Spec{"fraud": {Theta: 5, X: 0.5, Y: 0.8}}, cfg)
	fraud := slices.Index(frame.Classes, "fraud")
	want := []forest.Slope{{Recall: 0.5, Precision: 0.5}, {Recall: 0.5, Precision: 0.5}}
	want[fraud] = forest.Slope{Recall: 5 * 0.5 / 0.7, Precision: 5 * 0.2 / 0.7}
	for c, p := range m.Provenance.Slopes {
		if math.Abs(p.Recall-want[c].Recall) > 1e-12 || math.Abs(p.Precision-want[c].Precision) > 1e-12 {
			t.Errorf("class %d: %+v, want %+v", c, p, want[c])
		}
	}
	cfg.Forest.Slopes = []forest.Slope{{Recall: 1, Precision: 2}, {Recall: 3, Precision: 4}}
	if m := mustFit(t, frame, fraudSpec(), cfg); !slices.Equal(m.Provenance.Slopes, cfg.Forest.Slopes) {
		t.Errorf("%v were given, %v are recorded", cfg.Forest.Slopes, m.Provenance.Slopes)
	}
	gini := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 20, Seed: 1}})
	if gini.Provenance.Slopes != nil || gini.Forest.Nodes() == m.Forest.Nodes() {
		t.Errorf("%d nodes by Gini, %d by PRAGMA", gini.Forest.Nodes(), m.Forest.Nodes())
	}

	// A measure of its own is no preference to split by; without one PRAGMA takes all classes alike.
	cfg.Forest.Slopes, cfg.Measure = nil, pragma.Accuracy
	if _, err := Fit(t.Context(), frame, nil, cfg); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(),
		"give a spec") {
		t.Errorf("no preference beside a measure: %v", err)
	}
	cfg.Measure = nil
	if _, err := CrossValidate(t.Context(), frame, nil, cfg, eval.Config{Folds: 2}); err != nil {
		t.Errorf("no preference at all: %v", err)
	}
}

func TestFingerprint(t *testing.T) {
	a := dataset.Fraud(200, 1)
	same, other := dataset.Fraud(200, 1), dataset.Fraud(200, 1)
	other.Columns[0].Values[17]++
	if Fingerprint(a) != Fingerprint(same) {
		t.Error("equal frames have different fingerprints")
	}
	if Fingerprint(a) == Fingerprint(other) {
		t.Error("frames that differ in a cell have the same fingerprint")
	}
	weighted := dataset.Fraud(200, 1)
	weighted.Weight = slices.Repeat([]float64{2}, 200)
	if Fingerprint(a) == Fingerprint(weighted) {
		t.Error("frames that differ in weights have the same fingerprint")
	}
	gap, otherGap := dataset.Fraud(200, 1), dataset.Fraud(200, 1)
	gap.Columns[0].Values[3] = math.NaN()
	otherGap.Columns[0].Values[3] = math.Float64frombits(0x7ff8000000000abc)
	if Fingerprint(gap) != Fingerprint(otherGap) {
		t.Error("two patterns of a missing cell have different fingerprints")
	}
}

// The record says what the weights were searched for, whoever named it, and the model can
// measure by it again.
func TestRecordOfMeasure(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	cfg := Config{Forest: forest.Config{Trees: 10, Seed: 1}}
	costs := [][]float64{{0, 20}, {1, 0}}
	cost, err := pragma.Costs{Matrix: costs}.Measure()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		set  func(*Config)
		name string
	}{
		{func(*Config) {}, "pragma"},
		{func(c *Config) { c.Measure = pragma.Balanced }, "custom"},
		{func(c *Config) { c.Measure, c.MeasureName = pragma.Balanced, "balanced" }, "balanced"},
		{func(c *Config) { c.Measure, c.MeasureName, c.Costs = cost, "cost", pragma.Costs{Matrix: costs} }, "cost"},
	} {
		c := cfg
		tc.set(&c)
		m := mustFit(t, frame, fraudSpec(), c)
		back, err := ReadModel(bytes.NewReader(fileOf(t, m)))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if back.Provenance.Measure != tc.name || back.Provenance.Reading.Target != "class" {
			t.Errorf("%s: the record says measure %q, reading %+v", tc.name, back.Provenance.Measure, back.Provenance.Reading)
		}
		measure, err := back.Measure()
		if tc.name == "custom" {
			if !errors.Is(err, ErrConfig) {
				t.Errorf("a measure of one's own: error %v", err)
			}
			continue
		}
		table, err2 := back.Votes(context.Background(), frame)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		want := c.Measure
		if want == nil {
			want, _ = m.Spec.Measure(m.Classes())
		}
		if confusion := table.Confuse(nil); measure.Loss(confusion) != want.Loss(confusion) {
			t.Errorf("%s: the loaded model measures %v, want %v", tc.name, measure.Loss(confusion), want.Loss(confusion))
		}
	}
}

// A measure of one's own may be infinite under the plain vote, and no file holds that.
func TestRecordOfInfiniteLoss(t *testing.T) {
	measure := pragma.Func(func(m *vote.Confusion) float64 {
		if r, _ := m.Recall(0); r < 0.6 {
			return math.Inf(1)
		}
		return pragma.Accuracy.Loss(m)
	})
	m := mustFit(t, dataset.Fraud(1000, 1), nil, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1},
		Measure: measure})
	back, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if r := back.Provenance; *r.Plain != math.MaxFloat64 || *r.Loss > 0.5 {
		t.Errorf("the record says a loss of %v, plain %v", *r.Loss, *r.Plain)
	}
}

func TestTrainedOn(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	m := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 5, Seed: 1}})
	if !m.TrainedOn(dataset.Fraud(300, 1)) || m.TrainedOn(dataset.Fraud(300, 2)) {
		t.Error("the training rows are not told from others")
	}
	weighted := dataset.Fraud(300, 1)
	weighted.Weight = make([]float64, weighted.Rows())
	for i := range weighted.Weight {
		weighted.Weight[i] = float64(1 + i%3)
	}
	heavy := mustFit(t, weighted, fraudSpec(), Config{Forest: forest.Config{Trees: 5, Seed: 1}})
	if !m.TrainedOn(weighted) || !heavy.TrainedOn(frame) || !heavy.TrainedOn(weighted) ||
		heavy.TrainedOn(dataset.Fraud(300, 2)) {
		t.Error("the training rows are not known again with other case weights")
	}
	if _, err := heavy.OutOfBag(t.Context(), frame, 0); !errors.Is(err, forest.ErrTrain) {
		t.Errorf("the bags were drawn with other case weights: %v", err)
	}
	heavy.Provenance.Bare = "" // as in files of before
	if !heavy.TrainedOn(weighted) {
		t.Error("an older model does not know its rows")
	}
}

// A model has one ID before it is saved and after it is loaded, and any other model another one.
func TestID(t *testing.T) {
	id := func(m *Model) string {
		t.Helper()
		id, err := m.ID()
		if err != nil || len(id) != 64 {
			t.Fatalf("%q, error %v", id, err)
		}
		return id
	}
	m := small(t)
	read, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if id(m) != id(small(t)) || id(m) != id(read) {
		t.Errorf("IDs %s, of the same fit %s, loaded %s", id(m), id(small(t)), id(read))
	}
	other, err := read.WithWeights(vote.Weights{3, 1})
	if err != nil || id(other) == id(m) || id(other) == "" {
		t.Errorf("with other weights %s, before %s (%v)", id(other), id(m), err)
	}
	other.Weights = vote.Weights{1}
	if _, err := other.ID(); !errors.Is(err, ErrFormat) {
		t.Errorf("what no file can hold has an ID, error %v", err)
	}
}

// When a model was trained is in it only if that is asked for, and a file keeps it.
func TestTrained(t *testing.T) {
	at := time.Date(2031, 5, 6, 7, 8, 9, 500, time.FixedZone("east", 2*3600))
	c := Config{Forest: forest.Config{Trees: 5, Seed: 1}, Trained: at}
	m := mustFit(t, dataset.Fraud(300, 1), fraudSpec(), c)
	read, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if p := read.Provenance; p.Trained != "2031-05-06T05:08:09Z" || p.Library == "" {
		t.Errorf("trained %q by version %q", p.Trained, p.Library)
	}
	c.Trained = time.Time{}
	plain := mustFit(t, dataset.Fraud(300, 1), fraudSpec(), c)
	if p := plain.Provenance; p.Trained != "" || p.Library != "" || bytes.Contains(fileOf(t, plain),
		[]byte("library_version")) {
		t.Errorf("trained %q by version %q, though nobody asked", p.Trained, p.Library)
	}
	m.Provenance.Trained = "yesterday"
	if _, err := m.WriteTo(new(bytes.Buffer)); !errors.Is(err, ErrFormat) {
		t.Errorf("a time that is none: %v", err)
	}
	c.Trained = time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := Fit(t.Context(), dataset.Fraud(300, 1), fraudSpec(), c); !errors.Is(err, ErrConfig) {
		t.Errorf("the year 12000: %v", err)
	}
}
