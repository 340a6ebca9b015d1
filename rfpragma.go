// Package rfpragma makes decisions on rare and costly classes with a random forest.
//
// [Fit] leads from the data to a model:
//
//	Frame ── forest.Grow ──┬── Forest ────────────────────────────┐
//	                       └── Table of raw votes ──┬── Maps ─────┤
//	Spec ── Measure ─────────── anneal.Search ──────┴── Weights ──┴── Model ── file
//
// A forest is grown once, and the votes of trees that did not see a row are kept. On these votes Fit searches
// the class vote weights that are best for the user's [pragma.Spec], and fits maps from votes to calibrated
// probabilities. The [Model] holds all of this and is saved as one file. [CrossValidate] says what to expect of
// it on new data.
//
// # A program
//
//	frame, err := dataset.ReadCSV(file, "data.csv", dataset.Options{Target: "class"})
//	spec := pragma.Spec{"fraud": pragma.Find()} // what is wanted
//	report, err := rfpragma.CrossValidate(ctx, frame, spec, rfpragma.Config{}, eval.Config{})
//	for _, f := range assess.Findings(&assess.Subject{Report: report, Frame: frame}) { // what it means
//		fmt.Println(f.Code, f.Grade, say.About(report.Goal).Sentence(&f))
//	}
//	model, err := rfpragma.Fit(ctx, frame, spec, rfpragma.Config{})
//	err = model.Save("model.rfp")
//
// Package assess says what a report means, as values, and package say puts these into words.
//
// Where decisions are made, call [Load] once. For each row [Model.Row] takes cells by their names, as of JSON, and
// [Model.Predict] decides, from any number of goroutines. When what is wanted changes, [Model.Retune] finds other
// weights for the same trees.
//
// # The parts alone
//
// Each part can be used without the others. Package anneal tunes the votes of any model (see the example
// OwnVotes), package calib maps its scores to probabilities and judges them, package eval cross-validates any
// learner, and any function of a confusion matrix can be a measure (see the example OwnMeasure).
// [Config.HeldOut], [Config.Tune] and [Config.Calibrate] are the steps of Fit.
//
// # What does not fit
//
// In this package and in vote, pragma, anneal, calib and eval, arguments that do not go together, such as votes for
// other classes or slices of other lengths, are an error where a function returns one. Where it does not, its result
// says so: NaN, -1 for a class, nil, or no rows. Only a nil receiver and a nil context panic. The zero value of a type
// that is made by a function, such as [Model], [Part], [Tally] and [Prepared], is refused in the same way.
//
// Models, votes and weights depend only on the data, the settings and the seed, never on the number of threads
// or the machine.
package rfpragma

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/ranked"
	"github.com/rfpragma/rfpragma/internal/sketch"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Config says how a model is fitted. The zero value is ready to use.
