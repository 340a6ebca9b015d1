package rfpragma

import (
	"bytes"
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
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// retuned is m with weights for another spec, searched on votes.
func retuned(t *testing.T, m *Model, votes *vote.Table, spec pragma.Spec) *Model {
	t.Helper()
	other, err := m.Retune(t.Context(), nil, votes, spec, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return other
}

// A model that is tuned anew on its own out-of-bag votes is the one that is trained with that preference, byte for
// byte: the trees do not know the preference. So it is after other rows had a say, and with new maps.
func TestRetunedOutOfBagIsTrained(t *testing.T) {
	plain := dataset.Fraud(300, 1)
	weighted := *plain
	weighted.Weight = make([]float64, plain.Rows())
	for i := range weighted.Weight {
		weighted.Weight[i] = float64(i%4) / 2
	}
	spec := pragma.Spec{"fraud": {Theta: 3, X: 0.5, Y: 0.5}}
	for name, tc := range map[string]struct {
		frame *dataset.Frame
		cfg   Config
	}{
		"usual":            {plain, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1}}},
		"few trees, asked": {plain, Config{Forest: forest.Config{Trees: 30, Seed: 1}, Votes: vote.OOB}},
		"weights":          {&weighted, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1}}},
		"balanced, soft": {plain, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1,
			Bag: forest.Balanced, Soft: true}}},
		"class rows": {plain, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1,
			Bag: forest.Stratified, ClassRows: []float64{2, 0.2}}}},
		"hash": {plain, Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1,
			Bag: forest.Hash(100)}}},
	} {
		want := fileOf(t, mustFit(t, tc.frame, spec, tc.cfg))
		m := mustFit(t, tc.frame, fraudSpec(), tc.cfg)
		votes, err := m.OutOfBag(t.Context(), tc.frame, 0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(fileOf(t, retuned(t, m, votes, spec)), want) {
			t.Errorf("%s: tuned anew it is another model than trained", name)
		}
		if again, err := m.Retune(t.Context(), tc.frame, nil, spec, Config{}); err != nil || !bytes.Equal(fileOf(t, again),
			want) {
			t.Errorf("%s: tuned anew by the rows of the training it is another model than trained, error %v", name, err)
		}
		later, err := m.Votes(t.Context(), dataset.Fraud(300, 2))
		if err != nil {
			t.Fatal(err)
		}
		held := retuned(t, m, later, spec)
		if p := held.Provenance; p.Votes != vote.Holdout || p.MapVotes != vote.OOB {
			t.Errorf("%s: weights fitted on %s votes, maps on %q; want holdout and oob", name, p.Votes, p.MapVotes)
		}
		if _, err := held.OutOfBag(t.Context(), tc.frame, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(fileOf(t, retuned(t, held, votes, spec)), want) {
			t.Errorf("%s: tuned on other rows first it is another model", name)
		}
		remapped, err := m.Recalibrate(t.Context(), nil, later, calib.PlattLogit)
		if err == nil {
			remapped, err = retuned(t, remapped, votes, spec).Recalibrate(t.Context(), tc.frame, nil, calib.Auto)
		}
		if err != nil || !bytes.Equal(fileOf(t, remapped), want) {
			t.Errorf("%s: with maps fitted on other rows and again on these it is another model, error %v", name, err)
		}
	}
}

// Which column the amount is follows from what a model is tuned for last: by amount it is that of the rows, and of
// the model where these are not at hand; by anything else none.
func TestRetunedAmount(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	frame.Amount, frame.Reading.Amount = frame.Columns[0].Values, "amount"
	m := mustFit(t, frame, fraudSpec(), Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1}})
	votes, err := m.OutOfBag(t.Context(), frame, 0)
	if err != nil {
		t.Fatal(err)
	}
	other := *frame
	other.Reading.Amount = "sum"
	byAmount := Config{Measure: pragma.Balanced, MeasureName: "cost", Costs: pragma.Costs{Matrix: [][]float64{{0, 1},
		{5, 0}}, ByAmount: []bool{true, false}}}
	for _, step := range []struct {
		rows *dataset.Frame
		c    Config
		want string
	}{
		{&other, byAmount, "sum"},
		{nil, byAmount, "sum"},
		{frame, byAmount, "amount"},
		{frame, Config{}, ""},
		{nil, byAmount, ""},
	} {
		step.c.Weights = func(*vote.Table) vote.Weights { return vote.Weights{2, 1} }
		if m, err = m.Retune(t.Context(), step.rows, votes, fraudSpec(), step.c); err != nil {
			t.Fatal(err)
		}
		if got := m.Provenance.Reading.Amount; got != step.want {
			t.Errorf("the amount is column %q, want %q", got, step.want)
		}
	}
}

