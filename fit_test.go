package rfpragma

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func fraudSpec() pragma.Spec { return pragma.Spec{"fraud": pragma.Priority()} }

func mustFit(t *testing.T, frame *dataset.Frame, spec pragma.Spec, c Config) *Model {
	t.Helper()
	m, err := Fit(context.Background(), frame, spec, c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Tuned weights find more of the rare class than the plain vote, on rows nobody has seen.
func TestFitFindsTheRareClass(t *testing.T) {
	m := mustFit(t, dataset.Fraud(3000, 1), fraudSpec(), Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200,
		Seed: 1}})
	fresh := dataset.Fraud(3000, 2)
	table, err := m.Votes(context.Background(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	measure, err := m.Spec.Measure(m.Classes())
	if err != nil {
		t.Fatal(err)
	}
	plain, tuned := table.Confuse(nil), table.Confuse(m.Weights)
	if a, b := measure.Loss(plain), measure.Loss(tuned); !(b < a) {
		t.Errorf("PRAGMA on new rows: plain %.4f, tuned %.4f", a, b)
	}
	before, _ := plain.Recall(0)
	after, _ := tuned.Recall(0)
	if m.Classes()[0] != "fraud" || !(after > before+0.1) {
		t.Errorf("recall of %s: %.3f plain, %.3f tuned", m.Classes()[0], before, after)
	}
	checkProbabilities(t, m, table)
}

// checkProbabilities: those of checkSums judge better than raw shares.
func checkProbabilities(t *testing.T, m *Model, table *vote.Table) {
	t.Helper()
	k := len(m.Classes())
	prob, plain := checkSums(t, m, table), make([]float64, 0, table.Rows()*k)
	for i := range table.Rows() {
		p := make([]float64, k)
		Probabilities(Uncalibrated(table.TieOrder()), p, table.Votes(i), table.Unit())
		plain = append(plain, p...)
	}
	if a, b := calib.LogLoss(plain, table.Truth, nil, k), calib.LogLoss(prob, table.Truth, nil, k); !(b < a) {
		t.Errorf("log loss on new rows: %.4f raw, %.4f calibrated", a, b)
	}
}

// checkSums returns the calibrated probabilities: each in [0, 1], each row sums to 1 (catalogue G160).
func checkSums(t *testing.T, m *Model, table *vote.Table) []float64 {
	t.Helper()
	k := len(m.Classes())
	var prob []float64
	for i := range table.Rows() {
		p := make([]float64, k)
		m.Probabilities(p, table.Votes(i))
		sum := 0.0
		for _, x := range p {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("row %d: probabilities %v", i, p)
			}
			sum += x
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("row %d: probabilities sum to %v", i, sum)
		}
		prob = append(prob, p...)
	}
	return prob
}

func TestWhereVotesComeFrom(t *testing.T) {
	for _, tc := range []struct {
		trees int
		asked vote.Source
		want  vote.Source
	}{{0, "", vote.OOB}, {200, "", vote.OOB}, {199, "", vote.CV}, {20, vote.OOB, vote.OOB}, {500, vote.CV, vote.CV},
		{20, vote.Train, vote.Train}} {
		c := Config{Votes: tc.asked, Forest: forest.Config{Trees: tc.trees}}
		if got := c.Source(&dataset.Frame{}); got != tc.want {
			t.Errorf("%d trees, asked for %q: %q, want %q", tc.trees, tc.asked, got, tc.want)
		}
	}
	frame := dataset.Fraud(600, 1)
	for _, source := range []vote.Source{vote.OOB, vote.CV, vote.Train} {
		m := mustFit(t, frame, fraudSpec(), Config{Votes: source, Forest: forest.Config{Trees: 20, Seed: 1}})
		if m.Provenance.Votes != source {
			t.Errorf("asked for %q, the record says %q", source, m.Provenance.Votes)
		}
	}
	_, err := Fit(context.Background(), frame, fraudSpec(), Config{Votes: "guess"})
	if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), `votes "guess"; choose oob, cv or train`) {
		t.Errorf("error %v", err)
	}
}

// CV votes come from forests that have not seen the row: on pure noise they know nothing.
// Balanced accuracy of a coin has a standard error of 0.018 here; 5 of these are allowed.
func TestCrossVotesKnowNothingOfNoise(t *testing.T) {
	race.SkipFigures(t)
	frame := dataset.Wave(1500, 2, 3)
	for i := range frame.Truth {
		frame.Truth[i] = (i*7919 + i/3) % 2
	}
	c := Config{Votes: vote.CV, Forest: forest.Config{Trees: 30, Seed: 1}}
	_, table, _, err := c.HeldOut(context.Background(), frame)
	if err != nil {
		t.Fatal(err)
	}
	m := table.Confuse(nil)
	a, _ := m.Recall(0)
	b, _ := m.Recall(1)
	if mean := (a + b) / 2; math.Abs(mean-0.5) > 0.09 {
		t.Errorf("balanced accuracy %.3f on noise", mean)
	}
	if table.Unvoted() != 0 || table.Trees != 30 || table.Source != vote.CV {
		t.Errorf("%d rows unvoted, %d trees, source %q", table.Unvoted(), table.Trees, table.Source)
	}
}

