package scores

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// Calibration is what is fitted and judged: scores or votes of rows.
type Calibration struct {
	Classes []string
	Truth   []int
	Other   int // of two classes the one that is not judged: it has the complement
	Fit     func(ctx context.Context, rows []int, workers int) (calib.Set, []error, error)
	Apply   func(maps calib.Set, dst []float64, i int)
	Raw     func(dst []float64, i int) // the probabilities without new maps; nil where scores are none
}

// Judged is what maps are worth by cross-validation.
type Judged struct {
	Of          map[string]eval.Judged // by class, of two classes of one
	Raw, Mapped float64                // log loss of all classes together; raw is NaN where scores are no probabilities
}

// Judge fits maps without each fold in turn, and judges what they say of it. FoldOf is by row its fold, from 0 to
// below folds.
func (job *Calibration) Judge(ctx context.Context, weight []float64, foldOf []int, folds, workers int) (judged Judged,
	err error) {
	raw, calibrated, truth, err := job.cross(ctx, foldOf, folds, workers)
	if err != nil {
		return judged, err
	}
	k := len(job.Classes)
	judged.Of, judged.Raw, judged.Mapped = map[string]eval.Judged{}, math.NaN(), calib.LogLoss(calibrated, truth,
		weight, k)
	if job.Raw != nil {
		judged.Raw = calib.LogLoss(raw, truth, weight, k)
	}
	for class, name := range job.Classes {
		if k == 2 && class == job.Other {
			continue
		}
		var j eval.Judged
		if j.Calibrated, err = eval.Judge(calibrated, truth, weight, k, class); err != nil {
			return judged, err
		}
		if job.Raw != nil {
			if j.Raw, err = eval.Judge(raw, truth, weight, k, class); err != nil {
				return judged, err
			}
		}
		judged.Of[name] = j
	}
	return judged, nil
}

// cross fits maps without each fold in turn, several at the same time, and returns what is said of the fold without
// maps and with them, n·k each, and the classes of the rows that can be judged: those of a fold without which no map
// can be fitted are −1.
func (job *Calibration) cross(ctx context.Context, foldOf []int, folds, workers int) (raw, calibrated []float64,
	truth []int, err error) {
	k := len(job.Classes)
	raw, calibrated, truth = make([]float64, len(foldOf)*k), make([]float64, len(foldOf)*k), slices.Clone(job.Truth)
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
			maps, _, err := job.Fit(ctx, inside, 1)
			oneClass := errors.Is(err, calib.ErrOneClass)
			if err != nil && !oneClass {
				return err
			}
			for _, i := range outside {
				if oneClass {
					truth[i] = -1
					continue
				}
				job.Apply(maps, calibrated[i*k:i*k+k], i)
				if job.Raw != nil {
					job.Raw(raw[i*k:i*k+k], i)
				}
			}
			return nil
		},
		func(*int) error { return nil })
	return raw, calibrated, truth, err
}
