// Package scores reads the scores or votes of any model, and fits, keeps and judges maps from them to
// probabilities.
package scores

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/rowkind"
	"github.com/rfpragma/rfpragma/vote"
)

// Scores are the scores of any model for labelled rows.
type Scores struct {
	Classes []string // of two the second is the one that a single column of scores is of
	Column  string   // the name of that column; "" where there is a column for each class
	Votes   bool     // the columns have whole votes
	Trees   int      // shares are smoothed as those of so many trees; 0 where they stay as they are
	share   []float64
	truth   []int
	weight  []float64
	order   []int  // of the classes where each has a column, see [vote.TieOrder]; else nil
	inside  bool   // all shares are in [0, 1]
	Range   *Range // of a single column of scores, as it was read
}

// New takes the columns of a frame for scores. Where a single one is of several classes, the frame becomes one
// of positive and the rest. Errors are about the file of that name.
func New(frame *dataset.Frame, positive, name string) (*Scores, error) {
	s, err := read(frame, positive, name)
	if err == nil && s.inside && !s.Votes {
		s.smooth()
	}
	return s, err
}

// read takes the columns as they are.
func read(frame *dataset.Frame, positive, name string) (*Scores, error) {
	for _, col := range frame.Columns {
		if col.Kind != dataset.Numeric {
			return nil, &dataset.ParseError{File: name, Field: col.Name,
				Err: errors.New("these are no numbers, so they are no scores; have the column ignored")}
		}
	}
	s := &Scores{truth: frame.Truth, weight: relative(frame.Weight), inside: true}
	if len(frame.Columns) == 1 {
		return s, s.single(frame, positive, name)
	}
	return s, s.perClass(frame, name)
}

// relative returns weights as parts of the mean of those above 0: a map is shrunk by the number of rows, not by the
// unit of their weights.
func relative(weights []float64) []float64 {
	if weights == nil {
		return nil
	}
	mean, n := 0.0, 0.0
	for _, w := range weights {
		if w > 0 {
			n++
			mean += (w - mean) / n
		}
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = w / mean
	}
	return out
}

// single takes one column.
func (s *Scores) single(frame *dataset.Frame, positive, name string) error {
	at := slices.Index(frame.Classes, positive)
	if positive == "" && len(frame.Classes) == 2 {
		at = slices.IndexFunc(frame.Classes, func(c string) bool {
			return slices.Contains([]string{"1", "yes", "true", "TRUE",
				"Yes", "True"}, c)
		})
	}
	if at < 0 {
		text := fmt.Sprintf(" %s", english.Quote(positive))
		if positive == "" {
			text = " is missing"
		}
		return &dataset.UsageError{Text: option.Text("{positive}") + text +
			"; name the class whose probability rises with the score, of " + nearest.List(frame.Classes)}
	}
	if len(frame.Classes) > 2 {
		*frame = *frame.OneVsRest(at)
		at = slices.Index(frame.Classes, positive)
	}
	s.Column, s.Classes = frame.Columns[0].Name, []string{frame.Classes[1-at], frame.Classes[at]}
	s.truth = make([]int, frame.Rows())
	for i, c := range frame.Truth {
		if s.truth[i] = -1; c == at {
			s.truth[i] = 1
		} else if c == 1-at {
			s.truth[i] = 0
		}
	}
	err := s.take(frame.Columns, frame.Rows(), name)
	if err == nil {
		s.Range = rangeOf(s.share)
	}
	s.inside = !slices.ContainsFunc(s.share, func(v float64) bool { return v < 0 || v > 1 })
	return err
}

// perClass takes a column for each class.
func (s *Scores) perClass(frame *dataset.Frame, name string) error {
	for _, class := range frame.Classes {
		if !slices.ContainsFunc(frame.Columns, func(c dataset.Column) bool { return c.Name == class }) {
			return fmt.Errorf("%s: class %s has no column of scores; give each class one, and have other columns ignored", name,
				english.Quote(class))
		}
	}
	s.Classes = slices.Clone(frame.Classes) // and those that no row is of
	for _, c := range frame.Columns {
		if !slices.Contains(s.Classes, c.Name) {
			s.Classes = append(s.Classes, c.Name)
		}
	}
	s.order = vote.TieOrder(frame.ClassWeights(), frame.FirstRows())
	for c := len(s.order); c < len(s.Classes); c++ {
		s.order = append(s.order, c)
	}
	columns := make([]dataset.Column, len(s.Classes))
	for _, c := range frame.Columns {
		columns[slices.Index(s.Classes, c.Name)] = c
	}
	if err := s.take(columns, frame.Rows(), name); err != nil {
		return err
	}
	k := len(columns)
	var kinds rowkind.Kinds
	for i := range frame.Rows() {
		kinds.Add(s.share[i*k : i*k+k])
	}
	if err := kinds.Err(); err != nil {
		return &dataset.ParseError{File: name, Err: err}
	}
	s.Votes = kinds.Votes()
	for i := range frame.Rows() {
		toShares(s.share[i*k:i*k+k], s.Votes)
	}
	return nil
}

// certain is the share below which a share counts as 0.
const certain = 1e-9

// smooth smooths shares some of which are 0 or 1. That no tree of a few hundred voted for a class does not make it
// impossible, and maps that take logarithms would have it so. The number of trees is the one that the smallest share
// above 0 tells, but no larger than that of the rows: those cannot tell apart what is rarer and what never happens.
// Where no share is 0 or 1, as of most models that are no forests, all stay as they are.
func (s *Scores) smooth() {
	least, sure := 1.0, false
	for _, v := range s.share {
		if v < certain {
			sure = true
		} else {
			least = min(least, v)
		}
	}
	if !sure {
		return
	}
	s.Trees = int(min(math.Round(1/least), float64(len(s.truth))))
	smoothShares(s.share, s.Trees)
}

// smoothShares smooths shares as those of so many trees; of 0 they stay as they are.
func smoothShares(shares []float64, trees int) {
	for i, v := range shares {
		if t := float64(trees); t > 0 {
			shares[i] = calib.Smooth(float64(v*t), t)
		}
	}
}

// take reads the scores of n rows.
func (s *Scores) take(columns []dataset.Column, n int, name string) error {
	k := len(s.Classes)
	s.share = make([]float64, n*k)
	var faults RowFaults
	for i := range n {
		faults.Note(i+1, rowScores(s.share[i*k:i*k+k], columns, i))
	}
	return faults.Err(name)
}

// Calibration returns how maps are fitted on the scores.
func (s *Scores) Calibration(method calib.Method) Calibration {
	k := len(s.Classes)
	job := Calibration{Classes: s.Classes, Truth: s.truth, Apply: func(maps calib.Set, dst []float64, i int) {
		maps.Probabilities(dst, s.share[i*k:i*k+k])
	}}
	if k == 2 && s.order != nil {
		job.Other = s.order[0]
	}
	job.Fit = func(ctx context.Context, rows []int, workers int) (calib.Set, []error, error) {
		r := calib.Rows{K: k, Workers: workers, Order: s.order}
		for _, i := range rows {
			r.Share, r.Truth = append(r.Share, s.share[i*k:i*k+k]...), append(r.Truth, s.truth[i])
			if s.weight != nil {
				r.Weight = append(r.Weight, s.weight[i])
			}
		}
		set, err := method.FitClasses(ctx, r)
		return set, set.Warnings, err
	}
	if s.inside {
		job.Raw = func(dst []float64, i int) {
			copy(dst, s.share[i*k:i*k+k])
			sum := portable.Total(dst)
			for c := range dst {
				dst[c] /= sum
			}
		}
	}
	return job
}