type Config struct {
	Forest forest.Config // how the trees are grown
	// TuneForest chooses the settings of the forest that do best on held-out votes: leaf size, mtry, soft votes,
	// random cuts and criterion, as far as Forest leaves them at their zero values. Settings are judged by
	// calibrated log loss and, where that tells them not apart, by the measure; the given ones stay unless others
	// are better by a standard error. [CrossValidate] chooses in each training part anew. "" is [TuneQuick] from 200
	// trees on, and [TuneOff] below.
	TuneForest TuneForest
	// Chosen, if not nil, is called when TuneForest has chosen settings.
	Chosen      func(settings forest.Config, how ForestChoice)
	choice      *ForestChoice // what came of TuneForest
	Search      anneal.Search // how the weights are searched
	Calibration calib.Method  // how votes become probabilities; "" means calib.Auto

	// CalibrateWeighted fits the maps on the votes multiplied by the weights found, not on the votes themselves. The
	// model keeps these weights with its maps, so later weights change no probability. For two classes it changes
	// nothing where a map has an offset to the log odds, or looks at the order alone; see docs/mathematics.md.
	// [Config.Calibrate] alone knows no weights, and takes the votes.
	CalibrateWeighted bool
	mapWeights        vote.Weights // what Calibrate multiplies the votes by; nil means 1 each

	Measure pragma.Measure // what the weights are searched for; nil means the spec's PRAGMA, see pragma.Spec.Default
	// name of Measure, see Model.Measure; "" means that of the default or, with a Measure, "custom"
	MeasureName string
	Costs       pragma.Costs // the costs behind the measure "cost"; without a matrix there are none
	// ByCost has a row decided by the least expected cost under its calibrated probabilities, see
	// [pragma.Costs.Decide], instead of by vote weights: so a matrix counts with all its costs, and the amount of each
	// row with its own. It needs Costs, whose measure is the default then, and goes with neither floors nor Weights.
	ByCost bool
	chosen bool // whether Measure was given, though it is the default

	// Weights returns the weights to use for the votes t instead of those of a search, such as [vote.Prior] of
	// t.Share; nil means to search.
	Weights func(t *vote.Table) vote.Weights

	// Tuned, if not nil, is called after the weights are found, with the votes that they were searched on,
	// condensed, see [vote.Table.Condense], and carried over to all trees, see [vote.Table.Predictive].
	Tuned func(votes *vote.Table, found anneal.Result)

	// Trained is when the training takes place, for the record of the model, see [Provenance], with the version of
	// this module. The zero time records neither, so that the same training gives the same bytes whenever it runs.
	Trained time.Time

	// AcceptBest makes floors that cannot be reached a warning, and takes the weights that come nearest; else
	// they are the error anneal.ErrFloors.
	AcceptBest bool

	Sure     Sure        // how surely the floors of Search are to hold on new rows; the zero value asks for nothing
	Scores   bool        // keeps in the model what [Model.Score] needs
	Review   Review      // which rows a person is to look at; the zero value has all rows decided
	kept     *vote.Table // votes for the rows that Sure keeps apart; nil for none
	heaviest float64     // what no row or group weighs more than, see risk.Control

	// Votes says on which votes weights and maps are fitted: vote.OOB, vote.CV or, to see why not, vote.Train.
	//
	// "" means OOB from 200 trees on and CV below, since a row is out of bag in only a third of the trees, and
	// 7 of 20 votes are too few to place a cut. If bags leave out fewer rows, OOB takes more trees; if they
	// leave out none, it means CV. If the frame has groups, it means CV: a bag is drawn by row, so the trees
	// that leave a row out have seen the others of its group.
	//
	// If the frame has times and no groups, "" means vote.Forward, which cannot be asked for otherwise: the
	// rows are divided into blocks, see [dataset.Frame.Blocks], and each block but the first is voted on by a
	// forest grown on the blocks before it, as new rows are by the model. Times are ignored here if all rows
	// are of one time, or if the blocks to judge have rows of a single class.
	Votes vote.Source
	Folds int // folds of the CV votes, or blocks of vote.Forward that are judged; 0 means 5

	// Grown, if not nil, is called with the out-of-bag votes of the forest, whichever votes the weights are
	// searched on.
	Grown func(oob *vote.Table)

	// Withhold reports for each row whether the model's decision is withheld, for example because the row lacks
	// too much, see [Model.MissingCells]; nil means that none is. [CrossValidate] then judges only the other rows: the
	// withheld ones are of no known class in the votes of a fold that it hands on. Fitting does not depend on
	// it.
	Withhold func(m *Model, rows *dataset.Frame) ([]bool, error)
}

// Fit grows a forest on train, finds the class vote weights with the lowest measure, and fits the maps from
// shares of votes to probabilities. Classes that the spec does not name take [pragma.Neutral], and
// those with [pragma.Find] the numbers that follow from their share of the rows. The model depends only on the
// arguments, never on the number of workers. What the user should know although the work went on is in the model's
// Warnings.
//
// Errors: [ErrConfig] for a setting that is not valid, such as a measure of other classes, see
// [pragma.CheckMeasure]; [risk.ErrUnsure] if c.Sure asks for more than the rows can show; those of [forest.Grow],
// [pragma.Spec.Measure],
// [Config.Tune] and ctx.
func Fit(ctx context.Context, train *dataset.Frame, spec pragma.Spec, c Config) (*Model, error) {
	if err := checkTraining(train); err != nil {
		return nil, err
	}
	if err := c.checkSlices(train); err != nil {
		return nil, err
	}
	return c.fit(ctx, train, spec)
}

