package rfpragma

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/vote"
)

func softConfig(trees int) Config {
	return Config{Forest: forest.Config{Trees: trees, Seed: 1, MinLeaf: 5, Soft: true}}
}

// Soft votes go the whole way: they are tuned on and calibrated in whole votes, saved, loaded,
// and say the same.
func TestSoftVotes(t *testing.T) {
	m := mustFit(t, dataset.Fraud(2000, 1), fraudSpec(), softConfig(200))
	fresh := dataset.Fraud(1000, 2)
	table, err := m.Votes(context.Background(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	if !table.Soft || table.Trees != 200 || vote.Total(table.Votes(0)) != 200*vote.Unit {
		t.Errorf("soft %v, %d trees, %d counts in the first row", table.Soft, table.Trees, vote.Total(table.Votes(0)))
	}
	checkSums(t, m, table)
	again, err := ReadModel(bytes.NewReader(fileOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(fresh.Columns))
	for i := range fresh.Rows() {
		fresh.Row(x, i)
		p, err := m.Predict(x)
		q, err2 := again.Predict(x)
		if err != nil || err2 != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("row %d: %+v (%v), loaded %+v (%v)", i, p, err, q, err2)
		}
		if sum := p.Votes[0] + p.Votes[1]; math.Abs(sum-200) > 1e-9 || p.Votes[0] != float64(table.Votes(i)[0])/vote.Unit {
			t.Fatalf("row %d: votes %v, in the table %v", i, p.Votes, table.Votes(i))
		}
	}
	report, err := m.Evaluate(context.Background(), votesFor(t, m, fresh), anneal.Search{})
	if err != nil || !(report.Rules.Tuned.LogLoss < 0.1) {
		t.Errorf("log loss %v on new rows (%v)", report.Rules.Tuned.LogLoss, err)
	}
}

// Half a vote is half a vote: smoothing knows how many counts make one.
func TestSmoothingOfSoftVotes(t *testing.T) {
	hard, soft := make([]float64, 2), make([]float64, 2)
	maps := calib.Set{Maps: []calib.Map{calib.Sigmoid{A: 2, B: 1, Logit: true}}}
	for _, votes := range [][]uint32{{0, 5}, {3, 7}, {20, 0}} {
		thousandths := []uint32{vote.Unit * votes[0], vote.Unit * votes[1]}
		for name, write := range map[string]func(dst []float64, votes []uint32, unit float64){
			"shares": shares,
			"uncalibrated": func(dst []float64, votes []uint32, unit float64) {
				Probabilities(Uncalibrated([]int{0, 1}), dst, votes, unit)
			},
			"mapped": func(dst []float64, votes []uint32, unit float64) { Probabilities(maps, dst, votes, unit) },
		} {
			write(hard, votes, 1)
			if write(soft, thousandths, vote.Unit); !reflect.DeepEqual(hard, soft) {
				t.Errorf("%s of %v: %v as whole votes, %v in thousandths", name, votes, hard, soft)
			}
		}
	}
}

// Where leaves are not pure, calibrated soft votes say more than whole ones: on three classes
// with 20 trees the log loss is 0.366 instead of 0.383.
func TestSoftVotesHaveTheLowerLogLoss(t *testing.T) {
	race.SkipFigures(t)
	fresh := dataset.Wave(3000, 3, 2)
	loss := map[bool]float64{}
	for _, soft := range []bool{false, true} {
		c := softConfig(20)
		c.Forest.Soft = soft
		m := mustFit(t, dataset.Wave(1000, 3, 1), nil, c)
		table, err := m.Votes(context.Background(), fresh)
		if err != nil {
			t.Fatal(err)
		}
		prob := make([]float64, fresh.Rows()*3)
		for i := range fresh.Rows() {
			m.Probabilities(prob[3*i:3*i+3], table.Votes(i))
		}
		loss[soft] = calib.LogLoss(prob, table.Truth, nil, 3)
	}
	if !(loss[true] < loss[false]-0.005 && loss[true] > 0.2) {
		t.Errorf("log loss %.4f of soft votes, %.4f of whole ones", loss[true], loss[false])
	}
}

// All figures of a cross-validation count whole votes, also where a fold has no forest.
func TestCrossValidateSoftVotes(t *testing.T) {
	report, err := CrossValidate(context.Background(), dataset.Wave(300, 2, 1), nil, softConfig(30), eval.Config{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]eval.Rule{"plain": report.Rules.Plain, "tuned": report.Rules.Tuned} {
		if !(r.LogLoss > 0.05 && r.LogLoss < 0.6) {
			t.Errorf("%s: log loss %v", name, r.LogLoss)
		}
	}
	rare := tiny([]string{"a", "b"}, 0, 0, 0, 0, 0, 1)
	if _, err := CrossValidate(context.Background(), rare, nil, softConfig(5), eval.Config{Folds: 6}); err != nil {
		t.Errorf("with a fold without a forest: %v", err)
	}
}

// The parts of a forest bring the votes of the whole.
func TestVotesOfParts(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	for _, c := range []forest.Config{{Trees: 20, Seed: 3}, {Trees: 20, Seed: 3, Soft: true, MinLeaf: 5}} {
		_, want, err := forest.Grow(context.Background(), frame, c)
		if err != nil {
			t.Fatal(err)
		}
		_, sum, err := forest.GrowTrees(context.Background(), frame, c, 12, 20)
		if err != nil {
			t.Fatal(err)
		}
		_, part, err := forest.GrowTrees(context.Background(), frame, c, 0, 12)
		if err != nil {
			t.Fatal(err)
		}
		if err := sum.Add(part); err != nil || !reflect.DeepEqual(sum, want) {
			t.Errorf("soft %v: the votes of the parts differ from those of the whole (%v)", c.Soft, err)
		}
	}
}

// Weights and maps need votes of trees that have not seen the row: bags that hold all rows
// give none.
func TestBagsOfAllRows(t *testing.T) {
	frame := dataset.Fraud(300, 1)
	all := forest.Config{Trees: 500, NoReplacement: true, Fraction: 1}
	for _, tc := range []struct {
		name   string
		config forest.Config
		want   vote.Source
	}{
		{"bootstrap", forest.Config{Trees: 500}, vote.OOB},
		{"200 trees", forest.Config{Trees: 200}, vote.OOB},
		{"199 trees", forest.Config{Trees: 199}, vote.CV},
		{"all rows", all, vote.CV},
		{"all rows of each class", forest.Config{Trees: 500, NoReplacement: true, Fraction: 1, Bag: forest.Stratified},
			vote.CV},
		{"all rows of the rarest class", forest.Config{Trees: 500, NoReplacement: true, Fraction: 1, Bag: forest.Balanced},
			vote.CV},
		{"so many rows of each class", forest.Config{Trees: 200, Bag: forest.Stratified, ClassRows: []float64{2, 100}},
			vote.OOB},
		{"each row of a class once", forest.Config{Trees: 500, NoReplacement: true, Bag: forest.Stratified,
			ClassRows: []float64{0.5, 1}}, vote.CV},
		{"each row once, two thirds of them", forest.Config{Trees: 250, NoReplacement: true}, vote.OOB},
		{"nine of ten rows", forest.Config{Trees: 500, NoReplacement: true, Fraction: 0.9}, vote.CV},
		{"nine of ten rows, many trees", forest.Config{Trees: 800, NoReplacement: true, Fraction: 0.9}, vote.OOB},
		{"half the rows", forest.Config{Trees: 200, Fraction: 0.5}, vote.OOB},
		{"poisson", forest.Config{Trees: 200, Bag: forest.Poisson}, vote.OOB},
		{"hash of half the rows", forest.Config{Trees: 200, Bag: forest.Hash(150)}, vote.OOB},
		{"hash of all rows", forest.Config{Trees: 500, Bag: forest.Hash(300)}, vote.CV},
		{"hash of more than all rows", forest.Config{Trees: 500, Bag: forest.Hash(3000)}, vote.CV},
	} {
		if got := (Config{Forest: tc.config}).Source(frame); got != tc.want {
			t.Errorf("%s: %s votes, want %s", tc.name, got, tc.want)
		}
	}
	all.Progress = func() { t.Error("a tree was grown") }
	_, err := Fit(context.Background(), frame, fraudSpec(), Config{Forest: all, Votes: vote.OOB})
	if want := "configuration: there are no oob votes, because the bag of every tree holds all rows; choose cv votes, " +
		"or smaller bags"; err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	all.Progress, all.Trees = nil, 20
	if m := mustFit(t, frame, fraudSpec(), Config{Forest: all}); m.Provenance.Votes != vote.CV ||
		m.Provenance.Unvoted != 0 {
		t.Errorf("fitted on %s votes, %d rows without one", m.Provenance.Votes, m.Provenance.Unvoted)
	}
}
