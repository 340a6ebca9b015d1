package rfpragma_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// rows are the first n.
func rows(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// What does not go together is refused where it comes in, with the error of that door, by models and configurations
// alike; what a model file cannot hold is not saved.
func TestDoorsRefuse(t *testing.T) {
	ctx, two := t.Context(), dataset.Fraud(300, 1)
	grow := rfpragma.Config{Forest: forest.Config{Trees: 5}, Calibration: calib.PlattLogit}
	m, err := rfpragma.Fit(ctx, two, nil, grow)
	if err != nil {
		t.Fatal(err)
	}
	table := func(classes ...string) *vote.Table {
		out := &vote.Table{Classes: classes, Source: vote.Holdout, Trees: 5}
		for i := range 40 {
			votes := make([]uint32, len(classes))
			votes[(i/2)%len(classes)]++
			out.Truth, out.Counts = append(out.Truth, i%len(classes)), append(out.Counts, votes...)
		}
		return out
	}
	three, others, swapped := table("a", "b", "c"), table("a", "b"), table(m.Classes()[1], m.Classes()[0])
	short := table(m.Classes()...)
	short.Counts = short.Counts[:7]
	costs := pragma.Costs{Matrix: [][]float64{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}}
	ofThree, err := costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	far, err := pragma.F(7, 1)
	if err != nil {
		t.Fatal(err)
	}
	floor := pragma.Floor{Class: 7, What: pragma.RecallFloor, Limit: 0.5}
	with := func(edit func(c *rfpragma.Config)) error {
		c := grow
		edit(&c)
		_, err := rfpragma.Fit(ctx, two, nil, c)
		return err
	}
	type refusal struct {
		name string
		err  error
		want error
	}
	var all []refusal
	add := func(name string, err, want error) { all = append(all, refusal{name, err, want}) }
	for name, votes := range map[string]*vote.Table{"three classes": three, "other names": others, "names swapped": swapped,
		"too few counts": short} {
		_, err := m.Recalibrate(ctx, nil, votes, calib.PlattLogit)
		add("Recalibrate, "+name, err, rfpragma.ErrConfig)
		_, err = m.Retune(ctx, nil, votes, nil, rfpragma.Config{})
		add("Retune, "+name, err, rfpragma.ErrConfig)
		_, err = m.Evaluate(ctx, votes, anneal.Search{})
		add("Evaluate, "+name, err, rfpragma.ErrConfig)
		if c := m.Drift(votes); c != nil {
			t.Errorf("Drift, %s: %+v", name, c)
		}
	}
	sound := table(m.Classes()...)
	_, _, err = grow.Calibrate(ctx, short)
	add("Calibrate of short counts", err, vote.ErrShape)
	_, err = grow.Tune(ctx, short, pragma.Accuracy)
	add("Tune of short counts", err, vote.ErrShape)
	_, err = grow.Tune(ctx, sound, nil)
	add("Tune without a measure", err, anneal.ErrSetting)
	search := func(name string, s anneal.Search, votes *vote.Table, measure pragma.Measure, want error) {
		_, err := s.Weights(ctx, votes, measure)
		add("Weights, "+name, err, want)
		_, err = s.Judge(ctx, votes, measure, nil)
		add("Judge, "+name, err, want)
		_, err = s.Try(ctx, votes, measure)
		add("Try, "+name, err, want)
	}
	search("floor of class 7", anneal.Search{Floors: []pragma.Floor{floor}}, sound, pragma.Accuracy, anneal.ErrSetting)
	search("measure of three classes", anneal.Search{}, sound, ofThree, anneal.ErrSetting)
	search("measure of class 7", anneal.Search{}, sound, far, anneal.ErrSetting)
	search("no function", anneal.Search{}, sound, pragma.Func(nil), anneal.ErrSetting)
	search("no table", anneal.Search{}, nil, pragma.Accuracy, vote.ErrShape)
	_, err = anneal.Search{}.Judge(ctx, sound, pragma.Accuracy, vote.Weights{1e-300, 1})
	add("weights too far apart", err, vote.ErrValue)
	add("Fit, measure of three classes", with(func(c *rfpragma.Config) { c.Measure = ofThree }), rfpragma.ErrConfig)
	add("Fit, measure of class 7", with(func(c *rfpragma.Config) { c.Measure = far }), rfpragma.ErrConfig)
	add("Fit, costs of three classes beside a measure", with(func(c *rfpragma.Config) {
		c.Measure, c.Costs = pragma.MCC, costs
	}), rfpragma.ErrConfig)
	add("Fit, floor of class 7", with(func(c *rfpragma.Config) {
		c.Search.Floors = []pragma.Floor{floor}
	}), rfpragma.ErrConfig)
	_, err = eval.Evaluate(ctx, sound, nil, eval.Config{Pragma: pragma.MCC, Raw: func([]float64, []uint32) {},
		Tune: func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
			return nil, nil, nil
		}})
	add("eval.Evaluate of no classifier", err, eval.ErrConfig)
	_, err = eval.Judge(make([]float64, 4), []int{0, 1}, nil, 2, 2)
	add("eval.Judge of class 2 of two", err, eval.ErrConfig)
	for _, cells := range [][]float64{nil, {1}, make([]float64, 6)} {
		add("Fill", ofClasses("a", "b").Fill(cells), vote.ErrShape)
	}
	add("Merge of matrices", ofClasses("a", "b").Merge(ofClasses("a", "b", "c")), vote.ErrShape)
	add("Append", sound.Append(three), vote.ErrShape)
	names := two.Take(rows(64))
	names.Classes = nil
	for i := range names.Truth { // of 64 rows 62 are of a class of their own
		names.Classes, names.Truth[i] = append(names.Classes, fmt.Sprintf("%02d", i)), max(2, i)
	}
	_, err = rfpragma.Fit(ctx, names, nil, grow)
	add("Fit of names", err, rfpragma.ErrConfig)
	_, err = rfpragma.CrossValidate(ctx, names, nil, grow, eval.Config{})
	add("CrossValidate of names", err, rfpragma.ErrConfig)
	_, err = rfpragma.GrowPart(ctx, names, grow.Forest, 0, 5)
	add("GrowPart of names", err, rfpragma.ErrConfig)
	for name, edit := range map[string]func(m *rfpragma.Model){
		"maps of three classes": func(m *rfpragma.Model) { m.Maps = rfpragma.Uncalibrated([]int{0, 1, 2}) },
		"three weights":         func(m *rfpragma.Model) { m.Weights = vote.Weights{1, 1, 1} },
		"a weight of 0":         func(m *rfpragma.Model) { m.Weights = vote.Weights{0, 1} },
		"another class":         func(m *rfpragma.Model) { m.Spec = pragma.Spec{"?": pragma.Priority()} },
		"a measure of nothing":  func(m *rfpragma.Model) { m.Provenance.Measure = "?" },
		"no trees":              func(m *rfpragma.Model) { m.Forest = nil },
		"the zero value":        func(m *rfpragma.Model) { *m = rfpragma.Model{} },
	} {
		other := *m
		edit(&other)
		add("Save, "+name, other.Save(t.TempDir()+"/m.rfp"), rfpragma.ErrFormat)
	}
	for _, r := range all {
		if !errors.Is(r.err, r.want) {
			t.Errorf("%s: %v, want %v", r.name, r.err, r.want)
		}
	}
}
