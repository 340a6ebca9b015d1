package verb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/rowkind"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
)

// scores are the scores of any model for labelled rows.
type scores struct {
	classes []string // of two the second is the one that a single column of scores is of
	score   string   // the name of that column; "" where there is a column for each class
	votes   bool     // the columns have whole votes
	trees   int      // shares are smoothed as those of so many trees; 0 where they stay as they are
	share   []float64
	truth   []int
	weight  []float64
	order   []int // of the classes where each has a column, see [TieOrder]; else nil
	inside  bool  // all shares are in [0, 1]
	span    *span // of a single column of scores, as it was read
}

// newScores takes the columns of a frame for scores. Where a single one is of several classes, the frame becomes one
// of positive and the rest.
func newScores(frame *dataset.Frame, positive, name string) (*scores, error) {
	for _, col := range frame.Columns {
		if col.Kind != dataset.Numeric {
			return nil, &dataset.ParseError{File: name, Field: col.Name,
				Err: errors.New("these are no numbers, so they are no scores; have the column ignored")}
		}
	}
	s := &scores{truth: frame.Truth, weight: relative(frame.Weight), inside: true}
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
func (s *scores) single(frame *dataset.Frame, positive, name string) error {
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
		return cli.Usagef("--positive%s; name the class whose probability rises with the score, of %s", text,
			nearest.List(frame.Classes))
	}
	if len(frame.Classes) > 2 {
		*frame = *frame.OneVsRest(at)
		at = slices.Index(frame.Classes, positive)
	}
	s.score, s.classes = frame.Columns[0].Name, []string{frame.Classes[1-at], frame.Classes[at]}
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
		s.span = spanOf(s.share)
	}
	if s.inside = !slices.ContainsFunc(s.share, func(v float64) bool { return v < 0 || v > 1 }); s.inside {
		s.smooth()
	}
	return err
}