// tiny makes a frame of one feature with the given labels.
func tiny(classes []string, truth ...int) *dataset.Frame {
	f := &dataset.Frame{Classes: classes, Truth: truth, Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}}}}
	for i := range truth {
		f.Columns[0].Values = append(f.Columns[0].Values, float64(i))
	}
	return f
}

func TestFewRows(t *testing.T) {
	ab := []string{"a", "b"}
	for _, tc := range []struct {
		name  string
		frame *dataset.Frame
		note  string
	}{
		{"F131 two rows, two classes", tiny(ab, 0, 1), "the vote weights stay 1 each"},
		{"F121 one class with a single row", tiny(ab, 0, 0, 0, 0, 0, 1), ""},
		{"F124 a class of one row among three", tiny([]string{"a", "b", "c"}, 0, 0, 0, 0, 1, 1, 1, 1, 2), ""},
	} {
		for _, trees := range []int{5, 200} { // cv and oob votes
			m := mustFit(t, tc.frame, pragma.Spec{"b": pragma.Priority()}, Config{Forest: forest.Config{Trees: trees, Seed: 1}})
			if len(m.Warnings) == 0 {
				t.Errorf("%s, %d trees: no warning", tc.name, trees)
			}
			if tc.note != "" && trees == 5 && !strings.Contains(m.Warnings[0].Error(), tc.note) {
				t.Errorf("%s: warning %q, want %q", tc.name, m.Warnings[0], tc.note)
			}
			for _, w := range m.Weights {
				if !(w > 0) || math.IsInf(w, 1) {
					t.Errorf("%s: weights %v", tc.name, m.Weights)
				}
			}
			if err := m.Maps.Check(); err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
		}
	}
}

// H170: classes that are treated alike are alike: with the classes swapped, weights are too.
func TestSwappedClasses(t *testing.T) {
	frame := dataset.Fraud(800, 4)
	spec := pragma.Spec{"*": pragma.Priority()}
	cfg := Config{Forest: forest.Config{Trees: 40, Seed: 1}}
	a := mustFit(t, frame, spec, cfg)
	swapped := frame.Take(upTo(frame.Rows()))
	swapped.Classes = []string{"a-ok", "z-fraud"} // was fraud, ok: the order of the two turns round
	for i, c := range swapped.Truth {
		swapped.Truth[i] = 1 - c
	}
	b := mustFit(t, swapped, spec, cfg)
	if a.Weights[0] != b.Weights[1] || a.Weights[1] != b.Weights[0] {
		t.Errorf("weights %v, with classes swapped %v", a.Weights, b.Weights)
	}
}

func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestPredict(t *testing.T) {
	frame := dataset.Fraud(600, 1)
	m := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 30, Seed: 1}})
	table, err := m.Votes(context.Background(), frame)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(frame.Columns))
	for i := range 50 { // P403: one by one as in a batch
		frame.Row(x, i)
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		prob := make([]float64, 2)
		m.Probabilities(prob, table.Votes(i))
		if !slices.EqualFunc(p.Votes, table.Votes(i), func(a float64, b uint32) bool { return a == float64(b) }) ||
			!slices.Equal(p.Probabilities, prob) || p.Class != m.Classes()[m.Decide(table.Votes(i))] {
			t.Errorf("row %d: %+v alone, votes %v and probabilities %v in a batch", i, p, table.Votes(i), prob)
		}
	}
	if _, err := m.Predict(x[1:]); !errors.Is(err, ErrRow) { // J263
		t.Errorf("short row: error %v", err)
	}
	x[0] = math.Inf(1)
	// G140
	if _, err := m.Predict(x); !errors.Is(err, ErrRow) || !strings.Contains(err.Error(), "use NaN for a missing cell") {
		t.Errorf("infinite cell: error %v", err)
	}
	votes, dst := table.Votes(0), make([]float64, 2)
	if n := testing.AllocsPerRun(100, func() { m.Decide(votes); m.Probabilities(dst, votes) }); n != 0 {
		t.Errorf("Decide and Probabilities allocate %v times", n)
	}
}

