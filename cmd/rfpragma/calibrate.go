package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/pragma"
)

func (p *program) calibrateCommand() *cli.Command {
	return &cli.Command{
		Name:      "calibrate",
		Usage:     "map the votes of a saved model, or the scores of any other, to probabilities",
		ArgsUsage: "SCORES.csv, MAP.json SCORES.csv, or MODEL.rfp DATA",
		Description: `  rfpragma calibrate scores.csv --positive ill -o map.json    fit a map, and say what it is worth
  rfpragma calibrate map.json more.csv -o probabilities.csv   apply it
  rfpragma calibrate model.rfp later.csv -o new.rfp           other maps, the same trees and weights

SCORES.csv has a column with the true class and either one column of scores, which rise with the
probability of the class --positive, or one for each class, named as the class is, from 0 on. Other
columns are left out by --ignore. The scores are those of rows that the model has not seen:

  class,score
  ill,2.31
  well,-0.4

What rfpragma tally counts is read too, and lines that stand for several rows, by a column count.
A map writes the row (or --id) and probability_CLASS of each class, as CSV or by --format json.

R:      p <- predict(model, later, type = "response")
        write.csv(data.frame(class = later$class, score = p), "scores.csv", row.names = FALSE)
Python: s = cross_val_predict(model, X, y, cv=10, method="decision_function")
        pandas.DataFrame({"class": y, "score": s}).to_csv("scores.csv", index=False)`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "target", DefaultText: "class, or as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			&cli.StringFlag{Name: "positive", DefaultText: "1, yes or true", Category: "Data", Usage: "`LABEL` of high scores, against the rest"},
			mergeFlag(),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "`FILE` to write: the map, the probabilities, or the model"},
			&cli.StringFlag{Name: "calibrate", Value: "auto", Category: "Fitting", Usage: "`MAP`: platt, isotonic, beta, auto, ...; see help maps"},
			&cli.IntFlag{Name: "folds", Value: 10, Category: "Fitting", Usage: "`FOLDS` of the cross-validation that judges the map"},
		}, newDataFlags(), runFlags(allForms)),
		Action: p.calibrate,
	}
}

func (p *program) calibrate(c *cli.Context) error {
	form, err := resultForm(c)
	if err != nil {
		return err
	}
	method, err := parseMap(c)
	if err != nil {
		return err
	}
	if folds := c.Int("folds"); folds < 2 {
		return usagef("--folds %d; choose 2 or more", folds)
	}
	args, err := arguments(c, 1, 2)
	if err != nil {
		return err
	}
	to := c.String("output")
	if len(args) == 2 {
		isMap, err := startsWith(c.Context, args[0], "{")
		if err != nil {
			return err
		}
		if isMap {
			return p.applyMap(c, args[0], args[1], to)
		}
		if err := swapped(c, args, "{", "the map"); err != nil {
			return err
		}
		return p.recalibrate(c, args, method, to, form)
	}
	if err := p.mayWrite(c, "output", mapProduct); err != nil {
		return err
	}
	frame, err := p.readScores(c, args[0])
	if err != nil {
		return err
	}
	s, err := newScores(frame, c.String("positive"), called(args[0]))
	if err != nil {
		if len(frame.Columns) > 1 {
			err = fmt.Errorf("%w%s", err, withModel(c))
		}
		return err
	}
	if _, typed := p.typed["positive"]; typed && s.score == "" {
		return usagef("--positive is for a single column of scores, and %s has one for each class; leave it out", called(args[0]))
	}
	for _, class := range s.classes[len(frame.Classes):] {
		p.warn([]error{fmt.Errorf("%s: no row is of class %s, which has a column; if it is no class, have the column ignored with --ignore", called(args[0]), english.Quote(class))})
	}
	fitted, judged, err := p.fitMaps(c, s.calibration(method), frame)
	if err != nil {
		return err
	}
	if to != "" {
		file := mapFile{SchemaVersion: schemaVersion, Kind: mapKind, Classes: s.classes, Score: s.score, Votes: s.votes, Trees: s.trees, Method: string(fitted.Method), Maps: fitted}
		if err := p.writeTo(c.Context, to, file.write); err != nil {
			return err
		}
		if to != "-" {
			p.say("Map written to %s.", p.written(to))
		}
	}
	if to == "-" {
		return nil
	}
	shown := calibrated{called(args[0]), frame, method, fitted.Method, judged, "raw", false}
	return shown.show(p, form)
}

// startsWith reports whether a file begins with a text.
func startsWith(ctx context.Context, path, text string) (bool, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	b := make([]byte, len(text))
	if _, err := io.ReadFull(f, b); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return string(b) == text, nil
}

