package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
)

// writeFolds writes the folds of the first repeat: a line for each row, both counted from 1.
func (job *cvJob) writeFolds(path string) error {
	folds := job.eval.FoldOf
	if folds == nil {
		var err error
		if folds, err = dataset.Folds(job.frame, job.eval.Folds, job.eval.Seed); err != nil {
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

// readFolds reads what writeFolds wrote, the rows in any order.
func readFolds(path string, rows int) ([]int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.FieldsPerRecord = 2
	if head, err := in.Read(); err != nil || head[0] != "row" || head[1] != "fold" {
		return nil, fmt.Errorf("%s:1: the first line is not row,fold; use a file written by --folds-to", path)
	}
	folds := make([]int, rows)
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := in.FieldPos(0)
		row, err1 := strconv.Atoi(cells[0])
		fold, err2 := strconv.Atoi(cells[1])
		if err1 != nil || err2 != nil || row < 1 || row > rows || fold < 1 || fold > rows || folds[row-1] != 0 {
			return nil, fmt.Errorf("%s:%d: row %.64q, fold %.64q; each of the rows 1 to %d stands once, folds count from 1", path, line, cells[0], cells[1], rows)
		}
		folds[row-1] = fold
	}
	for i := range folds {
		if folds[i]--; folds[i] < 0 {
			return nil, fmt.Errorf("%s: row %d has no fold; the data has %d rows", path, i+1, rows)
		}
	}
	return folds, nil
}