// Whatever the maps are, nothing is allocated for a row, with two classes or with three.
func TestProbabilitiesAllocateNothing(t *testing.T) {
	for _, frame := range []*dataset.Frame{dataset.Fraud(300, 1), dataset.Wave(150, 3, 1)} {
		model := mustFit(t, frame, pragma.Spec{}, Config{Forest: forest.Config{Trees: 20, Seed: 1}})
		k := len(frame.Classes)
		votes, dst := make([]uint32, k), make([]float64, k)
		votes[0], votes[1] = 13, 7
		held, err := model.Votes(t.Context(), frame)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range append(calib.Methods(), "venn-abers:pairs", "beta:coupled") {
			maps, _, err := Config{Calibration: method}.Calibrate(t.Context(), held)
			if err != nil {
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(20, func() { Probabilities(maps, dst, votes, 1) }); n != 0 {
				t.Errorf("%s, %d classes: a row allocates %v times", method, k, n)
			}
		}
	}
}

// The weights move the decision and never the probability (K284).
func TestWeightsDoNotMoveProbabilities(t *testing.T) {
	frame := dataset.Fraud(600, 1)
	cfg := Config{Forest: forest.Config{Trees: 30, Seed: 1}}
	a := mustFit(t, frame, fraudSpec(), cfg)
	b := mustFit(t, frame, pragma.Spec{"ok": pragma.Priority()}, cfg)
	if slices.Equal(a.Weights, b.Weights) {
		t.Fatal("the two preferences led to the same weights; the test needs different ones")
	}
	p, q := make([]float64, 2), make([]float64, 2)
	for v := range uint32(31) {
		votes := []uint32{v, 30 - v}
		a.Probabilities(p, votes)
		b.Probabilities(q, votes)
		if !slices.Equal(p, q) {
			t.Errorf("%d votes: probabilities %v and %v", v, p, q)
		}
	}
}

func TestCalibrations(t *testing.T) {
	race.SkipFigures(t)
	frame := dataset.Wave(400, 3, 1)
	for _, method := range append(calib.Methods(), "isotonic:pairs", "platt:coupled") {
		m := mustFit(t, frame, pragma.Spec{frame.Classes[0]: pragma.Priority()}, Config{Calibration: method,
			Forest: forest.Config{Trees: 40, Seed: 1}})
		recorded := m.Provenance.Calibration
		if recorded != string(method) && (method != calib.Auto || recorded == string(calib.Auto)) || m.Maps.Classes() != 3 {
			t.Errorf("%s: the record says %q, maps for %d classes", method, recorded, m.Maps.Classes())
		}
	}
}

func TestFitCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Fit(ctx, dataset.Fraud(300, 1), fraudSpec(), Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// A frame that was read, whose columns are coded, and the same frame built by hand, whose
// columns are not, give the same model to the byte.
func TestFormOfColumnsDoesNotMatter(t *testing.T) {
	made := dataset.Fraud(700, 5)
	var text bytes.Buffer
	if err := dataset.WriteCSV(&text, made, "class"); err != nil {
		t.Fatal(err)
	}
	read, err := dataset.ReadCSV(&text, "in.csv", dataset.Options{Target: "class"})
	if err != nil {
		t.Fatal(err)
	}
	if made.Columns[0].Codes != nil || read.Columns[0].Codes == nil {
		t.Fatal("both frames are in the same form")
	}
	if Fingerprint(made) != Fingerprint(read) {
		t.Error("the two forms have different fingerprints")
	}
	for _, source := range []vote.Source{vote.OOB, vote.CV} {
		var models [2]bytes.Buffer
		for i, frame := range []*dataset.Frame{made, read} {
			m := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 20, Seed: 3}, Votes: source})
			if _, err := m.WriteTo(&models[i]); err != nil {
				t.Fatal(err)
			}
			if !m.TrainedOn(read) || !m.TrainedOn(made) {
				t.Errorf("%s: the model does not know what it was trained on", source)
			}
		}
		if !bytes.Equal(models[0].Bytes(), models[1].Bytes()) {
			t.Errorf("%s: other bytes for the other form", source)
		}
	}
}

// A second class that weighs nothing is no second class.
func TestWeighingClasses(t *testing.T) {
	f := tiny([]string{"a", "b"}, 0, 0, 1)
	f.Weight = []float64{1, 1, 0}
	if weighingClasses(f) != 1 {
		t.Error("a class of weight 0 counts")
	}
	f.Weight[2] = 1
	if weighingClasses(f) != 2 || weighingClasses(f.Take([]int{0, 1})) != 1 {
		t.Error("two classes are not told from one")
	}
}

