// Package rfpragma makes decisions on rare and costly classes with a random forest.
//
// [Fit] is the whole way of the data:
//
//	Frame ── forest.Grow ──┬── Forest ────────────────────────────┐
//	                       └── Table of raw votes ──┬── Maps ─────┤
//	Spec ── Measure ─────────── anneal.Search ──────┴── Weights ──┴── Model ── file
//
// A forest is grown once. The votes of trees that did not see a row are kept as they are; the
// class vote weights that are best for the user's [pragma.Spec] are searched on them, and
// they are mapped to calibrated probabilities. The [Model] holds it all and is saved as one
// file. [CrossValidate] says what to expect of it on new data.
//
// # The way of a program
//
//	frame, err := dataset.ReadCSV(file, "data.csv", dataset.Options{Target: "class"})
//	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}} // what is wanted
//	report, err := rfpragma.CrossValidate(ctx, frame, spec, rfpragma.Config{}, eval.Config{})
//	model, err := rfpragma.Fit(ctx, frame, spec, rfpragma.Config{})
//	err = model.Save("model.rfp")
//
// and where decisions are made, [Load] once and [Model.Predict] for each row, from any number of
// goroutines.
//
// # The parts alone
//
// Each part is of use without the others: votes of any model are tuned by package anneal (see the
// example OwnVotes), its scores are mapped to probabilities and judged by package calib, any
// learner is cross-validated by package eval, and any function of a confusion matrix is a measure
// (see the example OwnMeasure). [Config.HeldOut], [Config.Tune] and [Config.Calibrate] are the steps of Fit.
//
// Models, votes and weights depend on the data, the settings and the seed alone: never on the
// number of threads or the machine.
package rfpragma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Config says how a model is fitted. The zero value is ready.
type Config struct {
	Forest      forest.Config
	Search      anneal.Search // how the weights are searched
	Calibration calib.Method  // how votes become probabilities; "" means calib.Auto

	Measure     pragma.Measure // what the weights are searched for; nil means the spec's PRAGMA, see pragma.Spec.Default
	MeasureName string         // its name, see Model.Measure; "" means that of the default or, with a Measure, "custom"
	Costs       pragma.Costs   // behind the measure "cost"; without a matrix none
	chosen      bool           // whether Measure was given, though it is the default

	// Weights returns those to take for votes in the place of a search, such as [vote.Prior] of t.Share; nil means to search.
	Weights func(t *vote.Table) vote.Weights

	Tuned func(votes *vote.Table) // given the votes that weights are searched on, condensed, once they are; may be nil

	AcceptBest bool // floors that cannot be reached are a warning, and the weights those that come nearest; else anneal.ErrFloors

	// Votes says on which votes weights and maps are fitted: vote.OOB, vote.CV, or, to see
	// why not, vote.Train. "" means OOB from 200 trees and CV below: a row has only a third
	// of the trees out of bag, and 7 of 20 votes are too few to place a cut. Of bags that leave
	// fewer rows out it takes more trees, and with none left out it means CV. With groups in
	// the frame it means CV: a bag is drawn by row, so the trees that leave a row out have
	// seen the others of its group. With times in the frame, and no groups, it means vote.Forward, which
	// cannot be asked for otherwise: rows come in blocks, see [dataset.Frame.Blocks], and each but the
	// first is voted on by a forest grown on those before it, as new rows are by the model; where
	// all rows are of one time, or no block has rows of two classes to judge, it means what it does without.
	Votes vote.Source
	Folds int // folds of the CV votes, or blocks of vote.Forward that are judged; 0 means 5

	Grown func(oob *vote.Table) // given the out-of-bag votes of the forest, whatever the weights are searched on; may be nil

	// Withhold tells of which rows the decision of a model is withheld, as of those that lack too much, see [Model.Lacks]; nil of none. [CrossValidate] judges the other rows alone: in the
	// votes of a fold that it hands on, these are of no known class. It does not matter to what is fitted.
	Withhold func(m *Model, rows *dataset.Frame) ([]bool, error)
}