// fit is [Fit] on rows that are checked, or on a part of such, which may have few rows of each class.
func (c Config) fit(ctx context.Context, train *dataset.Frame, spec pragma.Spec) (*Model, error) {
	spec = spec.For(train.Classes, train.ClassWeights())
	c, err := c.Preferring(spec, train.Classes)
	if err != nil {
		return nil, err
	}
	if c, err = c.measuring(spec, train.Classes); err != nil {
		return nil, err
	}
	c, train, kept, err := c.apart(train)
	if err != nil {
		return nil, err
	}
	if c, err = c.tuned(ctx, train); err != nil {
		return nil, err
	}
	grown, table, warnings, err := c.HeldOut(ctx, train)
	if err != nil {
		return nil, err
	}
	if kept != nil {
		if c.kept, err = grown.Votes(ctx, kept, c.Forest.Workers); err != nil {
			return nil, err
		}
		if c.kept, err = tables.Slice(c.kept, kept, pragma.Slices(c.Search.Floors)); err != nil {
			return nil, err
		}
	}
	how := Provenance{Grown: grownOn(train.Rows(), len(train.Columns), Fingerprint(train), c.Forest).of(train),
		Folds: c.innerFolds(train), Reading: train.Reading}
	var baselines dataset.Baselines
	baselines.Add(train)
	grown.Schema = baselines.In(grown.Schema)
	return c.finish(ctx, how, sketchOf(train), grown, table.Condense(), spec, warnings)
}

// checkSlices refuses floors of slices that no row is in.
func (c Config) checkSlices(rows *dataset.Frame) error {
	if err := tables.CheckSlices(rows, pragma.Slices(c.Search.Floors)); err != nil {
		return fmt.Errorf(option.Text("%w: {require}: %w"), ErrConfig, err)
	}
	return nil
}

// checkFrame refuses a frame that is nil or not sound.
func checkFrame(f *dataset.Frame) error {
	if f == nil {
		return fmt.Errorf("%w: there are no rows; give a frame", ErrConfig)
	}
	return f.Check()
}

// When labels are none of classes: there are so many, each of less than two rows on average.
const manyClasses = 30

// checkTraining refuses what checkFrame does, and rows of which nearly each is of a class of its own: nothing can be
// learnt of these.
func checkTraining(f *dataset.Frame) error {
	if err := checkFrame(f); err != nil || len(f.Classes) <= manyClasses {
		return err
	}
	classes, rows := 0, 0
	of := make([]int, len(f.Classes))
	for _, c := range f.Truth {
		if c >= 0 {
			rows++
			if of[c]++; of[c] == 1 {
				classes++
			}
		}
	}
	if classes <= manyClasses || 2*classes <= rows {
		return nil
	}
	return fmt.Errorf("%w: the %d labelled rows are of %d classes, so nearly every row is a class of its own; name "+
		"another column as that of the labels, or make fewer classes of it, such as ranges of a number", ErrConfig,
		rows, classes)
}

// checkBare is checkFrame for rows that need no columns.
func checkBare(f *dataset.Frame) error {
	if f == nil || len(f.Columns) > 0 {
		return checkFrame(f)
	}
	bare := *f
	bare.Columns = []dataset.Column{{Values: make([]float64, f.Rows())}}
	return bare.Check()
}

