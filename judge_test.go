package rfpragma

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A fold votes with the threads that were asked for.
func TestFoldThreads(t *testing.T) {
	frame := dataset.Wave(60, 3, 1)
	learn := Config{Forest: forest.Config{Trees: 2, Workers: 3}}.learner(pragma.Spec{"1": pragma.Priority()})
	classifier, _, err := learn(t.Context(), frame, 1)
	if err != nil {
		t.Fatal(err)
	}
	model, ok := classifier.(fitted)
	if !ok || model.workers != 3 {
		t.Fatalf("%T, want a model that votes with 3 workers", classifier)
	}
	got, err := model.Votes(t.Context(), frame)
	if err != nil {
		t.Fatal(err)
	}
	want, err := model.Model.Votes(t.Context(), frame)
	if err != nil || !slices.Equal(got.Counts, want.Counts) {
		t.Errorf("the votes differ from those of the model: %v", err)
	}
}

// The seeds in the settings of a model do not count: each repeat has its own.
func TestFoldSeeds(t *testing.T) {
	frame, e := dataset.Wave(150, 3, 1), eval.Config{Folds: 2, Repeats: 2, Seed: 5}
	var first *eval.Report
	for _, seed := range []uint64{0, 99} {
		c := Config{Forest: forest.Config{Trees: 10, Seed: seed}, Search: anneal.Search{Seed: seed}}
		report, err := CrossValidate(t.Context(), frame, pragma.Spec{"1": pragma.Priority()}, c, e)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = report
		}
		if diff := cmp.Diff(first.WeightsByFold, report.WeightsByFold) + cmp.Diff(first.Rules, report.Rules); diff != "" {
			t.Errorf("seed %d (-seed 0 +seed)\n%s", seed, diff)
		}
	}
}

// The optimistic rule is what one would fool oneself by: that of the lowest loss on the very votes, whatever care
// the tuned one takes.
func TestOptimisticIsLowest(t *testing.T) {
	race.SkipFigures(t)
	cared := 0
	for seed := range uint64(8) {
		report, err := CrossValidate(t.Context(), dataset.Fraud(400, seed), fraudSpec(),
			Config{Forest: forest.Config{Trees: 10}}, eval.Config{Folds: 3})
		if err != nil {
			t.Fatal(err)
		}
		measure, err := fraudSpec().Measure(report.Votes.Classes)
		if err != nil {
			t.Fatal(err)
		}
		loss := map[anneal.Choice]float64{}
		for _, choice := range []anneal.Choice{anneal.Careful, anneal.Lowest} {
			found, err := anneal.Search{Choice: choice}.Weights(t.Context(), report.Votes, measure)
			if err != nil {
				t.Fatal(err)
			}
			loss[choice] = found.Loss
		}
		if got := report.Rules.Optimistic.Pragma; math.Abs(got-loss[anneal.Lowest]) > 1e-12 {
			t.Errorf("seed %d: an optimistic loss of %v, the lowest is %v", seed, got, loss[anneal.Lowest])
		}
		if loss[anneal.Careful] > loss[anneal.Lowest] {
			cared++
		}
	}
	if cared == 0 {
		t.Error("careful weights have the lowest loss each time, so nothing was tested")
	}
}

// Only rows of a single class leave a fold unjudged; other faults of the rows are told.
func TestLearnFails(t *testing.T) {
	learn := Config{Forest: forest.Config{Trees: 2}}.learner(pragma.Spec{"1": pragma.Priority()})
	frame := dataset.Wave(60, 3, 1)
	frame.Truth[7] = -1
	if _, _, err := learn(t.Context(), frame, 1); !errors.Is(err, forest.ErrTrain) || !strings.Contains(err.Error(),
		"row 7 has no class") {
		t.Errorf("a row without a class: error %v", err)
	}
	frame = dataset.Wave(60, 3, 1)
	frame.Weight = make([]float64, 60)
	if _, _, err := learn(t.Context(), frame, 1); !errors.Is(err, forest.ErrTrain) {
		t.Errorf("rows without weight: error %v", err)
	}
	for i, c := range frame.Truth {
		if c == 2 {
			frame.Weight[i] = 1
		}
	}
	classifier, notes, err := learn(t.Context(), frame, 1)
	if _, silent := classifier.(mute); err != nil || !silent || len(notes) != 1 || !strings.Contains(notes[0].Error(),
		"are of a single class") {
		t.Errorf("a single class that counts: %T, %v, %v", classifier, notes, err)
	}
}

