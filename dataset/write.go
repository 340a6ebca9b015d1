package dataset

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// WriteCSV writes f with a first line of names: columns named id, weight, group and time if f has them, the
// features, and the labels, if f has them, as the last column, named target. Missing cells and unknown labels
// are empty. Numbers are written with the fewest digits that read back as the same bits.
//
// [ReadCSV] with those names, and with the categorical columns in Options.Categorical, reads an equal frame,
// except that levels and classes without a row are not in the file.
//
// Errors: those of [Frame.Check]; [ErrValue] for two columns of one name, or for a text that would not read
// back the same (blanks around it, control characters, invalid UTF-8); those of w.
func WriteCSV(w io.Writer, f *Frame, target string) error {
	if err := f.Check(); err != nil {
		return err
	}
	header, err := f.header(target)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	out := csv.NewWriter(b)
	if err := out.Write(header); err != nil {
		return err
	}
	texts := f.texts()
	cells, number := make([]string, 0, len(header)), make([]byte, 0, 32)
	for i := range f.Rows() {
		cells = cells[:0]
		for _, text := range texts {
			cells = append(cells, text(i, number))
		}
		if len(cells) == 1 && cells[0] == "" {
			// An empty line would not be a row.
			out.Flush()
			if _, err := b.WriteString("\"\"\n"); err != nil {
				return err
			}
			continue
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	return b.Flush()
}

// header returns the names of the columns to write, once all texts are known to be fit.
func (f *Frame) header(target string) ([]string, error) {
	var names []string
	for _, side := range []struct {
		name    string
		present bool
	}{{"id", f.ID != nil}, {"weight", f.Weight != nil}, {"group", f.Group != nil}, {"time", f.Time != nil}} {
		if side.present {
			names = append(names, side.name)
		}
	}
	texts := slices.Concat(f.Classes, f.ID)
	if f.Time != nil {
		texts = append(texts, f.Time.Levels...)
	}
	for _, c := range f.Columns {
		names = append(names, c.Name)
		texts = append(texts, c.Levels...)
	}
	if f.Truth != nil {
		names = append(names, target)
	}
	for _, text := range texts {
		if err := csvtext.CheckCell(text); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrValue, err)
		}
	}
	if err := csvtext.CheckHeader(names); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrValue, err)
	}
	return names, nil
}

// texts returns, for each column to write, the text of the cell of row i.
func (f *Frame) texts() []func(i int, buf []byte) string {
	var list []func(int, []byte) string
	if f.ID != nil {
		list = append(list, func(i int, _ []byte) string { return f.ID[i] })
	}
	if f.Weight != nil {
		list = append(list, func(i int, buf []byte) string { return string(csvtext.AppendNumber(buf, f.Weight[i])) })
	}
	if f.Group != nil {
		list = append(list, func(i int, _ []byte) string { return fmt.Sprint(f.Group[i]) })
	}
	if f.Time != nil {
		list = append(list, f.Time.texts())
	}
	for _, c := range f.Columns {
		list = append(list, c.texts())
	}
	if f.Truth != nil {
		list = append(list, func(i int, _ []byte) string {
			if f.Truth[i] < 0 {
				return ""
			}
			return f.Classes[f.Truth[i]]
		})
	}
	return list
}

// texts returns the text of each cell, "" where it is missing.
func (c *Column) texts() func(i int, buf []byte) string {
	return func(i int, buf []byte) string {
		v := c.At(i)
		switch {
		case v != v:
			return ""
		case c.Kind == Categorical:
			return c.Levels[int(v)]
		}
		return string(csvtext.AppendNumber(buf, v))
	}
}
