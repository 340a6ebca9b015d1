package xlsx

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strconv"
)

// FromCSV returns a writer of a table in CSV, the first line of which is its header. It becomes a spreadsheet in w with
// one sheet of that name. A cell is a number if it reads as one and a spreadsheet keeps all of its digits: 007 stays a
// text. Close ends the file, and returns what went wrong; w stays open.
func FromCSV(w io.Writer, sheet string) io.WriteCloser {
	in, out := io.Pipe()
	c := &converter{out, make(chan error, 1)}
	go func() {
		err := convert(NewWriter(w), sheet, csv.NewReader(in))
		_ = in.CloseWithError(errors.Join(err, io.ErrClosedPipe)) // who writes on learns why
		c.done <- err
	}()
	return c
}

type converter struct {
	*io.PipeWriter
	done chan error
}

func (c *converter) Close() error {
	_ = c.PipeWriter.Close() // never fails
	return <-c.done
}

func convert(out *Writer, sheet string, in *csv.Reader) error {
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return err
	}
	if err := out.Sheet(sheet, header...); err != nil {
		return err
	}
	cells := make([]any, len(header))
	for {
		record, err := in.Read()
		switch {
		case errors.Is(err, io.EOF):
			return out.Close()
		case err != nil:
			return err
		}
		for j, text := range record {
			cells[j] = cellOf(text)
		}
		if err := out.Row(cells...); err != nil {
			return err
		}
	}
}

// A number as programs write it. Whole numbers of more than 15 digits would lose some.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})$|^-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[-+][0-9]{2,3})?$`)

// The same without anything behind the point.
var long = regexp.MustCompile(`^-?[0-9]{16,}$`)

func cellOf(text string) any {
	if text == "" {
		return nil
	}
	if number.MatchString(text) && !long.MatchString(text) {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			return v
		}
	}
	return text
}
