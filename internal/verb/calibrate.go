package verb

import (
	"context"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/resultcsv"
	"github.com/rfpragma/rfpragma/internal/scores"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

func calibrateCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
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
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "class, or as in training", Category: "Data",
				Usage: "`COLUMN` of the labels"},
			&urfave.StringFlag{Name: "positive", DefaultText: "1, yes or true", Category: "Data",
				Usage: "`LABEL` of high scores, against the rest"},
			cli.MergeFlag(),
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "`FILE` to write: the map, the probabilities, or the model"},
			&urfave.StringFlag{Name: "calibrate", Value: "auto", Category: "Fitting",
				Usage: "`MAP`: platt, isotonic, beta, auto, ...; see help maps"},
			&urfave.IntFlag{Name: "folds", Value: 10, Category: "Fitting",
				Usage: "`FOLDS` of the cross-validation that judges the map"},
		}, cli.NewDataFlags(), cli.RunFlags(view.AllForms)),
		Action: func(c *urfave.Context) error { return calibrate(p, c) },
	}
}

func calibrate(p *cli.Program, c *urfave.Context) error {
	form, err := cli.ResultForm(c)
	if err != nil {
		return err
	}
	method, err := cli.ParseMap(c)
	if err != nil {
		return err
	}
	if folds := c.Int("folds"); folds < 2 {
		return cli.Usagef("--folds %d; choose 2 or more", folds)
	}
	args, err := cli.Arguments(c, 1, 2)
	if err != nil {
		return err
	}
	to := c.String("output")
	if len(args) == 2 {
		isMap, err := cli.StartsWith(c.Context, args[0], "{")
		if err != nil {
			return err
		}
		if isMap {
			return applyMap(p, c, args[0], args[1], to)
		}
		if err := cli.SwappedArguments(c, args, "{", "the map"); err != nil {
			return err
		}
		return recalibrate(p, c, args, method, to, form)
	}
	return calibrateScores(p, c, args[0], method, form)
}

// calibrateScores fits a map from the scores in a file.
func calibrateScores(p *cli.Program, c *urfave.Context, file string, method calib.Method, form string) error {
	if err := p.MayWrite(c, "output", cli.MapProduct); err != nil {
		return err
	}
	frame, err := readScores(p, c, file)
	if err != nil {
		return err
	}
	name, to := cli.InputName(file), c.String("output")
	s, err := scores.New(frame, c.String("positive"), name)
	if err != nil {
		if len(frame.Columns) > 1 {
			err = fmt.Errorf("%w%s", err, withModel(c))
		}
		return err
	}
	if _, typed := p.Typed["positive"]; typed && s.Column == "" {
		return cli.Usagef("--positive is for a single column of scores, and %s has one for each class; leave it out",
			name)
	}
	for _, class := range s.Classes[len(frame.Classes):] {
		p.Warn([]error{fmt.Errorf("%s: no row is of class %s, which has a column; if it is no class, have the column "+
			"ignored with --ignore", name, english.Quote(class))})
	}
	said := s.Directions(name)
	p.Warn(said)
	fitted, notes, judged, err := fitMaps(p, c, s.Calibration(method), frame)
	if err != nil {
		return err
	}
	p.Warn(s.Named(notes, said))
	if to != "" {
		file := scores.Map{SchemaVersion: scores.Version, Kind: scores.Kind, Classes: s.Classes, Score: s.Column,
			Votes: s.Votes, Trees: s.Trees, Range: s.Range, Method: string(fitted.Method), Maps: fitted}
		if err := p.WriteTo(c.Context, to, file.Write); err != nil {
			return err
		}
		if to != "-" {
			p.Say("Map written to %s.", p.Written(to))
		}
	}
	if to == "-" {
		return nil
	}
	shown := view.Calibrated{Name: name, Frame: frame, Asked: method, Method: fitted.Method, Judged: judged,
		Before: "raw", Flattered: false}
	return show(&shown, p, form)
}