// finish tunes and calibrates on condensed votes of a forest, which may have been counted in parts, and puts the
// model together.
func (c Config) finish(ctx context.Context, how Provenance, sketch *sketch.Sketch, grown *forest.Forest,
	table *vote.Table, spec pragma.Spec, warnings []error) (*Model, error) {
	tuned := tables.Predictive(table)
	found, err := c.Tune(ctx, tuned, c.Measure)
	if found, err = c.heedFloors(found, err); err != nil {
		return nil, err
	}
	if found, how.Guarantee, err = c.assured(ctx, tuned, c.kept, found); err != nil {
		return nil, err
	}
	if found, how.Review, err = c.reviewed(ctx, tuned, found); err != nil {
		return nil, err
	}
	if c.Tuned != nil {
		c.Tuned(tuned, found)
	}
	maps, notes, err := c.mapping(found.Weights).Calibrate(ctx, table)
	if err != nil {
		return nil, err
	}
	how.fitted(c, tuned, found, maps)
	m := &Model{Forest: grown, Weights: found.Weights, Maps: maps, Spec: spec, Provenance: how,
		Warnings: slices.Concat(warnings, found.Warnings, notes), sketch: sketch}
	if c.Scores {
		if m.ranks, err = ranked.Classes(tuned); err != nil {
			return nil, err
		}
	}
	m.index()
	if c.ByCost {
		m.Warnings = slices.Concat(warnings, fewVoted(table), notes) // those of the weights are of no decision
		if err := m.judge(tuned, c.Measure); err != nil {
			return nil, err
		}
	}
	if grown.Nodes() == grown.Trees() {
		m.Warnings = append([]error{errors.New(
			"no tree has a split, so that all rows are decided alike: no feature helps, or leaves are to be larger, or trees " +
				"less deep, than so many rows allow")}, m.Warnings...)
	}
	return m, nil
}