// recalibrate fits the maps of a saved model anew, on rows it has not seen.
func (p *program) recalibrate(c *cli.Context, args []string, method calib.Method, to, form string) error {
	if to == "" || to == "-" {
		return usagef("--output is missing; name the model file to write, such as -o new.rfp")
	}
	if err := p.mayWrite(c, "output", modelProduct); err != nil {
		return err
	}
	workers, err := p.threads(c)
	if err != nil {
		return err
	}
	in, err := p.toTune(c, args, workers)
	if err != nil {
		return err
	}
	m, err := in.model.Recalibrate(c.Context, in.frame, in.table, method)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	p.warn(m.Warnings)
	frame := &dataset.Frame{Classes: in.table.Classes, Truth: in.table.Truth, UnknownLabels: in.frame.UnknownLabels, Weight: in.table.Weight, Group: in.frame.Group, Reading: in.frame.Reading}
	job := calibration{classes: in.table.Classes, truth: in.table.Truth, raw: func(dst []float64, i int) { in.model.Probabilities(dst, in.table.Votes(i)) }}
	if prefs, err := m.Spec.Resolve(m.Classes()); err == nil && len(prefs) == 2 {
		job.other = 1 - pragma.MattersMore(m.Forest.TieOrder(), prefs)
	}
	job.fit = func(ctx context.Context, rows []int, _ int) (calib.Set, []error, error) {
		part, err := in.model.Recalibrate(ctx, nil, in.table.Take(rows), method)
		if err != nil {
			return calib.Set{}, nil, err
		}
		return part.Maps, part.Warnings, nil
	}
	job.apply = func(maps calib.Set, dst []float64, i int) {
		rfpragma.Probabilities(maps, dst, in.table.Votes(i), in.table.Unit())
	}
	judged, err := job.judge(p, c, frame)
	if err != nil {
		return err
	}
	_, again := in.model.FittedOn(in.frame)
	shown := calibrated{in.name, frame, method, calib.Method(m.Provenance.Calibration), judged, "before", again || in.model.Provenance.MapData == "" && in.model.TrainedOn(in.frame)}
	if !shown.flattered {
		p.warn(shown.worse(args[0]))
	}
	was, err := p.replace(c.Context, m, to)
	if err != nil {
		return err
	}
	p.say("Model with these maps written to %s%s.", to, was)
	return shown.show(p, form)
}

// calibration is what is fitted and judged: scores or votes of rows.
type calibration struct {
	classes []string
	truth   []int
	other   int // of two classes the one that is not judged: it has the complement
	fit     func(ctx context.Context, rows []int, workers int) (calib.Set, []error, error)
	apply   func(maps calib.Set, dst []float64, i int)
	raw     func(dst []float64, i int) // the probabilities without new maps; nil where scores are none
}

// fitMaps fits on all rows, and judges the fit by cross-validation.
func (p *program) fitMaps(c *cli.Context, job calibration, frame *dataset.Frame) (fitted calib.Set, judged crossJudged, err error) {
	all := make([]int, frame.Rows())
	for i := range all {
		all[i] = i
	}
	workers, err := p.threads(c)
	if err != nil {
		return fitted, judged, err
	}
	fitted, notes, err := job.fit(c.Context, all, workers)
	if err != nil {
		return fitted, judged, err
	}
	p.warn(notes)
	judged, err = job.judge(p, c, frame)
	return fitted, judged, err
}

// crossJudged is what cross-validation says of maps.
type crossJudged struct {
	of          map[string]eval.Judged // by class, of two classes of one
	raw, mapped float64                // log loss of all classes together; raw is NaN where scores are no probabilities
}

// judge fits maps without each fold in turn, and judges what they say of it.
func (job calibration) judge(p *program, c *cli.Context, frame *dataset.Frame) (judged crossJudged, err error) {
	folds, most, of := c.Int("folds"), frame.MostFolds(), "rows"
	if !c.IsSet("folds") {
		folds = min(folds, most)
	}
	if frame.Group != nil {
		of = "groups"
	}
	if folds < 2 || folds > most {
		return judged, usagef("--folds %d; choose 2 to the number of %s, %d", folds, of, most)
	}
	foldOf, err := dataset.Folds(frame, folds, c.Uint64("seed"))
	if err != nil {
		return judged, err
	}
	workers, err := p.threads(c)
	if err != nil {
		return judged, err
	}
	raw, calibrated, truth, err := job.cross(c.Context, foldOf, folds, workers)
	if err != nil {
		return judged, err
	}
	k := len(job.classes)
	judged.of, judged.raw, judged.mapped = map[string]eval.Judged{}, math.NaN(), calib.LogLoss(calibrated, truth, frame.Weight, k)
	if job.raw != nil {
		judged.raw = calib.LogLoss(raw, truth, frame.Weight, k)
	}
	for class, name := range job.classes {
		if k == 2 && class == job.other {
			continue
		}
		var j eval.Judged
		if j.Calibrated, err = eval.Judge(calibrated, truth, frame.Weight, k, class); err != nil {
			return judged, err
		}
		if job.raw != nil {
			if j.Raw, err = eval.Judge(raw, truth, frame.Weight, k, class); err != nil {
				return judged, err
			}
		}
		judged.of[name] = j
	}
	return judged, nil
}