// recalibrate fits the maps of a saved model anew, on rows it has not seen.
func recalibrate(p *cli.Program, c *urfave.Context, args []string, method calib.Method, to, form string) error {
	if err := modelOutput(p, c); err != nil {
		return err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	in, err := toTune(p, c, args, workers)
	if err != nil {
		return err
	}
	m, err := in.Model.Recalibrate(c.Context, in.Frame, in.Table, method)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	p.Warn(m.Warnings)
	frame := &dataset.Frame{Classes: in.Table.Classes, Truth: in.Table.Truth, UnknownLabels: in.Frame.UnknownLabels,
		Weight: in.Table.Weight, Group: in.Frame.Group, Reading: in.Frame.Reading}
	job := scores.Calibration{Classes: in.Table.Classes, Truth: in.Table.Truth, Raw: func(dst []float64, i int) {
		in.Model.Probabilities(dst, in.Table.Votes(i))
	}}
	if prefs, err := m.Spec.Resolve(m.Classes()); err == nil && len(prefs) == 2 {
		job.Other = 1 - pragma.MattersMore(m.Forest.TieOrder(), prefs)
	}
	job.Fit = func(ctx context.Context, rows []int, _ int) (calib.Set, []error, error) {
		part, err := in.Model.Recalibrate(ctx, nil, in.Table.Take(rows), method)
		if err != nil {
			return calib.Set{}, nil, err
		}
		return part.Maps, part.Warnings, nil
	}
	job.Apply = func(maps calib.Set, dst []float64, i int) {
		rfpragma.Probabilities(maps, dst, in.Table.Votes(i), in.Table.Unit())
	}
	judged, err := judgeMaps(p, c, &job, frame)
	if err != nil {
		return err
	}
	_, again := in.Model.FittedOn(in.Frame)
	shown := view.Calibrated{Name: in.Name, Frame: frame, Asked: method, Method: calib.Method(m.Provenance.Calibration),
		Judged: judged, Spec: m.Spec, Before: "before", Flattered: again || in.Model.Provenance.MapData == "" &&
			in.Model.TrainedOn(in.Frame)}
	was, err := p.SaveModel(c.Context, m, to)
	if err != nil {
		return err
	}
	p.Say("Model with these maps written to %s%s.", to, was)
	return show(&shown, p, form)
}

// fitMaps fits on all rows, and judges the fit by cross-validation.
func fitMaps(p *cli.Program, c *urfave.Context, job scores.Calibration, frame *dataset.Frame) (fitted calib.Set,
	notes []error, judged view.CrossJudged, err error) {
	all := make([]int, frame.Rows())
	for i := range all {
		all[i] = i
	}
	workers, err := p.Threads(c)
	if err != nil {
		return fitted, nil, judged, err
	}
	fitted, notes, err = job.Fit(c.Context, all, workers)
	if err != nil {
		return fitted, nil, judged, err
	}
	judged, err = judgeMaps(p, c, &job, frame)
	return fitted, notes, judged, err
}

// calibrateResult is what calibrate writes as JSON.
type calibrateResult struct {
	view.Heading
	Data   view.DataInfo `json:"data"`   // the rows
	Method string        `json:"method"` // what was fitted, for auto what it picked
	// by class, of two classes for one, before and after the map
	Probabilities map[string]eval.Judged `json:"probabilities"`
	view.Assessed
	view.Remarks
}

// judgeMaps judges how maps are fitted by cross-validation on the rows of a frame.
func judgeMaps(p *cli.Program, c *urfave.Context, job *scores.Calibration, frame *dataset.Frame) (view.CrossJudged,
	error) {
	folds, most, of := c.Int("folds"), frame.MostFolds(), "rows"
	if !c.IsSet("folds") {
		folds = min(folds, most)
	}
	if frame.Group != nil {
		of = "groups"
	}
	if folds < 2 || folds > most {
		return view.CrossJudged{}, cli.Usagef("--folds %d; choose 2 to the number of %s, %d", folds, of, most)
	}
	foldOf, err := dataset.Folds(frame, folds, c.Uint64("seed"))
	if err != nil {
		return view.CrossJudged{}, err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return view.CrossJudged{}, err
	}
	judged, err := job.Judge(c.Context, frame.Weight, foldOf, folds, workers)
	return view.CrossJudged(judged), err
}

func show(s *view.Calibrated, p *cli.Program, form string) error {
	var shown []string
	for _, class := range s.Frame.Classes {
		if _, ok := s.Judged.Of[class]; ok {
			shown = append(shown, class)
		}
	}
	switch form {
	case "json":
		return p.WriteJSON(calibrateResult{view.Heading{SchemaVersion: view.SchemaVersion, Command: "calibrate"},
			view.Describe(s.Name, s.Frame), string(s.Method), s.Judged.Of,
			view.Assessed{Findings: s.Findings()}, p.Remarks(s.Words())})
	case "csv":
		return p.WriteCSV(resultcsv.Probabilities(shown, s.Judged.Of))
	}
	to := p.Page(form)
	to.Say(fmt.Sprintf("%s: %s, %s%s", s.Name, view.WeighedRows(s.Frame.Rows(), s.Frame.Weight),
		view.ClassShares(s.Frame.Classes, s.Frame.ClassWeights()), view.Unjudged(view.Describe(s.Name, s.Frame))))
	view.ShowProbabilities(func(g *layout.Grid) {
		g.Without("ECE", "ROC-AUC", "PR-AUC") // which say less than the slope, or which a map hardly changes
		to.Table(g)
	}, to, shown, s.Judged.Of, s.Before)
	to.Say(s.Words()...)
	return nil
}
