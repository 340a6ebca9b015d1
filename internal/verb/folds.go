package verb

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/view"
)

// writeFolds writes the folds of the first repeat: a line for each row, both counted from 1; fold 0 is the rows of
// the first block in the order of time, which are not judged.
func writeFolds(job *view.CVJob, path string) error {
	folds := job.Eval.FoldOf
	switch {
	case job.Blocks != nil:
		folds = make([]int, job.Frame.Rows())
		for b, block := range job.Blocks {
			for _, i := range block.Rows {
				folds[i] = b - 1
			}
		}
	case folds == nil:
		var err error
		if folds, err = dataset.Folds(job.Frame, job.Eval.Folds, job.Eval.Seed); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		out := csv.NewWriter(w)
		_ = out.Write([]string{"row", "fold"})
		for i, f := range folds {
			_ = out.Write([]string{strconv.Itoa(i + 1), strconv.Itoa(f + 1)})
		}
		out.Flush()
		return out.Error()
	})
}

// readFolds reads what writeFolds wrote, the rows in any order, from a file of that name.
func readFolds(r io.Reader, name string, rows int) ([]int, error) {
	in, err := csvtext.NewReader(r, name, 0)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(in.Header, []string{"row", "fold"}) {
		return nil, in.RowFaultf("the first line is not row,fold; use a file written by --folds-to")
	}
	folds, last := make([]int, rows), 0
	err = in.Each(func(cells []string) error {
		row, err1 := strconv.Atoi(strings.TrimSpace(cells[0]))
		fold, err2 := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err2 == nil && fold == 0 {
			return in.RowFaultf("fold 0 is of rows that cv --time does not judge; name the column of the time with --time " +
				"again instead")
		}
		if err1 != nil || err2 != nil || row < 1 || row > rows || fold < 1 || fold > rows || folds[row-1] != 0 {
			return in.RowFaultf("row %s, fold %s; each of the rows 1 to %d stands once, folds count from 1",
				english.Quote(cells[0]), english.Quote(cells[1]), rows)
		}
		folds[row-1], last = fold, max(last, fold)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if row := slices.Index(folds, 0); row >= 0 {
		return nil, in.FileFaultf("", "row %d has no fold; the data has %s", row+1, english.Plural(rows, "row"))
	}
	filled := make([]bool, last)
	for i := range folds {
		folds[i]--
		filled[folds[i]] = true
	}
	if gap := slices.Index(filled, false); gap >= 0 {
		return nil, in.FileFaultf("", "no row is in fold %d of %d; number the folds from 1 without a gap", gap+1, last)
	}
	if last == 1 {
		return nil, in.FileFaultf("", "all rows are in fold 1; at least two folds are needed")
	}
	return folds, nil
}