// cross fits maps without each fold in turn, several at the same time, and returns what is said of the fold without maps and with them,
// n·k each, and the classes of the rows that can be judged: those of a fold without which no map can be fitted are −1.
func (job calibration) cross(ctx context.Context, foldOf []int, folds, workers int) (raw, calibrated []float64, truth []int, err error) {
	k := len(job.classes)
	raw, calibrated, truth = make([]float64, len(foldOf)*k), make([]float64, len(foldOf)*k), slices.Clone(job.truth)
	next := 0
	err = parallel.Ordered(workers,
		func(fold *int) error {
			*fold = next
			if next++; *fold == folds {
				return io.EOF
			}
			return ctx.Err()
		},
		func(fold *int) error {
			inside, outside := dataset.SplitFold(foldOf, *fold)
			maps, _, err := job.fit(ctx, inside, 1)
			oneClass := errors.Is(err, calib.ErrOneClass)
			if err != nil && !oneClass {
				return err
			}
			for _, i := range outside {
				if oneClass {
					truth[i] = -1
					continue
				}
				job.apply(maps, calibrated[i*k:i*k+k], i)
				if job.raw != nil {
					job.raw(raw[i*k:i*k+k], i)
				}
			}
			return nil
		},
		func(*int) error { return nil })
	return raw, calibrated, truth, err
}

// calibrateResult is what calibrate writes as JSON.
type calibrateResult struct {
	heading
	Data          dataInfo               `json:"data"`          // the rows
	Method        string                 `json:"method"`        // what was fitted, for auto what it picked
	Probabilities map[string]eval.Judged `json:"probabilities"` // by class, of two classes for one, before and after the map
	remarks
}

// calibrated is what a calibration has come to.
type calibrated struct {
	name   string
	frame  *dataset.Frame
	asked  calib.Method
	method calib.Method // what was fitted
	judged crossJudged
	before string // what the figures without these maps are called

	flattered bool // they are of maps that were fitted on the rows
}

// worse warns where the maps that the model of that name has do better on the rows than the new ones.
func (s *calibrated) worse(model string) []error {
	before, after := fixed(s.judged.raw, 4), fixed(s.judged.mapped, 4)
	if !(s.judged.mapped > s.judged.raw) || after == before {
		return nil
	}
	return []error{fmt.Errorf("by cross-validation the new maps do worse on these rows than those that the model has: log loss %s instead of %s; to go on with the old ones use %s",
		after, before, called(model))}
}

// words says which map was fitted and what it does.
func (s *calibrated) words() []string {
	which, among := fmt.Sprintf("The map is %s.", s.method), ""
	if s.before == "before" {
		among = " among new ones"
	}
	switch {
	case s.method == calib.None && s.asked == calib.None:
		which = "No map is fitted, as you asked."
	case s.method == calib.None:
		which = fmt.Sprintf("No map is fitted: by cross-validation none that %s tries is proven to do better than no map.", s.asked)
	case s.asked != s.method:
		which = fmt.Sprintf("The map is %s, which %s has picked by cross-validation%s.", s.method, s.asked, among)
	}
	words := []string{which}
	if s.asked != calib.None {
		words[0] += " " + s.figures()
	}
	if s.before == "before" {
		words = append(words, "\"Before\" is what the model says with the maps that it has.")
	}
	if s.flattered {
		words[1] += " They were fitted on these very rows, which flatters them."
	}
	return words
}

// figures says what the figures are of and, as those of several classes are each of one, what they come to.
func (s *calibrated) figures() string {
	too, raw, why := "", "", ""
	if s.asked != s.method {
		too, why = ", too", fmt.Sprintf("; %s goes by that", s.asked)
	}
	if !math.IsNaN(s.judged.raw) {
		raw = fmt.Sprintf(", %s %s", s.before, fixed(s.judged.raw, 4))
	}
	text := fmt.Sprintf("The figures above are by cross-validation%s: of rows that the maps have not seen.", too)
	if len(s.judged.of) < 2 {
		return text
	}
	return text + fmt.Sprintf(" The log loss of all classes together is %s%s%s.", fixed(s.judged.mapped, 4), raw, why)
}

func (s *calibrated) show(p *program, form string) error {
	var shown []string
	for _, class := range s.frame.Classes {
		if _, ok := s.judged.of[class]; ok {
			shown = append(shown, class)
		}
	}
	switch form {
	case "json":
		return p.writeJSON(calibrateResult{heading{schemaVersion, "calibrate"}, describe(s.name, s.frame), string(s.method), s.judged.of, p.remarks(s.words())})
	case "csv":
		return p.probabilitiesCSV(shown, s.judged.of)
	}
	to := p.page(form)
	to.say(fmt.Sprintf("%s: %s, %s%s", s.name, weighedRows(s.frame.Rows(), s.frame.Weight), classShares(s.frame.Classes, s.frame.ClassWeights()), unjudged(describe(s.name, s.frame))))
	showProbabilities(to.table, to, shown, s.judged.of, s.before)
	to.say(s.words()...)
	return nil
}