// measuring returns c with the measure to search for, and its name.
func (c Config) measuring(spec pragma.Spec, classes []string) (Config, error) {
	m, name, err := spec.Default(classes, c.Search.Floors)
	c.chosen = c.Measure != nil && c.MeasureName == name
	if c.ByCost && err == nil {
		if err := c.checkByCost(classes); err != nil {
			return c, err
		}
		m, err = c.Costs.Measure()
		name = costMeasure
	}
	if c.Measure == nil {
		c.Measure, c.MeasureName = m, name
	}
	c.MeasureName = cmp.Or(c.MeasureName, customMeasure)
	if err == nil {
		err = c.checkReview(classes)
	}
	if err == nil {
		if err = pragma.CheckMeasure(pragma.Within(c.Measure, c.Search.Floors...), len(classes)); err != nil {
			err = fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	if n := len(c.Costs.Matrix); err == nil && n != 0 && n != len(classes) {
		err = fmt.Errorf("%w: Costs are of %d classes, where there are %d; give a cost for each decision", ErrConfig, n,
			len(classes))
	}
	return c, err
}

// Preferring returns c with Forest.Slopes derived from spec if the criterion is [forest.Pragma] and has none;
// else it returns c as it is. Errors: [ErrConfig] if c has a Measure and spec is empty; those of
// [pragma.Spec.Resolve].
func (c Config) Preferring(spec pragma.Spec, classes []string) (Config, error) {
	if c.Forest.Criterion != forest.Pragma || c.Forest.Slopes != nil {
		return c, nil
	}
	if c.Measure != nil && len(spec) == 0 {
		return c, fmt.Errorf("%w: the criterion pragma splits by a preference, and there is none beside the measure; give "+
			"a spec, or choose another criterion", ErrConfig)
	}
	prefs, err := spec.Resolve(classes)
	if err != nil {
		return c, err
	}
	for _, p := range prefs {
		alpha, beta := p.AlphaBeta()
		c.Forest.Slopes = append(c.Forest.Slopes, forest.Slope{Recall: -float64(p.Theta * alpha),
			Precision: -float64(p.Theta * beta)})
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
	grown, err := c.Forest.Proportional(train)
	if err != nil {
		return err
	}
	if c.Votes == vote.OOB && grown.LeftOut(drawable(train)) == 0 {
		return fmt.Errorf("%w: there are no oob votes, because the bag of every tree holds all rows; choose cv votes, or "+
			"smaller bags", ErrConfig)
	}
	return c.checkFit()
}

// checkFit checks how maps are fitted, and when.
func (c Config) checkFit() error {
	if at := c.Trained.UTC(); !c.Trained.IsZero() && !isTime(at.Format(time.RFC3339)) {
		return fmt.Errorf("%w: Trained is in the year %d; give a time of the years 0 to 9999", ErrConfig, at.Year())
	}
	if _, err := calib.Parse(string(c.calibration())); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}

// Tune searches the weights on table as [Fit] does, or judges those that c.Weights gives. Out-of-bag votes are
// carried over to all trees first, see [vote.Table.Predictive]. If the rows that can be judged are of a single
// class there is nothing to weigh: the weights stay 1, with a warning. Errors: those of [vote.Table.Check],
// [pragma.Costs.Stakes], [anneal.Search.Weights] and [anneal.Search.Judge].
func (c Config) Tune(ctx context.Context, table *vote.Table, measure pragma.Measure) (anneal.Result, error) {
	found, err := c.search(ctx, table, measure)
	if !errors.Is(err, anneal.ErrNoRows) {
		return found, err
	}
	k := len(table.Classes)
	ones := slices.Repeat(vote.Weights{1}, k)
	return anneal.Result{
		Weights: ones, Loss: math.NaN(), Plain: math.NaN(), Low: slices.Repeat([]float64{0}, k),
		High:     slices.Repeat([]float64{math.Inf(1)}, k),
		Warnings: []error{fmt.Errorf("the vote weights stay 1 each: %w", err)},
	}, nil
}

// search searches the weights, or judges those that c.Weights gives.
func (c Config) search(ctx context.Context, table *vote.Table, measure pragma.Measure) (anneal.Result, error) {
	if err := table.Check(); err != nil {
		return anneal.Result{}, err
	}
	search := c.Search
	search.AllowTrain = search.AllowTrain || c.Votes == vote.Train
	staked, err := c.Costs.Stakes(tables.Predictive(table))
	if err != nil {
		return anneal.Result{}, err
	}
	if c.Weights != nil {
		return search.Judge(ctx, staked, measure, c.Weights(table))
	}
	return search.Weights(ctx, staked, measure)
}

// mapping returns c with the weights w for its maps, if they are to be fitted on weighted votes.
func (c Config) mapping(w vote.Weights) Config {
	if c.CalibrateWeighted {
		c.mapWeights = w
	}
	return c
}

// Calibrate fits the maps on table as [Fit] does; the second result holds warnings of the fit. Case weights are
// divided by their mean, so that a map is shrunk by the number of rows and not by the unit of their weights. If the
// judged rows are of a single class, shares of votes stay the probabilities, see [Uncalibrated], with a warning. If
// no map is wanted and bags drew more of some classes than of others, the shares of the votes are shifted back to
// the shares of the classes, see [calib.ChangePriors]. Errors: those of [vote.Table.Check] and
// [calib.Method.FitClasses].
func (c Config) Calibrate(ctx context.Context, table *vote.Table) (calib.Set, []error, error) {
	if err := table.Check(); err != nil {
		return calib.Set{}, nil, err
	}
	k, order := len(table.Classes), table.TieOrder()
	stands := c.undrawn(table)
	if stands != nil && c.calibration() == calib.None {
		return unbalanced(stands, order), nil, nil
	}
	rows := calib.Rows{K: k, Order: order, Workers: c.Search.Workers, VoteWeights: c.mapWeights}
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
	if err == nil && stands != nil && maps.Method == calib.None { // auto has found nothing better
		warnings := maps.Warnings
		maps = unbalanced(stands, order)
		maps.Warnings = warnings
	}
	if len(rows.Truth) == 0 || errors.Is(err, calib.ErrOneClass) {
		note := errors.New("the rows to calibrate on are not of two classes, so vote shares are taken as probabilities; " +
			"more rows or more trees are needed")
		return Uncalibrated(order), []error{note}, nil
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

func (c Config) calibration() calib.Method {
	return cmp.Or(c.Calibration, calib.Auto)
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