// Fit grows a forest on train, finds the class vote weights under which the measure is
// lowest, and the maps from vote shares to probabilities. Classes the spec does not name
// take [pragma.Neutral]. The model depends on the arguments alone, never on the workers.
//
// Errors: [ErrConfig] for a setting that cannot be; those of [forest.Grow], of
// [pragma.Spec.Measure], of [Config.Tune] and of ctx. What the user should know
// although the work went on is in the model's Warnings.
func Fit(ctx context.Context, train *dataset.Frame, spec pragma.Spec, c Config) (*Model, error) {
	c, err := c.Preferring(spec, train.Classes)
	if err != nil {
		return nil, err
	}
	if c, err = c.measuring(spec, train.Classes); err != nil {
		return nil, err
	}
	grown, table, warnings, err := c.HeldOut(ctx, train)
	if err != nil {
		return nil, err
	}
	how := Provenance{Grown: grownOn(train.Rows(), len(train.Columns), Fingerprint(train), c.Forest).of(train), Folds: c.innerFolds(train), Reading: train.Reading}
	var baselines dataset.Baselines
	baselines.Add(train)
	grown.Schema = baselines.In(grown.Schema)
	return c.finish(ctx, how, sketchOf(train), grown, table.Condense(), spec, warnings)
}

// finish tunes and calibrates on condensed votes of a forest, which may have been counted in parts, and puts the model together.
func (c Config) finish(ctx context.Context, how Provenance, sketch *dataset.Sketch, grown *forest.Forest, table *vote.Table, spec pragma.Spec, warnings []error) (*Model, error) {
	found, err := c.Tune(ctx, table, c.Measure)
	if errors.Is(err, anneal.ErrFloors) && c.AcceptBest {
		found.Warnings, err = append(found.Warnings, err), nil
	}
	if err != nil {
		return nil, err
	}
	if c.Tuned != nil {
		c.Tuned(table)
	}
	maps, notes, err := c.Calibrate(ctx, table)
	if err != nil {
		return nil, err
	}
	how.fitted(c, table, found, maps)
	m := &Model{Forest: grown, Weights: found.Weights, Maps: maps, Spec: spec, Provenance: how, Warnings: slices.Concat(warnings, found.Warnings, notes), sketch: sketch}
	m.index()
	if grown.Nodes() == grown.Trees() {
		m.Warnings = append([]error{errors.New("no tree has a split, so that all rows are decided alike: no feature helps, or leaves are to be larger, or trees less deep, than so many rows allow")}, m.Warnings...)
	}
	return m, nil
}

// measuring returns c with the measure to search for, and its name.
func (c Config) measuring(spec pragma.Spec, classes []string) (Config, error) {
	m, name, err := spec.Default(classes, c.Search.Floors)
	if c.chosen = c.Measure != nil && c.MeasureName == name; c.Measure == nil {
		c.Measure, c.MeasureName = m, name
	}
	c.MeasureName = cmp.Or(c.MeasureName, customMeasure)
	return c, err
}

// Preferring returns c with what the criterion [forest.Pragma] needs to know of spec, unless it has that, or another criterion.
// Errors: those of [pragma.Spec.Resolve].
func (c Config) Preferring(spec pragma.Spec, classes []string) (Config, error) {
	if c.Forest.Criterion != forest.Pragma || c.Forest.Slopes != nil {
		return c, nil
	}
	if c.Measure != nil && len(spec) == 0 {
		return c, fmt.Errorf("%w: the criterion pragma splits by a preference, and there is none beside the measure; give a spec, or choose another criterion", ErrConfig)
	}
	prefs, err := spec.Resolve(classes)
	if err != nil {
		return c, err
	}
	for _, p := range prefs {
		alpha, beta := p.AlphaBeta()
		c.Forest.Slopes = append(c.Forest.Slopes, forest.Slope{Recall: -float64(p.Theta * alpha), Precision: -float64(p.Theta * beta)})
	}
	return c, nil
}

// check refuses settings that would only be noticed after the forest is grown.
func (c Config) check(train *dataset.Frame) error {
	if !slices.Contains([]vote.Source{"", vote.OOB, vote.CV, vote.Train}, c.Votes) {
		return fmt.Errorf("%w: votes %q; choose oob, cv or train", ErrConfig, c.Votes)
	}
	if c.folds() < 2 {
		return fmt.Errorf("%w: %d folds for cv votes; choose 2 or more", ErrConfig, c.Folds)
	}
	if err := c.Forest.CheckKinds(); err != nil {
		return err
	}
	if c.Votes == vote.OOB && c.Forest.LeftOut(drawable(train)) == 0 {
		return fmt.Errorf("%w: there are no oob votes, because the bag of every tree holds all rows; choose cv votes, or smaller bags", ErrConfig)
	}
	return c.checkFit()
}

// checkFit checks how maps are fitted.
func (c Config) checkFit() error {
	if _, err := calib.Parse(string(c.calibration())); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}