// A row of weight 0 is as if it were not there, in the maps as well.
func TestRowsOfNoWeight(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	more := frame.Take(append(upTo(300), 0, 1, 2))
	more.Weight = append(slices.Repeat([]float64{1}, 300), 0, 0, 0)
	for i := 300; i < 303; i++ {
		more.Truth[i] = 1 - more.Truth[i]
	}
	cfg := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1}}
	a, b := mustFit(t, frame, fraudSpec(), cfg), mustFit(t, more, fraudSpec(), cfg)
	if !slices.Equal(a.Weights, b.Weights) || a.Maps.Maps[0] != b.Maps.Maps[0] {
		t.Errorf("weights %v, map %v; without the rows %v, %v", b.Weights, b.Maps.Maps, a.Weights, a.Maps.Maps)
	}
}

// Settings are refused before any tree is grown.
func TestSettingsAreCheckedFirst(t *testing.T) {
	for _, c := range []Config{{Votes: "guess"}, {Calibration: "guess"}, {Folds: 1}, {Folds: -3}} {
		c.Forest.Progress = func() { t.Error("a tree was grown") }
		c.Forest.Workers = 1
		if _, err := Fit(context.Background(), dataset.Fraud(100, 1), fraudSpec(), c); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// Without maps the probabilities are (v + 1/k)/(T + 1), by hand; for two classes that is the
// smoothed share.
func TestUncalibrated(t *testing.T) {
	for _, tc := range []struct {
		votes []uint32
		want  []float64
	}{
		{[]uint32{0, 0, 19, 0}, []float64{0.25 / 20, 0.25 / 20, 19.25 / 20, 0.25 / 20}},
		{[]uint32{3, 7}, []float64{3.5 / 11, 7.5 / 11}},
		{[]uint32{0, 0}, []float64{0.5, 0.5}},
	} {
		got := make([]float64, len(tc.votes))
		Probabilities(Uncalibrated(vote.TieOrder(make([]float64, len(tc.votes)), nil)), got, tc.votes, 1)
		for c := range got {
			if math.Abs(got[c]-tc.want[c]) > 1e-15 {
				t.Errorf("votes %v: %v, want %v", tc.votes, got, tc.want)
			}
		}
	}
}

// A measure, floors or costs of other classes are refused before a tree is grown.
func TestFitChecksMeasure(t *testing.T) {
	three, err := pragma.Spec{}.Measure([]string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	f7, err := pragma.F(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	frame := dataset.Fraud(100, 1)
	for name, c := range map[string]Config{
		"of three classes": {Measure: three},
		"of class 7":       {Measure: f7},
		"floor":            {Search: anneal.Search{Floors: []pragma.Floor{{Class: 7, What: pragma.RecallFloor, Limit: 0.5}}}},
		"costs": {Measure: pragma.Accuracy, Costs: pragma.Costs{Matrix: [][]float64{{0, 1, 1}, {1, 0, 1},
			{1, 1, 0}}}},
	} {
		c.Grown = func(*vote.Table) { t.Errorf("%s: trees are grown", name) }
		if _, err := Fit(t.Context(), frame, nil, c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := CrossValidate(t.Context(), frame, nil, c, eval.Config{}); !errors.Is(err, ErrConfig) {
			t.Errorf("%s, cross-validated: %v", name, err)
		}
		c.Grown = nil
		votes := &vote.Table{Classes: frame.Classes, Truth: []int{0, 1}, Counts: []uint32{1, 0, 0, 1}, Source: vote.Holdout}
		if _, err := c.Search.Weights(t.Context(), votes, c.Measure); name != "costs" && !errors.Is(err, anneal.ErrSetting) {
			t.Errorf("%s, searched: %v", name, err)
		}
	}
}

// What a cross-validation would ignore is refused, and so are rows that are not there.
func TestCrossValidateRefusesWhatItIgnores(t *testing.T) {
	frame := dataset.Fraud(100, 1)
	for name, e := range map[string]eval.Config{
		"Pragma": {Pragma: pragma.Accuracy}, "Loss": {Loss: pragma.Accuracy},
		"Costs":  {Costs: pragma.Costs{Matrix: [][]float64{{0, 1}, {1, 0}}}},
		"ByCost": {ByCost: true}, "Priority": {Priority: []int{0}}, "Raw": {Raw: func([]float64, []uint32) {}},
		"Tune": {Tune: Config{}.tuner()},
	} {
		if _, err := CrossValidate(t.Context(), frame, nil, Config{}, e); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), name+" of the cross-validation is set") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := CrossValidate(t.Context(), nil, nil, Config{}, eval.Config{}); !errors.Is(err, ErrConfig) {
		t.Errorf("no rows to cross-validate: %v", err)
	}
	if _, err := Fit(t.Context(), nil, nil, Config{}); !errors.Is(err, ErrConfig) {
		t.Errorf("no rows to fit: %v", err)
	}
}
