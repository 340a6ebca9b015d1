package rfpragma

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of the votes of two rows, of weights 1 and 3, 4 of 5 and 1 of 5 are right, (1·4 + 3·1)/(1·5 + 3·5); a row
// of unknown class does not count.
func TestAccuracyOfVotes(t *testing.T) {
	table := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 1, -1}, Counts: []uint32{4, 1, 4, 1, 5, 0},
		Weight: []float64{1, 3, 2}}
	if got := accuracy(table); math.Abs(got-7.0/20) > 1e-15 {
		t.Errorf("%v of the votes are right, want 7/20", got)
	}
}

func mustImportance(t *testing.T, m *Model, frame *dataset.Frame) map[string]FeatureImportance {
	t.Helper()
	out, err := m.Importance(context.Background(), frame, 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]FeatureImportance{}
	for _, f := range out.Features {
		named[f.Name] = f
	}
	return named
}

// The fall of accuracy is that of R's randomForest (importance type 1, unscaled), the impurity
// its type 2: the mean of ten forests of 1000 trees, see testdata/importance/reference.R.
func TestImportanceOfR(t *testing.T) {
	race.SkipFigures(t)
	file, err := os.Open("testdata/importance/data.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	frame, err := dataset.ReadCSV(file, "data.csv", dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.Open("testdata/importance/reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	reference, err := csv.NewReader(text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := mustImportance(t, mustFit(t, frame, nil, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 1000,
		Seed: 1}}), frame)
	for _, row := range reference[1:] {
		var want [3]float64 // fall of accuracy, its deviation over the forests, impurity
		for i := range want {
			if want[i], err = strconv.ParseFloat(row[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		f := got[row[0]]
		if math.Abs(f.Accuracy-want[0]) > 3*math.Hypot(f.AccuracyError, want[1]) {
			t.Errorf("%s: accuracy falls by %.5f ± %.5f, in R by %.5f ± %.5f", f.Name, f.Accuracy, f.AccuracyError, want[0],
				want[1])
		}
		if math.Abs(f.Impurity-want[2]) > 0.01 {
			t.Errorf("%s: impurity %.4f, in R %.4f", f.Name, f.Impurity, want[2])
		}
	}
}

// made is two classes that hang on the first column, and less on the second; a third is noise.
// With twin there is a fourth column that is the first again.
func made(n int, twin bool) *dataset.Frame {
	rng := rand.New(rand.NewPCG(5, 5))
	columns := make([][]float64, 4)
	truth := make([]int, n)
	for i := range n {
		for j := range 3 {
			columns[j] = append(columns[j], rng.NormFloat64())
		}
		columns[3] = append(columns[3], columns[0][i])
		if columns[0][i]+0.3*columns[1][i]+0.5*rng.NormFloat64() > 0.8 {
			truth[i] = 1
		}
	}
	f := &dataset.Frame{Classes: []string{"no", "yes"}, Truth: truth}
	for j, name := range []string{"strong", "weak", "noise", "twin"} {
		if name != "twin" || twin {
			f.Columns = append(f.Columns, dataset.Column{Field: dataset.Field{Name: name, Kind: dataset.Numeric},
				Values: columns[j]})
		}
	}
	return f
}

// Under weights that keep a floor at a loss, a feature that breaks it when it is permuted seemed to harm. So the
// losses are those of the model without a floor.
func TestImportanceKeepsNoFloor(t *testing.T) {
	race.SkipFigures(t)
	frame, spec := made(800, false), pragma.Spec{"yes": pragma.Priority()}
	measure, err := spec.Shaped(frame.Classes, -1) // that of the floor
	if err != nil {
		t.Fatal(err)
	}
	c := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 300, Seed: 1}, Search: anneal.Search{Seed: 1},
		Measure: measure, MeasureName: "pragma:s=-1"}
	free, err := mustFit(t, frame, spec, c).Importance(context.Background(), frame, 1, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Measure, c.Search.Floors = nil, []pragma.Floor{{Class: 1, What: pragma.PrecisionFloor, Limit: 0.9}}
	m := mustFit(t, frame, spec, c)
	held, err := m.Importance(context.Background(), frame, 1, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(held, free) || *m.Provenance.Loss < free.Loss+0.01 {
		t.Errorf("importance under a floor, with a loss of %v of the weights:\n%+v\nwithout:\n%+v", *m.Provenance.Loss, held,
			free)
	}
}

// Noise has importance about 0, and two copies of a feature share what one would have.
func TestImportanceOfNoiseAndTwins(t *testing.T) {
	race.SkipFigures(t)
	spec := pragma.Spec{"yes": pragma.Priority()}
	for _, soft := range []bool{false, true} {
		c := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 300, Seed: 1, Soft: soft, MinLeaf: 3}}
		alone := mustImportance(t, mustFit(t, made(800, false), spec, c), made(800, false))
		both := mustImportance(t, mustFit(t, made(800, true), spec, c), made(800, true))
		strong, weak, noise := alone["strong"], alone["weak"], alone["noise"]
		if !(strong.Accuracy > 0.1 && strong.Loss > 0.1 && strong.Impurity > 0.5) {
			t.Errorf("soft %v: a strong feature has %+v", soft, strong)
		}
		if !(weak.Accuracy > 0.002 && weak.Accuracy < strong.Accuracy/3 && weak.Loss < strong.Loss/3) {
			t.Errorf("soft %v: a weak feature has %+v, a strong one %+v", soft, weak, strong)
		}
		if math.Abs(noise.Accuracy) > 0.01 || math.Abs(noise.Loss) > 0.03 || !(noise.AccuracyError > 0 &&
			noise.AccuracyError < 0.002) {
			t.Errorf("soft %v: noise has %+v", soft, noise)
		}
		a, b := both["strong"], both["twin"]
		if !(a.Accuracy < 0.8*strong.Accuracy && b.Accuracy < 0.8*strong.Accuracy &&
			math.Abs(a.Accuracy-b.Accuracy) < 0.3*a.Accuracy && a.Loss < 0.2*strong.Loss) {
			t.Errorf("soft %v: twins have %+v and %+v, one alone %+v", soft, a, b, strong)
		}
	}
}

// The result depends neither on the workers nor on the way of the model through a file, and
// all the settings of the forest are in the model.
func TestImportanceOfSavedModels(t *testing.T) {
	frame := dataset.Fraud(400, 1)
	for _, c := range []forest.Config{
		{},
		{Bag: forest.Poisson, Fraction: 0.8, RandomCuts: true},
		{Bag: forest.Hash(200), Criterion: forest.Entropy, MaxLeaves: 20, Soft: true},
		{Criterion: forest.Hellinger, MinLeaf: 3},
		{Criterion: forest.Pragma, MaxDepth: 6},
		{Bag: forest.Balanced, NoReplacement: true, ClassWeight: []float64{3, 1}, MaxDepth: 4},
	} {
		c.Trees, c.Seed = 30, 9
		m := mustFit(t, frame, fraudSpec(), Config{Forest: c})
		path := t.TempDir() + "/m.rfp"
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		saved, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		one, err := m.Importance(context.Background(), frame, 2, 1, func(done, total int) {
			if calls++; done != calls || total != 2*len(frame.Columns) {
				t.Errorf("call %d of progress: %d of %d", calls, done, total)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		four, err := saved.Importance(context.Background(), frame, 2, 4, nil)
		if err != nil || !reflect.DeepEqual(one, four) {
			t.Errorf("%+v: %+v\nloaded, with 4 workers %+v (%v)", c, one, four, err)
		}
		if one.Measure != "pragma" || one.Repeats != 2 || !(one.Accuracy > 0.5 && one.Accuracy <= 1) {
			t.Errorf("%+v", one)
		}
	}
}

func TestImportanceErrors(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	m := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 5, Seed: 1}})
	all := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 5, Seed: 1, NoReplacement: true,
		Fraction: 1}})
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tc := range []struct {
		name    string
		ctx     context.Context
		model   *Model
		frame   *dataset.Frame
		repeats int
		is      error
		want    string
	}{
		{"other rows", context.Background(), m, dataset.Fraud(300, 2), 0, forest.ErrTrain,
			"training data: these are not the rows that the model was trained on, and the votes of trees on other rows are no " +
				"out-of-bag votes; give the data of the training, read in the same way, with the same case weights"},
		{"a row less", context.Background(), m, frame.Take(upTo(299)), 0, forest.ErrTrain,
			"training data: these are not the rows that the model was trained on, and the votes of trees on other rows are no " +
				"out-of-bag votes; give the data of the training, read in the same way, with the same case weights"},
		{"no row out of bag", context.Background(), all, frame, 0, forest.ErrConfig,
			"forest: the bag of every tree holds all rows, so there are no out-of-bag votes; grow the forest with smaller bags"},
		{"negative repeats", context.Background(), m, frame, -1, ErrConfig, "configuration: -1 repeats; choose 1 or more"},
		{"cancelled", done, m, frame, 0, context.Canceled, "context canceled"},
	} {
		_, err := tc.model.Importance(tc.ctx, tc.frame, tc.repeats, 0, nil)
		if !errors.Is(err, tc.is) || err.Error() != tc.want {
			t.Errorf("%s: error %v\nwant %s", tc.name, err, tc.want)
		}
	}
}