// Tune searches the weights on table, or judges those that are given, as Fit does. Where the rows that can be judged are of a
// single class there is nothing to weigh: the weights stay 1, with a warning. Errors: those of [pragma.Costs.Stakes], [anneal.Search.Weights] and [anneal.Search.Judge].
func (c Config) Tune(ctx context.Context, table *vote.Table, measure pragma.Measure) (anneal.Result, error) {
	search := c.Search
	search.AllowTrain = search.AllowTrain || c.Votes == vote.Train
	staked, err := c.Costs.Stakes(table)
	if err != nil {
		return anneal.Result{}, err
	}
	var found anneal.Result
	if c.Weights != nil {
		found, err = search.Judge(ctx, staked, measure, c.Weights(table))
	} else {
		found, err = search.Weights(ctx, staked, measure)
	}
	if !errors.Is(err, anneal.ErrNoRows) {
		return found, err
	}
	k := len(table.Classes)
	ones := slices.Repeat(vote.Weights{1}, k)
	return anneal.Result{
		Weights: ones, Loss: math.NaN(), Plain: math.NaN(), Low: slices.Repeat([]float64{0}, k), High: slices.Repeat([]float64{math.Inf(1)}, k),
		Warnings: []error{fmt.Errorf("the vote weights stay 1 each: %w", err)},
	}, nil
}

// Calibrate fits the maps on table as Fit does. Case weights are taken relative to their mean:
// a map is shrunk by the number of rows, not by the unit of their weights. Where the judged
// rows are of a single class the smoothed shares stay as they are, with a warning. Where no map is wanted, and bags were balanced, the
// shares of the votes are brought back to the shares of the classes, see [calib.ChangePriors]. The second result is what to know of the fit.
// Errors: those of [calib.Method.FitClasses].
func (c Config) Calibrate(ctx context.Context, table *vote.Table) (calib.Set, []error, error) {
	k := len(table.Classes)
	balanced := c.Forest.Bag == forest.Balanced && table.Share != nil && !slices.Contains(table.Share, 0)
	if balanced && c.calibration() == calib.None {
		return unbalanced(table.Share), nil, nil
	}
	rows := calib.Rows{K: k, Workers: c.Search.Workers}
	h := table.Compress()
	mean := meanWeight(h)
	auto := strings.HasPrefix(string(c.calibration()), string(calib.Auto))
	for i, votes := range h.Judged() {
		rows.Share = append(rows.Share, make([]float64, k)...)
		shares(rows.Share[len(rows.Share)-k:], votes, h.Unit())
		if auto { // compares with what is given without maps
			rows.Plain = append(rows.Plain, make([]float64, k)...)
			plain(rows.Plain[len(rows.Plain)-k:], votes, h.Unit())
		}
		rows.Truth = append(rows.Truth, h.Truth[i])
		rows.Weight = append(rows.Weight, h.WeightOf(i)/mean)
	}
	maps, err := c.calibration().FitClasses(ctx, rows)
	if err == nil && balanced && maps.Method == calib.None { // auto has found nothing better
		warnings := maps.Warnings
		maps = unbalanced(table.Share)
		maps.Warnings = warnings
	}
	if len(rows.Truth) == 0 || errors.Is(err, calib.ErrOneClass) {
		note := errors.New("the rows to calibrate on are not of two classes, so vote shares are taken as probabilities; more rows or more trees are needed")
		return Uncalibrated(k), []error{note}, nil
	}
	var notes []error
	for _, w := range maps.Warnings {
		var class *calib.ClassError
		if errors.As(w, &class) {
			w = fmt.Errorf("calibration of class %s: %w", english.Quote(table.Classes[class.Class]), class.Err)
		}
		notes = append(notes, w)
	}
	return maps, notes, err
}

// meanWeight returns the mean case weight of the judged rows that have one above 0.
func meanWeight(table *vote.Table) float64 {
	sum, n := 0.0, 0
	for i := range table.Judged() {
		if w := table.WeightOf(i); w > 0 {
			sum += w
			n += table.TimesOf(i)
		}
	}
	return sum / float64(n)
}

func (c Config) calibration() calib.Method {
	if c.Calibration == "" {
		return calib.Auto
	}
	return c.Calibration
}

// Uncalibrated returns the maps of k classes that take the shares of the votes as probabilities.
func Uncalibrated(k int) calib.Set {
	if k == 2 {
		k = 1
	}
	return calib.Set{Maps: slices.Repeat([]calib.Map{calib.Identity{}}, k), Method: calib.None}
}

// shares writes into dst (len k) the smoothed share of the votes for each class, see
// [calib.Smooth], where unit counts make one vote, see [vote.Table.Unit].
func shares(dst []float64, votes []uint32, unit float64) {
	total := float64(vote.Total(votes)) / unit
	for c, v := range votes {
		dst[c] = calib.Smooth(float64(v)/unit, total)
	}
}