// perClass takes a column for each class.
func (s *scores) perClass(frame *dataset.Frame, name string) error {
	for _, class := range frame.Classes {
		if !slices.ContainsFunc(frame.Columns, func(c dataset.Column) bool { return c.Name == class }) {
			return fmt.Errorf("%s: class %s has no column of scores; give each class one, and have other columns ignored", name,
				english.Quote(class))
		}
	}
	s.classes = slices.Clone(frame.Classes) // and those that no row is of
	for _, c := range frame.Columns {
		if !slices.Contains(s.classes, c.Name) {
			s.classes = append(s.classes, c.Name)
		}
	}
	s.order = view.TieOrder(frame)
	for c := len(s.order); c < len(s.classes); c++ {
		s.order = append(s.order, c)
	}
	columns := make([]dataset.Column, len(s.classes))
	for _, c := range frame.Columns {
		columns[slices.Index(s.classes, c.Name)] = c
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
	s.votes = kinds.Votes()
	for i := range frame.Rows() {
		toShares(s.share[i*k:i*k+k], s.votes)
	}
	if !s.votes {
		s.smooth()
	}
	return nil
}

// certain is the share below which a share counts as 0.
const certain = 1e-9

// smooth smooths shares some of which are 0 or 1. That no tree of a few hundred voted for a class does not make it
// impossible, and maps that take logarithms would have it so. The number of trees is the one that the smallest share
// above 0 tells, but no larger than that of the rows: those cannot tell apart what is rarer and what never happens.
// Where no share is 0 or 1, as of most models that are no forests, all stay as they are.
func (s *scores) smooth() {
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
	s.trees = int(min(math.Round(1/least), float64(len(s.truth))))
	smoothShares(s.share, s.trees)
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
func (s *scores) take(columns []dataset.Column, n int, name string) error {
	k := len(s.classes)
	s.share = make([]float64, n*k)
	var faults rowFaults
	for i := range n {
		faults.note(i+1, rowScores(s.share[i*k:i*k+k], columns, i))
	}
	return faults.err(name)
}

// rowFaults are what is wrong with rows: with the first one all, and the numbers of some others.
type rowFaults struct {
	first error
	more  []string
	count int // of the others
}

// note notes what is wrong with a row, if anything. The error goes on where it is said which row.
func (f *rowFaults) note(row int, err error) {
	const most = 10
	switch {
	case err == nil:
	case f.first == nil:
		f.first = fmt.Errorf("row %d %w", row, err)
	default:
		if f.count++; f.count <= most {
			f.more = append(f.more, strconv.Itoa(row))
		} else if f.count == most+1 {
			f.more = append(f.more, "...")
		}
	}
}

// err is the error for the rows of a file, nil where nothing is wrong.
func (f *rowFaults) err(name string) error {
	switch {
	case f.first == nil:
		return nil
	case f.count == 0:
		return &dataset.ParseError{File: name, Err: f.first}
	}
	return &dataset.ParseError{File: name, Err: fmt.Errorf("%w; %s at fault, too: %s", f.first, english.Plural(f.count,
		"more row")+english.Verb(f.count, " is", " are"), strings.Join(f.more, ", "))}
}

// rowScores writes into dst, by class, the scores of row i: those of a column for each class, or the score of the
// second class and what it lacks of 1. An error goes on where its caller has said which row.
func rowScores(dst []float64, columns []dataset.Column, i int) error {
	if len(columns) == 1 {
		v := columns[0].At(i)
		if math.IsNaN(v) {
			return errors.New("has no score; fill the cell, or leave the row out")
		}
		dst[0], dst[1] = 1-v, v
		return nil
	}
	for c := range columns {
		if dst[c] = columns[c].At(i); !(dst[c] >= 0) {
			return fmt.Errorf("has the score %v of class %s; scores of several columns are numbers from 0 on", dst[c],
				english.Quote(columns[c].Name))
		}
	}
	if slices.Max(dst) == 0 {
		return errors.New("has no score above 0; leave it out")
	}
	return nil
}

// toShares divides scores by their sum; whole votes are smoothed.
func toShares(row []float64, votes bool) {
	unit := 1.0
	if !votes {
		unit = slices.Max(row) // the sum of the largest numbers is none
	}
	for c := range row {
		row[c] /= unit
	}
	sum := portable.Total(row)
	for c, v := range row {
		if votes {
			row[c] = calib.Smooth(v, sum)
		} else {
			row[c] = v / sum
		}
	}
}

// calibration returns how maps are fitted on the scores.
func (s *scores) calibration(method calib.Method) calibration {
	k := len(s.classes)
	job := calibration{classes: s.classes, truth: s.truth, apply: func(maps calib.Set, dst []float64,
		i int) {
		maps.Probabilities(dst, s.share[i*k:i*k+k])
	}}
	if k == 2 && s.order != nil {
		job.other = s.order[0]
	}
	job.fit = func(ctx context.Context, rows []int, workers int) (calib.Set, []error, error) {
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
		job.raw = func(dst []float64, i int) {
			copy(dst, s.share[i*k:i*k+k])
			sum := portable.Total(dst)
			for c := range dst {
				dst[c] /= sum
			}
		}
	}
	return job
}

// readScores reads labelled scores.
func readScores(p *cli.Program, c *urfave.Context, path string) (*dataset.Frame, error) {
	o, err := p.Options(c)
	if err != nil {
		return nil, err
	}
	if o.Target == "" {
		o.Target = "class"
	}
	o.Positive = ""
	votes, err := cli.ReadTally(c, path)
	if err != nil {
		return nil, err
	}
	if votes != nil {
		return cli.Spread(cli.FrameOf(votes), path)
	}
	in, err := p.Open(c.Context, path)
	if err != nil {
		return nil, err
	}
	in.Reader = table.RowVotes(in.Reader, &o)
	t, err := p.OpenIn(c, in, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	frame, err := dataset.Read(t.Source, o)
	if err != nil {
		return nil, err
	}
	return cli.Spread(frame, cli.Called(path))
}