// Cross-validation from Go: honest figures of our own models, by the preference, and by
// another measure where there is one.
func TestCrossValidate(t *testing.T) {
	frame := dataset.Fraud(1200, 1)
	c := Config{Forest: forest.Config{Trees: 20}}
	report, err := CrossValidate(t.Context(), frame, fraudSpec(), c, eval.Config{Folds: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if plain, tuned := report.Rules.Plain.Pragma, report.Rules.Tuned.Pragma; !(tuned < plain) {
		t.Errorf("PRAGMA %.4f plain, %.4f tuned", plain, tuned)
	}
	if report.Rules.Plain.Loss != nil || report.Rules.Tuned.Means.Priority == nil || len(report.WeightsByFold) != 3 {
		t.Errorf("%+v", report.Rules.Tuned)
	}
	c.Measure, c.MeasureName = pragma.Balanced, "balanced"
	report, err = CrossValidate(t.Context(), frame, fraudSpec(), c, eval.Config{Folds: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	tuned := report.Rules.Tuned
	if want := 1 - (*tuned.Classes["fraud"].Recall+*tuned.Classes["ok"].Recall)/2; tuned.Loss == nil ||
		math.Abs(*tuned.Loss-want) > 1e-12 {
		t.Errorf("loss %v, want %v: one less the mean recall", tuned.Loss, want)
	}
	if _, err := CrossValidate(t.Context(), frame, fraudSpec(), Config{Votes: "guess"}, eval.Config{}); !errors.Is(err,
		ErrConfig) {
		t.Errorf("error %v", err)
	}
	var spec *pragma.SpecError
	if _, err := CrossValidate(t.Context(), frame, pragma.Spec{"nobody": pragma.Priority()}, c, eval.Config{}); !errors.As(
		err, &spec) {
		t.Errorf("error %v", err)
	}
}

// votesFor returns the votes of a model for rows.
func votesFor(t *testing.T, m *Model, rows *dataset.Frame) *vote.Table {
	t.Helper()
	votes, err := m.Votes(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return votes
}

// What Evaluate says of new rows is what the decisions on them say.
func TestEvaluateModel(t *testing.T) {
	costs := [][]float64{{0, 20}, {1, 0}}
	cost, err := pragma.Costs{Matrix: costs}.Measure()
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Forest: forest.Config{Trees: 40, Seed: 1}, Measure: cost, MeasureName: "cost",
		Costs: pragma.Costs{Matrix: costs}}
	m := mustFit(t, dataset.Fraud(1000, 1), fraudSpec(), c)
	fresh := dataset.Fraud(1000, 2)
	report, err := m.Evaluate(t.Context(), votesFor(t, m, fresh), anneal.Search{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := m.Votes(t.Context(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	want := table.Confuse(m.Weights)
	if got := report.Rules.Tuned; !slices.Equal(got.Confusion[0], want.Rows()[0]) || got.Loss == nil ||
		*got.Loss != cost.Loss(want) {
		t.Errorf("confusion %v, loss %v, want %v, %v", got.Confusion, got.Loss, want.Rows(), cost.Loss(want))
	}
	if o := report.Rules.Optimistic; *o.Loss > *report.Rules.Tuned.Loss {
		t.Errorf("searched on these very rows the loss is %v, above %v", *o.Loss, *report.Rules.Tuned.Loss)
	}
	for i := range fresh.Truth {
		fresh.Truth[i] = -1
	}
	if _, err := m.Evaluate(t.Context(), votesFor(t, m, fresh), anneal.Search{}); !errors.Is(err, eval.ErrNoLabels) {
		t.Errorf("error %v", err)
	}
}

// The optimistic rule is to reach what the model was.
func TestEvaluateWithFloors(t *testing.T) {
	floor := pragma.Floor{Class: 0, What: pragma.Alerts, Limit: 0.02, Typed: "2/100"}
	cfg := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200},
		Search: anneal.Search{Floors: []pragma.Floor{floor}}, AcceptBest: true}
	m := mustFit(t, dataset.Fraud(1500, 1), pragma.Spec{"fraud": pragma.Priority()}, cfg)
	if floors, err := m.Floors(); err != nil || !slices.Equal(floors, cfg.Search.Floors) {
		t.Errorf("the model was to reach %v, %v", floors, err)
	}
	later := dataset.Fraud(1500, 2)
	report, err := m.Evaluate(t.Context(), votesFor(t, m, later), anneal.Search{})
	if err != nil {
		t.Fatal(err)
	}
	if n := report.Rules.Optimistic.Classes["fraud"].Predicted; n > 30 {
		t.Errorf("the optimistic rule alarms %v times of 1500", n)
	}
	m.Provenance.Floors = nil
	if report, err = m.Evaluate(t.Context(), votesFor(t, m, later), anneal.Search{}); err != nil ||
		report.Rules.Optimistic.Classes["fraud"].Predicted <= 30 {
		t.Errorf("without the floor it does not alarm more often: %v", err)
	}
	m.Provenance.Floors = []string{"fraud"}
	if _, err = m.Evaluate(t.Context(), votesFor(t, m, later), anneal.Search{}); err == nil {
		t.Error("a floor without a figure is taken")
	}
}

// Costs by amount: what the rules cost is what their decisions cost, row by row; and so it is in the folds of a
// cross-validation.
func TestCostsByAmount(t *testing.T) {
	race.SkipFigures(t)
	frame, fresh := dataset.Fraud(1500, 1), dataset.Fraud(800, 2)
	withAmounts := func(f *dataset.Frame) {
		f.Amount = make([]float64, f.Rows())
		for i := range f.Amount {
			f.Amount[i] = f.Columns[0].At(i) // the sum of the payment
		}
	}
	withAmounts(frame)
	withAmounts(fresh)
	costs, err := pragma.ParseCosts([]string{"fraud=amount", "ok=5"}, frame.Classes)
	if err != nil {
		t.Fatal(err)
	}
	measure, err := costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	c := Config{TuneForest: TuneOff, Forest: forest.Config{Trees: 200, Seed: 1}, Measure: measure, MeasureName: "cost",
		Costs: costs}
	m := mustFit(t, frame, fraudSpec(), c)
	report, err := m.Evaluate(t.Context(), votesFor(t, m, fresh), anneal.Search{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := m.Votes(t.Context(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	byHand := func(decide func(votes []uint32) int) float64 {
		sum := 0.0
		for i, truth := range fresh.Truth {
			switch decided := decide(table.Votes(i)); {
			case truth == 0 && decided == 1:
				sum += fresh.Amount[i]
			case truth == 1 && decided == 0:
				sum += 5
			}
		}
		return sum
	}
	for _, tc := range []struct {
		name string
		got  *float64
		want float64
	}{
		{"tuned", report.Rules.Tuned.Cost, byHand(m.Decide)},
		{"plain", report.Rules.Plain.Cost, byHand(table.Rule(nil).Decide)},
		{"cost", report.Rules.Cost.Cost, byHand(table.Rule(costs.Weights(tables.MeanAmounts(table))).Decide)},
	} {
		if tc.got == nil || math.Abs(*tc.got-tc.want) > 1e-9*tc.want {
			t.Errorf("%s: cost %v, by hand %v", tc.name, tc.got, tc.want)
		}
	}
	if got, want := report.Always["fraud"], byHand(func([]uint32) int { return 0 }); got != want {
		t.Errorf("all as fraud: %v, by hand %v", got, want)
	}
	cv, err := CrossValidate(t.Context(), frame, fraudSpec(), c, eval.Config{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if r := cv.Rules; *r.Tuned.Cost >= *r.Plain.Cost || *r.Tuned.Loss != *r.Tuned.Cost ||
		*r.Optimistic.Cost > *r.Tuned.Cost {
		t.Errorf("costs: plain %v, tuned %v, optimistic %v; loss %v", *r.Plain.Cost, *r.Tuned.Cost, *r.Optimistic.Cost,
			*r.Tuned.Loss)
	}
	fresh.Amount = nil
	if _, err := m.Evaluate(t.Context(), votesFor(t, m, fresh), anneal.Search{}); !errors.Is(err, vote.ErrShape) {
		t.Errorf("without amounts: %v", err)
	}
}

// Rows whose decision is withheld are in no figure: what is left is judged as without them.
func TestCrossValidateWithholds(t *testing.T) {
	frame, spec := dataset.Wave(200, 3, 1), pragma.Spec{"1": pragma.Priority()}
	c := Config{Forest: forest.Config{Trees: 10}}
	var handed, decided int
	e := eval.Config{Folds: 4, HeldOut: func(h eval.HeldOut) {
		handed += len(h.Rows)
		for range h.Votes.Judged() {
			decided++
		}
	}}
	var models []*Model
	c.Withhold = func(m *Model, rows *dataset.Frame) ([]bool, error) {
		models = append(models, m)
		withheld := make([]bool, rows.Rows())
		for i := range withheld {
			withheld[i] = i%5 == 0
		}
		return withheld, nil
	}
	report, err := CrossValidate(t.Context(), frame, spec, c, e)
	if err != nil {
		t.Fatal(err)
	}
	judged := 0.0
	for _, class := range report.Rules.Tuned.Classes {
		judged += class.Support
	}
	if len(models) != 4 || handed != 200 || decided != 160 || judged != 160 || report.Votes.Rows() != 160 ||
		report.Unvoted != 0 {
		t.Errorf("%d models, %d rows handed on, %d of them decided, %v judged (%d votes, %v unvoted); want 4, 200, 160, "+
			"160 (160, 0)", len(models), handed, decided, judged, report.Votes.Rows(), report.Unvoted)
	}
	wrong := errors.New("no")
	c.Withhold = func(*Model, *dataset.Frame) ([]bool, error) { return nil, wrong }
	if _, err := CrossValidate(t.Context(), frame, spec, c, e); !errors.Is(err, wrong) {
		t.Errorf("error %v, want that of Withhold", err)
	}
}
