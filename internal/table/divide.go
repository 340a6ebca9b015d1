package table

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Divide writes the rows of a source as CSV to test where they are apart, else to kept. Apart is of the rows with these
// numbers, counted from 1, nil being all; others are in neither.
func Divide(ctx context.Context, s dataset.Source, numbers []int, apart []bool, kept, test io.Writer) error {
	out := [2]*csv.Writer{csv.NewWriter(kept), csv.NewWriter(test)}
	header := s.Columns()
	use := make([]bool, len(header))
	for j := range use {
		use[j] = true
	}
	if err := s.Use(use); err != nil {
		return err
	}
	for _, w := range out {
		_ = w.Write(header) // an error comes again with Flush
	}
	record, at := make([]string, len(header)), 0
	for number := 1; at < len(apart); number++ {
		cells, err := s.Next()
		if csvtext.Ended(err) {
			return fmt.Errorf("%s has changed while it was read: it has only %s now; split it again", s.Name(),
				english.Plural(number-1, "row"))
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if numbers != nil && numbers[at] != number {
			continue
		}
		for j, cell := range cells {
			record[j] = cell.String()
		}
		side := 0
		if apart[at] {
			side = 1
		}
		_ = out[side].Write(record)
		at++
	}
	for _, w := range out {
		w.Flush()
	}
	return errors.Join(out[0].Error(), out[1].Error())
}