// Votes that training did not take are refused.
func TestOutOfBagRefused(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	few := mustFit(t, frame, fraudSpec(), Config{Forest: forest.Config{Trees: 20, Seed: 1}})
	if _, err := few.OutOfBag(t.Context(), frame, 0); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(),
		"trained on these rows and tuned on cv votes, which its file does not hold; train again for other weights or maps, "+
			"or give rows that it has not seen") {
		t.Errorf("few trees: %v", err)
	}
	later := dataset.Fraud(300, 2)
	if _, err := few.OutOfBag(t.Context(), later, 0); !errors.Is(err, forest.ErrTrain) || !strings.Contains(err.Error(),
		"not the rows that the model was trained on; give the data of the training") {
		t.Errorf("other rows: %v", err)
	}
	votes, err := few.Votes(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := retuned(t, few, votes, fraudSpec()).OutOfBag(t.Context(), frame, 0); !errors.Is(err, ErrConfig) {
		t.Errorf("tuned on other rows: %v", err)
	}
}

// A model knows on which rows it was tuned and its maps were fitted after the training, also from its file, until
// that is done anew.
func TestFittedOn(t *testing.T) {
	m := mustFit(t, dataset.Fraud(300, 1), fraudSpec(), Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220,
		Seed: 1}})
	later, other := dataset.Fraud(300, 2), dataset.Fraud(300, 3)
	check := func(what string, m *Model, rows *dataset.Frame, weights, maps bool) {
		t.Helper()
		read, err := ReadModel(bytes.NewReader(fileOf(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		if w, f := read.FittedOn(rows); w != weights || f != maps {
			t.Errorf("%s: weights %v, maps %v; want %v, %v", what, w, f, weights, maps)
		}
	}
	check("training", m, dataset.Fraud(300, 1), false, false)
	check("new rows", m, later, false, false)
	tuned := tunedOn(t, m, later)
	check("tuned", tuned, later, true, false)
	check("tuned on others", tuned, other, false, false)
	heavy := *later
	heavy.Weight = slices.Repeat([]float64{2}, later.Rows())
	check("tuned, other case weights", tuned, &heavy, true, false)
	both, err := tuned.Recalibrate(t.Context(), later, nil, calib.PlattLogit)
	if err != nil {
		t.Fatal(err)
	}
	check("both", both, later, true, true)
	maps, err := both.Retune(t.Context(), dataset.Fraud(300, 1), nil, fraudSpec(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	check("maps", maps, later, false, true)
}

func TestWithWeights(t *testing.T) {
	m := mustFit(t, dataset.Fraud(300, 1), fraudSpec(), Config{Forest: forest.Config{Trees: 10, Seed: 1}})
	other, err := m.WithWeights(vote.Weights{100, 1})
	if err != nil {
		t.Fatal(err)
	}
	votes := []uint32{1, 9}
	if other.Classes()[other.Decide(votes)] != "fraud" {
		t.Error("the new weights do not decide")
	}
	back, err := ReadModel(bytes.NewReader(fileOf(t, other)))
	if err != nil || back.Decide(votes) != other.Decide(votes) {
		t.Errorf("saved and loaded it decides otherwise (%v)", err)
	}
	for _, bad := range []vote.Weights{nil, {1}, {0, 1}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		if _, err := m.WithWeights(bad); !errors.Is(err, ErrConfig) {
			t.Errorf("weights %v: error %v", bad, err)
		}
	}
}

// Rows without a label, which were left out of the training, do not hide those that were in it.
func TestTrainedOnWithUnlabelledRows(t *testing.T) {
	full := dataset.Fraud(300, 1)
	for _, i := range []int{0, 17, 299} {
		full.Truth[i] = -1
	}
	m := mustFit(t, full.Labelled(), fraudSpec(), Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1}})
	if full.Labelled().Rows() != 297 || !m.TrainedOn(full) || !m.TrainedOn(full.Labelled()) ||
		m.TrainedOn(dataset.Fraud(300, 1)) {
		t.Error("the labelled rows are not known again beside others")
	}
	want, err := m.OutOfBag(t.Context(), full.Labelled(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.OutOfBag(t.Context(), full, 0); err != nil || !slices.Equal(got.Counts, want.Counts) {
		t.Errorf("out-of-bag votes beside unlabelled rows: error %v", err)
	}
	weighted := full.Labelled()
	weighted.Weight = slices.Repeat([]float64{2}, weighted.Rows())
	if !m.TrainedOn(weighted) {
		t.Error("nor with case weights")
	}
	later := dataset.Fraud(300, 2)
	later.Truth[5] = -1
	tuned := tunedOn(t, m, later)
	if w, _ := tuned.FittedOn(later.Labelled()); !w {
		t.Error("tuned on rows some of which have no label, it does not know the others")
	}
}

// tunedOn returns m with weights tuned on rows.
func tunedOn(t *testing.T, m *Model, rows *dataset.Frame) *Model {
	t.Helper()
	tuned, err := m.Retune(t.Context(), rows, nil, fraudSpec(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	return tuned
}

// What is tuned is the search alone on the votes of the model, and new maps are those of the fit on these votes.
func TestRetuneIsSearch(t *testing.T) {
	m, later := mustFit(t, dataset.Fraud(600, 1), fraudSpec(), Config{Forest: forest.Config{Trees: 50, Seed: 1}}),
		dataset.Fraud(2000, 2)
	votes, err := m.Votes(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	costs := pragma.Costs{Matrix: [][]float64{{0, 20}, {1, 0}}}
	measure, err := costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	want, err := anneal.Search{Seed: 3}.Weights(t.Context(), votes, measure)
	if err != nil {
		t.Fatal(err)
	}
	var found anneal.Result
	got, err := m.Retune(t.Context(), later, nil, nil, Config{
		Search: anneal.Search{Seed: 3}, Costs: costs, Measure: measure, MeasureName: "cost", Tuned: func(_ *vote.Table,
			r anneal.Result) {
			found = r
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Weights, want.Weights) || found.Loss != want.Loss || got.Provenance.Measure != "cost" ||
		*got.Provenance.Loss != want.Loss {
		t.Errorf("weights %v, loss %v for %s; a search finds %v, %v", got.Weights, found.Loss, got.Provenance.Measure,
			want.Weights, want.Loss)
	}
	if got.Forest != m.Forest || !slices.Equal(got.Maps.Maps, m.Maps.Maps) {
		t.Error("trees or maps are other ones")
	}
	maps, _, err := Config{Calibration: calib.Beta}.Calibrate(t.Context(), votes)
	if err != nil {
		t.Fatal(err)
	}
	mapped, err := m.Recalibrate(t.Context(), later, nil, calib.Beta)
	if err != nil || !slices.Equal(mapped.Maps.Maps, maps.Maps) || !slices.Equal(mapped.Weights, m.Weights) {
		t.Errorf("maps %v, want %v, error %v", mapped.Maps.Maps, maps.Maps, err)
	}
}

// Votes of other classes, rows without labels or known by heart, and settings of what stays as it is are refused.
func TestRetuneRefuses(t *testing.T) {
	train := dataset.Fraud(600, 1)
	m := mustFit(t, train, fraudSpec(), Config{Forest: forest.Config{Trees: 20, Seed: 1}})
	votes, err := m.Votes(t.Context(), dataset.Fraud(300, 2))
	if err != nil {
		t.Fatal(err)
	}
	renamed, swapped, short, soft := *votes, *votes, *votes, *votes
	renamed.Classes, swapped.Classes = []string{"a", "b"}, []string{votes.Classes[1], votes.Classes[0]}
	short.Counts, soft.Soft = short.Counts[1:], true
	three := &vote.Table{Classes: []string{"a", "b", "c"}, Truth: []int{0, 1, 2}, Counts: []uint32{2, 0, 0, 0, 2, 0, 0, 0,
		2}, Source: vote.Holdout}
	unlabelled := *dataset.Fraud(300, 2)
	unlabelled.Truth = nil
	for name, tc := range map[string]struct {
		rows  *dataset.Frame
		votes *vote.Table
		want  string
	}{
		"other names":   {nil, &renamed, "give votes of this model"},
		"swapped names": {nil, &swapped, "give votes of this model"},
		"three classes": {nil, three, "give votes of this model"},
		"soft":          {nil, &soft, "one of the votes and the model is of soft votes"},
		"short":         {nil, &short, "lengths do not agree"},
		"nothing":       {nil, nil, "give rows with their labels"},
		"no labels":     {&unlabelled, nil, "give rows with their labels"},
		"by heart": {train.Take([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}), nil,
			"know by heart"},
	} {
		_, tuned := m.Retune(t.Context(), tc.rows, tc.votes, fraudSpec(), Config{})
		_, mapped := m.Recalibrate(t.Context(), tc.rows, tc.votes, calib.PlattLogit)
		for _, err := range []error{tuned, mapped} {
			if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: %v, want %s", name, err, tc.want)
			}
		}
	}
	for name, c := range map[string]Config{
		"Forest": {Forest: forest.Config{Trees: 9}}, "Calibration": {Calibration: calib.PlattLogit}, "Folds": {Folds: 3},
		"Votes": {Votes: vote.OOB}, "TuneForest": {TuneForest: TuneOff},
	} {
		if _, err := m.Retune(t.Context(), nil, votes, fraudSpec(), c); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), name+" is set") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.Recalibrate(t.Context(), nil, votes, "cubic"); !errors.Is(err, ErrConfig) {
		t.Errorf("a map of no method: %v", err)
	}
	for name, table := range map[string]*vote.Table{"renamed": &renamed, "three": three, "none": nil} {
		if _, err := m.Evaluate(t.Context(), table, anneal.Search{}); !errors.Is(err, ErrConfig) {
			t.Errorf("judged by %s votes: %v", name, err)
		}
		if table != nil && m.Drift(table) != nil {
			t.Errorf("drift by %s votes", name)
		}
	}
	if _, _, err := (Config{}).Calibrate(t.Context(), &short); !errors.Is(err, vote.ErrShape) {
		t.Errorf("maps of a table that is cut short: %v", err)
	}
	if _, err := (Config{}).Tune(t.Context(), votes, nil); !errors.Is(err, anneal.ErrSetting) {
		t.Errorf("no measure: %v", err)
	}
}

// Weights that are given are those of the rule, are not searched for, and keep out of what is judged beside them;
// one over the share is what cv shows as prior.
func TestGivenWeights(t *testing.T) {
	frame := dataset.Fraud(400, 1)
	cfg := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 220, Seed: 1}}
	tuned := mustFit(t, frame, fraudSpec(), cfg)
	cfg.Weights = func(t *vote.Table) vote.Weights { return vote.Prior(t.Share) }
	m := mustFit(t, frame, fraudSpec(), cfg)
	if want := vote.Prior(m.Forest.Share); !slices.Equal(m.Weights, want) || slices.Equal(tuned.Weights, want) {
		t.Errorf("weights %v, want %v; tuned %v", m.Weights, want, tuned.Weights)
	}
	if m.Provenance.Choice != Given || tuned.Provenance.Choice == Given {
		t.Errorf("choice %q, of a search %q", m.Provenance.Choice, tuned.Provenance.Choice)
	}
	report, err := CrossValidate(t.Context(), frame, fraudSpec(), cfg, eval.Config{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Rules; r.Tuned.Pragma != r.Prior.Pragma || r.Optimistic.Pragma == r.Prior.Pragma {
		t.Errorf("given %v, prior %v, optimistic %v", r.Tuned.Pragma, r.Prior.Pragma, r.Optimistic.Pragma)
	}
	cfg.Weights = func(*vote.Table) vote.Weights { return vote.Weights{1} }
	if _, err := Fit(t.Context(), frame, fraudSpec(), cfg); !errors.Is(err, vote.ErrShape) {
		t.Errorf("one weight for two classes: %v", err)
	}
}
